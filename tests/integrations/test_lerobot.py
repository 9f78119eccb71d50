"""Kinematics with LeRobot's interface: degrees, joints by name, grippers, weights."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.integrations.lerobot import RobotKinematics

#: Signatures of LeRobot 0.6.1, without types.
SIGNATURES = {
    "__init__": "self urdf_path target_frame_name='gripper_frame_link' joint_names=None",
    "forward_kinematics": "self joint_pos_deg",
    "inverse_kinematics": (
        "self current_joint_pos desired_ee_pose position_weight=1.0 orientation_weight=0.01"
    ),
}

ANGLES = np.array([10.0, -40.0, 25.0, 70.0, -15.0, 35.0, 50.0])


@pytest.fixture(scope="module")
def arm() -> RobotKinematics:
    return RobotKinematics("kuka_iiwa14", "tool")


def test_signatures_are_those_of_lerobot() -> None:
    for name, expected in SIGNATURES.items():
        parameters = inspect.signature(getattr(RobotKinematics, name)).parameters.values()
        words = [x.name if x.default is x.empty else f"{x.name}={x.default!r}" for x in parameters]
        assert " ".join(words) == expected


def test_forward_kinematics(arm: RobotKinematics) -> None:
    assert arm.joint_names == [f"joint{k}" for k in range(1, 8)]
    expected = jounce.load("kuka_iiwa14").frame("tool").pose(np.deg2rad(ANGLES))
    assert np.abs(arm.forward_kinematics(ANGLES) - expected).max() < 1e-14
    with_gripper = np.append(ANGLES, 99.0)
    assert np.array_equal(arm.forward_kinematics(with_gripper), arm.forward_kinematics(ANGLES))
    assert arm.forward_kinematics(np.zeros((2, 3, 7))).shape == (2, 3, 4, 4)


def test_inverse_kinematics(arm: RobotKinematics) -> None:
    pose = arm.forward_kinematics(ANGLES)
    start = np.append(ANGLES + 5.0, [3, 7])
    found = arm.inverse_kinematics(start, pose)
    assert found.shape == (9,)
    assert found[7:].tolist() == [3.0, 7.0]
    assert np.abs(arm.forward_kinematics(found) - pose).max() < 1e-6
    batch = arm.inverse_kinematics(start, np.stack([pose, pose]))
    assert np.abs(batch - found).max() < 1e-6
    integers = arm.inverse_kinematics([10, -40, 25, 70, -15, 35, 50, 4], pose)
    assert integers.dtype == float
    assert np.abs(integers[:7] - ANGLES).max() < 1e-5


def test_weights(arm: RobotKinematics) -> None:
    """Where not all can be reached, the minimum of the weighted squares; zero turns a part off."""
    pose = arm.forward_kinematics(ANGLES)
    turned = pose.copy()
    turned[:3, :3] = pose[:3, :3] @ np.diag([1.0, -1.0, -1.0])
    position = arm.inverse_kinematics(ANGLES, turned, orientation_weight=0.0)
    assert np.abs(position - ANGLES).max() < 1e-6
    turned[:3, 3] += 5.0
    orientation = arm.inverse_kinematics(ANGLES, turned, position_weight=0.0)
    reached = arm.forward_kinematics(orientation)[:3, :3]
    assert np.abs(reached - turned[:3, :3]).max() < 1e-6
    # one joint about z: the angle psi minimizes wp |c - p(psi)|^2 + wo (psi - phi)^2
    door = RobotKinematics("planar_2r", "tool", ["joint1"])
    goal = door.forward_kinematics([40.0])
    goal[:3, 3] = door.forward_kinematics([0.0])[:3, 3]
    psi = np.deg2rad(door.inverse_kinematics([10.0], goal, 0.3, 0.2)[0])
    radius2 = goal[:3, 3] @ goal[:3, 3]
    slope = 2 * 0.3 * radius2 * np.sin(psi) + 2 * 0.2 * (psi - np.deg2rad(40.0))
    assert abs(slope) < 1e-5


def test_joints_by_name() -> None:
    whole = RobotKinematics("kuka_iiwa14", "tool")
    names = ["joint6", "joint2"]
    part = RobotKinematics("kuka_iiwa14", "tool", names)
    angles = np.array([20.0, 50.0])
    every = np.array([0.0, 50.0, 0.0, 0.0, 0.0, 20.0, 0.0])
    pose = whole.forward_kinematics(every)
    assert np.abs(part.forward_kinematics(angles) - pose).max() < 1e-14
    found = part.inverse_kinematics(np.array([15.0, 45.0, 8.0]), pose)
    assert np.abs(found - [20.0, 50.0, 8.0]).max() < 1e-5
    assert part.robot.nv == 2


def test_mimic_joints_follow() -> None:
    builder = jounce.TreeBuilder("hand")
    builder.add("arm", "revolute", joint_name="elbow")
    builder.add("left", "revolute", "arm", joint_name="finger")
    builder.add(
        "right", "revolute", "arm", joint_name="other", mimic=jounce.Mimic("finger", -1.0, 0.0)
    )
    robot = jounce.Robot(builder.build())
    both = RobotKinematics(robot, "right")
    assert both.joint_names == ["elbow", "finger"]
    angle = np.deg2rad(30.0 - 10.0)
    pose = both.forward_kinematics([30.0, 10.0])
    assert np.abs(pose[:2, 0] - [np.cos(angle), np.sin(angle)]).max() < 1e-14
    alone = RobotKinematics(robot, "right", ["elbow"])
    assert np.abs(alone.forward_kinematics([20.0]) - pose).max() < 1e-14


def test_mistakes(arm: RobotKinematics) -> None:
    with pytest.raises(jounce.ArgumentError, match="found 'joint8'; did you mean 'joint"):
        RobotKinematics("kuka_iiwa14", "tool", ["joint8"])
    with pytest.raises(jounce.JounceError, match="gripper_frame_link"):
        RobotKinematics("kuka_iiwa14")
    with pytest.raises(jounce.ArgumentError, match=r"positions of 7 joints, found shape \(6,\)"):
        arm.forward_kinematics(np.zeros(6))
    with pytest.raises(jounce.ArgumentError, match="'tool' is not finite"):
        arm.inverse_kinematics(ANGLES, np.full((4, 4), np.nan))
    with pytest.raises(jounce.ArgumentError, match=r"found -1\.0 and 0\.01"):
        arm.inverse_kinematics(ANGLES, np.eye(4), -1.0)


def test_same_poses_as_lerobot(tmp_path: Path) -> None:
    """The robot of LeRobot's class is placo's, so this compares with placo."""
    placo = pytest.importorskip("placo")
    path = jounce.load("kuka_iiwa14").export.urdf(tmp_path / "arm.urdf")
    robot = placo.RobotWrapper(str(path))
    ours = RobotKinematics(path, "link7")
    assert ours.joint_names == list(robot.joint_names())
    for name, angle in zip(ours.joint_names, np.deg2rad(ANGLES), strict=True):
        robot.set_joint(name, angle)
    robot.update_kinematics()
    expected = robot.get_T_world_frame("link7")
    assert np.abs(ours.forward_kinematics(ANGLES) - expected).max() < 1e-14
