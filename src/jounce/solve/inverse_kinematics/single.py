"""Inverse kinematics of one sample of plain poses and positions, as control loops ask for it.

NumPy takes a microsecond for each of the checks that targets get in batches, several times what a
step of the search takes. Here targets are checked as numbers of Python, and what does not depend on
them is made at the first call (`_Plan`). Every other call, and every target with something wrong,
is left to `solver`, which says what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.formulas.goals import Shut
from jounce.math.lie import UNIT
from jounce.solve.inverse_kinematics.array_libraries import HOST
from jounce.solve.inverse_kinematics.problem import EXACT, orthonormalize, problem, with_loops
from jounce.solve.inverse_kinematics.search import Search, Step, search_single
from jounce.solve.inverse_kinematics.solution import Bounds, Solution
from jounce.solve.inverse_kinematics.step import make_step
from jounce.solve.inverse_kinematics.targets import Pose, Position
from jounce.utils.once import entry

if TYPE_CHECKING:
    from jounce.robot.inverse_kinematics import Reaching

_DOUBLE = np.dtype(np.float64)


@dataclass(frozen=True)
class _Plan:
    """What searches for the same frames have in common.

    limits: lower and upper, of all coordinates. names: of targets. places: where each goal's error
    belongs among the distances of all targets, their angles, and the gap of loops. turns: whether
    each goal misses an angle, or None for loops. loops: their weights.
    """

    step: Step
    bounds: Bounds
    limits: tuple[np.ndarray, np.ndarray]
    start: np.ndarray
    names: tuple[str, ...]
    places: tuple[int, ...]
    turns: tuple[bool | None, ...]
    loops: list[float]


def solve_single(
    robot: Reaching,
    title: str,
    targets: Any,
    q0: Any,
    posture: Any,
    posture_weight: float,
    tolerance: tuple[float, float],
    counts: tuple[int, int],
    rng: Any,
) -> Solution | None:
    """Solve for one sample within the robot's limits, or return None if this needs the solver.

    title: how messages begin. tolerance: what counts as met, m and rad. counts: most iterations and
    restarts. rng: a seed or a generator, used where the search begins anew.
    """
    read = _read(targets) if type(targets) is dict else None
    nq = robot.sizes["nq"]
    if read is None or not (_is_configuration(q0, nq) and _is_configuration(posture, nq)):
        return None
    (key, numbers), near = read, posture is not None
    make = partial(_make_plan, robot, title, targets, len(numbers), near)
    plan = entry(entry(vars(robot), "_plans", dict), (near, *key), make)
    if plan is None:
        return None
    low, high = plan.limits
    start = posture if q0 is None else q0
    start = plan.start if start is None else np.minimum(np.maximum(start, low), high)
    starts = lambda: np.minimum(np.maximum(robot.random(rng, counts[1]), low), high)  # noqa: E731
    x, closed = np.array(numbers + plan.loops), robot.closure_tolerance
    met = [closed if turns is None else tolerance[turns] for turns in plan.turns]
    pull = posture_weight * posture_weight
    drawn = (posture, np.full(len(robot.limits.all_joints.names), pull)) if near else ()
    with HOST.working():
        how = Search(plan.step, starts, *counts, HOST)
        q, _, errors, solved, *effort = search_single(how, start, x, met, drawn)
        if not solved and robot.tree.active is not None:
            q = robot.close_loops(q[None])[0]
            errors = plan.step(q, inf, x, *drawn)[3]  # damped without bound: goes nowhere
    return _report(plan, q, errors, solved, *effort)


def _report(
    plan: _Plan, q: np.ndarray, errors: np.ndarray, solved: bool, steps: int, restarts: int
) -> Solution:
    """Return what was found, as `solver` reports it."""
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
        _faults=counts[2],
        _words=("",),
        _bounds=plan.bounds,
    )


def _make_plan(
    robot: Reaching, title: str, targets: dict[str, Any], size: int, near: bool
) -> _Plan | None:
    """Return the plan for targets of these names and kinds; None if a frame is not there.

    size: how many numbers targets have. near: whether there is a posture.
    """
    asked, names = problem(robot.model, targets, title), tuple(targets)
    if asked.faults:
        return None
    if robot.tree.active is not None:
        asked = with_loops(asked)
    bounds = Bounds(*robot.limits.bounded, robot.limits.all_joints)
    low, high = bounds.coordinate_limits(robot.sizes["nq"])
    loops = [isinstance(goal, Shut) for goal in asked.goals]
    goals = list(zip(asked.goals, asked.names, loops, strict=True))
    return _Plan(
        make_step(robot, asked.goals, bounds.limits, near, HOST),
        bounds,
        (low, high),
        bounds.cut_off(robot.start_configuration(), HOST),
        names,
        tuple(-1 if loop else len(names) * g.turns + names.index(name) for g, name, loop in goals),
        tuple(None if loop else g.turns for g, _, loop in goals),
        asked.packed(())[0, size:].tolist(),
    )


# ------------------------------------------------------------------ what is given


def _is_configuration(q: Any, nq: int) -> bool:
    """Whether this is a plain configuration or None; one whose sum overflows does not count."""
    plain = type(q) is np.ndarray and q.dtype is _DOUBLE and q.shape == (nq,)
    return q is None or (plain and isfinite(sum(q.tolist())))


def _read(targets: dict[Any, Any]) -> tuple[tuple[Any, ...], list[float]] | None:
    """Return names and kinds of plain targets, and weights and numbers of their goals.

    None if one is something else than a pose or a position, or not as it should be.
    """
    key, numbers = [], []
    for name, target in targets.items():
        x, weight, turning = target, 1.0, 1.0
        if type(target) is not np.ndarray:
            x, weight, turning = _split_target(target)
        if type(name) is not str or type(x) is not np.ndarray or x.dtype is not _DOUBLE:
            return None
        if x.shape == (4, 4) and type(target) is not Position:
            rotation, place = _read_pose(x)
            numbers += [weight * turning, *rotation]
        elif x.shape == (3,) and type(target) is not Pose:
            place = x.tolist()
        else:
            return None
        if not isfinite(sum(place)):
            return None
        numbers += [weight, *place]
        key += name, x.ndim
    return (tuple(key), numbers) if key else None


def _split_target(target: Any) -> tuple[Any, float, float]:
    """Return the array of a pose or a position and its two weights > 0; else no array."""
    parts: Any = None, 1.0, 1.0
    if type(target) is Pose:
        parts = target.pose, target.weight, target.angle_weight
    elif type(target) is Position and target.at is None and target.axes == "xyz":
        parts = target.position, target.weight, 1.0
    weights = all(type(w) in (float, int) and 0.0 < w < inf for w in parts[1:])
    return parts if weights else (None, 1.0, 1.0)


def _read_pose(T: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the rotation, row by row, and the place of a pose (4, 4); NaN if it is none."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z), last = T.tolist()
    products = (
        a * a + b * b + c * c - 1.0,
        d * d + e * e + f * f - 1.0,
        g * g + h * h + i * i - 1.0,
        a * d + b * e + c * f,
        a * g + b * h + c * i,
        d * g + e * h + f * i,
    )
    off = max(map(abs, products))
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not (off <= UNIT and determinant > 0.0 and last == [0.0, 0.0, 0.0, 1.0]):
        return [], [nan]
    if off <= EXACT:
        return [a, b, c, d, e, f, g, h, i], [x, y, z]
    return orthonormalize(np, T[:3, :3], np.eye(3)).ravel().tolist(), [x, y, z]
