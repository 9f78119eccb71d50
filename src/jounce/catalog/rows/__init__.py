"""One row per public quantity. Robot, command line, docs, tests and benchmarks iterate over it.

A row names the formula, its arguments, the shape and unit of its result, where the papers have it,
and the forms of its derivatives: see `row.Row`. All other derivatives go by the rules of `derived`.
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
