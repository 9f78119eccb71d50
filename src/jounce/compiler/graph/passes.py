"""Passes over tapes: stages between sines, and cuts into functions of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

from jounce.compiler.graph.expr import Expr, Graph
from jounce.compiler.graph.ops import ANGLES, NEG, OPS
from jounce.compiler.graph.tape import Tape, record

#: Into how many groups results are divided where each is computed after the other.
_GROUPS = 32


@dataclass
class Segment:
    """Consecutive work: operations (indices into the tape) or, if `angles` is set, sines.

    loads and stores: (value, slot) pairs that cross the segment's border. A value not in `loads`
    is an input or computed inside. angles: operands whose sine and cosine the segment computes.
    """

    operations: list[int] = field(default_factory=list)
    angles: list[int] = field(default_factory=list)
    loads: list[tuple[int, int]] = field(default_factory=list)
    stores: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Plan:
    """Segments in order, number of workspace slots, and where computed outputs lie at the end."""

    segments: list[Segment]
    slots: int
    outputs: dict[int, int]


def shortened(tape: Tape, sizes: Sequence[int]) -> Tape:
    """The tape with its operations where results need them, if fewer values are alive at once.

    sizes: entries of each result. Entries at about the same place of all results come together,
    the last places first: of a gradient, limb after limb, from the tips to the root. A pass
    backwards in the order of what it goes through keeps all of that alive until it is back.
    """
    places = ((k / size, k, r) for r, size in enumerate(sizes) for k in range(size))
    starts = list(accumulate(sizes, initial=0))
    other = _in_order(tape, [starts[r] + k for _, k, r in sorted(places, reverse=True)])
    return min(tape, other, key=_most_alive)


def _in_order(tape: Tape, outputs: list[int]) -> Tape:
    """The tape with the operations depth first."""
    return _permuted(tape, _depth_first(tape, outputs))


def _depth_first(tape: Tape, outputs: list[int]) -> list[int]:
    """Operations: what an output needs right before it, the latest of the operands first."""
    return depth_first(tape, [tape.outputs[k] for k in outputs], lambda i: i)


def depth_first(tape: Tape, values: Sequence[int], rank: Callable[[int], int]) -> list[int]:
    """Operations: what a value needs right before it, of two operands that of higher rank first."""
    n, order, done = tape.n_inputs, list[int](), bytearray(len(tape))
    stack = [(x - n, False) for x in reversed(values)]
    while stack:
        i, ready = stack.pop()
        if i < 0 or done[i]:
            continue
        if ready:
            done[i] = 1
            order.append(i)
            continue
        stack.append((i, True))
        operands = [x - n for x in (tape.lhs[i], tape.rhs[i]) if x >= n]
        stack += ((j, False) for j in sorted(operands, key=rank))
    return order


def _as_made(tape: Tape) -> list[int]:
    """Outputs in the order in which the formula made them; signs came before some afterwards."""

    def made(output: int) -> int:
        value = tape.outputs[output]
        i = value - tape.n_inputs
        return tape.lhs[i] if i >= 0 and tape.ops[i] == NEG else value

    return sorted(range(len(tape.outputs)), key=made)


def _permuted(tape: Tape, order: list[int]) -> Tape:
    """The same operations in another order; those that are not in it are left out."""
    n, new = tape.n_inputs, dict(zip(order, range(len(order)), strict=True))

    def at(operand: int) -> int:
        return operand if operand < n else n + new[operand - n]

    return Tape(
        n,
        tape.constants,
        [tape.ops[i] for i in order],
        [at(tape.lhs[i]) for i in order],
        [at(tape.rhs[i]) for i in order],
        [at(operand) for operand in tape.outputs],
    )


def _most_alive(tape: Tape) -> int:
    """The largest number of values that are computed and still needed."""
    last: dict[int, int] = {}
    for i, (a, b) in enumerate(zip(tape.lhs, tape.rhs, strict=True)):
        last[a] = last[b] = i
    last |= dict.fromkeys(tape.outputs, len(tape))
    ends = [0] * (len(tape) + 1)
    for value, i in last.items():
        ends[i] += value >= tape.n_inputs
    alive = accumulate(1 - ended for ended in ends[:-1])
    return max(alive, default=0)


def expanded(tape: Tape, language: str) -> Tape:
    """The tape with operations that a language does not spell composed of those it does."""
    missing = {op for op in {*tape.ops} if OPS[op].composed and not getattr(OPS[op], language)}
    if not missing:
        return tape
    graph = Graph()
    values: list[Any] = [graph.input() for _ in range(tape.n_inputs)]

    def fetch(operand: int) -> Any:
        return values[operand] if operand >= 0 else tape.constants[-1 - operand]

    for op, a, b in zip(tape.ops, tape.lhs, tape.rhs, strict=True):
        operands = (fetch(a), fetch(b))[: OPS[op].arity]
        if OPS[op].commutes and isinstance(operands[0], float):
            operands = operands[::-1]  # numbers do not know what to do with expressions
        composed = OPS[op].composed
        apply = composed if op in missing and composed is not None else OPS[op].value
        if hasattr(Expr, OPS[op].name) and op not in missing:  # a function, of numbers as well
            apply = partial(graph.apply, op)
        values.append(apply(*operands))
    return record(graph, [fetch(out) for out in tape.outputs])


def stages(tape: Tape) -> list[int]:
    """For each operation, how many sines and cosines lie on the longest path before it."""
    depth: list[int] = []
    n = tape.n_inputs

    def of(operand: int) -> int:
        if operand < n:
            return 0
        i = operand - n
        return depth[i] + (tape.ops[i] in ANGLES)

    for a, b in zip(tape.lhs, tape.rhs, strict=True):
        depth.append(max(of(a), of(b)))
    return depth


def plan(tape: Tape, size: int) -> Plan:
    """Cut the tape into segments of at most `size` operations, all sines of a stage together.

    Sines and cosines of a stage become one segment, run as a loop: this keeps the straight-line
    code free of branches (large arguments) and short. Values that cross segments get slots of a
    workspace, which are reused once their last reader has run. Operations are taken as they stand
    on the tape or depth first, whichever way fewer values cross: of large kernels these make up
    more of the time than the operations.
    """
    plans = [_cut(tape, range(len(tape)), size)]
    if len(tape) > size:
        plans.append(_cut(tape, _depth_first(tape, _as_made(tape)), size))
    return min(plans, key=_crossings)


def orders(tape: Tape, sizes: Sequence[int]) -> list[Sequence[int]]:
    """Ways to go through the operations: as they stand, depth first, and result by result.

    sizes: entries of each result. The last one takes the entries at about the same place of all
    results together, the last places first, and does what they need in the order of the tape: of
    a robot limb after limb, so that little of one is alive in the next.
    """
    depth_first = _depth_first(tape, _as_made(tape))
    return [range(len(tape)), depth_first, _by_results(tape, sizes)]


def _by_results(tape: Tape, sizes: Sequence[int]) -> list[int]:
    """Operations: for a few results after the other, what they need, as it stands on the tape."""
    groups: list[list[int]] = [[] for _ in range(_GROUPS)]
    at = 0
    for size in sizes:
        for k in range(size):
            groups[k * _GROUPS // size].append(tape.outputs[at + k])
        at += size
    return in_turn(tape, reversed(groups))


def in_turn(tape: Tape, parts: Iterable[Sequence[int]]) -> list[int]:
    """Operations: for one part of the values after the other, what it needs, as on the tape."""
    n, order, done = tape.n_inputs, list[int](), bytearray(len(tape))
    for part in parts:
        first, stack = len(order), [x - n for x in part]
        while stack:
            i = stack.pop()
            if i >= 0 and not done[i]:
                done[i] = 1
                order.append(i)
                stack += (tape.lhs[i] - n, tape.rhs[i] - n)
        order[first:] = sorted(order[first:])
    return order


def _crossings(found: Plan) -> int:
    """How often values are stored and loaded."""
    return sum(len(segment.loads) + len(segment.stores) for segment in found.segments)


def _cut(tape: Tape, order: Sequence[int], size: int) -> Plan:
    """The plan for operations in this order."""
    found = segments(tape, order, size)
    slots, outputs = _assign_slots(tape, found)
    return Plan(found, slots, outputs)


def segments(tape: Tape, order: Sequence[int], size: int) -> list[Segment]:
    """Operations in this order, in segments of at most `size`, all sines of a stage together."""
    found: list[Segment] = []
    depth = stages(tape)
    for stage in range(max(depth, default=0) + 1):
        here = [i for i in order if depth[i] == stage]
        work = [i for i in here if tape.ops[i] not in ANGLES]
        for start in range(0, len(work), size):
            found.append(Segment(operations=work[start : start + size]))
        angles = list(dict.fromkeys(tape.lhs[i] for i in here if tape.ops[i] in ANGLES))
        if angles:
            found.append(Segment(angles=angles))
    return found


def angle_values(tape: Tape) -> dict[int, dict[int, int]]:
    """For each operand that goes through a sine or cosine: {SIN: value, COS: value}."""
    out: dict[int, dict[int, int]] = {}
    for i, op in enumerate(tape.ops):
        if op in ANGLES:
            out.setdefault(tape.lhs[i], {})[op] = tape.n_inputs + i
    return out


def angles_once(tape: Tape, order: Iterable[int], seen: set[int] | None = None) -> list[int]:
    """The order with one operation for sine and cosine of an angle: the first of them.

    seen: angles that came before, to which those of the order are added.
    """
    seen = set() if seen is None else seen
    out = []
    for i in order:
        if tape.ops[i] in ANGLES:
            if tape.lhs[i] in seen:
                continue
            seen.add(tape.lhs[i])
        out.append(i)
    return out


def _assign_slots(tape: Tape, segments: list[Segment]) -> tuple[int, dict[int, int]]:
    """Fill in loads and stores; returns the number of slots and those of computed outputs."""
    produced = _produced(tape, segments)
    readers = _readers(tape, segments, produced)
    kept = {value for value in tape.outputs if value >= tape.n_inputs}
    slots: dict[int, int] = {}
    free: list[int] = []
    used = 0
    for segment, values, ends in zip(
        segments, produced, _ends(readers, kept, segments), strict=True
    ):
        for value in values:
            if value in readers or value in kept:
                if not free:
                    free.append(used)
                    used += 1
                slots[value] = free.pop()
                segment.stores.append((value, slots[value]))
        free.extend(slots[value] for value in ends)
    for value, later in readers.items():
        for s in later:
            segments[s].loads.append((value, slots[value]))
    return used, {value: slots[value] for value in kept}


def _produced(tape: Tape, segments: list[Segment]) -> list[list[int]]:
    """The values that each segment computes."""
    pairs = angle_values(tape)
    return [
        [tape.n_inputs + i for i in segment.operations]
        + [value for angle in segment.angles for value in pairs[angle].values()]
        for segment in segments
    ]


def _readers(
    tape: Tape, segments: list[Segment], produced: list[list[int]]
) -> dict[int, list[int]]:
    """The later segments that read a value, in order: {value: [segment, ...]}."""
    home = {value: s for s, values in enumerate(produced) for value in values}
    readers: dict[int, list[int]] = {}
    for s, segment in enumerate(segments):
        operands = [x for i in segment.operations for x in (tape.lhs[i], tape.rhs[i])]
        for value in dict.fromkeys(operands + segment.angles):
            if home.get(value, s) != s:  # inputs and constants have no home
                readers.setdefault(value, []).append(s)
    return readers


def _ends(
    readers: dict[int, list[int]], kept: set[int], segments: list[Segment]
) -> list[list[int]]:
    """The values that each segment is the last to read; outputs are read after them all."""
    ends: list[list[int]] = [[] for _ in segments]
    for value, later in readers.items():
        if value not in kept:
            ends[later[-1]].append(value)
    return ends
