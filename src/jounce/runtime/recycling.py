"""Arena allocator for results: the memory of deleted arrays is reused.

Fresh memory comes from the operating system page by page, and the page faults take longer than
computing its content. Allocators keep small blocks, but return larger ones, some at every call. So
NumPy gets an allocation handler while a result is made, for the caller's context only: when the
last array on a block is deleted, the block is kept for the next result of about its size. The
total size of free blocks is bounded; the oldest ones are returned to the system. Results are
arrays that own their data, like any other.
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

#: Maximum total size of free blocks, in bytes and as a share of the available memory.
MAX_FREE_BYTES, MAX_FREE_SHARE = 2 << 30, 1 / 8

#: Smaller results are allocated by NumPy; MIN_BLOCK_BYTES of recycling.c.
MIN_BLOCK_BYTES = 48 << 10

#: Maximum number of free blocks; MAX_BLOCKS of recycling.c.
MAX_BLOCKS = 64

#: Index of PyDataMem_SetHandler in NumPy's API table.
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
    """Free blocks, and the handler that allocates from them.

    Arrays may outlive everything else, so a pool is never deleted, nor anything that it points to.
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
    def free_bytes(self) -> int:
        """Bytes of the free blocks."""
        return self._data.bytes

    def call(self, function: Callable[..., T], *args: Any, **options: Any) -> T:
        """Return function(*args, **options), allocating its arrays from the pool."""
        before = set_handler()(self.handler)
        try:
            return function(*args, **options)
        finally:
            set_handler()(before)

    def release(self) -> int:
        """Return free blocks to the system; return their size in bytes."""
        return self._release(ctypes.addressof(self._data))


def min_batch(outputs: Sequence[tuple[int, ...]]) -> int:
    """Return the samples from which on results of these core shapes come from the pool."""
    return max(MIN_BLOCK_BYTES // (8 * sum(map(math.prod, outputs))), 1)


_pools: dict[str, Pool] = {}


def pool() -> Pool:
    """Return the pool of this process, created on first use."""

    def make() -> Pool:
        return Pool(int(min(MAX_FREE_BYTES, MAX_FREE_SHARE * memory.available())))

    return entry(_pools, "pool", lambda: background.run(make))


@once
def set_handler() -> Callable[[Any], Any]:
    """Return PyDataMem_SetHandler: set the context's handler, return the previous one."""
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
    return kind(numpy_function("_ARRAY_API", SET_HANDLER))


def _madvise() -> int:
    """Return the address of the system's madvise if it supports huge pages, else 0."""
    if sys.platform != "linux":
        return 0
    with contextlib.suppress(AttributeError, OSError):
        return ctypes.cast(ctypes.CDLL(None).madvise, ctypes.c_void_p).value or 0
    return 0


def release_memory() -> int:
    """Return the memory of deleted results to the system.

    Otherwise up to 64 blocks are kept for the next results: 2 GB, or an eighth of the memory that
    was available at the first one, whichever is less.

    Returns
    -------
    int
        Number of bytes.

    Examples
    --------
    >>> import jounce
    >>> jounce.release_memory() >= 0
    True
    """
    released = sum(made.release() for made in _pools.values())
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # only glibc has it
            ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
    return released
