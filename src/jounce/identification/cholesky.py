"""Estimates in log-Cholesky coordinates: every point is physically consistent.

The ten parameters of each body are those of J = U U^T with a triangular U whose diagonal is
exponential (Rucker and Wensing 2022), drive parameters that must not be negative are exponential
too, and SciPy's Levenberg-Marquardt minimizes |A theta - z|^2 + gamma d(theta, theta_0) without
constraints, from the optimum that `jounce.identification.consistent` found. Distances between
pseudo-inertias are the squared length of a spectral function f of J_b0^-1/2 J_b J_b0^-1/2: f = log
for the geodesic one and f(x) = sign(x - 1) (2 (x - 1 - log x))^1/2 for the Bregman divergence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jounce.identification.consistent import MARGIN, UNITS, Bodies, consistent, drive_columns
from jounce.identification.estimate import Space
from jounce.identification.options import Metric
from jounce.identification.structure import svd
from jounce.model.inertia import from_log_cholesky, log_cholesky

#: Where (d1, d2, d3, s12, s23, s13, t1, t2, t3) stand in U.
_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))

#: Parameters of a pseudo-inertia by its entries: pi = sum of weights times J.
_FROM_J = np.linalg.pinv(UNITS.reshape(10, 16).T)

#: Evaluations at most, and the share of the sum of squares that a step must gain for another.
_EVALUATIONS = 100
_SETTLED = 1e-10

#: Decrease of the cost within reach, absolute and relative, up to which a result is stationary.
_MAX_EXCESS, _MAX_RELATIVE_EXCESS = 1e-4, 1e-6

#: Logarithms beyond this overflow.
_LARGEST = 200.0


def log_cholesky_jacobian(theta: np.ndarray) -> np.ndarray:
    """d pi / d theta (10, 10) of `jounce.inertia.from_log_cholesky` at theta (10,).

    d(U U^T) = dU U^T + U dU^T, and dU is a multiple of U or has one entry.
    """
    scale = np.exp(theta[0])
    U = np.zeros((4, 4))
    rates = np.zeros((10, 4, 4))
    for k, (i, j) in enumerate(_PLACES):
        entry = np.exp(theta[1 + k]) if i == j else theta[1 + k]
        U[i, j] = scale * entry
        rates[1 + k, i, j] = scale * (entry if i == j else 1.0)
    U[3, 3] = scale
    rates[0] = U
    half = rates @ U.T
    return _FROM_J @ (half + half.transpose(0, 2, 1)).reshape(10, 16).T


def spectral_residual(
    J: np.ndarray, dJ: np.ndarray, root: np.ndarray, metric: Metric
) -> tuple[np.ndarray, np.ndarray]:
    """Vector (16,) whose squared length is the distance of J from the prior, and its rates.

    root: J_0^-1/2 (4, 4). dJ (k, 4, 4): rates of J; the rates of the result are (16, k), by the
    divided differences of f (Daleckii and Krein).
    """
    s, V = np.linalg.eigh(root @ J @ root)
    logs = np.log(np.maximum(s, 1e-300))
    if metric == "geodesic":
        f, slopes = logs, 1.0 / s
    else:
        # 2 (x - 1 - log x) = y^2 (1 + y / 3 + ...) for y = log x; the series where it cancels
        excess = np.where(
            np.abs(logs) < 1e-3,
            logs**2 * (1.0 + logs / 3.0 + logs**2 / 12.0),
            2.0 * (np.expm1(logs) - logs),
        )
        f = np.sign(logs) * np.sqrt(excess)
        safe = np.where(f == 0.0, 1.0, f)
        slopes = np.where(f == 0.0, 1.0, (s - 1.0) / (s * safe))
    gaps = s[:, None] - s[None, :]
    means = 0.5 * (slopes[:, None] + slopes[None, :])
    near = np.abs(gaps) < 1e-6 * np.abs(s).max()
    divided = np.where(near, means, (f[:, None] - f[None, :]) / np.where(near, 1.0, gaps))
    inside = V.T @ root @ dJ @ root @ V
    rates = V @ (divided * inside) @ V.T
    return ((V * f) @ V.T).ravel(), rates.reshape(len(dJ), 16).T


class _Problem:
    """Residuals and their Jacobian in the free coordinates xi: ten of each body, then the others.

    logs: those that are logarithms. sizes: their typical changes. count: number of residuals.
    """

    def __init__(self, space: Space, A: np.ndarray, z: np.ndarray, metric: Metric) -> None:
        self.space, self.A, self.z = space, A, z
        self.metric: Metric = metric
        self.bodies = Bodies.of(space)
        self.prior = self.bodies.rounded(space.prior)
        self.roots = [_inverse_root(J) for J in self.bodies.matrices(self.prior)]
        active = np.flatnonzero(space.active)
        self.rest = active[active >= space.layout.groups["inertia"].stop]
        self.positive = np.isin(self.rest, drive_columns(space))
        #: where each body stands among the parameters, and its coordinates
        self.places = [
            (self.bodies.columns(k), slice(10 * k, 10 * k + 10))
            for k in range(len(self.bodies.indices))
        ]
        self.others = slice(10 * len(self.places), None)
        lengths = self.bodies.scales[:, 0] / self.bodies.scales[:, 3]
        self.logs = np.concatenate((np.tile(np.arange(10) < 4, len(self.places)), self.positive))
        sizes = np.concatenate((np.repeat(lengths, 10), space.scale[self.rest]))
        self.sizes = np.where(self.logs, 1.0, sizes)
        #: parameters that the distance to the prior measures one by one
        self.apart = active if metric == "euclidean" else self.rest
        spectral = 0 if metric == "euclidean" else 16 * len(self.places)
        self.count = len(z) + spectral + len(self.apart)

    def coordinates(self, theta: np.ndarray) -> np.ndarray:
        """Coordinates of parameters, drives at least a little above zero."""
        bodies = [log_cholesky(theta[own]) for own, _ in self.places]
        rest = theta[self.rest]
        floor = np.maximum(rest, 1e-9 * self.space.scale[self.rest])
        return np.concatenate((*bodies, np.where(self.positive, np.log(np.abs(floor)), rest)))

    def theta(self, xi: np.ndarray) -> np.ndarray:
        """Parameters of coordinates."""
        out = self.space.prior.copy()
        for own, at in self.places:
            out[own] = from_log_cholesky(xi[at])
        rest = xi[self.others]
        out[self.rest] = np.where(self.positive, np.exp(rest), rest)
        return out

    def residuals(self, xi: np.ndarray) -> np.ndarray:
        """All residuals; far too large ones where exponentials would overflow."""
        if np.abs(xi[self.logs]).max() > _LARGEST:
            return np.full(self.count, 1e100)
        theta = self.theta(xi)
        parts = [self.A @ theta - self.z, *(r for r, _ in self._spectral(theta))]
        parts.append((theta - self.prior)[self.apart] / self.space.scale[self.apart])
        return np.concatenate(parts)

    def jacobian(self, xi: np.ndarray) -> np.ndarray:
        """Derivative of the residuals."""
        theta = self.theta(xi)
        D = np.zeros((len(theta), len(xi)))
        for own, at in self.places:
            D[own, at] = log_cholesky_jacobian(xi[at])
        D[self.rest, self.others] = np.diag(np.where(self.positive, theta[self.rest], 1.0))
        slopes = [self.A @ D]
        for (own, _), (_, rates) in zip(self.places, self._spectral(theta), strict=False):
            slopes.append(rates @ D[own])
        slopes.append(D[self.apart] / self.space.scale[self.apart, None])
        return np.vstack(slopes)

    def excess(self, xi: np.ndarray) -> float:
        """Decrease of the cost, to first order, within changes of xi of their typical sizes.

        Zero where the cost is stationary, and where coordinates run off to infinity because the
        optimum is on the boundary of the consistent parameters.
        """
        J = np.vstack((self.jacobian(xi) * self.sizes, np.eye(len(xi))))
        Q = np.linalg.qr(J)[0][: self.count]
        return float(np.sum((self.residuals(xi) @ Q) ** 2))

    def _spectral(self, theta: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Distances of pseudo-inertias and their rates, body by body, where the metric has them."""
        if self.metric != "euclidean":
            for k, J in enumerate(self.bodies.matrices(theta)):
                yield spectral_residual(J, self.bodies.units(k), self.roots[k], self.metric)


def _inverse_root(J: np.ndarray) -> np.ndarray:
    s, V = np.linalg.eigh(J)
    return (V / np.sqrt(s)) @ V.T


def log_cholesky_fit(
    space: Space, A: np.ndarray, z: np.ndarray, gamma: float, metric: Metric
) -> np.ndarray:
    """Minimize |A theta - z|^2 + gamma d(theta, prior) by Levenberg-Marquardt.

    From far away exponentials make the path long and there are other minima, so it starts from the
    optimum of `consistent`, which is also the result where it does not end at a stationary point.

    Parameters
    ----------
    space
        The parameters, their prior and their scales.
    A, z
        Weighted equations of the data, (m, p) and (m,).
    gamma
        Weight of the prior.
    metric
        "euclidean", "bregman" or "geodesic".

    Returns
    -------
    theta : (p,) array
        A local optimum, at which the cost is stationary.

    Raises
    ------
    DataError
        If `consistent` found none.
    """
    # residuals that no theta changes would hide small changes of the sum of squares
    U, s, Vt = svd(A / np.sqrt(gamma))
    kept = s > 1e-14 * s[0]
    reduced = s[kept, None] * Vt[kept], U[:, kept].T @ z / np.sqrt(gamma)
    problem = _Problem(space, *reduced, metric)
    optimum = consistent(space, A, z, gamma, metric)
    found = _least_squares()(
        problem.residuals,
        problem.coordinates(optimum),
        problem.jacobian,
        method="lm",
        x_scale=problem.sizes,
        ftol=_SETTLED,
        xtol=1e-12,
        gtol=1e-12,
        max_nfev=_EVALUATIONS,
    )
    if problem.excess(found.x) > _MAX_EXCESS + _MAX_RELATIVE_EXCESS * 2.0 * found.cost:
        return optimum
    # coordinates may run off to where rounding takes over
    return problem.bodies.rounded(problem.theta(found.x), 0.1 * MARGIN)


def _least_squares() -> Any:
    """Import SciPy's, or raise an error that says how to get it."""
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise ImportError(
            "method 'log-cholesky' needs SciPy; install it: pip install \"jounce[identify]\""
        ) from None
    return least_squares
