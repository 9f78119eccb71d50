"""Formulas of mechanisms with closed loops.

`loops.py` has the constraints and their Jacobians, `dynamics.py` projects the equations of motion
onto the independent joints, `derivatives.py` has derivatives of both. Start with `loops.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
