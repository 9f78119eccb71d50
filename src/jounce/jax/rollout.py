"""Steps one after the other inside JAX: `robot.jax.rollout`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

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
            given, pushes = self._given((q0, v0, taus, h), wrenches)
            count = self._count(given.get("taus"), policy, steps)
            step = self._surface.step.choose(method=method, friction=friction)
            state, batch = self._start(given, pushes)
            over_time = self._over_time(given.get("taus"), pushes, count)

            def advance(now: Any, given_now: Any) -> tuple[Any, Any]:
                k, tau, push = given_now
                if policy is not None:
                    tau = self._asked(policy(k, *now), batch, now[1].dtype)
                following = step(*now, tau, given["h"], wrenches=push)
                return following, following

            _, states = jax.lax.scan(advance, state, (jnp.arange(count), *over_time))
        q, v = (
            jnp.moveaxis(jnp.concatenate([first[None], later]), 0, -2)
            for first, later in zip(state, states, strict=True)
        )
        return q, v

    def _given(
        self, values: tuple[Any, ...], wrenches: Any
    ) -> tuple[dict[str, jax.Array], dict[str | None, jax.Array]]:
        """Arrays by name, and wrenches by frame (None: of all bodies), all of one precision."""
        named = dict(zip(("q0", "v0", "taus", "h"), values, strict=True))
        if named["h"] is None:
            raise TypeError(f"{self._title}: argument 'h', the time of a step, is missing")
        by_frame = wrenches if isinstance(wrenches, Mapping) else {None: wrenches}
        given = {name: x for name, x in named.items() if x is not None}
        given |= {("wrenches", frame): x for frame, x in by_frame.items() if x is not None}
        arrays = {
            name: LIBRARY.array(x, f"{self._title}: argument '{_name(name)}'")
            for name, x in given.items()
        }
        cores = self._cores()
        for name, x in arrays.items():
            self._check(_name(name), x, cores["wrench" if _by_frame(name) else _name(name)])
        sure = [hasattr(x, "dtype") for x in given.values()]
        alike = dict(zip(arrays, LIBRARY.alike(list(arrays.values()), sure, self._title), strict=True))
        pushes = {name[1]: alike.pop(name) for name in [*alike] if isinstance(name, tuple)}
        return alike, pushes

    def _cores(self) -> dict[str, tuple[int | str, ...]]:
        """Core shapes of arguments."""
        sizes = self._robot.sizes
        return {
            "q0": (sizes["nq"],),
            "v0": (sizes["nv"],),
            "taus": ("T", sizes["nv"]),
            "h": (),
            "wrenches": ("T", sizes["nb"], 6),
            "wrench": ("T", 6),
        }
