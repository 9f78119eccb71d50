"""Forks, Ctrl-C and garbage collection while threads compile: no deadlock, no lost results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks and signals are POSIX ones")

START = '''
import faulthandler, gc, logging, os, signal, sys, threading, time
import numpy as np
import jounce
from jounce.utils import forks
from jounce.compiler.targets.llvm import kernels
from jounce.utils import threads

faulthandler.dump_traceback_later(100, exit=True)

def forked(child=lambda: None):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        child()
        os._exit(0)
    return os.waitpid(pid, 0)[1]

def interrupted_often(action, step):
    """Repeat the action while Ctrl-C arrives at 3,000 moments, one after the other."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    n = 0
    while n < 3000:
        try:
            while n < 3000:
                n += 1
                signal.setitimer(signal.ITIMER_REAL, 2e-5 + n % 50 * step)
                for _ in range(2_000):
                    action()
        except KeyboardInterrupt:
            pass
    signal.setitimer(signal.ITIMER_REAL, 0)

def use():
    return jounce.load("planar_2r").mass_matrix(np.zeros(2))
'''

PROGRAMS = {
    # hooks of logging and of the pool must not hold what a compiling thread needs
    "fork while a long kernel is announced": """
        kernels.ANNOUNCED_SECONDS = 0.0
        arm = jounce.load("iiwa14_mueller_kumar2021")
        threads_ = [threading.Thread(target=arm.quantity(name).warmup)
                    for name in ("mass_matrix.dq", "coriolis_matrix.dt", "inverse_dynamics.dpi")]
        for thread in threads_:
            thread.start()
        for _ in range(5):
            assert forked(use) == 0
        for thread in threads_:
            thread.join()
    """,
    # robots die in the garbage collector, which runs anywhere
    "garbage collected inside a fork": """
        for _ in range(5):
            use()
            gc.set_threshold(1, 1, 1)
            assert forked() == 0
            gc.set_threshold(700, 10, 10)
        assert forked(use) == 0
    """,
    "ctrl-c while a fork waits": """
        arm = jounce.load("toro25")
        thread = threading.Thread(target=arm.mass_matrix.dq.warmup)
        thread.start()
        while not arm.mass_matrix.dq.kernel.__dict__.get("tape"):
            time.sleep(0.001)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            assert forked(use) == 0
            time.sleep(30)
            print("not interrupted")
        except KeyboardInterrupt:
            pass
        thread.join()
        assert forked(use) == 0
    """,
    "ctrl-c at any moment in the gate": """
        def enter():
            with forks.compiling():
                pass

        interrupted_often(enter, 2e-6)
        thread = threading.Thread(target=lambda: [forked(), use()])
        thread.start()
        thread.join()
        use()
    """,
    "ctrl-c at any moment of a shared batch": """
        interrupted_often(lambda: threads.map_slices(4, 2, lambda part: None), 5e-6)
        assert threads.map_slices(100, 4, lambda part: part.stop - part.start) == [25] * 4
    """,
}


@pytest.mark.parametrize("what", list(PROGRAMS))
def test_nobody_waits_for_ever(what: str, tmp_path: Path) -> None:
    lines = PROGRAMS[what].splitlines()
    code = "\n".join(line[8:] for line in lines)
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"{START}\n{code}\nprint('done')"],
        env={**os.environ, "JOUNCE_CACHE": str(tmp_path), "JOUNCE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "done"
    assert "not interrupted" not in result.stdout
    assert "Exception ignored" not in result.stderr
