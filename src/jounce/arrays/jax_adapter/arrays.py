"""What users give, as arrays of JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jounce.errors import ArgumentError

#: What kernels are compiled for.
_DTYPES = (np.dtype(np.float32), np.dtype(np.float64))


def array(x: Any, what: str) -> jax.Array:
    """An argument as an array of JAX in float32 or float64; `what` it is begins messages.

    Python's numbers, and lists of them, get JAX's own precision. NumPy's arrays are constants.
    """
    if isinstance(x, (jax.Array, np.ndarray, np.generic)):
        return _typed(x, what)
    if isinstance(x, (float, int, list, tuple)):
        return _listed(x, what)
    raise TypeError(
        f"{what} must be an array of JAX or NumPy, or numbers, found {type(x).__name__}"
    )


def _typed(x: Any, what: str) -> jax.Array:
    if isinstance(x, np.ndarray):
        x = x.astype(x.dtype.newbyteorder("="), copy=False)
    if getattr(x, "weak_type", False) and x.dtype not in _DTYPES:
        x = x * 1.0  # one of Python's numbers, inside a transformation
    if x.dtype not in _DTYPES:
        raise TypeError(
            f"{what} must be float64 or float32, found {x.dtype}; give it as .astype(float), or"
            " .astype('float32')"
        )
    return x if isinstance(x, jax.Array) else jnp.asarray(x)


def _listed(x: Any, what: str) -> jax.Array:
    """Numbers, and lists of numbers or arrays."""
    try:
        found = jnp.asarray(x)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"{what} must be an array, or lists of equally many numbers, found {x!r:.60}"
        ) from error
    leaves = jax.tree.leaves(x)
    if all(type(leaf) in (float, int, bool) for leaf in leaves):
        return found.astype(float)
    return _typed(found, what)
