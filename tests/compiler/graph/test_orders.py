"""The order in which kernels work: where operations stand, and what crosses segments."""

from __future__ import annotations

from itertools import pairwise

import pytest

from jounce.compiler.graph import passes
from jounce.compiler.graph.expr import Expr, Graph
from jounce.compiler.graph.ops import OPS
from jounce.compiler.graph.tape import Tape, record

pytestmark = pytest.mark.machine_code


def products(n: int) -> Tape:
    """All sums of rows, then all their products: made in an order that keeps all sums alive."""
    graph = Graph()
    x = graph.inputs_like((n, n))
    sums = [sum(row[1:] * row[0], row[0]) for row in x]
    return record(graph, [a * b for a in sums for b in sums[:2]])


def test_plans_have_every_operation_once_and_after_its_operands() -> None:
    tape = products(12)
    done = set(range(tape.n_inputs))
    for segment in passes.plan(tape, 40).segments:
        for i in segment.operations:
            assert {x for x in (tape.lhs[i], tape.rhs[i]) if x >= 0} <= done
            assert tape.n_inputs + i not in done
            done.add(tape.n_inputs + i)
    assert len(done) == tape.n_inputs + len(tape)


def test_plans_let_few_values_cross() -> None:
    tape = products(12)
    orders = (range(len(tape)), passes._depth_first(tape, passes._creation_order(tape)))
    crossings = [passes._crossings(passes._make_plan(tape, order, 40)) for order in orders]
    assert crossings[1] < crossings[0]
    assert passes._crossings(passes.plan(tape, 40)) == crossings[1]
    assert passes.plan(tape, len(tape)).segments[0].operations == list(range(len(tape)))


def test_no_sign_is_computed_where_a_difference_may_be_turned() -> None:
    graph = Graph()
    x, y, z = (graph.input() for _ in range(3))
    difference, total = x - y, (x - y * z) + z * z
    for results, negatives in (
        ([y - x], 0),
        ([difference, -difference], 1),
        ([-difference, difference * x], 1),
        ([-(x + y)], 1),
        ([-total], 0),
        ([-total, total], 1),
        ([-total, -(x - y * z)], 2),
    ):
        tape = record(graph, results)
        assert tape.counts().get("neg", 0) == negatives
        at = {"x": 0.3, "y": -1.7, "z": 0.9}
        expected = [_value(r, graph, list(at.values())) for r in results]
        assert interpreted(tape, list(at.values())) == expected


def _value(x: Expr, graph: Graph, inputs: list[float]) -> float:
    """What an expression is worth, straight from the graph."""
    node, sign = abs(x.ref), -1.0 if x.ref < 0 else 1.0
    if node in graph.inputs:
        return sign * inputs[graph.inputs.index(node)]
    a, b = (_value(Expr(graph, n), graph, inputs) for n in (graph.lhs[node], graph.rhs[node]))
    return sign * OPS[graph.ops[node]].value(a, b)


def interpreted(tape: Tape, inputs: list[float]) -> list[float]:
    values = list(inputs)
    for op, a, b in zip(tape.ops, tape.lhs, tape.rhs, strict=True):
        values.append(OPS[op].value(*(values[a], values[b])[: OPS[op].arity]))
    return [values[k] for k in tape.outputs]


def test_long_sums_are_turned_as_short_ones() -> None:
    graph = Graph()
    x = graph.inputs_like((3000,))
    total = x[0] - x[1] * x[2]
    for a, b in pairwise(x):
        total = total + a * b * 2.0
    assert "neg" not in record(graph, [-total]).counts()
