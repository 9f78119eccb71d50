"""Automatic differentiation of formulas: forward and reverse mode, Taylor series, implicit rule.

`time_derivatives.py` is forward mode by Taylor series, `recording.py` records a formula and
reverses it, `products.py` makes products with vectors, `implicit.py` differentiates solutions of
equations.
Only `catalog` imports from here. Start with `time_derivatives.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
