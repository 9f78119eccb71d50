"""Automatic differentiation of formulas: forward and reverse mode, Taylor series, implicit rule.

`time_derivatives.py` is forward mode by Taylor series, `recording.py` records a formula for forward
and reverse mode, `products.py` computes products with vectors, `implicit.py` applies the implicit
function theorem.
Only `catalog` imports from here. Start with `time_derivatives.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
