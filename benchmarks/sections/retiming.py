"""Section: time-optimal paths, beside toppra on Pinocchio."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.measure import compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import case
from benchmarks.sections.control import panda
from jounce import planning, trajectories

#: Random paths of a robot, their waypoints, and intervals.
PATHS, WAYPOINTS, INTERVALS = 200, 5, 100
#: Relative difference of durations, and times faster.
TOLERANCE, TARGET = 1e-6, 10.0

COLUMNS = ("robot", "paths", "jounce", "toppra", "times faster", "target", "met", "difference")
NOTE = (
    f"ms per path: splines of degree 3 through {WAYPOINTS} random configurations, {INTERVALS}"
    " intervals, limits of velocities and torques of the model at both ends of each interval."
    " toppra: its TOPPRA with the seidel solver, coefficients from Pinocchio's `rnea`."
    " `difference`: of durations, relative, the worst path; toppra takes 1e-8 off the squared speed"
    " at each point (its constant TINY), which is set to 1e-12 for the comparison and left for the"
    " timing."
)


def tables(options: Options) -> list[Table]:
    """Return the table of paths under limits of velocities and torques."""
    names = [name for name in ("panda", "ur5") if name in options.robots]
    jobs = [(f"retiming {name}", partial(_rows, name, options)) for name in names]
    return [Table("Time-optimal paths", NOTE, COLUMNS, jobs)] if jobs else []


def _arm(name: str) -> tuple[Any, Any]:
    """Return a robot, and its model in Pinocchio."""
    if name == "panda":
        arm = panda()
        return arm.robot, arm.model
    both = case(name)
    return both.robot, both.pin_model


class _Curve:
    """A path for toppra."""

    path_interval = np.array((0.0, 1.0))

    def __init__(self, path: trajectories.Trajectory, dof: int) -> None:
        self.path, self.dof = path, dof

    def __call__(self, s: Any, order: int = 0) -> np.ndarray:
        return self.path(s, order)[order]

    def eval(self, s: Any) -> np.ndarray:
        return self(s)

    def evald(self, s: Any) -> np.ndarray:
        return self(s, 1)

    def evaldd(self, s: Any) -> np.ndarray:
        return self(s, 2)


def _rows(name: str, options: Options) -> list[Row]:
    import toppra.algorithm
    from toppra import constraint
    from toppra.algorithm.reachabilitybased import reachability_algorithm

    logging.getLogger("toppra").disabled = True
    robot, model = _arm(name)
    data, s = model.createData(), np.linspace(0.0, 1.0, INTERVALS + 1)
    rng, times = np.random.default_rng(0), np.linspace(0.0, 1.0, WAYPOINTS)
    count = 20 if options.quick else PATHS
    paths = [
        trajectories.spline(robot, times, 0.5 * robot.random(rng, WAYPOINTS), 3)
        for _ in range(count)
    ]
    velocity, effort = robot.limits.velocity, robot.limits.effort
    limits = [
        constraint.JointVelocityConstraint(np.stack((-velocity, velocity), axis=1)),
        constraint.JointTorqueConstraint(
            lambda q, v, a: pin.rnea(model, data, q, v, a),
            np.stack((-effort, effort), axis=1),
            np.zeros(robot.nv),
            discretization_scheme=constraint.DiscretizationType.Interpolation,
        ),
    ]

    def ours() -> list[float]:
        return [planning.retime(robot, path, points=s).duration for path in paths]

    def theirs() -> list[float]:
        durations = []
        for path in paths:
            algorithm = toppra.algorithm.TOPPRA(
                limits, _Curve(path, robot.nv), gridpoints=s, solver_wrapper="seidel"
            )
            speeds = algorithm.compute_parameterization(0.0, 0.0)[1]
            durations.append(float(np.sum(2.0 * np.diff(s) / (speeds[1:] + speeds[:-1]))))
        return durations

    slack, reachability_algorithm.TINY = reachability_algorithm.TINY, 1e-12
    worst = compare(f"{name} durations", np.array(ours()), np.array(theirs()), TOLERANCE)
    reachability_algorithm.TINY = slack
    measured = time_interleaved({"ours": ours, "theirs": theirs}, options.effort)
    ratio = measured.ratio("theirs", "ours")
    verdict = Verdict(f"retiming {name}", ratio, TARGET, at_least=True)
    cells = (
        name,
        str(count),
        *(f"{measured[key] / count * 1e3:.2f}" for key in ("ours", "theirs")),
        f"{ratio:.1f}",
        verdict.bound_text,
        verdict.mark,
        f"{worst:.0e}",
    )
    return [Row(cells, [verdict])]
