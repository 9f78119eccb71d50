"""Tape to SIMD machine code: one LLVM module per kernel, and the host's compiler.

A kernel is a NumPy gufunc inner loop. It takes `width` samples at a time: pack the rows of each
input into workspace slots (one vector per scalar input), run the tape's segments on vectors,
unpack the outputs. Segments talk through the workspace only, so code generation stays linear in
the length of the tape.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
import os
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from jounce.backends.llvm import ir, objects, sincos, targets, workspace
from jounce.backends.llvm.ir import BYTES, Code, number
from jounce.backends.llvm.objects import ENTRY, TABLE
from jounce.backends.llvm.targets import Target
from jounce.graph.ops import COS, NEG, OPS, SIGN, SIN, SQRT
from jounce.graph.passes import Plan, Segment, angle_values, plan
from jounce.graph.tape import Tape
from jounce.process import background, cache, memory
from jounce.process.forks import compiling
from jounce.process.once import once

#: Operations per function: below, spills through the workspace; above, LLVM turns superlinear.
SEGMENT_SIZE = 1000

#: Longer tapes are compiled in several modules, each with a table of its segments.
SEGMENTS_PER_MODULE = 8

#: What even the smallest compilation takes, in bytes.
LEAST_BYTES = 32 << 20

#: Where a kernel's data leads to the addresses of its segments in other modules, in bytes.
SEGMENTS_OFFSET = 24

#: Results from this size on are not in the cache when they are written.
FAR_BYTES = 11 << 20

Shape = tuple[int, ...]


@once
def host() -> Target:
    """The machine this process runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    wide = 64 if features.get("avx512f") else 32 if features.get("avx2") else 16
    # MCJIT loads ELF objects on Windows, as llvmlite makes its own target machines there
    format_ = "-elf" if os.name == "nt" else ""
    return Target(
        triple=llvm.get_process_triple() + format_,
        cpu=llvm.get_host_cpu_name(),
        features=features.flatten(),
        vector_bytes=wide,
    )


def target(name: str | None = None) -> Target:
    """The processor to make code for: by name, else what JOUNCE_TARGET says, else this machine's.

    name: "native", "x86-64-v2" (128-bit vectors), "x86-64-v3" (256), "x86-64-v4" (512).
    """
    chosen = name or os.environ.get("JOUNCE_TARGET", "").strip() or targets.NATIVE
    return targets.named(chosen, host())


def target_names() -> list[str]:
    """The names `target` accepts on this machine."""
    return targets.names(host())


# ------------------------------------------------------------------ text of a module


class Layout:
    """Where things lie in the workspace, in slots of one vector.

    Inputs first, then values that cross segments (outputs among them), then constants that are
    outputs, and a spare slot.
    """

    def __init__(self, tape: Tape, scheme: Plan, inputs: Sequence[Shape], width: int) -> None:
        self.inputs = [0]
        for shape in inputs:
            self.inputs.append(self.inputs[-1] + math.prod(shape))
        self.crossing = tape.n_inputs
        numbers = dict.fromkeys(x for x in tape.outputs if x < 0)
        # packing the last input overhangs by up to width - 1 slots: constants lie beyond
        at = self.crossing + max(scheme.slots, width)
        self.constants = {x: at + k for k, x in enumerate(numbers)}
        self.spare = at + len(numbers)
        self.total = self.spare + 1
        self._computed = scheme.outputs
        self._n_inputs = tape.n_inputs

    def output(self, operand: int) -> int:
        """Slot in which an output lies after the last segment."""
        if operand < 0:
            return self.constants[operand]
        return operand if operand < self._n_inputs else self.crossing + self._computed[operand]


def module_texts(
    tape: Tape, inputs: Sequence[Shape], outputs: Sequence[Shape], scalar: str, target: Target
) -> list[str]:
    """LLVM modules with the inner loop of a gufunc whose operands have these core shapes.

    The first one holds the loop; long tapes have their segments in further ones, which keeps the
    memory of a compilation bounded and lets it show how far it has come. The loop finds those
    through a table of addresses that its data leads to (`Loaded.segments`).
    """
    width = target.width(scalar)
    scheme = plan(tape, SEGMENT_SIZE)
    layout = Layout(tape, scheme, inputs, width)
    long = len(scheme.segments) > SEGMENTS_PER_MODULE
    parts = [
        ir.pack_rows(scalar, width, "#0"),
        ir.unpack_rows(scalar, width, target.streams, "#0"),
    ]
    axes = _axes((*inputs, *outputs))
    parts += [ir.strided_mover(name, scalar, width, axes, "#0") for name in ("pack", "unpack")]
    if BYTES[scalar] * width * layout.total > workspace.STACK_BYTES:
        parts.append(workspace.functions())
    if any(segment.angles for segment in scheme.segments):
        parts.append(sincos.reduce_large())
        parts.append(sincos.sincos(scalar, width, "#0"))
    segments: dict[str, str] = {}
    for k, segment in enumerate(scheme.segments):
        if segment.angles:
            parts.append(_angle_table(k, tape, segment, layout, BYTES[scalar] * width))
            continue
        segments[f"segment_{k}"] = _segment(k, tape, segment, layout, scalar, width)
    parts.append(_entry(tape, scheme, layout, (*inputs, *outputs), len(inputs), scalar, target))
    groups = [parts if long else parts + list(segments.values())]
    if long:
        names = list(segments)
        for share in shares(len(names)):
            own = [names[k] for k in share]
            groups.append([segments[name] for name in own] + [_table_of(own)])
    head = f'target triple = "{target.triple}"\n'
    tail = [_declarations(scalar, target), target.attributes()]
    return ["\n".join([head, *group, *tail]) for group in groups]


def shares(count: int) -> list[range]:
    """Which of so many segments go into which module, if there is more than one.

    An even number of modules of about one size, so that two threads are done at the same time.
    """
    modules = 2 * -(-count // (2 * SEGMENTS_PER_MODULE))
    edges = [count * k // modules for k in range(modules + 1)]
    return [range(a, b) for a, b in pairwise(edges) if a < b]


def _declarations(scalar: str, target: Target) -> str:
    width = target.width(scalar)
    vector, suffix = f"<{width} x {scalar}>", f"v{width}f{8 * BYTES[scalar]}"
    mask = f"<{width} x i1>"
    shifts = ""
    if target.streams:
        kind, index = ("pd", "i64") if scalar == "double" else ("ps", "i32")
        order = f"<{width} x {index}>"
        shifts = (
            f"declare {vector} @llvm.x86.avx512.vpermi2var.{kind}.512({vector}, {order}, {vector})"
            f"\ndeclare void @llvm.masked.store.{suffix}.p0({vector}, ptr, i32, {mask})"
            "\ndeclare void @llvm.x86.sse.sfence()\n!0 = !{i32 1}"
        )
    columns = min(width, 32 // BYTES[scalar])
    line, lines = f"v{columns}f{8 * BYTES[scalar]}", f"<{columns} x {scalar}>"
    line_mask = f"<{columns} x i1>"
    return f"""
declare {vector} @llvm.masked.load.{suffix}.p0(ptr, i32, {mask}, {vector})
declare void @llvm.masked.store.{line}.p0({lines}, ptr, i32, {line_mask})
declare {vector} @llvm.sqrt.{suffix}({vector})
declare {vector} @llvm.copysign.{suffix}({vector}, {vector})
declare <{width} x double> @llvm.fabs.v{width}f64(<{width} x double>)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i128 @llvm.ctlz.i128(i128, i1)
{shifts}
"""


def _angle_table(k: int, tape: Tape, segment: Segment, layout: Layout, slot_bytes: int) -> str:
    """Byte offsets (argument, sine, cosine) of the angles of a segment."""
    slots = dict(segment.loads)
    written = dict(segment.stores)
    values = angle_values(tape)
    offsets = []
    for angle in segment.angles:
        source = angle if angle < tape.n_inputs else layout.crossing + slots[angle]
        offsets.append(source)
        for op in (SIN, COS):
            slot = written.get(values[angle].get(op, -1))
            offsets.append(layout.spare if slot is None else layout.crossing + slot)
    entries = ", ".join(f"i32 {slot_bytes * offset}" for offset in offsets)
    return f"@angles_{k} = internal constant [{len(offsets)} x i32] [{entries}]\n"


def _table_of(names: Sequence[str]) -> str:
    """The addresses of a module's segments, and how many they are."""
    entries = ", ".join(f"ptr @{name}" for name in names)
    return (
        f"@{TABLE} = constant [{len(names)} x ptr] [{entries}]\n"
        f"@{TABLE}_size = constant i64 {len(names)}\n"
    )


def _segment(k: int, tape: Tape, segment: Segment, layout: Layout, scalar: str, width: int) -> str:
    """Function of one segment: straight-line vector code on the workspace."""
    vector = f"<{width} x {scalar}>"
    suffix = f"v{width}f{8 * BYTES[scalar]}"
    slot_bytes = BYTES[scalar] * width
    n = tape.n_inputs
    slots, written = dict(segment.loads), dict(segment.stores)
    lines: list[str] = []
    names: dict[int, str] = {}

    def operand(x: int) -> str:
        if x < 0:
            return f"splat ({scalar} {number(tape.constants[-1 - x], scalar)})"
        name = names.get(x)
        if name is None:
            slot = x if x < n else layout.crossing + slots[x]
            name = names[x] = f"%x{x}"
            lines.append(f"  %p{x} = getelementptr i8, ptr %ws, i64 {slot_bytes * slot}")
            lines.append(f"  {name} = load {vector}, ptr %p{x}, align {slot_bytes}")
        return name

    def store(name: str, slot: int) -> None:
        place = f"%s{len(lines)}"
        lines.append(f"  {place} = getelementptr i8, ptr %ws, i64 {slot_bytes * slot}")
        lines.append(f"  store {vector} {name}, ptr {place}, align {slot_bytes}")

    for i in segment.operations:
        op, value = tape.ops[i], n + i
        a = operand(tape.lhs[i])
        name = f"%x{value}"
        if op == NEG:
            lines.append(f"  {name} = fneg {vector} {a}")
        elif op == SQRT:
            lines.append(f"  {name} = call {vector} @llvm.sqrt.{suffix}({vector} {a})")
        elif op == SIGN:
            # 0 and NaN stay themselves
            one = f"splat ({scalar} {number(1.0)})"
            lines.append(
                f"  {name}.u = call {vector} @llvm.copysign.{suffix}({vector} {one}, {vector} {a})"
            )
            lines.append(f"  {name}.n = fcmp one {vector} {a}, zeroinitializer")
            lines.append(
                f"  {name} = select <{width} x i1> {name}.n, {vector} {name}.u, {vector} {a}"
            )
        else:
            b = operand(tape.rhs[i])
            lines.append(f"  {name} = {OPS[op].llvm} contract {vector} {a}, {b}")
        names[value] = name
        if value in written:
            store(name, layout.crossing + written[value])
    body = "\n".join(lines)
    return f"define internal void @segment_{k}(ptr noalias %ws) #0 {{\n{body}\n  ret void\n}}\n"


def _entry(
    tape: Tape,
    scheme: Plan,
    layout: Layout,
    shapes: Sequence[Shape],
    n_in: int,
    scalar: str,
    target: Target,
) -> str:
    """The gufunc inner loop; returns 0, or 1 if there was no memory for the workspace."""
    code = Code()
    width, item = target.width(scalar), BYTES[scalar]
    vector = f"<{width} x {scalar}>"
    slot_bytes = item * width
    size = slot_bytes * layout.total
    on_heap = size > workspace.STACK_BYTES
    operands = []
    at = len(shapes)
    for k, shape in enumerate(shapes):
        operands.append(_operand(code, k, shape, at, item, _axes(shapes)))
        at += len(shape)
    if on_heap:
        shelf = code.let(f"load ptr, ptr {code.offset('%data', workspace.SHELF_OFFSET)}")
        ws = code.let(f"call ptr @take(ptr {shelf}, i64 {size})")
        fail, proceed = code.label(), code.label()
        none = code.let(f"icmp eq ptr {ws}, null")
        code.emit(f"br i1 {none}, label %{fail}, label %{proceed}")
        code.start(fail)
        code.emit("ret i32 1")
        code.start(proceed)
    else:
        shelf = ""
        ws = code.let(f"alloca [{size} x i8], align 64")
    for operand, slot in layout.constants.items():
        value = f"splat ({scalar} {number(tape.constants[-1 - operand], scalar)})"
        place = code.offset(ws, slot_bytes * slot)
        code.emit(f"store {vector} {value}, ptr {place}, align {slot_bytes}")
    total = code.let("load i64, ptr %dims")

    far = {}
    for k in range(n_in, len(shapes)):
        bytes_ = code.let(f"mul i64 {total}, {operands[k][1]}")
        large = code.let(f"icmp sge i64 {bytes_}, {FAR_BYTES}")
        long = "true" if math.prod(shapes[k]) >= 4 * width else "false"
        far[k] = f", i1 {code.let(f'and i1 {large}, {long}')}"

    def move(name: str, k: int, first: str, count: str, place: str, more: str = "") -> None:
        base, step, strides, regular = operands[k]
        base = code.offset(base, code.let(f"mul i64 {first}, {step}"))
        rows, other, done = code.label(), code.label(), code.label()
        several = code.let(f"icmp ne i64 {count}, 1")
        quick = code.let(f"and i1 {several}, {regular}")
        code.emit(f"br i1 {quick}, label %{rows}, label %{other}")
        code.start(rows)
        size = f"i64 {math.prod(shapes[k])}, i64 {count}"
        code.emit(f"call void @{name}_rows(ptr {base}, i64 {step}, {size}, {place}{more})")
        code.emit(f"br label %{done}")
        code.start(other)
        code.emit(
            f"call void @{name}_strided(ptr {base}, i64 {step}, ptr @shape_{k}, ptr {strides},"
            f" i64 {count}, ptr {ws}, ptr @slots_{k})"
        )
        code.emit(f"br label %{done}")
        code.start(done)

    long = len(scheme.segments) > SEGMENTS_PER_MODULE
    done_segments = 0
    place = code.offset("%data", SEGMENTS_OFFSET)
    table_of_segments = code.let(f"load ptr, ptr {place}") if long else ""
    with code.loop(total, width) as first:
        left = code.let(f"sub i64 {total}, {first}")
        few = code.let(f"icmp slt i64 {left}, {width}")
        count = code.let(f"select i1 {few}, i64 {left}, i64 {width}")
        for k in range(n_in):
            slots = code.offset(ws, slot_bytes * layout.inputs[k])
            move("pack", k, first, count, f"ptr {slots}")
        for k, segment in enumerate(scheme.segments):
            if segment.angles:
                table = f"ptr @angles_{k}, i64 {len(segment.angles)}"
                code.emit(f"call void @sincos(ptr {ws}, {table})")
            elif long:
                place = code.offset(table_of_segments, 8 * done_segments)
                code.emit(f"call void {code.let(f'load ptr, ptr {place}')}(ptr {ws})")
                done_segments += 1
            else:
                code.emit(f"call void @segment_{k}(ptr {ws})")
        for k in range(n_in, len(shapes)):
            move("unpack", k, first, count, f"ptr {ws}, ptr @slots_{k}", far[k])
    if target.streams:
        code.emit("call void @llvm.x86.sse.sfence()")
    if on_heap:
        code.emit(f"call void @give(ptr {shelf}, ptr {ws})")
    code.emit("ret i32 0")
    tables = _operand_tables(tape, layout, shapes, n_in, slot_bytes, width)
    signature = f"i32 @{ENTRY}(ptr %args, ptr %dims, ptr %steps, ptr %data)"
    return tables + code.function(signature, "#0")


def _axes(shapes: Sequence[Shape]) -> int:
    """Core axes of the operand that has most; the others are padded with length 1."""
    return max(1, *map(len, shapes))


def _operand(
    code: Code, k: int, shape: Shape, at: int, item: int, axes: int
) -> tuple[str, str, str, str]:
    """Base pointer, batch step, table of core strides, and whether the core is contiguous."""
    base = code.let(f"load ptr, ptr {code.offset('%args', 8 * k)}")
    step = code.let(f"load i64, ptr {code.offset('%steps', 8 * k)}")
    table = code.let(f"alloca [{axes} x i64]")
    regular = "true" if math.prod(shape) > 1 else "false"
    for axis in range(axes):
        own = axis - (axes - len(shape))
        place = code.offset(table, 8 * axis)
        if own < 0:
            code.emit(f"store i64 0, ptr {place}")
            continue
        stride = code.let(f"load i64, ptr {code.offset('%steps', 8 * (at + own))}")
        code.emit(f"store i64 {stride}, ptr {place}")
        packed = code.let(f"icmp eq i64 {stride}, {item * math.prod(shape[own + 1 :])}")
        regular = code.let(f"and i1 {regular}, {packed}")
    return base, step, table, regular


def _operand_tables(
    tape: Tape, layout: Layout, shapes: Sequence[Shape], n_in: int, slot_bytes: int, width: int
) -> str:
    """Constants per operand: its padded shape, and the byte offset of each value's slot."""
    lines, at, axes = [], 0, _axes(shapes)
    for k, shape in enumerate(shapes):
        padded = (1,) * (axes - len(shape)) + shape
        entries = ", ".join(f"i64 {n}" for n in padded)
        lines.append(f"@shape_{k} = internal constant [{axes} x i64] [{entries}]")
        size = math.prod(shape)
        if k < n_in:
            slots = list(range(layout.inputs[k], layout.inputs[k] + size))
        else:
            slots = [layout.output(x) for x in tape.outputs[at : at + size]]
            slots += [layout.spare] * (2 * width)  # blocks read past the end
            at += size
        entries = ", ".join(f"i32 {slot_bytes * slot}" for slot in slots)
        lines.append(f"@slots_{k} = internal constant [{len(slots)} x i32] [{entries}]")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ from text to an address


def _machine(**options: Any) -> Any:
    """A target machine, which serves one thread at a time."""
    target = host()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=2, codemodel="jitdefault", **options
    )


def _unlocked(function: Any) -> Any:
    """A function of llvmlite without the lock that lets only one thread at a time call any."""
    return getattr(function, "_cfn", function)


def build_key(target: Target) -> str:
    """What machine code depends on besides the tape: processor, compiler, and this generator."""
    sha = hashlib.sha256()
    for part in (llvmlite.__version__, str(llvm.llvm_version_info), repr(target)):
        sha.update(part.encode() + b"\0")
    return sha.hexdigest()


def compile_object(text: str) -> bytes:
    """Machine code (an object file) of a module; several threads may compile at once.

    LLVM keeps threads apart by their contexts, so the two long steps run without llvmlite's lock.
    """
    lib = llvm.ffi.lib
    with compiling(), llvm.create_context() as context:
        with llvm.ffi.OutputString() as error:
            source = ctypes.c_char_p(text.encode())
            pointer = _unlocked(lib.LLVMPY_ParseAssembly)(context, source, error)
            if error:
                raise RuntimeError(f"LLVM cannot read its module: {error}")
        with llvm.ModuleRef(pointer, context) as module, llvm.ffi.OutputString() as error:
            emit = _unlocked(lib.LLVMPY_TargetMachineEmitToMemory)
            buffer = emit(_machine(reloc="pic"), module, 1, error)
            if not buffer:
                raise RuntimeError(f"LLVM cannot compile its module: {error}")
            try:
                start, size = lib.LLVMPY_GetBufferStart(buffer), lib.LLVMPY_GetBufferSize(buffer)
                return ctypes.string_at(start, size)
            finally:
                lib.LLVMPY_DisposeMemoryBuffer(buffer)


def expose_python(*names: str) -> None:
    """Let compiled code call these functions of Python's C API."""
    host()
    for name in names:
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        llvm.add_symbol(name, address)


def compile_cached(text: str) -> bytes:
    """The same, kept on disk under the text's own hash."""
    key = hashlib.sha256((build_key(host()) + text).encode()).hexdigest()
    code = cache.read(key)
    if code is None or not objects.fit([code], key):
        memory.require(LEAST_BYTES, "compiling")
        (marked,) = objects.marked([text], key)
        code = background.run(lambda: compile_object(marked))
        cache.write(key, code, "machinery")
    return code


class Loaded:
    """Machine code in memory; alive as long as this object.

    address: of the kernel. segments: addresses of its segments in other object files, if any. Each
    file has an engine of its own, since MCJIT mixes up the constants of several.
    """

    def __init__(self, *object_files: bytes) -> None:
        addresses: list[int] = []
        self._engines: list[_Engine] = []
        with compiling():
            _close_unused()
            for content in object_files:
                self._engines.append(_Engine(content))
            self.address = self.function(ENTRY)
            for engine in self._engines[1:]:
                size = ctypes.c_int64.from_address(engine.value(f"{TABLE}_size")).value
                addresses += (ctypes.c_int64 * size).from_address(engine.value(TABLE))
        self.segments = (ctypes.c_int64 * len(addresses))(*addresses)

    def function(self, name: str) -> int:
        """Address of a function of the first object file."""
        return self._engines[0].value(name)

    def __del__(self) -> None:
        # garbage is collected anywhere, even while a fork waits: leave the rest to a thread inside
        _unused.extend(self._engines)


#: Engines nobody needs any more.
_unused: deque[_Engine] = deque()


def _close_unused() -> None:
    """Free what is garbage; inside the gate."""
    while _unused:
        _unused.popleft().close()


class _Engine:
    """An execution engine with one object file, ready to run."""

    def __init__(self, object_file: bytes) -> None:
        self._context = llvm.create_context()
        module = llvm.parse_assembly("", self._context)
        self._engine = llvm.create_mcjit_compiler(module, _machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
        self._engine.finalize_object()

    def value(self, name: str) -> int:
        """Address of a function or constant."""
        address = self._engine.get_global_value_address(name)
        if not address:
            raise RuntimeError(f"the compiled object does not define '{name}'")
        return address

    def close(self) -> None:
        """Free it."""
        self._engine.close()
        self._context.close()
