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

#: Offset in a kernel's data of the pointer to the addresses of its segments in other modules.
SEGMENTS_OFFSET: int = LoopData.segments.offset

#: Size of results from which on they are assumed not to fit the cache.
UNCACHED_BYTES = 8 << 20

#: Offset in a kernel's data of that size, for the batch or block of a batch that it is called with.
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

    shapes: of inputs, then outputs. separate_segments: whether the segments are in other modules,
    called through a table.
    """

    def __init__(
        self,
        tape: Tape,
        allocation: RegisterAllocation,
        layout: Layout,
        shapes: tuple[Sequence[Shape], Sequence[Shape]],
        scalar: str,
        processor: Processor,
        separate_segments: bool,
    ) -> None:
        self.tape, self.allocation, self.layout = tape, allocation, layout
        self.shapes = [*shapes[0], *shapes[1]]
        self.inputs = range(len(shapes[0]))
        self.outputs = range(len(shapes[0]), len(self.shapes))
        self.lanes = processor.lanes(scalar)
        self.streams = processor.streams
        self.separate_segments = separate_segments
        self.code = Code()

    def text(self) -> str:
        """Return its definition; the loop returns 0, or 1 without memory for the workspace."""
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
        table = code.let(f"load ptr, ptr {place}") if self.separate_segments else ""
        windows = [code.offset(ws, self.layout.middle(k)) for k in range(self.layout.windows)]
        arguments = ", ".join(f"ptr {x}" for x in (*windows, "@numbers"))
        with code.loop(total, self.lanes.width) as first:
            left = code.let(f"sub i64 {total}, {first}")
            partial = code.let(f"icmp slt i64 {left}, {self.lanes.width}")
            count = code.let(f"select i1 {partial}, i64 {left}, i64 {self.lanes.width}")
            for k in self.inputs:
                slots = code.offset(ws, self.lanes.bytes * self.layout.inputs[k])
                self._move("pack", k, operands[k], (first, count), ws, f"ptr {slots}")
            self._run(ws, table, arguments)
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
        operands, first = [], len(self.shapes)
        for k, shape in enumerate(self.shapes):
            operands.append(self._operand(k, shape, first))
            first += len(shape)
        return operands

    def _operand(self, k: int, shape: Shape, first: int) -> _Operand:
        """Return the layout of an operand; its core strides start at index `first` of all steps."""
        code, axes = self.code, max_axes(self.shapes)
        base = code.let(f"load ptr, ptr {code.offset('%args', 8 * k)}")
        step = code.let(f"load i64, ptr {code.offset('%steps', 8 * k)}")
        table = code.let(f"alloca [{axes} x i64]")
        least = (
            16 // self.lanes.item if k in self.inputs else 2
        )  # fewer entries are moved one by one
        regular = "true" if math.prod(shape) >= least else "false"
        for axis in range(axes):
            core_axis = axis - (axes - len(shape))
            place = code.offset(table, 8 * axis)
            if core_axis < 0:
                code.emit(f"store i64 0, ptr {place}")
                continue
            stride = code.let(f"load i64, ptr {code.offset('%steps', 8 * (first + core_axis))}")
            code.emit(f"store i64 {stride}, ptr {place}")
            dense = self.lanes.item * math.prod(shape[core_axis + 1 :])
            packed = code.let(f"icmp eq i64 {stride}, {dense}")
            regular = code.let(f"and i1 {regular}, {packed}")
        return _Operand(base, step, table, regular)

    def _workspace(self) -> tuple[str, str]:
        """Return the workspace's address, and an instruction to free it if it is on the heap."""
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
        """Return for each result whether it is streamed: all are large, and its rows are long."""
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

    def _run(self, ws: str, table: str, arguments: str) -> None:
        """Call the segments in order, with pointers into the workspace."""
        code, called = self.code, 0
        for k, segment in enumerate(self.allocation.segments):
            if segment.angles:
                angles = f"ptr @angles_{k}, i64 {len(segment.angles)}"
                code.emit(f"call void @sincos(ptr {ws}, {angles}, {sincos.CONSTANTS})")
            elif self.separate_segments:
                place = code.offset(table, 8 * called)
                code.emit(f"call void {code.let(f'load ptr, ptr {place}')}({arguments})")
                called += 1
            else:
                code.emit(f"call void @segment_{k}({arguments})")

    def _tables(self) -> str:
        """Return constants per operand: its padded shape, and byte offsets of values' slots."""
        lines, first, axes = [], 0, max_axes(self.shapes)
        for k, shape in enumerate(self.shapes):
            padded = (1,) * (axes - len(shape)) + shape
            entries = ", ".join(f"i64 {n}" for n in padded)
            lines.append(f"@shape_{k} = internal constant [{axes} x i64] [{entries}]")
            size = math.prod(shape)
            if k in self.inputs:
                slots = list(range(self.layout.inputs[k], self.layout.inputs[k] + size))
            else:
                slots = [self.layout.slot(x) for x in self.tape.outputs[first : first + size]]
                slots += [self.layout.spare] * (2 * self.lanes.width)  # blocks read past the end
                first += size
            entries = ", ".join(f"i32 {self.lanes.bytes * slot}" for slot in slots)
            lines.append(f"@slots_{k} = internal constant [{len(slots)} x i32] [{entries}]")
        return "\n".join(lines) + "\n"


def long_rows(shape: Shape, lanes: Lanes) -> bool:
    """Return whether rows are long enough to be written in whole cache lines."""
    return math.prod(shape) >= 4 * lanes.width


def max_axes(shapes: Sequence[Shape]) -> int:
    """Return the largest number of core axes; other operands are padded with length 1."""
    return max(1, *map(len, shapes))
