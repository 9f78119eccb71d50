"""Fast path of inverse kinematics for one sample of plain poses and positions, as in control loops.

NumPy takes a microsecond for each check of targets in a batch, several times the duration of a
step of the search. This path checks targets as Python numbers and caches everything that does not
depend on them (`_Plan`). All other calls, and invalid targets, are left to `solver`, which reports
the fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.formulas.goals import LoopGoal
from jounce.math.lie import UNIT_TOLERANCE
from jounce.solve.inverse_kinematics.array_libraries import HOST
from jounce.solve.inverse_kinematics.problem import (
    ROTATION_ROUND_OFF,
    add_loops,
    make_problem,
    orthonormalize,
)
from jounce.solve.inverse_kinematics.search import SearchSettings, Step, search_single
from jounce.solve.inverse_kinematics.solution import Bounds, Solution
from jounce.solve.inverse_kinematics.step import make_step
from jounce.solve.inverse_kinematics.targets import Pose, Position
from jounce.utils.once import entry

if TYPE_CHECKING:
    from jounce.robot.inverse_kinematics import RobotOrMechanism

_DOUBLE = np.dtype(np.float64)


@dataclass(frozen=True)
class _Plan:
    """Cached data of searches with targets of the same frames and kinds."""

    step: Step
    bounds: Bounds
    #: Lower and upper limits of all coordinates.
    limits: tuple[np.ndarray, np.ndarray]
    #: Default start configuration.
    start: np.ndarray
    #: Names of the targets.
    names: tuple[str, ...]
    #: Index of each goal's error in (distances of all targets, their angles, gap of loops).
    places: tuple[int, ...]
    #: Whether each goal's error is an angle; None for loops.
    angular: tuple[bool | None, ...]
    #: Weights of the loops.
    loops: list[float]


def solve_single(
    robot: RobotOrMechanism,
    title: str,
    targets: Any,
    q0: Any,
    posture: Any,
    posture_weight: float,
    tolerance: tuple[float, float],
    counts: tuple[int, int],
    rng: Any,
) -> Solution | None:
    """Solve for one sample within the robot's limits, or return None if the general path is needed.

    title: prefix of error messages. tolerance: in m and rad. counts: maximum numbers of iterations
    and restarts. rng: seed or generator of the restarts.
    """
    parsed = _parse_targets(targets) if type(targets) is dict else None
    nq = robot.sizes["nq"]
    if parsed is None or not (_is_configuration(q0, nq) and _is_configuration(posture, nq)):
        return None
    (key, numbers), near = parsed, posture is not None
    make = partial(_make_plan, robot, title, targets, len(numbers), near)
    plan = entry(entry(vars(robot), "_plans", dict), (near, *key), make)
    if plan is None:
        return None
    low, high = plan.limits
    start = posture if q0 is None else q0
    start = plan.start if start is None else np.minimum(np.maximum(start, low), high)
    starts = lambda: np.minimum(np.maximum(robot.random(rng, counts[1]), low), high)  # noqa: E731
    x, closed = np.array(numbers + plan.loops), robot.closure_tolerance
    tolerances = [closed if x is None else tolerance[x] for x in plan.angular]
    squared_weight = posture_weight * posture_weight
    posture_terms = (
        (posture, np.full(len(robot.limits.all_joints.names), squared_weight)) if near else ()
    )
    with HOST.search_context():
        settings = SearchSettings(plan.step, starts, *counts, HOST)
        q, _, errors, solved, *effort = search_single(settings, start, x, tolerances, posture_terms)
        if not solved and robot.tree.active is not None:
            q = robot.close_loops(q[None])[0]
            errors = plan.step(q, inf, x, *posture_terms)[3]  # infinite damping: q stays
    return _report(plan, q, errors, solved, *effort)


def _report(
    plan: _Plan, q: np.ndarray, errors: np.ndarray, solved: bool, steps: int, restarts: int
) -> Solution:
    """Return the solution in the format of `solver`."""
    count = len(plan.names)
    misses = [0.0] * (2 * count + 1)
    for place, error in zip(plan.places, errors.tolist(), strict=True):
        if error > misses[place]:
            misses[place] = error
    numbers: Any = np.array(misses)
    counts: Any = np.array((steps, restarts, 0))
    success: Any = np.True_ if solved else np.False_
    return Solution(
        q,
        success,
        plan.names,
        distances=numbers[:count],
        angles=numbers[count:-1],
        gap=numbers[-1],
        iterations=counts[0],
        restarts=counts[1],
        _fault_codes=counts[2],
        _fault_messages=("",),
        _bounds=plan.bounds,
    )


def _make_plan(
    robot: RobotOrMechanism, title: str, targets: dict[str, Any], size: int, near: bool
) -> _Plan | None:
    """Return the plan for targets of these names and kinds; None if a frame does not exist.

    size: number of entries of the targets. near: whether there is a posture.
    """
    problem, names = make_problem(robot.model, targets, title), tuple(targets)
    if problem.faults:
        return None
    if robot.tree.active is not None:
        problem = add_loops(problem)
    bounds = Bounds(*robot.limits.bounded, robot.limits.all_joints)
    low, high = bounds.coordinate_limits(robot.sizes["nq"])
    loops = [isinstance(goal, LoopGoal) for goal in problem.goals]
    goals = list(zip(problem.goals, problem.names, loops, strict=True))
    return _Plan(
        make_step(robot, problem.goals, bounds.limits, near, HOST),
        bounds,
        (low, high),
        bounds.clip(robot.start_configuration(), HOST),
        names,
        tuple(
            -1 if loop else len(names) * g.angular + names.index(name) for g, name, loop in goals
        ),
        tuple(None if loop else g.angular for g, _, loop in goals),
        problem.pack(())[0, size:].tolist(),
    )


# ------------------------------------------------------------------ arguments


def _is_configuration(q: Any, nq: int) -> bool:
    """Return whether q is None or a finite float64 array (nq,) whose sum does not overflow."""
    plain = type(q) is np.ndarray and q.dtype is _DOUBLE and q.shape == (nq,)
    return q is None or (plain and isfinite(sum(q.tolist())))


def _parse_targets(targets: dict[Any, Any]) -> tuple[tuple[Any, ...], list[float]] | None:
    """Return names and kinds of plain targets, and weights and numbers of their goals.

    None if a target is not a pose or a position, or is invalid.
    """
    key, numbers = [], []
    for name, target in targets.items():
        x, weight, angle_weight = target, 1.0, 1.0
        if type(target) is not np.ndarray:
            x, weight, angle_weight = _split_target(target)
        if type(name) is not str or type(x) is not np.ndarray or x.dtype is not _DOUBLE:
            return None
        if x.shape == (4, 4) and type(target) is not Position:
            rotation, position = _parse_pose(x)
            numbers += [weight * angle_weight, *rotation]
        elif x.shape == (3,) and type(target) is not Pose:
            position = x.tolist()
        else:
            return None
        if not isfinite(sum(position)):
            return None
        numbers += [weight, *position]
        key += name, x.ndim
    return (tuple(key), numbers) if key else None


def _split_target(target: Any) -> tuple[Any, float, float]:
    """Return the array of a pose or a position and its two weights > 0; None if not supported."""
    parts: Any = None, 1.0, 1.0
    if type(target) is Pose:
        parts = target.pose, target.weight, target.angle_weight
    elif type(target) is Position and target.at is None and target.axes == "xyz":
        parts = target.position, target.weight, 1.0
    weights = all(type(w) in (float, int) and 0.0 < w < inf for w in parts[1:])
    return parts if weights else (None, 1.0, 1.0)


def _parse_pose(T: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the rotation, row by row, and the position of a pose (4, 4); NaN if invalid."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z), last = T.tolist()
    products = (
        a * a + b * b + c * c - 1.0,
        d * d + e * e + f * f - 1.0,
        g * g + h * h + i * i - 1.0,
        a * d + b * e + c * f,
        a * g + b * h + c * i,
        d * g + e * h + f * i,
    )
    error = max(map(abs, products))
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not (error <= UNIT_TOLERANCE and determinant > 0.0 and last == [0.0, 0.0, 0.0, 1.0]):
        return [], [nan]
    if error <= ROTATION_ROUND_OFF:
        return [a, b, c, d, e, f, g, h, i], [x, y, z]
    return orthonormalize(np, T[:3, :3], np.eye(3)).ravel().tolist(), [x, y, z]
