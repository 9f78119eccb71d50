"""Header and source of several functions, and the source of one alone."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import DTypeLike

from jounce.compiler.targets.c.files import describe
from jounce.compiler.targets.c.syntax import comment
from jounce.compiler.targets.cuda.kernel import SEND, THREADS, define_kernel, staging
from jounce.compiler.targets.cuda.sample import define, width
from jounce.compiler.targets.cuda.syntax import device_helpers, launcher_prototype
from jounce.compiler.targets.function import Function, scalar_of

_ON_DEVICE = (
    "The same for one sample, in kernels of your own: NAME_sample(arguments, results), where all"
    " are pointers ({scalar} *) to the numbers of a sample. Arrays of a thread of its own, such as"
    " `{scalar} x[7];`, will do: they stay in registers as far as these suffice."
)


def header(name: str, functions: Sequence[Function], scalar: str, about: Sequence[str]) -> str:
    """The header: what the file is about, what launches kernels, and the device functions."""
    guard = f"JOUNCE_{name.upper()}_CUH"
    parts = [
        comment(about),
        f"#ifndef {guard}\n#define {guard}\n",
        "#include <cuda_runtime.h>\n#include <math.h>\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
    ]
    for function in functions:
        parts.append(comment(describe(function)) + launcher_prototype(function, scalar) + ";\n")
    parts.append("#ifdef __cplusplus\n}\n#endif\n")
    parts.append("#ifdef __CUDACC__\n")
    parts.append(comment([_ON_DEVICE.format(scalar=scalar)]))
    parts += _device(name, functions, scalar)
    parts.append("#endif /* __CUDACC__ */\n")
    parts.append(f"#endif /* {guard} */\n")
    return "\n".join(parts)


def source(name: str, functions: Sequence[Function], scalar: str, about: Sequence[str]) -> str:
    """The source: a kernel per function, and what launches it."""
    parts = [comment(about), f'#include "{name}.cuh"\n']
    return "\n".join([*parts, *_kernels(name, functions, scalar)])


def build(function: Function, dtype: DTypeLike = float) -> str:
    """CUDA C++ of the function: for one sample, its kernel and its launcher, all by itself."""
    scalar, name = scalar_of(dtype), function.name
    parts = [
        comment(describe(function)),
        "#include <cuda_runtime.h>\n#include <math.h>\n",
        *_device(name, [function], scalar),
        f'extern "C" {launcher_prototype(function, scalar)};\n',
        *_kernels(name, [function], scalar),
    ]
    return "\n".join(parts)


def _device(name: str, functions: Sequence[Function], scalar: str) -> list[str]:
    parts = device_helpers(name, functions, scalar)
    if any(width(function, scalar) for function in functions):
        parts.append(SEND.format(own=name, scalar=scalar))
    return [*parts, *(define(function, scalar, name) for function in functions)]


def _kernels(name: str, functions: Sequence[Function], scalar: str) -> list[str]:
    note = comment(["Threads of a block, each of which does a sample."])
    parts = [f"{note}static constexpr int {name}_threads = {THREADS};\n"]
    if any(width(function, scalar) for function in functions):
        parts.append(staging(name, scalar))
    return [*parts, *(define_kernel(function, scalar, name) for function in functions)]
