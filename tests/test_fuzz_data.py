"""Thousands of broken and hostile data files: each is used well, or refused with a message."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz_data import FORMATS, HANG, make

pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pytest.importorskip("clarabel", reason="fits need clarabel")

RUNNER = Path(__file__).with_name("fuzz_data.py")
#: Files per format in the ordinary run, and in all.
SAMPLE, TOTAL = 20, 600


def run_batch(format: str, first: int, count: int) -> dict[int, dict[str, Any]]:
    """What became of each file; where a file ends the process, another one takes up the rest."""
    results: dict[int, dict[str, Any]] = {}
    last = first + count
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    while first < last:
        command = [sys.executable, str(RUNNER), format, str(first), str(last - first)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=env, timeout=HANG * count
        )
        number = first - 1
        for line in done.stdout.splitlines():
            if line.isdigit():
                number = int(line)
                results[number] = {"wrong": f"exit {done.returncode}: {done.stderr[-3000:]}"}
            else:
                results[number] = json.loads(line)
        assert number >= first, done.stderr
        first = number + 1
    return results


def check(format: str, results: dict[int, dict[str, Any]]) -> None:
    bad = [f"{format} {k}: {r['wrong']}" for k, r in results.items() if r["wrong"]]
    assert not bad, f"{len(bad)} of {len(results)} files:\n" + "\n".join(bad[:20])
    for word in ("accepted", "refused"):
        share = sum(word in r for r in results.values()) / len(results)
        assert share > 0.1, f"the mutations are too wild or too tame: {share:.0%} {word}"


@pytest.mark.parametrize("format", FORMATS)
def test_mutated_data_files(format: str) -> None:
    check(format, run_batch(format, 0, SAMPLE))


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_thousands_of_mutated_data_files(format: str) -> None:
    check(format, run_batch(format, SAMPLE, TOTAL - SAMPLE))


def test_a_number_finds_its_file_again() -> None:
    for format in FORMATS:
        assert make(format, 7) == make(format, 7)
