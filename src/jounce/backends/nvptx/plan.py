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

from jounce.backends.function import Shape
from jounce.backends.llvm.code import BYTES
from jounce.backends.nvptx.schedule import (
    POOL,
    Part,
    Schedule,
    Slot,
    depth_first,
    in_turn,
    needed,
    scheduled,
)
from jounce.graph.tape import Tape

#: Operations of a program that stays in the cache of instructions (128 kB).
_LONG = 7000

#: How much slower instructions come from beyond it, about.
_BEYOND = 3.0

#: Values of a thread's 255 registers, less what addresses take; several to choose from.
_REGISTERS = {"double": (105,), "float": (150, 220)}

#: Ways to go through the operations, of which the best is taken.
_ORDERS = ("columns", "turns")

#: Share of operations that may move values if that saves registers.
_MOVES = 0.03

#: Results that a group divides its units into at most, for the sake of time.
_UNITS = 32

#: Threads of a block, and bytes of shared memory beyond which it has half as many.
_THREADS, _MANY_BYTES = 64, 80 << 10

#: Slots that results of one part may take at most, of those that a block can have.
_SHARE_OF_RESULTS = 0.5


@dataclass(frozen=True)
class Piece:
    """Entries start..stop of a result, which leave together; slots: where each of them waits.

    Either all in one region of their own, in order, or all in the pool.
    """

    result: int
    start: int
    stop: int
    slots: tuple[Slot, ...]

    @property
    def dense(self) -> bool:
        """Whether they have a region of their own."""
        return self.slots[0][0] != POOL


@dataclass
class Group:
    """What one thread computes of a sample.

    regions: entries of a thread in each region of shared memory, the pool's first. staged: inputs
    that a block copies to a region of their own first, {input: region}. pieces: for each part of
    the schedule, what leaves then. constants: slots of results that are not computed,
    {slot: operand}.
    """

    schedule: Schedule
    regions: list[int]
    staged: dict[int, int] = field(default_factory=dict)
    pieces: list[list[Piece]] = field(default_factory=list)
    constants: dict[Slot, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """Groups of threads, and how many threads, one per sample, a block has."""

    threads: int
    groups: tuple[Group, ...]

    @property
    def entries(self) -> int:
        """Numbers in the shared memory of a block."""
        return max(self.threads * sum(group.regions) for group in self.groups)


@dataclass(frozen=True)
class _Entry:
    """An entry of a result: which, the value it is, and where it lies along the result's axes.

    depth: along the axes that count joints or bodies the farthest, from 0 to 1: of a tree, how
    far out the entry is at home. column: along the last of these.
    """

    result: int
    place: int
    value: int
    depth: float
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
    ins, outs = [math.prod(x) for x in inputs], [math.prod(x) for x in outputs]
    item = BYTES[scalar]
    most = shared // (item * (threads or _THREADS // 2))
    for parts in _divisions(tape, _entries(tape, outputs)):
        planner = _Planner(tape, ins, outs, scalar, most)
        found = Plan(threads or _THREADS // 2, tuple(planner.group(part) for part in parts))
        if found.entries * item <= shared:
            break
    else:
        raise ValueError(
            f"a kernel of {len(tape):,} operations and {len(tape.outputs):,} results needs"
            f" {found.entries * item:,} bytes of shared memory per block, and there are {shared:,}"
        )
    wide = replace(found, threads=_THREADS)
    if threads or wide.entries * item > min(_MANY_BYTES, shared):
        return found
    return wide


def _entries(tape: Tape, outputs: Sequence[Shape]) -> list[_Entry]:
    """The entries of all results."""
    found, values = [], iter(tape.outputs)
    for r, shape in enumerate(outputs):
        sizes = [n for n in shape if 2 * n >= max(shape)] or [1]
        axes = [k for k, n in enumerate(shape) if 2 * n >= max(shape)]
        steps = [math.prod(shape[k + 1 :]) for k in axes]
        for place in range(math.prod(shape)):
            at = [place // step % n / n for step, n in zip(steps, sizes, strict=False)] or [0.0]
            found.append(_Entry(r, place, next(values), max(at), at[-1]))
    return found


# ------------------------------------------------------------------ groups


def _divisions(tape: Tape, entries: Sequence[_Entry]) -> list[list[list[_Entry]]]:
    """Ways to divide entries among groups, the one that should be fastest first.

    Neighbours in depth are together, as long as their program is not too long.
    """
    single = [list(entries)]
    if len(tape) <= _LONG and len(tape.outputs) <= _LONG:
        return [single]
    units: dict[float, list[_Entry]] = {}
    for entry in entries:
        units.setdefault(round(entry.depth * _UNITS) / _UNITS, []).append(entry)
    groups = [
        (set(needed(tape, [x.value for x in units[depth]])), units[depth])
        for depth in sorted(units)
    ]
    while True:
        savings = [
            (len(a) + len(b) - len(a | b), k)
            for k, ((a, _), (b, _)) in enumerate(zip(groups, groups[1:], strict=False))
            if len(a | b) <= _LONG
        ]
        saved, k = max(savings, default=(0, 0))
        if saved <= 0:
            break
        (a, first), (b, second) = groups[k : k + 2]
        groups[k : k + 2] = [(a | b, first + second)]
    cost = sum(len(work) * (_BEYOND if len(work) > _LONG else 1.0) for work, _ in groups)
    several = [part for _, part in groups]
    return [several, single] if cost < _BEYOND * len(tape) else [single, several]


class _Planner:
    """Groups of one tape. most: numbers of a thread that fit the shared memory of a block."""

    def __init__(
        self, tape: Tape, ins: list[int], outs: list[int], scalar: str, most: int
    ) -> None:
        self._tape, self._ins, self._outs, self._most = tape, ins, outs, most
        self._registers = _REGISTERS[scalar]

    def group(self, entries: list[_Entry]) -> Group:
        """What a thread does for some of the results."""
        for staged in (True, False):  # without, if inputs alone leave no room
            layout = _Layout(self._tape, entries, self._ins if staged else [], self._most)
            if layout.room > 0:
                break
        tries: list[tuple[Schedule, list[list[_Entry]]]] = []
        for registers in self._registers:
            best = min(
                (layout.scheduled(order, registers) for order in _ORDERS),
                key=lambda x: x[0].traffic + 2 * x[0].slots,
            )
            tries.append(best)
            if best[0].traffic - layout.unavoidable <= _MOVES * len(best[0].order):
                break
        schedule, parts = tries[-1]
        return layout.group(schedule, parts, self._outs)


class _Layout:
    """Where inputs and results of a group lie in shared memory."""

    def __init__(
        self, tape: Tape, entries: list[_Entry], ins: list[int], most: int
    ) -> None:
        self._tape, self._entries, self._most = tape, entries, most
        self.regions = [0]
        self.staged: dict[int, int] = {}
        self._slots: dict[int, Slot] = {}
        values = [x.value for x in entries]
        read = {x for i in needed(tape, values) for x in (tape.lhs[i], tape.rhs[i])} | {*values}
        at = 0
        for k, size in enumerate(ins):
            if any(x in read for x in range(at, at + size)):
                self.staged[k] = len(self.regions)
                self._slots |= {at + e: (len(self.regions), e) for e in range(size)}
                self.regions.append(size)
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
        homes = {self.regions[region]: region for region in self.staged.values()}
        for entries in by_result.values():
            alone = all(times[x.value] == 1 and x.value >= self._tape.n_inputs for x in entries)
            whole = {x.place for x in entries} == {*range(len(entries))}
            if not (alone and whole) or len(entries) > self.room * _SHARE_OF_RESULTS:
                continue
            region = homes.pop(len(entries), 0)
            if not region:
                region = len(self.regions)
                self.regions.append(len(entries))
                self.room -= len(entries)
            found |= {x.value: (region, x.place) for x in entries}
        return found

    def scheduled(self, order: str, registers: int) -> tuple[Schedule, list[list[_Entry]]]:
        """The schedule in some order, and the entries of each of its parts."""
        share = _SHARE_OF_RESULTS
        while True:
            found = self._scheduled(order, registers, share)
            if found[0].slots <= self.room + len(self.constants) or share * self.room < 1.0:
                return found
            share /= 2.0  # results of other parts take room, too

    def _scheduled(
        self, order: str, registers: int, share: float
    ) -> tuple[Schedule, list[list[_Entry]]]:
        parts = self._parts(order, share)
        done: set[int] = set()
        work: list[Part] = []
        for part in parts:
            operations = [i for i in self._order(order, part) if i not in done]
            done.update(operations)
            waiting = {x.value for x in part if x.value >= self._tape.n_inputs}
            work.append(Part(operations, {x: self._own.get(x) for x in sorted(waiting)}))
        most = self.room + len(self.constants)
        found = scheduled(
            self._tape, work, registers, self._slots, len(self.constants), most
        )
        if found.clashes:
            self._move_apart()
            return self._scheduled(order, registers, share)
        return found, parts

    def _move_apart(self) -> None:
        """Give results regions of their own that lay where inputs are."""
        inputs = {region: len(self.regions) for region in self.staged.values()}
        moved: dict[int, int] = {}
        for value, (region, place) in self._own.items():
            if region in inputs:
                if region not in moved:
                    moved[region] = len(self.regions)
                    self.regions.append(self.regions[region])
                    self.room -= self.regions[region]
                self._own[value] = (moved[region], place)

    def _parts(self, order: str, share: float) -> list[list[_Entry]]:
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
        return depth_first(self._tape, values)

    def group(
        self, schedule: Schedule, parts: list[list[_Entry]], outs: list[int]
    ) -> Group:
        """The group of a schedule."""
        given = {x: slot for slot, x in self.constants.items()}
        slots = max(schedule.slots, len(self.constants))
        regions = [slots | 1 if slots else 0, *self.regions[1:]]
        pieces = [
            _pieces(part, given | where) for part, where in zip(parts, schedule.results, strict=True)
        ]
        return Group(schedule, regions, self.staged, pieces, self.constants)


def _pieces(entries: list[_Entry], where: dict[int, Slot]) -> list[Piece]:
    """Runs of neighbouring entries."""
    found: list[list[_Entry]] = []
    for entry in sorted(entries, key=lambda x: (x.result, x.place)):
        last = found[-1][-1] if found else None
        if last and (last.result, last.place + 1) == (entry.result, entry.place):
            found[-1].append(entry)
        else:
            found.append([entry])
    return [
        Piece(run[0].result, run[0].place, run[-1].place + 1, tuple(where[x.value] for x in run))
        for run in found
    ]
