"""Evaluate a tape with plain arithmetic: slow and simple, the reference for all other targets.

The values may be anything with arithmetic: floats, NumPy arrays (one per input), SymPy, or CasADi
SX, which has its own operations for selections (`jounce.export.casadi`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.compiler.graph.ops import OPS
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function, Results


def run(
    tape: Tape, inputs: Sequence[Any], instead: Mapping[int, Callable[..., Any]] | None = None
) -> list[Any]:
    """Return the values of the tape's outputs for given inputs.

    Parameters
    ----------
    tape : Tape
    inputs : sequence
        One per input of the tape: scalars or arrays that broadcast.
    instead : mapping of int to callable, optional
        Functions that replace the `value` of operations, by their numbers.

    Returns
    -------
    list
        One per output.

    Raises
    ------
    ValueError
        If the number of inputs differs from that of the tape.
    """
    if len(inputs) != tape.n_inputs:
        raise ValueError(f"the tape has {tape.n_inputs} inputs, found {len(inputs)}")
    rules = {op: OPS[op].value for op in set(tape.ops)} | dict(instead or {})
    values = list(inputs)

    def fetch(operand: int) -> Any:
        return values[operand] if operand >= 0 else tape.constants[-1 - operand]

    for op, a, b in zip(tape.ops, tape.lhs, tape.rhs, strict=True):
        operands = (fetch(a), fetch(b)) if OPS[op].arity == 2 else (fetch(a),)
        values.append(rules[op](*operands))
    return [fetch(out) for out in tape.outputs]


class InterpreterTarget(Target):
    """NumPy arithmetic, operation by operation, on all samples at once."""

    name = "interpreter"

    def build(self, function: Function, dtype: DTypeLike = float) -> Callable[..., Results]:
        """Return the function on arrays, whose leading axes broadcast."""

        def call(*arrays: ArrayLike) -> Results:
            batch, operands = function.samples(arrays, dtype)
            columns = [column for x in operands for column in x.reshape(len(x), -1).T]
            values = run(function.tape, columns)
            flat = [np.broadcast_to(np.asarray(x, dtype), math.prod(batch)) for x in values]
            return function.results(batch, np.stack(flat, axis=-1))

        return call


TARGET = InterpreterTarget()
