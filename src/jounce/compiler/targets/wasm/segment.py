"""Operations of a tape as WebAssembly's stack code: expressions, with locals between them.

A value that a single operation nearby uses is computed there, on the stack. Others are kept in
locals, which are reused after the last read, and cross from one function to another in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jounce.compiler.graph.ops import ANGLES, COS, OPS, SIN
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.wasm.assembly import (
    access,
    body,
    encode_unsigned,
    instruction,
    number,
    parse_terms,
)

#: Largest distance in operations at which a value is computed where it is used.
_MAX_DISTANCE = 48

_ZERO = b"\x41\x00"  # i32.const 0
_GET, _SET, _TEE, _DROP = b"\x20", b"\x21", b"\x22", b"\x1a"
_LOAD, _STORE = 0x2B, 0x39

#: A piece of code: bytes, or an instruction on the local of a value.
Piece = bytes | tuple[bytes, int]

#: Bytes of an operation before its first operand, before its second, and after.
EncodedOperation = tuple[bytes, bytes, bytes]


@dataclass(frozen=True)
class Places:
    """Addresses of values in memory, in bytes.

    loads: of inputs, and of values that other functions store. stores: all addresses that a value
    is written to when it is computed.
    """

    loads: Mapping[int, int]
    stores: Mapping[int, Sequence[int]]


@dataclass
class Segment:
    """The code of consecutive operations.

    encoded: its operations as bytes. sincos: the number of that function. once: values of the tape
    that exactly one operation reads, and that operation. pairs: sines and cosines by angle.
    """

    tape: Tape
    operations: Sequence[int]
    places: Places
    encoded: Mapping[int, EncodedOperation]
    sincos: int
    once: Mapping[int, int]
    pairs: Mapping[int, Mapping[int, int]]
    _pieces: list[Piece] = field(default_factory=list)

    def body(self) -> bytes:
        """Return a function without parameters and results."""
        self._where = {i: k for k, i in enumerate(self.operations)}
        self._inline = {i for i in self.operations if self._is_inline(i)}
        self._reads = self._count_reads()
        self._held: set[int] = set()
        for i in self.operations:
            if self.tape.ops[i] in ANGLES:
                self._add_sincos(self.tape.lhs[i])
            elif i not in self._inline:
                self._add_root(i)
        return _with_locals(self._pieces)

    def _is_inline(self, i: int) -> bool:
        """Return whether an operation is computed where its value is used."""
        value = self.tape.n_inputs + i
        k = self._where.get(self.once.get(value, -1), -1)
        return (
            0 <= k <= self._where[i] + _MAX_DISTANCE
            and self.tape.ops[i] not in ANGLES
            and value not in self.places.stores
        )

    def _count_reads(self) -> Counter[int]:
        """Count the reads of values by operations here; sine and cosine read theirs once."""
        reads: Counter[int] = Counter()
        for i in self.operations:
            if self.tape.ops[i] not in ANGLES:
                operands = self.tape.lhs[i], self.tape.rhs[i]
                reads.update(operands[: OPS[self.tape.ops[i]].arity])
        reads.update({self.tape.lhs[i] for i in self.operations if self.tape.ops[i] in ANGLES})
        return reads

    def _add_root(self, i: int) -> None:
        """Append an operation whose value is stored or kept in a local."""
        value = self.tape.n_inputs + i
        first, *others = self.places.stores.get(value, (None,))
        if first is None:
            self._add_expression(value)
            self._pieces.append((_SET, value))
            self._held.add(value)
            return
        self._pieces.append(_ZERO)
        self._add_expression(value)
        if others or self._reads[value]:
            self._pieces.append((_TEE, value))
            self._held.add(value)
        self._pieces.append(access(_STORE, first))
        self._store(value, others)

    def _store(self, value: int, places: Sequence[int]) -> None:
        """Store a value that is in a local."""
        for place in places:
            self._pieces += [_ZERO, (_GET, value), access(_STORE, place)]

    def _add_sincos(self, x: int) -> None:
        """Append sine and cosine of a value, at the first of the two."""
        pair = self.pairs[x]
        if any(value in self._held for value in pair.values()):
            return
        self._add_operand(x)
        self._pieces.append(b"\x10" + encode_unsigned(self.sincos))
        for op in (COS, SIN):
            self._pieces.append((_SET, pair[op]) if op in pair else _DROP)
        for value in pair.values():
            self._held.add(value)
            self._store(value, self.places.stores.get(value, ()))

    def _add_operand(self, x: int) -> None:
        """Push a value onto the stack."""
        if x < 0:
            self._pieces.append(number(self.tape.constants[-1 - x]))
        elif x in self._held:
            self._pieces.append((_GET, x))
        elif x - self.tape.n_inputs in self._inline:
            self._add_expression(x)
        else:
            self._pieces += [_ZERO, access(_LOAD, self.places.loads[x])]
            if self._reads[x] > 1:
                self._pieces.append((_TEE, x))
                self._held.add(x)

    def _add_expression(self, value: int) -> None:
        """Append an operation with its operands, recursively if these are inline."""
        tape, n = self.tape, self.tape.n_inputs
        todo: list[int | bytes] = [value]
        while todo:
            x = todo.pop()
            if isinstance(x, bytes):
                self._pieces.append(x)
            elif x == value or (x - n in self._inline and x not in self._held):
                i = x - n
                before, between, after = self.encoded[tape.ops[i]]
                two = OPS[tape.ops[i]].arity == 2
                todo += (after, tape.rhs[i], between) if two else (after, between)
                todo += (tape.lhs[i], before)
            else:
                self._add_operand(x)


def _with_locals(pieces: Sequence[Piece]) -> bytes:
    """Return the code with locals assigned, which are reused after the last read."""
    last = {x[1]: k for k, x in enumerate(pieces) if not isinstance(x, bytes)}
    numbers: dict[int, int] = {}
    free: list[int] = []
    count = 0
    out = bytearray()
    k = 0
    while k < len(pieces):
        piece = pieces[k]
        if isinstance(piece, bytes):
            out += piece
            k += 1
            continue
        action, value = piece
        if action == _SET and k + 1 < len(pieces) and pieces[k + 1] == (_GET, value):
            k += 1  # the value is on the stack already
            action = _TEE
        if action == _TEE and last[value] == k:
            k += 1
            continue
        if action == _SET and last[value] == k:
            out += _DROP
            k += 1
            continue
        if value not in numbers:
            if not free:
                free.append(count)
                count += 1
            numbers[value] = free.pop()
        out += action + encode_unsigned(numbers[value])
        if last[value] == k:
            free.append(numbers.pop(value))
        k += 1
    return body(["f64"] * count, bytes(out))


#: Unused numbers of locals, which mark the operands of an operation.
_MARKS = {"$0": 0xFFFFFFF0, "$1": 0xFFFFFFF1}


def encode_operations(
    ops: Iterable[int], functions: Mapping[str, int]
) -> dict[int, EncodedOperation]:
    """Encode the templates of operations as bytes around their operands.

    functions: numbers of those that they may call.
    """
    encoded: dict[int, EncodedOperation] = {}
    first, second = (_GET + encode_unsigned(k) for k in _MARKS.values())
    for op in ops:
        text = OPS[op].template("wasm").format(*(f"(local.get {name})" for name in _MARKS))
        (term,) = parse_terms(text)
        before, _, remainder = instruction(term, _MARKS, functions).partition(first)
        between, _, after = remainder.partition(second)
        binary = OPS[op].arity == 2
        encoded[op] = (before, between, after) if binary else (before, b"", remainder)
    return encoded
