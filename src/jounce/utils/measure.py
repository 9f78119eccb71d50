"""Timing and comparison: nothing is timed before its result has been compared.

What runs on one thread is timed by that thread's CPU clock. On a busy machine the wall clock counts
the time other processes take, and it counts more of it in long calls than in short ones: the
slower library would look slower still.
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Largest relative difference allowed between the two libraries, in float64.
TOLERANCE = 1e-10


class MismatchError(AssertionError):
    """The two libraries disagree: there is nothing to time."""


def difference(ours: np.ndarray, theirs: np.ndarray, batched: bool = True) -> float:
    """Largest difference of any sample, relative to the largest entry of that sample."""
    if ours.shape != theirs.shape:
        raise MismatchError(f"shapes differ: {ours.shape} and {theirs.shape}")
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        raise MismatchError("a result is not finite")
    shape = (len(ours), -1) if batched else (1, -1)
    gap = np.abs(ours - theirs).reshape(shape).max(axis=1)
    scale = np.abs(theirs).reshape(shape).max(axis=1)
    return float((gap / np.where(scale > 0, scale, 1.0)).max())


def compare(
    what: str,
    ours: np.ndarray,
    theirs: np.ndarray,
    tolerance: float = TOLERANCE,
    batched: bool = True,
) -> float:
    """The relative difference; MismatchError if it is above the tolerance."""
    try:
        found = difference(ours, theirs, batched)
    except MismatchError as error:
        raise MismatchError(f"{what}: {error}") from None
    if not found <= tolerance:
        raise MismatchError(f"{what}: results differ by {found:.1e}, allowed {tolerance:.0e}")
    return found


@dataclass(frozen=True)
class Effort:
    """How long to measure: repetitions that count, and seconds per repetition."""

    rounds: int
    seconds: float


FULL = Effort(rounds=15, seconds=0.006)
QUICK = Effort(rounds=3, seconds=0.003)


@dataclass(frozen=True)
class Times:
    """Seconds per call of several candidates, one array per candidate, one entry per round."""

    rounds: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> float:
        """Median seconds per call."""
        return float(np.median(self.rounds[name]))

    def __contains__(self, name: str) -> bool:
        return name in self.rounds

    def ratio(self, slow: str, fast: str) -> float:
        """Ratio of the medians."""
        return self[slow] / self[fast]

    def quickest(self, *names: str) -> str:
        """Whichever of the candidates there are has the least median."""
        return min((name for name in names if name in self), key=lambda name: self[name])

    def quartiles(self, slow: str, fast: str) -> tuple[float, float]:
        """Quartiles of the ratio round by round: how far noise moved it."""
        low, high = np.quantile(self.rounds[slow] / self.rounds[fast], (0.25, 0.75))
        return float(low), float(high)


Clock = Callable[[], float]


def statement(
    text: str, names: dict[str, Any], setup: str = "pass", clock: Clock = time.thread_time
) -> timeit.Timer:
    """A statement to time, free of the cost of a function around it; setup runs every turn."""
    return timeit.Timer(text, setup, clock, globals=names)


def interleaved(
    candidates: Mapping[str, Callable[[], Any] | timeit.Timer],
    effort: Effort,
    clock: Clock = time.thread_time,
) -> Times:
    """Time the candidates in turns, so that noise hits all of them; the first round is dropped.

    A candidate that is quick is called several times per turn. Every other round runs backwards,
    so that none always follows the same neighbour. The garbage collector rests (timeit).
    """
    timers = {
        name: given if isinstance(given, timeit.Timer) else timeit.Timer(given, timer=clock)
        for name, given in candidates.items()
    }
    calls = {name: _calls(timer, effort.seconds) for name, timer in timers.items()}
    rounds: dict[str, list[float]] = {name: [] for name in timers}
    for k in range(effort.rounds + 1):
        order = list(timers) if k % 2 else list(reversed(timers))
        for name in order:
            rounds[name].append(timers[name].timeit(calls[name]) / calls[name])
    return Times({name: np.array(times[1:]) for name, times in rounds.items()})


def _calls(timer: timeit.Timer, seconds: float) -> int:
    """How many calls take about that long."""
    timer.timeit(1)
    count = 1
    while (once := timer.timeit(count)) < seconds / 4:
        count *= 4
    return max(1, round(seconds * count / once))
