"""Shape checks of the maps between the states of several libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.arrays import plain


def checked_vector(value: Any, size: int, what: str) -> np.ndarray:
    """Return an array of floats (..., size); error messages call it `what`."""
    out = np.asarray(plain(value, what), dtype=float)
    if out.ndim == 0 or out.shape[-1] != size:
        raise ValueError(f"{what}: expected shape (..., {size}), found {out.shape}")
    return out


def checked_matrix(value: Any, size: int, what: str) -> np.ndarray:
    """Return an array of floats (..., size, size); error messages call it `what`."""
    out = checked_vector(value, size, what)
    if out.shape[-2:] != (size, size):
        raise ValueError(f"{what}: expected shape (..., {size}, {size}), found {out.shape}")
    return out
