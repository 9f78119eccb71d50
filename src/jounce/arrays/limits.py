"""Joint limits of a robot or mechanism, and configurations within them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import kinds
from jounce.arrays.validation import (
    convert_array,
    plain,
    precision,
    refuse_other_columns,
    store_result,
)
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
        """Return the limits in the model of a robot or mechanism.

        Parameters
        ----------
        robot : Robot or Mechanism
            The robot or mechanism.

        Returns
        -------
        JointLimits
            Limits of its joints; infinite where the model has none.
        """
        limits = limits_of(robot.model, robot.labels("t", "{}[{}]")).of(robot.velocities)
        return cls(limits.names, limits.lower, limits.upper, limits.velocity, limits.effort, robot)

    @property
    def title(self) -> str:
        """Title in messages, such as "arm.limits"."""
        return f"{self.robot.name}.limits"

    def __reduce__(self) -> Any:
        return JointLimits, tuple(
            getattr(self, f.name) for f in fields(self)
        )  # makes the arrays read-only again

    @once_property
    def all_joints(self) -> Limits:
        """Limits of all joints, including the dependent joints of a mechanism."""
        every = limits_of(self.robot.model, self.robot.labels("t", "{}[{}]"))
        independent, numbers = list(self.robot.velocities), []
        for field in fields(every)[1:]:
            values = getattr(every, field.name).copy()
            values[independent] = getattr(self, field.name)
            numbers.append(values)
        return Limits(every.names, *numbers)

    @once_property
    def bounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the bounded coordinates in q, and of their limits in `all_joints`."""
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
            Precision of the bounds: float64 or float32.

        Returns
        -------
        tuple of ndarray (nq,)
            Lower and upper bounds (rad, m); infinite where there are none.
        """
        coordinates, entries = self.bounded
        out = np.full((2, self.robot.nq), np.inf)
        out[0] = -np.inf
        out[:, coordinates] = self.all_joints.lower[entries], self.all_joints.upper[entries]
        low, high = out.astype(dtype)
        return low, high

    def contains(self, q: ArrayLike, *, tolerance: float = 0.0) -> np.ndarray:
        """Return whether configurations are within the position limits of all joints.

        Limits are rounded to the precision of q, so that rounding a configuration to float32
        does not move it outside. NaN is outside.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        tolerance : float
            Distance beyond a limit that is still accepted (rad, m).

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
        result = kinds.call_method(self.contains, q, {"tolerance": tolerance}, (core, ()), bool)
        if result is not None:
            return result
        q = convert_array(q, f"{title}: argument 'q'", core)
        low, high = self.bounds(precision([q]))
        inside = (q >= low - tolerance) & (q <= high + tolerance)
        return np.all(inside, axis=-1)

    def clip(self, q: ArrayLike, *, out: np.ndarray | None = None) -> np.ndarray:
        """Return the nearest configurations within the position limits of all joints.

        Each coordinate is clipped to its bounds; quaternions, positions of free joints and NaN are
        not changed. Mechanisms raise an error, since their loops would open.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        out : ndarray (..., nq)
            Array for the result.

        Returns
        -------
        ndarray (..., nq)
            Configurations within limits.
        """
        title = printable(f"{self.title}.clip")
        if self.robot.tree.active is not None:
            raise ArgumentError(
                f"{title}: expected a robot without loops, since clipping joints one by one opens"
                " them; use robot.limits.clip(q) of the tree, then close the loops with assemble"
            )
        refuse_other_columns(self.robot, title, [("q", q)])
        core = (self.robot.nq,)
        result = kinds.call_method(self.clip, q, {"out": out}, (core, core))
        if result is not None:
            return result
        q = convert_array(q, f"{title}: argument 'q'", core)
        dtype = precision([q])
        return store_result(np.clip(np.asarray(q, dtype), *self.bounds(dtype)), out, title)
