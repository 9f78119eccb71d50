"""Division of results among groups of threads, by the operations that they have in common.

A program that exceeds the instruction cache is several times slower. The groups of its results each
have a shorter program, but compute common subexpressions again. Sets of operations are integers
whose bits are set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.nvptx.schedule import find_dependencies

#: Approximate slowdown of programs that exceed the instruction cache.
_CACHE_MISS_COST = 3.5

#: Largest growth of a program that exceeds the cache already when another one is merged into it.
_MAX_GROWTH = 1.1

#: Largest numbers of units that rows or columns are divided into, to bound the planning time.
_MAX_UNITS, _MAX_CLUSTERED_UNITS = 32, 64

#: Operations that take as long as reading an entry of an input.
_INPUT_COST = 25

#: Fractions of the largest program for which further divisions are tried.
_SIZES = (0.8, 0.6)


@dataclass(frozen=True)
class Entry:
    """An entry of a result: its flat index `place`, its value, and its position along the axes.

    row, column: from 0 to 1 along the first and the last axis that count joints or bodies.
    """

    result: int
    place: int
    value: int
    row: float
    column: float


@dataclass(frozen=True)
class Unit:
    """Entries that are computed by the same threads, and the operations of their program."""

    work: int = field(repr=False)
    entries: list[Entry]

    @property
    def operations(self) -> int:
        """Number of operations."""
        return self.work.bit_count()

    def __add__(self, other: Unit) -> Unit:
        return Unit(self.work | other.work, self.entries + other.entries)


def result_entries(tape: Tape, outputs: Sequence[Shape]) -> list[Entry]:
    """Return the entries of all results."""
    entries, values = [], iter(tape.outputs)
    for r, shape in enumerate(outputs):
        sizes = [n for n in shape if 2 * n >= max(shape)] or [1]
        axes = [k for k, n in enumerate(shape) if 2 * n >= max(shape)]
        steps = [math.prod(shape[k + 1 :]) for k in axes]
        for place in range(math.prod(shape)):
            where = [place // step % n / n for step, n in zip(steps, sizes, strict=False)] or [0.0]
            entries.append(Entry(r, place, next(values), where[0], where[-1]))
    return entries


def _units(tape: Tape, entries: Iterable[Entry], key: Callable[[Entry], int]) -> list[Unit]:
    """Return the units of entries that have the same key, in the order of the keys."""
    by_key: dict[int, list[Entry]] = {}
    for entry in entries:
        by_key.setdefault(key(entry), []).append(entry)
    return [
        Unit(_bits(find_dependencies(tape, [x.value for x in by_key[k]])), by_key[k])
        for k in sorted(by_key)
    ]


def _bits(numbers: Sequence[int]) -> int:
    """Return the integer with these bits."""
    packed = bytearray(max(numbers, default=0) // 8 + 1)
    for i in numbers:
        packed[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(packed, "little")


# ------------------------------------------------------------------ rows and columns


def partitions(tape: Tape, entries: Sequence[Entry], max_operations: int) -> list[list[Unit]]:
    """Return divisions of the entries, the one estimated to be fastest first.

    Entries are divided by rows, which are contiguous in memory; units whose program is still too
    long are divided by columns.
    """
    single = [Unit(_bits(range(len(tape))), list(entries))]
    if len(tape) <= max_operations and len(tape.outputs) <= max_operations:
        return [single]
    limits = [max_operations, *(int(size * max_operations) for size in _SIZES)]
    candidates = [single, *(_divide(tape, entries, limit) for limit in limits)]
    costs = [
        cost(units, limit) + _INPUT_COST * tape.n_inputs * len(units)
        for units, limit in zip(candidates, [max_operations, *limits], strict=True)
    ]
    best = candidates[costs.index(min(costs))]
    return [best] if best is single else [best, single]


def cost(units: Sequence[Unit], max_operations: int) -> float:
    """Estimate the time of units, in operations."""
    return sum(
        unit.operations * (_CACHE_MISS_COST if unit.operations > max_operations else 1.0)
        for unit in units
    )


def _divide(tape: Tape, entries: Sequence[Entry], max_operations: int) -> list[Unit]:
    """Return the division by rows, of long programs by columns."""
    rows = _units(tape, entries, lambda x: int(x.row * _MAX_UNITS))
    partition: list[Unit] = []
    for row in _merge_neighbors(rows, max_operations):
        columns: list[Unit] = []
        if row.operations > max_operations:
            columns = _units(tape, row.entries, lambda x: int(x.column * _MAX_UNITS))
            columns = _merge_neighbors(columns, max_operations)
        cheaper = columns and cost(columns, max_operations) < cost([row], max_operations)
        partition += columns if cheaper else [row]
    return partition


def _merge_neighbors(units: list[Unit], max_operations: int) -> list[Unit]:
    """Merge neighbors, those with most operations in common first, while their program fits."""
    units = list(units)
    savings = [_saving(*pair, max_operations) for pair in pairwise(units)]
    while savings and max(savings) > 0:
        k = max(range(len(savings)), key=lambda j: (savings[j], j))
        units[k : k + 2] = [units[k] + units[k + 1]]
        around = range(max(k - 1, 0), min(k + 1, len(units) - 1))
        savings[max(k - 1, 0) : k + 2] = [
            _saving(units[j], units[j + 1], max_operations) for j in around
        ]
    return units


def _saving(a: Unit, b: Unit, max_operations: int) -> int:
    """Return the operations that two units save when they are merged; 0: they must not be.

    Programs that are too long already are merged if they hardly grow.
    """
    sizes = a.operations, b.operations
    union = (a.work | b.work).bit_count()
    long = min(sizes) > max_operations
    if union > (_MAX_GROWTH * max(sizes) if long else max_operations):
        return 0
    return sum(sizes) - union + (0 in sizes)  # those without operations join any other


# ------------------------------------------------------------------ clusters


def clusters(tape: Tape, entries: Sequence[Entry], max_operations: int) -> list[Unit]:
    """Return units with few operations in common, wherever their entries are in the results.

    An entry that relates two joints belongs to the one that is farther from the base.
    """
    number = lambda x: int(_MAX_CLUSTERED_UNITS * max(x.row, x.column))  # noqa: E731
    units = dict(enumerate(_units(tape, entries, number)))
    savings = {
        (i, j): _saving(units[i], units[j], max_operations) for i, j in combinations(units, 2)
    }
    fresh = len(units)
    while savings:
        (i, j), saved = max(savings.items(), key=lambda item: (item[1], -item[0][0], -item[0][1]))
        if saved <= 0:
            break
        merged = units.pop(i) + units.pop(j)
        savings = {pair: x for pair, x in savings.items() if i not in pair and j not in pair}
        savings |= {(k, fresh): _saving(unit, merged, max_operations) for k, unit in units.items()}
        units[fresh] = merged
        fresh += 1
    return list(units.values())
