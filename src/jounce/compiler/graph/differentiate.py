"""Derivatives of what a graph has recorded: tangents by a pass forward, adjoints by one backward.

Both give expressions of the same graph, so that common parts are shared and a derivative can be
differentiated again. Each operation's own rule is in its row (`jounce.compiler.graph.ops`).
Solutions of equations (`Graph.roots`) are differentiated by the implicit function theorem: with
residuals r(u, x) = 0, du = -r_u^-1 r_x dx, and the iterations that led to them are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jounce.compiler.graph.expr import Expr, Graph, Root
from jounce.compiler.graph.ops import OPS

#: Tangents or adjoints by node; what is not there is zero.
ByNode = Mapping[int, Any]


class Recorded:
    """Results that a graph has recorded, and the nodes they are made of, in order.

    Nodes end at those that solve equations: how these were found does not matter to derivatives.
    """

    def __init__(self, graph: Graph, results: Iterable[Any]) -> None:
        self.graph = graph
        self.results = list(results)
        self.nodes = _needed(graph, self.results)

    def tangents(self, seeds: ByNode) -> list[Any]:
        """How the results change when the nodes of `seeds` change so."""
        graph = self.graph
        rates: dict[int, Any] = {node: rate for node, rate in seeds.items() if not _zero(rate)}
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
                    rate = OPS[op].pushed((rates[a],), (_at(graph, a),), Expr(graph, node))
                    if not _zero(rate):
                        rates[node] = rate
                continue
            b = graph.rhs[node]
            if a in rates or b in rates:
                operands = _at(graph, a), _at(graph, b)
                both = rates.get(a, 0.0), rates.get(b, 0.0)
                rate = OPS[op].pushed(both, operands, Expr(graph, node))
                if not _zero(rate):
                    rates[node] = rate
        return [_signed(x, rates) for x in self.results]

    def adjoints(self, weights: Sequence[Any], wrt: Sequence[int]) -> list[Any]:
        """How the sum of the weighted results changes with each of the nodes `wrt`."""
        graph, stops = self.graph, {*wrt}
        sums: dict[int, Any] = {}

        def add(node: int, share: Any) -> None:
            if not _zero(share):
                sums[node] = share if node not in sums else sums[node] + share

        for x, weight in zip(self.results, weights, strict=True):
            if isinstance(x, Expr):
                add(abs(x.ref), weight if x.ref > 0 else -weight)
        needed, firsts = self._between(stops), self._first_unknowns()
        for node in reversed(self.nodes):
            if node not in needed or node in stops:
                continue
            if node in graph.roots:
                if node in firsts:  # all that depends on the others has been seen
                    for k, share in _root_adjoints(graph, graph.roots[node], sums, wrt).items():
                        add(k, share)
                continue
            if node not in sums:
                continue
            op, a, b = graph.ops[node], graph.lhs[node], graph.rhs[node]
            operands = (a,) if OPS[op].arity == 1 else (a, b)
            values = tuple(_at(graph, k) for k in operands)
            shares = OPS[op].pulled(sums[node], values, Expr(graph, node))
            for k, share in zip(operands, shares, strict=True):
                if k in needed:
                    add(k, share)
        return [sums.get(node, 0.0) for node in wrt]

    def _between(self, wrt: set[int]) -> set[int]:
        """The nodes on a way from those of `wrt` to the results."""
        graph, found = self.graph, {*wrt}
        for node in self.nodes:
            if (
                node in graph.roots  # which may depend on anything
                or graph.lhs[node] in found
                or (OPS[graph.ops[node]].arity == 2 and graph.rhs[node] in found)
            ):
                found.add(node)
        return found

    def _first_unknowns(self) -> set[int]:
        """Of each solution that is needed, the first node."""
        found: dict[Root, int] = {}
        for node in self.nodes:
            if node in self.graph.roots:
                found.setdefault(self.graph.roots[node], node)
        return {*found.values()}

    def on(self, values: Mapping[int, Any], apply: Callable[..., Any]) -> list[Any]:
        """The results with other scalars in the places of all inputs; apply(op, *operands).

        Solutions of equations stay that on expressions of another graph.
        """
        graph = self.graph
        known: dict[int, Any] = {**graph.constants, **values}
        nodes = _needed(graph, self.results, through=True)
        _evaluate(graph, nodes, known, apply)
        for root in {graph.roots[node]: None for node in nodes if node in graph.roots}:
            if isinstance(known[root.unknowns[0]], Expr):
                unknowns = [Expr(graph, node) for node in root.unknowns]
                every = _needed(graph, (*unknowns, *root.residuals), through=True)
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
        """The results on series in the places of inputs; advance(root, values): a root's nodes."""
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
    """Values of nodes from those of what they are made of, which are known."""
    for node in nodes:
        if node not in known:
            op, operands = OPS[graph.ops[node]], (graph.lhs[node], graph.rhs[node])
            known[node] = apply(op, *(known[k] for k in operands[: op.arity]))


# ------------------------------------------------------------------ solutions of equations


def equations(graph: Graph, root: Root) -> Recorded:
    """What a root solves, as a function of it and of all else."""
    return Recorded(graph, root.residuals)


def factors(graph: Graph, root: Root) -> Any:
    """The derivative of the equations in the unknowns, factorized."""
    if root.factors is None:
        of, held = equations(graph, root), dict.fromkeys(root.unknowns, 0.0)
        columns = [of.tangents({**held, node: 1.0}) for node in root.unknowns]
        root.factors = root.factorize(np.array(columns, dtype=object).T)
    return root.factors


def _root_tangents(graph: Graph, root: Root, seeds: ByNode) -> dict[int, Any]:
    """How the unknowns change when the nodes of `seeds` change so."""
    held = dict.fromkeys(root.unknowns, 0.0)
    rates = equations(graph, root).tangents({**seeds, **held})
    if all(_zero(x) for x in rates):
        return {}
    found = factors(graph, root).solve(-np.array(rates, dtype=object))
    return {node: x for node, x in zip(root.unknowns, found, strict=True) if not _zero(x)}


def _root_adjoints(
    graph: Graph, root: Root, sums: Mapping[int, Any], wrt: Sequence[int]
) -> dict[int, Any]:
    """What adjoints of the unknowns pass on to the nodes `wrt`."""
    given = np.array([sums.get(node, 0.0) for node in root.unknowns], dtype=object)
    if all(_zero(x) for x in given):
        return {}
    weights = -factors(graph, root).solve_transposed(given)
    found = equations(graph, root).adjoints(list(weights), [*wrt, *root.unknowns])
    return dict(zip(wrt, found, strict=False))


def _needed(graph: Graph, results: Iterable[Any], *, through: bool = False) -> list[int]:
    """The operations that results need, operands before what is made of them.

    through: also those that solutions of equations are made of.
    """
    stack = [abs(x.ref) for x in results if isinstance(x, Expr)]
    found: set[int] = set()
    while stack:
        node = stack.pop()
        if node in found or graph.ops[node] < 0:
            continue
        found.add(node)
        if node in graph.roots and not through:
            continue
        stack.append(graph.lhs[node])
        if OPS[graph.ops[node]].arity == 2:
            stack.append(graph.rhs[node])
    return sorted(found)  # nodes are numbered as they are made


def _at(graph: Graph, node: int) -> Any:
    """A node as an operand: constants as numbers, so that they fold."""
    value = graph.constants.get(node)
    return Expr(graph, node) if value is None else value


def _signed(x: Any, by_node: Mapping[int, Any]) -> Any:
    """What belongs to an expression, from what belongs to nodes; numbers have nothing."""
    if not isinstance(x, Expr):
        return 0.0
    found = by_node.get(abs(x.ref), 0.0)
    return found if x.ref > 0 else -found


def _value(x: Any, known: Mapping[int, Any]) -> Any:
    """What an expression is where its node is known; numbers are themselves."""
    return _signed(x, known) if isinstance(x, Expr) else x


def _zero(x: Any) -> bool:
    return not isinstance(x, Expr) and x == 0
