"""Headers and sources of several functions, and the source of one alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.targets.c_family.batch import batch_prototype, define_batch, define_sincos
from jounce.compiler.targets.c_family.dialect import Dialect, comment
from jounce.compiler.targets.c_family.kernel import define_kernel, launcher_prototype
from jounce.compiler.targets.c_family.single import define_sample
from jounce.compiler.targets.function import Function, Variable

_BATCH = (
    "The same for n samples: each array holds them one behind the other. Compile with -O3 and for"
    " your processor, such as -march=native, to get vector instructions."
)

_ON_DEVICE = (
    "The same for one sample, in kernels of your own: NAME_sample(arguments, results), where all"
    " are pointers ({scalar} *) to the numbers of a sample. Arrays of a thread of its own, such as"
    " `{scalar} x[7];`, will do: they stay in registers as far as these suffice."
)

_INCLUDES_CUDA = "#include <cuda_runtime.h>\n#include <math.h>\n"


def c_header(
    name: str, functions: Sequence[Function], dialect: Dialect, batch: bool, about: Sequence[str]
) -> str:
    """Return the header of C functions: a comment on the file, then a prototype of each."""
    parts = []
    for function in functions:
        parts.append(_describe(function) + dialect.prototype(function) + ";\n")
        if batch:
            parts.append(comment([_BATCH]) + batch_prototype(function, dialect) + ";\n")
    includes = ["#include <stddef.h>\n"] if batch else []
    return "\n".join(
        [comment(about), *_add_include_guard(f"{name}_h", [*includes, *_add_c_linkage(parts)])]
    )


def cuda_header(
    name: str, functions: Sequence[Function], dialect: Dialect, about: Sequence[str]
) -> str:
    """Return the header of CUDA functions: launchers of kernels, and the device functions."""
    launchers = [_describe(x) + launcher_prototype(x, dialect) + ";\n" for x in functions]
    body = [
        _INCLUDES_CUDA,
        *_add_c_linkage(launchers),
        "#ifdef __CUDACC__\n",
        comment([_ON_DEVICE.format(scalar=dialect.scalar)]),
        *_samples(functions, dialect),
        "#endif /* __CUDACC__ */\n",
    ]
    return "\n".join([comment(about), *_add_include_guard(f"{name}_cuh", body)])


def c_source(
    name: str, functions: Sequence[Function], dialect: Dialect, batch: bool, about: Sequence[str]
) -> str:
    """Return the source of C functions: a definition of each, and one of its batch variant."""
    parts = [comment(about), f'#include "{name}.h"\n\n#include <math.h>\n']
    parts += dialect.helpers(functions)
    if batch and any(set(ANGLES) & set(function.tape.ops) for function in functions):
        parts.append(define_sincos(dialect))
    for function in functions:
        parts.append(define_sample(function, dialect))
        if batch:
            parts.append(define_batch(function, dialect))
    return "\n".join(parts)


def cuda_source(
    name: str, functions: Sequence[Function], dialect: Dialect, about: Sequence[str]
) -> str:
    """Return the source of CUDA functions: a kernel and a launcher of each."""
    kernels = (define_kernel(function, dialect) for function in functions)
    return "\n".join([comment(about), f'#include "{name}.cuh"\n', *kernels])


def c_alone(function: Function, dialect: Dialect) -> str:
    """Return self-contained C of the function for one sample."""
    return "\n".join([_describe(function) + "#include <math.h>\n", *_samples([function], dialect)])


def cuda_alone(function: Function, dialect: Dialect) -> str:
    """Return self-contained CUDA of the function for one sample, its kernel and launcher."""
    parts = [
        _describe(function),
        _INCLUDES_CUDA,
        *_samples([function], dialect),
        f'extern "C" {launcher_prototype(function, dialect)};\n',
        define_kernel(function, dialect),
    ]
    return "\n".join(parts)


def _samples(functions: Sequence[Function], dialect: Dialect) -> list[str]:
    """Return the functions for one sample, after the helpers that they need."""
    return [*dialect.helpers(functions), *(define_sample(x, dialect) for x in functions)]


def _describe(function: Function) -> str:
    """Return the comment of a function: its result, arguments and their layout."""
    variables = (*function.inputs, *function.outputs)
    return comment([*function.doc, "", *(f"  {_layout(x)}: {x.doc}" for x in variables)])


def _layout(x: Variable) -> str:
    if len(x.shape) < 2:
        return f"{x.name}[{x.size}]"
    return f"{x.name}[{x.size}] ({' x '.join(map(str, x.shape))}, row by row)"


def _add_include_guard(name: str, parts: Iterable[str]) -> list[str]:
    """Return the body of a header with its include guard."""
    guard = f"JOUNCE_{name.upper()}"
    return [f"#ifndef {guard}\n#define {guard}\n", *parts, f"#endif /* {guard} */\n"]


def _add_c_linkage(parts: Iterable[str]) -> list[str]:
    """Return declarations for C and C++."""
    start = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    return [start, *parts, "#ifdef __cplusplus\n}\n#endif\n"]
