"""Memory for large results, used again.

Fresh memory of tens of megabytes comes from the operating system page by page, and the page faults
cost more than computing what goes there. So large results are given out as leases on blocks; when
the last array on a block is gone, the block waits for the next result of its size. What waits is
bounded, and blocks beyond the bound go back to the system.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from jounce.process import forks

#: Smaller results come from the allocator, which recycles them itself.
SMALLEST = 4 << 20

#: Largest total size of blocks that wait.
LIMIT = 512 << 20

#: Addresses that a few threads take without using them: stacks, and pools of the allocator.
_SET_ASIDE = 256 << 20

_ALIGNMENT = 64
_lock = forks.guarded(threading.Lock())
_waiting: list[np.ndarray] = []  # guarded by the lock
_returned: deque[np.ndarray] = deque()  # where finalisers leave blocks, without waiting


class _Lease(np.ndarray):
    """A view of a block that returns it when the last array on it is gone."""

    block: np.ndarray | None = None

    def __del__(self) -> None:
        block, self.block = self.block, None
        if block is not None:
            _returned.append(block)
            _tidy()


def _tidy() -> None:
    """Let returned blocks wait, up to the limit.

    Garbage may be collected anywhere, inside this module too, so a finaliser must never wait for
    the lock: whoever holds it tidies up again before it is done.
    """
    while _returned and _lock.acquire(blocking=False):
        try:
            while _returned:
                _waiting.append(_returned.popleft())
            while sum(block.size for block in _waiting) > LIMIT:
                _waiting.pop(0)
        finally:
            _lock.release()


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


def release_memory() -> int:
    """Give the memory of large results that are gone back to the system; how many bytes.

    Up to 512 MB are kept for the next large results otherwise.
    """
    _tidy()
    with _lock:
        size = sum(block.size for block in _waiting)
        _waiting.clear()
    return size


def _take(size: int) -> np.ndarray:
    """A block of at least `size` bytes, not much larger: a waiting one or a new one."""
    found = None
    with _lock:
        for k, block in enumerate(_waiting):
            if size <= block.size <= size + size // 4:
                found = _waiting.pop(k)
                break
    _tidy()
    return np.empty(size, np.uint8) if found is None else found


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Like numpy.empty, from recycled memory if the array is large."""
    size = math.prod(shape) * dtype.itemsize
    if not SMALLEST <= size <= LIMIT:
        return np.empty(shape, dtype)
    block = _take(size + _ALIGNMENT)
    lease = block.view(_Lease)
    lease.block = block
    start = -block.ctypes.data % _ALIGNMENT
    # frombuffer holds on to the lease; a view of the block would only hold on to the block
    return np.frombuffer(lease.data, dtype, math.prod(shape), start).reshape(shape)
