"""All partitions of the data, and passes over them: by this process, or by the workers of Dask.

Each partition becomes a record (`jounce.identification.records`), and these are added as a binary
tree in the order of the partitions. Only what is left in the end comes to this process, unless
records are to be kept here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from jounce.errors import DataError
from jounce.identification.data import NAMED, DataSummary, Samples
from jounce.identification.keeping import Keeper
from jounce.identification.partitions import Partition
from jounce.identification.records import Record
from jounce.identification.regression import Factors, Layout
from jounce.identification.robust import Excerpt, Weighing
from jounce.identification.survey import Facts, common_torques, odd_columns, odd_units
from jounce.identification.work import SKIP, Item, Work, added, compress, compress_placed, survey
from jounce.utils.progress import track
from jounce.utils.sums import tree_sum

if TYPE_CHECKING:
    from jounce.identification.options import Options
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism


#: Share of the rows that are different ones, below which there are copies; it is estimated.
_DISTINCT = 0.75


class Crew(Protocol):
    """Who works on the partitions."""

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """do(shared, item) of each item with its number, as they are done.

        title: what is done, for a bar that shows how far it has come.
        """
        ...

    def total(
        self,
        do: Callable[..., Any],
        add: Callable[..., Any],
        shared: Any,
        items: Sequence[Any],
        title: str,
    ) -> Any:
        """The sum of do(shared, item) of all items, added as a binary tree in their order."""
        ...


class Here:
    """This process, one partition after the other; a pool of threads shares each."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self.pool = pool

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """See `Crew`."""
        for k, item in enumerate(items if len(items) == 1 else track(items, title, quiet=True)):
            yield k, do(shared, item, pool=self.pool)

    def total(
        self,
        do: Callable[..., Any],
        add: Callable[..., Any],
        shared: Any,
        items: Sequence[Any],
        title: str,
    ) -> Any:
        """See `Crew`."""
        return tree_sum((found for _, found in self.each(do, shared, items, title)), add)


@contextmanager
def crew(options: Options, pool: ThreadPoolExecutor | None) -> Iterator[Crew]:
    """Who is to do the work."""
    if options.client is None:
        yield Here(pool)
        return
    try:
        from jounce.arrays.dask_adapter.cluster import Cluster, connected
    except ImportError:
        raise ImportError('client= needs Dask; install it: pip install "jounce[dask]"') from None
    hint = (
        "keep='folder' (--keep FOLDER) would let the next run go on from there"
        if options.keep is None
        else f"run it again: what was done is kept in '{options.keep}', and it goes on from there"
    )
    with connected(options.client) as client:
        yield Cluster(client, hint)


class Collection:
    """The partitions of the data that can be used, and what is to be made of them.

    layout: of the equations, with the torques that were measured. summary: of all data, which
    takes what is noticed.
    """

    def __init__(
        self,
        robot: Robot | Mechanism,
        data: tuple[str, list[Partition]],
        options: Options,
        layout: Layout,
        prior: np.ndarray,
        crew: Crew,
    ) -> None:
        """layout: with all torques. prior: parameters (p,) that torques are expected from."""
        self.options, self.crew = options, crew
        self.source, parts = data
        if options.client is not None:
            parts = [_sent(part.absolute()) for part in parts]
        work = Work.of(robot, options, layout, prior, len(parts) > 1)
        self.summary = DataSummary(self.source, partitions=len(parts))
        self._order = [part.name for part in parts]
        facts: list[Facts] = [Facts()] * len(parts)
        for k, found in crew.each(survey, work, parts, "looking"):
            facts[k] = found
        facts = self._sound(layout, parts, facts)
        mask = np.array(common_torques(facts))
        self.layout = replace(layout, measured=mask)
        self.work = replace(work, layout=self.layout)
        _ = self.layout.places  # what is computed of it here needs not be on every worker
        self.items = _items(parts, facts, options.folds)
        self.keeper = None if options.keep is None else Keeper(options.keep, self.work)

    def _sound(
        self, layout: Layout, parts: Sequence[Partition], facts: Sequence[Facts]
    ) -> list[Facts]:
        """Facts of which those of partitions that do not fit the others say so."""
        out = list(facts)
        if not all(x.broken for x in out):
            for k, why in odd_columns(layout.robot, out, common_torques(out)).items():
                out[k] = replace(out[k], broken=why)
            for k, why in odd_units(layout.robot, out).items():
                out[k] = replace(
                    out[k], broken=f"{why}; trust_units=True (--trust-units) takes it as it is"
                )
        self._leave_out({p.name: x.broken for p, x in zip(parts, out, strict=True) if x.broken})
        return out

    def _leave_out(self, broken: dict[str, str]) -> None:
        """Note partitions that cannot be used, which is an error unless they are to be skipped."""
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
            more = f"; nor can {len(others)} others be used ({named})" if others else ""
            raise DataError(f"{name}: {why}{more}; {SKIP}")
        self.summary.left_out = {x: known[x] for x in self._order if x in known}

    # -------------------------------------------------------------- passes

    def first(self) -> Record:
        """The record of all partitions; what is to be said of it is noted."""
        record = self.compress(None)
        self._leave_out(record.summary.left_out)
        self.items = [x for x in self.items if x.partition.name not in self.summary.left_out]
        found = record.summary
        self.summary = replace(
            found,
            source=self.source,
            partitions=self.summary.partitions,
            left_out=self.summary.left_out,
            missing_in=found.missing_in if self.work.several else {},
        )
        if self.summary.left_out:
            self.summary.warn(self.summary.told_left_out() + self._told_blocks(record))
        kept = record.kept
        if kept.distinct < _DISTINCT * kept.seen:
            about = "about " if kept.every > 1 else ""
            self.summary.warn(
                f"its {kept.seen} rows are copies of only {about}{kept.distinct} different ones;"
                " copies tell nothing new, and make standard deviations too small: remove them"
            )
        return record

    def _told_blocks(self, record: Record) -> str:
        """What files that were left out only when they were read did to cross-validation."""
        if not record.summary.left_out or self.options.folds < 2:
            return ""
        left, cut = len(record.factors), self.options.folds
        few = f", and {left} of {cut} are left" if left < cut else ""
        return f"; blocks of cross-validation were cut before that, and differ in length{few}"

    def compress(self, asked: Weighing | None) -> Record:
        """The record of a pass over all partitions."""
        items = [replace(item, asked=asked) for item in self.items]
        if self.keeper is None:
            return self.crew.total(compress_placed, added, self.work, items, "reading")
        return self._kept(self.keeper, items)

    def _kept(self, keeper: Keeper, items: Sequence[Item]) -> Record:
        """The same, where only what is not kept yet is done, and kept at once."""
        missing = [item for item in items if keeper.get(item) is None]
        loose: dict[str, Record] = {}
        for k, record in self.crew.each(compress, self.work, missing, "reading"):
            if missing[k].stamp and not record.summary.left_out:
                keeper.put(missing[k], record)
            else:
                loose[missing[k].partition.name] = record

        def placed(item: Item) -> Record:
            record = loose.get(item.partition.name) or keeper.get(item)
            if record is None:
                raise DataError(f"keep: what was kept of {item.partition.name} is gone")
            return record.placed(item.before, item.folds)

        return tree_sum(map(placed, items), added)

    def parts(self, record: Record) -> list[Factors]:
        """The factors of each fold."""
        folds = range(max(self.options.folds, 1))
        return [Factors(self.layout, record.factors.get(k)) for k in folds]

    def excerpt(self, record: Record) -> Excerpt:
        """Some of the equations."""
        out = Excerpt.of(self.layout)
        out.held = record.excerpt
        return out

    def kept(self, record: Record) -> Samples:
        """Some of the samples."""
        return Samples.of(record.kept.arrays())


def _sent(part: Partition) -> Partition:
    """The same; an error where what is in memory cannot travel to workers."""
    if part.path is None:
        from cloudpickle import dumps  # which Dask brings

        try:
            dumps(part.data, protocol=5, buffer_callback=lambda _: None)  # arrays are not copied
        except Exception as error:  # whatever objects make of it
            raise DataError(
                f"{part.name}: expected what can be sent to workers, found"
                f" {type(part.data).__name__}, which cannot be pickled ({error}); write it to a"
                " file that they see, such as .parquet, or leave client= out"
            ) from error
    return part


def _items(parts: Iterable[Partition], facts: Sequence[Facts], folds: int) -> list[Item]:
    """The partitions that can be used, and which of their rows are of which fold.

    Folds are blocks of all rows, one partition after the other.
    """
    folds = max(folds, 1)
    total = max(sum(x.length for x in facts if not x.broken), 1)
    edges = np.unique([-(-k * total // folds) for k in range(1, folds)])
    out, before = [], 0
    for part, x in zip(parts, facts, strict=True):
        if x.broken:
            continue
        inside = edges[(edges > before) & (edges < before + x.length)] - before
        cuts = (0, *(int(cut) for cut in inside))
        own = [(before + cut) * folds // total for cut in cuts]
        out.append(Item(part, x.stamp, cuts, own, before))
        before += x.length
    return out
