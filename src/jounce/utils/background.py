"""Long work on threads of its own, so that its caller can be interrupted at any moment.

Tracing and compiling need deep stacks, which a caller's thread may not have, and NumPy's loops over
objects do not survive a KeyboardInterrupt. So both run on a thread made for them, while the caller
waits where Ctrl-C can reach it; interrupted, it tells the work to stop and leaves.

Signal handlers run on the main thread, between any two steps of what it does, and may need workers
of their own. So the main thread holds no lock here that a worker waits for: workers are started
from a thread that signal handlers do not interrupt.
"""

from __future__ import annotations

import _thread
import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from typing import Any, TypeVar, cast

from jounce.utils import forks, memory

T = TypeVar("T")

#: Stack of a worker in bytes: LLVM recurses deeply, and so do formulas through NumPy.
_STACK = 16 << 20

#: Seconds after which a caller's user is told what it waits for.
PATIENCE = 4.0

#: How often a caller looks up while it waits, in seconds; some systems cannot interrupt a wait.
_LOOK_UP = 0.1

_starting = threading.Lock()  # held by launching threads only, for a moment
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
        # held until the work is done; unlike an Event it survives Ctrl-C at any moment
        self._busy = threading.Lock()
        self._busy.acquire()

    def run(self) -> None:
        """Do the work, inside the gate."""
        try:
            with forks.compiling(patient=False):  # the caller, inside the gate, waits for it
                self.result = self._context.run(self._work)
        except BaseException as error:
            self.error = error
        finally:
            _workers.discard(self)
            self._busy.release()

    def begin(self) -> bool:
        """Start, unless there can be no more threads."""
        with forks.compiling():
            if forks.leaving():
                return False
            launching = threading.Lock()
            launching.acquire()
            with contextlib.suppress(RuntimeError):  # out of threads
                _thread.start_new_thread(self._launch, (launching,))
                launching.acquire()
        return self.ident is not None

    def _launch(self, launching: threading.Lock) -> None:
        """Start with a large stack, from a thread that signal handlers do not interrupt."""
        _workers.add(self)
        try:
            with forks.compiling(patient=False), _starting:
                before = threading.stack_size(_STACK)
                try:
                    self.start()
                finally:
                    threading.stack_size(before)
        except (RuntimeError, MemoryError):  # out of threads, or of memory for their stacks
            _workers.discard(self)
        finally:
            launching.release()

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

    def outcome(self, tell: Callable[[], None] | None = None) -> Any:
        """Wait for the end: the result, or the error raised here."""
        begun = time.monotonic()
        while not self._busy.acquire(timeout=_LOOK_UP):
            if tell is not None and time.monotonic() - begun > PATIENCE:
                tell()
                tell = None
        if self.error is not None:
            if self.stopped:
                forks.leaving()
            try:
                raise self.error
            finally:
                self.error = None  # its traceback holds on to this frame
        return self.result


def _current() -> _Worker | None:
    thread = threading.current_thread()
    return thread if isinstance(thread, _Worker) else None


def run(
    work: Callable[[], T],
    tell: Callable[[], None] | None = None,
    *,
    needs: tuple[float, str] | None = None,
) -> T:
    """Do work on a worker while this thread waits; on a worker, at once.

    Parameters
    ----------
    work : callable
    tell : callable, optional
        Called if the work takes longer than `PATIENCE`.
    needs : tuple of float and str, optional
        Bytes of memory that must be available before a worker is started, and what for. Parts of
        the work that ask for memory of their own are not checked again.

    Returns
    -------
    object
        Result of the work.

    Raises
    ------
    MemoryError
        If there is less memory than the work needs.
    """
    if _current():
        return work()
    if needs is not None:
        memory.require(*needs)
    worker = _Worker(work)
    try:
        return cast(T, worker.outcome(tell)) if worker.begin() else work()
    except BaseException:
        worker.stop()
        raise


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


def parallel(work: Callable[[T], Any], items: Sequence[T], count: int) -> Iterator[tuple[int, Any]]:
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

    workers = [_Worker(take) for _ in range(min(count, len(items)))]
    workers = [worker for worker in workers if worker.begin()]
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
            if (idle and not fresh) or any(worker.error for worker in workers):
                break
            check()
    finally:
        for worker in workers:
            worker.stop()
    for worker in sorted(workers, key=lambda worker: worker.error is None):
        worker.outcome()


@forks.before_exit
def _stop_all() -> None:
    for worker in tuple(_workers):
        worker.stop()
