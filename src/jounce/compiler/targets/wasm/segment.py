"""Operations of a tape as WebAssembly's stack code: expressions, with locals between them.

A value that one operation nearby takes is computed where it is taken, on the stack. Others wait in
locals, which serve again after the last read, and cross from one function to another in memory.
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
    instruction,
    number,
    parsed,
    unsigned,
)

#: How many operations later a value may be taken to be computed there.
_NEAR = 48

_ZERO = b"\x41\x00"  # i32.const 0
_GET, _SET, _TEE, _DROP = b"\x20", b"\x21", b"\x22", b"\x1a"
_LOAD, _STORE = 0x2B, 0x39

#: A piece of code: bytes, or what is done with the local of a value.
Piece = bytes | tuple[bytes, int]

#: The bytes of an operation before its first operand, before its second, and after.
Spelling = tuple[bytes, bytes, bytes]


@dataclass(frozen=True)
class Places:
    """Where values lie in memory, in bytes.

    loads: of inputs, and of what other functions store. stores: all the places that a value goes
    to when it is computed.
    """

    loads: Mapping[int, int]
    stores: Mapping[int, Sequence[int]]


@dataclass
class Segment:
    """The code of consecutive operations.

    spelled: its operations as bytes. sincos: the number of that function. once: values of the tape
    that exactly one operation takes, and which. pairs: sines and cosines by angle.
    """

    tape: Tape
    operations: Sequence[int]
    places: Places
    spelled: Mapping[int, Spelling]
    sincos: int
    once: Mapping[int, int]
    pairs: Mapping[int, Mapping[int, int]]
    _pieces: list[Piece] = field(default_factory=list)

    def body(self) -> bytes:
        """A function without parameters and results."""
        self._where = {i: k for k, i in enumerate(self.operations)}
        self._inside = {i for i in self.operations if self._in_place(i)}
        self._reads = self._counted()
        self._held: set[int] = set()
        for i in self.operations:
            if self.tape.ops[i] in ANGLES:
                self._angle(self.tape.lhs[i])
            elif i not in self._inside:
                self._root(i)
        return _with_locals(self._pieces)

    def _in_place(self, i: int) -> bool:
        """Whether an operation is done where its value is taken."""
        value = self.tape.n_inputs + i
        k = self._where.get(self.once.get(value, -1), -1)
        return (
            0 <= k <= self._where[i] + _NEAR
            and self.tape.ops[i] not in ANGLES
            and value not in self.places.stores
        )

    def _counted(self) -> Counter[int]:
        """How often operations here take a value; sine and cosine take theirs together."""
        found: Counter[int] = Counter()
        for i in self.operations:
            if self.tape.ops[i] not in ANGLES:
                operands = self.tape.lhs[i], self.tape.rhs[i]
                found.update(operands[: OPS[self.tape.ops[i]].arity])
        found.update({self.tape.lhs[i] for i in self.operations if self.tape.ops[i] in ANGLES})
        return found

    def _root(self, i: int) -> None:
        """An operation whose value is stored, or waits in a local."""
        value = self.tape.n_inputs + i
        first, *more = self.places.stores.get(value, (None,))
        if first is None:
            self._expression(value)
            self._pieces.append((_SET, value))
            self._held.add(value)
            return
        self._pieces.append(_ZERO)
        self._expression(value)
        if more or self._reads[value]:
            self._pieces.append((_TEE, value))
            self._held.add(value)
        self._pieces.append(access(_STORE, first))
        self._store(value, more)

    def _store(self, value: int, places: Sequence[int]) -> None:
        """A value that is in a local, to memory."""
        for place in places:
            self._pieces += [_ZERO, (_GET, value), access(_STORE, place)]

    def _angle(self, x: int) -> None:
        """Sine and cosine of a value, at the first of the two."""
        pair = self.pairs[x]
        if any(value in self._held for value in pair.values()):
            return
        self._operand(x)
        self._pieces.append(b"\x10" + unsigned(self.sincos))
        for op in (COS, SIN):
            self._pieces.append((_SET, pair[op]) if op in pair else _DROP)
        for value in pair.values():
            self._held.add(value)
            self._store(value, self.places.stores.get(value, ()))

    def _operand(self, x: int) -> None:
        """A value onto the stack."""
        if x < 0:
            self._pieces.append(number(self.tape.constants[-1 - x]))
        elif x in self._held:
            self._pieces.append((_GET, x))
        elif x - self.tape.n_inputs in self._inside:
            self._expression(x)
        else:
            self._pieces += [_ZERO, access(_LOAD, self.places.loads[x])]
            if self._reads[x] > 1:
                self._pieces.append((_TEE, x))
                self._held.add(x)

    def _expression(self, value: int) -> None:
        """An operation with its operands; those in place are expressions in turn."""
        tape, n = self.tape, self.tape.n_inputs
        todo: list[int | bytes] = [value]
        while todo:
            x = todo.pop()
            if isinstance(x, bytes):
                self._pieces.append(x)
            elif x == value or (x - n in self._inside and x not in self._held):
                i = x - n
                before, between, after = self.spelled[tape.ops[i]]
                two = OPS[tape.ops[i]].arity == 2
                todo += (after, tape.rhs[i], between) if two else (after, between)
                todo += (tape.lhs[i], before)
            else:
                self._operand(x)


def _with_locals(pieces: Sequence[Piece]) -> bytes:
    """The code with numbers of locals, which serve again after the last read."""
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
        what, value = piece
        if what == _SET and k + 1 < len(pieces) and pieces[k + 1] == (_GET, value):
            k += 1  # it is on the stack as it shall be
            what = _TEE
        if what == _TEE and last[value] == k:
            k += 1
            continue
        if what == _SET and last[value] == k:
            out += _DROP
            k += 1
            continue
        if value not in numbers:
            if not free:
                free.append(count)
                count += 1
            numbers[value] = free.pop()
        out += what + unsigned(numbers[value])
        if last[value] == k:
            free.append(numbers.pop(value))
        k += 1
    return body(["f64"] * count, bytes(out))


#: Numbers that no local has, and the code that reads such: where operands of an operation go.
_MARKS = {"$0": 0xFFFFFFF0, "$1": 0xFFFFFFF1}


def spellings(ops: Iterable[int], functions: Mapping[str, int]) -> dict[int, Spelling]:
    """Operations as bytes around their operands, of the texts in their rows.

    functions: numbers of those that they may call.
    """
    found: dict[int, Spelling] = {}
    first, second = (_GET + unsigned(k) for k in _MARKS.values())
    for op in ops:
        text = OPS[op].spelled("wasm").format(*(f"(local.get {name})" for name in _MARKS))
        (term,) = parsed(text)
        before, _, rest = instruction(term, _MARKS, functions).partition(first)
        between, _, after = rest.partition(second)
        found[op] = (before, between, after) if OPS[op].arity == 2 else (before, b"", rest)
    return found
