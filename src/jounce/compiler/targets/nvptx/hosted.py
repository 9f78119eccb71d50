"""Emulation of GPU kernels on the processor, to test their text without a GPU.

The text is the one that becomes PTX, except for the parts in `HOST`. Each thread of a block is a
thread of the processor, synchronized by a barrier.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Results, Shape
from jounce.compiler.targets.llvm.compiler import compile_object
from jounce.compiler.targets.llvm.loaded import Loaded, expose
from jounce.compiler.targets.llvm.processors import host
from jounce.compiler.targets.nvptx.packing import Packing, plan_packed
from jounce.compiler.targets.nvptx.placement import Placement
from jounce.compiler.targets.nvptx.plan import Plan, plan_kernel
from jounce.compiler.targets.nvptx.text import NAME, Machine, kernel_text
from jounce.utils.once import once

_BARRIER = "jounce_hosted_barrier"

#: Bytes of shared memory of an emulated block.
_SHARED = 99 << 10

#: Initial content of shared memory, so that reads of unwritten slots show.
_POISON = np.nan

HOST = Machine(
    head=f"declare void @{_BARRIER}()\n",
    convention="",
    parameters=", i32 %thread, i32 %block, i32 %part",
    numbers="",
    barrier=f"call void @{_BARRIER}()",
    shared=(
        "@shared = internal addrspace(3) global [{size} x {scalar}] zeroinitializer, align 64\n"
        "define ptr @jounce_shared() {{\n"
        "  %flat = addrspacecast ptr addrspace(3) @shared to ptr\n"
        "  ret ptr %flat\n}}\n"
    ),
)


class _BlockBarrier:
    """Barrier of the threads of the running block."""

    def __init__(self) -> None:
        self.barrier = threading.Barrier(1)
        self.lock = threading.Lock()
        self.callback = ctypes.CFUNCTYPE(None)(self.wait)
        address = ctypes.cast(self.callback, ctypes.c_void_p).value
        expose({_BARRIER: address})

    def wait(self) -> None:
        """Wait at the barrier; called by machine code, which cannot handle exceptions."""
        self.barrier.wait()


@once
def _shared_barrier() -> _BlockBarrier:
    return _BlockBarrier()


def run(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, plan: Plan
) -> Callable[..., None]:
    """Return the kernel of a plan as launch(n, pointers, steps), like a launcher of the GPU."""
    text = kernel_text(tape, inputs, outputs, scalar, plan, HOST)
    kernel = Emulated(NAME, plan.threads, plan.threads, len(plan.groups), plan.entries)
    return emulate(text, kernel, len(inputs), len(outputs), scalar)


class Emulated(NamedTuple):
    """A kernel: its name, threads and samples of a block, groups, numbers in shared memory."""

    name: str
    threads: int
    samples: int
    groups: int
    entries: int


def emulate(
    text: str, emulated: Emulated, inputs: int, outputs: int, scalar: str
) -> Callable[..., None]:
    """Return a kernel of a text as launch(n, pointers, steps)."""
    shared_barrier = _shared_barrier()
    head = f'target triple = "{host().triple}"\n'
    loaded = Loaded(compile_object(head + text))
    kinds = [*(ctypes.c_void_p,) * (inputs + outputs), *(ctypes.c_int64,) * (inputs + 1)]
    kernel = ctypes.CFUNCTYPE(None, *kinds, *(ctypes.c_int32,) * 3)(loaded.function(emulated.name))
    shared = ctypes.CFUNCTYPE(ctypes.c_void_p)(loaded.function("jounce_shared"))()
    kind = {"double": ctypes.c_double, "float": ctypes.c_float}[scalar]
    cells = np.ctypeslib.as_array((kind * emulated.entries).from_address(shared))

    def launch(n: int, pointers: Sequence[int], steps: Sequence[int]) -> None:
        arguments = (*pointers, *steps, n)
        with shared_barrier.lock:
            for part in range(emulated.groups):
                for block in range(-(-n // emulated.samples)):
                    cells[:] = _POISON
                    shared_barrier.barrier = threading.Barrier(emulated.threads)
                    threads = [
                        threading.Thread(target=kernel, args=(*arguments, k, block, part))
                        for k in range(emulated.threads)
                    ]
                    for thread in threads:
                        thread.start()
                    for thread in threads:
                        thread.join()

    launch.loaded = loaded  # type: ignore[attr-defined]  # keep the machine code alive
    return launch


def compile_hosted(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, threads: int = 32
) -> Callable[..., Results]:
    """Return a function of NumPy arrays that emulates the GPU kernel of a tape.

    Parameters
    ----------
    tape : Tape
    inputs, outputs : sequence of tuples of int
        Shapes of arguments and results of one sample.
    scalar : str
        "double" or "float".
    threads : int
        Threads of a block.

    Returns
    -------
    callable
        Takes an array per input, with a leading batch axis or none, and returns a tuple of results.
    """
    tape = expand_operations(tape, "llvm")
    packed = plan_packed(tape, inputs, outputs, scalar, _SHARED)
    if packed is None:
        plan = plan_kernel(tape, inputs, outputs, scalar, _SHARED, threads)
        launches = [run(tape, inputs, outputs, scalar, plan)]
    else:
        launches = _run_packed(tape, inputs, outputs, scalar, packed)

    def launch(n: int, pointers: Sequence[int], steps: Sequence[int]) -> None:
        for each in launches:
            each(n, pointers, steps)

    return lambda *arrays: call(launch, inputs, outputs, scalar, arrays)


def _run_packed(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    packed: tuple[Plan, Packing],
) -> list[Callable[..., None]]:
    """Return both kernels of a packed plan."""
    plan, packing = packed
    sizes = [math.prod(x) for x in outputs]
    second = Placement(len(inputs), sizes, scalar, packing, HOST)
    entries = second.samples * second.row
    kernel = Emulated(NAME, second.threads, second.samples, 1, entries)
    return [
        run(tape, inputs, outputs, scalar, plan),
        emulate(second.text(tape), kernel, len(inputs), len(outputs), scalar),
    ]


def call(
    launch: Callable[..., None],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    arrays: Sequence[ArrayLike],
) -> Results:
    """Call a launch with NumPy arrays, whose leading axis is the batch if they have one more."""
    dtype = {"double": np.float64, "float": np.float32}[scalar]
    operands = [np.ascontiguousarray(x, dtype) for x in arrays]
    batched = [x.ndim > len(core) for x, core in zip(operands, inputs, strict=True)]
    n = max((len(x) for x, axis in zip(operands, batched, strict=True) if axis), default=1)
    results = tuple(np.full((n, *core), np.nan, dtype) for core in outputs)
    steps = [math.prod(core) if axis else 0 for core, axis in zip(inputs, batched, strict=True)]
    if n:
        launch(n, [x.ctypes.data for x in (*operands, *results)], steps)
    return results
