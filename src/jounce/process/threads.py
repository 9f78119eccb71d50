"""Large batches: threads (NumPy releases the interpreter lock while a kernel runs) and memory."""

from __future__ import annotations

import _thread
import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np

from jounce.errors import ArgumentError
from jounce.process import forks, memory

Shape = tuple[int, ...]
T = TypeVar("T")


def _default() -> int:
    given = os.environ.get("JOUNCE_NUM_THREADS", "").strip()
    if given:
        if not (given.isascii() and given.isdigit()) or int(given) < 1:
            raise ArgumentError(f"JOUNCE_NUM_THREADS must be a positive integer, found {given!r}")
        return int(given)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


class _Pool:
    """The number of threads, and threads that wait for work once there was some.

    Not concurrent.futures' own: a Ctrl-C at the wrong moment makes that wait for ever.
    """

    def __init__(self) -> None:
        self.count = _default()
        self._lock = forks.guarded(threading.RLock())
        self._work: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._waiting = 0
        self._owner = os.getpid()

    def offer(self, work: Callable[[], None]) -> None:
        """Have a thread do the work, if there can be one."""
        with self._lock:
            if self._owner != os.getpid():  # a forked child does not inherit the threads
                self._work, self._waiting, self._owner = SimpleQueue(), 0, os.getpid()
            # numpy.errstate is a context variable: take the caller's along
            self._work.put(partial(copy_context().run, work))
            if self._waiting < self.count:
                with contextlib.suppress(RuntimeError):  # out of threads, or as the process ends
                    _thread.start_new_thread(_serve, (self._work,))
                    self._waiting += 1

    def resize(self, count: int) -> None:
        with self._lock:
            for _ in range(self._waiting):
                self._work.put(None)  # behind what they were given
            self._work, self._waiting, self.count = SimpleQueue(), 0, count


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
    """Use up to n threads for large batches (1: none but the caller's)."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"the number of threads must be a positive integer, found {n!r}")
    pool.resize(int(n))


def get_num_threads() -> int:
    """How many threads a large batch may use."""
    return pool.count


def call(
    ufunc: np.ufunc,
    args: Sequence[np.ndarray],
    options: dict[str, Any],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
) -> Any:
    """Evaluate a gufunc on a large batch, where that is safe: into recycled memory, and in slices
    of the first batch axis, one per thread.

    inputs, outputs: core shapes.
    """
    if not all(type(x) is np.ndarray for x in args):
        return ufunc(*args, **options)  # subclasses have a say in the result
    batch = _batch(args, inputs)
    results = None
    if batch:
        results = _destination(args, options, [batch + core for core in outputs])
    if batch is None or results is None:
        return ufunc(*args, **options)
    full = [np.broadcast_to(a, batch + core) for a, core in zip(args, inputs, strict=True)]
    count = min(pool.count, max(batch[0] // 2, 1))

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=tuple(out[part] for out in results))

    share(batch[0], count, work)
    return results[0] if len(results) == 1 else tuple(results)


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

    However it ends, no thread is at work any more when it does.
    """
    edges = [n * k // count for k in range(count + 1)]
    pieces = [_Piece(partial(work, slice(a, b))) for a, b in pairwise(edges)]
    try:
        for piece in pieces[1:]:
            pool.offer(piece.run)
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


def _batch(arrays: Sequence[np.ndarray], inputs: Sequence[Shape]) -> Shape | None:
    """The broadcast batch shape, or None if some argument does not fit."""
    if len(arrays) != len(inputs):
        return None
    batches = []
    for a, core in zip(arrays, inputs, strict=True):
        if a.ndim < len(core) or a.shape[a.ndim - len(core) :] != core:
            return None
        batches.append(a.shape[: a.ndim - len(core)])
    try:
        return np.broadcast_shapes(*batches)
    except ValueError:
        return None


def _destination(
    arrays: Sequence[np.ndarray], options: dict[str, Any], shapes: Sequence[Shape]
) -> list[np.ndarray] | None:
    """The arrays to write to, or None if the call is not one to slice (NumPy then handles it)."""
    if not set(options) <= {"out"}:
        return None
    given = options.get("out")
    if given is None:
        dtype = np.result_type(*arrays)
        return [memory.empty(shape, dtype) for shape in shapes] if dtype.char in "fd" else None
    results = list(given) if isinstance(given, tuple) else [given]
    # only of NumPy's own arrays is a slice sure to be a view
    if not all(type(out) in (np.ndarray, np.memmap) for out in results):
        return None
    if [out.shape for out in results] != list(shapes):
        return None
    if any(np.may_share_memory(out, a) for out in results for a in arrays):
        return None
    return results
