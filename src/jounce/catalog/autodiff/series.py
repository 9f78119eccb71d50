"""Time derivatives of any formula, by Taylor series."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jounce.catalog.arguments import rate_name
from jounce.catalog.autodiff.recording import Formula, Recording, listed
from jounce.formulas import wrt_time
from jounce.formulas.kinematics import SeriesDoNotNestError
from jounce.formulas.motions import configuration_rate
from jounce.math.jets import Jet, from_rates, rates_of
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree


def in_time(
    formula: Formula,
    tree: Tree,
    names: Sequence[str],
    given: Mapping[str, Any],
    order: int,
    extra: tuple[Any, ...] = (),
    *,
    moving: Collection[str] = ("q",),
) -> list[list[Array]]:
    """Results of a formula and their time derivatives, order by order.

    Parameters
    ----------
    formula : callable
        formula(tree, *arguments, *extra) to an array or several.
    tree : Tree
    names : sequence of str
        The formula's arguments.
    given : mapping of str to array
        The arguments and their time derivatives, by `rate_name`.
    order : int
        The highest order.
    extra : tuple
        What the formula takes after its arguments.
    moving : collection of str
        Arguments that are configurations, whose first derivatives are velocities.

    Returns
    -------
    list of list of array
        The results, their first time derivatives, and so on.
    """
    series = {name: [given[rate_name(name, k)] for k in range(order + 1)] for name in names}
    try:
        levels = wrt_time.rates(formula, tree, series, order, extra, moving=moving)
        return [listed(x) for x in levels]
    except SeriesDoNotNestError:
        return _by_recording(formula, tree, names, given, order, extra, moving)


def _by_recording(
    formula: Formula,
    tree: Tree,
    names: Sequence[str],
    given: Mapping[str, Any],
    order: int,
    extra: tuple[Any, ...],
    moving: Collection[str],
) -> list[list[Array]]:
    """The same on a recording; if the base moves, its motion and gravity are variables too."""
    known, levels = list(given), len(tree.base)
    places = [known.index(name) for name in names]
    end, base = len(known), [*tree.base, tree.gravity] if levels else []

    def chosen(tree: Tree, *inputs: Any) -> Any:
        if levels:
            motion = inputs[end : end + levels - order]
            tree = replace(tree, base=motion, gravity=inputs[end + levels])
        return formula(tree, *(inputs[k] for k in places), *inputs[end + len(base) :])

    recording = Recording(chosen, tree, [*given.values(), *base], extra)
    variables = dict(zip(known, recording.variables, strict=False))
    series: dict[str, Array] = {}
    for name in names:
        if name in moving:
            rates = [variables[rate_name(name, k)] for k in range(1, order + 1)]
            series[name] = _configurations(recording.tree, variables[name], rates)
        else:
            series[name] = from_rates([variables[rate_name(name, k)] for k in range(order + 1)])
    others = [series.get(name) for name in known]
    if levels:
        *motion, gravity = recording.variables[end:]
        moved = wrt_time.under_way(replace(tree, base=tuple(motion), gravity=gravity), order)
        others += [*moved.base, *(None,) * order, moved.gravity]
    results = (rates_of(x, order) for x in recording.series(others))
    return [recording.given(level) for level in zip(*results, strict=True)]


def _configurations(tree: Tree, q: Array, rates: Sequence[Array]) -> Array:
    """Jets of q for the velocity and its derivatives: from dq/dt = N(q) E(q) v, order by order."""
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
