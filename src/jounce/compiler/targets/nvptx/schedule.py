"""In which order a thread computes, and where its values are meanwhile.

A thread has so many registers, and a slot of shared memory for whatever does not fit: who decides
this here, knowing all of a tape, needs a fraction of the memory that the compiler's spills take,
and none of it lies beyond the multiprocessor. Results wait in slots until they leave together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import angle_values, angles_once, depth_first, in_turn
from jounce.compiler.graph.tape import Tape

#: How much longer a value waits in a register whose loss costs a store and a load, not only a load.
_WAITS = 2


def needed(tape: Tape, outputs: Sequence[int]) -> list[int]:
    """The operations that outputs need, as they stand on the tape."""
    return in_turn(tape, [outputs])


def by_need(tape: Tape, outputs: Sequence[int]) -> list[int]:
    """What each output needs right before it, of two operands first the one that needs more.

    R. Sethi, J. D. Ullman (1970): of a tree no order keeps fewer values.
    """
    return depth_first(tape, outputs, _registers_of_trees(tape).__getitem__)


def _registers_of_trees(tape: Tape) -> list[int]:
    """Registers that each operation would need if no value were read twice."""
    n, need = tape.n_inputs, list[int]()
    for a, b in zip(tape.lhs, tape.rhs, strict=True):
        x, y = (need[k - n] if k >= n else 0 for k in (a, b))
        need.append(max(1, x, y, x + 1 if x == y and a != b else 0))
    return need


#: A place of a thread's in shared memory: a region, and which of the thread's entries there.
Slot = tuple[int, int]

#: The region whose slots serve whoever needs one.
POOL = 0


@dataclass
class Schedule:
    """Operations in order, and what moves between registers and slots.

    Of the sine and the cosine of an angle only the first stands there, and makes both.
    loads: for each operation, (value, slot) of what is read from a slot right before it. stores:
    (value, slot) of what is written right after it. leaving: values whose registers are free then.
    stops: how many operations are done when each part of the results is; late: (value, slot) of
    those that are stored only then, since they were computed in an earlier one. results: for each
    part, the slots of its values. slots: how many the pool has. clashes: whether a result would be
    written over an input that is read later, so that all of this is of no use. most: values
    that registers hold at once.
    """

    order: list[int]
    loads: list[list[tuple[int, Slot]]] = field(default_factory=list)
    stores: list[list[tuple[int, Slot]]] = field(default_factory=list)
    leaving: list[list[int]] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    late: list[list[tuple[int, Slot]]] = field(default_factory=list)
    results: list[dict[int, Slot]] = field(default_factory=list)
    slots: int = 0
    clashes: bool = False
    most: int = 0

    @property
    def traffic(self) -> int:
        """How often slots are read and written."""
        return sum(len(x) for moves in (self.loads, self.stores, self.late) for x in moves)


@dataclass(frozen=True)
class Part:
    """Results that leave together: operations that compute them, and the values.

    values: those that wait in slots, with their slots where these are given.
    """

    operations: Sequence[int]
    values: Mapping[int, Slot | None] = field(default_factory=dict)


def scheduled(
    tape: Tape,
    parts: Sequence[Part],
    registers: int,
    staged: Mapping[int, Slot] | None = None,
    first_slot: int = 0,
    most_slots: float = math.inf,
) -> Schedule:
    """The schedule of operations, part after part, for so many registers.

    staged: inputs that lie in slots at first; others are read from memory where they are needed.
    first_slot: the first slot of the pool that is free. most_slots: how many it may have; what
    finds none is left to the compiler.
    """
    return _Scheduling(tape, parts, registers, staged or {}, (first_slot, most_slots)).done()


class _Scheduling:
    """The pass: one step of time per operation. Belady (1966): who is read last goes first."""

    def __init__(
        self,
        tape: Tape,
        parts: Sequence[Part],
        registers: int,
        staged: Mapping[int, Slot],
        slots: tuple[int, float],
    ) -> None:
        first_slot, self._most = slots
        self._tape, self._registers, self._parts = tape, registers, parts
        self._pairs = angle_values(tape)
        seen = set[int]()
        works = [angles_once(tape, part.operations, seen) for part in parts]
        stops = list(accumulate(map(len, works)))
        self._found = Schedule([i for work in works for i in work], stops=stops, slots=first_slot)
        self._results = {x: slot for part in parts for x, slot in part.values.items()}
        self._meant = {slot for slot in self._results.values() if slot is not None}
        self._waiting: Mapping[int, Slot | None] = {}  # values of the part at work
        # so many slots remain for results
        self._most -= max(sum(x is None for x in part.values.values()) for part in parts)
        self._reads = self._all_reads()
        self._slot: dict[int, Slot] = dict(staged)
        self._inputs = {slot: x for x, slot in staged.items()}
        self._free: list[Slot] = []  # in the pool
        self._left: list[Slot] = []  # where inputs were
        self._held: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []

    def _all_reads(self) -> dict[int, list[int]]:
        """When values are read, the next time last."""
        reads: dict[int, list[int]] = {}
        for now, i in enumerate(self._found.order):
            for x in self._tape.operands(i):
                reads.setdefault(x, []).append(now)
        for part, stop in zip(self._parts, self._found.stops, strict=True):
            for x in part.values:  # to leave is to be read once more
                reads.setdefault(x, []).append(stop)
        for times in reads.values():
            times.sort(reverse=True)
        return reads

    def done(self) -> Schedule:
        """All operations."""
        found, start = self._found, 0
        for part, stop in zip(self._parts, found.stops, strict=True):
            self._waiting = part.values
            for now in range(start, stop):
                self._do(now, found.order[now])
            found.late.append([(x, self._take(x)) for x in part.values if x not in self._slot])
            found.results.append({x: self._slot[x] for x in part.values})
            self._waiting = {}
            for x in part.values:
                self._reads[x].pop()
                if x in self._held or not self._reads[x]:
                    self._settle(x, stop, [])
            start = stop
        return found

    def _do(self, now: int, i: int) -> None:
        """One operation."""
        stores: list[tuple[int, Slot]] = []
        leaving: list[int] = []
        operands = self._tape.operands(i)
        missing = [x for x in operands if x not in self._held and x in self._slot]
        self._found.loads.append([(x, self._slot[x]) for x in missing])
        for x in operands:
            self._reads[x].pop()
            self._settle(x, now, leaving)
        for x in self._made(i):
            if x in self._waiting:
                stores.append((x, self._take(x)))
            self._settle(x, now, leaving)
        while len(self._held) > self._registers and self._evict(stores, leaving):
            pass
        self._found.most = max(self._found.most, len(self._held))
        self._found.stores.append(stores)
        self._found.leaving.append(leaving)

    def _made(self, i: int) -> list[int]:
        """What an operation computes: of an angle, sine and cosine at once."""
        if self._tape.ops[i] in ANGLES:
            return list(self._pairs[self._tape.lhs[i]].values())
        return [self._tape.n_inputs + i]

    def _settle(self, x: int, now: int, leaving: list[int]) -> None:
        """Keep a value that is read again, or let go of it."""
        times = self._reads.get(x)
        if not times:
            self._held.pop(x, None)
            leaving.append(x)
            self._release(x)
            return
        there = x < self._tape.n_inputs or x in self._slot
        self._held[x] = rank = -(times[-1] - now) * (_WAITS if there else 1) - now
        heappush(self._queue, (rank, x))

    def _evict(self, stores: list[tuple[int, Slot]], leaving: list[int]) -> bool:
        """Let the value go whose next use is farthest, into a slot if it lies nowhere else.

        Whether one could: without a slot it stays, and the compiler has to see to it.
        """
        while True:
            rank, x = heappop(self._queue)
            if self._held.get(x) == rank:
                break
        lost = x >= self._tape.n_inputs and x not in self._slot
        taken = self._found.slots - len(self._free)
        left = self._left and x not in self._results
        if lost and not left and taken >= self._most and self._results.get(x) is None:
            heappush(self._queue, (rank, x))
            return False
        del self._held[x]
        leaving.append(x)
        if lost:
            stores.append((x, self._take(x)))
        return True

    def _take(self, x: int) -> Slot:
        """The slot that is meant for a value, or a free one; results wait in the pool."""
        slot = self._results.get(x)
        if slot is not None and self._reads.get(self._inputs.get(slot, -1)):
            self._found.clashes = True
        if slot is None:
            free = self._free if x in self._results else self._left or self._free
            if not free:
                free.append((POOL, self._found.slots))
                self._found.slots += 1
            slot = free.pop()
        self._slot[x] = slot
        return slot

    def _release(self, x: int) -> None:
        """The slot of a value serves others, unless results wait in its region."""
        slot = self._slot.pop(x, None)
        if slot is not None and slot not in self._meant:
            (self._left if slot[0] != POOL else self._free).append(slot)
