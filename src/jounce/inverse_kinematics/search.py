"""The search: descents by steps of one kernel, for all samples at once, and starts anew.

The kernel (`formulas.reaching`) takes a step of every sample in a lane of its own. Descents that
are done leave the batch. Samples without a solution then begin anew, from the next of a list of
random configurations, or from several of them at a time where few samples would leave a device
idle; of these the first that leads to a solution counts. The list is the same for all samples, so
that what is found for one does not depend on which others are in the batch. All of this is written
for the arrays of any library (`arrays`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, cast

import numpy as np

from jounce.inverse_kinematics.arrays import Arrays

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

    def _parts(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(cast(Any, self))}

    def rows(self, index: Any) -> Self:
        """Some rows of all arrays."""
        found = self._parts().values()
        return type(self)(*(x.rows(index) if isinstance(x, Rows) else x[index] for x in found))

    def put(self, arrays: Arrays, index: Any, values: Self) -> Self:
        """The same with other rows in some places; its own memory may be used."""
        pairs = zip(self._parts().values(), values._parts().values(), strict=True)
        return type(self)(*(arrays.put(x, index, y) for x, y in pairs))


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
    waiting: those of which it is not written down how they ended.
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
    ended: _Ended


def joined(arrays: Arrays, parts: Sequence[Found]) -> Found:
    """What was found for some samples, and for others after them."""
    columns = [[getattr(x, f.name) for x in parts] for f in fields(Found)]
    return Found(*(x[0] if len(x) == 1 else arrays.xp.concatenate(x) for x in columns))


def search(how: Search, given: Samples) -> Found:
    """What is found for each sample."""
    arrays, n = how.arrays, len(given.start)
    found = Found(
        arrays.copy(given.start),
        arrays.full((n,), np.nan),
        arrays.full(tuple(given.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
        arrays.full((n,), 0),
    )
    attempt = 0
    while attempt <= how.restarts:
        index, count = arrays.picked(given.sound & ~found.solved)
        if not count:
            break
        fitting = max(arrays.lanes // len(index), 1)  # attempts at a time that cost like one
        width = min(how.restarts + 1 - attempt, fitting, max(arrays.growth * attempt, 1))
        found = _attempted(how, given, found, index, (attempt, width))
        attempt += width
    return found


def _attempted(
    how: Search, given: Samples, found: Found, index: Any, attempts: tuple[int, int]
) -> Found:
    """What is known after further attempts: the number of the first, and how many of them.

    index: samples of which some still need them.
    """
    arrays, xp, (first, width) = how.arrays, how.arrays.xp, attempts
    some, best = given.rows(index), found.rows(index)
    needed = some.sound & ~best.solved
    lanes = arrays.arange(len(index) * width)
    spread = some.rows(lanes // width) if width > 1 else some
    start = some.start if first == 0 else how.starts()[first - 1 + lanes % width]
    going = needed[lanes // width]
    ended = _descended(how, spread, start, going)

    each = (lanes % width).reshape(len(index), width)
    solved, cost, steps = (
        x.reshape(len(index), width) for x in (ended.solved, ended.cost, ended.steps)
    )
    by = xp.amin(xp.where(solved, each, width), axis=1)  # the attempt that leads to a solution
    least = xp.argmin(xp.where(xp.isnan(cost), np.inf, cost), axis=1)
    chosen = ended.rows(arrays.arange(len(index)) * width + xp.where(by < width, by, least))
    spent = xp.sum(xp.where(each <= by[:, None], steps, 0), axis=1)
    better = needed & (chosen.solved | ~(best.cost <= chosen.cost))  # the first is the best
    tried = xp.where(by < width, by + 1, width) if first else by * 0
    new = Found(
        xp.where(better[:, None], chosen.q, best.q),
        xp.where(better, chosen.cost, best.cost),
        xp.where(better[:, None], chosen.errors, best.errors),
        best.solved | (needed & chosen.solved),
        best.iterations + xp.where(needed, spent, 0),
        best.restarts + xp.where(needed, tried, 0),
    )
    return found.put(arrays, index, new)


# ------------------------------------------------------------------ descents


def _descended(how: Search, given: Samples, start: Any, going: Any) -> _Ended:
    """Where descents from starts (n, nq) end; going (n,): which of them are of interest."""
    arrays, n = how.arrays, len(start)
    none = _Ended(
        start,
        arrays.full((n,), np.nan),
        arrays.full(tuple(given.tolerance.shape), np.nan),
        arrays.full((n,), False),
        arrays.full((n,), 0),
    )
    whole = _Ended(*(arrays.copy(getattr(none, f.name)) for f in fields(none)))
    batch = _Batch(
        arrays.arange(n),
        start,
        arrays.full((n,), _DAMPING),
        *(given.numbers, given.tolerance, given.rest, given.pull),
        before=arrays.full((n,), np.inf),
        steps=none.steps,
        going=going,
        waiting=going,
        ended=none,
    )
    for k in range(1, how.iterations + 1):
        cost, errors, solved = _advance(how, batch, k)
        if k % arrays.period and k < how.iterations:  # nobody looks: what is solved stays there
            batch.damping = arrays.xp.where(solved, np.inf, batch.damping)
        elif _note(arrays, batch, cost, errors, solved):
            index, count = arrays.picked(batch.going)
            if len(batch.place) - len(index) >= _CROWD * len(batch.place) or not count:
                whole = whole.put(arrays, batch.place, batch.ended)
                if not count:
                    break
                batch = batch.rows(index)
    return whole


def _advance(how: Search, batch: _Batch, k: int) -> tuple[Any, Any, Any]:
    """Step k of all; returns costs, what goals miss, and which descents are at a solution."""
    drawn: tuple[Any, ...] = ()
    if batch.pull.shape[1]:
        drawn = batch.rest, batch.pull * float((_FADING ** np.array([k - 1]))[0])
    batch.q, batch.damping, cost, errors = how.step(batch.q, batch.damping, batch.numbers, *drawn)
    solved = how.arrays.xp.all(errors <= batch.tolerance, axis=1)
    over = solved
    if k % _PATIENCE == 0:
        over = solved | ~(cost <= _SHARE * batch.before)
        batch.before = cost
    if k == how.iterations:
        over = over | True
    batch.steps = batch.steps + batch.going
    batch.going = batch.going & ~over
    return cost, errors, solved


def _note(arrays: Arrays, batch: _Batch, cost: Any, errors: Any, solved: Any) -> bool:
    """Write down how descents ended since the last look; whether some may have."""
    xp, new = arrays.xp, batch.waiting & ~batch.going
    if arrays.period == 1 and not arrays.any(new):
        return False
    old, batch.waiting = batch.ended, batch.going
    batch.ended = _Ended(
        xp.where(new[:, None], batch.q, old.q),
        xp.where(new, cost, old.cost),
        xp.where(new[:, None], errors, old.errors),
        xp.where(new, solved, old.solved),
        xp.where(new, batch.steps, old.steps),
    )
    return True
