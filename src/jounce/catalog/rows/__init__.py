"""One entry per public quantity. Robot, command line, docs, tests and benchmarks iterate over it.

An entry names the formula, its arguments, its results and their unit, where the papers have it, and
closed forms of derivatives: see `quantity.Quantity`. All other derivatives go by rule. Start with
`dynamics.py`.
"""

from __future__ import annotations

from jounce.catalog.quantity import Quantity
from jounce.catalog.rows import (
    bodies,
    configurations,
    coriolis,
    dynamics,
    frames,
    momenta,
    steps,
    task,
)

__all__ = ["ROWS"]

ROWS: tuple[Quantity, ...] = (
    *dynamics.ROWS,
    *coriolis.ROWS,
    *momenta.ROWS,
    *bodies.ROWS,
    *frames.ROWS,
    *task.ROWS,
    *configurations.ROWS,
    *steps.ROWS,
)
