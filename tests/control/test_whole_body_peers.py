"""Whole-body control beside the same program, assembled from Pinocchio's matrices for Clarabel.

Contact forces are there sums of forces at the corners of the soles, each within its pyramid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control
from jounce.export.pinocchio import PinocchioMap, to_pinocchio
from jounce.robot import Robot
from support.helpers import assert_close
from support.urdf_files import example_model

pin = pytest.importorskip("pinocchio")
clarabel = pytest.importorskip("clarabel")
sparse = pytest.importorskip("scipy.sparse")
pytest.importorskip("daqp")

SIZE = (0.09, 0.04)
UNIT = 9.81  # forces are weighed relative to UNIT * mass

#: Contacts (frames, kind), and frames of tasks.
ROBOTS: dict[str, tuple[tuple[str, ...], str, str, str]] = {
    "toro25": (("left_sole", "right_sole"), "surface", "torso", "left_wrist"),
    "g1_29dof_rev_1_0": (
        ("left_ankle_roll_link", "right_ankle_roll_link"),
        "surface",
        "torso_link",
        "left_wrist_yaw_link",
    ),
    "talos_reduced": (
        ("left_sole_link", "right_sole_link"),
        "line",
        "torso_2_link",
        "gripper_left_base_link",
    ),
    "anymal": (("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"), "point", "base", "LF_SHANK"),
}


@dataclass
class Case:
    """A robot on both sides, at a state with a reference."""

    name: str

    def __post_init__(self) -> None:
        frames, kind, torso, hand = ROBOTS[self.name]
        robot = jounce.load("toro25") if self.name == "toro25" else None
        robot = Robot(example_model(self.name, "floating")) if robot is None else robot
        hand = hand if hand in robot.model.frame_names else robot.model.body_names[-1]
        for frame in frames:
            robot = robot.edit.with_contact(frame, kind)
        self.robot, self.kind, self.torso, self.hand = robot, kind, torso, hand
        self.contacts = robot.contacts()
        tasks = [
            control.CenterOfMassTask((1.0, 2.0, 3.0), kp=60.0, kd=15.0),
            control.FrameTask(torso, "orientation", 0.7, kp=80.0, kd=11.0),
            control.FrameTask(hand, "position", 0.3, kp=50.0, kd=12.0),
            control.PostureTask(0.05, kp=30.0, kd=9.0),
            control.MomentumTask(np.array((0.2, 0.2, 0.2, 0.0, 0.0, 1e-4)), kd=5.0),
        ]
        self.controller = control.WholeBodyController(
            robot, tasks, size=None if kind == "point" else SIZE, friction=0.4, force_weight=1e-2
        )
        rng = np.random.default_rng(len(self.name))
        q = robot.neutral()
        for view in robot.joints.values():
            if view.joint.nv == 1:
                low, high = robot.limits.lower[view.v], robot.limits.upper[view.v]
                q[view.q] = np.clip(rng.uniform(-0.4, 0.4), low + 0.1, high - 0.1)
        self.q = robot.integrate(q, np.r_[0.2, -0.3, 0.5, np.zeros(robot.nv - 3)])
        J, v = self.contacts.contact_jacobian(self.q), 0.3 * rng.standard_normal(robot.nv)
        self.v = v - np.linalg.pinv(J) @ J @ v  # contacts do not move
        if kind == "line":  # lines lie on the ground
            normals = self.contacts.contact_poses(self.q)[:, :3, 1:3] @ (0.2, 1.0)
            self.controller = self.controller.with_gains(normals=normals)
        goal = robot.integrate(self.q, 0.05 * rng.standard_normal(robot.nv))
        self.reference = {
            "com": (robot.center_of_mass(goal), *rng.standard_normal((2, 3))),
            tasks[1].name: (
                robot.frame(torso).pose(goal)[:3, :3],
                *0.5 * rng.standard_normal((2, 3)),
            ),
            tasks[2].name: (robot.frame(hand).pose(goal)[:3, 3], *rng.standard_normal((2, 3))),
            "posture": (goal, *rng.standard_normal((2, robot.nv))),
            "momentum": tuple(rng.standard_normal((2, 6))),
        }
        self.model = to_pinocchio(robot.model)
        self.data, self.map = self.model.createData(), PinocchioMap(robot.model, self.model)
        self.order = np.argmax(self.map.G, axis=1)  # Pinocchio's velocities in ours
        assert np.array_equal(self.map.G, np.eye(robot.nv)[self.order])

    # ------------------------------------------------------------- Pinocchio

    def frame(self, name: str) -> tuple[int, Any]:
        """Pinocchio's joint that moves a frame, and the frame's pose in it."""
        frame = self.robot.model.frames[self.robot.model.frame_index(name)]
        return self.map.joint_ids[frame.body], pin.SE3(frame.placement)

    def jacobian(self, joint: int, placement: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Pose of a frame, its Jacobian in its axes and J' v, rotation first."""
        model, data = self.model, self.data
        J = placement.toActionMatrixInverse() @ pin.getJointJacobian(
            model, data, joint, pin.ReferenceFrame.LOCAL
        )
        drift = placement.actInv(data.a[joint]).vector  # at a = 0
        return data.oMi[joint] * placement, np.roll(J, 3, axis=0), np.roll(drift, 3)

    def task_rows(self, q: np.ndarray, v: np.ndarray) -> Any:
        """Yield A, b and weights of the tasks."""
        model, data, gains = self.model, self.data, self.controller.gains
        names = [task.name for task in self.controller.tasks]
        own = {
            name: [gains[f"{name}_{key}"] for key in ("weight", "kp", "kd")]
            for name in names
            if name != "momentum"
        }
        (p_d, v_d, a_d), (weight, kp, kd) = self.reference["com"], own["com"]
        error = kp * (p_d - data.com[0]) + kd * (v_d - data.vcom[0])
        yield data.Jcom, a_d + error - data.acom[0], weight
        for name, frame in zip(names[1:3], (self.torso, self.hand), strict=True):
            T, J, drift = self.jacobian(*self.frame(frame))
            (x_d, v_d, a_d), (weight, kp, kd) = self.reference[name], own[name]
            V = J @ v
            if frame == self.hand:  # velocity and acceleration of the origin, in world axes
                R = T.rotation
                drift = R @ (drift[3:] + np.cross(V[:3], V[3:]))
                b = a_d + kd * (v_d - R @ V[3:]) + kp * (x_d - T.translation) - drift
                yield R @ J[3:], b, weight
            else:
                relative = T.rotation.T @ x_d
                w_d = relative @ v_d
                b = relative @ a_d - np.cross(V[:3], w_d)  # rate of w_d in moving axes
                b += kd * (w_d - V[:3]) + kp * pin.log3(relative) - drift[:3]
                yield J[:3], b, weight
        (q_d, v_d, a_d), (weight, kp, kd) = self.reference["posture"], own["posture"]
        q_d, v_d, a_d, weight = self.map.q_to_pinocchio(q_d), *map(self.theirs, (v_d, a_d, weight))
        b = a_d + kd * (v_d - v) + kp * pin.difference(model, q, q_d)
        yield np.eye(model.nv)[6:], b[6:], weight[6:]
        h_d, rate_d = self.reference["momentum"]
        b = rate_d + gains["momentum_kd"] * (h_d - np.roll(data.hg.vector, 3))
        b -= np.roll(data.dAg @ v, 3)
        yield np.roll(data.Ag, 3, axis=0), b, gains["momentum_weight"]

    def theirs(self, v: np.ndarray) -> np.ndarray:
        """Velocities in Pinocchio's order."""
        return v[self.order]

    def corners(self, R: np.ndarray, mu: float, up: np.ndarray) -> np.ndarray:
        """Generators (6, n) of the forces that a contact can transmit, in its axes."""
        normal = R.T @ up
        if self.kind == "point":
            x, y, z = up  # as in the paper that the program cites
            sign = 1.0 if z > 0.0 else -1.0
            first = R.T @ (
                1.0 - sign * x * x / (sign + z),
                -sign * x * y / (sign + z),
                -sign * x,
            )
            places = [np.zeros(3)]
        else:
            first = np.eye(3)[0] - normal[0] * normal
            first /= np.linalg.norm(first)
            wide = SIZE[1] if self.kind == "surface" else 0.0
            second = np.cross(normal, first)
            places = [
                s * SIZE[0] * first + t * wide * second for s, t in product((-1.0, 1.0), repeat=2)
            ]
        second, columns = np.cross(normal, first), []
        for place, s, t in product(places, (-1.0, 1.0), (-1.0, 1.0)):
            force = normal + mu * (s * first + t * second)
            columns.append(np.concatenate((np.cross(place, force), force)))
        return np.array(columns).T

    def solve(self, gains: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return tau, a and the contact forces."""
        model, data = self.model, self.data
        q, v = self.map.q_to_pinocchio(self.q), self.theirs(self.v)
        pin.computeAllTerms(model, data, q, v)
        pin.dccrba(model, data, q, v)
        pin.centerOfMass(model, data, q, v, np.zeros(model.nv))
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        nv, M, h = model.nv, data.M, data.nle
        P, c = float(gains["regularization"]) * np.eye(nv), np.zeros(nv)
        for A, b, weight in self.task_rows(q, v):
            P += A.T @ (weight[:, None] * A)
            c -= A.T @ (weight * b)
        jacobians, drifts, generators = [], [], []
        for k, contact in enumerate(self.contacts.contacts):
            locked = np.flatnonzero(contact.locked)
            place = self.map.joint_ids[contact.body], pin.SE3(contact.placement)
            T, J, drift = self.jacobian(*place)
            jacobians.append(J[locked])
            drifts.append(drift[locked])
            up = gains["normals"][k]
            columns = self.corners(T.rotation, gains["friction"][k], up / np.linalg.norm(up))
            generators.append(columns[locked])
        J, drift = np.concatenate(jacobians), np.concatenate(drifts)
        G = np.zeros((len(J), sum(x.shape[1] for x in generators)))
        row = column = 0
        for x in generators:
            G[row : row + len(x), column : column + x.shape[1]] = x
            row, column = row + len(x), column + x.shape[1]
        x, y = SIZE if self.kind == "surface" else (SIZE[0], SIZE[0])
        moments = np.array((y**-2, x**-2, 1.0 / (x * y), 1.0, 1.0, 1.0))
        scale = np.concatenate([moments[list(c.locked)] for c in self.contacts.contacts])
        # unknowns: a, then nonnegative multiples of the generators, over the weight
        unit = UNIT * pin.computeTotalMass(model)
        n, m = nv, G.shape[1]
        H = np.zeros((n + m, n + m))
        H[:n, :n], H[n:, n:] = P, gains["force_weight"] * G.T @ (scale[:, None] * G)
        motion = np.hstack((M, -unit * J.T @ G))
        equations = np.vstack((motion[:6], np.hstack((J, np.zeros((len(J), m))))))
        values = np.concatenate((-h[:6], -drift))
        limit = self.theirs(gains["torque_limits"])[6:]
        rows = [motion[6:], -motion[6:], np.hstack((np.zeros((m, n)), -np.eye(m)))]
        bounds = [limit - h[6:], limit + h[6:], np.zeros(m)]
        low, high = self.bounds(gains)
        for sign, x in ((1.0, high), (-1.0, -low)):
            used = np.isfinite(x)
            rows.append(sign * np.eye(n + m)[:n][used])
            bounds.append(x[used])
        z = minimize(
            H, np.append(c, np.zeros(m)), equations, values, np.vstack(rows), np.concatenate(bounds)
        )
        a, f = z[:n], unit * (G @ z[n:])
        tau = M @ a + h - J.T @ f
        return self.map.tau_from_pinocchio(tau), self.map.v_from_pinocchio(a), f

    def bounds(self, gains: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the accelerations, in Pinocchio's order."""
        k, out = gains["limit_rate"], np.full((2, self.robot.nv), np.inf)
        out[0] = -np.inf
        for view in self.robot.joints.values():
            if view.joint.nv == 1:
                i, q, v = view.v.start, self.q[view.q.start], self.v[view.v.start]
                speed = gains["velocity_limits"][i]
                low, high = k * (-speed - v), k * (speed - v)
                least = k**2 * (gains["position_lower"][i] - q) - 2 * k * v
                most = k**2 * (gains["position_upper"][i] - q) - 2 * k * v
                out[:, i] = np.clip((low, high), least, most)
        return self.theirs(out[0]), self.theirs(out[1])


def minimize(P: Any, c: Any, E: Any, e: Any, A: Any, b: Any) -> np.ndarray:
    """Minimize x^T P x / 2 + c^T x with E x = e and A x <= b."""
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    cones = [clarabel.ZeroConeT(len(e)), clarabel.NonnegativeConeT(len(b))]
    csc = sparse.csc_matrix
    program = csc(np.triu(P)), c, csc(np.vstack((E, A))), np.concatenate((e, b)), cones, settings
    solution = clarabel.DefaultSolver(*program).solve()
    assert str(solution.status) in ("Solved", "AlmostSolved"), solution.status
    return np.array(solution.x)


@cache
def case_of(name: str) -> Case:
    return Case(name)


#: Changed gains, such that constraints of different kinds become active.
GAINS: dict[str, dict[str, Any]] = {
    "usual": {},
    "slippery": {"friction": 0.1},
    "weak": {"torque_limits": 0.5},  # relative to the largest torque
    "slow": {"velocity_limits": 0.2, "limit_rate": 10.0},  # of joints
}


@pytest.mark.parametrize("change", list(GAINS))
@pytest.mark.parametrize("name", list(ROBOTS))
def test_solutions_agree_with_clarabel_on_pinocchios_matrices(name: str, change: str) -> None:
    case, gains = case_of(name), dict(GAINS[change])
    controller = case.controller
    if change == "weak":
        free = controller.with_gains(torque_limits=np.inf)
        largest = np.abs(free.solve(case.q, case.v, case.reference).tau).max()
        gains["torque_limits"] = 0.5 * largest
    if change == "slow":
        speed = np.full(case.robot.nv, np.inf)
        speed[6:] = gains["velocity_limits"]
        gains["velocity_limits"] = speed
    controller = controller.with_gains(**gains)
    solution = controller.solve(case.q, case.v, case.reference)
    if change != "usual":  # the constraint has an effect
        usual = case.controller.solve(case.q, case.v, case.reference)
        assert np.abs(usual.tau - solution.tau).max() > 1e-2
    tau, a, forces = case.solve(controller.gains)
    assert_close(solution.a, a, 1e-6)
    assert_close(solution.forces, forces, 1e-6)
    assert_close(solution.tau, tau, 1e-6)


def test_a_quadruped_stands_up_to_a_push() -> None:
    case = case_of("anymal")
    robot, feet, h = case.robot, case.contacts, 2e-3
    start = robot.neutral()
    for leg, sign in (("LF", 1.0), ("RF", 1.0), ("LH", -1.0), ("RH", -1.0)):
        start[robot.joints[f"{leg}_HFE"].q], start[robot.joints[f"{leg}_KFE"].q] = (
            sign * 0.6,
            sign * -1.2,
        )
    controller = case.controller.with_gains(
        momentum_weight=0.0, force_weight=1e-4, friction=0.6, contact_kd=20.0
    )
    reference, anchors = controller.hold(start), feet.contact_poses(start)
    J, v = feet.contact_jacobian(start), np.r_[np.zeros(3), 0.2, 0.3, 0.0, np.zeros(robot.nv - 6)]
    q, v = start, v - np.linalg.pinv(J) @ J @ v
    for _ in range(750):
        solution = controller.solve(q, v, reference)
        force = solution.forces.reshape(-1, 3)
        world = np.einsum("kij,kj->ki", feet.contact_poses(q)[:, :3, :3], force)
        assert (np.linalg.norm(world[:, :2], axis=1) <= 0.6 * np.sqrt(2) * world[:, 2] + 1e-6).all()
        q, v = feet.step(q, v, solution.tau, h, anchors=anchors, kp=400.0, kd=40.0)
    assert np.abs(robot.difference(q, start)).max() < 2e-3
    assert np.abs(v).max() < 2e-3
    assert np.abs((feet.contact_poses(q) - anchors)[:, :3, 3]).max() < 1e-4
    assert_close(world[:, 2].sum(), 9.81 * robot.model.parameters[:, 0].sum(), 1e-3)
