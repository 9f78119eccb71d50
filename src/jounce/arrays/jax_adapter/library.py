"""JAX's arrays as surfaces of robots ask for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from jounce.arrays.frameworks import inertia
from jounce.arrays.frameworks.arguments import shaped
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.jax_adapter import primitive
from jounce.errors import ArgumentError

#: What kernels are compiled for.
_DTYPES = (np.dtype(np.float32), np.dtype(np.float64))


class JaxLibrary:
    """JAX, as a library of arrays with derivatives."""

    name = "jax"

    def array(self, x: Any, what: str) -> jax.Array:
        """Return an argument as an array of JAX in float32 or float64; what: prefix of messages.

        Python's numbers, and lists of them, get JAX's own precision. NumPy's arrays are constants.
        """
        if isinstance(x, (jax.Array, np.ndarray, np.generic)):
            return _typed(x, what)
        if isinstance(x, (float, int, list, tuple)):
            return _listed(x, what)
        raise TypeError(
            f"{what} must be an array of JAX or NumPy, or numbers, found {type(x).__name__}"
        )

    def alike(
        self, arrays: Sequence[jax.Array], sure: Sequence[bool], title: str
    ) -> list[jax.Array]:
        """Arrays in one precision, that of the widest which brings one; by default, JAX's own."""
        # those that have to stay on their devices
        devices = {x.sharding for x in arrays if not isinstance(x, Tracer) and x.committed}
        if len(devices) > 1:
            _check_devices(devices, title)
        kinds = [x.dtype for x, own in zip(arrays, sure, strict=True) if own and not x.weak_type]
        dtype = max(kinds, key=lambda kind: kind.itemsize) if kinds else jnp.result_type(float)
        return [
            x if x.dtype == dtype and not x.weak_type else jax.lax.convert_element_type(x, dtype)
            for x in arrays
        ]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """What leading shapes broadcast to, or a ValueError."""
        return primitive.broadcast(shapes)

    def apply(self, operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Results of an operator."""
        return primitive.apply(operator, arrays)

    def constant(self, x: Any, like: Any) -> jax.Array:
        """A NumPy array as one of JAX."""
        return jnp.asarray(x, like.dtype)

    def product(self, x: jax.Array, matrix: Any) -> jax.Array:
        """x times a NumPy matrix, whatever JAX's default precision of products is."""
        return jnp.matmul(x, self.constant(matrix, x), precision="highest")

    def __reduce__(self) -> str:
        return "LIBRARY"


LIBRARY = JaxLibrary()


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


def _check_devices(shardings: Iterable[Any], title: str) -> None:
    """Refuse arrays that lie on several devices, each on its own."""
    devices = {frozenset(x.device_set) for x in shardings}
    if len(devices) > 1:
        names = " and ".join(sorted(", ".join(sorted(map(str, x))) for x in devices))
        raise ArgumentError(
            f"{title}: arguments must be on the same devices, found {names}; move them by"
            " jax.device_put"
        )


@contextlib.contextmanager
def told(title: str) -> Iterator[None]:
    """Say in one sentence what went wrong where JAX has pages."""
    try:
        yield
    except jax.errors.UnexpectedTracerError as error:
        raise ArgumentError(
            f"{title}: an argument belongs to a trace of JAX that has ended; return it from the"
            " function that was transformed, rather than keep it in a variable"
        ) from error


def from_log_cholesky(theta: Any) -> jax.Array:
    """The parameters (..., 10) of bodies that could exist, from any numbers (..., 10).

    As `jounce.inertia.from_log_cholesky` gives them, under JAX's transformations.
    """
    what = "jounce.jax.from_log_cholesky: argument 'theta'"
    given = shaped(LIBRARY, theta, what, (10,))
    return jnp.stack(inertia.from_log_cholesky([*jnp.moveaxis(given, -1, 0)], jnp.exp), axis=-1)
