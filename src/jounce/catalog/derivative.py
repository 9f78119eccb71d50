"""Derivatives of quantities of any order: their names and identity.

A derivative is identified by a quantity or derivative, and a variable. Its formula is defined at
first use (`definitions`): a closed form, or automatic differentiation.
"""

# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from jounce.catalog.names import PRODUCTS, parse_variable
from jounce.catalog.quantity import GEOMETRY, AnyQuantity, Quantity
from jounce.catalog.variables import (
    Extended,
    Jvp,
    Named,
    Numbers,
    State,
    Time,
    Variable,
    Variant,
    Vjp,
)
from jounce.errors import suggest

#: Maximum number of arguments and results of a NumPy ufunc.
MOST_ARRAYS = 64

#: Attributes of a derivative that are fields of its definition.
_DEFINED = frozenset(field.name for field in fields(Quantity))

#: Variants with parameters of the robot as arguments.
_WITH_NUMBERS = (Variant.PARAMETRIC, Variant.MORPHABLE)

#: Arguments for parameters of the robot.
_WRT = {
    Numbers.PARAMETERS: ("pi",),
    Numbers.SCREWS: ("screws",),
    Numbers.PLACEMENTS: ("placements",),
}


@dataclass(frozen=True)
class Derivative(AnyQuantity):
    """The derivative of a quantity or derivative, or a variant of it; made by `derive`."""

    #: The quantity or derivative that is differentiated.
    of: AnyQuantity

    #: The variable, or the kind of variant.
    variable: Variable

    def __reduce__(self) -> Any:
        return derive, (self.of, self.variable)

    @property
    def definition(self) -> Quantity:
        """Formula, arguments, results and description, created at first use."""
        from jounce.catalog.definitions import define  # lazily: an import cycle

        known = self.__dict__.get("_definition")
        # lock-free, since a fork could inherit a locked lock; setdefault keeps the first result
        return known or self.__dict__.setdefault("_definition", define(self.of, self.variable))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a field of `Quantity` from the definition."""
            if name not in _DEFINED:
                raise AttributeError(f"a derivative has no '{name}'", name=name, obj=self)
            return self.__dict__.setdefault(name, getattr(self.definition, name))

    @property
    def name(self) -> str:
        """Names of the quantity and of all differentiations; variants have the same name."""
        if self.variable is Variant.ELASTIC:
            return f"elastic_{self.of.name}"
        return self.of.name if self.is_variant else f"{self.of.name}.{self.variable}"

    def __str__(self) -> str:
        if self.variable in _WITH_NUMBERS:
            return f"{self.variable.value}.{self.of}"
        return self.name if self.is_variant else f"{self.of}.{self.variable}"

    def __repr__(self) -> str:
        return f"<derivative {self}>"

    @property
    def is_variant(self) -> bool:
        """True if it is the same quantity with other arguments."""
        return isinstance(self.variable, Variant)

    # -------------------------------------------------------------- place among derivatives

    @property
    def origin(self) -> AnyQuantity | None:
        """The function that is differentiated; for a variant, that of the original."""
        return self.of.origin if self.is_variant else self.of

    @property
    def step(self) -> str:
        """Name of the last differentiation."""
        return self.of.step if self.is_variant else str(self.variable)

    @property
    def wrt(self) -> tuple[str, ...]:
        """Variables of the derivative, one per axis."""
        match self.variable:
            case State(axes):
                return axes
            case Numbers():
                return _WRT[self.variable]
        return self.of.wrt if self.is_variant else ()

    @property
    def orders(self) -> tuple[int, ...]:
        """For time derivatives: the order of each result."""
        if isinstance(self.variable, Time):
            return tuple(k for k in self.variable.orders for _ in self.of.results)
        return self.of.orders if self.is_variant else ()

    @property
    def coordinates(self) -> bool:
        """True if the derivative also exists in plain coordinates."""
        products = (Jvp(), Vjp(), Vjp(optional=True))
        return self.variable in products or (self.is_variant and self.of.coordinates)

    @property
    def backwards(self) -> bool:
        """True if it is computed in reverse mode."""
        return isinstance(self.variable, Vjp) or self.of.backwards

    @property
    def contains_rates(self) -> bool:
        """True if it contains a value with its time derivatives, or is derived from such one."""
        every = isinstance(self.variable, Time) and self.variable.every
        return every or self.of.contains_rates


# ------------------------------------------------------------------ available derivatives


def derivative(of: AnyQuantity, name: str) -> Derivative:
    """Return a derivative by name.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.
    name : str
        One of `derivative_names`, or several axes of the state together (dqv, dqqq), dttt and so
        on, rates(k), or for a regressor with drives extended or extended_smooth.

    Returns
    -------
    Derivative
        The catalog entry of the derivative.

    Raises
    ------
    ValueError
        If there is no derivative of that name.
    """
    return derive(of, parse_variable(name, of.axes))


@cache
def derive(of: AnyQuantity, variable: Variable) -> Derivative:
    """Return the derivative in a variable, or a variant; ValueError if it does not exist.

    Repeated differentiation in variables of one kind is one derivative: .dq.dv is .dqv, and .dt.dt
    is .dtt.
    """
    if not _is_offered(of, variable):
        valid = (*derivative_names(of), "rates(order)") if of.differentiable else ()
        name = str(variable)
        raise ValueError(
            f"{of.name} has no derivative '{name}'; {suggest(name, valid)}{reason(of, name)}"
        )
    if isinstance(of, Derivative):
        match of.variable, variable:
            case State(first), State(second) if {*second} <= {*of.of.axes}:
                return derive(of.of, State(first + second))
            case Time(first, every=False), Time(second, every=False):
                return derive(of.of, Time(first + second))
    return Derivative(of, variable)


def _is_offered(of: AnyQuantity, variable: Variable) -> bool:
    match variable:
        case Jvp() | Vjp() | Variant():
            return True
        case Extended():
            return of.drives is not None
        case Numbers.PARAMETERS:
            return of.differentiable and _in_inertia(of)
        case Numbers():
            return of.differentiable and of.geometry
        case Named(name):
            return of.differentiable and name in of.forms
    return of.differentiable


def derivative_names(of: AnyQuantity) -> tuple[str, ...]:
    """Return the names of the derivatives of a quantity or derivative.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    tuple of str
        Names such as "dt", "dq", "jvp"; not listed are dttt, ..., rates(k), and repeated
        derivatives.
    """
    if not of.differentiable:
        return ()
    first = [f"d{name}" for name in of.axes]
    numbers = (*(["dpi"] if _in_inertia(of) else ()), *(GEOMETRY if of.geometry else ()))
    return tuple(dict.fromkeys(("dt", "dtt", *first, *of.forms, *numbers, *PRODUCTS)))


def variables_from(base: AnyQuantity | None, of: AnyQuantity) -> tuple[Variable, ...] | None:
    """Return the variables of a repeated derivative.

    Parameters
    ----------
    base : AnyQuantity or None
        Quantity or derivative to start from; None for the quantity itself.
    of : AnyQuantity
        The derivative.

    Returns
    -------
    tuple of Variable or None
        Variables from `base` to `of`, in order; None if `of` is not derived from `base`.
    """
    variables: list[Variable] = []
    while isinstance(of, Derivative) and of != base:
        variables.append(of.variable)
        of = of.of
    return None if base is not None and of != base else tuple(reversed(variables))


def has_derivative(of: AnyQuantity, name: str) -> bool:
    """Return whether a derivative of that name exists, listed or not.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.
    name : str
        Such as "dq" or "dttt".

    Returns
    -------
    bool
        True if it exists.
    """
    variable = parse_variable(name, of.axes)
    return not isinstance(variable, Extended) and _is_offered(of, variable)


def _in_inertia(of: AnyQuantity) -> bool:
    """Return whether there is a derivative in the robot's inertial parameters."""
    return of.inertial and ("pi" not in of.arguments or without_numbers(of) is not None)


def reason(of: AnyQuantity, name: str) -> str:
    """Return a suffix for the message about a missing derivative.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.
    name : str
        Name of the missing derivative.

    Returns
    -------
    str
        A sentence that explains why there is no such derivative, or ''.
    """
    if name == "dpi" and of.differentiable:
        return f". {of.name} does not depend on the inertial parameters: its dpi would be zero"
    return ""


def highest_rates(of: AnyQuantity, *, optional: bool = False) -> int:
    """Return the highest order of time derivatives that one call can compute.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.
    optional : bool
        Include optional arguments and their time derivatives.

    Returns
    -------
    int
        The highest k of rates(k) with at most 64 arguments and results.
    """

    def arrays(order: int) -> int:
        every = derive(of, Time(order, every=True))
        optional_count = len(every.optional) if optional else 0
        return len(every.arguments) + optional_count + len(every.results)

    return max(order for order in range(MOST_ARRAYS) if arrays(order) <= MOST_ARRAYS)


def without_numbers(of: AnyQuantity) -> tuple[AnyQuantity, Variant] | None:
    """Return a quantity without its arguments for parameters of the robot, and the variant.

    Derivatives of such quantities are variants of derivatives. Jacobian-vector products and
    vector-Jacobian products are not, since they have tangents and gradients of the parameters.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    tuple of (AnyQuantity, Variant) or None
        The quantity without these arguments, and the kind of variant; None if it has none.
    """
    if not isinstance(of, Derivative) or isinstance(of.variable, (Jvp, Vjp)):
        return None
    if isinstance(of.variable, Variant):
        return (of.of, of.variable) if of.variable in _WITH_NUMBERS else None
    inner = without_numbers(of.of)
    return None if inner is None else (derive(inner[0], of.variable), inner[1])


def with_optional_gradients(of: AnyQuantity) -> AnyQuantity:
    """Return a vector-Jacobian product that also has gradients in optional arguments.

    Parameters
    ----------
    of : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    AnyQuantity
        For a `vjp`, the variant whose optional arguments are required; others are returned as is.
    """
    if isinstance(of, Derivative) and isinstance(of.variable, Vjp):
        return derive(of.of, replace(of.variable, optional=True))
    return of
