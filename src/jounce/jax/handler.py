"""Kernels as XLA calls them: one handler for all, and the table in which it finds them.

Compiled programs outlive robots, and JAX may keep them on disk. So they name a kernel by a number
that follows from what it computes; nothing in the table is ever freed, nor moved while it is read.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import llvmlite.binding as llvm
import numpy as np

from jounce.backends.llvm import Loaded, compile_cached
from jounce.frameworks.operators import Operator, Shape
from jounce.jax import abi, batch_text, handler_text
from jounce.process import forks, memory, threads
from jounce.process.forks import compiling
from jounce.process.once import once
from jounce.runtime.kernel import Kernel

#: What XLA calls the handler.
TARGET = "jounce"

#: Places of the first table; it doubles when half of them are taken.
_PLACES = 64


class Entry(ctypes.Structure):
    """A kernel in one precision, as the handler reads it: see `batch_text.KERNEL`."""

    _fields_ = (
        ("key", ctypes.c_int64),
        ("data", ctypes.c_void_p),
        ("inputs", ctypes.c_int64),
        ("operands", ctypes.c_int64),
        ("dtype", ctypes.c_int64),
        ("worth", ctypes.c_int64),  # fewest samples of a block
        ("ranks", ctypes.c_void_p),  # core axes of operands
        ("cores", ctypes.c_void_p),  # pointers to core shapes
        ("steps", ctypes.c_void_p),  # of dense operands: between samples, then core strides
        ("length", ctypes.c_int64),  # how many steps
        ("threads", ctypes.c_void_p),  # how many there may be
    )


def _integers(values: Sequence[int]) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def _strides(core: Shape, item: int) -> Iterator[int]:
    """Bytes between neighbours along each core axis of a dense array."""
    return (item * math.prod(core[axis + 1 :]) for axis in range(len(core)))


def _entry(key: int, kernel: Kernel, char: str) -> tuple[Entry, list[Any]]:
    """The entry of a compiled kernel, and what it points to."""
    shapes, item = (*kernel.inputs, *kernel.outputs), np.dtype(char).itemsize
    steps = [item * math.prod(core) for core in shapes]
    steps += itertools.chain.from_iterable(_strides(core, item) for core in shapes)
    cores = [_integers(core) for core in shapes]
    kept = [
        _integers([len(core) for core in shapes]),
        (ctypes.c_void_p * len(cores))(*map(ctypes.addressof, cores)),
        _integers(steps),
    ]
    places = map(ctypes.addressof, kept)
    entry = Entry(
        key,
        kernel.loops.slot(char),
        len(kernel.inputs),
        len(shapes),
        abi.DTYPES[char],
        kernel.block,
        *places,
        len(steps),
        threads.pool.count_address,
    )
    return entry, [*kept, cores, kernel.loops]  # of the robot, only its machine code


class _Table:
    """Entries by key, at addresses that stay: open addressing, in an array that is replaced."""

    def __init__(self, code: Loaded) -> None:
        self._root = code.function(handler_text.TABLE)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        self._store: Callable[[int, int], None] = kind(code.function(handler_text.STORE))
        self._entries: dict[int, Entry] = {}
        self._kept: list[Any] = [code, threads.pool]
        self._lock = forks.guarded(threading.RLock())
        self._places = self._array(_PLACES)
        self._publish()

    def __contains__(self, key: int) -> bool:
        return key in self._entries

    def add(self, key: int, kernel: Kernel, char: str) -> None:
        """Have the handler find a compiled kernel from now on."""
        with compiling(), self._lock:
            if key in self._entries:
                return
            entry, kept = _entry(key, kernel, char)
            self._entries[key] = entry
            self._kept.append(kept)
            if 2 * len(self._entries) > len(self._places) - 1:
                self._places = self._array(2 * (len(self._places) - 1))
                for known in self._entries.values():
                    self._put(known)
                self._publish()
            else:
                self._put(entry)

    def _array(self, places: int) -> ctypes.Array[ctypes.c_int64]:
        """An empty array: a mask, then places, as many as a power of two; kept, as it is read."""
        array = _integers([places - 1, *[0] * places])
        self._kept.append(array)
        return array

    def _put(self, entry: Entry) -> None:
        mask = self._places[0]
        k = entry.key & mask
        while self._places[1 + k]:
            k = (k + 1) & mask
        place = ctypes.addressof(self._places) + ctypes.sizeof(ctypes.c_int64) * (1 + k)
        self._store(place, ctypes.addressof(entry))

    def _publish(self) -> None:
        self._store(self._root, ctypes.addressof(self._places))


@once
def _table(version: tuple[int, int]) -> _Table:
    """The table of this process, after XLA has been told of the handler that reads it."""
    code = _code(version)
    memory.keep_freed()  # results are XLA's, which frees them when they are gone
    jax.ffi.register_ffi_target(TARGET, _capsule(code.address), platform="cpu")
    table = _Table(code)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(table))  # XLA may call after the interpreter's end
    return table


def _code(version: tuple[int, int]) -> Loaded:
    library = ctypes.windll.kernel32 if os.name == "nt" else ctypes.CDLL(None)
    name = "SwitchToThread" if os.name == "nt" else "sched_yield"
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    with compiling():
        llvm.add_symbol(batch_text.YIELD, address)
    return Loaded(compile_cached(handler_text.text(version)))


def _capsule(address: int) -> Any:
    """An address as Python hands it to XLA."""
    return jax.ffi.pycapsule(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address))


def key(operator: Operator, char: str) -> int:
    """The number of an operator in one precision, the same in every process."""
    digest = hashlib.sha256(f"{operator.key} {char}".encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def entered(operator: Operator, char: str, version: tuple[int, int]) -> int:
    """The key of an operator, after it is compiled and the handler can find it."""
    number = key(operator, char)
    table = _table(version)
    if number not in table:
        table.add(number, operator.compile(char), char)
    return number


def absent(operator: Operator, char: str) -> str:
    """What to say where a program calls an operator that its process has not compiled."""
    return (
        f"{operator.title} has no machine code in {np.dtype(char)} in this process, which got a"
        " compiled or exported program from another one; trace the same function here first, as"
        f" by jax.jit(...).lower(...), or call the quantity or its warmup({np.dtype(char).name!r})"
    )
