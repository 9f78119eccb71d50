"""xarray arrays as arguments of quantities: dimensions by name, results with labels.

`axes` names the axes of quantities and the entries along them, `named_calls` applies a function to
named arrays, `times` has the time coordinates of rollouts, and `kind` serves calls of quantities.
NumPy, Dask and CuPy arrays inside are passed on as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
