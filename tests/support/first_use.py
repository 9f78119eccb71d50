"""Several threads meet a library nobody has used yet, as a process of its own:

    python first_use.py THREADS SEED

Every thread asks for quantities, derivatives, variants, frames and mechanisms in an order of its
own, all at once and with the interpreter switching as often as it can. Exits with 0 if everything
was made once and every result has the bits of a robot used by one thread alone.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import jounce

THREADS, SEED = int(sys.argv[1]), int(sys.argv[2])

Q, V = np.array((0.3, -0.4)), np.array((0.5, 0.6))
W = np.ones((2, 6))


def calls(robot: jounce.Robot, mechanism: Any) -> dict[str, tuple[Callable[[], Any], Callable]]:
    """What threads do: how to get at the callable, and how to call it."""
    tool = robot.model.frame_names[-1]
    q5 = mechanism.reference
    return {
        "mass": (lambda: robot.mass_matrix, lambda f: f(Q)),
        "mass32": (lambda: robot.mass_matrix, lambda f: f(Q.astype(np.float32))),
        "batch": (lambda: robot.mass_matrix, lambda f: f(np.tile(Q, (9, 1)))),
        "gravity.dq": (lambda: robot.gravity_forces.dq, lambda f: f(Q)),
        "rates": (lambda: robot.mass_matrix.rates(1), lambda f: np.stack(f(Q, V))),
        "wrenches": (lambda: robot.inverse_dynamics, lambda f: f(Q, V, V, wrenches=W)),
        "pose": (lambda: robot.frame(tool).pose, lambda f: f(Q)),
        "parametric": (
            lambda: robot.parametric.gravity_forces,
            lambda f: f(Q, robot.model.parameters),
        ),
        "mechanism": (lambda: mechanism.gravity_forces, lambda f: f(q5)),
        "extended": (lambda: robot.inverse_dynamics.dpi, lambda f: f(Q, V, V, extended=True)),
    }


def main() -> None:
    """Race, then compare."""
    sys.setswitchinterval(1e-6)
    robot, together = jounce.load("planar_2r"), threading.Barrier(THREADS)
    # closing loops compiles too: in some runs every thread does so by itself
    shared = None if SEED % 4 == 0 else jounce.load("five_bar").closed()

    def work(k: int) -> dict[str, tuple[Any, np.ndarray]]:
        order = random.Random(THREADS * SEED + k)
        together.wait()
        todo = calls(robot, shared or jounce.load("five_bar").closed())
        names = list(todo)
        order.shuffle(names)
        if SEED % 5 == 0:  # all at the same thing
            names.sort()
        found = {}
        for name in names:
            get, call = todo[name]
            found[name] = get(), np.asarray(call(get()))
        return found

    with ThreadPoolExecutor(THREADS) as pool:
        all_found = list(pool.map(work, range(THREADS)))
    alone = calls(jounce.load("planar_2r"), shared or jounce.load("five_bar").closed())
    for name, (get, call) in alone.items():
        expected = np.asarray(call(get()))
        for found in all_found:
            made, result = found[name]
            own = name == "mechanism" and shared is None
            assert own or made is all_found[0][name][0], f"{name} was made twice"
            assert np.array_equal(result, expected), f"{name} has other bits"


main()
