"""Kept records: whatever bit of one is wrong, it is seen, and the record is made again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identify import identify
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import changed, motion, write_logs

#: Bits of a byte at the beginning of a local header of an archive: flags, and how it is packed.
HEADERS = (6, 7, 8, 9)


@pytest.fixture
def logs(arm: Robot, tmp_path: Path) -> Path:
    """A folder of two files."""
    return write_logs(arm, motion(changed(arm), 400, noise=0.02), tmp_path, 200)


def places(data: bytes) -> list[int]:
    """Where to damage: each header of the archive, and somewhere else."""
    found, at = [0, 31, len(data) - 1], data.find(b"PK")
    while at >= 0:
        found += [at + k for k in HEADERS if at + k < len(data)]
        at = data.find(b"PK", at + 1)
    rng = np.random.default_rng(0)
    return [*map(int, rng.choice(found, 30)), *map(int, rng.integers(len(data), size=15))]


def test_every_bit_counts(arm: Robot, logs: Path, tmp_path: Path) -> None:
    options: Any = {"method": "ols", "folds": 0, "keep": tmp_path / "kept"}
    expected = identify(arm, logs, **options)
    victim = sorted((tmp_path / "kept").iterdir())[1]
    data = victim.read_bytes()
    for k, at in enumerate(places(data)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << k % 8
        victim.write_bytes(damaged)
        with pytest.warns(jounce.DataWarning, match=r"damaged \(its checksum .*1.parquet, is read"):
            found = identify(arm, logs, **options)
        assert_close(found.theta, expected.theta, 0.0)
        assert victim.read_bytes() == data
