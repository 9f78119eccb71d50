"""Passes over the data: equations from samples, compressed by fold, some samples kept.

The equations are tau = Y(q, v, a) theta, or their filtered momentum form, which needs no
accelerations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np

from jounce.errors import DataError
from jounce.identification.checks import Sight
from jounce.identification.cleaning import check_period, explain_unused, samples
from jounce.identification.columns import component_labels, listed
from jounce.identification.data import DataSummary, Recording, Samples
from jounce.identification.momentum import LowPass
from jounce.identification.options import Options
from jounce.identification.records import Record
from jounce.identification.regression import Equations, Factors, Layout
from jounce.identification.robust import Excerpt, Outliers, Weighing, huber
from jounce.identification.thinning import Thinned
from jounce.utils.progress import track

#: Samples kept for plots and for checks of units.
KEPT = 4000


class Reader:
    """What to read, and what to make of it; notes on the data are taken on the way.

    name: of the recording where there are several, which messages about rows name.
    """

    def __init__(
        self, recording: Recording, layout: Layout, options: Options, name: str = ""
    ) -> None:
        self.recording, self.layout, self.options = recording, layout, options
        self.summary, self.name = DataSummary(), name

    def first(self, cuts: Sequence[int], pool: ThreadPoolExecutor | None) -> Record:
        """The first pass: factors, samples, and what there is to see.

        cuts: the rows at which parts begin that get factors of their own, the first of them 0.
        """
        parts = [Factors(self.layout) for _ in cuts]
        excerpt, kept, sight = Excerpt.of(self.layout), Thinned(KEPT), Sight()
        whole = "a" in self.recording.has or not self.options.momentum

        def watch(piece: Samples) -> None:
            sight.watch(self.recording.robot, self.recording.has, piece)
            if len(piece) and whole:
                kept.add(piece.arrays())
            if len(piece) and not self.options.momentum:
                excerpt.held.add(piece.arrays())

        for equations in self.equations(self.summary, watch):
            if self.options.momentum:
                excerpt.add(equations)
            self._take(parts, cuts, equations, None, pool)
        if not any(part.count for part in parts):
            raise DataError(
                f"{self.recording.source}: none of its {self.summary.rows} rows can be used:"
                f" {self._explain_unused()}"
            )
        if not whole:
            self._add_first_samples(kept)
        sight.gap = self.recording.gap
        if self.summary.missing:
            self.summary.missing_in = {self.name: self.summary.missing}
        factors = {k: part.held for k, part in enumerate(parts)}
        return Record(factors, self.summary, kept, excerpt.held, sight)

    def _explain_unused(self) -> str:
        """Return why no row can be used, and what to do, in words."""
        if self.options.momentum and self.summary.used:
            return (
                "the filter of the momentum form takes longer to settle; record longer, raise"
                " cutoff, or omit momentum"
            )
        told = explain_unused(self.summary, self.options.cutoff)
        piece, robot = next(self.recording.read(KEPT)), self.recording.robot
        empty = []
        for k, x in piece.items():
            labels = ["t"] if k == "t" else [f"{k}_{x}" for x in component_labels(robot, k)]
            columns = x.reshape(len(x), -1).T
            pairs = zip(labels, columns, strict=True)
            empty += [label for label, values in pairs if not np.isfinite(values).any()]
        return f"{told} ({listed(empty)})" if empty else told

    def weighed(
        self, asked: Weighing, cuts: Sequence[int], pool: ThreadPoolExecutor | None
    ) -> Record:
        """Read again: outliers and, unless they are only counted, factors with Huber's weights."""
        parts = [Factors(self.layout) for _ in cuts]
        found = Outliers(place=self.name)
        for equations in self.equations(DataSummary()):
            residuals = self.layout.residuals(asked.theta, equations)
            found.take(equations.rows, residuals, asked.scales)
            if not asked.only_count:
                self._take(parts, cuts, equations, huber(residuals, asked.scales), pool)
        return Record({k: part.held for k, part in enumerate(parts)}, outliers=found)

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
        for piece in pieces if self.name else _watched(pieces, self.recording.length):
            if watch is not None:
                watch(piece)
            yield from regress(piece)

    def _take(
        self,
        parts: Sequence[Factors],
        cuts: Sequence[int],
        equations: Equations,
        weights: np.ndarray | None,
        pool: ThreadPoolExecutor | None,
    ) -> None:
        """Add equations to the factors of their parts, and make sure that they are numbers."""
        place = np.searchsorted(cuts, equations.rows, side="right") - 1
        for k in np.unique(place):
            at = slice(*np.searchsorted(place, (k, k + 1)))
            own = equations[at]
            parts[k].add(own, None if weights is None else weights[at], pool)
            if not parts[k].is_finite():
                wrong = ~np.isfinite(own.Y).all(axis=(1, 2))
                where = f", row {own.rows[wrong][0]} (from 0)" if wrong.any() else ""
                raise DataError(
                    f"{self.recording.source}{where}: torques at this state are no numbers; are"
                    " there quaternions that are zero, or values far too large? Correct or remove"
                    " such rows"
                )

    def _add_first_samples(self, kept: Thinned) -> None:
        """The first samples with estimated accelerations, for plots of a fit that needs none."""
        for piece in islice(first_samples(self.recording, self.options, KEPT), 1):
            if len(piece):
                kept.add(piece.arrays())


def first_samples(recording: Recording, options: Options, size: int) -> Iterator[Samples]:
    """Samples with accelerations, whatever form of the equations is used, in order."""
    return samples(recording, size, DataSummary(), cutoff=_cutoff(options), rate=options.rate)


def _cutoff(options: Options) -> float | None:
    """That of estimated accelerations; the momentum form has one of its own."""
    return None if options.momentum else options.cutoff


class _Accelerations:
    """tau = Y(q, v, a) theta."""

    def __init__(self, reader: Reader) -> None:
        self.layout = reader.layout
        robot = reader.layout.robot
        self.space = np.empty((reader.layout.piece(), robot.nv, 10 * robot.nb))

    def __call__(self, piece: Samples) -> Iterator[Equations]:
        if len(piece):
            state = (piece.rows, piece.q, piece.v, piece.a, piece.tau)
            yield self.layout.of_samples(*state, out=self.space[: len(piece)])


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
