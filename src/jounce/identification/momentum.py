"""Regressors without accelerations: the momentum form of the equations of motion, filtered.

The rate of the generalized momentum p = M v is d/dt p = tau + C^T v - g, so

    F tau = s F p - F (C^T v - g)

for any filter F, and s F is a proper filter if F rolls off, so accelerations never appear. With
p = P pi + armature v and C^T v - g = H pi both sides are linear in the parameters. F is a
Butterworth low-pass. F and s F are discretized by the bilinear transform, so that they have the
same poles and the identity holds up to the square of the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import DataError
from jounce.identification.cleaning import check_period
from jounce.identification.subject import Subject, subject

if TYPE_CHECKING:
    from jounce.identification.data import DataSummary, Samples
    from jounce.identification.options import Options
    from jounce.identification.regression import Equations, Layout
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Settling time of the filter in periods of the cutoff.
_SETTLING_PERIODS = 3.0


class LowPass:
    """F and s F on signals (n, ...) that come in chunks; keeps the filter state by signal name."""

    def __init__(self, cutoff: float, step: float, order: int = 1) -> None:
        """cutoff: Hz. step: s. order: of the Butterworth filter."""
        try:
            from scipy.signal import butter
        except ImportError:
            raise ImportError(
                'filtered regressors need SciPy; install it: pip install "jounce[identify]"'
            ) from None
        if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 8:
            raise ValueError(f"order: expected an integer from 1 to 8, found {order!r}")
        if not 0.0 < cutoff < 0.5 / step:
            raise ValueError(
                f"cutoff: expected a frequency between 0 and {0.5 / step:g} Hz (half of the"
                f" sampling rate), found {cutoff!r}"
            )
        coefficients: Any = butter(order, 2.0 * cutoff * step)
        self.pass_zeros, self.poles = (np.asarray(x) for x in coefficients)
        # the zeros of F are all at -1; s takes one of them to +1
        product = np.polymul(self.pass_zeros, (1.0, -1.0))
        self.rate_zeros = 2.0 / step * np.polydiv(product, (1.0, 1.0))[0]
        self.settled = int(np.ceil(_SETTLING_PERIODS / (cutoff * step)))
        self._memory: dict[str, np.ndarray] = {}

    def restart(self) -> None:
        """Reset the filter, as after a gap."""
        self._memory.clear()

    def low(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return F x."""
        return self._run(f"low {name}", self.pass_zeros, x)

    def rate(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return F d/dt x."""
        return self._run(f"rate {name}", self.rate_zeros, x)

    def _run(self, name: str, zeros: np.ndarray, x: np.ndarray) -> np.ndarray:
        from scipy.signal import lfilter, lfilter_zi

        flat = x.reshape(len(x), -1)
        if name not in self._memory:  # start in the steady state of the first sample
            self._memory[name] = lfilter_zi(zeros, self.poles)[:, None] * flat[0]
        out, self._memory[name] = lfilter(zeros, self.poles, flat, axis=0, zi=self._memory[name])
        return out.reshape(x.shape)

    def regressor(self, robot: Subject, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the filtered regressor (n, nv, 10 nb): Y pi = F tau, without drives."""
        return self.balance(
            "", robot.generalized_momentum.dpi(q, v), robot.momentum_forces.dpi(q, v)
        )

    def balance(self, name: str, momentum: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Return F (d/dt momentum - forces)."""
        return self.rate(f"{name}momentum", momentum) - self.low(f"{name}forces", forces)


class MomentumForm:
    """Equations F tau = Y theta of the momentum form, for samples after the settling time."""

    def __init__(self, layout: Layout, options: Options, summary: DataSummary) -> None:
        """summary: gets a description of the filter."""
        self.layout, self.options, self.summary = layout, options, summary
        self.filter: LowPass | None = None
        self.last: float | None = None  # time of the sample before
        self.seen = 0

    def _start(self, piece: Samples) -> LowPass:
        rate, source = self.options.rate, self.summary.source
        if rate is not None:
            step = 1.0 / rate
        elif piece.t is not None and len(piece) > 1:
            step = float(np.median(np.diff(piece.t)))
        else:
            step = 0.0
        if not step > 0.0:
            raise DataError(
                f"{source}: the momentum form needs increasing times 't', or a sampling rate in Hz"
            )
        self.step = step
        cutoff = self.options.cutoff or min(5.0, 0.05 / step)
        check_period(source, step, cutoff)
        self.stride = max(1, int(1.0 / (8.0 * cutoff * step)))
        self.summary.step = step
        self.summary.filter = (
            f"Momentum form after a Butterworth low-pass of order 2 at {cutoff:g} Hz, using one in"
            f" {self.stride} samples"
        )
        return LowPass(cutoff, step, 2)

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        """Yield the equations of samples, which continue those of the previous call."""
        if self.filter is None:
            self.filter = self._start(piece)
        t = piece.rows * self.step if piece.t is None else piece.t
        steps = np.diff(t)
        breaks = np.flatnonzero((steps <= 0.0) | (steps > 1.5 * self.step)) + 1
        for first, stop in zip((0, *breaks), (*breaks, len(piece)), strict=True):
            gap = np.inf if self.last is None else t[first] - self.last
            if not 0.0 < gap <= 1.5 * self.step:
                self.filter.restart()
                self.seen = 0
            yield from self._filter(piece[first:stop], self.filter)
            self.last = float(t[stop - 1])

    def _filter(self, piece: Samples, low: LowPass) -> Iterator[Equations]:
        v = piece.v
        Y = low.regressor(self.layout.robot, piece.q, v)
        drives = {
            "armature": low.rate("v", v),
            "damping": low.low("v", v),
            "friction": low.low("sign", self.layout.sign(v)),
            "stribeck_friction": low.low("stribeck", self.layout.laws.column(v)),
            "offset": np.ones_like(v),
        }
        q, laws = piece.q, self.layout.laws
        known = self.layout.robot.spring_forces(q) + laws.forces(q, v)
        tau = low.low("tau", piece.tau - self.layout.load_friction(q, v, piece.tau) - known)
        if (passive := self.layout.passive) is not None:
            tau = tau - low.balance("passive ", *passive.momentum(q, v))
            tau -= low.low("passive friction", passive.friction(q, v, self.layout.sign))
        count = self.seen + np.arange(len(piece))
        self.seen += len(piece)
        good = (count >= low.settled) & (count % self.stride == 0)
        if good.any():
            yield self.layout.equations(piece.rows, Y, drives, tau)[good]


def filtered_regressor(
    robot: Robot | Mechanism,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    *,
    step: float,
    cutoff: float,
    order: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Return a regressor from positions and velocities only, by filtering the momentum balance.

    Y pi = F tau with a low-pass filter F, so that no accelerations are needed. The first few
    periods of the cutoff depend on the unknown initial state; leave them out of a fit.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot. For a mechanism, q must have closed loops.
    q, v, tau : array_like (n, nq), (n, nv), (n, nv)
        Samples, in rad or m, s, and N m or N; tau without torques of friction and armature.
    step : float
        Time between samples in seconds.
    cutoff : float
        Cutoff frequency of F in Hz.
    order : int
        Order of F, a Butterworth filter.

    Returns
    -------
    tuple of two ndarrays
        Y (n, nv, 10 nb) and F tau (n, nv).

    Raises
    ------
    ValueError
        If an array has another shape.
    """
    owner = subject(robot)
    q, v, tau = (np.asarray(x, dtype=float) for x in (q, v, tau))
    if q.ndim != 2 or len(q) < 2:
        raise ValueError(f"q: expected samples of shape (n, {robot.nq}), found {q.shape}")
    for name, x in (("v", v), ("tau", tau)):
        if x.shape != (len(q), robot.nv):
            raise ValueError(f"{name}: expected shape ({len(q)}, {robot.nv}), found {x.shape}")
    low_pass = LowPass(cutoff, step, order)
    return low_pass.regressor(owner, q, v), low_pass.low("tau", tau)
