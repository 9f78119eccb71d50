"""Time derivatives of any formula, by Taylor series."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jounce.catalog.autodiff.recording import Formula, Recording, as_list
from jounce.formulas import wrt_time
from jounce.formulas.kinematics import SeriesDoNotNestError
from jounce.formulas.motions import configuration_rate
from jounce.math.jets import Jet, from_rates, rates_of
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree


def in_time(
    formula: Formula,
    tree: Tree,
    arrays: Sequence[Any],
    levels: Mapping[str, Sequence[int]],
    order: int,
    extra: tuple[Any, ...] = (),
    *,
    moving: Collection[str] = ("q",),
) -> list[list[Array]]:
    """Return results of a formula and their time derivatives, order by order.

    Parameters
    ----------
    formula : callable
        formula(tree, *arguments, *extra): an array, or several.
    tree : Tree
    arrays : sequence of array
        The formula's arguments and their time derivatives.
    levels : mapping of str to sequence of int
        Arguments of the formula, with the indices of all their orders among the arrays.
    order : int
        The highest order.
    extra : tuple
        Further arguments of the formula, such as the index of a frame.
    moving : collection of str
        Arguments that are configurations, whose first derivatives are velocities.

    Returns
    -------
    list of list of array
        The results, their first time derivatives, and so on.
    """
    series = {name: [arrays[k] for k in places] for name, places in levels.items()}
    try:
        levels_of_results = wrt_time.rates(formula, tree, series, order, extra, moving=moving)
        return [as_list(x) for x in levels_of_results]
    except SeriesDoNotNestError:
        return _by_recording(formula, tree, arrays, levels, order, extra, moving)


def _by_recording(
    formula: Formula,
    tree: Tree,
    arrays: Sequence[Any],
    levels: Mapping[str, Sequence[int]],
    order: int,
    extra: tuple[Any, ...],
    moving: Collection[str],
) -> list[list[Array]]:
    """Compute `in_time` on a recording; motion of the base and gravity are variables, too."""
    end, moves = len(arrays), len(tree.base)
    base = [*tree.base, tree.gravity] if moves else []

    def on_levels(tree: Tree, *inputs: Any) -> Any:
        if moves:
            motion = inputs[end : end + moves - order]
            tree = replace(tree, base=motion, gravity=inputs[end + moves])
        arguments = (inputs[places[0]] for places in levels.values())
        return formula(tree, *arguments, *inputs[end + len(base) :])

    recording = Recording(on_levels, tree, [*arrays, *base], extra)
    others: list[Array | None] = [None] * end
    for name, places in levels.items():
        value, *rates = (recording.variables[k] for k in places)
        others[places[0]] = (
            _configurations(recording.tree, value, rates)
            if name in moving
            else from_rates([value, *rates])
        )
    if moves:
        *motion, gravity = recording.variables[end:]
        moved = wrt_time.with_base_series(replace(tree, base=tuple(motion), gravity=gravity), order)
        others += [*moved.base, *(None,) * order, moved.gravity]
    results = (rates_of(x, order) for x in recording.series(others))
    return [recording.to_caller(level) for level in zip(*results, strict=True)]


def _configurations(tree: Tree, q: Array, rates: Sequence[Array]) -> Array:
    """Return jets of q by integrating dq/dt = N(q) E(q) v, order by order."""
    recording = Recording(configuration_rate, tree, (q, rates[0])) if rates else None
    v = from_rates(rates) if rates else zeros(0)
    coefficients = [[x] for x in q]
    for k in range(len(rates)):
        assert recording is not None
        so_far = [_jets(coefficients), _jets([x.c[: k + 1] for x in v])]
        rate = recording.series(so_far)[0]
        for c, x in zip(coefficients, rate, strict=True):
            c.append((x.c[k] if isinstance(x, Jet) else x if k == 0 else 0.0) / (k + 1))
    return _jets(coefficients)


def _jets(coefficients: Sequence[Sequence[Any]]) -> Array:
    out = zeros(len(coefficients))
    for i, c in enumerate(coefficients):
        out[i] = Jet(c)
    return out
