"""Calls of quantities with JAX arrays: `robot.inverse_dynamics(jnp.zeros(7), ...)`."""

from __future__ import annotations

from typing import Any

from jax.core import Tracer

from jounce.arrays.frameworks.kinds import LibraryKind
from jounce.arrays.jax_adapter.library import LIBRARY
from jounce.arrays.jax_adapter.surface import JaxFunction
from jounce.arrays.protocol import QuantityProtocol


class JaxKind(LibraryKind):
    """JAX arrays and tracers."""

    name = LIBRARY.name
    lost = "is not available inside jit, grad or vmap of JAX"

    def function(self, quantity: QuantityProtocol) -> JaxFunction:
        """Return the function of `robot.jax`."""
        return JaxFunction(quantity, LIBRARY)

    def is_traced(self, x: Any) -> bool:
        """Return whether an array is a tracer of a transformation."""
        return isinstance(x, Tracer)


KIND = JaxKind()
