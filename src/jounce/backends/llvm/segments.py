"""The segments of a plan as LLVM text: straight-line vector code on the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from jounce.backends.llvm.code import Lanes, number
from jounce.backends.llvm.workspace import Layout
from jounce.graph.ops import ANGLES, OPS
from jounce.graph.passes import angle_values
from jounce.graph.registers import Allotment
from jounce.graph.tape import Tape


def segment_function(k: int, tape: Tape, scheme: Allotment, layout: Layout, lanes: Lanes) -> str:
    """Function of a segment of operations."""
    writer = _Writer(tape, scheme, layout, lanes)
    writer.add(scheme.segments[k].operations)
    body = "\n".join(writer.lines)
    arguments = ", ".join(f"ptr noalias %w{j}" for j in range(layout.windows))
    signature = f"void @segment_{k}({arguments}, ptr noalias %numbers)"
    return f"define internal {signature} #0 {{\n{body}\n  ret void\n}}\n"


def _instructions(ops: Iterable[int], lanes: Lanes) -> dict[int, tuple[int, str]]:
    """Number of operands of each operation, and its text, in which {2} is the result."""
    types = {"v": lanes.vector, "t": lanes.scalar, "m": lanes.mask, "s": lanes.suffix}
    texts = {op: OPS[op].spelled("llvm").format("{0}", "{1}", r="{2}", **types) for op in ops}
    return {op: (OPS[op].arity, "  " + x.replace("\n", "\n  ")) for op, x in texts.items()}


class _Writer:
    """Lines of a segment; what is not in a register is loaded at its next use."""

    def __init__(self, tape: Tape, scheme: Allotment, layout: Layout, lanes: Lanes) -> None:
        self.lines: list[str] = []
        self._tape, self._scheme, self._layout, self._lanes = tape, scheme, layout, lanes
        self._names: dict[int, str] = {}
        self._fresh = 0
        self._vector, self._bytes = lanes.vector, lanes.bytes
        self._zeros = f"<{lanes.width} x i32> zeroinitializer"

    def add(self, operations: Sequence[int]) -> None:
        """Operations in their order."""
        instructions = _instructions({self._tape.ops[i] for i in operations}, self._lanes)
        for i in operations:
            self._add(i, *instructions[self._tape.ops[i]])

    def _add(self, i: int, arity: int, text: str) -> None:
        """One operation, and the store of its value if it is needed from memory."""
        tape = self._tape
        a = self._operand(tape.lhs[i])
        b = self._operand(tape.rhs[i]) if arity == 2 else a
        value = tape.n_inputs + i
        name = self._names[value] = f"%x{value}"
        self.lines.append(text.format(a, b, name))
        if value in self._scheme.places:
            place = self._slot(value)
            store = f"  store {self._vector} {name}, ptr {place}, align {self._bytes}"
            self.lines.append(store)
        for x in self._scheme.leaving[i]:
            self._names.pop(x, None)

    def _let(self, instruction: str) -> str:
        self._fresh += 1
        name = f"%t{self._fresh}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def _slot(self, x: int) -> str:
        window, offset = self._layout.near(x)
        return self._let(f"getelementptr i8, ptr %w{window}, i64 {offset}")

    def _operand(self, x: int) -> str:
        if x < 0:
            return self._number(x)
        name = self._names.get(x)
        if name is None:
            place = self._slot(x)
            name = self._let(f"load {self._vector}, ptr {place}, align {self._bytes}")
            self._names[x] = name
        return name

    def _number(self, x: int) -> str:
        """A constant: spread from the table in the instruction that takes it."""
        value, scalar, item = self._tape.constants[-1 - x], self._lanes.scalar, self._lanes.item
        if value == 0.0:
            return self._lanes.splat(value)
        place = self._let(f"getelementptr i8, ptr %numbers, i64 {item * (-1 - x)}")
        one = self._let(f"load {scalar}, ptr {place}, align {item}")
        head = self._let(f"insertelement {self._vector} poison, {scalar} {one}, i64 0")
        pair = f"{self._vector} {head}, {self._vector} poison"
        return self._let(f"shufflevector {pair}, {self._zeros}")


def declarations(ops: Iterable[int], lanes: Lanes) -> str:
    """The intrinsics that operations call."""
    lines = set()
    for op in ops:
        for name, operands in re.findall(r"@(llvm\.\w+)\.{s}\((.*)\)", OPS[op].llvm):
            vectors = ", ".join([lanes.vector] * operands.count("{v} "))
            lines.add(f"declare {lanes.vector} @{name}.{lanes.suffix}({vectors})\n")
    return "".join(sorted(lines))


def angle_table(k: int, tape: Tape, scheme: Allotment, layout: Layout) -> str:
    """Byte offsets (argument, sine, cosine) of the angles of a segment."""
    values = angle_values(tape)
    offsets = []
    for angle in scheme.segments[k].angles:
        offsets.append(layout.slot(angle))
        for op in ANGLES:
            value = values[angle].get(op)
            offsets.append(layout.spare if value not in scheme.places else layout.slot(value))
    entries = ", ".join(f"i32 {layout.bytes * offset}" for offset in offsets)
    return f"@angles_{k} = internal constant [{len(offsets)} x i32] [{entries}]\n"


def numbers(tape: Tape, lanes: Lanes) -> str:
    """The constants of the tape, in its order."""
    values = [f"{lanes.scalar} {number(x, lanes.scalar)}" for x in tape.constants]
    kind = f"[{len(values)} x {lanes.scalar}]"
    return f"@numbers = internal constant {kind} [{', '.join(values)}]\n"
