"""Convex programs of the fastest motion along a path, with tangents of limits of rates.

With x(s) = sum c_i B_i(s), variables are c, internal forces y at the ends of the intervals, lower
bounds of sqrt(x) there, the slowness of each interval, and a slack of limits of rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.planning.rows import Rows
from jounce.planning.squared_speed import SpeedBasis, durations

#: Weight of squared jumps of the highest derivative of x, without which it may alternate, and of
#: squared internal forces, whose sum is not unique.
_SMOOTHING, _SMALL_FORCES = 1e-8, 1e-6

#: Weight of the slack, relative to the duration.
_PENALTY = 100.0


@dataclass(frozen=True)
class Solution:
    """Coefficients c of x, internal forces y (n + 1, forces), duration, and slack of the limits."""

    c: np.ndarray
    y: np.ndarray
    duration: float
    slack: float


class Program:
    """Programs on one grid.

    Parameters
    ----------
    basis : SpeedBasis
        Splines of x.
    k, d : ndarray (points,)
        Intervals of the points at which limits are imposed, and distances from their starts.
    forces : int
        Number of internal forces.
    """

    def __init__(self, basis: SpeedBasis, k: np.ndarray, d: np.ndarray, forces: int) -> None:
        self.basis, self.k, self.d, self.forces = basis, k, d, forces
        self.n = len(basis.grid) - 1
        self.clarabel, self.sparse = import_solver()
        ends = np.minimum(np.arange(self.n + 1), self.n - 1)
        self._ends = ends, basis.weights(ends, basis.grid - basis.grid[ends])[0]
        middle = np.arange(self.n)
        self._middle = middle, basis.weights(middle, 0.5 * np.diff(basis.grid))[0]

    def solve(
        self,
        rows: Sequence[Rows],
        points: Sequence[np.ndarray],
        margins: np.ndarray,
        c0: np.ndarray,
        slack: tuple[bool, bool],
        trust: tuple[float, float],
    ) -> Solution | None:
        """Return the solution, or None if the program is infeasible.

        Parameters
        ----------
        rows : sequence of two Rows
            Limits of values, and of rates over sqrt(x).
        points : sequence of two ndarray of int
            The points of each.
        margins : ndarray (2, n)
            Amounts by which the limits are tightened in each interval.
        c0 : ndarray
            Coefficients at whose x the tangents are taken.
        slack : tuple of two bool
            Whether limits of values and of rates may be exceeded at a high cost.
        trust : tuple of two float
            Smallest and largest factor by which x may change.

        Returns
        -------
        Solution or None
            The solution.
        """
        n, sparse, step = self.n, self.sparse, np.diff(self.basis.grid)
        unit = float(np.mean(c0))
        blocks, bounds = self._bounds(c0 / unit, trust)
        for m, is_rate in enumerate((False, True)):
            limited = _tighten(rows[m], margins[m][self.k[points[m]], None])
            for A, b in self._inequalities(
                rows[m], points[m], limited, c0, unit, is_rate, slack[m]
            ):
                blocks.append(A)
                bounds.append(b)
        A = sparse.vstack(blocks, format="csr")
        cones, offsets = self._cones()
        time = float(np.sum(step / np.sqrt(self._at(self._ends, c0 / unit)[1:])))
        objective = np.zeros(self.width)
        objective[-n - 1 : -1] = 2.0 * step
        objective[-1] = _PENALTY * time
        kinds = [self.clarabel.NonnegativeConeT(A.shape[0])]
        kinds += [self.clarabel.SecondOrderConeT(3)] * (2 * n + 1)
        settings = self.clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        solution = self.clarabel.DefaultSolver(
            self._quadratic(time),
            objective,
            sparse.vstack([A, cones], format="csc"),
            np.concatenate((*bounds, offsets)),
            kinds,
            settings,
        ).solve()
        if str(solution.status) not in ("Solved", "AlmostSolved"):
            return None
        z = np.array(solution.x)
        c, y = unit * z[: self.basis.size], z[self.basis.size :][: (n + 1) * self.forces]
        duration = float(np.sum(durations(step, self.basis.polynomials(c))))
        return Solution(c, y.reshape(n + 1, self.forces), duration, float(z[-1]))

    @property
    def width(self) -> int:
        """Number of variables."""
        return self.basis.size + (self.n + 1) * self.forces + 2 * self.n + 2

    def _at(self, place: tuple[np.ndarray, np.ndarray], c: np.ndarray) -> np.ndarray:
        """Return x at points with given intervals and weights."""
        return np.einsum("pb,pb->p", place[1], c[self.basis.columns[place[0]]])

    def _matrix(self, entries: np.ndarray, columns: np.ndarray) -> Any:
        """Return the sparse matrix of rows with entries in columns (rows, entries) each."""
        count, per_row = entries.shape
        starts = per_row * np.arange(count + 1)
        parts = (entries.ravel(), columns.ravel(), starts)
        return self.sparse.csr_matrix(parts, (count, self.width))

    def _bounds(
        self, c0: np.ndarray, trust: tuple[float, float]
    ) -> tuple[list[Any], list[np.ndarray]]:
        """Return bounds of x at ends and in the middle of intervals, and of the slack."""
        blocks, bounds = [], []
        for k, weights in (self._ends, self._middle):
            x0 = self._at((k, weights), c0)
            A = self._matrix(weights, self.basis.columns[k])
            blocks += [A, -A]
            bounds += [trust[1] * x0, -trust[0] * x0]
        entry = np.array([[1.0]])
        blocks.append(self._matrix(-entry, np.array([[self.width - 1]])))
        bounds.append(np.zeros(1))
        return blocks, bounds

    def _inequalities(
        self,
        rows: Rows,
        points: np.ndarray,
        limited: tuple[np.ndarray, np.ndarray],
        c0: np.ndarray,
        unit: float,
        is_rate: bool,
        slack: bool,
    ) -> list[tuple[Any, np.ndarray]]:
        """Return A and b of the rows A z <= b of limits at points, in units of x."""
        k, d = self.k[points], self.d[points]
        weights = self.basis.weights(k, d)
        order, count = len(rows.of), len(rows.names)
        x_part = unit * np.einsum("opr,opb->prb", np.stack(rows.of), weights[:order])
        parts = [x_part, *self._force_parts(rows, k, d)]
        columns = [self.basis.columns[k]]
        for shift in range(2 if rows.forces else 0):
            first = self.basis.size + self.forces * (k + shift)
            columns.append(first[:, None] + np.arange(self.forces))
        columns.append(np.full((len(k), 1), self.width - 1))
        entries = np.concatenate([*parts, np.zeros((len(k), count, 1))], axis=2)
        entries[..., -1] = -1.0 if slack else 0.0
        places = np.broadcast_to(np.concatenate(columns, axis=1)[:, None], entries.shape)
        c, tangent, factor = rows.c, np.zeros_like(x_part), np.ones(len(k))
        if is_rate:
            root, basis = unit**0.5, weights[0][:, None]
            y0 = self._at((k, weights[0]), c0 / unit)
            entries[..., :-1] *= root
            c, factor = root * c, 1.5 / np.sqrt(y0)
            tangent = np.broadcast_to(
                basis * (0.5 / (np.sqrt(y0) * y0))[:, None, None], x_part.shape
            )
        out = []
        for sign, limit in zip((1.0, -1.0), limited, strict=True):
            finite = np.isfinite(limit[0])
            if not finite.any():
                continue
            signed = np.concatenate((sign * entries[..., :-1], entries[..., -1:]), axis=2)[
                :, finite
            ]
            signed[..., : x_part.shape[2]] += limit[:, finite, None] * tangent[:, finite]
            b = limit[:, finite] * factor[:, None] - sign * c[:, finite]
            width = signed.shape[2]
            out.append(
                (
                    self._matrix(signed.reshape(-1, width), places[:, finite].reshape(-1, width)),
                    b.ravel(),
                )
            )
        return out

    def _force_parts(self, rows: Rows, k: np.ndarray, d: np.ndarray) -> list[np.ndarray]:
        """Return factors (points, rows, forces) of the forces at the ends of the intervals."""
        if not rows.forces:
            return []
        step = np.diff(self.basis.grid)[k]
        hats = ((1.0 - d / step, -1.0 / step), (d / step, 1.0 / step))
        return [
            sum(D * h[:, None, None] for D, h in zip(rows.forces, hat, strict=False))  # type: ignore
            for hat in hats
        ]

    def _quadratic(self, time: float) -> Any:
        """Return the matrix of squared jumps and forces."""
        sparse, n, degree = self.sparse, self.n, self.basis.degree
        step, k = np.diff(self.basis.grid), np.arange(n)
        top = self.basis.powers[:, -1] * (step**degree * n)[:, None]
        jumps = sparse.diags([-1.0, 1.0], [0, 1], (n - 1, n)) @ sparse.csr_matrix(
            (top.ravel(), self.basis.columns.ravel(), (degree + 1) * np.arange(n + 1)),
            (n, self.basis.size),
        )
        smooth = _SMOOTHING * time * jumps.T @ jumps
        forces = _SMALL_FORCES * time / n * sparse.identity((len(k) + 1) * self.forces)
        others = sparse.csc_matrix((2 * n + 2, 2 * n + 2))
        return sparse.triu(sparse.block_diag([smooth, forces, others]), format="csc")

    def _cones(self) -> tuple[Any, np.ndarray]:
        """Return A and b, with b - A z in second-order cones of size 3.

        They are x + 1 >= |(x - 1, 2 root)| at the points, and y + slowness >= |(y - slowness, 2)|
        between them, where y is the sum of two roots: root^2 <= x and slowness y >= 1.
        """
        n = self.n
        k, i, root, slow = (
            np.arange(n + 1),
            np.arange(n),
            self.width - 2 * n - 2,
            self.width - n - 1,
        )
        r = 3 * (n + 1 + i)
        ends, weights = self._ends
        columns = self.basis.columns[ends]
        shape = columns.shape
        entries = [
            (np.broadcast_to(3 * k[:, None] + j, shape).ravel(), columns.ravel(), -weights.ravel())
            for j in (0, 1)
        ]
        entries.append((3 * k + 2, root + k, np.full(n + 1, -2.0)))
        minus, plus = np.full(n, -1.0), np.ones(n)
        for shift in (0, 1):
            entries += [(r + j, root + i + shift, minus) for j in (0, 1)]
        entries += [(r, slow + i, minus), (r + 1, slow + i, plus)]
        rows, places, data = (np.concatenate([e[m] for e in entries]) for m in range(3))
        b = np.concatenate((np.tile((1.0, -1.0, 0.0), n + 1), np.tile((0.0, 0.0, 2.0), n)))
        return self.sparse.csr_matrix((data, (rows, places)), (len(b), self.width)), b


def _tighten(rows: Rows, margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return upper and negative lower limits (points, rows), less margins (points, 1)."""
    return rows.upper - margins, -rows.lower - margins


def import_solver() -> tuple[Any, Any]:
    """Return Clarabel and scipy.sparse; the ImportError says how to install them."""
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise ImportError(
            "limits of rates, motors and contacts need SciPy and Clarabel; install them: pip"
            ' install "jounce[planning]"'
        ) from None
    return clarabel, sparse
