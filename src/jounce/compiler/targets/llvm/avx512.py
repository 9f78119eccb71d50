"""AVX-512 streaming stores: large results bypass the cache, in whole lines.

Time of ordinary stores over streaming stores on a Zen 4 with 32 MB of L3, into results of 100 to
900 MB that are written once, the best of seven interleaved runs on a shared machine:

| kernel                              | values in a row | float64, 1 and 2 threads | float32   |
|-------------------------------------|-----------------|--------------------------|-----------|
| ur5 mass_matrix                     |              36 |                0.9 0.8   | too short |
| ur5 mass_matrix.dq                  |             216 |                2.6 2.5   | 3.0 3.8   |
| toro25 mass_matrix                  |             961 |                1.8 2.0   | 1.2 1.8   |
| toro25 inverse_dynamics.derivatives |       31, 3*961 |                1.5 1.6   | 1.4 1.3   |
| toro25 inverse_dynamics.dpi         |           8,060 |                1.7 1.9   | 2.4 2.0   |
| toro25 mass_matrix.dq               |          29,791 |                2.6 2.4   | 3.0 4.5   |

For stores alone, rows of 49 values gain a factor of 1.4, those of 64 to 256 between 2 and 3.
"""

from __future__ import annotations

from jounce.compiler.targets.llvm.code import Code, Lanes, splat_value, transpose


def stream_rows(code: Code, lanes: Lanes, rows: list[str]) -> None:
    """Write adjacent long rows by stores that bypass the cache.

    An ordinary store to a line that is not in the cache first reads it from memory, and all later
    stores wait. Streaming stores must cover whole lines: each joins the end of one block of columns
    with the start of the next, or the end of one row with the start of the next. Only the two ends
    of the whole block are stored under masks.
    """
    streaming = _RowStreamer(code, lanes, rows)
    last = code.let(f"sub i64 %size, {lanes.width}")
    previous = ""  # the last columns of the row before
    for lane in range(0, lanes.width, streaming.piece):
        previous = streaming.group(lane, last, previous)
    streaming.finish(previous)


def declarations(lanes: Lanes) -> str:
    """Return declarations of the intrinsics, and the metadata of streaming stores."""
    vector, order = lanes.vector, _indices(lanes)
    return (
        f"declare {vector} @{_permute(lanes)}({vector}, {order}, {vector})\n"
        f"declare void @llvm.masked.store.{lanes.suffix}.p0({vector}, ptr, i32, {lanes.mask})\n"
        "declare void @llvm.x86.sse.sfence()\n!0 = !{i32 1}\n"
    )


#: Fence that makes streamed results visible to other threads.
FENCE = "call void @llvm.x86.sse.sfence()"


def _permute(lanes: Lanes) -> str:
    return f"llvm.x86.avx512.vpermi2var.{'pd' if lanes.item == 8 else 'ps'}.512"


def _indices(lanes: Lanes) -> str:
    """Return the type of a vector of lane indices."""
    return f"<{lanes.width} x i{8 * lanes.item}>"


class _RowStreamer:
    """Alignment of rows to cache lines, and the instructions that write them.

    heads: the first whole line of each row. shifts: number of columns before it, in every lane.
    orders: the lanes of two consecutive blocks that form a line. lines: number of whole lines of
    each row.
    """

    def __init__(self, code: Code, lanes: Lanes, rows: list[str]) -> None:
        self.code, self.lanes, self.rows = code, lanes, rows
        self.piece = 16 // lanes.item
        integer = f"i{8 * lanes.item}"
        self.counting = "<" + ", ".join(f"{integer} {k}" for k in range(lanes.width)) + ">"
        self.log = lanes.item.bit_length() - 1
        length = code.let(f"mul i64 %size, {lanes.item}")
        addresses = [code.let(f"ptrtoint ptr {row} to i64") for row in rows]
        self.end = code.let(f"add i64 {addresses[-1]}, {length}")
        gaps = [code.let(f"and i64 {code.let(f'sub i64 0, {a}')}, 63") for a in addresses]
        self.shifts = [self._splat(code.let(f"lshr i64 {gap}, {self.log}")) for gap in gaps]
        self.orders = [
            code.let(f"add {_indices(lanes)} {shift}, {self.counting}") for shift in self.shifts
        ]
        self.heads = [code.offset(row, gap) for row, gap in zip(rows, gaps, strict=True)]
        starts = [code.let(f"add i64 {a}, {gap}") for a, gap in zip(addresses, gaps, strict=True)]
        # a row's own lines end where the line it shares with the next row begins
        ends = [*(code.let(f"sub i64 {start}, 64") for start in starts[1:]), self.end]
        self.lines = [
            code.let(f"lshr i64 {code.let(f'sub i64 {b}, {a}')}, 6")
            for a, b in zip(starts, ends, strict=True)
        ]

    def _columns(self, start: str, lane: int) -> list[str]:
        """Return columns start... of the rows of a few lanes."""
        code, lanes, piece = self.code, self.lanes, self.piece
        entry = code.offset("%table", code.let(f"mul i64 {start}, 4"))
        parts = []
        for k in range(lanes.width):
            offset = code.let(f"load i32, ptr {code.offset(entry, 4 * k)}, align 4")
            slot = code.offset("%ws", code.let(f"zext i32 {offset} to i64"))
            place = code.offset(slot, lane * lanes.item)
            parts.append(code.let(f"load <{piece} x {lanes.scalar}>, ptr {place}, align 16"))
        join_objects = [
            _concatenate(code, Lanes(lanes.scalar, piece), parts[k::piece]) for k in range(piece)
        ]
        return transpose(code, lanes, join_objects)

    def _splat(self, number: str) -> str:
        """Return a number of columns in every lane."""
        code, lanes = self.code, self.lanes
        number = number if lanes.item == 8 else code.let(f"trunc i64 {number} to i32")
        return splat_value(code, lanes.width, f"i{8 * lanes.item}", number)

    def _join(self, a: str, order: str, b: str) -> str:
        line, indices = self.lanes.vector, _indices(self.lanes)
        call = f"call {line} @{_permute(self.lanes)}"
        return self.code.let(f"{call}({line} {a}, {indices} {order}, {line} {b})")

    def _stream(self, values: str, place: str) -> None:
        line = self.lanes.vector
        self.code.emit(f"store {line} {values}, ptr {place}, align 64, !nontemporal !0")

    def _store(self, values: str, place: str, mask: str) -> None:
        lanes = self.lanes
        self.code.emit(
            f"call void @llvm.masked.store.{lanes.suffix}.p0({lanes.vector} {values}, ptr {place},"
            f" i32 {lanes.item}, {lanes.mask} {mask})"
        )

    def group(self, lane: int, last: str, previous: str) -> str:
        """Write rows of a few lanes; return the last columns of the last of them."""
        code, width = self.code, self.lanes.width
        group = range(lane, lane + self.piece)
        begin, finish = self._columns("0", lane), self._columns(last, lane)
        for k in group:
            first = begin[k - lane]
            if k == 0:
                below = f"icmp ult {_indices(self.lanes)} {self.counting}, {self.shifts[0]}"
                self._store(first, self.rows[0], code.let(below))
            else:
                line = self._join(previous, self.orders[k], first)
                self._stream(line, code.offset(self.heads[k], -64))
            previous = finish[k - lane]
        least = self.lines[lane]
        for k in group[1:]:
            less = code.let(f"icmp ult i64 {self.lines[k]}, {least}")
            least = code.let(f"select i1 {less}, i64 {self.lines[k]}, i64 {least}")
        stop = code.let(f"mul i64 {least}, {width}")
        with code.loop(stop, width, [(self.lanes.vector, x) for x in begin]) as (start, before):
            after = self._columns(code.let(f"add i64 {start}, {width}"), lane)
            skip = code.let(f"mul i64 {start}, {self.lanes.item}")
            for k in group:
                line = self._join(before[k - lane], self.orders[k], after[k - lane])
                self._stream(line, code.offset(self.heads[k], skip))
            code.carry(after)
        after = self._columns(code.let(f"add i64 {stop}, {width}"), lane)
        skip = code.let(f"mul i64 {stop}, {self.lanes.item}")
        for k in group:  # rows that start elsewhere on a line may have one line more
            line = self._join(before[k - lane], self.orders[k], after[k - lane])
            with code.when(code.let(f"icmp ugt i64 {self.lines[k]}, {least}")):
                self._stream(line, code.offset(self.heads[k], skip))
        return previous

    def finish(self, previous: str) -> None:
        """Write the remainder of the last row after its whole lines."""
        code, indices = self.code, _indices(self.lanes)
        remainder = code.let(f"lshr i64 {code.let(f'and i64 {self.end}, 63')}, {self.log}")
        from_end = self._splat(code.let(f"sub i64 {self.lanes.width}, {remainder}"))
        order = code.let(f"add {indices} {from_end}, {self.counting}")
        rotated = self._join(previous, order, previous)
        end = code.let(f"mul i64 {self.lines[-1]}, 64")
        mask = code.let(f"icmp ult {indices} {self.counting}, {self._splat(remainder)}")
        self._store(rotated, code.offset(self.heads[-1], end), mask)


def _concatenate(code: Code, lanes: Lanes, parts: list[str]) -> str:
    """Concatenate vectors."""
    while len(parts) > 1:
        half, lanes = lanes.vector, Lanes(lanes.scalar, 2 * lanes.width)
        order = ", ".join(f"i32 {j}" for j in range(lanes.width))
        parts = [
            code.let(f"shufflevector {half} {a}, {half} {b}, <{lanes.width} x i32> <{order}>")
            for a, b in zip(parts[::2], parts[1::2], strict=True)
        ]
    return parts[0]
