"""Equations of measured samples: with accelerations, or in the filtered momentum form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jounce.errors import DataError
from jounce.identification.cleaning import check_period
from jounce.identification.data import DataSummary, Samples
from jounce.identification.momentum import LowPass
from jounce.identification.options import Options
from jounce.identification.regression import Equations, Layout


class AccelerationForm:
    """tau = Y(q, v, a) theta."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        shape = (layout.piece(), layout.robot.nv, 10 * layout.robot.nb)
        self.buffer = np.empty(shape)

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        """Yield the equations of samples."""
        state = (piece.rows, piece.q, piece.v, piece.a, piece.tau)
        yield self.layout.of_samples(*state, out=self.buffer[: len(piece)])


class MomentumForm:
    """F tau = Y theta, with the momentum form, on samples where the filter has settled."""

    def __init__(self, layout: Layout, options: Options, summary: DataSummary) -> None:
        """summary: takes a description of the filter."""
        self.layout, self.options, self.summary = layout, options, summary
        self.filter: LowPass | None = None
        self.last: float | None = None  # time of the sample before
        self.seen = 0

    def _start(self, piece: Samples) -> LowPass:
        rate, source = self.options.rate, self.summary.source
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
        cutoff = self.options.cutoff or min(5.0, 0.05 / step)
        check_period(source, step, cutoff)
        self.stride = max(1, int(1.0 / (8.0 * cutoff * step)))
        self.summary.step = step
        self.summary.filter = (
            f"Momentum form behind a Butterworth low-pass of order 2 at {cutoff:g} Hz, every"
            f" {self.stride}. sample used"
        )
        return LowPass(cutoff, step, 2)

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        """Yield the equations of samples, which follow those of the call before."""
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
            yield from self._filter(piece[first:stop], self.filter)
            self.last = float(t[stop - 1])

    def _filter(self, piece: Samples, low: LowPass) -> Iterator[Equations]:
        v = piece.v
        Y = low.regressor(self.layout.robot, piece.q, v)
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
