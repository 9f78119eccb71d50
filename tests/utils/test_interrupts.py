"""Ctrl-C, the end of the process, and small stacks, while the library traces or compiles."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

#: A robot whose larger quantities take seconds to trace and to compile.
ROBOT = """
import atexit, os, signal, sys, threading, time
import numpy as np
import jounce

builder = jounce.TreeBuilder("chain")
for k in range(30):
    builder.add(
        f"link{k}", "revolute", f"link{k - 1}" if k else None, xyz=(0.1, 0.2, 0.3),
        rpy=(0.3, 0.2, 0.1), axis=(0, 0, 1), mass=1.0, com=(0.1, 0.2, 0.3),
        inertia_com=np.diag((0.1, 0.2, 0.25)),
    )
robot = jounce.Robot(builder.build())
q = np.zeros(30)
"""


def process(
    code: str, cache: Path | str = "0", *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run Python code behind the robot's."""
    return subprocess.run(
        [sys.executable, "-c", ROBOT + textwrap.dedent(code), *arguments],
        env={**os.environ, "JOUNCE_CACHE": str(cache), "JOUNCE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=300,
    )


INTERRUPTED = """
name, when = sys.argv[1:]
quantity = robot.quantity(name)
kernel = quantity.kernel
robot.gravity_forces(q)  # what all kernels share

def tracing():
    return "tape" not in vars(kernel) and threading.active_count() > 2

def compiling():
    return "tape" in vars(kernel)

def kick():
    while not (tracing if when == "tracing" else compiling)():
        time.sleep(0.001)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=kick, daemon=True).start()
try:
    quantity.warmup()
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", list(kernel._compiled), "tape" in vars(kernel))
for _ in range(300):  # whatever was at work stops soon
    if threading.active_count() == 1:
        break
    time.sleep(0.1)
print(threading.active_count())
print(robot.potential_energy(q).shape, kernel.limit)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX ones")
@pytest.mark.parametrize("when", ["tracing", "compiling"])
def test_ctrl_c_is_a_keyboard_interrupt(when: str, tmp_path: Path) -> None:
    name = "inverse_dynamics.dqq" if when == "tracing" else "mass_matrix.dq"
    result = process(INTERRUPTED, tmp_path, name, when)
    assert result.returncode == 0, result.stderr
    first, threads, again = result.stdout.splitlines()
    assert first == f"interrupted [] {when == 'compiling'}"
    assert threads == "1"
    assert again == "() None"
    assert "Traceback" not in result.stderr
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("seconds", [0.05, 0.6])
def test_the_process_ends_while_a_daemon_thread_compiles(seconds: float) -> None:
    code = """
    for name in ("mass_matrix", "inverse_dynamics.dq", "coriolis_matrix"):
        threading.Thread(target=robot.quantity(name).warmup, daemon=True).start()
    time.sleep(float(sys.argv[1]))
    """
    result = process(code, "0", str(seconds))
    assert (result.returncode, result.stderr) == (0, "")


def test_large_batches_and_first_uses_when_the_process_ends() -> None:
    code = """
    def late():
        q = np.zeros((300_000, 2))
        print(float(arm.mass_matrix(q).sum()), float(arm.gravity_forces(q[:2]).sum()))

    arm = jounce.load("planar_2r")
    arm.mass_matrix(np.zeros((300_000, 2)))
    atexit.unregister(jounce.utils.forks._wait_for_others)
    atexit.register(late)  # after the library's own
    atexit.register(jounce.utils.forks._wait_for_others)
    atexit.register(late)  # before
    """
    result = process(code)
    assert (result.returncode, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first == second
    assert float(first.split()[0]) == 3_000_000.0


def test_first_uses_on_threads_with_small_stacks() -> None:
    code = """
    humanoid = jounce.load("toro25")
    results = []

    def work():
        q, v = humanoid.neutral(), np.ones(humanoid.nv)
        results.append(humanoid.inverse_dynamics(q, v, v).shape)
        results.append(humanoid.mass_matrix(q).shape)
        results.append(humanoid.inverse_dynamics.derivatives(q, v, v)[1].shape)
        results.append(humanoid.coriolis_matrix(np.tile(q, (9, 1)), v).shape)

    threading.stack_size(65536)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    print(results)
    """
    result = process(code)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.strip() == "[(31,), (31, 31), (31, 31), (9, 31, 31)]"
