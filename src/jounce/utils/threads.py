"""Thread pool for large batches (NumPy releases the interpreter lock while a kernel runs)."""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar, copy_context
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np

from jounce.errors import ArgumentError, legible
from jounce.utils import forks

T = TypeVar("T")


#: Largest number of threads that is accepted; more would only compete for the cores.
MAX_THREADS = max(64, 16 * (os.cpu_count() or 1))


def _default_count() -> int:
    """Return the number of threads from JOUNCE_NUM_THREADS, or one per usable core."""
    text = os.environ.get("JOUNCE_NUM_THREADS", "").strip()
    if text:
        digits = text.isascii() and text.isdigit() and len(text) < 20
        if not digits or not 1 <= int(text) <= MAX_THREADS:
            raise ArgumentError(
                f"JOUNCE_NUM_THREADS must be an integer from 1 to {MAX_THREADS}, found"
                f" {legible(text, 40)!r}"
            )
        return int(text)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


#: Limit set by `limit_threads`. A context variable, so that each thread or task of the program has
#: its own limit, and worker threads take over that of their caller.
_limit: ContextVar[int | None] = ContextVar("jounce_most_threads", default=None)


class _Pool:
    """A thread pool that starts threads on demand.

    `concurrent.futures` is not used: a Ctrl-C at the wrong moment makes it wait forever.
    """

    def __init__(self) -> None:
        self._count = ctypes.c_int64(_default_count())
        self._lock = forks.register_lock(threading.RLock())
        self._work: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._waiting = 0
        self._owner = os.getpid()

    @property
    def count(self) -> int:
        """Number of threads that a large batch may use here, including the caller."""
        limit = _limit.get()
        return self._count.value if limit is None else min(self._count.value, limit)

    @property
    def count_address(self) -> int:
        """Address of the number of threads of the process, an int64, for machine code."""
        return ctypes.addressof(self._count)

    def offer(self, work: Callable[[], None]) -> None:
        """Queue work for a thread; start another thread if possible."""
        with self._lock:
            if self._owner != os.getpid():  # a forked child does not inherit the threads
                self._work, self._waiting, self._owner = SimpleQueue(), 0, os.getpid()
            # numpy.errstate is a context variable: use that of the caller
            self._work.put(partial(copy_context().run, work))
            if self._waiting < self.count - 1:  # the caller works as well
                with contextlib.suppress(RuntimeError):  # out of threads, or as the process ends
                    _thread.start_new_thread(_run_queue, (self._work,))
                    self._waiting += 1

    def resize(self, count: int) -> None:
        """Change the number of threads; existing threads end after the work in their queue."""
        with self._lock:
            for _ in range(self._waiting):
                self._work.put(None)
            self._work, self._waiting = SimpleQueue(), 0
            self._count.value = count


def _run_queue(queue: SimpleQueue[Callable[[], Any] | None]) -> None:
    """Run the work in a queue until it contains None; the work handles its own errors."""
    while True:
        work = queue.get()
        if work is None:
            return
        work()
        del work  # and what it references


pool = _Pool()


def set_num_threads(n: int) -> None:
    """Set how many threads large batches may use.

    Parameters
    ----------
    n : int
        Number of threads including the caller: at most 16 per core of the machine, or 64 if that
        is larger.

    Raises
    ------
    ValueError
        If n is not an integer in this range.

    Examples
    --------
    >>> import jounce
    >>> before = jounce.get_num_threads()
    >>> jounce.set_num_threads(1)
    >>> jounce.get_num_threads()
    1
    >>> jounce.set_num_threads(before)
    """
    count = _check_count(n)
    if count > MAX_THREADS:
        raise ValueError(
            f"the number of threads must be at most {MAX_THREADS} on this machine, found"
            f" {_format(n)}"
        )
    pool.resize(count)


def get_num_threads() -> int:
    """Return the number of threads that a large batch may use.

    Returns
    -------
    int
        Number of threads including the caller, at most the limit of `limit_threads`.

    Examples
    --------
    >>> import jounce
    >>> jounce.get_num_threads() >= 1
    True
    """
    return pool.count


@contextlib.contextmanager
def limit_threads(n: int) -> Iterator[None]:
    """Use at most n threads for large batches inside a `with` statement.

        with jounce.limit_threads(1):
            tau = robot.inverse_dynamics(q, v, a)

    The limit applies to the thread (or asyncio task) that enters it, and to work done for it on
    other threads; threads of a scheduler can have different limits at the same time. Of nested
    limits the lowest applies, and the number of `set_num_threads` is never exceeded. Calls that XLA
    makes inside `jax.jit` run on threads of XLA, and follow `set_num_threads` only.

    Parameters
    ----------
    n : int
        Number of threads including the caller, at least 1.

    Returns
    -------
    context manager
        The limit applies inside its `with` statement.

    Raises
    ------
    ValueError
        If n is not a positive integer.
    """
    limit, outer = _check_count(n), _limit.get()
    token = _limit.set(limit if outer is None else min(outer, limit))
    try:
        yield
    finally:
        _limit.reset(token)


def _check_count(n: int) -> int:
    """Return a number of threads as an int; raise ValueError if it is not positive."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"the number of threads must be a positive integer, found {_format(n)}")
    return int(n)


def _format(n: Any) -> str:
    """Return an argument as text for messages; Python refuses to print very large integers."""
    huge = isinstance(n, int) and abs(n) >= 10**40
    return "one of more than 40 digits" if huge else legible(repr(n), 60)


class _Task:
    """Work that is done once, by the first thread that takes it.

    The lock is held while the work runs, and taken only by `with` statements: Ctrl-C cannot
    interrupt between acquiring it and entering the block.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self.busy = threading.Lock()
        self._is_taken = False
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do the work, or wait until the thread that does it is done."""
        with self.busy:
            self._do()

    def help(self) -> None:
        """Do the work unless another thread is doing it; for threads that Ctrl-C does not reach."""
        if self.busy.acquire(blocking=False):
            try:
                self._do()
            finally:
                self.busy.release()

    def _do(self) -> None:
        if not self._is_taken:
            self._is_taken = True
            try:
                self.result = self._work()
            except BaseException as error:
                self.error = error

    def cancel(self) -> None:
        """Cancel the work; if a thread has begun, wait until it is done."""
        with self.busy:
            self._is_taken = True


def map_slices(n: int, count: int, work: Callable[[slice], T]) -> list[T]:
    """Return work(slice) for `count` slices of range(n), computed here and on other threads.

    Other threads begin with the last slice, the caller with the first. No thread is still working
    when this function returns or raises.
    """
    edges = [n * k // count for k in range(count + 1)]
    tasks = [_Task(partial(work, slice(a, b))) for a, b in pairwise(edges)]
    try:
        for task in tasks[:0:-1]:
            pool.offer(task.help)
        for task in tasks:
            if not task.busy.locked():
                task.run()
        for task in tasks:
            task.run()
    except BaseException:
        _cancel(tasks)
        raise
    for task in tasks:
        if task.error is not None:
            raise task.error
    return [task.result for task in tasks]


def _cancel(tasks: Sequence[_Task]) -> None:
    """Wait for work that other threads have begun, despite interrupts: it writes to the result."""
    for task in tasks:
        while True:
            try:
                task.cancel()
                break
            except BaseException:
                continue
