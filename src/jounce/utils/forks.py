"""Locks that delay forks and the end of the process while threads compile.

A forked process inherits the state of every lock, but not the threads that would release it; and
the process crashes if LLVM is torn down while a thread still compiles. So any number of threads may
compile at once, while a fork or the end of the process waits until none does. From then on only the
thread that ends the process may compile.

Each thread has its own lock and holds it while it compiles (`compiling`); a fork acquires all these
locks, the oldest first. `with` statements acquire and release locks in one step, so that Ctrl-C
leaves none locked. A thread started by a compiling thread can always enter: its lock is younger, so
that a fork waits for the lock of its starter first.
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

# Compiling threads may need these modules while a fork waits for them, so their hooks must be
# registered before ours: hooks that run before a fork run in reverse order.
_REGISTERED_BEFORE = (concurrent.futures.thread, logging)

_local = threading.local()  # .lock: the lock of the thread
#: Locks of all threads in the order of their first use; protected by `_registry_lock`.
_locks: weakref.WeakKeyDictionary[Any, None] = weakref.WeakKeyDictionary()
_registry_lock = threading.RLock()
_all_locks_lock = threading.RLock()  # held while one thread acquires all locks
_registered: list[Any] = []  # further locks that a fork acquires
_acquired: list[Any] = []  # locks that a fork has acquired
_exiting_thread: int | None = None
_at_exit: list[Callable[[], None]] = []
_interrupted = False


def compiling(*, patient: bool = True) -> AbstractContextManager[Any]:
    """Return a context manager that delays forks and the end of the process; can be nested.

    If the process is already ending, a patient thread waits here for its end; for other threads,
    SystemExit is raised.
    """
    lock = _thread_lock()
    if _exiting_thread not in (None, threading.get_ident()) and not lock._is_owned():
        if not patient:
            raise SystemExit
        while True:
            time.sleep(3600.0)
    return lock


def _thread_lock() -> Any:
    """Return the lock of this thread."""
    lock = getattr(_local, "lock", None)
    if lock is None:
        lock = threading.RLock()
        with _registry_lock:
            _locks[lock] = None
        _local.lock = lock
    return lock


def is_exiting() -> bool:
    """Return whether this thread is ending the process, and so cannot start threads.

    If another thread is ending the process, SystemExit ends this thread silently.
    """
    if _exiting_thread not in (None, threading.get_ident()):
        raise SystemExit
    return _exiting_thread is not None


def before_exit(stop: Callable[[], None]) -> Callable[[], None]:
    """Register a function that stops compiling threads when the process is about to end."""
    _at_exit.append(stop)
    return stop


def register_lock(lock: Any) -> Any:
    """Return a lock after registering it for forks, which wait until no other thread holds it."""
    _registered.append(lock)
    return lock


def _acquire(lock: Any) -> None:
    """Acquire a lock despite signals, which are remembered."""
    global _interrupted
    while True:
        try:
            lock.acquire()
            _acquired.append(lock)
            return
        except BaseException:
            _interrupted = True


def _acquire_all() -> None:
    """Wait until no other thread is compiling, and let none begin."""
    _thread_lock()
    _acquire(_all_locks_lock)
    taken: set[int] = set()
    while True:
        with _registry_lock:
            # compiling threads may still start workers
            missing = [lock for lock in _locks if id(lock) not in taken]
        if not missing:
            return
        for lock in missing:
            _acquire(lock)
            taken.add(id(lock))


def _release_all() -> None:
    while _acquired:
        _acquired.pop().release()


def _before() -> None:
    global _interrupted
    _interrupted = False
    _acquire_all()
    for lock in (_registry_lock, *_registered):
        _acquire(lock)


def _in_parent() -> None:
    _release_all()
    if _interrupted:
        # exceptions in this hook are lost: interrupt once it is done
        _thread.start_new_thread(_interrupt, ())


def _interrupt() -> None:
    time.sleep(0.01)
    _thread.interrupt_main()


def _in_child() -> None:
    global _exiting_thread
    _release_all()
    _exiting_thread = None


def _wait_for_others() -> None:
    """Let compiling threads finish, and block all others from then on."""
    global _exiting_thread
    _exiting_thread = threading.get_ident()
    for stop in _at_exit:
        stop()
    _acquire_all()
    _acquired.clear()


_thread_lock()  # now, since workers of a signal handler could wait for `_registry_lock` later
atexit.register(_wait_for_others)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
