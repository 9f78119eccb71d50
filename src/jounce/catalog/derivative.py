"""Derivatives of quantities, of any depth: which there are, and what identifies each.

A derivative is identified by the quantity or derivative it is of, and the variable. Its formula is
made at first use (`definitions`): a closed form, or automatic differentiation.
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

#: Arrays that one call of a NumPy ufunc can have, arguments and results together.
MOST_ARRAYS = 64

#: Attributes of a derivative that its definition has.
_DEFINED = frozenset(field.name for field in fields(Quantity))

#: Variants with numbers of the robot as arguments.
_WITH_NUMBERS = (Variant.PARAMETRIC, Variant.MORPHABLE)

#: Arguments that numbers of the robot are.
_WRT = {
    Numbers.PARAMETERS: ("pi",),
    Numbers.SCREWS: ("screws",),
    Numbers.PLACEMENTS: ("placements",),
}


@dataclass(frozen=True)
class Derivative(AnyQuantity):
    """The derivative of a quantity or derivative, or a variant of it; made by `derive`."""

    #: The quantity or derivative.
    of: AnyQuantity

    #: What it is differentiated by, or the kind of variant.
    variable: Variable

    def __reduce__(self) -> Any:
        return derive, (self.of, self.variable)

    @property
    def definition(self) -> Quantity:
        """Formula, arguments, results and description, made at first use."""
        from jounce.catalog.definitions import define  # which derives further quantities

        known = self.__dict__.get("_definition")
        # no lock, which a fork might find held: of two that are made at once one is kept
        return known or self.__dict__.setdefault("_definition", define(self.of, self.variable))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What `Quantity` declares, from the definition."""
            if name not in _DEFINED:
                raise AttributeError(f"a derivative has no '{name}'", name=name, obj=self)
            return self.__dict__.setdefault(name, getattr(self.definition, name))

    @property
    def name(self) -> str:
        """The name of the quantity and of all differentiations; variants have the same."""
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
        """Whether it is the same quantity with other arguments."""
        return isinstance(self.variable, Variant)

    # -------------------------------------------------------------- place among derivatives

    @property
    def origin(self) -> AnyQuantity | None:
        """What it is a derivative of; for a variant, what the quantity it is of is."""
        return self.of.origin if self.is_variant else self.of

    @property
    def step(self) -> str:
        """Name of the last differentiation."""
        return self.of.step if self.is_variant else str(self.variable)

    @property
    def wrt(self) -> tuple[str, ...]:
        """Arguments that it is differentiated by, one per axis."""
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
        """Whether there is the same derivative in plain coordinates."""
        products = (Jvp(), Vjp(), Vjp(optional=True))
        return self.variable in products or (self.is_variant and self.of.coordinates)

    @property
    def backwards(self) -> bool:
        """Whether it is computed in reverse mode."""
        return isinstance(self.variable, Vjp) or self.of.backwards

    @property
    def contains_rates(self) -> bool:
        """Whether it is a value with its time derivatives, or derived from such a one."""
        every = isinstance(self.variable, Time) and self.variable.every
        return every or self.of.contains_rates


# ------------------------------------------------------------------ which there are


def derivative(of: AnyQuantity, name: str) -> Derivative:
    """The derivative called `name`.

    Parameters
    ----------
    of : AnyQuantity
    name : str
        One of `derivative_names`, or several axes of the state together (dqv, dqqq), dttt and so
        on, rates(k), or for a regressor with drives extended or extended_smooth.

    Returns
    -------
    Derivative

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    return derive(of, parse_variable(name, of.axes))


@cache
def derive(of: AnyQuantity, variable: Variable) -> Derivative:
    """The derivative in a variable, or the variant; a ValueError if there is none.

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
    """Names of the derivatives there are, besides dttt, ..., rates(k) and derivatives of these."""
    if not of.differentiable:
        return ()
    first = [f"d{name}" for name in of.axes]
    numbers = (*(["dpi"] if _in_inertia(of) else ()), *(GEOMETRY if of.geometry else ()))
    return tuple(dict.fromkeys(("dt", "dtt", *first, *of.forms, *numbers, *PRODUCTS)))


def variables_from(base: AnyQuantity | None, of: AnyQuantity) -> tuple[Variable, ...] | None:
    """Variables that lead from `base` (None: the quantity itself) to a derivative, in order.

    None if it is not derived from there.
    """
    variables: list[Variable] = []
    while isinstance(of, Derivative) and of != base:
        variables.append(of.variable)
        of = of.of
    return None if base is not None and of != base else tuple(reversed(variables))


def has_derivative(of: AnyQuantity, name: str) -> bool:
    """Whether there is a derivative of that name, listed or not."""
    variable = parse_variable(name, of.axes)
    return not isinstance(variable, Extended) and _is_offered(of, variable)


def _in_inertia(of: AnyQuantity) -> bool:
    """Whether there is a derivative in the robot's parameters, which may be arguments instead."""
    return of.inertial and ("pi" not in of.arguments or without_numbers(of) is not None)


def reason(of: AnyQuantity, name: str) -> str:
    """Suffix that explains a missing derivative, if it is not obvious."""
    if name == "dpi" and of.differentiable:
        return f". {of.name} does not depend on the inertial parameters: its dpi would be zero"
    return ""


def highest_rates(of: AnyQuantity, *, optional: bool = False) -> int:
    """The highest order of all time derivatives that one call can give.

    optional: with the optional arguments, which have time derivatives too.
    """

    def arrays(order: int) -> int:
        every = derive(of, Time(order, every=True))
        optional_count = len(every.optional) if optional else 0
        return len(every.arguments) + optional_count + len(every.results)

    return max(order for order in range(MOST_ARRAYS) if arrays(order) <= MOST_ARRAYS)


def without_numbers(of: AnyQuantity) -> tuple[AnyQuantity, Variant] | None:
    """For a quantity with numbers of the robot as arguments: the one without, and the variant.

    Derivatives of such quantities are variants of derivatives; pushforwards and pullbacks are not,
    as the numbers have tangents and gradients there.
    """
    if not isinstance(of, Derivative) or isinstance(of.variable, (Jvp, Vjp)):
        return None
    if isinstance(of.variable, Variant):
        return (of.of, of.variable) if of.variable in _WITH_NUMBERS else None
    inner = without_numbers(of.of)
    return None if inner is None else (derive(inner[0], of.variable), inner[1])


def with_optional_gradients(of: AnyQuantity) -> AnyQuantity:
    """A `vjp` with the optional arguments required, and their gradients too; others as they are."""
    if isinstance(of, Derivative) and isinstance(of.variable, Vjp):
        return derive(of.of, replace(of.variable, optional=True))
    return of
