"""A gate around work that neither a fork nor the end of the process may cut in two.

A forked process inherits every lock as it is, and none of the threads that would release it; LLVM
torn down under a thread that still compiles takes the process with it. So any number of threads may
compile at once, a fork waits until none does, and so does the end of the process, after which only
the thread that ends it may compile.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cached_property

_gate = threading.Condition()
_inside: dict[int, int] = {}  # how deep each compiling thread is; guarded by the gate
_leaving: int | None = None  # the thread that ends the process; guarded by the gate
_waiting = 0  # forks that wait for the gate; guarded by it
_at_exit: list[Callable[[], None]] = []


@contextlib.contextmanager
def compiling(*, patient: bool = True) -> Iterator[None]:
    """Hold off forks of other threads and the end of the process; may be nested.

    When the process is about to end, a patient thread ends with it here; another gets SystemExit.
    A patient one lets forks that wait go first, or they would wait for ever where many compile;
    another does not, since somebody inside may wait for it.
    """
    me = threading.get_ident()
    with _gate:
        while me not in _inside:
            ending = _leaving not in (None, me)
            if ending and not patient:
                raise SystemExit
            if not ending and not (_waiting and patient):
                break
            _gate.wait()  # for ever, if the process ends
        _inside[me] = _inside.get(me, 0) + 1
    try:
        yield
    finally:
        with _gate:
            _inside[me] -= 1
            if not _inside[me]:
                del _inside[me]
                _gate.notify_all()


def leaving() -> bool:
    """Whether this thread ends the process, and cannot start others; SystemExit if another does.

    SystemExit ends a thread without a word.
    """
    if _leaving not in (None, threading.get_ident()):
        raise SystemExit
    return _leaving is not None


def before_exit(stop: Callable[[], None]) -> None:
    """Have this called when the process is about to end, to make others leave the gate soon."""
    _at_exit.append(stop)


def _before() -> None:
    global _waiting
    me = threading.get_ident()
    _gate.acquire()  # and keep it over the fork: nobody begins to compile meanwhile
    _waiting += 1
    while set(_inside) - {me}:
        _gate.wait()


def _in_parent() -> None:
    global _waiting
    _waiting -= 1
    _gate.notify_all()
    _gate.release()


def _in_child() -> None:
    global _gate, _leaving, _waiting
    _gate = threading.Condition()
    _leaving, _waiting = None, 0
    if sys.version_info < (3, 12):
        _free_cached_properties()


def _free_cached_properties() -> None:
    """Give cached properties new locks; from Python 3.12 on they have none."""
    modules = [m for name, m in list(sys.modules.items()) if name.startswith("jounce.")]
    for kind in {x for m in modules for x in vars(m).values() if isinstance(x, type)}:
        for member in vars(kind).values():
            if isinstance(member, cached_property):
                member.lock = threading.RLock()  # pyright: ignore[reportAttributeAccessIssue]


def _wait_for_others() -> None:
    global _leaving
    me = threading.get_ident()
    with _gate:
        _leaving = me
    for stop in _at_exit:
        stop()
    with _gate:
        while set(_inside) - {me}:
            _gate.wait()


atexit.register(_wait_for_others)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
