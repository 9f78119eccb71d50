"""Runtime: from an entry of the catalog and a tree to a callable.

`trace.py` records a formula on tracing scalars, `kernel.py` compiles the tape, `gufunc.py` and
`fastcall.py` call it, `batches.py` uses threads, `recycling.py` reuses the memory of results;
`cuda` does the same on devices, `native` is the C code. Imports everything up to `catalog`. Start
with `kernel.py`.
"""

from typing import TYPE_CHECKING

from jounce.runtime.kernel import Kernel
from jounce.runtime.recycling import release_memory
from jounce.runtime.trace import core_shape
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.runtime import cuda

__all__ = [
    "Kernel",
    "core_shape",
    "cuda",
    "release_memory",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
