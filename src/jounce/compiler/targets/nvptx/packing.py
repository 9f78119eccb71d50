"""Plans in two kernels: groups of threads compute values, and a second kernel places them.

Results of many joints are large matrices, most entries of which are zeros or copies of others.
Groups of threads that have most operations in common rarely compute whole rows of them, and
scattered writes are slow: memory is written by sectors of 32 bytes. So each group writes the values
it computes one after the other, into memory of the same sample that the results will take. The
second kernel reads all values of a sample, and writes the results from the first entry to the last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import BYTES
from jounce.compiler.targets.nvptx.grouping import (
    Entry,
    Unit,
    clusters,
    cost,
    partitions,
    result_entries,
)
from jounce.compiler.targets.nvptx.plan import (
    MAX_CACHED_OPERATIONS,
    Blocks,
    Plan,
    plan_groups,
    share_of,
)

#: Operations of a group; with more of them, fewer threads share a multiprocessor.
_MAX_OPERATIONS = {"double": 4500, "float": 9000}

#: Smallest ratio of the operations of ordinary groups to those of packed ones: the second kernel
#: takes about as long as the first.
_MIN_RATIO = {"double": 1.3, "float": 1.8}

#: Largest number of values, whose indices are 16 bits wide.
_MAX_VALUES = 1 << 16

#: Blocks of the first kernel (threads, blocks that share a multiprocessor), in order of preference.
_BLOCKS = ((64, 2), (32, 3), (32, 2), (32, 1))


class Range(NamedTuple):
    """Consecutive entries start..stop of a result, which hold values of the first kernel."""

    result: int
    start: int
    stop: int


@dataclass(frozen=True)
class Packing:
    """Places of the values of results between the kernels.

    Attributes
    ----------
    ranges : tuple of Range
        Memory that holds the values, in order.
    constants : tuple of int
        Operands that are constants; they follow the values.
    sources : tuple of tuple of int
        For each entry of each result, the index of its value or constant.
    """

    ranges: tuple[Range, ...]
    constants: tuple[int, ...]
    sources: tuple[tuple[int, ...], ...]

    @property
    def values(self) -> int:
        """Number of values of a sample."""
        return sum(stop - start for _, start, stop in self.ranges)


def plan_packed(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, shared: int
) -> tuple[Plan, Packing] | None:
    """Return the plan of the first kernel, and where its values are; None if one kernel is faster.

    shared: bytes of shared memory that a block can have.
    """
    longest = MAX_CACHED_OPERATIONS[scalar]
    if len(tape) <= longest:
        return None
    entries = result_entries(tape, outputs)
    units = clusters(tape, entries, _MAX_OPERATIONS[scalar])
    ordinary = partitions(tape, entries, longest)[0]
    if cost(ordinary, longest) < _MIN_RATIO[scalar] * cost(units, longest):
        return None
    parts, packing = pack(entries, units, outputs)
    if packing.values + len(packing.constants) > _MAX_VALUES:
        return None
    for threads, blocks in _BLOCKS:
        limit = share_of(shared, blocks)
        plan = plan_groups(tape, inputs, parts, scalar, Blocks(threads, limit, shared))
        if plan.entries * BYTES[scalar] <= limit:
            return plan, packing
    return None


def pack(
    entries: Sequence[Entry], units: Sequence[Unit], outputs: Sequence[Shape]
) -> tuple[list[list[Entry]], Packing]:
    """Return the entries that units write, and where these are.

    entries: all entries of the results. units: groups of them.
    """
    memory = _ResultMemory([math.prod(shape) for shape in outputs])
    places: dict[int, tuple[int, int]] = {}
    parts: list[list[Entry]] = []
    for unit in units:
        first_entries: dict[int, Entry] = {}
        for x in sorted(unit.entries, key=lambda x: (-max(x.row, x.column), x.result, x.place)):
            if x.value >= 0 and x.value not in places:
                first_entries.setdefault(x.value, x)
        taken = memory.take(len(first_entries))
        places |= zip(first_entries, taken, strict=True)
        part = [
            Entry(*place, x.value, x.row, x.column)
            for place, x in zip(taken, first_entries.values(), strict=True)
        ]
        parts += [part] if part else []
    used = memory.used
    ranges = tuple(Range(r, 0, count) for r, count in enumerate(used) if count)
    first = {x.result: sum(y.stop for y in ranges[:k]) for k, x in enumerate(ranges)}
    constants = tuple(sorted({x.value for x in entries if x.value < 0}))
    count = sum(used)
    index = {x: count + k for k, x in enumerate(constants)}
    index |= {x: first[r] + place for x, (r, place) in places.items()}
    sources = [[0] * size for size in memory.sizes]
    for x in entries:
        sources[x.result][x.place] = index[x.value]
    return parts, Packing(ranges, constants, tuple(map(tuple, sources)))


class _ResultMemory:
    """Memory of the results of a sample; used: entries of each that are taken, from the first."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes, self.used = sizes, [0] * len(sizes)

    def take(self, count: int) -> list[tuple[int, int]]:
        """Return places (result, entry) for values, in one result if possible."""
        left = [size - used for size, used in zip(self.sizes, self.used, strict=True)]
        fits = [r for r, free in enumerate(left) if free >= count]
        order = sorted(range(len(left)), key=lambda r: (r not in fits, not self.used[r], -left[r]))
        places: list[tuple[int, int]] = []
        for r in order:
            number = min(count - len(places), left[r])
            places += [(r, self.used[r] + k) for k in range(number)]
            self.used[r] += number
        return places
