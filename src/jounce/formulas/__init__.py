"""Formulas of all quantities, in the closed or recursive form with the fewest operations.

A formula takes a tree and one sample of object arrays of any scalar type, and is traced once per
robot: it never sees a batch axis, a dtype or a target. Modules are named after the quantities they
compute (`dynamics`, `coriolis`, `momenta`) or after the variable of differentiation (`wrt_time`,
`wrt_state`). Imports `model` and `math`; imported by `catalog`. Start with `dynamics.py`, then
`equations.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.formulas import (
        configurations,
        dynamics,
        equations,
        kinematics,
        momenta,
        motions,
        pseudo_inertias,
        tensors,
        tracking,
        wrt_inertia,
        wrt_screws,
        wrt_state,
        wrt_time,
    )

__all__ = [
    "configurations",
    "dynamics",
    "equations",
    "kinematics",
    "momenta",
    "motions",
    "pseudo_inertias",
    "tensors",
    "tracking",
    "wrt_inertia",
    "wrt_screws",
    "wrt_state",
    "wrt_time",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
