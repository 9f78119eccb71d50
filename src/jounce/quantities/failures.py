"""What to say of calls that cannot be: which argument is at fault, and what would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.catalog.derived import derivative
from jounce.quantities.arrays import together
from jounce.runtime.kernel import Kernel


def explain(
    kernel: Kernel, title: str, args: Sequence[Any], options: dict[str, Any], error: Exception
) -> None:
    """Raise an error that names the argument at fault, if one is."""
    if "axes" in options or "axis" in options:  # core axes are elsewhere
        return
    cores = dict(zip(kernel.arguments, kernel.inputs, strict=True))
    try:
        batch, _ = together(title, dict(zip(cores, args, strict=True)), cores)
    except (TypeError, ValueError) as found:
        raise found from error
    out = options.get("out")
    given = out if isinstance(out, tuple) else (out,)
    if len(given) != len(kernel.outputs):
        raise ValueError(
            f"{title}: out must be a tuple of {len(kernel.outputs)} arrays, found {len(given)}"
        ) from error
    for one, core in zip(given, kernel.outputs, strict=True):
        if one is not None and (one.shape != batch + core or not one.flags.writeable):
            lock = "" if one.flags.writeable else ", read-only"
            raise ValueError(
                f"{title}: out must have shape {batch + core}, found {one.shape}{lock}"
            ) from error


def check_out(out: Any, title: str) -> None:
    """Refuse what a kernel cannot write to."""
    for one in out if isinstance(out, tuple) else (out,):
        if one is not None and not isinstance(one, np.ndarray):
            raise TypeError(
                f"{title}: out must be a numpy.ndarray (or np.memmap), or a tuple of them for"
                f" several results, found {type(one).__name__}; leave it away and assign the"
                " result, as in dataset[...] = result"
            )


def too_large(kernel: Kernel, title: str) -> str:
    """What to say when a result does not fit in memory."""
    each = 8 * sum(math.prod(shape) for shape in kernel.outputs)
    message = f"{title}: the result takes {each:,} bytes per sample in float64"
    row, wrt = kernel.row.of, kernel.row.wrt
    if row is not None and wrt and "hessian" in row.forms and {*wrt} <= {*row.arguments}:
        arguments = ", ".join(derivative(row, "hessian").arguments)
        message += f"; {row.name}.hessian({arguments}) contracts it to a matrix"
    return message + "; pass smaller batches, or out= on a memory map"
