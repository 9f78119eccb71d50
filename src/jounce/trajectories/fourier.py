"""Periodic motions: Fourier series in the tangent space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories.charts import Chart
from jounce.trajectories.trajectory import Trajectory


@dataclass(frozen=True)
class _Series:
    """Curve x(t), the integral of sum_k a_k cos(k w t) + b_k sin(k w t), around one base point."""

    base: np.ndarray
    #: a_k - i b_k, (..., nv, harmonics).
    amplitudes: np.ndarray
    period: float

    def __call__(self, t: np.ndarray, order: int) -> tuple[np.ndarray, list[np.ndarray]]:
        rates = 2j * np.pi / self.period * np.arange(1, self.amplitudes.shape[-1] + 1)
        # subtract full periods, which would cost digits of the phase
        waves = np.exp(np.remainder(t, self.period)[:, None] * rates)
        waves = waves.reshape(len(t), *(1,) * (self.amplitudes.ndim - 1), -1)
        x = [
            np.sum((waves * self.amplitudes * rates ** (k - 1)).real, axis=-1)
            for k in range(order + 1)
        ]
        return np.broadcast_to(self.base, (len(t), *self.base.shape)), x


def fourier(
    robot: Robot | Mechanism | None,
    center: ArrayLike,
    period: float,
    cosine: ArrayLike,
    sine: ArrayLike,
) -> Trajectory:
    """Return a periodic motion, a Fourier series for each joint; it never ends.

    q(t) = center exp(x(t)), where dx/dt is the sum over k of cosine_k cos(k w t) and
    sine_k sin(k w t), w = 2 pi / period, and x has zero mean. The arguments are the attributes of
    the motions that `identification.excitation` designs.

    Parameters
    ----------
    robot : Robot, Mechanism or None
        Whose motion; None for plain coordinates.
    center : array_like (..., nq)
        Configuration around which it moves.
    period : float
        Period in s.
    cosine, sine : array_like (..., nv, harmonics)
        Amplitudes of the velocity in rad/s or m/s.

    Returns
    -------
    Trajectory
        The motion.

    Examples
    --------
    >>> from jounce import trajectories
    >>> wave = trajectories.fourier(None, [0.0], 2.0, cosine=[[1.0]], sine=[[0.0]])
    >>> q, v, a = wave(0.0, order=2)
    >>> float(v[0])
    1.0
    """
    if not 0.0 < period < np.inf:
        raise ArgumentError(f"period must be > 0 and finite, found {period!r}")
    base = np.asarray(center, dtype=float)
    amplitudes = np.asarray(cosine, dtype=float) - 1j * np.asarray(sine, dtype=float)
    nv = base.shape[-1] if robot is None else robot.nv
    if amplitudes.ndim < 2 or amplitudes.shape[-2] != nv:
        raise ArgumentError(
            f"cosine and sine must have shape (..., {nv}, harmonics), found {amplitudes.shape}"
        )
    batch = np.broadcast_shapes(base.shape[:-1], amplitudes.shape[:-2])
    amplitudes = np.broadcast_to(amplitudes, (*batch, *amplitudes.shape[-2:]))
    base = np.broadcast_to(base, (*batch, base.shape[-1]))
    return Trajectory(
        Chart(robot), _Series(base, amplitudes, float(period)), -np.inf, np.inf, batch
    )
