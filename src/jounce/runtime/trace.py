"""Tracing: the formula of a catalog row, run once on symbols of a robot, as a tape."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np

from jounce.catalog.quantity import AnyQuantity
from jounce.compiler.graph.expr import Graph, GraphFull
from jounce.compiler.graph.passes import shortened
from jounce.compiler.graph.tape import Tape, record
from jounce.model.tree import Tree
from jounce.runtime import kernel_size
from jounce.utils import background

Sizes = dict[str, int]
Shape = tuple[int, ...]

_logger = logging.getLogger("jounce")


def core_shape(shape: tuple[int | str, ...], sizes: Sizes) -> Shape:
    """A shape of the catalog with its sizes filled in."""
    return tuple(n if isinstance(n, int) else sizes[n] for n in shape)


def argument_names(row: AnyQuantity, optional: bool) -> tuple[str, ...]:
    """Arguments of a row in order, with or without those that may be left out."""
    return (*row.arguments, *row.optional) if optional else row.arguments


def input_shapes(row: AnyQuantity, sizes: Sizes, optional: bool) -> tuple[Shape, ...]:
    """Core shapes of the arguments."""
    return tuple(
        core_shape(row.argument(name).shape, sizes) for name in argument_names(row, optional)
    )


def output_shapes(row: AnyQuantity, sizes: Sizes) -> tuple[Shape, ...]:
    """Core shapes of the results."""
    return tuple(core_shape(shape, sizes) for shape in row.shapes)


def traced(
    row: AnyQuantity,
    tree: Tree,
    sizes: Sizes,
    frame: int | None = None,
    optional: bool = False,
    *,
    title: str = "",
    limit: float | None = None,
) -> Tape:
    """The formula of a row on a tree, as straight-line operations on the entries of its arguments.

    frame: index of the frame, for quantities of frames. optional: with the arguments that may be
    left out. title: what it is called in messages. limit: most operations, by default JOUNCE_LIMIT.
    """
    title = title or row.name
    inputs, outputs = input_shapes(row, sizes, optional), output_shapes(row, sizes)
    most = kernel_size.most_operations() if limit is None else limit

    numbers = sum(math.prod(shape) for shape in outputs)

    def work() -> Tape:
        graph = Graph(most, wanted=numbers)
        symbols = [graph.inputs_like(shape) for shape in inputs]
        on = tree.lumped if row.joint_space else tree
        extra = () if frame is None else (frame,)
        try:
            with background.stoppable(graph.stop):
                results = row.formula(on, *symbols, *extra)
        except (
            GraphFull,
            SystemError,
        ) as error:  # NumPy's loops over objects make the latter of it
            expected, results = (
                (error.expected, error.results) if isinstance(error, GraphFull) else (0, 1)
            )
            if not (expected or graph.full):
                raise
            background.check()
            if expected:  # the more where it is but a part of what is asked for
                operations = int(expected * max(numbers / results, 1.0))
                raise kernel_size.too_large(title, operations, numbers, "about") from None
            raise kernel_size.too_large(title, int(graph.limit), numbers) from None
        tape = record(graph, _flat(row.name, results, outputs))
        return shortened(tape, [math.prod(shape) for shape in outputs]) if row.backwards else tape

    needs = kernel_size.MIN_TRACE_BYTES, f"tracing {title}"
    return background.run(work, lambda: tell(title), needs=needs)


def tell(title: str) -> None:
    """Say that tracing takes long; how long compiling takes is known when it is done."""
    _logger.warning("tracing %s takes more than a few seconds", title)


def _flat(name: str, results: Any, outputs: tuple[Shape, ...]) -> list[Any]:
    """The entries of all results in order, after a look at their shapes."""
    flat: list[Any] = []
    for result, shape in zip([results] if len(outputs) == 1 else results, outputs, strict=True):
        if np.shape(result) != shape:
            raise AssertionError(f"{name}: {np.shape(result)}, not {shape}")
        flat.extend(result.flat if isinstance(result, np.ndarray) else [result])
    return flat
