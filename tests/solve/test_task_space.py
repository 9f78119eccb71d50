"""The dynamics of a task: inertia, Coriolis matrix and null space of one or several frames."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from support.helpers import assert_close, interpreted, quiet_read
from support.robots import random_model


@cache
def small_robot() -> Robot:
    """Two links and a free base: the last link moves in six directions, and one more is left."""
    return Robot(random_model(np.random.default_rng(4), 2, ("revolute",), floating=True))


def transposed(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2)


@cache
def tasks():
    """Tasks of every kind, each with a robot and its configuration."""
    arm = jounce.load("kuka_iiwa14")
    humanoid = Robot(quiet_read("toro25"))
    closed = jounce.load("five_bar").closed()
    rng = np.random.default_rng(0)
    feet = [name for name in humanoid.model.frame_names if "foot" in name or "hand" in name]
    feet = feet[:2] or humanoid.model.body_names[-2:]
    rows = {"tool": "orientation", "link5": "position"}
    first = [True, *[False] * 5]
    return {
        "one frame": (arm, arm.task_space("tool"), arm.random(rng)),
        "two frames": (arm, arm.task_space("tool", "link5", rows=rows), arm.random(rng)),
        "floating": (humanoid, humanoid.task_space(*feet, rows="position"), humanoid.random(rng)),
        "mechanism": (closed, closed.task_space("tool", rows=first), closed.reference),
    }


NAMES = ("one frame", "two frames", "floating", "mechanism")


@pytest.mark.parametrize("name", NAMES)
def test_identities_of_a_task(name: str) -> None:
    robot, task, q = tasks()[name]
    v, a = np.random.default_rng(1).standard_normal((2, robot.nv))
    J, Lambda, Jbar = task.jacobian(q), task.inertia(q), task.jacobian_inverse(q)
    N, M = task.null_space_projector(q), robot.mass_matrix(q)
    count = task.sizes["nr"]
    solving = 1e-13 * np.linalg.cond(M) * np.linalg.cond(Lambda)
    assert J.shape == (count, robot.nv)
    assert_close(Lambda @ task.inertia_inverse(q), np.eye(count), solving)
    assert_close(J @ Jbar, np.eye(count), solving)
    assert_close(J @ N, np.zeros_like(J), solving, floor=np.abs(J).max())
    assert_close(N @ N, N, solving)
    assert_close(transposed(N) @ M, M @ N, solving)
    C = task.coriolis_matrix(q, v)
    assert_close(task.inertia.dt(q, v), C + transposed(C), solving)
    assert_close(task.velocity.dt(q, v, a), J @ a + task.jacobian_rate(q, v) @ v)


@pytest.mark.parametrize("name", NAMES)
def test_wrenches_of_the_bias_keep_the_velocity(name: str) -> None:
    robot, task, q = tasks()[name]
    v = np.random.default_rng(2).standard_normal(robot.nv)
    tau = task.jacobian(q).T @ task.bias(q, v)
    a = robot.forward_dynamics(q, v, tau)
    scale = np.abs(task.jacobian(q) @ robot.forward_dynamics(q, v, 0 * v)).max()
    assert_close(task.velocity.dt(q, v, a), np.zeros(task.sizes["nr"]), 1e-9, floor=scale)


def test_quantities_of_frames_are_those_of_the_task_of_all_rows() -> None:
    robot = small_robot()
    link, q, v = robot.model.body_names[-1], robot.random(1), np.ones(robot.nv)
    task, frame = robot.task_space(link), robot.frame(link)
    for one, other, arguments in (
        (task.inertia, frame.task_inertia, (q,)),
        (task.bias, frame.task_bias, (q, v)),
        (task.coriolis_matrix, frame.task_coriolis_matrix, (q, v)),
        (task.null_space_projector, frame.null_space_projector, (q,)),
        (task.inertia.dpi, frame.task_inertia.dpi, (q,)),
    ):
        values = [interpreted(x.kernel, *arguments) for x in (one, other)]
        assert_close(*values, 1e-9)
    again = pickle.loads(pickle.dumps(task))
    assert_close(again.inertia(q), task.inertia(q))


def test_derivatives_in_parameters_are_those_of_differences() -> None:
    robot = Robot(random_model(np.random.default_rng(4), 3, ("revolute",)))
    link, rows = robot.model.body_names[-1], [False] * 4 + [True] * 2
    q, v, step, k = robot.random(1), np.ones(robot.nv), 1e-6, 13
    for name, arguments in (("coriolis_matrix", (q, v)), ("null_space_projector", (q,))):
        derivative = getattr(robot.task_space(link, rows=rows), name).dpi
        found = interpreted(derivative.kernel, *arguments)[..., k]
        values = []
        for sign in (1.0, -1.0):
            pi = robot.model.parameters.ravel().copy()
            pi[k] += sign * step
            changed = robot.edit.with_parameters(pi).task_space(link, rows=rows)
            values.append(interpreted(getattr(changed, name).kernel, *arguments))
        assert np.abs(found).max() > 1e-3
        assert_close(found, (values[0] - values[1]) / (2 * step), 1e-5)


@pytest.mark.parametrize("name", ["inertia", "bias"])
@pytest.mark.parametrize("kind", ["screws", "placements"])
def test_derivatives_in_the_geometry_are_those_of_differences(name: str, kind: str) -> None:
    robot = jounce.load("planar_rp")
    frame = robot.model.body_names[-1]
    q, v = np.array((0.3, 0.4)), np.ones(2)
    arguments = (q,) if name == "inertia" else (q, v)
    rows = [False, False, True, True, False, False]
    derivative = getattr(getattr(robot.task_space(frame, rows=rows), name), f"d{kind[:-1]}")
    direction, h = np.random.default_rng(3).standard_normal((robot.nb, 6)), 1e-3

    def displaced(step: float) -> np.ndarray:
        moved = robot.edit.with_geometry(**{kind: step * direction})
        return getattr(moved.task_space(frame, rows=rows), name)(*arguments)

    far, near = (displaced(k * h) - displaced(-k * h) for k in (2.0, 1.0))
    wanted = (8.0 * near - far) / (12.0 * h)
    assert_close(np.tensordot(derivative(*arguments), direction, 2), wanted, 1e-8)


def test_mistakes_are_explained() -> None:
    robot = jounce.load("kuka_iiwa14")
    with pytest.raises(jounce.ModelError, match="the task has 12 rows, of which 7 are independent"):
        robot.task_space("tool", "link5").inertia(robot.neutral())
    with pytest.raises(jounce.ModelError, match="no frame 'tol'; did you mean 'tool'"):
        robot.task_space("tol")
    for arguments, message in (
        (((), "pose"), "expected at least one frame"),
        ((("tool",), "positions"), "no rows 'positions'; did you mean 'position'"),
        ((("tool",), [True] * 3), "six booleans"),
        ((("tool",), {"link5": "pose"}), "'link5' is not among the frames"),
    ):
        frames, rows = arguments
        with pytest.raises(jounce.ArgumentError, match=message):
            robot.task_space(*frames, rows=rows)
