"""The segments of a plan as LLVM text: straight-line vector code on the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jounce.backends.llvm.code import Lanes
from jounce.backends.llvm.workspace import Layout
from jounce.graph.ops import ANGLES, OPS
from jounce.graph.passes import Segment, angle_values
from jounce.graph.tape import Tape


def segment_function(k: int, tape: Tape, segment: Segment, layout: Layout, lanes: Lanes) -> str:
    """Function of a segment of operations."""
    writer = _Writer(tape, segment, layout, lanes)
    for i in segment.operations:
        writer.operation(i)
    body = "\n".join(writer.lines)
    return f"define internal void @segment_{k}(ptr noalias %ws) #0 {{\n{body}\n  ret void\n}}\n"


class _Writer:
    """Lines of a segment; what it reads from the workspace is loaded at its first use."""

    def __init__(self, tape: Tape, segment: Segment, layout: Layout, lanes: Lanes) -> None:
        self.lines: list[str] = []
        self._tape, self._layout, self._lanes = tape, layout, lanes
        self._loads, self._stores = dict(segment.loads), dict(segment.stores)
        self._names: dict[int, str] = {}
        self._types = {
            "v": lanes.vector,
            "t": lanes.scalar,
            "m": lanes.mask,
            "s": lanes.suffix,
        }

    def operation(self, i: int) -> None:
        """One operation, and the store of its value if another segment reads it."""
        tape = self._tape
        rule, value = OPS[tape.ops[i]], tape.n_inputs + i
        operands = [self._operand(x) for x in (tape.lhs[i], tape.rhs[i])[: rule.arity]]
        name = self._names[value] = f"%x{value}"
        text = rule.spelled("llvm").format(*operands, r=name, **self._types)
        self.lines += [f"  {line}" for line in text.split("\n")]
        if value in self._stores:
            place = self._slot(f"%s{len(self.lines)}", self._layout.crossing + self._stores[value])
            vector, align = self._lanes.vector, self._lanes.bytes
            self.lines.append(f"  store {vector} {name}, ptr {place}, align {align}")

    def _slot(self, name: str, slot: int) -> str:
        offset = self._lanes.bytes * slot
        self.lines.append(f"  {name} = getelementptr i8, ptr %ws, i64 {offset}")
        return name

    def _operand(self, x: int) -> str:
        if x < 0:
            return self._lanes.splat(self._tape.constants[-1 - x])
        name = self._names.get(x)
        if name is None:
            slot = x if x < self._tape.n_inputs else self._layout.crossing + self._loads[x]
            place = self._slot(f"%p{x}", slot)
            name = self._names[x] = f"%x{x}"
            vector, align = self._lanes.vector, self._lanes.bytes
            self.lines.append(f"  {name} = load {vector}, ptr {place}, align {align}")
        return name


def declarations(ops: Iterable[int], lanes: Lanes) -> str:
    """The intrinsics that operations call."""
    lines = set()
    for op in ops:
        for name, operands in re.findall(r"@(llvm\.\w+)\.{s}\((.*)\)", OPS[op].llvm):
            vectors = ", ".join([lanes.vector] * operands.count("{v} "))
            lines.add(f"declare {lanes.vector} @{name}.{lanes.suffix}({vectors})\n")
    return "".join(sorted(lines))


def angle_table(k: int, tape: Tape, segment: Segment, layout: Layout, slot_bytes: int) -> str:
    """Byte offsets (argument, sine, cosine) of the angles of a segment."""
    slots = dict(segment.loads)
    written = dict(segment.stores)
    values = angle_values(tape)
    offsets = []
    for angle in segment.angles:
        source = angle if angle < tape.n_inputs else layout.crossing + slots[angle]
        offsets.append(source)
        for op in ANGLES:
            slot = written.get(values[angle].get(op, -1))
            offsets.append(layout.spare if slot is None else layout.crossing + slot)
    entries = ", ".join(f"i32 {slot_bytes * offset}" for offset in offsets)
    return f"@angles_{k} = internal constant [{len(offsets)} x i32] [{entries}]\n"
