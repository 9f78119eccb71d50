"""Tape: straight-line code, the intermediate representation that targets compile.

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
        """Return the values, without constants, that an operation reads.

        Parameters
        ----------
        i : int
            Index of the operation.

        Returns
        -------
        tuple of int
        """
        a, b = self.lhs[i], self.rhs[i]
        return tuple(x for x in ((a,) if a == b else (a, b)) if x >= 0)

    def counts(self) -> dict[str, int]:
        """Return the number of operations of each kind.

        Returns
        -------
        dict of str to int
            By name of the operation.
        """
        out: dict[str, int] = {}
        for op in self.ops:
            out[OPS[op].name] = out.get(OPS[op].name, 0) + 1
        return out

    def digest(self) -> str:
        """Return a hash of the whole content.

        Returns
        -------
        str
            SHA-256, in hexadecimal digits.
        """
        sha = hashlib.sha256(b"jounce tape 2")
        for op in sorted(set(self.ops)):  # the numbers of operations may differ between runs
            sha.update(f"{op} {OPS[op].name} {OPS[op].llvm}\0".encode())
        for numbers in (self.ops, self.lhs, self.rhs, self.outputs, [self.n_inputs]):
            sha.update(len(numbers).to_bytes(8, "little") + array("q", numbers).tobytes())
        sha.update(array("d", self.constants).tobytes())
        return sha.hexdigest()


def record(graph: Graph, outputs: Sequence[Any]) -> Tape:
    """Return the tape that computes outputs (expressions or numbers) from a graph's inputs.

    Operations keep the order in which the formula recorded them; dead code is removed.

    Parameters
    ----------
    graph : Graph
    outputs : sequence of Expr or float

    Returns
    -------
    Tape
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

    negated = _find_negated_sums(graph, live, outputs)
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
            a, b = negated.get(node, (graph.lhs[node], graph.rhs[node]))
            tape.ops.append(SUB if node in negated else op)
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
        elif out.ref > 0 or -out.ref in negated:
            tape.outputs.append(operand[abs(out.ref)])
        else:
            if out.ref not in negatives:
                negatives[out.ref] = tape.n_inputs + len(tape.ops)
                tape.ops.append(NEG)
                tape.lhs.append(operand[-out.ref])
                tape.rhs.append(operand[-out.ref])
            tape.outputs.append(negatives[out.ref])
    return tape


def _find_negated_sums(
    graph: Graph, live: bytearray, outputs: Sequence[Any]
) -> dict[int, tuple[int, int]]:
    """Return sums that are only used negated, as differences: {node: (lhs, rhs)}.

    -(a - b) is b - a, and -(a + b) is (-a) - b if nothing else uses a and -a is such a difference.
    """
    refs = {out.ref for out in outputs if isinstance(out, Expr)}
    uses = Counter(map(abs, refs))
    for node, alive in enumerate(live):
        if alive and graph.ops[node] >= 0:
            uses.update((graph.lhs[node], graph.rhs[node]))
    negatable: set[int] = set()  # sums that contain a difference as an operand, at any depth
    for node, alive in enumerate(live):  # operands come before operations on them
        if alive and uses[node] == 1:
            op, operands = graph.ops[node], {graph.lhs[node], graph.rhs[node]}
            if op == SUB or (op == ADD and operands & negatable):
                negatable.add(node)
    operands_of: dict[int, tuple[int, int]] = {}
    for ref in refs:
        node = -ref
        while node in negatable:
            a, b = graph.lhs[node], graph.rhs[node]
            if graph.ops[node] == SUB:
                operands_of[node] = b, a
                break
            operands_of[node] = (a, b) if a in negatable else (b, a)
            node = operands_of[node][0]
    return operands_of
