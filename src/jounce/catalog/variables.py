"""What a function is differentiated by, or turned into: small values with the names of the steps.

`Derivative(of, variable)` is a function of the catalog again. The text of a variable is the name
that `derivative.derivative` takes; `names.parse_variable` reads it. Variants are the same function
with other arguments, under the same name.
"""

from __future__ import annotations

from dataclasses import dataclass


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


@dataclass(frozen=True)
class Parameters:
    """The inertial parameters of all bodies."""

    def __str__(self) -> str:
        return "dpi"


@dataclass(frozen=True)
class Geometry:
    """Joint screws, or joint placements with all that is beyond them."""

    screw: bool

    def __str__(self) -> str:
        return "dscrew" if self.screw else "dplacement"


@dataclass(frozen=True)
class Named:
    """A form under a name of its own: several derivatives from one kernel, or a contraction."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Jvp:
    """Directional derivative along tangents of the arguments.

    coordinates: tangents and results are plain coordinates, not elements of tangent spaces.
    arguments: those that have tangents, in plain coordinates; None for all.
    """

    coordinates: bool = False
    arguments: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return _product("jvp", self.coordinates, self.arguments)


@dataclass(frozen=True)
class Vjp:
    """Gradients of weighted results in the arguments.

    coordinates: as in `Jvp`. arguments: those that have gradients; None for all required ones.
    optional: with gradients in the optional arguments, which are required then.
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


# ------------------------------------------------------------------ variants


@dataclass(frozen=True)
class Variant:
    """The same function with other arguments."""

    def __str__(self) -> str:
        return ""


class Parametric(Variant):
    """Inertial parameters as the last argument, and gravity as an optional one."""

    def __str__(self) -> str:
        return "parametric"


class Morphable(Variant):
    """Inertial parameters, joint placements and screws as the last arguments."""

    def __str__(self) -> str:
        return "morphable"


class Mounted(Variant):
    """The motion of the base as further optional arguments."""


class Displaced(Variant):
    """A velocity after the arguments for each configuration, which it moves first."""


class Elastic(Variant):
    """Motion and torque of elastic drives' motors, instead of inverse dynamics."""


@dataclass(frozen=True)
class Complete(Variant):
    """All arguments required, with the optional ones or without; moving: the base's motion too."""

    optional: bool = False
    moving: bool = False


Variable = Time | State | Parameters | Geometry | Named | Jvp | Vjp | Extended | Variant
