"""Options that choose among formulas: which quantity a call with them is of, and the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.catalog.derived import derivative
from jounce.catalog.options import checked, chosen, named
from jounce.quantities.signatures import DRIVES

if TYPE_CHECKING:
    from jounce.quantities.quantity import Evaluable


def offered(quantity: Evaluable) -> tuple[str, ...]:
    """Names of the options that choose a formula of a quantity."""
    row = quantity._row
    return (*(option.name for option in row.options), *(DRIVES if row.drives is not None else ()))


def called(quantity: Evaluable, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The call of the formula that options choose."""
    if quantity._row.drives is not None:
        return _extended(quantity, args, given)
    own = offered(quantity)
    found = quantity.choose(**{name: x for name, x in given.items() if name in own})
    return found(*args, **{name: x for name, x in given.items() if name not in own})


def choose(quantity: Any, options: dict[str, Any]) -> Any:
    """The same quantity or derivative by the formula that options choose."""
    row = quantity._row
    options = checked(row, options, quantity._title)
    if not options:
        return quantity
    if row.of is not None and quantity._parent is not None:
        return quantity._parent.choose(**options).derivative(row.step)
    return quantity._related(chosen(row, **options), type(quantity))


def from_name(quantity: Any, text: str, title: str = "") -> Any:
    """The quantity with options as they stand in a name, such as method=rk4,friction=True."""
    return quantity.choose(**named(quantity._row, text, title))


def _extended(quantity: Evaluable, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The call of a regressor with columns for the drives, if `extended` asks for them."""
    title, rest = quantity._title, {k: x for k, x in given.items() if k not in DRIVES}
    smoothing = given.get("smoothing")
    if not given.get("extended", False):
        if smoothing is not None:
            raise TypeError(f"{title}: smoothing needs extended=True")
        return quantity._evaluate(*args, **rest)
    numbers = np.asarray(1.0 if smoothing is None else smoothing)
    if numbers.dtype.kind in "fiu" and not np.all(numbers > 0):
        raise ValueError(f"{title}: smoothing must be a speed > 0, found {smoothing}")
    quantity._sorted(args, rest)  # what is wrong is wrong about this quantity
    row = derivative(quantity._row, "extended" if smoothing is None else "extended_smooth")
    found = quantity._plain(row)
    return found(*args, **rest, **({} if smoothing is None else {"smoothing": smoothing}))
