"""Ten thousand broken and hostile robot files, and four thousand mesh files: each is read well, or
refused with a message."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from jounce.errors import ModelWarning
from jounce.io import read
from jounce.io.surfaces import read_surface
from support import SUPPORT, fuzz_meshes, fuzz_seeds
from support.fuzz_batches import run_batch
from support.fuzz_runner import HANG, make
from support.fuzz_seeds import FORMATS, SUFFIX

pytest.importorskip("mujoco")

RUNNER = SUPPORT / "fuzz_runner.py"
#: Files per format in the ordinary run, and in all.
SAMPLE, TOTAL, BATCH = 200, 3340, 800
MESH_SAMPLE, MESH_TOTAL = 50, 700


def check(format: str, results: dict[int, dict[str, Any]]) -> None:
    bad = [f"{format} {k}: {r['wrong']}" for k, r in results.items() if r["wrong"]]
    assert not bad, f"{len(bad)} of {len(results)} files:\n" + "\n".join(bad[:20])
    shares = {
        word: sum(word in r for r in results.values()) / len(results)
        for word in ("accepted", "refused")
    }
    assert min(shares.values()) > 0.1, f"the mutations are too wild or too tame: {shares}"
    assert max(r["seconds"] for r in results.values()) < HANG / 2


@pytest.mark.parametrize("format", FORMATS)
def test_mutated_files(format: str) -> None:
    check(format, run_batch(RUNNER, 0, SAMPLE, HANG, format))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SAMPLE, TOTAL, BATCH))
@pytest.mark.parametrize("format", FORMATS)
def test_ten_thousand_mutated_files(format: str, first: int) -> None:
    check(format, run_batch(RUNNER, first, min(BATCH, TOTAL - first), HANG, format))


@pytest.mark.parametrize("format", fuzz_meshes.FORMATS)
def test_mutated_meshes(format: str) -> None:
    check(format, run_batch(RUNNER, 0, MESH_SAMPLE, HANG, format))


@pytest.mark.slow
@pytest.mark.parametrize("format", fuzz_meshes.FORMATS)
def test_thousands_of_mutated_meshes(format: str) -> None:
    check(format, run_batch(RUNNER, MESH_SAMPLE, MESH_TOTAL - MESH_SAMPLE, HANG, format))


@pytest.mark.parametrize("format", fuzz_meshes.FORMATS)
def test_the_meshes_to_start_from_are_good(format: str, tmp_path: Path) -> None:
    rng = random.Random(0)
    path = tmp_path / f"seed{fuzz_meshes.SUFFIX[format]}"
    for _ in range(10):
        path.write_bytes(fuzz_meshes.seed(format, rng))
        assert len(read_surface(path).faces) >= 4


@pytest.mark.parametrize("format", FORMATS)
def test_the_seeds_are_good(format: str, tmp_path: Path) -> None:
    """What the mutations start from is accepted, so that what they break is theirs."""
    rng = random.Random(0)
    whole = getattr(fuzz_seeds, format.upper())
    generated = [getattr(fuzz_seeds, f"_{format}")(rng) for _ in range(5)]
    path = tmp_path / f"seed{SUFFIX[format]}"
    for text in (whole, *generated):
        path.write_text(text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)
            assert read(path).nb >= 0
    assert read(path).source == str(path)


def test_a_number_finds_its_file_again() -> None:
    assert make("urdf", 7) == make("urdf", 7)
    assert len({make("urdf", k) for k in range(30)}) > 25
