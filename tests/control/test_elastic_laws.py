"""Controllers of robots with elastic joints: linear error dynamics, energies and equilibria."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import jounce
from jounce import control
from support.control import robot_of
from support.helpers import assert_close


class State(NamedTuple):
    """State of an elastic robot and its reference, with stiffness, inertia and friction."""

    measured: tuple[np.ndarray, ...]
    reference: tuple[np.ndarray, ...]
    K: np.ndarray
    J: np.ndarray
    d: np.ndarray


ROBOTS = ("arm", "closed")


def random_state(robot: Any, seed: int = 0) -> State:
    rng = np.random.default_rng(seed)
    n = robot.nv
    q = robot.reference if hasattr(robot, "reference") else robot.random(rng)
    K, J, d = rng.uniform(2e3, 4e3, n), rng.uniform(0.2, 0.9, n), rng.uniform(0.0, 3.0, n)
    v, v_d, a_d, j_d, s_d, x, dx, e = rng.standard_normal((8, n))
    theta = coordinates(robot, q) + 0.01 * x
    reference = robot.integrate(q, 0.1 * e), v_d, a_d, 5.0 * j_d, 20.0 * s_d
    return State((q, v, theta, v + 0.1 * dx), reference, K, J, d)


def coordinates(robot: Any, q: np.ndarray) -> np.ndarray:
    """Return the coordinates of the independent joints."""
    places = [view.q.start for view in robot.joints.values() if view.joint.mimic is None]
    return q[np.array(places)[list(robot.velocities)]]


class Motion(NamedTuple):
    """Link motion of an elastic robot under motor torques, up to the snap."""

    a: np.ndarray
    j: np.ndarray
    s: np.ndarray
    tau: np.ndarray
    dtau: np.ndarray
    ddtau: np.ndarray


def motion_under(
    robot: Any,
    state: State,
    torque: np.ndarray,
    stiffness: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> Motion:
    """Return the motion from the equations of links, springs and motors."""
    q, v, theta, dtheta = state.measured
    K, dK, ddK = (state.K, 0.0 * state.K, 0.0 * state.K) if stiffness is None else stiffness
    x, dx = theta - coordinates(robot, q), dtheta - v
    tau, dtau = K * x, dK * x + K * dx
    ddtheta = (torque - state.d * dtheta - tau) / state.J
    ddx = ddtheta - robot.forward_dynamics(q, v, tau)
    ddtau = ddK * x + 2.0 * dK * dx + K * ddx
    a, j, s = robot.forward_dynamics.rates(2)(q, v, tau, dtau, ddtau)
    return Motion(a, j, s, tau, dtau, ddtau)


@pytest.mark.parametrize("name", ROBOTS)
def test_feedback_linearization_makes_the_error_linear(name: str) -> None:
    robot = robot_of(name)
    state = random_state(robot)
    q, v, *_ = state.measured
    q_d, v_d, a_d, j_d, s_d = state.reference
    controller = control.feedback_linearization(robot, state.K, state.J, 10.0, damping=state.d)
    torque, _ = controller((), state.measured, state.reference)
    motion = motion_under(robot, state, torque)
    gains = controller.gains
    expected = s_d + gains["k3"] * (j_d - motion.j) + gains["k2"] * (a_d - motion.a)
    expected += gains["k1"] * (v_d - v) + gains["k0"] * robot.difference(q, q_d)
    assert_close(motion.s, expected, 1e-12 * np.linalg.cond(robot.mass_matrix(q)))


@pytest.mark.parametrize("name", ROBOTS)
def test_motion_and_stiffness_are_decoupled(name: str) -> None:
    robot = robot_of(name)
    state = random_state(robot)
    q, v, *_ = state.measured
    q_d, v_d, a_d, j_d, s_d = state.reference
    dK, K_d, dK_d, ddK_d = 100.0 * np.random.default_rng(9).standard_normal((4, robot.nv))
    controller = control.stiffness_decoupling(robot, state.J, 10.0, 5.0, damping=state.d)
    reference = (*state.reference, state.K + K_d, dK_d, ddK_d)
    command, _ = controller((), (*state.measured, state.K, dK), reference)
    torque, ddK = command
    assert_close(ddK, ddK_d + 10.0 * (dK_d - dK) + 25.0 * K_d, 1e-12)
    motion = motion_under(robot, state, torque, (state.K, dK, ddK))
    gains = controller.gains
    expected = s_d + gains["k3"] * (j_d - motion.j) + gains["k2"] * (a_d - motion.a)
    expected += gains["k1"] * (v_d - v) + gains["k0"] * robot.difference(q, q_d)
    assert_close(motion.s, expected, 1e-12 * np.linalg.cond(robot.mass_matrix(q)))


@pytest.mark.parametrize("name", ROBOTS)
def test_the_energy_of_backstepping_decays_as_it_should(name: str) -> None:
    """The rate of the energy, from rates of the outer law along the motion of the closed loop."""
    robot = robot_of(name)
    state = random_state(robot)
    q, v, *_ = state.measured
    q_d, v_d, a_d, j_d, s_d = state.reference
    K, kd, lam, k1, k2 = state.K, 5.0, 4.0, 30.0, 40.0
    controller = control.backstepping(robot, K, state.J, kd, lam, k1, k2, damping=state.d)
    torque, _ = controller((), state.measured, state.reference)
    at = motion_under(robot, state, torque)
    e = robot.difference(q, q_d)
    w = [v_d + lam * e, a_d + lam * (v_d - v), j_d + lam * (a_d - at.a), s_d + lam * (j_d - at.j)]
    r, dr, ddr = v - w[0], at.a - w[1], at.j - w[2]
    # inverse dynamics along the motion, and what C and M miss of the reference motion
    levels = robot.equations_of_motion.rates(2)(q, v, at.a, at.j)
    (M, C, _), (dM, dC, _), (ddM, ddC, _) = (levels[3 * k : 3 * k + 3] for k in range(3))
    outer = [at.tau - M @ dr - C @ r - kd * r]
    outer.append(at.dtau - dM @ dr - M @ ddr - dC @ r - C @ dr - kd * dr)
    dddr = at.s - w[3]
    outer.append(at.ddtau - ddM @ dr - 2.0 * (dM @ ddr) - M @ dddr - ddC @ r - 2.0 * (dC @ dr))
    outer[2] = outer[2] - C @ ddr - kd * ddr
    z, dz, ddz = (x - y for x, y in zip((at.tau, at.dtau, at.ddtau), outer, strict=True))
    y, dy = dz + k1 * z + K * r, ddz + k1 * dz + K * dr
    power = r @ M @ dr + 0.5 * r @ dM @ r + z @ (dz / K) + y @ (dy / K)
    decay = kd * r @ r + k1 * z @ (z / K) + k2 * y @ (y / K)
    assert_close(power, -decay, 1e-9)


@pytest.mark.parametrize("name", ROBOTS)
def test_feedforward_is_the_inverse_dynamics_on_the_reference(name: str) -> None:
    robot = robot_of(name)
    state = random_state(robot)
    q_d, v_d, *_ = state.reference
    motion = robot.elastic_inverse_dynamics(
        *state.reference, state.K, damping=state.d, motor_inertia=state.J
    )
    controller = control.flatness_feedforward(
        robot, state.K, state.J, damping=state.d, kp=50.0, kd=2.0
    )
    measured = q_d, v_d, motion.motor_position + 0.1, motion.motor_velocity - 0.2
    command, _ = controller((), measured, state.reference)
    assert_close(command, motion.motor_torque - 5.0 + 0.4, 1e-11)


def test_feedforward_takes_floating_bases_and_rigid_joints() -> None:
    robot = robot_of("floating, mimic")
    rng = np.random.default_rng(2)
    reference = robot.random(rng), *rng.standard_normal((4, robot.nv))
    motion = robot.elastic_inverse_dynamics(*reference, 500.0, motor_inertia=0.1)
    controller = control.flatness_feedforward(robot, 500.0, 0.1, kp=50.0, kd=2.0)
    theta = np.nan_to_num(motion.motor_position)
    command, _ = controller((), (*reference[:2], theta, motion.motor_velocity), reference)
    assert_close(command, motion.motor_torque, 1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_motor_pd_rests_at_its_goal(name: str) -> None:
    robot = robot_of(name)
    state = random_state(robot)
    q_d, zero = state.reference[0], np.zeros(robot.nv)
    g = robot.gravity_forces(q_d)
    theta = coordinates(robot, q_d) + g / state.K
    controller = control.motor_pd(robot, state.K, 200.0, 20.0, inertia_ratio=3.0, iterations=12)
    command, _ = controller((), (q_d, zero, theta, zero), (q_d,))
    assert_close(command, g, 1e-9)
    q, _, theta, dtheta = state.measured
    command, _ = controller((), state.measured, (q_d,))
    desired = coordinates(robot, q_d) + g / state.K
    at_rest = robot.integrate(q, theta - coordinates(robot, q))
    for _ in range(30):  # the links' equilibrium for these motor positions
        x = theta - robot.gravity_forces(at_rest) / state.K - coordinates(robot, at_rest)
        at_rest = robot.integrate(at_rest, x)
    tau = state.K * (theta - coordinates(robot, q))
    u = 200.0 * (desired - theta) - 20.0 * dtheta + robot.gravity_forces(at_rest)
    assert_close(command, 3.0 * (u - tau) + tau, 1e-9)


def test_rigid_drives_are_refused() -> None:
    robot = robot_of("arm")
    stiffness = [1e3] * 6 + [np.inf]
    with pytest.raises(jounce.ArgumentError, match=r"spring and a motor .* found joint '.*rigid"):
        control.feedback_linearization(robot, stiffness, 0.1, 10.0)
    with pytest.raises(jounce.ArgumentError, match="with no motor inertia"):
        control.backstepping(robot, 1e3, 0.0, 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(jounce.ArgumentError, match="bandwidth must be > 0"):
        control.feedback_linearization(robot, 1e3, 0.1, -1.0)


def test_batches_equal_single_samples() -> None:
    robot = robot_of("arm")
    states = [random_state(robot, seed) for seed in range(3)]
    controller = control.feedback_linearization(robot, 3e3, 0.5, 10.0)
    stacked = [
        tuple(np.stack(x) for x in zip(*group, strict=True))
        for group in ([s.measured for s in states], [s.reference for s in states])
    ]
    commands, _ = controller((), *stacked)
    for command, state in zip(commands, states, strict=True):
        assert_close(command, controller((), state.measured, state.reference)[0], 1e-12)
