"""Problems of Crocoddyl with dynamics by jounce have the same solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce.export.pinocchio import to_pinocchio

crocoddyl: Any = pytest.importorskip("crocoddyl", reason="pip install crocoddyl 'pin<4.1'")
pin: Any = pytest.importorskip("pinocchio")
export: Any = pytest.importorskip("jounce.export.crocoddyl")

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(
        not export.is_compatible(), reason="Crocoddyl was built for another Pinocchio"
    ),
]


def swing_up() -> Any:
    """A double pendulum with limited torques, 20 knots."""
    model = to_pinocchio(jounce.load("planar_2r").model)
    state = crocoddyl.StateMultibody(model)
    actuation = crocoddyl.ActuationModelFull(state)

    def knot(step: float, **weights: float) -> Any:
        costs = crocoddyl.CostModelSum(state)
        residuals = {
            "state": crocoddyl.ResidualModelState(state, np.array((1.0, 0.5, 0.0, 0.0))),
            "control": crocoddyl.ResidualModelControl(state),
        }
        for name, weight in weights.items():
            costs.addCost(name, crocoddyl.CostModelResidual(state, residuals[name]), weight)
        free = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, actuation, costs)
        integrated = crocoddyl.IntegratedActionModelEuler(free, step)
        integrated.u_lb, integrated.u_ub = np.full(2, -12.0), np.full(2, 12.0)
        return integrated

    running = [knot(0.05, state=1.0, control=1e-3) for _ in range(20)]
    return crocoddyl.ShootingProblem(np.zeros(4), running, knot(0.0, state=100.0))


def solve(problem: Any, callbacks: list[Any]) -> Any:
    solver = crocoddyl.SolverBoxFDDP(problem)
    solver.setCallbacks(callbacks)
    problem.nthreads = 1
    states, controls = [problem.x0] * (problem.T + 1), [np.zeros(2)] * problem.T
    assert solver.solve(states, controls, 200, False)
    return solver


def test_bounded_swing_up_has_the_same_solution() -> None:
    problem = swing_up()
    mine, sweep = export.convert_problem(problem)
    expected = solve(problem, [])
    assert np.abs(expected.us).max() == 12.0
    for callbacks in ([], [sweep]):
        found = solve(mine, callbacks)
        assert found.iter == expected.iter
        assert found.cost == pytest.approx(expected.cost, rel=1e-10)
        # rounding, multiplied in every iteration
        np.testing.assert_allclose(found.us, expected.us, rtol=0.0, atol=1e-6)


def test_contacts_with_gains_on_positions_are_refused() -> None:
    problem = swing_up()
    state = problem.terminalModel.state
    actuation = crocoddyl.ActuationModelFull(state)
    contacts = crocoddyl.ContactModelMultiple(state, 2)
    gains = np.array((1.0, 10.0))
    number = state.pinocchio.nframes - 1
    point = crocoddyl.ContactModel3D(state, number, np.zeros(3), pin.LOCAL_WORLD_ALIGNED, 2, gains)
    contacts.addContact("point", point)
    held = crocoddyl.DifferentialActionModelContactFwdDynamics(
        state, actuation, contacts, crocoddyl.CostModelSum(state), 0.0, True
    )
    knot = crocoddyl.IntegratedActionModelEuler(held, 0.1)
    problem = crocoddyl.ShootingProblem(np.zeros(4), [knot], problem.terminalModel)
    with pytest.raises(jounce.ArgumentError, match="gains than expected"):
        export.convert_problem(problem)
