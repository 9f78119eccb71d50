"""Thread-safe lazy initialization: every entry of a table is made once and published once.

Lock order. Each entry that is being made has its own lock, which exists until the entry is
published. A thread acquires the lock of B while it holds that of A only if making A needs B. A
cycle would be an endless recursion in a single thread, so threads cannot deadlock, and independent
entries are made in parallel. No entry is made under any other lock of the package.

Signals. A signal handler may need an entry that the interrupted code is making, or one whose maker
waits for that. Waiting would deadlock, so the handler makes a second copy. Work that another thread
does for a caller runs in the caller's context, and is treated as the caller's.

Copies. An entry is published by `setdefault`: a second copy is discarded in favor of the published
one, so all users see one object, and machine code points only into that one.
Nothing here relies on the interpreter lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, MutableMapping
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from jounce.utils.forks import compiling

T = TypeVar("T")
_MISSING = object()

_Place = tuple[int, Hashable]  # the identity of a table, and a key in it

#: Locks of the entries that are being made.
_locks: dict[_Place, threading.Lock] = {}

#: Entries that are being made by this code and its callers, on any thread.
_making: ContextVar[frozenset[_Place]] = ContextVar("jounce_making", default=frozenset())

#: Waiting threads: the entries that each is making, and the entry that it waits for.
_waiting: dict[object, tuple[frozenset[_Place], _Place]] = {}


def once(make: Callable[..., T]) -> Callable[..., T]:
    """Return a function that computes its result at the first call with given arguments."""
    made: dict[Hashable, T] = {}

    @wraps(make)
    def result(*key: Any) -> T:
        return entry(made, key, lambda: make(*key))

    return result


def entry(table: MutableMapping[Any, Any], key: Hashable, make: Callable[[], T]) -> T:
    """Return the table's entry; make it first if it is missing."""
    value: Any = table.get(key, _MISSING)
    return _publish(table, key, make) if value is _MISSING else value


def _publish(table: MutableMapping[Any, Any], key: Hashable, make: Callable[[], T]) -> T:
    """Make an entry, unless another thread makes it in the meantime."""
    place, outer, waiter = (id(table), key), _making.get(), object()
    _waiting[waiter] = outer, place
    try:
        if _waits_for(place, outer):
            _waiting.pop(waiter)
            return table.setdefault(key, make())
        token = _making.set(outer | {place})
        try:
            # a fork must not inherit the lock while it is held
            with compiling(), _locks.setdefault(place, threading.Lock()):
                _waiting.pop(waiter)
                value: Any = table.get(key, _MISSING)
                return table.setdefault(key, make()) if value is _MISSING else value
        finally:
            _making.reset(token)
            _locks.pop(place, None)
    finally:
        _waiting.pop(waiter, None)


def _waits_for(place: _Place, outer: frozenset[_Place]) -> bool:
    """Return whether an entry is in `outer`, or its maker waits, directly or not, for one."""
    seen, reached = set[_Place](), [place]
    while reached:
        place = reached.pop()
        if place in outer:
            return True
        if place not in seen:
            seen.add(place)
            reached += [wanted for held, wanted in tuple(_waiting.values()) if place in held]
    return False


class _OnceProperty:
    """A property that is computed once and kept in the object's `__dict__`."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        """Return the value; later lookups find it on the object without coming here."""
        if instance is None:
            return self
        return entry(vars(instance), self._name, lambda: self._make(instance))


# If a base class or a protocol declares a property (tree, sizes), type checkers accept only a
# property; the two descriptors have the same type for them.
if TYPE_CHECKING:
    once_property = property
else:
    once_property = _OnceProperty


class special_attribute:
    """A special attribute of objects, such as `__doc__`, made at its first use.

    On the class itself it is `of_class`.
    """

    def __init__(self, name: str, make: Callable[[Any], Any], of_class: Any = None) -> None:
        self._name, self._make, self._of_class = name, make, of_class

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is not None:
            return entry(vars(instance), self._name, lambda: self._make(instance))
        if self._of_class is None:
            raise AttributeError(self._name)
        return self._of_class
