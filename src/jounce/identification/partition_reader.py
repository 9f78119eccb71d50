"""Reads partitions of the data: headers first, then passes that compress them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.checks import ValueRanges, implausible_angle, implausible_torques
from jounce.identification.cleaning import explain_unused, samples
from jounce.identification.columns import component_labels, join_names
from jounce.identification.data import DataSummary, Recording, Samples, read_log
from jounce.identification.momentum import MomentumForm
from jounce.identification.options import Options
from jounce.identification.regression import Equations, Factors, Layout
from jounce.identification.robust import Outliers, Weighting, equation_arrays, excerpt_size, huber
from jounce.identification.sampling import RowSample
from jounce.identification.summaries import SAMPLES, PartitionSummary
from jounce.identification.workers import one_blas_thread
from jounce.utils import track

if TYPE_CHECKING:
    from jounce.identification.partitions import Partition
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Rows at the beginning of a partition whose units are checked, and least number of rows of a
#: motion in which constant torques are reported.
_CHECKED_ROWS, _MIN_MOVING_ROWS = 5000, 10

#: Options of `read_log`.
LOG_OPTIONS = ("columns", "units", "degrees", "torque_scale", "time_scale")

#: What to do about a partition that cannot be used.
SKIP = "skip_broken=True (--skip-broken) leaves out such files"


@dataclass(frozen=True, eq=False)
class PartitionInfo:
    """Header of a partition."""

    rows: int = 0
    torques: tuple[bool, ...] = ()  # which (nv,) were measured
    stamp: str = ""  # changes with its files; empty if it is not a file
    broken: str = ""  # why it cannot be used; empty if it can
    doubt: str = ""  # why its units are not plausible; empty if they are


@dataclass(frozen=True, eq=False)
class PartitionTask:
    """A pass over a partition: the first one, or one with weights."""

    partition: Partition
    cuts: Sequence[int]  # rows at which parts begin that have factors of their own, from 0
    folds: Sequence[int]  # blocks of cross-validation that the parts belong to
    first_row: int  # among the rows of all partitions
    key: str  # hash of all that the result depends on; empty if it cannot be stored
    weighting: Weighting | None = None  # of the rows; None for the first pass

    @property
    def name(self) -> str:
        """Name of the partition in messages."""
        return self.partition.name

    def __str__(self) -> str:
        return self.name

    def place(self, summary: PartitionSummary) -> PartitionSummary:
        """Return the summary as part of the whole dataset."""
        return summary.place(self.first_row, self.folds)


@dataclass(eq=False)
class PartitionReader:
    """Reads partitions of the data of a robot; it is sent to workers."""

    robot: Robot | Mechanism
    options: Options
    layout: Layout  # columns of the equations
    prior: np.ndarray  # parameters (p,) whose torques the measured ones are compared with
    several: bool  # whether there are several partitions, so that messages name them
    _opened: tuple[Any, Recording] | None = None

    def __getstate__(self) -> dict[str, Any]:
        # without options that readers do not need, which may be large, and without open files
        options = replace(self.options, prior=None, weights=None, client=None, keep=None, fixed=())
        return {**vars(self), "options": options, "_opened": None}

    def open(self, partition: Partition) -> Recording:
        """Open the recording of a partition; the last one stays open."""
        opened = self._opened  # other threads may open other recordings in the meantime
        if opened is None or opened[0] is not partition.data:
            chosen = {k: getattr(self.options, k) for k in LOG_OPTIONS}
            opened = partition.data, read_log(partition.data, self.robot, **chosen)
            self._opened = opened
        return opened[1]

    def inspect(
        self, partition: Partition, pool: ThreadPoolExecutor | None = None
    ) -> PartitionInfo:
        """Return the header of a partition; a broken one is reported in it."""
        try:
            with one_blas_thread(), np.errstate(all="ignore"):
                recording = self.open(partition)
                torques = tuple(bool(x) for x in recording.measured)
                doubt = self._check_units(recording)
                stamp = partition.fingerprint()
                return PartitionInfo(recording.length, torques, stamp, doubt=doubt)
        except DataError as error:
            if not self.several:
                raise
            return PartitionInfo(broken=_reason(partition, error))

    def _check_units(self, recording: Recording) -> str:
        """Return why the units of the first rows are implausible, or ""; see `trust_units`."""
        if self.options.trust_units or not self.several:
            return ""
        pieces = self._with_accelerations(recording, _CHECKED_ROWS)
        head = next((piece for piece in pieces if len(piece)), None)
        if head is None:
            return ""
        ranges, robot = ValueRanges(), recording.robot
        ranges.watch(head)
        still = (np.ptp(head.tau, axis=0) == 0.0) & (np.ptp(head.v, axis=0) > 0.0)
        still &= recording.measured & (len(head) >= _MIN_MOVING_ROWS)
        if still.any():
            names = component_labels(robot, "tau")
            columns = join_names(f"tau_{names[i]}" for i in np.flatnonzero(still))
            return f"the first {len(head):,} rows of {columns} are constant; is a sensor off?"
        doubt = implausible_angle(robot, ranges)
        if not doubt and np.any(self.prior[self.layout.groups["inertia"]]):
            expected = self.layout.torques(self.prior, head.q, head.v, head.a)
            tau, expected = (x[:, recording.measured] for x in (head.tau, expected))
            doubt = implausible_torques(tau, expected)
        return doubt

    def _with_accelerations(self, recording: Recording, size: int) -> Iterator[Samples]:
        """Return samples with accelerations, for the momentum form of the equations too."""
        cutoff = None if self.options.momentum else self.options.cutoff
        return samples(recording, size, DataSummary(), cutoff=cutoff, rate=self.options.rate)

    # -------------------------------------------------------------- passes

    def read(self, task: PartitionTask, pool: ThreadPoolExecutor | None = None) -> PartitionSummary:
        """Return the summary of a partition, or the reason for leaving it out."""
        try:
            with one_blas_thread(), np.errstate(all="ignore"):
                recording = _RecordingPass(self, task, pool)
                if task.weighting is None:
                    return recording.summarize()
                return recording.weight(task.weighting)
        except DataError as error:
            if not self.several:
                raise
            reason = _reason(task.partition, error)
            if task.weighting is not None:
                hint = "it could be read in the pass before: run it again"
                raise DataError(f"{task.name}: {reason}; {hint}") from error
            if self.options.skip_broken:
                return PartitionSummary(data=DataSummary(left_out={task.name: reason}))
            raise DataError(f"{task.name}: {reason}; {SKIP}") from error


def _reason(partition: Partition, error: DataError) -> str:
    """Return the message of an error about a partition without its name."""
    text = str(error)
    for name in {partition.name, partition.path or ""}:
        for start in (f"cannot read '{name}': ", f"'{name}': ", f"{name}: ", f"{name}, "):
            text = text.removeprefix(start)
    return text


class _RecordingPass:
    """A pass over one recording."""

    def __init__(
        self, reader: PartitionReader, task: PartitionTask, pool: ThreadPoolExecutor | None
    ) -> None:
        self.reader, self.recording = reader, reader.open(task.partition)
        self.layout, self.options = reader.layout, reader.options
        self.cuts, self.name, self.pool = task.cuts, task.name if reader.several else "", pool
        self.summary = DataSummary()
        self.parts = [Factors(self.layout) for _ in self.cuts]

    def summarize(self) -> PartitionSummary:
        """Return the result of the first pass: factors, samples and ranges of values."""
        kept, ranges = RowSample(SAMPLES), ValueRanges()
        filtered = RowSample(excerpt_size(self.layout) if self.options.momentum else 0)
        has_accelerations = "a" in self.recording.has or not self.options.momentum

        def watch(piece: Samples) -> None:
            ranges.watch(piece, self.recording.source)
            if len(piece) and has_accelerations:
                kept.add(piece.arrays())

        for equations in self._equations(watch):
            if self.options.momentum:
                filtered.add(equation_arrays(equations))
            self._compress(equations, None)
        if not any(part.count for part in self.parts):
            raise DataError(
                f"{self.recording.source}: none of its {self.summary.rows} rows can be used:"
                f" {self._explain_unused()}"
            )
        if (
            not has_accelerations
        ):  # the first samples, for plots of a fit that needs no accelerations
            for piece in islice(self.reader._with_accelerations(self.recording, SAMPLES), 1):
                if len(piece):
                    kept.add(piece.arrays())
        ranges.gap = self.recording.gap
        if self.summary.missing:
            self.summary.missing_in = {self.name: self.summary.missing}
        return PartitionSummary(self._factors(), self.summary, kept, filtered, ranges)

    def weight(self, weighting: Weighting) -> PartitionSummary:
        """Return outliers and, unless they are only counted, factors with Huber weights."""
        outliers = Outliers()
        for equations in self._equations():
            residuals = self.layout.residuals(weighting.theta, equations)
            outliers.add(self.name, equations.rows, residuals, weighting.scales)
            if not weighting.only_count:
                self._compress(equations, huber(residuals, weighting.scales))
        return PartitionSummary(self._factors(), outliers=outliers)

    def _factors(self) -> dict[int, Any]:
        return {k: part.compressed for k, part in enumerate(self.parts)}

    def _equations(self, watch: Callable[[Samples], None] | None = None) -> Iterator[Equations]:
        """Yield the equations of all samples, torques without those of known drives."""
        size = self.layout.piece()
        pieces = samples(
            self.recording,
            size,
            self.summary,
            cutoff=self.options.cutoff,
            rate=self.options.rate,
            accelerations=not self.options.momentum,
        )
        momentum = MomentumForm(self.layout, self.options, self.summary)
        inertial = 0 if self.options.momentum else 10 * self.layout.robot.nb
        buffer = np.empty((size, self.layout.robot.nv, inertial))
        if not self.name:
            total = -(-self.recording.length // size)
            pieces = track(pieces, "reading", total=total, quiet=True)
        for piece in pieces:
            if watch is not None:
                watch(piece)
            if len(piece) and self.options.momentum:
                yield from momentum(piece)
            elif len(piece):
                state = (piece.rows, piece.q, piece.v, piece.a, piece.tau)
                yield self.layout.of_samples(*state, out=buffer[: len(piece)])

    def _compress(self, equations: Equations, weights: np.ndarray | None) -> None:
        """Add equations to the factors of their parts, and check that they are finite."""
        place = np.searchsorted(self.cuts, equations.rows, side="right") - 1
        for k in np.unique(place):
            rows = slice(*np.searchsorted(place, (k, k + 1)))
            part = equations[rows]
            self.parts[k].add(part, None if weights is None else weights[rows], self.pool)
            if not self.parts[k].is_finite():
                wrong = ~np.isfinite(part.Y).all(axis=(1, 2))
                where = f", row {part.rows[wrong][0]} (from 0)" if wrong.any() else ""
                raise DataError(
                    f"{self.recording.source}{where}: torques at this state are NaN or infinite,"
                    " because of quaternions that are zero, or values far too large; correct or"
                    " remove such rows"
                )

    def _explain_unused(self) -> str:
        """Return why no row can be used, and what to do, as text."""
        if self.options.momentum and self.summary.used:
            return (
                "the filter of the momentum form takes longer to settle; record longer, raise"
                " cutoff, or omit momentum"
            )
        reason = explain_unused(self.summary, self.options.cutoff)
        piece, robot = next(self.recording.read(SAMPLES)), self.recording.robot
        empty = []
        for k, x in piece.items():
            labels = ["t"] if k == "t" else [f"{k}_{x}" for x in component_labels(robot, k)]
            columns = x.reshape(len(x), -1).T
            pairs = zip(labels, columns, strict=True)
            empty += [label for label, values in pairs if not np.isfinite(values).any()]
        return f"{reason} ({join_names(empty)})" if empty else reason
