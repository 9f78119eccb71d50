"""No call touches a byte that is not its own: operands against forbidden pages."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from support import SUPPORT

if os.name == "nt":
    pytest.skip("memory is protected by POSIX calls here", allow_module_level=True)

from support.guard_pages import CANARY, Operand

GUARD = SUPPORT / "guard_pages.py"
#: Calls of the long run.
CALLS = int(os.environ.get("JOUNCE_GUARD_CALLS", "20000"))


def python(tmp_path: Path, *arguments: str, timeout: float = 100.0) -> subprocess.CompletedProcess:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        cwd=tmp_path,
        timeout=timeout,
    )


def counts(tmp_path: Path, calls: int, *options: str) -> dict[str, int]:
    done = python(tmp_path, str(GUARD), str(calls), *options, timeout=600.0 + calls)
    log = tmp_path / "guard_pages.log"
    last = log.read_text().splitlines()[-3:] if log.exists() else []
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}\n" + "\n".join(last)
    return json.loads(done.stdout)


def test_some_hundred_calls(tmp_path: Path) -> None:
    found = counts(tmp_path, 400)
    assert found["calls"] == 400
    assert min(found.values()) > 20


@pytest.mark.slow
def test_thousands_of_calls(tmp_path: Path) -> None:
    found = counts(tmp_path, CALLS, "long")
    assert found["calls"] == CALLS
    print(f"\n{found}")


# ------------------------------------------------------------------ the guards themselves


def test_forbidden_bytes_end_the_process(tmp_path: Path) -> None:
    """Before, behind, and writing to what may be read only."""
    code = """
        import ctypes, os, random
        import numpy as np
        from support.guard_pages import PAGE, Operand
        # one whole page: both ends lie against a forbidden one
        operand = Operand(random.Random(0), np.zeros(PAGE // 8), True)
        first = operand.array.ctypes.data

        def allowed():
            ctypes.string_at(first, PAGE)
            ctypes.memset(first, 0, PAGE)

        def writing():
            operand.seal()
            ctypes.memset(first, 0, 1)

        def before():
            ctypes.string_at(first - 1, 1)

        def behind():
            ctypes.string_at(first + PAGE, 1)

        for touch in (allowed, before, behind, writing):
            child = os.fork()
            if child == 0:
                touch()
                os._exit(0)
            status = os.waitpid(child, 0)[1]
            print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
    """
    done = python(tmp_path, "-c", textwrap.dedent(code))
    allowed, *forbidden = map(int, done.stdout.split())
    assert allowed == 0
    assert len(forbidden) == 3
    assert set(forbidden) <= {signal.SIGSEGV, signal.SIGBUS}


def test_bytes_between_entries_are_watched() -> None:
    for seed in range(50):
        operand = Operand(random.Random(seed), np.zeros((3, 4)), False)
        operand.array[...] = 1.0
        assert operand.intact()
        before = operand.array.copy()
        beside = operand._bytes()
        free = np.flatnonzero(beside == CANARY)
        beside[free[seed % len(free)]] ^= 1
        assert not operand.intact()
        np.testing.assert_array_equal(operand.array, before)
