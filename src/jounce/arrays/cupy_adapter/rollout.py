"""Rollouts on a device, into arrays whose first axis is time."""

from __future__ import annotations

from typing import Any

from jounce.arrays.cupy_adapter.cupy_library import CupyLibrary
from jounce.arrays.cupy_adapter.functions import CudaFunction
from jounce.arrays.frameworks import rollout
from jounce.arrays.frameworks.arguments import shaped
from jounce.arrays.frameworks.rollout import Given
from jounce.errors import ArgumentError, printable


def roll_out(
    library: CupyLibrary, robot: Any, values: dict[str, Any], further: dict[str, Any]
) -> tuple[Any, Any]:
    """Return configurations (..., T + 1, nq) and velocities (..., T + 1, nv).

    values: q0, v0, taus, h, wrenches of `robot.rollout`; further: policy, steps, and the options of
    a step. Results are views of arrays in the order of time. Nothing waits for the device.
    """
    title = f"{printable(robot.name)}.rollout"
    policy = further.pop("policy")
    arguments = tuple(values[name] for name in ("q0", "v0", "taus", "h", "wrenches"))
    given = rollout.given(library, title, robot.sizes, arguments, policy, further.pop("steps"))
    step = CudaFunction(robot.step.choose(**further), library)
    with library.device_of(given.arrays["q0"]):
        q, v = (_states(library, title, given, name) for name in ("q0", "v0"))
        for k in range(given.steps):
            if policy is None:
                tau = given.arrays["taus"][..., k, :]
            else:
                tau = _policy_forces(library, title, policy, k, (q[k], v[k]))
            following = q[k + 1], v[k + 1]
            step(q[k], v[k], tau, given.arrays["h"], out=following, **given.wrenches(k))
    return library.cupy.moveaxis(q, 0, -2), library.cupy.moveaxis(v, 0, -2)


def _states(library: CupyLibrary, title: str, given: Given, name: str) -> Any:
    """Return an array (T + 1, ..., n) whose first entry is a state that is given."""
    first = given.arrays[name]
    states = library.empty((given.steps + 1, *given.shape(name)), first.dtype, title)
    states[0] = first
    return states


def _policy_forces(
    library: CupyLibrary, title: str, policy: Any, k: int, state: tuple[Any, Any]
) -> Any:
    """Return the forces of a policy in the state before step k, of which it gets copies."""
    q, v = map(library.cupy.array, state)
    what = f"{title}: what policy gives at step {k}"
    tau = shaped(library, policy(k, q, v), what, tuple(v.shape[-1:]))
    if len(tau.shape) > len(v.shape):
        raise ArgumentError(f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}")
    return tau
