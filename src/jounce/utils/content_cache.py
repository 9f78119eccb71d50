"""Per-process cache of unpickled robots, keyed by content hash.

Distributed workers receive a robot with every task. Unpickling returns the cached robot, so that it
is not traced and compiled again for each task.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from jounce.utils import forks
from jounce.utils.once import entry

T = TypeVar("T")

#: Number of objects kept, the most recently used; a robot with its machine code takes a few MB.
MAX_OBJECTS = 32

_objects: OrderedDict[str, Any] = OrderedDict()
_lock = forks.register_lock(threading.RLock())


def get_shared(content: str, make: Callable[[], T]) -> T:
    """Return the cached object with this content hash; make it first if there is none."""
    value = entry(_objects, content, make)  # not under the lock: mechanisms compile
    with _lock:
        _objects[content] = value
        _objects.move_to_end(content)
        while len(_objects) > MAX_OBJECTS:
            _objects.popitem(last=False)
    return value


def hash_content(*parts: Any) -> str:
    """Return a hash of plain data that is the same in every process.

    Plain data are numbers, text, arrays, and lists, mappings and data classes of them; a TypeError
    reports other objects.
    """
    sha = hashlib.sha256()
    for part in parts:
        _update(sha, part)
    return sha.hexdigest()


def _update(sha: Any, x: Any) -> None:
    if isinstance(x, np.ndarray):
        sha.update(f"array {x.dtype.str} {x.shape};".encode())
        sha.update(np.ascontiguousarray(x).tobytes())
    elif isinstance(x, (list, tuple)):
        sha.update(f"{len(x)} items;".encode())
        for item in x:
            _update(sha, item)
    elif isinstance(x, Mapping):
        _update(sha, sorted(x.items()))
    elif is_dataclass(x) and not isinstance(x, type):
        sha.update(f"{type(x).__qualname__};".encode())
        for item in fields(x):
            _update(sha, getattr(x, item.name))
    elif x is None or isinstance(x, (bool, int, float, str, bytes, np.generic)):
        plain = x.item() if isinstance(x, np.generic) else x
        sha.update(f"{type(plain).__name__} {plain!r};".encode("utf-8", "backslashreplace"))
    else:
        raise TypeError(f"expected plain data, found {type(x).__name__}")
