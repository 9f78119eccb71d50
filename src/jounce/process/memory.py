"""What memory there is for this process."""

from __future__ import annotations

import contextlib
import math
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
