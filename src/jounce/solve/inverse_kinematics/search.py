"""Batched multi-start search: damped least-squares descents of all samples at once.

The kernel (`formulas.reaching`) takes one step of every sample. Descents that have ended leave the
batch. Samples without a solution restart from the next of a list of random configurations, or from
several of them at a time where few samples would leave a device idle; the first attempt that leads
to a solution is kept. The list is the same for all samples, so the result of one sample does not
depend on the rest of the batch. The code works with the arrays of any library (`array_libraries`).
A single sample on the CPU takes a separate path: one kernel call costs less than one NumPy
operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import le
from typing import Any, Self, cast

import numpy as np

from jounce.solve.inverse_kinematics.array_libraries import HOST, Arrays

#: A descent has stalled if its cost is not reduced by this ratio within this many steps.
_STALL_PERIOD, _STALL_RATIO = 10, 0.5

#: Ended descents leave the batch when they are at least this share of it.
_COMPACTION_RATIO = 0.125

#: Damping of the first step, relative to the squared error.
_INITIAL_DAMPING = 1.0

#: Factor by which each step reduces the weight of the posture.
_POSTURE_DECAY = 0.3

#: Kernel: (q, damping, numbers of goals, posture terms) to (q, damping, cost, errors).
Step = Callable[..., tuple[Any, Any, Any, Any]]


@dataclass(frozen=True)
class SearchSettings:
    """Settings of a search: its kernel, restart configurations and iteration limits."""

    step: Step
    #: Returns the start configurations (restarts, nq) of attempts after the first, lazily.
    starts: Callable[[], Any]
    #: Maximum number of steps from one start.
    iterations: int
    #: Maximum number of restarts.
    restarts: int
    #: The array library.
    arrays: Arrays


class Rows:
    """Base of dataclasses whose fields are arrays with one row per sample."""

    @property
    def all(self) -> tuple[Any, ...]:
        """The arrays of all fields, in order."""
        names: tuple[str, ...] = cast(Any, self).__match_args__  # the fields of a dataclass
        return tuple(getattr(self, name) for name in names)

    def take_rows(self, arrays: Arrays, index: Any) -> Self:
        """Return the rows at an index of all arrays."""
        return type(self)(*arrays.do(_take_rows, (), self.all, index))

    def set_rows(self, arrays: Arrays, index: Any, values: tuple[Any, ...]) -> Self:
        """Return a copy with the rows at an index replaced; may update in place."""
        return type(self)(*arrays.set_rows(self.all, index, values))


def _take_rows(xp: Any, arrays: tuple[Any, ...], index: Any) -> tuple[Any, ...]:
    return tuple(_take_rows(xp, x, index) if isinstance(x, tuple) else x[index] for x in arrays)


@dataclass(frozen=True)
class SearchResult(Rows):
    """Best attempt of each sample so far: configuration, cost, errors of the goals, and effort."""

    q: Any
    cost: Any
    errors: Any
    solved: Any
    iterations: Any
    restarts: Any


@dataclass(frozen=True)
class Samples(Rows):
    """Inputs of a search over n samples."""

    #: Start configurations (n, nq).
    start: Any
    #: Packed weights and numbers (n, ...) of the goals.
    numbers: Any
    #: Tolerance of each goal (n, goals).
    tolerance: Any
    #: Posture (n, nq), or (n, 0) without one.
    posture: Any
    #: Squared weights of the posture (n, nv), or (n, 0) without one.
    posture_weight: Any
    #: Which samples have valid targets (n,); the others keep their start.
    sound: Any

    def part(self, part: slice) -> Samples:
        """Return consecutive samples."""
        return Samples(*(x[part] for x in self.all))


@dataclass(frozen=True)
class _DescentResult(Rows):
    """Results of ended descents: configuration, cost, errors, success and number of steps."""

    q: Any
    cost: Any
    errors: Any
    solved: Any
    steps: Any


@dataclass
class _ActiveBatch(Rows):
    """State of the descents in the current batch."""

    #: Rows of the descents among all samples.
    place: Any
    q: Any
    damping: Any
    numbers: Any
    tolerance: Any
    posture: Any
    posture_weight: Any
    #: Cost at the last check for stalls.
    before: Any
    steps: Any
    #: Descents that have not ended.
    going: Any
    #: Descents whose result is not recorded yet.
    waiting: Any
    #: Arrays of `_DescentResult`.
    ended: tuple[Any, ...]


def concatenate_results(arrays: Arrays, parts: Sequence[SearchResult]) -> SearchResult:
    """Concatenate the results of consecutive chunks of samples."""
    columns = [[getattr(x, f.name) for x in parts] for f in fields(SearchResult)]
    return SearchResult(*map(arrays.xp.concatenate, columns))


def search(settings: SearchSettings, samples: Samples) -> SearchResult:
    """Search for a solution of each sample."""
    arrays, n = settings.arrays, len(samples.start)
    if n == 1 and arrays is HOST and samples.sound[0]:
        start, numbers, tolerance, posture, posture_weight = (x[0] for x in samples.all[:-1])
        posture_terms = (posture, posture_weight) if len(posture_weight) else ()
        single = search_single(settings, start, numbers, tolerance.tolist(), posture_terms)
        return SearchResult(*(np.asarray(x)[None] for x in single))
    best = SearchResult(
        arrays.copy(samples.start),
        arrays.full((n,), np.nan),
        arrays.full(tuple(samples.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
        arrays.full((n,), 0),
    )
    attempt = 0
    while n and attempt <= settings.restarts:
        index, count = arrays.find_true(samples.sound & ~best.solved)
        if not count:
            break
        fitting = max(arrays.lanes // len(index), 1)  # attempts at a time that cost as much as one
        width = min(settings.restarts + 1 - attempt, fitting, max(arrays.growth * attempt, 1))
        best = _run_attempts(settings, samples, best, index, (attempt, width))
        attempt += width
    return best


def search_single(
    settings: SearchSettings,
    start: Any,
    numbers: Any,
    tolerance: Sequence[float],
    posture_terms: tuple[Any, ...],
) -> tuple[Any, Any, Any, bool, int, int]:
    """Search for one sample with NumPy arrays, one attempt after the other.

    The arguments are rows of `Samples`; posture_terms is empty or the posture and its weights. The
    result is a row of `SearchResult`.
    """
    goals = numbers, tolerance, posture_terms
    q, cost, errors, solved, steps = _descend_single(settings, start, *goals)
    restarts, starts = 0, () if solved or not settings.restarts else settings.starts()
    while not solved and restarts < settings.restarts:
        end = _descend_single(settings, starts[restarts], *goals)
        restarts, steps = restarts + 1, steps + end[-1]
        if end[3] or not cost <= end[1]:
            q, cost, errors, solved, _ = end
    return q, cost, errors, solved, steps, restarts


def _descend_single(
    settings: SearchSettings,
    q: Any,
    numbers: Any,
    tolerance: Sequence[float],
    posture_terms: tuple[Any, ...],
) -> tuple[Any, Any, Any, bool, int]:
    """Descend from q and return a row of `_DescentResult`; ends as in `_check_convergence`."""
    damping, before, k = _INITIAL_DAMPING, np.inf, 0
    while True:
        pulled = (posture_terms[0], posture_terms[1] * _POSTURE_DECAY**k) if posture_terms else ()
        q, damping, cost, errors = settings.step(q, damping, numbers, *pulled)
        k += 1
        solved = all(map(le, errors.tolist(), tolerance))
        stuck = k % _STALL_PERIOD == 0 and not cost <= _STALL_RATIO * before
        if solved or stuck or k == settings.iterations:
            return q, cost, errors, solved, k
        if k % _STALL_PERIOD == 0:
            before = cost


def _run_attempts(
    settings: SearchSettings,
    samples: Samples,
    best: SearchResult,
    index: Any,
    attempts: tuple[int, int],
) -> SearchResult:
    """Return the best results after further attempts (number of the first, count).

    index: rows of the samples, some of which still need attempts.
    """
    arrays, (first, width) = settings.arrays, attempts
    subset, previous = samples.take_rows(arrays, index), best.take_rows(arrays, index)
    lanes = arrays.arange(len(index) * width)
    starts = settings.starts() if first else subset.start
    needed, start, inputs = arrays.do(
        _lay_out_attempts, attempts, lanes, starts, previous.solved, subset.all
    )
    ended = _run_descents(settings, Samples(*inputs), start, needed)
    return best.set_rows(
        arrays, index, arrays.do(_choose_best, attempts, lanes, needed, ended.all, previous.all)
    )


def _lay_out_attempts(
    xp: Any, first: int, width: int, lanes: Any, starts: Any, solved: Any, samples: tuple[Any, ...]
) -> tuple[Any, Any, tuple[Any, ...]]:
    """Return which attempts are needed (n width,), their starts and their inputs."""
    sound = samples[-1]
    needed = sound & ~solved
    if first == 0:
        return needed, starts, samples
    if width == 1:
        return needed, starts[first - 1 + 0 * lanes], samples
    sample, attempt = lanes // width, lanes % width
    return needed[sample], starts[first - 1 + attempt], _take_rows(xp, samples, sample)


def _choose_best(
    xp: Any,
    first: int,
    width: int,
    lanes: Any,
    needed: Any,
    ended: tuple[Any, ...],
    previous: tuple[Any, ...],
) -> tuple[Any, ...]:
    """Merge previous results and new attempts into the fields of `SearchResult`."""
    n = len(lanes) // width
    previous_best, descents = SearchResult(*previous), _DescentResult(*ended)
    attempt, solved, cost, steps = (
        x.reshape((n, width))
        for x in (lanes % width, descents.solved, descents.cost, descents.steps)
    )
    first_solved = xp.amin(xp.where(solved, attempt, width), axis=1)  # width if none
    lowest_cost = xp.argmin(xp.where(xp.isnan(cost), np.inf, cost), axis=1)
    candidate = _DescentResult(
        *_take_rows(
            xp, ended, lanes[:n] * width + xp.where(first_solved < width, first_solved, lowest_cost)
        )
    )
    steps_used = xp.sum(xp.where(attempt <= first_solved[:, None], steps, 0), axis=1)
    attempts_used = (
        xp.where(first_solved < width, first_solved + 1, width) if first else 0 * first_solved
    )
    needed = needed.reshape((n, width))[:, 0]
    better = needed & (
        candidate.solved | ~(previous_best.cost <= candidate.cost)
    )  # earlier attempts win ties
    return (
        xp.where(better[:, None], candidate.q, previous_best.q),
        xp.where(better, candidate.cost, previous_best.cost),
        xp.where(better[:, None], candidate.errors, previous_best.errors),
        previous_best.solved | (needed & candidate.solved),
        previous_best.iterations + xp.where(needed, steps_used, 0),
        previous_best.restarts + xp.where(needed, attempts_used, 0),
    )


# ------------------------------------------------------------------ descents


def _run_descents(
    settings: SearchSettings, samples: Samples, start: Any, going: Any
) -> _DescentResult:
    """Run descents from starts (n, nq); going (n,): which of them are needed."""
    arrays, n = settings.arrays, len(start)
    initial = (
        start,
        arrays.full((n,), np.nan),
        arrays.full(tuple(samples.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
    )
    results = _DescentResult(*map(arrays.copy, initial))
    batch = _ActiveBatch(
        arrays.arange(n),
        start,
        arrays.full((n,), _INITIAL_DAMPING),
        *(samples.numbers, samples.tolerance, samples.posture, samples.posture_weight),
        before=arrays.full((n,), np.inf),
        steps=initial[-1],
        going=going,
        waiting=going,
        ended=initial,
    )
    for k in range(1, settings.iterations + 1):
        state, new = _advance(settings, batch, k)
        if new is None or (arrays.period == 1 and not arrays.any(new)):
            continue
        batch.waiting = batch.going
        batch.ended = arrays.do(_record_ended, (), new, state, batch.ended)
        index, count = arrays.find_true(batch.going)
        if len(batch.place) - len(index) >= _COMPACTION_RATIO * len(batch.place) or not count:
            results = results.set_rows(arrays, batch.place, batch.ended)
            if not count:
                break
            batch = batch.take_rows(arrays, index)
    return results


def _advance(settings: SearchSettings, batch: _ActiveBatch, k: int) -> tuple[tuple[Any, ...], Any]:
    """Take step k; return the fields of `_DescentResult` and which descents ended since the check.

    The mask is None at steps without a check.
    """
    arrays, posture_terms = settings.arrays, ()
    if batch.posture_weight.shape[1]:
        posture_terms = batch.posture, batch.posture_weight * _POSTURE_DECAY ** (k - 1)
    batch.q, damping, cost, errors = settings.step(
        batch.q, batch.damping, batch.numbers, *posture_terms
    )
    last = k == settings.iterations
    options = k % _STALL_PERIOD == 0, last, last or k % arrays.period == 0
    progress = batch.tolerance, batch.before, batch.steps, batch.going, batch.waiting
    state = arrays.do(_check_convergence, options, damping, cost, errors, *progress)
    batch.damping, batch.before, batch.steps, batch.going, solved, new = state
    return (batch.q, cost, errors, solved, batch.steps), new


def _check_convergence(
    xp: Any,
    check_stall: bool,
    last: bool,
    check_ended: bool,
    damping: Any,
    cost: Any,
    errors: Any,
    tolerance: Any,
    before: Any,
    steps: Any,
    going: Any,
    waiting: Any,
) -> tuple[Any, ...]:
    """Return the new state of `_ActiveBatch`, the solved descents and the newly ended ones."""
    solved = (errors <= tolerance).all(axis=1)
    finished, steps = solved, steps + going
    if check_stall:
        finished, before = solved | ~(cost <= _STALL_RATIO * before), cost
    if last:
        finished = finished | True
    going = going & ~finished
    if check_ended:
        return damping, before, steps, going, solved, waiting & ~going
    return (
        xp.where(solved, np.inf, damping),
        before,
        steps,
        going,
        solved,
        None,
    )  # infinite damping holds solved samples


def _record_ended(
    xp: Any, new: Any, state: tuple[Any, ...], ended: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return the recorded results, with those of newly ended descents."""
    new_column = new[:, None]
    return tuple(
        xp.where(new_column if len(x.shape) > 1 else new, x, y)
        for x, y in zip(state, ended, strict=True)
    )
