"""Memory available to this process, and settings of the allocator of the C library."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import sys
from pathlib import Path

#: Bytes of address space that a few threads reserve but do not use: stacks and malloc arenas.
_RESERVED_BYTES = 256 << 20


def available() -> float:
    """Return the number of bytes that this process can still allocate, or inf if unknown.

    Considers free memory, and limits of containers (cgroups) and of address space (ulimit -v).
    """
    free = math.inf
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        free = 1024.0 * int(kilobytes)
    with contextlib.suppress(OSError, ValueError):  # ValueError: the limit is "max", no number
        most, used = (Path(f"/sys/fs/cgroup/memory.{x}").read_text() for x in ("max", "current"))
        free = min(free, int(most) - int(used))
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not on every platform

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text().split()[0])
            free = min(free, limit - used * resource.getpagesize() - _RESERVED_BYTES)
    return free


def require(size: float, what: str) -> None:
    """Raise MemoryError if fewer bytes are available than needed.

    Used where a failed allocation would end the process, as in LLVM or when a thread starts.
    """
    free = available()
    if size > free:
        text = f"{max(free, 0.0) / 2**20:,.0f} MB are available"
        raise MemoryError(f"{what} takes {size / 2**20:,.0f} MB; only {text}")


#: Options of glibc's mallopt, and environment variables with which users set the same.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_USER_SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")

#: Most bytes of free memory that the process keeps, and the largest block among them.
_MAX_FREE_BYTES, _MAX_BLOCK_BYTES = 256 << 20, 32 << 20


def retain_freed_memory() -> bool:
    """Let the C library keep some freed memory for reuse; return whether it does.

    XLA allocates and frees a large block in each call. If the C library returns it to the system,
    the next call has one page fault per page, which takes longer than the computation.
    `runtime.recycling.release_memory` returns the memory. Settings of the user are not changed.
    """
    if sys.platform != "linux" or any(name in os.environ for name in _USER_SETTINGS):
        return False
    if available() < 16 * _MAX_FREE_BYTES:
        return False
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries do not have it
    if set_option is None:
        return False
    return bool(
        set_option(_MMAP_THRESHOLD, _MAX_BLOCK_BYTES)
        and set_option(_TRIM_THRESHOLD, _MAX_FREE_BYTES)
    )
