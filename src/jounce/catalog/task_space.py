"""Quantities of a task of one or several frames: `robot.task_space("hand", "foot")`.

Sizes in shapes: nr counts the rows of the task.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from jounce.catalog.quantity import Formula, Quantity, Result, Signature, Traits
from jounce.catalog.tables import Tables
from jounce.formulas import task_space

_SOLVES = Traits(joint_space=True, solves=True, inertial=True)
_INERTIAS = "kg m^2, kg m, kg"

#: Name, formula, arguments, shape, description, unit and equation of each quantity.
_ROWS: tuple[tuple[str, Formula, str, tuple[str, ...], str, str, str], ...] = (
    (
        "jacobian",
        task_space.jacobian,
        "q",
        ("nr", "nv"),
        "Rows of the body-fixed Jacobians of the frames, frame after frame.",
        "1, m",
        "J",
    ),
    (
        "jacobian_rate",
        task_space.jacobian_rate,
        "q v",
        ("nr", "nv"),
        "Time derivative of the Jacobian.",
        "1/s, m/s",
        "dJ/dt",
    ),
    (
        "velocity",
        task_space.velocity,
        "q v",
        ("nr",),
        "Velocity of the task, in the axes of the frames.",
        "rad/s, m/s",
        "J v",
    ),
    (
        "inertia_inverse",
        task_space.inertia_inverse,
        "q",
        ("nr", "nr"),
        "Inverse inertia: accelerations of the task by wrenches on it.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "J M^-1 J^T",
    ),
    (
        "inertia",
        task_space.inertia,
        "q",
        ("nr", "nr"),
        "Inertia that wrenches on the task meet.",
        _INERTIAS,
        "Lambda = (J M^-1 J^T)^-1",
    ),
    (
        "jacobian_inverse",
        task_space.jacobian_inverse,
        "q",
        ("nv", "nr"),
        "Dynamically consistent inverse of the Jacobian.",
        "1, 1/m",
        "Jbar = M^-1 J^T Lambda",
    ),
    (
        "coriolis_matrix",
        task_space.coriolis_matrix,
        "q v",
        ("nr", "nr"),
        "Coriolis matrix of the task, with dLambda/dt = C + C^T.",
        "kg m^2/s, kg m/s, kg/s",
        "(Jbar^T C - Lambda dJ/dt) Jbar",
    ),
    (
        "bias",
        task_space.bias,
        "q v",
        ("nr",),
        "Wrenches on the task that keep its velocity, with no forces of the joints.",
        "N m, N",
        "Jbar^T (C v + g) - Lambda dJ/dt v",
    ),
    (
        "null_space_projector",
        task_space.null_space_projector,
        "q",
        ("nv", "nv"),
        "Projector on velocities that do not move the task; its transpose projects forces.",
        "1",
        "N = 1 - Jbar J",
    ),
)

#: Quantities of the motion only: they solve no equations.
_KINEMATIC = ("jacobian", "jacobian_rate", "velocity")


def _quantity(equations: task_space.Equations, row: tuple[Any, ...]) -> Quantity:
    """Return a quantity of a task, with the equations of a tree or a mechanism."""
    name, formula, takes, shape, doc, unit, equation = row
    traits = Traits() if name in _KINEMATIC else _SOLVES
    takes, results = Signature(tuple(takes.split())), (Result(shape),)
    return Quantity(name, partial(formula, equations), takes, results, doc, unit, equation, traits)


def _tables(equations: task_space.Equations, **traits: bool) -> Tables:
    tables = Tables({}, {}, {}, {}, {}, {"tasks": True, **traits})
    for row in _ROWS:
        tables.insert(_quantity(equations, row))
    return tables


TASK_SPACE = _tables(task_space.TREE)
CLOSED_TASK_SPACE = _tables(task_space.MECHANISM, loops=True)
