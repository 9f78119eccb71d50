"""LLVM modules of a tape: one with the loop over samples, and further ones if it is long."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.registers import allocate_registers
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.llvm import avx512, moves, segments, sincos, workspace
from jounce.compiler.targets.llvm.code import table
from jounce.compiler.targets.llvm.entry import Entry, Shape, long_rows, max_axes
from jounce.compiler.targets.llvm.objects import TABLE
from jounce.compiler.targets.llvm.processors import Processor
from jounce.compiler.targets.llvm.workspace import Layout

#: Operations per function: fewer cause spills through the workspace, for more LLVM is superlinear.
SEGMENT_SIZE = 1000

#: Segments of a module; longer tapes are compiled in several modules, each with a segment table.
SEGMENTS_PER_MODULE = 8


def module_texts(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, processor: Processor
) -> list[str]:
    """Return LLVM modules with the inner loop of a gufunc whose operands have these core shapes.

    The first one has the loop; long tapes have their segments in further ones, which bounds the
    memory of a compilation and allows for progress reports. The loop finds those segments through a
    table of addresses in its data (`Loaded.segments`).
    """
    tape = expand_operations(tape, "llvm")
    lanes = processor.lanes(scalar)
    sizes = [math.prod(shape) for shape in outputs]
    allocation = allocate_registers(tape, SEGMENT_SIZE, processor.registers, sizes)
    layout = Layout(tape, allocation, inputs, lanes)
    separate = len(allocation.segments) > SEGMENTS_PER_MODULE
    axes = max_axes((*inputs, *outputs))
    long = any(long_rows(shape, lanes) for shape in outputs)
    parts = [moves.pack_rows(lanes, "#0"), moves.unpack_rows(lanes, long, processor.streams, "#0")]
    parts += [moves.strided_mover(name, lanes, axes, "#0") for name in ("pack", "unpack")]
    if lanes.bytes * layout.total > workspace.STACK_BYTES:
        parts.append(workspace.functions())
    if any(segment.angles for segment in allocation.segments):
        parts += [sincos.reduce_large(), sincos.sincos(lanes, "#0")]
    functions: dict[str, str] = {}
    for k, segment in enumerate(allocation.segments):
        if segment.angles:
            parts.append(segments.angle_table(k, tape, allocation, layout))
        else:
            name = f"segment_{k}"
            functions[name] = segments.segment_function(k, tape, allocation, layout, lanes)
    parts.append(table("numbers", scalar, tape.constants))
    parts.append(
        Entry(tape, allocation, layout, (inputs, outputs), scalar, processor, separate).text()
    )
    groups = [parts] if separate else [[*parts, *functions.values()]]
    if separate:
        names = list(functions)
        for share in partition_segments(len(names)):
            group_names = [names[k] for k in share]
            groups.append([functions[name] for name in group_names] + [_segment_table(group_names)])
    head = f'target triple = "{processor.triple}"\n'
    tail = [_declarations(tape, scalar, processor), processor.attributes()]
    return ["\n".join([head, *group, *tail]) for group in groups]


def partition_segments(count: int) -> list[range]:
    """Partition a number of segments into modules, if there is more than one.

    The number of modules is even and their sizes are about equal, so that two threads end together.
    """
    modules = 2 * -(-count // (2 * SEGMENTS_PER_MODULE))
    edges = [count * k // modules for k in range(modules + 1)]
    return [range(a, b) for a, b in pairwise(edges) if a < b]


def _declarations(tape: Tape, scalar: str, processor: Processor) -> str:
    lanes = processor.lanes(scalar)
    return (
        moves.declarations(lanes)
        + segments.declarations(set(tape.ops), lanes)
        + sincos.declarations(lanes.width)
        + (avx512.declarations(lanes) if processor.streams else "")
    )


def _segment_table(names: Sequence[str]) -> str:
    """Return a table of the addresses of a module's segments, and its size."""
    entries = ", ".join(f"ptr @{name}" for name in names)
    return (
        f"@{TABLE} = constant [{len(names)} x ptr] [{entries}]\n"
        f"@{TABLE}_size = constant i64 {len(names)}\n"
    )
