"""The class of trajectories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, printable
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories.charts import MAX_ORDER, Chart

#: Curve of a chart: curve(t, order) returns the base points (n, ..., nq) at the instants t (n,),
#: and x and its derivatives up to an order, (n, ..., nv) each.
Curve = Callable[[np.ndarray, int], tuple[np.ndarray, list[np.ndarray]]]


class Trajectory:
    """A smooth motion of a robot as a function of time, immutable.

    Made by `polynomial`, `spline`, `minimum_jerk`, `minimum_snap`, `fourier`, `pose_spline` and
    `quaternion_spline`.
    Before its start and after its end, the configuration is held and all derivatives are zero.

    Parameters
    ----------
    chart : Chart
        Maps points of a tangent space to configurations.
    curve : callable
        Curve of the tangent space.
    start, end : float
        First and last instant in s.
    batch : tuple of int
        Leading axes: the number of motions.
    """

    def __init__(
        self, chart: Chart, curve: Curve, start: float, end: float, batch: tuple[int, ...]
    ) -> None:
        self._chart, self._curve = chart, curve
        self._interval, self._batch = (float(start), float(end)), tuple(batch)

    @property
    def robot(self) -> Robot | Mechanism | None:
        """The robot or mechanism, or None for plain coordinates."""
        return self._chart.robot

    @property
    def start(self) -> float:
        """First instant in s; -inf for periodic motions."""
        return self._interval[0]

    @property
    def end(self) -> float:
        """Last instant in s; inf for periodic motions."""
        return self._interval[1]

    @property
    def batch(self) -> tuple[int, ...]:
        """Leading axes: the number of motions."""
        return self._batch

    def __call__(self, t: ArrayLike, order: int = 4) -> tuple[np.ndarray, ...]:
        """Return the motion at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.
        order : int
            Order of the highest time derivative, 0 to 5.

        Returns
        -------
        tuple of ndarray
            q, v, a, j, s, (*t.shape, *batch, nq or nv) each, as many as `order` + 1; v is the
            velocity of the robot's conventions: body-fixed for spherical and free joints.
        """
        if order not in range(MAX_ORDER + 1):
            raise ArgumentError(
                f"order must be a whole number from 0 to {MAX_ORDER}, found {order}"
            )
        t = np.asarray(t, dtype=float)
        if not np.all(np.isfinite(t)):
            raise ArgumentError("t must be finite, found NaN or infinity")
        moves = ((t >= self.start) & (t <= self.end)).ravel()
        base, x = self._curve(np.clip(t, self.start, self.end).ravel(), order)
        for y in x[1:]:
            y[~moves] = 0.0
        results: list[Any] = [self._chart.configuration(base, x[0]), *self._chart.rates(x)]
        return tuple(y.reshape(*t.shape, *y.shape[1:]) for y in results)

    def __repr__(self) -> str:
        name = "plain coordinates" if self.robot is None else f"'{self.robot.name}'"
        batch = f", batch {self.batch}" if self.batch else ""
        return printable(f"<trajectory of {name} from {self.start:g} to {self.end:g} s{batch}>")
