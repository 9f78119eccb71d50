"""The tracing scalar: arithmetic on it records a graph instead of computing a number.

Nodes are shared (hash-consing), zeros and ones fold away, commutative operands are ordered, and
signs are kept outside the nodes: an `Expr` is a node or its negative, so -x costs nothing and
a - b, b - a, -(a - b) share one node. Constants stay Python floats until they meet a node.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.compiler.graph.ops import (
    ADD,
    ATAN2,
    DIV,
    DROPPED,
    KEPT,
    MUL,
    NEG,
    NEITHER,
    OPS,
    SQRT,
    SUB,
    Op,
)

#: Pseudo operations of the graph; a tape keeps inputs and constants apart from its operations.
INPUT, CONSTANT = -1, -2

_NUMBERS = (int, float, np.integer, np.floating)


class GraphFull(Exception):
    """The graph has reached its limit.

    expected: estimated number of operations, if that was estimated before going on; results: number
    of results that these would compute.
    """

    def __init__(self, expected: int = 0, results: int = 0) -> None:
        super().__init__(expected, results)
        self.expected, self.results = expected, results


@dataclass(eq=False)
class Root:
    """Nodes that solve a system of equations; differentiated by the implicit function theorem.

    unknowns: the nodes. residuals: expressions of them that vanish. factorize(matrix): returns an
    object with `solve` and `solve_transposed`. factors: the factorized Jacobian of the residuals
    with respect to the unknowns, once it is known.
    """

    unknowns: tuple[int, ...]
    residuals: tuple[Any, ...]
    factorize: Callable[[np.ndarray], Any]
    factors: Any = None


class Graph:
    """Growing list of nodes. Node 0 is unused so that a signed integer names a node and a sign.

    limit: number of nodes at which `GraphFull` is raised. within: the graph on whose behalf this
    one is made; when this one is full, so is that one, and stopping that one stops this one.
    wanted: final number of results, if it is known.
    """

    def __init__(
        self, limit: float = math.inf, within: Graph | None = None, wanted: int = 0
    ) -> None:
        self.limit = limit
        self.wanted = wanted
        self.full = False
        self._within = within
        self._inner: Callable[[], Graph | None] = lambda: None
        if within is not None:
            within._inner = weakref.ref(self)
        self.ops: list[int] = [CONSTANT]
        self.lhs: list[int] = [0]
        self.rhs: list[int] = [0]
        self.constants: dict[int, float] = {}
        self.inputs: list[int] = []
        self.roots: dict[int, Root] = {}
        self._shared: dict[tuple[int, int, int], int] = {}
        self._constant_nodes: dict[float, int] = {}

    def node(self, op: int, a: int, b: int = 0) -> int:
        """Return the node op(a, b), creating it if it does not exist; a and b are node numbers."""
        key = (op, a, b)
        node = self._shared.get(key)
        if node is None:
            node = len(self.ops)
            if node >= self.limit:
                self._mark_full()
                raise GraphFull
            self._shared[key] = node
            self.ops.append(op)
            self.lhs.append(a)
            self.rhs.append(b)
        return node

    def stop(self) -> None:
        """Prevent the graph from growing; for another thread to end a trace."""
        self.limit = -1
        inner = self._inner()
        if inner is not None:
            inner.stop()

    def _mark_full(self) -> None:
        self.full = True
        if self._within is not None:
            self._within._mark_full()

    def input(self) -> Expr:
        """Return a new input."""
        number = len(self.ops)
        self.inputs.append(number)
        self.ops.append(INPUT)
        self.lhs.append(len(self.inputs) - 1)
        self.rhs.append(0)
        return Expr(self, number)

    def inputs_like(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return an object array of new inputs."""
        out = np.empty(shape, dtype=object)
        for index in np.ndindex(*shape):
            out[index] = self.input()
        return out

    def add_root(self, unknowns: Sequence[Any], residuals: Sequence[Any], factorize: Any) -> None:
        """Register expressions as the solution of equations, which give their derivatives."""
        nodes = tuple(abs(x.ref) for x in unknowns if isinstance(x, Expr))
        if len({*nodes}) == len(unknowns):
            root = Root(nodes, tuple(residuals), factorize)
            self.roots.update(dict.fromkeys(nodes, root))

    def constant(self, value: float) -> int:
        """Return the signed node of a number (negative numbers are negated nodes)."""
        if value < 0:
            return -self.constant(-value)
        node = self._constant_nodes.get(value)
        if node is None:
            node = self._constant_nodes[value] = len(self.ops)
            self.constants[node] = value
            self.ops.append(CONSTANT)
            self.lhs.append(0)
            self.rhs.append(0)
        return node

    def add(self, a: int, b: int) -> int:
        """Return the signed node of the sum of two signed nodes (never of a and -a)."""
        if a > 0:
            if b > 0:
                return self.node(ADD, a, b) if a < b else self.node(ADD, b, a)
            b = -b
        elif b < 0:
            return -self.add(-a, -b)
        else:
            a, b = b, -a
        return self.node(SUB, a, b) if a < b else -self.node(SUB, b, a)

    def multiply(self, a: int, b: int) -> int:
        """Return the signed node of the product of two signed nodes."""
        negative = (a < 0) != (b < 0)
        a, b = abs(a), abs(b)
        product = self.node(MUL, a, b) if a < b else self.node(MUL, b, a)
        return -product if negative else product

    def divide(self, a: int, b: int) -> int:
        """Return the signed node of the quotient of two signed nodes."""
        quotient = self.node(DIV, abs(a), abs(b))
        return -quotient if (a < 0) != (b < 0) else quotient

    def apply(self, op: int, *operands: Any) -> Expr:
        """Return a function of expressions and numbers; signs move outside according to parity."""
        rule, sign, nodes = OPS[op], 1, []
        for operand, parity in zip(operands, rule.parity, strict=True):
            ref = operand.ref if type(operand) is Expr else self.constant(float(operand))
            if ref < 0 and parity == NEITHER:
                ref = self.node(NEG, -ref)
            elif ref < 0:
                ref, sign = -ref, sign * parity
            nodes.append(ref)
        return Expr(self, sign * self.node(op, *(sorted(nodes) if rule.commutes else nodes)))


class Expr:
    """A node of a graph or its negative: the scalar that formulas are traced with.

    It has a method for each operation that is a function: x.sin(), x.sqrt(), ...
    """

    __slots__ = ("graph", "ref")

    def __init__(self, graph: Graph, ref: int) -> None:
        self.graph = graph
        self.ref = ref

    def __add__(self, other: Any) -> Any:
        graph = self.graph
        if type(other) is Expr:
            if self.ref == -other.ref:
                return 0.0
            if self.ref == other.ref:
                return self * 2.0
            return Expr(graph, graph.add(self.ref, other.ref))
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        if other == 0:
            return self
        return Expr(graph, graph.add(self.ref, graph.constant(float(other))))

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr(self.graph, -self.ref)

    def __pos__(self) -> Expr:
        return self

    def __sub__(self, other: Any) -> Any:
        if type(other) is Expr:
            if self.ref == other.ref:
                return 0.0
            return self + Expr(self.graph, -other.ref)
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return Expr(self.graph, -self.ref) + other

    def __mul__(self, other: Any) -> Any:
        graph = self.graph
        if type(other) is Expr:
            return Expr(graph, graph.multiply(self.ref, other.ref))
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        if other == 0:
            return 0.0
        if other == 1:
            return self
        if other == -1:
            return Expr(graph, -self.ref)
        return Expr(graph, graph.multiply(self.ref, graph.constant(float(other))))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        graph = self.graph
        if type(other) is Expr:
            if abs(self.ref) == abs(other.ref):
                return 1.0 if self.ref == other.ref else -1.0
            return Expr(graph, graph.divide(self.ref, other.ref))
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        inverse = 1.0 / float(other) if other else math.inf
        if math.isinf(inverse):
            return Expr(graph, graph.divide(self.ref, graph.constant(float(other))))
        return self * inverse  # within one ulp, and many times faster

    def __rtruediv__(self, other: Any) -> Any:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        if other == 0:
            return 0.0
        graph = self.graph
        return Expr(graph, graph.divide(graph.constant(float(other)), self.ref))

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, (int, np.integer)) or exponent < 0:
            return NotImplemented
        out: Any = 1.0
        for _ in range(int(exponent)):
            out = out * self
        return out

    def keep(self, x: Any) -> Any:
        """Return x where this expression is positive, else 0."""
        return self._select(KEPT, x)

    def drop(self, x: Any) -> Any:
        """Return 0 where this expression is positive, else x."""
        return self._select(DROPPED, x)

    def angle(self, y: Any, x: Any) -> Any:
        """Return the angle of the point (x, y), one of which is this expression."""
        if not all(isinstance(z, (Expr, *_NUMBERS)) for z in (y, x)):
            return NotImplemented
        return 0.0 if not isinstance(y, Expr) and y == 0 else self.graph.apply(ATAN2, y, x)

    def _select(self, op: int, x: Any) -> Any:
        return x if not isinstance(x, Expr) and x == 0 else self.graph.apply(op, x, self)

    def mark_root(self, unknowns: Sequence[Any], residuals: Sequence[Any], factorize: Any) -> None:
        """Register this expression as one of the unknowns; see `Graph.add_root`."""
        self.graph.add_root(unknowns, residuals, factorize)

    def __repr__(self) -> str:
        node, prefix = abs(self.ref), "-" if self.ref < 0 else ""
        op = self.graph.ops[node]
        if op == INPUT:
            return f"{prefix}x{self.graph.lhs[node]}"
        return f"{prefix}{OPS[op].name}#{node}" if op >= 0 else f"{prefix}constant#{node}"

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Expr]: ...


def _add_method(op: int) -> None:
    def method(self: Expr, *others: Any) -> Expr:
        return self.graph.apply(op, self, *others)

    setattr(Expr, OPS[op].name, method)


for _op in range(SQRT, len(OPS)):
    _add_method(_op)


def define(row: Op) -> int:
    """Add an operation for the lifetime of the process; return its number."""
    if hasattr(Expr, row.name):
        raise ValueError(f"there is an operation or a method '{row.name}' already")
    OPS.append(row)
    _add_method(len(OPS) - 1)
    return len(OPS) - 1
