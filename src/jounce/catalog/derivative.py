"""Derivatives of quantities of any order: names, identity and availability.

A derivative is identified by an operand (a quantity or derivative) and a variable. Its formula, a
closed form or automatic differentiation, is defined at first use (`definitions.py`).
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
    RobotParameter,
    State,
    Time,
    Variable,
    Variant,
    Vjp,
)
from jounce.errors import suggest

#: Maximum number of arguments and results of a NumPy ufunc.
MAX_ARRAYS = 64

#: Attributes of a derivative that are fields of its definition.
_DEFINED = frozenset(field.name for field in fields(Quantity))

#: Variants with parameters of the robot as arguments.
_PARAMETER_VARIANTS = (Variant.PARAMETRIC, Variant.MORPHABLE)

#: Arguments for parameters of the robot.
_PARAMETER_ARGUMENTS = {
    RobotParameter.INERTIAL: ("pi",),
    RobotParameter.SCREWS: ("screws",),
    RobotParameter.PLACEMENTS: ("placements",),
    RobotParameter.FRAME: ("frame",),
    RobotParameter.LOOPS: ("loops",),
    RobotParameter.CONTACTS: ("contacts",),
}


@dataclass(frozen=True)
class Derivative(AnyQuantity):
    """The derivative of a quantity or derivative, or a variant of it; created by `derive`."""

    #: The quantity or derivative that is differentiated, or of which this is a variant.
    operand: AnyQuantity

    #: The variable of differentiation, or the kind of variant.
    variable: Variable

    def __reduce__(self) -> Any:
        return derive, (self.operand, self.variable)

    @property
    def definition(self) -> Quantity:
        """Formula, arguments, results and description, created at first use."""
        from jounce.catalog.definitions import define  # lazily: an import cycle

        known = self.__dict__.get("_definition")
        # lock-free, since a fork could inherit a locked lock; setdefault keeps the first result
        return known or self.__dict__.setdefault("_definition", define(self.operand, self.variable))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a field of `Quantity` from the definition."""
            if name not in _DEFINED:
                raise AttributeError(f"a derivative has no '{name}'", name=name, obj=self)
            return self.__dict__.setdefault(name, getattr(self.definition, name))

    @property
    def name(self) -> str:
        """Name of the operand and of the differentiation; a variant has the operand's name."""
        if self.variable is Variant.ELASTIC:
            return f"elastic_{self.operand.name}"
        return self.operand.name if self.is_variant else f"{self.operand.name}.{self.variable}"

    def __str__(self) -> str:
        if self.variable in _PARAMETER_VARIANTS:
            return f"{self.variable.value}.{self.operand}"
        return self.name if self.is_variant else f"{self.operand}.{self.variable}"

    def __repr__(self) -> str:
        return f"<derivative {self}>"

    @property
    def is_variant(self) -> bool:
        """True if it is the same quantity with other arguments."""
        return isinstance(self.variable, Variant)

    # -------------------------------------------------------------- relation to other derivatives

    @property
    def origin(self) -> AnyQuantity | None:
        """The quantity or derivative that is differentiated; for a variant, by its operand."""
        return self.operand.origin if self.is_variant else self.operand

    @property
    def last_step(self) -> str:
        """Name of the last differentiation."""
        return self.operand.last_step if self.is_variant else str(self.variable)

    @property
    def wrt(self) -> tuple[str, ...]:
        """Variables of the derivative, one per axis."""
        match self.variable:
            case State(axes):
                return axes
            case RobotParameter():
                return _PARAMETER_ARGUMENTS[self.variable]
        return self.operand.wrt if self.is_variant else ()

    @property
    def orders(self) -> tuple[int, ...]:
        """For time derivatives: the order of each result."""
        if isinstance(self.variable, Time):
            return tuple(k for k in self.variable.orders for _ in self.operand.results)
        return self.operand.orders if self.is_variant else ()

    @property
    def has_coordinate_form(self) -> bool:
        """True for products with vectors, which also exist in plain coordinates."""
        products = (Jvp(), Vjp(), Vjp(optional=True))
        return self.variable in products or (self.is_variant and self.operand.has_coordinate_form)

    @property
    def is_reverse_mode(self) -> bool:
        """True if it is computed in reverse mode."""
        return isinstance(self.variable, Vjp) or self.operand.is_reverse_mode

    @property
    def contains_rates(self) -> bool:
        """True if its results include lower orders (`rates(k)`), or if its operand's do."""
        every = isinstance(self.variable, Time) and self.variable.every
        return every or self.operand.contains_rates


# ------------------------------------------------------------------ available derivatives


def derivative(quantity: AnyQuantity, name: str) -> Derivative:
    """Return a derivative by name.

    Parameters
    ----------
    quantity : AnyQuantity
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
    return derive(quantity, parse_variable(name, quantity.axes))


@cache
def derive(quantity: AnyQuantity, variable: Variable) -> Derivative:
    """Return the derivative in a variable, or a variant; ValueError if it does not exist.

    Repeated differentiation in the state, or in time, is one derivative: .dq.dv is .dqv, and .dt.dt
    is .dtt.
    """
    if not _is_offered(quantity, variable):
        valid = (*derivative_names(quantity), "rates(order)") if quantity.differentiable else ()
        name = str(variable)
        raise ValueError(
            f"{quantity.name} has no derivative '{name}'; {suggest(name, valid)}"
            f"{explain_missing(quantity, name)}"
        )
    if isinstance(quantity, Derivative):
        match quantity.variable, variable:
            case State(first), State(second) if {*second} <= {*quantity.operand.axes}:
                return derive(quantity.operand, State(first + second))
            case Time(first, every=False), Time(second, every=False):
                return derive(quantity.operand, Time(first + second))
    return Derivative(quantity, variable)


def _is_offered(quantity: AnyQuantity, variable: Variable) -> bool:
    match variable:
        case Jvp() | Vjp() | Variant():
            return True
        case Extended():
            return quantity.drives is not None
        case RobotParameter.INERTIAL:
            return quantity.differentiable and _has_inertial_derivative(quantity)
        case RobotParameter():
            return quantity.differentiable and str(variable) in _geometry_names(quantity)
        case Named(name):
            return quantity.differentiable and name in quantity.forms
    return quantity.differentiable


def derivative_names(quantity: AnyQuantity) -> tuple[str, ...]:
    """Return the names of the derivatives of a quantity or derivative.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    tuple of str
        Names such as "dt", "dq", "jvp"; not listed are dttt, ..., rates(k), and repeated
        derivatives.
    """
    if not quantity.differentiable:
        return ()
    first = [f"d{name}" for name in quantity.axes]
    numbers = (
        *(["dpi"] if _has_inertial_derivative(quantity) else ()),
        *_geometry_names(quantity),
    )
    return tuple(dict.fromkeys(("dt", "dtt", *first, *quantity.forms, *numbers, *PRODUCTS)))


def _geometry_names(quantity: AnyQuantity) -> tuple[str, ...]:
    """Return the names of the derivatives in placements: of joints, its frame, loops, contacts."""
    if not quantity.geometry:
        return ()
    traits = quantity.traits
    frames = traits.of_frame or traits.tasks
    parts = {"dframe": frames, "dloop": traits.loops, "dcontact": traits.contacts}
    return (*GEOMETRY, *(name for name, has_part in parts.items() if has_part))


def variables_from(base: AnyQuantity | None, quantity: AnyQuantity) -> tuple[Variable, ...] | None:
    """Return the variables of a repeated derivative.

    Parameters
    ----------
    base : AnyQuantity or None
        Quantity or derivative to start from; None for the quantity itself.
    quantity : AnyQuantity
        The derivative.

    Returns
    -------
    tuple of Variable or None
        Variables from `base` to `quantity`, in order; None if the quantity is not derived from
        `base`.
    """
    variables: list[Variable] = []
    while isinstance(quantity, Derivative) and quantity != base:
        variables.append(quantity.variable)
        quantity = quantity.operand
    return None if base is not None and quantity != base else tuple(reversed(variables))


def has_derivative(quantity: AnyQuantity, name: str) -> bool:
    """Return whether a derivative of that name exists, listed or not.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.
    name : str
        Such as "dq" or "dttt".

    Returns
    -------
    bool
        True if it exists.
    """
    variable = parse_variable(name, quantity.axes)
    return not isinstance(variable, Extended) and _is_offered(quantity, variable)


def _has_inertial_derivative(quantity: AnyQuantity) -> bool:
    """Return whether the quantity has a derivative `dpi`."""
    return quantity.inertial and (
        "pi" not in quantity.arguments or split_parameters(quantity) is not None
    )


def explain_missing(quantity: AnyQuantity, name: str) -> str:
    """Return a sentence for the message about a missing derivative.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.
    name : str
        Name of the missing derivative.

    Returns
    -------
    str
        Why there is no such derivative, starting with ". ", or '' if there is nothing to explain.
    """
    if name == "dpi" and quantity.differentiable:
        return (
            f". {quantity.name} does not depend on the inertial parameters: its dpi would be zero"
        )
    return ""


def max_rates_order(quantity: AnyQuantity, *, optional: bool = False) -> int:
    """Return the highest order of time derivatives that one call can compute.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.
    optional : bool
        Include optional arguments and their time derivatives.

    Returns
    -------
    int
        The highest k of rates(k) with at most 64 arguments and results.
    """

    def arrays(order: int) -> int:
        every = derive(quantity, Time(order, every=True))
        optional_count = len(every.optional) if optional else 0
        return len(every.arguments) + optional_count + len(every.results)

    return max(order for order in range(MAX_ARRAYS) if arrays(order) <= MAX_ARRAYS)


def split_parameters(quantity: AnyQuantity) -> tuple[AnyQuantity, Variant] | None:
    """Split a quantity with robot parameters as arguments into a quantity without and a variant.

    Derivatives of such a quantity are variants of derivatives of the quantity without. This does
    not apply to products with vectors, since these have tangents and gradients of the parameters.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    tuple of (AnyQuantity, Variant) or None
        The quantity without these arguments, and the kind of variant; None if it does not apply.
    """
    if not isinstance(quantity, Derivative) or isinstance(quantity.variable, (Jvp, Vjp)):
        return None
    if isinstance(quantity.variable, Variant):
        return (
            (quantity.operand, quantity.variable)
            if quantity.variable in _PARAMETER_VARIANTS
            else None
        )
    inner = split_parameters(quantity.operand)
    return None if inner is None else (derive(inner[0], quantity.variable), inner[1])


def with_optional_gradients(quantity: AnyQuantity) -> AnyQuantity:
    """Return a vector-Jacobian product that also has gradients in optional arguments.

    Parameters
    ----------
    quantity : AnyQuantity
        Quantity or derivative.

    Returns
    -------
    AnyQuantity
        For a `vjp`, the variant whose optional arguments are required; others are returned as is.
    """
    if isinstance(quantity, Derivative) and isinstance(quantity.variable, Vjp):
        return derive(quantity.operand, replace(quantity.variable, optional=True))
    return quantity
