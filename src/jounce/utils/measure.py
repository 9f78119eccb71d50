"""Timing and comparison of two libraries; results are compared before anything is timed.

Single-threaded work is timed by the CPU clock of its thread. The wall clock of a busy machine also
counts the time of other processes, and more of it in long calls, which would put the slower library
at a disadvantage.
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
    """The results of two libraries differ by more than the tolerance."""


def difference(ours: np.ndarray, theirs: np.ndarray, batched: bool = True) -> float:
    """Return the largest difference of any sample, relative to its largest entry."""
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
    """Return the relative difference; raise MismatchError if it is above the tolerance."""
    try:
        error = difference(ours, theirs, batched)
    except MismatchError as mismatch:
        raise MismatchError(f"{what}: {mismatch}") from None
    if not error <= tolerance:
        raise MismatchError(f"{what}: results differ by {error:.1e}, allowed {tolerance:.0e}")
    return error


@dataclass(frozen=True)
class Effort:
    """Duration of a measurement: number of rounds, and seconds per round."""

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

    def fastest(self, *names: str) -> str:
        """Return the candidate with the least median, of those that were measured."""
        return min((name for name in names if name in self), key=lambda name: self[name])

    def quartiles(self, slow: str, fast: str) -> tuple[float, float]:
        """Return the quartiles of the ratio over all rounds, a measure of noise."""
        low, high = np.quantile(self.rounds[slow] / self.rounds[fast], (0.25, 0.75))
        return float(low), float(high)


Clock = Callable[[], float]


def statement_timer(
    text: str, names: dict[str, Any], setup: str = "pass", clock: Clock = time.thread_time
) -> timeit.Timer:
    """Return a timer of a statement, without the overhead of a function call around it."""
    return timeit.Timer(text, setup, clock, globals=names)


def time_interleaved(
    candidates: Mapping[str, Callable[[], Any] | timeit.Timer],
    effort: Effort,
    clock: Clock = time.thread_time,
) -> Times:
    """Time the candidates in turns, so that noise affects all alike; discard the first round.

    A fast candidate is called several times per turn. Every other round runs in reverse order, so
    that no candidate always follows the same one. The garbage collector is off (timeit).
    """
    timers = {
        name: work if isinstance(work, timeit.Timer) else timeit.Timer(work, timer=clock)
        for name, work in candidates.items()
    }
    calls = {name: _calls(timer, effort.seconds) for name, timer in timers.items()}
    rounds: dict[str, list[float]] = {name: [] for name in timers}
    for k in range(effort.rounds + 1):
        order = list(timers) if k % 2 else list(reversed(timers))
        for name in order:
            rounds[name].append(timers[name].timeit(calls[name]) / calls[name])
    return Times({name: np.array(times[1:]) for name, times in rounds.items()})


def _calls(timer: timeit.Timer, seconds: float) -> int:
    """Return the number of calls that takes about so many seconds."""
    timer.timeit(1)
    count = 1
    while (once := timer.timeit(count)) < seconds / 4:
        count *= 4
    return max(1, round(seconds * count / once))
