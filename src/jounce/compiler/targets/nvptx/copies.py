"""Coalesced copies between global and shared memory, as LLVM text.

Data that is contiguous on both sides is copied sixteen bytes at a time. The last block of a batch,
samples with gaps between them and unaligned pointers are copied number by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from jounce.compiler.targets.llvm.code import BYTES, Code
from jounce.compiler.targets.nvptx.plan import Piece

#: Bytes that a thread moves at once, and loads that are issued before the first store.
_VECTOR_BYTES, _MOVES_IN_FLIGHT = 16, 16

#: Entries whose slots a warp keeps in registers while it loops over samples.
_CHUNK_ENTRIES = 1024

WARP_THREADS = 32
_COUNTS = (1, 2, 4)


class InputCopy(NamedTuple):
    """Copy of the entries start..stop of an input with `size` entries to shared memory.

    pointer, step: names of its pointer and step. place: destination in shared memory.
    """

    pointer: str
    step: str
    size: int
    start: int
    stop: int
    place: int

    @property
    def complete(self) -> bool:
        """True if all entries of the input are copied."""
        return self.stop - self.start == self.size


class ResultCopy(NamedTuple):
    """Copy of a piece of a result with `size` entries to global memory.

    pointer, slots, places: names of its pointer and tables. place: start of its region of shared
    memory. row: entries of a sample there.
    """

    pointer: str
    size: int
    piece: Piece
    place: int
    row: int
    slots: str
    places: str


class _LaneEntry(NamedTuple):
    """An entry of a lane: its location in shared memory, for the first sample of a block.

    place, offset: sum to its index in the result of a sample. inside: condition that the entry
    exists, "" if it does for all lanes.
    """

    source: str
    place: str
    offset: int
    inside: str


class _Rows(NamedTuple):
    """Entries a lane writes per sample; names of the start of the results and of the warp."""

    copy: ResultCopy
    entries: list[_LaneEntry]
    start: str
    warp: str


class CopyEmitter:
    """Emits copies of a block's samples; names are those of values in the text.

    first: number of the block's first sample; count: number of its samples; full: whether these are
    as many as threads.
    """

    def __init__(self, code: Code, scalar: str, threads: int, first: str, count: str) -> None:
        self.code, self.scalar, self.threads = code, scalar, threads
        self.first, self.count = first, count
        self.full = code.let(f"icmp eq i32 {count}, {threads}")
        self._lanes = _VECTOR_BYTES // BYTES[scalar]

    # -------------------------------------------------------------- places

    def memory(self, base: str, index: str | int) -> str:
        """Return a pointer to global memory."""
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(1) {base}, i64 {index}")

    def shared(self, index: str | int, base: str = "@shared") -> str:
        """Return a pointer to shared memory."""
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(3) {base}, i32 {index}")

    def wide(self, x: str) -> str:
        """Return a 32-bit number zero-extended to 64 bits."""
        return self.code.let(f"zext i32 {x} to i64")

    def _is_aligned(self, pointer: str) -> str:
        """Return whether a pointer allows vector copies."""
        address = self.code.let(f"ptrtoint ptr addrspace(1) {pointer} to i64")
        low = self.code.let(f"and i64 {address}, {_VECTOR_BYTES - 1}")
        return self.code.let(f"icmp eq i64 {low}, 0")

    def _require_all(self, conditions: Sequence[str]) -> str:
        total = self.full
        for x in conditions:
            total = self.code.let(f"and i1 {total}, {x}")
        return total

    # -------------------------------------------------------------- inputs

    def load_inputs(self, inputs: Sequence[InputCopy]) -> None:
        """Copy inputs to shared memory."""
        complete, parts = [x for x in inputs if x.complete], [x for x in inputs if not x.complete]
        self._load_partial(parts)
        if not complete:
            return
        code, conditions = self.code, []
        for x in complete:
            conditions += [code.let(f"icmp eq i64 {x.step}, {x.size}"), self._is_aligned(x.pointer)]
        code.either(
            self._require_all(conditions),
            lambda: self._load_vectors(complete),
            lambda: self._load_each(complete),
        )

    def _load_partial(self, inputs: Sequence[InputCopy]) -> None:
        """Copy some entries of each sample, with several loads in flight."""
        code, moves = self.code, []
        for x in inputs:
            start = code.let(f"mul i64 {self.first}, {x.step}")
            start = self.memory(self.memory(x.pointer, start), x.start)
            width = x.stop - x.start
            moves += [(x, start, width, r * self.threads) for r in range(width)]
        for k in range(0, len(moves), _MOVES_IN_FLIGHT):
            loaded = []
            for x, start, width, offset in moves[k : k + _MOVES_IN_FLIGHT]:
                i = self._clamp_entry(width, offset)
                sample, entry = self._locate_entry(i, width)
                row = code.let(f"mul i64 {self.wide(sample)}, {x.step}")
                source = self.memory(self.memory(start, row), self.wide(entry))
                value = code.let(f"load {self.scalar}, ptr addrspace(1) {source}")
                loaded.append((self.shared(x.place, self.shared(i)), value))
            for to, value in loaded:
                code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    def _clamp_entry(self, width: int, offset: int) -> str:
        """Return the index of a thread's entry in the block's samples, clamped to the last one."""
        code = self.code
        last = code.let(f"sub i32 {code.let(f'mul i32 {self.count}, {width}')}, 1")
        i = code.let(f"add i32 %thread, {offset}")
        over = code.let(f"icmp ugt i32 {i}, {last}")
        return code.let(f"select i1 {over}, i32 {last}, i32 {i}")

    def _load_vectors(self, inputs: Sequence[InputCopy]) -> None:
        """Copy all samples of a block, which are contiguous, sixteen bytes at a time."""
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        moves = []
        for x in inputs:
            start = self.memory(x.pointer, code.let(f"mul i64 {self.first}, {x.size}"))
            moves += [(start, x.place, *each) for each in self._rounds(x.size)]
        for k in range(0, len(moves), _MOVES_IN_FLIGHT):
            loaded = []
            for start, place, offset, remaining in moves[k : k + _MOVES_IN_FLIGHT]:
                entry = self._vector_start(remaining)
                source = self.memory(self.memory(start, self.wide(entry)), offset)
                value = code.let(f"load {kind}, ptr addrspace(1) {source}, align {_VECTOR_BYTES}")
                loaded.append((self.shared(place + offset, self.shared(entry)), value))
            for to, value in loaded:
                code.emit(f"store {kind} {value}, ptr addrspace(3) {to}, align {_VECTOR_BYTES}")

    def _vector_start(self, remaining: int = 0) -> str:
        """Return the first entry of a thread's vector; remaining: entries there are (0: enough).

        Threads past the end repeat the last vector.
        """
        thread = "%thread"
        if remaining:
            last = remaining // self._lanes - 1
            over = self.code.let(f"icmp ugt i32 %thread, {last}")
            thread = self.code.let(f"select i1 {over}, i32 {last}, i32 %thread")
        return self.code.let(f"mul nuw i32 {thread}, {self._lanes}")

    def _rounds(self, width: int) -> list[tuple[int, int]]:
        """Return (start, number of entries, 0 if it is full) of each round of all threads."""
        total, each = self.threads * width, self.threads * self._lanes
        return [
            (offset, total - offset if total - offset < each else 0)
            for offset in range(0, total, each)
        ]

    def _load_each(self, inputs: Sequence[InputCopy]) -> None:
        """Copy inputs number by number."""
        for source_input in inputs:
            self._load_entries(source_input)

    def _load_entries(self, source_input: InputCopy) -> None:
        """Copy entries of samples that may have gaps between them."""
        code, width = self.code, source_input.stop - source_input.start
        start = code.let(f"mul i64 {self.first}, {source_input.step}")
        start = self.memory(self.memory(source_input.pointer, start), source_input.start)
        with self._entries(width) as i:
            sample, entry = self._locate_entry(i, width)
            index = code.let(f"mul i64 {self.wide(sample)}, {source_input.step}")
            index = code.let(f"add i64 {index}, {self.wide(entry)}")
            value = code.let(f"load {self.scalar}, ptr addrspace(1) {self.memory(start, index)}")
            to = self.shared(code.let(f"add i32 {i}, {source_input.place}"))
            code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    @contextmanager
    def _entries(self, width: int) -> Iterator[str]:
        """Loop of all threads over the entries of a block's samples."""
        code = self.code
        total = code.let(f"mul i32 {self.count}, {width}")
        remaining = code.let(f"sub i32 {total}, %thread")
        rounded = code.let(f"add i32 {remaining}, {self.threads - 1}")
        negative = code.let(f"icmp slt i32 {rounded}, 0")
        rounded = code.let(f"select i1 {negative}, i32 0, i32 {rounded}")
        rounds = code.let(f"udiv i32 {rounded}, {self.threads}")
        with code.loop(self.wide(rounds)) as iteration:
            start_entry = code.let(
                f"mul i32 {code.let(f'trunc i64 {iteration} to i32')}, {self.threads}"
            )
            yield code.let(f"add i32 {start_entry}, %thread")

    def _locate_entry(self, i: str, width: int) -> tuple[str, str]:
        """Return the sample of an entry, and its index there."""
        sample = self.code.let(f"udiv i32 {i}, {width}")
        start = self.code.let(f"mul i32 {sample}, {width}")
        return sample, self.code.let(f"sub i32 {i}, {start}")

    # -------------------------------------------------------------- results

    def store_result(self, copy: ResultCopy) -> None:
        """Copy a piece of a result to global memory."""
        piece = copy.piece
        if piece.dense and len(piece.places) == copy.size:
            self._store_complete(copy)
        elif piece.dense or len(piece.places) < WARP_THREADS:
            self._store_few(copy)
        else:
            self._store_rows(copy)

    def _store_complete(self, copy: ResultCopy) -> None:
        """Copy a complete result, sixteen bytes at a time if it is aligned."""
        complete = self._require_all([self._is_aligned(copy.pointer)])
        self.code.either(
            complete, lambda: self._store_vectors(copy), lambda: self._store_entries(copy)
        )

    def _store_vectors(self, copy: ResultCopy) -> None:
        code, kind = self.code, f"<{self._lanes} x {self.scalar}>"
        start = self.memory(copy.pointer, code.let(f"mul i64 {self.first}, {copy.size}"))
        for offset, remaining in self._rounds(copy.size):
            entry = self._vector_start(remaining)
            source = self.shared(copy.place + offset, self.shared(entry))
            value = code.let(f"load {kind}, ptr addrspace(3) {source}, align {_VECTOR_BYTES}")
            to = self.memory(self.memory(start, self.wide(entry)), offset)
            code.emit(f"store {kind} {value}, ptr addrspace(1) {to}, align {_VECTOR_BYTES}")

    def _store_entries(self, copy: ResultCopy) -> None:
        """Copy entries one by one, consecutive threads taking consecutive entries."""
        with self._entries(len(copy.piece.places)) as i:
            value, target = self._load_entry(copy, i)
            self.code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")

    def _store_few(self, copy: ResultCopy) -> None:
        """Copy a few entries per sample, with several loads in flight."""
        width = len(copy.piece.places)
        for start in range(0, width, _MOVES_IN_FLIGHT):
            rounds = range(start, min(start + _MOVES_IN_FLIGHT, width))
            moved = [
                self._load_entry(copy, self._clamp_entry(width, r * self.threads)) for r in rounds
            ]
            for value, target in moved:
                self.code.emit(f"store {self.scalar} {value}, ptr addrspace(1) {target}")

    def _load_entry(self, copy: ResultCopy, i: str) -> tuple[str, str]:
        """Load an entry of the block's samples; return it and its destination."""
        code, piece, width = self.code, copy.piece, len(copy.piece.places)
        start = self.memory(copy.pointer, code.let(f"mul i64 {self.first}, {copy.size}"))
        sample, entry = self._locate_entry(i, width)
        slot, to = entry, code.let(f"add i32 {entry}, {piece.places[0]}")
        if not piece.dense:
            slot = self._look_up(copy.slots, "i16", entry)
        if not piece.contiguous:
            to = self._look_up(copy.places, "i32", entry)
        index = code.let(f"add i32 {code.let(f'mul i32 {sample}, {copy.row}')}, {slot}")
        value = code.let(
            f"load {self.scalar}, ptr addrspace(3) {self.shared(copy.place, self.shared(index))}"
        )
        row = code.let(f"mul i64 {self.wide(sample)}, {copy.size}")
        return value, self.memory(self.memory(start, row), self.wide(to))

    def _look_up(self, table: str, kind: str, entry: str) -> str:
        """Return an entry of a table."""
        pointer = self.code.let(f"getelementptr {kind}, ptr addrspace(1) {table}, i32 {entry}")
        number = self.code.let(f"load {kind}, ptr addrspace(1) {pointer}")
        return number if kind == "i32" else self.code.let(f"zext {kind} {number} to i32")

    def _store_rows(self, copy: ResultCopy) -> None:
        """Copy entries with a sample per warp and entries across its lanes.

        Slots are looked up only once. The entries of a sample are written one after the other,
        since memory is slow if neighboring entries are written later.
        """
        code, width = self.code, len(copy.piece.places)
        lane = code.let(f"and i32 %thread, {WARP_THREADS - 1}")
        warp = code.let(f"udiv i32 %thread, {WARP_THREADS}")
        start = self.memory(copy.pointer, code.let(f"mul i64 {self.first}, {copy.size}"))
        for chunk in range(0, width, _CHUNK_ENTRIES):
            chunks = range(chunk, min(chunk + _CHUNK_ENTRIES, width), WARP_THREADS)
            rows = _Rows(copy, [self._lane_entry(copy, k, lane) for k in chunks], start, warp)
            code.either(
                self.full,
                lambda rows=rows: self._store_full_block(rows),
                lambda rows=rows: self._store_last_block(rows),
            )

    def _store_full_block(self, rows: _Rows) -> None:
        """Copy the samples of a full block, several per warp at a time."""
        code, warps = self.code, self.threads // WARP_THREADS
        count = max(k for k in _COUNTS if k == 1 or k * len(rows.entries) <= WARP_THREADS)
        with code.loop(WARP_THREADS // count) as iteration:
            number = code.let(
                f"mul i32 {code.let(f'trunc i64 {iteration} to i32')}, {count * warps}"
            )
            self._store_samples(rows, code.let(f"add i32 {number}, {rows.warp}"), count)

    def _store_last_block(self, rows: _Rows) -> None:
        """Copy the samples of the last block, one at a time."""
        code, warps = self.code, self.threads // WARP_THREADS
        with code.loop(self.wide(self.count), warps) as iteration:
            sample = code.let(f"add i32 {code.let(f'trunc i64 {iteration} to i32')}, {rows.warp}")
            with code.when(code.let(f"icmp ult i32 {sample}, {self.count}")):
                self._store_samples(rows, sample)

    def _lane_entry(self, copy: ResultCopy, offset: int, lane: str) -> _LaneEntry:
        """Return the entry of a lane, counted from an offset."""
        code, piece, inside = self.code, copy.piece, ""
        entry = code.let(f"add i32 {lane}, {offset}")
        if offset + WARP_THREADS > len(piece.places):
            last = len(piece.places) - 1
            inside = code.let(f"icmp ule i32 {entry}, {last}")
            entry = code.let(f"select i1 {inside}, i32 {entry}, i32 {last}")
        slot = self._look_up(copy.slots, "i16", entry)
        source = self.shared(copy.place, self.shared(slot))
        if piece.contiguous:
            return _LaneEntry(source, lane, offset + piece.places[0], inside)
        return _LaneEntry(source, self._look_up(copy.places, "i32", entry), 0, inside)

    def _store_samples(self, rows: _Rows, sample: str, count: int = 1) -> None:
        """Copy a lane's entries of `count` samples of its warp, starting with `sample`."""
        code, warps, (copy, entries, start, _) = self.code, self.threads // WARP_THREADS, rows
        row = code.let(f"mul i32 {sample}, {copy.row}")
        to = self.memory(start, code.let(f"mul i64 {self.wide(sample)}, {copy.size}"))
        values = []
        for entry in entries:
            source = self.shared(row, entry.source)
            for k in range(count):
                address = self.shared(k * warps * copy.row, source)
                values.append(code.let(f"load {self.scalar}, ptr addrspace(3) {address}"))
        for j, entry in enumerate(entries):
            target = self.memory(self.memory(to, self.wide(entry.place)), entry.offset)
            places = [self.memory(target, k * warps * copy.size) for k in range(count)]
            stores = [
                f"store {self.scalar} {value}, ptr addrspace(1) {place}"
                for value, place in zip(values[j * count : (j + 1) * count], places, strict=True)
            ]
            with code.when(entry.inside) if entry.inside else nullcontext():
                for store in stores:
                    code.emit(store)
