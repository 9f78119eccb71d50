"""Diagonalized equations of motion: factors of the mass matrix, and quasi-velocities."""

from __future__ import annotations

from functools import partial

from jounce.catalog.quantity import Quantity, Result, Signature, Traits
from jounce.formulas import diagonalized

_TRAITS = Traits(joint_space=True, solves=True, inertial=True)

#: Formulas with the equations of a tree or a mechanism, by the name of the quantity.
FORMULAS = {
    "mass_matrix_ltdl": diagonalized.ltdl,
    "mass_matrix_factor": diagonalized.factor,
    "mass_matrix_factor_inverse": diagonalized.factor_inverse,
    "quasi_velocities": diagonalized.quasi_velocities,
    "quasi_velocity_coriolis": diagonalized.coriolis,
    "normalized_forces": diagonalized.normalized_forces,
}


def _quantity(
    name: str,
    takes: tuple[str, ...],
    results: tuple[Result, ...],
    doc: str,
    unit: str,
    equation: str,
) -> Quantity:
    formula = partial(FORMULAS[name], diagonalized.TREE)
    return Quantity(name, formula, Signature(takes), results, doc, unit, equation, _TRAITS)


QUANTITIES: tuple[Quantity, ...] = (
    _quantity(
        "mass_matrix_ltdl",
        ("q",),
        (Result(("nv", "nv"), "L"), Result(("nv",), "D")),
        "Lower triangular L with units on its diagonal, and the diagonal of D, of M = L^T D L.",
        "1, m, 1/m; kg m^2, kg",
        "M = L^T D L",
    ),
    _quantity(
        "mass_matrix_factor",
        ("q",),
        (Result(("nv", "nv"), "m"),),
        "Upper triangular factor m of the mass matrix M = m m^T.",
        "kg^(1/2) m, kg^(1/2)",
        "m = [I + H phi K] D^(1/2), Jain and Rodriguez 1995",
    ),
    _quantity(
        "mass_matrix_factor_inverse",
        ("q",),
        (Result(("nv", "nv"), "l"),),
        "Inverse l of the factor of the mass matrix, with M^-1 = l^T l.",
        "1/(kg^(1/2) m), 1/kg^(1/2)",
        "l = D^(-1/2) [I - H psi K], Jain and Rodriguez 1995",
    ),
    _quantity(
        "quasi_velocities",
        ("q", "v"),
        (Result(("nv",), "nu"),),
        "Normalized quasi-velocities nu; half the square of their norm is the kinetic energy.",
        "J^(1/2)",
        "nu = m^T v, Jain and Rodriguez 1995",
    ),
    _quantity(
        "quasi_velocity_coriolis",
        ("q", "v"),
        (Result(("nv",), "c"),),
        "Coriolis term c of d nu/dt + c = eps: quadratic in v, and does no work, nu . c = 0.",
        "J^(1/2)/s",
        "c = l C v - dm/dt^T v, Jain and Rodriguez 1995",
    ),
    _quantity(
        "normalized_forces",
        ("q", "tau"),
        (Result(("nv",), "eps"),),
        "Forces eps = l (tau - g) that accelerate the quasi-velocities: d nu/dt + c = eps.",
        "J^(1/2)/s",
        "eps = l (tau - g), Jain and Rodriguez 1995",
    ),
)
