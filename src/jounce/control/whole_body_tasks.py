"""Tasks of whole-body control: rows A a = b that the accelerations should satisfy.

Each task adds the weighted squares of A a - b to the cost, where b is the acceleration of a
reference motion, plus stiffness kp and damping kd times the errors, minus the drift of the task.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import MOTION, Arguments
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError
from jounce.formulas import tracking
from jounce.math import Array, scalar
from jounce.model import joints
from jounce.robot import Robot

#: Rows of a twist (angular, linear) by name, and core shapes of their references.
_ROWS: dict[str, tuple[slice, tuple[int, ...]]] = {
    "pose": (slice(0, 6), (4, 4)),
    "orientation": (slice(0, 3), (3, 3)),
    "position": (slice(3, 6), (3,)),
}


class TaskRows(NamedTuple):
    """Rows of a task: A (rows, nv), b (rows,), and weights (rows,)."""

    A: Array
    b: Array
    weight: Array


class Task(ABC):
    """A task of whole-body control."""

    name: str
    weight: ArrayLike

    @abstractmethod
    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference by name; the acceleration is the last entry."""

    @abstractmethod
    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays at q."""

    @abstractmethod
    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: Any, gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight, kp and kd as arrays."""
        title, w = f"{robot.name}: task '{self.name}'", np.asarray(self.weight, dtype=float)
        (length,) = [*self.reference(robot).values()][-1]
        size = robot.nv if isinstance(length, str) else length
        if w.shape not in ((), (size,)) or not ((w >= 0.0) & np.isfinite(w)).all():
            raise ArgumentError(
                f"{title}: weight must be a number or {size} numbers >= 0, found {w}"
            )
        gains = {"weight": w + np.zeros(size)}
        for name in ("kp", "kd"):
            if hasattr(self, name):
                gains[name] = x = np.asarray(getattr(self, name), dtype=float)
                if x.shape or not np.isfinite(x):
                    raise ArgumentError(f"{title}: {name} must be a finite number, found {x}")
        return gains


@dataclass(frozen=True, eq=False)
class FrameTask(Task):
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
    name: str = field(init=False)

    def __post_init__(self) -> None:
        if self.rows not in _ROWS:
            raise ArgumentError(
                f"FrameTask('{self.frame}'): rows must be one of {', '.join(_ROWS)}, found"
                f" {self.rows!r}"
            )
        name = re.sub(r"[^A-Za-z0-9_]", "_", self.frame).lstrip("_")
        name = name if name.isidentifier() else f"frame_{name}"
        object.__setattr__(self, "name", f"{name}_{self.rows}")

    def reference(self, robot: Robot) -> Arguments:
        """Return the core shapes of the reference."""
        robot.model.frame_index(self.frame)  # raises an error for unknown frames
        rows, shape = _ROWS[self.rows]
        n = rows.stop - rows.start
        return {f"{self.name}_d": shape, f"{self.name}_v_d": (n,), f"{self.name}_a_d": (n,)}

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays where the frame is at q."""
        T, n = robot.frame(self.frame).pose(q), 6 if self.rows == "pose" else 3
        start = {"pose": T, "position": T[..., :3, 3], "orientation": T[..., :3, :3]}[self.rows]
        return start, np.zeros(n), np.zeros(n)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: Any, gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        frame, still, rows = model.frame(self.frame), scalar.zeros(model.nv), _ROWS[self.rows][0]
        T, (x_d, v_d, a_d) = frame.pose(q), reference
        if self.rows == "position":
            J, drift = frame.jacobian_mixed(q), frame.classical_acceleration_mixed(q, v, still)
            e, e_rate = x_d - T[:3, 3], v_d - frame.twist_mixed(q, v)[rows]
            b = a_d + gains.kd * e_rate + gains.kp * e - drift[rows]
            return TaskRows(J[rows], b, gains.weight)
        if self.rows == "orientation":  # with the position of the frame, and its velocity
            none, goal = scalar.zeros(3), T.copy()
            goal[:3, :3] = x_d
            x_d, v_d, a_d = goal, np.concatenate((v_d, none)), np.concatenate((a_d, none))
        V = frame.twist(q, v)
        error = tracking.pose_tracking_error(T, V, x_d, v_d, a_d)
        b = error.a_d + gains.kd * (error.v_d - V) + gains.kp * error.e
        b = b - frame.acceleration(q, v, still)
        return TaskRows(frame.jacobian(q)[rows], b[rows], gains.weight)


@dataclass(frozen=True, eq=False)
class CenterOfMassTask(Task):
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

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays where the center of mass is at q."""
        return robot.center_of_mass(q), np.zeros(3), np.zeros(3)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: Any, gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        x_d, v_d, a_d = reference
        x, rate, drift = model.center_of_mass.rates(2)(q, v, scalar.zeros(model.nv))
        b = a_d + gains.kd * (v_d - rate) + gains.kp * (x_d - x) - drift
        return TaskRows(model.com_jacobian(q), b, gains.weight)


@dataclass(frozen=True, eq=False)
class PostureTask(Task):
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
        return MOTION

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference that stays at q."""
        return q, np.zeros(robot.nv), np.zeros(robot.nv)

    def gains(self, robot: Robot) -> dict[str, np.ndarray]:
        """Return weight, kp and kd as arrays."""
        gains = super().gains(robot)
        if not np.ndim(self.weight):
            for view in robot.joints.values():
                if view.joint.kind == joints.FLOATING:
                    gains["weight"][view.v] = 0.0
        return gains

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: Any, gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        error = model.tracking_error(q, v, *reference)
        b = error.a_d + gains.kd * (error.v_d - v) + gains.kp * error.e
        return TaskRows(scalar.identity(model.nv), b, gains.weight)


@dataclass(frozen=True, eq=False)
class MomentumTask(Task):
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

    def hold(self, robot: Robot, q: Any) -> tuple[Any, ...]:
        """Return the reference without momentum."""
        return np.zeros(6), np.zeros(6)

    def make_rows(
        self, model: TracedModel, q: Array, v: Array, reference: Any, gains: Any
    ) -> TaskRows:
        """Return the rows for one sample."""
        h_d, rate_d = reference
        h, drift = model.centroidal_momentum.rates(1)(q, v, scalar.zeros(model.nv))
        b = rate_d + gains.kd * (h_d - h) - drift
        return TaskRows(model.centroidal_momentum_matrix(q), b, gains.weight)
