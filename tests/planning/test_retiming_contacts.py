"""Time-optimal paths of robots in contact, and paths of frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce import planning, trajectories

IIWA: Any = jounce.load("kuka_iiwa14")
HOME = np.array((0.0, 0.6, 0.0, -1.2, 0.0, 0.9, 0.0))


def arm_on_a_foot() -> Any:
    """An arm with two joints on a foot that stands on the ground."""
    builder = jounce.TreeBuilder("stand")
    inertia = np.diag([0.1, 0.1, 0.1])
    builder.add("foot", "free", joint_name="base", mass=10.0, inertia_com=inertia)
    for name, parent, height, axis in (
        ("upper", "foot", 0.1, (0, 1, 0)),
        ("lower", "upper", 0.5, (1, 0, 0)),
    ):
        builder.add(
            name,
            "revolute",
            parent,
            xyz=(0, 0, height),
            axis=axis,
            mass=3.0,
            com=(0, 0, 0.25),
            inertia_com=0.2 * inertia,
            velocity_limit=10.0,
            effort_limit=60.0,
        )
    return jounce.Robot(builder.build()).edit.with_contact("foot", "surface", "sole")


STAND = arm_on_a_foot()
OPTIONS: dict[str, Any] = {"size": (0.2, 0.15), "friction": 0.6, "points": 30}


def swing() -> trajectories.Trajectory:
    """A path of the arm on the foot, which stays."""
    q = np.repeat(STAND.neutral()[None], 3, axis=0)
    q[:, 7:] = (-0.4, 0.1), (0.1, 0.4), (0.4, -0.3)
    return trajectories.spline(STAND, [0.0, 0.5, 1.0], q, 5)


def test_contact_forces_carry_the_robot() -> None:
    contacts = STAND.contacts()
    motion = planning.retime(contacts, swing(), **OPTIONS)
    assert max(motion.violation().values()) < 1e-3
    t = np.linspace(0.02, 0.98, 40) * motion.duration
    q, v, a, _ = motion(t)
    tau, rate = motion.torques(t)
    f, df = motion.contact_forces(t)
    free = STAND.inverse_dynamics(q, v, a)
    J = contacts.contact_jacobian(q)
    assert np.allclose(free - np.einsum("pij,pi->pj", J, f), tau, rtol=0.0, atol=1e-9)
    assert np.abs(tau[:, :6]).max() < 1e-9  # the base has no drive
    weight = 16.0 * 9.81
    assert (np.abs(f[:, 3:5]) < 0.6 * f[:, 5:] + 1e-3 * weight).all()
    assert (np.abs(f[:, :2]) < np.array((0.15, 0.2)) * (f[:, 5:] + 1e-3 * weight)).all()
    h = 1e-6
    after, before = motion.torques(t + h)[0], motion.torques(t - h)[0]
    assert np.allclose((after - before) / (2 * h), rate, rtol=1e-4, atol=0.1)
    after, before = motion.contact_forces(t + h)[0], motion.contact_forces(t - h)[0]
    assert np.allclose((after - before) / (2 * h), df, rtol=1e-4, atol=0.1)


def test_forces_of_one_contact_are_unique() -> None:
    """Without bounds of friction, the motion is that of the arm on a fixed foot."""
    wide = {**OPTIONS, "friction": 100.0, "size": (100.0, 100.0)}
    free = planning.retime(STAND.contacts(), swing(), **wide)
    fixed = planning.retime(STAND, swing(), points=2000)
    assert free.duration == pytest.approx(fixed.duration, rel=5e-3)
    bound = planning.retime(STAND.contacts(), swing(), **OPTIONS)
    slippery = planning.retime(STAND.contacts(), swing(), **{**OPTIONS, "friction": 0.05})
    assert slippery.duration > bound.duration > free.duration


def test_two_contacts_share_forces() -> None:
    robot = STAND
    feet = np.eye(4), np.eye(4)
    for T, x in zip(feet, (-0.15, 0.15), strict=True):
        T[0, 3] = x
        robot = robot.edit.with_contact(("foot", T), "surface", f"at {x}")
    contacts = robot.contacts("at -0.15", "at 0.15")
    q = swing()([0.0, 0.5, 1.0], 0)[0]
    motion = planning.retime(contacts, q, **{**OPTIONS, "size": (0.05, 0.15)}, torque_rate=1000.0)
    violation = motion.violation()
    assert {"velocity", "torque", "torque rate", "friction"} == {*violation}
    assert max(violation.values()) < 1e-3
    t = np.linspace(0.0, motion.duration, 200)
    pressures = motion.contact_forces(t)[0][:, [5, 11]]
    assert (pressures > -0.2).all()  # N
    assert np.ptp(pressures[:, 0]) > 50.0


def test_infeasible_in_contact() -> None:
    with pytest.raises(planning.InfeasiblePathError, match=r"at s = .*torque of 'upper"):
        planning.retime(STAND.contacts(), swing(), torque=2.0, **OPTIONS)
    with pytest.raises(planning.InfeasiblePathError, match=r"friction of 'sole'"):
        planning.retime(STAND.contacts(), swing(), **{**OPTIONS, "size": (0.02, 0.02)})
    point = STAND.edit.with_contact("foot", "point", "heel")
    with pytest.raises(jounce.ArgumentError, match="cannot transmit all forces"):
        planning.retime(point.contacts("heel"), swing()([0.0, 1.0], 0)[0], **OPTIONS)
    q = STAND.neutral()
    moved = STAND.integrate(q, np.full(8, 0.1))
    with pytest.raises(jounce.ArgumentError, match="contact 'sole' moves along the path"):
        planning.retime(STAND.contacts(), [q, moved], **OPTIONS)


def test_path_of_a_frame() -> None:
    """The tool follows the spline on SE(3), and derivatives agree with its twists."""
    tool = IIWA.frame("tool")
    poses = tool.pose(HOME + np.array([[0.0], [0.15], [0.3]]) * np.ones(7))
    curve = trajectories.pose_spline([0.0, 0.4, 1.0], poses, 5)
    path = planning.cartesian_path(IIWA, {"tool": curve}, HOME, samples=60)
    s = np.linspace(0.0, 1.0, 37)
    q, dq = path(s, 1)
    expected, twist = curve(s, 1)
    assert np.abs(tool.pose(q) - expected).max() < 1e-7
    actual = np.einsum("pij,pj->pi", tool.jacobian(q), dq)
    assert np.allclose(actual, twist, rtol=0.0, atol=1e-5)
    motion = planning.retime(IIWA, path, jerk=300.0, points=40)
    assert max(motion.violation().values()) < 1e-3


def test_line_of_positions() -> None:
    points = IIWA.frame("tool").pose(HOME)[:3, 3] + np.array([[0.0], [1.0]]) * (0.0, 0.2, -0.1)
    path = planning.cartesian_path(IIWA, {"tool": points}, HOME, samples=30)
    reached = IIWA.frame("tool").pose(path([0.0, 0.5, 1.0], 0)[0])[:, :3, 3]
    assert np.allclose(reached, [points[0], points.mean(axis=0), points[1]], atol=1e-7)


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ({}, {}, "targets must be a mapping"),
        ({"tool": np.eye(4)}, {}, "found only constant targets"),
        ({"tool": np.zeros((2, 5))}, {}, r"must be a trajectory or have shape \(n, 4, 4\)"),
        ({"tool": np.zeros((2, 3))}, {"samples": 2}, "samples must be a whole number > 5"),
        ({"tool": [[0.5, 0.0, 0.5], [5.0, 0.0, 0.5]]}, {}, "cannot be followed at s = 0"),
    ],
)
def test_wrong_paths_of_frames(targets: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises((jounce.ArgumentError, planning.InfeasiblePathError), match=message):
        planning.cartesian_path(IIWA, targets, HOME, **options)
