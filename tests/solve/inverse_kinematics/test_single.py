"""Single calls of inverse kinematics: what batches find, without the batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce import Pose, Position
from jounce.solve.inverse_kinematics import solver
from solve.inverse_kinematics.test_inverse_kinematics import TOOL, arm, poses
from support.helpers import quiet_read, random_robot
from support.mechanisms import mechanism

FIELDS = ("q", "success", "distances", "angles", "gap", "iterations", "restarts")


def assert_as_in_batch(robot: Any, targets: Any, q0: Any = None, **options: Any) -> Any:
    """A single call finds what it finds as one of two samples, without the code for batches."""
    pairs = {name: _repeated(x) for name, x in targets.items()}
    batch = robot.inverse_kinematics(pairs, q0, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(solver, "_solve_batch")
        single = robot.inverse_kinematics(targets, q0, **options)
    for name in FIELDS:
        ours, theirs = getattr(single, name), np.asarray(getattr(batch, name)[1])
        assert ours.shape == theirs.shape, name
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-9, err_msg=name)
    assert single.targets == batch.targets
    assert single.reason == batch.reason[1]
    return single


def _repeated(x: Any) -> Any:
    if isinstance(x, Pose):
        return Pose(_repeated(x.pose), x.weight, x.angle_weight)
    if isinstance(x, Position):
        return Position(_repeated(x.position), x.weight)
    return np.stack((x, x))


def test_poses_and_positions_of_an_arm() -> None:
    robot, T = arm(), poses(40)
    near = robot.limits.clip(robot.random(1, 40) + 0.02)
    restarts = 0
    for k in range(12):
        restarts += int(assert_as_in_batch(robot, {TOOL: T[k]}).restarts)
        assert_as_in_batch(robot, {TOOL: T[k, :3, 3]}, near[k], tolerance=(1e-4, 1e-3))
        found = assert_as_in_batch(robot, {TOOL: T[k]}, near[k], restarts=0)
        assert found.success
        assert found.iterations <= 4
    assert restarts > 0
    every = {TOOL: Pose(T[0], weight=2, angle_weight=0.5), "link4": Position(T[1, :3, 3], 0.1)}
    found = assert_as_in_batch(robot, every, restarts=3)
    assert found.targets == (TOOL, "link4")
    assert not found.success


def test_limits_iterations_and_targets_out_of_reach() -> None:
    robot, far = arm(), poses(1)[0].copy()
    far[:3, 3] = (3.0, 0.0, 0.0)
    for options in ({"restarts": 7}, {"iterations": 5, "restarts": 1}, {"iterations": 0}):
        found = assert_as_in_batch(robot, {TOOL: far}, robot.limits.upper + 1.0, **options)
        assert robot.limits.contains(found.q)
    with pytest.raises(jounce.ModelError, match="inverse_kinematics: not reached from 1 start"):
        robot.inverse_kinematics({TOOL: far}, restarts=0, strict=True)


def test_postures() -> None:
    robot, rest = arm(), np.array((0.3, 0.4, -0.3, -1.8, 0.2, 1.6, 0.5))
    goal = robot.frame(TOOL).pose(rest + 0.2)
    near = assert_as_in_batch(robot, {TOOL: goal[:3, 3]}, posture=rest)
    far = assert_as_in_batch(robot, {TOOL: goal[:3, 3]}, rest - 0.5, posture=rest, posture_weight=1)
    assert near.success
    assert far.success


def test_generators_are_drawn_from_as_by_batches() -> None:
    robot, T = arm(), poses(40)
    hard = int(np.argmax(robot.inverse_kinematics({TOOL: T}).restarts))
    rngs = np.random.default_rng(5), np.random.default_rng(5)
    one, other = robot.inverse_kinematics({TOOL: T[hard]}, rng=rngs[0]), rngs[1]
    two = robot.inverse_kinematics({TOOL: T[hard : hard + 1]}, rng=other)
    assert one.restarts == two.restarts[0] > 0
    np.testing.assert_array_equal(one.q, two.q[0])
    assert rngs[0].random() == rngs[1].random()
    easy = robot.inverse_kinematics({TOOL: robot.frame(TOOL).pose(one.q)}, one.q, rng=rngs[0])
    assert easy.restarts == 0
    assert rngs[0].random() == rngs[1].random(), "nothing is drawn where nothing is needed"


def test_rotations_that_are_rounded() -> None:
    robot, T = arm(), poses(1)[0].astype(np.float32).astype(float)
    T[3] = (0.0, 0.0, 0.0, 1.0)
    assert assert_as_in_batch(robot, {TOOL: T}).success
    assert assert_as_in_batch(robot, {TOOL: np.asfortranarray(poses(1)[0])}).success


def test_floating_bases_mimics_and_the_center_of_mass() -> None:
    robot = jounce.Robot(quiet_read("toro25", base="floating"))
    q = robot.limits.clip(robot.integrate(robot.neutral(), np.full(robot.nv, 0.1)))
    goal = {name: robot.frame(name).pose(q) for name in ("left_sole", "right_sole")}
    goal["center_of_mass"] = robot.center_of_mass(q)
    assert assert_as_in_batch(robot, goal, robot.neutral()).success
    robot = jounce.Robot(random_robot(1, 7, mimic=True))
    frame = robot.model.body_names[-1]
    assert_as_in_batch(robot, {frame: robot.frame(frame).pose(robot.random(1))})


def test_mechanisms_with_targets_within_reach_and_beyond() -> None:
    closed = mechanism("five_bar")
    place = closed.frame("tool").pose(closed.random(0))[:3, 3]
    assert assert_as_in_batch(closed, {"tool": place}).success
    far = np.array((9.0, 0.0, 0.0))
    found = assert_as_in_batch(closed, {"tool": far}, restarts=2)
    assert closed.gap(found.q) <= closed.tolerance
    miss = np.linalg.norm(closed.frame("tool").pose(found.q)[:3, 3] - far)
    np.testing.assert_allclose(found.distances[0], miss)


def test_numbers_that_are_too_large() -> None:
    for size in (1e160, 1e308):
        found = arm().inverse_kinematics({TOOL: np.full(3, size)}, restarts=1)
        assert not found.success


def test_faults_are_reported_as_of_batches() -> None:
    robot, good = arm(), poses(1)[0]
    faults: list[tuple[Any, str]] = [
        ((0, 3, np.nan), "target 'link7' is not finite"),
        ((1, 1, np.inf), "target 'link7' is not finite"),
        ((2, 2, np.nan), "target 'link7' is not finite"),
        ((3, 0, 0.5), "the last row of target 'link7' is not (0, 0, 0, 1)"),
        ((0, 0, good[0, 0] + 0.1), "the orientation of target 'link7' is not a rotation matrix"),
    ]
    for (i, j, value), message in faults:
        T = good.copy()
        T[i, j] = value
        found = robot.inverse_kinematics({TOOL: T})
        assert found.reason == message
        assert found.iterations == 0
    mirrored = good.copy()
    mirrored[:3, 0] *= -1.0
    assert "not a rotation matrix" in robot.inverse_kinematics({TOOL: mirrored}).reason
    q0 = np.where(np.arange(7) == 2, np.nan, robot.neutral())
    assert robot.inverse_kinematics({TOOL: good}, q0).reason == "q0 is not finite"
    for _ in range(2):
        assert "has no frame 'hand'" in robot.inverse_kinematics({"hand": good}).reason
    unheard = robot.inverse_kinematics({TOOL: good, "link4": Position(good[:3, 3], weight=0.0)})
    assert unheard.success


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ({TOOL: Pose(np.zeros(3))}, r"must have shape \(..., 4, 4\), found \(3,\)"),
        ({TOOL: Position(np.eye(4))}, r"must have shape \(..., 3\), found \(4, 4\)"),
        ({TOOL: Pose(np.eye(4), weight=np.nan)}, "weights must be finite and >= 0"),
        ({"center_of_mass": np.eye(4)}, "the center of mass takes only a position"),
        ({TOOL: np.zeros(4)}, r"found shape \(4,\)"),
    ],
)
def test_targets_that_mean_nothing(targets: Any, message: str) -> None:
    for _ in range(2):
        with pytest.raises(jounce.ArgumentError, match=f"^franka.inverse_kinematics: .*{message}"):
            arm().inverse_kinematics(targets)
