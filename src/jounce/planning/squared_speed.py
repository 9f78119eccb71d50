"""Squared speeds x(s) as splines: values at points, and times at which these are passed."""

from __future__ import annotations

from math import factorial

import numpy as np


class SpeedBasis:
    """B-splines on a grid, in which x(s) is sought.

    Parameters
    ----------
    grid : ndarray (n + 1,)
        Ends of the intervals.
    degree : int
        Degree of the spline; its derivatives are continuous up to degree - 1.
    """

    def __init__(self, grid: np.ndarray, degree: int) -> None:
        from scipy import interpolate

        n = len(grid) - 1
        self.grid, self.degree, self.size = grid, degree, n + degree
        knots = np.concatenate(([grid[0]] * degree, grid, [grid[-1]] * degree))
        splines = interpolate.BSpline(knots, np.eye(self.size), degree)
        powers = [splines(grid[:-1], nu=m) / factorial(m) for m in range(degree + 1)]
        #: Columns of the splines that are not zero on each interval (n, degree + 1).
        self.columns = np.arange(n)[:, None] + np.arange(degree + 1)
        #: Coefficients of powers of s - grid[k] in interval k (n, degree + 1, degree + 1).
        self.powers = np.stack(
            [np.take_along_axis(x, self.columns, axis=1) for x in powers], axis=1
        )

    def weights(self, k: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return factors of the coefficients in x and its derivatives.

        Parameters
        ----------
        k : ndarray of int (points,)
            Intervals.
        d : ndarray (points,)
            Distances from their starts.

        Returns
        -------
        ndarray (degree + 1, points, degree + 1)
            Factors of the coefficients `columns[k]`.
        """
        return np.stack(derivatives(np.swapaxes(self.powers, 0, 1)[:, k], d[:, None]))

    def polynomials(self, c: np.ndarray) -> np.ndarray:
        """Return x as powers of s - grid[k] in each interval k (n, degree + 1)."""
        return np.einsum("kpb,kb->kp", self.powers, c[self.columns])


def derivatives(powers: np.ndarray, d: np.ndarray) -> list[np.ndarray]:
    """Return values and derivatives of polynomials.

    Parameters
    ----------
    powers : ndarray (degree + 1, ...)
        Factors of powers of d.
    d : ndarray (...)
        The argument.

    Returns
    -------
    list of ndarray (...)
        The polynomials and all their derivatives.
    """
    out, degree = [], len(powers) - 1
    for order in range(degree + 1):
        y = np.zeros(np.broadcast_shapes(powers.shape[1:], d.shape))
        for m in range(degree, order - 1, -1):
            y = y * d + powers[m] * (factorial(m) // factorial(m - order))
        out.append(y)
    return out


def durations(delta: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return the durations of intervals.

    Parameters
    ----------
    delta : ndarray (n,)
        Their lengths.
    powers : ndarray (n, degree + 1)
        x as powers of the distance from their starts.

    Returns
    -------
    ndarray (n,)
        Durations.

    Notes
    -----
    For degree 2, from the motion d(t) = sqrt(x) S(t) + u C(t) with u = x' / 2: by 2 delta /
    (sqrt(x0) + sqrt(x1)), exact for degree 1, and Newton's method. Else by Gauss' quadrature.
    """
    if powers.shape[1] > 3:
        return _integrate(delta, powers)
    if powers.shape[1] < 3:
        ends = powers[:, 0], np.maximum(powers[:, 0] + delta * powers[:, 1], 0.0)
        with np.errstate(divide="ignore"):
            return 2.0 * delta / (np.sqrt(ends[0]) + np.sqrt(ends[1]))
    x0, u, w = powers[:, 0], 0.5 * powers[:, 1], powers[:, 2]
    x1 = np.maximum(x0 + delta * (2.0 * u + w * delta), 0.0)
    v0 = np.sqrt(x0)
    with np.errstate(divide="ignore"):
        t = 2.0 * delta / (v0 + np.sqrt(x1))
    for _ in range(_NEWTON_STEPS if w.any() else 0):
        sine, cosine = _series(w * t**2)
        d = t * (v0 * sine + u * t * cosine)
        t = t + (delta - d) / np.sqrt(np.maximum(x0 + d * (2.0 * u + w * d), 1e-300))
    return t


def distances(t: np.ndarray, delta: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return the distances from the starts of intervals after times.

    Parameters
    ----------
    t : ndarray (n,)
        Times since the starts.
    delta : ndarray (n,)
        Lengths of the intervals.
    powers : ndarray (n, degree + 1)
        x as powers of the distance.

    Returns
    -------
    ndarray (n,)
        Distances, at most delta.
    """
    x0, u = powers[:, 0], 0.5 * powers[:, 1]
    if powers.shape[1] <= 3:
        w = powers[:, 2] if powers.shape[1] > 2 else np.zeros_like(u)
        sine, cosine = _series(w * t**2)
        return np.clip(t * (np.sqrt(x0) * sine + u * t * cosine), 0.0, delta)
    d = np.clip(t * np.sqrt(x0) + 0.5 * u * t**2, 0.0, delta)
    for _ in range(_NEWTON_STEPS):
        x = derivatives(powers.T, d)[0]
        d = np.clip(d + (t - _integrate(d, powers)) * np.sqrt(np.maximum(x, 1e-300)), 0.0, delta)
    return d


#: Steps that reach round-off: intervals are short.
_NEWTON_STEPS = 6

#: Nodes and weights of Gauss' quadrature on [0, 1].
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS


def _integrate(d: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return the integrals of 1 / sqrt(x) from 0 to d."""
    x = derivatives(powers.T[..., None], d[:, None] * _NODES)[0]
    return d * ((1.0 / np.sqrt(np.maximum(x, 1e-300))) @ _WEIGHTS)


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
