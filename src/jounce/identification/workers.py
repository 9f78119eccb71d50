"""Thread pool for linear algebra, with BLAS limited to one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Any

from jounce.utils import forks, get_num_threads


class _Limit:
    """Reference-counted limit of BLAS to one thread, which is global to the process."""

    def __init__(self) -> None:
        self._lock = forks.register_lock(threading.RLock())
        self._wanted, self._limits = 0, None

    def begin(self, limits: Callable[..., Any]) -> None:
        with self._lock:
            if self._wanted == 0:
                self._limits = limits(limits=1, user_api="blas")
            self._wanted += 1

    def end(self) -> None:
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0 and self._limits is not None:
                self._limits.restore_original_limits()
                self._limits = None


_limit = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[bool]:
    """Limit BLAS to one thread; yield whether threadpoolctl is available.

    The matrices are small or narrow, so more threads gain little and slow down other work.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield False
        return
    _limit.begin(threadpool_limits)
    try:
        yield True
    finally:
        _limit.end()


@contextmanager
def worker_pool() -> Iterator[ThreadPoolExecutor | None]:
    """Yield a thread pool with BLAS limited to one thread, or None if not possible or useful."""
    with one_blas_thread() as is_limited:
        count = get_num_threads() if is_limited else 1
        with ThreadPoolExecutor(count) if count > 1 else nullcontext() as pool:
            yield pool
