"""Quantities of a task of one or several frames: `robot.task_space("hand", "foot")`.

Sizes in shapes: nr counts the rows of the task.
"""

from __future__ import annotations

from functools import partial

from jounce.catalog.quantity import Formula, Quantity, Result, Signature, Traits
from jounce.catalog.tables import Tables
from jounce.formulas import task_space

_SOLVES = Traits(joint_space=True, solves=True, inertial=True)
_INERTIAS = "kg m^2, kg m, kg"


def _quantities(of: task_space.Equations) -> list[Quantity]:
    """The quantities of a task, with the equations of a tree or a mechanism."""

    def quantity(
        name: str,
        formula: Formula,
        takes: str,
        shape: tuple[str, ...],
        doc: str,
        unit: str,
        equation: str,
        traits: Traits = _SOLVES,
    ) -> Quantity:
        signature = Signature(tuple(takes.split()))
        return Quantity(
            name, partial(formula, of), signature, (Result(shape),), doc, unit, equation, traits
        )

    space, moves = task_space, Traits()
    rows, square = ("nr", "nv"), ("nr", "nr")
    return [
        quantity(
            "jacobian",
            space.jacobian,
            "q",
            rows,
            "Rows of the body-fixed Jacobians of the frames, frame after frame.",
            "1, m",
            "J",
            moves,
        ),
        quantity(
            "jacobian_rate",
            space.jacobian_rate,
            "q v",
            rows,
            "Time derivative of the Jacobian.",
            "1/s, m/s",
            "dJ/dt",
            moves,
        ),
        quantity(
            "velocity",
            space.velocity,
            "q v",
            ("nr",),
            "Velocity of the task, in the axes of the frames.",
            "rad/s, m/s",
            "J v",
            moves,
        ),
        quantity(
            "inertia_inverse",
            space.inertia_inverse,
            "q",
            square,
            "Inverse inertia: accelerations of the task by wrenches on it.",
            "1/(kg m^2), 1/(kg m), 1/kg",
            "J M^-1 J^T",
        ),
        quantity(
            "inertia",
            space.inertia,
            "q",
            square,
            "Inertia that wrenches on the task meet.",
            _INERTIAS,
            "Lambda = (J M^-1 J^T)^-1",
        ),
        quantity(
            "jacobian_inverse",
            space.jacobian_inverse,
            "q",
            ("nv", "nr"),
            "Dynamically consistent inverse of the Jacobian.",
            "1, 1/m",
            "Jbar = M^-1 J^T Lambda",
        ),
        quantity(
            "coriolis_matrix",
            space.coriolis_matrix,
            "q v",
            square,
            "Coriolis matrix of the task, with dLambda/dt = C + C^T.",
            "kg m^2/s, kg m/s, kg/s",
            "(Jbar^T C - Lambda dJ/dt) Jbar",
        ),
        quantity(
            "bias",
            space.bias,
            "q v",
            ("nr",),
            "Wrenches on the task that keep its velocity, with no forces of the joints.",
            "N m, N",
            "Jbar^T (C v + g) - Lambda dJ/dt v",
        ),
        quantity(
            "null_space_projector",
            space.null_space_projector,
            "q",
            ("nv", "nv"),
            "Projector on velocities that do not move the task; its transpose projects forces.",
            "1",
            "N = 1 - Jbar J",
        ),
    ]


def _tables(of: task_space.Equations) -> Tables:
    tables = Tables({}, {}, {}, {}, {})
    for quantity in _quantities(of):
        tables.offer(quantity)
    return tables


TASK_SPACE = _tables(task_space.TREE)
CLOSED_TASK_SPACE = _tables(task_space.MECHANISM)
