"""Compiler: expression graphs, straight-line tapes and code generators.

`graph` has the tracing scalar, the operations (`graph/ops.py`), the tape and passes over it;
`targets` generates machine code, PTX, C, CUDA, MATLAB or WebAssembly from a tape.
Independent of robots: imports only `utils` and `errors`. Start with `graph/expr.py`, then
`graph/tape.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.compiler import graph, targets

__all__ = ["graph", "targets"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
