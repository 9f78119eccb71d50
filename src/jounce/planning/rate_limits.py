"""Fastest motion along a path under limits of jerks and torque rates: convex programs in sequence.

The path is passed by sigma in [0, 1], such that the robot rests at both ends at any speed of sigma
(`SmoothEnds`), and the problem is regular. Unknown is the spline x(sigma) = (d sigma / dt)^2.
Torques are linear in x and x'. Rates r sqrt(x) of torques are within a limit R if the linear
function r is at most R / sqrt(x). That is convex in x, so the tangent at the last solution is a
lower bound: each solution is feasible, and none is slower than the one before. The duration is
convex, by second-order cones. Contacts add internal forces as unknowns. Torques of motors behind
springs are quadratic in x and its derivatives, and are linearized at the last solution, in trust
regions. Limits are imposed at the ends of the intervals first, and on a ten times finer grid where
they are exceeded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.planning.convex_program import Program, Solution
from jounce.planning.limits import Limits, fastest_speeds, rate_rows, value_rows
from jounce.planning.path_points import PathPoints, SmoothEnds
from jounce.planning.reachability import NoProfileError
from jounce.planning.retimed_path import RetimedPath
from jounce.planning.rows import Rows, join_rows
from jounce.planning.squared_speed import SpeedBasis, durations

#: Relative change of the duration at which the sequence ends, and how many programs it may have.
_TOLERANCE, _MAX_PROGRAMS = 1e-4, 60

#: Excess over limits that is accepted, relative to them, and how often points are added where it is
#: larger.
_ACCEPTED, _MAX_ROUNDS = 4e-4, 8

#: Points in each interval at which limits are imposed and at which they are checked, and distance
#: of the first from its start.
_REFINE, _CHECKED, _END = 10, 61, 1e-9

#: Factor by which x may change in a program, and where torques are quadratic in x, initially; else
#: x may fall further, by the third factor.
_TRUST, _CURVED_TRUST, _FLOOR = 100.0, 4.0, 1e-6

#: Largest slack, relative to limits, of a solution.
_MAX_SLACK = 1e-3

#: Speeds at which programs with contacts are started.
_MAX_STARTS = 5

#: Distance of torques at rest from their limits, over these, that motion at constant speed needs.
_MARGIN = 1e-6


class _Problem:
    """The limits on the fine grid of a path, scaled to the limits themselves."""

    def __init__(self, limits: Limits, path: SmoothEnds, grid: np.ndarray) -> None:
        self.limits, self.path = limits, path
        self.basis = SpeedBasis(grid, max(limits.order, 2))
        intervals = len(grid) - 1
        fractions = np.linspace(_END, 1.0 - _END, _REFINE)
        self.k = np.repeat(np.arange(intervals), _REFINE)
        self.d = np.tile(fractions, intervals) * np.diff(grid)[self.k]
        self.sigma = grid[self.k] + self.d
        self.points = path(self.sigma, max(3, limits.order + 1))
        self.weights = self.basis.weights(self.k, self.d)
        self.linear = tuple(x.divide_by_limits() for x in self._linear_rows())
        #: Points at which values and rates are limited.
        self.active = np.zeros((2, intervals, _REFINE), dtype=bool)
        self.active[0, :, 0] = self.active[1, :, 0] = self.active[1, :, -1] = True
        self.active[:, [0, -1]] = True  # there the path changes most
        #: Amounts by which values and rates over their limits are tightened in intervals.
        self.margins = np.zeros((2, intervals))

    def _linear_rows(self) -> tuple[Rows, Rows]:
        """Return rows of values, with velocities first, and of rates over sqrt(x)."""
        values, rates = value_rows(self.limits, self.points), rate_rows(self.limits, self.points)
        if self.limits.velocity is not None:
            share = 1.0 / fastest_speeds(self.limits, self.points.q)[:, None]
            top = Rows(("velocity",), 0.0 * share, (share,), np.array([-np.inf]), np.ones(1))
            values = join_rows((top, values), len(share))
        return values, rates

    def rows(self, c: np.ndarray, which: np.ndarray | slice = slice(None)) -> tuple[Rows, Rows]:
        """Return rows of values and rates at points of the fine grid; motors linearized at c."""
        chosen = np.arange(len(self.k))[which]
        values, rates = (x.take(chosen) for x in self.linear)
        if not self.limits.motors:
            return values, rates
        points = PathPoints(
            [x[chosen] for x in self.points.q], [x[chosen] for x in self.points.wrenches]
        )
        parts = ([values], [rates])
        terms = self.limits.motors.linearize(points, [x[chosen] for x in self.speeds(c)])
        for part, kind, y in zip(parts, ("motor_torque", "motor_torque_rate"), terms, strict=False):
            limit = getattr(self.limits, kind)
            if limit is not None:
                name = kind.replace("_", " ")
                names = tuple(f"{name} of '{x}'" for x in self.limits.robot.labels("v"))
                part.append(
                    Rows(names, y[0], y[1:], *limit).with_finite_limits().divide_by_limits()
                )
        return tuple(join_rows(part, len(chosen)) for part in parts)  # pyright: ignore

    def speeds(self, c: np.ndarray) -> list[np.ndarray]:
        """Return x and its derivatives at the points of the fine grid."""
        return list(np.einsum("opb,pb->op", self.weights, c[self.basis.columns[self.k]]))

    def ratios(self, c: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, Any]:
        """Return values and rates over their limits on the fine grid (points, rows), and rows."""
        values, rates = rows = self.rows(c)
        x = self.speeds(c)
        share = (self.d / np.diff(self.basis.grid)[self.k])[:, None]
        step = np.diff(self.basis.grid)[self.k][:, None]
        forces = (
            y[self.k] * (1.0 - share) + y[self.k + 1] * share,
            np.diff(y, axis=0)[self.k] / step,
        )
        root = np.sqrt(np.maximum(x[0], 0.0))[:, None]
        return (
            _ratio(values.values(x, forces), values),
            _ratio(rates.values(x, forces) * root, rates),
            rows,
        )

    def excess(self, c: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the largest excess of values and rates in each interval (2, intervals).

        From the motion itself, on a finer grid.
        """
        motion = self.motion(c, y)
        inner = np.linspace(_END, 1.0 - _END, _CHECKED)
        t = motion.times[:-1, None] + np.diff(motion.times)[:, None] * inner
        out = np.zeros((2, len(t)))
        for kind, share in motion.shares(t).items():
            family = int(kind == "jerk" or kind.endswith("rate"))
            out[family] = np.maximum(out[family], share.max(axis=(1, 2), initial=0.0) - 1.0)
        return out

    def motion(self, c: np.ndarray, y: np.ndarray) -> RetimedPath:
        """Return the motion of a solution."""
        powers, forces = self.basis.polynomials(c), y if self.limits.stance else None
        return RetimedPath(self.limits, self.path, self.basis.grid, powers, forces)

    def tighten(self, c: np.ndarray, y: np.ndarray) -> float:
        """Tighten limits in intervals in which they are exceeded; return the excess."""
        excess = self.excess(c, y)
        exceeded = excess > _ACCEPTED
        self.margins += np.where(exceeded, 1.1 * excess, 0.0)
        self.active |= exceeded[..., None]
        return float(excess.max())

    def activate(self, c: np.ndarray, y: np.ndarray) -> float:
        """Limit all points of intervals in which limits are exceeded; return the excess."""
        worst = 0.0
        for active, ratio in zip(self.active, self.ratios(c, y), strict=False):
            by_point = ratio.max(axis=1, initial=0.0).reshape(active.shape)
            worst = max(worst, float(by_point.max()) - 1.0)
            active[by_point.max(axis=1) > 1.0 + _ACCEPTED] = True
        return worst

    def explain_rest(self) -> NoProfileError:
        """Return an error about the point at which limits of values at rest are exceeded most."""
        from scipy.optimize import linprog

        values = self.rows(np.full(self.basis.size, 1e-9))[0]
        worst: tuple[float, int, tuple[str, ...]] = (-np.inf, 0, ())
        for p in range(0, len(self.k), _REFINE):
            rows = values.take(np.array([p]))
            D = rows.forces[0][0] if rows.forces else np.zeros((len(rows.names), 0))
            system = (np.vstack((D, -D)), np.append(rows.upper - rows.c[0], rows.c[0] - rows.lower))
            finite = np.isfinite(system[1])
            A = np.column_stack((system[0], -np.ones(len(system[1]))))[finite]
            cost = np.append(np.zeros(D.shape[1]), 1.0)
            solution = linprog(cost, A, system[1][finite], bounds=(None, None))
            if solution.success and solution.fun > worst[0]:
                names = np.array(2 * rows.names)[finite]
                order = np.argsort(solution.ineqlin.marginals)[:2]
                involved = names[order[solution.ineqlin.marginals[order] < -1e-6]]
                worst = float(solution.fun), p, tuple(dict.fromkeys(involved.tolist()))
        s = float(self.path.parameter(self.sigma[[worst[1]]])[0][0])
        return NoProfileError(s, (*worst[2], "gravity"))

    def constant_speed(self) -> float | None:
        """Return the largest constant x within all limits that do not depend on contact forces.

        None if there is none, because torques at rest exceed their limits.
        """

        def is_feasible(x: float) -> bool:
            c = np.full(self.basis.size, x)
            values, rates = self.rows(c)
            speeds = [np.full(len(self.k), y) for y in (x, *self.basis.degree * (0.0,))]
            free = [np.ones(len(r.names), bool) for r in (values, rates)]
            for keep, rows in zip(free, (values, rates), strict=True):
                for part in rows.forces:
                    keep &= ~part.any(axis=(0, 2))
            ratios = (
                _ratio(values.values(speeds), values)[:, free[0]],
                _ratio(rates.values(speeds) * x**0.5, rates)[:, free[1]],
            )
            return all(float(r.max(initial=0.0)) <= 1.0 - _MARGIN for r in ratios)

        x = 1.0
        while not is_feasible(x):
            x /= 4.0
            if x < 1e-20:
                return None
        while x < 1e12 and is_feasible(4.0 * x):
            x *= 4.0
        return x


def _ratio(y: np.ndarray, rows: Rows) -> np.ndarray:
    """Return values over limits; where these have the other sign or are 0, 1 plus the excess."""
    out = np.zeros_like(y)
    for x, limit in ((y, rows.upper), (-y, -rows.lower)):
        ratio = np.where(limit > 0.0, x / np.where(limit > 0.0, limit, 1.0), 1.0 + x - limit)
        out = np.maximum(out, np.where(np.isfinite(limit), ratio, 0.0))
    return out


def find_smooth_motion(
    limits: Limits, path: SmoothEnds, grid: np.ndarray, duration: float | None
) -> RetimedPath:
    """Return the fastest motion under all limits, from rest to rest.

    Parameters
    ----------
    limits : Limits
        The limits.
    path : SmoothEnds
        The path.
    grid : ndarray (n + 1,)
        Grid of sigma from 0 to 1.
    duration : float, optional
        A lower bound of the duration in s, for a start where torques at rest exceed their limits.

    Returns
    -------
    RetimedPath
        The motion.

    Raises
    ------
    NoProfileError
        If there is none.
    """
    problem = _Problem(limits, path, grid)
    start = problem.constant_speed()
    slack = bool(limits.motors), start is None or bool(limits.motors)
    if start is None:
        start = 1.0 / duration**2 if duration else 1.0
    size = 0 if limits.stance is None else limits.stance.contacts.nc
    y, first = np.zeros((len(grid), size)), None
    for _ in range(_MAX_STARTS if size else 1):
        solution = Solution(np.full(problem.basis.size, start), y, np.inf, 0.0)
        first = _solve_sequence(problem, solution, slack)
        if first.duration < np.inf:
            break
        start /= 1e3  # contact forces may demand a slower motion
    if first is None or first.duration == np.inf or first.slack > _MAX_SLACK:
        raise problem.explain_rest()
    solution, worst = first, np.inf
    for _ in range(_MAX_ROUNDS):
        if problem.activate(solution.c, solution.y) <= _ACCEPTED:
            worst = problem.tighten(solution.c, solution.y)
            if worst <= _ACCEPTED:
                break
        solution = _solve_sequence(problem, solution, slack)
    c, y = solution.c, solution.y
    if worst > _ACCEPTED:
        c = _slow_down(problem, c, y)
    return problem.motion(c, y)


def _slow_down(problem: _Problem, c: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the fastest multiple of a profile within the limits."""
    low, high = 0.0, 1.0
    if problem.excess(c, y).max() > _ACCEPTED:
        while high - low > 1e-4:
            middle = 0.5 * (low + high)
            fits = problem.excess(middle * c, y).max() <= _ACCEPTED
            low, high = (middle, high) if fits else (low, middle)
        if low == 0.0:
            _raise_infeasible(problem, c, y)
        c = low * c
    return c


def _raise_infeasible(problem: _Problem, c: np.ndarray, y: np.ndarray) -> None:
    """Raise an error about the limit that is exceeded most."""
    ratios = problem.ratios(c, y)
    worst = max(ratios[:2], key=lambda r: float(r.max(initial=0.0)))
    point, row = np.unravel_index(int(np.argmax(worst)), worst.shape)
    rows = ratios[2][0 if worst is ratios[0] else 1]
    s = problem.path.parameter(problem.sigma[[point]])[0][0]
    raise NoProfileError(float(s), (rows.names[row], "the limits around it"))


def _solve_sequence(problem: _Problem, start: Solution, slack: tuple[bool, bool]) -> Solution:
    """Return the solution to which programs with tangents at the last solution converge."""
    program = Program(problem.basis, problem.k, problem.d, start.y.shape[1])
    solution, chosen = start, [np.flatnonzero(x) for x in problem.active]
    points = np.union1d(*chosen)
    places = [np.searchsorted(points, x) for x in chosen]
    curved = bool(problem.limits.motors)
    trust, merit = _CURVED_TRUST if curved else _TRUST, np.inf
    floor = 1.0 if curved else _FLOOR
    for _ in range(_MAX_PROGRAMS):
        rows = tuple(
            x.take(p) for x, p in zip(problem.rows(solution.c, points), places, strict=True)
        )
        candidate = program.solve(
            rows, chosen, problem.margins, solution.c, slack, (floor / trust, trust)
        )
        if candidate is None:
            break
        if curved:
            candidate, trust = _search(problem, solution, candidate, trust)
        before = solution.duration
        if candidate is solution:
            break
        solution = candidate
        converged = solution.duration > before * (1.0 - _TOLERANCE)
        if converged and abs(solution.slack - merit) < 1e-5:
            break
        merit = solution.slack
    return solution


def _search(
    problem: _Problem, old: Solution, new: Solution, trust: float
) -> tuple[Solution, float]:
    """Return the solution on the way from old to new that is better, and the next trust region."""
    step = np.diff(problem.basis.grid)

    def merit(c: np.ndarray) -> tuple[float, float]:
        if (problem.speeds(c)[0] <= 0.0).any():
            return np.inf, np.inf
        duration = float(np.sum(durations(step, problem.basis.polynomials(c))))
        excess = max(
            float((r.max(axis=1, initial=0.0) - 1.0 + m[problem.k])[on.ravel()].max())
            for r, on, m in zip(
                problem.ratios(c, old.y), problem.active, problem.margins, strict=False
            )
        )
        return duration * (1.0 + _PENALTY * max(excess, 0.0)), duration

    before, share = merit(old.c)[0], 1.0
    while share > 1e-3:
        c = old.c + share * (new.c - old.c)
        value, duration = merit(c)
        if value < before * (1.0 - 1e-7):
            trust = min(2.0 * trust, 16.0) if share == 1.0 else max(trust**0.5, 1.2)
            return Solution(c, new.y, duration, new.slack), trust
        share *= 0.5
    return old, trust


#: Weight of the excess over limits in the search.
_PENALTY = 10.0
