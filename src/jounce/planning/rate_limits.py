"""Fastest motion along a path under limits of jerks and torque rates: convex programs in sequence.

The path is passed by sigma in [0, 1], s = s_0 + (s_1 - s_0) p(sigma), with a polynomial p whose
first two derivatives vanish at both ends: the robot rests there at any speed of sigma, so that the
problem is regular. Unknowns are x = (d sigma / dt)^2 and u = x' / 2 at the points, and w = u'
between them. Torques are linear in them. Rates r sqrt(x) of torques are within a limit R if the
linear function r is at most R / sqrt(x). That is convex in x, so the tangent at the last solution
is a lower bound: each solution is feasible, and none is slower than the one before. The duration is
convex, by second-order cones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.planning.limits import (
    Limits,
    Path,
    Rows,
    fastest_speeds,
    rate_rows,
    value_rows,
)
from jounce.planning.reachability import NoProfileError
from jounce.planning.retimed_path import compose

#: Relative change of the duration at which the sequence ends, and how many programs it may have.
_TOLERANCE, _MAX_PROGRAMS = 1e-4, 60

#: Weight of squared second differences of u, without which it may alternate from point to point.
_SMOOTHING = 1e-8

#: Excess over limits between points that is accepted, relative to them, and how often limits are
#: tightened where it is larger.
_ACCEPTED, _MAX_ROUNDS = 5e-4, 10

#: Points in each interval at which limits are checked, and distance of the first from its start.
_REFINE, _END = 10, 1e-9


class SmoothEnds:
    """A path that is passed from rest to rest, as a function of sigma in [0, 1].

    Parameters
    ----------
    path : Path
        The path.
    start, end : float
        First and last parameter of the path.
    """

    def __init__(self, path: Path, start: float, end: float) -> None:
        self._path, self.start, self.length = path, start, end - start

    def parameter(self, sigma: np.ndarray) -> list[np.ndarray]:
        """Return s and its derivatives with respect to sigma up to the fourth."""
        p = np.polynomial.Polynomial((0.0, 0.0, 0.0, 10.0, -15.0, 6.0))
        return [self.start + self.length * np.clip(p(sigma), 0.0, 1.0)] + [
            self.length * p.deriv(k)(sigma) for k in range(1, 5)
        ]

    def __call__(self, sigma: np.ndarray, order: int) -> list[np.ndarray]:
        """Return q and its derivatives with respect to sigma."""
        s = self.parameter(sigma)
        return compose(self._path(s[0], order), s[1 : order + 1])


class _Problem:
    """The limits at the points of a path, scaled to the limits themselves."""

    def __init__(self, limits: Limits, path: SmoothEnds, sigma: np.ndarray) -> None:
        self.limits, self.path, self.sigma = limits, path, sigma
        self.values, _, self.largest = self.evaluate(sigma)
        #: Where rates are limited: intervals, and fractions of them. Rates may jump between
        #: intervals; within the first and the last they change most.
        every, ends = np.arange(len(sigma) - 1), np.array((0, len(sigma) - 2))
        fractions = (_END, 1.0 - _END, 0.25, 0.5, 0.75)
        where = [(every if f in fractions[:2] else ends, f) for f in fractions]
        self.intervals = np.concatenate([k for k, _ in where])
        self.fractions = np.concatenate([np.full(len(k), f) for k, f in where])
        d = np.diff(sigma)[self.intervals] * self.fractions
        _, self.rates, _ = self.evaluate(sigma[self.intervals] + d)
        #: Factors of limits, lowered where they are exceeded between the points.
        self.value_factors = np.ones(self.values.a.shape)
        self.rate_factors = np.ones(self.rates.a.shape)

    def evaluate(self, sigma: np.ndarray) -> tuple[Rows, Rows, np.ndarray]:
        """Return rows of values and rates, over their limits, and the largest x."""
        q = self.path(sigma, 3)
        s = self.path.parameter(sigma)[0]
        values, rates = value_rows(self.limits, s, q), rate_rows(self.limits, s, q)
        return _scaled(values), _scaled(rates), fastest_speeds(self.limits, q)

    def constant_speed(self) -> float:
        """Return the largest constant x within all limits."""
        low = (self.values.c - self.values.upper) > -_MARGIN
        high = (self.values.lower - self.values.c) > -_MARGIN
        if (low | high).any():
            point, row = np.argwhere(low | high)[0]
            raise NoProfileError(int(point), (self.values.names[row], "gravity"))

        def is_feasible(x: float) -> bool:
            y, r = (rows.b * x + rows.c for rows in (self.values, self.rates))
            root = x**0.5
            return bool(
                ((y <= self.values.upper) & (y >= self.values.lower)).all()
                and ((r * root <= self.rates.upper) & (r * root >= self.rates.lower)).all()
                and (x <= self.largest).all()
            )

        x = 1.0
        while not is_feasible(x) and x > 1e-30:
            x /= 2.0
        while is_feasible(2.0 * x) and x < 1e12:
            x *= 2.0
        return x

    def excess(self, x: np.ndarray, u: np.ndarray) -> float:
        """Lower the factors where limits are exceeded between points; return the largest excess."""
        inner = np.linspace(_END, 1.0 - _END, _REFINE)
        step = np.diff(self.sigma)
        d, w = step[:, None] * inner, np.diff(u) / step
        values, rates, largest = self.evaluate((self.sigma[:-1, None] + d).ravel())
        fine_x = (x[:-1, None] + d * (2.0 * u[:-1, None] + w[:, None] * d)).ravel()
        fine_u = (u[:-1, None] + w[:, None] * d).ravel()
        fine_w = np.repeat(w, _REFINE)
        root = np.sqrt(np.maximum(fine_x, 0.0))[:, None]
        y, r = (rows.values(fine_x, fine_u, fine_w) for rows in (values, rates))
        worst, points = 0.0, np.arange(len(self.sigma))
        before, after = np.maximum(points - 1, 0), np.minimum(points, len(step) - 1)
        for ratio, factors, near in (
            (_ratio(y, values), self.value_factors, (before, after)),
            (_ratio(r * root, rates), self.rate_factors, (self.intervals,)),
            (fine_x[:, None] / largest[:, None], self.largest[:, None], (before, after)),
        ):
            if not factors.size:
                continue
            by_interval = ratio.reshape(len(step), _REFINE, -1).max(axis=1)
            worst = max(worst, float(by_interval.max()) - 1.0)
            tighter = np.max([by_interval[k] for k in near], axis=0)
            factors /= np.where(tighter > 1.0, tighter * (1.0 + 0.2 * _ACCEPTED), 1.0)
        return worst


#: Distance of torques at rest from their limits, over these, that motion needs.
_MARGIN = 1e-6


def _ratio(y: np.ndarray, rows: Rows) -> np.ndarray:
    """Return values over limits; where these have the other sign, 1 plus the excess."""
    out = np.zeros_like(y)
    for x, limit in ((y, rows.upper), (-y, -rows.lower)):
        ratio = np.where(limit > 0.0, x / np.where(limit > 0.0, limit, 1.0), 1.0 + x - limit)
        out = np.maximum(out, np.where(np.isfinite(limit), ratio, 0.0))
    return out


def _scaled(rows: Rows) -> Rows:
    """Return rows over the larger absolute value of their limits."""
    finite = [np.where(np.isfinite(x), np.abs(x), 0.0) for x in (rows.lower, rows.upper)]
    scale = np.maximum(*finite)
    scale = np.where(scale > 0.0, scale, 1.0)
    return replace(
        rows,
        **{name: getattr(rows, name) / scale for name in ("a", "b", "c", "w", "lower", "upper")},
    )


def find_smooth_profile(
    limits: Limits, path: SmoothEnds, intervals: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the fastest profile under all limits, from rest to rest.

    Parameters
    ----------
    limits : Limits
        The limits.
    path : SmoothEnds
        The path.
    intervals : int
        Number of intervals.

    Returns
    -------
    sigma, x : ndarray (intervals + 1,)
        Parameter, and its squared speed.
    u, w : ndarray (intervals,)
        Acceleration at the start of each interval, and its derivative with respect to sigma.

    Raises
    ------
    NoProfileError
        If forces at rest exceed their limits.
    """
    sigma = np.linspace(0.0, 1.0, intervals + 1)
    problem = _Problem(limits, path, sigma)
    x = np.full(intervals + 1, problem.constant_speed())
    x, u = _solve_sequence(problem, x, np.zeros_like(x))
    for _ in range(_MAX_ROUNDS):
        if problem.excess(x, u) <= _ACCEPTED:
            break
        x, u = _solve_sequence(problem, x, u)
    return sigma, x, u[:-1], np.diff(u) / np.diff(sigma)


def _solve_sequence(
    problem: _Problem, x: np.ndarray, u: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the solution to which programs with tangents at the last solution converge."""
    x, u, duration = _solve_program(problem, x, u)
    for _ in range(_MAX_PROGRAMS):
        before = duration
        x, u, duration = _solve_program(problem, x, u)
        if duration > before * (1.0 - _TOLERANCE):
            break
    return x, u


def _solve_program(
    problem: _Problem, x0: np.ndarray, u0: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return x and u of the convex program with tangents at x0 and u0, and the duration."""
    clarabel, sparse = _import_solver()
    n, step = len(x0) - 1, np.diff(problem.sigma)
    unit = float(np.mean(x0))  # x, u and w are solved for in this unit
    first, last = sparse.eye(n, n + 1, format="csr"), sparse.eye(n, n + 1, k=1, format="csr")
    # columns: x (n + 1), u (n + 1), root (n + 1), slowness (n)
    further = sparse.csr_matrix((n, 2 * n + 1))
    motion = sparse.hstack([last - first, -sparse.diags(step) @ (last + first), further])
    A, b = _inequalities(problem, np.append(x0, u0) / unit, unit, sparse)
    cones, offsets = _cones(sparse, n)
    bend = sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], (n - 1, n + 1))
    smooth = _SMOOTHING * float(np.sum(step / np.sqrt(x0[1:] / unit))) * bend.T @ bend
    zero = sparse.csr_matrix((n + 1, n + 1))
    P = sparse.block_diag([zero, smooth, zero, sparse.csr_matrix((n, n))], "csc")
    objective = np.append(np.zeros(3 * n + 3), 2.0 * step)
    kinds = [clarabel.ZeroConeT(n), clarabel.NonnegativeConeT(len(b))]
    kinds += [clarabel.SecondOrderConeT(3)] * (2 * n + 1)
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    solver = clarabel.DefaultSolver(
        sparse.triu(P, format="csc"),
        objective,
        sparse.vstack([motion, A, cones], format="csc"),
        np.concatenate((np.zeros(n), b, offsets)),
        kinds,
        settings,
    )
    solution = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        raise ArgumentError(
            f"retime: no solution was found, the solver reports '{solution.status}'; use more"
            " points, or less different limits"
        )
    z = unit * np.array(solution.x)
    x, u = z[: n + 1], z[n + 1 : 2 * n + 2]
    duration = float(np.sum(2.0 * step / (np.sqrt(x[:-1]) + np.sqrt(x[1:]))))
    return x, u, duration


def _inequalities(
    problem: _Problem, z0: np.ndarray, unit: float, sparse: Any
) -> tuple[Any, np.ndarray]:
    """Return the rows A z <= b of all limits, with the tangents of limits of rates at z0."""
    n, step = len(problem.sigma) - 1, np.diff(problem.sigma)
    blocks, bounds = [], []

    def add(rows: Any, bound: np.ndarray) -> None:
        """Add rows z <= bound where the bound is finite."""
        if np.isfinite(bound).all():
            blocks.append(rows)
            bounds.append(bound)

    zero = sparse.csr_matrix((n + 1, n + 1))
    every = sparse.identity(n + 1, format="csr")
    x, u = sparse.hstack([every, zero], "csr"), sparse.hstack([zero, every], "csr")
    values = problem.values
    for r in range(len(values.names)):
        y = unit * (sparse.diags(values.a[:, r]) @ u + sparse.diags(values.b[:, r]) @ x)
        for sign, limit in ((1.0, values.upper[r]), (-1.0, -values.lower[r])):
            add(sign * y, limit * problem.value_factors[:, r] - sign * values.c[:, r])
    add(x, np.minimum(problem.largest / unit, _LARGEST))
    add(-x, -z0[: n + 1] / _LARGEST)

    rates, k = problem.rates, problem.intervals
    d = sparse.diags(problem.fractions * step[k])
    w = sparse.diags(1.0 / step[k]) @ (u[k + 1] - u[k])
    x, u = x[k] + 2.0 * d @ u[k] + d @ d @ w, u[k] + d @ w
    y0 = x @ z0
    slope = sparse.diags(0.5 / (np.sqrt(y0) * y0))
    for r in range(len(rates.names)):
        terms = ((rates.a, u), (rates.b, x), (rates.w, w))
        y = unit**1.5 * sum(sparse.diags(m[:, r]) @ z for m, z in terms)
        for sign, limit in ((1.0, rates.upper[r]), (-1.0, -rates.lower[r])):
            bound = limit * problem.rate_factors[:, r]
            constant = sign * unit**0.5 * rates.c[:, r]
            if np.isfinite(limit):
                add(
                    sign * y + sparse.diags(bound) @ slope @ x, bound * 1.5 / np.sqrt(y0) - constant
                )
    A = sparse.vstack(blocks)
    return sparse.hstack([A, sparse.csr_matrix((A.shape[0], 2 * n + 1))]), np.concatenate(bounds)


#: Bound of squared speeds relative to the mean.
_LARGEST = 1e6


def _cones(sparse: Any, n: int) -> tuple[Any, np.ndarray]:
    """Return A and b, with b - A z in second-order cones of size 3.

    They are x + 1 >= |(x - 1, 2 root)| at the points, and y + slowness >= |(y - slowness, 2)|
    between them, where y is the sum of two roots: root^2 <= x and slowness y >= 1.
    """
    k, i = np.arange(n + 1), np.arange(n)
    root, slow, r = 2 * n + 2, 3 * n + 3, 3 * (n + 1 + np.arange(n))
    entries = [(3 * k, k, -1.0), (3 * k + 1, k, -1.0), (3 * k + 2, root + k, -2.0)]
    for shift in (0, 1):
        entries += [(r, root + i + shift, -1.0), (r + 1, root + i + shift, -1.0)]
    entries += [(r, slow + i, -1.0), (r + 1, slow + i, 1.0)]
    rows, columns = (np.concatenate([e[m] for e in entries]) for m in (0, 1))
    data = np.concatenate([np.full(len(e[0]), e[2]) for e in entries])
    b = np.concatenate((np.tile((1.0, -1.0, 0.0), n + 1), np.tile((0.0, 0.0, 2.0), n)))
    return sparse.csr_matrix((data, (rows, columns)), (len(b), 4 * n + 3)), b


def _import_solver() -> tuple[Any, Any]:
    """Return Clarabel and scipy.sparse."""
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise ImportError(
            'limits of rates need SciPy and Clarabel; install them: pip install "jounce[planning]"'
        ) from None
    return clarabel, sparse
