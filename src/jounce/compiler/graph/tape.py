"""A tape: straight-line code, the only thing backends see.

Values are numbered: inputs first, then one value per operation. An operand is the number of a
value, or -1 - k for the k-th constant. Operations have one or two operands.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jounce.compiler.graph.expr import CONSTANT, INPUT, Expr, Graph
from jounce.compiler.graph.ops import ADD, NEG, OPS, SUB


@dataclass
class Tape:
    """Operations in order of evaluation, with their operands (a unary one repeats its operand)."""

    n_inputs: int
    constants: list[float] = field(default_factory=list)
    ops: list[int] = field(default_factory=list)
    lhs: list[int] = field(default_factory=list)
    rhs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        """Number of operations."""
        return len(self.ops)

    def operands(self, i: int) -> tuple[int, ...]:
        """The values, constants left out, that an operation reads."""
        a, b = self.lhs[i], self.rhs[i]
        return tuple(x for x in ((a,) if a == b else (a, b)) if x >= 0)

    def counts(self) -> dict[str, int]:
        """How many operations of each kind."""
        out: dict[str, int] = {}
        for op in self.ops:
            out[OPS[op].name] = out.get(OPS[op].name, 0) + 1
        return out

    def digest(self) -> str:
        """Hash of the whole content."""
        sha = hashlib.sha256(b"jounce tape 2")
        for op in sorted(set(self.ops)):  # what a number means may change from run to run
            sha.update(f"{op} {OPS[op].name} {OPS[op].llvm}\0".encode())
        for numbers in (self.ops, self.lhs, self.rhs, self.outputs, [self.n_inputs]):
            sha.update(len(numbers).to_bytes(8, "little") + array("q", numbers).tobytes())
        sha.update(array("d", self.constants).tobytes())
        return sha.hexdigest()


def record(graph: Graph, outputs: Sequence[Any]) -> Tape:
    """The tape that computes the outputs (expressions or numbers) from all inputs of the graph.

    Operations keep the order in which the formula made them; those no output needs are left out.
    """
    live = bytearray(len(graph.ops))
    stack = [abs(out.ref) for out in outputs if isinstance(out, Expr)]
    while stack:
        node = stack.pop()
        if live[node]:
            continue
        live[node] = 1
        op = graph.ops[node]
        if op >= 0:
            stack.append(graph.lhs[node])
            if OPS[op].arity == 2:
                stack.append(graph.rhs[node])

    turned = _turned(graph, live, outputs)
    tape = Tape(n_inputs=len(graph.inputs))
    operand: dict[int, int] = {}
    for node in range(1, len(graph.ops)):
        op = graph.ops[node]
        if op == INPUT:
            operand[node] = graph.lhs[node]
        elif not live[node]:
            continue
        elif op == CONSTANT:
            operand[node] = -1 - len(tape.constants)
            tape.constants.append(graph.constants[node])
        else:
            operand[node] = tape.n_inputs + len(tape.ops)
            a, b = turned.get(node, (graph.lhs[node], graph.rhs[node]))
            tape.ops.append(SUB if node in turned else op)
            tape.lhs.append(operand[a])
            tape.rhs.append(operand[b if OPS[op].arity == 2 else a])

    negatives: dict[int, int] = {}
    numbers: dict[float, int] = {}
    for out in outputs:
        if not isinstance(out, Expr):
            value = float(out)
            if value not in numbers:
                numbers[value] = -1 - len(tape.constants)
                tape.constants.append(value)
            tape.outputs.append(numbers[value])
        elif out.ref > 0 or -out.ref in turned:
            tape.outputs.append(operand[abs(out.ref)])
        else:
            if out.ref not in negatives:
                negatives[out.ref] = tape.n_inputs + len(tape.ops)
                tape.ops.append(NEG)
                tape.lhs.append(operand[-out.ref])
                tape.rhs.append(operand[-out.ref])
            tape.outputs.append(negatives[out.ref])
    return tape


def _turned(graph: Graph, live: bytearray, outputs: Sequence[Any]) -> dict[int, tuple[int, int]]:
    """Sums whose negative alone is asked for and is a difference: {node: (lhs, rhs) of that}.

    -(a - b) is b - a, and -(a + b) is (-a) - b if nothing else needs a, whose negative is one.
    """
    refs = {out.ref for out in outputs if isinstance(out, Expr)}
    uses = Counter(map(abs, refs))
    for node, alive in enumerate(live):
        if alive and graph.ops[node] >= 0:
            uses.update((graph.lhs[node], graph.rhs[node]))
    can: set[int] = set()  # sums of which one on the way down is a difference
    for node, alive in enumerate(live):  # operands come before what is made of them
        if alive and uses[node] == 1:
            op, operands = graph.ops[node], {graph.lhs[node], graph.rhs[node]}
            if op == SUB or (op == ADD and operands & can):
                can.add(node)
    found: dict[int, tuple[int, int]] = {}
    for ref in refs:
        node = -ref
        while node in can:
            a, b = graph.lhs[node], graph.rhs[node]
            if graph.ops[node] == SUB:
                found[node] = b, a
                break
            found[node] = (a, b) if a in can else (b, a)
            node = found[node][0]
    return found
