"""Lazy initialization from several threads: values are made once, without deadlocks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.compiler.targets.llvm import kernels
from jounce.utils import background
from jounce.utils.once import _locks, _waiting, entry, once, once_property
from support import SUPPORT


def together(*works: Callable[[], Any]) -> list[Any]:
    """Results of functions, each on a thread of its own."""
    with ThreadPoolExecutor(len(works)) as pool:
        return [x.result(timeout=60) for x in [pool.submit(work) for work in works]]


def test_an_entry_is_made_once() -> None:
    table: dict[str, object] = {}
    made, all_here = [], threading.Barrier(8)

    def make() -> object:
        made.append(object())
        return made[-1]

    def work() -> object:
        all_here.wait(60)
        return entry(table, "a", make)

    result = together(*[work] * 8)
    assert len(made) == 1
    assert {*map(id, result)} == {id(made[0])}
    assert not _locks
    assert not _waiting


def test_none_is_a_value() -> None:
    made: list[int] = []
    nothing = once(made.append)
    assert nothing(1) is None
    assert nothing(1) is None
    assert made == [1]


def test_entries_of_one_object_are_made_in_parallel() -> None:
    pair = threading.Barrier(2)

    class Owner:
        @once_property
        def left(self) -> int:
            return pair.wait(60)

        @once_property
        def right(self) -> int:
            return pair.wait(60)

    owner = Owner()
    assert sorted(together(lambda: owner.left, lambda: owner.right)) == [0, 1]


def test_an_error_leaves_nothing_behind() -> None:
    table: dict[str, int] = {}
    with pytest.raises(ZeroDivisionError):
        entry(table, "a", lambda: 1 // 0)
    assert not _locks
    assert not _waiting
    assert entry(table, "a", lambda: 3) == 3


@pytest.mark.parametrize("how", [lambda work: work(), background.run])
def test_who_asks_while_making_gets_a_copy_that_stays(how: Callable[[Any], Any]) -> None:
    """Like a signal handler, on the same thread or on a worker of it."""
    table: dict[str, str] = {}

    def make() -> str:
        how(lambda: entry(table, "a", lambda: "inner"))
        return "outer"

    assert entry(table, "a", make) == "inner"
    assert table == {"a": "inner"}


def test_two_quantities_of_a_robot_are_compiled_in_parallel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair, kernel = threading.Barrier(2), kernels.kernel

    def compile_robot(*operands: Any) -> Any:
        pair.wait(60)
        return kernel(*operands)

    monkeypatch.setattr(kernels, "kernel", compile_robot)
    robot, q = jounce.load("planar_2r"), np.zeros(2)
    together(lambda: robot.mass_matrix(q), lambda: robot.gravity_forces(q))


FIRST_CALLS = """
import faulthandler, threading
import numpy as np
import jounce

faulthandler.dump_traceback_later(60, exit=True)

def meet(*calls):
    barrier = threading.Barrier(len(calls))
    def work(call):
        barrier.wait()
        call()
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

five_bar = jounce.load("five_bar").closed()
for make in (
    lambda: jounce.load("kuka_iiwa14"),
    lambda: type(five_bar)(
        jounce.load("five_bar"), five_bar.active, five_bar.reference, five_bar.tolerance
    ),
):
    for _ in range(3):
        robot = make()
        q, v = robot.random(0), np.zeros(robot.nv)
        tau = robot.inverse_dynamics
        meet(
            lambda: tau(q, v, v),
            lambda: robot.elastic_inverse_dynamics(q, v, v, v, v, 1e4),
            lambda: robot.rollout(q, v, np.zeros((2, robot.nv)), 1e-3),
        )
print("done")
"""


def test_first_calls_of_elastic_and_rigid_quantities(tmp_path: Path) -> None:
    """Each needs what the other one makes."""
    result = subprocess.run(
        [sys.executable, "-c", FIRST_CALLS],
        env={**os.environ, "JOUNCE_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == "done\n"


def test_locks_are_taken_in_one_order() -> None:
    """Of robots, frames, mechanisms and contacts; those of libraries have tests of their own."""
    command = [sys.executable, str(SUPPORT / "lock_order.py"), "numpy"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    locks, pairs = map(int, result.stdout.split())
    assert locks > 500
    assert pairs > 1000
