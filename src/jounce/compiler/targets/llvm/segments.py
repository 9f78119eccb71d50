"""The segments of a plan as LLVM text: straight-line vector code on the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from jounce.compiler.graph.ops import ANGLES, OPS
from jounce.compiler.graph.passes import angle_values
from jounce.compiler.graph.registers import RegisterAllocation
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.llvm.code import Code, Lanes, Number, load_splat
from jounce.compiler.targets.llvm.workspace import Layout


def segment_function(
    k: int, tape: Tape, allocation: RegisterAllocation, layout: Layout, lanes: Lanes
) -> str:
    """Return the function of a segment of operations."""
    writer = _SegmentWriter(tape, allocation, layout, lanes)
    writer.add(allocation.segments[k].operations)
    writer.code.emit("ret void")
    arguments = ", ".join(f"ptr noalias %w{j}" for j in range(layout.windows))
    signature = f"internal void @segment_{k}({arguments}, ptr noalias %numbers)"
    return writer.code.function(signature, "#0")


def instructions(ops: Iterable[int], lanes: Lanes | Number) -> dict[int, tuple[int, str]]:
    """Return the number of operands and the template of each operation; {2} is the result."""
    types = {"v": lanes.vector, "m": lanes.mask, "s": lanes.suffix, "one": lanes.splat(1.0)}
    texts = {op: OPS[op].template("llvm").format("{0}", "{1}", r="{2}", **types) for op in ops}
    return {op: (OPS[op].arity, x.replace("\n", "\n  ")) for op, x in texts.items()}


class _SegmentWriter:
    """Lines of a segment; values that are not in a register are loaded at their next use."""

    def __init__(
        self, tape: Tape, allocation: RegisterAllocation, layout: Layout, lanes: Lanes
    ) -> None:
        self.code = Code()
        self._tape, self._allocation, self._layout, self._lanes = tape, allocation, layout, lanes
        self._names: dict[int, str] = {}

    def add(self, operations: Sequence[int]) -> None:
        """Append operations in order."""
        templates = instructions({self._tape.ops[i] for i in operations}, self._lanes)
        for i in operations:
            self._add(i, *templates[self._tape.ops[i]])

    def _add(self, i: int, arity: int, text: str) -> None:
        """Append an operation, and the store of its value if that is read from memory."""
        tape, lanes = self._tape, self._lanes
        a = self._operand(tape.lhs[i])
        b = self._operand(tape.rhs[i]) if arity == 2 else a
        value = tape.n_inputs + i
        name = self._names[value] = f"%x{value}"
        self.code.emit(text.format(a, b, name))
        if value in self._allocation.places:
            place = self._slot(value)
            self.code.emit(f"store {lanes.vector} {name}, ptr {place}, align {lanes.bytes}")
        for x in self._allocation.leaving[i]:
            self._names.pop(x, None)

    def _slot(self, x: int) -> str:
        window, offset = self._layout.near(x)
        return self.code.offset(f"%w{window}", offset)

    def _operand(self, x: int) -> str:
        if x < 0:
            return self._number(x)
        name = self._names.get(x)
        if name is None:
            kind, align = self._lanes.vector, self._lanes.bytes
            name = self.code.let(f"load {kind}, ptr {self._slot(x)}, align {align}")
            self._names[x] = name
        return name

    def _number(self, x: int) -> str:
        """Return a constant, loaded from the table by the instruction that uses it."""
        value = self._tape.constants[-1 - x]
        if value == 0.0:
            return self._lanes.splat(value)
        return load_splat(self.code, self._lanes, "%numbers", -1 - x)


def declarations(ops: Iterable[int], lanes: Lanes | Number) -> str:
    """Return declarations of the intrinsics that operations call."""
    lines = set()
    for op in ops:
        for name, operands in re.findall(r"@(llvm\.\w+)\.{s}\((.*)\)", OPS[op].llvm):
            vectors = ", ".join([lanes.vector] * operands.count("{v} "))
            lines.add(f"declare {lanes.vector} @{name}.{lanes.suffix}({vectors})\n")
    return "".join(sorted(lines))


def angle_table(k: int, tape: Tape, allocation: RegisterAllocation, layout: Layout) -> str:
    """Return the table of byte offsets (argument, sine, cosine) of the angles of a segment."""
    values = angle_values(tape)
    offsets = []
    for angle in allocation.segments[k].angles:
        offsets.append(layout.slot(angle))
        for op in ANGLES:
            value = values[angle].get(op)
            offsets.append(layout.spare if value not in allocation.places else layout.slot(value))
    entries = ", ".join(f"i32 {layout.bytes * offset}" for offset in offsets)
    return f"@angles_{k} = internal constant [{len(offsets)} x i32] [{entries}]\n"
