"""What a tape can become: arithmetic, machine code, source text, WebAssembly.

docs/guide/backends.md adds one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from numpy.typing import DTypeLike

from jounce.backends.function import Function, Results
from jounce.errors import suggest
from jounce.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)


class Backend(Protocol):
    """What a module offers to be a backend."""

    def build(
        self, function: Function, dtype: DTypeLike = float
    ) -> Callable[..., Results] | str | bytes:
        """The function on arrays, its source text, or the bytes of a module.

        A callable takes an array per input, whose leading axes broadcast, and returns a tuple with
        an array per output. dtype: float64 or float32; a ValueError says if there is no such code.
        """
        ...


#: The module of each backend, which is imported when asked for.
BACKENDS: dict[str, str] = {
    "interpreter": "jounce.backends.interpreter",
    "llvm": "jounce.backends.llvm",
    "c": "jounce.backends.c",
    "cuda": "jounce.backends.cuda",
    "matlab": "jounce.backends.matlab",
    "wasm": "jounce.backends.wasm",
}


def backend(name: str) -> Backend:
    """A backend by its name."""
    if name not in BACKENDS:
        raise ValueError(f"there is no backend '{name}'; {suggest(name, BACKENDS)}")
    return cast(Backend, import_module(BACKENDS[name]))
