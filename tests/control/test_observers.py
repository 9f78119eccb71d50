"""Observers of external forces: exact filters of them, known wrenches, collisions, disturbances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.errors import ArgumentError
from jounce.robot import Robot
from support.control import ROBOTS, random_state, robot_of, run_as_c
from support.helpers import assert_close, with_friction

BANDWIDTH, PERIOD = 120.0, 1e-3


def observe(robot: Any, observer: Any, external: Any, steps: int, h: float = PERIOD) -> Any:
    """Return the outputs of an observer of a robot that moves freely with external(q) on it."""
    q, v, *_ = random_state(robot)
    state, tau, outputs = observer.initial_state(), np.zeros(robot.nv), []
    for _ in range(steps):
        output, state = observer(state, (q, v, tau), ())
        outputs.append(output)
        tau = robot.gravity_forces(q) - 0.5 * v
        q, v = robot.step(q, v, tau + external(q), h, method="rk4")
    return outputs


@pytest.mark.parametrize("name", ROBOTS)
def test_residuals_are_filtered_external_forces(name: str) -> None:
    """r_k = (1 - c^k) tau_ext with c = 1 / (1 + K h), up to the square of the period."""
    robot, errors = robot_of(name), []
    force = np.random.default_rng(3).standard_normal(robot.nv)
    for h in (1e-3, 5e-4):
        observer = control.momentum_observer(robot, BANDWIDTH, h)
        outputs = observe(robot, observer, lambda q: force, round(0.01 / h) + 1, h)
        shares = 1.0 - (1.0 + BANDWIDTH * h) ** -np.arange(len(outputs))
        errors.append(np.abs(np.array(outputs) - shares[:, None] * force).max())
    assert errors[0] < 2e-3
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_the_momentum_balance_is_exact() -> None:
    """The command is the equation, for any measurement and state."""
    robot = robot_of("floating, mimic")
    q, v, *_ = random_state(robot)
    r, m, tau = np.random.default_rng(4).standard_normal((3, robot.nv))
    observer = control.momentum_observer(robot, BANDWIDTH, PERIOD)
    command, (residual, momentum, started) = observer((r, m, 1.0), (q, v, tau), ())
    p = robot.mass_matrix(q) @ v
    f = robot.coriolis_matrix(q, v).T @ v - robot.gravity_forces(q)
    average = (p - 0.5 * PERIOD * f - m) / PERIOD - tau
    share = 1.0 - 1.0 / (1.0 + BANDWIDTH * PERIOD)
    assert_close(command, r + share * (average - r), 1e-12)
    assert np.array_equal(residual, command)
    assert_close(momentum, p + 0.5 * PERIOD * f, 1e-12)
    assert started == 1.0


def test_a_known_wrench_is_estimated_to_a_percent_in_50_ms() -> None:
    robot = robot_of("arm")
    wrench = np.array([0.5, -1.0, 0.3, 10.0, -20.0, 15.0])
    jacobian = robot.frame("tool").jacobian
    observer = control.wrench_observer(robot, "tool", BANDWIDTH, PERIOD)
    outputs = observe(robot, observer, lambda q: jacobian(q).T @ wrench, 51)
    assert (np.abs(outputs[-1] - wrench) < 0.01 * np.abs(wrench)).all()
    assert np.abs(outputs[2] - wrench).max() > 5.0


def test_wrenches_on_several_frames_of_a_floating_base() -> None:
    robot = robot_of("floating, mimic")
    names = robot.model.frame_names[0], robot.model.frame_names[-2]
    task = robot.task_space(*names, rows="position")
    forces = np.array([3.0, -2.0, 1.0, -4.0, 2.0, 5.0])
    observer = control.wrench_observer(robot, names, BANDWIDTH, PERIOD, rows="position")
    outputs = observe(robot, observer, lambda q: task.jacobian(q).T @ forces, 51)
    assert_close(outputs[-1], forces, 0.01)


def test_regularization_bounds_wrenches_at_singular_configurations() -> None:
    robot = robot_of("arm")
    observer = control.wrench_observer(robot, "tool", BANDWIDTH, PERIOD, regularization=1e-2)
    q, v, command = np.zeros(7), np.zeros(7), np.zeros(6)  # stretched upward
    state = observer.initial_state()
    for _ in range(100):
        command, state = observer(state, (q, v, robot.gravity_forces(q) - 1.0), ())
    J = robot.frame("tool").jacobian(q)
    expected = np.linalg.solve(J @ J.T + 1e-2 * np.eye(6), J @ np.ones(7))
    assert np.linalg.matrix_rank(J) < 6
    assert_close(command, expected, 1e-4)


def test_collisions_are_reported_where_they_are_felt() -> None:
    """A force on link 4 is felt by joints before it; a constant one is forgotten."""
    robot = robot_of("arm")
    jacobian = robot.frame("link4").jacobian
    hit = np.array([0.0, 0.0, 0.0, 40.0, 30.0, 20.0])
    detector = control.collision_detector(robot, BANDWIDTH, 0.5, PERIOD)
    free = observe(robot, detector, lambda q: np.zeros(7), 30)
    felt = observe(robot, detector, lambda q: jacobian(q).T @ hit, 30)
    assert np.max(free) < 0.1
    assert (felt[-1][:3] > 1.0).any()
    assert np.max(felt[-1][4:]) < 0.1
    forgetful = control.collision_detector(robot, BANDWIDTH, 0.5, PERIOD, drift_rate=40.0)
    state, q, v = forgetful.initial_state(), robot.random(1), np.zeros(7)
    signals = []
    for _ in range(300):
        signal, state = forgetful(state, (q, v, robot.gravity_forces(q) - 2.0), ())
        signals.append(signal)
    assert np.min(np.max(signals, axis=0)) > 1.5
    assert np.max(signals[-1]) < 1e-3


@pytest.mark.parametrize("name", ["arm", "closed"])
def test_friction_of_the_model_is_no_external_force(name: str) -> None:
    robot: Any = Robot(with_friction(robot_of(name).model, np.random.default_rng(0)))
    robot = robot.closed() if name == "closed" else robot
    observer = control.momentum_observer(robot, BANDWIDTH, PERIOD, friction=True)
    q, v, *_ = random_state(robot)
    tau = np.random.default_rng(1).standard_normal(robot.nv)
    friction = robot.joint_friction(*((q, v) if name == "closed" else (v,)))
    state, command = observer.initial_state(), np.zeros(robot.nv)
    plain = control.momentum_observer(robot, BANDWIDTH, PERIOD)
    for _ in range(2):
        command, after = observer(state, (q, v, tau), ())
        expected, state = plain(state, (q, v, tau - friction), ())
        assert_close(command, expected)
        assert_close(after[1], state[1])
    assert np.abs(command).max() > 0.0


def test_disturbances_are_canceled() -> None:
    """With an unknown load, computed torque alone keeps an offset, and none with the observer."""
    robot, h = jounce.load("planar_2r"), 2e-3
    load, offsets = np.array([2.0, -1.0]), []
    q_d, still = np.array([0.4, 0.7]), np.zeros(2)
    tracking = control.computed_torque(robot, 100.0, 20.0)
    for controller in (tracking, tracking + control.disturbance_observer(robot, 50.0, h)):
        q, v, tau, state = q_d, still, still, controller.initial_state()
        for _ in range(1500):
            tau, state = controller(state, (q, v, tau), (q_d, still, still))
            q, v = robot.step(q, v, tau + load, h)
        offsets.append(np.abs(q - q_d).max())
    assert offsets[0] > 1e-3
    assert offsets[1] < 1e-9
    assert_close(state[0], load, 1e-9)


def measured(robot: Any, observer: Any) -> list[np.ndarray]:
    """A state, a measurement and the gains of an observer."""
    rng = np.random.default_rng(8)
    q, v, *_ = random_state(robot)
    state = [x + 0.1 * rng.standard_normal(x.shape) for x in observer.initial_state()]
    return [*state, q, v, rng.standard_normal(robot.nv), *observer.gains.values()]


def test_exported_c_equals_the_kernel(tmp_path: Path) -> None:
    robot = robot_of("arm")
    observer = control.wrench_observer(robot, "tool", BANDWIDTH, PERIOD)
    values = measured(robot, observer)
    for outputs, tolerance in (
        (run_as_c(observer, values, tmp_path), 1e-12),
        (run_as_c(observer, values, tmp_path, np.float32), 1e-3),
    ):
        for actual, expected in zip(outputs, observer.function(*values), strict=True):
            assert_close(actual, expected, tolerance)


def test_batches_and_gradients() -> None:
    robot = robot_of("arm")
    detector = control.collision_detector(robot, BANDWIDTH, 0.5, PERIOD, drift_rate=2.0)
    rng, n = np.random.default_rng(2), 3
    q, (v, tau) = robot.random(rng, n), rng.standard_normal((2, n, 7))
    state = tuple(x + 0.1 for x in detector.initial_state((n,)))
    commands, after = detector(state, (q, v, tau), ())
    for k in range(n):
        single, left = detector(tuple(x[k] for x in state), (q[k], v[k], tau[k]), ())
        for actual, expected in zip(
            (single, *left), (commands[k], *(x[k] for x in after)), strict=True
        ):
            assert_close(actual, expected, 1e-14)

    values: Any = measured(robot, detector)
    function: Any = detector.function
    lam = [rng.standard_normal(x.shape) for x in function(*values)]
    gradients = function.vjp(*values, *lam)
    for name in ("bandwidth", "threshold", "drift_rate"):
        k = len(values) - len(detector.gains) + list(detector.gains).index(name)
        step = 1e-5 * values[k]
        plus, minus = (
            function(*values[:k], values[k] + sign * step, *values[k + 1 :]) for sign in (1.0, -1.0)
        )
        change = sum(np.sum(x * (a - b)) for x, a, b in zip(lam, plus, minus, strict=True))
        assert_close(np.sum(gradients[k] * step), 0.5 * change, 1e-7)


def test_errors_say_what_is_expected() -> None:
    robot = robot_of("arm")
    with pytest.raises(ArgumentError, match=r"momentum_observer: bandwidth must be > 0"):
        control.momentum_observer(robot, 0.0, PERIOD)
    with pytest.raises(
        ArgumentError, match=r"must be a number or have shape \(6,\), found shape \(7,"
    ):
        control.wrench_observer(robot, "tool", np.full(7, BANDWIDTH), PERIOD)
    with pytest.raises(ArgumentError, match=r"wrench_observer: period must be > 0"):
        control.wrench_observer(robot, "tool", BANDWIDTH, 0.0)
    with pytest.raises(ArgumentError, match=r"threshold must be > 0"):
        control.collision_detector(robot, BANDWIDTH, 0.0, PERIOD)
    with pytest.raises(
        ArgumentError, match=r"move in all directions of the wrenches, found 7 of 12"
    ):
        control.wrench_observer(robot, ("tool", "link4"), BANDWIDTH, PERIOD)
