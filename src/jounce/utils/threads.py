"""Threads for large batches (NumPy releases the interpreter lock while a kernel runs)."""

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


#: Largest number of threads that is accepted; more would only wait for each other.
MAX_THREADS = max(64, 16 * (os.cpu_count() or 1))


def _default() -> int:
    given = os.environ.get("JOUNCE_NUM_THREADS", "").strip()
    if given:
        digits = given.isascii() and given.isdigit() and len(given) < 20
        if not digits or not 1 <= int(given) <= MAX_THREADS:
            raise ArgumentError(
                f"JOUNCE_NUM_THREADS must be an integer from 1 to {MAX_THREADS}, found"
                f" {legible(given, 40)!r}"
            )
        return int(given)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


#: Most threads that large batches of a caller may use, if someone limits them: each thread of the
#: program has its own, which goes along with work that is done for it elsewhere.
_most: ContextVar[int | None] = ContextVar("jounce_most_threads", default=None)


class _Pool:
    """The number of threads, and threads that wait for work once there was some.

    Not concurrent.futures' own: a Ctrl-C at the wrong moment makes that wait for ever.
    """

    def __init__(self) -> None:
        self._count = ctypes.c_int64(_default())
        self._lock = forks.guarded(threading.RLock())
        self._work: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._waiting = 0
        self._owner = os.getpid()

    @property
    def count(self) -> int:
        """How many threads a large batch may use here, the caller's included."""
        most = _most.get()
        return self._count.value if most is None else min(self._count.value, most)

    @property
    def count_address(self) -> int:
        """Where machine code finds how many the process may use, as an int64."""
        return ctypes.addressof(self._count)

    def offer(self, work: Callable[[], None]) -> None:
        """Have a thread do the work, if there can be one."""
        with self._lock:
            if self._owner != os.getpid():  # a forked child does not inherit the threads
                self._work, self._waiting, self._owner = SimpleQueue(), 0, os.getpid()
            # numpy.errstate is a context variable: take the caller's along
            self._work.put(partial(copy_context().run, work))
            if self._waiting < self.count - 1:  # whoever offers it works too
                with contextlib.suppress(RuntimeError):  # out of threads, or as the process ends
                    _thread.start_new_thread(_serve, (self._work,))
                    self._waiting += 1

    def resize(self, count: int) -> None:
        with self._lock:
            for _ in range(self._waiting):
                self._work.put(None)  # behind what they were given
            self._work, self._waiting = SimpleQueue(), 0
            self._count.value = count


def _serve(queue: SimpleQueue[Callable[[], Any] | None]) -> None:
    """Do what comes; errors are the work's own matter."""
    while True:
        work = queue.get()
        if work is None:
            return
        work()
        del work  # and what it holds on to


pool = _Pool()


def set_num_threads(n: int) -> None:
    """Set how many threads large batches may use.

    Parameters
    ----------
    n : int
        Number of threads, the caller's included: 1 to 16 per core of the machine (at least 64).

    Raises
    ------
    ValueError
        If n is no such number.
    """
    count = _positive(n)
    if count > MAX_THREADS:
        raise ValueError(
            f"the number of threads must be at most {MAX_THREADS} on this machine, found"
            f" {_shown(n)}"
        )
    pool.resize(count)


def get_num_threads() -> int:
    """How many threads a large batch may use, within `limit_threads` where that holds."""
    return pool.count


@contextlib.contextmanager
def limit_threads(n: int) -> Iterator[None]:
    """Use at most n threads for large batches inside a `with` statement.

        with jounce.limit_threads(1):
            tau = robot.inverse_dynamics(q, v, a)

    It holds for the thread (or asyncio task) that enters it, and for what is done for it elsewhere,
    not for others: threads of a scheduler can each have their own, at the same time. Inside another
    limit the lower one holds; what `set_num_threads` says is never exceeded. Calls that XLA makes
    inside `jit` of JAX are on threads of its own, and follow `set_num_threads` alone.
    """
    most, before = _positive(n), _most.get()
    token = _most.set(most if before is None else min(before, most))
    try:
        yield
    finally:
        _most.reset(token)


def _positive(n: int) -> int:
    """A number of threads that somebody gives."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"the number of threads must be a positive integer, found {_shown(n)}")
    return int(n)


def _shown(n: Any) -> str:
    """Return how messages show an argument; Python refuses to print very large integers."""
    huge = isinstance(n, int) and abs(n) >= 10**40
    return "one of more than 40 digits" if huge else legible(repr(n), 60)


class _Piece:
    """A piece of work that is done once, by whichever thread comes first.

    Its lock is held while it is done, and only by `with` statements, which Ctrl-C cannot divide.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self.busy = threading.Lock()
        self._taken = False
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do it, or wait until the thread that does it is done."""
        with self.busy:
            self._do()

    def help(self) -> None:
        """Do it, unless a thread is at it; for threads that Ctrl-C does not reach."""
        if self.busy.acquire(blocking=False):
            try:
                self._do()
            finally:
                self.busy.release()

    def _do(self) -> None:
        if not self._taken:
            self._taken = True
            try:
                self.result = self._work()
            except BaseException as error:
                self.error = error

    def drop(self) -> None:
        """Leave it undone, unless a thread has begun; and if one has, wait until it is done."""
        with self.busy:
            self._taken = True


def share(n: int, count: int, work: Callable[[slice], T]) -> list[T]:
    """The results of work(slice) for `count` slices of range(n), done here and on other threads.

    Others begin with the last slice, the caller with the first. However it ends, no thread is at
    work any more when it does.
    """
    edges = [n * k // count for k in range(count + 1)]
    pieces = [_Piece(partial(work, slice(a, b))) for a, b in pairwise(edges)]
    try:
        for piece in pieces[:0:-1]:
            pool.offer(piece.help)
        for piece in pieces:
            if not piece.busy.locked():
                piece.run()
        for piece in pieces:
            piece.run()
    except BaseException:
        _drop(pieces)
        raise
    for piece in pieces:
        if piece.error is not None:
            raise piece.error
    return [piece.result for piece in pieces]


def _drop(pieces: Sequence[_Piece]) -> None:
    """Wait for what other threads have begun, interrupted or not: they write to the result."""
    for piece in pieces:
        while True:
            try:
                piece.drop()
                break
            except BaseException:
                continue
