"""Data that are damaged or made to do harm: an error that says where, soon, in little memory."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import resource
import socket
import subprocess
import sys
import tempfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.errors import DataError, DataWarning, JounceError, ModelError, ModelWarning, legible
from jounce.identification import identify, log_files, open_recording
from jounce.identification.log_files import MAX_COLUMNS
from jounce.io.urdf.write import write_urdf
from jounce.robot import Robot
from jounce.studies import read_trajectory
from support.identify_data import Motion, csv_text, motion, names, two_links


@pytest.fixture(scope="module")
def arm() -> Robot:
    return two_links()


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(arm, 100, noise=0.02)


def peak() -> int:
    """Most memory this process has ever used, bytes."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10


def refused(path: Path, arm: Robot, *words: str) -> str:
    """The message of a file that cannot be used; nothing much may have been read before."""
    before = peak()
    with pytest.raises(DataError) as caught:
        for _ in open_recording(path, arm).read(1000):
            pass
    assert peak() - before < 300 << 20
    message = str(caught.value)
    assert message.isprintable()
    for word in (str(path), *words):
        assert word in message
    return message


# ------------------------------------------------------------------ damage


def npz(data: Motion, compress: bool = True) -> bytes:
    file = io.BytesIO()
    (np.savez_compressed if compress else np.savez)(file, **data.arrays())
    return file.getvalue()


def parquet(arm: Robot, data: Motion, **options: Any) -> bytes:
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow import parquet

    columns = ["t", *names(arm, "q", "v", "a", "tau")]
    rows = np.column_stack([data.t, data.q, data.v, data.a, data.tau])
    file = io.BytesIO()
    table = pyarrow.table({name: rows[:, k] for k, name in enumerate(columns)})
    parquet.write_table(table, file, **options)
    return file.getvalue()


@pytest.mark.parametrize("suffix", [".npz", ".parquet", ".csv.gz"])
def test_no_flipped_bit_is_a_foreign_error(
    suffix: str, arm: Robot, data: Motion, tmp_path: Path
) -> None:
    """Every 50th byte in turn, and the file cut off there."""
    whole = {
        ".npz": npz(data),
        ".parquet": parquet(arm, data, write_page_checksum=True),
        ".csv.gz": gzip.compress(csv_text(arm, data).encode(), mtime=0),
    }[suffix]
    path = tmp_path / f"data{suffix}"
    messages = []
    places = range(0, len(whole), max(len(whole) // 100, 1))
    for at in places:
        flipped = bytearray(whole)
        flipped[at] ^= 0x40
        for content in (bytes(flipped), whole[:at]):
            path.write_bytes(content)
            try:
                for _ in open_recording(path, arm).read(1000):
                    pass
            except DataError as error:
                messages.append(str(error))
    assert len(messages) > 1.8 * len(places)  # some bits, of names and dates, mean nothing
    assert all(str(path) in message for message in messages)


@pytest.mark.parametrize(
    ("value", "column"), [(1e100, "tau"), (-1e308, "q"), (1e13, "v"), (1e200, "a"), (1e40, "t")]
)
def test_values_no_robot_has(value: float, column: str, arm: Robot, data: Motion) -> None:
    given = {k: x.copy() for k, x in data.arrays().items()}
    given[column].reshape(100, -1)[37, -1] = value
    with pytest.raises(DataError) as caught:
        identify(arm, given)
    label = column if column == "t" else f"{column}[1]"
    message = f"the data, row 37 (from 0), column '{label}': found {value:g}, expected at most"
    assert str(caught.value).startswith(message)


def test_infinite_values_are_left_out(arm: Robot, data: Motion) -> None:
    given = {k: x.copy() for k, x in data.arrays().items()}
    given["tau"][3, 0], given["q"][5, 1] = np.inf, np.nan
    with pytest.warns(DataWarning, match="2 of 100 rows have missing values"):
        found = identify(arm, given, method="wls", folds=0)
    assert np.isfinite(found.theta).all()


def test_states_without_torques(data: Motion) -> None:
    """A quaternion of zeros is no orientation."""
    builder = jounce.TreeBuilder("ball")
    builder.add("body", "spherical", joint_name="ball", mass=1.0, com=(0.1, 0.0, 0.0))
    builder.add("arm", "revolute", "body", joint_name="elbow", axis=(0, 1, 0), mass=1.0)
    robot = Robot(builder.build())
    rng = np.random.default_rng(0)
    q, (v, a, tau) = rng.normal(size=(60, 5)), rng.normal(size=(3, 60, 4))
    q[41, :4] = 0.0
    with pytest.raises(
        DataError, match=r"row 41 \(from 0\): torques at this state are NaN or infinite"
    ):
        identify(robot, {"q": q, "v": v, "a": a, "tau": tau}, method="ols")


@pytest.mark.parametrize("momentum", [False, True])
def test_times_that_hardly_rise(momentum: bool, arm: Robot, data: Motion) -> None:
    given = data.arrays("q", "v", "tau") | {"t": 1e-300 * np.arange(100)}
    with pytest.raises(DataError, match="the times increase by 1e-300 s only"):
        identify(arm, given, momentum=momentum)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line.replace(".", ",", 1), ("line 13: 10 fields, but the header has 9",)),
        (lambda line: "1_0" + line, ("line 13, column 't': expected a number, found '1_0",)),
        (lambda line: "٣" + line, ("line 13, column 't': expected a number, found '٣",)),
        (lambda line: "\x1b[31m" + line, ("line 13, column 't'", r"found '\x1b[31m")),
        (lambda line: "\0" + line, ("line 13, column 't'", r"found '\x00")),
    ],
)
def test_one_bad_line(
    change: Callable[[str], str], words: tuple[str, ...], arm: Robot, data: Motion, tmp_path: Path
) -> None:
    """Named, even where other lines and columns could be read on without it."""
    lines = csv_text(arm, data).splitlines()
    lines[12] = change(lines[12])
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    refused(path, arm, *words)


def test_fields_that_are_no_fields(arm: Robot, data: Motion, tmp_path: Path) -> None:
    """A delimiter at the end of lines, and names that contain it."""
    header, *lines = csv_text(arm, data).splitlines()
    path = tmp_path / "data.csv"
    path.write_text("\n".join((f'{header},"a, note"', *(f"{x},0," for x in lines))))
    assert sum(len(x["q"]) for x in open_recording(path, arm).read(30)) == 100


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0], [3.0]], "the data: 'q' must be an array of real numbers"),
        (["a", "b"], "the data: 'q' must be real numbers, found dtype"),
        ([10**400, 1], "the data: 'q' must be real numbers, found dtype object"),
        (np.zeros((2, MAX_COLUMNS + 1)), "expected at most 20,000 columns"),
        (1.0, r"'q' must have shape \(n,\) or \(n, k\)"),
    ],
)
def test_values_that_are_no_arrays(values: Any, message: str, arm: Robot) -> None:
    with pytest.raises(DataError, match=message):
        open_recording({"q": values, "tau": np.zeros((2, 2))}, arm)


# ------------------------------------------------------------------ bombs


def test_archives_that_unpack_to_too_much(arm: Robot, tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 22, 2)}
    )
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("q.npy", "w", force_zip64=True) as member,
    ):
        member.write(header.getvalue())
        for _ in range(5):
            member.write(bytes(1 << 24))
    refused(path, arm, "far more than those of measurements")


@pytest.mark.parametrize(
    ("header", "row", "words"),
    [
        (b"t,q_joint1,q_joint2,tau_joint1,tau_joint2\n", b"0,0,0,0,0\n", "far more than"),
        (b"", b"0", "line 1: expected at most 4,194,304 characters"),
    ],
)
def test_text_that_unpacks_to_too_much(
    header: bytes,
    row: bytes,
    words: str,
    arm: Robot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_files, "SMALL_BYTES", 6 << 20)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(header + row * ((8 << 20) // len(row))))
    refused(path, arm, words)


@pytest.mark.parametrize("claim", [10**15, 10**9, 2**62, 2**63, 2**64])
@pytest.mark.parametrize("suffix", [".npz", ".npy"])
def test_headers_that_claim_too_much(suffix: str, claim: int, arm: Robot, tmp_path: Path) -> None:
    header = (
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({claim}, 2), }}".ljust(117) + "\n"
    )
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(160)
    path = tmp_path / f"data{suffix}"
    if suffix == ".npz":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("q.npy", array)
    else:
        path.write_bytes(array)
    refused(path, arm, "cannot read")


def test_files_with_holes(arm: Robot, tmp_path: Path) -> None:
    """A terabyte of zeros that takes no room would be read for hours."""
    for name in ("q", "tau"):
        with open(tmp_path / f"{name}.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (1 << 36, 2)}
            )
            file.truncate(file.tell() + (1 << 40))
    refused(tmp_path, arm, "q.npy", "far more than those of measurements")


def test_runs_of_one_value(arm: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parquet holds a billion equal values in a few bytes."""
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow import parquet

    path = tmp_path / "runs.parquet"
    columns = ["t", *names(arm, "q", "v", "a", "tau")]
    zeros = pyarrow.table({name: np.zeros(1 << 20) for name in columns})
    with parquet.ParquetWriter(path, zeros.schema) as writer:
        writer.write_table(zeros)
    refused(path, arm, "far more than those of measurements")
    monkeypatch.setattr(log_files, "SMALL_BYTES", 1 << 20)
    tracemalloc.start()
    try:  # a trajectory of all rows has places for none of them before
        with pytest.raises(DataError, match="far more than those of measurements"):
            read_trajectory(arm, path)
        assert tracemalloc.get_traced_memory()[1] < zeros.num_rows
    finally:
        tracemalloc.stop()


def test_objects_are_never_unpickled(arm: Robot, tmp_path: Path) -> None:
    marker = tmp_path / "marker"

    class Harm:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (marker,))

    harm = np.array([Harm()] * 5, dtype=object)
    np.savez(tmp_path / "data.npz", q=harm, tau=harm)
    np.save(tmp_path / "data.npy", harm, allow_pickle=True)
    (tmp_path / "plain.npy").write_bytes(pickle.dumps(Harm()))
    for name in ("data.npz", "data.npy", "plain.npy"):
        refused(tmp_path / name, arm, "cannot read")
    assert not marker.exists()


@pytest.mark.parametrize("pair", [(".npz", ".npy"), (".npy", ".npz"), (".csv", ".npz")])
def test_files_of_another_kind(
    pair: tuple[str, str], arm: Robot, data: Motion, tmp_path: Path
) -> None:
    """The ending lies."""
    array = io.BytesIO()
    np.save(array, data.q)
    contents = {".npz": npz(data), ".npy": array.getvalue(), ".csv": csv_text(arm, data).encode()}
    path = tmp_path / f"data{pair[1]}"
    path.write_bytes(contents[pair[0]])
    refused(path, arm, "cannot read")


@pytest.mark.parametrize("count", [MAX_COLUMNS + 1, 300_000])
def test_too_many_columns(count: int, arm: Robot, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"q_{k}" for k in range(count)) + "\n")
    refused(path, arm, f"expected at most 20,000 columns, found {count:,}")


def test_many_columns_are_told_soon(tmp_path: Path) -> None:
    """As many as there may be, beside a robot of some size."""
    builder = jounce.TreeBuilder("chain")
    for k in range(30):
        builder.add(f"link{k}", "revolute", f"link{k - 1}" if k else None, mass=1.0)
    robot = Robot(builder.build())
    path = tmp_path / "wide.csv"
    labels = [f"{x}_{name}" for x in ("q", "tau") for name in robot.labels("v")]
    labels += [f"effort_of_{k}" for k in range(MAX_COLUMNS - len(labels))]
    path.write_text(",".join(labels) + "\n" + ",".join("0" * len(labels)) + "\n")
    assert open_recording(path, robot).length == 1


# ------------------------------------------------------------------ what is no file


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".npz", ".npy", ".parquet"])
def test_pipes_and_sockets_do_not_wait(suffix: str, arm: Robot, tmp_path: Path) -> None:
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    refused(pipe, arm, "expected a file, found a pipe or a device")
    folder = tempfile.mkdtemp()  # the path of a socket must be short
    plug = Path(folder) / f"s{suffix}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(plug))
        refused(plug, arm, "cannot read")
    device = tmp_path / f"zero{suffix}"
    device.symlink_to("/dev/zero")
    refused(device, arm, "expected a file, found a pipe or a device")


def test_a_folder_with_a_pipe(arm: Robot, data: Motion, tmp_path: Path) -> None:
    np.save(tmp_path / "q.npy", data.q)
    os.mkfifo(tmp_path / "tau.npy")
    refused(tmp_path, arm, "tau.npy", "expected a file, found a pipe or a device")


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".npz", ".npy", ".parquet"])
def test_empty_files(suffix: str, arm: Robot, tmp_path: Path) -> None:
    path = tmp_path / f"data{suffix}"
    path.touch()
    refused(path, arm)


def test_odd_paths(arm: Robot, tmp_path: Path) -> None:
    for name in ("none.csv", "a" * 300 + ".csv", "a\0b.csv", "a\x1b[31m.csv"):
        with pytest.raises(DataError) as caught:
            open_recording(tmp_path / name, arm)
        assert str(caught.value).isprintable()


# ------------------------------------------------------------------ the command line


def test_the_command_line_says_it_in_one_line(
    arm: Robot, data: Motion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = tmp_path / "arm.urdf"
    write_urdf(arm.model, robot)
    damaged = bytearray(npz(data))
    damaged[200] ^= 1
    for name, content in (
        ("flipped.npz", bytes(damaged)),
        ("cut.csv.gz", gzip.compress(csv_text(arm, data).encode())[:-20]),
        ("large.csv", csv_text(arm, data).replace("0.5,", "1e100,", 1).encode()),
        ("escape.csv", b"t,\x1b[31mq\n0,1\n"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(SystemExit) as caught:
            main(["identify", str(robot), str(path)])
        message = str(caught.value.code)
        assert message.startswith("jounce identify: ")
        assert message.isprintable()
        assert str(path) in message
    assert capsys.readouterr().out == ""


def test_no_traceback_in_a_process(tmp_path: Path) -> None:
    robot, path = tmp_path / "a.urdf", tmp_path / "data.npz"
    robot.write_text('<robot name="r"><link name="a"/></robot>')
    path.write_bytes(b"PK\x03\x04 no archive")
    done = subprocess.run(
        [sys.executable, "-m", "jounce", "identify", str(robot), str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=120,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


# ------------------------------------------------------------------ messages


HOSTILE = "\x1b[31mred\x9b\n\r\0\u202e\u2028\ud800"


@pytest.mark.parametrize("sort", [JounceError, ModelError, DataError, ModelWarning, DataWarning])
def test_every_message_is_legible(sort: type[Exception]) -> None:
    message = str(sort(HOSTILE))
    assert message.isprintable()
    assert message == str(sort(message)) == r"\x1b[31mred\x9b\n\r\x00\u202e\u2028\ud800"
    long = str(sort("x" + "\x1b" * 10_000))
    assert len(long) <= 4000
    assert long == str(sort(long))
    assert str(pickle.loads(pickle.dumps(sort(HOSTILE)))) == message


@pytest.mark.parametrize("sort", [ModelWarning, DataWarning])
def test_warnings_are_legible_however_they_are_issued(sort: type[Warning]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(HOSTILE, sort, stacklevel=1)
        warnings.warn(sort(HOSTILE), stacklevel=1)
    assert len({str(w.message) for w in caught}) == 1
    assert all(str(w.message).isprintable() for w in caught)


def test_short_texts_stay_short() -> None:
    assert legible("abcdefghij" * 10, 20) == "abcdefg ... defghij"
    assert legible("\x1b" * 30, 20).isprintable()
    assert len(legible("\x1b" * 30, 20)) <= 20
