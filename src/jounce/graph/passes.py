"""Passes over tapes: stages between sines, and cuts into functions of bounded size."""

from __future__ import annotations

from dataclasses import dataclass, field

from jounce.graph.ops import COS, SIN
from jounce.graph.tape import Tape


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


def stages(tape: Tape) -> list[int]:
    """For each operation, how many sines and cosines lie on the longest path before it."""
    depth: list[int] = []
    n = tape.n_inputs

    def of(operand: int) -> int:
        if operand < n:
            return 0
        i = operand - n
        return depth[i] + (tape.ops[i] in (SIN, COS))

    for a, b in zip(tape.lhs, tape.rhs, strict=True):
        depth.append(max(of(a), of(b)))
    return depth


def plan(tape: Tape, size: int) -> Plan:
    """Cut the tape into segments of at most `size` operations, all sines of a stage together.

    Sines and cosines of a stage become one segment, run as a loop: this keeps the straight-line
    code free of branches (large arguments) and short. Values that cross segments get slots of a
    workspace, which are reused once their last reader has run.
    """
    segments: list[Segment] = []
    depth = stages(tape)
    for stage in range(max(depth, default=0) + 1):
        work = [i for i, d in enumerate(depth) if d == stage and tape.ops[i] not in (SIN, COS)]
        for start in range(0, len(work), size):
            segments.append(Segment(operations=work[start : start + size]))
        angles = (
            tape.lhs[i] for i, d in enumerate(depth) if d == stage and tape.ops[i] in (SIN, COS)
        )
        angles = list(dict.fromkeys(angles))
        if angles:
            segments.append(Segment(angles=angles))
    slots, outputs = _assign_slots(tape, segments)
    return Plan(segments, slots, outputs)


def angle_values(tape: Tape) -> dict[int, dict[int, int]]:
    """For each operand that goes through a sine or cosine: {SIN: value, COS: value}."""
    out: dict[int, dict[int, int]] = {}
    for i, op in enumerate(tape.ops):
        if op in (SIN, COS):
            out.setdefault(tape.lhs[i], {})[op] = tape.n_inputs + i
    return out


def _assign_slots(tape: Tape, segments: list[Segment]) -> tuple[int, dict[int, int]]:
    """Fill in loads and stores; returns the number of slots and those of computed outputs."""
    n = tape.n_inputs
    pairs = angle_values(tape)
    produced: list[list[int]] = []
    home: dict[int, int] = {}  # value -> segment that computes it
    for s, segment in enumerate(segments):
        values = [n + i for i in segment.operations]
        values += [value for angle in segment.angles for value in pairs[angle].values()]
        produced.append(values)
        home.update((value, s) for value in values)
    readers: dict[int, list[int]] = {}  # value -> later segments that read it
    for s, segment in enumerate(segments):
        operands = [x for i in segment.operations for x in (tape.lhs[i], tape.rhs[i])]
        for value in dict.fromkeys(operands + segment.angles):
            if value >= n and home[value] != s:
                readers.setdefault(value, []).append(s)
    kept = {value for value in tape.outputs if value >= n}  # read after the last segment
    ends: dict[int, list[int]] = {}
    for value, later in readers.items():
        if value not in kept:
            ends.setdefault(later[-1], []).append(value)
    slot_of: dict[int, int] = {}
    free: list[int] = []
    used = 0
    for s, segment in enumerate(segments):
        for value in produced[s]:
            if value in readers or value in kept:
                slot_of[value] = free.pop() if free else used
                used = max(used, slot_of[value] + 1)
                segment.stores.append((value, slot_of[value]))
        free.extend(slot_of[value] for value in ends.get(s, ()))
    for value, later in readers.items():
        for s in later:
            segments[s].loads.append((value, slot_of[value]))
    return used, {value: slot_of[value] for value in kept}
