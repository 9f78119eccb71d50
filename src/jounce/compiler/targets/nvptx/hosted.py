"""Kernels for GPUs run by the processor, thread by thread: how their text is tested without a GPU.

The text is the one that becomes PTX, but for the lines that `HOST` spells. A block's threads are
threads here, and wait for each other as they do there.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from jounce.compiler.graph.passes import expanded
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Results, Shape
from jounce.compiler.targets.llvm.compiler import compile_object
from jounce.compiler.targets.llvm.loaded import Loaded, expose
from jounce.compiler.targets.llvm.processors import host
from jounce.compiler.targets.nvptx.plan import Plan, planned
from jounce.compiler.targets.nvptx.text import NAME, Machine, kernel_text
from jounce.utils.once import once

_BARRIER = "jounce_hosted_barrier"

#: Bytes of shared memory that a block has here.
_SHARED = 99 << 10

#: What shared memory is filled with before each block.
_POISON = np.nan

HOST = Machine(
    head=f"declare void @{_BARRIER}()\n",
    convention="",
    more=", i32 %thread, i32 %block, i32 %part",
    numbers="",
    barrier=f"call void @{_BARRIER}()",
    shared=(
        "@shared = internal addrspace(3) global [{size} x {scalar}] zeroinitializer, align 64\n"
        "define ptr @jounce_shared() {{\n"
        "  %flat = addrspacecast ptr addrspace(3) @shared to ptr\n"
        "  ret ptr %flat\n}}\n"
    ),
)


class _Gate:
    """Where the threads of the block that runs wait for each other."""

    def __init__(self) -> None:
        self.barrier = threading.Barrier(1)
        self.lock = threading.Lock()
        self.callback = ctypes.CFUNCTYPE(None)(self.wait)
        address = ctypes.cast(self.callback, ctypes.c_void_p).value
        expose({_BARRIER: address})

    def wait(self) -> None:
        """Called by machine code; it has no way to hear of an error."""
        self.barrier.wait()


@once
def _gate() -> _Gate:
    return _Gate()


def run(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, plan: Plan
) -> Callable[..., None]:
    """The kernel of a plan as launch(n, pointers, steps), as a launcher of the GPU has it."""
    gate = _gate()
    text = kernel_text(tape, inputs, outputs, scalar, plan, HOST)
    head = f'target triple = "{host().triple}"\n'
    loaded = Loaded(compile_object(head + text))
    operands = len(inputs) + len(outputs)
    kinds = [*(ctypes.c_void_p,) * operands, *(ctypes.c_int64,) * (len(inputs) + 1)]
    kernel = ctypes.CFUNCTYPE(None, *kinds, *(ctypes.c_int32,) * 3)(loaded.function(NAME))
    shared = ctypes.CFUNCTYPE(ctypes.c_void_p)(loaded.function("jounce_shared"))()
    kind = {"double": ctypes.c_double, "float": ctypes.c_float}[scalar]
    cells = np.ctypeslib.as_array((kind * plan.entries).from_address(shared))

    def launch(n: int, pointers: Sequence[int], steps: Sequence[int]) -> None:
        given = (*pointers, *steps, n)
        with gate.lock:
            for block in range(-(-n // plan.threads)):
                for part in range(len(plan.groups)):
                    cells[:] = _POISON
                    gate.barrier = threading.Barrier(plan.threads)
                    threads = [
                        threading.Thread(target=kernel, args=(*given, k, block, part))
                        for k in range(plan.threads)
                    ]
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()

    launch.loaded = loaded  # type: ignore[attr-defined]  # the machine code lives as long
    return launch


def hosted(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, threads: int = 32
) -> Callable[..., Results]:
    """A function of NumPy's arrays, by the kernel that a GPU with little shared memory would run.

    Arrays have the batch as their leading axis, or none.
    """
    spelled = expanded(tape, "llvm")
    plan = planned(spelled, inputs, outputs, scalar, _SHARED, threads)
    launch = run(spelled, inputs, outputs, scalar, plan)
    return lambda *arrays: call(launch, inputs, outputs, scalar, arrays)


def call(
    launch: Callable[..., None],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    arrays: Sequence[ArrayLike],
) -> Results:
    """Results of a launch on NumPy's arrays, whose leading axis is the batch or is not there."""
    dtype = {"double": np.float64, "float": np.float32}[scalar]
    given = [np.ascontiguousarray(x, dtype) for x in arrays]
    batched = [x.ndim > len(core) for x, core in zip(given, inputs, strict=True)]
    n = max((len(x) for x, many in zip(given, batched, strict=True) if many), default=1)
    results = tuple(np.full((n, *core), np.nan, dtype) for core in outputs)
    steps = [math.prod(core) if many else 0 for core, many in zip(inputs, batched, strict=True)]
    if n:
        launch(n, [x.ctypes.data for x in (*given, *results)], steps)
    return results
