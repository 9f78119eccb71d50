"""Clean and differentiate measurements, chunk by chunk.

Accelerations (and velocities) that were not measured are estimated: velocities pass through a
zero-phase Butterworth filter of order four (forwards and backwards), and are differentiated by
central differences. Velocities come from differences of positions in the tangent space of the
joints, so quaternions are supported. One filter period is left out at both ends, around gaps and
where time jumps back. The filter runs on chunks with margins in which its impulse response decays
to rounding errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.data import LARGEST, DataSummary, Piece, Recording, Samples
from jounce.identification.subject import Subject

#: Order of the low-pass, and periods of its cutoff in which it decays to rounding errors.
FILTER_ORDER = 4
_DECAY_PERIODS = 12

#: Steps longer than this many times the median step are gaps.
_MAX_STEP_RATIO = 3.5

#: Number of rows read at once for the estimation of derivatives.
_WINDOW_ROWS = 65536

#: Maximum number of samples in a period of the cutoff.
_MAX_PERIOD_SAMPLES = 1_000_000


def samples(
    recording: Recording,
    size: int,
    summary: DataSummary,
    *,
    cutoff: float | None = None,
    rate: float | None = None,
    accelerations: bool = True,
) -> Iterator[Samples]:
    """Yield cleaned samples in order, in chunks of at most `size` rows.

    cutoff: of the low-pass for derivatives, in Hz; None: the lower of 20 Hz and an eighth of the
    sampling rate. rate: sampling rate in Hz, for data without times. accelerations: whether to
    estimate unmeasured accelerations; zeros otherwise.
    """
    summary.source, summary.rows = recording.source, 0
    if "v" in recording.has and ("a" in recording.has or not accelerations):
        pieces = _read_measured(recording, size, summary)
    else:
        pieces = _differentiate(recording, summary, cutoff, rate)
    for piece in pieces:
        for start in range(0, len(piece), size):
            part = piece[start : start + size]
            summary.used += len(part)
            yield part


def _read_measured(recording: Recording, size: int, summary: DataSummary) -> Iterator[Samples]:
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


def _differentiate(
    recording: Recording, summary: DataSummary, cutoff: float | None, rate: float | None
) -> Iterator[Samples]:
    """Yield samples with estimated accelerations (and velocities), from overlapping windows."""
    if "t" not in recording.has and rate is None:
        raise DataError(
            f"{recording.source}: accelerations must be estimated, but there is no column of"
            " times 't'; add one, or pass the sampling rate in Hz"
        )
    estimate: _Derivatives | None = None
    window: Piece = {}
    start = 0  # number of rows at the front of the window that have been yielded
    for piece in recording.read(_WINDOW_ROWS):
        n = len(piece["q"])
        piece["rows"] = np.arange(summary.rows, summary.rows + n)
        summary.rows += n
        if "t" not in piece:
            piece["t"] = piece["rows"] / float(rate or 1.0)
        finite = _finite(piece)
        summary.missing += n - int(finite.sum())
        piece = {k: x[finite] for k, x in piece.items()}
        window = {k: np.concatenate((window[k], x)) if window else x for k, x in piece.items()}
        if estimate is None:
            if len(window["t"]) < 3:
                continue
            estimate = _Derivatives(recording.robot, window["t"], cutoff, rate, summary)
        done = len(window["t"]) - estimate.margin
        if done > start:
            yield estimate(window, start, done)
            keep = max(done - estimate.margin, 0)
            window = {k: x[keep:] for k, x in window.items()}
            start = done - keep
    if estimate is None:
        return
    yield estimate(window, start, len(window["t"]))


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
            raise DataError(f"{summary.source}: the times do not increase; expected seconds")
        step = 1.0 / rate if rate else float(np.median(rising))
        self.cutoff = _default_cutoff(step) if cutoff is None else float(cutoff)
        self.robot, self.step, self.summary = robot, step, summary
        self.period = check_period(summary.source, step, self.cutoff)
        self.margin = _DECAY_PERIODS * self.period
        self.sections = _butterworth(self.cutoff * 2.0 * step)
        summary.step = step
        summary.filter = (
            f"Accelerations by central differences of velocities after a Butterworth low-pass of"
            f" order {FILTER_ORDER} at {self.cutoff:g} Hz, forwards and backwards"
        )

    def __call__(self, window: Piece, start: int, stop: int) -> Samples:
        """Return the rows start to stop of a window, with v and a."""
        t, robot = window["t"], self.robot
        v, a = np.empty((2, len(t), robot.nv))
        good = np.zeros(len(t), dtype=bool)
        steps = np.diff(t)
        breaks = np.flatnonzero((steps <= 0.0) | (steps > _MAX_STEP_RATIO * self.step)) + 1
        for first, last in zip((0, *breaks), (*breaks, len(t)), strict=True):
            part = slice(first, last)
            if last - first >= min_stretch_rows(self.period):
                with np.errstate(all="ignore"):  # nearly equal times; checked below
                    speed = window["v"][part] if "v" in window else self._velocity(window, part)
                    v[part], a[part] = self._filter(t[part], speed)
                good[first + self.period : last - self.period] = True
        inside = breaks[(breaks >= start) & (breaks < stop)]
        jumps = int((steps[inside - 1] <= 0.0).sum())
        self.summary.jumps += jumps
        self.summary.gaps += len(inside) - jumps
        chosen = np.arange(start, stop)[good[start:stop]]
        self.summary.edges += stop - start - len(chosen)
        sizes = np.maximum(np.abs(v[chosen]), np.abs(a[chosen])).max(axis=1)
        bad = np.flatnonzero(~(sizes <= LARGEST["a"]))
        if len(bad):
            raise DataError(
                f"{self.summary.source}, row {window['rows'][chosen[bad[0]]]} (from 0): estimated"
                " accelerations are unbounded; look for nearly equal times or zero quaternions,"
                " and correct or remove such rows"
            )
        return Samples(t, window["q"], v, a, window["tau"], window["rows"])[chosen]

    def _velocity(self, window: Piece, part: slice) -> np.ndarray:
        """Return velocities by second-order differences, also for uneven steps."""
        t, q = window["t"][part], window["q"][part]
        h = np.diff(t)[:, None]
        slopes = self.robot.difference(q[:-1], q[1:]) / h
        out = np.empty((len(t), self.robot.nv))
        out[0], out[-1] = slopes[0], slopes[-1]
        out[1:-1] = (h[1:] * slopes[:-1] + h[:-1] * slopes[1:]) / (h[1:] + h[:-1])
        return out

    def _filter(self, t: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return filtered velocities and their derivatives at t; uneven steps are resampled."""
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


def min_stretch_rows(period: int) -> int:
    """Return the least number of rows without a gap that the filter needs, with its padding."""
    return 3 * period + 21


def explain_unused(summary: DataSummary, cutoff: float | None) -> str:
    """Return why none of the rows that were read can be used, and what to do, as text."""
    reasons, hints = [], []
    if summary.missing:
        reasons.append(f"{summary.missing} have missing values (NaN or infinity)")
        hints.append("fill or leave out the columns that are empty")
    if summary.jumps:
        reasons.append(f"time does not increase at {summary.jumps}")
        hints.append("correct the times")
    if summary.edges:
        used = _default_cutoff(summary.step) if cutoff is None else cutoff
        least = min_stretch_rows(check_period(summary.source, summary.step, used))
        reasons.append(
            f"{summary.edges} are too close to an end or a gap for the low-pass filter, which needs"
            f" at least {least} rows without a gap"
        )
        hints.append("record longer, raise cutoff, or provide columns of v and a")
    elif summary.missing < summary.rows:
        others = "the others" if summary.missing else "they"
        reasons.append(f"{others} are too few to estimate accelerations")
        hints.append("record longer, or provide columns of v and a")
    return f"{', '.join(reasons)}; {', '.join(hints)}"


def _butterworth(fraction: float) -> Any:
    try:
        from scipy.signal import butter
    except ImportError:
        raise ImportError(
            'estimating accelerations needs SciPy; install it: pip install "jounce[identify]"'
        ) from None
    return butter(FILTER_ORDER, fraction, output="sos")


def check_period(source: str, step: float, cutoff: float) -> int:
    """Return the number of samples in a period of the cutoff (Hz) at a step (s)."""
    message = (
        f"cutoff: expected a frequency between 0 and {0.5 / step:g} Hz (half of the sampling rate),"
        f" found {cutoff!r}"
    )
    if not cutoff > 0.0:
        raise ValueError(message)
    if not cutoff < 0.5 / step:  # the step depends on the data
        raise DataError(
            f"{source}: {message}; choose a lower cutoff, or pass time_scale= if the times are not"
            " in seconds"
        )
    period = 1.0 / (cutoff * step)
    if period > _MAX_PERIOD_SAMPLES:
        raise DataError(
            f"{source}: the times increase by {step:g} s only, {period:.3g} samples in a period of"
            f" the low-pass of {cutoff:g} Hz; choose a higher cutoff, or pass time_scale= if"
            " the times are not in seconds"
        )
    return int(np.ceil(period))
