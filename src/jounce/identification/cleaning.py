"""Measurements cleaned and differentiated, in pieces.

Accelerations (and velocities) that were not measured are estimated: velocities are low-passed by a
Butterworth filter of order four, forwards and backwards, so without a phase, and differentiated by
central differences. Velocities come from positions by differences along the joint's own motions,
so quaternions are welcome. Around gaps, where time jumps back and at both ends, a filter period is
left out. The filter runs on pieces with margins in which its memory fades to rounding errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.data import LARGEST, DataSummary, Piece, Recording, Samples
from jounce.identification.subject import Subject

#: Order of the low-pass, and periods of its cutoff in which its memory fades to rounding errors.
FILTER_ORDER = 4
_MEMORY = 12

#: Steps this many times longer than the usual one are gaps.
_GAP = 3.5

#: Rows read at once, at least, where derivatives are estimated.
_WINDOW = 65536

#: Samples in a period of a cutoff, at most.
_LONGEST_PERIOD = 1_000_000


def samples(
    recording: Recording,
    size: int,
    summary: DataSummary,
    *,
    cutoff: float | None = None,
    rate: float | None = None,
    accelerations: bool = True,
) -> Iterator[Samples]:
    """Cleaned samples in order, in pieces of at most `size` rows.

    cutoff: of the low-pass for derivatives, in Hz; None: 20 Hz or an eighth of the sampling rate,
    whichever is less. rate: sampling rate in Hz where there are no times. accelerations: whether
    they are needed; zeros otherwise, where they were not measured.
    """
    summary.source, summary.rows = recording.source, 0
    if "v" in recording.has and ("a" in recording.has or not accelerations):
        pieces = _measured(recording, size, summary)
    else:
        pieces = _differentiated(recording, summary, cutoff, rate)
    for piece in pieces:
        for start in range(0, len(piece), size):
            part = piece[start : start + size]
            summary.used += len(part)
            yield part


def _measured(recording: Recording, size: int, summary: DataSummary) -> Iterator[Samples]:
    last = -np.inf
    for piece in recording.read(size):
        n = len(piece["q"])
        rows = np.arange(summary.rows, summary.rows + n)
        summary.rows += n
        finite = _finite(piece)
        summary.missing += n - int(finite.sum())
        t = piece.get("t")
        if t is not None:
            steps = np.diff(t[finite], prepend=last)
            summary.jumps += int((steps <= 0.0).sum())
            last = t[finite][-1] if finite.any() else last
            if not np.isfinite(summary.step) and finite.sum() > 2:
                summary.step = float(np.median(steps[1:]))
        a = piece["a"] if "a" in piece else np.zeros_like(piece["v"])
        yield Samples(t, piece["q"], piece["v"], a, piece["tau"], rows)[
            slice(None) if finite.all() else finite
        ]


def _finite(piece: Piece) -> np.ndarray:
    out = np.ones(len(piece["q"]), dtype=bool)
    for x in piece.values():
        out &= np.isfinite(x) if x.ndim == 1 else np.isfinite(x).all(axis=1)
    return out


def _differentiated(
    recording: Recording, summary: DataSummary, cutoff: float | None, rate: float | None
) -> Iterator[Samples]:
    """Samples with estimated accelerations (and velocities), from overlapping windows."""
    if "t" not in recording.has and rate is None:
        raise DataError(
            f"{recording.source}: accelerations are to be estimated, but there is no column of"
            " times 't'; add one, or give the sampling rate in Hz"
        )
    estimate: _Derivatives | None = None
    held: Piece = {}
    fresh = 0  # of the rows held, how many at the front have been handed out
    for piece in recording.read(_WINDOW):
        n = len(piece["q"])
        piece["rows"] = np.arange(summary.rows, summary.rows + n)
        summary.rows += n
        if "t" not in piece:
            piece["t"] = piece["rows"] / float(rate or 1.0)
        finite = _finite(piece)
        summary.missing += n - int(finite.sum())
        piece = {k: x[finite] for k, x in piece.items()}
        held = {k: np.concatenate((held[k], x)) if held else x for k, x in piece.items()}
        if estimate is None:
            if len(held["t"]) < 3:
                continue
            estimate = _Derivatives(recording.robot, held["t"], cutoff, rate, summary)
        done = len(held["t"]) - estimate.margin
        if done > fresh:
            yield estimate(held, fresh, done)
            keep = max(done - estimate.margin, 0)
            held = {k: x[keep:] for k, x in held.items()}
            fresh = done - keep
    if estimate is None:
        return
    yield estimate(held, fresh, len(held["t"]))


class _Derivatives:
    """Low-pass and central differences on a window of rows."""

    def __init__(
        self,
        robot: Subject,
        t: np.ndarray,
        cutoff: float | None,
        rate: float | None,
        summary: DataSummary,
    ) -> None:
        steps = np.diff(t)
        rising = steps[steps > 0.0]
        if not (rate or len(rising)):
            raise DataError(f"{summary.source}: the times do not rise; expected seconds")
        usual = 1.0 / rate if rate else float(np.median(rising))
        self.cutoff = _default_cutoff(usual) if cutoff is None else float(cutoff)
        self.robot, self.step, self.summary = robot, usual, summary
        self.period = check_period(summary.source, usual, self.cutoff)
        self.margin = _MEMORY * self.period
        self.sections = _butterworth(self.cutoff * 2.0 * usual)
        summary.step = usual
        summary.filter = (
            f"Accelerations by central differences of velocities behind a Butterworth low-pass of"
            f" order {FILTER_ORDER} at {self.cutoff:g} Hz, forwards and backwards"
        )

    def __call__(self, window: Piece, start: int, stop: int) -> Samples:
        """The rows start to stop of a window, with v and a."""
        t, robot = window["t"], self.robot
        v, a = np.empty((2, len(t), robot.nv))
        good = np.zeros(len(t), dtype=bool)
        steps = np.diff(t)
        breaks = np.flatnonzero((steps <= 0.0) | (steps > _GAP * self.step)) + 1
        for first, last in zip((0, *breaks), (*breaks, len(t)), strict=True):
            part = slice(first, last)
            if last - first >= shortest_stretch(self.period):
                with np.errstate(all="ignore"):  # times that hardly differ; checked below
                    given = window["v"][part] if "v" in window else self._velocity(window, part)
                    v[part], a[part] = self._filtered(t[part], given)
                good[first + self.period : last - self.period] = True
        inside = breaks[(breaks >= start) & (breaks < stop)]
        jumps = int((steps[inside - 1] <= 0.0).sum())
        self.summary.jumps += jumps
        self.summary.gaps += len(inside) - jumps
        chosen = np.arange(start, stop)[good[start:stop]]
        self.summary.edges += stop - start - len(chosen)
        wild = np.maximum(np.abs(v[chosen]), np.abs(a[chosen])).max(axis=1)
        wild = np.flatnonzero(~(wild <= LARGEST["a"]))
        if len(wild):
            raise DataError(
                f"{self.summary.source}, row {window['rows'][chosen[wild[0]]]} (from 0): estimated"
                " accelerations have no bounds; are there times that hardly differ, or quaternions"
                " that are zero? Correct or remove such rows"
            )
        return Samples(t, window["q"], v, a, window["tau"], window["rows"])[chosen]

    def _velocity(self, window: Piece, part: slice) -> np.ndarray:
        """Differences of second order along the joints' motions, on uneven steps too."""
        t, q = window["t"][part], window["q"][part]
        h = np.diff(t)[:, None]
        slopes = self.robot.difference(q[:-1], q[1:]) / h
        out = np.empty((len(t), self.robot.nv))
        out[0], out[-1] = slopes[0], slopes[-1]
        out[1:-1] = (h[1:] * slopes[:-1] + h[:-1] * slopes[1:]) / (h[1:] + h[:-1])
        return out

    def _filtered(self, t: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Low-passed velocity and its derivative at the times t; uneven steps are evened out."""
        from scipy.signal import sosfiltfilt

        n = max(round((t[-1] - t[0]) / self.step) + 1, 2)
        grid = np.linspace(t[0], t[-1], n)
        even = n == len(t) and np.abs(t - grid).max() < 1e-3 * self.step
        u = v if even else np.column_stack([np.interp(grid, t, x) for x in v.T])
        smooth = sosfiltfilt(self.sections, u, axis=0)
        slope = np.gradient(smooth, grid[1] - grid[0], axis=0)
        if even:
            return smooth, slope
        back = (np.column_stack([np.interp(t, grid, x) for x in y.T]) for y in (smooth, slope))
        return tuple(back)  # type: ignore[return-value]


def _default_cutoff(step: float) -> float:
    return min(20.0, 0.125 / step)


def shortest_stretch(period: int) -> int:
    """Return the rows without a gap that the filter takes at least; its padding needs some."""
    return 3 * period + 21


def explain_unused(summary: DataSummary, cutoff: float | None) -> str:
    """Return why none of the rows that were read can be used, and what to do, in words."""
    reasons, mends = [], []
    if summary.missing:
        reasons.append(f"{summary.missing} have missing values (NaN or infinity)")
        mends.append("fill or leave out the columns that are empty")
    if summary.jumps:
        reasons.append(f"time does not rise at {summary.jumps}")
        mends.append("correct the times")
    if summary.edges:
        used = _default_cutoff(summary.step) if cutoff is None else cutoff
        least = shortest_stretch(check_period(summary.source, summary.step, used))
        reasons.append(
            f"{summary.edges} are too near to an end or a gap for the low-pass filter, which takes"
            f" at least {least} rows without one"
        )
        mends.append("record longer, raise cutoff, or give columns of v and a")
    elif summary.missing < summary.rows:
        others = "the others" if summary.missing else "they"
        reasons.append(f"{others} are too few to estimate accelerations")
        mends.append("record longer, or give columns of v and a")
    return f"{', '.join(reasons)}; {', '.join(mends)}"


def _butterworth(fraction: float) -> Any:
    try:
        from scipy.signal import butter
    except ImportError:
        raise ImportError(
            'estimating accelerations needs SciPy; install it: pip install "jounce[identify]"'
        ) from None
    return butter(FILTER_ORDER, fraction, output="sos")


def check_period(source: str, step: float, cutoff: float) -> int:
    """Samples in a period of the cutoff (Hz) at a step (s)."""
    told = (
        f"cutoff: expected a frequency between 0 and {0.5 / step:g} Hz (half of the sampling rate),"
        f" found {cutoff!r}"
    )
    if not cutoff > 0.0:
        raise ValueError(told)
    if not cutoff < 0.5 / step:  # which the file decides
        raise DataError(f"{source}: {told}; are the times in seconds? See time_scale")
    period = 1.0 / (cutoff * step)
    if period > _LONGEST_PERIOD:
        raise DataError(
            f"{source}: the times rise by {step:g} s only, {period:.3g} samples in a period of the"
            f" low-pass of {cutoff:g} Hz; are they in seconds? See time_scale, cutoff and rate"
        )
    return int(np.ceil(period))
