"""Tape to PTX: kernels for NVIDIA's GPUs, one thread per sample.

schedule: order of a thread's operations, and register allocation. grouping: division of results
among groups of threads. plan: programs of the groups. packing: values that a second kernel places.
copies: inputs to shared memory, results from there. sincos: sine and cosine. text: a plan as LLVM
text. placement: the second kernel as LLVM text. program: LLVM text to PTX, and launch parameters.
hosted: emulation of the text on the processor.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from numpy.typing import DTypeLike

from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Program, Target
from jounce.compiler.targets.function import Function, Shape, scalar_of
from jounce.compiler.targets.llvm.compiler import MIN_COMPILER_BYTES
from jounce.compiler.targets.nvptx.hosted import compile_hosted
from jounce.compiler.targets.nvptx.program import ARCHITECTURES, build_key, compile_program

__all__ = [
    "ARCHITECTURES",
    "TARGET",
    "NvptxTarget",
    "Program",
    "build_key",
    "compile_hosted",
    "compile_program",
]


class NvptxTarget(Target):
    """PTX for an architecture, by default the oldest one, whose PTX runs on all devices."""

    name = "nvptx"
    runs_here = False

    def __init__(self, architecture: str = ARCHITECTURES[0]) -> None:
        self.architecture = architecture

    @property
    def min_memory(self) -> int:
        """Bytes of memory that even the smallest compilation takes."""
        return MIN_COMPILER_BYTES

    def machines(self) -> list[str]:
        """Return the supported architectures, the oldest first."""
        return [*ARCHITECTURES]

    def for_machine(self, machine: str) -> Self:
        """Return the target of an architecture, such as "sm_90"."""
        if machine not in ARCHITECTURES:
            raise ValueError(
                f"there is no code for {machine!r}; choose one of {', '.join(ARCHITECTURES)}"
            )
        return type(self)(machine)

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return the PTX of a function, which is a single kernel."""
        return compile_program(*self._arguments(function, dtype), single=True).ptx

    def compile(self, function: Function, dtype: DTypeLike = float, title: str = "") -> Program:
        """Return the PTX of a function and how it is launched."""
        return compile_program(*self._arguments(function, dtype))

    def _arguments(
        self, function: Function, dtype: DTypeLike
    ) -> tuple[Tape, tuple[Shape, ...], tuple[Shape, ...], str, str]:
        """Return the arguments of `compile_program`."""
        inputs = tuple(x.shape for x in function.inputs)
        outputs = tuple(x.shape for x in function.outputs)
        return function.tape, inputs, outputs, scalar_of(dtype), self.architecture

    def key(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return a hash of everything that the PTX depends on."""
        return super().key(replace(function, tape=expand_operations(function.tape, "llvm")), dtype)

    def generator(self) -> str:
        """Return a hash of the architecture, the compiler and the sources."""
        return f"ptx {build_key(self.architecture)}"


TARGET = NvptxTarget()
