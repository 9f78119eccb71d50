"""Crocoddyl plans with jounce: an arm that reaches, a biped that walks.

Crocoddyl's shooting problems are made of action models, which give the next state, the cost and
their derivatives at each knot; its own models take the dynamics from Pinocchio. The function
`jounce.export.crocoddyl.convert_problem` makes the same problem with dynamics by jounce, while
costs, integrator and solver remain Crocoddyl's. Both are solved from the same start, to the same
cost in the same number of iterations.

    python examples/crocoddyl_problems.py [--quick]

Needs Crocoddyl and the Pinocchio that it was built for: `pip install crocoddyl "pin<4.1"`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import crocoddyl
import example_robot_data
import numpy as np
import pinocchio as pin
from crocoddyl.utils.biped import SimpleBipedGaitProblem

from jounce.export.crocoddyl import convert_problem, is_compatible

# ------------------------------------------------------------------ Crocoddyl's problems


def reaching(knots: int) -> Any:
    """A Kinova arm brings its hand to a place, as in Crocoddyl's arm_manipulation_fwddyn."""
    model = example_robot_data.load("kinova").model
    state = crocoddyl.StateMultibody(model)
    x0 = np.append(model.referenceConfigurations["arm_up"], np.zeros(model.nv))
    goal, hand = pin.SE3(np.eye(3), np.array((0.6, 0.2, 0.5))), "j2s6s200_end_effector"
    residuals = {
        "hand": crocoddyl.ResidualModelFramePlacement(state, model.getFrameId(hand), goal),
        "state": crocoddyl.ResidualModelState(state, x0),
        "control": crocoddyl.ResidualModelControl(state),
    }

    def knot(step: float, **weights: float) -> Any:
        costs = crocoddyl.CostModelSum(state)
        for name, weight in weights.items():
            costs.addCost(name, crocoddyl.CostModelResidual(state, residuals[name]), weight)
        actuation = crocoddyl.ActuationModelFull(state)
        dynamics = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, actuation, costs)
        return crocoddyl.IntegratedActionModelEuler(dynamics, step)

    running = [knot(1e-2, hand=1.0, state=0.1, control=0.1) for _ in range(knots)]
    return crocoddyl.ShootingProblem(x0, running, knot(0.0, hand=1e3))


def walking(whole: bool) -> Any:
    """The legs of Talos make two steps, as in Crocoddyl's bipedal_gaits_fwddyn, or half of one."""
    model = example_robot_data.load("talos_legs").model
    gait = SimpleBipedGaitProblem(model, "right_sole_link", "left_sole_link")
    x0 = model.defaultState.copy()
    if whole:
        return gait.createWalkingProblem(x0, 0.6, 0.1, 0.03, 15, 4)
    pin.framesForwardKinematics(model, gait.rdata, x0[: model.nq])
    center = pin.centerOfMass(model, gait.rdata, x0[: model.nq])
    foot = gait.rdata.oMf[gait.rfId].translation
    step = gait.createFootstepModels(center, [foot], 0.1, 0.05, 0.03, 8, [gait.lfId], [gait.rfId])
    return crocoddyl.ShootingProblem(x0, step[:-1], step[-1])


# ------------------------------------------------------------------ comparison


def solve(problem: Any, us: Any, callbacks: Sequence[Any], rounds: int) -> dict[str, float]:
    """Cost and iterations of FDDP, and the least wall time of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        solver = crocoddyl.SolverFDDP(problem)
        solver.th_stop = 1e-7
        solver.setCallbacks(list(callbacks))
        start = time.perf_counter()
        solver.solve([problem.x0] * (problem.T + 1), us, 100, False)
        times.append(time.perf_counter() - start)
    return {"cost": solver.cost, "iterations": solver.iter, "seconds": min(times)}


def compare(name: str, problem: Any, rounds: int) -> dict[str, dict[str, float]]:
    """The problem on Pinocchio, on jounce, and on jounce with sweeps; printed as it goes."""
    us = problem.quasiStatic([problem.x0] * problem.T)
    mine, sweep = convert_problem(problem)
    kinds = {
        "Pinocchio": (problem, []),
        "jounce": (mine, []),
        "jounce, sweeps": (mine, [sweep]),
    }
    results = {}
    for kind, (arguments, callbacks) in kinds.items():
        result = results[kind] = solve(arguments, us, callbacks, rounds)
        print(
            f"{name:9} {kind:15} cost {result['cost']:.9f}, {result['iterations']} iterations,"
            f" {1e3 * result['seconds']:.0f} ms"
        )
    return results


def main(arguments: Sequence[str] | None = None) -> dict[str, dict[str, dict[str, float]]]:
    """Solve both problems; costs, iterations and times by problem and kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer knots, half a step, one round")
    quick = parser.parse_args(arguments).quick
    if not is_compatible():
        raise SystemExit(
            f"crocoddyl {crocoddyl.__version__} was not built for Pinocchio {pin.__version__}:"
            ' pip install crocoddyl "pin<4.1"'
        )
    rounds = 1 if quick else 3
    problems = {"reaching": reaching(30 if quick else 100), "walking": walking(whole=not quick)}
    return {name: compare(name, problem, rounds) for name, problem in problems.items()}


if __name__ == "__main__":
    main()
