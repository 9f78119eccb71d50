"""Functions as one module of WebAssembly, written byte by byte without a toolchain.

The module exports its memory and a function per `Function`, without arguments and results:
arguments are written into memory before a call, results are read from it afterwards. All functions
use the same memory, and keep nothing in it between calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jounce.compiler.graph.ops import ANGLES, OPS
from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.wasm import assembly, sincos
from jounce.compiler.targets.wasm.assembly import TYPES, Code, encode_unsigned, vector
from jounce.compiler.targets.wasm.kernel import Kernel, Layout, calls, kernel

_PAGE = 65536
_NO_OPERANDS = ((), ())
_MEMORY = "memory"


@dataclass(frozen=True)
class Module:
    """A module: its bytes, and the memory layouts of its functions by name."""

    code: bytes
    layouts: dict[str, Layout]


def module(functions: Sequence[Function]) -> Module:
    """Return a module of functions with distinct names."""
    functions = [replace(x, tape=expand_operations(x.tape, "wasm")) for x in functions]
    helpers, numbers = _helpers(functions)
    table = sincos.table() if "$sincos" in numbers else b""
    kernels = {x.name: kernel(x, numbers, len(table)) for x in functions}
    codes, exported = _link(helpers, kernels)
    ends = (x.layout.end for x in kernels.values())
    pages = -(-max((len(table), *ends)) // _PAGE)
    return Module(
        _encode_sections(codes, exported, pages, table),
        {name: x.layout for name, x in kernels.items()},
    )


def _helpers(functions: Sequence[Function]) -> tuple[list[Code], dict[str, int]]:
    """Return the code of the functions that operations call, and their numbers by name."""
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


def _link(codes: list[Code], kernels: dict[str, Kernel]) -> tuple[list[Code], dict[str, int]]:
    """Return all code in order, and the number of each function that is exported."""
    codes = list(codes)
    exported: dict[str, int] = {}
    for name, part in kernels.items():
        first = len(codes)
        codes += (Code(*_NO_OPERANDS, body) for body in part.bodies)
        if len(part.bodies) != 1:
            codes.append(Code(*_NO_OPERANDS, calls(range(first, len(codes)))))
        exported[name] = len(codes) - 1
    return codes, exported


def _encode_sections(
    codes: list[Code], exported: dict[str, int], pages: int, table: bytes
) -> bytes:
    """Return the module's sections."""
    kinds = list(dict.fromkeys((code.parameters, code.results) for code in codes))
    types = [
        b"\x60" + b"".join(vector([bytes((TYPES[x],)) for x in part]) for part in kind)
        for kind in kinds
    ]
    numbers = [encode_unsigned(kinds.index((code.parameters, code.results))) for code in codes]
    size = encode_unsigned(pages)
    exports = [_text(_MEMORY) + b"\x02\x00"]
    exports += (_text(name) + b"\x00" + encode_unsigned(k) for name, k in exported.items())
    bodies = [encode_unsigned(len(code.body)) + code.body for code in codes]
    data = [b"\x00\x41\x00\x0b" + encode_unsigned(len(table)) + table] if table else []
    sections = {
        1: types,
        3: numbers,
        5: [b"\x01" + size + size],  # fixed size
        7: exports,
        10: bodies,
        11: data,
    }
    out = b"\x00asm\x01\x00\x00\x00"
    for number, items in sections.items():
        if items:
            content = vector(items)
            out += bytes((number,)) + encode_unsigned(len(content)) + content
    return out


def _text(text: str) -> bytes:
    data = text.encode()
    return encode_unsigned(len(data)) + data
