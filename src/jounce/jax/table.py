"""The tables in which handlers find kernels by their numbers.

Compiled programs outlive robots, and JAX may keep them on disk. So they name a kernel by a number
that follows from what it computes; nothing in a table is ever freed, nor moved while it is read.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jounce.backends.llvm import Loaded
from jounce.frameworks.operators import Operator, Shape
from jounce.jax import abi, handler_text
from jounce.process import forks
from jounce.process.forks import compiling

#: Places of the first array; it doubles when half of them are taken.
_PLACES = 64


class Operands(ctypes.Structure):
    """How the entry of a kernel in one precision begins: see `members.KERNEL`."""

    _fields_ = (
        ("key", ctypes.c_int64),
        ("inputs", ctypes.c_int64),
        ("operands", ctypes.c_int64),
        ("dtype", ctypes.c_int64),
        ("ranks", ctypes.c_void_p),  # core axes of operands
        ("cores", ctypes.c_void_p),  # pointers to core shapes
        ("steps", ctypes.c_void_p),  # of dense operands, as what runs the kernel counts them
        ("length", ctypes.c_int64),  # how many steps
    )

    key: int


def described(
    key: int, inputs: Sequence[Shape], outputs: Sequence[Shape], char: str, steps: Sequence[int]
) -> tuple[tuple[Any, ...], list[Any]]:
    """The members that entries begin with, and what they point to."""
    shapes = (*inputs, *outputs)
    cores = [integers(core) for core in shapes]
    kept = [
        integers([len(core) for core in shapes]),
        (ctypes.c_void_p * len(cores))(*map(ctypes.addressof, cores)),
        integers(steps),
    ]
    places = map(ctypes.addressof, kept)
    members = key, len(inputs), len(shapes), abi.DTYPES[char], *places, len(steps)
    return members, [*kept, cores]


def integers(values: Sequence[int]) -> ctypes.Array[ctypes.c_int64]:
    """Numbers as machine code reads them."""
    return (ctypes.c_int64 * max(len(values), 1))(*values)


class Table:
    """Entries by key, at addresses that stay: open addressing, in an array that is replaced.

    code: a handler, which reads the table; kept: what entries point to besides their own.
    """

    def __init__(self, code: Loaded, *kept: Any) -> None:
        self._code, self._root = code, code.function(handler_text.TABLE)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        self._store: Callable[[int, int], None] = kind(code.function(handler_text.STORE))
        self._entries: dict[int, Operands] = {}
        self._kept: list[Any] = [*kept]
        self._lock = forks.guarded(threading.RLock())
        self._places = self._array(_PLACES)
        self._publish()

    def __contains__(self, key: int) -> bool:
        return key in self._entries

    def enter(self, key: int, make: Callable[[], tuple[Operands, list[Any]]]) -> None:
        """Have the handler find an entry from now on; make: gives it, and what it points to."""
        entry, kept = make()
        with compiling(), self._lock:
            if key in self._entries:
                return
            self._entries[key] = entry
            self._kept.append(kept)
            if 2 * len(self._entries) > len(self._places) - 1:
                self._places = self._array(2 * (len(self._places) - 1))
                for known in tuple(self._entries.values()):
                    self._put(known)
                self._publish()
            else:
                self._put(entry)

    def _array(self, places: int) -> ctypes.Array[ctypes.c_int64]:
        """An empty array: a mask, then places, as many as a power of two; kept, as it is read."""
        array = integers([places - 1, *[0] * places])
        self._kept.append(array)
        return array

    def _put(self, entry: Operands) -> None:
        mask = self._places[0]
        k = entry.key & mask
        while self._places[1 + k]:
            k = (k + 1) & mask
        place = ctypes.addressof(self._places) + ctypes.sizeof(ctypes.c_int64) * (1 + k)
        self._store(place, ctypes.addressof(entry))

    def _publish(self) -> None:
        self._store(self._root, ctypes.addressof(self._places))

    def register(self, target: str, platform: str) -> None:
        """Tell XLA of the handler, and stay for good: XLA may call after the interpreter's end."""
        jax.ffi.register_ffi_target(target, capsule(self._code.address), platform=platform)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))


def capsule(address: int) -> Any:
    """An address as Python hands it to XLA."""
    return jax.ffi.pycapsule(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address))


def key(operator: Operator, char: str) -> int:
    """The number of an operator in one precision, the same in every process."""
    digest = hashlib.sha256(f"{operator.key} {char}".encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def absent(operator: Operator, char: str, code: str) -> str:
    """What to say where a program calls an operator that its process has no `code` for."""
    return (
        f"{operator.title} has no {code} in {np.dtype(char)} in this process, which got a"
        " compiled or exported program from another one; trace the same function here first, as"
        f" by jax.jit(...).lower(...), or call the quantity or its warmup({np.dtype(char).name!r})"
    )
