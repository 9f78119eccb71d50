"""What sliders set, for joints of every kind; axes, loops and scales of what is shown."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.model import joints
from jounce.viewer.live.dials import create_dials
from jounce.viewer.live.stage import State
from jounce.viewer.live.subject import Subject
from support.linkages import rocker

pytestmark = pytest.mark.shown

SHIFT = np.eye(4)
SHIFT[:3, 3] = (0.3, 0.1, 0.2)


@pytest.fixture(scope="module")
def every_kind() -> Iterator[jounce.Robot]:
    """A chain with a joint of each kind, one that a program has added included."""
    joints.add(joints.Kind("ball_and_slide", (joints.SPHERICAL, joints.PRISMATIC)))
    builder = jounce.TreeBuilder("every")
    parent: tuple[str, ...] = ()
    for name, kind in joints.KINDS.items():
        axes = {
            field: axis
            for field, axis in (("axis", (0.6, 0.0, 0.8)), ("axis2", (0, 1, 0)))
            if field in kind.fields
        }
        builder.add(
            f"{name} link",
            name,
            *parent,
            joint_name=name,
            placement=SHIFT,
            mass=1.0,
            com=(0.2, 0, 0.1),
            inertia_com=0.1 * np.eye(3),
            **axes,
        )
        parent = (f"{name} link",)
    yield jounce.Robot(builder.build())
    joints.remove("ball_and_slide")


def test_dials_of_all_kinds_set_what_they_read_and_nothing_else(every_kind: jounce.Robot) -> None:
    robot, subject = every_kind, Subject(every_kind)
    q = robot.random(0)
    found = create_dials(subject, 1.0)
    assert len(found) == robot.nv
    assert {dial.joint for dial in found} == set(joints.KINDS)
    for k, dial in enumerate(found):
        moved = dial.write(q, 0.4)
        assert dial.read(moved) == pytest.approx(0.4, abs=1e-12), dial.label
        assert np.allclose(robot.normalize(moved), moved), dial.label
        rest = [other for other in found[:k] + found[k + 1 :] if other.joint != dial.joint]
        assert all(other.read(moved) == other.read(q) for other in rest), dial.label
        assert dial.low < dial.high
    assert len({dial.label for dial in found}) == len(found)


def test_axes_of_all_kinds_are_what_bodies_turn_about(every_kind: jounce.Robot) -> None:
    robot, subject = every_kind, Subject(every_kind)
    q, h = robot.random(1), 1e-6
    poses = subject.poses(q)
    seen = list(zip(*subject.axes(q, poses), strict=True))
    assert len(seen) == robot.nv
    for body, k, point, direction, turns in seen:
        moved = subject.poses(robot.integrate(q, h * np.eye(robot.nv)[k]))
        local = np.linalg.solve(poses[body], (*point, 1.0))
        drift = (moved[body] @ local)[:3] - point
        # a point of the axis moves along it, if at all
        assert np.linalg.norm(np.cross(drift, direction)) < 1e-9, robot.model.joint_names[body]
        spin = moved[body][:3, :3] @ poses[body][:3, :3].T
        assert turns == (np.abs(spin - np.eye(3)).max() > 1e-8), robot.model.joint_names[body]
        if turns:
            assert np.allclose(spin @ direction, direction, atol=1e-9)


def test_sliders_keep_to_limits_and_say_where_there_are_none() -> None:
    arm = jounce.load("kuka_iiwa14")
    for dial, low, high in zip(
        create_dials(Subject(arm), 1.0), arm.limits.lower, arm.limits.upper, strict=True
    ):
        assert (dial.low, dial.high) == (low, high)
        assert dial.hint.startswith("within its limits")
    (dial, *_) = create_dials(Subject(jounce.load("planar_2r")), 1.0)
    assert np.allclose((dial.low, dial.high), (-np.pi, np.pi))
    assert "without limits" in dial.hint
    assert create_dials(Subject(jounce.load("cartesian_ppp")), 1.0)[0].high == 1.0


def test_joints_that_follow_have_no_dial() -> None:
    builder = jounce.TreeBuilder("gripper")
    builder.add("left", "prismatic", joint_name="left", mass=1.0, axis=(1, 0, 0))
    builder.add(
        "right",
        "prismatic",
        joint_name="right",
        mass=1.0,
        axis=(-1, 0, 0),
        mimic=("left", 2.0, 0.1),
    )
    subject = Subject(jounce.Robot(builder.build()))
    (dial,) = create_dials(subject, 1.0)
    assert dial.joint == "left"
    q = dial.write(subject.home, 0.5)
    assert np.allclose(subject.poses(q)[:, 0, 3], (0.5, -1.1))
    _, velocities, _, directions, turns = subject.axes(q, subject.poses(q))
    assert velocities.tolist() == [0, 0]
    assert np.allclose(directions, ((1, 0, 0), (-1, 0, 0)))
    assert not turns.any()


def test_loops_are_followed_while_a_joint_moves() -> None:
    closed = jounce.load("five_bar").closed()
    subject = Subject(closed)
    found = create_dials(subject, 1.0)
    assert [dial.joint for dial in found] == closed.independent_names
    goal = found[0].write(subject.home, found[0].read(subject.home) + 0.4)
    there, sentence = subject.move_toward(subject.home, goal)
    assert not sentence
    assert found[0].read(there) == pytest.approx(found[0].read(goal))
    assert closed.gap(there) < 1e-9
    assert closed.gap(goal) > 1e-3


def test_loops_too_wide_to_close_leave_the_robot_where_it_was() -> None:
    closed = rocker()
    subject = Subject(closed)
    (dial,) = create_dials(subject, 1.0)
    there, sentence = subject.move_toward(subject.home, dial.write(subject.home, np.pi))
    assert np.array_equal(there, subject.home)
    assert sentence.startswith("the loops do not close there: a gap of")
    nearby = dial.write(subject.home, dial.read(subject.home) + 0.05)
    there, sentence = subject.move_toward(subject.home, nearby)
    assert not sentence
    assert closed.gap(there) < 1e-9
    _, sentence = subject.close_loops(dial.write(subject.home, np.pi))
    assert "do not close" in sentence


def test_configurations_are_checked() -> None:
    subject = Subject(jounce.load("planar_2r"))
    with pytest.raises(ArgumentError, match="one configuration"):
        subject.check_configuration(np.zeros((2, 2)), "planar_2r.show")
    with pytest.raises(ArgumentError, match="finite"):
        subject.check_configuration((0.0, np.nan), "planar_2r.show")
    with pytest.raises(TypeError, match="expected a robot, a mechanism"):
        Subject("panda")  # type: ignore[arg-type]


def test_points_of_bodies_and_of_the_world() -> None:
    subject = Subject(jounce.load("planar_2r"))
    q = np.array((0.3, 0.4))
    state = State(subject, q, np.zeros(2), np.zeros(2))
    local = np.array(((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)))
    found = state.points((-1, 1), local)
    assert np.allclose(found[0], local[0])
    assert np.allclose(found[1], (state.poses[1] @ (*local[1], 1.0))[:3])
