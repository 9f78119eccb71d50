"""Second kernel of a packed plan: it copies values to their places in the results, as LLVM text.

A block reads the values of some samples to shared memory, and then writes the results of these
samples, each from the first entry to the last. Values are where results will be, so all of them are
read before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.llvm.code import BYTES, Code, number
from jounce.compiler.targets.nvptx.packing import Packing, Range
from jounce.compiler.targets.nvptx.text import GPU, NAME, Machine, parameters

#: Loads that are issued before the first store.
_MOVES_IN_FLIGHT = 16


#: Threads of a block, and bytes of its shared memory, unless a sample takes more.
_THREADS, _BLOCK_BYTES = {"double": 128, "float": 64}, 20 << 10


class Placement:
    """The second kernel.

    Parameters
    ----------
    inputs : int
        Number of arguments.
    sizes : sequence of int
        Entries of each result.
    scalar : str
        "double" or "float".
    packing : Packing
    machine : Machine
    """

    def __init__(
        self,
        inputs: int,
        sizes: Sequence[int],
        scalar: str,
        packing: Packing,
        machine: Machine = GPU,
    ) -> None:
        self.inputs, self.sizes, self.scalar = inputs, sizes, scalar
        self.packing, self.machine = packing, machine
        #: Numbers of a sample in shared memory.
        self.row = (packing.values + len(packing.constants)) | 1
        #: Threads of a block, and its samples.
        self.threads = _THREADS[scalar]
        self.samples = min(max(_BLOCK_BYTES // (self.row * BYTES[scalar]), 1), self.threads)

    @property
    def bytes(self) -> int:
        """Shared memory of a block."""
        return self.samples * self.row * BYTES[self.scalar]

    def text(self, tape: Tape) -> str:
        """Return the LLVM module of the kernel."""
        machine, code = self.machine, Code()
        code.lines += [line for line in machine.numbers.splitlines() if "%part" not in line]
        _Body(self, tape, code).write()
        code.emit("ret void")
        listed = ", ".join((*parameters(self.inputs, len(self.sizes)), "i64 %n"))
        signature = f"{machine.convention}void @{NAME}({listed}{machine.parameters})"
        shared = machine.shared.format(size=self.samples * self.row, scalar=self.scalar)
        tables = [
            f"@sources_{r} = internal addrspace(1) constant [{len(x)} x i16]"
            f" [{', '.join(f'i16 {k}' for k in x)}]\n"
            for r, x in enumerate(self.packing.sources)
        ]
        return "\n".join((machine.head, shared, *tables, code.function(signature, "nounwind")))


class _Body:
    """Instructions of a block."""

    def __init__(self, kernel: Placement, tape: Tape, code: Code) -> None:
        self.kernel, self.tape, self.code = kernel, tape, code
        self.sizes, self.packing, self.scalar = kernel.sizes, kernel.packing, kernel.scalar
        self.threads, self.samples, self.row = kernel.threads, kernel.samples, kernel.row
        block = code.let("zext i32 %block to i64")
        self.first = code.let(f"mul i64 {block}, {self.samples}")
        left = code.let(f"sub i64 %n, {self.first}")
        partial = code.let(f"icmp slt i64 {left}, {self.samples}")
        count = code.let(f"select i1 {partial}, i64 {left}, i64 {self.samples}")
        self.count = code.let(f"trunc i64 {count} to i32")

    def write(self) -> None:
        """Emit the body."""
        self._read()
        self.code.emit(self.kernel.machine.barrier)
        for result in range(len(self.sizes)):
            self._write(result)

    def _shared(self, index: str, base: str = "@shared") -> str:
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(3) {base}, i32 {index}")

    def _memory(self, base: str, index: str) -> str:
        return self.code.let(f"getelementptr {self.scalar}, ptr addrspace(1) {base}, i64 {index}")

    def _start(self, result: int) -> str:
        """Return a pointer to the block's first sample of a result."""
        offset = self.code.let(f"mul i64 {self.first}, {self.sizes[result]}")
        return self._memory(f"%o{result}", offset)

    def _read(self) -> None:
        """Read the values and constants of the block's samples."""
        code, place = self.code, 0
        for values in self.packing.ranges:
            self._read_range(values, place)
            place += values.stop - values.start
        if not self.packing.constants:
            return
        with code.when(code.let(f"icmp ult i32 %thread, {self.samples}")):
            row = code.let(f"mul i32 %thread, {self.row}")
            for k, operand in enumerate(self.packing.constants):
                value = number(self.tape.constants[-1 - operand], self.scalar)
                to = self._shared(str(place + k), self._shared(row))
                code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    def _read_range(self, values: Range, place: int) -> None:
        """Read the values of a range; threads past the end repeat the last one."""
        code, width = self.code, values.stop - values.start
        start = self._memory(self._start(values.result), str(values.start))
        last = code.let(f"sub i32 {code.let(f'mul i32 {self.count}, {width}')}, 1")
        rounds = range(0, self.samples * width, self.threads)
        for k in range(0, len(rounds), _MOVES_IN_FLIGHT):
            moves = []
            for offset in rounds[k : k + _MOVES_IN_FLIGHT]:
                i = code.let(f"add i32 %thread, {offset}")
                over = code.let(f"icmp ugt i32 {i}, {last}")
                i = code.let(f"select i1 {over}, i32 {last}, i32 {i}")
                sample = code.let(f"udiv i32 {i}, {width}")
                entry = code.let(f"sub i32 {i}, {code.let(f'mul i32 {sample}, {width}')}")
                source = code.let(f"mul i32 {sample}, {self.sizes[values.result]}")
                source = code.let(f"zext i32 {code.let(f'add i32 {source}, {entry}')} to i64")
                source = self._memory(start, source)
                value = code.let(f"load {self.scalar}, ptr addrspace(1) {source}")
                to = code.let(f"add i32 {code.let(f'mul i32 {sample}, {self.row}')}, {entry}")
                moves.append((self._shared(str(place), self._shared(to)), value))
            for to, value in moves:
                code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {to}")

    def _write(self, result: int) -> None:
        """Write a result; a thread looks up its entries once for all samples."""
        code, size = self.code, self.sizes[result]
        start = self._start(result)
        last, rounds = size - 1, range(0, size, self.threads)
        for k in range(0, len(rounds), _MOVES_IN_FLIGHT):
            moves = []
            for offset in rounds[k : k + _MOVES_IN_FLIGHT]:
                entry, inside = code.let(f"add i32 %thread, {offset}"), ""
                if offset + self.threads > size:
                    inside = code.let(f"icmp ule i32 {entry}, {last}")
                    entry = code.let(f"select i1 {inside}, i32 {entry}, i32 {last}")
                table = f"ptr addrspace(1) @sources_{result}"
                source = code.let(f"getelementptr i16, {table}, i32 {entry}")
                source = code.let(f"load i16, ptr addrspace(1) {source}")
                source = self._shared(code.let(f"zext i16 {source} to i32"))
                to = self._memory(start, code.let(f"zext i32 {entry} to i64"))
                moves.append((source, to, inside))
            with code.loop(code.let(f"zext i32 {self.count} to i64")) as sample:
                row = code.let(f"mul i64 {sample}, {self.row}")
                row = code.let(f"trunc i64 {row} to i32")
                far = code.let(f"mul i64 {sample}, {size}")
                values = [
                    code.let(f"load {self.scalar}, ptr addrspace(3) {self._shared(row, source)}")
                    for source, _, _ in moves
                ]
                for value, (_, to, inside) in zip(values, moves, strict=True):
                    store = f"store {self.scalar} {value}, ptr addrspace(1) {self._memory(to, far)}"
                    if inside:
                        with code.when(inside):
                            code.emit(store)
                    else:
                        code.emit(store)
