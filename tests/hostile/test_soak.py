"""Many threads, processes and copies at once: the same numbers, no hang, no memory lost."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import statistics
import subprocess
import sys
import textwrap
import time
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.derivative import derivative_names
from jounce.catalog.tables import FRAME, PARAMETRIC, ROBOT
from jounce.robot import Robot
from support import SUPPORT
from support.helpers import quiet_read

SOAK = SUPPORT / "soak.py"
#: Seconds of the long run.
SECONDS = float(os.environ.get("JOUNCE_SOAK_SECONDS", "600"))
METHODS = [
    m for m in ("fork", "spawn", "forkserver") if m in multiprocessing.get_all_start_methods()
]


def soak(seconds: float, *options: str) -> dict[str, Any]:
    command = [sys.executable, str(SOAK), str(seconds), *options]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, timeout=2 * seconds + 600
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_few_seconds_of_everything() -> None:
    result = soak(3.0, "quick")
    assert result["wrong"] == []
    assert set(result["done"]) == {"calls", "compilations", "look-ups", "forks"}


@pytest.mark.slow
def test_minutes_of_everything() -> None:
    """Resident memory stays within 5 % of what it was after the first quarter of the time."""
    result = soak(SECONDS)
    assert result["wrong"] == []
    assert min(result["done"].values()) > 0
    memory = result["memory"][len(result["memory"]) // 4 :]
    part = max(1, len(memory) // 10)
    before, after = statistics.median(memory[:part]), statistics.median(memory[-part:])
    assert after < 1.05 * before, f"from {before / 2**20:.1f} to {after / 2**20:.1f} MB"
    print(f"\n{result['done']}, {before / 2**20:.1f} to {after / 2**20:.1f} MB")


# ------------------------------------------------------------------ copies


@cache
def robot() -> Robot:
    return Robot(quiet_read("planar_2r"))


def quantities() -> dict[str, BoundQuantity]:
    """Every quantity and derivative of a robot, of one of its frames, and the parametric ones."""
    frame = robot().frame(robot().model.frame_names[-1])
    out: dict[str, BoundQuantity] = {}
    for owner, table in ((robot(), ROBOT), (frame, FRAME), (robot().parametric, PARAMETRIC)):
        for name, row in table.items():
            item = getattr(owner, name)
            found = {"": item, "rates(2)": item.rates(2)}
            found |= {d: item.derivative(d) for d in derivative_names(row)}
            if "dpi" in found:
                found |= {"dpi.dt": found["dpi"].dt, "dpi.dq": found["dpi"].dq}
            out |= {f"{owner!r} {name} {d}": x for d, x in found.items()}
    return out


def test_every_quantity_can_be_pickled() -> None:
    items = quantities()
    assert len(items) > 300
    for name, item in items.items():
        again = pickle.loads(pickle.dumps(item))
        assert repr(again) == repr(item), name
        assert again.kernel.signature == item.kernel.signature, name


@pytest.mark.parametrize(
    "name",
    [
        *("inverse_dynamics", "inverse_dynamics.dpi", "inverse_dynamics.dpi.dt"),
        *("parametric.mass_matrix", "frame(tool).pose.dq", "mass_matrix.rates(1)"),
    ],
)
def test_a_pickled_quantity_gives_the_same_bits(name: str) -> None:
    item = robot().quantity(name)
    rng = np.random.default_rng(0)
    given = [rng.normal(size=(5, *core)) for core in item.kernel.inputs]
    for result, wanted in zip(pickle.loads(pickle.dumps(item))(*given), item(*given), strict=True):
        np.testing.assert_array_equal(result, wanted)


# ------------------------------------------------------------------ processes


def call(job: tuple[Any, list[np.ndarray]]) -> Any:
    item, given = job
    return item(*given)


@pytest.mark.parametrize("method", METHODS)
def test_pools_of_processes(method: str) -> None:
    """Robots, quantities and frames as arguments and results, with every start method."""
    rng = np.random.default_rng(1)
    names = ("mass_matrix", "inverse_dynamics.dpi", "parametric.gravity_forces", "frame(tool).pose")
    items = [robot().quantity(name) for name in names]
    jobs = [(x, [rng.normal(size=(7, *core)) for core in x.kernel.inputs]) for x in items]
    context = multiprocessing.get_context(method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python >= 3.12, on fork with threads
        with context.Pool(2) as pool:
            found = pool.map_async(call, jobs).get(timeout=100)
            again = pool.apply_async(Robot, (robot().model,)).get(timeout=100)
    for job, result in zip(jobs, found, strict=True):
        np.testing.assert_array_equal(result, call(job))
    assert again.model.digest() == robot().model.digest()


@pytest.mark.skipif("fork" not in METHODS, reason="this system has no fork")
def test_forks_while_others_compile() -> None:
    """A child may need what a thread of its parent was compiling: the fork waits for that."""
    code = """
        import os, signal, sys, threading, time, warnings
        warnings.simplefilter("ignore")
        import numpy as np
        import jounce

        robot = jounce.load("iiwa14_mueller_kumar2021")
        names = ["inverse_dynamics.dq", "mass_matrix.dq", "forward_dynamics", "coriolis_matrix.dt"]

        def call(name):
            item = robot.quantity(name)
            return item(*(np.full(core, 0.1) for core in item.kernel.inputs))

        busy = threading.Thread(target=lambda: [call(name) for name in names], daemon=True)
        busy.start()
        children = []
        while busy.is_alive() or not children:
            time.sleep(0.05)
            child = os.fork()
            if child == 0:
                signal.alarm(50)  # what hangs dies
                call(names[len(children) % len(names)])
                os._exit(0)
            children.append(child)
        sys.exit(max(os.waitpid(child, 0)[1] for child in children))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    env = {**os.environ, "JOUNCE_CACHE": "0"}
    start = time.monotonic()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, timeout=100
    )
    assert done.returncode == 0, f"{done.stderr} after {time.monotonic() - start:.0f} s"


@pytest.mark.skipif("fork" not in METHODS, reason="this system has no fork")
def test_forks_get_their_turn_while_others_compile_without_end() -> None:
    code = """
        import os, threading
        import numpy as np
        import jounce
        from jounce.robot import Robot

        model, done = jounce.load("planar_2r").model, threading.Event()

        def compile_on(k):
            while not done.is_set():
                k += 1
                Robot(model.with_gravity((0.0, -k, 0.0))).gravity_forces(np.zeros(2))

        threads = [threading.Thread(target=compile_on, args=(1000 * k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        done.set()
        for thread in threads:
            thread.join()
    """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)]
    env = {**os.environ, "JOUNCE_CACHE": "0"}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=env, timeout=100
    )
    assert done.returncode == 0, done.stderr
