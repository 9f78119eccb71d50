"""Steps one after the other on tensors: `robot.torch.rollout`, with gradients through all of them.

Time is the axis before the last one, as in `robot.rollout`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint as computed_again

from jounce.errors import ArgumentError
from jounce.torch.library import LIBRARY

#: Forces (..., nv) in the state (q, v) before step k.
Policy = Callable[[int, Tensor, Tensor], Tensor]

#: The state (q, v) after step k, from the one before and the forces.
Step = Callable[[int, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


class Given(NamedTuple):
    """What a rollout is given, as tensors of one precision; wrenches by frame, or of all bodies."""

    q: Tensor
    v: Tensor
    taus: Tensor | None
    h: Tensor
    wrenches: Any
    steps: int

    def pushes(self, k: int) -> Any:
        """Wrenches of a step, if there are any."""
        if isinstance(self.wrenches, Mapping):
            return {name: x[..., k, :] for name, x in self.wrenches.items()}
        return None if self.wrenches is None else self.wrenches[..., k, :, :]


def given(
    title: str,
    sizes: Mapping[str, int],
    values: tuple[Any, Any, Any, Any, Any],
    policy: Policy | None,
    steps: int | None,
) -> Given:
    """The arguments of a rollout as tensors, after a look at them.

    values: q0, v0, taus, h, wrenches.
    """
    q0, v0, taus, h, wrenches = values
    if h is None:
        raise TypeError(f"{title}: argument 'h', the time of a step, is missing")
    by_frame = isinstance(wrenches, Mapping)
    pushes = {f"wrenches[{k!r}]": x for k, x in wrenches.items()} if by_frame else {}
    named = {"q0": q0, "v0": v0, "taus": taus, "h": h, **pushes}
    named["wrenches"] = None if by_frame else wrenches
    named = {name: x for name, x in named.items() if x is not None}
    arrays = {name: LIBRARY.array(x, f"{title}: argument '{name}'") for name, x in named.items()}
    sure = [not isinstance(x, (int, float, list, tuple)) for x in named.values()]
    arrays = dict(zip(arrays, LIBRARY.alike(list(arrays.values()), sure, title), strict=True))
    count = _count(title, arrays.get("taus"), policy, steps)
    cores = {"q0": (sizes["nq"],), "v0": (sizes["nv"],), "taus": (count, sizes["nv"]), "h": ()}
    cores |= {"wrenches": (count, sizes["nb"], 6), **dict.fromkeys(pushes, (count, 6))}
    batch = _batch(title, arrays, cores)
    q, v = (arrays[name].expand(*batch, *cores[name]) for name in ("q0", "v0"))
    found: Any = arrays.get("wrenches")
    if by_frame:
        found = {name: arrays[f"wrenches[{name!r}]"] for name in wrenches}
    return Given(q, v, arrays.get("taus"), arrays["h"], found, count)


def _batch(title: str, arrays: Mapping[str, Tensor], cores: Mapping[str, Any]) -> tuple[int, ...]:
    """What leading axes broadcast to."""
    shapes = {}
    for name, x in arrays.items():
        split = x.ndim - len(cores[name])
        if split < 0 or tuple(x.shape[split:]) != cores[name]:
            wanted = ", ".join(("...", *map(str, cores[name])))
            raise ArgumentError(
                f"{title}: argument '{name}' must have shape ({wanted}), found {tuple(x.shape)}"
            )
        shapes[name] = tuple(x.shape[:split])
    try:
        return tuple(torch.broadcast_shapes(*shapes.values()))
    except RuntimeError:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ArgumentError(f"{title}: batch axes do not broadcast: {text}") from None


def _count(title: str, taus: Tensor | None, policy: Policy | None, steps: int | None) -> int:
    """How many steps there are."""
    if (taus is None) == (policy is None):
        raise TypeError(f"{title}: give either taus, or a policy and the number of steps")
    if taus is None:
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
            raise ArgumentError(
                f"{title}: steps must be a whole number >= 0, with a policy, found {steps!r}"
            )
        return steps
    if taus.ndim < 2:
        raise ArgumentError(
            f"{title}: argument 'taus' must have shape (..., T, nv), found {tuple(taus.shape)}"
        )
    if steps not in (None, taus.shape[-2]):
        raise ArgumentError(
            f"{title}: steps must be that of taus, {taus.shape[-2]}, or left away, found {steps!r}"
        )
    return taus.shape[-2]


def rolled(
    title: str, step: Step, given: Given, policy: Policy | None, checkpoint: bool
) -> tuple[Tensor, Tensor]:
    """Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those given first."""

    def stretch(first: int, last: int, q: Tensor, v: Tensor) -> tuple[Tensor, ...]:
        states = []
        for k in range(first, last):
            if given.taus is not None:
                tau = given.taus[..., k, :]
            else:
                tau = _asked(title, policy, k, q, v)
            q, v = step(k, q, v, tau)
            states += [q, v]
        return tuple(states)

    length = max(math.isqrt(given.steps), 1) if checkpoint else max(given.steps, 1)
    states = [given.q, given.v]
    for first in range(0, given.steps, length):
        where = first, min(first + length, given.steps), states[-2], states[-1]
        if checkpoint:
            found: Any = computed_again(stretch, *where, use_reentrant=False)
        else:
            found = stretch(*where)
        states += found
    return torch.stack(states[::2], dim=-2), torch.stack(states[1::2], dim=-2)


def _asked(title: str, policy: Policy | None, k: int, q: Tensor, v: Tensor) -> Tensor:
    """What a policy gives in the state before step k."""
    assert policy is not None
    tau = policy(k, q, v)
    what = f"{title}: what policy gives at step {k}"
    if not isinstance(tau, Tensor):
        raise TypeError(f"{what} must be a tensor, found {type(tau).__name__}")
    try:
        return tau.to(v.dtype).expand(v.shape)
    except RuntimeError:
        raise ArgumentError(
            f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}"
        ) from None
