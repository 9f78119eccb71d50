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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.identify.estimate import Space
from jounce.identify.options import Metric
from jounce.identify.polishing import Matrix, Optimum, entries, symmetric
from jounce.inertia import from_pseudo_inertia, pseudo_inertia

#: Least eigenvalue of a pseudo-inertia, in units of the body's mass and radius of gyration.
MARGIN = 1e-5

#: A prior flatter than this is rounded up for distances that need its inverse.
_ROUNDED = 1e-3

#: J of each unit parameter: J = sum_k pi_k UNITS[k].
UNITS = pseudo_inertia(np.eye(10))


@dataclass(frozen=True, eq=False)
class Bodies:
    """The bodies that may change, each with scales that bring its pseudo-inertia to size one."""

    nb: int
    indices: list[int]
    scales: np.ndarray  # (k, 4): J / outer(scale, scale) has entries of about one

    @classmethod
    def of(cls, space: Space) -> Bodies:
        """Those of a space."""
        names = space.layout.robot.body_names
        indices = [b for b, name in enumerate(names) if name not in space.fixed]
        scales = []
        for b in indices:
            mass, length = space.scale[10 * b], space.scale[10 * b + 1] / space.scale[10 * b]
            scales.append(np.sqrt(mass) * np.array((length, length, length, 1.0)))
        return cls(len(names), indices, np.array(scales).reshape(-1, 4))

    def columns(self, k: int) -> slice:
        """Where body k of these stands in theta."""
        return slice(10 * self.indices[k], 10 * self.indices[k] + 10)

    def matrices(self, theta: np.ndarray) -> np.ndarray:
        """Scaled pseudo-inertias (k, 4, 4)."""
        J = pseudo_inertia(theta[: 10 * self.nb].reshape(-1, 10)[self.indices])
        return J / (self.scales[:, :, None] * self.scales[:, None, :])

    def units(self, k: int) -> np.ndarray:
        """Scaled pseudo-inertias (10, 4, 4) of the unit parameters of body k."""
        return UNITS / np.outer(self.scales[k], self.scales[k])

    def rounded(self, theta: np.ndarray, least: float = _ROUNDED) -> np.ndarray:
        """theta with pseudo-inertias that are too flat, or impossible, made round enough."""
        out = theta.copy()
        for k, J in enumerate(self.matrices(theta)):
            s, V = np.linalg.eigh(J)
            if s[0] < least:
                J = (V * np.maximum(s, least)) @ V.T * np.outer(self.scales[k], self.scales[k])
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
    if metric not in ("euclidean", "bregman"):
        raise ValueError(
            f"metric: method 'consistent' knows 'euclidean' and 'bregman', found {metric!r}"
        )
    # of the prior, only its share in the scaling of weak directions is bounded for the divergence
    problem = _Whitened(space, A, z, gamma if metric == "euclidean" else min(gamma, 1.0))
    theta = problem.best
    bodies, drives = problem.bodies, problem.drives
    if metric == "euclidean":
        least = np.linalg.eigvalsh(bodies.matrices(theta))[:, 0].min(initial=np.inf)
        if least >= MARGIN and np.all(theta[drives] >= 0.0):
            return theta
    theta = problem.solve(gamma, metric)
    # the solver meets its constraints to its tolerance only
    theta[drives] = np.maximum(theta[drives], 0.0)
    return bodies.rounded(theta, 0.1 * MARGIN)


class _Whitened:
    """The problem in coordinates u in which data and prior weigh the same in all directions.

    theta = best + T u, where best is the optimum without constraints and with the Euclidean
    distance, and T^-1 the triangular factor of data and prior: parameters that act weakly are as
    well scaled as the others, and |u|^2 is the cost.
    """

    def __init__(self, space: Space, A: np.ndarray, z: np.ndarray, gamma: float) -> None:
        self.space = space
        self.bodies, self.drives = Bodies.of(space), drive_columns(space)
        self.active = np.flatnonzero(space.active)
        scale = space.scale[self.active]
        data = A[:, self.active] * scale
        n = len(self.active)
        target = np.concatenate((z - A @ space.prior, np.zeros(n)))
        Q, R = np.linalg.qr(np.vstack((data, np.sqrt(gamma) * np.eye(n))))
        self.best = space.prior.copy()
        self.best[self.active] += scale * np.linalg.solve(R, Q.T @ target)
        inverse = np.linalg.solve(R, np.eye(n))
        self.T = np.zeros((len(self.best), n))
        self.T[self.active] = scale[:, None] * inverse
        # the data alone: |D u + e|^2
        self.D = data @ inverse
        self.e = A @ self.best - z

    def solve(self, gamma: float, metric: Metric) -> np.ndarray:
        """theta by the interior-point method of clarabel, and Newton's for the last digits."""
        clarabel, sparse = _solver()
        n, bregman = self.T.shape[1], metric == "bregman"
        cones = _Cones(clarabel, n, 14 * len(self.bodies.indices) if bregman else 0)
        drives, matrices = self._drives(), self._matrices()
        if drives:
            cones.at_least_zero(drives)
        P, q = self._data_and_drives(gamma) if bregman else (np.eye(n), np.zeros(n))
        more = np.zeros(cones.size - n)
        prior = self.bodies.rounded(self.space.prior)
        inverses = np.linalg.inv(self.bodies.matrices(prior))
        for k, matrix in enumerate(matrices):
            if bregman:
                q += gamma * np.einsum("ij,jin->n", inverses[k], matrix.rates)
                more[cones.log_determinant(k, matrix)] = -gamma
            else:
                cones.positive(matrix)
        size = max(gamma, 1.0) if bregman else gamma  # for costs of about one
        rest = sparse.csc_matrix((cones.size - n,) * 2)
        quadratic = sparse.triu(sparse.block_diag((P / size, rest)), format="csc")
        x, multipliers = cones.minimise(sparse, quadratic, np.concatenate((q, more)) / size)
        bounds = drives if bregman else [*drives, *matrices]
        optimum = Optimum(P, q, gamma, matrices if bregman else [], bounds)
        inside = np.linalg.solve(self.T[self.active], (prior - self.best)[self.active])
        return self.best + self.T @ optimum.polished(x[:n], [size * Z for Z in multipliers], inside)

    def _drives(self) -> list[Matrix]:
        """Parameters that must not be negative, in units of their size, as matrices (1, 1)."""
        units = self.space.scale[self.drives]
        rates, values = self.T[self.drives] / units[:, None], self.best[self.drives] / units
        return [
            Matrix(x.reshape(1, 1), row.reshape(1, 1, -1))
            for x, row in zip(values, rates, strict=True)
        ]

    def _matrices(self) -> list[Matrix]:
        """The scaled pseudo-inertias less the least they must be."""
        constants = self.bodies.matrices(self.best) - MARGIN * np.eye(4)
        return [
            Matrix(
                J, np.einsum("kij,kn->ijn", self.bodies.units(k), self.T[self.bodies.columns(k)])
            )
            for k, J in enumerate(constants)
        ]

    def _data_and_drives(self, gamma: float) -> tuple[np.ndarray, np.ndarray]:
        """Half of the cost without the bodies' distance, as u^T P u / 2 + q u."""
        inertial = self.space.layout.groups["inertia"].stop
        rest = self.active[self.active >= inertial]
        units = self.space.scale[rest]
        E = np.sqrt(gamma) * self.T[rest] / units[:, None]
        away = np.sqrt(gamma) * (self.best - self.space.prior)[rest] / units
        return self.D.T @ self.D + E.T @ E, self.D.T @ self.e + E.T @ away


class _Cones:
    """Constraints b - A x in cones, collected for the solver."""

    def __init__(self, clarabel: Any, n: int, more: int) -> None:
        """n: coordinates u. more: further unknowns of log-determinants."""
        self.clarabel, self.n, self.size = clarabel, n, n + more
        self.blocks: list[np.ndarray] = []
        self.rights: list[np.ndarray] = []
        self.kinds: list[Any] = []

    def _add(self, rates: np.ndarray, values: np.ndarray, kind: Any) -> None:
        self.blocks.append(-rates)
        self.rights.append(values)
        self.kinds.append(kind)

    def _wide(self, rates: np.ndarray) -> np.ndarray:
        return np.hstack((rates, np.zeros((len(rates), self.size - self.n))))

    def at_least_zero(self, numbers: Sequence[Matrix]) -> None:
        """Numbers, matrices (1, 1), that are not negative."""
        rates = np.concatenate([x.rates[0] for x in numbers])
        values = np.concatenate([x.constant[0] for x in numbers])
        self._add(self._wide(rates), values, self.clarabel.NonnegativeConeT(len(values)))

    def positive(self, matrix: Matrix) -> None:
        """A matrix (4, 4) that is positive semidefinite."""
        kind = self.clarabel.PSDTriangleConeT(4)
        self._add(self._wide(entries(matrix.rates)), entries(matrix.constant), kind)

    def log_determinant(self, k: int, matrix: Matrix) -> slice:
        """Unknowns t (4,) of body k whose sum is at most the log-determinant of J, a matrix (4, 4).

        There is a lower triangular Z with [[J, Z], [Z^T, diag(Z)]] positive semidefinite and
        t_i <= log Z_ii.
        """
        start = self.n + 14 * k
        places = [(i, j) for i in range(4) for j in range(i + 1)]
        big = np.zeros((8, 8, self.size))
        big[:4, :4, : self.n] = matrix.rates
        for at, (i, j) in enumerate(places, start=start):
            big[i, 4 + j, at] = big[4 + j, i, at] = 1.0
            if i == j:
                big[4 + i, 4 + i, at] = 1.0
        constant = np.zeros((8, 8))
        constant[:4, :4] = matrix.constant
        self._add(entries(big), entries(constant), self.clarabel.PSDTriangleConeT(8))
        for i in range(4):
            row = np.zeros((3, self.size))
            row[0, start + 10 + i] = 1.0
            row[2, start + places.index((i, i))] = 1.0
            self._add(row, np.array((0.0, 1.0, 0.0)), self.clarabel.ExponentialConeT())
        return slice(start + 10, start + 14)

    def minimise(
        self, sparse: Any, quadratic: Any, linear: np.ndarray
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """x that minimises x^T P x / 2 + q x in the cones.

        Also the multipliers of numbers and matrices.
        """
        settings = self.clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_iter = 500
        settings.max_threads = 1
        A = sparse.csc_matrix(np.vstack(self.blocks))
        b = np.concatenate(self.rights)
        solver = self.clarabel.DefaultSolver(quadratic, linear, A, b, self.kinds, settings)
        try:
            solution = solver.solve()
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # Rust's, which is no Exception
                raise
            raise _no_solution(str(error)) from error
        status = str(solution.status)
        # where progress ends early the point is still good to some digits, which noise hides
        if status not in ("Solved", "AlmostSolved", "InsufficientProgress"):
            raise _no_solution(status)
        multipliers, first = [], 0
        for kind, values in zip(self.kinds, self.rights, strict=True):
            z = np.array(solution.z[first : first + len(values)])
            first += len(values)
            multipliers += self._matrices(kind, z)
        return np.array(solution.x), multipliers

    def _matrices(self, kind: Any, z: np.ndarray) -> list[np.ndarray]:
        """Multipliers of numbers and of matrices (4, 4)."""
        if isinstance(kind, self.clarabel.NonnegativeConeT):
            return [x.reshape(1, 1) for x in z]
        if len(z) != 10:
            return []  # a log-determinant, which bounds nothing
        return [symmetric(z)]


def _no_solution(reason: str) -> DataError:
    return DataError(
        f"no physically consistent parameters were found (the solver says '{reason}'); check the"
        " units and signs of the data, or raise the regularisation"
    )


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
