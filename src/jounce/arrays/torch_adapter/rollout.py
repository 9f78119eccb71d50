"""Rollouts on tensors, with gradients through all steps: `robot.torch.rollout`.

The last but one axis is time, as in `robot.rollout`.
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
from jounce.arrays.torch_adapter.library import LIBRARY, check_dense
from jounce.errors import ArgumentError

#: policy(k, q, v): forces (..., nv) in the state before step k.
Policy = Callable[[int, Tensor, Tensor], Tensor]

#: step(q, v, tau, h, [wrenches=...]): state after a step.
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
    read without a copy from a device.
    """
    arguments = rollout.convert_arguments(LIBRARY, title, robot.sizes, values, policy, steps)

    def simulate(first: int, last: int, q: Tensor, v: Tensor) -> tuple[Tensor, ...]:
        states = []
        for k in range(first, last):
            if policy is None:
                tau = arguments.arrays["taus"][..., k, :]
            else:
                tau = _call_policy(title, policy, k, q, v)
            q, v = step(q, v, tau, arguments.arrays["h"], **arguments.wrenches(k))
            states += [q, v]
        return tuple(states)

    q0 = arguments.arrays["q0"]
    if _is_readable(q0):
        robot.refuse_open_loops(q0.detach().numpy(), f"{title}: argument 'q0'")
    length = max(math.isqrt(arguments.steps), 1) if checkpoint else max(arguments.steps, 1)
    states = [arguments.arrays[name].expand(arguments.shape(name)) for name in ("q0", "v0")]
    for first in range(0, arguments.steps, length):
        segment = first, min(first + length, arguments.steps), states[-2], states[-1]
        if checkpoint:
            computed: Any = computed_again(simulate, *segment, use_reentrant=False)
        else:
            computed = simulate(*segment)
        states += computed
    q, v = (torch.stack(states[k::2], dim=-2) for k in (0, 1))
    if _is_readable(q, v):
        rollout.warn_of_divergence(title, robot, *(x.detach().numpy() for x in (q, v)))
    return q, v


def _is_readable(*tensors: Tensor) -> bool:
    """Return whether tensors are on the CPU and have values, not placeholders of a transform."""
    if torch.compiler.is_compiling():
        return False
    on_cpu = all(x.is_cpu for x in tensors)
    return on_cpu and operations.is_eager() and not operations.is_captured(tensors)


def _call_policy(title: str, policy: Policy, k: int, q: Tensor, v: Tensor) -> Tensor:
    """Return the forces of a policy before step k."""
    tau = policy(k, q, v)
    what = f"{title}: what policy gives at step {k}"
    if not isinstance(tau, Tensor):
        raise TypeError(f"{what} must be a tensor, found {type(tau).__name__}")
    check_dense(tau, what)
    if tau.device != v.device:
        raise ArgumentError(
            f"{what} must be on the device of the state, {v.device}, found {tau.device}"
        )
    try:
        return tau.to(v.dtype).expand(v.shape)
    except RuntimeError:
        raise ArgumentError(
            f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}"
        ) from None
