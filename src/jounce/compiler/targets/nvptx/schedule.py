"""Instruction scheduling and register allocation for one GPU thread.

Values that do not fit the registers are spilled to slots of shared memory. Since all of the tape
is known here, this needs a fraction of the memory of the compiler's own spills, and no local
memory. Results wait in slots until they are copied to global memory together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import angle_values, angles_once, depth_first, order_by_parts
from jounce.compiler.graph.tape import Tape

#: Weight of the distance to the next read of a value that is in memory already: to evict it costs
#: only a load, not a store and a load.
_STORED_WEIGHT = 2


def find_dependencies(tape: Tape, outputs: Sequence[int]) -> list[int]:
    """Return the operations that outputs depend on, in the order of the tape."""
    return order_by_parts(tape, [outputs])


def order_sethi_ullman(tape: Tape, outputs: Sequence[int]) -> list[int]:
    """Order operations depth first, from the operand that needs more registers.

    R. Sethi, J. D. Ullman (1970): optimal in the number of registers if the expression is a tree.
    """
    return depth_first(tape, outputs, _sethi_ullman_numbers(tape).__getitem__)


def _sethi_ullman_numbers(tape: Tape) -> list[int]:
    """Return the registers each operation would need if no value were read twice."""
    n, need = tape.n_inputs, list[int]()
    for a, b in zip(tape.lhs, tape.rhs, strict=True):
        x, y = (need[k - n] if k >= n else 0 for k in (a, b))
        need.append(max(1, x, y, x + 1 if x == y and a != b else 0))
    return need


#: A location in shared memory: (region, index among the thread's entries of that region).
Slot = tuple[int, int]

#: The region whose slots are allocated dynamically.
POOL = 0


@dataclass
class Schedule:
    """Operations in order, and the moves between registers and slots.

    Attributes
    ----------
    order : list of int
        Operations; of the sine and cosine of an angle only the first, which computes both.
    loads, stores : list of list of (value, slot)
        Reads from slots right before each operation, and writes to slots right after it.
    leaving : list of list of int
        Values whose registers are free after each operation.
    stops : list of int
        Number of operations that are done when each part of the results is complete.
    late_stores : list of list of (value, slot)
        Per part, stores at its end of values that an earlier part computed.
    results : list of dict
        Slots of the values of each part.
    slots : int
        Size of the pool.
    clashes : bool
        Whether a result would overwrite an input that is read later: the schedule is then invalid.
    max_held : int
        Largest number of values in registers at once.
    """

    order: list[int]
    loads: list[list[tuple[int, Slot]]] = field(default_factory=list)
    stores: list[list[tuple[int, Slot]]] = field(default_factory=list)
    leaving: list[list[int]] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    late_stores: list[list[tuple[int, Slot]]] = field(default_factory=list)
    results: list[dict[int, Slot]] = field(default_factory=list)
    slots: int = 0
    clashes: bool = False
    max_held: int = 0

    @property
    def traffic(self) -> int:
        """Number of loads from and stores to slots."""
        return sum(len(x) for moves in (self.loads, self.stores, self.late_stores) for x in moves)


@dataclass(frozen=True)
class Part:
    """Results that are copied out together, and the operations that compute them.

    values: those that wait in slots, with their slots where these are prescribed.
    """

    operations: Sequence[int]
    values: Mapping[int, Slot | None] = field(default_factory=dict)


def schedule_operations(
    tape: Tape,
    parts: Sequence[Part],
    registers: int,
    staged: Mapping[int, Slot] | None = None,
    first_slot: int = 0,
    max_slots: float = math.inf,
) -> Schedule:
    """Return the schedule of operations, part after part, for a number of registers.

    staged: inputs that are in slots at the start; others are read from global memory when they are
    needed. first_slot: first free slot of the pool. max_slots: size limit of the pool; values
    without a slot are left to the compiler's register allocation.
    """
    return _Scheduler(tape, parts, registers, staged or {}, (first_slot, max_slots)).run()


class _Scheduler:
    """Pass over the operations; evicts the value whose next read is farthest (Belady, 1966)."""

    def __init__(
        self,
        tape: Tape,
        parts: Sequence[Part],
        registers: int,
        staged: Mapping[int, Slot],
        slots: tuple[int, float],
    ) -> None:
        first_slot, self._max_slots = slots
        self._tape, self._registers, self._parts = tape, registers, parts
        self._angle_values = angle_values(tape)
        seen = set[int]()
        orders = [angles_once(tape, part.operations, seen) for part in parts]
        stops = list(accumulate(map(len, orders)))
        self._schedule = Schedule(
            [i for order in orders for i in order], stops=stops, slots=first_slot
        )
        self._results = {x: slot for part in parts for x, slot in part.values.items()}
        self._reserved = {slot for slot in self._results.values() if slot is not None}
        self._part_values: Mapping[int, Slot | None] = {}  # values of the current part
        # slots that results will need
        self._max_slots -= max(sum(x is None for x in part.values.values()) for part in parts)
        self._reads = self._all_reads()
        self._slot: dict[int, Slot] = dict(staged)
        self._inputs = {slot: x for x, slot in staged.items()}
        self._free: list[Slot] = []  # free slots of the pool
        self._vacated: list[Slot] = []  # slots of inputs that are no longer read
        self._held: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []

    def _all_reads(self) -> dict[int, list[int]]:
        """Return the time steps at which each value is read, the last first."""
        reads: dict[int, list[int]] = {}
        for now, i in enumerate(self._schedule.order):
            for x in self._tape.operands(i):
                reads.setdefault(x, []).append(now)
        for part, stop in zip(self._parts, self._schedule.stops, strict=True):
            for x in part.values:  # copying a result out reads it once more
                reads.setdefault(x, []).append(stop)
        for times in reads.values():
            times.sort(reverse=True)
        return reads

    def run(self) -> Schedule:
        """Process all operations."""
        schedule, start = self._schedule, 0
        for part, stop in zip(self._parts, schedule.stops, strict=True):
            self._part_values = part.values
            for now in range(start, stop):
                self._process_operation(now, schedule.order[now])
            schedule.late_stores.append(
                [(x, self._assign_slot(x)) for x in part.values if x not in self._slot]
            )
            schedule.results.append({x: self._slot[x] for x in part.values})
            self._part_values = {}
            for x in part.values:
                self._reads[x].pop()
                if x in self._held or not self._reads[x]:
                    self._keep_or_release(x, stop, [])
            start = stop
        return schedule

    def _process_operation(self, now: int, i: int) -> None:
        """Process one operation."""
        stores: list[tuple[int, Slot]] = []
        leaving: list[int] = []
        operands = self._tape.operands(i)
        missing = [x for x in operands if x not in self._held and x in self._slot]
        self._schedule.loads.append([(x, self._slot[x]) for x in missing])
        for x in operands:
            self._reads[x].pop()
            self._keep_or_release(x, now, leaving)
        for x in self._computed_values(i):
            if x in self._part_values:
                stores.append((x, self._assign_slot(x)))
            self._keep_or_release(x, now, leaving)
        while len(self._held) > self._registers and self._evict(stores, leaving):
            pass
        self._schedule.max_held = max(self._schedule.max_held, len(self._held))
        self._schedule.stores.append(stores)
        self._schedule.leaving.append(leaving)

    def _computed_values(self, i: int) -> list[int]:
        """Return the values an operation computes: sine and cosine of an angle together."""
        if self._tape.ops[i] in ANGLES:
            return list(self._angle_values[self._tape.lhs[i]].values())
        return [self._tape.n_inputs + i]

    def _keep_or_release(self, x: int, now: int, leaving: list[int]) -> None:
        """Keep a value in a register if it is read again, else release its slot."""
        times = self._reads.get(x)
        if not times:
            self._held.pop(x, None)
            leaving.append(x)
            self._release_slot(x)
            return
        in_memory = x < self._tape.n_inputs or x in self._slot
        self._held[x] = rank = -(times[-1] - now) * (_STORED_WEIGHT if in_memory else 1) - now
        heappush(self._queue, (rank, x))

    def _evict(self, stores: list[tuple[int, Slot]], leaving: list[int]) -> bool:
        """Evict the value whose next read is farthest away, storing it if it is nowhere else.

        Return whether that succeeded: without a free slot the value is left to the compiler.
        """
        while True:
            rank, x = heappop(self._queue)
            if self._held.get(x) == rank:
                break
        unsaved = x >= self._tape.n_inputs and x not in self._slot
        taken = self._schedule.slots - len(self._free)
        has_vacated = self._vacated and x not in self._results
        if (
            unsaved
            and not has_vacated
            and taken >= self._max_slots
            and self._results.get(x) is None
        ):
            heappush(self._queue, (rank, x))
            return False
        del self._held[x]
        leaving.append(x)
        if unsaved:
            stores.append((x, self._assign_slot(x)))
        return True

    def _assign_slot(self, x: int) -> Slot:
        """Assign a value its prescribed slot, or a free one; results take slots of the pool."""
        slot = self._results.get(x)
        if slot is not None and self._reads.get(self._inputs.get(slot, -1)):
            self._schedule.clashes = True
        if slot is None:
            free = self._free if x in self._results else self._vacated or self._free
            if not free:
                free.append((POOL, self._schedule.slots))
                self._schedule.slots += 1
            slot = free.pop()
        self._slot[x] = slot
        return slot

    def _release_slot(self, x: int) -> None:
        """Release the slot of a value, unless its region is reserved for results."""
        slot = self._slot.pop(x, None)
        if slot is not None and slot not in self._reserved:
            (self._vacated if slot[0] != POOL else self._free).append(slot)
