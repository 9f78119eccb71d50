"""Selection of quantities: by options of a call, by names, and from pickled state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jounce.arrays.calls import order_arguments
from jounce.arrays.signatures import DRIVES
from jounce.catalog.derivative import derivative, derive
from jounce.catalog.names import Name, parse_name
from jounce.catalog.options import check_options, from_text, with_options
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Variable

if TYPE_CHECKING:
    from jounce.arrays.bound_quantity import BoundQuantity


def option_names(definition: AnyQuantity) -> frozenset[str]:
    """Return the names of the options that select a formula of a catalog entry."""
    named = (option.name for option in definition.options)
    return frozenset((*named, *(DRIVES if definition.drives is not None else ())))


def resolve_options(
    quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[BoundQuantity, dict[str, Any]]:
    """Return the quantity that the options select, and the remaining keyword arguments."""
    if quantity.definition.drives is not None:
        return _extend_regressor(quantity, args, named)
    options, remaining = {}, {}
    for name, x in named.items():
        (options if name in quantity._option_names else remaining)[name] = x
    return _choose_cached(quantity, options), remaining


def _choose_cached(quantity: BoundQuantity, options: dict[str, Any]) -> Any:
    """Return the quantity that options select, from a cache after the first call.

    The key includes the types of the values, since True is a valid value where 1 is not.
    """
    try:
        key = ("options", *options.items(), *map(type, options.values()))
        chosen_quantity = quantity.cache.get(key)
    except TypeError:  # an unhashable value, which `choose` refuses
        return quantity.choose(**options)
    if chosen_quantity is None:
        chosen_quantity = quantity.cache[key] = quantity.choose(**options)
    return chosen_quantity


def choose(quantity: Any, options: dict[str, Any]) -> Any:
    """Return the quantity or derivative with options fixed."""
    definition = quantity.definition
    options = check_options(definition, options, quantity.title)
    if not options:
        return quantity
    if definition.origin is not None and quantity._parent is not None:
        return quantity._parent.choose(**options).derivative(definition.last_step)
    return quantity._get_related(with_options(definition, **options), type(quantity))


def from_name(quantity: Any, name: Name, title: str = "") -> Any:
    """Return a quantity with the options of a name, such as step(method=rk4,friction=True)."""
    if not name.options:
        return quantity
    return quantity.choose(**from_text(quantity.definition, dict(name.options), title))


def _extend_regressor(
    quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[BoundQuantity, dict[str, Any]]:
    """Return a regressor with drive columns if `extended` is true, and the other arguments."""
    title, remaining = quantity.title, {k: x for k, x in named.items() if k not in DRIVES}
    smoothing = named.get("smoothing")
    if not named.get("extended", False):
        if smoothing is not None:
            raise TypeError(f"{title}: smoothing requires extended=True, found extended=False")
        return quantity, remaining
    if type(smoothing) in (float, int, np.ndarray) and not np.all(np.asarray(smoothing) > 0):
        raise ValueError(f"{title}: smoothing must be a speed > 0, found {smoothing}")
    order_arguments(quantity, args, remaining)  # so that errors name this quantity
    definition = derivative(
        quantity.definition, "extended" if smoothing is None else "extended_smooth"
    )
    smooth = {} if smoothing is None else {"smoothing": smoothing}
    return quantity.with_definition(definition), {**remaining, **smooth}


def follow(quantity: BoundQuantity, steps: Iterable[str]) -> BoundQuantity:
    """Return a repeated derivative.

    Parameters
    ----------
    quantity : BoundQuantity
        The quantity to start from.
    steps : iterable of str
        Names of the derivatives, one after the other, such as ("dq", "dt").

    Returns
    -------
    BoundQuantity
        The last derivative; the quantity itself without steps.
    """
    for step in steps:
        if not quantity.has_derivatives:
            raise ValueError(f"{quantity.title} has no derivatives, found '{step}'")
        quantity = cast(Any, quantity).derivative(step)
    return quantity


def restore(robot: Any, frame: str | None, name: str) -> BoundQuantity:
    """Unpickle a quantity by its name."""
    parsed = parse_name(name)
    quantity = getattr(robot if frame is None else robot.frame(frame), parsed.quantity)
    return follow(from_name(quantity, parsed), parsed.steps)


def restore_related(base: BoundQuantity, variables: Iterable[Variable]) -> BoundQuantity:
    """Unpickle a variant or derivative that has no name, from the quantity it is derived from."""
    definition = base.definition
    for variable in variables:
        definition = derive(definition, variable)
    return base.with_definition(definition)
