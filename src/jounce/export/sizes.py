"""What the maps between states of several libraries ask of their arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.arrays import plain


def sized(value: Any, size: int, what: str) -> np.ndarray:
    """An array of floats (..., size); the error calls it `what`."""
    out = np.asarray(plain(value, what), dtype=float)
    if out.ndim == 0 or out.shape[-1] != size:
        raise ValueError(f"{what}: expected shape (..., {size}), found {out.shape}")
    return out


def sized_matrix(value: Any, size: int, what: str) -> np.ndarray:
    """Return an array of floats (..., size, size); the error calls it `what`."""
    out = sized(value, size, what)
    if out.shape[-2:] != (size, size):
        raise ValueError(f"{what}: expected shape (..., {size}, {size}), found {out.shape}")
    return out
