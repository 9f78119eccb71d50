"""Steps one after the other on tensors: `robot.torch.rollout`, with gradients through all of them.

Time is the axis before the last one, as in `robot.rollout`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint as computed_again

from jounce.arrays.frameworks import rollout
from jounce.arrays.torch_adapter import operations
from jounce.arrays.torch_adapter.library import LIBRARY, dense
from jounce.errors import ArgumentError

#: Forces (..., nv) in the state (q, v) before step k.
Policy = Callable[[int, Tensor, Tensor], Tensor]

#: The state after a step: step(q, v, tau, h), with wrenches by name if there are any.
Step = Callable[..., tuple[Tensor, Tensor]]


def roll_out(
    title: str,
    robot: Any,
    step: Step,
    values: tuple[Any, Any, Any, Any, Any],
    policy: Policy | None,
    steps: int | None,
    checkpoint: bool,
) -> tuple[Tensor, Tensor]:
    """Return configurations (..., T + 1, nq) and velocities (..., T + 1, nv).

    values: q0, v0, taus, h, wrenches. Divergence to NaN or inf is reported where values can be
    read without waiting for a device.
    """
    given = rollout.given(LIBRARY, title, robot.sizes, values, policy, steps)

    def stretch(first: int, last: int, q: Tensor, v: Tensor) -> tuple[Tensor, ...]:
        states = []
        for k in range(first, last):
            if policy is None:
                tau = given.arrays["taus"][..., k, :]
            else:
                tau = _asked(title, policy, k, q, v)
            q, v = step(q, v, tau, given.arrays["h"], **given.wrenches(k))
            states += [q, v]
        return tuple(states)

    q0 = given.arrays["q0"]
    if _is_readable(q0):
        robot.refuse_open_loops(q0.detach().numpy(), f"{title}: argument 'q0'")
    length = max(math.isqrt(given.steps), 1) if checkpoint else max(given.steps, 1)
    states = [given.arrays[name].expand(given.shape(name)) for name in ("q0", "v0")]
    for first in range(0, given.steps, length):
        where = first, min(first + length, given.steps), states[-2], states[-1]
        if checkpoint:
            found: Any = computed_again(stretch, *where, use_reentrant=False)
        else:
            found = stretch(*where)
        states += found
    q, v = (torch.stack(states[k::2], dim=-2) for k in (0, 1))
    if _is_readable(q, v):
        rollout.warn_of_divergence(title, robot, *(x.detach().numpy() for x in (q, v)))
    return q, v


def _is_readable(*tensors: Tensor) -> bool:
    """Return whether tensors are on the CPU and no transform of PyTorch stands for their values."""
    if torch.compiler.is_compiling():
        return False
    on_cpu = all(x.is_cpu for x in tensors)
    return on_cpu and operations.undisturbed() and not operations.captured(tensors)


def _asked(title: str, policy: Policy, k: int, q: Tensor, v: Tensor) -> Tensor:
    """What a policy gives in the state before step k."""
    tau = policy(k, q, v)
    what = f"{title}: what policy gives at step {k}"
    if not isinstance(tau, Tensor):
        raise TypeError(f"{what} must be a tensor, found {type(tau).__name__}")
    dense(tau, what)
    if tau.device != v.device:
        raise ArgumentError(f"{what} must be on {v.device}, as the state, found {tau.device}")
    try:
        return tau.to(v.dtype).expand(v.shape)
    except RuntimeError:
        raise ArgumentError(
            f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}"
        ) from None
