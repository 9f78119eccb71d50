"""Least squares of simulated windows: Levenberg-Marquardt with bounds, and identifiability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jounce.identification.simulation.servo_parameters import ServoParameters
from jounce.identification.simulation.shooting import Equations, Shooting, Windows
from jounce.utils import cached_property

#: First damping, as a weight of steps in coordinates of size one, its factors after steps that
#: succeeded and failed, and where it gives up.
_DAMPING, _EASE, _STIFFEN, _MAX_DAMPING = 1.0, 0.1, 10.0, 1e15

#: Largest change of a coordinate in a step.
_MAX_STEP = 2.0

#: Distances from the optimum, in standard deviations: at which iterations end, and that is optimal.
_LAST_DISTANCE, OPTIMAL_DISTANCE = 1e-3, 0.05

#: Largest relative standard deviation of directions that the data determine.
_DETERMINED = 1.0

#: Least component of a parameter along undetermined directions by which it is not determined.
_UNDETERMINED_SHARE = 0.03

#: Least coefficient of a parameter in the name of a combination, and largest number of them.
_MIN_COEFFICIENT, _MAX_TERMS = 0.02, 5

#: Least noise relative to the range of a measurement: round-off.
_MIN_NOISE = 1e-9

#: Standard deviation of third differences of white noise.
_THIRD_DIFFERENCES = np.sqrt(20.0)


@dataclass(frozen=True, eq=False)
class Identifiability:
    """What simulated windows say about parameters, at one point.

    Attributes
    ----------
    names : list of str
        Names of the parameters.
    singular_values : (n,) array
        Singular values of the sensitivities in units of noise and of the sizes of parameters,
        falling: 1 / relative standard deviations of the directions.
    rank : int
        Number of directions whose relative standard deviation is below 1.
    condition : float
        Condition number of the sensitivities in these directions.
    deviations : (n,) array
        Predicted standard deviations in SI units; NaN for parameters that are not determined.
    undetermined : list of str
        Parameters, and combinations of them, whose change the data do not show.
    """

    names: list[str]
    singular_values: np.ndarray
    rank: int
    condition: float
    deviations: np.ndarray
    undetermined: list[str]

    @classmethod
    def of(cls, parameters: ServoParameters, R: np.ndarray, D: np.ndarray) -> Identifiability:
        """Analyze triangular equations R (n, n) of coordinates; D: slopes of the values in them."""
        sizes, names = parameters.sizes, parameters.names
        relative = np.linalg.solve(D.T, R.T).T * sizes
        _, s, Vt = np.linalg.svd(relative)
        rank = int(np.sum(s * _DETERMINED > 1.0))
        free = Vt[rank:].T
        spread = np.linalg.norm(Vt[:rank].T / s[:rank], axis=1) * sizes
        hidden = np.linalg.norm(free, axis=1) > _UNDETERMINED_SHARE
        condition = float(s[0] / s[rank - 1]) if rank else np.inf
        deviations = np.where(hidden, np.nan, spread)
        return cls(names, s, rank, condition, deviations, _describe(names, free))

    def __str__(self) -> str:
        lines = [
            f"{self.rank} of {len(self.names)} directions of the parameters are determined,"
            f" condition number {self.condition:.3g}"
        ]
        for name, s in zip(self.names, self.deviations, strict=True):
            lines.append(f"  {name}: ± {s:.3g}" if np.isfinite(s) else f"  {name}: not determined")
        lines += [f"  not determined: {text}" for text in self.undetermined]
        return "\n".join(lines)


def _describe(names: list[str], free: np.ndarray) -> list[str]:
    """Return names of undetermined directions (n, k), after elimination with complete pivoting."""
    N, pivots = free.copy(), []
    for k in range(N.shape[1]):
        rest = np.abs(N[:, k:])
        i, j = np.unravel_index(np.argmax(rest), rest.shape)
        N[:, [k, k + j]] = N[:, [k + j, k]]
        N[:, k] /= N[i, k]
        others = [c for c in range(N.shape[1]) if c != k]
        N[:, others] -= np.outer(N[:, k], N[i, others])
        pivots.append(int(i))
    out = []
    for k, pivot in sorted(enumerate(pivots), key=lambda pair: pair[1]):
        order = [i for i in np.argsort(-np.abs(N[:, k])) if i != pivot]
        terms = [i for i in order if abs(N[i, k]) > _MIN_COEFFICIENT]
        text = names[pivot]
        for i in terms[:_MAX_TERMS]:
            text += f" {'-' if N[i, k] < 0 else '+'} {abs(N[i, k]):.2g} {names[i]}"
        if len(terms) > _MAX_TERMS:
            text += f" and {len(terms) - _MAX_TERMS} more"
        out.append(text)
    return out


@dataclass(eq=False)
class ServoFit:
    """A fit of the parameters to windows.

    x: coordinates. sigma (c,): noise of the channels. weight: of the prior, 1 / variance of x.
    """

    shooting: Shooting
    windows: Windows
    x: np.ndarray
    sigma: np.ndarray
    weight: float
    iterations: int = 0
    distance: float = np.inf

    @property
    def parameters(self) -> ServoParameters:
        """The space of parameters."""
        return self.shooting.parameters

    def cost(self, windows: Windows, x: np.ndarray) -> float:
        """Return the cost: weighted residuals and the prior."""
        prior = self.weight * float(np.sum((x - self.parameters.first) ** 2))
        return self.shooting.cost(windows, x, self.sigma) + prior

    def solve(self, rounds: int) -> Equations:
        """Iterate to the optimum; return the equations there."""
        damping, equations = _DAMPING, self._equations()
        cost = self.cost(self.windows, self.x) if not equations.states else equations.cost
        cost += self.weight * float(np.sum((self.x - self.parameters.first) ** 2))
        for _ in range(rounds):
            _, self.distance = self._step(equations, 0.0)
            if not equations.states or self.distance < _LAST_DISTANCE:
                break
            moved = False
            while not moved and damping < _MAX_DAMPING:
                dx, _ = self._step(equations, damping)
                windows = self.windows.move(equations.state_steps(dx))
                x = self.parameters.move(self.x, dx)
                trial = self.cost(windows, x)
                moved = trial < cost
                damping *= _EASE if moved else _STIFFEN
                if moved:
                    self.x, self.windows, cost = x, windows, trial
            self.iterations += 1
            if not moved:
                break
            equations = self._equations()
        _, self.distance = self._step(equations, 0.0)
        return equations

    def _equations(self) -> Equations:
        return self.shooting.factor(self.windows, self.x, self.sigma)

    def _step(self, equations: Equations, damping: float) -> tuple[np.ndarray, float]:
        """Return a step within the bounds, and its length in standard deviations.

        Coordinates at a bound that the step would leave stay there.
        """
        n, (lower, upper) = len(self.x), self.parameters.bounds
        root = np.sqrt(self.weight)
        prior = root * (self.x - self.parameters.first)
        A = np.concatenate((equations.R[:, :n], root * np.eye(n)))
        b = np.concatenate((equations.R[:, n], prior))
        if not np.isfinite(A).all():
            return np.zeros(n), np.inf
        free, dx = np.ones(n, dtype=bool), np.zeros(n)
        for _ in range(n + 1):
            rows = np.concatenate((A, np.sqrt(damping) * np.eye(n)))[:, free]
            target = np.concatenate((-b, np.zeros(n)))
            dx = np.zeros(n)
            dx[free] = np.linalg.lstsq(rows, target, rcond=None)[0]
            blocked = ((self.x <= lower) & (dx < 0.0)) | ((self.x >= upper) & (dx > 0.0))
            if not blocked.any():
                break
            free &= ~blocked
        length = float(np.linalg.norm(A @ dx))
        dx *= min(1.0, _MAX_STEP / max(np.abs(dx).max(initial=0.0), 1e-300))
        return np.clip(self.x + dx, lower, upper) - self.x, length

    def residuals(self, windows: Windows) -> np.ndarray:
        """Return residuals (W, L, c)."""
        return self.shooting.simulate(windows, self.x)[0]

    def refine_states(self, windows: Windows, rounds: int = 4) -> Windows:
        """Return windows with the best initial states for the parameters."""
        nothing = np.zeros(len(self.x))
        for _ in range(rounds if len(windows) else 0):
            equations = self.shooting.factor(windows, self.x, self.sigma)
            if not equations.states:
                break
            moved = windows.move(equations.state_steps(nothing))
            if not self.shooting.cost(moved, self.x, self.sigma) < equations.cost:
                break
            windows = moved
        return windows

    def noise(self, floor: np.ndarray) -> np.ndarray:
        """Return the root mean square residual of each channel, of the degrees of freedom."""
        e = self.residuals(self.windows)
        W, L, _ = e.shape
        nv = self.shooting.servos.nv
        used = 2 * nv * W / nv + len(self.x) / nv
        share = np.sqrt(W * L / max(W * L - used, 1.0))
        return np.maximum(share * rms(e), floor)

    @cached_property
    def floor(self) -> np.ndarray:
        """Least noise of each channel."""
        return _MIN_NOISE * ranges(self.windows, self.shooting)


def rms(e: np.ndarray) -> np.ndarray:
    """Return the root mean square (c,) of residuals (W, L, c); NaN without windows."""
    return np.sqrt(np.mean(e**2, axis=(0, 1))) if len(e) else np.full(e.shape[-1], np.nan)


def ranges(windows: Windows, shooting: Shooting) -> np.ndarray:
    """Return sizes (c,) of the measurements of each channel."""
    moved = windows.robot.difference(windows.measured[:, :1], windows.measured)
    out = np.abs(moved).max(axis=(0, 1)) + 1e-3
    if windows.currents is None or shooting.current_drive:
        return out
    return np.concatenate((out, np.nanmax(np.abs(windows.currents), axis=(0, 1), initial=1e-3)))


def guess_noise(windows: Windows, shooting: Shooting) -> np.ndarray:
    """Return the noise (c,) of measurements from their third differences in time."""
    moved = windows.robot.difference(windows.measured[:, :1], windows.measured)
    if windows.currents is not None and not shooting.current_drive:
        moved = np.concatenate((moved, np.nan_to_num(windows.currents)), axis=-1)
    jumps = np.diff(moved, n=3, axis=1) / _THIRD_DIFFERENCES
    return np.maximum(rms(jumps), _MIN_NOISE * ranges(windows, shooting))
