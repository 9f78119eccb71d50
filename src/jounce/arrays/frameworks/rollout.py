"""Arguments of rollouts, for all libraries that differentiate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import rollouts
from jounce.arrays.frameworks.arguments import broadcast_arguments
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Shape


@dataclass(frozen=True)
class RolloutArguments:
    """Arguments of a rollout by name, and their common batch.

    frames: names of the frames on which wrenches act; None for wrenches on all bodies.
    """

    arrays: dict[str, Any]
    cores: dict[str, Shape]
    batch: Shape
    steps: int
    frames: tuple[str, ...] | None

    def shape(self, name: str) -> Shape:
        """Return the shape of an argument broadcast to the batch."""
        return (*self.batch, *self.cores[name])

    @property
    def pushes(self) -> Any:
        """Wrenches (..., T, 6) by frame, or (..., T, nb, 6) on all bodies; None without any."""
        if self.frames is None:
            return self.arrays.get("wrenches")
        return {name: self.arrays[_wrench_name(name)] for name in self.frames}

    def wrenches(self, k: int) -> dict[str, Any]:
        """Return {"wrenches": ...} for step k; empty without wrenches."""
        if self.frames is not None:
            return {"wrenches": {name: x[..., k, :] for name, x in self.pushes.items()}}
        return {} if self.pushes is None else {"wrenches": self.pushes[..., k, :, :]}


def convert_arguments(
    library: Library,
    title: str,
    sizes: Mapping[str, int],
    values: tuple[Any, Any, Any, Any, Any],
    policy: Any,
    steps: int | None,
) -> RolloutArguments:
    """Convert the arguments of a rollout to arrays of a library, and check their shapes.

    values: q0, v0, taus, h, wrenches.
    """
    q0, v0, taus, h, wrenches = values
    if h is None:
        raise TypeError(f"{title}: argument 'h' is missing, the time step in seconds")
    nq, nv, nb = (sizes[name] for name in ("nq", "nv", "nb"))
    shape = None if taus is None else tuple(library.array(taus, f"{title}: argument 'taus'").shape)
    count = rollouts.step_count(title, shape, nv, policy, steps)
    named = {"q0": q0, "v0": v0, "taus": taus, "h": h}
    cores: dict[str, Shape] = {"q0": (nq,), "v0": (nv,), "taus": (count, nv), "h": ()}
    frames = None
    if isinstance(wrenches, Mapping):
        frames = tuple(wrenches)
        named |= {_wrench_name(frame): x for frame, x in wrenches.items()}
        cores |= {_wrench_name(frame): (count, 6) for frame in frames}
    else:
        named["wrenches"], cores["wrenches"] = wrenches, (count, nb, 6)
    batch, arrays = broadcast_arguments(library, title, named, cores)
    return RolloutArguments(arrays, cores, batch, count, frames)


def warn_of_divergence(title: str, robot: Any, *states: np.ndarray) -> None:
    """Warn of motions q and v (..., T + 1, n) that diverge to NaN or infinity."""
    q, v = (np.moveaxis(x, -2, 0) for x in states)
    rollouts.warn_of_divergence(title, robot, q, v)


def _wrench_name(frame: str) -> str:
    """Return the name of wrenches on a frame in messages."""
    return f"wrenches[{frame!r}]"
