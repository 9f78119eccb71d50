"""How CUDA C++ writes operations, signatures and helpers: as C does, but for sines and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jounce.compiler.targets.c.files import helpers
from jounce.compiler.targets.c.syntax import c_syntax, listed
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.text import Syntax


def cuda_syntax(scalar: str, own: str) -> Syntax:
    """CUDA's, for "double" or "float"; `own` is the prefix of the source's own functions."""
    f = "f" if scalar == "float" else ""
    both = (f"{scalar} {{1}}, {{2}};", f"sincos{f}({{0}}, &{{1}}, &{{2}});")
    # not const: with it the front end of nvcc 13 took over ten minutes for an arm's derivatives,
    # which without it compile in seconds
    return replace(c_syntax(scalar, own), declare=f"{scalar} ", sincos=both)


def launcher_prototype(function: Function, scalar: str) -> str:
    """Signature of the function that starts a kernel: pointers to memory of the device."""
    given = [f"const {scalar} *{x.name}" for x in function.inputs]
    result = [f"{scalar} *{x.name}" for x in function.outputs]
    more = ["long long n", "cudaStream_t stream"]
    return listed(f"cudaError_t {function.name}", [*given, *result, *more])


def device_helpers(own: str, functions: Sequence[Function], scalar: str) -> list[str]:
    """The functions that operations need, on the device."""
    return [
        f"static __device__ __forceinline__ {text.removeprefix('static ')}"
        for text in helpers(own, functions, scalar)
    ]
