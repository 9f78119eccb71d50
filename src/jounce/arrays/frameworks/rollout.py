"""What a rollout is given, whatever library takes the steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import rollouts
from jounce.arrays.frameworks.arguments import together
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape


@dataclass(frozen=True)
class Given:
    """Arguments of a rollout by name, and what they broadcast to.

    frames: names of the frames that wrenches act on, if they are given by frame.
    """

    arrays: dict[str, Any]
    cores: dict[str, Shape]
    batch: Shape
    steps: int
    frames: tuple[str, ...] | None

    def shape(self, name: str) -> Shape:
        """The shape of an argument that has the whole batch."""
        return (*self.batch, *self.cores[name])

    @property
    def pushes(self) -> Any:
        """Wrenches (..., T, 6) by frame, or those on all bodies, if there are any."""
        if self.frames is None:
            return self.arrays.get("wrenches")
        return {name: self.arrays[_push(name)] for name in self.frames}

    def wrenches(self, k: int) -> dict[str, Any]:
        """Return the argument `wrenches` of step k by its name; nothing if there are none."""
        if self.frames is not None:
            return {"wrenches": {name: x[..., k, :] for name, x in self.pushes.items()}}
        return {} if self.pushes is None else {"wrenches": self.pushes[..., k, :, :]}


def given(
    library: Library,
    title: str,
    sizes: Mapping[str, int],
    values: tuple[Any, Any, Any, Any, Any],
    policy: Any,
    steps: int | None,
) -> Given:
    """The arguments of a rollout as arrays of a library, after a look at them.

    values: q0, v0, taus, h, wrenches.
    """
    q0, v0, taus, h, wrenches = values
    if h is None:
        raise TypeError(f"{title}: argument 'h', the time of a step, is missing")
    nq, nv, nb = (sizes[name] for name in ("nq", "nv", "nb"))
    shape = None if taus is None else tuple(library.array(taus, f"{title}: argument 'taus'").shape)
    count = rollouts.step_count(title, shape, nv, policy, steps)
    named = {"q0": q0, "v0": v0, "taus": taus, "h": h}
    cores: dict[str, Shape] = {"q0": (nq,), "v0": (nv,), "taus": (count, nv), "h": ()}
    frames = None
    if isinstance(wrenches, Mapping):
        frames = tuple(wrenches)
        named |= {_push(frame): x for frame, x in wrenches.items()}
        cores |= {_push(frame): (count, 6) for frame in frames}
    else:
        named["wrenches"], cores["wrenches"] = wrenches, (count, nb, 6)
    batch, arrays = together(library, title, named, cores)
    return Given(arrays, cores, batch, count, frames)


def warn_of_divergence(title: str, robot: Any, *states: np.ndarray) -> None:
    """Warn of motions q and v (..., T + 1, n) that begin in finite states and end in others."""
    q, v = (np.moveaxis(x, -2, 0) for x in states)
    rollouts.warn_of_divergence(title, robot, q, v)


def _push(frame: str) -> str:
    """What wrenches on a frame are called in messages."""
    return f"wrenches[{frame!r}]"
