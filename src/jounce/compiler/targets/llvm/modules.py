"""A tape as LLVM modules: one with the loop over samples, and further ones if it is long."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from jounce.compiler.graph.passes import expanded
from jounce.compiler.graph.registers import allocate_registers
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.llvm import avx512, moves, segments, sincos, workspace
from jounce.compiler.targets.llvm.code import table
from jounce.compiler.targets.llvm.entry import Entry, Shape, long_rows, most_axes
from jounce.compiler.targets.llvm.objects import TABLE
from jounce.compiler.targets.llvm.processors import Processor
from jounce.compiler.targets.llvm.workspace import Layout

#: Operations per function: below, spills through the workspace; above, LLVM turns superlinear.
SEGMENT_SIZE = 1000

#: Longer tapes are compiled in several modules, each with a table of its segments.
SEGMENTS_PER_MODULE = 8


def module_texts(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, processor: Processor
) -> list[str]:
    """LLVM modules with the inner loop of a gufunc whose operands have these core shapes.

    The first one holds the loop; long tapes have their segments in further ones, which keeps the
    memory of a compilation bounded and lets it show how far it has come. The loop finds those
    through a table of addresses that its data leads to (`Loaded.segments`).
    """
    tape = expanded(tape, "llvm")
    lanes = processor.lanes(scalar)
    sizes = [math.prod(shape) for shape in outputs]
    scheme = allocate_registers(tape, SEGMENT_SIZE, processor.registers, sizes)
    layout = Layout(tape, scheme, inputs, lanes)
    apart = len(scheme.segments) > SEGMENTS_PER_MODULE
    axes = most_axes((*inputs, *outputs))
    long = any(long_rows(shape, lanes) for shape in outputs)
    parts = [moves.pack_rows(lanes, "#0"), moves.unpack_rows(lanes, long, processor.streams, "#0")]
    parts += [moves.strided_mover(name, lanes, axes, "#0") for name in ("pack", "unpack")]
    if lanes.bytes * layout.total > workspace.STACK_BYTES:
        parts.append(workspace.functions())
    if any(segment.angles for segment in scheme.segments):
        parts += [sincos.reduce_large(), sincos.sincos(lanes, "#0")]
    functions: dict[str, str] = {}
    for k, segment in enumerate(scheme.segments):
        if segment.angles:
            parts.append(segments.angle_table(k, tape, scheme, layout))
        else:
            name = f"segment_{k}"
            functions[name] = segments.segment_function(k, tape, scheme, layout, lanes)
    parts.append(table("numbers", scalar, tape.constants))
    parts.append(Entry(tape, scheme, layout, (inputs, outputs), scalar, processor, apart).text())
    groups = [parts] if apart else [[*parts, *functions.values()]]
    if apart:
        names = list(functions)
        for share in shares(len(names)):
            own = [names[k] for k in share]
            groups.append([functions[name] for name in own] + [_table_of(own)])
    head = f'target triple = "{processor.triple}"\n'
    tail = [_declarations(tape, scalar, processor), processor.attributes()]
    return ["\n".join([head, *group, *tail]) for group in groups]


def shares(count: int) -> list[range]:
    """Which of so many segments go into which module, if there is more than one.

    An even number of modules of about one size, so that two threads are done at the same time.
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


def _table_of(names: Sequence[str]) -> str:
    """The addresses of a module's segments, and how many they are."""
    entries = ", ".join(f"ptr @{name}" for name in names)
    return (
        f"@{TABLE} = constant [{len(names)} x ptr] [{entries}]\n"
        f"@{TABLE}_size = constant i64 {len(names)}\n"
    )
