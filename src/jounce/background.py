"""Long work on threads of its own, so that its caller can be interrupted at any moment.

Tracing and compiling need deep stacks, which a caller's thread may not have, and NumPy's loops over
objects do not survive a KeyboardInterrupt. So both run on a thread made for them, while the caller
waits where Ctrl-C can reach it; interrupted, it tells the work to stop and leaves.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from typing import Any, TypeVar, cast

from jounce import forks

T = TypeVar("T")

#: Stack of a worker in bytes: LLVM recurses deeply, and so do formulas through NumPy.
_STACK = 16 << 20

#: How often a caller looks up while it waits, in seconds; some systems cannot interrupt a wait.
_LOOK_UP = 0.1

_starting = threading.Lock()
_workers: set[_Worker] = set()


class Stopped(Exception):
    """The caller of the work is gone."""


class _Worker(threading.Thread):
    """A thread for one piece of work."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="jounce-worker", daemon=True)
        self._work, self._context = work, copy_context()
        self._stoppers: list[Callable[[], None]] = []
        self.stopped = False
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        """Do the work, inside the gate."""
        try:
            with forks.compiling(patient=False):  # the caller, inside the gate, waits for it
                self.result = self._context.run(self._work)
        except BaseException as error:
            self.error = error
        finally:
            _workers.discard(self)
            self.done.set()

    def stop(self) -> None:
        """Tell the work to end early."""
        self.stopped = True
        for stopper in tuple(self._stoppers):
            stopper()

    @contextlib.contextmanager
    def listening(self, stopper: Callable[[], None]) -> Iterator[None]:
        """Have `stopper` called if the work is told to stop meanwhile."""
        self._stoppers.append(stopper)
        try:
            if self.stopped:
                stopper()
            yield
        finally:
            self._stoppers.remove(stopper)

    def outcome(self) -> Any:
        """Wait for the end: the result, or the error raised here."""
        try:
            while not self.done.wait(_LOOK_UP):
                pass
        except BaseException:
            self.stop()
            raise
        if self.error is not None:
            if self.stopped:
                forks.leaving()
            try:
                raise self.error
            finally:
                self.error = None  # its traceback holds on to this frame
        return self.result


def _started(work: Callable[[], Any]) -> _Worker | None:
    """A worker at its work, or None if there can be no more threads."""
    worker = _Worker(work)
    with forks.compiling(), _starting:
        if forks.leaving():
            return None
        before = threading.stack_size(_STACK)
        _workers.add(worker)
        try:
            worker.start()
        except (RuntimeError, MemoryError):  # out of threads, or of memory for their stacks
            _workers.discard(worker)
            return None
        finally:
            threading.stack_size(before)
    return worker


def _current() -> _Worker | None:
    thread = threading.current_thread()
    return thread if isinstance(thread, _Worker) else None


def run(work: Callable[[], T]) -> T:
    """The result of the work, done on a worker while this thread waits."""
    worker = None if _current() else _started(work)
    return work() if worker is None else cast(T, worker.outcome())


def check() -> None:
    """Raise `Stopped` if nobody waits for the work of this thread any more."""
    worker = _current()
    if worker is not None and worker.stopped:
        raise Stopped("interrupted")


@contextlib.contextmanager
def stoppable(stopper: Callable[[], None]) -> Iterator[None]:
    """Have `stopper` called (from another thread) if this thread's work is told to stop."""
    worker = _current()
    with contextlib.nullcontext() if worker is None else worker.listening(stopper):
        yield


def parallel(work: Callable[[T], Any], items: Iterable[T], count: int) -> Iterator[tuple[int, Any]]:
    """(index, work(item)) of every item, as they are done, by up to `count` threads."""
    queue, taking = enumerate(items), threading.Lock()
    ready, found = threading.Condition(), cast(list[tuple[int, Any]], [])

    def take() -> None:
        while True:
            check()
            with taking:
                pair = next(queue, None)
            if pair is None:
                return
            result = work(pair[1])
            with ready:
                found.append((pair[0], result))
                ready.notify()

    workers = [w for w in (_started(take) for _ in range(count)) if w is not None]
    if not workers:
        take()
    try:
        while True:
            idle = not any(worker.is_alive() for worker in workers)
            with ready:
                if not found and not idle:
                    ready.wait(_LOOK_UP)
                fresh, found[:] = list(found), []
            yield from fresh
            if idle and not fresh:
                break
            check()
        for worker in workers:
            worker.outcome()
    finally:
        for worker in workers:
            worker.stop()


@forks.before_exit
def _stop_all() -> None:
    for worker in tuple(_workers):
        worker.stop()
