"""The search: descents by steps of one kernel, for all samples at once, and starts anew.

The kernel (`formulas.reaching`) takes a step of every sample in a lane of its own. Descents that
are done leave the batch. Samples without a solution then begin anew, from the next of a list of
random configurations, or from several of them at a time where few samples would leave a device
idle; of these the first that leads to a solution counts. The list is the same for all samples, so
that what is found for one does not depend on which others are in the batch. All of this is written
for the arrays of any library (`array_libraries`). A single sample on the processor is searched for
without the batch around it: a call of the kernel takes less than one of NumPy's operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import le
from typing import Any, Self, cast

import numpy as np

from jounce.solve.inverse_kinematics.array_libraries import HOST, Arrays

#: A search is stuck if this many steps leave more than a share of the squares of what is missed.
_PATIENCE, _SHARE = 10, 0.5

#: Samples that are done leave the batch when they are this share of it.
_CROWD = 0.125

#: Damping of the first step, relative to the squares of what is missed.
_DAMPING = 1.0

#: What a step leaves of the pull towards a posture.
_FADING = 0.3

#: (q, damping, numbers of the goals, and of the posture) to (q, damping, cost, errors).
Step = Callable[..., tuple[Any, Any, Any, Any]]


@dataclass(frozen=True)
class Search:
    """How to search.

    step: the kernel, within limits. starts: gives the configurations (restarts, nq) of attempts
    after the first, when they are needed. iterations: most steps from a start; restarts: most of
    these. arrays: what all arrays are.
    """

    step: Step
    starts: Callable[[], Any]
    iterations: int
    restarts: int
    arrays: Arrays


class Rows:
    """Arrays with a row for each of the same samples; a dataclass of them."""

    @property
    def all(self) -> tuple[Any, ...]:
        """All of them, in order."""
        names: tuple[str, ...] = cast(Any, self).__match_args__  # of the fields of a dataclass
        return tuple(getattr(self, name) for name in names)

    def rows(self, arrays: Arrays, index: Any) -> Self:
        """Some rows of all arrays."""
        return type(self)(*arrays.do(_taken, (), self.all, index))

    def put(self, arrays: Arrays, index: Any, values: tuple[Any, ...]) -> Self:
        """The same with other rows in some places; its own memory may be used."""
        return type(self)(*arrays.put(self.all, index, values))


def _taken(xp: Any, arrays: tuple[Any, ...], index: Any) -> tuple[Any, ...]:
    return tuple(_taken(xp, x, index) if isinstance(x, tuple) else x[index] for x in arrays)


@dataclass(frozen=True)
class Found(Rows):
    """The best of each sample so far: configurations, costs, what goals miss, and the effort."""

    q: Any
    cost: Any
    errors: Any
    solved: Any
    iterations: Any
    restarts: Any


@dataclass(frozen=True)
class Samples(Rows):
    """What to search for, and from where: n samples.

    start (n, nq). numbers (n, ...) and tolerance (n, goals) of the goals. rest (n, nq), pull
    (n, nv): a posture and the squares of its weights, or both (n, 0). sound (n,): which samples
    make sense; the others keep their start.
    """

    start: Any
    numbers: Any
    tolerance: Any
    rest: Any
    pull: Any
    sound: Any

    def part(self, part: slice) -> Samples:
        """Some that follow each other."""
        return Samples(*(x[part] for x in self.all))


@dataclass(frozen=True)
class _Ended(Rows):
    """Where descents ended, if they have: configurations, costs, misses, and how many steps."""

    q: Any
    cost: Any
    errors: Any
    solved: Any
    steps: Any


@dataclass
class _Batch(Rows):
    """Descents at work: their places among all, how they stand, and how they ended.

    before: the cost when it was last looked whether they get on. going: those that have not ended;
    waiting: those of which it is not written down how they ended; ended: arrays of `_Ended`.
    """

    place: Any
    q: Any
    damping: Any
    numbers: Any
    tolerance: Any
    rest: Any
    pull: Any
    before: Any
    steps: Any
    going: Any
    waiting: Any
    ended: tuple[Any, ...]


def joined(arrays: Arrays, parts: Sequence[Found]) -> Found:
    """What was found for some samples, and for others after them."""
    columns = [[getattr(x, f.name) for x in parts] for f in fields(Found)]
    return Found(*map(arrays.xp.concatenate, columns))


def search(how: Search, given: Samples) -> Found:
    """What is found for each sample."""
    arrays, n = how.arrays, len(given.start)
    if n == 1 and arrays is HOST and given.sound[0]:
        start, numbers, tolerance, rest, pull = (x[0] for x in given.all[:-1])
        drawn = (rest, pull) if len(pull) else ()
        single = search_single(how, start, numbers, tolerance.tolist(), drawn)
        return Found(*(np.asarray(x)[None] for x in single))
    found = Found(
        arrays.copy(given.start),
        arrays.full((n,), np.nan),
        arrays.full(tuple(given.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
        arrays.full((n,), 0),
    )
    attempt = 0
    while n and attempt <= how.restarts:
        index, count = arrays.picked(given.sound & ~found.solved)
        if not count:
            break
        fitting = max(arrays.lanes // len(index), 1)  # attempts at a time that cost like one
        width = min(how.restarts + 1 - attempt, fitting, max(arrays.growth * attempt, 1))
        found = _attempted(how, given, found, index, (attempt, width))
        attempt += width
    return found


def search_single(
    how: Search, start: Any, numbers: Any, tolerance: Sequence[float], drawn: tuple[Any, ...]
) -> tuple[Any, Any, Any, bool, int, int]:
    """Search for one sample with NumPy's arrays, one attempt after the other.

    The arguments are rows of `Samples`, with its posture and pull in drawn if there are some; the
    result is a row of what `Found` holds.
    """
    given = numbers, tolerance, drawn
    q, cost, errors, solved, steps = _descend_single(how, start, *given)
    restarts, starts = 0, () if solved or not how.restarts else how.starts()
    while not solved and restarts < how.restarts:
        end = _descend_single(how, starts[restarts], *given)
        restarts, steps = restarts + 1, steps + end[-1]
        if end[3] or not cost <= end[1]:
            q, cost, errors, solved, _ = end
    return q, cost, errors, solved, steps, restarts


def _descend_single(
    how: Search, q: Any, numbers: Any, tolerance: Sequence[float], drawn: tuple[Any, ...]
) -> tuple[Any, Any, Any, bool, int]:
    """Descend from q; return what `_Ended` holds. Descents end as those of batches (`_judged`)."""
    damping, before, k = _DAMPING, np.inf, 0
    while True:
        pulled = (drawn[0], drawn[1] * _FADING**k) if drawn else ()
        q, damping, cost, errors = how.step(q, damping, numbers, *pulled)
        k += 1
        solved = all(map(le, errors.tolist(), tolerance))
        stuck = k % _PATIENCE == 0 and not cost <= _SHARE * before
        if solved or stuck or k == how.iterations:
            return q, cost, errors, solved, k
        if k % _PATIENCE == 0:
            before = cost


def _attempted(
    how: Search, given: Samples, found: Found, index: Any, attempts: tuple[int, int]
) -> Found:
    """What is known after further attempts: the number of the first, and how many of them.

    index: samples of which some still need them.
    """
    arrays, (first, width) = how.arrays, attempts
    some, best = given.rows(arrays, index), found.rows(arrays, index)
    lanes = arrays.arange(len(index) * width)
    starts = how.starts() if first else some.start
    needed, start, spread = arrays.do(_laid_out, attempts, lanes, starts, best.solved, some.all)
    ended = _descended(how, Samples(*spread), start, needed)
    return found.put(
        arrays, index, arrays.do(_chosen, attempts, lanes, needed, ended.all, best.all)
    )


def _laid_out(
    xp: Any, first: int, width: int, lanes: Any, starts: Any, solved: Any, some: tuple[Any, ...]
) -> tuple[Any, Any, tuple[Any, ...]]:
    """Which attempts are needed (n width,), where they start, and what they search for."""
    sound = some[-1]
    needed = sound & ~solved
    if first == 0:
        return needed, starts, some
    if width == 1:
        return needed, starts[first - 1 + 0 * lanes], some
    sample, attempt = lanes // width, lanes % width
    return needed[sample], starts[first - 1 + attempt], _taken(xp, some, sample)


def _chosen(
    xp: Any,
    first: int,
    width: int,
    lanes: Any,
    needed: Any,
    ended: tuple[Any, ...],
    found: tuple[Any, ...],
) -> tuple[Any, ...]:
    """The best of each sample so far: `Found` of what was found before, and of attempts since."""
    n = len(lanes) // width
    best, whole = Found(*found), _Ended(*ended)
    each, solved, cost, steps = (
        x.reshape((n, width)) for x in (lanes % width, whole.solved, whole.cost, whole.steps)
    )
    by = xp.amin(xp.where(solved, each, width), axis=1)  # the attempt that leads to a solution
    least = xp.argmin(xp.where(xp.isnan(cost), np.inf, cost), axis=1)
    chosen = _Ended(*_taken(xp, ended, lanes[:n] * width + xp.where(by < width, by, least)))
    spent = xp.sum(xp.where(each <= by[:, None], steps, 0), axis=1)
    tried = xp.where(by < width, by + 1, width) if first else 0 * by
    needed = needed.reshape((n, width))[:, 0]
    better = needed & (chosen.solved | ~(best.cost <= chosen.cost))  # the first is the best
    return (
        xp.where(better[:, None], chosen.q, best.q),
        xp.where(better, chosen.cost, best.cost),
        xp.where(better[:, None], chosen.errors, best.errors),
        best.solved | (needed & chosen.solved),
        best.iterations + xp.where(needed, spent, 0),
        best.restarts + xp.where(needed, tried, 0),
    )


# ------------------------------------------------------------------ descents


def _descended(how: Search, given: Samples, start: Any, going: Any) -> _Ended:
    """Where descents from starts (n, nq) end; going (n,): which of them are of interest."""
    arrays, n = how.arrays, len(start)
    none = (
        start,
        arrays.full((n,), np.nan),
        arrays.full(tuple(given.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
    )
    whole = _Ended(*map(arrays.copy, none))
    batch = _Batch(
        arrays.arange(n),
        start,
        arrays.full((n,), _DAMPING),
        *(given.numbers, given.tolerance, given.rest, given.pull),
        before=arrays.full((n,), np.inf),
        steps=none[-1],
        going=going,
        waiting=going,
        ended=none,
    )
    for k in range(1, how.iterations + 1):
        now, new = _advance(how, batch, k)
        if new is None or (arrays.period == 1 and not arrays.any(new)):
            continue
        batch.waiting = batch.going
        batch.ended = arrays.do(_noted, (), new, now, batch.ended)
        index, count = arrays.picked(batch.going)
        if len(batch.place) - len(index) >= _CROWD * len(batch.place) or not count:
            whole = whole.put(arrays, batch.place, batch.ended)
            if not count:
                break
            batch = batch.rows(arrays, index)
    return whole


def _advance(how: Search, batch: _Batch, k: int) -> tuple[tuple[Any, ...], Any]:
    """Step k of all; returns how they stand, as `_Ended`, and which ended since the last look.

    None if nobody looks.
    """
    arrays, drawn = how.arrays, ()
    if batch.pull.shape[1]:
        drawn = batch.rest, batch.pull * _FADING ** (k - 1)
    batch.q, damping, cost, errors = how.step(batch.q, batch.damping, batch.numbers, *drawn)
    last = k == how.iterations
    options = k % _PATIENCE == 0, last, last or k % arrays.period == 0
    known = batch.tolerance, batch.before, batch.steps, batch.going, batch.waiting
    found = arrays.do(_judged, options, damping, cost, errors, *known)
    batch.damping, batch.before, batch.steps, batch.going, solved, new = found
    return (batch.q, cost, errors, solved, batch.steps), new


def _judged(
    xp: Any,
    patient: bool,
    last: bool,
    looked: bool,
    damping: Any,
    cost: Any,
    errors: Any,
    tolerance: Any,
    before: Any,
    steps: Any,
    going: Any,
    waiting: Any,
) -> tuple[Any, ...]:
    """How descents stand after a step: as `_Batch`, which are at a solution, and which are new."""
    solved = (errors <= tolerance).all(axis=1)
    over, steps = solved, steps + going
    if patient:
        over, before = solved | ~(cost <= _SHARE * before), cost
    if last:
        over = over | True
    going = going & ~over
    if looked:
        return damping, before, steps, going, solved, waiting & ~going
    return xp.where(solved, np.inf, damping), before, steps, going, solved, None  # they stay there


def _noted(xp: Any, new: Any, now: tuple[Any, ...], ended: tuple[Any, ...]) -> tuple[Any, ...]:
    """How descents ended, with those that did by now."""
    wide = new[:, None]
    return tuple(
        xp.where(wide if len(x.shape) > 1 else new, x, y) for x, y in zip(now, ended, strict=True)
    )
