"""Object files in the cache: concatenation and validation.

LLVM ends the process when it links an object with an undefined symbol, so files from the disk are
validated before LLVM loads them.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import llvmlite.binding as llvm

#: Symbols of the first object file, the loop, and of each further one, the table of its segments.
ENTRY = "jounce_kernel"
TABLE = "jounce_segments"

_ELF = b"\x7fELF\x02\x01"  # 64 bits, little endian
_SYMBOLS = 2  # type of the section with the symbols
_LINKER_SYMBOLS = {"_GLOBAL_OFFSET_TABLE_"}  # defined by the linker


def mark_modules(texts: Sequence[str], key: str) -> list[str]:
    """Add constants to the modules of a kernel that identify their object files."""
    count = len(texts)
    return [f"{x}\n@{_marker(key, k, count)} = constant i64 {k}\n" for k, x in enumerate(texts)]


def _marker(key: str, k: int, count: int) -> str:
    return f"jounce_{key}_{k}_of_{count}"


def join_objects(objects: Sequence[bytes]) -> bytes:
    """Concatenate object files, each after its length."""
    return b"".join(len(x).to_bytes(8, "little") + x for x in objects)


def split_objects(content: bytes) -> list[bytes]:
    """Return the object files of `join_objects`, or none if the lengths do not match."""
    objects, end = [], 0
    while end < len(content):
        start = end + 8
        end = start + int.from_bytes(content[end:start], "little")
        objects.append(content[start:end])
    return objects if end == len(content) else []


@dataclass
class Symbols:
    """Symbols that an object file defines and needs."""

    defined: set[str] = field(default_factory=set)
    needed: set[str] = field(default_factory=set)


def read_symbols(content: bytes) -> Symbols:
    """Return the symbols of an ELF file; raise ValueError or struct.error if it is not one."""
    if not content.startswith(_ELF):
        raise ValueError("not an ELF file")
    out = Symbols()
    (sections,) = struct.unpack_from("<Q", content, 0x28)
    size, count = struct.unpack_from("<HH", content, 0x3A)
    heads = [struct.unpack_from("<IIQQQQIIQQ", content, sections + size * k) for k in range(count)]
    for head in heads:
        if head[1] != _SYMBOLS:
            continue
        start, length, names = head[4], head[5], heads[head[6]][4]
        for entry in range(start, start + length, 24):
            name_offset, kind, _, section, _, _ = struct.unpack_from("<IBBHQQ", content, entry)
            if kind >> 4 == 0:  # local
                continue
            begin = names + name_offset
            name = content[begin : content.index(b"\0", begin)].decode()
            if section:
                out.defined.add(name)
            else:
                out.needed.add(name)
    return out


def are_valid(objects: Sequence[bytes], key: str) -> bool:
    """Return whether these are the object files of the kernel with this key, and can be linked."""
    if not objects:
        return False
    if sys.platform in ("darwin", "win32"):  # other formats: only the cache's checksum is verified
        return True
    for k, content in enumerate(objects):
        try:
            table = read_symbols(content)
        except (ValueError, IndexError, OverflowError, struct.error):
            return False
        required = {_marker(key, k, len(objects)), *((TABLE, f"{TABLE}_size") if k else ())}
        if not required <= table.defined:
            return False
        if any(llvm.address_of_symbol(name) is None for name in table.needed - _LINKER_SYMBOLS):
            return False
    return True
