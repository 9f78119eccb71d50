"""Steps one after the other: `robot.rollout`, and gradients of what comes of them.

Time is the axis before the last one. Gradients go back through all steps, from states that are
computed again: of T steps, only about 2 sqrt(T) states are held at a time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import kinds
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.rollouts import step_count, warn_of_divergence
from jounce.arrays.validation import (
    broadcast_arguments,
    check_out_array,
    check_out_type,
    convert_array,
    on_cuda,
    plain,
    precision,
    refuse_other_columns,
    refuse_other_joints,
)
from jounce.arrays.wrenches import on_bodies
from jounce.errors import ArgumentError, explain_call, printable
from jounce.robot.system import System
from jounce.solve.motion.stops import Stops
from jounce.utils.progress import track

if TYPE_CHECKING:
    from jounce.arrays.generic import F

#: Seconds after which someone wants to know how far it is.
_PATIENCE = 2.0

#: Forces (..., nv) in the state (q, v) before step k.
Policy = Callable[[int, np.ndarray, np.ndarray], ArrayLike]


class _Given(NamedTuple):
    """What a rollout is given; of arrays over time the axis of time is the first one."""

    q: np.ndarray
    v: np.ndarray
    taus: np.ndarray | None
    h: np.ndarray
    wrenches: np.ndarray | None
    batch: tuple[int, ...]
    steps: int
    dtype: np.dtype[Any]

    def pushes(self, k: int) -> tuple[np.ndarray, ...]:
        """Wrenches of a step, if there are any."""
        return () if self.wrenches is None else (self.wrenches[k],)


class Rollout:
    """Motions of a robot or mechanism, one step after the other."""

    def __init__(self, robot: System) -> None:
        self._robot = robot
        self._title = printable(f"{robot.name}.rollout")

    def __reduce__(self) -> Any:
        return getattr, (self._robot, "rollout")

    def __dask_tokenize__(self) -> Any:
        return "rollout", self._robot.content_hash

    def __repr__(self) -> str:
        return printable(f"<rollout of {self._robot!r}>")

    @overload
    def __call__(
        self,
        q0: F,
        v0: F,
        taus: F | ArrayLike | None = None,
        h: F | ArrayLike | None = None,
        wrenches: Any = None,
        *,
        policy: Any = None,
        steps: int | None = None,
        method: str = "euler",
        friction: bool = False,
    ) -> tuple[F, F]: ...

    @overload
    def __call__(
        self,
        q0: ArrayLike,
        v0: ArrayLike,
        taus: ArrayLike | None = None,
        h: ArrayLike | None = None,
        wrenches: Any = None,
        *,
        policy: Policy | None = None,
        steps: int | None = None,
        method: str = "euler",
        friction: bool = False,
        limits: Any = None,
        out: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray]: ...

    @explain_call
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
        limits: Any = None,
        out: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> tuple[Any, Any]:
        """Simulate a motion step by step.

        Leading axes broadcast. A ModelWarning reports motions that diverge, and the first step
        that is not finite.

        Parameters
        ----------
        q0, v0 : array_like (..., nq), (..., nv)
            State at the start.
        taus : array_like (..., T, nv)
            Generalised forces, each held for a step.
        h : array_like (...)
            Length of a step in seconds.
        wrenches : array_like (..., T, nb, 6) or {frame: (..., T, 6)}
            Wrenches on the bodies, each held for a step.
        policy : callable
            Instead of `taus`: policy(k, q, v) returns the forces (..., nv) in the state before
            step k.
        steps : int
            Number of steps, with a policy.
        method, friction
            Options of `robot.step`.
        limits : bool or sequence of {"effort", "velocity", "position"}
            What is cut off at the limits of the robot; True for all of them.
        out : tuple of two arrays
            Where to put the results.

        Returns
        -------
        tuple of two arrays
            Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those at the start
            first; float32 if an array is float32 and none is wider.
        """
        values = {"q0": q0, "v0": v0, "taus": taus, "h": h, "wrenches": wrenches}
        refuse_other_columns(self._robot, self._title, values.items())
        kind = kinds.find_kind(values.values())
        if kind is not None:
            options = {"policy": policy, "steps": steps, "method": method, "friction": friction}
            return kind.roll_out(self._robot, values, {**options, "limits": limits, "out": out})
        given = self._given(self._title, (q0, v0, taus, h, wrenches), policy, steps)
        stops = Stops(self._robot, limits, self._title)
        step = self._step(method, friction)
        found = self._room(given, out)
        q, v = (np.moveaxis(x, -2, 0) for x in found)
        q[0], v[0] = given.q, given.v
        for k in _watched(range(given.steps), self._title):
            tau = given.taus[k] if given.taus is not None else self._asked(policy, k, q, v, given)
            _advance(step, given, stops, k, (q[k], v[k], tau), (q[k + 1], v[k + 1]))
        warn_of_divergence(self._title, self._robot, q, v)
        return found

    @explain_call
    def vjp(
        self,
        q0: ArrayLike,
        v0: ArrayLike,
        taus: ArrayLike | None,
        h: ArrayLike,
        lam_q: ArrayLike,
        lam_v: ArrayLike,
        wrenches: Any = None,
        *,
        policy: Policy | None = None,
        method: str = "euler",
        friction: bool = False,
        limits: Any = None,
    ) -> tuple[np.ndarray, ...]:
        """Return the gradients of a scalar function of all states of a motion.

        Parameters
        ----------
        q0, v0, taus, h, wrenches, method, friction, limits
            As in a call. Gradients are zero where a limit cuts a value off.
        lam_q, lam_v : array_like (..., T + 1, nv)
            Gradients of the function in the configurations, along velocities, and in the
            velocities.
        policy : None
            Not supported: give the forces that it returned as `taus`.

        Returns
        -------
        tuple of ndarray
            Gradients in q0, along velocities, (..., nv), v0 (..., nv), taus (..., T, nv) and h
            (...), and in wrenches (..., T, nb, 6) if they are given.
        """
        title = f"{self._title}.vjp"
        if policy is not None:
            raise ArgumentError(
                f"{title}: the gradient of a policy is not known here; give the forces that it"
                " returned as taus, and apply the chain rule to the gradients in them"
            )
        if any(map(on_cuda, (q0, v0, taus, h, lam_q, lam_v))):
            raise TypeError(
                f"{title}: it computes with NumPy's arrays; on CUDA gradients go through"
                " robot.torch.rollout and robot.jax.rollout, or copy the arrays to the CPU first,"
                " with .cpu(), .get() or jax.device_get"
            )
        joints = {"v0": v0, "taus": taus, "lam_q": lam_q, "lam_v": lam_v}
        for name, x in {"q0": q0, **joints}.items():
            of = "q" if name == "q0" else "v"
            refuse_other_joints(self._robot, x, of, f"{title}: argument '{name}'")
        given = self._given(title, (q0, v0, taus, h, wrenches), None, None)
        lam = {"lam_q": lam_q, "lam_v": lam_v}
        core = (given.steps + 1, self._robot.nv)
        _, arrays = broadcast_arguments(title, lam, dict.fromkeys(lam, core))
        for name, x in zip(lam, arrays, strict=True):
            if not _fits(x.shape[:-2], given.batch):
                raise ArgumentError(
                    f"{title}: argument '{name}' must have shape {(*given.batch, *core)}, found"
                    f" {x.shape}"
                )
        stops = Stops(self._robot, limits, title)
        weights = [np.moveaxis(_spread(x, given, core), -2, 0) for x in arrays]
        return self._back(given, weights, stops, (method, friction))

    def _back(
        self,
        given: _Given,
        weights: list[np.ndarray],
        stops: Stops,
        options: tuple[str, bool],
    ) -> tuple[np.ndarray, ...]:
        """Gradients, stretch by stretch from the end, each computed again from where it starts."""
        step = self._step(*options)
        back = step.derivative("vjp")
        length = max(math.isqrt(given.steps), 1)
        every = range(given.steps)
        walk = _walk(step, given, stops, (given.q, given.v), _watched(every, self._title))
        starts = [state for k, (state, _) in enumerate(walk) if k % length == 0]
        lam = [x[-1].copy() for x in weights]
        taus = np.zeros((*given.batch, given.steps, self._robot.nv), given.dtype)
        h = np.zeros(given.batch, given.dtype)
        shape = () if given.wrenches is None else given.wrenches.shape[1:]
        pushes = np.zeros((given.steps, *shape), given.dtype)
        title = f"{self._title}.vjp"
        for first in _watched(range(0, given.steps, length)[::-1], title):
            last = min(first + length, given.steps)
            again = range(first, last)
            walk = list(_walk(step, given, stops, starts.pop(), again))
            for k, ((q, v), left) in reversed(list(zip(again, walk, strict=True))):
                assert given.taus is not None
                lam = [(x * y).astype(given.dtype) for x, y in zip(lam, left, strict=True)]
                tau = stops.forces(given.taus[k])
                found = back(q, v, tau, given.h, *lam, *given.pushes(k))
                lam = [x + w[k] for x, w in zip(found[:2], weights, strict=True)]
                taus[..., k, :] = found[2] * stops.slopes(given.taus[k])
                h += found[3]
                if shape:
                    pushes[k] = found[4]
        return *lam, taus, h[()], *((np.moveaxis(pushes, 0, -3),) if shape else ())

    # -------------------------------------------------------------- what is given

    def _step(self, method: str, friction: bool) -> Any:
        """The robot's step with these options."""
        return self._robot.quantity("step").choose(method=method, friction=friction)

    def check(self, method: str, friction: bool, limits: Any) -> None:
        """Refuse options that no rollout has, before one begins."""
        Stops(self._robot, limits, self._title)
        self._step(method, friction)

    def cores(
        self, title: str, taus: tuple[int, ...] | None, policy: Any, steps: int | None
    ) -> dict[str, tuple[int, ...]]:
        """Core shapes of the arguments; taus: the shape of the forces, if they are given.

        title: how messages begin.
        """
        robot = self._robot
        count = step_count(title, taus, robot.nv, policy, steps)
        return {
            "q0": (robot.nq,),
            "v0": (robot.nv,),
            "taus": (count, robot.nv),
            "h": (),
            "wrenches": (count, robot.sizes["nb"], 6),
        }

    def _given(
        self, title: str, values: tuple[Any, ...], policy: Policy | None, steps: int | None
    ) -> _Given:
        """The arguments as arrays, after a look at them."""
        q0, v0, taus, h, wrenches = values
        robot = self._robot
        shape = None if taus is None else plain(taus, f"{title}: argument 'taus'").shape
        cores = self.cores(title, shape, policy, steps)
        count = cores["taus"][0]
        if h is None:
            raise TypeError(f"{title}: argument 'h', the time of a step, is missing")
        named = {"q0": q0, "v0": v0, "taus": taus, "h": h, "wrenches": wrenches}
        named["wrenches"] = on_bodies(robot.model, "wrenches", wrenches, title)
        named = {name: x for name, x in named.items() if x is not None}
        batch, arrays = broadcast_arguments(title, named, cores)
        typed = [
            x for x, y in zip(arrays, named.values(), strict=True) if isinstance(y, np.ndarray)
        ]
        dtype = precision(typed)
        found = dict(zip(named, (np.asarray(x, dtype) for x in arrays), strict=True))
        q, v = (np.broadcast_to(found[x], (*batch, *cores[x])) for x in ("q0", "v0"))
        taus, pushes = (
            np.moveaxis(np.broadcast_to(found[x], (*batch, *cores[x])), axis, 0)
            if x in found
            else None
            for x, axis in (("taus", -2), ("wrenches", -3))
        )
        robot.refuse_open_loops(q, f"{title}: argument 'q0'")
        return _Given(q, v, taus, found["h"], pushes, batch, count, dtype)

    def _asked(
        self, policy: Policy | None, k: int, q: np.ndarray, v: np.ndarray, given: _Given
    ) -> np.ndarray:
        """What a policy gives in the state before step k, of which it gets copies."""
        assert policy is not None
        what = f"{self._title}: what policy gives at step {k}"
        tau = convert_array(policy(k, q[k].copy(), v[k].copy()), what, (self._robot.nv,))
        if tau.ndim - 1 > len(given.batch):
            raise ArgumentError(f"{what} must have shape {v[k].shape}, found {tau.shape}")
        return np.broadcast_to(np.asarray(tau, given.dtype), v[k].shape)

    def _room(
        self, given: _Given, out: tuple[np.ndarray, np.ndarray] | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where the states go."""
        shapes = [(*given.batch, given.steps + 1, n) for n in (self._robot.nq, self._robot.nv)]
        if out is None:
            q, v = (np.empty(shape, given.dtype) for shape in shapes)
            return q, v
        if not isinstance(out, tuple) or len(out) != 2:
            found = f"{len(out)} entries" if isinstance(out, tuple) else type(out).__name__
            raise ArgumentError(
                f"{self._title}: out must be a tuple of two arrays, of shapes {shapes[0]} and"
                f" {shapes[1]}, found {found}"
            )
        for one, shape in zip(out, shapes, strict=True):
            check_out_type(one, self._title)
            check_out_array(one, shape, given.dtype, self._title)
        return out


def _advance(
    step: BoundQuantity,
    given: _Given,
    stops: Stops,
    k: int,
    before: tuple[np.ndarray, np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray],
) -> tuple[Any, Any]:
    """Step k, into the arrays `after`; returns what `Stops.stop` does."""
    q, v, tau = before
    step(q, v, stops.forces(tau), given.h, *given.pushes(k), out=after)
    return stops.stop(*after)


def _walk(
    step: BoundQuantity,
    given: _Given,
    stops: Stops,
    state: tuple[np.ndarray, np.ndarray],
    steps: Iterable[int],
) -> Iterator[tuple[tuple[np.ndarray, np.ndarray], tuple[Any, Any]]]:
    """Yield the state before each step, and what the limits leave of the state after it."""
    for k in steps:
        assert given.taus is not None
        following = np.empty_like(state[0]), np.empty_like(state[1])
        yield state, _advance(step, given, stops, k, (*state, given.taus[k]), following)
        state = following


def _fits(shape: tuple[int, ...], batch: tuple[int, ...]) -> bool:
    """Whether the batch axes of something broadcast to the batch."""
    pairs = zip(reversed(shape), reversed(batch), strict=False)
    return len(shape) <= len(batch) and all(a in (1, b) for a, b in pairs)


def _spread(x: np.ndarray, given: _Given, core: tuple[int, ...]) -> np.ndarray:
    """Weights over the whole batch."""
    return np.broadcast_to(np.asarray(x, given.dtype), (*given.batch, *core))


def _watched(steps: Sequence[int], title: str) -> Iterator[int]:
    """Steps one by one, with a bar on those that are left when it takes long."""
    begin = time.monotonic()
    for at, k in enumerate(steps):
        if time.monotonic() - begin > _PATIENCE:
            yield from track(steps[at:], title, quiet=True)
            return
        yield k
