"""Catalog of public quantities; robots, command line, docs, tests and benchmarks iterate over it.

An entry has the formula, its arguments, results with unit, references to papers, and closed forms
of derivatives: see `quantity.Quantity`. All other derivatives use automatic differentiation. Start
with `dynamics.py`.
"""

from __future__ import annotations

from jounce.catalog.quantities import (
    bodies,
    configurations,
    diagonalized,
    dynamics,
    equations_of_motion,
    frames,
    momenta,
    steps,
    task,
)
from jounce.catalog.quantity import Quantity

__all__ = ["QUANTITIES"]

QUANTITIES: tuple[Quantity, ...] = (
    *dynamics.QUANTITIES,
    *equations_of_motion.QUANTITIES,
    *diagonalized.QUANTITIES,
    *momenta.QUANTITIES,
    *bodies.QUANTITIES,
    *frames.QUANTITIES,
    *task.QUANTITIES,
    *configurations.QUANTITIES,
    *steps.QUANTITIES,
)
