"""The search: steps of one kernel for all samples that are not done, and starts anew.

The kernel (`formulas.reaching`) takes a step of every sample in a lane of its own. Samples that are
done leave the batch; those that get stuck start again from the next of a list of random
configurations. The list is the same for all samples, so that what is found for one does not depend
on which others are in the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

#: A search is stuck if this many steps leave more than a share of the squares of what is missed.
_PATIENCE, _SHARE = 10, 0.5

#: Samples that are done leave the batch when they are this share of it.
_CROWD = 0.125

#: Damping of the first step, relative to the squares of what is missed.
_DAMPING = 1.0

#: What a step leaves of the pull towards a posture.
_FADING = 0.3

#: (q, damping, numbers of the goals, and of the posture) to (q, damping, cost, errors).
Step = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Search:
    """How to search.

    step: the kernel, within limits. starts: gives the configuration (nq,) of an attempt after the
    first, counted from 1. iterations: most steps from a start; restarts: most of these.
    """

    step: Step
    starts: Callable[[int], np.ndarray]
    iterations: int
    restarts: int


@dataclass
class Found:
    """The best of each sample so far: configurations, costs, what goals miss, and the effort."""

    q: np.ndarray
    cost: np.ndarray
    errors: np.ndarray
    solved: np.ndarray
    iterations: np.ndarray
    restarts: np.ndarray

    @staticmethod
    def joined(parts: Sequence[Found]) -> Found:
        """One after the other."""
        return Found(*(np.concatenate([getattr(x, f.name) for x in parts]) for f in fields(Found)))


@dataclass(frozen=True)
class Samples:
    """What to search for, and from where: n samples.

    start (n, nq). numbers (n, ...) and tolerance (n, goals) of the goals. rest (n, nq), pull
    (n, nv): a posture and the squares of its weights, or both (n, 0). sound (n,): which samples
    make sense; the others keep their start.
    """

    start: np.ndarray
    numbers: np.ndarray
    tolerance: np.ndarray
    rest: np.ndarray
    pull: np.ndarray
    sound: np.ndarray

    def part(self, part: slice | np.ndarray) -> Samples:
        """Some of them."""
        return Samples(*(getattr(self, f.name)[part] for f in fields(self)))


@dataclass
class _Batch:
    """Samples at work: their numbers, how their descents stand, and for how long they go on.

    before: the cost when it was last looked whether they get on. ended: those that wait to leave.
    """

    sample: np.ndarray
    q: np.ndarray
    damping: np.ndarray
    numbers: np.ndarray
    tolerance: np.ndarray
    rest: np.ndarray
    pull: np.ndarray
    steps: np.ndarray
    before: np.ndarray
    ended: np.ndarray

    def only(self, which: np.ndarray) -> _Batch:
        """Those of them."""
        return _Batch(*(getattr(self, f.name)[which] for f in fields(self)))

    def restart(self, which: np.ndarray, q: np.ndarray) -> None:
        """Begin anew."""
        self.q[which], self.damping[which], self.steps[which] = q, _DAMPING, 0
        self.before[which], self.ended[which] = np.inf, False


@np.errstate(all="ignore")  # numbers too large end as samples without a solution
def search(how: Search, given: Samples) -> Found:
    """What is found for each sample."""
    n, never = len(given.start), np.full(len(given.start), np.inf)
    none, no = np.zeros(n, dtype=int), np.zeros(n, dtype=bool)
    errors = np.full(given.tolerance.shape, np.nan)
    found = Found(
        given.start.copy(), np.full(n, np.nan), errors, no.copy(), none.copy(), none.copy()
    )
    goals = given.numbers, given.tolerance, given.rest, given.pull
    batch = _Batch(np.arange(n), given.start, np.full(n, _DAMPING), *goals, none, never, no)
    batch = batch.only(np.flatnonzero(given.sound))
    while len(batch.sample):
        batch = _advance(how, batch, found)
    return found


def _advance(how: Search, batch: _Batch, found: Found) -> _Batch:
    """A step of all; returns those that go on."""
    drawn: tuple[Any, ...] = ()
    if batch.pull.shape[1]:
        drawn = batch.rest, batch.pull * (_FADING**batch.steps)[:, None]
    batch.q, batch.damping, cost, errors = how.step(batch.q, batch.damping, batch.numbers, *drawn)
    batch.steps += 1
    solved = np.all(errors <= batch.tolerance, axis=1)
    over = solved | (batch.steps >= how.iterations)
    look = batch.steps % _PATIENCE == 0
    if look.any():
        over |= look & ~(cost <= _SHARE * batch.before)
        batch.before[look] = cost[look]
    new = np.flatnonzero(over & ~batch.ended)
    if len(new):
        _record(batch, new, cost, errors, solved, found)
        if np.count_nonzero(batch.ended) >= _CROWD * len(over):
            return _renewed(how, batch, found)
    return batch


def _record(
    batch: _Batch,
    which: np.ndarray,
    cost: np.ndarray,
    errors: np.ndarray,
    solved: np.ndarray,
    found: Found,
) -> None:
    """Write down how attempts ended, where they are the best so far."""
    batch.ended[which] = True
    sample = batch.sample[which]
    found.iterations[sample] += batch.steps[which]
    found.solved[sample] = solved[which]
    better = solved[which] | ~(found.cost[sample] <= cost[which])  # the first is the best
    at, of = which[better], sample[better]
    found.q[of], found.cost[of], found.errors[of] = batch.q[at], cost[at], errors[at]


def _renewed(how: Search, batch: _Batch, found: Found) -> _Batch:
    """Those that go on: without the ones that are solved, or have no start left."""
    unsolved = batch.ended & ~found.solved[batch.sample]
    again = np.flatnonzero(unsolved & (found.restarts[batch.sample] < how.restarts))
    if len(again):
        found.restarts[batch.sample[again]] += 1
        attempts = found.restarts[batch.sample[again]]
        for attempt in np.unique(attempts):
            batch.restart(again[attempts == attempt], how.starts(int(attempt)))
    return batch.only(np.flatnonzero(~batch.ended))
