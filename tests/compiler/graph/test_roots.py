"""Solutions of equations are differentiated by the implicit function theorem."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.compiler.graph.differentiate import Recorded
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import Op
from jounce.compiler.graph.tape import record
from jounce.compiler.targets.interpreter import run
from jounce.math import scalar
from jounce.math.linear import mark_root
from support.helpers import assert_close

pytestmark = pytest.mark.machine_code


def roots(a: Any, b: Any) -> np.ndarray:
    """About u^2 + v = a, u v = b: far from right, so that how they were found would show."""
    u, v = 1.0 + 0.3 * a, 0.5 * b

    def residual(x: np.ndarray) -> np.ndarray:
        return np.array([x[0] * x[0] + x[1] - a, x[0] * x[1] - b], dtype=object)

    return mark_root(np.array([u, v], dtype=object), residual)


def slopes(u: float, v: float) -> np.ndarray:
    """Of (u, v) in (a, b)."""
    return np.linalg.inv([[2 * u, 1.0], [v, u]])


def apply(op: Op, *operands: Any) -> Any:
    return getattr(scalar, op.name, op.value)(*operands)


A, B = 1.7, 0.9
U, V = 1.0 + 0.3 * A, 0.5 * B


def value(graph: Graph, *outputs: Any) -> np.ndarray:
    return np.array(run(record(graph, outputs), [A, B]), dtype=float)


def test_tangents_and_adjoints() -> None:
    graph = Graph()
    a, b = graph.input(), graph.input()
    u, v = roots(a, b)
    assert_close(value(graph, u, v), [U, V])
    recorded = Recorded(graph, [u * v, -v])
    by = np.array([[V, U], [0.0, -1.0]]) @ slopes(U, V)
    for k, x in enumerate((a, b)):
        assert_close(value(graph, *recorded.tangents({x.ref: 1.0})), by[:, k])
    found = recorded.adjoints([2.0, 3.0], [a.ref, b.ref])
    assert_close(value(graph, *found), [2.0, 3.0] @ by)
    # one of the unknowns alone, and what a root does not depend on
    alone = Recorded(graph, [v]).adjoints([1.0], [b.ref])
    assert_close(value(graph, *alone), slopes(U, V)[1, 1:])


def test_derivatives_of_derivatives() -> None:
    """The second derivative of u in a, by differences of the first along the solution."""
    graph = Graph()
    a, b = graph.input(), graph.input()
    (first,) = Recorded(graph, [roots(a, b)[0]]).tangents({a.ref: 1.0})
    (second,) = Recorded(graph, [first]).tangents({a.ref: 1.0})
    e = 1e-5
    du, dv = slopes(U, V)[:, 0]
    ends = [slopes(U + s * e * du, V + s * e * dv)[0, 0] for s in (1.0, -1.0)]
    assert_close(value(graph, second), [(ends[0] - ends[1]) / (2 * e)], 1e-9)  # differences


def test_roots_stay_roots_in_another_graph() -> None:
    graph, other = Graph(), Graph()
    a, b = graph.input(), graph.input()
    recorded = Recorded(graph, [roots(a, b)[0]])
    x, y = other.input(), other.input()
    (moved,) = recorded.evaluate_on({a.ref: x, b.ref: y}, apply)
    (rate,) = Recorded(other, [moved]).tangents({y.ref: 1.0})
    assert_close(value(other, rate), slopes(U, V)[0, 1:])
    assert_close(recorded.evaluate_on({a.ref: A, b.ref: B}, apply), [U])
