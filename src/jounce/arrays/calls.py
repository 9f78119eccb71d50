"""Binding of call arguments: the kernel to run, its values and its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.arrays.signatures import OPTIONS, call_text, options
from jounce.arrays.validation import plain, precision
from jounce.arrays.wrenches import on_bodies
from jounce.errors import suggest

if TYPE_CHECKING:
    from jounce.arrays.bound_quantity import BoundQuantity
    from jounce.runtime.kernel import Kernel


class ResolvedCall(NamedTuple):
    """A call with its options resolved.

    indices: indices of the results to return; None for all.
    """

    quantity: BoundQuantity
    args: tuple[Any, ...]
    options: dict[str, Any]
    indices: list[int] | None = None


class Call(NamedTuple):
    """A call with its options resolved and its arguments in order; see `BoundQuantity.bind`."""

    #: The quantity that the options select, such as step(method=rk4) for step.
    quantity: BoundQuantity

    #: Values of the arguments in the order of `names`; None for omitted ones.
    values: tuple[Any, ...]

    #: Options of NumPy's gufuncs, such as `out`.
    options: dict[str, Any]

    #: Indices of the results to return; None for all.
    results: list[int] | None

    #: Whether optional arguments are among `values`.
    optional: bool

    #: Whether the motion of the base is among `values`.
    base: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arguments, in order."""
        definition = self.quantity.definition
        optional = definition.optional if self.optional else ()
        return (*definition.arguments, *optional, *(definition.base if self.base else ()))

    @property
    def values_by_name(self) -> dict[str, Any]:
        """Values by name, without omitted optional arguments."""
        needed = self.quantity.definition.arguments
        pairs = zip(self.names, self.values, strict=True)
        return {name: x for name, x in pairs if x is not None or name in needed}

    @property
    def kernel(self) -> Kernel:
        """The kernel that takes these arguments."""
        quantity = self.quantity
        if not self.optional:
            return quantity.kernel
        kernel = quantity.moving_base_kernel if self.base else quantity.full_kernel
        kernel.limit = quantity.kernel.limit
        return kernel

    @property
    def returns_tuple(self) -> bool:
        """True if the results are returned as a tuple, even a single one."""
        return self.quantity.returns_tuple or len(self.quantity.definition.shapes) > 1


def order_arguments(
    quantity: BoundQuantity, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[bool, bool, tuple[Any, ...], dict[str, Any]]:
    """Put the arguments of a call in order and separate them from NumPy's options.

    Returns whether optional arguments and the motion of the base are among them, the values (None
    for omitted ones), and the options.
    """
    definition = quantity.definition
    names = (*definition.arguments, *definition.optional)
    if len(args) > len(names):
        raise TypeError(
            f"{call_text(quantity.title, definition)} takes {len(names)} positional arguments,"
            f" found {len(args)}"
        )
    values: dict[str, Any] = dict(zip(names, args, strict=False))
    numpy_options: dict[str, Any] = {}
    for name, value in named.items():
        if name in values:
            raise TypeError(f"{quantity.title}: argument '{name}' is given twice")
        if name in names or name in definition.base:
            values[name] = value
        elif name not in OPTIONS:
            known = (*names, *options(definition))
            hint = suggest(name, known, "valid names:")
            raise TypeError(f"{quantity.title} takes no '{name}'; {hint}")
        elif value is not OPTIONS[name]:
            numpy_options[name] = value
    for name in definition.arguments:
        if name not in values:
            raise TypeError(
                f"{quantity.title}: argument '{name}' is missing; it is called as"
                f" {call_text(quantity.title, definition)}"
            )
    if any(values.get(name) is not None for name in definition.base):
        return True, True, tuple(values.get(x) for x in (*names, *definition.base)), numpy_options
    if all(values.get(name) is None for name in definition.optional):
        return False, False, tuple(values[name] for name in definition.arguments), numpy_options
    return True, False, tuple(values.get(name) for name in names), numpy_options


def convert_arguments(
    quantity: BoundQuantity, names: Sequence[str], values: Sequence[Any]
) -> tuple[np.ndarray, ...]:
    """Convert arguments to NumPy arrays of one precision; see `BoundQuantity.convert`."""
    title = quantity.title
    arrays = {
        name: plain(on_bodies(quantity.robot.model, name, x, title), f"{title}: argument '{name}'")
        for name, x in zip(names, values, strict=True)
        if x is not None or name in quantity.definition.arguments
    }
    # Python scalars and defaults do not widen float32; NumPy alone would convert small integers to
    # float32
    dtype = precision([arrays[k] for k, x in zip(names, values, strict=True) if _typed(x)])
    return tuple(
        np.asanyarray(arrays[name] if name in arrays else quantity.default_value(name), dtype)
        for name in names
    )


def _typed(x: Any) -> bool:
    """Return whether an argument has a dtype, unlike Python scalars."""
    return x is not None and type(x) not in (float, int, bool)
