"""Functions in WebAssembly's text format as bytes: as much of it as operations and sines need.

Instructions are folded, operands within: (f64.add (local.get $x) (f64.const 1)). A function is
(func $name (param $x f64) (result f64) (local $y i64) instructions ...).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Value types.
TYPES = {"i32": 0x7F, "i64": 0x7E, "f64": 0x7C}

#: Instructions without immediates, by their numbers in the specification.
PLAIN = {
    "else": 0x05,
    "end": 0x0B,
    "return": 0x0F,
    "drop": 0x1A,
    "select": 0x1B,
    "i32.eqz": 0x45,
    "i64.eqz": 0x50,
    "i64.eq": 0x51,
    "i64.lt_s": 0x53,
    "i64.lt_u": 0x54,
    "f64.lt": 0x63,
    "f64.gt": 0x64,
    "f64.le": 0x65,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.and": 0x71,
    "i64.clz": 0x79,
    "i64.add": 0x7C,
    "i64.sub": 0x7D,
    "i64.mul": 0x7E,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.xor": 0x85,
    "i64.shl": 0x86,
    "i64.shr_u": 0x88,
    "f64.abs": 0x99,
    "f64.neg": 0x9A,
    "f64.sqrt": 0x9F,
    "f64.add": 0xA0,
    "f64.sub": 0xA1,
    "f64.mul": 0xA2,
    "f64.div": 0xA3,
    "f64.min": 0xA4,
    "f64.max": 0xA5,
    "f64.copysign": 0xA6,
    "i32.wrap_i64": 0xA7,
    "i64.extend_i32_u": 0xAD,
    "f64.convert_i64_u": 0xBA,
    "i64.reinterpret_f64": 0xBD,
    "f64.reinterpret_i64": 0xBF,
}

_LOCALS = {"local.get": 0x20, "local.set": 0x21, "local.tee": 0x22}
_CALL, _IF, _VOID = 0x10, 0x04, 0x40
_LOADS = {"i64.load": 0x29, "f64.load": 0x2B}

_TOKEN = re.compile(r"[()]|[^\s()]+")

#: An expression of the text: a word, or a list of them.
Term = str | list["Term"]


def unsigned(n: int) -> bytes:
    """A whole number in LEB128."""
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def signed(n: int) -> bytes:
    """A number of either sign in LEB128."""
    out = bytearray()
    while not -64 <= n < 64:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n & 0x7F)
    return bytes(out)


def number(value: float) -> bytes:
    """The instruction that gives a constant."""
    return b"\x44" + struct.pack("<d", value)


def access(instruction: int, address: int) -> bytes:
    """A load or store of eight bytes at a distance from the address on the stack."""
    return bytes((instruction, 3)) + unsigned(address)


def vector(items: Sequence[bytes]) -> bytes:
    """How many there are, and the items."""
    return unsigned(len(items)) + b"".join(items)


@dataclass(frozen=True)
class Code:
    """A function: types of its parameters and results, and what follows the size of its body."""

    parameters: tuple[str, ...]
    results: tuple[str, ...]
    body: bytes


def body(locals_: Sequence[str], instructions: bytes) -> bytes:
    """A function's locals in order of their types, its instructions, and the end."""
    runs: list[list[int]] = []
    for kind in (TYPES[x] for x in locals_):
        if runs and runs[-1][1] == kind:
            runs[-1][0] += 1
        else:
            runs.append([1, kind])
    return vector([unsigned(n) + bytes((kind,)) for n, kind in runs]) + instructions + b"\x0b"


def parsed(text: str) -> list[Term]:
    """The terms of a text."""
    stack: list[list[Term]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def function(text: str, functions: Mapping[str, int]) -> tuple[str, Code]:
    """A function of a text and its name; functions: numbers of those that it may call."""
    (term,) = parsed(text)
    assert isinstance(term, list)
    head, name, *rest = term
    assert head == "func"
    kinds: dict[str, list[str]] = {"param": [], "result": [], "local": []}
    names: dict[str, int] = {}
    code = bytearray()
    for part in rest:
        if part[0] == "result":
            kinds["result"] += (str(kind) for kind in part[1:])
        elif part[0] in kinds:
            what, own, kind = map(str, part)
            names[own] = len(names)
            kinds[what].append(kind)
        else:
            code += instruction(part, names, functions)
    made = body(kinds["local"], bytes(code))
    return str(name), Code(tuple(kinds["param"]), tuple(kinds["result"]), made)


def instruction(term: Term, names: Mapping[str, int], functions: Mapping[str, int]) -> bytes:
    """A folded instruction: its operands, then itself."""
    head, *rest = term
    assert isinstance(head, str)
    if head == "if":
        return _conditional(rest, names, functions)
    words = [x for x in rest if isinstance(x, str)]
    operands = [instruction(x, names, functions) for x in rest if not isinstance(x, str)]
    return b"".join(operands) + _bare(head, words, names, functions)


def _conditional(
    rest: Sequence[Term], names: Mapping[str, int], functions: Mapping[str, int]
) -> bytes:
    """(if condition (then ...) (else ...)), without results."""
    condition, then, *other = rest
    code = instruction(condition, names, functions) + bytes((_IF, _VOID))
    code += b"".join(instruction(x, names, functions) for x in then[1:])
    if other:
        code += bytes((PLAIN["else"],))
        code += b"".join(instruction(x, names, functions) for x in other[0][1:])
    return code + bytes((PLAIN["end"],))


def _bare(
    head: str, words: Sequence[str], names: Mapping[str, int], functions: Mapping[str, int]
) -> bytes:
    """An instruction with its immediates."""
    if head in PLAIN:
        return bytes((PLAIN[head],))
    if head in _LOCALS:
        return bytes((_LOCALS[head],)) + unsigned(names[words[0]])
    if head == "call":
        return bytes((_CALL,)) + unsigned(functions[words[0]])
    if head in _LOADS:
        return access(_LOADS[head], int(words[0].removeprefix("offset=")))
    if head == "f64.const":
        return number(float(words[0]))
    if head in ("i32.const", "i64.const"):
        return bytes((0x41 if head == "i32.const" else 0x42,)) + signed(int(words[0]))
    raise ValueError(f"WebAssembly: no instruction '{head}' is known here")
