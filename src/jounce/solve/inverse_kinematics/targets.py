"""Targets of inverse kinematics: poses, positions, orientations and directions of frames.

Leading axes of all arrays broadcast, between targets and with start configurations. The weight of
a target matters where not all targets can be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

#: Accepted targets, for error messages.
FORMS = (
    "a pose (..., 4, 4), a position (..., 3), jounce.Pose, Position, Orientation or Direction, or a"
    " list of these"
)

_AXES = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class Pose:
    """Target pose of a frame.

    Parameters
    ----------
    pose : array_like (..., 4, 4)
        Homogeneous transform from the frame to the world.
    weight : array_like (...,)
        Weight against other targets, >= 0.
    angle_weight : array_like (...,)
        Weight of an angular error of 1 rad relative to a distance of 1 m.

    Examples
    --------
    >>> import numpy as np, jounce
    >>> target = jounce.Pose(np.eye(4), angle_weight=0.1)
    """

    pose: ArrayLike
    weight: ArrayLike = 1.0
    angle_weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Position:
    """Target position of a point of a frame, by default of its origin.

    Parameters
    ----------
    position : array_like (..., 3)
        Position in the world, m.
    weight : array_like (...,)
        Weight against other targets, >= 0.
    at : array_like (..., 3), optional
        The point, in coordinates of the frame, m.
    axes : str
        World coordinates that are constrained, such as "xy".

    Examples
    --------
    >>> import jounce
    >>> target = jounce.Position([0.4, 0.0, 0.0], axes="xy")
    """

    position: ArrayLike
    weight: ArrayLike = 1.0
    at: ArrayLike | None = None
    axes: str = "xyz"


@dataclass(frozen=True, eq=False)
class Orientation:
    """Target orientation of a frame.

    Parameters
    ----------
    orientation : array_like (..., 3, 3) or (..., 4)
        Rotation matrix, whose columns are the frame's axes in the world, or quaternion
        (w, x, y, z) of any norm except zero.
    weight : array_like (...,)
        Weight against other targets, >= 0.

    Examples
    --------
    >>> import jounce
    >>> target = jounce.Orientation([1.0, 0.0, 0.0, 0.0])
    """

    orientation: ArrayLike
    weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Direction:
    """Target direction of an axis of a frame; rotation about it is free.

    Parameters
    ----------
    direction : array_like (..., 3)
        Direction in the world, of any length except zero.
    axis : str or array_like (..., 3)
        "x", "y", "z", "-x", "-y", "-z", or a direction in the frame.
    weight : array_like (...,)
        Weight against other targets, >= 0.

    Examples
    --------
    >>> import jounce
    >>> target = jounce.Direction([0.0, 0.0, -1.0], axis="z")
    """

    direction: ArrayLike
    axis: str | ArrayLike = "z"
    weight: ArrayLike = 1.0


Target = Pose | Position | Orientation | Direction


def parse_axis(axis: Any) -> Any:
    """Return the direction for a name such as "-x"; return anything else unchanged."""
    if not isinstance(axis, str):
        return axis
    name = axis.removeprefix("-").removeprefix("+")
    if name not in _AXES:
        raise ValueError(
            f"axis must be x, y, z, -x, -y, -z or a direction (..., 3), found {axis!r}"
        )
    sign = -1.0 if axis.startswith("-") else 1.0
    return [sign * (name == other) for other in _AXES]


def axis_indices(axes: Any) -> tuple[int, ...]:
    """Return the indices of coordinates such as "xy"."""
    if not isinstance(axes, str) or not axes or not set(axes) <= {*_AXES}:
        raise ValueError(f'axes must be some of "xyz", found {axes!r}')
    return tuple(k for k, name in enumerate(_AXES) if name in axes)
