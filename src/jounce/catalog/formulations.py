"""Formulations of a derivative: its closed form, and automatic differentiation in two modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from jounce.catalog.row import Formula, Row
from jounce.math.alternatives import choose
from jounce.model.tree import Tree

#: Names of formulations in `Evaluable.cost`.
CLOSED, FORWARD, REVERSE = "closed form", "forward mode", "reverse mode"


def modes(row: Row, formula: Callable[..., Any]) -> dict[str, Formula]:
    """Forward and reverse mode of a formula with `reverse` by name; of a scalar reverse first."""
    modes = {FORWARD: partial(formula, reverse=False), REVERSE: partial(formula, reverse=True)}
    scalar = all(shape == () for shape in row.shapes)
    return dict(reversed(modes.items())) if scalar else modes


def shortest(subject: str, formulas: Mapping[str, Formula]) -> Formula:
    """A formula with several formulations, of which tracing takes the shortest."""
    if len(formulas) == 1:
        return next(iter(formulas.values()))

    def formula(tree: Tree, *inputs: Any) -> Any:
        return choose(subject, formulas)(tree, *inputs)

    return formula


def reordered(closed: Formula, others: list[str], axes: tuple[str, ...]) -> Formula:
    """A derivative with its last axes put in the order of `axes`; those of one kind keep theirs."""
    count, places = len(axes), []
    for axis in axes:
        places.append(others.index(axis) - count)
        others[others.index(axis)] = ""

    def formula(tree: Tree, *inputs: Any) -> Any:
        return np.moveaxis(closed(tree, *inputs), places, range(-count, 0))

    return formula
