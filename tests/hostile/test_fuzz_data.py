"""Thousands of broken and hostile data files: each is used well, or refused with a message."""

from __future__ import annotations

from typing import Any

import pytest

from support import SUPPORT
from support.fuzz_batches import run_batch
from support.fuzz_data import FORMATS, HANG, format_of, make

pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")

RUNNER = SUPPORT / "fuzz_data.py"
#: Files in the ordinary run, and in all.
SAMPLE, TOTAL, BATCH = 140, 4200, 1015


def check(results: dict[int, dict[str, Any]]) -> None:
    bad = [f"{format_of(k)} {k}: {r['wrong']}" for k, r in results.items() if r["wrong"]]
    assert not bad, f"{len(bad)} of {len(results)} files:\n" + "\n".join(bad[:20])
    for format in FORMATS:
        alike = [r for k, r in results.items() if format_of(k) == format]
        for word in ("accepted", "refused"):
            share = sum(word in r for r in alike) / len(alike)
            assert share > 0.05, f"{format}: mutations too wild or too tame: {share:.0%} {word}"


def test_mutated_data_files() -> None:
    check(run_batch(RUNNER, 0, SAMPLE, HANG))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SAMPLE, TOTAL, BATCH))
def test_thousands_of_mutated_data_files(first: int) -> None:
    check(run_batch(RUNNER, first, BATCH, HANG))


def test_a_number_finds_its_file_again() -> None:
    for number in range(len(FORMATS)):
        assert make(number) == make(number)
