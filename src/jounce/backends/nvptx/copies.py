"""Copies between global and shared memory as LLVM text: neighbours by neighbouring threads.

What lies in one piece on both sides goes sixteen bytes at a time. The last block of a batch,
samples with gaps between them and pointers that are not aligned go number by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jounce.backends.llvm.code import BYTES, Code
from jounce.backends.nvptx.plan import Piece

#: Bytes that a thread moves at once, and moves that are under way together.
_WIDE, _TOGETHER = 16, 16

#: Entries whose slots a warp keeps in registers while it goes through samples.
_CHUNK = 1024

WARP = 32


class Copies:
    """Copies of a block's samples; the names are those of values in the text.

    first: number of the block's first sample; count: how many it has; full: whether that is all.
    """

    def __init__(self, code: Code, scalar: str, threads: int, first: str, count: str) -> None:
        self.code, self.scalar, self.threads = code, scalar, threads
        self.first, self.count = first, count
        self.full = code.let(f"icmp eq i32 {count}, {threads}")
        self._lanes = _WIDE // BYTES[scalar]

    # -------------------------------------------------------------- places

    def memory(self, base: str, index: str | int) -> str:
        """A place in global memory."""
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(1) {base}, i64 {index}")

    def shared(self, index: str | int, base: str = "@shared") -> str:
        """A place in shared memory."""
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(3) {base}, i32 {index}")

    def wide(self, x: str) -> str:
        """A number of 32 bits as one of 64."""
        return self.code.let(f"zext i32 {x} to i64")

    def _aligned(self, pointer: str) -> str:
        """Whether sixteen bytes at a time may be moved there."""
        address = self.code.let(f"ptrtoint ptr addrspace(1) {pointer} to i64")
        low = self.code.let(f"and i64 {address}, {_WIDE - 1}")
        return self.code.let(f"icmp eq i64 {low}, 0")

    def _all(self, conditions: Sequence[str]) -> str:
        total = self.full
        for x in conditions:
            total = self.code.let(f"and i1 {total}, {x}")
        return total

    # -------------------------------------------------------------- inputs

    def bring(self, inputs: Sequence[tuple[str, str, int, int]]) -> None:
        """Inputs (pointer, step, entries, place in shared memory) to shared memory."""
        code = self.code
        whole = []
        for pointer, step, width, _ in inputs:
            whole += [code.let(f"icmp eq i64 {step}, {width}"), self._aligned(pointer)]
        fast, slow, done = code.label(), code.label(), code.label()
        code.emit(f"br i1 {self._all(whole)}, label %{fast}, label %{slow}")
        code.start(fast)
        self._bring_whole(inputs)
        code.emit(f"br label %{done}")
        code.start(slow)
        for given in inputs:
            self._bring_entries(*given)
        code.emit(f"br label %{done}")
        code.start(done)

    def _bring_whole(self, inputs: Sequence[tuple[str, str, int, int]]) -> None:
        """All samples of a block as they lie, sixteen bytes at a time."""
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        moves = []
        for pointer, _, width, place in inputs:
            start = self.memory(pointer, code.let(f"mul i64 {self.first}, {width}"))
            for offset, rest in self._rounds(width):
                moves.append((start, place, offset, rest))
        for k in range(0, len(moves), _TOGETHER):
            loaded = []
            for start, place, offset, rest in moves[k : k + _TOGETHER]:
                entry = self._vector(rest)
                source = self.memory(self.memory(start, self.wide(entry)), offset)
                value = code.let(f"load {kind}, ptr addrspace(1) {source}, align {_WIDE}")
                loaded.append((self.shared(place + offset, self.shared(entry)), value))
            for to, value in loaded:
                code.emit(f"store {kind} {value}, ptr addrspace(3) {to}, align {_WIDE}")

    def _vector(self, rest: int = 0) -> str:
        """The first entry of a thread's sixteen bytes, of which only `rest` have any (0: all).

        Threads beyond take the last one again.
        """
        thread = "%thread"
        if rest:
            last = rest // self._lanes - 1
            over = self.code.let(f"icmp ugt i32 %thread, {last}")
            thread = self.code.let(f"select i1 {over}, i32 {last}, i32 %thread")
        return self.code.let(f"mul nuw i32 {thread}, {self._lanes}")

    def _rounds(self, width: int) -> list[tuple[int, int]]:
        """Rounds of all threads through a block's entries: where each starts, and how many there
        are if it is not a full one."""
        total, each = self.threads * width, self.threads * self._lanes
        return [
            (offset, total - offset if total - offset < each else 0)
            for offset in range(0, total, each)
        ]

    def _bring_entries(self, pointer: str, step: str, width: int, place: int) -> None:
        code = self.code
        start = self.memory(pointer, code.let(f"mul i64 {self.first}, {step}"))
        with self._entries(width) as i:
            sample, entry = self._split(i, width)
            at = code.let(f"mul i64 {self.wide(sample)}, {step}")
            at = code.let(f"add i64 {at}, {self.wide(entry)}")
            value = code.let(f"load {self.scalar}, ptr addrspace(1) {self.memory(start, at)}")
            to = self.shared(code.let(f"add i32 {i}, {place}"))
            code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    @contextmanager
    def _entries(self, width: int) -> Iterator[str]:
        """A loop of all threads through the entries of a block's samples."""
        code = self.code
        total = code.let(f"mul i32 {self.count}, {width}")
        left = code.let(f"sub i32 {total}, %thread")
        beyond = code.let(f"add i32 {left}, {self.threads - 1}")
        negative = code.let(f"icmp slt i32 {beyond}, 0")
        beyond = code.let(f"select i1 {negative}, i32 0, i32 {beyond}")
        rounds = code.let(f"udiv i32 {beyond}, {self.threads}")
        with code.loop(self.wide(rounds)) as turn:
            turned = code.let(f"mul i32 {code.let(f'trunc i64 {turn} to i32')}, {self.threads}")
            yield code.let(f"add i32 {turned}, %thread")

    def _split(self, i: str, width: int) -> tuple[str, str]:
        """The sample of an entry, and its place there."""
        sample = self.code.let(f"udiv i32 {i}, {width}")
        start = self.code.let(f"mul i32 {sample}, {width}")
        return sample, self.code.let(f"sub i32 {i}, {start}")

    # -------------------------------------------------------------- results

    def send(self, pointer: str, size: int, piece: Piece, place: int, row: int, table: str) -> None:
        """A piece of a result (pointer, entries) to memory.

        place: where its region begins; row: a sample's entries there; table: slots in the pool.
        """
        width = piece.stop - piece.start
        if not piece.dense:
            self._send_rows(pointer, size, piece, place, row, table)
        elif width == size:
            self._send_whole(pointer, size, place)
        else:
            self._send_entries(pointer, size, piece, place)

    def _send_whole(self, pointer: str, width: int, place: int) -> None:
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        fast, slow, done = code.label(), code.label(), code.label()
        code.emit(f"br i1 {self._all([self._aligned(pointer)])}, label %{fast}, label %{slow}")
        code.start(fast)
        start = self.memory(pointer, code.let(f"mul i64 {self.first}, {width}"))
        for offset, rest in self._rounds(width):
            entry = self._vector(rest)
            source = self.shared(place + offset, self.shared(entry))
            value = code.let(f"load {kind}, ptr addrspace(3) {source}, align {_WIDE}")
            to = self.memory(self.memory(start, self.wide(entry)), offset)
            code.emit(f"store {kind} {value}, ptr addrspace(1) {to}, align {_WIDE}")
        code.emit(f"br label %{done}")
        code.start(slow)
        self._send_entries(pointer, width, Piece(0, 0, width, ()), place)
        code.emit(f"br label %{done}")
        code.start(done)

    def _send_entries(self, pointer: str, size: int, piece: Piece, place: int) -> None:
        code, width = self.code, piece.stop - piece.start
        start = code.let(f"mul i64 {self.first}, {size}")
        start = self.memory(pointer, code.let(f"add i64 {start}, {piece.start}"))
        with self._entries(width) as i:
            sample, entry = self._split(i, width)
            source = self.shared(code.let(f"add i32 {i}, {place}"))
            value = code.let(f"load {self.scalar}, ptr addrspace(3) {source}")
            at = code.let(f"mul i64 {self.wide(sample)}, {size}")
            to = self.memory(start, code.let(f"add i64 {at}, {self.wide(entry)}"))
            code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {to}")

    def _send_rows(
        self, pointer: str, size: int, piece: Piece, place: int, row: int, table: str
    ) -> None:
        """Each warp takes samples, its lanes the entries: their slots are looked up only once.

        A sample's entries are written one after the other: memory is slow where neighbours come
        later.
        """
        code, warps = self.code, self.threads // WARP
        lane = code.let(f"and i32 %thread, {WARP - 1}")
        warp = code.let(f"udiv i32 %thread, {WARP}")
        start = code.let(f"mul i64 {self.first}, {size}")
        start = self.memory(pointer, code.let(f"add i64 {start}, {piece.start}"))
        start = self.memory(start, self.wide(lane))
        width = piece.stop - piece.start
        for chunk in range(0, width, _CHUNK):
            slots = self._slots(table, chunk, min(_CHUNK, width - chunk), lane, place)
            with code.loop(self.wide(self.count), warps) as turn:
                sample = code.let(f"add i32 {code.let(f'trunc i64 {turn} to i32')}, {warp}")
                there = code.let(f"icmp ult i32 {sample}, {self.count}")
                with code.when(there):
                    to = self.memory(start, code.let(f"mul i64 {self.wide(sample)}, {size}"))
                    self._entries_of(slots, code.let(f"mul i32 {sample}, {row}"), to, chunk)

    def _slots(self, table: str, chunk: int, width: int, lane: str, place: int) -> list[Any]:
        """Slots of a lane's entries, and whether it has one in the last row of them."""
        code, found = self.code, []
        for offset in range(0, width, WARP):
            inside = ""
            entry = lane
            if offset + WARP > width:
                inside = code.let(f"icmp ult i32 {lane}, {width - offset}")
                entry = code.let(f"select i1 {inside}, i32 {lane}, i32 0")
            at = code.let(f"getelementptr i16, ptr addrspace(1) {table}, i32 {entry}")
            at = code.let(f"getelementptr i16, ptr addrspace(1) {at}, i32 {chunk + offset}")
            slot = code.let(f"load i16, ptr addrspace(1) {at}")
            found.append((self.shared(code.let(f"zext i16 {slot} to i32")), place, offset, inside))
        return found

    def _entries_of(self, slots: list[Any], row: str, to: str, chunk: int) -> None:
        """A lane's entries of a sample."""
        code, loaded = self.code, []
        for base, place, offset, inside in slots:
            source = self.shared(place, self.shared(row, base))
            loaded.append((code.let(f"load {self.scalar}, ptr addrspace(3) {source}"), offset, inside))
        for value, offset, inside in loaded:
            target = self.memory(to, chunk + offset)
            if inside:
                with code.when(inside):
                    code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")
            else:
                code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")
