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


def _instructions(ops: Iterable[int], lanes: Lanes) -> dict[int, tuple[int, str]]:
    """Number of operands of each operation, and its text, in which {2} is the result."""
    types = {"v": lanes.vector, "t": lanes.scalar, "m": lanes.mask, "s": lanes.suffix}
    texts = {op: OPS[op].spelled("llvm").format("{0}", "{1}", r="{2}", **types) for op in ops}
    return {op: (OPS[op].arity, "  " + x.replace("\n", "\n  ")) for op, x in texts.items()}


class _Writer:
    """Lines of a segment; what it reads from the workspace is loaded at its first use."""

    def __init__(self, tape: Tape, segment: Segment, layout: Layout, lanes: Lanes) -> None:
        self.lines: list[str] = []
        self._tape, self._layout, self._lanes = tape, layout, lanes
        self._loads, self._stores = dict(segment.loads), dict(segment.stores)
        self._names: dict[int, str] = {}
        self._vector, self._bytes = lanes.vector, lanes.bytes
        self._instructions = _instructions({tape.ops[i] for i in segment.operations}, lanes)

    def operation(self, i: int) -> None:
        """One operation, and the store of its value if another segment reads it."""
        tape = self._tape
        arity, text = self._instructions[tape.ops[i]]
        a = self._operand(tape.lhs[i])
        b = self._operand(tape.rhs[i]) if arity == 2 else a
        value = tape.n_inputs + i
        name = self._names[value] = f"%x{value}"
        self.lines.append(text.format(a, b, name))
        if value in self._stores:
            place = self._slot(f"%s{value}", self._layout.crossing + self._stores[value])
            store = f"  store {self._vector} {name}, ptr {place}, align {self._bytes}"
            self.lines.append(store)

    def _slot(self, name: str, slot: int) -> str:
        self.lines.append(f"  {name} = getelementptr i8, ptr %ws, i64 {self._bytes * slot}")
        return name

    def _operand(self, x: int) -> str:
        if x < 0:
            return self._lanes.splat(self._tape.constants[-1 - x])
        name = self._names.get(x)
        if name is None:
            slot = x if x < self._tape.n_inputs else self._layout.crossing + self._loads[x]
            place = self._slot(f"%p{x}", slot)
            name = self._names[x] = f"%x{x}"
            self.lines.append(f"  {name} = load {self._vector}, ptr {place}, align {self._bytes}")
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
