"""All partitions of the data, and passes over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import component_labels, join_names
from jounce.identification.data import NAMED, DataSummary
from jounce.identification.map_reduce import Executor, RecordStore, map_reduce
from jounce.identification.partition_reader import (
    LOG_OPTIONS,
    SKIP,
    PartitionInfo,
    PartitionReader,
    PartitionTask,
)
from jounce.identification.partitions import Partition
from jounce.identification.regression import Factors, Layout
from jounce.identification.robust import Weighting
from jounce.identification.summaries import PartitionSummary
from jounce.utils import hash_content

if TYPE_CHECKING:
    from jounce.identification.options import Options
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Estimated fraction of distinct rows below which the data are reported as copies.
_MIN_DISTINCT = 0.75

#: Format of stored records; records of other formats are computed again.
_FORMAT = 5

#: Options that a record depends on, beside the robot.
_RECORD_OPTIONS = (
    *("armature", "friction", "offset", "smoothing", "rate", "cutoff", "momentum"),
    *LOG_OPTIONS,
)


class Dataset:
    """The usable partitions of the data.

    source: name of the data. layout: columns of the equations; initially with all torques, later
    with the measured ones. prior (p,): parameters whose torques the measured ones are compared
    with. executor: reads the partitions. summary: of all data; collects the warnings.
    """

    def __init__(
        self,
        robot: Robot | Mechanism,
        options: Options,
        source: str,
        partitions: Sequence[Partition],
        layout: Layout,
        prior: np.ndarray,
        executor: Executor,
    ) -> None:
        self.options, self.executor, self.source = options, executor, source
        if options.client is not None:
            partitions = [_check_sendable(part.absolute()) for part in partitions]
        self.names = [part.name for part in partitions]
        self.summary = DataSummary(source, partitions=len(partitions))
        reader = PartitionReader(robot, options, layout, prior, len(partitions) > 1)
        infos = dict(executor.each(PartitionReader.inspect, reader, partitions, "inspecting"))
        infos = self._check([infos[k] for k in range(len(partitions))], layout)
        torques = next(x.torques for x in infos if not x.broken)
        self.layout = replace(layout, measured=np.array(torques))
        self.reader = replace(reader, layout=self.layout)
        _ = self.layout.places  # computed here once, not by every worker
        self.tasks = self._place(partitions, infos)
        self.store = None if options.keep is None else RecordStore(options.keep)

    def _check(self, infos: Sequence[PartitionInfo], layout: Layout) -> list[PartitionInfo]:
        """Mark partitions that are not consistent with the others as broken.

        Units that are implausible in all partitions only cause a warning later.
        """
        usable = [x for x in infos if not x.broken]
        common = usable[0].torques if usable else ()
        labels = component_labels(layout.robot, "tau")
        differ = any(not x.doubt for x in usable)
        out = []
        for x in infos:
            if not x.broken and x.torques != common:
                torques, others = (
                    join_names([f"tau_{name}" for name, has in zip(labels, y, strict=True) if has])
                    for y in (x.torques, common)
                )
                reason = f"it has other torques, {torques}, than the first file, {others}"
                x = replace(x, broken=reason)
            elif not x.broken and x.doubt and differ:
                reason = f"{x.doubt} (unlike other files)"
                x = replace(x, broken=f"{reason}; trust_units=True (--trust-units) accepts it")
            out.append(x)
        self._leave_out({k: x.broken for k, x in zip(self.names, out, strict=True) if x.broken})
        return out

    def _leave_out(self, broken: dict[str, str]) -> None:
        """Record unusable partitions; raise an error unless they are to be skipped."""
        if not broken:
            return
        known = {**self.summary.left_out, **broken}
        name, why = next(iter(broken.items()))
        if len(known) == self.summary.partitions:
            raise DataError(
                f"{self.source}: none of its {len(known)} partitions can be used; {name}: {why}"
            )
        if not self.options.skip_broken:
            others = [x for x in broken if x != name]
            named = ", ".join(others[:NAMED]) + (", ..." if len(others) > NAMED else "")
            remark = f"; nor can {len(others)} others be used ({named})" if others else ""
            raise DataError(f"{name}: {why}{remark}; {SKIP}")
        self.summary.left_out = {x: known[x] for x in self.names if x in known}

    def _place(
        self, partitions: Sequence[Partition], infos: Sequence[PartitionInfo]
    ) -> list[PartitionTask]:
        """Return tasks for the usable partitions, divided into the blocks of cross-validation.

        Blocks are consecutive rows of the concatenated partitions.
        """
        folds = max(self.options.folds, 1)
        total = max(sum(x.rows for x in infos if not x.broken), 1)
        edges = np.unique([-(-k * total // folds) for k in range(1, folds)])
        chosen = [(name, getattr(self.options, name)) for name in _RECORD_OPTIONS]
        robot, several = self.reader.robot.content_hash, self.reader.several
        common = hash_content(_FORMAT, robot, self.layout.measured, chosen, several)
        out, first = [], 0
        for part, x in zip(partitions, infos, strict=True):
            if x.broken:
                continue
            inside = edges[(edges > first) & (edges < first + x.rows)] - first
            cuts = (0, *(int(cut) for cut in inside))
            blocks = [(first + cut) * folds // total for cut in cuts]
            key = hash_content(common, x.stamp, cuts) if x.stamp else ""
            out.append(PartitionTask(part, cuts, blocks, first, key))
            first += x.rows
        return out

    # -------------------------------------------------------------- passes

    def read(self, weighting: Weighting | None = None) -> PartitionSummary:
        """Return the summary of a pass over all partitions: the first one, or one with weights."""
        tasks = self.tasks
        if weighting is not None:
            settings = (weighting.theta, weighting.scales, weighting.only_count)
            tasks = [
                replace(x, weighting=weighting, key=x.key and hash_content(x.key, settings))
                for x in tasks
            ]
        return map_reduce(PartitionReader.read, self.reader, tasks, self.executor, self.store)

    def summarize(self) -> PartitionSummary:
        """Return the summary of the first pass, and warn about what it shows."""
        result = self.read()
        self._leave_out(result.data.left_out)
        self.tasks = [x for x in self.tasks if x.name not in self.summary.left_out]
        self.summary = replace(
            result.data,
            source=self.source,
            partitions=self.summary.partitions,
            left_out=self.summary.left_out,
            missing_in=result.data.missing_in if self.reader.several else {},
        )
        if self.summary.left_out:
            self.summary.warn(self.summary.describe_left_out() + self._describe_blocks(result))
        sample = result.samples
        if sample.distinct < _MIN_DISTINCT * sample.seen:
            about = "" if sample.is_complete else "about "
            self.summary.warn(
                f"its {sample.seen} rows are copies of only {about}{sample.distinct} different"
                " ones; remove the copies, which make standard deviations too small"
            )
        return result

    def _describe_blocks(self, result: PartitionSummary) -> str:
        """Return how broken files changed the blocks of cross-validation, as text."""
        if not result.data.left_out or self.options.folds < 2:
            return ""
        count, cut = len(result.factors), self.options.folds
        remark = f", and {count} of {cut} are left" if count < cut else ""
        return f"; so the blocks of cross-validation differ in length{remark}"

    def split(self, result: PartitionSummary) -> list[Factors]:
        """Return the factors of each block of cross-validation."""
        folds = range(max(self.options.folds, 1))
        return [Factors(self.layout, result.factors.get(k)) for k in folds]


def _check_sendable(part: Partition) -> Partition:
    """Return the partition; raise an error if data in memory cannot be sent to workers."""
    if part.path is None:
        from cloudpickle import dumps  # a dependency of Dask

        try:
            dumps(part.data, protocol=5, buffer_callback=lambda _: None)  # arrays are not copied
        except Exception as error:  # pickling may raise any exception
            raise DataError(
                f"{part.name}: expected data that can be sent to workers, found"
                f" {type(part.data).__name__}, which cannot be pickled ({error}); write it to a"
                " file that they can read, such as .parquet, or omit client="
            ) from error
    return part
