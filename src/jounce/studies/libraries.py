"""NumPy's arrays, or CuPy's on GPUs: what studies are computed with."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ArgumentError


def cupy() -> Any:
    """CuPy, whose arrays are on GPUs."""
    try:
        import cupy as found  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ArgumentError(
            "devices: studies on GPUs need CuPy; install it, as 'pip install cupy-cuda12x', or"
            " leave `devices` out"
        ) from None
    return found


def module_of(x: Any) -> Any:
    """The library of an array: NumPy, or CuPy."""
    return np if isinstance(x, np.ndarray) else cupy()
