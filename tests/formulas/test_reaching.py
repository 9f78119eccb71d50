"""Goals of inverse kinematics and the damped step, on plain numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.formulas.goals import (
    CenterOfMassGoal,
    DirectionGoal,
    Goal,
    LoopGoal,
    OrientationGoal,
    PositionGoal,
    tilt,
)
from jounce.formulas.inverse_kinematics_step import damped_step, levenberg_marquardt_step
from jounce.math.lie import exp_so3
from jounce.robot import Robot
from support.helpers import STEP, assert_close, numbers, objects, random_robot, slope
from support.mechanisms import mechanism
from support.robots import random_rotation, rate

RNG = np.random.default_rng(0)
MODEL = random_robot(5, 6, floating=True, mimic=True)
ROBOT = Robot(MODEL)
TREE = ROBOT.tree
LAST = MODEL.frame_index(MODEL.bodies[-1].name)
PLACE, POINT = RNG.normal(size=3), RNG.normal(size=3)
R, AXES = random_rotation(RNG), random_rotation(RNG)
AHEAD = RNG.normal(size=3) / 3.0

GOALS: list[tuple[Goal, Any]] = [
    (PositionGoal(LAST), PLACE),
    (PositionGoal(LAST, has_point=True), np.concatenate((PLACE, POINT))),
    (PositionGoal(LAST, axes=(0, 2)), PLACE),
    (PositionGoal(LAST, axes=(1,), has_point=True), np.concatenate((PLACE, POINT))),
    (OrientationGoal(LAST), R.ravel()),
    (DirectionGoal(LAST), np.concatenate((AHEAD / np.linalg.norm(AHEAD), AXES.ravel()))),
    (CenterOfMassGoal(), PLACE),
    (CenterOfMassGoal(axes=(0, 1)), PLACE),
]


def gradient(goal: Goal, tree: Any, model: Any, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Derivative of r^2 / 2 along each velocity, by complex steps."""
    out = []
    for direction in np.eye(model.nv):
        moved = objects(q) + 1j * STEP * rate(model, q, direction)
        r = goal.residual(tree, moved, x)
        out.append(0.5 * slope(r @ r))
    return np.array(out)


@pytest.mark.parametrize(("goal", "x"), GOALS, ids=lambda x: str(x) if isinstance(x, Goal) else "")
def test_matrices_give_the_gradient_of_what_is_missed(goal: Goal, x: np.ndarray) -> None:
    assert goal.size == len(x)
    q = ROBOT.random(3)
    r = numbers(goal.residual(TREE, objects(q), objects(x)))
    A = numbers(goal.jacobian(TREE, objects(q), objects(x)))
    assert A.shape == (len(r), MODEL.nv)
    assert np.all(np.abs(r) > 1e-3)
    assert_close(A.T @ r, gradient(goal, TREE, MODEL, q, objects(x)), 1e-11, str(goal))


@pytest.mark.parametrize("name", ["five_bar", "weld", "planar", "mixed", "floating"])
def test_those_of_loops_too(name: str) -> None:
    closed = mechanism(name)
    tree, robot = closed._all_joints.tree, closed.robot
    q = robot.integrate(closed.reference, 0.3 * np.random.default_rng(1).normal(size=robot.nv))
    missed = []
    for k, loop in enumerate(robot.model.loops):
        for turns, locked in ((True, loop.locked[:3]), (False, loop.locked[3:])):
            if any(locked):
                goal = LoopGoal(k, turns)
                r, A = (
                    numbers(f(tree, objects(q), objects([])))
                    for f in (goal.residual, goal.jacobian)
                )
                expected = gradient(goal, tree, robot.model, q, objects([]))
                assert_close(A.T @ r, expected, 1e-11, f"{name} {goal}")
                missed.append(np.linalg.norm(r))
    np.testing.assert_allclose(max(missed), closed.gap(q), rtol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0, np.pi - 1e-9])
def test_tilts_take_z_to_where_they_shall(angle: float) -> None:
    axis = np.array((0.6, -0.8, 0.0))
    u = exp_so3(objects(axis), angle)[:, 2]
    assert_close(tilt(u), angle * axis[:2], 1e-12, floor=1e-300)
    assert_close(np.linalg.norm(numbers(tilt(objects((0.0, 0.0, -1.0))))), np.pi)


@pytest.mark.parametrize("shape", [(3, 7), (7, 3), (4, 4)])
@pytest.mark.parametrize("drawn", [False, True])
def test_a_damped_step_is_the_least_of_its_squares(shape: tuple[int, int], drawn: bool) -> None:
    rng = np.random.default_rng(2)
    A, r, e = rng.normal(size=shape), rng.normal(size=shape[0]), rng.normal(size=shape[1])
    pull, damping = rng.random(shape[1]) * drawn, 0.3
    d = damped_step(objects(A), objects(r), damping, objects(pull), objects(e))
    rows = np.vstack((A, np.sqrt(damping) * np.eye(shape[1]), np.diag(np.sqrt(pull))))
    right = -np.concatenate((r, np.zeros(shape[1]), np.sqrt(pull) * e))
    assert_close(d, np.linalg.lstsq(rows, right)[0])


def test_steps_come_nearer_within_limits_or_stay() -> None:
    x, (at, entries) = np.concatenate(([2.0], PLACE)), ROBOT.limits.bounded
    low, high = np.full((2, MODEL.nv), ((-0.1,), (0.2,)))
    q = objects(ROBOT.random(3))
    q[at] = np.clip(numbers(q)[at], -0.1, 0.2)
    s, cost, step = 1.0, np.inf, levenberg_marquardt_step([GOALS[0][0]])
    for _ in range(8):
        q, s, new, errors = step(TREE, q, s, objects(x), objects(low), objects(high))
        assert new <= cost
        cost = float(new)
        np.testing.assert_allclose(4.0 * float(errors[0]) ** 2, cost)
        assert np.all((numbers(q)[at] >= -0.1) & (numbers(q)[at] <= 0.2))
    assert len(at) == len(entries) > 2
    assert np.any(np.isin(numbers(q)[at], (-0.1, 0.2)))
    assert cost < 0.1
