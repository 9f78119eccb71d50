"""Derivatives in the placements of frames, loops and contacts: `.dframe`, `.dloop`, `.dcontact`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.math.lie import exp_pose
from jounce.robot import Robot
from support.helpers import assert_close

STEP = 1e-3
RNG = np.random.default_rng(7)


def slope(values: Callable[[float], Any]) -> np.ndarray:
    """The slope at zero by central differences of sixth order."""
    steps = [np.asarray(values(k * STEP)) - values(-k * STEP) for k in (1, 2, 3)]
    return (45 * steps[0] - 9 * steps[1] + steps[2]) / (60 * STEP)


def pose(*twist: float) -> np.ndarray:
    return np.asarray(exp_pose(np.array(twist)))


@pytest.mark.parametrize("name", ["twist_mixed", "imu", "force_torque", "jacobian"])
def test_placement_of_a_frame(name: str) -> None:
    robot = jounce.load("planar_rp")
    robot = robot.edit.with_frame("tip", robot.model.body_names[-1], pose(0.1, 0.2, 0.3, 0, 1, 2))
    q, v, a = RNG.standard_normal((3, robot.nv))
    state = {"twist_mixed": (q, v), "jacobian": (q,)}.get(name, (q, v, a))
    twist = RNG.standard_normal(6)

    def displaced(step: float) -> np.ndarray:
        moved = robot.edit.with_geometry(frames={"tip": step * twist})
        return getattr(moved.frame("tip"), name)(*state)

    found = getattr(robot.frame("tip"), name).dframe(*state)
    assert_close(found @ twist, slope(displaced), 1e-9)


def test_a_frame_moves_with_its_own_displacement() -> None:
    frame = jounce.load("planar_2r").frame("tool")
    q, v = np.array((0.4, 0.7)), np.array((1.0, -2.0))
    assert_close(frame.pose.dframe(q), np.eye(6), floor=1.0)
    first = frame.twist.dframe.dq(q, v)
    assert_close(frame.twist.dq.dframe(q, v), np.swapaxes(first, 1, 2))


def test_placements_of_the_frames_of_a_task() -> None:
    robot = jounce.load("planar_2r")
    first, last = robot.model.body_names[:2]
    q, v = RNG.standard_normal((2, robot.nv))
    twists = RNG.standard_normal((2, 6))
    rows = {"a": [False] * 3 + [True, False, False], "b": [False] * 3 + [False, True, False]}
    robot = robot.edit.with_frame("a", first, pose(0.1, 0.2, 0.3, 0, 1, 2))
    robot = robot.edit.with_frame("b", last, pose(0.3, 0.2, 0.1, 1, 0.5, 0))

    def task(robot: Robot) -> Any:
        return robot.task_space("a", "b", rows=rows).coriolis_matrix

    def relative(robot: Robot) -> Any:
        return robot.frame("b").relative_to("a").twist

    for quantity in (task, relative):

        def displaced(step: float, quantity: Any = quantity) -> np.ndarray:
            names = ("a", "b") if quantity is task else ("b", "a")
            frames = dict(zip(names, step * twists, strict=True))
            return quantity(robot.edit.with_geometry(frames=frames))(q, v)

        found = quantity(robot).dframe(q, v)
        assert found.shape[-2:] == (2, 6)
        assert_close(np.tensordot(found, twists, 2), slope(displaced), 1e-8)
    with pytest.raises(AttributeError, match="dloop"):
        _ = relative(robot).dloop


def weld() -> tuple[Robot, np.ndarray]:
    """An arm whose tool is held in the world: seven joints, six equations that are independent."""
    robot = jounce.load("kuka_iiwa14")
    q, end = robot.random(5), pose(0.1, 0.2, 0.3, 0.05, 0.02, 0.1)
    held = robot.frame("tool").pose(q) @ end
    return robot.edit.with_loop(("world", held), ("tool", end), "weld", "grip"), q


def loops(name: str) -> tuple[Robot, Any, np.ndarray, np.ndarray]:
    """A robot, its mechanism, q with closed loops, and displacements (2, 6) that can be closed."""
    twists = RNG.standard_normal((2, 6)) * 0.3
    if name == "weld":
        robot, q = weld()
        return robot, robot.closed(("joint1",), q0=q), q, twists
    robot = jounce.load(name)
    closed = robot.closed()
    if name == "five_bar":  # axes still pass through the center
        twists[:, 3:] = 0.0
    else:  # within the plane
        loop = robot.model.loops[0]
        free = [not x for x in loop.locked[:3]]
        twists[:, :3] *= free
        twists[:, 3:] *= [not x for x in free]
    return robot, closed, closed.random(3, 1)[0], twists


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "weld"])
def test_placements_of_loops(name: str) -> None:
    robot, closed, q, twists = loops(name)
    loop = robot.model.loops[0].name
    v, a = RNG.standard_normal((2, closed.nv))

    def displaced(step: float) -> np.ndarray:
        moved = robot.edit.with_geometry(loops={loop: step * twists})
        mechanism = moved.closed(closed.independent_names, q0=q)
        return mechanism.inverse_dynamics(mechanism.assemble(q, strict=True).q, v, a)

    found = closed.inverse_dynamics.dloop(q, v, a)
    assert found.shape == (closed.nv, 1, 2, 6)
    assert np.abs(found).max() > 1e-3
    assert_close(np.tensordot(found[:, 0], twists, 2), slope(displaced), 1e-8)
    residual = np.tensordot(closed.loop_residual.dloop(q)[:, 0], twists, 2)
    moved = robot.edit.with_geometry(loops={loop: 1e-6 * twists}).closed(closed.independent_names)
    assert_close(residual, 1e6 * moved.loop_residual(q), 1e-4)


def test_placements_of_contacts() -> None:
    robot = jounce.load("planar_2r")
    robot = robot.edit.with_contact((robot.model.body_names[-1], pose(0, 0, 0.3, 0.2, 0.1, 0)))
    name = robot.model.contacts[0].name
    q, v, tau = np.array((0.3, 0.9)), *RNG.standard_normal((2, 2))
    twist = RNG.standard_normal(6)
    for quantity in ("contact_dynamics", "impulse"):
        state = (q, v) if quantity == "impulse" else (q, v, tau)

        def forces(step: float, quantity: str = quantity, state: Any = state) -> np.ndarray:
            moved = robot.edit.with_geometry(contacts={name: step * twist})
            return getattr(moved.contacts(), quantity)(*state)[1]

        found = getattr(robot.contacts(), quantity).dcontact(*state)[1]
        assert found.shape == (3, 1, 6)
        assert_close(found[:, 0] @ twist, slope(forces), 1e-8)


def test_contact_poses_move_as_those_of_their_frames() -> None:
    robot = jounce.load("planar_2r")
    names = robot.model.body_names[:2]
    for name in names:
        robot = robot.edit.with_contact(name, "point")
    stand, q = robot.contacts(), np.array((0.4, 0.7))
    poses = [robot.frame(name).pose for name in names]
    for name in ("dscrew", "dplacement"):
        found = getattr(stand.contact_poses, name)(q)
        assert_close(found, np.stack([getattr(pose, name)(q) for pose in poses]), floor=1.0)
    own = stand.contact_poses.dcontact(q)
    assert_close(own, np.einsum("kl,ij->kilj", np.eye(2), np.eye(6)), floor=1.0)


def test_what_has_no_own_placement() -> None:
    robot = jounce.load("five_bar")
    for quantity, name in (
        (robot.inverse_dynamics, "dloop"),
        (robot.inverse_dynamics, "dframe"),
        (robot.closed().frame("tool").pose, "dcontact"),
    ):
        with pytest.raises(AttributeError, match=f"no derivative '{name}'|has no '{name}'"):
            getattr(quantity, name)
    assert "dloop" in dir(robot.closed().frame("tool").pose)
    with pytest.raises(jounce.ArgumentError, match="frames: no 'tol'; did you mean 'tool'"):
        robot.edit.with_geometry(frames={"tol": np.zeros(6)})
    with pytest.raises(jounce.ArgumentError, match=r"of 'tool' must be finite and of shape \(6,\)"):
        robot.edit.with_geometry(frames={"tool": np.zeros(3)})
    with pytest.raises(TypeError, match="frames: expected displacements by name, found ndarray"):
        robot.edit.with_geometry(frames=np.zeros((1, 6)))  # pyright: ignore[reportArgumentType]
