"""Physically consistent estimates: positive definite pseudo-inertias, dissipative drives.

A body is physically consistent if its pseudo-inertia J (4 x 4) is positive definite (Wensing, Kim
and Slotine 2018): mass, moments of inertia and triangle inequalities in one linear matrix
inequality. Friction and armature must not be negative. Among such parameters theta

    |W (Y theta - tau)|^2 + gamma d(theta, theta_0)

is minimized. It is convex for two distances to the prior theta_0: the Euclidean one with each
parameter in units of its typical size, and the Bregman divergence of the log-determinant,

    d = 2 sum_b tr(J_b J_b0^-1) - log det(J_b J_b0^-1) - 4

which approximates the squared geodesic distance (Lee, Wensing and Park 2020) and, like it, does not
depend on frames or units. `jounce.identification.interior_point` solves these, and quadratic models
of the geodesic distance

    d = sum_b |log(J_b0^-1/2 J_b J_b0^-1/2)|^2

which is not convex in theta. All results fulfil their optimality conditions. With torques weighted
by their noise, the prior counts as much as a measurement of each body with the relative deviation
1 / sqrt(gamma).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jounce.errors import DataError
from jounce.identification.interior_point import (
    ConvexProblem,
    MatrixStack,
    NotOptimalError,
    congruent,
)
from jounce.identification.options import Metric
from jounce.identification.parameter_space import Space
from jounce.identification.structure import svd
from jounce.model.inertia import from_pseudo_inertia, pseudo_inertia

#: Least eigenvalue of a pseudo-inertia, in units of the body's mass and radius of gyration.
MARGIN = 1e-5

#: Least eigenvalue of the prior for distances that need its inverse; smaller ones are raised.
_MIN_EIGENVALUE = 1e-3

#: Least drive parameters of the start, in units of their size.
_MIN_DRIVE = 0.1

#: Maximum number of rounds for the geodesic distance, and least curvature of its quadratic model.
_MAX_ROUNDS, _LEAST_CURVATURE = 100, 0.03

#: Predicted decrease, in units of the weight of the prior, below which a round is the last one, and
#: the largest one that is accepted at the end.
_LAST_DECREASE, _MAX_DECREASE = 1e-12, 1e-4

#: J of each unit parameter: J = sum_k pi_k UNITS[k].
UNITS = pseudo_inertia(np.eye(10))


@dataclass(frozen=True, eq=False)
class Bodies:
    """The bodies that may change, with scales that bring their pseudo-inertias to size one."""

    nb: int
    indices: list[int]
    scales: np.ndarray  # (k, 4): J / outer(scale, scale) has entries of about one

    @classmethod
    def of(cls, space: Space) -> Bodies:
        """Return the bodies of a space."""
        names = space.layout.robot.model.body_names
        indices = [b for b, name in enumerate(names) if name not in space.fixed]
        scales = []
        for b in indices:
            mass, length = space.scale[10 * b], space.scale[10 * b + 1] / space.scale[10 * b]
            scales.append(np.sqrt(mass) * np.array((length, length, length, 1.0)))
        return cls(len(names), indices, np.array(scales).reshape(-1, 4))

    def columns(self, k: int) -> slice:
        """Return the slice of theta for body k of these."""
        return slice(10 * self.indices[k], 10 * self.indices[k] + 10)

    def matrices(self, theta: np.ndarray) -> np.ndarray:
        """Return the scaled pseudo-inertias (k, 4, 4)."""
        J = pseudo_inertia(theta[: 10 * self.nb].reshape(-1, 10)[self.indices])
        return J / (self.scales[:, :, None] * self.scales[:, None, :])

    def units(self, k: int) -> np.ndarray:
        """Return the scaled pseudo-inertias (10, 4, 4) of the unit parameters of body k."""
        return UNITS / np.outer(self.scales[k], self.scales[k])

    def regularize(self, theta: np.ndarray, least: float = _MIN_EIGENVALUE) -> np.ndarray:
        """Return theta with eigenvalues of pseudo-inertias raised to `least`."""
        out = theta.copy()
        for k, J in enumerate(self.matrices(theta)):
            s, V = np.linalg.eigh(J)
            if s[0] < least:
                J = (V * np.maximum(s, least)) @ V.T * np.outer(self.scales[k], self.scales[k])
                out[self.columns(k)] = from_pseudo_inertia((J + J.T) / 2.0)
        return out


def drive_columns(space: Space) -> np.ndarray:
    """Return the columns of parameters that must not be negative."""
    groups = space.layout.groups
    parts = [np.arange(groups[k].start, groups[k].stop) for k in groups if k in _NOT_NEGATIVE]
    columns = np.concatenate(parts) if parts else np.empty(0, dtype=int)
    return columns[space.active[columns]]


_NOT_NEGATIVE = ("armature", "damping", "friction", "stribeck_friction")


def consistent(
    space: Space, A: np.ndarray, z: np.ndarray, gamma: float, metric: Metric
) -> np.ndarray:
    """Minimize |A theta - z|^2 + gamma d(theta, prior) over physically consistent robots.

    A (m, p), z (m,): weighted equations of the data. Raises a DataError if no point was found at
    which the optimality conditions hold.
    """
    problem = _Whitened(space, A / np.sqrt(gamma), z / np.sqrt(gamma))
    theta = problem.best
    bodies, drives = problem.bodies, problem.drives
    if metric == "euclidean":
        least = np.linalg.eigvalsh(bodies.matrices(theta))[:, 0].min(initial=np.inf)
        if least >= MARGIN and np.all(theta[drives] >= 0.0):
            return theta
    try:
        theta = problem.solve(metric)
    except (NotOptimalError, np.linalg.LinAlgError) as error:
        raise DataError(
            f"metric {metric!r} found no parameters at which the optimality conditions hold"
            f" ({error}); check the units and signs of the data, raise the regularization, or"
            " choose another metric"
        ) from error
    theta[drives] = np.maximum(theta[drives], 0.0)  # zero to round-off
    return theta


class _Geodesic:
    """Half the squared geodesic distance of pseudo-inertias J from prior ones J_0, (k, 4, 4).

    With the eigenvalues x of J_0^-1/2 J J_0^-1/2 it is the sum of log(x)^2 / 2, and its gradient
    has the eigenvalues h(x) = log(x) / x in the same eigenvectors.
    """

    def __init__(self, prior: np.ndarray, bodies: MatrixStack) -> None:
        s, V = np.linalg.eigh(prior)
        root = (V / np.sqrt(s)[:, None]) @ V.mT
        self.bodies = MatrixStack(root @ bodies.constant @ root, congruent(root, bodies.rates))

    def value(self, u: np.ndarray) -> float:
        """Return half the squared distance; inf if a matrix is not positive definite."""
        x = np.linalg.eigvalsh(self.bodies.at(u))
        return 0.5 * float(np.sum(np.log(x) ** 2)) if x.min(initial=np.inf) > 0.0 else np.inf

    def slopes(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return gradient (n,) and Hessian (n, n), with negative curvature replaced.

        By divided differences of h (Daleckii and Krein), at least _LEAST_CURVATURE times those of
        the metric, 1 / (x_i x_j): beyond x = e the distance is not convex.
        """
        x, V = np.linalg.eigh(self.bodies.at(u))
        rates = congruent(V.mT, self.bodies.rates)
        h, slope = np.log(x) / x, (1.0 - np.log(x)) / x**2
        gaps = x[:, :, None] - x[:, None]
        near = np.abs(gaps) < 1e-6 * x[:, -1:, None]
        means = 0.5 * (slope[:, :, None] + slope[:, None])
        divided = (h[:, :, None] - h[:, None]) / np.where(near, 1.0, gaps)
        curvature = np.where(near, means, divided)
        curvature = np.maximum(curvature, _LEAST_CURVATURE / (x[:, :, None] * x[:, None]))
        flat = (np.sqrt(curvature)[..., None] * rates).reshape(-1, len(u))
        return np.einsum("kiin,ki->n", rates, h), flat.T @ flat

    def minimize(self, problem: ConvexProblem, u: np.ndarray, inside: np.ndarray) -> np.ndarray:
        """Minimize the quadratic of a problem plus this within its bounds, from u.

        Sequential quadratic programming: each step goes towards the minimum of the quadratic model
        within the bounds. If that is u itself, the optimality conditions hold.
        """

        def cost(u: np.ndarray) -> float:
            return self.value(u) + float(u @ (0.5 * problem.P @ u + problem.q))

        decrease = np.inf
        for _ in range(_MAX_ROUNDS):
            g, H = self.slopes(u)
            H = H + problem.P
            g = g + problem.P @ u + problem.q
            step = replace(problem, P=H, q=g - H @ u, logs=[]).solve(inside) - u
            decrease, t = -float(g @ step), 1.0
            if decrease < _LAST_DECREASE:
                return u + step
            while cost(u + t * step) > cost(u) - 0.1 * t * decrease and t > 1e-6:
                t *= 0.5
            u = u + t * step
        if decrease < _MAX_DECREASE:
            return u
        raise NotOptimalError(f"the geodesic distance leaves a decrease of {decrease:.1e}")


class _Whitened:
    """The problem in whitened coordinates u, in which its Hessian without bounds is the identity.

    theta = best + T u, where best is the optimum without constraints and with the Euclidean
    distance, and T^-1 the triangular factor of data and prior: parameters that act weakly are as
    well scaled as the others, and |u|^2 is the cost, in units of the weight of the prior.
    """

    def __init__(self, space: Space, A: np.ndarray, z: np.ndarray) -> None:
        self.space = space
        self.bodies, self.drives = Bodies.of(space), drive_columns(space)
        self.active = np.flatnonzero(space.active)
        scale = space.scale[self.active]
        data = A[:, self.active] * scale
        n = len(self.active)
        target = np.concatenate((z - A @ space.prior, np.zeros(n)))
        U, s, Vt = svd(np.vstack((data, np.eye(n))))
        self.R = s[:, None] * Vt
        self.best = space.prior.copy()
        inverse = Vt.T / s
        self.best[self.active] += scale * (inverse @ (U.T @ target))
        self.T = np.zeros((len(self.best), n))
        self.T[self.active] = scale[:, None] * inverse
        # the data alone: |D u + e|^2
        self.D = data @ inverse
        self.e = A @ self.best - z

    def solve(self, metric: Metric) -> np.ndarray:
        """Minimize from the prior, moved into the interior of the feasible set."""
        start = self.bodies.regularize(self.space.prior)
        prior = self.bodies.matrices(start)
        bodies = self._bodies()
        bounds = [self._drives(), MatrixStack(bodies.constant - MARGIN * np.eye(4), bodies.rates)]
        units = self.space.scale[self.drives]
        start[self.drives] = np.maximum(start[self.drives], _MIN_DRIVE * units)
        inside = self.R @ ((start - self.best)[self.active] / self.space.scale[self.active])
        if metric == "euclidean":
            n = len(inside)
            return self._theta(ConvexProblem(np.eye(n), np.zeros(n), [], bounds).solve(inside))
        P, q = self._data_and_drives()
        pull = np.einsum("kij,kijn->n", np.linalg.inv(prior), bodies.rates)
        problem = ConvexProblem(P, q + pull, [bodies], bounds)
        u = problem.solve(inside)
        if metric == "geodesic":
            u = _Geodesic(prior, bodies).minimize(replace(problem, q=q), u, inside)
        return self._theta(u)

    def _theta(self, u: np.ndarray) -> np.ndarray:
        return self.best + self.T @ u

    def _drives(self) -> MatrixStack:
        """Return the parameters that must not be negative as scaled matrices (1, 1)."""
        units = self.space.scale[self.drives]
        values, rates = self.best[self.drives] / units, self.T[self.drives] / units[:, None]
        return MatrixStack(values[:, None, None], rates[:, None, None])

    def _bodies(self) -> MatrixStack:
        """Return the scaled pseudo-inertias."""
        rates = [
            np.tensordot(self.bodies.units(k), self.T[self.bodies.columns(k)], axes=(0, 0))
            for k in range(len(self.bodies.indices))
        ]
        shape = (-1, 4, 4, self.T.shape[1])
        return MatrixStack(self.bodies.matrices(self.best), np.array(rates).reshape(shape))

    def _data_and_drives(self) -> tuple[np.ndarray, np.ndarray]:
        """Return half of the cost without the distance of bodies, as P, q of u^T P u / 2 + q u."""
        inertial = self.space.layout.groups["inertia"].stop
        drives = self.active[self.active >= inertial]
        units = self.space.scale[drives]
        E = self.T[drives] / units[:, None]
        offset = (self.best - self.space.prior)[drives] / units
        return self.D.T @ self.D + E.T @ E, self.D.T @ self.e + E.T @ offset
