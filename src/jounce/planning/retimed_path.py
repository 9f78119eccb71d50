"""Paths with a time: the motion s(t) along a path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, printable
from jounce.planning.limits import Limits, Path
from jounce.planning.retiming_plot import plot
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories import Trajectory

#: Order of the highest derivative of a retimed path.
MAX_ORDER = 4


def compose(values: Sequence[np.ndarray], rates: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return q and its time derivatives from those with respect to s, and those of s.

    Parameters
    ----------
    values : sequence of ndarray
        q (points, nq), q', q'', ... (points, nv) up to the order wanted, at most 4.
    rates : sequence of ndarray (points,)
        ds/dt, d2s/dt2, ...; as many as derivatives.

    Returns
    -------
    list of ndarray
        q, v, a, j, s as far as given.
    """
    d = [np.asarray(x)[..., None] for x in rates]
    out = [values[0]]
    if len(values) > 1:
        out.append(values[1] * d[0])
    if len(values) > 2:
        out.append(values[2] * d[0] ** 2 + values[1] * d[1])
    if len(values) > 3:
        out.append(values[3] * d[0] ** 3 + 3.0 * values[2] * d[0] * d[1] + values[1] * d[2])
    if len(values) > 4:
        out.append(
            values[4] * d[0] ** 4
            + 6.0 * values[3] * d[0] ** 2 * d[1]
            + values[2] * (3.0 * d[1] ** 2 + 4.0 * d[0] * d[2])
            + values[1] * d[3]
        )
    return out


class RetimedPath(Trajectory):
    """The fastest motion along a path, a trajectory; returned by `retime`.

    Attributes
    ----------
    duration : float
        Duration in s.
    times : ndarray (points,)
        Instants of the points in s.
    speeds, accelerations : ndarray (points,)
        ds/dt and d2s/dt2 of the parameter in which the motion was computed at the points, for the
        phase plane.
    """

    def __init__(  # not those of Trajectory: the curve is another trajectory
        self,
        limits: Limits,
        path: Path,
        s: np.ndarray,
        x: np.ndarray,
        u: np.ndarray,
        w: np.ndarray,
    ) -> None:
        self._limits, self._path = limits, path
        self._s, self._x, self._u, self._w = s, x, u, w
        steps = _durations(np.diff(s), x[:-1], x[1:], u, w)
        self.times = np.concatenate(([0.0], np.cumsum(steps)))
        self.duration = float(self.times[-1])
        self.speeds = np.sqrt(x)
        self.accelerations = np.append(u, u[-1] + w[-1] * (s[-1] - s[-2]))
        self._interval, self._batch = (0.0, self.duration), ()

    @property
    def robot(self) -> Robot | Mechanism | None:
        """The robot or mechanism."""
        return self._limits.robot

    def __call__(self, t: ArrayLike, order: int = 3) -> tuple[np.ndarray, ...]:
        """Return the motion at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.
        order : int
            Order of the highest time derivative, 0 to 4.

        Returns
        -------
        tuple of ndarray
            q, v, a, j, s (..., nq or nv), as many as `order` + 1. Without limits of rates,
            accelerations jump and j is that between the jumps.
        """
        if order not in range(MAX_ORDER + 1):
            raise ArgumentError(f"order must be 0 to {MAX_ORDER}, found {order}")
        t = np.asarray(t, dtype=float)
        if not np.isfinite(t).all():
            raise ArgumentError("t must be finite, found NaN or infinity")
        s, rates = self._progress(t.ravel(), order)
        moving = ((t >= 0.0) & (t <= self.duration)).ravel()
        values = compose(self._path(s, order), rates)
        for y in values[1:]:
            y[~moving] = 0.0
        return tuple(y.reshape(*t.shape, y.shape[-1]) for y in values)

    def _progress(self, t: np.ndarray, order: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the path parameter and its time derivatives at instants."""
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self._u) - 1)
        tau = np.clip(t - self.times[k], 0.0, self.times[k + 1] - self.times[k])
        x, u, w = self._x[k], self._u[k], self._w[k]
        sine, cosine = _series(w * tau**2)
        d = tau * (np.sqrt(x) * sine + u * tau * cosine)
        d = np.clip(d, 0.0, self._s[k + 1] - self._s[k])
        speed = np.sqrt(np.maximum(x + d * (2.0 * u + w * d), 0.0))
        acceleration = u + w * d
        return self._s[k] + d, [speed, acceleration, w * speed, w * acceleration][:order]

    def torques(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the joint forces and their time derivatives at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.

        Returns
        -------
        tuple of ndarray (..., nv)
            Forces in N m and N, with the external wrenches of `retime`, and their rates for
            constant wrenches.
        """
        t = np.asarray(t, dtype=float)
        options = self._limits.options(self._progress(t.ravel(), 0)[0])
        if callable(self._limits.wrenches):
            w = options["wrenches"]
            options["wrenches"] = w.reshape(*t.shape, *w.shape[1:])
        tau, rate = self._limits.robot.inverse_dynamics.rates(1)(*self(t), **options)
        return tau, rate

    def violation(self, refine: int = 10) -> dict[str, float]:
        """Return how far each kind of limit is exceeded, on a finer grid.

        Parameters
        ----------
        refine : int
            Instants in each interval.

        Returns
        -------
        dict of str to float
            Largest excess relative to the limit by kind of limit; 0 if it holds.
        """
        inner = (np.arange(refine) + 0.5) / refine
        ends = 1e-9
        fractions = np.concatenate(([ends], inner, [1.0 - ends]))
        steps = np.diff(self.times)
        t = (self.times[:-1, None] + steps[:, None] * fractions).ravel()
        _, v, a, j = self(t)
        tau, rate = self.torques(t)
        return {
            name: _excess(y, limit)
            for name, y, limit in (
                ("velocity", v, self._limits.velocity),
                ("acceleration", a, self._limits.acceleration),
                ("torque", tau, self._limits.torque),
                ("jerk", j, self._limits.jerk),
                ("torque rate", rate, self._limits.torque_rate),
            )
            if limit is not None
        }

    def plot(self) -> Any:
        """Plot torques and their rates relative to the limits, and the phase plane.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return plot(self)

    @property
    def limits(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Lower and upper limits (nv,) by kind."""
        kinds = ("velocity", "acceleration", "torque", "jerk", "torque_rate")
        pairs = {name: getattr(self._limits, name) for name in kinds}
        return {name.replace("_", " "): x for name, x in pairs.items() if x is not None}

    def __repr__(self) -> str:
        name = self._limits.robot.name
        return printable(f"<retimed path of '{name}', {self.duration:.6g} s>")


def _excess(y: np.ndarray, limit: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the largest excess over a limit, relative to it."""
    lower, upper = limit
    scale = np.maximum(np.abs(lower), np.abs(upper))
    finite = np.where(np.isfinite(scale) & (scale > 0.0), scale, 1.0)
    return float(max(np.max((y - upper) / finite), np.max((lower - y) / finite), 0.0))


def _durations(
    delta: np.ndarray, x0: np.ndarray, x1: np.ndarray, u: np.ndarray, w: np.ndarray
) -> np.ndarray:
    """Return the durations of intervals on which x = x0 + 2 u d + w d^2.

    From the motion d(t) = sqrt(x0) S(t) + u C(t): by 2 delta / (sqrt(x0) + sqrt(x1)), exact for
    w = 0, and Newton's method.
    """
    v0, v1 = np.sqrt(x0), np.sqrt(x1)
    with np.errstate(divide="ignore"):
        t = 2.0 * delta / (v0 + v1)
    for _ in range(_NEWTON_STEPS if w.any() else 0):
        sine, cosine = _series(w * t**2)
        d = t * (v0 * sine + u * t * cosine)
        t = t + (delta - d) / np.sqrt(np.maximum(x0 + d * (2.0 * u + w * d), 1e-300))
    return t


#: Steps that reach round-off: intervals are short.
_NEWTON_STEPS = 6


def _series(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sinh(sqrt(z)) / sqrt(z) and (cosh(sqrt(z)) - 1) / z, for z of both signs."""
    r = np.sqrt(np.abs(z))
    small = np.abs(z) < 1e-2
    safe = np.where(small, 1.0, r)
    sine = np.where(z > 0.0, np.sinh(np.minimum(safe, 700.0)), np.sin(safe)) / safe
    half = 0.5 * safe
    half_sine = np.where(z > 0.0, np.sinh(np.minimum(half, 350.0)), np.sin(half)) / half
    cosine = 0.5 * half_sine**2
    first = 1.0 + z / 6.0 * (1.0 + z / 20.0 * (1.0 + z / 42.0 * (1.0 + z / 72.0)))
    second = 0.5 * (1.0 + z / 12.0 * (1.0 + z / 30.0 * (1.0 + z / 56.0 * (1.0 + z / 90.0))))
    return np.where(small, first, sine), np.where(small, second, cosine)
