"""`robot.jax`: a robot's functions on arrays of JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import DTypeLike

from jounce.arrays.frameworks.arguments import together
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape, operator
from jounce.arrays.frameworks.surface import Function, Surface
from jounce.arrays.jax_adapter import abi, cpu, cuda
from jounce.arrays.jax_adapter.library import LIBRARY, told
from jounce.arrays.jax_adapter.rollout import Rollout
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.tables import Quantities
from jounce.errors import ArgumentError, printable
from jounce.utils.once import once_property


class JaxFunction(Function):
    """A quantity as a function of JAX's arrays, for jit, grad, vmap and all the others."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The quantity's results, as arrays of JAX."""
        with told(self._title):
            return super().__call__(*args, **named)

    def warmup(self, dtype: DTypeLike = np.float64, platform: str | None = None) -> JaxFunction:
        """Compile now rather than when it is first traced; returns the function itself.

        platform: "cpu" or "cuda"; by default, that of JAX's default backend.
        """
        char, title = np.dtype(dtype).char, f"{self._title}.warmup"
        if char not in abi.DTYPES:
            raise ArgumentError(
                f"{title}: dtype must be float64 or float32, found {np.dtype(dtype)}"
            )
        on_cuda = _on_cuda(title, platform)
        found, version = operator(self.quantity, tangent=self.with_tangents), abi.version()
        if version is None:
            found.compile(char)
        else:
            (cuda if on_cuda else cpu).add_operator(found, char, version)
        return self


def _on_cuda(title: str, platform: str | None) -> bool:
    """Whether devices of CUDA are meant, rather than processors."""
    if platform not in (None, "cpu", "cuda"):
        raise ArgumentError(f"{title}: platform must be 'cpu' or 'cuda', found {platform!r}")
    if platform is None:
        return jax.default_backend() == "gpu" and bool(cuda.devices())
    if platform == "cuda" and not cuda.devices():
        found = ", ".join(sorted({x.platform for x in jax.local_devices()}))
        raise ArgumentError(
            f"{title}: platform is 'cuda', and JAX has no device of CUDA in this process, only"
            f" {found}"
        )
    return platform == "cuda"


class JaxSurface(Surface):
    """A robot, mechanism, frame or table for JAX: see `Surface`."""

    def __init__(self, owner: Quantities, library: Library = LIBRARY, tangents: bool = False):
        super().__init__(owner, library, tangents)

    def _function(self, quantity: QuantityProtocol) -> JaxFunction:
        return JaxFunction(quantity, self.library, self.with_tangents)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> JaxSurface:
        with_tangents = self.with_tangents if tangents is None else tangents
        return (JaxTangents if with_tangents else JaxSurface)(owner, self.library, with_tangents)

    @once_property
    def rollout(self) -> Rollout:
        """Motions, one step after the other, by jax.lax.scan.

        `rollout(q0, v0, taus, h)` returns configurations (..., T + 1, nq) and velocities
        (..., T + 1, nv), differentiable in all arguments; `help(robot.jax.rollout.__call__)` lists
        them.
        """
        if self.with_tangents or not hasattr(type(self.owner), "rollout"):
            raise AttributeError("rollout")  # what it has is said where attributes are missing
        return Rollout(self)


class JaxTangents(JaxSurface):
    """The same, with a velocity after the arguments of each function that moves q first."""

    def gradient(self, q: Any, g: Any) -> jax.Array:
        """The gradient along velocities (..., nv) from that in coordinates (..., nq) at q."""
        owner: Any = self.owner
        title = printable(f"{owner.name}.jax.tangent.gradient")
        cores: dict[str, Shape] = {"q": (owner.nq,), "g": (owner.nq,)}
        with told(title):
            _, given = together(self.library, title, {"q": q, "g": g}, cores)
            rates = operator(owner.rates_from_velocity)  # linear in the velocity
            still = jnp.zeros(owner.nv, given["q"].dtype)
            return self.library.apply(rates.vjp((1,)), (given["q"], still, given["g"]))[0]
