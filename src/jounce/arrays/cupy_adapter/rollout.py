"""Rollouts on a CUDA device."""

from __future__ import annotations

from typing import Any

from jounce.arrays.cupy_adapter.cupy_library import CupyLibrary
from jounce.arrays.cupy_adapter.functions import CudaFunction
from jounce.arrays.frameworks import rollout
from jounce.arrays.frameworks.arguments import convert_array
from jounce.arrays.frameworks.rollout import RolloutArguments
from jounce.errors import ArgumentError, printable


def roll_out(
    library: CupyLibrary, robot: Any, values: dict[str, Any], further: dict[str, Any]
) -> tuple[Any, Any]:
    """Return configurations (..., T + 1, nq) and velocities (..., T + 1, nv).

    values: q0, v0, taus, h, wrenches of `robot.rollout`; further: policy, steps, and the options of
    a step. Results are views of arrays whose first axis is time. Never waits for the device.
    """
    title = f"{printable(robot.name)}.rollout"
    policy = further.pop("policy")
    arguments = tuple(values[name] for name in ("q0", "v0", "taus", "h", "wrenches"))
    rollout_arguments = rollout.convert_arguments(
        library, title, robot.sizes, arguments, policy, further.pop("steps")
    )
    step = CudaFunction(robot.step.choose(**further), library)
    with library.device_of(rollout_arguments.arrays["q0"]):
        q, v = (_states(library, title, rollout_arguments, name) for name in ("q0", "v0"))
        for k in range(rollout_arguments.steps):
            if policy is None:
                tau = rollout_arguments.arrays["taus"][..., k, :]
            else:
                tau = _policy_forces(library, title, policy, k, (q[k], v[k]))
            following = q[k + 1], v[k + 1]
            step(
                q[k],
                v[k],
                tau,
                rollout_arguments.arrays["h"],
                out=following,
                **rollout_arguments.wrenches(k),
            )
    return library.cupy.moveaxis(q, 0, -2), library.cupy.moveaxis(v, 0, -2)


def _states(library: CupyLibrary, title: str, arguments: RolloutArguments, name: str) -> Any:
    """Return an array (T + 1, ..., n) that starts with the initial state."""
    first = arguments.arrays[name]
    states = library.empty((arguments.steps + 1, *arguments.shape(name)), first.dtype, title)
    states[0] = first
    return states


def _policy_forces(
    library: CupyLibrary, title: str, policy: Any, k: int, state: tuple[Any, Any]
) -> Any:
    """Return the forces of a policy before step k; it receives copies of the state."""
    q, v = map(library.cupy.array, state)
    what = f"{title}: what policy gives at step {k}"
    tau = convert_array(library, policy(k, q, v), what, tuple(v.shape[-1:]))
    if len(tau.shape) > len(v.shape):
        raise ArgumentError(f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}")
    return tau
