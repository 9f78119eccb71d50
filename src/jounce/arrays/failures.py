"""What to say of calls that cannot be: which argument is at fault, and what would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.arrays.validation import (
    check_out_array,
    check_out_type,
    floating,
    precision,
    together,
)
from jounce.catalog.derivative import MOST_ARRAYS, derivative, highest_rates
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import ArgumentError
from jounce.runtime.kernel import Kernel


def explain(
    kernel: Kernel, title: str, args: Sequence[Any], options: dict[str, Any], error: Exception
) -> None:
    """Raise an error that names the argument at fault, if one is."""
    wanted = None if options.get("dtype") is None else floating(options["dtype"])
    if "axes" in options or "axis" in options:  # core axes are elsewhere
        return
    cores = dict(zip(kernel.arguments, kernel.inputs, strict=True))
    try:
        batch, arrays = together(title, dict(zip(cores, args, strict=True)), cores)
    except (TypeError, ValueError) as found:
        raise found from error
    out = options.get("out")
    given = out if isinstance(out, tuple) else (out,)
    if len(given) != len(kernel.outputs):
        count = len(kernel.outputs)
        expected = "one array" if count == 1 else f"a tuple of {count} arrays"
        raise ArgumentError(f"{title}: out must be {expected}, found {len(given)}") from error
    for one, core in zip(given, kernel.outputs, strict=True):
        if one is not None:
            check_out_array(one, batch + core, wanted or precision(arrays), title)


def check_out(out: Any, title: str) -> None:
    """Refuse what a kernel cannot write to."""
    for one in out if isinstance(out, tuple) else (out,):
        if one is not None:
            check_out_type(one, title)


def too_large(kernel: Kernel, title: str) -> str:
    """What to say when a result does not fit in memory."""
    each = 8 * sum(math.prod(shape) for shape in kernel.outputs)
    message = f"{title}: the result takes {each:,} bytes per sample in float64"
    row, wrt = kernel.quantity.origin, kernel.quantity.wrt
    if row is not None and wrt and "hessian" in row.forms and {*wrt} <= {*row.arguments}:
        arguments = ", ".join(derivative(row, "hessian").arguments)
        message += f"; {row.name}.hessian({arguments}) contracts it to a matrix"
    return message + "; pass smaller batches, or out= on a memory map"


def check_array_count(row: AnyQuantity, title: str) -> None:
    """Raise ValueError if a NumPy ufunc cannot have all arguments and results of a row."""
    arrays = len(row.arguments) + len(row.optional) + len(row.shapes)
    if arrays > MOST_ARRAYS:
        raise ValueError(
            f"{title} with {', '.join(row.optional[:2])}, ...: {arrays} arguments and"
            f" results, and a NumPy ufunc has at most {MOST_ARRAYS}; take a lower order"
        )


def check_order(row: AnyQuantity, title: str, order: Any) -> None:
    """Raise ValueError if a row has no time derivatives up to this order."""
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
        raise ValueError(f"{title}.rates: order must be an integer >= 0, found {order!r}")
    if order < MOST_ARRAYS:  # otherwise too many rows would be made
        every = derivative(row, f"rates({int(order)})")
        if len(every.arguments) + len(every.shapes) <= MOST_ARRAYS:
            return
    highest, pushed = (highest_rates(row, optional=x) for x in (False, True))
    names = ", ".join(row.optional)
    more = f", or {pushed} with {names}" if names else ""
    raise ValueError(
        f"{title}.rates: the highest order is {highest}{more}, found {order}: a NumPy"
        f" ufunc has at most {MOST_ARRAYS} arguments and results"
    )
