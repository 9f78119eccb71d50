"""Quantities called with arrays of JAX, as `robot.inverse_dynamics(jnp.zeros(7), ...)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jax.core import Tracer

from jounce.errors import ArgumentError
from jounce.jax.library import LIBRARY
from jounce.jax.surface import JaxFunction
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import OPTIONS


class JaxKind:
    """Arrays of JAX, with their traces."""

    name = LIBRARY.name

    def called(self, quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What robot.jax gives; with NumPy's options, what NumPy gives for the values."""
        asked = [x for x, value in named.items() if x in OPTIONS and value is not OPTIONS[x]]
        if not asked:
            return JaxFunction(quantity, LIBRARY)(*args, **named)
        if any(self.traced(x) for x in _parts((*args, *named.values()))):
            raise ArgumentError(
                f"{quantity._title}: '{asked[0]}' is NumPy's, and has no meaning inside jit, grad"
                " or vmap of JAX; leave it away"
            )
        return quantity._on_numbers(args, named)

    def traced(self, x: Any) -> bool:
        """Whether it stands for values inside a transformation."""
        return isinstance(x, Tracer)


def _parts(given: tuple[Any, ...]) -> Iterator[Any]:
    for x in given:
        yield from x.values() if isinstance(x, Mapping) else (x,)


KIND = JaxKind()
