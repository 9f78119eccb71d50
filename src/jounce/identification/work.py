"""What is done to each partition, here or on another machine: a first look, and passes over it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.data import Recording, open_recording
from jounce.identification.files import reading
from jounce.identification.partitions import Partition
from jounce.identification.reading import Reader, first_samples
from jounce.identification.records import Record
from jounce.identification.remote import is_url, stamp
from jounce.identification.survey import HEAD, Facts, Units
from jounce.identification.workers import one_blas_thread

if TYPE_CHECKING:
    from jounce.identification.options import Options
    from jounce.identification.regression import Layout
    from jounce.identification.robust import Weighing
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism

#: What to do about a partition that cannot be used.
SKIP = "skip_broken=True (--skip-broken) leaves out such files"


@dataclass(eq=False)
class Work:
    """What every partition needs: the robot, options, and the equations' layout.

    prior: parameters (p,) that torques are expected from. several: whether there is more than one
    partition, so that messages name them.
    """

    robot: Robot | Mechanism
    options: Options
    layout: Layout
    prior: np.ndarray
    several: bool
    _opened: tuple[Any, Recording] | None = None

    @classmethod
    def of(
        cls,
        robot: Robot | Mechanism,
        options: Options,
        layout: Layout,
        prior: np.ndarray,
        several: bool,
    ) -> Work:
        """Without what is nothing to the readers of partitions, and may be large."""
        plain = replace(options, prior=None, weights=None, client=None, keep=None, fixed=())
        return cls(robot, plain, layout, prior, several)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_opened": None}  # a file is open in one process only

    def open(self, partition: Partition) -> Recording:
        """The recording of a partition; the last one stays open."""
        found = self._opened  # other threads may open others meanwhile
        if found is None or found[0] is not partition.data:
            names = ("columns", "degrees", "torque_scale", "time_scale")
            chosen = {k: getattr(self.options, k) for k in names}
            found = partition.data, open_recording(partition.data, self.robot, **chosen)
            self._opened = found
        return found[1]

    def survey(self, partition: Partition) -> Facts:
        """A first look; broken partitions are not an error yet."""
        try:
            recording = self.open(partition)
            units = self._units(recording) if self.several else None
            return Facts(recording.length, _mask(recording), _stamp(partition), units)
        except DataError as error:
            if not self.several:
                raise
            return Facts(broken=reason(partition, error))

    def _units(self, recording: Recording) -> Units | None:
        """What tells the units, from the first rows that can be used."""
        if self.options.trust_units:
            return None
        head = next((x for x in first_samples(recording, self.options, HEAD) if len(x)), None)
        if head is None:
            return None
        known = np.any(self.prior[self.layout.groups["inertia"]])
        expected = self.layout.torques(self.prior, head.q, head.v, head.a) if known else None
        return Units.of(recording, head, expected)


def _mask(recording: Recording) -> tuple[bool, ...]:
    return tuple(bool(x) for x in recording.measured)


def _stamp(partition: Partition) -> str:
    """What changes when the file does."""
    path = partition.path
    if path is None:
        return ""
    if is_url(path):
        return f"{path} {stamp(path)}"
    with reading(path):
        inside = sorted(x.path for x in os.scandir(path)) if os.path.isdir(path) else [path]
        found = [(x, os.stat(x)) for x in inside]
    return " ".join(f"{os.path.abspath(x)} {y.st_size} {y.st_mtime_ns}" for x, y in found)


def reason(partition: Partition, error: DataError) -> str:
    """An error about a partition without its name."""
    text = str(error)
    for name in {partition.name, partition.path or ""}:
        for start in (f"cannot read '{name}': ", f"'{name}': ", f"{name}: ", f"{name}, "):
            text = text.removeprefix(start)
    return text


@dataclass(frozen=True, eq=False)
class Item:
    """A pass over a partition: the first, or one that weighs rows as asked.

    cuts: rows at which its parts begin, folds: those they belong to, before: rows of the partitions
    before.
    """

    partition: Partition
    stamp: str
    cuts: Sequence[int]
    folds: Sequence[int]
    before: int
    asked: Weighing | None = None

    def __str__(self) -> str:
        return self.partition.name


def survey(work: Work, partition: Partition, pool: ThreadPoolExecutor | None = None) -> Facts:
    """A first look at a partition, for which one thread is enough."""
    with one_blas_thread(), np.errstate(all="ignore"):
        return work.survey(partition)


def compress(work: Work, item: Item, pool: ThreadPoolExecutor | None = None) -> Record:
    """The record of a partition by itself; one that says why where it is to be left out.

    What could be read in the first pass must not be missing in another.
    """
    partition = item.partition
    try:
        with one_blas_thread(), np.errstate(all="ignore"):
            name = partition.name if work.several else ""
            reader = Reader(work.open(partition), work.layout, work.options, name)
            if item.asked is None:
                return reader.first(item.cuts, pool)
            return reader.weighed(item.asked, item.cuts, pool)
    except DataError as error:
        if not work.several:
            raise
        why = reason(partition, error)
        if item.asked is not None:
            told = "it could be read in the pass before: run it again"
            raise DataError(f"{partition.name}: {why}; {told}") from error
        if work.options.skip_broken:
            return Record.left_out(partition.name, why)
        raise DataError(f"{partition.name}: {why}; {SKIP}") from error


def compress_placed(work: Work, item: Item, pool: ThreadPoolExecutor | None = None) -> Record:
    """The record of a partition among others."""
    return compress(work, item, pool).placed(item.before, item.folds)


def added(one: Record, other: Record) -> Record:
    """The record of both."""
    with one_blas_thread(), np.errstate(all="ignore"):
        return one + other
