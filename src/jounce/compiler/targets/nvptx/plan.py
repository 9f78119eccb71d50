"""Partition of a tape among the threads of a GPU, by a performance model; nothing is measured.

A thread computes one sample. Performance is limited by the instruction cache, which the threads of
a multiprocessor share, and by registers and shared memory. So results are divided among several
groups of threads, each with its own program, if a single program would exceed the cache and the
parts have few common subexpressions. Shared memory holds values that do not fit the registers, and
stages inputs and results on their way from and to global memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from jounce.compiler.graph.passes import order_by_parts
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import BYTES
from jounce.compiler.targets.nvptx.grouping import Entry, partitions, result_entries
from jounce.compiler.targets.nvptx.schedule import (
    POOL,
    Part,
    Schedule,
    Slot,
    find_dependencies,
    order_sethi_ullman,
    schedule_operations,
)

#: Operations of a program that fits the instruction cache (128 kB); operations on doubles need
#: additional instructions for their constants.
MAX_CACHED_OPERATIONS = {"double": 7200, "float": 9000}

#: Values that fit a thread's 255 registers, beside addresses; alternatives to choose from.
_VALUE_REGISTERS = {"double": (116,), "float": (150, 220)}

#: Threads of a multiprocessor that the smaller number of registers allows; where registers are
#: scarce, this is requested of the compiler, which would use more of them.
_RESIDENT_THREADS = 384

#: Orders of the operations, of which the best is chosen.
_ORDERS = ("depth_first", "column_by_column")

#: Moves per operation: from the first on registers are scarce; up to the second the smaller number
#: of registers is used.
_MOVES_PER_OPERATION = (0.005, 0.08)

#: Blocks of a warp that shall share a multiprocessor, if few values then need local memory.
_RESIDENT_BLOCKS = (3, 2)

#: Largest ratio of values that are held at once to the registers for them; programs that are so
#: many times as long as the instruction cache exceed it.
_MAX_HELD_RATIO, _MAX_HELD_OPERATIONS = 2.0, 1.5

#: Number of columns in which results are computed one after the other, at most.
_MAX_COLUMNS = 32

#: Threads of a block (or half as many), and bytes of shared memory reserved per block.
_MAX_THREADS, _RESERVED_BYTES = 64, 1 << 10

#: Smallest ratio of resident threads at which larger blocks are still faster.
_MIN_RESIDENT_RATIO = 0.75

#: Largest share of the slots that results of one part may take, and the smallest number of slots
#: where there may be fewer threads instead.
_MAX_RESULT_SHARE, _MIN_PART_SLOTS = 0.5, 8.0


@dataclass(frozen=True)
class Piece:
    """Entries of a result that are copied out together, and the slots that hold them.

    The slots are either all in one region, in order, or all in the pool.
    """

    result: int
    places: tuple[int, ...]
    slots: tuple[Slot, ...]

    @property
    def dense(self) -> bool:
        """True if the slots are a region of their own."""
        return self.slots[0][0] != POOL

    @property
    def contiguous(self) -> bool:
        """True if the entries are contiguous in the result."""
        return self.places[-1] - self.places[0] == len(self.places) - 1


class StagedInput(NamedTuple):
    """Entries start..stop of an input, and the region of shared memory they are copied to."""

    region: int
    start: int
    stop: int


@dataclass
class Group:
    """Program of one thread: the results it computes of a sample.

    Attributes
    ----------
    schedule : Schedule
    regions : list of int
        Entries of a thread in each region of shared memory, the pool first.
    staged : dict of int to StagedInput
        Entries of inputs that a block copies to shared memory first.
    pieces : list of list of Piece
        Entries of results to copy out after each part of the schedule.
    constants : dict of slot to operand
        Slots of results that are not computed: constants and inputs.
    few_registers : bool
        Whether the schedule is for the smaller number of registers.
    register_bound : bool
        Whether more registers would save moves.
    """

    schedule: Schedule
    regions: list[int]
    staged: dict[int, StagedInput] = field(default_factory=dict)
    pieces: list[list[Piece]] = field(default_factory=list)
    constants: dict[Slot, int] = field(default_factory=dict)
    few_registers: bool = False
    register_bound: bool = False


@dataclass(frozen=True)
class Plan:
    """Groups of threads, and the number of threads of a block, one per sample."""

    threads: int
    groups: tuple[Group, ...]

    @property
    def min_resident_threads(self) -> int:
        """Threads a multiprocessor must have registers for; 0: no requirement."""
        few_registers, register_bound = (
            all(x.few_registers for x in self.groups),
            any(x.register_bound for x in self.groups),
        )
        return _RESIDENT_THREADS if few_registers and register_bound else 0

    @property
    def max_held(self) -> int:
        """Largest number of values of a thread that are held at once outside its slots."""
        return max(group.schedule.max_held for group in self.groups)

    @property
    def entries(self) -> int:
        """Numbers in the shared memory of a block."""
        return max(self.threads * sum(group.regions) for group in self.groups)


def plan_kernel(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    shared: int,
    threads: int = 0,
) -> Plan:
    """Return the plan of a tape for blocks with at most `shared` bytes of shared memory.

    threads: number per block; 0: chosen by the plan.
    """
    item, needs = BYTES[scalar], list[int]()
    for units in partitions(tape, result_entries(tape, outputs), MAX_CACHED_OPERATIONS[scalar]):
        parts = [unit.entries for unit in units]
        make = lambda limit, parts=parts: plan_groups(  # noqa: E731
            tape, inputs, parts, scalar, Blocks(threads or _MAX_THREADS // 2, limit, shared)
        )
        plan = make(shared)
        needs.append(plan.entries * item)
        if needs[-1] > shared:
            continue
        if threads:
            return plan
        longest = max(unit.operations for unit in units)
        if longest <= _MAX_HELD_OPERATIONS * MAX_CACHED_OPERATIONS[scalar]:
            plan = _share_multiprocessor(plan, make, scalar, shared)
        return _widen_blocks(plan, item, shared)
    raise ValueError(
        f"a kernel of {len(tape):,} operations and {len(tape.outputs):,} results needs"
        f" {min(needs):,} bytes of shared memory per block, available {shared:,}"
    )


def _share_multiprocessor(
    plan: Plan, make: Callable[[int], Plan], scalar: str, shared: int
) -> Plan:
    """Return the plan, or one with less shared memory so that more blocks share a multiprocessor.

    make: returns the plan for so many bytes.
    """
    registers = _VALUE_REGISTERS[scalar][-1]
    # without many slots in shared memory, values stay in registers
    ratio = _MAX_HELD_RATIO if plan.entries > 2 * registers * plan.threads else 1.0
    for blocks in _RESIDENT_BLOCKS:
        limit = share_of(shared, blocks)
        if plan.entries * BYTES[scalar] <= limit:
            break
        tight = make(limit)
        if tight.entries * BYTES[scalar] <= limit and tight.max_held <= ratio * registers:
            return tight
    return plan


def share_of(shared: int, blocks: int) -> int:
    """Return the shared memory of a block if so many share that of the largest one."""
    return (shared + _RESERVED_BYTES) // blocks - _RESERVED_BYTES


class Blocks(NamedTuple):
    """Threads of a block, and bytes of shared memory it shall take, and can take."""

    threads: int
    shared: int
    max_shared: int


def plan_groups(
    tape: Tape,
    inputs: Sequence[Shape],
    parts: Sequence[list[Entry]],
    scalar: str,
    blocks: Blocks,
) -> Plan:
    """Return the plan of groups of entries; its blocks may take more than the shared memory."""
    ins = [math.prod(x) for x in inputs]
    row = BYTES[scalar] * blocks.threads
    memory = _SharedMemory(blocks.shared // row, blocks.max_shared // row)
    groups = (_plan_group(tape, ins, part, _VALUE_REGISTERS[scalar], memory) for part in parts)
    return Plan(blocks.threads, tuple(groups))


def _widen_blocks(plan: Plan, item: int, shared: int) -> Plan:
    """Return the plan with larger blocks, if about as many threads then share a multiprocessor."""
    wide = replace(plan, threads=2 * plan.threads)
    resident = [
        (shared + _RESERVED_BYTES) // (x.entries * item + _RESERVED_BYTES) * x.threads
        for x in (plan, wide)
    ]
    return wide if resident[1] >= _MIN_RESIDENT_RATIO * resident[0] else plan


# ------------------------------------------------------------------ groups


class _SharedMemory(NamedTuple):
    """Numbers per thread that the shared memory of a block shall hold, and can hold."""

    entries: int
    max_entries: int

    @property
    def min_part(self) -> float:
        """Slots that the results of a part take at least."""
        return 1.0 if self.entries == self.max_entries else _MIN_PART_SLOTS


def _plan_group(
    tape: Tape, ins: list[int], entries: list[Entry], budgets: Sequence[int], memory: _SharedMemory
) -> Group:
    """Plan the program of a thread for some of the results.

    budgets: numbers of registers to choose from.
    """
    for stage_inputs in (True, False):  # inputs alone may exceed shared memory
        layout = _Layout(tape, entries, ins if stage_inputs else [], memory.entries)
        if layout.free_slots > 0:
            break
    for registers in budgets:
        schedule, parts = min(
            (layout.schedule(order, registers, memory.min_part) for order in _ORDERS),
            key=lambda x: (not layout.fits(x[0]), x[0].traffic + 2 * x[0].slots),
        )
        few_registers, group = registers < budgets[-1], layout.make_group(schedule, parts)
        moves = (schedule.traffic - layout.required_moves) / (len(schedule.order) + 1)
        fits = sum(group.regions) * _RESIDENT_THREADS <= memory.max_entries * _MAX_THREADS // 2
        if not few_registers or (fits and moves <= _MOVES_PER_OPERATION[1]):
            bound = few_registers and moves >= _MOVES_PER_OPERATION[0]
            return replace(group, few_registers=few_registers, register_bound=bound)
    raise AssertionError("unreachable: the last budget is always accepted")


class _Layout:
    """Locations of the inputs and results of a group in shared memory."""

    def __init__(self, tape: Tape, entries: list[Entry], ins: list[int], max_entries: int) -> None:
        self._tape, self._entries = tape, entries
        self.regions = [0]
        self.staged: dict[int, StagedInput] = {}
        self._slots: dict[int, Slot] = {}
        values = [x.value for x in entries]
        work = find_dependencies(tape, values)
        read = {*values, *(x for i in work for x in (tape.lhs[i], tape.rhs[i]))}
        first = 0
        for k, size in enumerate(ins):
            used = [e for e in range(size) if first + e in read]
            if used:
                start, stop = used[0], used[-1] + 1
                if 4 * (stop - start) >= 3 * size:  # contiguous copies are faster
                    start, stop = 0, size
                region = len(self.regions)
                self.staged[k] = StagedInput(region, start, stop)
                self._slots |= {first + e: (region, e - start) for e in range(start, stop)}
                self.regions.append(stop - start)
            first += size
        uncomputed = sorted({x for x in values if x < tape.n_inputs})
        self.constants: dict[Slot, int] = {(POOL, k): x for k, x in enumerate(uncomputed)}
        # one slot less, since the pool size is rounded up to an odd number
        self.free_slots = max_entries - sum(self.regions) - len(self.constants) - 1
        self._result_slots = self._assign_result_regions()

    @property
    def required_moves(self) -> int:
        """Moves of inputs and results, which no number of registers avoids."""
        computed = {x.value for x in self._entries if x.value >= self._tape.n_inputs}
        return len(self._slots) + len(computed)

    def _assign_result_regions(self) -> dict[int, Slot]:
        """Return slots of results that have the same layout in shared and global memory.

        They reuse the region of an input of the same size, if there is one.
        """
        by_result: dict[int, list[Entry]] = {}
        for entry in self._entries:
            by_result.setdefault(entry.result, []).append(entry)
        times = Counter(x.value for x in self._entries)
        slots: dict[int, Slot] = {}
        input_regions = {self.regions[x.region]: x.region for x in self.staged.values()}
        for entries in by_result.values():
            alone = all(times[x.value] == 1 and x.value >= self._tape.n_inputs for x in entries)
            places = sorted(x.place for x in entries)
            contiguous = places[-1] - places[0] == len(places) - 1
            if not (alone and contiguous) or len(entries) > self.free_slots * _MAX_RESULT_SHARE:
                continue
            region = input_regions.pop(len(entries), 0)
            if not region:
                region = len(self.regions)
                self.regions.append(len(entries))
                self.free_slots -= len(entries)
            slots |= {x.value: (region, x.place - places[0]) for x in entries}
        return slots

    def schedule(
        self, order: str, registers: int, min_part: float
    ) -> tuple[Schedule, list[list[Entry]]]:
        """Return the schedule for an order, and the entries of each of its parts."""
        share, before = _MAX_RESULT_SHARE, math.inf
        while True:
            schedule, parts = self._schedule_parts(order, registers, share)
            # smaller parts need fewer slots, until the results of other parts outweigh that
            small = share * self.free_slots < min_part
            if self.fits(schedule) or small or schedule.slots >= before:
                return schedule, parts
            share, before = share / 2.0, schedule.slots

    def fits(self, schedule: Schedule) -> bool:
        """Return whether the pool of a schedule fits."""
        return schedule.slots <= self.free_slots + len(self.constants)

    def _schedule_parts(
        self, order: str, registers: int, share: float
    ) -> tuple[Schedule, list[list[Entry]]]:
        parts = self._split_results(share)
        done: set[int] = set()
        work: list[Part] = []
        for part in parts:
            operations = [i for i in self._order_operations(order, part) if i not in done]
            done.update(operations)
            waiting = {x.value for x in part if x.value >= self._tape.n_inputs}
            work.append(Part(operations, {x: self._result_slots.get(x) for x in sorted(waiting)}))
        max_entries = self.free_slots + len(self.constants)
        schedule = schedule_operations(
            self._tape, work, registers, self._slots, len(self.constants), max_entries
        )
        if schedule.clashes:
            self._separate_results()
            return self._schedule_parts(order, registers, share)
        return schedule, parts

    def _separate_results(self) -> None:
        """Give results regions of their own that shared one with an input."""
        inputs = {x.region for x in self.staged.values()}
        moved: dict[int, int] = {}  # old to new region
        for value, (region, place) in self._result_slots.items():
            if region in inputs:
                if region not in moved:
                    moved[region] = len(self.regions)
                    self.regions.append(self.regions[region])
                    self.free_slots -= self.regions[region]
                self._result_slots[value] = (moved[region], place)

    def _split_results(self, share: float) -> list[list[Entry]]:
        """Split entries into parts that take at most this share of the free slots."""
        max_entries = max(int(self.free_slots * share), 1)
        entries = sorted(self._entries, key=lambda x: (-x.column, x.result, x.place))
        if len({x.value for x in entries} - {*self._result_slots}) <= max_entries:
            return [entries]
        entries = sorted(self._entries, key=lambda x: (x.result, x.place))
        parts: list[list[Entry]] = [[]]
        values: set[int] = set()
        for entry in entries:
            if entry.value not in self._result_slots:
                values.add(entry.value)
            if len(values) > max_entries:
                parts.append([])
                values = {entry.value}
            parts[-1].append(entry)
        return parts

    def _order_operations(self, order: str, part: list[Entry]) -> list[int]:
        """Return the operations of a part in an order of `_ORDERS`."""
        values = [x.value for x in part]
        if order == "column_by_column":
            columns: dict[int, list[int]] = {}
            for x in part:
                columns.setdefault(-round(_MAX_COLUMNS * x.column), []).append(x.value)
            return order_by_parts(self._tape, [columns[k] for k in sorted(columns)])
        return order_sethi_ullman(self._tape, values)

    def make_group(self, schedule: Schedule, parts: list[list[Entry]]) -> Group:
        """Return the group of a schedule."""
        constants = {x: slot for slot, x in self.constants.items()}
        slots = max(schedule.slots, len(self.constants))
        regions = [slots | 1 if slots else 0, *self.regions[1:]]
        pieces = [
            _make_pieces(part, constants | where)
            for part, where in zip(parts, schedule.results, strict=True)
        ]
        return Group(schedule, regions, self.staged, pieces, self.constants)


def _make_pieces(entries: list[Entry], where: dict[int, Slot]) -> list[Piece]:
    """Return the pieces of results among some entries."""
    by_result: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda x: (x.result, x.place)):
        by_result.setdefault(entry.result, []).append(entry)
    return [
        Piece(result, tuple(x.place for x in group), tuple(where[x.value] for x in group))
        for result, group in by_result.items()
    ]
