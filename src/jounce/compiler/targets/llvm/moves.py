"""LLVM functions that move rows of samples into SIMD lanes and back.

Each function here returns the definition of one LLVM function for some lanes. A workspace slot is
one vector: the same quantity of as many samples as there are lanes.
"""

from __future__ import annotations

from jounce.compiler.targets.llvm import avx512
from jounce.compiler.targets.llvm.code import Code, Lanes, splat_value, transpose


def _row_pointers(code: Code, width: int, base: str) -> list[str]:
    """Return pointers to the rows of `width` samples.

    Lanes past the last sample point at the last sample: they compute (and store) the same numbers
    again, so a tail needs no code of its own.
    """
    last = code.let("sub i64 %count, 1")
    rows = []
    for lane in range(width):
        late = code.let(f"icmp slt i64 {last}, {lane}")
        sample = code.let(f"select i1 {late}, i64 {last}, i64 {lane}")
        rows.append(code.offset(base, code.let(f"mul i64 {sample}, %step")))
    return rows


def _tail_mask(code: Code, width: int, left: str) -> str:
    """Return the mask of the first `left` lanes."""
    lanes = ", ".join(f"i64 {j}" for j in range(width))
    return code.let(f"icmp ult <{width} x i64> <{lanes}>, {splat_value(code, width, 'i64', left)}")


# ------------------------------------------------------------------ contiguous rows


def half_line(lanes: Lanes) -> Lanes:
    """Return the type of the vectors that unpacking stores: 256 bits at most."""
    return Lanes(lanes.scalar, min(lanes.bytes, 32) // lanes.item)


def _load_adjacent(code: Code, lanes: Lanes, places: list[str]) -> str:
    """Load 128-bit pieces from one or two places into a vector, without shuffles."""
    piece = Lanes(lanes.scalar, 16 // lanes.item)
    parts = [code.let(f"load {piece.vector}, ptr {x}, align {lanes.item}") for x in places]
    if len(parts) == 1:
        return parts[0]
    order = ", ".join(f"i32 {j}" for j in range(2 * piece.width))
    pair = f"{piece.vector} {parts[0]}, {piece.vector} {parts[1]}"
    return code.let(f"shufflevector {pair}, <{2 * piece.width} x i32> <{order}>")


def pack_rows(lanes: Lanes, attributes: str) -> str:
    """Copy contiguous rows to slots: (base, step, size, count, slots).

    Moves `size` values (at least 16 bytes) of `count` <= width samples, `step` bytes apart.
    Rows are read in pieces of 128 bits and transposed in halves of them as in `unpack_rows`.
    The remainder is moved together with some values before it.
    """
    code, item, width = Code(), lanes.item, lanes.width
    line, piece = half_line(lanes), 16 // item
    rows = _row_pointers(code, width, "%base")

    def block(start: str) -> None:
        slots = code.offset("%slots", code.let(f"mul i64 {start}, {lanes.bytes}"))
        skip = code.let(f"mul i64 {start}, {item}")
        for lane in range(0, width, line.width):
            pointers = [code.offset(row, skip) for row in rows[lane : lane + line.width]]
            parts = [_load_adjacent(code, line, pointers[k::piece]) for k in range(piece)]
            for k, column in enumerate(transpose(code, line, parts)):
                place = code.offset(slots, k * lanes.bytes + lane * item)
                code.emit(f"store {line.vector} {column}, ptr {place}, align {line.bytes}")

    left = code.let(f"urem i64 %size, {piece}")
    full = code.let(f"sub i64 %size, {left}")
    with code.loop(full, piece) as start:
        block(start)
    with code.when(code.let(f"icmp ne i64 {left}, 0")):
        block(code.let(f"sub i64 %size, {piece}"))
    code.emit("ret void")
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr noalias %slots"
    return code.function(f"internal void @pack_rows({arguments})", attributes)


class _RowUnpacker:
    """Copies blocks of columns of all rows, from slots given by a table."""

    def __init__(self, code: Code, lanes: Lanes, rows: list[str]) -> None:
        self.code, self.rows = code, rows
        self.line, self.piece = half_line(lanes), 16 // lanes.item
        self.left = code.let(f"urem i64 %size, {self.line.width}")
        self.full = code.let(f"sub i64 %size, {self.left}")

    def _write(self, start: str, lanes: range, mask: str = "") -> None:
        """Write the columns from `start` on, of the rows of some lanes."""
        code, line, piece, item = self.code, self.line, self.piece, self.line.item
        entry = code.offset("%table", code.let(f"mul i64 {start}, 4"))
        skip = code.let(f"mul i64 {start}, {item}")
        slots = []
        for k in range(line.width):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}, align 4")
            slots.append(code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
        for lane in lanes[::piece]:
            pointers = [code.offset(slot, lane * item) for slot in slots]
            parts = [_load_adjacent(code, line, pointers[k::piece]) for k in range(piece)]
            columns = transpose(code, line, parts)
            for row, values in zip(self.rows[lane : lane + piece], columns, strict=True):
                memory = code.offset(row, skip)
                if not mask:
                    code.emit(f"store {line.vector} {values}, ptr {memory}, align {item}")
                else:
                    code.emit(
                        f"call void @llvm.masked.store.{line.suffix}.p0({line.vector} {values},"
                        f" ptr {memory}, i32 {item}, {line.mask} {mask})"
                    )

    def write_rows(self, lanes: range) -> None:
        """Write all columns of the rows of some lanes; the last two blocks may overlap."""
        code, columns = self.code, self.line.width
        with code.loop(self.full, columns) as start:
            self._write(start, lanes)
        overlap, short, done = code.label(), code.label(), code.label()
        long_enough = code.let(f"icmp ne i64 {self.full}, 0")
        with code.when(code.let(f"icmp ne i64 {self.left}, 0")):
            code.emit(f"br i1 {long_enough}, label %{overlap}, label %{short}")
            code.start(overlap)
            self._write(code.let(f"sub i64 %size, {columns}"), lanes)
            code.emit(f"br label %{done}")
            code.start(short)
            self._write("0", lanes, _tail_mask(code, columns, self.left))
            code.emit(f"br label %{done}")
            code.start(done)


def unpack_rows(lanes: Lanes, long: bool, streams: bool, attributes: str) -> str:
    """Copy slots to contiguous rows: (base, step, size, count, workspace, table, far).

    The table has the byte offset of each value's slot, so that equal outputs share one. Kernels
    with many outputs spend most of their time here. Slots are read in pieces of 128 bits, two
    pieces joined while loading (no shuffle port), and only small transposes inside the 128-bit
    halves remain. All rows advance together, which keeps more cache misses in flight, unless they
    are `long` and their lines map to the same cache sets. If the result is too large for any cache
    (`far`), long adjacent rows are streamed past it, if the processor `streams` whole lines.
    """
    code = Code()
    width = lanes.width
    rows = _row_pointers(code, width, "%base")
    unpacker = _RowUnpacker(code, lanes, rows)
    if long and streams:
        stream, near_memory = code.label(), code.label()
        packed = code.let(f"icmp eq i64 %step, {code.let(f'mul i64 %size, {lanes.item}')}")
        full = code.let(f"and i1 {packed}, {code.let(f'icmp eq i64 %count, {width}')}")
        streaming = code.let(f"and i1 %far, {full}")
        code.emit(f"br i1 {streaming}, label %{stream}, label %{near_memory}")
        code.start(stream)
        avx512.stream_rows(code, lanes, rows)
        code.emit("ret void")
        code.start(near_memory)
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr %ws, ptr %table, i1 %far"
    signature = f"internal void @unpack_rows({arguments})"
    if not long:
        unpacker.write_rows(range(width))
        code.emit("ret void")
        return code.function(signature, attributes)
    together, apart, done = code.label(), code.label(), code.label()
    page = code.let("and i64 %step, 4095")
    near = code.let(f"add i64 {page}, 63")
    clash = code.let(f"icmp ult i64 {code.let(f'and i64 {near}, 4095')}, 127")
    code.emit(f"br i1 {clash}, label %{apart}, label %{together}")
    code.start(together)
    unpacker.write_rows(range(width))
    code.emit(f"br label %{done}")
    code.start(apart)
    group = min(width, max(unpacker.piece, 4))
    for first in range(0, width, group):
        unpacker.write_rows(range(first, first + group))
    code.emit(f"br label %{done}")
    code.start(done)
    code.emit("ret void")
    return code.function(signature, attributes)


# ------------------------------------------------------------------ any strides


class _Element:
    """Copies one value of all samples between memory and its slot."""

    def __init__(self, code: Code, lanes: Lanes, pack: bool) -> None:
        self.code, self.lanes, self.pack = code, lanes, pack
        self.single = code.let("icmp eq i64 %count, 1")
        full = code.let(f"icmp eq i64 %count, {lanes.width}")
        dense = code.let(f"icmp eq i64 %step, {lanes.item}")
        self.along = code.let(f"and i1 {full}, {dense}")
        self.last = code.let("sub i64 %count, 1")

    def _copy(self, kind: str, memory: str, slot: str) -> None:
        """Copy a scalar or a vector, in either direction."""
        code, align = self.code, self.lanes.item
        source, target = (memory, slot) if self.pack else (slot, memory)
        x = code.let(f"load {kind}, ptr {source}, align {align}")
        code.emit(f"store {kind} {x}, ptr {target}, align {align}")

    def _copy_single(self, memory: str, slot: str) -> None:
        """Copy a single sample, packed into every lane."""
        code, lanes = self.code, self.lanes
        if not self.pack:
            self._copy(lanes.scalar, memory, slot)
            return
        x = code.let(f"load {lanes.scalar}, ptr {memory}, align {lanes.item}")
        splat = splat_value(code, lanes.width, lanes.scalar, x)
        code.emit(f"store {lanes.vector} {splat}, ptr {slot}, align {lanes.bytes}")

    def move(self, memory: str, slot: str) -> None:
        """Copy a value: one sample, a vector if samples are adjacent, or lane by lane."""
        code = self.code
        single, vectors, several, lanes, done = (code.label() for _ in range(5))
        code.emit(f"br i1 {self.single}, label %{single}, label %{several}")
        code.start(several)
        code.emit(f"br i1 {self.along}, label %{vectors}, label %{lanes}")
        code.start(single)
        self._copy_single(memory, slot)
        code.emit(f"br label %{done}")
        code.start(vectors)
        self._copy(self.lanes.vector, memory, slot)
        code.emit(f"br label %{done}")
        code.start(lanes)
        with code.loop(self.lanes.width) as lane:
            late = code.let(f"icmp slt i64 {self.last}, {lane}")
            sample = code.let(f"select i1 {late}, i64 {self.last}, i64 {lane}")
            memory_lane = code.offset(memory, code.let(f"mul i64 {sample}, %step"))
            slot_lane = code.offset(slot, code.let(f"mul i64 {lane}, {self.lanes.item}"))
            self._copy(self.lanes.scalar, memory_lane, slot_lane)
        code.emit(f"br label %{done}")
        code.start(done)


def strided_mover(name: str, lanes: Lanes, axes: int, attributes: str) -> str:
    """Return pack or unpack for any strides: (base, step, shape, strides, count, workspace, table).

    shape and strides point at one integer per axis; the table has the byte offset of each value's
    slot. Handles single samples (count = 1) and batches that are contiguous along the batch axis
    (Fortran order) without a loop over lanes.
    """
    code = Code()
    sizes, strides = [], []
    for axis in range(axes):
        sizes.append(code.let(f"load i64, ptr {code.offset('%shape', 8 * axis)}"))
        strides.append(code.let(f"load i64, ptr {code.offset('%strides', 8 * axis)}"))
    element = _Element(code, lanes, pack=name == "pack")

    def nest(axis: int, memory: str, index: str) -> None:
        if axis == axes:
            entry = code.offset("%table", code.let(f"mul i64 {index}, 4"))
            offset = code.let(f"load i32, ptr {entry}, align 4")
            element.move(memory, code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
            return
        scaled = code.let(f"mul i64 {index}, {sizes[axis]}")
        with code.loop(sizes[axis]) as i:
            inner = code.offset(memory, code.let(f"mul i64 {i}, {strides[axis]}"))
            nest(axis + 1, inner, code.let(f"add i64 {scaled}, {i}"))

    nest(0, "%base", "0")
    code.emit("ret void")
    arguments = (
        "ptr %base, i64 %step, ptr %shape, ptr %strides, i64 %count, ptr noalias %ws, ptr %table"
    )
    return code.function(f"internal void @{name}_strided({arguments})", attributes)


def declarations(lanes: Lanes) -> str:
    """Return declarations of the functions that these call."""
    line = half_line(lanes)
    store = f"@llvm.masked.store.{line.suffix}.p0"
    return f"declare void {store}({line.vector}, ptr, i32, {line.mask})\n"
