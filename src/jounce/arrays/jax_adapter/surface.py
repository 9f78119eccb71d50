"""Functions of robots on JAX arrays: `robot.jax`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import DTypeLike

from jounce.arrays.frameworks.arguments import broadcast_arguments
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape, operator
from jounce.arrays.frameworks.surface import Function, Surface
from jounce.arrays.jax_adapter import abi, cpu, cuda
from jounce.arrays.jax_adapter.library import LIBRARY, explain_tracer_leaks
from jounce.arrays.jax_adapter.rollout import Rollout
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.tables import Quantities
from jounce.errors import ArgumentError, printable
from jounce.utils.once import once_property


class JaxFunction(Function):
    """A quantity as a function of JAX arrays, for jit, grad, vmap and other transformations."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Evaluate the quantity; results are JAX arrays."""
        with explain_tracer_leaks(self._title):
            return super().__call__(*args, **named)

    def warmup(self, dtype: DTypeLike = np.float64, platform: str | None = None) -> JaxFunction:
        """Compile the kernel now rather than when the function is first traced.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.
        platform : {"cpu", "cuda"}, optional
            Platform to compile for; by default, that of JAX's default backend.

        Returns
        -------
        JaxFunction
            The function itself.
        """
        char, title = np.dtype(dtype).char, f"{self._title}.warmup"
        if char not in abi.DTYPES:
            raise ArgumentError(
                f"{title}: dtype must be float64 or float32, found {np.dtype(dtype)}"
            )
        on_cuda = _on_cuda(title, platform)
        bound_operator, version = operator(self.quantity, tangent=self.with_tangents), abi.version()
        if version is None:
            bound_operator.compile(char)
        else:
            (cuda if on_cuda else cpu).add_operator(bound_operator, char, version)
        return self


def _on_cuda(title: str, platform: str | None) -> bool:
    """Return whether to compile for CUDA rather than CPUs."""
    if platform not in (None, "cpu", "cuda"):
        raise ArgumentError(f"{title}: platform must be 'cpu' or 'cuda', found {platform!r}")
    if platform is None:
        return jax.default_backend() == "gpu" and bool(cuda.devices())
    if platform == "cuda" and not cuda.devices():
        platforms = ", ".join(sorted({x.platform for x in jax.local_devices()}))
        raise ArgumentError(
            f"{title}: platform 'cuda' requires a CUDA device of JAX in this process, found only"
            f" {platforms}"
        )
    return platform == "cuda"


class JaxSurface(Surface):
    """A robot, mechanism, frame or table for JAX; see `Surface`."""

    def __init__(self, owner: Quantities, library: Library = LIBRARY, tangents: bool = False):
        super().__init__(owner, library, tangents)

    def _function(self, quantity: QuantityProtocol) -> JaxFunction:
        return JaxFunction(quantity, self.library, self.with_tangents)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> JaxSurface:
        with_tangents = self.with_tangents if tangents is None else tangents
        return (JaxTangents if with_tangents else JaxSurface)(owner, self.library, with_tangents)

    @once_property
    def rollout(self) -> Rollout:
        """Simulation of motions step by step, by jax.lax.scan.

        `rollout(q0, v0, taus, h)` returns configurations (..., T + 1, nq) and velocities
        (..., T + 1, nv), differentiable in all arguments; `help(robot.jax.rollout.__call__)` lists
        them.
        """
        if self.with_tangents or not hasattr(type(self.owner), "rollout"):
            raise AttributeError("rollout")  # `__getattr__` then lists the valid names
        return Rollout(self)


class JaxTangents(JaxSurface):
    """`JaxSurface` whose functions take a further velocity for each configuration."""

    def gradient(self, q: Any, g: Any) -> jax.Array:
        """Convert a gradient in coordinates to one along velocities.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        g : array_like (..., nq)
            Gradients in the coordinates of q.

        Returns
        -------
        jax.Array (..., nv)
            Gradients along velocities, N(q)^T g with dq/dt = N(q) v.
        """
        owner: Any = self.owner
        title = printable(f"{owner.name}.jax.tangent.gradient")
        cores: dict[str, Shape] = {"q": (owner.nq,), "g": (owner.nq,)}
        with explain_tracer_leaks(title):
            _, arrays = broadcast_arguments(self.library, title, {"q": q, "g": g}, cores)
            rates = operator(owner.rates_from_velocity)  # linear in the velocity
            zero = jnp.zeros(owner.nv, arrays["q"].dtype)
            return self.library.apply(rates.vjp((1,)), (arrays["q"], zero, arrays["g"]))[0]
