"""Passes over the data: equations from samples, compressed by fold, some samples kept.

The equations are tau = Y(q, v, a) theta, or their filtered momentum form, which needs no
accelerations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import NamedTuple

import numpy as np

from jounce.errors import DataError
from jounce.identify.checks import Inspector
from jounce.identify.cleaning import check_period, samples
from jounce.identify.data import DataSummary, Recording, Samples
from jounce.identify.momentum import LowPass
from jounce.identify.options import Options
from jounce.identify.regression import Equations, Factors, Layout
from jounce.identify.robust import Excerpt
from jounce.process.progress import track

#: Samples kept for plots and for checks of units.
_KEPT = 4000


class FirstPass(NamedTuple):
    """Factors of each fold, samples kept for plots, and some of the equations."""

    parts: list[Factors]
    kept: Samples
    excerpt: Excerpt


class Reader:
    """What to read, and what to make of it; notes on the data are taken on the way."""

    def __init__(self, recording: Recording, layout: Layout, options: Options) -> None:
        self.recording, self.layout, self.options = recording, layout, options
        self.summary = DataSummary()
        self.inspector = Inspector(recording, self.summary)

    def __call__(self, pool: ThreadPoolExecutor | None) -> FirstPass:
        """The first pass, which the inspector watches."""
        torques = max(len(self.layout.rows), 1)
        parts, excerpt = self._parts(), Excerpt(self.layout, -(-2 * self.layout.size // torques))
        stride = max(1, self.recording.length // _KEPT)
        kept: list[Samples] = []

        def watch(piece: Samples) -> None:
            self.inspector.watch(piece)
            kept.append(piece[piece.rows % stride == 0])

        for equations in self.equations(self.summary, watch):
            excerpt.add(equations)
            self._take(parts, equations, None, pool)
        if self.options.momentum and "a" not in self.recording.has:
            kept = self._first_samples()
        if not kept or not any(part.count for part in parts):
            raise DataError(
                f"{self.recording.source}: none of its {self.summary.rows} rows can be used"
            )
        return FirstPass(parts, Samples.joined(kept), excerpt)

    def weighted(
        self,
        pool: ThreadPoolExecutor | None,
        theta: np.ndarray,
        weigh: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> list[Factors]:
        """Read again: factors of each fold with weights (n, nv) of rows and residuals at theta."""
        parts = self._parts()
        for equations in self.equations(DataSummary()):
            weights = weigh(equations.rows, self.layout.residuals(theta, equations))
            self._take(parts, equations, weights, pool)
        return parts

    def residuals(self, theta: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Read again: rows (n,), and what is left of their torques (n, nv) at theta."""
        for equations in self.equations(DataSummary()):
            yield equations.rows, self.layout.residuals(theta, equations)

    def equations(
        self, summary: DataSummary, watch: Callable[[Samples], None] | None = None
    ) -> Iterator[Equations]:
        """One pass over the data; torques are without what is known of the drives."""
        pieces = samples(
            self.recording,
            self.layout.piece(),
            summary,
            cutoff=self.options.cutoff,
            rate=self.options.rate,
            accelerations=not self.options.momentum,
        )
        regress = _Momentum(self) if self.options.momentum else _Accelerations(self)
        for piece in _watched(pieces, self.recording.length):
            if watch is not None:
                watch(piece)
            yield from regress(piece)

    def _parts(self) -> list[Factors]:
        return [Factors(self.layout) for _ in range(max(self.options.folds, 1))]

    def _take(
        self,
        parts: list[Factors],
        equations: Equations,
        weights: np.ndarray | None,
        pool: ThreadPoolExecutor | None,
    ) -> None:
        """Add equations to the factors of their folds, and make sure that they are numbers."""
        fold = equations.rows * len(parts) // max(self.recording.length, 1)
        for k in np.unique(fold):
            at = slice(*np.searchsorted(fold, (k, k + 1)))
            own = equations[at]
            part = parts[min(int(k), len(parts) - 1)]
            part.add(own, None if weights is None else weights[at], pool)
            if not part.is_finite():
                wrong = ~np.isfinite(own.Y).all(axis=(1, 2))
                where = f", row {own.rows[wrong][0]} (from 0)" if wrong.any() else ""
                raise DataError(
                    f"{self.recording.source}{where}: torques at this state are no numbers; are"
                    " there quaternions that are zero, or values far too large? Correct or remove"
                    " such rows"
                )

    def _first_samples(self) -> list[Samples]:
        """The first samples with estimated accelerations, for plots of a fit that needs none."""
        pieces = samples(self.recording, _KEPT, DataSummary(), rate=self.options.rate)
        return list(islice(pieces, 1))


class _Accelerations:
    """tau = Y(q, v, a) theta."""

    def __init__(self, reader: Reader) -> None:
        self.layout = reader.layout
        robot = reader.layout.robot
        self.space = np.empty((reader.layout.piece(), robot.nv, 10 * robot.nb))

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        if len(piece):
            Y = self.space[: len(piece)]
            self.layout.robot.inverse_dynamics.dpi(piece.q, piece.v, piece.a, out=Y)
            drives = self.layout.drives(piece.v, piece.a)
            tau = piece.tau - self.layout.passive_forces(piece.q, piece.v, piece.a)
            yield self.layout.equations(piece.rows, Y, drives, tau)


class _Momentum:
    """F tau = Y theta, with the momentum form, on steady samples."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.layout = reader, reader.layout
        self.filter: LowPass | None = None
        self.last: float | None = None  # time of the sample before
        self.seen = 0

    def _start(self, piece: Samples) -> LowPass:
        rate, source = self.reader.options.rate, self.reader.recording.source
        if rate is not None:
            step = 1.0 / rate
        elif piece.t is not None and len(piece) > 1:
            step = float(np.median(np.diff(piece.t)))
        else:
            step = 0.0
        if not step > 0.0:
            raise DataError(
                f"{source}: the momentum form needs rising times 't', or the sampling rate in Hz"
            )
        self.step = step
        cutoff = self.reader.options.cutoff or min(5.0, 0.05 / step)
        check_period(source, step, cutoff)
        self.stride = max(1, int(1.0 / (8.0 * cutoff * step)))
        self.reader.summary.step = step
        self.reader.summary.filter = (
            f"Momentum form behind a Butterworth low-pass of order 2 at {cutoff:g} Hz, every"
            f" {self.stride}. sample used"
        )
        return LowPass(cutoff, step, 2)

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        if not len(piece):
            return
        if self.filter is None:
            self.filter = self._start(piece)
        t = piece.rows * self.step if piece.t is None else piece.t
        steps = np.diff(t)
        breaks = np.flatnonzero((steps <= 0.0) | (steps > 1.5 * self.step)) + 1
        for first, stop in zip((0, *breaks), (*breaks, len(piece)), strict=True):
            gap = np.inf if self.last is None else t[first] - self.last
            if not 0.0 < gap <= 1.5 * self.step:
                self.filter.restart()
                self.seen = 0
            yield from self._filtered(piece[first:stop])
            self.last = float(t[stop - 1])

    def _filtered(self, piece: Samples) -> Iterator[Equations]:
        low = self.filter
        assert low is not None
        robot, v = self.layout.robot, piece.v
        Y = low.regressor(robot, piece.q, v)
        drives = {
            "armature": low.rate("v", v),
            "damping": low.low("v", v),
            "friction": low.low("sign", self.layout.sign(v)),
            "offset": np.ones_like(v),
        }
        tau = low.low("tau", piece.tau)
        if (passive := self.layout.passive) is not None:
            tau = tau - low.balance("passive ", *passive.momentum(piece.q, v))
            tau -= low.low("passive friction", passive.friction(piece.q, v, self.layout.sign))
        count = self.seen + np.arange(len(piece))
        self.seen += len(piece)
        good = (count >= low.settled) & (count % self.stride == 0)
        if good.any():
            yield self.layout.equations(piece.rows, Y, drives, tau)[good]


def _watched(pieces: Iterator[Samples], length: int) -> Iterator[Samples]:
    """The pieces, with a bar of the share of rows read."""
    ticks = iter(track(range(100), "reading", quiet=True))
    shown = 0
    for piece in pieces:
        yield piece
        if len(piece):
            while shown < 100 * (int(piece.rows[-1]) + 1) // max(length, 1) and shown < 99:
                next(ticks)
                shown += 1
    for _ in ticks:
        pass
