"""Scalars, arrays of scalars, and Lie groups: the mathematics that formulas are written in.

`scalar` provides arrays of any scalar type (floats, tracing scalars, SymPy), `spatial` twists,
wrenches and inertias, `lie` exponentials and logarithms, `linear` linear solvers, `jets` Taylor
series. All functions take one sample, of any scalar type. Imports only `utils` and `errors`. Start
with `scalar.py`, then `spatial.py`.
"""

from typing import TYPE_CHECKING

from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import (
    INERTIA_ENTRIES,
    ad,
    adjoint_inverse,
    inertia_matrix,
    parameters_from,
    shift_inertia,
    spatial_inertia,
)
from jounce.utils.lazy import submodules

__all__ = [
    "INERTIA_ENTRIES",
    "Array",
    "ad",
    "adjoint_inverse",
    "array",
    "inertia_matrix",
    "jets",
    "lie",
    "linear",
    "parameters_from",
    "scalar",
    "shift_inertia",
    "spatial",
    "spatial_inertia",
    "zeros",
]

if TYPE_CHECKING:
    from jounce.math import alternatives as alternatives
    from jounce.math import jets as jets
    from jounce.math import lie as lie
    from jounce.math import linear as linear
    from jounce.math import poses as poses
    from jounce.math import scalar as scalar
    from jounce.math import spatial as spatial
else:
    __getattr__, __dir__ = submodules(__name__)
