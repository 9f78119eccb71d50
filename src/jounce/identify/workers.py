"""Threads: BLAS held to one of its own, and some of ours that each use it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext

from jounce.process.threads import get_num_threads


@contextmanager
def one_blas_thread() -> Iterator[bool]:
    """Linear algebra on one thread; whether threadpoolctl is there to have it so.

    The matrices are small or slim: more threads gain little, and cost a lot where other work goes
    on.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield False
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield True


@contextmanager
def worker_pool() -> Iterator[ThreadPoolExecutor | None]:
    """Threads of our own, BLAS on one in each; None where one is enough, or BLAS has its own."""
    with one_blas_thread() as alone:
        count = get_num_threads() if alone else 1
        with ThreadPoolExecutor(count) if count > 1 else nullcontext() as pool:
            yield pool
