"""Regressors without accelerations: the momentum form of the equations of motion, filtered.

The rate of the generalised momentum p = M v is d/dt p = tau + C^T v - g, so

    F tau = s F p - F (C^T v - g)

for any filter F, and s F is a filter too where F rolls off: accelerations never appear. With
p = P pi + armature v and C^T v - g = H pi both sides are linear in the parameters. F is a
Butterworth low-pass, made discrete by the bilinear transform as is s F, so that both share their
poles and the identity holds up to the square of the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.identification.subject import Subject, subject

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism

#: Periods of the cutoff after which a start is forgotten.
_SETTLED = 3.0


class LowPass:
    """F and s F on signals (n, ...) that come in pieces; each signal keeps its memory by name."""

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
        designed: Any = butter(order, 2.0 * cutoff * step)
        self.pass_zeros, self.poles = (np.asarray(x) for x in designed)
        # the zeros of F are all at -1; s takes one of them to +1
        product = np.polymul(self.pass_zeros, (1.0, -1.0))
        self.rate_zeros = 2.0 / step * np.polydiv(product, (1.0, 1.0))[0]
        self.settled = int(np.ceil(_SETTLED / (cutoff * step)))
        self._memory: dict[str, np.ndarray] = {}

    def restart(self) -> None:
        """Forget what came before, as after a gap."""
        self._memory.clear()

    def low(self, name: str, x: np.ndarray) -> np.ndarray:
        """F x."""
        return self._run(f"low {name}", self.pass_zeros, x)

    def rate(self, name: str, x: np.ndarray) -> np.ndarray:
        """F d/dt x."""
        return self._run(f"rate {name}", self.rate_zeros, x)

    def _run(self, name: str, zeros: np.ndarray, x: np.ndarray) -> np.ndarray:
        from scipy.signal import lfilter, lfilter_zi

        flat = x.reshape(len(x), -1)
        if name not in self._memory:  # as if the first sample had been there for ever
            self._memory[name] = lfilter_zi(zeros, self.poles)[:, None] * flat[0]
        out, self._memory[name] = lfilter(zeros, self.poles, flat, axis=0, zi=self._memory[name])
        return out.reshape(x.shape)

    def regressor(self, robot: Subject, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Filtered regressor (n, nv, 10 nb): Y pi = F tau, without drives."""
        return self.balance(
            "", robot.generalized_momentum.dpi(q, v), robot.momentum_forces.dpi(q, v)
        )

    def balance(self, name: str, momentum: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """F (d/dt momentum - forces)."""
        return self.rate(f"{name}momentum", momentum) - self.low(f"{name}forces", forces)


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
    periods of the cutoff depend on the unknown past; leave them out of a fit.

    Parameters
    ----------
    robot : Robot or Mechanism
        Samples of a mechanism have closed loops.
    q, v, tau : array_like (n, nq), (n, nv), (n, nv)
        Samples; tau without the torques of friction and armature.
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
