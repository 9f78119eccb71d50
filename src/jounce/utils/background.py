"""Worker threads for long work, so that the caller can be interrupted at any time.

Tracing and compiling need deep stacks, which the caller's thread may not have, and NumPy's loops
over objects do not survive a KeyboardInterrupt. So both run on a worker thread, while the caller
waits where Ctrl-C can reach it; when interrupted, it stops the worker and returns.

Signal handlers run on the main thread, between any two of its instructions, and may need workers.
So the main thread holds no lock that a worker waits for: workers are started from another thread,
which signal handlers do not interrupt.
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
_STACK_BYTES = 16 << 20

#: Seconds after which the user is told what the program waits for.
PATIENCE = 4.0

#: Seconds between checks while a caller waits; some systems cannot interrupt a wait.
_POLL_SECONDS = 0.1

_starting = threading.Lock()  # held by launching threads only, briefly
_workers: set[_Worker] = set()


class Stopped(Exception):
    """The caller does not wait for the work anymore."""


class _Worker(threading.Thread):
    """A thread for one task."""

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
        """Do the work, while forks and the end of the process wait."""
        try:
            with forks.compiling(patient=False):  # the caller holds its lock and waits for this
                self.result = self._context.run(self._work)
        except BaseException as error:
            self.error = error
        finally:
            _workers.discard(self)
            self._busy.release()

    def begin(self) -> bool:
        """Start the thread; return False if no more threads can be started."""
        with forks.compiling():
            if forks.is_exiting():
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
                before = threading.stack_size(_STACK_BYTES)
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
    def on_stop(self, stopper: Callable[[], None]) -> Iterator[None]:
        """Return a context manager inside which `stop` calls `stopper`."""
        self._stoppers.append(stopper)
        try:
            if self.stopped:
                stopper()
            yield
        finally:
            self._stoppers.remove(stopper)

    def wait(self, tell: Callable[[], None] | None = None) -> Any:
        """Wait for the end of the work; return its result or raise its error."""
        begun = time.monotonic()
        while not self._busy.acquire(timeout=_POLL_SECONDS):
            if tell is not None and time.monotonic() - begun > PATIENCE:
                tell()
                tell = None
        if self.error is not None:
            if self.stopped:
                forks.is_exiting()
            try:
                raise self.error
            finally:
                self.error = None  # its traceback references this frame
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
    """Run work on a worker while this thread waits; if this is a worker, run it directly.

    Parameters
    ----------
    work : callable
    tell : callable, optional
        Called if the work takes longer than `PATIENCE`.
    needs : tuple of float and str, optional
        Bytes of memory that must be available before a worker is started, and their purpose.
        Ignored if this thread is a worker.

    Returns
    -------
    object
        Result of the work.

    Raises
    ------
    MemoryError
        If less memory is available than the work needs.
    """
    if _current():
        return work()
    if needs is not None:
        memory.require(*needs)
    worker = _Worker(work)
    try:
        return cast(T, worker.wait(tell)) if worker.begin() else work()
    except BaseException:
        worker.stop()
        raise


def check() -> None:
    """Raise `Stopped` if the caller does not wait for the work of this thread anymore."""
    worker = _current()
    if worker is not None and worker.stopped:
        raise Stopped("interrupted")


@contextlib.contextmanager
def stoppable(stopper: Callable[[], None]) -> Iterator[None]:
    """Return a context manager inside which stopping this thread's work calls `stopper`.

    The call comes from another thread.
    """
    worker = _current()
    with contextlib.nullcontext() if worker is None else worker.on_stop(stopper):
        yield


def parallel(work: Callable[[T], Any], items: Sequence[T], count: int) -> Iterator[tuple[int, Any]]:
    """Yield (index, work(item)) in the order of completion, computed by up to `count` threads."""
    queue, taking = enumerate(items), threading.Lock()
    ready, results = threading.Condition(), cast(list[tuple[int, Any]], [])

    def take_items() -> None:
        while True:
            check()
            with taking:
                pair = next(queue, None)
            if pair is None:
                return
            result = work(pair[1])
            with ready:
                results.append((pair[0], result))
                ready.notify()

    workers = [_Worker(take_items) for _ in range(min(count, len(items)))]
    workers = [worker for worker in workers if worker.begin()]
    if not workers:
        take_items()
    try:
        while True:
            idle = not any(worker.is_alive() for worker in workers)
            with ready:
                if not results and not idle:
                    ready.wait(_POLL_SECONDS)
                finished, results[:] = list(results), []
            yield from finished
            if (idle and not finished) or any(worker.error for worker in workers):
                break
            check()
    finally:
        for worker in workers:
            worker.stop()
    for worker in sorted(workers, key=lambda worker: worker.error is None):
        worker.wait()


@forks.before_exit
def _stop_all() -> None:
    for worker in tuple(_workers):
        worker.stop()
