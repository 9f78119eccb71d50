"""Steps one after the other inside JAX: `robot.jax.rollout`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jounce.errors import ArgumentError, printable
from jounce.jax.library import LIBRARY, told

if TYPE_CHECKING:
    from jounce.jax.surface import JaxSurface

#: Forces (..., nv) in the state (q, v) before step k; what it does is traced once.
Policy = Callable[[jax.Array, jax.Array, jax.Array], Any]


class Rollout:
    """Motions of a robot or mechanism, one step after the other, by jax.lax.scan."""

    def __init__(self, surface: JaxSurface) -> None:
        self._surface = surface
        self._robot: Any = surface._owner
        self._title = printable(f"{self._robot.name}.jax.rollout")

    def __reduce__(self) -> Any:
        return getattr, (self._surface, "rollout")

    def __repr__(self) -> str:
        return printable(f"<rollout of {self._surface!r}>")

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
        """Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those given first.

        q0 (..., nq), v0 (..., nv): where it starts. taus (..., T, nv): forces, each held for a step
        of h seconds (...,). wrenches: on the bodies, (..., T, nb, 6), or {frame: (..., T, 6)}.
        policy: instead of taus, a function policy(k, q, v) of JAX's arrays that gives the forces
        (..., nv) in the state before step k, of `steps` many. method, friction: as those of
        robot.step. Gradients in q0 and of q are in the entries of q.
        """
        with told(self._title):
            count = self._count(taus, policy, steps)
            given = self._given(count, {"q0": q0, "v0": v0, "taus": taus, "h": h}, wrenches)
            step = self._surface.step.choose(method=method, friction=friction)
            frames = list(wrenches) if isinstance(wrenches, Mapping) else None
            start = given.start("q0"), given.start("v0")

            def advance(state: Any, now: Any) -> tuple[Any, Any]:
                k, forces, pushes = now
                tau = forces if policy is None else self._asked(policy, k, state)
                pushed = pushes if frames is None else dict(zip(frames, pushes, strict=True))
                following = step(*state, tau, given.arrays["h"], wrenches=pushed)
                return following, following

            over_time = jnp.arange(count), given.over_time("taus"), given.pushes(frames)
            _, states = jax.lax.scan(advance, start, over_time)
        q, v = (
            jnp.moveaxis(jnp.concatenate([first[None], later]), 0, -2)
            for first, later in zip(start, states, strict=True)
        )
        return q, v

    def _count(self, taus: Any, policy: Policy | None, steps: int | None) -> int:
        """How many steps there are."""
        if (taus is None) == (policy is None):
            raise TypeError(f"{self._title}: give either taus, or a policy and the number of steps")
        if taus is None:
            if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 0:
                raise ArgumentError(
                    f"{self._title}: steps must be a whole number >= 0, with a policy, found"
                    f" {steps!r}"
                )
            return int(steps)
        found, nv = LIBRARY.array(taus, f"{self._title}: argument 'taus'").shape, self._robot.nv
        if len(found) < 2 or found[-1] != nv:
            raise ArgumentError(
                f"{self._title}: argument 'taus' must have shape (..., T, {nv}), found {found}"
            )
        if steps not in (None, found[-2]):
            raise ArgumentError(
                f"{self._title}: steps must be that of taus, {found[-2]}, or left away, found"
                f" {steps!r}"
            )
        return found[-2]

    def _given(self, count: int, named: dict[str, Any], wrenches: Any) -> _Given:
        """The arguments as arrays of one precision, after a look at their shapes."""
        if named["h"] is None:
            raise TypeError(f"{self._title}: argument 'h', the time of a step, is missing")
        sizes = self._robot.sizes
        cores = {"q0": (sizes["nq"],), "v0": (sizes["nv"],), "taus": (count, sizes["nv"]), "h": ()}
        if isinstance(wrenches, Mapping):
            named |= {_push(frame): x for frame, x in wrenches.items()}
            cores |= {_push(frame): (count, 6) for frame in wrenches}
        else:
            named["wrenches"], cores["wrenches"] = wrenches, (count, sizes["nb"], 6)
        values = {name: x for name, x in named.items() if x is not None}
        arrays = [self._array(name, x, cores[name]) for name, x in values.items()]
        sure = [hasattr(x, "dtype") for x in values.values()]
        alike = LIBRARY.alike(arrays, sure, self._title)
        leading = [
            x.shape[: x.ndim - len(cores[name])] for name, x in zip(values, alike, strict=True)
        ]
        try:
            batch = LIBRARY.batch(leading)
        except ValueError:
            text = ", ".join(f"{name} {x}" for name, x in zip(values, leading, strict=True))
            raise ArgumentError(f"{self._title}: batch axes do not broadcast: {text}") from None
        return _Given(dict(zip(values, alike, strict=True)), cores, batch)

    def _array(self, name: str, x: Any, core: tuple[int, ...]) -> jax.Array:
        what = f"{self._title}: argument '{name}'"
        found = LIBRARY.array(x, what)
        split = found.ndim - len(core)
        if split < 0 or found.shape[split:] != core:
            wanted = ", ".join(("...", *map(str, core)))
            raise ArgumentError(f"{what} must have shape ({wanted}), found {found.shape}")
        return found

    def _asked(self, policy: Policy, k: jax.Array, state: tuple[jax.Array, jax.Array]) -> jax.Array:
        """What a policy gives before step k."""
        what, v = f"{self._title}: what policy gives", state[1]
        tau = LIBRARY.array(policy(k, *state), what)
        try:
            return jnp.broadcast_to(tau.astype(v.dtype), v.shape)
        except ValueError:
            raise ArgumentError(f"{what} must have shape {v.shape}, found {tau.shape}") from None


def _push(frame: str) -> str:
    """What wrenches on a frame are called."""
    return f"wrenches[{frame!r}]"


class _Given(NamedTuple):
    """What a rollout is given, by name: arrays and core shapes; and the batch of all."""

    arrays: dict[str, jax.Array]
    cores: dict[str, tuple[int, ...]]
    batch: tuple[int, ...]

    def start(self, name: str) -> jax.Array:
        """A part of the first state, of all motions."""
        return jnp.broadcast_to(self.arrays[name], (*self.batch, *self.cores[name]))

    def over_time(self, name: str) -> jax.Array | None:
        """An array over time, with the axis of time first, if it is given."""
        found = self.arrays.get(name)
        return None if found is None else jnp.moveaxis(found, -len(self.cores[name]), 0)

    def pushes(self, frames: list[str] | None) -> Any:
        """Wrenches over time, of frames or of all bodies."""
        if frames is None:
            return self.over_time("wrenches")
        return [self.over_time(_push(frame)) for frame in frames]
