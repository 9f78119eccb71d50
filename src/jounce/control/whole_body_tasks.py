"""Tasks of whole-body control: rows A a = b that the accelerations should satisfy.

Each task adds the weighted squares of A a - b to the cost, where b is the acceleration of a
reference motion, plus stiffness kp and damping kd times the errors, minus the drift of the task.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Arguments
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError
from jounce.formulas import tracking
from jounce.math import Array, scalar
from jounce.model import joints
from jounce.robot import Robot

#: Rows of a twist (angular, linear) by name.
_ROWS = {"pose": slice(0, 6), "orientation": slice(0, 3), "position": slice(3, 6)}


class TaskRows(NamedTuple):
    """Rows of a task: A (rows, nv), b (rows,), and weights (rows,)."""

    A: Array
    b: Array
    weight: Array


@dataclass(frozen=True, eq=False)
class FrameTask:
    """Motion of a frame: its pose, the position of its origin, or its orientation.

    The reference is (T_d, V_d, A_d) for "pose": the pose (4, 4), its body twist and the rate of
    that, in the axes of T_d; (p_d, v_d, a_d) in world axes for "position"; and (R_d, w_d, dw_d)
    for "orientation": the rotation matrix, its angular velocity and the rate of that in its axes.

    Parameters
    ----------
    frame : str
        Name of the frame.
    rows : {"pose", "position", "orientation"}
        What the task moves.
    weight : float or array_like
        Weight of each row, rotation first.
    kp, kd : float
        Stiffness (1/s^2) and damping (1/s) of the error; kd = 2 sqrt(kp) damps critically.
    """

    frame: str
    rows: str = "pose"
    weight: ArrayLike = 1.0
    kp: float = 100.0
    kd: float = 20.0

    def __post_init__(self) -> None:
        if self.rows not in _ROWS:
            raise ArgumentError(
                f"FrameTask('{self.frame}'): rows must be one of {', '.join(_ROWS)}, found"
                f" {self.rows!r}"
            )

    @property
    def name(self) -> str:
        """Begin of the names of its gains and references."""
        name = re.sub(r"[^A-Za-z0-9_]", "_", self.frame).lstrip("_")
        return f"{name if name.isidentifier() else f'frame_{name}'}_{self.rows}"

    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference."""
        shape = {"pose": (4, 4), "position": (3,), "orientation": (3, 3)}[self.rows]
        n = self.size(robot)
        return {f"{self.name}_d": shape, f"{self.name}_v_d": (n,), f"{self.name}_a_d": (n,)}

    def size(self, robot: Robot) -> int:
        """Return the number of rows."""
        robot.model.frame_index(self.frame)  # raises an error for unknown frames
        return 6 if self.rows == "pose" else 3

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays where the frame is at q."""
        T = robot.frame(self.frame).pose(q)
        start = {"pose": T, "position": T[..., :3, 3], "orientation": T[..., :3, :3]}[self.rows]
        return start, np.zeros(self.size(robot)), np.zeros(self.size(robot))

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight, kp and kd as arrays."""
        return _gains(self, robot, self.weight)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: tuple[Any, ...], gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        frame, still = model.frame(self.frame), scalar.zeros(model.nv)
        T, (x_d, v_d, a_d) = frame.pose(q), reference
        if self.rows == "position":
            J, drift = frame.jacobian_mixed(q)[3:], frame.classical_acceleration_mixed(q, v, still)
            e, e_rate = x_d - T[:3, 3], v_d - frame.twist_mixed(q, v)[3:]
            return TaskRows(J, a_d + gains.kd * e_rate + gains.kp * e - drift[3:], gains.weight)
        if self.rows == "orientation":  # with the position of the frame, and its velocity
            none = scalar.zeros(3)
            goal = T.copy()
            goal[:3, :3] = x_d
            x_d, v_d, a_d = goal, np.concatenate((v_d, none)), np.concatenate((a_d, none))
        V = frame.twist(q, v)
        error = tracking.pose_tracking_error(T, V, x_d, v_d, a_d)
        b = error.a_d + gains.kd * (error.v_d - V) + gains.kp * error.e
        b = b - frame.acceleration(q, v, still)
        rows = _ROWS[self.rows]
        return TaskRows(frame.jacobian(q)[rows], b[rows], gains.weight)


@dataclass(frozen=True, eq=False)
class CenterOfMassTask:
    """Motion of the center of mass, with the reference (com_d, com_v_d, com_a_d) in world axes.

    Parameters
    ----------
    weight : float or array_like (3,)
        Weight of each direction.
    kp, kd : float
        Stiffness (1/s^2) and damping (1/s) of the error.
    """

    weight: ArrayLike = 1.0
    kp: float = 100.0
    kd: float = 20.0

    name = "com"

    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference."""
        return {"com_d": (3,), "com_v_d": (3,), "com_a_d": (3,)}

    def size(self, robot: Robot) -> int:
        """Return the number of rows."""
        return 3

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays where the center of mass is at q."""
        return robot.center_of_mass(q), np.zeros(3), np.zeros(3)

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight, kp and kd as arrays."""
        return _gains(self, robot, self.weight)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: tuple[Any, ...], gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        x_d, v_d, a_d = reference
        x, rate, drift = model.center_of_mass.rates(2)(q, v, scalar.zeros(model.nv))
        b = a_d + gains.kd * (v_d - rate) + gains.kp * (x_d - x) - drift
        return TaskRows(model.com_jacobian(q), b, gains.weight)


@dataclass(frozen=True, eq=False)
class PostureTask:
    """Motion of the joints, with the reference (q_d, v_d, a_d).

    Parameters
    ----------
    weight : float or array_like (nv,)
        Weight of each velocity. A number is the weight of all joints but free ones.
    kp, kd : float
        Stiffness (1/s^2) and damping (1/s) of the error.
    """

    weight: ArrayLike = 0.01
    kp: float = 100.0
    kd: float = 20.0

    name = "posture"

    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference."""
        return {"q_d": ("nq",), "v_d": ("nv",), "a_d": ("nv",)}

    def size(self, robot: Robot) -> int:
        """Return the number of rows."""
        return robot.nv

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays at q."""
        return q, np.zeros(robot.nv), np.zeros(robot.nv)

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight, kp and kd as arrays."""
        weight = np.asarray(self.weight, dtype=float)
        if not weight.shape:
            weight = np.full(robot.nv, weight)
            for view in robot.joints.values():
                if view.joint.kind == joints.FLOATING:
                    weight[view.v] = 0.0
        return _gains(self, robot, weight)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: tuple[Any, ...], gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        error = model.tracking_error(q, v, *reference)
        b = error.a_d + gains.kd * (error.v_d - v) + gains.kp * error.e
        return TaskRows(scalar.identity(model.nv), b, gains.weight)


@dataclass(frozen=True, eq=False)
class MomentumTask:
    """Centroidal momentum (angular, linear) in world axes, with its rate as the acceleration.

    The reference is (momentum_d, momentum_rate_d), (6,) each. Weights are those of squared rates
    in (N m)^2 and N^2.

    Parameters
    ----------
    weight : float or array_like (6,)
        Weight of each row; zeros for the linear ones leave them to other tasks.
    kd : float
        Rate (1/s) at which errors decay.
    """

    weight: ArrayLike = 1.0
    kd: float = 10.0

    name = "momentum"

    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference."""
        return {"momentum_d": (6,), "momentum_rate_d": (6,)}

    def size(self, robot: Robot) -> int:
        """Return the number of rows."""
        return 6

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference without momentum."""
        return np.zeros(6), np.zeros(6)

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight and kd as arrays."""
        return _gains(self, robot, self.weight)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: tuple[Any, ...], gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        h_d, rate_d = reference
        h, drift = model.centroidal_momentum.rates(1)(q, v, scalar.zeros(model.nv))
        b = rate_d + gains.kd * (h_d - h) - drift
        return TaskRows(model.centroidal_momentum_matrix(q), b, gains.weight)


Task = FrameTask | CenterOfMassTask | PostureTask | MomentumTask


def _gains(task: Task, robot: Robot, weight: ArrayLike) -> dict[str, np.ndarray]:
    """Return checked gains of a task: weight of each row, kp, kd."""
    title = f"{robot.name}: task '{task.name}'"
    w, size = np.asarray(weight, dtype=float), task.size(robot)
    if w.shape not in ((), (size,)) or not ((w >= 0.0) & np.isfinite(w)).all():
        raise ArgumentError(f"{title}: weight must be a number or {size} numbers >= 0, found {w}")
    gains = {"weight": np.broadcast_to(w, (size,)).copy()}
    for name in ("kp", "kd") if hasattr(task, "kp") else ("kd",):
        x = np.asarray(getattr(task, name), dtype=float)
        if x.shape or not np.isfinite(x):
            raise ArgumentError(f"{title}: {name} must be a finite number, found {x}")
        gains[name] = x
    return gains
