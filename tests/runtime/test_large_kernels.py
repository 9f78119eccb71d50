"""Kernels too large to be wise: announced, refused with their figures, compiled in parallel."""

from __future__ import annotations

import logging
import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import jounce
from jounce.compiler.targets.llvm import compiler, kernels, modules
from jounce.robot import Robot
from jounce.utils import background, memory
from support.helpers import assert_close, chain, interpreted, quiet_read


@pytest.fixture
def arm() -> Robot:
    """A robot nobody has used."""
    return Robot(quiet_read("iiwa14_mueller_kumar2021"))


def test_too_many_operations_are_refused_before_they_are_all_traced(
    arm: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_LIMIT", "200")
    q = arm.neutral()
    for call in (arm.mass_matrix, arm.mass_matrix.warmup, arm.mass_matrix.lower):
        with pytest.raises(jounce.KernelTooLargeError) as caught:
            call(*(() if call != arm.mass_matrix else (q,)))
        message = str(caught.value)
        assert "iiwa14_mueller_kumar2021.mass_matrix" in message
        assert "more than 200 operations" in message
        assert "392 bytes per sample" in message
        assert "warmup(limit=None)" in message
    # the way on that it names
    arm.mass_matrix.warmup(limit=None)
    assert arm.mass_matrix(q).shape == (7, 7)


def test_the_limit_can_be_set_and_lifted(arm: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(jounce.KernelTooLargeError, match="more than 100 operations"):
        arm.gravity_forces.warmup(limit=100)
    monkeypatch.setenv("JOUNCE_LIMIT", "none")
    Robot(arm.model).gravity_forces.warmup()
    for wrong in ("many", "-3", "²", "٣"):
        monkeypatch.setenv("JOUNCE_LIMIT", wrong)
        with pytest.raises(jounce.ArgumentError, match="JOUNCE_LIMIT must be a positive number"):
            Robot(arm.model).gravity_forces.warmup()
    for wrong in ("a", math.nan, -5, 0, True):
        with pytest.raises(jounce.ArgumentError, match="limit must be a number of operations >= 1"):
            arm.gravity_forces.warmup(limit=wrong)  # pyright: ignore[reportArgumentType]


def test_variants_keep_the_limit(arm: Robot) -> None:
    arm.inverse_dynamics.kernel.limit = 20
    with pytest.raises(jounce.KernelTooLargeError):
        arm.inverse_dynamics(*np.zeros((3, 7)), wrenches=np.zeros((7, 6)))
    arm.inverse_dynamics.warmup(limit=None)  # as the message says
    assert arm.inverse_dynamics(*np.zeros((3, 7)), wrenches=np.zeros((7, 6))).shape == (7,)


def test_long_compilations_are_announced(
    arm: Robot,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the log, and with a line at every tenth where no bar can be shown."""
    monkeypatch.setenv("JOUNCE_CACHE", "0")
    monkeypatch.setattr(modules, "SEGMENT_SIZE", 50)
    monkeypatch.setattr(modules, "SEGMENTS_PER_MODULE", 4)
    with caplog.at_level(logging.WARNING, "jounce"):
        Robot(arm.model).mass_matrix.warmup()
        assert (caplog.text, capsys.readouterr().err) == ("", "")
        monkeypatch.setattr(kernels, "ANNOUNCED_SECONDS", 0.0)
        Robot(arm.model).mass_matrix.warmup()
    assert "compiling iiwa14_mueller_kumar2021.mass_matrix" in caplog.text
    assert "operations, about" in caplog.text
    assert "compiling iiwa14_mueller_kumar2021.mass_matrix: 100 %" in capsys.readouterr().err


def test_long_traces_are_announced(
    arm: Robot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "PATIENCE", 0.0)
    monkeypatch.setattr(background, "_POLL_SECONDS", 0.001)
    with caplog.at_level(logging.WARNING, "jounce"):
        _ = arm.coriolis_matrix.dq.dt.kernel.tape
    assert caplog.text.count("tracing iiwa14_mueller_kumar2021.coriolis_matrix.dq.dt takes") == 1


@pytest.mark.parametrize("least", [compiler.MIN_COMPILER_BYTES, 0])
def test_compilations_that_do_not_fit_in_memory_are_refused(
    arm: Robot, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", "0")
    with monkeypatch.context() as patch:
        patch.setattr(memory, "available", lambda: 2.0**20)
        patch.setattr(compiler, "MIN_COMPILER_BYTES", least)
        what = r"iiwa14_mueller_kumar2021\.coriolis_matrix" + (
            "" if least else r" \([\d,]+ operations\)"
        )
        with pytest.raises(MemoryError, match=what + r" takes \d+ MB; only 1 MB are available"):
            arm.coriolis_matrix(arm.neutral(), np.zeros(7))
    assert arm.coriolis_matrix(arm.neutral(), np.zeros(7)).shape == (7, 7)
    assert memory.available() > 1e8


@pytest.mark.skipif(sys.platform != "linux", reason="limits on addresses are Linux' own")
@pytest.mark.parametrize("megabytes", [5, 20, 60, 120, 250, 400, 2000])
def test_limits_on_addresses_end_in_a_memory_error(megabytes: int) -> None:
    """Never in a crash or a thread that does not start."""
    code = """
import resource, sys
import numpy as np
import jounce

robot = jounce.load("planar_2r")
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + int(sys.argv[1]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for name in ("mass_matrix", "inverse_dynamics.derivatives", "inverse_dynamics.dqq"):
    try:
        robot.quantity(name).warmup()
        print("done")
    except MemoryError as error:
        print("refused", error)
"""
    result = subprocess.run(
        [sys.executable, "-c", code, str(megabytes)],
        env={**os.environ, "JOUNCE_CACHE": "0", "JOUNCE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, "")
    outcomes = [line.split()[0] for line in result.stdout.splitlines()]
    assert len(outcomes) == 3
    if megabytes != 400:  # there the first fits, and leaves too little
        assert set(outcomes) == {"refused" if megabytes < 256 else "done"}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_modules_compiled_in_parallel_are_the_same_kernel(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOUNCE_CACHE", "0")
    monkeypatch.setattr(modules, "SEGMENT_SIZE", 40)
    monkeypatch.setattr(modules, "SEGMENTS_PER_MODULE", 3)
    before = jounce.get_num_threads()
    jounce.set_num_threads(threads)
    try:
        robot = Robot(chain(("revolute", "spherical", "prismatic", "free")))
        q = robot.random(1, 9)
        assert robot.mass_matrix.lower().text.count("target triple") > 5
        assert_close(robot.mass_matrix(q), interpreted(robot.mass_matrix.kernel, q))
    finally:
        jounce.set_num_threads(before)


def test_an_error_of_one_thread_reaches_the_caller() -> None:
    def work(k: int) -> int:
        if k == 3:
            raise ArithmeticError("three")
        return k

    with pytest.raises(ArithmeticError, match="three"):
        list(background.parallel(work, range(50), 3))
    assert sorted(background.parallel(abs, range(-5, 0), 2)) == list(enumerate((5, 4, 3, 2, 1)))
    assert list(background.parallel(abs, [], 2)) == []


def test_work_without_threads_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(background._Worker, "start", start)
    assert background.run(lambda: 3) == 3
    assert dict(background.parallel(abs, [-1, -2], 2)) == {0: 1, 1: 2}


@pytest.mark.parametrize(
    "name",
    [
        "inverse_dynamics",
        "forward_dynamics",
        "kinetic_energy.dq",
        "momentum.dq",
        "centroidal_momentum.dscrew",
        "center_of_mass.dt",
    ],
)
def test_traces_of_long_chains_grow_with_the_chain(name: str) -> None:
    """Twice the joints, twice the operations, where the result has twice the numbers at most."""
    short, long = (Robot(chain(("revolute", "prismatic") * n)) for n in (15, 30))
    counts = [len(robot.quantity(name).kernel.tape) for robot in (short, long)]
    assert counts[1] < 2.3 * counts[0], counts
