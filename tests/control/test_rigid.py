"""Controllers of rigid robots: their equations, error dynamics and energies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce import control
from jounce.formulas import tracking
from jounce.math import lie
from jounce.robot import Robot
from support.control import ROBOTS, random_state, robot_of
from support.helpers import assert_close, objects, with_friction


def error_of(robot: Any, *state: np.ndarray) -> tracking.TrackingError:
    error = tracking.tracking_error(robot.tree, *map(objects, state))
    return tracking.TrackingError(*(x.astype(float) for x in error))


def moved(robot: Any, h: float, q: Any, v: Any, a: Any) -> tuple[np.ndarray, np.ndarray]:
    """State after a time h at constant acceleration, to second order."""
    return robot.integrate(q, h * v + 0.5 * h * h * a), v + h * a


@pytest.mark.parametrize("name", ROBOTS)
def test_rates_of_errors_are_derivatives(name: str) -> None:
    robot = robot_of(name)
    q, v, q_d, v_d, a_d = random_state(robot)
    a, h = np.random.default_rng(5).standard_normal(robot.nv), 1e-5
    error = error_of(robot, q, v, q_d, v_d, a_d)
    after, before = (
        error_of(robot, *moved(robot, t, q, v, a), *moved(robot, t, q_d, v_d, a_d), a_d)
        for t in (h, -h)
    )
    assert_close(error.e_rate, (after.e - before.e) / (2 * h), 1e-8)
    assert_close(error.a_d, (after.v_d - before.v_d) / (2 * h), 1e-8)


def test_errors_of_plain_joints_are_differences() -> None:
    robot = robot_of("arm")
    q, v, q_d, v_d, a_d = random_state(robot)
    error = error_of(robot, q, v, q_d, v_d, a_d)
    for found, expected in zip(error, (q_d - q, v_d - v, v_d, a_d), strict=True):
        assert_close(found, expected)


@pytest.mark.parametrize("name", ROBOTS)
def test_computed_torque_makes_the_error_linear(name: str) -> None:
    robot = robot_of(name)
    q, v, *reference = random_state(robot)
    controller = control.computed_torque(robot, 100.0, 20.0)
    a = robot.forward_dynamics(q, v, controller((), (q, v), tuple(reference))[0])
    e = error_of(robot, q, v, *reference)
    expected = e.a_d + 20.0 * (e.v_d - v) + 100.0 * e.e
    assert_close(a, expected, 1e-12 * np.linalg.cond(robot.mass_matrix(q)))


@pytest.mark.parametrize("name", ROBOTS)
def test_pd_plus_and_slotine_li_are_their_equations(name: str) -> None:
    robot = robot_of(name)
    q, v, *reference = random_state(robot)
    e = error_of(robot, q, v, *reference)
    M, C, g = robot.mass_matrix(q), robot.coriolis_matrix(q, v), robot.gravity_forces(q)
    command, _ = control.pd_plus(robot, 30.0, 4.0)((), (q, v), tuple(reference))
    assert_close(command, M @ e.a_d + C @ e.v_d + g + 30.0 * e.e + 4.0 * (e.v_d - v), 1e-12)
    command, _ = control.slotine_li(robot, 4.0, 6.0)((), (q, v), tuple(reference))
    v_r, a_r = e.v_d + 6.0 * e.e, e.a_d + 6.0 * e.e_rate
    assert_close(command, M @ a_r + C @ v_r + g + 4.0 * (v_r - v), 1e-12)


@pytest.mark.parametrize("name", ["arm", "spherical", "closed"])
def test_the_energy_of_pd_plus_decays_as_it_should(name: str) -> None:
    """d/dt (s^T M s / 2 + e^T kp e / 2) = -s^T kd s for the error s of the velocity."""
    robot = robot_of(name)
    q, v, *reference = random_state(robot)
    command, _ = control.pd_plus(robot, 30.0, 4.0)((), (q, v), tuple(reference))
    a = robot.forward_dynamics(q, v, command)
    e = error_of(robot, q, v, *reference)
    s, s_rate = e.v_d - v, e.a_d - a
    M, M_rate = robot.mass_matrix.rates(1)(q, v)
    power = s @ M @ s_rate + 0.5 * s @ M_rate @ s + 30.0 * e.e @ e.e_rate
    assert_close(power, -4.0 * s @ s, 1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_energy_of_slotine_li_decays_as_it_should(name: str) -> None:
    """d/dt (s^T M s / 2) = -s^T kd s, with dM/dt along the motion and the closed-loop ds/dt."""
    robot = robot_of(name)
    q, v, *reference = random_state(robot)
    kd, lam = 4.0, 6.0
    command, _ = control.slotine_li(robot, kd, lam)((), (q, v), tuple(reference))
    a = robot.forward_dynamics(q, v, command)
    e = error_of(robot, q, v, *reference)
    s, s_rate = e.v_d + lam * e.e - v, e.a_d + lam * e.e_rate - a
    M, M_rate = robot.mass_matrix.rates(1)(q, v)
    power = s @ M @ s_rate + 0.5 * s @ M_rate @ s
    assert_close(power, -kd * s @ s, 1e-11)


def test_gravity_compensation_holds_a_robot() -> None:
    robot = robot_of("arm")
    q, v, *_ = random_state(robot)
    command, _ = control.gravity_compensation(robot, kd=2.0)((), (q, v), ())
    assert_close(command, robot.gravity_forces(q) - 2.0 * v, 1e-13)


@pytest.mark.parametrize("name", ROBOTS)
def test_friction_compensation_uses_the_joints_friction(name: str) -> None:
    """That of joints that mimic others, and of dependent joints of mechanisms, too."""
    plain = robot_of(name)
    robot: Any = Robot(with_friction(plain.model, np.random.default_rng(0)))
    robot = robot.closed() if name == "closed" else robot
    _, _, q_d, v_d, _ = random_state(robot)
    speeds = (q_d, v_d) if name == "closed" else (v_d,)
    controller = control.friction_compensation(robot, smoothing=1e-9)
    command, _ = controller((), (), (q_d, v_d))
    assert_close(command, robot.joint_friction(*speeds), 1e-12)
    chosen = control.friction_compensation(robot, damping=0.3, friction=2.0, smoothing=0.1)
    command, _ = chosen.with_gains(damping=0.4)((), (), (q_d, v_d))
    assert_close(command, 0.4 * v_d + 2.0 * v_d / np.sqrt(v_d**2 + 0.01), 1e-12)


def test_a_spherical_joint_follows_a_turning_reference() -> None:
    """On SO(3) the passivity-based law converges to a reference that turns about two axes."""
    robot = robot_of("spherical")
    controller = control.slotine_li(robot, 2.0, 4.0)
    rng = np.random.default_rng(3)
    q, v, q_d, h = robot.random(rng), np.zeros(3), robot.neutral(), 1e-3
    errors = []
    for t in h * np.arange(4000):
        v_d = np.array([np.sin(t), np.cos(2 * t), 0.5])
        a_d = np.array([np.cos(t), -2 * np.sin(2 * t), 0.0])
        errors.append(np.linalg.norm(robot.difference(q, q_d)))
        tau, _ = controller((), (q, v), (q_d, v_d, a_d))
        q, v = robot.step(q, v, tau, h, method="rk4")
        q_d = robot.integrate(q_d, h * v_d + 0.5 * h * h * a_d)
    assert errors[-1] < 2e-3 < errors[0]


def test_rates_of_pose_errors_are_derivatives() -> None:
    rng, h = np.random.default_rng(8), 1e-5
    V, A, V_d, A_d, x, x_d = rng.standard_normal((6, 6))

    def error(t: float) -> tracking.TrackingError:
        poses = [
            lie.exp_pose(start) @ lie.exp_pose(t * twist + 0.5 * t * t * rate)
            for start, twist, rate in ((0.3 * x, V, A), (0.3 * x_d, V_d, A_d))
        ]
        twists = V + t * A, V_d + t * A_d
        inputs = map(objects, (poses[0], twists[0], poses[1], twists[1], A_d))
        return tracking.TrackingError(
            *(x.astype(float) for x in tracking.pose_tracking_error(*inputs))
        )

    now, after, before = error(0.0), error(h), error(-h)
    assert_close(now.e_rate, (after.e - before.e) / (2 * h), 1e-8)
    assert_close(now.a_d, (after.v_d - before.v_d) / (2 * h), 1e-8)
