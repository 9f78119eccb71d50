"""Estimates in log-Cholesky coordinates: every point is a body that could exist.

The ten parameters of each body are those of J = U U^T with a triangular U whose diagonal is
exponential (Rucker and Wensing 2022), drive parameters that must not be negative are exponential
too, and Levenberg-Marquardt minimises |A theta - z|^2 + gamma d(theta, theta_0) without
constraints. Besides the distances of `jounce.identify.consistent` there is the geodesic one,

    d = sum_b |log(J_b0^-1/2 J_b J_b0^-1/2)|^2

which is not convex in theta. Distances between pseudo-inertias are the squared length of a
spectral function f of J_b0^-1/2 J_b J_b0^-1/2: f = log for the geodesic one and f(x) = sign(x - 1)
(2 (x - 1 - log x))^1/2 for the Bregman divergence.
"""

from __future__ import annotations

import numpy as np

from jounce.identify.consistent import (
    MARGIN,
    UNITS,
    Bodies,
    consistent,
    drive_columns,
)
from jounce.identify.estimate import Space
from jounce.identify.options import Metric
from jounce.inertia import from_log_cholesky, log_cholesky

#: Where (d1, d2, d3, s12, s23, s13, t1, t2, t3) stand in U.
_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))

#: Parameters of a pseudo-inertia by its entries: pi = sum of weights times J.
_FROM_J = np.linalg.pinv(UNITS.reshape(10, 16).T)

#: Steps at most, and the share of the sum of squares that a step must gain for another.
_ROUNDS = 100
_SETTLED = 1e-9


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
    """Residuals and their Jacobian in the free coordinates xi."""

    def __init__(self, space: Space, A: np.ndarray, z: np.ndarray, metric: Metric) -> None:
        self.space, self.A, self.z = space, A, z
        self.metric: Metric = metric
        self.bodies, self.drives = Bodies.of(space), drive_columns(space)
        self.prior = self.bodies.rounded(space.prior)
        inertial = space.layout.groups["inertia"].stop
        self.rest = np.flatnonzero(space.active)
        self.rest = self.rest[self.rest >= inertial]
        each = np.isin(self.rest, self.drives)
        #: coordinates that are logarithms, whose steps must be kept short
        self.logs = np.concatenate((np.tile(np.arange(10) < 4, len(self.bodies.indices)), each))
        self.roots = []
        for J in self.bodies.matrices(self.prior):
            s, V = np.linalg.eigh(J)
            self.roots.append((V / np.sqrt(s)) @ V.T)

    def coordinates(self, theta: np.ndarray) -> np.ndarray:
        """Coordinates of parameters, drives at least a little above zero."""
        bodies = [log_cholesky(theta[self.bodies.columns(k)]) for k in self._each()]
        rest = theta[self.rest].copy()
        own = np.isin(self.rest, self.drives)
        floor = 1e-9 * self.space.scale[self.rest]
        rest[own] = np.log(np.maximum(rest, floor)[own])
        return np.concatenate((*bodies, rest))

    def coordinates_inside(self, theta: np.ndarray) -> np.ndarray | None:
        """The same, or None for parameters that could not exist."""
        matrices = self.bodies.matrices(theta)
        if np.any(theta[self.drives] <= 0.0):
            return None
        if len(matrices) and np.linalg.eigvalsh(matrices)[:, 0].min() < 1e-12:
            return None
        return self.coordinates(theta)

    def _each(self) -> range:
        return range(len(self.bodies.indices))

    def theta(self, xi: np.ndarray) -> np.ndarray:
        """Parameters of coordinates."""
        out = self.space.prior.copy()
        for k in self._each():
            out[self.bodies.columns(k)] = from_log_cholesky(xi[10 * k : 10 * k + 10])
        rest = xi[10 * len(self._each()) :]
        out[self.rest] = np.where(np.isin(self.rest, self.drives), np.exp(rest), rest)
        return out

    def jacobian(self, xi: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """d theta / d xi (p, n)."""
        out = np.zeros((len(theta), len(xi)))
        for k in self._each():
            at = slice(10 * k, 10 * k + 10)
            out[self.bodies.columns(k), at] = log_cholesky_jacobian(xi[at])
        for i, column in enumerate(self.rest, start=10 * len(self._each())):
            out[column, i] = theta[column] if column in self.drives else 1.0
        return out

    def residuals(self, xi: np.ndarray, gamma: float) -> tuple[np.ndarray, np.ndarray]:
        """All residuals and their Jacobian."""
        root = np.sqrt(gamma)
        theta = self.theta(xi)
        D = self.jacobian(xi, theta)
        parts, slopes = [self.A @ theta - self.z], [self.A @ D]
        away = theta - self.prior
        if self.metric == "euclidean":
            chosen = np.flatnonzero(self.space.active)
        else:
            chosen = self.rest
            for k, J in enumerate(self.bodies.matrices(theta)):
                own = self.bodies.columns(k)
                r, rates = spectral_residual(J, self.bodies.units(k), self.roots[k], self.metric)
                parts.append(root * r)
                slopes.append(root * rates @ D[own])
        units = self.space.scale[chosen]
        parts.append(root * away[chosen] / units)
        slopes.append(root * D[chosen] / units[:, None])
        return np.concatenate(parts), np.vstack(slopes)


def log_cholesky_fit(
    space: Space, A: np.ndarray, z: np.ndarray, gamma: float, metric: Metric
) -> np.ndarray:
    """theta (p,) that minimises |A theta - z|^2 + gamma d(theta, prior), by Levenberg-Marquardt.

    From far away exponentials make the path long and there are other minima, so it starts from the
    optimum with the Bregman divergence, which is convex and close to the others.
    """
    problem = _Problem(space, A, z, metric)
    xi = problem.coordinates(consistent(space, A, z, gamma, "bregman"))
    theta = problem.theta(_minimise(problem, xi, gamma))
    # coordinates may run off to where rounding takes over
    return problem.bodies.rounded(theta, 0.1 * MARGIN)


def _minimise(problem: _Problem, xi: np.ndarray, gamma: float) -> np.ndarray:
    """Levenberg-Marquardt from xi until steps gain nothing."""
    r, D = problem.residuals(xi, gamma)
    value, damping = float(r @ r), 1e-6
    for _ in range(_ROUNDS):
        sizes = np.maximum(np.linalg.norm(D, axis=0), 1e-12 * np.linalg.norm(D))
        Q, R = np.linalg.qr(D / sizes)
        target = np.concatenate((-Q.T @ r, np.zeros(len(xi))))
        while True:
            Q, damped = np.linalg.qr(np.vstack((R, np.sqrt(damping) * np.eye(len(xi)))))
            step = np.linalg.solve(damped, Q.T @ target) / sizes
            found = _best(problem, xi, step, gamma, value)
            if found is not None:
                break
            damping *= 4.0
            if damping > 1e12:
                return xi
        gained = value - float(found[1] @ found[1])
        xi, r, D = found
        value, damping = float(r @ r), max(damping / 8.0, 1e-15)
        if gained <= _SETTLED * value:
            break
    return xi


def _best(
    problem: _Problem, xi: np.ndarray, step: np.ndarray, gamma: float, value: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Coordinates after a step, with residuals and Jacobian; None if the value does not fall.

    Torques are linear in theta, so the step is first tried along a straight line of theta. If that
    leaves the bodies that could exist, it is taken in the coordinates, which cannot.
    """
    theta = problem.theta(xi)
    straight = problem.coordinates_inside(theta + problem.jacobian(xi, theta) @ step)
    short = step.copy()
    short[problem.logs] = np.clip(short[problem.logs], -2.0, 2.0)
    for new in (straight, xi + short):
        if new is not None:
            r, D = problem.residuals(new, gamma)
            if np.isfinite(r @ r) and r @ r < value:
                return new, r, D
    return None
