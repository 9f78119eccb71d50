"""Quantities called with arrays of JAX, as `robot.inverse_dynamics(jnp.zeros(7), ...)`."""

from __future__ import annotations

from typing import Any

from jax.core import Tracer

from jounce.arrays.frameworks.kinds import LibraryKind
from jounce.arrays.jax_adapter.library import LIBRARY
from jounce.arrays.jax_adapter.surface import JaxFunction
from jounce.arrays.protocol import QuantityProtocol


class JaxKind(LibraryKind):
    """Arrays of JAX, with their traces."""

    name = LIBRARY.name
    lost = "has no meaning inside jit, grad or vmap of JAX"

    def function(self, quantity: QuantityProtocol) -> JaxFunction:
        """What robot.jax has."""
        return JaxFunction(quantity, LIBRARY)

    def traced(self, x: Any) -> bool:
        """Whether it stands for values inside a transformation."""
        return isinstance(x, Tracer)


KIND = JaxKind()
