"""The operations of a tape: one row each, with everything that tracing and targets need.

A code generator looks up the template of an operation in its language and never tests which one it
is. A new operation is a row here; expressions then have a method of its name
(`jounce.compiler.graph.expr`), and a formula calls it through a function of `jounce.math.scalar`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.compiler.graph.choices import arctangent, drop_if_positive, keep_if_positive
from jounce.utils.deprecation import renamed_attribute

#: Parity in an operand: f(-x) = -f(x), f(-x) = f(x), or neither.
ODD, EVEN, NEITHER = -1, 1, 0


Rule = Callable[..., Any]


@dataclass(frozen=True)
class Op:
    """An operation on one or two operands.

    Attributes
    ----------
    name : str
        Name in operation counts, and of the method of expressions.
    parity : tuple of int
        ODD, EVEN or NEITHER for each operand, so that signs move outside.
    value : callable
        Evaluates the operation on anything with arithmetic: constant folding, interpreter.
    commutes : bool
        Whether the operands may be exchanged.
    push : callable
        (tangents of the operands, operands, result) to the tangent of the result.
    pull : callable
        (adjoint of the result, operands, result) to the adjoints of the operands.
    composed : callable
        The operation in terms of others, for languages without a template.

    The other attributes are templates, in which {0} and {1} are the operands; a language may be
    omitted. numpy: Python, with `np` for NumPy. c: C99; {f} is "f" in single precision and else
    nothing. {prefix} is the prefix for a function that `c_helper` defines once per source, for
    numbers of type {real}. matlab: MATLAB and Octave; `matlab_helper` defines a local function of
    the file. llvm: LLVM instructions, one per line, the last of which defines {r}; {v} is the type
    of a vector or number, {m} that of a mask, {one} the vector of ones, and {s} the suffix of
    intrinsics, such as v8f64. Sine and cosine have none: they are computed in pairs. wasm: a folded
    instruction of WebAssembly's text format, which reads each operand once and in order;
    `wasm_helper` defines a function that it calls. Sine and cosine are computed in pairs.
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
        """Return the tangent of the result (forward mode).

        Parameters
        ----------
        tangents : tuple
            Tangents of the operands.
        operands : tuple
        result
            Value of the operation on the operands.

        Returns
        -------
        Tangent of the result.

        Raises
        ------
        ValueError
            If the operation has no derivative.
        """
        if self.push is None:
            raise self._constant()
        return self.push(tangents, operands, result)

    def pull_adjoint(self, adjoint: Any, operands: tuple[Any, ...], result: Any) -> tuple[Any, ...]:
        """Return the adjoints of the operands (reverse mode).

        Parameters
        ----------
        adjoint
            Adjoint of the result.
        operands : tuple
        result
            Value of the operation on the operands.

        Returns
        -------
        tuple
            One adjoint per operand.

        Raises
        ------
        ValueError
            If the operation has no derivative.
        """
        if self.pull is None:
            raise self._constant()
        return self.pull(adjoint, operands, result)

    def _constant(self) -> ValueError:
        return ValueError(
            f"the operation '{self.name}' has no derivative: its row in jounce.compiler.graph.ops"
            " gives neither push nor pull"
        )

    def template(self, language: str) -> str:
        """Return the template for a language.

        Parameters
        ----------
        language : str
            "numpy", "c", "matlab", "llvm" or "wasm".

        Returns
        -------
        str
            Text in which {0} and {1} are the operands.

        Raises
        ------
        ValueError
            If the operation has no template for the language.
        """
        text = getattr(self, language)
        if not text:
            raise ValueError(
                f"the operation '{self.name}' has no template for {language}: its row in"
                f" jounce.compiler.graph.ops gives none"
            )
        return text

    def __getattr__(self, name: str) -> Any:
        if name == "spelled":
            return renamed_attribute(self, name, "template")
        raise AttributeError(f"'Op' object has no attribute '{name}'", name=name)


def function(name: str, numpy: str | None = None) -> Callable[..., Any]:
    """Return an elementary function that calls the method of its first operand, else NumPy's.

    Parameters
    ----------
    name : str
        Name of the method.
    numpy : str, optional
        Name of NumPy's function, by default the same.

    Returns
    -------
    callable
    """
    of_numpy = getattr(np, numpy or name)

    def value(x: Any, *others: Any) -> Any:
        method = None if isinstance(x, (np.ndarray, np.generic)) else getattr(x, name, None)
        return of_numpy(x, *others) if method is None else method(*others)

    return value


def _infix(name: str, value: Callable[..., Any], sign: str, llvm: str, **options: Any) -> Op:
    """Return an operation that every language writes between its operands."""
    text = f"{{0}} {sign} {{1}}"
    templates = {"numpy": text, "c": text, "matlab": text, "wasm": f"(f64.{name} {{0}} {{1}})"}
    # contract allows fused multiply-add
    instruction = f"{{r}} = {llvm} contract {{v}} {{0}}, {{1}}"
    return Op(name, value=value, llvm=instruction, **templates, **options)


def _inverse(operands: tuple[Any, Any], quotient: Any) -> Any:
    """Return 1 / b for a quotient a / b, reusing the quotient if a is 1."""
    a, b = operands
    return quotient if isinstance(a, float) and a == 1.0 else 1.0 / b


def _push_quotient(t: tuple[Any, Any], x: tuple[Any, Any], y: Any) -> Any:
    return (t[0] - y * t[1]) * _inverse(x, y)


def _pull_quotient(y_: Any, x: tuple[Any, Any], y: Any) -> tuple[Any, Any]:
    share = y_ * _inverse(x, y)
    return share, -(share * y)


def _unary_rules(slope: Callable[[Any, Any], Any]) -> dict[str, Any]:
    """Return both rules of a function of one operand from its slope (operand, result)."""
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

# at ties the derivative is that of the second operand
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
static {real} {prefix}_sign({real} x)
{{
    return x > 0.0{f} ? 1.0{f} : x < 0.0{f} ? -1.0{f} : x + 0.0{f};
}}
"""

# 0 and NaN are returned unchanged
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

# propagates NaN, unlike the functions of C and MATLAB
_EXTREME_C = """\
static {{real}} {{prefix}}_{name}({{real}} x, {{real}} y)
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
# comparing with NaN would set the processor's flag for invalid operations
_EXTREME_LLVM = """\
{{r}}.o = fcmp ord {{v}} {{0}}, {{1}}
{{r}}.a = select {{m}} {{r}}.o, {{v}} {{0}}, {{v}} zeroinitializer
{{r}}.b = select {{m}} {{r}}.o, {{v}} {{1}}, {{v}} zeroinitializer
{{r}}.g = fcmp {compare} {{v}} {{r}}.a, {{r}}.b
{{r}}.n = fcmp uno {{v}} {{0}}, {{0}}
{{r}}.k = or {{m}} {{r}}.g, {{r}}.n
{{r}} = select {{m}} {{r}}.k, {{v}} {{0}}, {{v}} {{1}}"""


def _minimum_or_maximum(name: str, sign: str, compare: str, rules: dict[str, Any]) -> Op:
    """Return the operation for the smaller or the larger of two numbers."""
    return Op(
        name,
        (NEITHER, NEITHER),
        function(name),
        numpy=f"np.{name}({{0}}, {{1}})",
        c=f"{{prefix}}_{name}({{0}}, {{1}})",
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


def _selection(name: str, value: Rule, chosen: str, rules: dict[str, Any]) -> Op:
    """Return the operation for one operand if the other is positive or not; chosen: both cases."""
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
        **_unary_rules(lambda x, y: -1.0),
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
        **_unary_rules(lambda x, y: 0.5 / y),
    ),
    Op(
        "sign",
        (ODD,),
        function("sign"),
        numpy="np.sign({0})",
        c="{prefix}_sign({0})",
        matlab="sign({0})",
        llvm=_SIGN_LLVM,
        wasm="(call $sign {0})",
        wasm_helper=_SIGN_WASM,
        c_helper=_SIGN_C,
        **_unary_rules(lambda x, y: 0.0),
    ),
    Op(
        "sin",
        (ODD,),
        function("sin"),
        numpy="np.sin({0})",
        c="sin{f}({0})",
        matlab="sin({0})",
        **_unary_rules(lambda x, y: function("cos")(x)),
    ),
    Op(
        "cos",
        (EVEN,),
        function("cos"),
        numpy="np.cos({0})",
        c="cos{f}({0})",
        matlab="cos({0})",
        **_unary_rules(lambda x, y: -function("sin")(x)),
    ),
    _selection("kept", keep_if_positive, "{x} : {zero}", _KEPT),
    _selection("dropped", drop_if_positive, "{zero} : {x}", _DROPPED),
    _minimum_or_maximum("minimum", "<", "olt", _SMALLER),
    _minimum_or_maximum("maximum", ">", "ogt", _LARGER),
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

#: Row numbers of the operations; those from SQRT on are functions.
ADD, SUB, MUL, DIV, NEG, SQRT, SIGN, SIN, COS, KEPT, DROPPED, MINIMUM, MAXIMUM, ATAN2 = range(14)

#: Sine and cosine of one angle are computed together, and those of a stage in one loop.
ANGLES = (SIN, COS)
