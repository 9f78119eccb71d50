"""Rows as plain functions of numbers, which other libraries differentiate.

Every argument is given, none is optional, and entries change as they like; formulas normalise
quaternions themselves, so that gradients are orthogonal to them. Pushforwards take tangents of some
arguments, pullbacks give gradients in some, so that nobody pays for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.passes import Recording, one_or_all
from jounce.catalog.pullbacks import free_name, solution_gradients, solved
from jounce.catalog.row import Row
from jounce.catalog.variants import mounted
from jounce.formulas import configurations
from jounce.formulas.mechanism import configurations as closed
from jounce.math.scalar import Array
from jounce.model.tree import Tree


@cache
def function(row: Row, optional: bool = False, moving: bool = False) -> Row:
    """A row with everything it takes as its arguments.

    optional: with the arguments that may be left out; moving: with the motion of the base as well.
    """
    given = mounted(row) if moving else row
    return replace(
        given,
        arguments=(*given.arguments, *(given.optional if optional or moving else ())),
        optional=(),
        base=(),
        inverse=None if moving else solved(row, charted=False),
        forms={},
        options=(),
        constant=None,
        variant=None,
        rates=None,
        drives=None,
    )


@cache
def displaced(row: Row) -> Row:
    """A row with a velocity after its arguments for each configuration, by which it is moved."""
    count = len(row.arguments)
    places = [k for k, x in enumerate(row.arguments) if row.argument(x).chart is CONFIGURATION]
    taken = [*row.arguments, *row.optional]
    added: dict[str, Argument] = {}
    for k in places:
        name = row.arguments[k]
        doc = f"velocity, held for one unit of time, that moves {name} first"
        added[free_name(f"d{name}", f"d_{name}", (*taken, *added))] = Argument(("nv",), doc)

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, steps = list(inputs[:count]), inputs[count : count + len(places)]
        move = (configurations if tree.active is None else closed).integrate
        for k, step in zip(places, steps, strict=True):
            values[k] = move(tree, values[k], step)
        return row.formula(tree, *values, *inputs[count + len(places) :])

    return replace(
        row,
        formula=formula,
        arguments=(*row.arguments, *added),
        own={**row.own, **added},
        inverse=None,
    )


# ------------------------------------------------------------------ derivatives of functions


@cache
def pushed(row: Row, moving: tuple[int, ...]) -> Row:
    """The directional derivative of a function: its arguments, then tangents of those at places."""
    count = len(row.arguments)
    taken = list(row.arguments)
    tangents: dict[str, Argument] = {}
    for k in moving:
        name = row.arguments[k]
        doc = f"tangent of {name}"
        tangent = free_name(f"d{name}", f"d_{name}", (*taken, *tangents))
        tangents[tangent] = Argument(row.argument(name).shape, doc)

    def formula(tree: Tree, *inputs: Any) -> Any:
        given, frame = row.parted(inputs)
        recording = Recording(row.formula, tree, given[:count], frame)
        seeds: list[Array | None] = [None] * count
        for k, tangent in zip(moving, recording.weights(given[count:]), strict=True):
            seeds[k] = tangent
        return one_or_all(recording.given(recording.tangents(seeds)))

    return _derived(
        row,
        "jvp",
        formula,
        arguments=(*row.arguments, *tangents),
        own={**row.own, **tangents},
    )


@cache
def pulled(row: Row, wanted: tuple[int, ...]) -> Row:
    """The gradients of a weighted function in the arguments at places, in their order.

    It takes the function's arguments, then weights of the results.
    """
    count = len(row.arguments)
    weights: dict[str, Argument] = {}
    for k, shape in enumerate(row.shapes):
        name = free_name(f"lam{k}", f"lam_{k}", (*row.arguments, *weights))
        weights[name] = Argument(shape, f"weights of result {k}")
    inverse = None if row.of is not None else row.inverse

    def formula(tree: Tree, *inputs: Any) -> Any:
        given, frame = row.parted(inputs)
        recording = Recording(row.formula, tree, given[:count], frame)
        lam = recording.weights(given[count:])
        if inverse is None:
            found = recording.adjoints(lam, wanted)
        else:
            every = solution_gradients(recording, inverse, row.arguments.index("tau"), lam)
            found = [every[k] for k in wanted]
        return one_or_all(recording.given(found))

    shapes = [row.argument(row.arguments[k]).shape for k in wanted]
    return _derived(
        row,
        "vjp",
        formula,
        arguments=(*row.arguments, *weights),
        own={**row.own, **weights},
        shape=shapes[0],
        more=tuple(shapes[1:]),
        backwards=True,
    )


def _derived(row: Row, name: str, formula: Callable[..., Any], **changed: Any) -> Row:
    return replace(
        row,
        **changed,
        name=f"{row.name}.{name}",
        formula=formula,
        equation="",
        charts=(),
        geometry=False,
        inverse=None,
        parts=(),
        orders=(),
        of=row,
        wrt=(),
    )
