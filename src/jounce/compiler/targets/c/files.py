"""Header and source of several functions, and the source of one alone."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import DTypeLike

from jounce.compiler.graph.ops import ANGLES, OPS
from jounce.compiler.targets.c.batch import define_batch, sincos
from jounce.compiler.targets.c.single import define
from jounce.compiler.targets.c.syntax import batch_prototype, comment, prototype
from jounce.compiler.targets.function import Function, Variable, scalar_of


def _layout(x: Variable) -> str:
    if len(x.shape) < 2:
        return f"{x.name}[{x.size}]"
    return f"{x.name}[{x.size}] ({' x '.join(map(str, x.shape))}, row by row)"


def describe(function: Function) -> list[str]:
    """Comment of a function: what it computes, from what, in which layout."""
    lines = [*function.doc, ""]
    lines += [f"  {_layout(x)}: {x.doc}" for x in (*function.inputs, *function.outputs)]
    return lines


def header(
    name: str, functions: Sequence[Function], scalar: str, batch: bool, about: Sequence[str]
) -> str:
    """The header: what the file is about, then a prototype per function."""
    guard = f"JOUNCE_{name.upper()}_H"
    parts = [comment(about), f"#ifndef {guard}\n#define {guard}\n"]
    if batch:
        parts.append("#include <stddef.h>\n")
    parts.append('#ifdef __cplusplus\nextern "C" {\n#endif\n')
    for function in functions:
        parts.append(comment(describe(function)) + prototype(function, scalar) + ";\n")
        if batch:
            note = (
                "The same for n samples: each array holds them one behind the other. Compile with"
            )
            note += (
                " -O3 and for your processor, such as -march=native, to get vector instructions."
            )
            parts.append(comment([note]) + batch_prototype(function, scalar) + ";\n")
    parts.append("#ifdef __cplusplus\n}\n#endif\n")
    parts.append(f"#endif /* {guard} */\n")
    return "\n".join(parts)


def source(
    name: str, functions: Sequence[Function], scalar: str, batch: bool, about: Sequence[str]
) -> str:
    """The source: a definition per function."""
    parts = [comment(about), f'#include "{name}.h"\n\n#include <math.h>\n']
    parts += helpers(name, functions, scalar)
    sine = f"{name}_sincos"
    if batch and any(set(ANGLES) & set(function.tape.ops) for function in functions):
        parts.append(sincos(sine, scalar))
    for function in functions:
        parts.append(define(function, scalar, name))
        if batch:
            parts.append(define_batch(function, scalar, name, sine))
    return "\n".join(parts)


def helpers(own: str, functions: Sequence[Function], scalar: str) -> list[str]:
    """The functions that operations need, as their rows define them."""
    ops = sorted({op for function in functions for op in function.tape.ops})
    names = {"own": own, "real": scalar, "f": "f" if scalar == "float" else ""}
    return [OPS[op].c_helper.format(**names) for op in ops if OPS[op].c_helper]


def build(function: Function, dtype: DTypeLike = float) -> str:
    """C99 of the function for one sample, all by itself."""
    scalar, name = scalar_of(dtype), function.name
    parts = [comment(describe(function)) + "#include <math.h>\n"]
    parts += helpers(name, [function], scalar)
    return "\n".join([*parts, define(function, scalar, name)])
