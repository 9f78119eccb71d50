"""How C99 writes numbers, operations, comments, lists and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from jounce.compiler.targets.function import Function
from jounce.compiler.targets.text import WIDTH, Syntax, folded


def comment(lines: Iterable[str]) -> str:
    """A block comment."""
    out = folded(lines)
    if len(out) == 1:
        return f"/* {out[0]} */\n"
    return "/* " + "\n".join(f" * {line}".rstrip() for line in out)[3:] + "\n */\n"


def listed(head: str, items: Sequence[str], tail: str = "") -> str:
    """head(item, item, ...)tail, broken after commas where it is too long."""
    lines, line = [], f"{head}("
    for k, item in enumerate(items):
        item += ", " if k < len(items) - 1 else f"){tail}"
        if len(line) + len(item.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = "        "
        line += item
    return "\n".join([*lines, line])


def number(value: float, scalar: str = "double") -> str:
    """A constant that reads back as the same double or, rounded first, the same float."""
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


def c_syntax(scalar: str, own: str) -> Syntax:
    """C's, for "double" or "float"; `own` is the prefix of the source's own functions."""
    f = "f" if scalar == "float" else ""
    return Syntax(
        f"const {scalar} ",
        lambda x: number(x, scalar),
        lambda op: op.spelled("c").format("{0}", "{1}", f=f, own=own),
    )


def indented(lines: Iterable[str], depth: int = 1) -> str:
    """Lines of code, moved to the right."""
    return "".join(f"{'    ' * depth}{line}".rstrip() + "\n" for line in lines)


def prototype(function: Function, scalar: str) -> str:
    """Signature of the function for one sample."""
    given = [f"const {scalar} {x.name}[{x.size}]" for x in function.inputs]
    result = [f"{scalar} {x.name}[{x.size}]" for x in function.outputs]
    return listed(f"void {function.name}", given + result)


def batch_prototype(function: Function, scalar: str) -> str:
    """Signature of the function for n samples, one behind the other."""
    given = [f"const {scalar} *{x.name}" for x in function.inputs]
    result = [f"{scalar} *{x.name}" for x in function.outputs]
    return listed(f"void {function.name}_batch", ["size_t n", *given, *result])
