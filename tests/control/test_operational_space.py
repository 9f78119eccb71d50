"""Operational-space control and Cartesian impedance: error dynamics, energies, priorities."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.errors import ArgumentError
from jounce.formulas import tracking
from jounce.math import lie
from support.control import random_state, robot_of
from support.helpers import assert_close, objects

KP, KD = 40.0, 9.0

#: Robots with the frames of their tasks and the rows of these.
TASKS = {
    "arm": {"tool": "pose"},
    "closed": {"tool": "position"},
    "floating, mimic": {"tool": "pose", "body4": "position"},
    "every kind": {"tool": "pose", "body3": "orientation"},
}


def tasks_of(name: str) -> list[control.FrameTask]:
    return [control.FrameTask(frame, rows, kp=KP, kd=KD) for frame, rows in TASKS[name].items()]


def goals(robot: Any, tasks: Any, q: np.ndarray, seed: int = 3) -> Any:
    """References near the frames at q, which move."""
    rng, out = np.random.default_rng(seed), []
    for task in tasks:
        x, *rates = task.hold(robot, q)
        if task.rows == "position":
            x = x + 0.1 * rng.standard_normal(3)
        else:
            x = x @ lie.exp_pose(0.2 * rng.standard_normal(6))[: len(x), : len(x)]
        out += [x, *(rng.standard_normal(rate.shape) for rate in rates)]
    return tuple(out)


class Frame:
    """Motion of a frame and its error from the reference, in the axes of the task."""

    def __init__(self, robot: Any, task: Any, q: Any, v: Any, goal: Any) -> None:
        frame, (x_d, v_d, a_d) = robot.frame(task.frame), goal
        if task.rows == "position":
            self.J, self.J_rate = (x[3:] for x in frame.jacobian_mixed.rates(1)(q, v))
            self.e, self.w, self.w_rate = x_d - frame.pose(q)[:3, 3], v_d, a_d
            self.e_rate = self.w - self.J @ v
            return
        J, J_rate = frame.jacobian.rates(1)(q, v)
        if task.rows == "orientation":  # wherever the reference is
            x_d = np.block([[x_d, np.ones((3, 1))], [np.zeros((1, 3)), 1.0]])
            v_d, a_d = np.r_[v_d, 1.0, 2.0, 3.0], np.r_[a_d, 3.0, 2.0, 1.0]
        inputs = map(objects, (frame.pose(q), J @ v, x_d, v_d, a_d))
        error = [x.astype(float) for x in tracking.pose_tracking_error(*inputs)]
        n = 3 if task.rows == "orientation" else 6
        self.J, self.J_rate = J[:n], J_rate[:n]
        self.e, self.e_rate, self.w, self.w_rate = (x[:n] for x in error)


def frames_of(robot: Any, tasks: Any, q: Any, v: Any, reference: Any) -> list[Frame]:
    return [Frame(robot, x, q, v, reference[3 * k : 3 * k + 3]) for k, x in enumerate(tasks)]


def expected_acceleration(frame: Frame, v: np.ndarray) -> np.ndarray:
    return frame.w_rate + KD * (frame.w - frame.J @ v) + KP * frame.e


def constrained(robot: Any) -> slice:
    """Directions in which the five-bar's tool can move; all of other robots."""
    return slice(2) if hasattr(robot, "reference") else slice(None)


@pytest.mark.parametrize("name", TASKS)
def test_errors_of_frames_are_linear(name: str) -> None:
    """The forward dynamics under the law have the accelerations that it promises."""
    robot, tasks = robot_of(name), tasks_of(name)
    q, v, *_ = random_state(robot)
    reference = goals(robot, tasks, q)
    actuated = [x for x, view in robot.joints.items() if view.joint.mimic is None]
    controller = control.operational_space(robot, tasks, actuated=actuated)
    tau, _ = controller((), (q, v), reference)
    a = robot.forward_dynamics(q, v, tau)
    for frame in frames_of(robot, tasks, q, v, reference):
        found = frame.J @ a + frame.J_rate @ v
        expected, moves = expected_acceleration(frame, v), constrained(robot)
        assert_close(found[moves], expected[moves], 1e-10)


@pytest.mark.parametrize("name", ["arm", "closed"])
def test_the_task_force_is_that_of_the_task_space(name: str) -> None:
    """Without posture, tau = J^T (Lambda a + mu) + N^T h with the quantities of the task."""
    robot, tasks = robot_of(name), tasks_of(name)
    q, v, *_ = random_state(robot)
    reference = goals(robot, tasks, q)
    tau, _ = control.operational_space(robot, tasks)((), (q, v), reference)
    (frame,) = frames_of(robot, tasks, q, v, reference)
    R, a = robot.frame("tool").pose(q)[:3, :3], expected_acceleration(frame, v)
    rows, turn = np.array([True] * 6), np.eye(6)
    if name == "closed":
        rows, turn = np.array([False] * 3 + [True, True, False]), R[:2, :2]
        a = a[:2]
    task = robot.task_space("tool", rows=rows)
    J, J_rate = turn @ task.jacobian(q), frame.J_rate[: len(a)]
    mu_less_drift = task.jacobian_inverse(q).T @ robot.bias_forces(q, v)
    force = turn @ task.inertia(q) @ turn.T @ (a - J_rate @ v) + turn @ mu_less_drift
    h = task.null_space_projector(q).T @ robot.bias_forces(q, v)
    assert_close(tau, J.T @ force + h, 1e-10)


def test_a_posture_moves_in_the_null_space_only() -> None:
    robot, (task,) = robot_of("arm"), tasks_of("arm")
    posture = control.PostureTask(kp=3.0, kd=1.0)
    q, v, *motion = random_state(robot)
    reference = goals(robot, [task], q)
    plain, _ = control.operational_space(robot, task)((), (q, v), reference)
    both = control.operational_space(robot, [task, posture])
    tau, _ = both((), (q, v), (*reference, *motion))
    space = robot.task_space("tool")
    J, N = space.jacobian(q), space.null_space_projector(q)
    change = robot.forward_dynamics(q, v, tau) - robot.forward_dynamics(q, v, plain)
    q_d, v_d, a_d = motion
    wanted = a_d + 1.0 * (v_d - v) + 3.0 * (q_d - q)
    assert np.linalg.norm(change) > 0.1
    assert np.abs(J @ change).max() < 1e-10
    assert_close(change, N @ wanted, 1e-10)


def test_lower_priorities_do_not_disturb_higher_ones() -> None:
    """Two poses of a seven-joint arm conflict: the first is followed exactly, in either order."""
    robot, (tool,) = robot_of("arm"), tasks_of("arm")
    elbow = control.FrameTask("link4", kp=KP, kd=KD)
    q, v, *_ = random_state(robot)
    for tasks in ([tool, elbow], [elbow, tool]):
        reference = goals(robot, tasks, q)
        tau, _ = control.operational_space(robot, tasks)((), (q, v), reference)
        a = robot.forward_dynamics(q, v, tau)
        first, second = frames_of(robot, tasks, q, v, reference)
        missed = [
            frame.J @ a + frame.J_rate @ v - expected_acceleration(frame, v)
            for frame in (first, second)
        ]
        if tasks[0] is tool:
            assert np.abs(missed[0]).max() < 1e-9
        else:  # link4 has four joints: two of its rows depend on the others, and give way
            assert np.sum(np.abs(missed[0]) < 1e-9) >= 3
        assert np.abs(missed[1]).max() > 1.0
        assert np.abs(tau).max() < 1e4


def test_feasible_tasks_are_all_followed() -> None:
    robot = robot_of("floating, mimic")
    tasks = [*tasks_of("floating, mimic"), control.PostureTask()]
    q, v, *motion = random_state(robot)
    reference = (*goals(robot, tasks[:2], q), *motion)
    everything = [x for x, view in robot.joints.items() if view.joint.mimic is None]
    results = []
    for order in ((0, 1), (1, 0)):
        chosen = [*(tasks[k] for k in order), tasks[2]]
        values = [x for k in order for x in reference[3 * k : 3 * k + 3]]
        controller = control.operational_space(robot, chosen, actuated=everything)
        results.append(controller((), (q, v), (*values, *motion))[0])
    assert_close(results[0], results[1], 1e-9)


def test_the_center_of_mass_and_the_momentum_are_tasks() -> None:
    robot, rng = robot_of("floating, mimic"), np.random.default_rng(5)
    q, v, *_ = random_state(robot)
    x_d, v_d, a_d, angular_d, rate_d = rng.standard_normal((5, 3))
    tasks = [control.CenterOfMassTask(kp=KP, kd=KD), control.MomentumTask(kd=KD)]
    actuated = [x for x, view in robot.joints.items() if view.joint.mimic is None]
    controller = control.operational_space(robot, tasks, actuated=actuated)
    momentum = np.r_[angular_d, np.zeros(3)], np.r_[rate_d, np.zeros(3)]
    tau, _ = controller((), (q, v), (x_d, v_d, a_d, *momentum))
    a = robot.forward_dynamics(q, v, tau)
    x, rate, second = robot.center_of_mass.rates(2)(q, v, a)
    assert_close(second, a_d + KD * (v_d - rate) + KP * (x_d - x), 1e-10)
    # the linear momentum depends on the center of mass, which comes first
    h, h_rate = robot.centroidal_momentum.rates(1)(q, v, a)
    assert_close(h_rate[:3], rate_d + KD * (angular_d - h[:3]), 1e-9)


def test_a_free_floating_base_needs_no_forces() -> None:
    """With the generalized Jacobian, the hand of a free-floating robot follows its reference."""
    robot = jounce.load("kuka_iiwa14", base="floating")
    task = control.FrameTask("tool", kp=KP, kd=KD)
    q, v, *motion = random_state(robot)
    controller = control.operational_space(robot, [task, control.PostureTask()])
    reference = goals(robot, [task], q)
    tau, _ = controller((), (q, v), (*reference, *motion))
    assert np.array_equal(tau[:6], np.zeros(6))
    (frame,) = frames_of(robot, [task], q, v, reference)
    a = robot.forward_dynamics(q, v, tau)
    assert_close(frame.J @ a + frame.J_rate @ v, expected_acceleration(frame, v), 1e-10)


def test_forces_are_bounded_where_a_frame_is_singular() -> None:
    """A stretched arm: rows that are independent stay exact, the others give way."""
    robot, (task,) = robot_of("arm"), tasks_of("arm")
    q, v, u = np.zeros(7), np.zeros(7), np.array([0.3, 0.2, 0.1, 0.1, -0.2, 0.3])
    T, *_ = task.hold(robot, q)
    controller = control.operational_space(robot, task)
    norms = []
    for bend in (0.0, 1e-6, 1e-3):
        q[3] = bend
        tau, _ = controller((), (q, v), (T, np.zeros(6), u))
        norms.append(np.linalg.norm(tau - robot.gravity_forces(q)))
    assert np.isfinite(norms).all()
    assert max(norms) < 1e4
    firm = controller.with_gains(regularization=1e-12)
    loose, _ = firm((), (q, v), (T, np.zeros(6), u))
    assert np.linalg.norm(loose - robot.gravity_forces(q)) > 5.0 * norms[-1]


def impedance(name: str) -> tuple[Any, Any, Any, np.ndarray, np.ndarray]:
    robot, tasks = robot_of(name), tasks_of(name)
    size = sum(6 if task.rows == "pose" else 3 for task in tasks)
    rng = np.random.default_rng(7)
    K, D = rng.uniform(50.0, 200.0, size), rng.uniform(5.0, 20.0, size)
    controller = control.cartesian_impedance(
        robot,
        [task.frame for task in tasks],
        K,
        D,
        rows={task.frame: task.rows for task in tasks},
        posture_stiffness=3.0,
        posture_damping=2.0,
    )
    return robot, tasks, controller, K, D


@pytest.mark.parametrize("name", ["arm", "floating, mimic", "every kind"])
def test_frames_move_as_masses_on_springs(name: str) -> None:
    """Lambda d(V - w)/dt + (C_task + D) (V - w) = spring, and its energy decays as it should."""
    robot, tasks, controller, K, D = impedance(name)
    q, v, q_d, *_ = random_state(robot)
    reference = goals(robot, tasks, q)
    tau, _ = controller((), (q, v), (*reference, q_d))
    a = robot.forward_dynamics(q, v, tau)
    frames = frames_of(robot, tasks, q, v, reference)
    J, J_rate, w, w_rate, e, e_rate = (
        np.concatenate([getattr(frame, x) for frame in frames])
        for x in ("J", "J_rate", "w", "w_rate", "e", "e_rate")
    )
    M, C, _ = robot.equations_of_motion(q, v)
    M_rate = robot.mass_matrix.rates(1)(q, v)[1]
    solved = np.linalg.solve(M, J.T)
    Lambda = np.linalg.inv(J @ solved)
    Jbar = solved @ Lambda
    C_task = (Jbar.T @ C - Lambda @ J_rate) @ Jbar
    Jbar_rate = J_rate @ solved - solved.T @ M_rate @ solved + solved.T @ J_rate.T
    Lambda_rate = -Lambda @ Jbar_rate @ Lambda
    assert_close(C_task + C_task.T, Lambda_rate, 1e-10)
    error, acceleration = J @ v - w, J @ a + J_rate @ v - w_rate
    rest = Lambda @ acceleration + (C_task + np.diag(D)) @ error
    power = error @ Lambda @ acceleration + 0.5 * error @ Lambda_rate @ error + e @ (K * e_rate)
    assert_close(power, -error @ (D * error), 1e-10)
    start = 0
    for frame, task in zip(frames, tasks, strict=True):  # the spring in each direction
        n = len(frame.e)
        part = slice(start, start + n)
        spring = K[part] * frame.e
        if task.rows != "position":
            e = frame.e if n == 6 else np.r_[frame.e, np.zeros(3)]
            spring = lie.pose_jacobian_inverse(objects(e)).astype(float)[:n, :n].T @ spring
        assert_close(rest[part], spring, 1e-9)
        start += n


def test_impedance_of_a_mechanism_in_its_plane() -> None:
    """A dependent third direction adds its spring and damper, and no inertia."""
    robot, tasks, controller, K, D = impedance("closed")
    q, v, q_d, *_ = random_state(robot)
    reference = goals(robot, tasks, q)[0], np.zeros(3), np.zeros(3)
    tau, _ = controller((), (q, v), (*reference, q_d))
    (frame,) = frames_of(robot, tasks, q, v, reference)
    a = robot.forward_dynamics(q, v, tau)
    J, J_rate = frame.J[:2], frame.J_rate[:2]
    M, C = robot.mass_matrix(q), robot.coriolis_matrix(q, v)
    inverse = np.linalg.inv(J)  # two joints, two directions
    Lambda = inverse.T @ M @ inverse
    C_task = (inverse.T @ C - Lambda @ J_rate) @ inverse
    forces = inverse.T @ frame.J.T @ (K * frame.e - D * (frame.J @ v))
    assert_close(Lambda @ (J @ a + J_rate @ v) + C_task @ (J @ v), forces, 1e-9)


def test_the_posture_keeps_its_energy_from_the_frames() -> None:
    """The kinetic energy in the null space changes by the posture's forces only."""
    robot, tasks, controller, *_ = impedance("arm")
    q, v, q_d, *_ = random_state(robot)
    reference = (*goals(robot, tasks, q), q_d)
    h, energies, task = 1e-5, [], robot.task_space("tool")
    tau, _ = controller((), (q, v), reference)
    a = robot.forward_dynamics(q, v, tau)
    projector = task.null_space_projector
    for t in (h, -h):
        moved, u = robot.integrate(q, t * v + 0.5 * t * t * a), v + t * a
        inside = projector(moved) @ u
        energies.append(0.5 * inside @ robot.mass_matrix(moved) @ inside)
    inside = projector(q) @ v
    power = inside @ (3.0 * robot.difference(q, q_d) - 2.0 * inside)
    assert_close((energies[0] - energies[1]) / (2.0 * h), power, 1e-6)
    other, _ = controller.with_gains(posture_stiffness=50.0)((), (q, v), reference)
    change = robot.forward_dynamics(q, v, other) - a
    assert np.linalg.norm(change) > 0.1
    assert np.abs(task.jacobian(q) @ change).max() < 1e-10


CONTROLLERS = {
    "operational_space": lambda robot: control.operational_space(
        robot, [control.FrameTask("tool", kp=KP, kd=KD), control.PostureTask()]
    ),
    "cartesian_impedance": lambda robot: control.cartesian_impedance(
        robot, "tool", 100.0, 10.0, posture_stiffness=3.0, posture_damping=2.0
    ),
}


@pytest.mark.parametrize("law", CONTROLLERS)
def test_batches_precision_gradients_and_pickles(law: str) -> None:
    robot, rng = robot_of("arm"), np.random.default_rng(4)
    controller = CONTROLLERS[law](robot)
    task, samples = control.FrameTask("tool"), []
    for seed in range(3):
        q, v, *motion = random_state(robot, seed)
        samples.append((q, v, *goals(robot, [task], q, seed), *motion))
    batch = [np.stack(x) for x in zip(*samples, strict=True)]
    commands, _ = controller((), tuple(batch[:2]), tuple(batch[2:]))
    for sample, command in zip(samples, commands, strict=True):
        assert_close(controller((), sample[:2], sample[2:])[0], command, 1e-12)

    sample = samples[0]
    single = [x.astype(np.float32) for x in sample]
    command, _ = controller((), tuple(single[:2]), tuple(single[2:]))
    assert command.dtype == np.float32
    assert_close(command, commands[0], 2e-3)

    copy = pickle.loads(pickle.dumps(controller))
    assert np.array_equal(copy((), sample[:2], sample[2:])[0], commands[0])

    function: Any = controller.function
    gains = list(controller.gains.values())
    used = len(controller.arguments["reference"])
    values = [*sample[: 2 + used], *gains]
    lam = rng.standard_normal(7)
    gradients = function.vjp(*values, lam)
    for k in range(2 + used, len(values) - 1):  # linear in gains, except for the regularization
        step = rng.standard_normal(values[k].shape)
        plus, minus = (
            function(*values[:k], values[k] + sign * step, *values[k + 1 :]) for sign in (1, -1)
        )
        assert_close(np.sum(gradients[k] * step), 0.5 * lam @ (plus - minus), 1e-9)


def test_errors_say_what_is_expected() -> None:
    robot, task, posture = robot_of("arm"), control.FrameTask("tool"), control.PostureTask()
    with pytest.raises(ArgumentError, match=r"PostureTask after them at most, found posture, tool"):
        control.operational_space(robot, [posture, task])
    with pytest.raises(ArgumentError, match=r"expected tasks, .* found none"):
        control.operational_space(robot, [])
    with pytest.raises(ArgumentError, match=r"expected each task once"):
        control.operational_space(robot, [task, task])
    with pytest.raises(ArgumentError, match=r"actuated: no joint 'elbow'"):
        control.operational_space(robot, task, actuated=["elbow"])
    with pytest.raises(ArgumentError, match=r"regularization must be a number between 0 and 1"):
        control.operational_space(robot, task, regularization=0.0)
    with pytest.raises(ArgumentError, match=r"rows of these only"):
        control.cartesian_impedance(robot, "tool", 1.0, 1.0, rows={"link4": "pose"})
    with pytest.raises(ArgumentError, match=r"stiffness must be a finite number or 6"):
        control.cartesian_impedance(robot, "tool", [1.0] * 3, 1.0)
    stuck = control.operational_space(robot, control.FrameTask("link0"))
    with pytest.raises(ArgumentError, match=r"directions that no joint moves; expected a frame"):
        stuck((), (np.zeros(7), np.zeros(7)), (np.eye(4), np.zeros(6), np.zeros(6)))
