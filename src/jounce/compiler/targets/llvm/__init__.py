"""Tape to SIMD machine code: one LLVM module per kernel, and the host's compiler.

A kernel is a NumPy gufunc inner loop. It takes `width` samples at a time: pack the rows of each
input into workspace slots (one vector per scalar input), run the tape's segments on vectors,
unpack the outputs. Segments exchange values through the workspace only, so the time of code
generation is linear in the length of the tape; registers within a segment are allocated before
(graph/registers.py).

code: a builder of LLVM text. moves, sincos, avx512, segments, entry: the functions of a kernel.
modules: the texts of a kernel. processors: supported processors. compiler: text to object files
(objects), on disk or not. loaded: object files in memory. kernels: all steps from a tape to an
address. target: the entry of the table of targets.
"""

from jounce.compiler.targets.llvm.compiler import (
    MIN_COMPILER_BYTES,
    build_key,
    compile_object,
)
from jounce.compiler.targets.llvm.entry import SEGMENTS_OFFSET
from jounce.compiler.targets.llvm.kernels import estimate_cost, kernel
from jounce.compiler.targets.llvm.loaded import Loaded, Module
from jounce.compiler.targets.llvm.modules import SEGMENT_SIZE, SEGMENTS_PER_MODULE, module_texts
from jounce.compiler.targets.llvm.objects import ENTRY
from jounce.compiler.targets.llvm.processors import host, processor, processor_names
from jounce.compiler.targets.llvm.target import TARGET, LlvmTarget, inner_loop

__all__ = [
    "ENTRY",
    "MIN_COMPILER_BYTES",
    "SEGMENTS_OFFSET",
    "SEGMENTS_PER_MODULE",
    "SEGMENT_SIZE",
    "TARGET",
    "LlvmTarget",
    "Loaded",
    "Module",
    "build_key",
    "compile_object",
    "estimate_cost",
    "host",
    "inner_loop",
    "kernel",
    "module_texts",
    "processor",
    "processor_names",
]
