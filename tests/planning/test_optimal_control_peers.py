"""Optimal control problems have the cost that Crocoddyl finds with its own models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("example_robot_data", reason="pip install example-robot-data")
peer: Any = pytest.importorskip("jounce.export.crocoddyl", reason="pip install crocoddyl")

from benchmarks.shooting import Shooting, reaching, swing_up  # noqa: E402
from benchmarks.shooting_crocoddyl import CrocoddylSolver  # noqa: E402
from benchmarks.shooting_jounce import JounceSolver  # noqa: E402

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(
        not peer.is_compatible(), reason="Crocoddyl was built for another Pinocchio"
    ),
]


@pytest.mark.parametrize("make", [reaching, swing_up], ids=["panda", "pendubot"])
def test_same_cost_as_crocoddyl(make: Callable[[int], Shooting]) -> None:
    """Three problems of a batch with other starts and goals, from the same guess."""
    shooting = make(20 if make is reaching else 100)
    theirs, ours = CrocoddylSolver(shooting, 1e-9), JounceSolver(shooting, 1e-9)
    problems = range(3)
    costs, controls, guesses = [], [], []
    for k in problems:
        theirs.set(k)
        guesses.append(theirs.us)
        costs.append(theirs.solve())
        controls.append(np.array(theirs.solver.us))
    start, arguments = ours.arguments(problems)
    first = np.array([shooting.start(k)[0] for k in problems])
    solution = ours.problem.solve(start, guess=ours.guess(first, guesses), **arguments)
    assert solution.success.all(), solution.reason
    np.testing.assert_allclose(solution.cost, costs, rtol=1e-6)
    u = np.array(controls)[..., : solution.u.shape[-1]]
    np.testing.assert_allclose(solution.u, u, atol=1e-3 * np.abs(u).max())
