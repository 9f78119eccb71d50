"""How a tape is divided among the threads of a GPU: a model of what is fast, and nothing is tried.

A thread computes a sample. What limits it are instructions that do not fit the cache, from where
all threads of a multiprocessor take them one after the other, and numbers that do not fit on the
multiprocessor. So results are divided among several groups of threads, each with a program of its
own, where one program would be too long and the parts have little in common; and what does not fit
the registers lies in shared memory, through which inputs come and results leave besides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from typing import NamedTuple

from jounce.compiler.graph.passes import in_turn
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import BYTES
from jounce.compiler.targets.nvptx.schedule import (
    POOL,
    Part,
    Schedule,
    Slot,
    by_need,
    needed,
    scheduled,
)

#: Operations of a program that stays in the cache of instructions (128 kB); those on doubles come
#: with more instructions for their constants.
_LONG = {"double": 7200, "float": 9000}

#: How much slower instructions come from beyond it, about.
_BEYOND = 1.7

#: How much longer a program may become when another one joins it, if it is too long already.
_HARDLY = 1.1

#: Values of a thread's 255 registers, less what addresses take; several to choose from.
_REGISTERS = {"double": (116,), "float": (150, 220)}

#: Threads that the smaller number of registers is for; where registers are short the compiler is
#: told, as it would take more of them.
_RESIDENT = 384

#: Ways to go through the operations, of which the best is taken.
_ORDERS = ("columns", "turns")

#: Moves per operation from which on registers are short, and up to which fewer will do.
_MOVES = (0.005, 0.08)

#: Rows or columns that are told apart at most, for the sake of time.
_UNITS = 32

#: Threads of a block, or half as many. What a block takes of shared memory besides its own.
_THREADS, _BESIDES = 64, 1 << 10

#: Share of the threads that may share a multiprocessor for which larger blocks make up.
_ENOUGH = 0.75

#: Slots that results of one part may take at most, of those that a block can have.
_SHARE_OF_RESULTS = 0.5


@dataclass(frozen=True)
class Piece:
    """Entries of a result that leave together: where they go, and the slots where they wait.

    The slots are either all in one region, in order, or all in the pool.
    """

    result: int
    places: tuple[int, ...]
    slots: tuple[Slot, ...]

    @property
    def dense(self) -> bool:
        """Whether they have a region of their own."""
        return self.slots[0][0] != POOL

    @property
    def run(self) -> bool:
        """Whether they are neighbours."""
        return self.places[-1] - self.places[0] == len(self.places) - 1


class Staged(NamedTuple):
    """Entries start..stop of an input, and the region they lie in."""

    region: int
    start: int
    stop: int


@dataclass
class Group:
    """What one thread computes of a sample.

    regions: entries of a thread in each region of shared memory, the pool's first. staged: which
    entries of inputs a block copies to a region of their own first. pieces: for each part of the
    schedule, what leaves then. constants: slots of results that are not computed,
    {slot: operand}. few: whether it is for the smaller number of registers; short: whether it
    could use more.
    """

    schedule: Schedule
    regions: list[int]
    staged: dict[int, Staged] = field(default_factory=dict)
    pieces: list[list[Piece]] = field(default_factory=list)
    constants: dict[Slot, int] = field(default_factory=dict)
    few: bool = False
    short: bool = False


@dataclass(frozen=True)
class Plan:
    """Groups of threads, and how many threads, one per sample, a block has."""

    threads: int
    groups: tuple[Group, ...]

    @property
    def resident(self) -> int:
        """Threads for which a multiprocessor shall have registers at least; 0: as it comes."""
        few, short = all(x.few for x in self.groups), any(x.short for x in self.groups)
        return _RESIDENT if few and short else 0

    @property
    def entries(self) -> int:
        """Numbers in the shared memory of a block."""
        return max(self.threads * sum(group.regions) for group in self.groups)


@dataclass(frozen=True)
class _Entry:
    """An entry of a result: which, the value it is, and where it lies along the result's axes.

    row, column: from 0 to 1 along the first and the last axis that count joints or bodies.
    """

    result: int
    place: int
    value: int
    row: float
    column: float


def planned(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    shared: int,
    threads: int = 0,
) -> Plan:
    """The plan of a tape for multiprocessors whose blocks have so many bytes of shared memory.

    threads: of a block, if they are not to be chosen.
    """
    ins = [math.prod(x) for x in inputs]
    item = BYTES[scalar]
    most = shared // (item * (threads or _THREADS // 2))
    needs: list[int] = []
    for parts in _divisions(tape, _entries(tape, outputs), _LONG[scalar]):
        groups = tuple(_group(tape, ins, part, _REGISTERS[scalar], most) for part in parts)
        found = Plan(threads or _THREADS // 2, groups)
        needs.append(found.entries * item)
        if needs[-1] <= shared:
            return found if threads else _widened(found, item, shared)
    raise ValueError(
        f"a kernel of {len(tape):,} operations and {len(tape.outputs):,} results needs"
        f" {min(needs):,} bytes of shared memory per block, and there are {shared:,}"
    )


def _widened(plan: Plan, item: int, shared: int) -> Plan:
    """The plan with larger blocks, if as many threads then share a multiprocessor."""
    wide = replace(plan, threads=2 * plan.threads)
    together = [
        (shared + _BESIDES) // (x.entries * item + _BESIDES) * x.threads for x in (plan, wide)
    ]
    return wide if together[1] >= _ENOUGH * together[0] else plan


def _entries(tape: Tape, outputs: Sequence[Shape]) -> list[_Entry]:
    """The entries of all results."""
    found, values = [], iter(tape.outputs)
    for r, shape in enumerate(outputs):
        sizes = [n for n in shape if 2 * n >= max(shape)] or [1]
        axes = [k for k, n in enumerate(shape) if 2 * n >= max(shape)]
        steps = [math.prod(shape[k + 1 :]) for k in axes]
        for place in range(math.prod(shape)):
            at = [place // step % n / n for step, n in zip(steps, sizes, strict=False)] or [0.0]
            found.append(_Entry(r, place, next(values), at[0], at[-1]))
    return found


# ------------------------------------------------------------------ groups


def _divisions(tape: Tape, entries: Sequence[_Entry], long: int) -> list[list[list[_Entry]]]:
    """Ways to divide entries among groups, the one that should be fastest first.

    By rows, whose entries are neighbours in memory; those that need too long a program by columns.
    """
    single = [list(entries)]
    if len(tape) <= long and len(tape.outputs) <= long:
        return [single]
    several: list[tuple[set[int], list[_Entry]]] = []
    for work, part in _together(tape, entries, "row", long):
        columns = _together(tape, part, "column", long) if len(work) > long else []
        fewer = columns and _cost(columns, long) < _cost([(work, part)], long)
        several += columns if fewer else [(work, part)]
    faster = _cost(several, long) < _cost([(set(range(len(tape))), single[0])], long)
    parts = [part for _, part in several]
    return [parts, single] if faster else [single, parts]


def _together(
    tape: Tape, entries: Sequence[_Entry], axis: str, long: int
) -> list[tuple[set[int], list[_Entry]]]:
    """Entries in groups of neighbours along an axis, with the operations that each group needs.

    Neighbours are joined that have most in common, as long as their program is not too long. Those
    that are too long already are joined if they hardly get longer.
    """
    units: dict[int, list[_Entry]] = {}
    for entry in entries:
        units.setdefault(int(getattr(entry, axis) * _UNITS), []).append(entry)
    groups = [(set(needed(tape, [x.value for x in units[k]])), units[k]) for k in sorted(units)]
    joined = [a | b for (a, _), (b, _) in pairwise(groups)]
    while joined:
        savings = [
            (len(a) + len(b) - len(both) + (not a or not b), k)  # nothing to do goes anywhere
            for k, ((a, _), (b, _)), both in zip(count(), pairwise(groups), joined, strict=False)
            if len(both) <= (_HARDLY * max(len(a), len(b)) if min(len(a), len(b)) > long else long)
        ]
        saved, k = max(savings, default=(0, 0))
        if saved <= 0:
            break
        groups[k : k + 2] = [(joined[k], groups[k][1] + groups[k + 1][1])]
        around = range(max(k - 1, 0), min(k + 1, len(groups) - 1))
        joined[max(k - 1, 0) : k + 2] = [groups[j][0] | groups[j + 1][0] for j in around]
    return groups


def _cost(groups: Sequence[tuple[set[int], list[_Entry]]], long: int) -> float:
    """About how long groups take, in operations."""
    return sum(len(work) * (_BEYOND if len(work) > long else 1.0) for work, _ in groups)


def _group(
    tape: Tape, ins: list[int], entries: list[_Entry], budgets: Sequence[int], most: int
) -> Group:
    """What a thread does for some of the results.

    budgets: numbers of registers to choose from. most: numbers of a thread that fit the shared
    memory of a block.
    """
    for staged in (True, False):  # without, if inputs alone leave no room
        layout = _Layout(tape, entries, ins if staged else [], most)
        if layout.room > 0:
            break
    for registers in budgets:
        schedule, parts = min(
            (layout.scheduled(order, registers) for order in _ORDERS),
            key=lambda x: (not layout.fits(x[0]), x[0].traffic + 2 * x[0].slots),
        )
        few, group = registers < budgets[-1], layout.group(schedule, parts)
        moves = (schedule.traffic - layout.unavoidable) / (len(schedule.order) + 1)
        room = sum(group.regions) * _RESIDENT <= most * _THREADS // 2
        if not few or (room and moves <= _MOVES[1]):
            return replace(group, few=few, short=few and moves >= _MOVES[0])
    raise AssertionError("the last of the registers are taken")


class _Layout:
    """Where inputs and results of a group lie in shared memory."""

    def __init__(self, tape: Tape, entries: list[_Entry], ins: list[int], most: int) -> None:
        self._tape, self._entries = tape, entries
        self.regions = [0]
        self.staged: dict[int, Staged] = {}
        self._slots: dict[int, Slot] = {}
        values = [x.value for x in entries]
        read = {x for i in needed(tape, values) for x in (tape.lhs[i], tape.rhs[i])} | {*values}
        at = 0
        for k, size in enumerate(ins):
            used = [e for e in range(size) if at + e in read]
            if used:
                start, stop = used[0], used[-1] + 1
                if 4 * (stop - start) >= 3 * size:  # what lies in one piece comes faster
                    start, stop = 0, size
                region = len(self.regions)
                self.staged[k] = Staged(region, start, stop)
                self._slots |= {at + e: (region, e - start) for e in range(start, stop)}
                self.regions.append(stop - start)
            at += size
        given = sorted({x for x in values if x < tape.n_inputs})
        self.constants: dict[Slot, int] = {(POOL, k): x for k, x in enumerate(given)}
        # one more, so that the pool can be made odd
        self.room = most - sum(self.regions) - len(self.constants) - 1
        self._own = self._own_regions()

    @property
    def unavoidable(self) -> int:
        """Moves of inputs and results, however many registers there are."""
        computed = {x.value for x in self._entries if x.value >= self._tape.n_inputs}
        return len(self._slots) + len(computed)

    def _own_regions(self) -> dict[int, Slot]:
        """Slots of results that lie in shared memory as they do in memory.

        They lie where an input of the same size was, if there is one.
        """
        by_result: dict[int, list[_Entry]] = {}
        for entry in self._entries:
            by_result.setdefault(entry.result, []).append(entry)
        times = Counter(x.value for x in self._entries)
        found: dict[int, Slot] = {}
        homes = {self.regions[x.region]: x.region for x in self.staged.values()}
        for entries in by_result.values():
            alone = all(times[x.value] == 1 and x.value >= self._tape.n_inputs for x in entries)
            places = sorted(x.place for x in entries)
            run = places[-1] - places[0] == len(places) - 1
            if not (alone and run) or len(entries) > self.room * _SHARE_OF_RESULTS:
                continue
            region = homes.pop(len(entries), 0)
            if not region:
                region = len(self.regions)
                self.regions.append(len(entries))
                self.room -= len(entries)
            found |= {x.value: (region, x.place - places[0]) for x in entries}
        return found

    def scheduled(self, order: str, registers: int) -> tuple[Schedule, list[list[_Entry]]]:
        """The schedule in some order, and the entries of each of its parts."""
        share, before = _SHARE_OF_RESULTS, math.inf
        while True:
            found = self._scheduled(order, registers, share)
            # results of other parts take room, too; in the end there are more of these
            if self.fits(found[0]) or share * self.room < 1.0 or found[0].slots >= before:
                return found
            share, before = share / 2.0, found[0].slots

    def fits(self, schedule: Schedule) -> bool:
        """Whether there is room for the pool of a schedule."""
        return schedule.slots <= self.room + len(self.constants)

    def _scheduled(
        self, order: str, registers: int, share: float
    ) -> tuple[Schedule, list[list[_Entry]]]:
        parts = self._parts(share)
        done: set[int] = set()
        work: list[Part] = []
        for part in parts:
            operations = [i for i in self._order(order, part) if i not in done]
            done.update(operations)
            waiting = {x.value for x in part if x.value >= self._tape.n_inputs}
            work.append(Part(operations, {x: self._own.get(x) for x in sorted(waiting)}))
        most = self.room + len(self.constants)
        found = scheduled(self._tape, work, registers, self._slots, len(self.constants), most)
        if found.clashes:
            self._move_apart()
            return self._scheduled(order, registers, share)
        return found, parts

    def _move_apart(self) -> None:
        """Give results regions of their own that lay where inputs are."""
        inputs = {x.region for x in self.staged.values()}
        moved: dict[int, int] = {}
        for value, (region, place) in self._own.items():
            if region in inputs:
                if region not in moved:
                    moved[region] = len(self.regions)
                    self.regions.append(self.regions[region])
                    self.room -= self.regions[region]
                self._own[value] = (moved[region], place)

    def _parts(self, share: float) -> list[list[_Entry]]:
        """Entries that leave together, as many at a time as that share of the room holds."""
        most = max(int(self.room * share), 1)
        entries = sorted(self._entries, key=lambda x: (-x.column, x.result, x.place))
        if len({x.value for x in entries} - {*self._own}) <= most:
            return [entries]
        entries = sorted(self._entries, key=lambda x: (x.result, x.place))
        parts: list[list[_Entry]] = [[]]
        values: set[int] = set()
        for entry in entries:
            if entry.value not in self._own:
                values.add(entry.value)
            if len(values) > most:
                parts.append([])
                values = {entry.value}
            parts[-1].append(entry)
        return parts

    def _order(self, order: str, part: list[_Entry]) -> list[int]:
        """The operations of a part."""
        values = [x.value for x in part]
        if order == "turns":
            turns: dict[int, list[int]] = {}
            for x in part:
                turns.setdefault(-round(_UNITS * x.column), []).append(x.value)
            return in_turn(self._tape, [turns[k] for k in sorted(turns)])
        return by_need(self._tape, values)

    def group(self, schedule: Schedule, parts: list[list[_Entry]]) -> Group:
        """The group of a schedule."""
        given = {x: slot for slot, x in self.constants.items()}
        slots = max(schedule.slots, len(self.constants))
        regions = [slots | 1 if slots else 0, *self.regions[1:]]
        pieces = [
            _pieces(part, given | where)
            for part, where in zip(parts, schedule.results, strict=True)
        ]
        return Group(schedule, regions, self.staged, pieces, self.constants)


def _pieces(entries: list[_Entry], where: dict[int, Slot]) -> list[Piece]:
    """What leaves of each result."""
    found: dict[int, list[_Entry]] = {}
    for entry in sorted(entries, key=lambda x: (x.result, x.place)):
        found.setdefault(entry.result, []).append(entry)
    return [
        Piece(result, tuple(x.place for x in those), tuple(where[x.value] for x in those))
        for result, those in found.items()
    ]
