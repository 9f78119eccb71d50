"""Tracing: running the formula of a quantity once on symbols of a robot, to record a tape."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from jounce.catalog.quantity import AnyQuantity
from jounce.compiler.graph.expr import Graph, GraphFull
from jounce.compiler.graph.passes import reduce_live_values
from jounce.compiler.graph.tape import Tape, record
from jounce.model.tree import Tree
from jounce.runtime import kernel_size
from jounce.utils import background

Sizes = dict[str, int]
Shape = tuple[int, ...]

_logger = logging.getLogger("jounce")


def core_shape(shape: tuple[int | str, ...], sizes: Sizes) -> Shape:
    """Return a shape of the catalog with its sizes filled in.

    Parameters
    ----------
    shape : tuple of int or str
        Lengths, or names of sizes.
    sizes : dict of str to int

    Returns
    -------
    tuple of int
    """
    return tuple(n if isinstance(n, int) else sizes[n] for n in shape)


def argument_names(quantity: AnyQuantity, optional: bool) -> tuple[str, ...]:
    """Return the arguments of a quantity in order, with or without optional ones."""
    return (*quantity.arguments, *quantity.optional) if optional else quantity.arguments


def input_shapes(quantity: AnyQuantity, sizes: Sizes, optional: bool) -> tuple[Shape, ...]:
    """Return the core shapes of the arguments."""
    return tuple(
        core_shape(quantity.argument(name).shape, sizes)
        for name in argument_names(quantity, optional)
    )


def output_shapes(quantity: AnyQuantity, sizes: Sizes) -> tuple[Shape, ...]:
    """Return the core shapes of the results."""
    return tuple(core_shape(shape, sizes) for shape in quantity.shapes)


def trace_formula(
    quantity: AnyQuantity,
    tree: Tree,
    sizes: Sizes,
    frame: int | None = None,
    optional: bool = False,
    *,
    title: str = "",
    limit: float | None = None,
) -> Tape:
    """Return the formula of a quantity on a tree, as a tape from the entries of its arguments.

    frame: index of the frame, for quantities of frames. optional: whether to include optional
    arguments. title: name in messages. limit: maximum of operations, by default JOUNCE_LIMIT.
    """
    title = title or quantity.name
    inputs, outputs = input_shapes(quantity, sizes, optional), output_shapes(quantity, sizes)
    limit = kernel_size.max_operations() if limit is None else limit

    numbers = sum(math.prod(shape) for shape in outputs)

    def work() -> Tape:
        graph = Graph(limit, wanted=numbers)
        symbols = [graph.inputs_like(shape) for shape in inputs]
        subject = tree.lumped if quantity.joint_space else tree
        extra = () if frame is None else (frame,)
        try:
            with background.stoppable(graph.stop):
                results = quantity.formula(subject, *symbols, *extra)
        except (GraphFull, SystemError) as error:  # NumPy's object loops raise the latter instead
            expected, results = (
                (error.expected, error.results) if isinstance(error, GraphFull) else (0, 1)
            )
            if not (expected or graph.full):
                raise
            background.check()
            if expected:  # scaled up if only a part of the results was estimated
                operations = int(expected * max(numbers / results, 1.0))
                raise kernel_size.too_large(title, operations, numbers, "about") from None
            raise kernel_size.too_large(title, int(graph.limit), numbers) from None
        tape = record(graph, _flatten_results(quantity.name, results, outputs))
        return (
            reduce_live_values(tape, [math.prod(shape) for shape in outputs])
            if quantity.is_reverse_mode
            else tape
        )

    needs = kernel_size.MIN_TRACE_BYTES, f"tracing {title}"
    return background.run(work, lambda: warn_slow_trace(title), needs=needs)


def warn_slow_trace(title: str) -> None:
    """Warn that tracing takes long; the time of compiling is only known afterwards."""
    _logger.warning("tracing %s takes more than a few seconds", title)


def _flatten_results(name: str, results: Any, outputs: tuple[Shape, ...]) -> list[Any]:
    """Return the entries of all results in order, after checking their shapes."""
    flat: list[Any] = []
    for result, shape in zip([results] if len(outputs) == 1 else results, outputs, strict=True):
        if np.shape(result) != shape:
            raise AssertionError(f"{name}: {np.shape(result)}, not {shape}")
        flat.extend(result.flat if isinstance(result, np.ndarray) else [result])
    return flat
