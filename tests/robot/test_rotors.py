"""Rotors of geared motors: bodies that spin, and what they add to the equations of motion."""

from __future__ import annotations

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from support.helpers import assert_close, quiet_read
from support.zoo import MODELS

J, RATIO = 3e-4, 100.0


def motion(robot: Robot, count: int = 4) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(5)
    return robot.random(rng, count), *rng.standard_normal((3, count, robot.nv))


def added_mass_matrix(robot: Robot, q: np.ndarray, link: str, axis: np.ndarray, row: np.ndarray):
    """Mass matrix of J (n . w) g v + J (g v)^2 / 2, w the angular velocity of the link."""
    carried = axis @ robot.frame(link).jacobian(q)[..., :3, :]  # n . w = carried v
    cross = carried[..., :, None] * row
    return J * (cross + np.swapaxes(cross, -1, -2) + np.outer(row, row))


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", ["kuka_iiwa14", "franka"])
def test_kinetic_energy_of_a_rotor(name: str, base: str) -> None:
    robot = Robot(quiet_read(name, base))
    chain = robot.model.joint_names[-3:]
    first = robot.model.joints[robot.model.joint_names.index(chain[0])]
    link = robot.model.bodies[first.parent].name
    axis = first.placement[:3, :3] @ first.axis
    row = np.zeros(robot.nv)
    row[[robot.joints[joint].v.start for joint in chain[:2]]] = RATIO, -40.0
    geared = robot.with_rotor(chain[:2], J, (RATIO, -40.0))
    q, v, a, _ = motion(robot)
    bare = robot.edit.with_parameters(robot.model.parameters, armature=armature(robot, chain[:2]))
    M = bare.mass_matrix(q) + added_mass_matrix(bare, q, link, axis, row)
    assert_close(geared.mass_matrix(q), M)
    assert_close(geared.gravity_forces(q), bare.gravity_forces(q))
    C = geared.coriolis_matrix(q, v)
    assert_close(geared.mass_matrix.dt(q, v), C + np.swapaxes(C, 1, 2))
    tau = (M @ a[..., None] + C @ v[..., None])[..., 0] + bare.gravity_forces(q)
    assert_close(geared.inverse_dynamics(q, v, a), tau)
    assert_close(geared.inverse_dynamics.dpi(q, v, a) @ geared.model.parameters.ravel(), tau, 1e-11)


def armature(robot: Robot, joints: list[str]) -> np.ndarray:
    """Armature (nv,) of the robot without that of some joints."""
    out = np.zeros(robot.nv)
    for joint in robot.model.joints:
        out[robot.joints[joint.name].v] = 0.0 if joint.name in joints else joint.armature
    return out


def test_armature_misses_the_gyroscopic_torques() -> None:
    robot = jounce.load("kuka_iiwa14")
    geared = robot
    for joint in robot.model.joint_names:
        geared = geared.with_rotor(joint, J, RATIO)
    plain = robot.edit.with_parameters(
        robot.model.parameters, armature=np.full(robot.nv, J * RATIO**2)
    )
    q, v, a, _ = motion(robot)
    M, other = geared.mass_matrix(q), plain.mass_matrix(q)
    assert_close(np.einsum("bii->bi", M), np.einsum("bii->bi", other))
    missed = geared.bias_forces(q, v) - plain.bias_forces(q, v)
    velocity_forces = plain.bias_forces(q, v) - plain.gravity_forces(q)
    assert np.abs(missed).max() > 0.01 * np.abs(velocity_forces).max()
    assert_close(geared.forward_dynamics(q, v, geared.inverse_dynamics(q, v, a)), a, 1e-9)


def test_a_matrix_of_gear_ratios_is_one_rotor_after_the_other() -> None:
    robot = jounce.load("franka")
    wrist = robot.model.joint_names[-2:]
    G = np.array([[50.0, 50.0], [50.0, -50.0]])
    both = robot.with_rotor(wrist, [J, 2 * J], G)
    single = robot.with_rotor(wrist, J, G[0]).with_rotor(wrist, 2 * J, G[1])
    q, v, a, _ = motion(robot)
    assert_close(both.inverse_dynamics(q, v, a), single.inverse_dynamics(q, v, a))


def test_mass_and_position_count_only_if_the_rotor_is_not_included() -> None:
    robot = Robot(MODELS["floating, mimic"]())
    joint = next(x.name for x in robot.model.joints if x.row.single and x.mimic is None)
    q, v, a, _ = motion(robot)
    given = {"mass": 0.02, "position": (0.1, 0.2, 0.3)}
    one, two = robot.with_rotor(joint, J, RATIO), robot.with_rotor(joint, J, RATIO, **given)
    assert_close(one.inverse_dynamics(q, v, a), two.inverse_dynamics(q, v, a), 1e-11)
    heavier = robot.with_rotor(joint, J, RATIO, included=False, **given)
    assert abs(heavier.model.mass - robot.model.mass - 0.02) < 1e-12


def test_mistakes_are_explained() -> None:
    robot = jounce.load("franka")
    joint = robot.model.joint_names[0]
    for arguments, message in (
        (("joint11", J, RATIO), "has no joint 'joint11'; did you mean"),
        ((joint, -J, RATIO), "inertia must be positive"),
        ((joint, J, 0.0), "each motor must drive some joint"),
        (([joint], [J, J], [[RATIO]]), "expected gear_ratio of shape"),
    ):
        with pytest.raises(jounce.ModelError, match=message):
            robot.with_rotor(*arguments)
