"""Robots for tests of time derivatives, and the two ways to expand a quantity in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import AnyQuantity
from jounce.formulas.motions import time_derivatives
from jounce.model.model import Model
from support.case import Case
from support.helpers import (
    assert_close,
    joined,
    quiet_read,
    with_frames,
    with_friction,
    with_two_roots,
)
from support.robots import ALL_KINDS, SINGLE, random_model

#: How many derivatives are compared, and how closely.
ORDER = 6
TOLERANCE = 1e-11


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(17)
    two_motions = (*SINGLE, "universal", "cylindrical")
    return {
        "serial": random_model(rng, 4, SINGLE, branching=False),
        "branching": random_model(rng, 7, SINGLE),
        "universal, cylindrical": random_model(rng, 5, two_motions),
        "mimic": random_model(rng, 6, SINGLE, mimic=True),
        "two roots": with_two_roots(random_model(rng, 5, SINGLE)),
        "kuka": replace(quiet_read("iiwa14_mueller_kumar2021"), frames=()),
        "every kind": random_model(rng, len(ALL_KINDS)),
        "every kind, serial": random_model(rng, len(ALL_KINDS), branching=False),
        "floating": random_model(rng, 5, ("revolute", "prismatic"), floating=True),
        "floating, mimic": random_model(
            rng, 7, ("revolute", "helical", "spherical", "planar"), mimic=True, floating=True
        ),
    }


MODELS = _models()
ONE_DOF = [name for name in MODELS if "kind" not in name and "floating" not in name]


@cache
def made(name: str) -> Case:
    """One of MODELS, with frames and friction, at a random state."""
    rng = np.random.default_rng(23)
    return Case(with_friction(with_frames(MODELS[name], rng), rng), 24, order=ORDER)


def series(case: Case, row: AnyQuantity, order: int, *frame: int) -> list[Any]:
    """Value and derivatives by `formulas.wrt_time`; several results `joined` in every order."""
    timed = derivative(row, f"rates({order})")
    levels = timed.formula(case.tree, *case.given(timed), *frame)
    count = len(row.shapes)
    return [joined(tuple(levels[k : k + count])) for k in range(0, len(levels), count)]


def jets(case: Case, formula: Callable[..., Any], order: int) -> list[Any]:
    """Value and derivatives of formula(tree, q[, v[, a]]), on plain jets."""
    return time_derivatives(formula, case.tree, case.q, case.rates, order)


def all_close(
    actual: Sequence[Any], expected: Sequence[Any], what: str, tolerance: float = TOLERANCE
) -> None:
    """Equal in every order."""
    assert len(actual) == len(expected), what
    for k, (x, y) in enumerate(zip(actual, expected, strict=True)):
        assert_close(x, y, tolerance, f"{what}, order {k}", floor=1e-3)
