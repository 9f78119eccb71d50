"""Error messages of calls: the argument at fault, and what was expected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.arrays.validation import (
    broadcast_arguments,
    check_out_array,
    check_out_type,
    parse_dtype,
    precision,
)
from jounce.catalog.derivative import MAX_ARRAYS, derivative, max_rates_order
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import ArgumentError
from jounce.runtime.kernel import Kernel


def explain(
    kernel: Kernel, title: str, args: Sequence[Any], options: dict[str, Any], error: Exception
) -> None:
    """Raise an error that names the argument at fault, if there is one."""
    dtype = None if options.get("dtype") is None else parse_dtype(options["dtype"])
    if "axes" in options or "axis" in options:  # core axes are not the last ones
        return
    cores = dict(zip(kernel.arguments, kernel.inputs, strict=True))
    try:
        batch, arrays = broadcast_arguments(title, dict(zip(cores, args, strict=True)), cores)
    except (TypeError, ValueError) as mismatch:
        raise mismatch from error
    out = options.get("out")
    targets = out if isinstance(out, tuple) else (out,)
    if len(targets) != len(kernel.outputs):
        count = len(kernel.outputs)
        expected = "one array" if count == 1 else f"a tuple of {count} arrays"
        raise ArgumentError(f"{title}: out must be {expected}, found {len(targets)}") from error
    for target, core in zip(targets, kernel.outputs, strict=True):
        if target is not None:
            check_out_array(target, batch + core, dtype or precision(arrays), title)


def check_out(out: Any, title: str) -> None:
    """Raise TypeError unless a kernel can write to `out`."""
    for target in out if isinstance(out, tuple) else (out,):
        if target is not None:
            check_out_type(target, title)


def too_large(kernel: Kernel, title: str) -> str:
    """Return the message about a result that does not fit in memory."""
    sample_bytes = 8 * sum(math.prod(shape) for shape in kernel.outputs)
    message = f"{title}: the result takes {sample_bytes:,} bytes per sample in float64"
    definition, wrt = kernel.quantity.origin, kernel.quantity.wrt
    if (
        definition is not None
        and wrt
        and "hessian" in definition.forms
        and {*wrt} <= {*definition.arguments}
    ):
        arguments = ", ".join(derivative(definition, "hessian").arguments)
        message += f"; {definition.name}.hessian({arguments}) contracts it to a matrix"
    return message + "; pass smaller batches, or a memory map as out="


def check_array_count(definition: AnyQuantity, title: str) -> None:
    """Raise ValueError if an entry has more arguments and results than a NumPy ufunc can have."""
    arrays = len(definition.arguments) + len(definition.optional) + len(definition.shapes)
    if arrays > MAX_ARRAYS:
        raise ValueError(
            f"{title} with {', '.join(definition.optional[:2])}, ...: a NumPy ufunc has at most"
            f" {MAX_ARRAYS} arguments and results, found {arrays}; choose a lower order"
        )


def check_order(definition: AnyQuantity, title: str, order: Any) -> None:
    """Raise ValueError if an entry has no time derivatives up to this order."""
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
        raise ValueError(f"{title}.rates: order must be an integer >= 0, found {order!r}")
    if order < MAX_ARRAYS:  # higher orders would define too many entries
        every = derivative(definition, f"rates({int(order)})")
        if len(every.arguments) + len(every.shapes) <= MAX_ARRAYS:
            return
    highest, highest_optional = (max_rates_order(definition, optional=x) for x in (False, True))
    names = ", ".join(definition.optional)
    with_optional = f", or {highest_optional} with {names}" if names else ""
    raise ValueError(
        f"{title}.rates: the highest order is {highest}{with_optional}, found {order}: a NumPy"
        f" ufunc has at most {MAX_ARRAYS} arguments and results"
    )
