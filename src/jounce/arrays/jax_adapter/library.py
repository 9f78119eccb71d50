"""JAX as a library of differentiable arrays (`frameworks.library.Library`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from jounce.arrays.frameworks import inertia
from jounce.arrays.frameworks.arguments import convert_array
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.jax_adapter import primitive
from jounce.errors import ArgumentError

#: Precisions of kernels.
_DTYPES = (np.dtype(np.float32), np.dtype(np.float64))


class JaxLibrary:
    """Adapter of JAX for surfaces of robots."""

    name = "jax"

    def array(self, x: Any, what: str) -> jax.Array:
        """Convert an argument to a JAX array of float32 or float64; what: prefix of messages.

        Python scalars, and lists of them, get JAX's default precision. NumPy arrays are constants.
        """
        if isinstance(x, (jax.Array, np.ndarray, np.generic)):
            return _check_dtype(x, what)
        if isinstance(x, (float, int, list, tuple)):
            return _convert_list(x, what)
        raise TypeError(
            f"{what} must be an array of JAX or NumPy, or numbers, found {type(x).__name__}"
        )

    def alike(
        self, arrays: Sequence[jax.Array], typed: Sequence[bool], title: str
    ) -> list[jax.Array]:
        """Convert arrays to the widest precision of the typed ones, by default that of JAX."""
        # only committed arrays must stay on their devices
        devices = {x.sharding for x in arrays if not isinstance(x, Tracer) and x.committed}
        if len(devices) > 1:
            _check_devices(devices, title)
        dtypes = [
            x.dtype
            for x, is_typed in zip(arrays, typed, strict=True)
            if is_typed and not x.weak_type
        ]
        dtype = (
            max(dtypes, key=lambda x_dtype: x_dtype.itemsize) if dtypes else jnp.result_type(float)
        )
        return [
            x if x.dtype == dtype and not x.weak_type else jax.lax.convert_element_type(x, dtype)
            for x in arrays
        ]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """Broadcast leading shapes, or raise ValueError."""
        return primitive.broadcast(shapes)

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Apply an operator."""
        return primitive.apply(operator, arrays)

    def constant(self, x: Any, like: Any) -> jax.Array:
        """Convert a NumPy array to a JAX array of the precision of `like`."""
        return jnp.asarray(x, like.dtype)

    def product(self, x: jax.Array, matrix: Any) -> jax.Array:
        """Return x times a NumPy matrix in full precision, independent of JAX's default."""
        return jnp.matmul(x, self.constant(matrix, x), precision="highest")

    def __reduce__(self) -> str:
        return "LIBRARY"


LIBRARY = JaxLibrary()


def _check_dtype(x: Any, what: str) -> jax.Array:
    if isinstance(x, np.ndarray):
        x = x.astype(x.dtype.newbyteorder("="), copy=False)
    if getattr(x, "weak_type", False) and x.dtype not in _DTYPES:
        x = x * 1.0  # a Python scalar inside a transformation
    if x.dtype not in _DTYPES:
        raise TypeError(
            f"{what} must be float64 or float32, found {x.dtype}; convert it with .astype(float) or"
            " .astype('float32')"
        )
    return x if isinstance(x, jax.Array) else jnp.asarray(x)


def _convert_list(x: Any, what: str) -> jax.Array:
    """Convert numbers, and lists of numbers or arrays."""
    try:
        array = jnp.asarray(x)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"{what} must be an array, or lists of equally many numbers, found {x!r:.60}"
        ) from error
    leaves = jax.tree.leaves(x)
    if all(type(leaf) in (float, int, bool) for leaf in leaves):
        return array.astype(float)
    return _check_dtype(array, what)


def _check_devices(shardings: Iterable[Any], title: str) -> None:
    """Raise ArgumentError if arrays are on different devices."""
    devices = {frozenset(x.device_set) for x in shardings}
    if len(devices) > 1:
        names = " and ".join(sorted(", ".join(sorted(map(str, x))) for x in devices))
        raise ArgumentError(
            f"{title}: arguments must be on the same devices, found {names}; move them with"
            " jax.device_put"
        )


@contextlib.contextmanager
def explain_tracer_leaks(title: str) -> Iterator[None]:
    """Convert JAX's errors about leaked tracers to short messages."""
    try:
        yield
    except jax.errors.UnexpectedTracerError as error:
        raise ArgumentError(
            f"{title}: expected arrays of the current trace, found a leaked tracer of JAX; return"
            " it from the transformed function instead of storing it in a variable"
        ) from error


def from_log_cholesky(theta: Any) -> jax.Array:
    """Return inertial parameters of physically consistent bodies from log-Cholesky coordinates.

    `jounce.inertia.from_log_cholesky` for JAX arrays and transformations.

    Parameters
    ----------
    theta : array_like (..., 10)
        Log-Cholesky coordinates, any real numbers.

    Returns
    -------
    jax.Array (..., 10)
        Parameters (m, m c, I) about the body origin, in body axes (kg, kg m, kg m^2).
    """
    what = "jounce.jax.from_log_cholesky: argument 'theta'"
    coordinates = convert_array(LIBRARY, theta, what, (10,))
    return jnp.stack(
        inertia.from_log_cholesky([*jnp.moveaxis(coordinates, -1, 0)], jnp.exp), axis=-1
    )
