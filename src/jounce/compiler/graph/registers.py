"""Register allocation: which values stay in registers, and which are spilled to the workspace.

Compilers spill about 1.5 times as many values as necessary: they see one function at a time, and
use cheap heuristics for those with a thousand operations. In straight-line code all reads are
known, so the value is spilled whose next read is farthest away (L. Belady, 1966).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from jounce.compiler.graph.passes import Segment, angle_values, orders, segments
from jounce.compiler.graph.tape import Tape

#: Weight of the distance to the next read of a value that is in memory already: to evict it costs
#: only a load, not a store and a load.
_STORED_WEIGHT = 2

#: Operations after which a value is assumed to be evicted from registers, and from the L1 cache.
_REGISTER_OPERATIONS, _L1_OPERATIONS = 40, 1000

_NEVER = 1 << 62


@dataclass
class RegisterAllocation:
    """Segments in order, and the locations of their values.

    leaving: for each operation, the values that leave the registers after it. places: the slot
    of every value that is stored, which happens when it is computed. slots: number of slots.
    """

    segments: list[Segment]
    leaving: dict[int, list[int]] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    slots: int = 0


def allocate_registers(
    tape: Tape, size: int, registers: int, results: Sequence[int]
) -> RegisterAllocation:
    """Cut the tape into segments of at most `size` operations and allocate registers.

    results: entries of each result. Of several orders, the one with the least traffic is taken.
    """
    candidates = orders(tape, results) if len(tape) > registers else [range(len(tape))]
    order = min(candidates, key=lambda order: _estimate_traffic(tape, order))
    return _Allocator(tape, segments(tape, order, size), registers).run()


def _estimate_traffic(tape: Tape, order: Sequence[int]) -> int:
    """Estimate the cost of loads and stores if operations are done in this order."""
    loads, last, stored = 0, dict[int, int](), set[int]()
    for now, i in enumerate(order):
        for x in (tape.lhs[i], tape.rhs[i]):
            ago = now - last.get(x, now)
            if ago > _REGISTER_OPERATIONS:
                loads += 4 if ago > _L1_OPERATIONS else 1
                stored.add(x)
            last[x] = now
        last[tape.n_inputs + i] = now
    return loads + 2 * len(stored)


class _Allocator:
    """Pass over the segments: one time step per operation, and one per segment of angles."""

    def __init__(self, tape: Tape, parts: list[Segment], registers: int) -> None:
        self._tape, self._registers = tape, registers
        self._allocation = RegisterAllocation(parts)
        self._angles = angle_values(tape)
        self._outputs = set(tape.outputs)
        self._operands = [tape.operands(i) for i in range(len(tape))]
        self._reads = self._all_reads()
        self._stored: set[int] = set()
        self._loaded: dict[int, int] = {}  # when last

    def run(self) -> RegisterAllocation:
        """Process all segments, then assign slots to the stored values."""
        now = 0
        for segment in self._allocation.segments:
            if segment.angles:
                for x in segment.angles:
                    self._loaded[x] = now
                    self._reads[x].pop()
                    self._stored.update(self._angles[x].values())
                now += 1
            else:
                self._process_segment(segment.operations, now)
                now += len(segment.operations)
        self._assign_slots()
        return self._allocation

    def _all_reads(self) -> dict[int, list[int]]:
        """Return the time steps at which each value is read, the last first."""
        reads: dict[int, list[int]] = {}
        now = 0
        for segment in self._allocation.segments:
            for i in segment.operations:
                for x in self._operands[i]:
                    reads.setdefault(x, []).append(now)
                now += 1
            for x in segment.angles:
                reads.setdefault(x, []).append(now)
            now += bool(segment.angles)
        for times in reads.values():
            times.reverse()
        return reads

    def _next_read(self, x: int) -> int:
        times = self._reads.get(x)
        return times[-1] if times else _NEVER

    def _process_segment(self, operations: Sequence[int], now: int) -> None:
        """Process one segment: nothing is in a register before it or after it."""
        end, inputs = now + len(operations), self._tape.n_inputs
        held: dict[int, int] = {}  # value in a register -> its rank
        candidates: list[tuple[int, int]] = []  # heap, the value to evict first on top
        for i in operations:
            leaving: list[int] = []
            for x in self._operands[i]:
                if x not in held:
                    self._loaded[x] = now
                self._reads[x].pop()
            for x in (*self._operands[i], inputs + i):
                again = self._next_read(x)
                if again < end:
                    in_memory = x < inputs or x in self._stored or x in self._outputs
                    held[x] = rank = -(again - now) * (_STORED_WEIGHT if in_memory else 1) - now
                    heappush(candidates, (rank, x))
                    continue
                held.pop(x, None)
                leaving.append(x)
                if again < _NEVER:
                    self._stored.add(x)
            while len(held) > self._registers:
                rank, x = heappop(candidates)
                if held.get(x) == rank:
                    del held[x]
                    leaving.append(x)
                    self._stored.add(x)
            if inputs + i in self._outputs:
                self._stored.add(inputs + i)
            self._allocation.leaving[i] = leaving
            now += 1

    def _assign_slots(self) -> None:
        """Assign slots to stored values; a slot is reused after the last load of its value."""
        allocation, inputs = self._allocation, self._tape.n_inputs
        ends: dict[int, list[int]] = {}
        for x, now in self._loaded.items():
            if x >= inputs and x not in self._outputs:
                ends.setdefault(now, []).append(x)
        free: list[int] = []
        for now, (values, reads_first) in enumerate(self._computed_values()):
            ended = [allocation.places[x] for x in ends.get(now, ())]
            free += ended if reads_first else ()
            for x in values:
                if x in self._stored:
                    if not free:
                        free.append(allocation.slots)
                        allocation.slots += 1
                    allocation.places[x] = free.pop()
            free += () if reads_first else ended

    def _computed_values(self) -> Iterator[tuple[list[int], bool]]:
        """Yield the values computed per time step, and whether all operands are read before."""
        for segment in self._allocation.segments:
            for i in segment.operations:
                yield [self._tape.n_inputs + i], True
            if segment.angles:
                values = [value for x in segment.angles for value in self._angles[x].values()]
                yield values, False
