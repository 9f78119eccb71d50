"""Elastic drives: motion and torque of the motors, from the inverse dynamics of the links."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jounce.catalog.arguments import rate_name
from jounce.catalog.derivative import derive
from jounce.catalog.quantity import AnyQuantity, Quantity, Result
from jounce.catalog.variables import Time
from jounce.formulas import elastic
from jounce.model.tree import Tree

#: Arguments for parameters of the drives, in order.
DRIVES = ("stiffness", "damping", "motor_inertia", *(rate_name("stiffness", k) for k in (1, 2)))

#: Names of the results, in order.
RESULTS = (
    *("motor_position", "motor_velocity", "motor_acceleration", "motor_torque"),
    "link_torque",
)


def define_elastic(inverse: AnyQuantity) -> Quantity:
    """Return the entry for motion and torque of the motors, from one of inverse dynamics."""
    rates = derive(inverse, Time(2, every=True))
    count = len(rates.arguments)

    def formula(tree: Tree, *inputs: Any) -> Any:
        state, numbers = inputs[:count], inputs[count : count + len(DRIVES)]
        K, damping, motor_inertia, dK, ddK = numbers
        forces = rates.formula(tree, *state, *inputs[count + len(DRIVES) :])
        spring = elastic.deflection(forces, (K, dK, ddK))
        places = elastic.coordinates(tree)
        return elastic.motors(places, state[:3], forces[0], spring, damping, motor_inertia)

    return replace(
        rates.definition,
        name="elastic_inverse_dynamics",
        formula=formula,
        signature=replace(rates.signature, required=(*rates.arguments, *DRIVES)),
        results=tuple(Result(inverse.shape, name) for name in RESULTS),
        doc="Inverse dynamics with elastic drives: position, velocity, acceleration and torque of"
        " the motors, and link torques. The position is 0 at joints without drives.",
        unit="rad, m; rad/s, m/s; rad/s^2, m/s^2; N m, N; N m, N",
        equation="Spong's model: theta = q + tau / K, tau_m = J theta'' + d theta' + tau",
        traits=replace(rates.traits, differentiable=False),
    )
