"""From recorded formulas to code: graphs, straight-line tapes, and what tapes become.

`graph` has the tracing scalar, the operations (`graph/ops.py`), the tape and passes over it;
`targets` turns a tape into machine code, PTX, C, CUDA, MATLAB or WebAssembly, behind one table.
Imports nothing of robots: only `utils` and `errors`. Start with `graph/expr.py`, then
`graph/tape.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.compiler import graph, targets

__all__ = ["graph", "targets"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
