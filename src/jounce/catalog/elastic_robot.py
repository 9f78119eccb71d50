"""Quantities of robots with elastic joints: `robot.elastic(stiffness, motor_inertia)`.

The state is (q, v, theta, dtheta). Numbers of the drives are optional arguments, by default those
of the robot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from jounce.catalog.arguments import ARGUMENTS, Argument
from jounce.catalog.autodiff.directions import in_state
from jounce.catalog.charts import CONFIGURATION, convert_derivatives
from jounce.catalog.derivative import derive
from jounce.catalog.elastic import DRIVES
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.quantities.steps import H
from jounce.catalog.quantity import Form, Formula, Quantity, Result, Signature, Traits, redefine
from jounce.catalog.tables import TREE as TREE_TABLES
from jounce.catalog.tables import Tables
from jounce.catalog.variables import Variant
from jounce.formulas import elastic_dynamics
from jounce.formulas.elastic_dynamics import MECHANISM, TREE, Equations
from jounce.model.drives import DRIVE_NUMBERS
from jounce.model.tree import Tree

_DEFAULT = "; by default that of the robot"

_MOTORS = {
    "theta": Argument(("nv",), "motor positions behind the gears (rad, m)", axis=True),
    "dtheta": Argument(("nv",), "motor velocities (rad/s, m/s)", axis=True, rate_of=("theta", 1)),
}
_NUMBERS = {
    **{
        name: replace(ARGUMENTS[name], doc=ARGUMENTS[name].doc + _DEFAULT)
        for name in DRIVE_NUMBERS[:3]
    },
    "spring_damping": Argument(("nv",), f"damping of each spring (N m s/rad, N s/m){_DEFAULT}"),
}

#: The state after a step.
_STATE = (
    Result(("nq",), "q", CONFIGURATION),
    Result(("nv",), "v"),
    Result(("nv",), "theta"),
    Result(("nv",), "dtheta"),
)
_ARGUMENTS = ("q", "v", "theta", "dtheta")
_ACCELERATIONS = (Result(("nv",), "a"), Result(("nv",), "ddtheta"))
_SOLVES = Traits(joint_space=True, inertial=True, solves=True)


def _step_derivatives(formula: Formula) -> Formula:
    """Return the formula of the state after a step, and its derivatives A and B."""

    def derivatives(tree: Tree, *inputs: Any) -> tuple[Any, ...]:
        results = formula(tree, *inputs)
        charts = [result.chart for result in _STATE]
        columns = []
        for place in range(5):
            parts = in_state(formula, tree, inputs, place, configuration=place == 0)
            columns.append(np.concatenate(convert_derivatives(charts, tree, results, parts)))
        return (*results, np.concatenate(columns[:4], axis=1), columns[4])

    return derivatives


@cache
def elastic_tables(closed: bool, linear: bool, algebraic: bool) -> Tables:
    """Return the quantities of a robot with elastic joints.

    Parameters
    ----------
    closed : bool
        Whether it is a mechanism with closed loops.
    linear : bool
        Whether its springs are linear, so that the stiffness is an argument.
    algebraic : bool
        Whether inverse dynamics are algebraic.

    Returns
    -------
    Tables
        Catalog entries by name.
    """
    of, numbers = MECHANISM if closed else TREE, DRIVE_NUMBERS[0 if linear else 1 :]
    tables = Tables({}, {}, {}, {}, {})
    for entry in (
        _forward_dynamics(of, numbers),
        *_springs(of, numbers),
        _step(of, numbers),
        _state_matrices(of, numbers),
        *((_equilibrium(of),) if linear else ()),
        *((_inverse_dynamics(closed),) if algebraic else ()),
    ):
        tables.insert(entry)
    return tables


def _quantity(
    of: Equations,
    name: str,
    formula: Callable[..., Any],
    takes: tuple[str, ...],
    results: tuple[Result, ...],
    optional: tuple[str, ...],
    doc: str,
    unit: str,
    equation: str = "",
    **fields: Any,
) -> Quantity:
    """Return a catalog entry."""
    definitions = {**_MOTORS, **_NUMBERS, **H}
    used = {x: definitions[x] for x in (*takes, *optional) if x in definitions}
    signature = Signature(takes, optional, definitions=used)
    bound = partial(formula, of, optional)
    return Quantity(name, bound, signature, results, doc, unit, equation, **fields)


def _forward_dynamics(of: Equations, numbers: tuple[str, ...]) -> Quantity:
    """Return forward dynamics with derivatives in inertial parameters and numbers of drives."""
    optional = ("wrenches", *numbers)
    forms = {
        f"d{name}": Form(
            partial(elastic_dynamics.forward_dynamics_ddrives, of, optional, name),
            results=tuple(Result(("nv", "nv"), f"{x.symbol}_d{name}") for x in _ACCELERATIONS),
            doc=f"Derivatives of the accelerations of links and motors in {name}.",
            unit="rad/s^2, m/s^2; per unit of the variable",
        )
        for name in numbers
    }
    forms["dpi"] = Form(
        partial(elastic_dynamics.forward_dynamics_dpi, of, optional),
        joint_space=False,
        takes_optional=True,
    )
    return _quantity(
        of,
        "forward_dynamics",
        elastic_dynamics.forward_dynamics,
        (*_ARGUMENTS, "tau"),
        _ACCELERATIONS,
        optional,
        "Accelerations of links and motors under motor torques; equal at rigid joints.",
        "rad/s^2, m/s^2",
        "M a + C v + g = tau_s, J ddtheta + d dtheta + tau_s = tau",
        traits=_SOLVES,
        forms=forms,
    )


def _springs(of: Equations, numbers: tuple[str, ...]) -> tuple[Quantity, Quantity]:
    """Return torques of the springs, and the energy."""
    stiffness = numbers[:-3]
    torques = _quantity(
        of,
        "spring_torques",
        elastic_dynamics.spring_torques,
        _ARGUMENTS,
        (Result(("nv",), "tau_s"),),
        (*stiffness, "spring_damping"),
        "Torques of the springs on the links, which torque sensors in the joints measure; zero"
        " at rigid joints.",
        "N m, N",
        "tau_s = K (theta - q) + D (dtheta - v)",
        traits=Traits(joint_space=True, geometry=False),
    )
    energy = _quantity(
        of,
        "energy",
        elastic_dynamics.energy,
        _ARGUMENTS,
        (Result((), "energy"),),
        (*stiffness, "motor_inertia"),
        "Kinetic energy of links and motors, and potential energy of gravity and springs.",
        "J",
        "dE/dt = tau . dtheta - d dtheta^2 - D (dtheta - v)^2",
        traits=Traits(inertial=True),
    )
    return torques, energy


def _step(of: Equations, numbers: tuple[str, ...]) -> Quantity:
    """Return the time step."""
    step = _quantity(
        of,
        "step",
        elastic_dynamics.step,
        (*_ARGUMENTS, "tau", "h"),
        _STATE,
        ("wrenches", *numbers),
        "Integrate the dynamics over a time step h, with constant tau, and wrenches constant in"
        " body axes: the state after the step.",
        "rad, m; rad/s, m/s; rad, m; rad/s, m/s",
        "Verwer, ROS2",
        traits=_SOLVES,
    )
    derivatives = Form(
        _step_derivatives(step.formula),
        results=(*_STATE, Result(("4nv", "4nv"), "A"), Result(("4nv", "nv"), "B")),
        doc="The state after the step with derivatives A in the state and B in tau, from one"
        " kernel. Rows and columns: tangents of q, then v, theta and dtheta.",
    )
    return replace(step, forms={"derivatives": derivatives})


def _state_matrices(of: Equations, numbers: tuple[str, ...]) -> Quantity:
    """Return the linearization in continuous time."""
    return _quantity(
        of,
        "state_matrices",
        elastic_dynamics.state_matrices,
        (*_ARGUMENTS, "tau"),
        (Result(("4nv", "4nv"), "A"), Result(("4nv", "nv"), "B")),
        ("wrenches", *numbers),
        "Linearization dx/dt = A x + B u of the forward dynamics, for changes x of q (along"
        " velocities), v, theta and dtheta, and u of tau.",
        "1/s; 1/(kg m^2), 1/kg",
        traits=_SOLVES,
    )


def _equilibrium(of: Equations) -> Quantity:
    """Return motor positions and torques at rest."""
    return _quantity(
        of,
        "equilibrium",
        elastic_dynamics.equilibrium,
        ("q",),
        (Result(("nv",), "theta"), Result(("nv",), "tau")),
        ("wrenches", "stiffness"),
        "Positions and torques of the motors that hold the links at rest, under wrenches on links.",
        "rad, m; N m, N",
        "theta = q + g / K, tau = g",
        traits=Traits(joint_space=True, inertial=True),
    )


def _inverse_dynamics(closed: bool) -> Quantity:
    """Return inverse dynamics with the drives of the robot."""
    entry = derive(
        (CLOSED if closed else TREE_TABLES).quantities["inverse_dynamics"], Variant.ELASTIC
    )
    required = tuple(x for x in entry.arguments if x not in DRIVES)
    optional = (*entry.optional, *DRIVES)
    return redefine(
        entry,
        name="inverse_dynamics",
        formula=partial(elastic_dynamics.inverse_dynamics, entry.formula, optional),
        signature=Signature(
            required,
            optional,
            definitions={**entry.argument_definitions, **{x: _NUMBERS[x] for x in DRIVES[:3]}},
        ),
        doc="Position, velocity, acceleration and torque of the motors that make the links follow a"
        " motion, and link torques. The position is 0 at joints without drives.",
        equation="theta = q + tau / K, tau_m = J ddtheta + d dtheta + tau",
        traits=replace(entry.traits, differentiable=True),
    )
