"""What comes to this process again and again from others, made once: known by its content.

Processes that share work send robots along with it, one with every task. What a robot is made of
then, tracing and compiling above all, must not be made again each time.
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

#: Residents kept, those used last; a robot with its machine code takes a few megabytes.
MOST = 32

_residents: OrderedDict[str, Any] = OrderedDict()
_lock = forks.guarded(threading.RLock())


def resident(content: str, make: Callable[[], T]) -> T:
    """Return the object with this content; make it first if there is none."""
    found = entry(_residents, content, make)  # not under the lock: mechanisms compile
    with _lock:
        _residents[content] = found
        _residents.move_to_end(content)
        while len(_residents) > MOST:
            _residents.popitem(last=False)
    return found


def content_of(*parts: Any) -> str:
    """A hash of plain data, the same in every process: numbers, text, arrays, and what holds them.

    Data classes count by their fields, other objects not at all: they are refused.
    """
    sha = hashlib.sha256()
    for part in parts:
        _add(sha, part)
    return sha.hexdigest()


def _add(sha: Any, x: Any) -> None:
    if isinstance(x, np.ndarray):
        sha.update(f"array {x.dtype.str} {x.shape};".encode())
        sha.update(np.ascontiguousarray(x).tobytes())
    elif isinstance(x, (list, tuple)):
        sha.update(f"{len(x)} items;".encode())
        for item in x:
            _add(sha, item)
    elif isinstance(x, Mapping):
        _add(sha, sorted(x.items()))
    elif is_dataclass(x) and not isinstance(x, type):
        sha.update(f"{type(x).__qualname__};".encode())
        for item in fields(x):
            _add(sha, getattr(x, item.name))
    elif x is None or isinstance(x, (bool, int, float, str, bytes, np.generic)):
        plain = x.item() if isinstance(x, np.generic) else x
        sha.update(f"{type(plain).__name__} {plain!r};".encode("utf-8", "backslashreplace"))
    else:
        raise TypeError(f"expected plain data, found {type(x).__name__}")
