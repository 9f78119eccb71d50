"""What frames shall do, as users say it: poses, positions, orientations, directions.

All numbers may have leading axes, which broadcast between targets and with where a search starts.
weight: how much a target counts beside others, where not all can be met.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

#: What stands for a target, for messages.
FORMS = (
    "a pose (..., 4, 4), a position (..., 3), jounce.Pose, Position, Orientation or Direction, or a"
    " list of these"
)

_AXES = ("x", "y", "z")


@dataclass(frozen=True, eq=False)
class Pose:
    """A frame has a pose (..., 4, 4) in the world.

    angle_weight: what an angle of a rad counts beside a distance of a metre.
    """

    pose: ArrayLike
    weight: ArrayLike = 1.0
    angle_weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Position:
    """A point of a frame, by default its origin, is at a position (..., 3) in the world.

    at (..., 3): the point, in the frame. axes: which coordinates of the world count, such as "xy".
    """

    position: ArrayLike
    weight: ArrayLike = 1.0
    at: ArrayLike | None = None
    axes: str = "xyz"


@dataclass(frozen=True, eq=False)
class Orientation:
    """A frame has an orientation: a rotation matrix (..., 3, 3) or a quaternion (..., 4).

    The columns of a matrix are the frame's axes in the world. Quaternions are (w, x, y, z), of any
    length but zero.
    """

    orientation: ArrayLike
    weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Direction:
    """An axis of a frame points along a direction (..., 3) in the world, of any length.

    axis: "x", "y", "z", "-x", "-y", "-z", or a direction (..., 3) in the frame.
    """

    direction: ArrayLike
    axis: str | ArrayLike = "z"
    weight: ArrayLike = 1.0


Target = Pose | Position | Orientation | Direction


def axis_of(axis: Any) -> Any:
    """The direction that a word such as "-x" stands for; all else as it is."""
    if not isinstance(axis, str):
        return axis
    name = axis.removeprefix("-").removeprefix("+")
    if name not in _AXES:
        raise ValueError(f"axis must be one of x, y, z, -x, -y, -z, or numbers, found {axis!r}")
    sign = -1.0 if axis.startswith("-") else 1.0
    return [sign * (name == other) for other in _AXES]


def counted(axes: Any) -> tuple[int, ...]:
    """Which coordinates words such as "xy" stand for."""
    if not isinstance(axes, str) or not axes or not set(axes) <= {*_AXES}:
        raise ValueError(f'axes must be some of "xyz", found {axes!r}')
    return tuple(k for k, name in enumerate(_AXES) if name in axes)
