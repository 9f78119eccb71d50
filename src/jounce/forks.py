"""Forks that wait for compilations, so that the new process can compile too.

A forked process inherits every lock as it is, and none of the threads that would release it. Here
any number of threads may compile at once, and a fork waits until none does.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import cached_property

_gate = threading.Condition()
_inside: dict[int, int] = {}  # how deep each compiling thread is; guarded by the gate


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Hold off forks of other threads; may be nested."""
    me = threading.get_ident()
    with _gate:
        _inside[me] = _inside.get(me, 0) + 1
    try:
        yield
    finally:
        with _gate:
            _inside[me] -= 1
            if not _inside[me]:
                del _inside[me]
                _gate.notify_all()


def _before() -> None:
    me = threading.get_ident()
    _gate.acquire()  # and keep it over the fork: nobody begins to compile meanwhile
    while set(_inside) - {me}:
        _gate.wait()


def _in_parent() -> None:
    _gate.release()


def _in_child() -> None:
    global _gate
    _gate = threading.Condition()
    if sys.version_info < (3, 12):
        _free_cached_properties()


def _free_cached_properties() -> None:
    """Give cached properties new locks; from Python 3.12 on they have none."""
    modules = [m for name, m in list(sys.modules.items()) if name.startswith("jounce.")]
    for kind in {x for m in modules for x in vars(m).values() if isinstance(x, type)}:
        for member in vars(kind).values():
            if isinstance(member, cached_property):
                member.lock = threading.RLock()  # pyright: ignore[reportAttributeAccessIssue]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
