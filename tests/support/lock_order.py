"""Record in which order the package takes its locks, as a process of its own:

    python lock_order.py numpy | jax | torch

Every lock that code of the package makes is replaced by one that records which locks were held when
it was taken, by its thread or by those that wait for its thread; then `first_calls` is run. Exits
with an error if locks are taken in a circle. Prints how many locks and pairs of them there were.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from contextvars import ContextVar
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from types import FrameType, FunctionType
from typing import Any

#: Locks that are held, by this thread and by those that wait for it.
_held: ContextVar[tuple[str, ...]] = ContextVar("held", default=())

#: What was held when a lock was taken, by the lock's name.
before: defaultdict[str, set[str]] = defaultdict(set)

#: Locks that one thread takes and another one releases: workers inherit what their callers hold.
_HANDED_OVER = ("background.__init__", "background.begin")

_plain = {"Lock": threading.Lock, "RLock": threading.RLock}


class Recorded:
    """A lock that records what was held when it was taken."""

    def __init__(self, lock: Any, name: str) -> None:
        self._lock, self._name = lock, name

    def acquire(self, *args: Any, **options: Any) -> bool:
        taken = self._lock.acquire(*args, **options)
        if taken:
            held = _held.get()
            if self._name not in held:
                before[self._name].update(held)
            _held.set((*held, self._name))
        return taken

    def release(self) -> None:
        held = [*_held.get()]
        held.reverse()
        held.remove(self._name)
        held.reverse()
        _held.set(tuple(held))
        self._lock.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lock, name)


def _name(frame: FrameType) -> str:
    """Name a lock by where it is made; that of an entry by whose it is."""
    module = frame.f_globals["__name__"].rpartition(".")[2]
    given = frame.f_locals
    if not {"table", "key", "make"} <= given.keys():
        function = frame.f_code.co_name
        return module if module == "forks" and function == "_own" else f"{module}.{function}"
    cells = [cell.cell_contents for cell in getattr(given["make"], "__closure__", None) or ()]
    owners = [x for x in cells if _vars(x) is given["table"]] or cells
    return f"{' of '.join(map(_label, (given['key'], *owners)))} in {given['make'].__qualname__}"


def _vars(x: Any) -> dict[str, Any]:
    try:
        return object.__getattribute__(x, "__dict__")
    except AttributeError:
        return {}


def _label(x: Any) -> str:
    if isinstance(x, (tuple, list)):
        return f"({', '.join(map(_label, x))})"
    if isinstance(x, (str, int, float, type(None))):
        return repr(x)
    if isinstance(x, (FunctionType, type)):
        return x.__qualname__
    known = _vars(x)
    named = [str(known[k]) for k in ("_title", "title", "name") if k in known]
    inner = [
        _label(known[k]) for k in ("evaluable", "quantity", "owner", "definition") if k in known
    ]
    return " ".join((type(x).__name__, *named, *inner))


def _recording(kind: str) -> Any:
    def make() -> Any:
        frame = sys._getframe(1)
        lock = _plain[kind]()
        if not frame.f_globals.get("__name__", "").startswith("jounce"):
            return lock
        name = _name(frame)
        return lock if name in _HANDED_OVER else Recorded(lock, name)

    return make


threading.Lock, threading.RLock = _recording("Lock"), _recording("RLock")


def main(library: str) -> None:
    import_module("first_calls").ask(library)  # which imports the package
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        sys.exit("locks are taken in a circle:\n" + "\n".join(error.args[1]))
    print(len(before), sum(map(len, before.values())))


if __name__ == "__main__":
    main(sys.argv[1])
