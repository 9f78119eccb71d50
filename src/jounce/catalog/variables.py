"""What a quantity is differentiated by, or turned into: small values that `Derivative` holds.

The text of a variable is the name of the derivative, which `names.parse_variable` reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Time:
    """Time derivative of an order, or with `every` the value and all orders up to it."""

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
    """Arguments of the state, one per axis: dq, dqv, dtau."""

    axes: tuple[str, ...]

    def __str__(self) -> str:
        return f"d{''.join(self.axes)}"


class Numbers(Enum):
    """Numbers of the robot: inertial parameters, joint screws, placements with all beyond them."""

    PARAMETERS = "dpi"
    SCREWS = "dscrew"
    PLACEMENTS = "dplacement"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Named:
    """A form under a name of its own: several derivatives from one kernel, or a contraction."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Jvp:
    """Directional derivative along tangents of the arguments, or of some of them.

    coordinates: tangents and results are plain coordinates, not elements of tangent spaces.
    """

    coordinates: bool = False
    arguments: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return _product("jvp", self.coordinates, self.arguments)


@dataclass(frozen=True)
class Vjp:
    """Gradients of weighted results in the required arguments, or in some of them.

    coordinates: as in `Jvp`. optional: the optional arguments are required, with gradients too.
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
    """A regressor with columns for the drives; smooth: Coulomb friction fades at low speed."""

    smooth: bool

    def __str__(self) -> str:
        return "extended_smooth" if self.smooth else "extended"


class Variant(Enum):
    """The same quantity with other arguments, under the same name."""

    #: Inertial parameters as the last argument, and gravity as an optional one.
    PARAMETRIC = "parametric"
    #: Inertial parameters, joint placements and screws as the last arguments.
    MORPHABLE = "morphable"
    #: The motion of the base as further optional arguments.
    MOUNTED = "mounted"
    #: A velocity after the arguments for each configuration, which it moves first.
    DISPLACED = "displaced"
    #: Elastic drives: motion and torque of motors, from inverse dynamics.
    ELASTIC = "elastic"
    #: All arguments but the optional ones, as libraries that differentiate take them.
    REQUIRED = "required"
    #: All arguments, the optional ones included.
    COMPLETE = "complete"


Variable = Time | State | Numbers | Named | Jvp | Vjp | Extended | Variant
