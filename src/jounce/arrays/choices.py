"""Options that choose among formulas: which quantity a call with them is of, and the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.calls import order_arguments
from jounce.arrays.signatures import DRIVES
from jounce.catalog.derivative import derivative
from jounce.catalog.names import Name
from jounce.catalog.options import checked, chosen, from_text
from jounce.catalog.quantity import AnyQuantity

if TYPE_CHECKING:
    from jounce.arrays.bound_quantity import BoundQuantity


def offered(row: AnyQuantity) -> frozenset[str]:
    """Names of the options that choose a formula of a row."""
    named = (option.name for option in row.options)
    return frozenset((*named, *(DRIVES if row.drives is not None else ())))


def resolved(
    quantity: BoundQuantity, args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[BoundQuantity, dict[str, Any]]:
    """The quantity that options choose, and what else is given by name."""
    if quantity.definition.drives is not None:
        return _extended(quantity, args, given)
    options, rest = {}, {}
    for name, x in given.items():
        (options if name in quantity._offered else rest)[name] = x
    return _found(quantity, options), rest


def _found(quantity: BoundQuantity, options: dict[str, Any]) -> Any:
    """What options choose, known from the second call on.

    Values are known by their types as well: True is an option where 1 is none.
    """
    try:
        key = ("options", *options.items(), *map(type, options.values()))
        found = quantity.kept.get(key)
    except TypeError:  # what has no hash is no value of an option
        return quantity.choose(**options)
    if found is None:
        found = quantity.kept[key] = quantity.choose(**options)
    return found


def choose(quantity: Any, options: dict[str, Any]) -> Any:
    """The same quantity or derivative by the formula that options choose."""
    row = quantity.definition
    options = checked(row, options, quantity.title)
    if not options:
        return quantity
    if row.origin is not None and quantity._parent is not None:
        return quantity._parent.choose(**options).derivative(row.step)
    return quantity._related(chosen(row, **options), type(quantity))


def from_name(quantity: Any, name: Name, title: str = "") -> Any:
    """The quantity with the options of a name, such as step(method=rk4,friction=True)."""
    if not name.options:
        return quantity
    return quantity.choose(**from_text(quantity.definition, dict(name.options), title))


def _extended(
    quantity: BoundQuantity, args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[BoundQuantity, dict[str, Any]]:
    """A regressor with columns for the drives, if `extended` asks for them."""
    title, rest = quantity.title, {k: x for k, x in given.items() if k not in DRIVES}
    smoothing = given.get("smoothing")
    if not given.get("extended", False):
        if smoothing is not None:
            raise TypeError(f"{title}: smoothing needs extended=True")
        return quantity, rest
    if type(smoothing) in (float, int, np.ndarray) and not np.all(np.asarray(smoothing) > 0):
        raise ValueError(f"{title}: smoothing must be a speed > 0, found {smoothing}")
    order_arguments(quantity, args, rest)  # what is wrong is wrong about this quantity
    row = derivative(quantity.definition, "extended" if smoothing is None else "extended_smooth")
    smooth = {} if smoothing is None else {"smoothing": smoothing}
    return quantity.with_definition(row), {**rest, **smooth}
