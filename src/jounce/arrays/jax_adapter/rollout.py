"""Rollouts inside JAX: `robot.jax.rollout`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from jounce.arrays.frameworks import rollout
from jounce.arrays.frameworks.rollout import RolloutArguments
from jounce.arrays.jax_adapter.library import LIBRARY, explain_tracer_leaks
from jounce.errors import ArgumentError, explain_call, printable

if TYPE_CHECKING:
    from jounce.arrays.jax_adapter.surface import JaxSurface

#: policy(k, q, v): forces (..., nv) in the state before step k; it is traced once.
Policy = Callable[[jax.Array, jax.Array, jax.Array], Any]


class Rollout:
    """Rollouts of a robot or mechanism by jax.lax.scan."""

    def __init__(self, surface: JaxSurface) -> None:
        self._surface = surface
        self._robot: Any = surface.owner
        self._title = printable(f"{self._robot.name}.jax.rollout")

    def __reduce__(self) -> Any:
        return getattr, (self._surface, "rollout")

    def __repr__(self) -> str:
        return printable(f"<rollout of {self._surface!r}>")

    @explain_call
    def __call__(
        self,
        q0: Any,
        v0: Any,
        taus: Any = None,
        h: Any = None,
        wrenches: Any = None,
        *,
        policy: Policy | None = None,
        steps: int | None = None,
        method: str = "euler",
        friction: bool = False,
    ) -> tuple[jax.Array, jax.Array]:
        """Simulate a motion step by step, by jax.lax.scan.

        As `robot.rollout` on arrays of JAX. Gradients in q0 and of q are in the entries of q. A
        ModelWarning reports motions that diverge to NaN or inf, except inside jit, grad and vmap
        and on GPUs, where values are not available.

        Parameters
        ----------
        q0, v0 : array_like (..., nq), (..., nv)
            State at the start.
        taus : array_like (..., T, nv)
            Generalized forces, each held for a step.
        h : array_like (...)
            Length of a step in seconds.
        wrenches : array_like (..., T, nb, 6) or {frame: (..., T, 6)}
            Wrenches on the bodies, each held for a step.
        policy : callable
            Instead of `taus`: a function policy(k, q, v) that returns the forces (..., nv) in the
            state before step k.
        steps : int
            Number of steps, with a policy.
        method, friction
            Options of `robot.step`.

        Returns
        -------
        tuple of two arrays
            Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those at the start
            first.
        """
        with explain_tracer_leaks(self._title):
            values = (q0, v0, taus, h, wrenches)
            arguments = rollout.convert_arguments(
                LIBRARY, self._title, self._robot.sizes, values, policy, steps
            )
            q0 = arguments.arrays["q0"]
            if _is_readable(q0):
                self._robot.refuse_open_loops(np.asarray(q0), f"{self._title}: argument 'q0'")
            step = self._surface.quantity("step").choose(method=method, friction=friction)
            start = tuple(_expand_batch(arguments, name) for name in ("q0", "v0"))

            def advance(state: Any, now: Any) -> tuple[Any, Any]:
                k, forces, pushes = now
                tau = forces if policy is None else self._call_policy(policy, k, state)
                following = step(*state, tau, arguments.arrays["h"], wrenches=pushes)
                return following, following

            count = jnp.arange(arguments.steps)
            over_time = (
                count,
                _move_time_first(arguments.arrays.get("taus"), 2),
                _wrenches_over_time(arguments),
            )
            _, states = jax.lax.scan(advance, start, over_time)
        q, v = (
            jnp.moveaxis(jnp.concatenate([first[None], later]), 0, -2)
            for first, later in zip(start, states, strict=True)
        )
        if _is_readable(q) and _is_readable(v):
            rollout.warn_of_divergence(self._title, self._robot, *map(np.asarray, (q, v)))
        return q, v

    def _call_policy(
        self, policy: Policy, k: jax.Array, state: tuple[jax.Array, jax.Array]
    ) -> jax.Array:
        """Return the forces of a policy before step k."""
        what, v = f"{self._title}: what policy gives", state[1]
        tau = LIBRARY.array(policy(k, *state), what)
        try:
            return jnp.broadcast_to(tau.astype(v.dtype), v.shape)
        except ValueError:
            raise ArgumentError(f"{what} must have shape {v.shape}, found {tau.shape}") from None


def _is_readable(x: jax.Array) -> bool:
    """Return whether values can be read without a copy from a device."""
    if isinstance(x, Tracer):
        return False
    return x.is_fully_addressable and all(device.platform == "cpu" for device in x.devices())


def _expand_batch(arguments: RolloutArguments, name: str) -> jax.Array:
    """Broadcast an argument to the batch."""
    return jnp.broadcast_to(arguments.arrays[name], arguments.shape(name))


def _move_time_first(x: jax.Array | None, core: int) -> jax.Array | None:
    """Move the time axis, the first of the core axes, to the front."""
    return None if x is None else jnp.moveaxis(x, -core, 0)


def _wrenches_over_time(arguments: RolloutArguments) -> Any:
    """Return wrenches by frame or on all bodies, with the time axis first."""
    if arguments.frames is None:
        return _move_time_first(arguments.pushes, 3)
    return {name: _move_time_first(x, 2) for name, x in arguments.pushes.items()}
