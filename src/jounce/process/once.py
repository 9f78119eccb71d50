"""Things that are made once, however many threads ask for them first at the same time.

Machine code and NumPy's ufuncs point into what is made here, so a second copy must never exist: not
even for the moment until one of the two is dropped. Nothing here relies on the interpreter lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, MutableMapping
from contextlib import AbstractContextManager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from jounce.process.forks import compiling

T = TypeVar("T")
_MISSING = object()


def once(make: Callable[..., T]) -> Callable[..., T]:
    """A function that makes its result at the first call with some arguments and then keeps it."""
    made: dict[Hashable, T] = {}
    lock = threading.RLock()

    @wraps(make)
    def result(*key: Any) -> T:
        return entry(made, key, lambda: make(*key), lock)

    return result


def entry(
    table: MutableMapping[Any, Any],
    key: Hashable,
    make: Callable[[], T],
    lock: AbstractContextManager[Any],
) -> T:
    """The table's entry, made under its lock if it is not there yet."""
    found: Any = table.get(key, _MISSING)
    if found is _MISSING:
        with compiling(), lock:  # a fork must not inherit the lock while it is held
            found = table.get(key, _MISSING)
            if found is _MISSING:
                found = table[key] = make()
    return found


def lock_of(owner: Any) -> AbstractContextManager[Any]:
    """The lock under which what an object owns is made."""
    return vars(owner).setdefault("_making", threading.RLock())  # setdefault is atomic


class _OnceProperty:
    """functools.cached_property, made once: one lock per object, before and after Python 3.12."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        """The value; found on the object itself, without coming here, from then on."""
        if instance is None:
            return self
        table = vars(instance)
        return entry(table, self._name, lambda: self._make(instance), lock_of(instance))


if TYPE_CHECKING:  # checkers hold only properties to be what a protocol asks for
    once_property = property
else:
    once_property = _OnceProperty
