"""The operations of a tape: one row each, with all that tracing and the backends know of it.

An emitter looks up how its language spells an operation and never asks which one it is. A new
operation is a row here; expressions then have a method of its name (`jounce.graph.expr`), and a
formula reaches it through a function of `jounce.math.scalar`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: What the sign of an operand does: f(-x) = -f(x), f(-x) = f(x), or nothing so simple.
ODD, EVEN, NEITHER = -1, 1, 0


@dataclass(frozen=True)
class Op:
    """An operation on one or two operands.

    name: what counts and expressions call it. parity: of each operand, so that signs move outside.
    commutes: whether the operands may change places. value: on anything with arithmetic, by which
    numbers fold and the interpreter runs.

    The rest is text in which {0} and {1} are the operands; a language may be left out.
    numpy: Python, NumPy being `np`.
    c: C99; {f} is "f" in single precision and else nothing. {own} is the prefix of the source for
    a function that `c_helper` defines there, once, for numbers of type {real}.
    matlab: MATLAB and Octave.
    llvm: LLVM instructions, a line each, the last of which gives {r}; {v} is the vector's type, {t}
    that of a lane, {m} that of a mask, and {s} what names of intrinsics end in, such as v8f64.
    Intrinsics take and give such vectors. Sine and cosine have none: they come in pairs.
    """

    name: str
    parity: tuple[int, ...]
    value: Callable[..., Any]
    numpy: str = ""
    c: str = ""
    matlab: str = ""
    llvm: str = ""
    commutes: bool = False
    c_helper: str = ""

    @property
    def arity(self) -> int:
        """Number of operands."""
        return len(self.parity)

    def spelled(self, language: str) -> str:
        """The text of a language: "numpy", "c", "matlab" or "llvm"."""
        text = getattr(self, language)
        if not text:
            raise ValueError(
                f"the operation '{self.name}' has no spelling in {language}: its row in"
                f" jounce.graph.ops gives none"
            )
        return text


def function(name: str) -> Callable[..., Any]:
    """An elementary function: the first operand's own method where it has one, else NumPy's."""
    of_numpy = getattr(np, name)

    def value(x: Any, *others: Any) -> Any:
        own = None if isinstance(x, (np.ndarray, np.generic)) else getattr(x, name, None)
        return of_numpy(x, *others) if own is None else own(*others)

    return value


def _infix(name: str, value: Callable[..., Any], sign: str, llvm: str, **more: Any) -> Op:
    """One of the four operations that every language writes between its operands."""
    text = f"{{0}} {sign} {{1}}"
    spelled = {"numpy": text, "c": text, "matlab": text}
    # contract: a product and a sum may become one instruction
    instruction = f"{{r}} = {llvm} contract {{v}} {{0}}, {{1}}"
    return Op(name, value=value, llvm=instruction, **spelled, **more)


_SIGN_C = """\
static {real} {own}_sign({real} x)
{{
    return x > 0.0{f} ? 1.0{f} : x < 0.0{f} ? -1.0{f} : x + 0.0{f};
}}
"""

# 0 and NaN stay themselves
_SIGN_LLVM = """\
{r}.u = call {v} @llvm.copysign.{s}({v} splat ({t} 0x3FF0000000000000), {v} {0})
{r}.n = fcmp one {v} {0}, zeroinitializer
{r} = select {m} {r}.n, {v} {r}.u, {v} {0}"""

OPS: list[Op] = [
    _infix("add", operator.add, "+", "fadd", parity=(NEITHER, NEITHER), commutes=True),
    _infix("sub", operator.sub, "-", "fsub", parity=(NEITHER, NEITHER)),
    _infix("mul", operator.mul, "*", "fmul", parity=(ODD, ODD), commutes=True),
    _infix("div", operator.truediv, "/", "fdiv", parity=(ODD, ODD)),
    Op(
        "neg",
        (ODD,),
        operator.neg,
        numpy="-{0}",
        c="-{0}",
        matlab="-{0}",
        llvm="{r} = fneg {v} {0}",
    ),
    Op(
        "sqrt",
        (NEITHER,),
        function("sqrt"),
        numpy="np.sqrt({0})",
        c="sqrt{f}({0})",
        matlab="sqrt({0})",
        llvm="{r} = call {v} @llvm.sqrt.{s}({v} {0})",
    ),
    Op(
        "sign",
        (ODD,),
        function("sign"),
        numpy="np.sign({0})",
        c="{own}_sign({0})",
        matlab="sign({0})",
        llvm=_SIGN_LLVM,
        c_helper=_SIGN_C,
    ),
    Op("sin", (ODD,), function("sin"), numpy="np.sin({0})", c="sin{f}({0})", matlab="sin({0})"),
    Op("cos", (EVEN,), function("cos"), numpy="np.cos({0})", c="cos{f}({0})", matlab="cos({0})"),
]

#: Numbers of the rows that the package names; those from SQRT on are functions.
ADD, SUB, MUL, DIV, NEG, SQRT, SIGN, SIN, COS = range(9)

#: Sine and cosine of one angle are computed together, and those of a stage in one loop.
ANGLES = (SIN, COS)
