"""Recordings of formulas: a formula is evaluated once on variables, and differentiated as a graph.

Forward mode, reverse mode and Taylor series are methods of `Recording`. Results are scalars of the
caller: expressions while tracing, or any other type with arithmetic. A derivative is a formula
again, so derivatives nest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import numpy as np

from jounce.compiler.graph.differentiate import Recorded, equations, factors
from jounce.compiler.graph.expr import INPUT, Expr, Graph, Root
from jounce.compiler.graph.ops import Op
from jounce.formulas.kinematics import refuse_series
from jounce.math import scalar
from jounce.math.jets import Jet, coefficients, from_coefficients
from jounce.math.scalar import Array
from jounce.model.tree import Tree

Formula = Callable[..., Any]

#: Node budget of the recorded graph, relative to that of the caller.
_BUDGET_FACTOR = 4


class Recording:
    """A formula evaluated on variables.

    If the inputs are inputs of a graph, as when a kernel is traced, they are the variables
    themselves. Otherwise variables of a new graph replace the inputs and the numbers of the tree,
    and `to_caller` substitutes the scalars of the caller for them.

    Parameters
    ----------
    formula : callable
        formula(tree, *inputs, *extra): an array, or several.
    tree : Tree
    inputs : sequence of array
    extra : tuple
        Further arguments of the formula, such as the index of a frame.
    hold_tree : bool
        Treat numbers of the tree as constants even if they are expressions of the inputs.

    Attributes
    ----------
    tree, variables, results
        Arguments and results of the formula, in scalars of one graph.
    budget : float
        Maximum number of operations of the caller.
    wanted : int
        Number of results of the caller.
    """

    def __init__(
        self,
        formula: Formula,
        tree: Tree,
        inputs: Sequence[Any],
        extra: tuple[Any, ...] = (),
        *,
        hold_tree: bool = False,
    ) -> None:
        refuse_series(tree, (*inputs, tree.gravity))
        arrays = [np.asarray(x, dtype=object) for x in inputs]
        self.extra = extra
        graph = None if hold_tree else _graph_of_inputs(arrays)
        self._values: dict[int, Any] | None = None if graph is not None else {}
        outer = graph or _graph_of(arrays)
        self.graph = graph or Graph(
            _BUDGET_FACTOR * outer.limit if outer else math.inf, outer, outer.wanted if outer else 0
        )
        self._outer = outer
        self.budget = outer.limit if outer else math.inf
        self.wanted = outer.wanted if outer else 0
        self.tree = tree if graph is not None else _with_numbers(tree, self._number)
        self.variables = arrays if graph is not None else [self._make_variables(x) for x in arrays]
        results = as_list(formula(self.tree, *self.variables, *extra))
        self.results: list[Array] = [np.asarray(x, dtype=object) for x in results]
        self._recorded = Recorded(self.graph, iterate_entries(self.results))

    def tangents(self, seeds: Sequence[Array | None]) -> list[Array]:
        """Forward mode: rates of the results for rates of the variables (None for zero)."""
        by_node: dict[int, Any] = {}
        for variable, seed in zip(self.variables, seeds, strict=True):
            if seed is not None:
                for x, rate in zip(variable.flat, np.asarray(seed, dtype=object).flat, strict=True):
                    by_node[x.ref] = rate
        return self._shape_results(self._recorded.tangents(by_node))

    def adjoints(
        self, weights: Sequence[Array], places: Sequence[int] | None = None
    ) -> list[Array]:
        """Reverse mode: gradients of the weighted results in the variables at `places`, or all."""
        wanted = self.variables if places is None else [self.variables[k] for k in places]
        nodes = [x.ref for variable in wanted for x in variable.flat]
        entries = iter(self._recorded.adjoints(list(iterate_entries(weights)), nodes))
        return [_fill_array(variable.shape, entries) for variable in wanted]

    def series(self, others: Sequence[Array | None]) -> list[Array]:
        """Taylor series of the results, for series in place of variables (None: constant)."""
        graph = self.graph
        places: dict[int, Any] = {ref: Expr(graph, ref) for ref in graph.inputs}
        for variable, other in zip(self.variables, others, strict=True):
            if other is not None:
                places |= {x.ref: y for x, y in zip(variable.flat, other.flat, strict=True)}
        return self._shape_results(self._recorded.series(places, _apply_operation, self._advance))

    def _advance(self, root: Root, values: Mapping[int, Any]) -> dict[int, Any]:
        """Return series of solutions of equations for series of the inputs, order by order."""
        of, solved = equations(self.graph, root), factors(self.graph, root)
        order = max((x.order for x in values.values() if isinstance(x, Jet)), default=0)
        levels = [np.array([Expr(self.graph, node) for node in root.unknowns], dtype=object)]
        for k in range(1, order + 1):
            so_far = from_coefficients([*levels, *(0.0 * levels[0],) * (order + 1 - k)])
            known = {**values, **dict(zip(root.unknowns, so_far, strict=True))}
            missing = np.array(of.series(known, _apply_operation, self._advance), dtype=object)
            levels.append(-solved.solve(coefficients(missing, order)[k]))
        return dict(zip(root.unknowns, from_coefficients(levels), strict=True))

    def weights(self, values: Sequence[Any]) -> list[Array]:
        """Convert further arrays of the caller to scalars of the graph."""
        arrays = [np.asarray(x, dtype=object) for x in values]
        return arrays if self._values is None else [self._make_variables(x) for x in arrays]

    def to_caller(self, arrays: Sequence[Array]) -> list[Array]:
        """Convert arrays of the graph to scalars of the caller."""
        if self._values is None:
            return list(arrays)
        entries = iter(
            Recorded(self.graph, iterate_entries(arrays)).evaluate_on(
                self._values, _apply_operation
            )
        )
        return [_fill_array(x.shape, entries) for x in arrays]

    @property
    def size(self) -> int:
        """Number of recorded operations."""
        roots = {
            self.graph.roots[node] for node in self._recorded.nodes if node in self.graph.roots
        }
        implicit = sum(len(equations(self.graph, root).nodes) for root in roots)
        return len(self._recorded.nodes) + implicit

    def operations(self, arrays: Sequence[Array]) -> int:
        """Return the number of operations of arrays of the graph in scalars of the caller."""
        values = self.to_caller(arrays)
        graph = _graph_of(values)
        return 0 if graph is None else len(Recorded(graph, iterate_entries(values)).nodes)

    @contextmanager
    def lift_limits(self) -> Iterator[None]:
        """Temporarily lift the limits of the graphs, to estimate the cost of more directions."""
        graphs = [graph for graph in {self.graph, self._outer} if graph is not None]
        before = [graph.limit for graph in graphs]
        for graph in graphs:
            graph.limit = math.inf
        try:
            yield
        finally:
            for graph, limit in zip(graphs, before, strict=True):
                if graph.limit > 0:  # otherwise tracing was stopped meanwhile
                    graph.limit = limit

    def _shape_results(self, entries: Iterable[Any]) -> list[Array]:
        remaining = iter(entries)
        return [_fill_array(result.shape, remaining) for result in self.results]

    def _make_variables(self, values: Array) -> Array:
        """Return variables for values."""
        return _fill_array(values.shape, (self._variable(x) for x in values.flat))

    def _variable(self, value: Any) -> Expr:
        assert self._values is not None
        variable = self.graph.input()
        self._values[variable.ref] = value
        return variable

    def _number(self, value: Any) -> Any:
        """Return a variable for a number of the tree, or a constant as it is."""
        return value if isinstance(value, (int, float)) else self._variable(value)


def _graph_of_inputs(arrays: Sequence[Array]) -> Graph | None:
    """Return the graph of which all entries are distinct inputs, or None."""
    entries = list(iterate_entries(arrays))
    graph = entries[0].graph if entries and isinstance(entries[0], Expr) else None
    if graph is None:
        return None
    inputs = {x.ref for x in entries if isinstance(x, Expr) and x.graph is graph and x.ref > 0}
    different = len(inputs) == len(entries)
    return graph if different and all(graph.ops[ref] == INPUT for ref in inputs) else None


def _graph_of(arrays: Sequence[Array]) -> Graph | None:
    """Return the graph of the first expression among the entries, or None."""
    return next((x.graph for x in iterate_entries(arrays) if isinstance(x, Expr)), None)


def _with_numbers(tree: Tree, number: Callable[[Any], Any]) -> Tree:
    """Return the tree with a function applied to all its numbers, once to each."""
    known: dict[int, Any] = {}

    def change(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return _fill_array(x.shape, (change(e) for e in x.flat))
        if id(x) not in known:
            known[id(x)] = x, number(x)  # x is kept alive, so that its id stays unique
        return known[id(x)][1]

    def change_fields(part: Any, names: Iterable[str]) -> dict[str, Any]:
        return {name: change(getattr(part, name)) for name in names}

    scalars = ("pitch", "gain", "offset")
    nodes = []
    for node in tree.nodes:
        arrays = [f.name for f in fields(node) if isinstance(getattr(node, f.name), np.ndarray)]
        nodes.append(replace(node, **change_fields(node, (*arrays, *scalars))))
    frames = tuple((node, change(R), change(p)) for node, R, p in tree.frames)
    fields_ = {
        "gravity": change(tree.gravity),
        "base": tuple(change(x) for x in tree.base),
        "kept": None if tree.kept is None else change(tree.kept),
    }
    return replace(tree, nodes=tuple(nodes), frames=frames, **fields_)


def _apply_operation(op: Op, *operands: Any) -> Any:
    """Apply an operation to scalars of any type, by the functions of `math.scalar`."""
    return getattr(scalar, op.name, op.value)(*operands)


def as_list(results: Any) -> list[Any]:
    """Return the results of a formula as a list."""
    return list(results) if isinstance(results, (tuple, list)) else [results]


def one_or_all(results: Sequence[Any]) -> Any:
    """Return results as a formula does: a single one, or a tuple."""
    return results[0] if len(results) == 1 else tuple(results)


def iterate_entries(arrays: Iterable[Array]) -> Iterable[Any]:
    """Iterate over all entries of arrays."""
    return (x for array in arrays for x in array.flat)


def _fill_array(shape: tuple[int, ...], entries: Iterable[Any]) -> Array:
    """Return an array of the next entries."""
    out, entries = np.empty(shape, dtype=object), iter(entries)
    for index in np.ndindex(*shape):
        out[index] = next(entries)
    return out
