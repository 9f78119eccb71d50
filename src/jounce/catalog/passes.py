"""Derivatives of any formula, by passes on the graph that it records.

A formula is run once on variables, and what it has recorded is differentiated. Results are on the
scalars that were given: expressions while tracing, or anything else with arithmetic. As a
derivative is a formula again, derivatives nest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from jounce.formulas.motions import configuration_rate
from jounce.graph.differentiate import Recorded
from jounce.graph.expr import INPUT, Expr, Graph
from jounce.graph.ops import Op
from jounce.math import scalar
from jounce.math.scalar import Array, identity, zeros
from jounce.model.tree import Tree

Formula = Callable[..., Any]


class Recording:
    """A formula run on variables.

    formula(tree, *inputs, *extra) with arrays as inputs. tree, variables: what it was run on
    instead, and results: what came out, all in scalars of one graph; `given` turns those into the
    scalars that the caller uses. If the inputs are inputs of a graph, as they are when a kernel is
    traced, they are the variables, and nothing needs turning.
    """

    def __init__(
        self, formula: Formula, tree: Tree, inputs: Sequence[Any], extra: tuple[Any, ...] = ()
    ) -> None:
        arrays = [np.asarray(x, dtype=object) for x in inputs]
        self.extra = extra
        graph = _graph_of_inputs(arrays)
        self._values: dict[int, Any] | None = None if graph is not None else {}
        self.graph = graph or Graph(_limit(arrays))
        self.tree = tree if graph is not None else _with_numbers(tree, self._number)
        self.variables = arrays if graph is not None else [self._placed(x) for x in arrays]
        results = formula(self.tree, *self.variables, *extra)
        self.several = isinstance(results, (tuple, list))
        self.results: list[Array] = [
            np.asarray(x, dtype=object) for x in (results if self.several else [results])
        ]
        self._recorded = Recorded(self.graph, _flat(self.results))

    def tangents(self, seeds: Sequence[Array | None]) -> list[Array]:
        """How the results change when the variables change by the seeds (None: not at all)."""
        by_node: dict[int, Any] = {}
        for variable, seed in zip(self.variables, seeds, strict=True):
            if seed is not None:
                for x, rate in zip(variable.flat, np.asarray(seed, dtype=object).flat, strict=True):
                    by_node[x.ref] = rate
        return self._shaped(self._recorded.tangents(by_node))

    def adjoints(
        self, weights: Sequence[Array], places: Sequence[int] | None = None
    ) -> list[Array]:
        """Gradients of the sum of weights times results, in the variables at `places`, or all."""
        wanted = self.variables if places is None else [self.variables[k] for k in places]
        flat = [x.ref for variable in wanted for x in variable.flat]
        found = iter(self._recorded.adjoints(list(_flat(weights)), flat))
        return [_filled(variable.shape, found) for variable in wanted]

    def weights(self, given: Sequence[Any]) -> list[Array]:
        """Further arrays of the caller's as scalars of the graph, such as weights."""
        arrays = [np.asarray(x, dtype=object) for x in given]
        return arrays if self._values is None else [self._placed(x) for x in arrays]

    def given(self, arrays: Sequence[Array]) -> list[Array]:
        """Arrays of the graph's scalars on the scalars that the caller uses."""
        if self._values is None:
            return list(arrays)
        found = iter(Recorded(self.graph, _flat(arrays)).on(self._values, _applied))
        return [_filled(x.shape, found) for x in arrays]

    def _shaped(self, flat: Iterable[Any]) -> list[Array]:
        found = iter(flat)
        return [_filled(result.shape, found) for result in self.results]

    def _placed(self, values: Array) -> Array:
        """Variables in the places of values."""
        return _filled(values.shape, (self._variable(x) for x in values.flat))

    def _variable(self, value: Any) -> Expr:
        assert self._values is not None
        variable = self.graph.input()
        self._values[variable.ref] = value
        return variable

    def _number(self, value: Any) -> Any:
        """A number of the tree: a variable, unless it is known."""
        return value if isinstance(value, (int, float)) else self._variable(value)


def _graph_of_inputs(arrays: Sequence[Array]) -> Graph | None:
    """The graph that all entries are inputs of, each another one."""
    entries = list(_flat(arrays))
    graph = entries[0].graph if entries and isinstance(entries[0], Expr) else None
    if graph is None:
        return None
    own = {x.ref for x in entries if isinstance(x, Expr) and x.graph is graph and x.ref > 0}
    different = len(own) == len(entries)
    return graph if different and all(graph.ops[ref] == INPUT for ref in own) else None


def _limit(arrays: Sequence[Array]) -> float:
    """How large a graph within another one may be."""
    return min((x.graph.limit for x in _flat(arrays) if isinstance(x, Expr)), default=math.inf)


def _with_numbers(tree: Tree, number: Callable[[Any], Any]) -> Tree:
    """The tree with all its numbers passed through a function, each once."""
    known: dict[int, Any] = {}

    def change(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return _filled(x.shape, (change(e) for e in x.flat))
        if id(x) not in known:
            known[id(x)] = x, number(x)  # x is held, so that no other object gets its id
        return known[id(x)][1]

    def changed(part: Any, names: Iterable[str]) -> dict[str, Any]:
        return {name: change(getattr(part, name)) for name in names}

    scalars = ("pitch", "gain", "offset")
    nodes = []
    for node in tree.nodes:
        arrays = [f.name for f in fields(node) if isinstance(getattr(node, f.name), np.ndarray)]
        nodes.append(replace(node, **changed(node, (*arrays, *scalars))))
    frames = tuple((node, change(R), change(p)) for node, R, p in tree.frames)
    base = tuple(change(x) for x in tree.base)
    return replace(tree, nodes=tuple(nodes), gravity=change(tree.gravity), frames=frames, base=base)


def _applied(op: Op, *operands: Any) -> Any:
    """An operation on scalars of any kind, which `math.scalar` knows the functions of."""
    return getattr(scalar, op.name, op.value)(*operands)


def _flat(arrays: Iterable[Array]) -> Iterable[Any]:
    return (x for one in arrays for x in one.flat)


def _filled(shape: tuple[int, ...], entries: Iterable[Any]) -> Array:
    """The next entries as an array."""
    out, entries = np.empty(shape, dtype=object), iter(entries)
    for index in np.ndindex(*shape):
        out[index] = next(entries)
    return out


# ------------------------------------------------------------------ rules


def in_state(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    place: int,
    extra: tuple[Any, ...] = (),
    *,
    configuration: bool,
) -> list[Array]:
    """Derivatives of all results in the input number `place`, axis last.

    configuration: whether that input is q, which moves along velocities, or a plain vector.
    """
    recording = Recording(formula, tree, inputs, extra)
    x = recording.variables[place]
    columns: list[list[Array]] = []
    for h in range(tree.dof if configuration else len(x)):
        unit = zeros(tree.dof if configuration else len(x))
        unit[h] = 1.0
        seeds: list[Array | None] = [None] * len(recording.variables)
        seeds[place] = configuration_rate(recording.tree, x, unit) if configuration else unit
        columns.append(recording.tangents(seeds))
    stacked = [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]
    return recording.given(stacked)


def weighted_hessian(formula: Formula) -> Formula:
    """Sum of lam_i times the second derivatives of result i over (q, v, a): (3 nv, 3 nv).

    Of a formula(tree, q, v, a, ...) as one of (tree, q, v, a, lam, ...). Row block: what is
    differentiated first; the block of q, q is not symmetric where velocities do not commute.
    """

    def gradient(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *more: Any) -> Array:
        recording = Recording(formula, tree, (q, v, a, *more))
        by_q, by_v, by_a, *_ = recording.adjoints(recording.weights([lam]))
        at, along = recording.variables[0], []
        for unit in identity(tree.dof):
            along.append(by_q @ configuration_rate(recording.tree, at, unit))
        (found,) = recording.given([np.concatenate((np.stack(along), by_v, by_a))])
        return found

    def hessian(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *more: Any) -> Array:
        inputs, n = (q, v, a, lam, *more), tree.dof
        out = zeros(3 * n, 3 * n)
        (out[:, :n],) = in_state(gradient, tree, inputs, 0, configuration=True)
        (by_v,) = in_state(gradient, tree, inputs, 1, configuration=False)
        out[: 2 * n, n : 2 * n] = by_v[: 2 * n]
        out[:n, 2 * n :] = out[2 * n :, :n].T  # linear in a
        return out

    return hessian
