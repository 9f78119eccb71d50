"""Replay a tape with plain arithmetic: slow, obvious, the oracle for every other backend.

The values may be anything with arithmetic: floats, NumPy arrays (one per input), CasADi SX, SymPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.graph.ops import OPS
from jounce.graph.tape import Tape


def run(tape: Tape, inputs: Sequence[Any]) -> list[Any]:
    """Values of the tape's outputs for the given inputs (scalars or arrays that broadcast)."""
    if len(inputs) != tape.n_inputs:
        raise ValueError(f"the tape has {tape.n_inputs} inputs, found {len(inputs)}")
    values = list(inputs)

    def fetch(operand: int) -> Any:
        return values[operand] if operand >= 0 else tape.constants[-1 - operand]

    for op, a, b in zip(tape.ops, tape.lhs, tape.rhs, strict=True):
        rule = OPS[op]
        operands = (fetch(a), fetch(b)) if rule.arity == 2 else (fetch(a),)
        values.append(rule.value(*operands))
    return [fetch(out) for out in tape.outputs]


def evaluate(tape: Tape, shape: tuple[int, ...], *arrays: np.ndarray) -> np.ndarray:
    """Result of the given core shape for one sample's input arrays, flattened in order."""
    inputs = [x for a in arrays for x in np.asarray(a, dtype=float).ravel()]
    return np.array(run(tape, inputs), dtype=float).reshape(shape)
