"""The operations of a tape: one row each, with all that tracing and the backends know of it.

An emitter looks up how its language spells an operation and never asks which one it is. A new
operation is a row here; expressions then have a method of its name (`jounce.compiler.graph.expr`),
and a formula reaches it through a function of `jounce.math.scalar`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.compiler.graph.choices import arctangent, drop_if_positive, keep_if_positive

#: What the sign of an operand does: f(-x) = -f(x), f(-x) = f(x), or nothing so simple.
ODD, EVEN, NEITHER = -1, 1, 0


Rule = Callable[..., Any]


@dataclass(frozen=True)
class Op:
    """An operation on one or two operands.

    name: what counts and expressions call it. parity: of each operand, so that signs move outside.
    commutes: whether the operands may change places. value: on anything with arithmetic, by which
    numbers fold and the interpreter runs. push: (tangents of the operands, operands, result) to the
    tangent of the result; pull: (adjoint of the result, operands, result) to those of the operands.

    The rest is text in which {0} and {1} are the operands; a language may be left out.
    numpy: Python, NumPy being `np`.
    c: C99; {f} is "f" in single precision and else nothing. {own} is the prefix of the source for
    a function that `c_helper` defines there, once, for numbers of type {real}.
    matlab: MATLAB and Octave; `matlab_helper` defines a function of the file's own.
    llvm: LLVM instructions, a line each, the last of which gives {r}; {v} is the type of a vector
    or number, {m} that of a mask, {one} the vector of ones, and {s} what names of intrinsics end
    in, such as v8f64. Sine and cosine have none: they come in pairs.
    wasm: a folded instruction of WebAssembly's text format, which takes each operand once and in
    order; `wasm_helper` defines a function that it calls. Sine and cosine come in pairs here too.
    composed: the operation in other ones, where a language has no spelling of it.
    """

    name: str
    parity: tuple[int, ...]
    value: Callable[..., Any]
    numpy: str = ""
    c: str = ""
    matlab: str = ""
    llvm: str = ""
    wasm: str = ""
    commutes: bool = False
    c_helper: str = ""
    matlab_helper: str = ""
    wasm_helper: str = ""
    composed: Rule | None = None
    push: Rule | None = None
    pull: Rule | None = None

    @property
    def arity(self) -> int:
        """Number of operands."""
        return len(self.parity)

    def push_tangent(
        self, tangents: tuple[Any, ...], operands: tuple[Any, ...], result: Any
    ) -> Any:
        """Return the tangent of the result."""
        if self.push is None:
            raise self._constant()
        return self.push(tangents, operands, result)

    def pull_adjoint(self, adjoint: Any, operands: tuple[Any, ...], result: Any) -> tuple[Any, ...]:
        """Return the adjoints of the operands."""
        if self.pull is None:
            raise self._constant()
        return self.pull(adjoint, operands, result)

    def _constant(self) -> ValueError:
        return ValueError(
            f"the operation '{self.name}' has no derivative: its row in jounce.compiler.graph.ops"
            " gives neither push nor pull"
        )

    def spelled(self, language: str) -> str:
        """The text of a language: "numpy", "c", "matlab", "llvm" or "wasm"."""
        text = getattr(self, language)
        if not text:
            raise ValueError(
                f"the operation '{self.name}' has no spelling in {language}: its row in"
                f" jounce.compiler.graph.ops gives none"
            )
        return text


def function(name: str, numpy: str | None = None) -> Callable[..., Any]:
    """An elementary function: the first operand's own method where it has one, else NumPy's."""
    of_numpy = getattr(np, numpy or name)

    def value(x: Any, *others: Any) -> Any:
        own = None if isinstance(x, (np.ndarray, np.generic)) else getattr(x, name, None)
        return of_numpy(x, *others) if own is None else own(*others)

    return value


def _infix(name: str, value: Callable[..., Any], sign: str, llvm: str, **more: Any) -> Op:
    """One of the four operations that every language writes between its operands."""
    text = f"{{0}} {sign} {{1}}"
    spelled = {"numpy": text, "c": text, "matlab": text, "wasm": f"(f64.{name} {{0}} {{1}})"}
    # contract: a product and a sum may become one instruction
    instruction = f"{{r}} = {llvm} contract {{v}} {{0}}, {{1}}"
    return Op(name, value=value, llvm=instruction, **spelled, **more)


def _inverse(operands: tuple[Any, Any], quotient: Any) -> Any:
    """1 / b of a quotient a / b: one division for all derivatives, or none."""
    a, b = operands
    return quotient if isinstance(a, float) and a == 1.0 else 1.0 / b


def _push_quotient(t: tuple[Any, Any], x: tuple[Any, Any], y: Any) -> Any:
    return (t[0] - y * t[1]) * _inverse(x, y)


def _pull_quotient(y_: Any, x: tuple[Any, Any], y: Any) -> tuple[Any, Any]:
    share = y_ * _inverse(x, y)
    return share, -(share * y)


def _of_one(slope: Callable[[Any, Any], Any]) -> dict[str, Any]:
    """Both rules of a function of one operand from its slope (operand, result)."""
    return {
        "push": lambda t, x, y: slope(x[0], y) * t[0],
        "pull": lambda y_, x, y: (slope(x[0], y) * y_,),
    }


_SUM: dict[str, Any] = {"push": lambda t, x, y: t[0] + t[1], "pull": lambda y_, x, y: (y_, y_)}
_DIFFERENCE: dict[str, Any] = {
    "push": lambda t, x, y: t[0] - t[1],
    "pull": lambda y_, x, y: (y_, -y_),
}
_PRODUCT: dict[str, Any] = {
    "push": lambda t, x, y: t[0] * x[1] + x[0] * t[1],
    "pull": lambda y_, x, y: (y_ * x[1], x[0] * y_),
}
_QUOTIENT: dict[str, Any] = {"push": _push_quotient, "pull": _pull_quotient}

# of two equal operands the second is taken
_LARGER: dict[str, Any] = {
    "push": lambda t, x, y: (
        keep_if_positive(t[0], x[0] - x[1]) + drop_if_positive(t[1], x[0] - x[1])
    ),
    "pull": lambda y_, x, y: (keep_if_positive(y_, x[0] - x[1]), drop_if_positive(y_, x[0] - x[1])),
}
_SMALLER: dict[str, Any] = {
    "push": lambda t, x, y: (
        keep_if_positive(t[0], x[1] - x[0]) + drop_if_positive(t[1], x[1] - x[0])
    ),
    "pull": lambda y_, x, y: (keep_if_positive(y_, x[1] - x[0]), drop_if_positive(y_, x[1] - x[0])),
}
_KEPT: dict[str, Any] = {
    "push": lambda t, x, y: keep_if_positive(t[0], x[1]),
    "pull": lambda y_, x, y: (keep_if_positive(y_, x[1]), 0.0),
}
_DROPPED: dict[str, Any] = {
    "push": lambda t, x, y: drop_if_positive(t[0], x[1]),
    "pull": lambda y_, x, y: (drop_if_positive(y_, x[1]), 0.0),
}


def _pull_angle(y_: Any, x: tuple[Any, Any], y: Any) -> tuple[Any, Any]:
    share = y_ / (x[0] * x[0] + x[1] * x[1])
    return share * x[1], -(share * x[0])


_ANGLE: dict[str, Any] = {
    "push": lambda t, x, y: (t[0] * x[1] - x[0] * t[1]) / (x[0] * x[0] + x[1] * x[1]),
    "pull": _pull_angle,
}

_SIGN_C = """\
static {real} {own}_sign({real} x)
{{
    return x > 0.0{f} ? 1.0{f} : x < 0.0{f} ? -1.0{f} : x + 0.0{f};
}}
"""

# 0 and NaN stay themselves
_SIGN_LLVM = """\
{r}.u = call {v} @llvm.copysign.{s}({v} {one}, {v} {0})
{r}.n = fcmp one {v} {0}, zeroinitializer
{r} = select {m} {r}.n, {v} {r}.u, {v} {0}"""

_SIGN_WASM = """
(func $sign (param $x f64) (result f64)
  (if (f64.gt (local.get $x) (f64.const 0)) (then (return (f64.const 1))))
  (if (f64.lt (local.get $x) (f64.const 0)) (then (return (f64.const -1))))
  (f64.add (local.get $x) (f64.const 0)))
"""

# of NaN and a number NaN, which C's and MATLAB's own forget
_EXTREME_C = """\
static {{real}} {{own}}_{name}({{real}} x, {{real}} y)
{{{{
    return x {sign} y || x != x ? x : y;
}}}}
"""
_EXTREME_MATLAB = """\
function z = {name}(x, y)
if x {sign} y || x ~= x
    z = x;
else
    z = y;
end
end
"""
# nothing is compared with NaN, which would raise the processor's flag for invalid operations
_EXTREME_LLVM = """\
{{r}}.o = fcmp ord {{v}} {{0}}, {{1}}
{{r}}.a = select {{m}} {{r}}.o, {{v}} {{0}}, {{v}} zeroinitializer
{{r}}.b = select {{m}} {{r}}.o, {{v}} {{1}}, {{v}} zeroinitializer
{{r}}.g = fcmp {compare} {{v}} {{r}}.a, {{r}}.b
{{r}}.n = fcmp uno {{v}} {{0}}, {{0}}
{{r}}.k = or {{m}} {{r}}.g, {{r}}.n
{{r}} = select {{m}} {{r}}.k, {{v}} {{0}}, {{v}} {{1}}"""


def _extreme(name: str, sign: str, compare: str, rules: dict[str, Any]) -> Op:
    """The larger or the smaller of two."""
    return Op(
        name,
        (NEITHER, NEITHER),
        function(name),
        numpy=f"np.{name}({{0}}, {{1}})",
        c=f"{{own}}_{name}({{0}}, {{1}})",
        c_helper=_EXTREME_C.format(name=name, sign=sign),
        matlab=f"{name}({{0}}, {{1}})",
        matlab_helper=_EXTREME_MATLAB.format(name=name, sign=sign),
        llvm=_EXTREME_LLVM.format(compare=compare),
        wasm=f"(f64.{name[:3]} {{0}} {{1}})",
        commutes=True,
        **rules,
    )


_CHOICE_MATLAB = """\
function y = {name}(x, c)
if c > 0
    y = {then};
else
    y = {otherwise};
end
end
"""


_POSITIVE_LLVM = """\
{r}.o = fcmp ord {v} {1}, zeroinitializer
{r}.p = select {m} {r}.o, {v} {1}, {v} zeroinitializer
{r}.c = fcmp ogt {v} {r}.p, zeroinitializer
"""


def _choice(name: str, value: Rule, chosen: str, rules: dict[str, Any]) -> Op:
    """One operand where the other is positive, or where it is not; chosen: both cases."""
    in_c, zeros = chosen.format(x="{0}", zero="0.0{f}"), "{v} zeroinitializer"
    then, otherwise = chosen.format(x="x", zero="0").split(" : ")
    in_llvm = chosen.format(x="{v} {0}", zero=zeros).replace(" : ", ", ")
    in_wasm = chosen.format(x="{0}", zero="(f64.const 0)").replace(" : ", " ")
    return Op(
        name,
        (ODD, NEITHER),
        value,
        numpy=f"np.where({{1}} > 0, {chosen.format(x='{0}', zero='0.0').replace(' : ', ', ')})",
        c=f"({{1}} > 0.0{{f}} ? {in_c})",
        matlab=f"{name}({{0}}, {{1}})",
        matlab_helper=_CHOICE_MATLAB.format(name=name, then=then, otherwise=otherwise),
        llvm=_POSITIVE_LLVM + "{r} = select {m} {r}.c, " + in_llvm,
        wasm=f"(select {in_wasm} (f64.gt {{1}} (f64.const 0)))",
        **rules,
    )


OPS: list[Op] = [
    _infix("add", operator.add, "+", "fadd", parity=(NEITHER, NEITHER), commutes=True, **_SUM),
    _infix("sub", operator.sub, "-", "fsub", parity=(NEITHER, NEITHER), **_DIFFERENCE),
    _infix("mul", operator.mul, "*", "fmul", parity=(ODD, ODD), commutes=True, **_PRODUCT),
    _infix("div", operator.truediv, "/", "fdiv", parity=(ODD, ODD), **_QUOTIENT),
    Op(
        "neg",
        (ODD,),
        operator.neg,
        numpy="-{0}",
        c="-{0}",
        matlab="-{0}",
        llvm="{r} = fneg {v} {0}",
        wasm="(f64.neg {0})",
        **_of_one(lambda x, y: -1.0),
    ),
    Op(
        "sqrt",
        (NEITHER,),
        function("sqrt"),
        numpy="np.sqrt({0})",
        c="sqrt{f}({0})",
        matlab="sqrt({0})",
        llvm="{r} = call {v} @llvm.sqrt.{s}({v} {0})",
        wasm="(f64.sqrt {0})",
        **_of_one(lambda x, y: 0.5 / y),
    ),
    Op(
        "sign",
        (ODD,),
        function("sign"),
        numpy="np.sign({0})",
        c="{own}_sign({0})",
        matlab="sign({0})",
        llvm=_SIGN_LLVM,
        wasm="(call $sign {0})",
        wasm_helper=_SIGN_WASM,
        c_helper=_SIGN_C,
        **_of_one(lambda x, y: 0.0),
    ),
    Op(
        "sin",
        (ODD,),
        function("sin"),
        numpy="np.sin({0})",
        c="sin{f}({0})",
        matlab="sin({0})",
        **_of_one(lambda x, y: function("cos")(x)),
    ),
    Op(
        "cos",
        (EVEN,),
        function("cos"),
        numpy="np.cos({0})",
        c="cos{f}({0})",
        matlab="cos({0})",
        **_of_one(lambda x, y: -function("sin")(x)),
    ),
    _choice("kept", keep_if_positive, "{x} : {zero}", _KEPT),
    _choice("dropped", drop_if_positive, "{zero} : {x}", _DROPPED),
    _extreme("minimum", "<", "olt", _SMALLER),
    _extreme("maximum", ">", "ogt", _LARGER),
    Op(
        "atan2",
        (ODD, NEITHER),
        function("atan2", "arctan2"),
        numpy="np.arctan2({0}, {1})",
        c="atan2{f}({0}, {1})",
        matlab="atan2({0}, {1})",
        composed=arctangent,
        **_ANGLE,
    ),
]

#: Numbers of the rows that the package names; those from SQRT on are functions.
ADD, SUB, MUL, DIV, NEG, SQRT, SIGN, SIN, COS, KEPT, DROPPED, MINIMUM, MAXIMUM, ATAN2 = range(14)

#: Sine and cosine of one angle are computed together, and those of a stage in one loop.
ANGLES = (SIN, COS)
