"""A tape: straight-line code, the only thing backends see.

Values are numbered: inputs first, then one value per operation. An operand is the number of a
value, or -1 - k for the k-th constant. Operations have one or two operands.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jounce.graph.expr import CONSTANT, INPUT, Expr, Graph
from jounce.graph.ops import NEG, OPS, SUB


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

    turned = _only_negative(graph, live, outputs)
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
            a = operand[graph.lhs[node]]
            b = operand[graph.rhs[node]] if OPS[op].arity == 2 else a
            tape.ops.append(op)
            tape.lhs.append(b if node in turned else a)
            tape.rhs.append(a if node in turned else b)

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


def _only_negative(graph: Graph, live: bytearray, outputs: Sequence[Any]) -> set[int]:
    """Differences of which nothing but the negative is asked for: as well b - a as a - b."""
    refs = {out.ref for out in outputs if isinstance(out, Expr)}
    found = {-ref for ref in refs if ref < 0 and -ref not in refs and graph.ops[-ref] == SUB}
    for node, alive in enumerate(live):
        if found and alive and graph.ops[node] >= 0:
            found -= {graph.lhs[node], graph.rhs[node]}
    return found
