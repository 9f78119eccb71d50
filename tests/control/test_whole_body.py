"""Whole-body control: constraints and optimality of its solutions, closed loops, and reports."""

from __future__ import annotations

import pickle
import sys
import threading
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.control import whole_body_program as program
from jounce.errors import ArgumentError, ModelError, SolverError
from jounce.model import Contact
from support.control import random_state, robot_of
from support.helpers import assert_close, objects

pytest.importorskip("daqp")

SIZE = (0.1, 0.05)
FRICTION = 0.5
SOLES = ("left_sole", "right_sole")


@cache
def humanoid() -> Any:
    """Return a humanoid with two contacts, and a controller of it."""
    robot = jounce.load("toro25")
    for sole in SOLES:
        robot = robot.edit.with_contact(sole, "surface")
    tasks = [
        control.CenterOfMassTask(10.0),
        control.FrameTask("torso", "orientation"),
        control.PostureTask(0.01),
    ]
    return robot, control.WholeBodyController(robot, tasks, size=SIZE, friction=FRICTION)


@cache
def standing() -> np.ndarray:
    """Return a configuration of the humanoid with bent knees, the center of mass over its feet."""
    robot, _ = humanoid()
    bent = robot.neutral()
    for side in ("left", "right"):
        for joint, angle in (("hip_pitch", -0.5), ("knee_pitch", 1.0), ("ankle_pitch", -0.5)):
            bent[robot.joints[f"{side}_{joint}"].q] = angle
    ground = {s: robot.frame(s).pose(robot.neutral()) for s in SOLES}
    middle = np.array((0.02, 0.0, robot.center_of_mass(bent)[2]))
    targets = {**ground, "center_of_mass": middle, "torso": jounce.Orientation(np.eye(3))}
    bent[6] = -0.1
    return robot.inverse_kinematics(targets, q0=bent, posture=bent, restarts=0, strict=True).q


def moving(seed: int = 0) -> tuple[Any, np.ndarray, np.ndarray, dict[str, Any]]:
    """Return the controller, a state near `standing` with still feet, and a reference."""
    robot, controller = humanoid()
    rng = np.random.default_rng(seed)
    q = robot.integrate(standing(), 0.05 * rng.standard_normal(robot.nv))
    J, v = robot.contacts().contact_jacobian(q), 0.3 * rng.standard_normal(robot.nv)
    reference = controller.hold(standing())
    reference["com"] = (robot.center_of_mass(q) + 0.01, *rng.standard_normal((2, 3)) * 0.1)
    return controller, q, v - np.linalg.pinv(J) @ J @ v, reference


def corner_forces(size: tuple[float, float], mu: float) -> np.ndarray:
    """Return the forces (6, n) at corners of pyramids, in the axes of the ground."""
    signs = (-1.0, 1.0)
    columns = []
    for x, y, s, t in np.array(np.meshgrid(signs, signs, signs, signs)).reshape(4, -1).T:
        force = np.array((mu * s, mu * t, 1.0))
        columns.append(np.r_[np.cross((x * size[0], y * size[1], 0.0), force), force])
    return np.array(columns).T


# ------------------------------------------------------------------ constraints


@pytest.mark.parametrize("seed", range(4))
def test_solutions_satisfy_the_equations_and_limits(seed: int) -> None:
    controller, q, v, reference = moving(seed)
    robot, both = controller.robot, controller.robot.contacts()
    solution = controller.solve(q, v, reference)
    J = both.contact_jacobian(q)
    motion = robot.inverse_dynamics(q, v, solution.a)
    assert_close(solution.tau + J.T @ solution.forces, motion, 1e-11)
    assert_close(J @ solution.a, -both.contact_drift(q, v), 1e-9)
    assert np.array_equal(solution.tau[:6], np.zeros(6))
    assert (np.abs(solution.tau) <= robot.limits.effort * (1 + 1e-9)).all()
    assert solution.success
    assert solution.reason == ""
    for k, pose in enumerate(both.contact_poses(q)):  # soles are tilted: in the ground's axes
        R = pose[:3, :3]
        x = R[:, 0] - R[2, 0] * np.eye(3)[2]
        axes = np.array(
            (x / np.linalg.norm(x), np.cross((0, 0, 1), x) / np.linalg.norm(x), (0, 0, 1))
        )
        m, f = (axes @ R @ part for part in solution.forces.reshape(2, 2, 3)[k])
        slack = 1e-7 * f[2]
        assert (np.abs(f[:2]) <= FRICTION * f[2] + slack).all()
        assert abs(m[1]) <= SIZE[0] * f[2] + slack
        assert abs(m[0]) <= SIZE[1] * f[2] + slack


def test_solutions_are_best() -> None:
    """The conditions of Karush, Kuhn and Tucker hold for the program that the kernel returns."""
    optimize = pytest.importorskip("scipy.optimize")
    controller, q, v, reference = moving()
    H, c, A, lower, upper, _ = controller.function(
        q, v, *(x for values in reference.values() for x in values), *controller.gains.values()
    )
    solution = controller.solve(q, v, reference)
    unit = 9.81 * controller.robot.model.parameters[:, 0].sum()
    x = np.r_[solution.a, solution.forces / unit]
    constraints = np.vstack((np.eye(len(x)), A))
    low, high = (np.abs(constraints @ x - b) < 1e-8 for b in (lower, upper))
    active = np.vstack((constraints[low], -constraints[high]))  # the cost only falls against these
    gradient = H @ x + c
    assert len(np.flatnonzero(low | high)) > np.count_nonzero(lower == upper)
    assert optimize.nnls(active.T, gradient)[1] < 1e-6 * np.abs(gradient).max()


@pytest.mark.parametrize("kind", ["surface", "line"])
def test_friction_rows_are_the_sums_of_corner_forces(kind: str) -> None:
    """Sums satisfy the rows, and all that satisfies the rows is such a sum."""
    optimize = pytest.importorskip("scipy.optimize")
    size, rng = (0.12, 0.05 if kind == "surface" else 0.0), np.random.default_rng(0)
    corners = corner_forces(size, FRICTION)
    F = program.friction_rows(kind, FRICTION, np.array(size)).astype(float)
    sums = corners @ rng.exponential(size=(corners.shape[1], 50)) ** 3
    assert (F @ sums <= 1e-9).all()
    tight = 0
    for _ in range(100):
        f = rng.standard_normal(6) * (size[1], size[0], 0.1, FRICTION, FRICTION, 0.0) * 0.7
        f[5] = 1.0
        allowed = (F @ f <= 0.0).all()
        assert allowed == (optimize.nnls(corners, f)[1] < 1e-9)
        tight += allowed
    assert 5 < tight < 95


@pytest.mark.parametrize("normal", [(0, 0, 2.0), (0, 0, -1.0), (1.0, 0, 0), (0.1, -2.0, -0.3)])
def test_axes_of_the_ground_at_points(normal: tuple[float, ...]) -> None:
    pose = jounce.load("toro25").frame("torso").pose(jounce.load("toro25").random(0))
    axes = program.ground_axes(Contact("foot", 0), objects(pose), objects(normal)).astype(float)
    assert_close(axes @ axes.T, np.eye(3), 1e-14)
    assert np.linalg.det(axes) > 0.0
    assert_close(axes[2], pose[:3, :3].T @ normal / np.linalg.norm(normal), 1e-14)


def test_joints_without_drive_get_no_torque() -> None:
    robot, _ = humanoid()
    passive = "left_elbow_pitch"
    driven = [name for name in robot.joints if name != passive and robot.joints[name].joint.nv == 1]
    tasks = [control.PostureTask(1.0)]
    controller = control.WholeBodyController(robot, tasks, size=SIZE, actuated=driven)
    q, v = standing(), np.zeros(robot.nv)
    solution = controller.solve(q, v, controller.hold(q))
    assert solution.tau[robot.joints[passive].v] == 0.0
    assert abs(solution.a[robot.joints[passive].v]) > 0.01  # it falls
    J = robot.contacts().contact_jacobian(q)
    motion = robot.inverse_dynamics(q, v, solution.a)
    assert_close(solution.tau + J.T @ solution.forces, motion, 1e-11)


# ------------------------------------------------------------------ arms


@cache
def arm() -> Any:
    robot = jounce.load("kuka_iiwa14")
    tasks = [control.PostureTask(1.0, kp=50.0, kd=9.0)]
    return robot, control.WholeBodyController(robot, tasks, regularization=1e-13)


def test_an_arm_follows_computed_torque() -> None:
    robot, controller = arm()
    assert controller.contacts is None
    rng = np.random.default_rng(0)
    q, q_d = 0.1 * rng.standard_normal((2, 20, 7))
    v, v_d, a_d = 0.3 * rng.standard_normal((3, 20, 7))
    expected, _ = control.computed_torque(robot, 50.0, 9.0)((), (q, v), (q_d, v_d, a_d))
    tau, state = controller((), (q, v), {"posture": (q_d, v_d, a_d)})
    assert_close(tau, expected, 1e-9)
    assert state == ()


def test_joints_stop_at_their_limits() -> None:
    robot, controller = arm()
    limits = robot.limits
    h, q, v = 1e-3, np.zeros(7), np.zeros(7)
    goal = np.where(np.arange(7) % 2, limits.upper, limits.lower) * 1.5
    fast = controller.with_gains(torque_limits=np.inf, velocity_limits=2.0, limit_rate=50.0)
    speeds = []
    for _ in range(2500):
        solution = fast.solve(q, v, {"posture": (goal, np.zeros(7), np.zeros(7))})
        v = v + h * solution.a
        q = q + h * v
        speeds.append(np.abs(v).max())
        assert (q < limits.upper + 1e-9).all()
        assert (q > limits.lower - 1e-9).all()
    assert 1.9 < max(speeds) <= 2.0 + 1e-9
    assert np.abs(q - goal / 1.5).max() < 1e-3


# ------------------------------------------------------------------ programs without solution


def test_contacts_that_cannot_hold_are_named() -> None:
    controller, q, _, reference = moving()
    robot, both = controller.robot, controller.robot.contacts()
    J, v = both.contact_jacobian(q), np.r_[np.zeros(5), 50.0, np.zeros(robot.nv - 6)]
    v -= np.linalg.pinv(J) @ J @ v  # upwards, and to be braked faster than the robot can fall
    limit = np.where(np.arange(robot.nv) < 6, np.inf, 0.1)
    weak = controller.with_gains(torque_limits=50.0, velocity_limits=limit)
    with pytest.raises(SolverError, match=r"toro25.*cannot hold together: violated are .*contact"):
        weak.solve(q, v, reference)
    weak.strict = False
    solution = weak.solve(q, v, reference)
    assert not solution.success
    assert "at their limits are torque of" in str(solution.reason)
    assert "friction of 'left_sole', 'right_sole'" in str(solution.reason)
    J = both.contact_jacobian(q)
    motion = robot.inverse_dynamics(q, v, solution.a)
    assert_close(solution.tau + J.T @ solution.forces, motion, 1e-11)
    assert np.abs(solution.tau).max() <= 50.0 * (1 + 1e-6)
    violation = J @ solution.a + both.contact_drift(q, v)
    assert np.abs(violation).max() > 1e-3
    assert f"({np.abs(violation).max():.3g} rad/s^2 or m/s^2)" in str(solution.reason)
    for name, rows in both.rows.items():
        violated = np.abs(violation[rows]).max() > 2e-3
        assert (f"contact '{name}'" in str(solution.reason)) == violated


@pytest.mark.parametrize("speed", [1.0, 10.0, 100.0])
def test_relaxed_programs_have_solutions(speed: float) -> None:
    """However little is possible, equations of motion, torque limits and friction hold."""
    controller = moving()[0].with_gains(
        torque_limits=5.0, velocity_limits=np.where(np.arange(31) < 6, np.inf, 0.1)
    )
    controller.strict = False
    robot, both = controller.robot, controller.robot.contacts()
    failed = 0
    for seed in range(8):
        _, q, v, reference = moving(seed)
        solution = controller.solve(q, speed * v, reference)
        motion = robot.inverse_dynamics(q, speed * v, solution.a)
        forces = both.contact_jacobian(q).T @ solution.forces
        assert_close(solution.tau + forces, motion, 1e-9, floor=100.0)
        assert np.abs(solution.tau).max() <= 5.0 * (1 + 1e-6)
        f = solution.forces.reshape(2, 6)[:, 3:]
        R = both.contact_poses(q)[:, :3, :3]
        assert ((R @ f[..., None])[:, 2, 0] >= -1e-4).all()
        failed += not solution.success
    assert failed >= 4


def test_joints_beyond_their_limits_are_named() -> None:
    _, controller = arm()
    tight = controller.with_gains(torque_limits=1.0)
    tight.strict = False
    q, v = np.zeros(7), np.zeros(7)
    v[1] = 50.0
    solution = tight.solve(q, v, tight.hold(q))
    assert "violated are joint limits of 'joint2'" in str(solution.reason)
    assert "at their limits are torque of 'joint1', 'joint2'" in str(solution.reason)


@pytest.mark.parametrize("place", range(3))
def test_values_that_are_not_finite_are_errors(place: int) -> None:
    controller, *state = moving()
    q, v, reference = (x.copy() for x in state)
    if place == 2:
        reference["com"] = (np.full(3, np.nan), np.zeros(3), np.zeros(3))
    else:
        (q, v)[place][3] = np.nan
    for _ in range(2):
        with pytest.raises(SolverError, match="expected finite numbers, found NaN"):
            controller.solve(q, v, reference)
    assert controller.solve(*state).success


# ------------------------------------------------------------------ calls


def test_batches_are_samples() -> None:
    controller, *_ = moving()
    states = [moving(seed)[1:3] for seed in range(6)]
    q, v = (np.array(x).reshape(2, 3, -1) for x in zip(*states, strict=True))
    reference = moving()[3]
    batch = controller.solve(q, v, reference)
    assert batch.tau.shape == (2, 3, 31)
    assert batch.forces.shape == (2, 3, 12)
    assert batch.success.shape == batch.reason.shape == (2, 3)
    for index in np.ndindex(2, 3):
        single = controller.solve(q[index], v[index], reference)
        assert_close(batch.tau[index], single.tau, 1e-8)
        assert_close(batch.a[index], single.a, 1e-8)
        assert_close(batch.forces[index], single.forces, 1e-8)
    assert controller.solve(q[:0], v[:0], reference).tau.shape == (0, 3, 31)
    v[0, 1, 10] = np.nan
    with pytest.raises(SolverError, match=r"whole_body: .* found NaN .* \(sample 0, 1\)"):
        controller.solve(q, v, reference)


def test_numbers_of_other_types_are_accepted() -> None:
    controller, q, v, reference = moving()
    expected = controller.solve(q.astype(np.float32).astype(float), v, reference)
    found = controller.solve(q.astype(np.float32), v.tolist(), reference)
    assert found.tau.dtype == np.float64
    assert_close(found.tau, expected.tau, 1e-9)


def test_contacts_can_change_from_call_to_call() -> None:
    controller, q, v, reference = moving()
    robot = controller.robot
    alone = control.WholeBodyController(
        robot, controller.tasks, size=SIZE, friction=FRICTION, contacts=["left_sole"]
    )
    for _ in range(2):
        both = controller.solve(q, v, reference)
        one = controller.solve(q, v, reference, contacts=["left_sole"])
        expected = alone.solve(q, v, reference)
        assert_close(one.tau, expected.tau, 1e-7)
        assert_close(one.forces[:6], expected.forces, 1e-7)
        assert np.array_equal(one.forces[6:], np.zeros(6))
        assert (both.forces.reshape(2, 6)[:, 5] > 1.0).all()
    flying = controller.with_gains(com_weight=0.0).solve(q, v, reference, contacts=[])
    assert np.array_equal(flying.forces, np.zeros(12))
    assert_close(robot.inverse_dynamics(q, v, flying.a), flying.tau, 1e-11)


def test_dependent_contacts_hold() -> None:
    """Four points at each foot transmit what a surface does; their forces are not unique."""
    robot, controller = humanoid()
    points, names = jounce.load("toro25"), []
    for sole in SOLES:
        for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
            T = np.eye(4)
            T[:2, 3] = x * SIZE[0], y * SIZE[1]
            names.append(f"{sole}{k}")
            points = points.edit.with_contact((sole, T), "point", names[-1])
    other = control.WholeBodyController(
        points, controller.tasks, friction=FRICTION, force_weight=1e-9
    )
    q, v = standing(), np.zeros(robot.nv)
    reference = controller.hold(q)
    reference["com"] = (reference["com"][0], np.zeros(3), np.array((0.5, 0.2, 0.1)))
    expected = controller.with_gains(force_weight=1e-9).solve(q, v, reference)
    solution = other.solve(q, v, reference)
    assert other.robot.contacts().redundant
    assert solution.success
    assert_close(solution.a, expected.a, 1e-6, floor=1.0)
    half = other.solve(q, v, reference, contacts=names[:6])
    J = points.contacts().contact_jacobian(q)
    assert_close(half.tau + J.T @ half.forces, robot.inverse_dynamics(q, v, half.a), 1e-11)
    assert_close(J[:18] @ half.a, np.zeros(18), floor=1e3)


def test_threads_and_pickles_give_the_same() -> None:
    controller, q, v, reference = moving()
    expected = controller.solve(q, v, reference).tau
    states = [moving(seed)[1:3] for seed in range(8)]
    single = [controller.solve(*state, reference).tau for state in states]
    results: list[Any] = [None] * 4

    def work(k: int) -> None:
        results[k] = [controller.solve(*state, reference).tau for _ in range(5) for state in states]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        assert_close(result, single * 5, 1e-8)
    changed = controller.with_gains(com_weight=3.0)
    copy = pickle.loads(pickle.dumps(changed))
    assert copy.content_hash == controller.content_hash
    assert copy.strict
    assert all(np.array_equal(x, copy.gains[name]) for name, x in changed.gains.items())
    assert_close(copy.solve(q, v, reference).tau, changed.solve(q, v, reference).tau, 1e-8)
    assert_close(controller.solve(q, v, reference).tau, expected, 1e-8)


def test_gains_change_without_compilation() -> None:
    controller, q, v, reference = moving()
    soft = controller.with_gains(com_kp=1.0, posture_weight=0.5)
    assert soft.function is not None
    assert soft.gains["posture_weight"].shape == (31,)
    assert np.abs(soft.solve(q, v, reference).tau - controller.solve(q, v, reference).tau).max() > 1
    for name, value, match in (
        ("com_kq", 1.0, "no gain 'com_kq'.*com_kp"),
        ("com_kp", [1.0, 2.0], "must be a number or have shape"),
        ("friction", np.nan, "must be a number or have shape"),
    ):
        with pytest.raises(ArgumentError, match=match):
            controller.with_gains(**{name: value})


# ------------------------------------------------------------------ closed loops


def test_a_humanoid_balances_and_shifts_its_weight() -> None:
    """From a disturbed state; contacts are held by the plant, forces stay within friction."""
    robot, controller = humanoid()
    both, h = robot.contacts(), 2e-3
    start = standing()
    anchors = both.contact_poses(start)
    J, v = both.contact_jacobian(start), np.zeros(robot.nv)
    v[3:6] = 0.1, 0.1, 0.0
    q, v = start, v - np.linalg.pinv(J) @ J @ v
    reference = controller.hold(start)
    shift, T = np.array((0.02, 0.05, 0.0)), 1.0
    com = reference["com"][0]
    path = jounce.trajectories.minimum_jerk(None, [0.0, T], [com, com + shift])
    steady = controller.with_gains(contact_kd=20.0)
    for k in range(800):
        reference["com"] = tuple(path(min(k * h, T), 2))
        solution = steady.solve(q, v, reference)
        q, v = both.step(q, v, solution.tau, h, anchors=anchors, kp=400.0, kd=40.0)
    assert np.abs(robot.center_of_mass(q) - reference["com"][0]).max() < 1e-3
    assert np.abs(v).max() < 5e-3
    assert np.abs(both.contact_poses(q) - anchors).max() < 1e-4
    total = np.zeros(6)  # of the forces at the soles, about the origin, in world axes
    wrenches = both.contact_dynamics(q, v, solution.tau)[1].reshape(2, 2, 3)
    for T, (m, f) in zip(both.contact_poses(q), wrenches, strict=True):
        f = T[:3, :3] @ f
        total += np.r_[T[:3, :3] @ m + np.cross(T[:3, 3], f), f]
    assert_close(total[5], 9.81 * robot.model.parameters[:, 0].sum(), 1e-2)
    pressure = np.array((-total[1], total[0])) / total[5]
    assert np.abs(pressure - (com + shift)[:2]).max() < 2e-3


# ------------------------------------------------------------------ arguments


def test_arguments_are_checked() -> None:
    robot, controller = humanoid()
    q, v = standing(), np.zeros(robot.nv)
    com = control.CenterOfMassTask()
    make: Any = control.WholeBodyController
    for match, arguments, options in (
        ("expected a robot without closed loops", (jounce.load("five_bar").closed(), [com]), {}),
        ("expected a robot without closed loops", (jounce.load("five_bar"), [com]), {}),
        ("expected tasks of different names, found \\[\\]", (robot, []), {"size": SIZE}),
        ("found \\['com', 'com'\\]", (robot, [com, com]), {"size": SIZE}),
        ("'left_sole' is a surface; pass size", (robot, [com]), {}),
        ("friction must be >= 0", (robot, [com]), {"size": SIZE, "friction": -1.0}),
        (
            "torque_limits must be a number or 31",
            (robot, [com]),
            {"size": SIZE, "torque_limits": -1.0},
        ),
        ("limit_rate must be a number > 0", (robot, [com]), {"size": SIZE, "limit_rate": 0.0}),
        (
            "weight must be a number or 3 numbers",
            (robot, [control.CenterOfMassTask(-1.0)]),
            {"size": SIZE},
        ),
        ("kp must be a finite number", (robot, [control.PostureTask(kp=np.inf)]), {"size": SIZE}),
    ):
        with pytest.raises(ArgumentError, match=match):
            make(*arguments, **options)
    with pytest.raises(ArgumentError, match="rows must be one of pose, orientation, position"):
        control.FrameTask("torso", "place")
    with pytest.raises(ModelError, match="hand"):
        make(robot, [control.FrameTask("no_hand")], size=SIZE)
    with pytest.raises(ModelError, match="no contact 'foot'"):
        make(robot, [com], size=SIZE, contacts=["foot"])
    with pytest.raises(ArgumentError, match=r"no contact 'left_foot'.*left_sole"):
        controller.solve(q, v, controller.hold(q), contacts=["left_foot"])
    incomplete = {**controller.hold(q), "com": (np.zeros(3),)}
    with pytest.raises(ArgumentError, match=r"reference\['com'\] must be \(com_d, com_v_d, com_a"):
        controller.solve(q, v, incomplete)
    with pytest.raises(ArgumentError, match="com_d"):
        controller.solve(q, v, {**incomplete, "com": (np.zeros(4), np.zeros(3), np.zeros(3))})


def test_names_of_tasks_are_identifiers() -> None:
    for frame, name in (("tool", "tool_pose"), ("a/b c", "a_b_c_pose"), ("7", "frame_7_pose")):
        assert control.FrameTask(frame).name == name


def test_the_solver_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    controller, q, v, reference = moving()
    monkeypatch.setitem(sys.modules, "daqp", None)
    with pytest.raises(ImportError, match=r'pip install "jounce\[control\]"'):
        controller.with_gains().solve(q, v, reference)


def test_representation() -> None:
    _, controller = humanoid()
    assert repr(controller) == (
        "<whole-body controller of 'toro25': com, torso_orientation, posture;"
        " contacts: left_sole, right_sole>"
    )
    assert repr(arm()[1]).endswith("posture; contacts: none>")
    assert controller.hold(standing()).keys() == {"com", "torso_orientation", "posture"}


# ------------------------------------------------------------------ other robots


@pytest.mark.parametrize("name", ["every kind", "floating, mimic"])
def test_robots_with_joints_of_every_kind(name: str) -> None:
    """On the ground with a free base, on a wall without."""
    robot = robot_of(name)
    body, pose = robot.model.body_names[-1], np.eye(4)
    q, v, *_ = random_state(robot)
    v *= 0.1
    pose[:3, :3] = robot.frame(body).pose(q)[:3, :3].T
    normal = (0.0, 0.0, 1.0) if "floating" in name else (0.0, -1.0, 0.0)
    robot = robot.edit.with_contact((body, pose), "surface", "hand")
    tasks = [control.PostureTask(np.ones(robot.nv)), control.FrameTask(body, "position", 0.1)]
    controller = control.WholeBodyController(
        robot, tasks, size=SIZE, normals=normal, torque_limits=False
    )
    solution = controller.solve(q, v, controller.hold(q))
    J = robot.contacts().contact_jacobian(q)
    motion = robot.inverse_dynamics(q, v, solution.a)
    assert_close(solution.tau + J.T @ solution.forces, motion, 1e-9)
    assert_close(J @ solution.a, -robot.contacts().contact_drift(q, v), 1e-8, floor=1.0)
    assert solution.forces[3:] @ normal >= -1e-6  # the ground does not pull


def test_arms_can_be_simulated() -> None:
    robot, controller = arm()
    goal = np.full(7, 0.3)
    reference = controller.hold(goal)
    result = control.simulate(
        robot, controller, lambda _: reference, 2.0, start=(np.zeros(7), np.zeros(7)), period=4e-3
    )
    assert np.abs(result.q[-1] - goal).max() < 2e-3
    assert (np.abs(result.commands) <= robot.limits.effort * (1 + 1e-9)).all()
