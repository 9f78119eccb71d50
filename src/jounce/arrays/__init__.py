"""Quantities of a robot as callables that take arrays: NumPy's, and those of other libraries.

`bound_quantity.py` is the callable, `kinds.py` finds out whose arrays a call is about, `tables.py`
holds the quantities of a robot and of its frames. Each library has an adapter, `jax_adapter` for
JAX; adapters import their library, nothing else does. Imports everything up to `runtime`. Start
with `bound_quantity.py`.
"""

from typing import TYPE_CHECKING

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.configurations import JointView
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.tables import Frame
from jounce.arrays.validation import (
    plain,
    refuse_degrees,
    refuse_other_joints,
    refuse_other_order,
    state_array,
)
from jounce.arrays.wrenches import on_bodies
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.arrays import lie

__all__ = [
    "BoundQuantity",
    "DifferentiableQuantity",
    "Frame",
    "JointView",
    "QuantityProtocol",
    "lie",
    "on_bodies",
    "plain",
    "refuse_degrees",
    "refuse_other_joints",
    "refuse_other_order",
    "state_array",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
