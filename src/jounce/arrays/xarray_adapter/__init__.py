"""Adapter of xarray: dimensions by name, results with labels.

`axes` has the names of the axes of quantities and labels along them, `named_calls` applies
functions to named arrays, `times` has the time coordinates of rollouts, and `kind` handles calls of
quantities. The NumPy, Dask or CuPy arrays inside are passed to the quantity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
