"""Stored records: any damaged bit is detected, and the record is computed again."""

from __future__ import annotations

import hashlib
import io
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import changed, motion, write_logs, write_parquet
from support.identify_mechanisms import mechanism_motion

#: Bits of a byte at the beginning of a local header of an archive: flags, and how it is packed.
HEADERS = (6, 7, 8, 9)


@pytest.fixture
def logs(arm: Robot, tmp_path: Path) -> Path:
    """A folder of two files."""
    return write_logs(arm, motion(changed(arm), 400, noise=0.02), tmp_path, 200)


def places(data: bytes) -> list[int]:
    """Return offsets to damage: in each header of the archive, and elsewhere."""
    result, index = [0, 31, len(data) - 1], data.find(b"PK")
    while index >= 0:
        result += [index + k for k in HEADERS if index + k < len(data)]
        index = data.find(b"PK", index + 1)
    rng = np.random.default_rng(0)
    return [*map(int, rng.choice(result, 30)), *map(int, rng.integers(len(data), size=15))]


def test_every_bit_counts(arm: Robot, logs: Path, tmp_path: Path) -> None:
    options: Any = {"method": "ols", "folds": 0, "keep": tmp_path / "kept"}
    expected = identify(arm, logs, **options)
    victim = sorted((tmp_path / "kept").iterdir())[1]
    data = victim.read_bytes()
    for k, index in enumerate(places(data)):
        damaged = bytearray(data)
        damaged[index] ^= 1 << k % 8
        victim.write_bytes(damaged)
        with pytest.warns(jounce.DataWarning, match=r"damaged \(its checksum .*1.parquet, is read"):
            result = identify(arm, logs, **options)
        assert_close(result.theta, expected.theta, 0.0)
        assert victim.read_bytes() == data


# ------------------------------------------------------------------ with the right checksum

Arrays = dict[str, np.ndarray]


def sign_record(data: bytes) -> bytes:
    return hashlib.sha256(data).digest() + data


def archive(arrays: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def text(words: str) -> np.ndarray:
    return np.frombuffer(words.encode(), np.uint8)


FORGED: dict[str, Callable[[Arrays], bytes]] = {
    "no key": lambda x: archive({k: v for k, v in x.items() if k != "key"}),
    "other key": lambda x: archive(x | {"key": text("0" * 64)}),
    "no tree": lambda x: archive({k: v for k, v in x.items() if k != "tree"}),
    "no factor": lambda x: archive({k: v for k, v in x.items() if k != "1"}),
    "no zip": lambda x: b"no archive",
    "nothing": lambda x: b"",
    "an array": lambda x: b"\x93NUMPY" + bytes(100),
    "half": lambda x: archive(x)[: len(archive(x)) // 2],
    "no JSON": lambda x: archive(x | {"tree": text("{")}),
    "deep": lambda x: archive(x | {"tree": text("[" * 100_000)}),
    "a number": lambda x: archive(x | {"tree": text("7")}),
}


@pytest.fixture(scope="module")
def store_records(
    arm: Robot, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    """A log of 200 rows, and the options with which its record was kept."""
    folder = tmp_path_factory.mktemp("kept")
    path = write_parquet(arm, motion(changed(arm), 200, noise=0.02), folder / "log.parquet")
    options: Any = {"method": "ols", "folds": 0, "keep": folder / "records"}
    identify(arm, path, **options)
    return path, options


@pytest.mark.parametrize("forged", FORGED)
def test_other_files(arm: Robot, store_records: tuple[Path, dict[str, Any]], forged: str) -> None:
    """With a checksum of its own, but no record of this file: it is made again, with a warning."""
    path, options = store_records
    (victim,) = options["keep"].iterdir()
    data = victim.read_bytes()
    expected = identify(arm, path, **options)  # no warning
    with np.load(io.BytesIO(data[32:])) as result:
        arrays = {name: result[name] for name in result.files}
    victim.write_bytes(sign_record(FORGED[forged](arrays)))
    with pytest.warns(
        jounce.DataWarning, match=r"is damaged \(.+\); its partition, .*, is read again"
    ):
        again = identify(arm, path, **options)
    assert_close(again.theta, expected.theta, 0.0)
    assert victim.read_bytes() == data


class _Bomb:
    def __reduce__(self) -> Any:
        return pytest.fail, ("it was unpickled",)


def test_nothing_is_unpickled(arm: Robot, store_records: tuple[Path, dict[str, Any]]) -> None:
    path, options = store_records
    (victim,) = options["keep"].iterdir()
    objects = archive({"key": np.array([_Bomb()], dtype=object)})
    for data in (objects, pickle.dumps(_Bomb())):
        victim.write_bytes(sign_record(data))
        with pytest.warns(jounce.DataWarning, match="is damaged"):
            identify(arm, path, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"robust": "huber", "friction": True, "armature": True},
        {"momentum": True},
        {"momentum": True, "without": "a"},
        {"without": "a", "friction": True, "offset": True, "folds": 4},
        {"without": "v a t", "rate": 100.0},
    ],
    ids=str,
)
def test_what_is_kept_is_taken(arm: Robot, tmp_path: Path, options: dict[str, Any]) -> None:
    """Records of all kinds of passes pass the checks, also where not all samples are held."""
    options = {"method": "ols", "folds": 0, "keep": tmp_path / "kept", **options}
    without = options.pop("without", "").split()
    for n in (600, 5000):
        data = motion(changed(arm), n, noise=0.02).arrays()
        data["tau"][n // 2] += 50.0
        np.savez(tmp_path / f"{n}.npz", **{k: x for k, x in data.items() if k not in without})
        thetas = []
        for _ in range(2):
            with warnings.catch_warnings():
                warnings.filterwarnings("error", "keep:")
                warnings.filterwarnings("ignore", ".*have torques more than 8 times")
                thetas.append(identify(arm, tmp_path / f"{n}.npz", **options).theta)
        assert_close(thetas[1], thetas[0], 0.0)


def test_records_of_mechanisms(tmp_path: Path) -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    data = mechanism_motion(closed, 300, 0.15)
    np.savez(tmp_path / "log.npz", t=data.t, q=data.q, v=data.v, a=data.a, tau=data.tau)
    options: Any = {"method": "ols", "folds": 0, "keep": tmp_path / "kept"}
    item, other = (identify(closed, tmp_path / "log.npz", **options).theta for _ in range(2))
    assert_close(other, item, 0.0)
