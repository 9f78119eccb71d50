"""Handler of XLA's kernel calls on CPUs."""

from __future__ import annotations

import ctypes
import math
import os

from jounce.arrays.frameworks.operators import Operator
from jounce.arrays.jax_adapter.handler import Handler, KernelEntry, kernel_key
from jounce.runtime import native
from jounce.runtime.compiled import CompiledKernel
from jounce.utils import memory, threads
from jounce.utils.once import once

#: Name of a compiled kernel in messages about a process that lacks it.
CODE = "machine code"


class CpuEntry(KernelEntry):
    """A compiled kernel: CpuEntry of xla_cpu.c."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("min_block", ctypes.c_int64),
    )


class CpuHandler(Handler):
    """Handler of XLA's calls on CPUs."""

    def __init__(self, version: tuple[int, int]) -> None:
        super().__init__(native.load("xla_cpu"), version)
        library = ctypes.windll.kernel32 if os.name == "nt" else ctypes.CDLL(None)
        give_way = library.SwitchToThread if os.name == "nt" else library.sched_yield
        count = ctypes.c_void_p(threads.pool.count_address)
        self.call_native("jounce_set_threads", give_way, count)
        self._kept.append(threads.pool)

    def add_kernel(self, key: int, kernel: CompiledKernel) -> None:
        """Add a compiled kernel."""
        shapes, item = (*kernel.inputs, *kernel.outputs), kernel.dtype.itemsize
        steps = [item * math.prod(core) for core in shapes]
        steps += [item * math.prod(core[k + 1 :]) for core in shapes for k in range(len(core))]
        members = {"data": kernel.address, "min_block": kernel.block}
        entry = CpuEntry(key, kernel.inputs, kernel.outputs, kernel.char, steps, **members)
        self.add(entry, kernel)


@once
def _create(version: tuple[int, int]) -> CpuHandler:
    return CpuHandler(version)


@once
def handler(version: tuple[int, int]) -> CpuHandler:
    """Return the handler of this process, registered with XLA."""
    result = _create(version)  # one handler per process; registering it twice is harmless
    memory.retain_freed_memory()  # XLA owns the results and frees them
    result.register("cpu")
    return result


def add_operator(operator: Operator, char: str, version: tuple[int, int]) -> int:
    """Compile an operator, add it to the handler, and return its key."""
    key, known = kernel_key(operator, char), handler(version)
    if key not in known:
        known.add_kernel(key, operator.compile(char))
    return key
