"""The row of elastic drives, made of the row of inverse dynamics that their links obey."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.arguments import rate_name
from jounce.catalog.derived import derivative
from jounce.catalog.row import Row
from jounce.formulas import elastic
from jounce.model.tree import Tree

#: Numbers of the drives, in the order in which the row takes them.
DRIVES = ("stiffness", "damping", "motor_inertia", *(rate_name("stiffness", k) for k in (1, 2)))

#: What it gives, in this order.
RESULTS = (
    *("motor_position", "motor_velocity", "motor_acceleration", "motor_torque"),
    "link_torque",
)


@cache
def elastic_row(inverse: Row) -> Row:
    """Motion and torque of the motors, for a tree's or a mechanism's inverse dynamics."""
    rates = derivative(inverse, "rates(2)")
    count = len(rates.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        state, numbers = inputs[:count], inputs[count : count + len(DRIVES)]
        K, damping, motor_inertia, dK, ddK = numbers
        forces = rates.formula(tree, *state, *inputs[count + len(DRIVES) :])
        spring = elastic.deflection(forces, (K, dK, ddK))
        places = elastic.coordinates(tree)
        return elastic.motors(places, state[:3], forces[0], spring, damping, motor_inertia)

    return replace(
        rates,
        name="elastic_inverse_dynamics",
        formula=formula,
        arguments=(*rates.arguments, *DRIVES),
        doc="Position, velocity, acceleration and torque of elastic drives' motors, and link"
        " torques; a position of 0 where nothing is driven.",
        unit="rad, m; rad/s, m/s; rad/s^2, m/s^2; N m, N; N m, N",
        equation="Spong's model: theta = q + tau / K, tau_m = J theta'' + d theta' + tau",
        letter=" ".join(RESULTS),
        more=(inverse.shape,) * 4,
        of=None,
        orders=(),
        differentiable=False,
    )
