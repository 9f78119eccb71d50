"""Weighted nonlinear least squares over geometric parameters, with robust losses and priors.

    f(x) = sum_i rho(|L_i^-1 e_i(x)|^2) / 2 + sum_k (x_k / p_k)^2 / 2

with covariances L L^T of the noise and standard deviations p of the priors is minimized by the
method of Levenberg and Marquardt with exact derivatives. Normal equations are accumulated in
chunks, for each block of cross-validation, so that the memory does not grow with the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from jounce.calibration.kinematics import Kinematics
from jounce.calibration.measurements import GUESSES, UNITS, Measurements
from jounce.errors import DataError

Loss = Literal["huber", "cauchy"]

#: Number of configurations per chunk.
_CHUNK = 2048

#: Maximum number of steps, and decrease of the cost at which the iteration ends.
_MAX_STEPS, _LAST_DECREASE = 100, 1e-10

#: Decrease that a further step may predict at the optimum.
_MAX_DECREASE = 1e-6

#: Standard normal quantiles of the bound of a loss, and of outliers.
_LOSS_QUANTILE, _OUTLIER_QUANTILE = 1.645, 4.5


@dataclass(eq=False)
class Normal:
    """Normal equations by measurements and fold: H (s, f, r, r), g (s, f, r), squares (s, f).

    cost: half the sum of rho. For robust losses, with rho' = w: meat (r, r) is the sum of
    J^T w e e^T w J, and bend (r, r) that of 2 w' J^T e e^T J, which H lacks as a Hessian. counts
    (s, f): of residuals. squares are weighted by the noise and by the loss.
    """

    H: np.ndarray
    g: np.ndarray
    squares: np.ndarray
    counts: np.ndarray
    cost: float
    meat: np.ndarray
    bend: np.ndarray

    def covariance(self, prior: np.ndarray, loss: Loss | None) -> np.ndarray:
        """Return the covariance (r, r) of the parameters: of an M-estimator for robust losses."""
        weight = np.diag(prior**-2.0)
        bread = np.linalg.inv(self.H.sum(axis=(0, 1)) + self.bend + weight)
        if loss is None:
            return bread
        count = float(self.counts.sum())
        small = count / max(count - len(prior), 1.0)  # residuals are smaller than the noise
        return bread @ (small * self.meat + weight) @ bread


class Noise:
    """Whitening of the residuals of some measurements: given, or estimated by unit."""

    def __init__(self, item: Measurements) -> None:
        self.given = item.deviation is not None
        self.units = UNITS[item.kind]
        sigma = item.deviation
        if sigma is None:
            sigma = np.array([GUESSES[unit] for unit in self.units])
        self.sigma: np.ndarray = sigma
        self._inverse = None
        if sigma.ndim > 1:
            self._inverse = np.linalg.inv(np.linalg.cholesky(sigma))

    def whiten(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return L^-1 x for x (k, m, ...)."""
        if self._inverse is None:
            return x / self.sigma.reshape(-1, *(1,) * (x.ndim - 2))
        inverse = self._inverse[rows] if self._inverse.ndim == 3 else self._inverse
        return inverse @ x if x.ndim == 3 else (inverse @ x[..., None])[..., 0]

    def update(self, mean_squares: np.ndarray) -> float:
        """Scale deviations by whitened mean squares (m,) by unit; return the largest factor."""
        change = 0.0
        for unit in dict.fromkeys(self.units):
            part = [k for k, other in enumerate(self.units) if other == unit]
            factor = float(np.sqrt(max(np.mean(mean_squares[part]), 1e-24)))
            factor = max(factor, 1e-9 * GUESSES[unit] / self.sigma[part[0]])
            self.sigma[part] *= factor
            change = max(change, abs(np.log(factor)))
        return change


def chi_square(m: int, z: float) -> float:
    """Return the quantile of chi-square at a standard normal quantile z (Wilson and Hilferty)."""
    return m * max(1.0 - 2.0 / (9.0 * m) + z * np.sqrt(2.0 / (9.0 * m)), 0.0) ** 3


def loss_weights(
    s2: np.ndarray, m: int, loss: Loss | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rho and its two derivatives for squared lengths s2 of m whitened residuals."""
    if loss is None:
        return s2, np.ones_like(s2), np.zeros_like(s2)
    k2 = chi_square(m, _LOSS_QUANTILE)
    if loss == "cauchy":
        w = 1.0 / (1.0 + s2 / k2)
        return k2 * np.log1p(s2 / k2), w, -(w**2) / k2
    s = np.sqrt(np.maximum(s2, 1e-300))
    k, inside = np.sqrt(k2), s2 <= k2
    rho = np.where(inside, s2, 2.0 * k * s - k2)
    return rho, np.where(inside, 1.0, k / s), np.where(inside, 0.0, -0.5 * k / s**3)


class Problem:
    """The cost of some measurements over selected parameters."""

    def __init__(
        self, kinematics: Kinematics, noises: list[Noise], loss: Loss | None, folds: int
    ) -> None:
        self.kinematics, self.noises = kinematics, noises
        self.loss: Loss | None = loss
        self.folds = max(folds, 1)

    def residuals(self, x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return residuals (n, m) of measurements k, and whitened ones."""
        item = self.kinematics.data[k]
        parts = [self.kinematics.evaluate(x, item, rows, None)[0] for rows in _chunks(len(item), 1)]
        e = np.concatenate([np.empty((0, len(UNITS[item.kind]))), *parts])
        return e, self.noises[k].whiten(e, np.arange(len(item)))

    def jacobian(self, x: np.ndarray, limit: int) -> np.ndarray:
        """Return whitened rows of all columns at up to `limit` configurations of each sensor.

        They are scaled to the number of all configurations.
        """
        parts = [np.empty((0, self.kinematics.size))]
        for item, noise in zip(self.kinematics.data, self.noises, strict=True):
            n = len(item)
            rows = np.unique(np.linspace(0, n - 1, min(limit, n)).astype(int))
            columns = np.arange(self.kinematics.size)
            _, J = self.kinematics.evaluate(x, item, rows, columns)
            scale = np.sqrt(n / len(rows))
            assert J is not None
            parts.append(scale * noise.whiten(J, rows).reshape(-1, self.kinematics.size))
        return np.concatenate(parts)

    def normal(self, x: np.ndarray, columns: np.ndarray) -> Normal:
        """Return the normal equations at x."""
        count, r = len(self.kinematics.data), len(columns)
        out = Normal(
            np.zeros((count, self.folds, r, r)),
            np.zeros((count, self.folds, r)),
            np.zeros((count, self.folds)),
            np.zeros((count, self.folds)),
            0.0,
            np.zeros((r, r)),
            np.zeros((r, r)),
        )
        tasks = [
            (k, fold, rows)
            for k, item in enumerate(self.kinematics.data)
            for fold in range(self.folds)
            for rows in _chunks(len(item), self.folds, fold)
        ]
        for k, fold, rows in tasks:
            H, g, meat, bend, squares, cost, size = self._part(x, columns, k, rows)
            out.H[k, fold] += H
            out.g[k, fold] += g
            out.meat += meat
            out.bend += bend
            out.squares[k, fold] += squares
            out.counts[k, fold] += size
            out.cost += cost
        return out

    def _part(
        self, x: np.ndarray, columns: np.ndarray, k: int, rows: np.ndarray
    ) -> tuple[Any, ...]:
        e, J = self.kinematics.evaluate(x, self.kinematics.data[k], rows, columns)
        assert J is not None
        m, r = e.shape[1], len(columns)
        e = self.noises[k].whiten(e, rows)
        J = self.noises[k].whiten(J, rows)
        rho, w, slope = loss_weights(np.sum(e * e, axis=1), m, self.loss)
        meat = bend = np.zeros((r, r))
        if self.loss is not None:
            each = (J.mT @ (w[:, None] * e)[..., None])[..., 0]
            meat, bend = each.T @ each, (each.T * (2.0 * slope / w**2)) @ each
            root = np.sqrt(w)
            e, J = root[:, None] * e, root[:, None, None] * J
        flat, right = J.reshape(e.size, r), e.ravel()
        squares = float(right @ right)
        return (
            flat.T @ flat,
            flat.T @ right,
            meat,
            bend,
            squares,
            0.5 * float(rho.sum()),
            right.size,
        )

    # -------------------------------------------------------------- minimization

    def minimize(self, x: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, Normal, int]:
        """Return the optimum over the columns of x, normal equations there, and the step count."""
        x, count = x.copy(), 0
        weight = self.kinematics.prior[columns] ** -2.0
        normal, damping = self.normal(x, columns), 0.0
        for count in range(_MAX_STEPS):
            value = normal.cost + 0.5 * float(weight @ x[columns] ** 2)
            H = normal.H.sum(axis=(0, 1)) + np.diag(weight)
            g = normal.g.sum(axis=(0, 1)) + weight * x[columns]
            scale = 1.0 / np.sqrt(np.diag(H))
            scaled = H * np.outer(scale, scale)
            newton = float((scale * g) @ np.linalg.solve(scaled, scale * g))
            limit = _LAST_DECREASE * (1.0 + 1e-4 * value)
            if newton < limit:
                return x, normal, count
            step = -scale * np.linalg.solve(scaled + damping * np.eye(len(g)), scale * g)
            trial = x.copy()
            trial[columns] += step
            next_normal = self.normal(trial, columns)
            change = value - next_normal.cost - 0.5 * float(weight @ trial[columns] ** 2)
            if change >= -1e-12 * value:
                x, normal, damping = trial, next_normal, 0.1 * damping if damping > 1e-8 else 0.0
                if change < limit and newton < 1e4 * limit and damping == 0.0:
                    break
            elif newton < _MAX_DECREASE:  # round-off
                return x, normal, count
            else:
                damping = max(10.0 * damping, 1e-4)
            if damping > 1e8:
                break
        self._check(x, normal, columns)
        return x, normal, count + 1

    def _check(self, x: np.ndarray, here: Normal, columns: np.ndarray) -> None:
        """Raise a DataError unless the gradient vanishes."""
        weight = self.kinematics.prior[columns] ** -2.0
        g = here.g.sum(axis=(0, 1)) + weight * x[columns]
        H = here.H.sum(axis=(0, 1)) + np.diag(weight)
        decrease = float(g @ np.linalg.solve(H, g))
        if not decrease < _MAX_DECREASE * (1.0 + 2.0 * here.cost):
            raise DataError(
                "the calibration did not converge: the optimality conditions leave a decrease of"
                f" {decrease:.1e} of the cost {here.cost:.1e}; pass mount= and target= that are"
                " closer, check frames, units and the order of joints, or use loss='cauchy'"
            )


def outliers(whitened: np.ndarray, given: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose residuals (n, m) are too large for normal noise, and their sizes.

    Sizes are relative to the median, which outliers do not change; if the noise is given, to no
    less than a tenth of it.
    """
    n, m = whitened.shape
    s2 = np.sum(whitened**2, axis=1)
    scale = float(np.median(s2)) / chi_square(m, 0.0) if n else 1.0
    scale = max(scale, 0.01) if given else scale
    sizes = np.sqrt(s2 / (m * max(scale, 1e-300)))
    bound = np.sqrt(chi_square(m, _OUTLIER_QUANTILE + 0.1 * np.log10(max(n, 1))) / m)
    rows = np.flatnonzero(sizes > bound) if n > m else np.empty(0, dtype=int)
    return rows, sizes


def _chunks(n: int, folds: int, fold: int = 0) -> list[np.ndarray]:
    """Return rows fold, fold + folds, ... in chunks."""
    rows = np.arange(fold, n, folds)
    return [rows[k : k + _CHUNK] for k in range(0, len(rows), _CHUNK)]
