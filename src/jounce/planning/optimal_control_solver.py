"""Multiple shooting for batches of optimal control problems of one structure.

All knots of several problems are expanded by one call of a kernel. The Riccati recursion solves the
linear-quadratic problem of each (`riccati.py`). A line search on cost + penalty * |defects|_1
selects the step, along rollouts of the nonlinear dynamics with the feedback of the recursion. Hard
constraints use an augmented Lagrangian: multipliers change whenever the problem with the present
ones is solved.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from jounce.planning.optimal_control_slots import Layout, Slots, Work
from jounce.utils import limit_threads, track

#: Step lengths that are tried after a full step, together in the lanes of a vector.
_FRACTIONS = 0.5 ** np.arange(1, 9)

#: Smallest and largest damping of controls and states, its factor, and its value at restarts.
_MIN_LEVENBERG, _MAX_LEVENBERG, _LEVENBERG_FACTOR = 1e-9, 1e9, 4.0

#: Predicted decrease relative to 1 + cost below which exact Hessians are used.
_GENTLE_STEP = 0.05

#: Step length from which on damping decreases; it grows after shorter steps.
_LONG_STEP = 0.75

#: Required part of the predicted decrease of the merit, and the decrease relative to the merit if
#: none is predicted.
_SUFFICIENT_DECREASE, _CLEAR_DECREASE = 0.1, 1e-3

#: Part of the decrease of the merit that is left to the cost when the penalty is chosen.
_PENALTY_SHARE = 0.5

#: Step length below which any decrease is accepted if none is predicted.
_TINY_STEP = 0.01

#: Largest defect that counts as closed, and the smallest penalty of others.
_CLOSED, _MIN_DEFECT_PENALTY = 1e-9, 1e-3

#: Largest penalty of constraints, and the factor by which it grows.
_MAX_PENALTY, _PENALTY_FACTOR = 1e9, 10.0

#: Decrease of violations below which the penalty of constraints grows.
_VIOLATION_DECREASE = 0.25


class Options(NamedTuple):
    """Options of a solver, see `OptimalControlProblem.solve`."""

    max_iterations: int
    tolerance: float
    constraint_tolerance: float


class _Step(NamedTuple):
    """Feedback, predictions, costates, merits and defects of all slots."""

    policy: np.ndarray
    linear: np.ndarray
    quadratic: np.ndarray
    costates: np.ndarray
    merit: np.ndarray
    penalty: np.ndarray
    total: np.ndarray


class Solver(Slots):
    """Solves problems of one structure, one thread's share of a batch.

    Parameters
    ----------
    layout : Layout
        Kinds of knots.
    work : Work
        Problems and results; solved in place.
    options : Options
        Tolerances.
    """

    def __init__(self, layout: Layout, work: Work, options: Options) -> None:
        super().__init__(layout, work)
        self.options = options

    def run(self, pending: Iterator[int], done: Callable[[], None]) -> None:
        """Solve problems until none is left.

        Parameters
        ----------
        pending : iterator of int
            Problems, shared by all threads.
        done : callable
            Called for each problem that is finished.
        """
        while True:
            new = self.load(pending)
            if not self.slots:
                return
            if new:
                self.expand(new)
            finished = self._iterate()
            for slot in sorted(finished, reverse=True):
                self._store(slot)
                done()
            if finished:
                self.keep([k for k in range(len(self.slots)) if k not in finished])

    # -------------------------------------------------------------- iteration

    def _iterate(self) -> list[int]:
        """Take one step in all slots; return those that are finished."""
        count = len(self.slots)
        cost, total, largest = self.sum_merits(self.data)
        policy = np.zeros((count, *self.riccati.policy.shape))
        linear, quadratic, penalty = np.zeros((3, count))
        costates = self.extra["costate"].copy() if self.exact else self.extra["costate"]
        step = _Step(policy, linear, quadratic, costates, cost.copy(), penalty, total)
        finished, moving, refreshed = [], [], []
        for k, slot in enumerate(self.slots):
            slot.history.append((float(cost[k]), float(largest[k]), slot.levenberg))
            outcome = self._find_direction(k, float(cost[k]), float(largest[k]))
            if outcome == "converged" and self._update_multipliers(k):
                refreshed.append(k)
                continue
            if isinstance(outcome, str):
                self.work.reason[slot.problem] = outcome
                finished.append(k)
                continue
            linear[k], quadratic[k] = outcome
            wanted = linear[k] + max(quadratic[k], 0.0)
            if largest[k] > _CLOSED:
                penalty[k] = max(_MIN_DEFECT_PENALTY, wanted / (_PENALTY_SHARE * total[k]))
            step.merit[k] += penalty[k] * total[k]
            policy[k] = self.riccati.policy
            if self.exact:
                costates[k] = self.riccati.multipliers
            moving.append(k)
        if moving:
            self._search(moving, step)
        for k in finished:
            self.work.cost[self.slots[k].problem] = cost[k]
            self.work.defect[self.slots[k].problem] = largest[k]
        if refreshed:
            self.expand(refreshed)
        return finished

    def _limits(self, u: np.ndarray, k: int) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return the limits of the change of controls u of a slot."""
        if self.work.limits is None:
            return None, None
        low, high = (x[self.slots[k].problem] for x in self.work.limits)
        return np.ascontiguousarray(low - u), np.ascontiguousarray(high - u)

    def _find_direction(self, k: int, cost: float, defect: float) -> str | tuple[float, float]:
        """Solve the linear-quadratic problem of a slot; return the change of the cost, or why not.

        The change has a linear and a quadratic part.
        """
        slot, options = self.slots[k], self.options
        if not (np.isfinite(cost) and np.isfinite(defect)):
            return f"not finite at knot {self._first_invalid(k)}"
        low, high = self._limits(self.u[k], k)
        while True:
            failure = self.riccati.solve_backward(self.addresses[k], low, high, slot.levenberg)
            if failure < 0:
                break
            if self.exact and self.extra["curvature"][k, 0] > 0.0:
                self.extra["curvature"][k] = 0.0
                self.expand([k])
                continue
            slot.levenberg = max(slot.levenberg * _LEVENBERG_FACTOR, _MIN_LEVENBERG)
            if slot.levenberg > _MAX_LEVENBERG:
                return f"regularization limit at knot {failure}"
        linear, quadratic = self.riccati.predicted.tolist()
        if self.exact or defect > _CLOSED:
            change = self.riccati.roll_out(self.addresses[k], low, high)
            linear, quadratic = change if defect > _CLOSED else (linear, quadratic)
        expected = abs(linear + quadratic)
        damped = slot.levenberg > 1e-3 * _MAX_LEVENBERG
        if defect <= options.tolerance and expected <= options.tolerance * (1.0 + abs(cost)):
            return "regularization limit" if damped else "converged"
        if slot.iteration >= options.max_iterations:
            return "iteration limit"
        if slot.levenberg > _MAX_LEVENBERG:
            return "regularization limit"
        slot.iteration += 1
        return linear, quadratic

    def _first_invalid(self, k: int) -> int:
        """Return the first knot whose expansion is not finite."""
        for x, knots in zip(self.data, self.layout.knots, strict=True):
            valid = np.isfinite(x[k]).all(axis=-1)
            if not valid.all():
                return knots.start + int(np.argmin(valid))
        return 0

    def _search(self, moving: list[int], step: _Step) -> None:
        """Select step lengths, and move to the new iterates and their expansions."""
        fractions = np.zeros(len(self.slots))
        states = {name: x.copy() for name, x in self.states.items()}
        u = self.u.copy()

        def accept(chosen: list[int], tried: np.ndarray) -> np.ndarray:
            """Try steps; take the first acceptable one of each slot, and return which are."""
            rows, cost = self.roll_out(chosen, tried, step.policy)
            accepted = self._is_accepted(cost, step, tried, chosen)
            for trial in np.flatnonzero(accepted)[::-1]:
                k = chosen[trial]
                fractions[k] = tried[trial]
                moved, controls = self.split_rows(rows[trial])
                u[k] = controls
                for name in self.names:
                    states[name][k] = moved[name]
            return accepted

        accepted = accept(moving, np.ones(len(moving)))
        rejected = np.array(moving)[~accepted]
        if len(rejected):
            tried = np.tile(_FRACTIONS, len(rejected))
            accept(np.repeat(rejected, len(_FRACTIONS)).tolist(), tried)
        for k in moving:
            slot = self.slots[k]
            if fractions[k] >= _LONG_STEP:
                slot.levenberg /= _LEVENBERG_FACTOR
                slot.levenberg *= slot.levenberg >= _MIN_LEVENBERG
            else:
                slot.levenberg = max(_LEVENBERG_FACTOR * slot.levenberg, _MIN_LEVENBERG)
        moved = fractions > 0.0
        if self.exact:
            predicted = np.abs(step.linear + step.quadratic)
            gentle = predicted <= _GENTLE_STEP * (1.0 + np.abs(step.merit))
            self.extra["curvature"][moved, 0] = gentle[moved]
            self.extra["costate"][moved] = step.costates[moved]
        self.states, self.u = states, u
        self.evaluate("expansion", states, u, self.parameters, self.extra, out=self.trial)
        self.swap()

    def _is_accepted(
        self, cost: np.ndarray, step: _Step, fraction: np.ndarray, chosen: list[int]
    ) -> np.ndarray:
        """Return whether the merit of trials decreases enough."""
        merit, total = step.merit[chosen], step.penalty[chosen] * step.total[chosen]
        decrease = merit - cost - (1.0 - fraction) * total
        expected = fraction * (step.linear[chosen] - total) + fraction**2 * step.quadratic[chosen]
        clear = np.where(fraction > _TINY_STEP, _CLEAR_DECREASE * np.abs(merit), 0.0)
        needed = np.where(expected < 0.0, -_SUFFICIENT_DECREASE * expected, clear)
        return decrease >= needed - 1e-12 * (1.0 + np.abs(merit))

    # -------------------------------------------------------------- constraints and results

    def _update_multipliers(self, k: int) -> bool:
        """Update multipliers and penalties of constraints; return False if these are satisfied."""
        violation, slot = self._violation(k), self.slots[k]
        if violation <= self.options.constraint_tolerance:
            return False
        slack = violation > _VIOLATION_DECREASE * slot.violation
        for j, stage in enumerate(self.layout.stages):
            if not sum(stage.counts[2:]):
                continue
            offsets, root = self.extra[f"offsets_{j}"], self.extra[f"root_penalty_{j}"]
            if slack and root[k, 0] ** 2 >= _MAX_PENALTY:
                return False
            offsets[k] = self._shifted(j, k)
            if slack:
                root[k] *= _PENALTY_FACTOR**0.5
                offsets[k] /= _PENALTY_FACTOR
        slot.violation = violation
        return slot.iteration < self.options.max_iterations

    def _shifted(self, j: int, k: int) -> np.ndarray:
        """Return constraints of a slot in a stage plus offsets, 0 for inactive inequalities."""
        stage = self.layout.stages[j]
        x = self.data[j][k][:, stage.constraints] + self.extra[f"offsets_{j}"][k]
        count = stage.counts[2]
        x[:, :count] = np.maximum(x[:, :count], 0.0)
        return x

    def _violation(self, k: int) -> float:
        """Return the largest violation of a constraint of a slot."""
        largest = 0.0
        for stage, x in zip(self.layout.stages, self.data, strict=True):
            inequalities, _equalities = stage.counts[2:]
            values = x[k][:, stage.constraints]
            parts = values[:, :inequalities], np.abs(values[:, inequalities:])
            largest = max(largest, *(float(y.max(initial=0.0)) for y in parts))
        return largest

    def _store(self, k: int) -> None:
        """Write the result of a slot."""
        slot, work = self.slots[k], self.work
        problem = slot.problem
        for name in self.names:
            work.states[name][problem] = self.states[name][k]
        work.u[problem] = self.u[k]
        for j, stage in enumerate(self.layout.stages):
            if sum(stage.counts[2:]):
                root = self.extra[f"root_penalty_{j}"][k]
                work.cost[problem] -= 0.5 * ((root[:, None] * self._shifted(j, k)) ** 2).sum()
        work.violation[problem] = self._violation(k)
        work.iterations[problem] = slot.iteration
        work.history[problem] = slot.history
        if work.reason[problem] == "converged":
            if work.violation[problem] > self.options.constraint_tolerance:
                limited = slot.iteration >= self.options.max_iterations
                work.reason[problem] = "iteration limit" if limited else "infeasible constraint"
            low, high = self._limits(self.u[k], k)
            self.riccati.solve_backward(self.addresses[k], low, high, slot.levenberg)
            m, n = self.riccati.u.shape[1], self.riccati.x.shape[1]
            work.gains[problem] = self.riccati.policy[:, :, m : m + n]


def solve_batch(
    layout: Layout, work: Work, options: Options, threads: int, title: str, quiet: bool
) -> None:
    """Solve all problems, each on one of several threads.

    Parameters
    ----------
    layout : Layout
        Kinds of knots.
    work : Work
        Problems and results; solved in place.
    options : Options
        Tolerances.
    threads : int
        Largest number of threads.
    title : str
        Title of the progress bar.
    quiet : bool
        Show no progress in logs.
    """
    count = len(work.u)
    pending, finished = _Shared(iter(range(count))), threading.Semaphore(0)

    def run() -> None:
        with limit_threads(1), np.errstate(all="ignore"):
            Solver(layout, work, options).run(pending, finished.release)

    if count == 1:
        run()
        return
    workers = min(threads, count)
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(run) for _ in range(workers)]
        _wait(futures, finished, count, title, quiet)


class _Shared:
    """Iterator that threads share."""

    def __init__(self, items: Iterator[int]) -> None:
        self._items, self._lock = items, threading.Lock()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._items)


def _wait(
    futures: Sequence[Any], finished: threading.Semaphore, count: int, title: str, quiet: bool
) -> None:
    """Show progress until all problems are finished, and raise errors of threads."""
    for _ in track(range(count), title, quiet=quiet):
        while not finished.acquire(timeout=0.05):
            for future in futures:
                if future.done():
                    future.result()
    for future in futures:
        future.result()
