"""Which values of a plan stay in registers, and which go through the workspace.

Left to itself a compiler spills half as many values again as it must: it sees one function at a
time, and gives up on those of a thousand operations. Of straight-line code all is known: where
room is needed, the value goes that is read again last (L. Belady, 1966).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from jounce.compiler.graph.passes import Segment, angle_values, orders, segments
from jounce.compiler.graph.tape import Tape

#: How much longer a value waits in a register whose loss costs a store and a load, not only a load.
_WAITS = 2

#: Operations after which a value has left the registers, and its slot the first-level cache.
_HELD, _CACHED = 40, 1000

_NEVER = 1 << 62


@dataclass
class Allotment:
    """Segments in order, and where their values are.

    leaving: for each operation, the values that are not in registers after it. places: the slot
    of every value that has one; it is stored when it is computed. slots: how many there are.
    """

    segments: list[Segment]
    leaving: dict[int, list[int]] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    slots: int = 0


def allotted(tape: Tape, size: int, registers: int, results: Sequence[int]) -> Allotment:
    """The tape in segments of at most `size` operations, for so many registers.

    results: entries of each result. Of several orders the one with least traffic.
    """
    ways = orders(tape, results) if len(tape) > registers else [range(len(tape))]
    least = min(ways, key=lambda way: _traffic(tape, way))
    return _Allotting(tape, segments(tape, least, size), registers).done()


def _traffic(tape: Tape, order: Sequence[int]) -> int:
    """About what loads and stores cost if operations are done in this order."""
    found, last, stored = 0, dict[int, int](), set[int]()
    for now, i in enumerate(order):
        for x in (tape.lhs[i], tape.rhs[i]):
            ago = now - last.get(x, now)
            if ago > _HELD:
                found += 4 if ago > _CACHED else 1
                stored.add(x)
            last[x] = now
        last[tape.n_inputs + i] = now
    return found + 2 * len(stored)


class _Allotting:
    """The pass over the segments: one step of time per operation, one per segment of angles."""

    def __init__(self, tape: Tape, cut: list[Segment], registers: int) -> None:
        self._tape, self._registers = tape, registers
        self._found = Allotment(cut)
        self._angles = angle_values(tape)
        self._outputs = set(tape.outputs)
        self._operands = [tape.operands(i) for i in range(len(tape))]
        self._reads = self._all_reads()
        self._stored: set[int] = set()
        self._loaded: dict[int, int] = {}  # when last

    def done(self) -> Allotment:
        """All segments, and the slots of what they store."""
        now = 0
        for segment in self._found.segments:
            if segment.angles:
                for x in segment.angles:
                    self._loaded[x] = now
                    self._reads[x].pop()
                    self._stored.update(self._angles[x].values())
                now += 1
            else:
                self._segment(segment.operations, now)
                now += len(segment.operations)
        self._give_places()
        return self._found

    def _all_reads(self) -> dict[int, list[int]]:
        """When each value is read, the last time first."""
        reads: dict[int, list[int]] = {}
        now = 0
        for segment in self._found.segments:
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

    def _next(self, x: int) -> int:
        times = self._reads.get(x)
        return times[-1] if times else _NEVER

    def _segment(self, operations: Sequence[int], now: int) -> None:
        """One segment: nothing is in a register before it or after it."""
        end, inputs = now + len(operations), self._tape.n_inputs
        held: dict[int, int] = {}  # value in a register -> its rank
        waiting: list[tuple[int, int]] = []  # the one to lose first on top
        for i in operations:
            leaving: list[int] = []
            for x in self._operands[i]:
                if x not in held:
                    self._loaded[x] = now
                self._reads[x].pop()
            for x in (*self._operands[i], inputs + i):
                again = self._next(x)
                if again < end:
                    there = x < inputs or x in self._stored or x in self._outputs
                    held[x] = rank = -(again - now) * (_WAITS if there else 1) - now
                    heappush(waiting, (rank, x))
                    continue
                held.pop(x, None)
                leaving.append(x)
                if again < _NEVER:
                    self._stored.add(x)
            while len(held) > self._registers:
                rank, x = heappop(waiting)
                if held.get(x) == rank:
                    del held[x]
                    leaving.append(x)
                    self._stored.add(x)
            if inputs + i in self._outputs:
                self._stored.add(inputs + i)
            self._found.leaving[i] = leaving
            now += 1

    def _give_places(self) -> None:
        """Slots for what is stored, which serve again after the last load."""
        found, inputs = self._found, self._tape.n_inputs
        ends: dict[int, list[int]] = {}
        for x, now in self._loaded.items():
            if x >= inputs and x not in self._outputs:
                ends.setdefault(now, []).append(x)
        free: list[int] = []
        for now, (values, alone) in enumerate(self._made()):
            ended = [found.places[x] for x in ends.get(now, ())]
            free += ended if alone else ()
            for x in values:
                if x in self._stored:
                    if not free:
                        free.append(found.slots)
                        found.slots += 1
                    found.places[x] = free.pop()
            free += () if alone else ended

    def _made(self) -> Iterator[tuple[list[int], bool]]:
        """What is computed, step by step, and whether after all that it takes is read."""
        for segment in self._found.segments:
            for i in segment.operations:
                yield [self._tape.n_inputs + i], True
            if segment.angles:
                made = [value for x in segment.angles for value in self._angles[x].values()]
                yield made, False
