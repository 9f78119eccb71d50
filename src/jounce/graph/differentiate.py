"""Derivatives of what a graph has recorded: tangents by a pass forward, adjoints by one backward.

Both give expressions of the same graph, so that common parts are shared and a derivative can be
differentiated again. Each operation's own rule is in its row (`jounce.graph.ops`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jounce.graph.expr import Expr, Graph
from jounce.graph.ops import OPS

#: Tangents or adjoints by node; what is not there is zero.
ByNode = Mapping[int, Any]


class Recorded:
    """Results that a graph has recorded, and the nodes they are made of, in order."""

    def __init__(self, graph: Graph, results: Iterable[Any]) -> None:
        self.graph = graph
        self.results = list(results)
        self.nodes = _needed(graph, self.results)

    def tangents(self, seeds: ByNode) -> list[Any]:
        """How the results change when the nodes of `seeds` change so."""
        graph = self.graph
        rates: dict[int, Any] = {node: rate for node, rate in seeds.items() if not _zero(rate)}
        for node in self.nodes:
            op, a = graph.ops[node], graph.lhs[node]
            if node in seeds:
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
        needed = self._between(stops)
        for node in reversed(self.nodes):
            if node not in needed or node not in sums or node in stops:
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
            if graph.lhs[node] in found or (
                OPS[graph.ops[node]].arity == 2 and graph.rhs[node] in found
            ):
                found.add(node)
        return found

    def on(self, values: Mapping[int, Any], apply: Callable[..., Any]) -> list[Any]:
        """The results with other scalars in the places of all inputs; apply(op, *operands)."""
        graph = self.graph
        known: dict[int, Any] = {**graph.constants, **values}
        for node in self.nodes:
            if node in known:
                continue
            op, operands = OPS[graph.ops[node]], (graph.lhs[node], graph.rhs[node])
            known[node] = apply(op, *(known[k] for k in operands[: op.arity]))
        return [_signed(x, known) if isinstance(x, Expr) else x for x in self.results]


def _needed(graph: Graph, results: Iterable[Any]) -> list[int]:
    """The operations that results need, operands before what is made of them."""
    stack = [abs(x.ref) for x in results if isinstance(x, Expr)]
    found: set[int] = set()
    while stack:
        node = stack.pop()
        if node in found or graph.ops[node] < 0:
            continue
        found.add(node)
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


def _zero(x: Any) -> bool:
    return not isinstance(x, Expr) and x == 0
