"""The operations of a tape: one row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Op:
    """Name, number of operands, value on NumPy arrays, and LLVM instruction (binary ones)."""

    name: str
    arity: int
    numpy: Callable[..., Any]
    llvm: str = ""


OPS: tuple[Op, ...] = (
    Op("add", 2, np.add, "fadd"),
    Op("sub", 2, np.subtract, "fsub"),
    Op("mul", 2, np.multiply, "fmul"),
    Op("div", 2, np.divide, "fdiv"),
    Op("neg", 1, np.negative, "fneg"),
    Op("sqrt", 1, np.sqrt),
    Op("sign", 1, np.sign),
    Op("sin", 1, np.sin),
    Op("cos", 1, np.cos),
)

ADD, SUB, MUL, DIV, NEG, SQRT, SIGN, SIN, COS = range(len(OPS))
