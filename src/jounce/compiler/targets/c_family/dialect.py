"""The two dialects: syntax of numbers, operations, comments and signatures in C99 and CUDA C++."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jounce.compiler.graph.ops import OPS
from jounce.compiler.targets.function import Function, Variable
from jounce.compiler.targets.text import WIDTH, Syntax, wrap_comment


@dataclass(frozen=True)
class Dialect:
    """Syntax of a language, for one type of numbers and one prefix of names.

    Strings are formatted with {scalar}, {f} (the suffix of functions of floats), and, where noted,
    {name} and {size}.
    """

    #: Name of the function for one sample, given {name}.
    sample: str
    #: Specifiers of that function, of parts that it calls, and of small helpers.
    function: str
    part: str
    helper: str
    #: A parameter that is an array, given {name} and {size}.
    array: str
    #: Start of the definition of a variable.
    declare: str
    #: Largest number of operations of an undivided function, and of the parts of a longer one.
    max_operations: int
    piece: int
    #: Statements that compute sine {1} and cosine {2} of an angle {0}; if none, two operations.
    sincos: tuple[str, ...] = ()
    scalar: str = "double"
    prefix: str = ""

    def bind(self, scalar: str, prefix: str) -> Dialect:
        """Return the dialect for "double" or "float", with a prefix for the names of helpers."""
        return replace(self, scalar=scalar, prefix=prefix)

    @property
    def suffix(self) -> str:
        """Suffix of the functions of <math.h>."""
        return "f" if self.scalar == "float" else ""

    def number(self, value: float) -> str:
        """Return a constant of the dialect's type."""
        return number(value, self.scalar)

    def syntax(self) -> Syntax:
        """Return the syntax of statements."""
        names = {"scalar": self.scalar, "f": self.suffix}
        return Syntax(
            self.declare.format(**names),
            self.number,
            lambda op: op.template("c").format("{0}", "{1}", f=self.suffix, prefix=self.prefix),
            tuple(line.format("{0}", "{1}", "{2}", **names) for line in self.sincos),
        )

    def parameter(self, variable: Variable, constant: bool) -> str:
        """Return the declaration of a parameter that is an array."""
        array = self.array.format(scalar=self.scalar, name=variable.name, size=variable.size)
        return f"const {array}" if constant else array

    def prototype(self, function: Function) -> str:
        """Return the signature of the function for one sample."""
        arrays = [self.parameter(x, True) for x in function.inputs]
        arrays += [self.parameter(x, False) for x in function.outputs]
        return format_list(f"{self.function}void {self.sample.format(name=function.name)}", arrays)

    def pointers(self, function: Function, qualifier: str = "") -> list[str]:
        """Return parameters that are pointers to many samples of each variable."""
        names = [f"const {self.scalar} *{qualifier}{x.name}" for x in function.inputs]
        return names + [f"{self.scalar} *{qualifier}{x.name}" for x in function.outputs]

    def helpers(self, functions: Sequence[Function]) -> list[str]:
        """Return definitions of the functions that operations call."""
        ops = sorted({op for function in functions for op in function.tape.ops})
        names = {"prefix": self.prefix, "real": self.scalar, "f": self.suffix}
        texts = [OPS[op].c_helper.format(**names) for op in ops if OPS[op].c_helper]
        return [self.helper + text.removeprefix("static ") for text in texts]


C99 = Dialect(
    sample="{name}",
    function="",
    part="static ",
    helper="static ",
    array="{scalar} {name}[{size}]",
    declare="const {scalar} ",
    max_operations=2000,
    piece=1000,
)

CUDA = Dialect(
    sample="{name}_sample",
    function="static __device__ __forceinline__ ",
    part="static __device__ __noinline__ ",
    helper="static __device__ __forceinline__ ",
    array="{scalar} *__restrict__ {name}",
    # not const: with it the front end of nvcc 13 took over ten minutes for an arm's derivatives,
    # which without it compile in seconds
    declare="{scalar} ",
    # parts are short enough for the registers of a thread, so that only the workspace is memory
    max_operations=6000,
    piece=700,
    sincos=("{scalar} {1}, {2};", "sincos{f}({0}, &{1}, &{2});"),
)


def number(value: float, scalar: str = "double") -> str:
    """Return a constant that reads back as the same double or, rounded first, the same float."""
    with np.errstate(over="ignore"):
        rounded = np.float32(value) if scalar == "float" else np.float64(value)
    if np.isnan(rounded):
        return "NAN"
    if np.isinf(rounded):
        return "INFINITY" if rounded > 0 else "(-INFINITY)"
    text = np.format_float_positional(rounded, unique=True, trim="0")
    if not 1e-4 <= abs(rounded) < 1e16 and rounded != 0:
        text = np.format_float_scientific(rounded, unique=True, trim="0")
    text += "f" if scalar == "float" else ""
    return f"({text})" if text.startswith("-") else text


def comment(lines: Iterable[str]) -> str:
    """Return a block comment."""
    out = wrap_comment(lines)
    if len(out) == 1:
        return f"/* {out[0]} */\n"
    return "/* " + "\n".join(f" * {line}".rstrip() for line in out)[3:] + "\n */\n"


def format_list(head: str, items: Sequence[str], tail: str = "") -> str:
    """Return head(item, item, ...)tail, broken after commas where it is too long."""
    lines, line = [], f"{head}("
    for k, item in enumerate(items):
        item += ", " if k < len(items) - 1 else f"){tail}"
        if len(line) + len(item.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = "        "
        line += item
    return "\n".join([*lines, line])


def indent_code(lines: Iterable[str], depth: int = 1) -> str:
    """Return lines of code, indented; a line may itself have several."""
    rows = (row for line in lines for row in line.split("\n"))
    return "".join(f"{'    ' * depth}{row}".rstrip() + "\n" for row in rows)
