"""The inner loop of a gufunc as LLVM text: pack `width` samples, run the segments, unpack."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jounce.compiler.graph.registers import RegisterAllocation
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.inner_loop import LoopData
from jounce.compiler.targets.llvm import avx512, sincos, workspace
from jounce.compiler.targets.llvm.code import Code, Lanes
from jounce.compiler.targets.llvm.objects import ENTRY
from jounce.compiler.targets.llvm.processors import Processor
from jounce.compiler.targets.llvm.workspace import Layout

#: Where a kernel's data leads to the addresses of its segments in other modules, in bytes.
SEGMENTS_OFFSET: int = LoopData.segments.offset

#: Results that together have this size are not in the cache when they are written.
FAR_BYTES = 8 << 20

#: Where a kernel's data says so of the batch, or block of a batch, that it is called for, in bytes.
FAR_OFFSET: int = LoopData.far.offset

Shape = tuple[int, ...]


@dataclass(frozen=True)
class _Operand:
    """Base pointer, batch step, table of core strides, and whether the core is contiguous."""

    base: str
    step: str
    strides: str
    regular: str


class Entry:
    """The loop over samples of a kernel whose operands have these core shapes.

    shapes: of inputs, then outputs. apart: whether the segments are found through a table.
    """

    def __init__(
        self,
        tape: Tape,
        scheme: RegisterAllocation,
        layout: Layout,
        shapes: tuple[Sequence[Shape], Sequence[Shape]],
        scalar: str,
        processor: Processor,
        apart: bool,
    ) -> None:
        self.tape, self.scheme, self.layout = tape, scheme, layout
        self.shapes = [*shapes[0], *shapes[1]]
        self.inputs = range(len(shapes[0]))
        self.outputs = range(len(shapes[0]), len(self.shapes))
        self.lanes = processor.lanes(scalar)
        self.streams = processor.streams
        self.apart = apart
        self.code = Code()

    def text(self) -> str:
        """Its definition; it returns 0, or 1 if there was no memory for the workspace."""
        code = self.code
        operands = self._operands()
        ws, release = self._workspace()
        for operand, slot in self.layout.constants.items():
            value = self.lanes.splat(self.tape.constants[-1 - operand])
            place = code.offset(ws, self.lanes.bytes * slot)
            code.emit(f"store {self.lanes.vector} {value}, ptr {place}, align {self.lanes.bytes}")
        total = code.let("load i64, ptr %dims")
        far = self._far(total, operands)
        place = code.offset("%data", SEGMENTS_OFFSET)
        table = code.let(f"load ptr, ptr {place}") if self.apart else ""
        windows = [code.offset(ws, self.layout.middle(k)) for k in range(self.layout.windows)]
        given = ", ".join(f"ptr {x}" for x in (*windows, "@numbers"))
        with code.loop(total, self.lanes.width) as first:
            left = code.let(f"sub i64 {total}, {first}")
            few = code.let(f"icmp slt i64 {left}, {self.lanes.width}")
            count = code.let(f"select i1 {few}, i64 {left}, i64 {self.lanes.width}")
            for k in self.inputs:
                slots = code.offset(ws, self.lanes.bytes * self.layout.inputs[k])
                self._move("pack", k, operands[k], (first, count), ws, f"ptr {slots}")
            self._run(ws, table, given)
            for k in self.outputs:
                place = f"ptr {ws}, ptr @slots_{k}, i1 {far[k]}"
                self._move("unpack", k, operands[k], (first, count), ws, place)
        if self.streams:
            code.emit(avx512.FENCE)
        if release:
            code.emit(release)
        code.emit("ret i32 0")
        signature = f"i32 @{ENTRY}(ptr %args, ptr %dims, ptr %steps, ptr %data)"
        return self._tables() + code.function(signature, "#0")

    def _operands(self) -> list[_Operand]:
        found, at = [], len(self.shapes)
        for k, shape in enumerate(self.shapes):
            found.append(self._operand(k, shape, at))
            at += len(shape)
        return found

    def _operand(self, k: int, shape: Shape, at: int) -> _Operand:
        """What NumPy says of an operand; its core strides begin at place `at` of all steps."""
        code, axes = self.code, most_axes(self.shapes)
        base = code.let(f"load ptr, ptr {code.offset('%args', 8 * k)}")
        step = code.let(f"load i64, ptr {code.offset('%steps', 8 * k)}")
        table = code.let(f"alloca [{axes} x i64]")
        least = 16 // self.lanes.item if k in self.inputs else 2  # what moves as rows
        regular = "true" if math.prod(shape) >= least else "false"
        for axis in range(axes):
            own = axis - (axes - len(shape))
            place = code.offset(table, 8 * axis)
            if own < 0:
                code.emit(f"store i64 0, ptr {place}")
                continue
            stride = code.let(f"load i64, ptr {code.offset('%steps', 8 * (at + own))}")
            code.emit(f"store i64 {stride}, ptr {place}")
            dense = self.lanes.item * math.prod(shape[own + 1 :])
            packed = code.let(f"icmp eq i64 {stride}, {dense}")
            regular = code.let(f"and i1 {regular}, {packed}")
        return _Operand(base, step, table, regular)

    def _workspace(self) -> tuple[str, str]:
        """Its address, and what gives it back if it comes from the heap."""
        code, size = self.code, self.lanes.bytes * self.layout.total
        if size <= workspace.STACK_BYTES:
            return code.let(f"alloca [{size} x i8], align 64"), ""
        shelf = code.let(f"load ptr, ptr {code.offset('%data', workspace.SHELF_OFFSET)}")
        ws = code.let(f"call ptr @take(ptr {shelf}, i64 {size})")
        fail, proceed = code.label(), code.label()
        none = code.let(f"icmp eq ptr {ws}, null")
        code.emit(f"br i1 {none}, label %{fail}, label %{proceed}")
        code.start(fail)
        code.emit("ret i32 1")
        code.start(proceed)
        return ws, f"call void @give(ptr {shelf}, ptr {ws})"

    def _far(self, total: str, operands: Sequence[_Operand]) -> dict[int, str]:
        """For each result whether it is streamed: all are large, and its own rows are long."""
        code, size = self.code, "0"
        for k in self.outputs:
            size = code.let(f"add i64 {size}, {code.let(f'mul i64 {total}, {operands[k].step}')}")
        least = code.let(f"load i64, ptr {code.offset('%data', FAR_OFFSET)}")
        large = code.let(f"icmp sge i64 {size}, {least}")
        return {
            k: large if long_rows(self.shapes[k], self.lanes) else "false" for k in self.outputs
        }

    def _move(
        self, name: str, k: int, operand: _Operand, samples: tuple[str, str], ws: str, place: str
    ) -> None:
        """Pack or unpack the samples (first, count) of an operand."""
        code, (first, count) = self.code, samples
        base = code.offset(operand.base, code.let(f"mul i64 {first}, {operand.step}"))
        rows, other, done = code.label(), code.label(), code.label()
        several = code.let(f"icmp ne i64 {count}, 1")
        quick = code.let(f"and i1 {several}, {operand.regular}")
        code.emit(f"br i1 {quick}, label %{rows}, label %{other}")
        code.start(rows)
        size = f"i64 {math.prod(self.shapes[k])}, i64 {count}"
        code.emit(f"call void @{name}_rows(ptr {base}, i64 {operand.step}, {size}, {place})")
        code.emit(f"br label %{done}")
        code.start(other)
        code.emit(
            f"call void @{name}_strided(ptr {base}, i64 {operand.step}, ptr @shape_{k},"
            f" ptr {operand.strides}, i64 {count}, ptr {ws}, ptr @slots_{k})"
        )
        code.emit(f"br label %{done}")
        code.start(done)

    def _run(self, ws: str, table: str, given: str) -> None:
        """The segments in order, with what they are given: pointers into the workspace."""
        code, called = self.code, 0
        for k, segment in enumerate(self.scheme.segments):
            if segment.angles:
                angles = f"ptr @angles_{k}, i64 {len(segment.angles)}"
                code.emit(f"call void @sincos(ptr {ws}, {angles}, {sincos.CONSTANTS})")
            elif self.apart:
                place = code.offset(table, 8 * called)
                code.emit(f"call void {code.let(f'load ptr, ptr {place}')}({given})")
                called += 1
            else:
                code.emit(f"call void @segment_{k}({given})")

    def _tables(self) -> str:
        """Constants per operand: its padded shape, and the byte offset of each value's slot."""
        lines, at, axes = [], 0, most_axes(self.shapes)
        for k, shape in enumerate(self.shapes):
            padded = (1,) * (axes - len(shape)) + shape
            entries = ", ".join(f"i64 {n}" for n in padded)
            lines.append(f"@shape_{k} = internal constant [{axes} x i64] [{entries}]")
            size = math.prod(shape)
            if k in self.inputs:
                slots = list(range(self.layout.inputs[k], self.layout.inputs[k] + size))
            else:
                slots = [self.layout.slot(x) for x in self.tape.outputs[at : at + size]]
                slots += [self.layout.spare] * (2 * self.lanes.width)  # blocks read past the end
                at += size
            entries = ", ".join(f"i32 {self.lanes.bytes * slot}" for slot in slots)
            lines.append(f"@slots_{k} = internal constant [{len(slots)} x i32] [{entries}]")
        return "\n".join(lines) + "\n"


def long_rows(shape: Shape, lanes: Lanes) -> bool:
    """Whether rows are so long that it pays to write them in whole lines."""
    return math.prod(shape) >= 4 * lanes.width


def most_axes(shapes: Sequence[Shape]) -> int:
    """Core axes of the operand that has most; the others are padded with length 1."""
    return max(1, *map(len, shapes))
