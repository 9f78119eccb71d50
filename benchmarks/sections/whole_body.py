"""Section: whole-body control of a humanoid on two feet, beside Pinocchio's matrices and DAQP."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pinocchio as pin

import jounce
from benchmarks.measure import compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import Case, case
from jounce import control

#: Frames of the feet, poses of the soles in them (m), half lengths of the soles (m), and the torso.
FEET, SOLE, SIZE = (
    ("left_ankle_roll_link", "right_ankle_roll_link"),
    (0.035, 0.0, -0.037),
    (0.1, 0.03),
)
TORSO = "torso_link"
FRICTION, STATES = 0.6, 100
#: Microseconds a call.
TARGET = 250.0
#: Relative to the largest torque; the solution is less exact where forces have little weight.
TOLERANCE = 1e-6

COLUMNS = (
    "robot",
    "nv",
    "unknowns",
    "rows",
    "operations",
    "µs per call",
    "target",
    "met",
    "kernel",
    "Pinocchio and DAQP",
    "times faster",
    "quartiles",
    "difference",
)
NOTE = (
    "One call of `WholeBodyController.solve` from Python for each of {count} states along a motion:"
    " the center of mass moves in a circle, with tasks for it, the orientation of the torso and the"
    " posture, friction of two soles, limits of torques and joints. `kernel`: the matrices of the"
    " program. `Pinocchio and DAQP`: the same program from Pinocchio's matrices in NumPy, its"
    " constant blocks filled once, solved by the same solver from the active constraints before."
    " CPU time of one thread, medians of alternating rounds. Torques are compared before to"
    " {tolerance:.0e}."
)


@dataclass(frozen=True, eq=False)
class Standing:
    """A robot on its feet, on both sides."""

    case: Case

    @cached_property
    def controller(self) -> control.WholeBodyController:
        """Ours."""
        robot, T = self.case.robot, np.eye(4)
        T[:3, 3] = SOLE
        for frame in FEET:
            robot = robot.edit.with_contact((frame, T), "surface", frame)
        tasks = [
            control.CenterOfMassTask(10.0),
            control.FrameTask(TORSO, "orientation"),
            control.PostureTask(0.01),
        ]
        return control.WholeBodyController(robot, tasks, size=SIZE, friction=FRICTION)

    @cached_property
    def states(self) -> tuple[np.ndarray, np.ndarray]:
        """Configurations and velocities along a motion; feet do not move."""
        robot = self.controller.robot
        bent = robot.neutral()
        for side in ("left", "right"):
            for joint, angle in (("hip_pitch", -0.4), ("knee", 0.8), ("ankle_pitch", -0.4)):
                bent[robot.joints[f"{side}_{joint}_joint"].q] = angle
        ground = {frame: robot.frame(frame).pose(bent) for frame in FEET}
        angles = np.linspace(0.0, 2.0 * np.pi, STATES)[:, None]
        middle = np.mean([T[:3, 3] for T in ground.values()], axis=0) * (1, 1, 0)
        com = middle + np.array((0.03, 0.0, robot.center_of_mass(bent)[2]))
        com = com + 0.015 * np.hstack((np.cos(angles), np.sin(angles), 0.0 * angles))
        targets = {**ground, "center_of_mass": com, TORSO: jounce.Orientation(np.eye(3))}
        q = robot.inverse_kinematics(
            targets, q0=bent, posture=bent, restarts=0, strict=True, tolerance=1e-10
        ).q
        J = robot.contacts().contact_jacobian(q)
        v = np.full((STATES, robot.nv), 0.05)
        return q, v - np.einsum("...ij,...jk,k->...i", np.linalg.pinv(J), J, v[0])

    @cached_property
    def reference(self) -> dict[str, tuple[Any, ...]]:
        """Reference of the tasks."""
        robot, q = self.controller.robot, self.states[0][0]
        reference = self.controller.hold(robot.integrate(q, np.full(robot.nv, 0.01)))
        return {**reference, "posture": self.controller.hold(q)["posture"]}


class Peer:
    """The same program from Pinocchio's matrices."""

    def __init__(self, standing: Standing) -> None:
        import daqp

        robot, gains = standing.controller.robot, standing.controller.gains
        model, maps = standing.case.pin_model, standing.case.map
        self.model, self.data, self.gains = model, standing.case.pin_data, gains
        self.order = np.argmax(maps.G, axis=1)  # Pinocchio's velocities in ours
        self.still, nv = np.zeros(model.nv), model.nv
        self.joints = [model.frames[model.getFrameId(x)].parentJoint for x in (*FEET, TORSO)]
        self.places = []
        for frame, shift in ((FEET[0], SOLE), (FEET[1], SOLE), (TORSO, (0.0, 0.0, 0.0))):
            place = model.frames[model.getFrameId(frame)].placement
            self.places.append(place * pin.SE3(np.eye(3), np.array(shift)))
        self.actions = [x.toActionMatrixInverse() for x in self.places]
        reference = standing.reference
        self.q_d = maps.q_to_pinocchio(reference["posture"][0])
        self.com_d, self.R_d = reference["com"][0], reference[f"{TORSO}_orientation"][0]
        self.unit = 9.81 * robot.model.mass
        x, y = SIZE
        F = np.array([[0.0, 0.0, -1.0, 0.0, 0.0, 0.0]])  # force first, as Pinocchio has it
        for s in (1.0, -1.0):
            F = np.vstack((F, [[s, 0, -FRICTION, 0, 0, 0], [0, s, -FRICTION, 0, 0, 0]]))
            F = np.vstack((F, [[0, 0, -x, 0, s, 0], [0, 0, -y, s, 0, 0]]))
            for t in (1.0, -1.0):
                for u in (1.0, -1.0):
                    force = [t * y, u * x, -FRICTION * (x + y)]
                    F = np.vstack((F, [[*force, t * s * FRICTION, u * s * FRICTION, s]]))
        count, nj = len(F), nv - 6
        n, m = nv + 12, 6 + 12 + nj + 2 * count
        self.H, self.A, self.c = np.zeros((n, n)), np.zeros((m, n)), np.zeros(n)
        scale = np.array((1.0, 1.0, 1.0, y**-2, x**-2, 1.0 / (x * y)))  # of forces and moments
        self.H[range(nv, n), range(nv, n)] = gains["force_weight"] * np.tile(scale, 2)
        for k in range(2):
            self.A[18 + nj + k * count :, nv + 6 * k : nv + 6 * k + 6][:count] = F
        self.lower, self.upper = np.full(n + m, -np.inf), np.full(n + m, np.inf)
        self.upper[n + 18 + nj :] = 0.0
        self.sense = np.zeros(n + m, dtype=np.int32)
        self.sense[n : n + 18] = 5
        self.effort = gains["torque_limits"][self.order][6:]
        names = ("position_lower", "position_upper", "velocity_limits")
        self.limits = [gains[name][self.order][6:] for name in names]
        self.weights = gains["posture_weight"][self.order]
        self.new, self.solver = daqp.Model, None

    def solve(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the torques of the joints."""
        self.assemble(q, v)
        H, c, A, lower, upper = self.H, self.c, self.A, self.lower, self.upper
        if self.solver is None:
            self.solver = self.new()
            self.solver.settings = {"primal_tol": 1e-9}
            self.solver.setup(H, c, A, upper, lower, self.sense)
        else:
            self.solver.update(H, c, A, upper, lower)
        x, _, flag, _ = self.solver.solve()
        if flag != 1:
            raise RuntimeError(f"DAQP found no solution: {flag}")
        nj = len(self.effort)
        return A[18 : 18 + nj] @ x + self.data.nle[6:]

    def assemble(self, q: np.ndarray, v: np.ndarray) -> None:
        """Fill the matrices."""
        model, data, gains, nv, nj = (
            self.model,
            self.data,
            self.gains,
            self.model.nv,
            len(self.effort),
        )
        H, c, A, n = self.H, self.c, self.A, len(self.c)
        M, h = pin.crba(model, data, q), pin.nonLinearEffects(model, data, q, v)
        pin.jacobianCenterOfMass(model, data, q)
        pin.centerOfMass(model, data, q, v, self.still)
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, self.still)
        local = pin.ReferenceFrame.LOCAL
        J = [
            X @ pin.getJointJacobian(model, data, j, local)
            for X, j in zip(self.actions, self.joints, strict=True)
        ]
        drift = [T.actInv(data.a[j]).vector for T, j in zip(self.places, self.joints, strict=True)]
        # tasks
        kp, kd = gains["com_kp"], gains["com_kd"]
        b = kp * (self.com_d - data.com[0]) - kd * data.vcom[0] - data.acom[0]
        weighted = data.Jcom.T * gains["com_weight"]
        H[:nv, :nv], c[:nv] = weighted @ data.Jcom, -weighted @ b
        rows = J[2][3:]
        kp, kd = gains[f"{TORSO}_orientation_kp"], gains[f"{TORSO}_orientation_kd"]
        e = pin.log3((data.oMi[self.joints[2]] * self.places[2]).rotation.T @ self.R_d)
        b = kp * e - kd * (rows @ v) - drift[2][3:]
        weighted = rows.T * gains[f"{TORSO}_orientation_weight"]
        H[:nv, :nv] += weighted @ rows
        c[:nv] -= weighted @ b
        b = gains["posture_kp"] * pin.difference(model, q, self.q_d) - gains["posture_kd"] * v
        H[range(nv), range(nv)] += self.weights + gains["regularization"]
        c[:nv] -= self.weights * b
        # constraints
        feet = np.vstack(J[:2])
        push = -self.unit * feet.T
        A[:6, :nv], A[:6, nv:], A[6:18, :nv] = M[:6], push[:6], feet
        A[18 : 18 + nj, :nv], A[18 : 18 + nj, nv:] = M[6:], push[6:]
        equal = np.concatenate((-h[:6], -drift[0], -drift[1]))
        self.lower[n : n + 18] = self.upper[n : n + 18] = equal
        self.lower[n + 18 : n + 18 + nj] = -self.effort - h[6:]
        self.upper[n + 18 : n + 18 + nj] = self.effort - h[6:]
        k, (low, high, speed), x, w = gains["limit_rate"], self.limits, q[7:], v[6:]
        least, most = k * k * (low - x) - 2 * k * w, k * k * (high - x) - 2 * k * w
        self.lower[6:nv] = np.minimum(np.maximum(k * (-speed - w), least), most)
        self.upper[6:nv] = np.minimum(np.maximum(k * (speed - w), least), most)


def tables(options: Options) -> list[Table]:
    """One table: single calls of g1."""
    note = NOTE.format(count=STATES, tolerance=TOLERANCE)
    jobs = [("whole-body control g1", partial(_rows, options))]
    return [Table("Whole-body control", note, COLUMNS, jobs)]


def _rows(options: Options) -> list[Row]:
    name = "g1-floating"
    standing = Standing(case(name))
    controller, peer, maps = standing.controller, Peer(standing), standing.case.map
    (q, v), reference = standing.states, standing.reference
    ours = list(zip(q, v, strict=True))
    theirs = list(zip(maps.q_to_pinocchio(q), maps.v_to_pinocchio(v), strict=True))
    flat = [x for values in reference.values() for x in values]
    values = tuple(controller.gains.values())
    calls = {
        "ours": lambda: [controller.solve(*state, reference).tau for state in ours],
        "kernel": lambda: [controller.function(*state, *flat, *values) for state in ours],
        "theirs": lambda: [peer.solve(*state) for state in theirs],
    }
    tau = np.array(calls["ours"]())[:, peer.order][:, 6:]
    worst = compare(f"{name} whole-body torques", tau, np.array(calls["theirs"]()), TOLERANCE)
    times = time_interleaved(calls, options.effort)
    spent, low, high = (times["ours"] / STATES * 1e6, *times.quartiles("theirs", "ours"))
    verdict = Verdict(f"whole-body control {name}", spent, TARGET, at_least=False, unit=" us")
    n, m = len(peer.c), len(peer.A)
    cells = (
        name,
        standing.case.size,
        str(n),
        str(m),
        f"{controller.function.lower().operations:,}",
        f"{spent:.0f}",
        verdict.bound_text,
        verdict.mark,
        f"{times['kernel'] / STATES * 1e6:.0f}",
        f"{times['theirs'] / STATES * 1e6:.0f}",
        f"{times.ratio('theirs', 'ours'):.1f}",
        f"{low:.1f}–{high:.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells, [verdict])]
