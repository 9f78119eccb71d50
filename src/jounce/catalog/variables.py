"""Variables of differentiation, and variants: values that identify a `Derivative`.

The string of a variable is the name of the derivative, which `names.parse_variable` parses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Time:
    """Time derivative of an order; with `every` the value and all orders up to it."""

    order: int
    every: bool = False

    def __str__(self) -> str:
        return f"rates({self.order})" if self.every else f"d{'t' * self.order}"

    @property
    def orders(self) -> tuple[int, ...]:
        """Orders of the results."""
        return tuple(range(self.order + 1)) if self.every else (self.order,)


@dataclass(frozen=True)
class State:
    """Derivative in arguments of the state, one per axis: dq, dqv, dtau."""

    axes: tuple[str, ...]

    def __str__(self) -> str:
        return f"d{''.join(self.axes)}"


class RobotParameter(Enum):
    """Derivative in parameters of the robot: inertial, and placements of its parts."""

    INERTIAL = "dpi"
    SCREWS = "dscrew"
    PLACEMENTS = "dplacement"
    FRAME = "dframe"
    LOOPS = "dloop"
    CONTACTS = "dcontact"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Named:
    """Derivative that is defined only by a form of the quantity, such as `derivatives`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Jvp:
    """Jacobian-vector product with tangents of the arguments, or of some of them.

    coordinates: tangents and results are plain coordinates, not elements of tangent spaces.
    """

    coordinates: bool = False
    arguments: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return _product("jvp", self.coordinates, self.arguments)


@dataclass(frozen=True)
class Vjp:
    """Vector-Jacobian product: gradients in the required arguments, or in some of them.

    coordinates: as in `Jvp`. optional: optional arguments become required and have gradients, too.
    """

    coordinates: bool = False
    arguments: tuple[str, ...] | None = None
    optional: bool = False

    def __str__(self) -> str:
        return _product("vjp", self.coordinates, self.arguments)


def _product(name: str, coordinates: bool, arguments: tuple[str, ...] | None) -> str:
    if arguments is not None:
        return f"{name}({','.join(arguments)})"
    return f"{name}_coordinates" if coordinates else name


@dataclass(frozen=True)
class Extended:
    """A regressor with drive columns; smooth: with smoothed Coulomb friction."""

    smooth: bool

    def __str__(self) -> str:
        return "extended_smooth" if self.smooth else "extended"


class Variant(Enum):
    """The same quantity with other arguments, under the same name."""

    #: Inertial parameters as the last argument, and gravity as an optional one.
    PARAMETRIC = "parametric"
    #: Inertial parameters, joint placements and screws as the last arguments.
    MORPHABLE = "morphable"
    #: The motion of a moving base as further optional arguments.
    MOVING_BASE = "moving_base"
    #: A velocity for each configuration as a further argument, along which it is displaced first.
    DISPLACED = "displaced"
    #: Inverse dynamics with elastic drives: motion and torque of the motors.
    ELASTIC = "elastic"
    #: Only the required arguments, for libraries that differentiate.
    REQUIRED = "required"
    #: All arguments, the optional ones included.
    COMPLETE = "complete"


Variable = Time | State | RobotParameter | Named | Jvp | Vjp | Extended | Variant
