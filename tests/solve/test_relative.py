"""Frames seen from other frames, sensors on frames, and inertias of subtrees."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import jounce
from jounce.model.inertia import compose, point_mass, transform
from jounce.robot import Robot
from support.helpers import assert_close, quiet_read
from support.zoo import MODELS

NAMES = ("arm", "floating", "floating, mimic", "mechanism")


@cache
def robot_of(name: str):
    if name == "mechanism":
        return jounce.load("five_bar").closed()
    if name == "arm":
        return jounce.load("kuka_iiwa14")
    return Robot(quiet_read("toro25") if name == "floating" else MODELS[name]())


def state(robot) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    q = robot.reference if hasattr(robot, "reference") else robot.random(rng)
    return [q, *rng.standard_normal((3, robot.nv))]


def pairs(robot) -> list[tuple[str, str]]:
    """Frames on different branches, on one chain, and on the base."""
    names = robot.model.frame_names
    return [(names[-1], names[len(names) // 2]), (names[1], names[-1]), (names[-1], names[0])]


def inverse(T: np.ndarray) -> np.ndarray:
    return np.linalg.inv(T)


@pytest.mark.parametrize("name", NAMES)
def test_motion_of_one_frame_seen_from_another(name: str) -> None:
    robot = robot_of(name)
    q, v, a, j = state(robot)
    for frame, reference in pairs(robot):
        one, other = robot.frame(frame), robot.frame(reference)
        relative = one.relative_to(reference)
        T = inverse(other.pose(q)) @ one.pose(q)
        assert_close(relative.pose(q), T)
        back = inverse(T)
        moved = np.cross(back[:3, 3], np.eye(3)).T  # p x e_k in columns
        Ad = np.block([[back[:3, :3], np.zeros((3, 3))], [moved @ back[:3, :3], back[:3, :3]]])
        J = one.jacobian(q) - Ad @ other.jacobian(q)
        assert_close(relative.jacobian(q), J, floor=1.0)
        assert_close(relative.pose.dq(q), J, floor=1.0)
        V = relative.twist(q, v)
        assert_close(V, one.twist(q, v) - Ad @ other.twist(q, v), 1e-11, floor=1.0)
        A = relative.acceleration(q, v, a)
        assert_close(A, relative.twist.dt(q, v, a), 1e-11, floor=1.0)
        assert relative.acceleration.dt(q, v, a, j).shape == (6,)


@pytest.mark.parametrize("name", NAMES)
def test_inertial_measurement_unit(name: str) -> None:
    robot = robot_of(name)
    q, v, a, _ = state(robot)
    frame = robot.frame(robot.model.frame_names[-1])
    R, found = frame.pose(q)[:3, :3], frame.imu(q, v, a)
    assert_close(found[:3], frame.twist(q, v)[:3])
    acceleration = frame.classical_acceleration_mixed(q, v, a)[3:]
    assert_close(found[3:], R.T @ (acceleration - robot.model.gravity))


@pytest.mark.parametrize("name", ["arm", "floating, mimic"])
def test_force_torque_sensor(name: str) -> None:
    robot = robot_of(name)
    q, v, a, _ = state(robot)
    body = robot.nb - 1
    frame = robot.frame(robot.model.body_names[body])
    wrenches = np.random.default_rng(3).standard_normal((robot.nb, 6))
    assert_close(frame.force_torque(q, v, a), robot.joint_wrenches(q, v, a)[body])
    both = frame.force_torque(q, v, a, wrenches=wrenches)
    assert_close(both, robot.joint_wrenches(q, v, a, wrenches=wrenches)[body])
    alone = frame.load_wrench(q, v, a, robot.model.parameters[body])  # the last body carries none
    assert_close(alone, frame.force_torque(q, v, a))
    other = robot.frame(robot.model.frame_names[-1])
    pull = point_mass(2.0, (0.1, 0.2, 0.3))
    still = other.load_wrench(q, 0 * v, 0 * a, pull)
    force = -2.0 * other.pose(q)[:3, :3].T @ robot.model.gravity
    assert_close(still, np.concatenate((np.cross((0.1, 0.2, 0.3), force), force)))


@pytest.mark.parametrize("name", NAMES)
def test_subtrees_are_rigid_bodies(name: str) -> None:
    robot = robot_of(name)
    q = state(robot)[0]
    T, joints = robot.body_poses(q), robot.model.joints
    inertias, centers = robot.subtree_inertias(q), robot.subtree_centers(q)
    for k in range(len(joints)):
        beyond = {k}
        for i in range(k + 1, len(joints)):
            if joints[i].parent in beyond:
                beyond.add(i)
        poses = (inverse(T[k]) @ T[i] for i in sorted(beyond))
        own = zip(sorted(beyond), poses, strict=True)
        whole = compose(*(transform(robot.model.parameters[i], X) for i, X in own))
        assert_close(inertias[k], whole, 1e-11)
        if whole[0] > 0:
            assert_close(centers[k], T[k][:3, :3] @ whole[1:4] / whole[0] + T[k][:3, 3], 1e-11)
    if name == "arm":
        assert robot.subtree_inertias.dq(q).shape == (7, 10, 7)
        assert_close(robot.subtree_inertias.dpi(q) @ robot.model.parameters.ravel(), inertias)


def test_frames_that_do_not_exist() -> None:
    frame = robot_of("arm").frame("tool")
    with pytest.raises(jounce.ModelError, match="no frame 'linkk3'; did you mean"):
        frame.relative_to("linkk3")
