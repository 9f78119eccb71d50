"""The quantities in the cheapest closed or recursive form known: one sample, any scalar.

A formula takes a tree and arrays of scalars, and is traced once per robot: it never sees a batch
axis, a dtype or a target. Modules are named by what they compute (`dynamics`, `coriolis`,
`momenta`) or by the variable of a closed derivative (`wrt_time`, `wrt_state`). Imports `model` and
`math`; `catalog` imports all of it. Start with `dynamics.py`, then `equations.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.formulas import (
        dynamics,
        equations,
        kinematics,
        momenta,
        motions,
        tensors,
        wrt_inertia,
        wrt_screws,
        wrt_state,
        wrt_time,
    )

__all__ = [
    "dynamics",
    "equations",
    "kinematics",
    "momenta",
    "motions",
    "tensors",
    "wrt_inertia",
    "wrt_screws",
    "wrt_state",
    "wrt_time",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
