"""Limits of the joints of a model: positions, speeds and efforts, one entry per velocity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from jounce.errors import ModelError, printable
from jounce.model.model import Model
from jounce.model.numbers import Floats
from jounce.model.tree import coordinates


@dataclass(frozen=True, eq=False, repr=False)
class Limits:
    """Limits of the joints, (nv,) each and read-only, infinite where there is no limit.

    lower, upper: limits of positions (rad, m). An entry bounds the coordinate of its velocity: an
    angle, a displacement, or x and y of a planar joint. Spherical and free joints have no limits of
    position. velocity: maximum speed (rad/s, m/s). effort: maximum torque or force of the drive
    (N m, N). Both are as in the file, which may give zero for joints without a drive. names: of the
    entries.

    Mimic joints have no entries. Their limits of position and velocity, but not of effort, also
    apply to the joint they follow. Exceptions are limits that no position of the leader satisfies
    (`robot.model.check` reports them), and velocities of zero, which files use for unknown limits.
    """

    names: tuple[str, ...]
    lower: Floats
    upper: Floats
    velocity: Floats
    effort: Floats

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "names", tuple(self.names))
        for what in _WHAT:
            values = np.array(getattr(self, what), dtype=float)
            if values.shape != (len(self.names),):
                raise ModelError(
                    f"limits: {what} must have shape ({len(self.names)},), one per velocity, found"
                    f" {values.shape}"
                )
            values.flags.writeable = False
            put(self, what, values)
        if not np.all(self.lower <= self.upper):
            k = int(np.argmin(self.lower <= self.upper))
            raise ModelError(
                f"limits: expected lower <= upper for '{self.names[k]}', found"
                f" {self.lower[k]:g} and {self.upper[k]:g}"
            )

    def of(self, velocities: Sequence[int]) -> Limits:
        """Return the limits of some velocities.

        Parameters
        ----------
        velocities : sequence of int
            Indices.

        Returns
        -------
        Limits
            Their limits, in that order.
        """
        indices = list(velocities)
        return Limits(
            tuple(self.names[k] for k in indices), *(getattr(self, x)[indices] for x in _WHAT)
        )

    def __reduce__(self) -> Any:
        return Limits, tuple(getattr(self, f.name) for f in fields(self))  # read-only again

    def __repr__(self) -> str:
        rows: list[tuple[str, ...]] = [("limits", *_WHAT)]
        columns = [getattr(self, what).tolist() for what in _WHAT]
        for name, *numbers in zip(self.names, *columns, strict=True):
            rows.append((printable(name), *(f"{x:.6g}" for x in numbers)))
        first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        return "\n".join(
            "  ".join((row[0].ljust(first), *map(str.rjust, row[1:], widths))) for row in rows
        )


_WHAT = ("lower", "upper", "velocity", "effort")


def limits_of(model: Model, names: Sequence[str]) -> Limits:
    """Return the limits of a model's joints; names: of its velocities."""
    lower, upper = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    velocity, effort = upper.copy(), upper.copy()
    where = coordinates(model)
    for joint in model.joints:
        place = slice(where[joint.name][1], where[joint.name][1] + joint.nv)
        if joint.mimic is None:
            for _, k in joint.row.limited:
                lower[place.start + k], upper[place.start + k] = joint.lower[k], joint.upper[k]
            velocity[place], effort[place] = joint.velocity_limit, joint.effort_limit
    for joint in model.joints:
        _, k, gain, offset = where[joint.name]
        if joint.mimic is None or gain == 0.0:
            continue
        # where the leader may be for q = gain q_leader + offset to keep its bounds
        low, high = sorted((float(x[0]) - offset) / gain for x in (joint.lower, joint.upper))
        low, high = max(lower[k], low), min(upper[k], high)
        if low <= high:
            lower[k], upper[k] = low, high
        speed = float(joint.velocity_limit[0])
        if speed > 0.0:
            velocity[k] = min(velocity[k], speed / abs(gain))
    return Limits(tuple(names), lower, upper, velocity, effort)
