"""Functions as one module of WebAssembly, written byte by byte: no toolchain is needed.

The module exports its memory and a function per `Function`, without arguments and results:
arguments are written into memory before a call, results are read from there after it. All functions
use the same memory, and keep nothing in it between calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jounce.compiler.graph.ops import ANGLES, OPS
from jounce.compiler.graph.passes import expanded
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.wasm import assembly, sincos
from jounce.compiler.targets.wasm.assembly import TYPES, Code, unsigned, vector
from jounce.compiler.targets.wasm.kernel import Kernel, Layout, calls, kernel

_PAGE = 65536
_NOTHING = ((), ())
_MEMORY = "memory"


@dataclass(frozen=True)
class Module:
    """A module: its bytes, and where its functions read and write, by their names."""

    code: bytes
    layouts: dict[str, Layout]


def module(functions: Sequence[Function]) -> Module:
    """The module of some functions, whose names differ."""
    functions = [replace(x, tape=expanded(x.tape, "wasm")) for x in functions]
    helpers, numbers = _helpers(functions)
    table = sincos.table() if "$sincos" in numbers else b""
    made = {x.name: kernel(x, numbers, len(table)) for x in functions}
    codes, exported = _linked(helpers, made)
    ends = (found.layout.end for found in made.values())
    pages = -(-max((len(table), *ends)) // _PAGE)
    return Module(
        _encoded(codes, exported, pages, table), {name: x.layout for name, x in made.items()}
    )


def _helpers(functions: Sequence[Function]) -> tuple[list[Code], dict[str, int]]:
    """What operations call: code, and numbers by name."""
    ops = {op for x in functions for op in x.tape.ops}
    texts = [*(sincos.FUNCTIONS if ops & {*ANGLES} else ())]
    texts += (OPS[op].wasm_helper for op in sorted(ops) if OPS[op].wasm_helper)
    codes: list[Code] = []
    numbers: dict[str, int] = {}
    for text in texts:
        name, code = assembly.function(text, numbers)
        numbers[name] = len(codes)
        codes.append(code)
    return codes, numbers


def _linked(codes: list[Code], made: dict[str, Kernel]) -> tuple[list[Code], dict[str, int]]:
    """All code in order, and the number of each function that is exported."""
    codes = list(codes)
    exported: dict[str, int] = {}
    for name, found in made.items():
        first = len(codes)
        codes += (Code(*_NOTHING, body) for body in found.bodies)
        if len(found.bodies) != 1:
            codes.append(Code(*_NOTHING, calls(range(first, len(codes)))))
        exported[name] = len(codes) - 1
    return codes, exported


def _encoded(codes: list[Code], exported: dict[str, int], pages: int, table: bytes) -> bytes:
    """The module's sections."""
    kinds = list(dict.fromkeys((code.parameters, code.results) for code in codes))
    types = [
        b"\x60" + b"".join(vector([bytes((TYPES[x],)) for x in part]) for part in kind)
        for kind in kinds
    ]
    numbers = [unsigned(kinds.index((code.parameters, code.results))) for code in codes]
    size = unsigned(pages)
    exports = [_text(_MEMORY) + b"\x02\x00"]
    exports += (_text(name) + b"\x00" + unsigned(k) for name, k in exported.items())
    bodies = [unsigned(len(code.body)) + code.body for code in codes]
    data = [b"\x00\x41\x00\x0b" + unsigned(len(table)) + table] if table else []
    sections = {
        1: types,
        3: numbers,
        5: [b"\x01" + size + size],  # which never grows
        7: exports,
        10: bodies,
        11: data,
    }
    out = b"\x00asm\x01\x00\x00\x00"
    for number, items in sections.items():
        if items:
            content = vector(items)
            out += bytes((number,)) + unsigned(len(content)) + content
    return out


def _text(text: str) -> bytes:
    data = text.encode()
    return unsigned(len(data)) + data
