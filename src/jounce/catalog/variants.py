"""Rows with more: columns of a regressor for the drives, numbers of the robot as arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from jounce.catalog.row import Formula, Row
from jounce.formulas.mechanism.derivatives import drive_columns
from jounce.model.tree import Tree

#: Regressors with columns for the drives: whether Coulomb friction fades at low speed.
EXTENDED = {"extended": False, "extended_smooth": True}


def extended(row: Row, name: str) -> Row:
    """A regressor with further columns: armature, viscous and Coulomb friction of all joints."""
    smooth = EXTENDED[name]
    assert row.drives is not None
    places = [row.arguments.index(drive) for drive in row.drives]
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        smoothing = inputs[count] if smooth else None
        v, v_r, a_r = (inputs[k] for k in places)
        drives = drive_columns(tree, inputs[0], v, v_r, a_r, smoothing)
        return np.concatenate((row.formula(tree, *inputs[:count]), drives), axis=1)

    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=(*row.arguments, *(("smoothing",) if smooth else ())),
        optional=(),
        shape=("nv", "10nb+3nt"),
        doc=f"{row.doc} Then columns of armature, viscous and Coulomb friction of all joints.",
        letter=f"{row.letter}_{name}",
        drives=None,
        of=row,
        differentiable=False,
    )


# ------------------------------------------------------------------ numbers as arguments


@cache
def mounted(row: Row) -> Row:
    """The row with the motion of what the robot is mounted on as further optional arguments."""
    count = len(row.arguments) + len(row.optional)
    end = count + len(row.base)

    def formula(tree: Tree, *inputs: Any) -> Any:
        moving = replace(tree, base=tuple(inputs[count:end]))
        return row.formula(moving, *inputs[:count], *inputs[end:])

    return replace(row, formula=formula, optional=(*row.optional, *row.base), base=())


@cache
def parametric(row: Row) -> Row:
    """The row with the inertial parameters as its last argument, and gravity by name."""
    count = len(row.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        arguments, pi, rest = inputs[:count], inputs[count], inputs[count + 1 :]
        gravity = rest[-1] if rest else None
        return row.formula(tree.with_inertias(pi, gravity), *arguments, *rest[:-1])

    named = _with_numbers(row, formula, ("pi",), parametric)
    return replace(named, optional=(*row.optional, "gravity"))


@cache
def morphable(row: Row) -> Row:
    """The row with parameters, placements and screws as its last arguments."""
    count = len(row.arguments)
    shape = ("placements", "screws") if row.of_frame else ("pi", "placements", "screws")

    def formula(tree: Tree, *inputs: Any) -> Any:
        numbers = dict(zip(shape, inputs[count:], strict=False))
        if "pi" in numbers:
            tree = tree.with_inertias(numbers["pi"])
        tree = tree.with_geometry(numbers["placements"], numbers["screws"])
        return row.formula(tree, *inputs[:count], *inputs[count + len(shape) :])

    return _with_numbers(row, formula, shape, morphable)


def _with_numbers(
    row: Row, formula: Formula, names: tuple[str, ...], variant: Callable[[Row], Row]
) -> Row:
    """The row with some of the robot's numbers as further arguments."""
    return replace(
        row,
        formula=formula,
        arguments=(*row.arguments, *names),
        joint_space=False,
        rates=None,
        drives=None,
        constant=row,
        variant=variant,
    )
