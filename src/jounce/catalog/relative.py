"""Quantities of one frame seen from another: `robot.frame("tool").relative_to("camera")`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jounce.catalog.charts import POSE
from jounce.catalog.quantity import Form, Quantity, Result, Signature
from jounce.catalog.tables import Tables
from jounce.formulas import relative
from jounce.formulas.mechanism.lifted import lift_formula
from jounce.model.tree import Tree


def _of_task(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return the formula of the two frames that the tree's tasks name."""

    def of_pair(tree: Tree, *arguments: Any) -> Any:
        (frame, _), (reference, _) = tree.tasks
        return formula(tree, *arguments, frame, reference)

    return of_pair


_JACOBIAN = _of_task(relative.relative_jacobian)

_QUANTITIES = (
    Quantity(
        "pose",
        _of_task(relative.relative_pose),
        Signature(("q",)),
        (Result((4, 4), "T", POSE),),
        "Homogeneous matrix of the frame in the reference; .dq is the Jacobian.",
        "1, m",
        "T_r^-1 T_f",
        forms={"dq": Form(_JACOBIAN, doc="Derivative dq of pose, which is the Jacobian (6, nv).")},
    ),
    Quantity(
        "jacobian",
        _JACOBIAN,
        Signature(("q",)),
        (Result((6, "nv"), "J"),),
        "Jacobian of the relative twist, in the axes of the frame.",
        "1, m",
        "J_f - Ad_T^-1 J_r",
    ),
    Quantity(
        "twist",
        _of_task(relative.relative_twist),
        Signature(("q", "v")),
        (Result((6,), "twist"),),
        "Twist (omega, v) of the frame relative to the reference, in the axes of the frame.",
        "rad/s, m/s",
        "V_f - Ad_T^-1 V_r",
        forms={"dv": Form(_JACOBIAN, takes=("q",))},
    ),
    Quantity(
        "acceleration",
        _of_task(relative.relative_acceleration),
        Signature(("q", "v", "a")),
        (Result((6,), "acceleration"),),
        "Time derivative of the relative twist.",
        "rad/s^2, m/s^2",
        forms={"da": Form(_JACOBIAN, takes=("q",))},
    ),
)


def _lift(quantity: Quantity) -> Quantity:
    """Return a quantity of the tree for mechanisms."""
    axes = tuple(k for k, size in enumerate(quantity.results[0].shape) if size == "nv")
    formula = lift_formula(quantity.formula, quantity.arguments, axes)
    return replace(quantity, formula=formula, forms={})


def _tables(*quantities: Quantity, **traits: bool) -> Tables:
    tables = Tables({}, {}, {}, {}, {}, {"tasks": True, **traits})
    for quantity in quantities:
        tables.insert(quantity)
    return tables


RELATIVE = _tables(*_QUANTITIES)
CLOSED_RELATIVE = _tables(*map(_lift, _QUANTITIES), loops=True)
