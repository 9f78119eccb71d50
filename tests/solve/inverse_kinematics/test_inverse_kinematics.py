"""Inverse kinematics: every kind of target, robot and start, held against forward kinematics."""

from __future__ import annotations

import dataclasses
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import Direction, Orientation, Pose, Position
from jounce.math.lie import exp_so3
from jounce.solve.inverse_kinematics import solver
from support.helpers import quiet_read, random_robot
from support.robots import random_rotation

TOOL = "link7"


#: As its maker gives them, rad.
LOWER = (-2.9, -1.76, -2.9, -3.07, -2.9, -0.02, -2.9)
UPPER = (2.9, 1.76, 2.9, -0.07, 2.9, 3.75, 2.9)


@cache
def arm() -> jounce.Robot:
    """The gallery's franka, with limits."""
    model = quiet_read("franka")
    bounds = zip(model.joints, LOWER, UPPER, strict=True)
    joints = tuple(dataclasses.replace(j, lower=a, upper=b) for j, a, b in bounds)
    return jounce.Robot(dataclasses.replace(model, joints=joints))


@cache
def poses(n: int = 200) -> np.ndarray:
    return arm().frame(TOOL).pose(arm().random(1, n))


def missed(found: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances and angles between poses."""
    turn = np.swapaxes(found[..., :3, :3], -1, -2) @ wanted[..., :3, :3]
    distance = np.linalg.norm(found[..., :3, 3] - wanted[..., :3, 3], axis=-1)
    return distance, np.linalg.norm(jounce.lie.so3.log(turn), axis=-1)


def assert_met(robot: Any, frame: str, solution: Any, wanted: np.ndarray) -> None:
    assert solution.success.all(), str(solution)
    distance, angle = missed(robot.frame(frame).pose(solution.q), wanted)
    assert distance.max() <= 1.01e-6
    assert angle.max() <= 1.01e-6
    k = solution.targets.index(frame)
    np.testing.assert_allclose(solution.distances[..., k], distance, atol=1e-12)
    np.testing.assert_allclose(solution.angles[..., k], angle, atol=1e-12)


# ------------------------------------------------------------------ arms


def test_poses_of_an_arm_within_its_limits() -> None:
    found = arm().inverse_kinematics({TOOL: poses()})
    assert_met(arm(), TOOL, found, poses())
    assert arm().limits.contains(found.q).all()
    assert found.q.shape == (200, 7)
    assert found.iterations.min() >= 1
    assert (found.reason == "").all()
    assert str(found).startswith("200 of 200 solved")


def test_samples_do_not_depend_on_their_batch_and_runs_repeat() -> None:
    whole = arm().inverse_kinematics({TOOL: poses()})
    again = arm().inverse_kinematics({TOOL: poses()})
    np.testing.assert_array_equal(whole.q, again.q)
    some = [*np.flatnonzero(whole.restarts > 0)[:3].tolist(), 0, 199]
    for k in some:
        alone = arm().inverse_kinematics({TOOL: poses()[k]})
        np.testing.assert_allclose(alone.q, whole.q[k], atol=1e-11)
        assert alone.restarts == whole.restarts[k]
        assert alone.success is np.True_
    other = arm().inverse_kinematics({TOOL: poses()}, rng=7)
    assert np.any(other.q[whole.restarts > 0] != whole.q[whole.restarts > 0])


def test_starts_and_targets_broadcast() -> None:
    q = arm().random(2, 3)
    near = arm().limits.clip(q + 0.02)
    found = arm().inverse_kinematics({TOOL: arm().frame(TOOL).pose(q)[:, None]}, near, restarts=0)
    assert found.q.shape == (3, 3, 7)
    diagonal = found.q[np.arange(3), np.arange(3)]
    assert found.success[np.arange(3), np.arange(3)].all()
    assert np.abs(diagonal - q).max() < 0.1, "a start nearby leads to a place nearby"
    empty = arm().inverse_kinematics({TOOL: np.zeros((0, 4, 4))})
    assert empty.q.shape == (0, 7)
    assert empty.success.shape == (0,)


def test_float32_gives_float32() -> None:
    found = arm().inverse_kinematics({TOOL: poses(20).astype(np.float32)})
    assert found.q.dtype == np.float32
    assert found.success.all()
    assert arm().limits.contains(found.q).all()
    distance, angle = missed(arm().frame(TOOL).pose(found.q.astype(float)), poses(20))
    assert max(distance.max(), angle.max()) < 1e-5  # rounding of float32 angles
    mixed = arm().inverse_kinematics({TOOL: poses(2).astype(np.float32)}, arm().neutral())
    assert mixed.q.dtype == np.float64


# ------------------------------------------------------------------ kinds of targets


def test_positions_orientations_and_directions() -> None:
    T, robot = poses(50), arm()
    found = robot.inverse_kinematics({TOOL: T[:, :3, 3]})
    assert found.success.all()
    assert missed(robot.frame(TOOL).pose(found.q), T)[0].max() <= 1.01e-6
    at = np.array((0.1, -0.2, 0.3))
    found = robot.inverse_kinematics({TOOL: Position(T[:, :3, :3] @ at + T[:, :3, 3], at=at)})
    reached = robot.frame(TOOL).pose(found.q)
    points = reached[:, :3, :3] @ at + reached[:, :3, 3]
    assert np.abs(points - T[:, :3, :3] @ at - T[:, :3, 3]).max() <= 1.01e-6
    found = robot.inverse_kinematics({TOOL: Orientation(T[:, :3, :3])})
    assert missed(robot.frame(TOOL).pose(found.q), T)[1].max() <= 1.01e-6
    q = 3.0 * jounce.lie.quaternion.from_rotation(T[:, :3, :3])
    again = robot.inverse_kinematics({TOOL: Orientation(q)})
    np.testing.assert_allclose(again.q, found.q, atol=1e-6)
    found = robot.inverse_kinematics({TOOL: Position(T[:, :3, 3], axes="xz")})
    miss = robot.frame(TOOL).pose(found.q)[:, :3, 3] - T[:, :3, 3]
    assert np.abs(miss[:, (0, 2)]).max() <= 1.01e-6
    assert np.abs(miss[:, 1]).max() > 1e-3


@pytest.mark.parametrize("axis", ["x", "-y", "z", (0.3, -0.5, 0.2)])
def test_an_axis_points_somewhere(axis: Any) -> None:
    robot, goal = arm(), np.random.default_rng(0).normal(size=(30, 3))
    found = robot.inverse_kinematics({TOOL: Direction(goal, axis=axis)})
    assert found.success.all()
    named = {"x": (1, 0, 0), "-y": (0, -1, 0), "z": (0, 0, 1)}
    own = np.array(named[axis] if isinstance(axis, str) else axis, dtype=float)
    along = robot.frame(TOOL).pose(found.q)[:, :3, :3] @ (own / np.linalg.norm(own))
    sine = np.linalg.norm(np.cross(along, goal / np.linalg.norm(goal, axis=1)[:, None]), axis=1)
    assert sine.max() <= 1.01e-6
    assert np.all(np.sum(along * goal, axis=1) > 0.0)


def test_several_targets_of_one_frame_and_of_two() -> None:
    robot, q = arm(), arm().random(3, 30)
    tool, elbow = robot.frame(TOOL).pose(q), robot.frame("link4").pose(q)
    goal = {
        TOOL: [Position(tool[:, :3, 3]), Direction(tool[:, :3, 2])],
        "link4": Position(elbow[:, :3, 3]),
    }
    found = robot.inverse_kinematics(goal)
    assert found.targets == (TOOL, "link4")
    assert found.distances.shape == found.angles.shape == (30, 2)
    assert found.success.all(), str(found)
    reached = robot.frame(TOOL).pose(found.q)
    assert np.abs(reached[:, :3, 2] - tool[:, :3, 2]).max() <= 1.01e-6
    assert np.abs(robot.frame("link4").pose(found.q)[:, :3, 3] - elbow[:, :3, 3]).max() <= 1.01e-6


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi])
def test_turns_of_every_angle(angle: float) -> None:
    """A joint that turns freely gets to where it shall, from half a turn away as well."""
    builder = jounce.TreeBuilder("ball")
    builder.add("ball", "spherical", mass=1.0, inertia_com=np.eye(3))
    robot = jounce.Robot(builder.build())
    rng = np.random.default_rng(int(1e3 * angle))
    axis = rng.normal(size=3)
    turn = exp_so3(axis / np.linalg.norm(axis), angle).astype(float)
    start = random_rotation(rng)
    q0 = jounce.lie.quaternion.from_rotation(start)
    found = robot.inverse_kinematics({"ball": Orientation(start @ turn)}, q0, restarts=0)
    assert found.success, found.reason
    assert abs(np.linalg.norm(found.q) - 1.0) < 1e-12
    opposite = robot.inverse_kinematics({"ball": Direction(-start[:, 2])}, q0, restarts=0)
    assert opposite.success, opposite.reason


def test_weights_decide_where_not_all_can_be_met() -> None:
    robot, far = arm(), np.array((2.0, 0.0, 0.5))
    goal = {TOOL: Position(far, weight=1.0), "link4": Position((0.0, 0.0, 0.3), weight=0.1)}
    first = robot.inverse_kinematics(goal, restarts=5)
    goal = {TOOL: Position(far, weight=0.1), "link4": Position((0.0, 0.0, 0.3), weight=1.0)}
    second = robot.inverse_kinematics(goal, restarts=5)
    assert not first.success
    assert first.distances[0] < second.distances[0]
    assert first.distances[1] > second.distances[1]
    unheard = {TOOL: poses(1)[0], "link4": Position((9.0, 9.0, 9.0), weight=0.0)}
    assert robot.inverse_kinematics(unheard).success


# ------------------------------------------------------------------ posture and limits


def test_a_posture_is_kept_near_as_far_as_targets_allow() -> None:
    robot, rest = arm(), np.array((0.3, 0.4, -0.3, -1.8, 0.2, 1.6, 0.5))
    goal = robot.frame(TOOL).pose(rest + 0.3 * np.random.default_rng(0).normal(size=(30, 7)))
    near = robot.inverse_kinematics({TOOL: goal}, posture=rest, limits=False)
    assert_met(robot, TOOL, near, goal)
    # no motion that moves no target leads nearer
    J = robot.frame(TOOL).jacobian(near.q)
    away = np.einsum("nij,nj->ni", np.eye(7) - np.linalg.pinv(J) @ J, near.q - rest)
    assert np.abs(away).max() < 1e-4
    free = robot.inverse_kinematics({TOOL: goal}, limits=False)
    far, close = (np.linalg.norm(x.q - rest, axis=1) for x in (free, near))
    assert np.all(close < far)
    # those that are dearer stay nearer
    weights = np.where(np.arange(7) == 0, 3.0, 0.1)
    held = robot.inverse_kinematics(
        {TOOL: goal[:, :3, 3]}, posture=rest, posture_weight=weights, limits=False
    )
    loose = robot.inverse_kinematics({TOOL: goal[:, :3, 3]}, posture=rest, limits=False)
    first, other = (np.abs(x.q - rest)[:, 0].mean() for x in (held, loose))
    assert first < 0.5 * other


def test_limits_may_be_others_or_none() -> None:
    robot, T = arm(), poses(30)
    tight = dataclasses.replace(robot.limits, upper=0.5 * robot.limits.upper)
    found = robot.inverse_kinematics({TOOL: T}, limits=tight, restarts=3)
    assert np.all(found.q <= tight.upper)
    assert np.all(found.q >= tight.lower)
    loose = robot.inverse_kinematics({TOOL: T}, robot.limits.upper + 1.0, limits=False, restarts=0)
    assert np.any(loose.q > robot.limits.upper)
    far = robot.inverse_kinematics({TOOL: (5.0, 0.0, 0.0)}, robot.limits.upper + 1.0, restarts=0)
    assert robot.limits.contains(far.q)


def test_mimics_and_every_kind_of_joint() -> None:
    for seed, options in ((1, {"mimic": True}), (2, {"floating": True, "mimic": True}), (3, {})):
        robot = jounce.Robot(random_robot(seed, 7, **options))
        q = robot.random(seed, 20)
        frame = robot.model.body_names[-1]
        goal = robot.frame(frame).pose(q)
        found = robot.inverse_kinematics({frame: goal})
        assert_met(robot, frame, found, goal)


# ------------------------------------------------------------------ humanoids


def test_two_feet_and_the_center_of_mass() -> None:
    robot = jounce.Robot(quiet_read("toro25", base="floating"))
    q = robot.integrate(robot.neutral(), 0.3 * np.random.default_rng(0).normal(size=(10, robot.nv)))
    q = robot.limits.clip(q)
    feet = ("left_sole", "right_sole")
    goal: dict[str, Any] = {name: robot.frame(name).pose(q) for name in feet}
    goal["center_of_mass"] = robot.center_of_mass(q)
    found = robot.inverse_kinematics(goal, robot.neutral())
    assert_met(robot, feet[0], found, goal[feet[0]])
    assert_met(robot, feet[1], found, goal[feet[1]])
    assert np.abs(robot.center_of_mass(found.q) - goal["center_of_mass"]).max() <= 1.01e-6
    assert np.abs(np.linalg.norm(found.q[:, :4], axis=1) - 1.0).max() < 1e-12


@pytest.mark.parametrize("count", [2, 3, 4])
def test_arrays_are_positions_whatever_the_size_of_the_batch(count: int) -> None:
    robot, q = arm(), arm().random(5, count)
    places = robot.frame(TOOL).pose(q)[:, :3, 3]
    found = robot.inverse_kinematics({TOOL: places})
    assert found.success.all()
    assert found.q.shape == (count, 7)
    assert np.abs(robot.frame(TOOL).pose(found.q)[:, :3, 3] - places).max() <= 1.01e-6
    several = robot.inverse_kinematics({TOOL: np.stack((places, places))})
    assert several.success.shape == (2, count)
    axes = robot.inverse_kinematics({TOOL: Position(0.5 * np.eye(3))})
    assert axes.success.shape == (3,)
    balance = robot.inverse_kinematics({"center_of_mass": np.eye(3)}, restarts=0)
    assert balance.success.shape == (3,)  # it has no orientation


def test_some_coordinates_of_the_center_of_mass() -> None:
    robot, goal = arm(), arm().center_of_mass(arm().random(4, 20))
    found = robot.inverse_kinematics({"center_of_mass": Position(goal, axes="xy")})
    miss = robot.center_of_mass(found.q) - goal
    assert np.abs(miss[:, :2]).max() <= 1.01e-6
    assert np.abs(miss[:, 2]).max() > 1e-3


# ------------------------------------------------------------------ what is wrong


def test_bad_samples_are_reported_and_leave_the_others_alone() -> None:
    T = np.repeat(poses(1), 7, axis=0)
    T[1, 0, 3] = np.nan
    T[2, :3, :3] *= 2.0
    T[3, :3, 0] *= -1.0
    T[4, 3, 0] = 0.5
    T[5, :3, 3] = (9.0, 0.0, 0.0)
    q0 = np.tile(arm().limits.clip(arm().neutral()), (7, 1))
    q0[6, 2] = np.inf
    found = arm().inverse_kinematics({TOOL: T}, q0, restarts=2)
    np.testing.assert_array_equal(found.success, [True] + 6 * [False])
    reasons = found.reason
    assert reasons[0] == ""
    assert reasons[1] == "target 'link7' is not finite"
    assert reasons[2] == reasons[3] == "the orientation of target 'link7' is not a rotation matrix"
    assert reasons[4] == "the last row of target 'link7' is not (0, 0, 0, 1)"
    assert reasons[5].startswith("not reached from 3 starts: 'link7' misses by 8.")
    assert reasons[6] == "q0 is not finite"
    np.testing.assert_array_equal(found.q[1:5], q0[1:5])
    assert np.isnan(found.distances[1:5]).all()
    assert "sample (1,): target 'link7' is not finite" in str(found)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.reason, reasons)
    with pytest.raises(jounce.ModelError, match=r"sample \(1,\): target 'link7' is not finite"):
        arm().inverse_kinematics({TOOL: T}, strict=True)
    with pytest.raises(jounce.ModelError, match="not reached from 1 start: 'link7' misses by"):
        arm().inverse_kinematics({TOOL: T[5]}, restarts=0, strict=True)
    nowhere = arm().inverse_kinematics({TOOL: Direction((0.0, 0.0, 0.0))})
    assert nowhere.reason == "the direction of target 'link7' is zero or not finite"
    nowhere = arm().inverse_kinematics({TOOL: Orientation((0.0, 0.0, 0.0, 0.0))})
    assert nowhere.reason == "the quaternion of target 'link7' is zero"


def test_a_frame_that_is_not_there_is_reported_too() -> None:
    found = arm().inverse_kinematics({TOOL: poses(3), "hand": np.eye(4), 3: (1.0, 2.0, 3.0)})  # pyright: ignore[reportArgumentType]
    assert found.q.shape == (3, 7)
    assert not found.success.any()
    assert found.iterations.max() == 0
    for reason in found.reason:
        assert reason.startswith("robot 'franka' has no frame 'hand'; choose one of base, link1")
        assert reason.endswith("or 'center_of_mass'")
    with pytest.raises(jounce.ModelError, match="has no frame 'hand'"):
        arm().inverse_kinematics({"hand": np.eye(4)}, strict=True)


def test_large_batches_go_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = arm().inverse_kinematics({TOOL: poses(20)})
    monkeypatch.setattr(solver, "_CHUNK_SAMPLES", 8)
    parts = arm().inverse_kinematics({TOOL: poses(20)})
    np.testing.assert_allclose(parts.q, whole.q, atol=1e-11)
    np.testing.assert_array_equal(parts.iterations, whole.iterations)


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ({}, {}, "targets must be a mapping"),
        ([1.0, 2.0], {}, "targets must be a mapping"),
        (
            {TOOL: np.eye(3)},
            {},
            r"shape \(3, 3\) are read as positions, but this one is a rotation",
        ),
        ({TOOL: np.eye(3)[[[1, 2, 0]] * 2]}, {}, r"use jounce\.Orientation\(...\), or"),
        ({TOOL: np.zeros(5)}, {}, r"a pose \(..., 4, 4\), a position .* found shape \(5,\)"),
        ({TOOL: Pose(np.eye(3))}, {}, r"must have shape \(..., 4, 4\), found \(3, 3\)"),
        ({TOOL: Orientation(np.zeros(3))}, {}, r"a quaternion \(..., 4\), found shape \(3,\)"),
        ({TOOL: Direction((1, 0, 0), axis="w")}, {}, "axis must be x, y, z"),
        ({TOOL: Position((1, 0, 0), axes="xw")}, {}, "axes must be some of"),
        ({TOOL: Position((1, 0, 0), weight=-1)}, {}, "weights must be finite and >= 0"),
        ({"center_of_mass": np.eye(4)}, {}, "the center of mass takes only a position"),
        ({TOOL: np.eye(4)}, {"q0": np.zeros(3)}, r"argument 'q0' must have shape \(..., 7\)"),
        ({TOOL: np.zeros((4, 3))}, {"q0": np.zeros((2, 7))}, "do not broadcast: link7 .4,., q0"),
        ({TOOL: np.eye(4)}, {"tolerance": 0}, "tolerance must be a number > 0"),
        ({TOOL: np.eye(4)}, {"iterations": -1}, "iterations must be an integer"),
        ({TOOL: np.eye(4)}, {"restarts": 1.5}, "restarts must be an integer"),
        ({TOOL: np.eye(4)}, {"limits": 3}, "limits must be True, False"),
        ({TOOL: np.eye(4)}, {"rng": "a"}, "rng must be"),
        ({TOOL: np.eye(4)}, {"posture": np.zeros(7), "posture_weight": -1}, "posture_weight must"),
    ],
)
def test_calls_that_mean_nothing(targets: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(jounce.ArgumentError, match=message):
        arm().inverse_kinematics(targets, **options)


def test_kernels_are_made_once_and_further_arrays_are_taken() -> None:
    robot = jounce.Robot(quiet_read("planar_2r"))
    tip = robot.model.frame_names[-1]
    goal = robot.frame(tip).pose(robot.random(0, 5))
    robot.inverse_kinematics({tip: goal})
    made = dict(vars(robot)["_searches"])
    robot.inverse_kinematics({tip: goal.tolist()}, limits=False, tolerance=(1e-3, 1e-4))
    assert vars(robot)["_searches"] == made
    robot.inverse_kinematics({tip: goal[:, :3, 3]})
    assert len(vars(robot)["_searches"]) == len(made) + 1
    with pytest.raises(TypeError, match=r"it is called as planar_2r\.inverse_kinematics"):
        robot.inverse_kinematics()  # pyright: ignore[reportCallIssue]
