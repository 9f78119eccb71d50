"""Hybrid dynamics of robots and mechanisms: `robot.hybrid_dynamics(prescribed)`."""

from __future__ import annotations

from functools import partial

from jounce.catalog.arguments import Argument
from jounce.catalog.quantity import Quantity, Result, Signature, Traits
from jounce.catalog.tables import Tables
from jounce.formulas import hybrid

_GIVEN = {
    "a": Argument(("nv",), "accelerations; those of the prescribed joints count", axis=True),
    "tau": Argument(("nv",), "forces; those of the other joints count", axis=True),
}


def _quantity(equations: hybrid.Equations, *forces: str) -> Quantity:
    return Quantity(
        "hybrid_dynamics",
        partial(hybrid.hybrid_dynamics, equations),
        Signature(("q", "v", "a", "tau"), optional=forces, definitions=_GIVEN),
        (Result(("nv",), "a"), Result(("nv",), "tau")),
        "Accelerations and forces of all joints, from the accelerations of the prescribed joints"
        " and the forces of the others.",
        "rad/s^2, m/s^2; N m, N",
        "Featherstone, chapter 9; Jain 1993",
        traits=Traits(joint_space=True, solves=True, inertial=True),
        rates=partial(hybrid.hybrid_dynamics_rates, equations),
    )


def _tables(quantity: Quantity, **traits: bool) -> Tables:
    tables = Tables({}, {}, {}, {}, {}, traits)
    tables.insert(quantity)
    return tables


HYBRID = _tables(_quantity(hybrid.TREE, "wrenches"))
CLOSED_HYBRID = _tables(_quantity(hybrid.MECHANISM, "wrenches", "joint_forces"), loops=True)
