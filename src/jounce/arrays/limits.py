"""Limits of the joints of a robot or a mechanism, and configurations that keep to them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import kinds
from jounce.arrays.validation import plain, precision, refuse_other_columns, shaped, stored
from jounce.errors import ArgumentError, SuggestsMembers, explain_methods, printable
from jounce.model.limits import Limits, limits_of
from jounce.utils.once import once_property


@explain_methods
@dataclass(frozen=True, eq=False, repr=False)
class JointLimits(SuggestsMembers, Limits):
    """Limits of the joints of a robot or, of a mechanism, of its independent joints.

    `dataclasses.replace(robot.limits, upper=...)` gives tighter or wider ones.
    """

    _HIDDEN = frozenset(("bounded", "of_robot", "robot", "title"))

    robot: Any
    """The robot or mechanism."""

    @classmethod
    def of_robot(cls, robot: Any) -> JointLimits:
        """Return the limits that the model of a robot or mechanism states."""
        own = limits_of(robot.model, robot.labels("t", "{}[{}]")).of(robot.velocities)
        return cls(own.names, own.lower, own.upper, own.velocity, own.effort, robot)

    @property
    def title(self) -> str:
        """What messages call it, such as "arm.limits"."""
        return f"{self.robot.name}.limits"

    def __reduce__(self) -> Any:
        return JointLimits, tuple(getattr(self, f.name) for f in fields(self))  # read-only again

    @once_property
    def all_joints(self) -> Limits:
        """Limits of all joints, the dependent ones of a mechanism included."""
        every = limits_of(self.robot.model, self.robot.labels("t", "{}[{}]"))
        at, numbers = list(self.robot.velocities), []
        for field in fields(every)[1:]:
            values = getattr(every, field.name).copy()
            values[at] = getattr(self, field.name)
            numbers.append(values)
        return Limits(every.names, *numbers)

    @once_property
    def bounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the coordinates in q that have bounds, and of these in `all_joints`."""
        pairs = [
            (view.q.start + i, view.v.start + k)
            for view in self.robot.joints.values()
            if view.joint.mimic is None
            for i, k in view.joint.row.limited
        ]
        q, v = np.array(pairs, dtype=int).reshape(-1, 2).T
        return q, v

    def bounds(self, dtype: Any = float) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and the upper bound of every coordinate.

        Parameters
        ----------
        dtype : dtype
            Precision, to which bounds are rounded as coordinates are.

        Returns
        -------
        tuple of ndarray (nq,)
            Bounds; infinite where there are none.
        """
        at, entries = self.bounded
        out = np.full((2, self.robot.nq), np.inf)
        out[0] = -np.inf
        out[:, at] = self.all_joints.lower[entries], self.all_joints.upper[entries]
        low, high = out.astype(dtype)
        return low, high

    def contains(self, q: ArrayLike, *, tolerance: float = 0.0) -> np.ndarray:
        """Return whether configurations keep to the position limits of all joints.

        Limits are compared in the precision of q: a configuration within limits stays so when it
        is rounded to float32. NaN is outside.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        tolerance : float
            How far beyond a limit a coordinate may be, rad and m.

        Returns
        -------
        ndarray (...,) of bool
            True where all joints are within their limits.
        """
        title = printable(f"{self.title}.contains")
        number = plain(tolerance, f"{title}: tolerance")
        if number.dtype == bool or number.ndim or not number >= 0:
            raise ArgumentError(f"{title}: tolerance must be a number >= 0, found {tolerance!r}")
        tolerance = float(number)
        refuse_other_columns(self.robot, title, [("q", q)])
        core = (self.robot.nq,)
        found = kinds.method_called(self.contains, q, {"tolerance": tolerance}, (core, ()), bool)
        if found is not None:
            return found
        q = shaped(q, f"{title}: argument 'q'", core)
        low, high = self.bounds(precision([q]))
        inside = (q >= low - tolerance) & (q <= high + tolerance)
        return np.all(inside, axis=-1)

    def clip(self, q: ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
        """Return the nearest configurations within the position limits of all joints.

        Each coordinate moves to its nearest bound; quaternions, positions of free joints and NaN
        stay as they are. Mechanisms refuse, since their loops would open.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        out : ndarray (..., nq)
            Array to write to.

        Returns
        -------
        ndarray (..., nq)
            Configurations within limits.
        """
        title = printable(f"{self.title}.clip")
        if self.robot.tree.active is not None:
            raise ArgumentError(
                f"{title}: joints moved one by one would open the loops; clip those of the tree,"
                " robot.limits.clip(q), and close the loops again with assemble"
            )
        refuse_other_columns(self.robot, title, [("q", q)])
        core = (self.robot.nq,)
        found = kinds.method_called(self.clip, q, {"out": out}, (core, core))
        if found is not None:
            return found
        q = shaped(q, f"{title}: argument 'q'", core)
        dtype = precision([q])
        return stored(np.clip(np.asarray(q, dtype), *self.bounds(dtype)), out, title)
