"""Memory for results, used again.

Fresh memory comes from the operating system page by page, and the page faults cost more than
computing what goes there. Allocators keep small blocks, but give larger ones back, some at every
call. So NumPy is given an allocation handler of ours while a result is made, for the caller's
context only: when the last array on a block is gone, the block waits for the next result of about
its size. What waits is bounded, and the oldest blocks beyond the bound go back to the system.
Results are arrays that own their data, like any other.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from jounce.runtime import native
from jounce.runtime.gufunc import numpy_function
from jounce.utils import background, memory
from jounce.utils.once import entry, once

T = TypeVar("T")

#: Largest total size of blocks that wait, and how much of the memory that is available.
LIMIT, PART = 2 << 30, 1 / 8

#: Results of fewer bytes come from NumPy's own allocator; MIN_BLOCK_BYTES of recycling.c.
SMALLEST = 48 << 10

#: Most blocks that wait; MAX_BLOCKS of recycling.c.
MAX_BLOCKS = 64

#: Place of PyDataMem_SetHandler in NumPy's table of functions.
SET_HANDLER = 304


class _Handler(ctypes.Structure):
    """NumPy's PyDataMem_Handler."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("pool", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    )


class _PoolData(ctypes.Structure):
    """Pool of recycling.c."""

    _fields_ = (
        ("busy", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("count", ctypes.c_int64),
        ("limit", ctypes.c_int64),
        ("madvise", ctypes.c_void_p),
        ("blocks", ctypes.c_int64 * (2 * MAX_BLOCKS)),
    )


class Pool:
    """Blocks that wait, and the handler that gives them out.

    Arrays may outlive everything else, so a pool stays for ever, with all that it points to.
    """

    def __init__(self, limit: int) -> None:
        code = native.load("recycling")
        self._data = _PoolData(limit=limit, madvise=_madvise())
        functions = (f"jounce_{x}" for x in ("malloc", "calloc", "realloc", "free"))
        address = ctypes.addressof(self._data)
        self._struct = _Handler(b"jounce", 1, address, *map(code.address, functions))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = (
            ctypes.py_object,
            (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
        )
        self._name = b"mem_handler"
        self.handler = new(ctypes.addressof(self._struct), self._name, None)
        self._release = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(
            code.address("jounce_release")
        )
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))

    @property
    def waiting(self) -> int:
        """Bytes of the blocks that wait."""
        return self._data.bytes

    def call(self, function: Callable[..., T], *args: Any, **options: Any) -> T:
        """function(*args, **options), with memory from the pool for the arrays it makes."""
        before = set_handler()(self.handler)
        try:
            return function(*args, **options)
        finally:
            set_handler()(before)

    def release(self) -> int:
        """Give back what waits; how many bytes."""
        return self._release(ctypes.addressof(self._data))


def least_batch(outputs: Sequence[tuple[int, ...]]) -> int:
    """Samples from which on results of these core shapes come from the pool."""
    return max(SMALLEST // (8 * sum(map(math.prod, outputs))), 1)


_made: dict[str, Pool] = {}


def pool() -> Pool:
    """Return the pool of this process, made at its first use."""

    def make() -> Pool:
        return Pool(int(min(LIMIT, PART * memory.available())))

    return entry(_made, "pool", lambda: background.run(make))


@once
def set_handler() -> Callable[[Any], Any]:
    """PyDataMem_SetHandler: takes a handler for the current context, gives the one before."""
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
    return kind(numpy_function("_ARRAY_API", SET_HANDLER))


def _madvise() -> int:
    """Address of the system's madvise where it knows huge pages; 0 elsewhere."""
    if sys.platform != "linux":
        return 0
    with contextlib.suppress(AttributeError, OSError):
        return ctypes.cast(ctypes.CDLL(None).madvise, ctypes.c_void_p).value or 0
    return 0


def release_memory() -> int:
    """Give the memory of results that are gone back to the system; how many bytes.

    Otherwise up to 64 blocks are kept for the next results: 2 GB, or an eighth of the memory that
    was available at the first, whichever is less.
    """
    released = sum(made.release() for made in _made.values())
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # other C libraries do so themselves
            ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
    return released
