"""What memory there is for this process."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import sys
from pathlib import Path

#: Addresses that a few threads take without using them: stacks, and pools of the allocator.
_SET_ASIDE = 256 << 20


def available() -> float:
    """Bytes that this process can still get, as far as the system tells; infinite where not.

    Of a limit on addresses (ulimit -v) less than what there is to it: threads set addresses aside.
    """
    free = math.inf
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        free = 1024.0 * int(kilobytes)
    with contextlib.suppress(OSError, ValueError):  # a container's own; "max" is no number
        most, used = (Path(f"/sys/fs/cgroup/memory.{x}").read_text() for x in ("max", "current"))
        free = min(free, int(most) - int(used))
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not on every platform

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text().split()[0])
            free = min(free, limit - used * resource.getpagesize() - _SET_ASIDE)
    return free


def require(size: float, what: str) -> None:
    """Raise MemoryError unless there is room for so many bytes.

    Where an allocation that fails cannot be survived, as in LLVM or at the start of a thread.
    """
    free = available()
    if size > free:
        found = f"{max(free, 0.0) / 2**20:,.0f} MB are available"
        raise MemoryError(f"{what} takes {size / 2**20:,.0f} MB; only {found}")


#: Numbers of glibc's mallopt, and environment variables by which users set the same.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_SET_BY_USERS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")

#: Most bytes that stay with the process once they are free, and largest blocks among them.
_KEPT, _LARGEST = 256 << 20, 32 << 20


def keep_freed() -> bool:
    """Have the C library keep some free memory for the next blocks; whether it does.

    For those who take and free large blocks by the C library, as XLA does at each call: memory that
    went back to the system comes page by page again, which takes longer than to compute what goes
    there. `runtime.recycling.release_memory` gives it back. What users have set stays as it is.
    """
    if sys.platform != "linux" or any(name in os.environ for name in _SET_BY_USERS):
        return False
    if available() < 16 * _KEPT:
        return False
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries do not have it
    if set_option is None:
        return False
    return bool(set_option(_MMAP_THRESHOLD, _LARGEST) and set_option(_TRIM_THRESHOLD, _KEPT))
