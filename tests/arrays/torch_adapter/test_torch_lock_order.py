"""Locks are taken in one order by first calls with PyTorch, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support import SUPPORT

pytestmark = pytest.mark.frameworks


def test_locks_are_taken_in_one_order() -> None:
    command = [sys.executable, str(SUPPORT / "lock_order.py"), "torch"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    locks, pairs = map(int, result.stdout.split())
    assert locks > 300
    assert pairs > 600
