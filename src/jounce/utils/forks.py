"""A gate around work that neither a fork nor the end of the process may cut in two.

A forked process inherits every lock as it is, and none of the threads that would release it; LLVM
torn down under a thread that still compiles takes the process with it. So any number of threads may
compile at once, a fork waits until none does, and so does the end of the process, after which only
the thread that ends it may compile.

Each thread has a lock of its own and is inside the gate while it holds it; who wants to fork takes
the locks of all, the oldest first. A lock is taken and released by a `with` statement in one step,
so that Ctrl-C leaves nobody inside. A thread that was started by one inside can always enter: its
lock is younger, so that a fork waits for the lock of the other first.
"""

from __future__ import annotations

import _thread
import atexit
import concurrent.futures.thread
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

# What compiling threads may need while a fork waits for them has its hooks registered before ours,
# and hooks before a fork run in reverse order.
_REGISTERED_BEFORE = (concurrent.futures.thread, logging)

_local = threading.local()  # .lock: of the thread
#: Locks of all threads in the order of their first use; guarded by the registry.
_locks: weakref.WeakKeyDictionary[Any, None] = weakref.WeakKeyDictionary()
_registry = threading.RLock()
_one_at_a_time = threading.RLock()  # for those who take the locks of all
_guarded: list[Any] = []  # further locks that a fork takes
_held: list[Any] = []  # what a fork has taken
_leaving: int | None = None  # the thread that ends the process
_at_exit: list[Callable[[], None]] = []
_interrupted = False


def compiling(*, patient: bool = True) -> AbstractContextManager[Any]:
    """Hold off forks of other threads and the end of the process; may be nested.

    When the process is about to end, a patient thread ends with it here; another gets SystemExit.
    """
    lock = _own()
    if _leaving not in (None, threading.get_ident()) and not lock._is_owned():
        if not patient:
            raise SystemExit
        while True:
            time.sleep(3600.0)
    return lock


def _own() -> Any:
    """The lock of this thread."""
    lock = getattr(_local, "lock", None)
    if lock is None:
        lock = threading.RLock()
        with _registry:
            _locks[lock] = None
        _local.lock = lock
    return lock


def leaving() -> bool:
    """Whether this thread ends the process, and cannot start others; SystemExit if another does.

    SystemExit ends a thread without a word.
    """
    if _leaving not in (None, threading.get_ident()):
        raise SystemExit
    return _leaving is not None


def before_exit(stop: Callable[[], None]) -> Callable[[], None]:
    """Have this called when the process is about to end, to make others leave the gate soon."""
    _at_exit.append(stop)
    return stop


def guarded(lock: Any) -> Any:
    """The lock, which no fork finds held by another thread; to be held for moments only."""
    _guarded.append(lock)
    return lock


def _take(lock: Any) -> None:
    """Take a lock, whatever signals arrive; they are remembered."""
    global _interrupted
    while True:
        try:
            lock.acquire()
            _held.append(lock)
            return
        except BaseException:
            _interrupted = True


def _take_all() -> None:
    """Wait until no other thread is inside, and let none in."""
    _own()
    _take(_one_at_a_time)
    taken: set[int] = set()
    while True:
        with _registry:
            # workers of threads inside may still come
            missing = [lock for lock in _locks if id(lock) not in taken]
        if not missing:
            return
        for lock in missing:
            _take(lock)
            taken.add(id(lock))


def _release_all() -> None:
    while _held:
        _held.pop().release()


def _before() -> None:
    global _interrupted
    _interrupted = False
    _take_all()
    for lock in (_registry, *_guarded):
        _take(lock)


def _in_parent() -> None:
    _release_all()
    if _interrupted:
        # exceptions in this hook are lost: interrupt once it is done
        _thread.start_new_thread(_interrupt, ())


def _interrupt() -> None:
    time.sleep(0.01)
    _thread.interrupt_main()


def _in_child() -> None:
    global _leaving
    _release_all()
    _leaving = None


def _wait_for_others() -> None:
    """Let those inside finish, and keep everybody out from then on."""
    global _leaving
    _leaving = threading.get_ident()
    for stop in _at_exit:
        stop()
    _take_all()
    _held.clear()


_own()  # not in the middle of a call, where a signal handler's workers would wait for the registry
atexit.register(_wait_for_others)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
