"""Intermediate representation: tracing scalar, operations, tape, passes over tapes.

`expr.py` records a formula as a graph, `ops.py` has one entry per operation, `tape.py` turns a
graph into straight-line code, `passes.py` and `registers.py` schedule it and allocate registers,
`differentiate.py` differentiates it. Imports `utils` and `errors`. Start with `expr.py`.
"""

from typing import TYPE_CHECKING

from jounce.compiler.graph.choices import arctangent
from jounce.compiler.graph.expr import Graph, GraphFull
from jounce.compiler.graph.tape import Tape, record
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.compiler.graph import ops

__all__ = [
    "Graph",
    "GraphFull",
    "Tape",
    "arctangent",
    "ops",
    "record",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
