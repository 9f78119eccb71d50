"""Steps one after the other on a device, into memory where time is the first axis."""

from __future__ import annotations

from typing import Any

from jounce.cuda.functions import CudaFunction
from jounce.cuda.library import CudaLibrary
from jounce.errors import ArgumentError, printable
from jounce.frameworks import rollout
from jounce.frameworks.arguments import shaped
from jounce.frameworks.rollout import Given


def rolled(
    library: CudaLibrary, robot: Any, values: dict[str, Any], further: dict[str, Any]
) -> tuple[Any, Any]:
    """Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those given first.

    values: q0, v0, taus, h, wrenches of `robot.rollout`; further: policy, steps, and the options of
    a step. Results are views of memory in the order of time. Nothing waits for the device.
    """
    title = f"{printable(robot.name)}.rollout"
    order = ("q0", "v0", "taus", "h", "wrenches")
    policy = further.pop("policy")
    begun = tuple(values[name] for name in order)
    given = rollout.given(library, title, robot.sizes, begun, policy, further.pop("steps"))
    step = CudaFunction(robot.quantity("step").choose(**further), library)
    like = given.arrays["q0"]
    states = []
    with library.there(like):
        for name in ("q0", "v0"):
            shape = given.shape(name)
            made = library.empty((given.steps + 1, *shape), like.dtype, like, title)
            library.store(library.regular(given.arrays[name], shape), made[0])
            states.append(made)
        q, v = states
        for k in range(given.steps):
            tau = (
                given.arrays["taus"][..., k, :]
                if policy is None
                else _asked(library, title, policy, k, (q[k], v[k]))
            )
            named = _pushes(given, k)
            step(q[k], v[k], tau, given.arrays["h"], out=(q[k + 1], v[k + 1]), **named)
    return library.moved(q, 0, -2), library.moved(v, 0, -2)


def _pushes(given: Given, k: int) -> dict[str, Any]:
    """Wrenches of a step, if there are any."""
    if given.frames is not None:
        return {"wrenches": {name: x[..., k, :] for name, x in given.pushes.items()}}
    return {} if given.pushes is None else {"wrenches": given.pushes[..., k, :, :]}


def _asked(library: CudaLibrary, title: str, policy: Any, k: int, state: tuple[Any, Any]) -> Any:
    """What a policy gives in the state before step k, of which it gets copies."""
    q, v = (library.regular(x, x.shape) for x in state)
    what = f"{title}: what policy gives at step {k}"
    tau = shaped(library, policy(k, q, v), what, tuple(v.shape[-1:]))
    if len(tau.shape) > len(v.shape):
        raise ArgumentError(f"{what} must have shape {tuple(v.shape)}, found {tuple(tau.shape)}")
    return tau
