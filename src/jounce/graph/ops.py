"""The operations of a tape: one row each."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Op:
    """Name, number of operands, value on anything with arithmetic, and LLVM instruction."""

    name: str
    arity: int
    value: Callable[..., Any]
    llvm: str = ""


def _function(name: str) -> Callable[[Any], Any]:
    """An elementary function: the operand's own method where it has one, else NumPy's."""
    of_numpy = getattr(np, name)

    def value(x: Any) -> Any:
        own = None if isinstance(x, (np.ndarray, np.generic)) else getattr(x, name, None)
        return of_numpy(x) if own is None else own()

    return value


OPS: tuple[Op, ...] = (
    Op("add", 2, operator.add, "fadd"),
    Op("sub", 2, operator.sub, "fsub"),
    Op("mul", 2, operator.mul, "fmul"),
    Op("div", 2, operator.truediv, "fdiv"),
    Op("neg", 1, operator.neg, "fneg"),
    Op("sqrt", 1, _function("sqrt")),
    Op("sign", 1, _function("sign")),
    Op("sin", 1, _function("sin")),
    Op("cos", 1, _function("cos")),
)

ADD, SUB, MUL, DIV, NEG, SQRT, SIGN, SIN, COS = range(len(OPS))
