"""The order of a kernel: what each entry of the results needs, right before it; and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import angle_values
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Function, Variable, entries


@dataclass(frozen=True)
class Entry:
    """An entry of a result, by its flat index, and the number of the value that it gets."""

    variable: Variable
    k: int
    value: int


@dataclass(frozen=True)
class Step:
    """Some operations, in the order of the tape, and the entry that is known after them, if one."""

    operations: Sequence[int]
    entry: Entry | None


def steps(function: Function, longest: int) -> list[Step]:
    """Entry after entry of the results, each after what it alone is the first to need.

    So little is alive at once, and a piece of a result can leave before the next one is begun.
    longest: the most operations of a step.
    """
    tape = function.tape
    done = bytearray(len(tape))
    pairs = angle_values(tape)
    found: list[Step] = []
    for (variable, k), value in zip(entries(function.outputs), tape.outputs, strict=True):
        needed = _needed(tape, value, done, pairs)
        last = max(0, (len(needed) - 1) // longest * longest)
        for start in range(0, last, longest):
            found.append(Step(needed[start : start + longest], None))
        found.append(Step(needed[last:], Entry(variable, k, value)))
    return found


def _needed(tape: Tape, value: int, done: bytearray, pairs: dict[int, dict[int, int]]) -> list[int]:
    """Operations that a value needs and that are not done; they are then.

    Of an angle both sine and cosine, which come together.
    """
    n, found, stack = tape.n_inputs, list[int](), [value]
    while stack:
        i = stack.pop() - n
        if i < 0 or done[i]:
            continue
        done[i] = 1
        found.append(i)
        stack += (tape.lhs[i], tape.rhs[i])
        if tape.ops[i] in ANGLES:
            stack += pairs[tape.lhs[i]].values()
    return sorted(found)


def parts(found: Sequence[Step], size: int) -> list[list[Step]]:
    """Steps in parts of at most `size` operations."""
    out: list[list[Step]] = [[]]
    count = 0
    for step in found:
        if out[-1] and count + len(step.operations) > size:
            out.append([])
            count = 0
        out[-1].append(step)
        count += len(step.operations)
    return out


@dataclass(frozen=True)
class Workspace:
    """Slots of the values that one part computes and another reads.

    size: number of slots. slots: that of each such value. stores: those that each part computes.
    """

    size: int
    slots: dict[int, int]
    stores: list[list[int]]


def workspace(tape: Tape, cut: Sequence[Sequence[Step]]) -> Workspace:
    """Slots for all values that cross parts, used again in the parts after the last reader."""
    n = tape.n_inputs
    made: dict[int, int] = {}
    last: dict[int, int] = {}
    for part, own in enumerate(cut):
        for step in own:
            made |= {n + i: part for i in step.operations}
            read = [x for i in step.operations for x in (tape.lhs[i], tape.rhs[i])]
            read += [step.entry.value] if step.entry else []
            last |= {x: part for x in read if x >= n and made[x] < part}
    ends: list[list[int]] = [[] for _ in cut]
    for value, part in last.items():
        ends[part].append(value)
    slots: dict[int, int] = {}
    stores: list[list[int]] = []
    free: list[int] = []
    size = 0
    for part, own in enumerate(cut):
        stores.append([n + i for step in own for i in step.operations if n + i in last])
        for value in stores[part]:
            if not free:
                free.append(size)
                size += 1
            slots[value] = free.pop()
        # only now: a part may read a slot in the very statement that fills another
        free += [slots[value] for value in ends[part]]
    return Workspace(size, slots, stores)
