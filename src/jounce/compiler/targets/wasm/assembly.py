"""Assembler for WebAssembly's text format: the subset that operations and sines need.

Instructions are folded, with operands inside: (f64.add (local.get $x) (f64.const 1)). A function is
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


def encode_unsigned(n: int) -> bytes:
    """Return an unsigned integer in LEB128."""
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def encode_signed(n: int) -> bytes:
    """Return a signed integer in LEB128."""
    out = bytearray()
    while not -64 <= n < 64:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n & 0x7F)
    return bytes(out)


def number(value: float) -> bytes:
    """Return the instruction for a constant."""
    return b"\x44" + struct.pack("<d", value)


def access(instruction: int, address: int) -> bytes:
    """Return a load or store of eight bytes at an offset from the address on the stack."""
    return bytes((instruction, 3)) + encode_unsigned(address)


def vector(items: Sequence[bytes]) -> bytes:
    """Return the number of items, then the items."""
    return encode_unsigned(len(items)) + b"".join(items)


@dataclass(frozen=True)
class Code:
    """A function: types of its parameters and results, and its encoded body without the size."""

    parameters: tuple[str, ...]
    results: tuple[str, ...]
    body: bytes


def body(locals_: Sequence[str], instructions: bytes) -> bytes:
    """Return a function's locals in order of their types, its instructions, and the end."""
    runs: list[list[int]] = []
    for kind in (TYPES[x] for x in locals_):
        if runs and runs[-1][1] == kind:
            runs[-1][0] += 1
        else:
            runs.append([1, kind])
    return (
        vector([encode_unsigned(n) + bytes((kind,)) for n, kind in runs]) + instructions + b"\x0b"
    )


def parse_terms(text: str) -> list[Term]:
    """Return the terms of a text."""
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
    """Return the name and the code of a function; functions: numbers of those it may call."""
    (term,) = parse_terms(text)
    assert isinstance(term, list)
    head, name, *parts = term
    assert head == "func"
    kinds: dict[str, list[str]] = {"param": [], "result": [], "local": []}
    names: dict[str, int] = {}
    code = bytearray()
    for part in parts:
        if part[0] == "result":
            kinds["result"] += (str(kind) for kind in part[1:])
        elif part[0] in kinds:
            role, variable, kind = map(str, part)
            names[variable] = len(names)
            kinds[role].append(kind)
        else:
            code += instruction(part, names, functions)
    encoded = body(kinds["local"], bytes(code))
    return str(name), Code(tuple(kinds["param"]), tuple(kinds["result"]), encoded)


def instruction(term: Term, names: Mapping[str, int], functions: Mapping[str, int]) -> bytes:
    """Return a folded instruction: its operands, then itself."""
    head, *arguments = term
    assert isinstance(head, str)
    if head == "if":
        return _conditional(arguments, names, functions)
    words = [x for x in arguments if isinstance(x, str)]
    operands = [instruction(x, names, functions) for x in arguments if not isinstance(x, str)]
    return b"".join(operands) + _encode_instruction(head, words, names, functions)


def _conditional(
    arguments: Sequence[Term], names: Mapping[str, int], functions: Mapping[str, int]
) -> bytes:
    """Return (if condition (then ...) (else ...)), without results."""
    condition, then, *otherwise = arguments
    code = instruction(condition, names, functions) + bytes((_IF, _VOID))
    code += b"".join(instruction(x, names, functions) for x in then[1:])
    if otherwise:
        code += bytes((PLAIN["else"],))
        code += b"".join(instruction(x, names, functions) for x in otherwise[0][1:])
    return code + bytes((PLAIN["end"],))


def _encode_instruction(
    head: str, words: Sequence[str], names: Mapping[str, int], functions: Mapping[str, int]
) -> bytes:
    """Return an instruction with its immediates."""
    if head in PLAIN:
        return bytes((PLAIN[head],))
    if head in _LOCALS:
        return bytes((_LOCALS[head],)) + encode_unsigned(names[words[0]])
    if head == "call":
        return bytes((_CALL,)) + encode_unsigned(functions[words[0]])
    if head in _LOADS:
        return access(_LOADS[head], int(words[0].removeprefix("offset=")))
    if head == "f64.const":
        return number(float(words[0]))
    if head in ("i32.const", "i64.const"):
        return bytes((0x41 if head == "i32.const" else 0x42,)) + encode_signed(int(words[0]))
    raise ValueError(f"the WebAssembly assembler has no instruction '{head}'")
