"""Passes over tapes: operation order, stages between sines, segments of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any

from jounce.compiler.graph.expr import Expr, Graph
from jounce.compiler.graph.ops import ANGLES, NEG, OPS
from jounce.compiler.graph.tape import Tape, record

#: Groups of result entries that `orders` computes one after the other.
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
    """Segments in order, number of workspace slots, and the slots of computed outputs."""

    segments: list[Segment]
    slots: int
    outputs: dict[int, int]


def reduce_live_values(tape: Tape, sizes: Sequence[int]) -> Tape:
    """Reorder a tape depth first, if fewer values are then alive at once.

    sizes: entries of each result. Entries at about the same relative position of all results are
    computed together, the last ones first: for a gradient, limb after limb, from the tips to the
    root. A reverse pass in the order of the forward pass keeps all its values alive until it
    returns.
    """
    places = ((k / size, k, r) for r, size in enumerate(sizes) for k in range(size))
    starts = list(accumulate(sizes, initial=0))
    outputs = [starts[r] + k for _, k, r in sorted(places, reverse=True)]
    other = _permute(tape, _depth_first(tape, outputs))
    return min(tape, other, key=_max_live_values)


def _depth_first(tape: Tape, outputs: list[int]) -> list[int]:
    """Return operations, each output's dependencies right before it, the latest operand first."""
    return depth_first(tape, [tape.outputs[k] for k in outputs], lambda i: i)


def depth_first(tape: Tape, values: Sequence[int], rank: Callable[[int], int]) -> list[int]:
    """Return the dependencies of values in depth-first order, the operand of higher rank first."""
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


def _creation_order(tape: Tape) -> list[int]:
    """Return outputs in the order in which the formula created them, ignoring final negations."""

    def creation(output: int) -> int:
        value = tape.outputs[output]
        i = value - tape.n_inputs
        return tape.lhs[i] if i >= 0 and tape.ops[i] == NEG else value

    return sorted(range(len(tape.outputs)), key=creation)


def _permute(tape: Tape, order: list[int]) -> Tape:
    """Return the tape with operations in another order; others are removed."""
    n, new = tape.n_inputs, dict(zip(order, range(len(order)), strict=True))

    def renumber(operand: int) -> int:
        return operand if operand < n else n + new[operand - n]

    return Tape(
        n,
        tape.constants,
        [tape.ops[i] for i in order],
        [renumber(tape.lhs[i]) for i in order],
        [renumber(tape.rhs[i]) for i in order],
        [renumber(operand) for operand in tape.outputs],
    )


def _max_live_values(tape: Tape) -> int:
    """Return the largest number of values that are computed and still needed."""
    last: dict[int, int] = {}
    for i, (a, b) in enumerate(zip(tape.lhs, tape.rhs, strict=True)):
        last[a] = last[b] = i
    last |= dict.fromkeys(tape.outputs, len(tape))
    ends = [0] * (len(tape) + 1)
    for value, i in last.items():
        ends[i] += value >= tape.n_inputs
    alive = accumulate(1 - ended for ended in ends[:-1])
    return max(alive, default=0)


def expand_operations(tape: Tape, language: str) -> Tape:
    """Replace operations without a template in a language by compositions of others."""
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
            operands = operands[::-1]  # so that the expression's method is called
        composed = OPS[op].composed
        apply = composed if op in missing and composed is not None else OPS[op].value
        if hasattr(Expr, OPS[op].name) and op not in missing:  # operands may be numbers
            apply = partial(graph.apply, op)
        values.append(apply(*operands))
    return record(graph, [fetch(out) for out in tape.outputs])


def stages(tape: Tape) -> list[int]:
    """Return for each operation the number of sines and cosines on the longest path to it."""
    depth: list[int] = []
    n = tape.n_inputs

    def depth_of(operand: int) -> int:
        if operand < n:
            return 0
        i = operand - n
        return depth[i] + (tape.ops[i] in ANGLES)

    for a, b in zip(tape.lhs, tape.rhs, strict=True):
        depth.append(max(depth_of(a), depth_of(b)))
    return depth


def plan(tape: Tape, size: int) -> Plan:
    """Cut the tape into segments of at most `size` operations, all sines of a stage together.

    Sines and cosines of a stage become one segment, run as a loop: this keeps the straight-line
    code free of branches (large arguments) and short. Values that cross segments get slots of a
    workspace, which are reused after their last read. Operations keep the order of the tape or are
    ordered depth first, whichever needs fewer loads and stores: these take most of the time of
    large kernels.
    """
    plans = [_make_plan(tape, range(len(tape)), size)]
    if len(tape) > size:
        plans.append(_make_plan(tape, _depth_first(tape, _creation_order(tape)), size))
    return min(plans, key=_crossings)


def orders(tape: Tape, sizes: Sequence[int]) -> list[Sequence[int]]:
    """Return candidate orders of the operations: as on the tape, depth first, result by result.

    sizes: entries of each result. The last order computes the entries at about the same relative
    position of all results together, the last ones first: for a robot, limb after limb, so that few
    values of one limb are alive in the next.
    """
    depth_first = _depth_first(tape, _creation_order(tape))
    return [range(len(tape)), depth_first, _order_by_results(tape, sizes)]


def _order_by_results(tape: Tape, sizes: Sequence[int]) -> list[int]:
    """Return operations, a group of results after the other; see `orders`."""
    groups: list[list[int]] = [[] for _ in range(_GROUPS)]
    first = 0
    for size in sizes:
        for k in range(size):
            groups[k * _GROUPS // size].append(tape.outputs[first + k])
        first += size
    return order_by_parts(tape, reversed(groups))


def order_by_parts(tape: Tape, parts: Iterable[Sequence[int]]) -> list[int]:
    """Return the dependencies of each part of the values in turn, in the order of the tape."""
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


def _crossings(plan: Plan) -> int:
    """Return the number of loads and stores of a plan."""
    return sum(len(segment.loads) + len(segment.stores) for segment in plan.segments)


def _make_plan(tape: Tape, order: Sequence[int], size: int) -> Plan:
    """Return the plan for operations in this order."""
    cuts = segments(tape, order, size)
    slots, outputs = _assign_slots(tape, cuts)
    return Plan(cuts, slots, outputs)


def segments(tape: Tape, order: Sequence[int], size: int) -> list[Segment]:
    """Cut operations into segments of at most `size`, all sines of a stage together."""
    segments: list[Segment] = []
    depth = stages(tape)
    for stage in range(max(depth, default=0) + 1):
        operations = [i for i in order if depth[i] == stage]
        work = [i for i in operations if tape.ops[i] not in ANGLES]
        for start in range(0, len(work), size):
            segments.append(Segment(operations=work[start : start + size]))
        angles = list(dict.fromkeys(tape.lhs[i] for i in operations if tape.ops[i] in ANGLES))
        if angles:
            segments.append(Segment(angles=angles))
    return segments


def angle_values(tape: Tape) -> dict[int, dict[int, int]]:
    """Return {SIN: value, COS: value} for each operand of a sine or cosine."""
    out: dict[int, dict[int, int]] = {}
    for i, op in enumerate(tape.ops):
        if op in ANGLES:
            out.setdefault(tape.lhs[i], {})[op] = tape.n_inputs + i
    return out


def angles_once(tape: Tape, order: Iterable[int], seen: set[int] | None = None) -> list[int]:
    """Keep one operation for sine and cosine of an angle: the first of them.

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
    """Fill in loads and stores; return the number of slots and those of computed outputs."""
    produced = _find_produced(tape, segments)
    readers = _find_readers(tape, segments, produced)
    kept = {value for value in tape.outputs if value >= tape.n_inputs}
    slots: dict[int, int] = {}
    free: list[int] = []
    used = 0
    for segment, values, ends in zip(
        segments, produced, _find_last_reads(readers, kept, segments), strict=True
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


def _find_produced(tape: Tape, segments: list[Segment]) -> list[list[int]]:
    """Return the values that each segment computes."""
    pairs = angle_values(tape)
    return [
        [tape.n_inputs + i for i in segment.operations]
        + [value for angle in segment.angles for value in pairs[angle].values()]
        for segment in segments
    ]


def _find_readers(
    tape: Tape, segments: list[Segment], produced: list[list[int]]
) -> dict[int, list[int]]:
    """Return the later segments that read each value, in order."""
    home = {value: s for s, values in enumerate(produced) for value in values}
    readers: dict[int, list[int]] = {}
    for s, segment in enumerate(segments):
        operands = [x for i in segment.operations for x in (tape.lhs[i], tape.rhs[i])]
        for value in dict.fromkeys(operands + segment.angles):
            if home.get(value, s) != s:  # inputs and constants have no home
                readers.setdefault(value, []).append(s)
    return readers


def _find_last_reads(
    readers: dict[int, list[int]], kept: set[int], segments: list[Segment]
) -> list[list[int]]:
    """Return the values each segment is the last to read, except for outputs."""
    ends: list[list[int]] = [[] for _ in segments]
    for value, later in readers.items():
        if value not in kept:
            ends[later[-1]].append(value)
    return ends
