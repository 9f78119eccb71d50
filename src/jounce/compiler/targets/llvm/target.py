"""LLVM as a target: machine code for this computer's processor, or an older one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from numpy.typing import DTypeLike

from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Estimate, Target
from jounce.compiler.targets.function import Function, Results, Shape, scalar_of
from jounce.compiler.targets.inner_loop import InnerLoop, call_loop
from jounce.compiler.targets.llvm import compiler, entry, kernels, modules, workspace
from jounce.compiler.targets.llvm.loaded import Loaded
from jounce.compiler.targets.llvm.processors import NATIVE, Processor, processor, processor_names


def inner_loop(code: Loaded) -> InnerLoop:
    """Return machine code as an inner loop for the runtime."""
    return InnerLoop(
        code.address,
        code,
        segments=ctypes.addressof(code.segments),
        shelf=workspace.shelf(),
        far=entry.UNCACHED_BYTES,
    )


class LlvmTarget(Target):
    """Machine code for a processor, "native" or a level of x86-64."""

    name = "llvm"

    def __init__(self, machine: str = NATIVE) -> None:
        self.machine = machine

    @property
    def min_memory(self) -> int:
        """Bytes of memory that even the smallest compilation takes."""
        return compiler.MIN_COMPILER_BYTES

    @property
    def processor(self) -> Processor:
        """The processor to compile for."""
        return processor(self.machine)

    def machines(self) -> list[str]:
        """Return the names of processors whose code runs on this computer."""
        return processor_names()

    def for_machine(self, machine: str) -> Self:
        """Return the target of a processor; raise ValueError if it is not supported."""
        processor(machine)
        return type(self)(machine)

    def build(self, function: Function, dtype: DTypeLike = float) -> Callable[..., Results]:
        """Return the function on arrays."""
        return call_loop(function, self.compile(function, dtype), dtype)

    def compile(self, function: Function, dtype: DTypeLike = float, title: str = "") -> InnerLoop:
        """Return machine code, from the disk cache if it is there."""
        function = replace(function, tape=expand_operations(function.tape, "llvm"))
        operands = *_operands(function, dtype), self.processor
        key = self.key(function, dtype)
        return inner_loop(kernels.kernel(*operands, key, title or function.name))

    def generator(self) -> str:
        """Return a hash of the processor, the compiler and the sources."""
        return compiler.build_key(self.processor)

    def source(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return the LLVM modules of a function."""
        return "\n".join(modules.module_texts(*_operands(function, dtype), self.processor))

    def estimate(self, operations: int, outputs: int) -> Estimate:
        """Return the time and memory of a compilation with as many threads as there may be."""
        return kernels.estimate_cost(operations, outputs)


def _operands(
    function: Function, dtype: DTypeLike
) -> tuple[Tape, tuple[Shape, ...], tuple[Shape, ...], str]:
    """Return the tape, the shapes and the scalar of a function."""
    inputs = tuple(x.shape for x in function.inputs)
    outputs = tuple(x.shape for x in function.outputs)
    return function.tape, inputs, outputs, scalar_of(dtype)


TARGET = LlvmTarget()
