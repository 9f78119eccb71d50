"""Estimates of the time and memory of compiling a tape.

Measured with llvmlite 0.50 (LLVM 22) on one 2.6 GHz core of a Zen 4, for ur5, panda, g1 and talos,
from 382 to 329,000 operations and 6 to 369,000 outputs, in seconds of one thread:

| kernel                             | operations | outputs | seconds | estimate |
|------------------------------------|------------|---------|---------|----------|
| g1 inverse_dynamics                |      3,367 |      29 |    0.25 |     0.29 |
| panda forward_dynamics.derivatives |      8,616 |     200 |    0.60 |     0.66 |
| g1 inverse_dynamics.dpi            |     10,131 |   8,410 |     1.1 |      1.2 |
| g1 inverse_dynamics.derivatives    |     24,722 |   2,552 |     1.3 |      1.9 |
| talos forward_dynamics.derivatives |     48,492 |   3,104 |     3.0 |      3.6 |
| g1 inverse_dynamics.dqq            |    141,844 |  24,389 |    10.3 |     11.2 |
| panda christoffel.dpi.dq           |    329,073 | 368,640 |    37.1 |     41.5 |

These are for 512-bit vectors; 256-bit ones take two thirds of it, and float32 as long as float64.
Modules are compiled one after another in bounded memory: below 35 MB each, plus the text of all
of them. LLVM aborts the process if an allocation fails, so memory is checked before compiling.
"""

from __future__ import annotations

from jounce.compiler.targets.base import Estimate

SECONDS = 0.05
SECONDS_PER_OPERATION = 7e-5
SECONDS_PER_OUTPUT = 5e-5

#: Bytes for the plan and the text of all modules.
BYTES_PER_VALUE = 250

#: LLVM's memory for the modules that are being compiled.
BYTES_PER_COMPILED_OPERATION = 2500


def estimate_compilation(
    operations: int, outputs: int, largest_module: int, workers: int = 1
) -> Estimate:
    """Estimate the time and memory of compiling a tape.

    operations, outputs: of the tape (`len(tape)`, `len(tape.outputs)`). largest_module: operations
    a module may have (llvm.SEGMENT_SIZE * llvm.SEGMENTS_PER_MODULE). workers: modules compiled at
    the same time.
    """
    seconds = SECONDS + SECONDS_PER_OPERATION * operations + SECONDS_PER_OUTPUT * outputs
    compiled = min(operations, workers * largest_module)
    memory = BYTES_PER_VALUE * (operations + outputs) + BYTES_PER_COMPILED_OPERATION * compiled
    return Estimate(seconds, memory)
