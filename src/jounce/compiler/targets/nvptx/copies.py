"""Copies between global and shared memory as LLVM text: neighbours by neighbouring threads.

What lies in one piece on both sides goes sixteen bytes at a time. The last block of a batch,
samples with gaps between them and pointers that are not aligned go number by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from jounce.compiler.targets.llvm.code import BYTES, Code
from jounce.compiler.targets.nvptx.plan import Piece

#: Bytes that a thread moves at once, and moves that are under way together.
_WIDE, _TOGETHER = 16, 16

#: Entries whose slots a warp keeps in registers while it goes through samples.
_CHUNK = 1024

WARP = 32


class Coming(NamedTuple):
    """Entries start..stop of an input with `size` of them: names of its pointer and step.

    place: where they come to lie in shared memory.
    """

    pointer: str
    step: str
    size: int
    start: int
    stop: int
    place: int

    @property
    def whole(self) -> bool:
        """Whether all of the input is brought."""
        return self.stop - self.start == self.size


class Going(NamedTuple):
    """A piece of a result with `size` entries: the names of its pointer and tables.

    place: where its region begins in shared memory; row: a sample's entries there.
    """

    pointer: str
    size: int
    piece: Piece
    place: int
    row: int
    slots: str
    places: str


class _Entry(NamedTuple):
    """An entry of a lane: where it lies in shared memory, of a block's first sample.

    place, offset: where it goes in a sample's result, in two parts. inside: whether there is one,
    if there is not for all lanes.
    """

    source: str
    place: str
    offset: int
    inside: str


class _Rows(NamedTuple):
    """What a lane writes of each sample: names of the first sample's place and of its warp."""

    going: Going
    entries: list[_Entry]
    start: str
    warp: str


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

    def bring(self, inputs: Sequence[Coming]) -> None:
        """Inputs to shared memory."""
        whole, parts = [x for x in inputs if x.whole], [x for x in inputs if not x.whole]
        self._bring_parts(parts)
        if not whole:
            return
        code, conditions = self.code, []
        for x in whole:
            conditions += [code.let(f"icmp eq i64 {x.step}, {x.size}"), self._aligned(x.pointer)]
        code.either(
            self._all(conditions), lambda: self._bring_whole(whole), lambda: self._bring_each(whole)
        )

    def _bring_parts(self, inputs: Sequence[Coming]) -> None:
        """Some entries of each sample, many at a time."""
        code, moves = self.code, []
        for x in inputs:
            start = code.let(f"mul i64 {self.first}, {x.step}")
            start = self.memory(self.memory(x.pointer, start), x.start)
            width = x.stop - x.start
            moves += [(x, start, width, r * self.threads) for r in range(width)]
        for k in range(0, len(moves), _TOGETHER):
            loaded = []
            for x, start, width, offset in moves[k : k + _TOGETHER]:
                i = self._in_range(width, offset)
                sample, entry = self._split(i, width)
                at = code.let(f"mul i64 {self.wide(sample)}, {x.step}")
                source = self.memory(self.memory(start, at), self.wide(entry))
                value = code.let(f"load {self.scalar}, ptr addrspace(1) {source}")
                loaded.append((self.shared(x.place, self.shared(i)), value))
            for to, value in loaded:
                code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    def _in_range(self, width: int, offset: int) -> str:
        """The number of an entry of a block's samples; beyond the last one, that one again."""
        code = self.code
        last = code.let(f"sub i32 {code.let(f'mul i32 {self.count}, {width}')}, 1")
        i = code.let(f"add i32 %thread, {offset}")
        over = code.let(f"icmp ugt i32 {i}, {last}")
        return code.let(f"select i1 {over}, i32 {last}, i32 {i}")

    def _bring_whole(self, inputs: Sequence[Coming]) -> None:
        """All samples of a block as they lie, sixteen bytes at a time."""
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        moves = []
        for x in inputs:
            start = self.memory(x.pointer, code.let(f"mul i64 {self.first}, {x.size}"))
            moves += [(start, x.place, *each) for each in self._rounds(x.size)]
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
        """Return the start of each round of threads over a block, and the size of a partial one."""
        total, each = self.threads * width, self.threads * self._lanes
        return [
            (offset, total - offset if total - offset < each else 0)
            for offset in range(0, total, each)
        ]

    def _bring_each(self, inputs: Sequence[Coming]) -> None:
        """Inputs number by number."""
        for given in inputs:
            self._bring_entries(given)

    def _bring_entries(self, given: Coming) -> None:
        """Entries of samples, which may have others between them."""
        code, width = self.code, given.stop - given.start
        start = code.let(f"mul i64 {self.first}, {given.step}")
        start = self.memory(self.memory(given.pointer, start), given.start)
        with self._entries(width) as i:
            sample, entry = self._split(i, width)
            at = code.let(f"mul i64 {self.wide(sample)}, {given.step}")
            at = code.let(f"add i64 {at}, {self.wide(entry)}")
            value = code.let(f"load {self.scalar}, ptr addrspace(1) {self.memory(start, at)}")
            to = self.shared(code.let(f"add i32 {i}, {given.place}"))
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

    def send(self, going: Going) -> None:
        """A piece of a result to memory."""
        piece = going.piece
        if piece.dense and len(piece.places) == going.size:
            self._send_whole(going)
        elif piece.dense or len(piece.places) < WARP:
            self._send_some(going)
        else:
            self._send_rows(going)

    def _send_whole(self, going: Going) -> None:
        """All of a result, sixteen bytes at a time where that is possible."""
        whole = self._all([self._aligned(going.pointer)])
        self.code.either(
            whole, lambda: self._send_vectors(going), lambda: self._send_entries(going)
        )

    def _send_vectors(self, going: Going) -> None:
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        start = self.memory(going.pointer, code.let(f"mul i64 {self.first}, {going.size}"))
        for offset, rest in self._rounds(going.size):
            entry = self._vector(rest)
            source = self.shared(going.place + offset, self.shared(entry))
            value = code.let(f"load {kind}, ptr addrspace(3) {source}, align {_WIDE}")
            to = self.memory(self.memory(start, self.wide(entry)), offset)
            code.emit(f"store {kind} {value}, ptr addrspace(1) {to}, align {_WIDE}")

    def _send_entries(self, going: Going) -> None:
        """Entries number by number, each thread whichever is its turn."""
        with self._entries(len(going.piece.places)) as i:
            value, target = self._moved(going, i)
            self.code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")

    def _send_some(self, going: Going) -> None:
        """A few entries, many at a time."""
        width = len(going.piece.places)
        for start in range(0, width, _TOGETHER):
            rounds = range(start, min(start + _TOGETHER, width))
            moved = [self._moved(going, self._in_range(width, r * self.threads)) for r in rounds]
            for value, target in moved:
                self.code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")

    def _moved(self, going: Going, i: str) -> tuple[str, str]:
        """An entry of the block's samples, and where it goes."""
        code, piece, width = self.code, going.piece, len(going.piece.places)
        start = self.memory(going.pointer, code.let(f"mul i64 {self.first}, {going.size}"))
        sample, entry = self._split(i, width)
        slot, to = entry, code.let(f"add i32 {entry}, {piece.places[0]}")
        if not piece.dense:
            slot = self._looked_up(going.slots, "i16", entry)
        if not piece.run:
            to = self._looked_up(going.places, "i32", entry)
        at = code.let(f"add i32 {code.let(f'mul i32 {sample}, {going.row}')}, {slot}")
        value = code.let(
            f"load {self.scalar}, ptr addrspace(3) {self.shared(going.place, self.shared(at))}"
        )
        at = code.let(f"mul i64 {self.wide(sample)}, {going.size}")
        return value, self.memory(self.memory(start, at), self.wide(to))

    def _looked_up(self, table: str, kind: str, entry: str) -> str:
        """A number of a table."""
        at = self.code.let(f"getelementptr {kind}, ptr addrspace(1) {table}, i32 {entry}")
        found = self.code.let(f"load {kind}, ptr addrspace(1) {at}")
        return found if kind == "i32" else self.code.let(f"zext {kind} {found} to i32")

    def _send_rows(self, going: Going) -> None:
        """Each warp takes samples, its lanes the entries: their slots are looked up only once.

        A sample's entries are written one after the other: memory is slow where neighbours come
        later.
        """
        code, width = self.code, len(going.piece.places)
        lane = code.let(f"and i32 %thread, {WARP - 1}")
        warp = code.let(f"udiv i32 %thread, {WARP}")
        start = self.memory(going.pointer, code.let(f"mul i64 {self.first}, {going.size}"))
        for chunk in range(0, width, _CHUNK):
            chunks = range(chunk, min(chunk + _CHUNK, width), WARP)
            rows = _Rows(going, [self._entry(going, k, lane) for k in chunks], start, warp)
            code.either(
                self.full,
                lambda rows=rows: self._all_samples(rows),
                lambda rows=rows: self._samples_there_are(rows),
            )

    def _all_samples(self, rows: _Rows) -> None:
        """The samples of a full block, a few of each warp's at a time."""
        code, warps = self.code, self.threads // WARP
        some = max(k for k in (1, 2, 4) if k == 1 or k * len(rows.entries) <= WARP)
        with code.loop(WARP // some) as turn:
            number = code.let(f"mul i32 {code.let(f'trunc i64 {turn} to i32')}, {some * warps}")
            self._write(rows, code.let(f"add i32 {number}, {rows.warp}"), some)

    def _samples_there_are(self, rows: _Rows) -> None:
        """The samples of the last block, one at a time."""
        code, warps = self.code, self.threads // WARP
        with code.loop(self.wide(self.count), warps) as turn:
            sample = code.let(f"add i32 {code.let(f'trunc i64 {turn} to i32')}, {rows.warp}")
            with code.when(code.let(f"icmp ult i32 {sample}, {self.count}")):
                self._write(rows, sample)

    def _entry(self, going: Going, offset: int, lane: str) -> _Entry:
        """The entry of a lane among those from an offset on."""
        code, piece, inside = self.code, going.piece, ""
        entry = code.let(f"add i32 {lane}, {offset}")
        if offset + WARP > len(piece.places):
            last = len(piece.places) - 1
            inside = code.let(f"icmp ule i32 {entry}, {last}")
            entry = code.let(f"select i1 {inside}, i32 {entry}, i32 {last}")
        slot = self._looked_up(going.slots, "i16", entry)
        source = self.shared(going.place, self.shared(slot))
        if piece.run:
            return _Entry(source, lane, offset + piece.places[0], inside)
        return _Entry(source, self._looked_up(going.places, "i32", entry), 0, inside)

    def _write(self, rows: _Rows, sample: str, some: int = 1) -> None:
        """A lane's entries of a sample, and of the next ones of its warp: so many in all."""
        code, warps, (going, entries, start, _) = self.code, self.threads // WARP, rows
        row = code.let(f"mul i32 {sample}, {going.row}")
        to = self.memory(start, code.let(f"mul i64 {self.wide(sample)}, {going.size}"))
        values = []
        for entry in entries:
            source = self.shared(row, entry.source)
            for k in range(some):
                at = self.shared(k * warps * going.row, source)
                values.append(code.let(f"load {self.scalar}, ptr addrspace(3) {at}"))
        for j, entry in enumerate(entries):
            target = self.memory(self.memory(to, self.wide(entry.place)), entry.offset)
            places = [self.memory(target, k * warps * going.size) for k in range(some)]
            stores = [
                f"store {self.scalar} {value}, ptr addrspace(1) {place}"
                for value, place in zip(values[j * some : (j + 1) * some], places, strict=True)
            ]
            with code.when(entry.inside) if entry.inside else nullcontext():
                for store in stores:
                    code.emit(store)
