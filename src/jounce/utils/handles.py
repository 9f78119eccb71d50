"""Objects by a string, for those who can keep only strings: graphs that other libraries record."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

_objects: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_numbers = itertools.count()


def handle(x: object) -> str:
    """A string that stands for an object as long as it lives, and for nothing else after."""
    name = f"{type(x).__name__}-{next(_numbers)}"
    _objects[name] = x
    return name


def handled(name: str) -> Any:
    """The object that a string stands for."""
    found = _objects.get(name)
    if found is None:
        raise LookupError(
            f"'{name}' names no object any more: the robot or quantity was deleted; keep a"
            " reference to it"
        )
    return found
