"""LLVM text: a small builder, and the functions that move rows into SIMD lanes and back.

Each function here returns the definition of one LLVM function for `width` lanes of `scalar`
("double" or "float"). A workspace slot is one vector: the same quantity of `width` samples.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

BYTES = {"double": 8, "float": 4}


def number(value: float, scalar: str = "double") -> str:
    """LLVM spelling of a floating-point constant, exact to the bit."""
    if scalar == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Code:
    """LLVM text under construction: fresh names, blocks, counted loops."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.block = "entry"
        self._fresh = 0
        self._carry: list[str] = []

    def emit(self, line: str) -> None:
        """One instruction without a result."""
        self.lines.append("  " + line)

    def let(self, instruction: str) -> str:
        """One instruction with a result; returns its name."""
        name = f"%t{self._fresh}"
        self._fresh += 1
        self.lines.append(f"  {name} = {instruction}")
        return name

    def label(self) -> str:
        """A fresh block name."""
        self._fresh += 1
        return f"b{self._fresh}"

    def start(self, block: str) -> None:
        """Begin a block."""
        self.lines.append(f"{block}:")
        self.block = block

    def offset(self, base: str, bytes_: str | int) -> str:
        """Pointer `bytes_` beyond `base`."""
        return self.let(f"getelementptr i8, ptr {base}, i64 {bytes_}")

    @contextmanager
    def loop(
        self, stop: str | int, step: int = 1, carried: Sequence[tuple[str, str]] = ()
    ) -> Iterator[Any]:
        """Counted loop from 0 while less than `stop`; yields the counter.

        With carried (type, first value) pairs it yields the counter and the values' names, which
        hold in and after the loop; the body ends with `carry(next values)`.
        """
        head, body, done = self.label(), self.label(), self.label()
        counter = f"%i{self._fresh}"
        names = [f"%c{self._fresh}.{k}" for k in range(len(carried))]
        before = self.block
        self.emit(f"br label %{head}")
        self.start(head)
        slot = len(self.lines)
        self.lines.append("")
        more = self.let(f"icmp slt i64 {counter}, {stop}")
        self.emit(f"br i1 {more}, label %{body}, label %{done}")
        self.start(body)
        yield (counter, names) if carried else counter
        following = self.let(f"add i64 {counter}, {step}")
        self.emit(f"br label %{head}")
        phis = [f"  {counter} = phi i64 [0, %{before}], [{following}, %{self.block}]"]
        for name, (kind, first), after in zip(names, carried, self._carry, strict=True):
            phis.append(f"  {name} = phi {kind} [{first}, %{before}], [{after}, %{self.block}]")
        self._carry = []
        self.lines[slot] = "\n".join(phis)
        self.start(done)

    def carry(self, values: Sequence[str]) -> None:
        """Values for the next turn of the innermost loop."""
        self._carry = list(values)

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Code that runs only if the i1 `condition` holds."""
        body, done = self.label(), self.label()
        self.emit(f"br i1 {condition}, label %{body}, label %{done}")
        self.start(body)
        yield
        self.emit(f"br label %{done}")
        self.start(done)

    def function(self, signature: str, attributes: str) -> str:
        """The whole function definition."""
        return "\n".join([f"define {signature} {attributes} {{", "entry:", *self.lines, "}", ""])


def _row_pointers(code: Code, width: int, base: str) -> list[str]:
    """Pointers to the rows of `width` samples.

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


def _transpose(code: Code, vector: str, width: int, rows: list[str]) -> list[str]:
    """Columns of square blocks held as row vectors: a round of shuffles per factor of two.

    With n row vectors of n lanes this is their transpose; with fewer, n x n blocks that lie side
    by side in the vectors are each transposed.
    """
    block = 1
    while block < len(rows):
        turned = list(rows)
        low = [j if not j & block else width + j - block for j in range(width)]
        high = [j + block if not j & block else width + j for j in range(width)]
        for i in range(len(rows)):
            if not i & block:
                pair = f"{vector} {rows[i]}, {vector} {rows[i + block]}"
                for target, order in ((i, low), (i + block, high)):
                    mask = ", ".join(f"i32 {j}" for j in order)
                    turned[target] = code.let(f"shufflevector {pair}, <{width} x i32> <{mask}>")
        rows, block = turned, 2 * block
    return rows


def _tail_mask(code: Code, width: int, left: str) -> str:
    """Mask of the first `left` lanes."""
    lanes = ", ".join(f"i64 {j}" for j in range(width))
    first = code.let(f"insertelement <{width} x i64> poison, i64 {left}, i64 0")
    zeros = f"<{width} x i32> zeroinitializer"
    many = code.let(f"shufflevector <{width} x i64> {first}, <{width} x i64> poison, {zeros}")
    return code.let(f"icmp ult <{width} x i64> <{lanes}>, {many}")


def pack_rows(scalar: str, width: int, attributes: str) -> str:
    """Contiguous rows to slots: (base, step, size, count, slots).

    Moves `size` values of `count` <= width samples, `step` bytes apart, by width x width
    transposes in registers.
    """
    vector, item = f"<{width} x {scalar}>", BYTES[scalar]
    slot_bytes = item * width
    code = Code()
    rows = _row_pointers(code, width, "%base")

    def block(start: str, mask: str | None) -> None:
        slots = code.offset("%slots", code.let(f"mul i64 {start}, {slot_bytes}"))
        skip = code.let(f"mul i64 {start}, {item}")
        lines = []
        for row in rows:
            memory = code.offset(row, skip)
            if mask is None:
                lines.append(code.let(f"load {vector}, ptr {memory}, align {item}"))
            else:
                lines.append(
                    code.let(
                        f"call {vector} @llvm.masked.load.v{width}f{8 * item}.p0(ptr {memory},"
                        f" i32 {item}, <{width} x i1> {mask}, {vector} zeroinitializer)"
                    )
                )
        for k, column in enumerate(_transpose(code, vector, width, lines)):
            place = code.offset(slots, k * slot_bytes)
            code.emit(f"store {vector} {column}, ptr {place}, align {slot_bytes}")

    left = code.let(f"urem i64 %size, {width}")
    full = code.let(f"sub i64 %size, {left}")
    with code.loop(full, width) as start:
        block(start, None)
    some = code.let(f"icmp ne i64 {left}, 0")
    with code.when(some):
        block(full, _tail_mask(code, width, left))
    code.emit("ret void")
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr noalias %slots"
    return code.function(f"internal void @pack_rows({arguments})", attributes)


def unpack_rows(scalar: str, width: int, streams: bool, attributes: str) -> str:
    """Slots to contiguous rows: (base, step, size, count, workspace, table).

    The table gives the byte offset of each value's slot, so that equal outputs share one. Most of
    the time of kernels with many outputs goes here. Slots are read in pieces of 128 bits, two
    pieces joined while loading (no shuffle port), and only small transposes inside the 128-bit
    halves remain. All rows advance together, which keeps more cache misses in flight, unless their
    lines fall on the same places of the cache. Where the result is too large for any cache (`far`),
    long adjacent rows are streamed past it, if the processor `streams` whole lines.
    """
    item = BYTES[scalar]
    piece = 16 // item
    halves = 2 if item * width >= 32 else 1
    columns = halves * piece
    small, line = f"<{piece} x {scalar}>", f"<{columns} x {scalar}>"
    code = Code()
    rows = _row_pointers(code, width, "%base")
    left = code.let(f"urem i64 %size, {columns}")
    full = code.let(f"sub i64 %size, {left}")

    def read(slots: list[str], lane: int) -> str:
        """Lanes `lane`... of one slot, and of another behind them."""
        parts = [
            code.let(f"load {small}, ptr {code.offset(slot, lane * item)}, align 16")
            for slot in slots
        ]
        if halves == 1:
            return parts[0]
        order = ", ".join(f"i32 {j}" for j in range(columns))
        return code.let(
            f"shufflevector {small} {parts[0]}, {small} {parts[1]}, <{columns} x i32> <{order}>"
        )

    def write(start: str, first: int, group: int, mask: str = "") -> None:
        entry = code.offset("%table", code.let(f"mul i64 {start}, 4"))
        skip = code.let(f"mul i64 {start}, {item}")
        slots = []
        for k in range(columns):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}, align 4")
            slots.append(code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
        for lane in range(first, first + group, piece):
            parts = [read(slots[k::piece], lane) for k in range(piece)]
            lines = _transpose(code, line, columns, parts)
            for row, values in zip(rows[lane : lane + piece], lines, strict=True):
                memory = code.offset(row, skip)
                if not mask:
                    code.emit(f"store {line} {values}, ptr {memory}, align {item}")
                else:
                    code.emit(
                        f"call void @llvm.masked.store.v{columns}f{8 * item}.p0({line} {values},"
                        f" ptr {memory}, i32 {item}, <{columns} x i1> {mask})"
                    )

    def write_rows(first: int, group: int) -> None:
        with code.loop(full, columns) as start:
            write(start, first, group)
        with code.when(code.let(f"icmp ne i64 {left}, 0")):
            write(full, first, group, _tail_mask(code, columns, left))

    if streams:
        stream, near_memory = code.label(), code.label()
        packed = code.let(f"icmp eq i64 %step, {code.let(f'mul i64 %size, {item}')}")
        whole = code.let(f"and i1 {packed}, {code.let(f'icmp eq i64 %count, {width}')}")
        streaming = code.let(f"and i1 %far, {whole}")
        code.emit(f"br i1 {streaming}, label %{stream}, label %{near_memory}")
        code.start(stream)
        _stream_rows(code, scalar, width, rows)
        code.emit("ret void")
        code.start(near_memory)
    together, apart, done = code.label(), code.label(), code.label()
    page = code.let("and i64 %step, 4095")
    near = code.let(f"add i64 {page}, 63")
    clash = code.let(f"icmp ult i64 {code.let(f'and i64 {near}, 4095')}, 127")
    code.emit(f"br i1 {clash}, label %{apart}, label %{together}")
    code.start(together)
    write_rows(0, width)
    code.emit(f"br label %{done}")
    code.start(apart)
    group = min(width, max(piece, 4))
    for first in range(0, width, group):
        write_rows(first, group)
    code.emit(f"br label %{done}")
    code.start(done)
    code.emit("ret void")
    arguments = "ptr %base, i64 %step, i64 %size, i64 %count, ptr %ws, ptr %table, i1 %far"
    return code.function(f"internal void @unpack_rows({arguments})", attributes)


def _stream_rows(code: Code, scalar: str, width: int, rows: list[str]) -> None:
    """Adjacent long rows to memory that no cache holds, by stores that bypass it.

    An ordinary store to a line that is not in the cache first reads it from memory, and all later
    stores wait. Streaming stores must cover whole lines: each joins the end of one block of columns
    with the start of the next, or the end of one row with the start of the next. Only the two ends
    of the whole block are stored under masks.
    """
    item = BYTES[scalar]
    piece = 16 // item
    line, integer = f"<{width} x {scalar}>", f"i{8 * item}"
    indices = f"<{width} x {integer}>"
    lanes = "<" + ", ".join(f"{integer} {k}" for k in range(width)) + ">"
    permute = f"llvm.x86.avx512.vpermi2var.{'pd' if item == 8 else 'ps'}.512"

    def columns(start: str, lane: int) -> list[str]:
        """Columns start... of the rows of a few lanes."""
        entry = code.offset("%table", code.let(f"mul i64 {start}, 4"))
        parts = []
        for k in range(width):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}, align 4")
            slot = code.offset("%ws", code.let(f"zext i32 {offset} to i64"))
            place = code.offset(slot, lane * item)
            parts.append(code.let(f"load <{piece} x {scalar}>, ptr {place}, align 16"))
        joined = [_joined(code, scalar, piece, parts[k::piece]) for k in range(piece)]
        return _transpose(code, line, width, joined)

    def spread(number_: str) -> str:
        """A number of columns in every lane."""
        number_ = number_ if item == 8 else code.let(f"trunc i64 {number_} to i32")
        one = code.let(f"insertelement {indices} poison, {integer} {number_}, i64 0")
        zeros = f"<{width} x i32> zeroinitializer"
        return code.let(f"shufflevector {indices} {one}, {indices} poison, {zeros}")

    def join(a: str, order: str, b: str) -> str:
        return code.let(f"call {line} @{permute}({line} {a}, {indices} {order}, {line} {b})")

    def stream(values: str, place: str) -> None:
        code.emit(f"store {line} {values}, ptr {place}, align 64, !nontemporal !0")

    def store(values: str, place: str, mask: str) -> None:
        code.emit(
            f"call void @llvm.masked.store.v{width}f{8 * item}.p0({line} {values}, ptr {place},"
            f" i32 {item}, <{width} x i1> {mask})"
        )

    log = item.bit_length() - 1
    length = code.let(f"mul i64 %size, {item}")
    addresses = [code.let(f"ptrtoint ptr {row} to i64") for row in rows]
    end = code.let(f"add i64 {addresses[-1]}, {length}")
    gaps = [code.let(f"and i64 {code.let(f'sub i64 0, {a}')}, 63") for a in addresses]
    shifts = [spread(code.let(f"lshr i64 {gap}, {log}")) for gap in gaps]
    orders = [code.let(f"add {indices} {shift}, {lanes}") for shift in shifts]
    heads = [code.offset(row, gap) for row, gap in zip(rows, gaps, strict=True)]
    starts = [code.let(f"add i64 {a}, {gap}") for a, gap in zip(addresses, gaps, strict=True)]
    # a row's own lines end where the line it shares with the next row begins
    ends = [*(code.let(f"sub i64 {start}, 64") for start in starts[1:]), end]
    lines = [
        code.let(f"lshr i64 {code.let(f'sub i64 {b}, {a}')}, 6")
        for a, b in zip(starts, ends, strict=True)
    ]
    last = code.let(f"sub i64 %size, {width}")
    previous = ""  # the last columns of the row before
    for lane in range(0, width, piece):
        group = range(lane, lane + piece)
        begin, finish = columns("0", lane), columns(last, lane)
        for k in group:
            first = begin[k - lane]
            if k == 0:
                store(first, rows[0], code.let(f"icmp ult {indices} {lanes}, {shifts[0]}"))
            else:
                stream(join(previous, orders[k], first), code.offset(heads[k], -64))
            previous = finish[k - lane]
        least = lines[lane]
        for k in group[1:]:
            less = code.let(f"icmp ult i64 {lines[k]}, {least}")
            least = code.let(f"select i1 {less}, i64 {lines[k]}, i64 {least}")
        stop = code.let(f"mul i64 {least}, {width}")
        with code.loop(stop, width, [(line, x) for x in begin]) as (start, before):
            after = columns(code.let(f"add i64 {start}, {width}"), lane)
            skip = code.let(f"mul i64 {start}, {item}")
            for k in group:
                whole = join(before[k - lane], orders[k], after[k - lane])
                stream(whole, code.offset(heads[k], skip))
            code.carry(after)
        after = columns(code.let(f"add i64 {stop}, {width}"), lane)
        skip = code.let(f"mul i64 {stop}, {item}")
        for k in group:  # rows that start elsewhere on a line may have one line more
            whole = join(before[k - lane], orders[k], after[k - lane])
            with code.when(code.let(f"icmp ugt i64 {lines[k]}, {least}")):
                stream(whole, code.offset(heads[k], skip))
    rest = code.let(f"lshr i64 {code.let(f'and i64 {end}, 63')}, {log}")
    from_end = spread(code.let(f"sub i64 {width}, {rest}"))
    turned = join(previous, code.let(f"add {indices} {from_end}, {lanes}"), previous)
    there = code.let(f"mul i64 {lines[-1]}, 64")
    mask = code.let(f"icmp ult {indices} {lanes}, {spread(rest)}")
    store(turned, code.offset(heads[-1], there), mask)


def _joined(code: Code, scalar: str, lanes: int, parts: list[str]) -> str:
    """Vectors of `lanes` lanes behind each other."""
    while len(parts) > 1:
        half = f"<{lanes} x {scalar}>"
        lanes *= 2
        order = ", ".join(f"i32 {j}" for j in range(lanes))
        parts = [
            code.let(f"shufflevector {half} {a}, {half} {b}, <{lanes} x i32> <{order}>")
            for a, b in zip(parts[::2], parts[1::2], strict=True)
        ]
    return parts[0]


def strided_mover(name: str, scalar: str, width: int, axes: int, attributes: str) -> str:
    """pack or unpack for any strides: (base, step, shape, strides, count, workspace, table).

    shape and strides point at one integer per axis; the table holds the byte offset of each
    value's slot. Handles single samples (count = 1) and batches that are contiguous along the
    batch axis (Fortran order) without a loop over lanes.
    """
    vector, item = f"<{width} x {scalar}>", BYTES[scalar]
    slot_bytes = item * width
    pack = name == "pack"
    code = Code()
    sizes, strides = [], []
    for axis in range(axes):
        sizes.append(code.let(f"load i64, ptr {code.offset('%shape', 8 * axis)}"))
        strides.append(code.let(f"load i64, ptr {code.offset('%strides', 8 * axis)}"))
    single = code.let("icmp eq i64 %count, 1")
    full = code.let(f"icmp eq i64 %count, {width}")
    dense = code.let(f"icmp eq i64 %step, {item}")
    along = code.let(f"and i1 {full}, {dense}")
    last = code.let("sub i64 %count, 1")

    def element(memory: str, slot: str) -> None:
        one, vectors, many, lanes, done = (code.label() for _ in range(5))
        code.emit(f"br i1 {single}, label %{one}, label %{many}")
        code.start(many)
        code.emit(f"br i1 {along}, label %{vectors}, label %{lanes}")
        code.start(one)
        if pack:
            x = code.let(f"load {scalar}, ptr {memory}, align {item}")
            head = code.let(f"insertelement {vector} poison, {scalar} {x}, i64 0")
            zeros = f"<{width} x i32> zeroinitializer"
            spread = code.let(f"shufflevector {vector} {head}, {vector} poison, {zeros}")
            code.emit(f"store {vector} {spread}, ptr {slot}, align {slot_bytes}")
        else:
            x = code.let(f"load {scalar}, ptr {slot}, align {item}")
            code.emit(f"store {scalar} {x}, ptr {memory}, align {item}")
        code.emit(f"br label %{done}")
        code.start(vectors)
        source, target = (memory, slot) if pack else (slot, memory)
        x = code.let(f"load {vector}, ptr {source}, align {item}")
        code.emit(f"store {vector} {x}, ptr {target}, align {item}")
        code.emit(f"br label %{done}")
        code.start(lanes)
        with code.loop(width) as lane:
            late = code.let(f"icmp slt i64 {last}, {lane}")
            sample = code.let(f"select i1 {late}, i64 {last}, i64 {lane}")
            there = code.offset(memory, code.let(f"mul i64 {sample}, %step"))
            here = code.offset(slot, code.let(f"mul i64 {lane}, {item}"))
            source, target = (there, here) if pack else (here, there)
            x = code.let(f"load {scalar}, ptr {source}, align {item}")
            code.emit(f"store {scalar} {x}, ptr {target}, align {item}")
        code.emit(f"br label %{done}")
        code.start(done)

    def nest(axis: int, memory: str, index: str) -> None:
        if axis == axes:
            entry = code.offset("%table", code.let(f"mul i64 {index}, 4"))
            offset = code.let(f"load i32, ptr {entry}, align 4")
            element(memory, code.offset("%ws", code.let(f"zext i32 {offset} to i64")))
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
