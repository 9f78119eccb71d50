"""One cache directory under many processes and a vandal: every result right, nobody stuck."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from support import SUPPORT

STORM = SUPPORT / "cache_storm.py"
#: Seconds of the long run.
SECONDS = float(os.environ.get("JOUNCE_STORM_SECONDS", "120"))

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes and permissions are POSIX ones")


def storm(seconds: float, processes: int, rounds: int) -> dict[str, int]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, str(STORM), str(seconds), str(processes), str(rounds)],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        timeout=2 * seconds + 300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_gust() -> None:
    found = storm(0.0, 2, 6)
    assert found["rounds"] == 18
    assert found["compiled"] > 0


@pytest.mark.slow
def test_minutes_of_storm() -> None:
    found = storm(SECONDS, 6, 25)
    print(f"\n{found}")
    assert found["rounds"] > found["compiled"], "nothing was ever found in the cache"
    assert min(found[deed] for deed in ("truncate", "alter", "exchange", "remove_all")) > 0
