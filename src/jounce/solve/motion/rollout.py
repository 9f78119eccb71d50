"""Simulation step by step, `robot.rollout`, and gradients through all steps.

Time is the axis before the last one. The reverse pass recomputes states from checkpoints, so that
for T steps only about 2 sqrt(T) states are in memory at a time.
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
from jounce.solve.motion.stops import LimitClipper
from jounce.utils.progress import track

if TYPE_CHECKING:
    from jounce.arrays.generic import F

#: Seconds after which a progress bar is shown.
_PROGRESS_DELAY = 2.0

#: Forces (..., nv) in the state (q, v) before step k.
Policy = Callable[[int, np.ndarray, np.ndarray], ArrayLike]


class _Arguments(NamedTuple):
    """Checked arguments of a rollout; arrays over time have time as their first axis."""

    q: np.ndarray
    v: np.ndarray
    taus: np.ndarray | None
    h: np.ndarray
    wrenches: np.ndarray | None
    batch: tuple[int, ...]
    steps: int
    dtype: np.dtype[Any]

    def pushes(self, k: int) -> tuple[np.ndarray, ...]:
        """Return the wrenches of a step, if any."""
        return () if self.wrenches is None else (self.wrenches[k],)


class Rollout:
    """Simulation of a robot or mechanism step by step."""

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
            Generalized forces, each held for a step.
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
            Values that are clipped at the limits of the robot; True for all of them.
        out : tuple of two arrays
            Arrays for the results.

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
        arguments = self._check_arguments(self._title, (q0, v0, taus, h, wrenches), policy, steps)
        clipper = LimitClipper(self._robot, limits, self._title)
        step = self._step(method, friction)
        states = self._output_arrays(arguments, out)
        q, v = (np.moveaxis(x, -2, 0) for x in states)
        q[0], v[0] = arguments.q, arguments.v
        for k in _with_progress(range(arguments.steps), self._title):
            tau = (
                arguments.taus[k]
                if arguments.taus is not None
                else self._policy_forces(policy, k, q, v, arguments)
            )
            _advance(step, arguments, clipper, k, (q[k], v[k], tau), (q[k + 1], v[k + 1]))
        warn_of_divergence(self._title, self._robot, q, v)
        return states

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
            As in a call. Gradients are zero where a limit clips a value.
        lam_q, lam_v : array_like (..., T + 1, nv)
            Gradients of the function with respect to the configurations (in the tangent space)
            and the velocities.
        policy : None
            Not supported: pass the forces that it returned as `taus`.

        Returns
        -------
        tuple of ndarray
            Gradients with respect to q0 (..., nv), in the tangent space, v0 (..., nv), taus
            (..., T, nv), h (...) and, if given, wrenches (..., T, nb, 6).
        """
        title = f"{self._title}.vjp"
        if policy is not None:
            raise ArgumentError(
                f"{title}: the gradient of a policy is not known; pass the forces that it returned"
                " as taus, and apply the chain rule to their gradients"
            )
        if any(map(on_cuda, (q0, v0, taus, h, lam_q, lam_v))):
            raise TypeError(
                f"{title} needs NumPy arrays, found arrays on CUDA; differentiate"
                " robot.torch.rollout or robot.jax.rollout, or copy the arrays to the CPU first,"
                " with .cpu(), .get() or jax.device_get"
            )
        joints = {"v0": v0, "taus": taus, "lam_q": lam_q, "lam_v": lam_v}
        for name, x in {"q0": q0, **joints}.items():
            of = "q" if name == "q0" else "v"
            refuse_other_joints(self._robot, x, of, f"{title}: argument '{name}'")
        arguments = self._check_arguments(title, (q0, v0, taus, h, wrenches), None, None)
        lam = {"lam_q": lam_q, "lam_v": lam_v}
        core = (arguments.steps + 1, self._robot.nv)
        _, arrays = broadcast_arguments(title, lam, dict.fromkeys(lam, core))
        for name, x in zip(lam, arrays, strict=True):
            if not _fits(x.shape[:-2], arguments.batch):
                raise ArgumentError(
                    f"{title}: argument '{name}' must have shape {(*arguments.batch, *core)}, found"
                    f" {x.shape}"
                )
        clipper = LimitClipper(self._robot, limits, title)
        weights = [np.moveaxis(_broadcast(x, arguments, core), -2, 0) for x in arrays]
        return self._back(arguments, weights, clipper, (method, friction))

    def _back(
        self,
        arguments: _Arguments,
        weights: list[np.ndarray],
        clipper: LimitClipper,
        options: tuple[str, bool],
    ) -> tuple[np.ndarray, ...]:
        """Return gradients by a reverse pass that recomputes each segment from its checkpoint."""
        step = self._step(*options)
        vjp = step.derivative("vjp")
        length = max(math.isqrt(arguments.steps), 1)
        all_steps = range(arguments.steps)
        walk = _walk(
            step,
            arguments,
            clipper,
            (arguments.q, arguments.v),
            _with_progress(all_steps, self._title),
        )
        starts = [state for k, (state, _) in enumerate(walk) if k % length == 0]
        lam = [x[-1].copy() for x in weights]
        taus = np.zeros((*arguments.batch, arguments.steps, self._robot.nv), arguments.dtype)
        h = np.zeros(arguments.batch, arguments.dtype)
        shape = () if arguments.wrenches is None else arguments.wrenches.shape[1:]
        pushes = np.zeros((arguments.steps, *shape), arguments.dtype)
        title = f"{self._title}.vjp"
        for first in _with_progress(range(0, arguments.steps, length)[::-1], title):
            last = min(first + length, arguments.steps)
            segment = range(first, last)
            walk = list(_walk(step, arguments, clipper, starts.pop(), segment))
            for k, ((q, v), left) in reversed(list(zip(segment, walk, strict=True))):
                assert arguments.taus is not None
                lam = [(x * y).astype(arguments.dtype) for x, y in zip(lam, left, strict=True)]
                tau = clipper.forces(arguments.taus[k])
                gradients = vjp(q, v, tau, arguments.h, *lam, *arguments.pushes(k))
                lam = [x + w[k] for x, w in zip(gradients[:2], weights, strict=True)]
                taus[..., k, :] = gradients[2] * clipper.slopes(arguments.taus[k])
                h += gradients[3]
                if shape:
                    pushes[k] = gradients[4]
        return *lam, taus, h[()], *((np.moveaxis(pushes, 0, -3),) if shape else ())

    # -------------------------------------------------------------- arguments

    def _step(self, method: str, friction: bool) -> Any:
        """Return the robot's step with these options."""
        return self._robot.quantity("step").choose(method=method, friction=friction)

    def check(self, method: str, friction: bool, limits: Any) -> None:
        """Check options before a rollout begins.

        Parameters
        ----------
        method, friction, limits
            Options of a call.

        Raises
        ------
        ArgumentError
            If an option is invalid.
        """
        LimitClipper(self._robot, limits, self._title)
        self._step(method, friction)

    def cores(
        self, title: str, taus: tuple[int, ...] | None, policy: Any, steps: int | None
    ) -> dict[str, tuple[int, ...]]:
        """Return the core shapes of the arguments.

        Parameters
        ----------
        title : str
            Begin of error messages.
        taus : tuple of int or None
            Shape of the forces, if they are given.
        policy, steps
            Arguments of a call.

        Returns
        -------
        dict of str to tuple of int
            Shapes by name, without batch axes.
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

    def _check_arguments(
        self, title: str, values: tuple[Any, ...], policy: Policy | None, steps: int | None
    ) -> _Arguments:
        """Check the arguments, and convert them to arrays."""
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
        converted = dict(zip(named, (np.asarray(x, dtype) for x in arrays), strict=True))
        q, v = (np.broadcast_to(converted[x], (*batch, *cores[x])) for x in ("q0", "v0"))
        taus, pushes = (
            np.moveaxis(np.broadcast_to(converted[x], (*batch, *cores[x])), axis, 0)
            if x in converted
            else None
            for x, axis in (("taus", -2), ("wrenches", -3))
        )
        robot.refuse_open_loops(q, f"{title}: argument 'q0'")
        return _Arguments(q, v, taus, converted["h"], pushes, batch, count, dtype)

    def _policy_forces(
        self, policy: Policy | None, k: int, q: np.ndarray, v: np.ndarray, arguments: _Arguments
    ) -> np.ndarray:
        """Return the forces of a policy in a copy of the state before step k."""
        assert policy is not None
        what = f"{self._title}: what policy gives at step {k}"
        tau = convert_array(policy(k, q[k].copy(), v[k].copy()), what, (self._robot.nv,))
        if tau.ndim - 1 > len(arguments.batch):
            raise ArgumentError(f"{what} must have shape {v[k].shape}, found {tau.shape}")
        return np.broadcast_to(np.asarray(tau, arguments.dtype), v[k].shape)

    def _output_arrays(
        self, arguments: _Arguments, out: tuple[np.ndarray, np.ndarray] | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return `out`, checked, or new arrays for the states."""
        shapes = [
            (*arguments.batch, arguments.steps + 1, n) for n in (self._robot.nq, self._robot.nv)
        ]
        if out is None:
            q, v = (np.empty(shape, arguments.dtype) for shape in shapes)
            return q, v
        if not isinstance(out, tuple) or len(out) != 2:
            actual = f"{len(out)} entries" if isinstance(out, tuple) else type(out).__name__
            raise ArgumentError(
                f"{self._title}: out must be a tuple of two arrays, of shapes {shapes[0]} and"
                f" {shapes[1]}, found {actual}"
            )
        for array, shape in zip(out, shapes, strict=True):
            check_out_type(array, self._title)
            check_out_array(array, shape, arguments.dtype, self._title)
        return out


def _advance(
    step: BoundQuantity,
    arguments: _Arguments,
    clipper: LimitClipper,
    k: int,
    before: tuple[np.ndarray, np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray],
) -> tuple[Any, Any]:
    """Write the state after step k to `after`; return the result of `LimitClipper.clip_state`."""
    q, v, tau = before
    step(q, v, clipper.forces(tau), arguments.h, *arguments.pushes(k), out=after)
    return clipper.clip_state(*after)


def _walk(
    step: BoundQuantity,
    arguments: _Arguments,
    clipper: LimitClipper,
    state: tuple[np.ndarray, np.ndarray],
    steps: Iterable[int],
) -> Iterator[tuple[tuple[np.ndarray, np.ndarray], tuple[Any, Any]]]:
    """Yield the state before each step, and the masks of unclipped entries after it."""
    for k in steps:
        assert arguments.taus is not None
        following = np.empty_like(state[0]), np.empty_like(state[1])
        yield state, _advance(step, arguments, clipper, k, (*state, arguments.taus[k]), following)
        state = following


def _fits(shape: tuple[int, ...], batch: tuple[int, ...]) -> bool:
    """Return whether batch axes broadcast to the batch."""
    pairs = zip(reversed(shape), reversed(batch), strict=False)
    return len(shape) <= len(batch) and all(a in (1, b) for a, b in pairs)


def _broadcast(x: np.ndarray, arguments: _Arguments, core: tuple[int, ...]) -> np.ndarray:
    """Broadcast weights to the whole batch."""
    return np.broadcast_to(np.asarray(x, arguments.dtype), (*arguments.batch, *core))


def _with_progress(steps: Sequence[int], title: str) -> Iterator[int]:
    """Yield steps, with a progress bar if they take long."""
    begin = time.monotonic()
    for done, k in enumerate(steps):
        if time.monotonic() - begin > _PROGRESS_DELAY:
            yield from track(steps[done:], title, quiet=True)
            return
        yield k
