"""Kernels as XLA calls them on processors: one handler for all, and the table that it reads."""

from __future__ import annotations

import ctypes
import itertools
import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from jounce.backends.llvm import Loaded, load_module
from jounce.backends.llvm.loaded import expose
from jounce.frameworks.operators import Operator, Shape
from jounce.jax import batch_text, handler_text, table
from jounce.jax.table import Operands, Table, key
from jounce.process import memory, threads
from jounce.process.once import once
from jounce.runtime.kernel import Kernel

#: What XLA calls the handler.
TARGET = "jounce"


class Entry(Operands):
    """A kernel in one precision, as the handler reads it: see `batch_text.KERNEL`."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("worth", ctypes.c_int64),  # fewest samples of a block
        ("threads", ctypes.c_void_p),  # how many there may be
    )


def _strides(core: Shape, item: int) -> Iterator[int]:
    """Bytes between neighbours along each core axis of a dense array."""
    return (item * math.prod(core[axis + 1 :]) for axis in range(len(core)))


def _entry(number: int, kernel: Kernel, char: str) -> tuple[Entry, list[Any]]:
    """The entry of a compiled kernel, and what it points to."""
    shapes, item = (*kernel.inputs, *kernel.outputs), np.dtype(char).itemsize
    steps = [item * math.prod(core) for core in shapes]  # bytes between samples, then within one
    steps += itertools.chain.from_iterable(_strides(core, item) for core in shapes)
    members, kept = table.described(number, kernel.inputs, kernel.outputs, char, steps)
    entry = Entry(*members, kernel.loops.slot(char), kernel.block, threads.pool.count_address)
    return entry, [kept, kernel.loops]  # of the robot, only its machine code


class _Kernels(Table):
    """Kernels on processors."""

    def add(self, number: int, kernel: Kernel, char: str) -> None:
        """Have the handler find a compiled kernel from now on."""
        self.enter(number, lambda: _entry(number, kernel, char))


@once
def _kernels(version: tuple[int, int]) -> _Kernels:
    return _Kernels(_code(version), threads.pool)


@once
def _table(version: tuple[int, int]) -> _Kernels:
    """Return the table of this process, after XLA was told of the handler that reads it."""
    found = _kernels(version)  # XLA takes one handler, but may be told of it twice
    memory.keep_freed()  # results are XLA's, which frees them when they are gone
    found.register(TARGET, "cpu")
    return found


def _code(version: tuple[int, int]) -> Loaded:
    library = ctypes.windll.kernel32 if os.name == "nt" else ctypes.CDLL(None)
    name = "SwitchToThread" if os.name == "nt" else "sched_yield"
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    expose({batch_text.YIELD: address})
    return load_module(handler_text.text(version, batch_text.text()))


def entered(operator: Operator, char: str, version: tuple[int, int]) -> int:
    """The key of an operator, after it is compiled and the handler can find it."""
    number = key(operator, char)
    found = _table(version)
    if number not in found:
        found.add(number, operator.compile(char), char)
    return number


def absent(operator: Operator, char: str) -> str:
    """What to say where a program calls an operator that its process has not compiled."""
    return table.absent(operator, char, "machine code")
