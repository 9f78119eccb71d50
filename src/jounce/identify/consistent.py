"""Physically consistent estimates: bodies that could exist, drives that do not push.

A body could exist if its pseudo-inertia J (4 x 4) is positive definite (Wensing, Kim and Slotine
2018): mass, moments of inertia and triangle inequalities in one linear matrix inequality. Friction
and armature must not be negative. Among such parameters theta

    |W (Y theta - tau)|^2 + gamma d(theta, theta_0)

is minimised, which is convex for two distances to the prior theta_0: the Euclidean one with each
parameter in units of its typical size, and the Bregman divergence of the log-determinant,

    d = 2 sum_b tr(J_b J_b0^-1) - log det(J_b J_b0^-1) - 4

twice which approximates the square of the geodesic distance (Lee, Wensing and Park 2020) and does
not depend on frames or units. With torques weighted by their noise, the prior counts as much as a
measurement of each body with the relative deviation 1 / sqrt(gamma).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from jounce.errors import DataError
from jounce.identify.estimate import Space
from jounce.identify.regression import triangular
from jounce.inertia import from_pseudo_inertia, pseudo_inertia

Metric = Literal["euclidean", "bregman", "geodesic"]

#: Least eigenvalue of a pseudo-inertia, in units of the body's mass and radius of gyration.
MARGIN = 1e-5

#: A prior flatter than this is rounded up for distances that need its inverse.
_ROUNDED = 1e-3

#: J of each unit parameter: J = sum_k pi_k UNITS[k].
UNITS = pseudo_inertia(np.eye(10))

#: Upper triangle column by column with its off-diagonal entries times sqrt(2): a symmetric matrix
#: as a vector with the same inner products, in the order the solver wants.
_ROWS = np.array([i for j in range(4) for i in range(j + 1)])
_COLUMNS = np.array([j for j in range(4) for i in range(j + 1)])
_ROOTS = np.where(_ROWS == _COLUMNS, 1.0, np.sqrt(2.0))


@dataclass(frozen=True, eq=False)
class Bodies:
    """The bodies that may change, each with scales that bring its pseudo-inertia to size one."""

    nb: int
    indices: list[int]
    frames: np.ndarray  # (k, 4): J / outer(frame, frame) has entries of about one

    @classmethod
    def of(cls, space: Space) -> Bodies:
        """Those of a space."""
        names = space.layout.robot.body_names
        indices = [b for b, name in enumerate(names) if name not in space.fixed]
        frames = []
        for b in indices:
            mass, length = space.scale[10 * b], space.scale[10 * b + 1] / space.scale[10 * b]
            frames.append(np.sqrt(mass) * np.array((length, length, length, 1.0)))
        return cls(len(names), indices, np.array(frames).reshape(-1, 4))

    def columns(self, k: int) -> slice:
        """Where body k of these stands in theta."""
        return slice(10 * self.indices[k], 10 * self.indices[k] + 10)

    def matrices(self, theta: np.ndarray) -> np.ndarray:
        """Scaled pseudo-inertias (k, 4, 4)."""
        J = pseudo_inertia(theta[: 10 * self.nb].reshape(-1, 10)[self.indices])
        return J / (self.frames[:, :, None] * self.frames[:, None, :])

    def units(self, k: int) -> np.ndarray:
        """Scaled pseudo-inertias (10, 4, 4) of the unit parameters of body k."""
        return UNITS / np.outer(self.frames[k], self.frames[k])

    def rounded(self, theta: np.ndarray, least: float = _ROUNDED) -> np.ndarray:
        """theta with pseudo-inertias that are too flat, or impossible, made round enough."""
        out = theta.copy()
        for k, J in enumerate(self.matrices(theta)):
            s, V = np.linalg.eigh(J)
            if s[0] < least:
                J = (V * np.maximum(s, least)) @ V.T * np.outer(self.frames[k], self.frames[k])
                out[self.columns(k)] = from_pseudo_inertia((J + J.T) / 2.0)
        return out


def drive_columns(space: Space) -> np.ndarray:
    """Columns of parameters that must not be negative."""
    groups = space.layout.groups
    found = [np.arange(groups[k].start, groups[k].stop) for k in groups if k in _NOT_NEGATIVE]
    columns = np.concatenate(found) if found else np.empty(0, dtype=int)
    return columns[space.active[columns]]


_NOT_NEGATIVE = ("armature", "damping", "friction")


def consistent(
    space: Space, A: np.ndarray, z: np.ndarray, gamma: float, metric: Metric
) -> np.ndarray:
    """theta (p,) that minimises |A theta - z|^2 + gamma d(theta, prior) among possible robots."""
    if metric == "bregman":
        return _bregman(space, A, z, gamma)
    if metric != "euclidean":
        raise ValueError(
            f"metric: method 'consistent' knows 'euclidean' and 'bregman', found {metric!r}"
        )
    return _euclidean(space, A, z, gamma)


# ------------------------------------------------------------------ a semidefinite program


def _euclidean(space: Space, A: np.ndarray, z: np.ndarray, gamma: float) -> np.ndarray:
    """Solved in whitened coordinates u = R (delta - delta*), where the cost is |u|^2.

    delta* is the unconstrained optimum and R the factor of the data and the prior, so that
    parameters that act weakly are as well scaled as the others.
    """
    active = np.flatnonzero(space.active)
    scale = space.scale[active]
    data = A[:, active] * scale
    stacked = np.vstack((data, np.sqrt(gamma) * np.eye(len(active))))
    target = np.concatenate((z - A @ space.prior, np.zeros(len(active))))
    Q, R = np.linalg.qr(stacked)
    best = np.linalg.solve(R, Q.T @ target)
    theta = space.prior.copy()
    theta[active] += scale * best
    bodies, drives = Bodies.of(space), drive_columns(space)
    least = np.linalg.eigvalsh(bodies.matrices(theta))[:, 0] if len(bodies.indices) else np.ones(1)
    if least.min() >= MARGIN and np.all(theta[drives] >= 0.0):
        return theta
    u = _solve_cones(space, bodies, drives, theta, active, scale[:, None] * np.linalg.inv(R))
    theta[active] += scale * np.linalg.solve(R, u)
    # the solver meets its constraints to its tolerance only
    theta[drives] = np.maximum(theta[drives], 0.0)
    return bodies.rounded(theta, 0.1 * MARGIN)


def _solver() -> tuple[Any, Any]:
    """clarabel and scipy.sparse, or an error that says how to get them."""
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise ImportError(
            "consistent estimates need clarabel and SciPy; install them: pip install"
            ' "jounce[identify]"'
        ) from None
    return clarabel, sparse


def _solve_cones(
    space: Space,
    bodies: Bodies,
    drives: np.ndarray,
    theta: np.ndarray,
    active: np.ndarray,
    basis: np.ndarray,
) -> np.ndarray:
    """u of least length with theta[active] + basis u in all cones."""
    clarabel, sparse = _solver()
    place = np.full(len(theta), -1)
    place[active] = np.arange(len(active))
    blocks, rights, cones = [], [], []
    if len(drives):
        units = space.scale[drives]
        blocks.append(-basis[place[drives]] / units[:, None])
        rights.append(theta[drives] / units)
        cones.append(clarabel.NonnegativeConeT(len(drives)))
    matrices = bodies.matrices(theta) - MARGIN * np.eye(4)
    for k, J in enumerate(matrices):
        vectors = _ROOTS * bodies.units(k)[:, _ROWS, _COLUMNS]
        blocks.append(-vectors.T @ basis[place[bodies.columns(k)]])
        rights.append(_ROOTS * J[_ROWS, _COLUMNS])
        cones.append(clarabel.PSDTriangleConeT(4))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 500
    settings.max_threads = 1
    n = basis.shape[1]
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(sparse.identity(n)),
        np.zeros(n),
        sparse.csc_matrix(np.vstack(blocks)),
        np.concatenate(rights),
        cones,
        settings,
    )
    solution = solver.solve()
    status = str(solution.status)
    if status not in ("Solved", "AlmostSolved"):
        raise DataError(
            f"no physically consistent parameters were found (the solver says '{status}'); check"
            " the units and signs of the data, or raise the regularisation"
        )
    return np.array(solution.x)


# ------------------------------------------------------------------ a smooth problem


def _bregman(space: Space, A: np.ndarray, z: np.ndarray, gamma: float) -> np.ndarray:
    """Newton's method: the divergence is its own barrier, drives get a logarithmic one.

    gamma comes down to its value, and the barrier of the drives to nothing, in steps.
    """
    bodies, drives = Bodies.of(space), drive_columns(space)
    prior = bodies.rounded(space.prior)
    theta = prior.copy()
    theta[drives] = np.maximum(theta[drives], 0.1 * space.scale[drives])
    cost = _Divergence(space, A, z, bodies, drives, prior)
    strength = max(gamma, float(np.sum((z - A @ theta) ** 2)))
    barrier = strength
    while True:
        theta = cost.minimise(theta, strength, barrier)
        if strength <= gamma and barrier <= 1e-8 * gamma:
            return theta
        strength, barrier = max(0.1 * strength, gamma), max(0.1 * barrier, 1e-9 * gamma)


class _Divergence:
    """|A theta - z|^2 + gamma d(theta, prior) - mu sum log(drives), its Newton steps."""

    def __init__(
        self,
        space: Space,
        A: np.ndarray,
        z: np.ndarray,
        bodies: Bodies,
        drives: np.ndarray,
        prior: np.ndarray,
    ) -> None:
        self.active = np.flatnonzero(space.active)
        self.scale = space.scale
        self.A, self.z = A, z
        self.bodies, self.drives, self.prior = bodies, drives, prior
        self.inverses = np.linalg.inv(bodies.matrices(prior))
        inertial = space.layout.groups["inertia"].stop
        self.rest = self.active[self.active >= inertial]

    def value(self, theta: np.ndarray, gamma: float, mu: float) -> float:
        """Infinite outside of the cone."""
        if np.any(theta[self.drives] <= 0.0):
            return np.inf
        J = self.bodies.matrices(theta)
        if len(J) and np.linalg.eigvalsh(J)[:, 0].min() <= 0.0:
            return np.inf
        left = self.A @ theta - self.z
        ratio = J @ self.inverses
        distance = 2.0 * np.sum(
            np.trace(ratio, axis1=1, axis2=2) - np.linalg.slogdet(ratio)[1] - 4.0
        )
        away = (theta - self.prior)[self.rest] / self.scale[self.rest]
        logs = np.log(theta[self.drives] / self.scale[self.drives])
        return float(left @ left + gamma * (distance + away @ away) - mu * logs.sum())

    def _newton(self, theta: np.ndarray, gamma: float, mu: float) -> tuple[np.ndarray, float]:
        """The step, and by how much the value falls to first order."""
        g = 2.0 * self.A.T @ (self.A @ theta - self.z)
        rows = [self.A * self.scale]
        for k, J in enumerate(self.bodies.matrices(theta)):
            units, own = self.bodies.units(k), self.bodies.columns(k)
            L = np.linalg.inv(np.linalg.cholesky(J))
            block = np.zeros((16, len(theta)))
            block[:, own] = (L @ units @ L.T).reshape(10, 16).T * self.scale[own]
            rows.append(np.sqrt(gamma) * block)
            g[own] += 2.0 * gamma * np.einsum("ij,kji->k", self.inverses[k] - L.T @ L, units)
        g[self.rest] += 2.0 * gamma * (theta - self.prior)[self.rest] / self.scale[self.rest] ** 2
        g[self.drives] -= mu / theta[self.drives]
        unit = np.eye(len(theta))
        rows.append(np.sqrt(gamma) * unit[self.rest])
        bend = np.sqrt(0.5 * mu) * self.scale[self.drives] / theta[self.drives]
        rows.append(bend[:, None] * unit[self.drives])
        R = triangular(np.vstack(rows)[:, self.active])
        slope = (g * self.scale)[self.active]
        step = np.zeros(len(theta))
        step[self.active] = -0.5 * np.linalg.solve(R, np.linalg.solve(R.T, slope))
        return step * self.scale, float(-slope @ step[self.active])

    def minimise(self, theta: np.ndarray, gamma: float, mu: float) -> np.ndarray:
        """Damped Newton steps from theta until they gain nothing."""
        value = self.value(theta, gamma, mu)
        for _ in range(100):
            step, gain = self._newton(theta, gamma, mu)
            if not gain > 1e-12 * max(abs(value), gamma):
                break
            length = 1.0
            while (
                new := self.value(theta + length * step, gamma, mu)
            ) > value - 0.1 * length * gain:
                length *= 0.5
                if length < 1e-8:
                    return theta
            theta, value = theta + length * step, new
        return theta
