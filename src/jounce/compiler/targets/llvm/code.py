"""Builder of LLVM text, and the types and shuffles of vectors."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

BYTES = {"double": 8, "float": 4}


def number(value: float, scalar: str = "double") -> str:
    """Return a floating-point constant in LLVM's syntax, exact to the bit."""
    if scalar == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


@dataclass(frozen=True)
class Lanes:
    """Type of a vector: `width` lanes of `scalar`, "double" or "float"."""

    scalar: str
    width: int

    @property
    def item(self) -> int:
        """Bytes of a lane."""
        return BYTES[self.scalar]

    @property
    def bytes(self) -> int:
        """Bytes of the vector, and of a slot of the workspace."""
        return self.item * self.width

    @property
    def vector(self) -> str:
        """Its LLVM type."""
        return f"<{self.width} x {self.scalar}>"

    @property
    def mask(self) -> str:
        """LLVM type of its masks."""
        return f"<{self.width} x i1>"

    @property
    def suffix(self) -> str:
        """Suffix of intrinsics on it."""
        return f"v{self.width}f{8 * self.item}"

    def splat(self, value: float) -> str:
        """Return a constant in every lane."""
        return f"splat ({self.scalar} {number(value, self.scalar)})"


@dataclass(frozen=True)
class Number:
    """Type of a single number, with the interface of `Lanes`: "double" or "float"."""

    scalar: str

    @property
    def vector(self) -> str:
        """Its LLVM type."""
        return self.scalar

    @property
    def mask(self) -> str:
        """LLVM type of a comparison."""
        return "i1"

    @property
    def suffix(self) -> str:
        """Suffix of intrinsics on it."""
        return f"f{8 * BYTES[self.scalar]}"

    def splat(self, value: float) -> str:
        """Return a constant."""
        return number(value, self.scalar)


class Code:
    """Builder of the LLVM text of a function: fresh names, blocks, counted loops."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.block = "entry"
        self._fresh = 0
        self._carry: list[str] = []

    def emit(self, line: str) -> None:
        """Append an instruction without a result."""
        self.lines.append("  " + line)

    def let(self, instruction: str) -> str:
        """Append an instruction with a result; return its name."""
        name = f"%t{self._fresh}"
        self._fresh += 1
        self.lines.append(f"  {name} = {instruction}")
        return name

    def label(self) -> str:
        """Return a fresh block name."""
        self._fresh += 1
        return f"b{self._fresh}"

    def start(self, block: str) -> None:
        """Begin a block."""
        self.lines.append(f"{block}:")
        self.block = block

    def offset(self, base: str, bytes_: str | int) -> str:
        """Return the pointer `bytes_` beyond `base`."""
        return self.let(f"getelementptr i8, ptr {base}, i64 {bytes_}")

    @contextmanager
    def loop(
        self, stop: str | int, step: int = 1, carried: Sequence[tuple[str, str]] = ()
    ) -> Iterator[Any]:
        """Counted loop from 0 while less than `stop`; yields the counter.

        With carried (type, first value) pairs it yields the counter and the values' names, which
        are valid in and after the loop; the body ends with `carry(next values)`.
        """
        head, body, done = self.label(), self.label(), self.label()
        counter = f"%i{self._fresh}"
        names = [f"%c{self._fresh}.{k}" for k in range(len(carried))]
        before = self.block
        self.emit(f"br label %{head}")
        self.start(head)
        slot = len(self.lines)
        self.lines.append("")
        proceed = self.let(f"icmp slt i64 {counter}, {stop}")
        self.emit(f"br i1 {proceed}, label %{body}, label %{done}")
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
        """Set the carried values of the next iteration of the innermost loop."""
        self._carry = list(values)

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """Emit code that runs only if the i1 `condition` holds."""
        body, done = self.label(), self.label()
        self.emit(f"br i1 {condition}, label %{body}, label %{done}")
        self.start(body)
        yield
        self.emit(f"br label %{done}")
        self.start(done)

    def either(
        self, condition: str, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        """Emit code that runs if the i1 `condition` holds, and code that runs if it does not."""
        first, second, done = self.label(), self.label(), self.label()
        self.emit(f"br i1 {condition}, label %{first}, label %{second}")
        for block, write in ((first, then), (second, otherwise)):
            self.start(block)
            write()
            self.emit(f"br label %{done}")
        self.start(done)

    def function(self, signature: str, attributes: str) -> str:
        """Return the function definition."""
        return "\n".join([f"define {signature} {attributes} {{", "entry:", *self.lines, "}", ""])


def transpose(code: Code, lanes: Lanes, rows: list[str]) -> list[str]:
    """Return the columns of square blocks of row vectors: a round of shuffles per factor of two.

    With n row vectors of n lanes this is their transpose; with fewer, n x n blocks that are
    adjacent in the vectors are each transposed.
    """
    vector, width = lanes.vector, lanes.width
    block = 1
    while block < len(rows):
        shuffled = list(rows)
        low = [j if not j & block else width + j - block for j in range(width)]
        high = [j + block if not j & block else width + j for j in range(width)]
        for i in range(len(rows)):
            if not i & block:
                pair = f"{vector} {rows[i]}, {vector} {rows[i + block]}"
                for target, order in ((i, low), (i + block, high)):
                    mask = ", ".join(f"i32 {j}" for j in order)
                    shuffled[target] = code.let(f"shufflevector {pair}, <{width} x i32> <{mask}>")
        rows, block = shuffled, 2 * block
    return rows


def splat_value(code: Code, width: int, scalar: str, value: str) -> str:
    """Return a vector with the value in every lane."""
    kind = f"<{width} x {scalar}>"
    head = code.let(f"insertelement {kind} poison, {scalar} {value}, i64 0")
    zeros = f"<{width} x i32> zeroinitializer"
    return code.let(f"shufflevector {kind} {head}, {kind} poison, {zeros}")


def load_splat(code: Code, lanes: Lanes, pointer: str, place: int) -> str:
    """Load a number at an index behind a pointer into every lane."""
    address = code.offset(pointer, lanes.item * place)
    value = code.let(f"load {lanes.scalar}, ptr {address}, align {lanes.item}")
    return splat_value(code, lanes.width, lanes.scalar, value)


def table(name: str, scalar: str, values: Sequence[float]) -> str:
    """Return the definition of a table of numbers."""
    entries = ", ".join(f"{scalar} {number(x, scalar)}" for x in values)
    return f"@{name} = internal constant [{len(values)} x {scalar}] [{entries}]\n"
