"""The first use of the library from many threads at once, in fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support import SUPPORT

SCRIPT = SUPPORT / "first_use.py"

#: Processes of the long run: JOUNCE_FIRST_USES=50 makes it a shorter one.
MANY = int(os.environ.get("JOUNCE_FIRST_USES", "500"))


def first_use(threads: int, seed: int, cache: str) -> str:
    """What went wrong in a fresh process; nothing, if all is well."""
    result = subprocess.run(
        [sys.executable, str(SCRIPT), str(threads), str(seed)],
        env={**os.environ, "JOUNCE_CACHE": cache},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return f"exit {result.returncode}: {result.stderr[-2000:]}" if result.returncode else ""


@pytest.mark.parametrize(
    ("threads", "seed", "cold"),
    [(2, 1, True), (4, 3, False), (8, 5, False), (16, 4, False)],
)
def test_threads_meet_at_the_first_use(threads: int, seed: int, cold: bool, tmp_path: Path) -> None:
    cache = str(tmp_path) if cold else os.environ["JOUNCE_CACHE"]
    assert first_use(threads, seed, cache) == ""


@pytest.mark.slow
def test_threads_meet_at_the_first_use_many_times(tmp_path: Path) -> None:
    """Half of them with an empty cache, two at a time."""

    def one(k: int) -> str:
        cache = tmp_path / (f"cold{k}" if k % 2 else "warm")
        return first_use((2, 3, 4, 8, 16)[k % 5], k, str(cache))

    with ThreadPoolExecutor(2) as pool:
        failures = [text for text in pool.map(one, range(MANY)) if text]
    print(f"{MANY} first uses, {len(failures)} failures")
    assert not failures, failures[0]
