"""Differentiation of a recorded graph: forward mode (tangents) and reverse mode (adjoints).

Both return expressions of the same graph, so common subexpressions are shared and a derivative can
be differentiated again. The rule of each operation is in its row (`jounce.compiler.graph.ops`).
Solutions of equations (`Graph.roots`) are differentiated by the implicit function theorem: with
residuals r(u, x) = 0, du = -r_u^-1 r_x dx; the iterations that computed u are not differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jounce.compiler.graph.expr import Expr, Graph, Root
from jounce.compiler.graph.ops import OPS

#: Tangents or adjoints by node; missing nodes have zero.
ByNode = Mapping[int, Any]


class Recorded:
    """Recorded results and the nodes that they depend on, in topological order.

    The search stops at nodes that solve equations: their derivatives do not depend on how they
    were computed.
    """

    def __init__(self, graph: Graph, results: Iterable[Any]) -> None:
        self.graph = graph
        self.results = list(results)
        self.nodes = _find_dependencies(graph, self.results)

    def tangents(self, seeds: ByNode) -> list[Any]:
        """Return the tangents of the results for given tangents of some nodes."""
        graph = self.graph
        rates: dict[int, Any] = {node: rate for node, rate in seeds.items() if not _is_zero(rate)}
        solved: set[Root] = set()
        for node in self.nodes:
            op, a = graph.ops[node], graph.lhs[node]
            if node in seeds:
                continue
            if node in graph.roots:
                root = graph.roots[node]
                if root not in solved:
                    rates |= _root_tangents(graph, root, seeds)
                    solved.add(root)
                continue
            if OPS[op].arity == 1:
                if a in rates:
                    operand = _operand(graph, a)
                    rate = OPS[op].push_tangent((rates[a],), (operand,), Expr(graph, node))
                    if not _is_zero(rate):
                        rates[node] = rate
                continue
            b = graph.rhs[node]
            if a in rates or b in rates:
                operands = _operand(graph, a), _operand(graph, b)
                tangents = rates.get(a, 0.0), rates.get(b, 0.0)
                rate = OPS[op].push_tangent(tangents, operands, Expr(graph, node))
                if not _is_zero(rate):
                    rates[node] = rate
        return [_lookup_signed(x, rates) for x in self.results]

    def adjoints(self, weights: Sequence[Any], wrt: Sequence[int]) -> list[Any]:
        """Return the adjoints of the nodes `wrt` for given adjoints of the results."""
        graph, stops = self.graph, {*wrt}
        sums: dict[int, Any] = {}

        def add(node: int, share: Any) -> None:
            if not _is_zero(share):
                sums[node] = share if node not in sums else sums[node] + share

        for x, weight in zip(self.results, weights, strict=True):
            if isinstance(x, Expr):
                add(abs(x.ref), weight if x.ref > 0 else -weight)
        needed, firsts = self._find_nodes_between(stops), self._first_unknowns()
        for node in reversed(self.nodes):
            if node not in needed or node in stops:
                continue
            if node in graph.roots:
                if node in firsts:  # everything that depends on its other unknowns is done
                    for k, share in _root_adjoints(graph, graph.roots[node], sums, wrt).items():
                        add(k, share)
                continue
            if node not in sums:
                continue
            op, a, b = graph.ops[node], graph.lhs[node], graph.rhs[node]
            operands = (a,) if OPS[op].arity == 1 else (a, b)
            values = tuple(_operand(graph, k) for k in operands)
            shares = OPS[op].pull_adjoint(sums[node], values, Expr(graph, node))
            for k, share in zip(operands, shares, strict=True):
                if k in needed:
                    add(k, share)
        return [sums.get(node, 0.0) for node in wrt]

    def _find_nodes_between(self, wrt: set[int]) -> set[int]:
        """Return the nodes on a path from those of `wrt` to the results."""
        graph, dependent = self.graph, {*wrt}
        for node in self.nodes:
            if (
                node in graph.roots  # which may depend on anything
                or graph.lhs[node] in dependent
                or (OPS[graph.ops[node]].arity == 2 and graph.rhs[node] in dependent)
            ):
                dependent.add(node)
        return dependent

    def _first_unknowns(self) -> set[int]:
        """Return the first node of each solution that is needed."""
        firsts: dict[Root, int] = {}
        for node in self.nodes:
            if node in self.graph.roots:
                firsts.setdefault(self.graph.roots[node], node)
        return {*firsts.values()}

    def evaluate_on(self, values: Mapping[int, Any], apply: Callable[..., Any]) -> list[Any]:
        """Evaluate the results on other scalars in place of all inputs; apply(op, *operands).

        On expressions of another graph, solutions of equations are registered there as well.
        """
        graph = self.graph
        known: dict[int, Any] = {**graph.constants, **values}
        nodes = _find_dependencies(graph, self.results, through=True)
        _evaluate(graph, nodes, known, apply)
        for root in {graph.roots[node]: None for node in nodes if node in graph.roots}:
            if isinstance(known[root.unknowns[0]], Expr):
                unknowns = [Expr(graph, node) for node in root.unknowns]
                every = _find_dependencies(graph, (*unknowns, *root.residuals), through=True)
                _evaluate(graph, every, known, apply)
                carried = [_value(x, known) for x in unknowns]
                residuals = [_value(x, known) for x in root.residuals]
                carried[0].graph.add_root(carried, residuals, root.factorize)
        return [_value(x, known) for x in self.results]

    def series(
        self,
        values: Mapping[int, Any],
        apply: Callable[..., Any],
        advance: Callable[[Root, Mapping[int, Any]], Mapping[int, Any]],
    ) -> list[Any]:
        """Evaluate the results on series; advance(root, values) gives the nodes of a root."""
        graph = self.graph
        known: dict[int, Any] = {**graph.constants, **values}
        for node in self.nodes:
            if node in graph.roots and node not in known:
                known |= advance(graph.roots[node], values)
        _evaluate(graph, self.nodes, known, apply)
        return [_value(x, known) for x in self.results]


def _evaluate(
    graph: Graph, nodes: Iterable[int], known: dict[int, Any], apply: Callable[..., Any]
) -> None:
    """Add the values of nodes to `known`, in topological order."""
    for node in nodes:
        if node not in known:
            op, operands = OPS[graph.ops[node]], (graph.lhs[node], graph.rhs[node])
            known[node] = apply(op, *(known[k] for k in operands[: op.arity]))


# ------------------------------------------------------------------ solutions of equations


def equations(graph: Graph, root: Root) -> Recorded:
    """Return the residuals of a root as a function of its unknowns and all other nodes."""
    return Recorded(graph, root.residuals)


def factors(graph: Graph, root: Root) -> Any:
    """Return the factorized Jacobian of the residuals with respect to the unknowns."""
    if root.factors is None:
        of, held = equations(graph, root), dict.fromkeys(root.unknowns, 0.0)
        columns = [of.tangents({**held, node: 1.0}) for node in root.unknowns]
        root.factors = root.factorize(np.array(columns, dtype=object).T)
    return root.factors


def _root_tangents(graph: Graph, root: Root, seeds: ByNode) -> dict[int, Any]:
    """Return the tangents of the unknowns for given tangents of some nodes."""
    held = dict.fromkeys(root.unknowns, 0.0)
    rates = equations(graph, root).tangents({**seeds, **held})
    if all(_is_zero(x) for x in rates):
        return {}
    tangents = factors(graph, root).solve(-np.array(rates, dtype=object))
    return {node: x for node, x in zip(root.unknowns, tangents, strict=True) if not _is_zero(x)}


def _root_adjoints(
    graph: Graph, root: Root, sums: Mapping[int, Any], wrt: Sequence[int]
) -> dict[int, Any]:
    """Propagate the adjoints of the unknowns to the nodes `wrt`."""
    incoming = np.array([sums.get(node, 0.0) for node in root.unknowns], dtype=object)
    if all(_is_zero(x) for x in incoming):
        return {}
    weights = -factors(graph, root).solve_transposed(incoming)
    adjoints = equations(graph, root).adjoints(list(weights), [*wrt, *root.unknowns])
    return dict(zip(wrt, adjoints, strict=False))


def _find_dependencies(graph: Graph, results: Iterable[Any], *, through: bool = False) -> list[int]:
    """Return the operations that results depend on, in topological order.

    through: whether to include those that compute solutions of equations.
    """
    stack = [abs(x.ref) for x in results if isinstance(x, Expr)]
    visited: set[int] = set()
    while stack:
        node = stack.pop()
        if node in visited or graph.ops[node] < 0:
            continue
        visited.add(node)
        if node in graph.roots and not through:
            continue
        stack.append(graph.lhs[node])
        if OPS[graph.ops[node]].arity == 2:
            stack.append(graph.rhs[node])
    return sorted(visited)  # operands have smaller numbers than operations on them


def _operand(graph: Graph, node: int) -> Any:
    """Return a node as an operand: constants as numbers, so that they fold."""
    value = graph.constants.get(node)
    return Expr(graph, node) if value is None else value


def _lookup_signed(x: Any, by_node: Mapping[int, Any]) -> Any:
    """Return the entry of an expression's node with the expression's sign, 0 for numbers."""
    if not isinstance(x, Expr):
        return 0.0
    value = by_node.get(abs(x.ref), 0.0)
    return value if x.ref > 0 else -value


def _value(x: Any, known: Mapping[int, Any]) -> Any:
    """Return the value of an expression whose node is known; numbers are returned as they are."""
    return _lookup_signed(x, known) if isinstance(x, Expr) else x


def _is_zero(x: Any) -> bool:
    return not isinstance(x, Expr) and x == 0
