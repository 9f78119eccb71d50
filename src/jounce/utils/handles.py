"""Weak registry from string ids to objects (graphs of torch.compile can only hold strings)."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

_objects: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_numbers = itertools.count()


def register_handle(x: object) -> str:
    """Return a unique string that stands for an object as long as the object exists."""
    name = f"{type(x).__name__}-{next(_numbers)}"
    _objects[name] = x
    return name


def resolve_handle(name: str) -> Any:
    """Return the object that a handle stands for."""
    value = _objects.get(name)
    if value is None:
        raise LookupError(
            f"the object '{name}' does not exist anymore, because its robot or quantity was"
            " deleted; keep a reference to it"
        )
    return value
