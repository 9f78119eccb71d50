"""Tape to PTX: kernels for NVIDIA's GPUs, one thread per sample.

schedule: in which order a thread computes, and where its values are meanwhile. plan: how a tape is
divided among threads. copies: inputs to shared memory, results from there. sincos: angles. text: a
plan as LLVM text. program: LLVM text to PTX, and what a launch needs. hosted: the same text run by
the processor.
"""

from jounce.backends.nvptx.hosted import hosted
from jounce.backends.nvptx.program import (
    ARCHITECTURES,
    Program,
    build_key,
    program,
)

__all__ = ["ARCHITECTURES", "Program", "build_key", "hosted", "program"]
