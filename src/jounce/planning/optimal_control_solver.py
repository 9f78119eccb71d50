"""Multiple shooting for batches of optimal control problems of one structure.

All knots of several problems are expanded by one call of a kernel. The Riccati recursion solves the
linear-quadratic problem of each (`riccati.py`), and a line search on cost + penalty * |defects|_1
selects the length of the step. Hard constraints use an augmented Lagrangian: multipliers change
whenever the problem with the present ones is solved.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from jounce.planning.optimal_control_slots import Arrays, Layout, Slots, Work
from jounce.utils import limit_threads, track

#: Step lengths that are tried after a full step.
_FRACTIONS = 0.5 ** np.arange(1, 10)

#: Smallest and largest numbers on the diagonal of the Hessian in the control, and their factor.
_MIN_LEVENBERG, _MAX_LEVENBERG, _LEVENBERG_FACTOR = 1e-9, 1e10, 10.0

#: Predicted decrease relative to 1 + merit below which exact Hessians are used.
_GENTLE_STEP = 0.1

#: Step length below which damping grows, and its value then at least.
_SHORT_STEP, _RESTART_LEVENBERG = 0.1, 1e-6

#: Required decrease of the merit, relative to its slope.
_SUFFICIENT_DECREASE = 1e-4

#: Part of the decrease of the merit that is left to the cost when the penalty is chosen.
_PENALTY_SHARE = 0.5

#: Factor by which the penalty of defects may decrease in a step.
_PENALTY_DECAY = 0.3

#: Smallest penalty of defects relative to the mean of the costates.
_PENALTY_FLOOR = 0.1


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
    """Directions of all slots: changes, slopes of the merit, costates, merits and penalties."""

    dx: np.ndarray
    du: np.ndarray
    slopes: np.ndarray
    costates: np.ndarray
    merit: np.ndarray
    penalty: np.ndarray


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
        step = _Step(
            np.zeros((count, *self.riccati.x.shape)),
            np.zeros_like(self.u),
            np.zeros(count),
            self.extra["costate"].copy() if self.exact else self.extra["costate"],
            np.zeros(count),
            np.zeros(count),
        )
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
            linear, quadratic = outcome
            wanted = linear + max(quadratic, 0.0)
            needed = wanted / (_PENALTY_SHARE * total[k]) if total[k] > 0.0 else 0.0
            bound = _PENALTY_FLOOR * float(np.abs(self.riccati.multipliers).mean())
            slot.penalty = max(_PENALTY_DECAY * slot.penalty, needed, bound)
            step.penalty[k] = slot.penalty
            step.merit[k] = cost[k] + slot.penalty * total[k]
            step.slopes[k] = linear - slot.penalty * total[k]
            step.dx[k], step.du[k] = self.riccati.x, self.riccati.u
            if self.exact:
                step.costates[k] = self.riccati.multipliers
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
            slot.levenberg = max(slot.levenberg * _LEVENBERG_FACTOR, _MIN_LEVENBERG)
            if slot.levenberg > _MAX_LEVENBERG:
                return f"regularization limit at knot {failure}"
        linear, quadratic = self.riccati.roll_out(self.addresses[k], low, high)
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
        before = dict(self.extra)
        if self.exact:
            gentle = np.abs(step.slopes) <= _GENTLE_STEP * (1.0 + np.abs(step.merit))
            self.extra["curvature"] = np.where(gentle, 1.0, 0.0)[:, None]
            self.extra["costate"] = step.costates
        states, u = self.move(self.states, self.u, step.dx, step.du)
        self.evaluate("expansion", states, u, self.parameters, self.extra, out=self.trial)
        accepted = self._is_accepted(self.trial, step, 1.0)
        rejected = [k for k in moving if not accepted[k]]
        if rejected:
            rejected = self._correct(rejected, step, states, u)
        for k in moving:
            if k not in rejected:
                slot = self.slots[k]
                slot.levenberg /= _LEVENBERG_FACTOR
                slot.levenberg *= slot.levenberg >= _MIN_LEVENBERG
        still = [k for k in range(len(self.slots)) if k not in moving]
        if rejected:
            fractions = self._find_fractions(rejected, step)
            still += [k for k, x in zip(rejected, fractions, strict=True) if x == 0.0]
            short = [k for k, x in zip(rejected, fractions, strict=True) if x > 0.0]
            if short:
                part = fractions[fractions > 0.0][:, None, None]
                if self.exact:
                    self.extra["curvature"][short] = 0.0
                iterates = {name: x[short] for name, x in self.states.items()}
                change = part * step.dx[short], part * step.du[short]
                self._try(short, self.move(iterates, self.u[short], *change), states, u)
        if still:
            for name in self.names:
                states[name][still] = self.states[name][still]
            u[still] = self.u[still]
            for name in ("curvature", "costate"):
                self.extra[name][still] = before[name][still]
            for trial, now in zip(self.trial, self.data, strict=True):
                trial[still] = now[still]
        self.states, self.u = states, u
        self.swap()

    def _is_accepted(
        self, values: list[np.ndarray], step: _Step, fraction: Any, chosen: Any = ...
    ) -> np.ndarray:
        """Return whether the merit of some slots decreases enough."""
        cost, total, _ = self.sum_merits(values)
        slack = 1e-12 * (1.0 + np.abs(step.merit[chosen]))
        bound = step.merit[chosen] + slack + _SUFFICIENT_DECREASE * fraction * step.slopes[chosen]
        return cost + step.penalty[chosen] * total <= bound

    def _try(
        self, chosen: list[int], point: tuple[Arrays, np.ndarray], states: Arrays, u: np.ndarray
    ) -> list[np.ndarray]:
        """Expand some slots at other points of the trial; return the expansions."""
        moved, controls = point
        parts = self.evaluate("expansion", moved, controls, *self.select(chosen))
        for buffer, x in zip(self.trial, parts, strict=True):
            buffer[chosen] = x
        for name in self.names:
            states[name][chosen] = moved[name]
        u[chosen] = controls
        return parts

    def _correct(
        self, rejected: list[int], step: _Step, states: Arrays, u: np.ndarray
    ) -> list[int]:
        """Close the defects after full steps to first order; return slots that stay rejected.

        This second-order correction accepts steps that the curvature of the dynamics would shorten.
        """
        dx, du = np.zeros_like(step.dx[rejected]), np.zeros_like(step.du[rejected])
        for row, k in enumerate(rejected):
            low, high = self._limits(self.u[k], k)
            levenberg = self.slots[k].levenberg
            self.riccati.solve_backward(self.addresses[k], low, high, levenberg)
            low, high = self._limits(u[k], k)
            self.riccati.roll_out(self.trial_addresses[k], low, high, 0.0)
            dx[row], du[row] = self.riccati.x, self.riccati.u
        iterates = {name: x[rejected] for name, x in states.items()}
        parts = self._try(rejected, self.move(iterates, u[rejected], dx, du), states, u)
        accepted = self._is_accepted(parts, step, 1.0, rejected)
        return [k for k, x in zip(rejected, accepted, strict=True) if not x]

    def _find_fractions(self, rejected: list[int], step: _Step) -> np.ndarray:
        """Return the longest acceptable step of slots, 0 if there is none, and adapt damping."""
        scale = _FRACTIONS[:, None, None, None]
        iterates = {
            name: np.broadcast_to(x[rejected], (len(scale), *x[rejected].shape))
            for name, x in self.states.items()
        }
        change = scale * step.dx[rejected], scale * step.du[rejected]
        states, u = self.move(iterates, self.u[rejected], *change)
        values = self.evaluate("value", states, u, *self.select(rejected))
        accepted = self._is_accepted(values, step, _FRACTIONS[:, None], rejected)
        fractions = np.where(accepted.any(axis=0), _FRACTIONS[accepted.argmax(axis=0)], 0.0)
        for k, fraction in zip(rejected, fractions, strict=True):
            slot = self.slots[k]
            if fraction < _SHORT_STEP:
                slot.levenberg = max(_LEVENBERG_FACTOR * slot.levenberg, _RESTART_LEVENBERG)
        return fractions

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
