"""Object files in the cache: several as one, and whether they are what they should be.

LLVM ends the process when it links an object with a symbol that nobody defines, so what comes from
the disk is looked at before LLVM sees it.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import llvmlite.binding as llvm

#: What the first object file defines, and what each further one does: addresses of its functions.
ENTRY = "jounce_kernel"
TABLE = "jounce_segments"

_ELF = b"\x7fELF\x02\x01"  # 64 bits, little endian
_SYMBOLS = 2  # type of the section with the symbols
_OF_LINKERS = {"_GLOBAL_OFFSET_TABLE_"}  # defined by whoever links


def marked(text: str, key: str, k: int = 0) -> str:
    """The k-th module of a kernel with a constant by which its object tells that it is that."""
    return f"{text}\n@{_marker(key, k)} = constant i64 {k}\n"


def _marker(key: str, k: int) -> str:
    return f"jounce_{key}_{k}"


def joined(objects: Sequence[bytes]) -> bytes:
    """Several object files as one, each behind its length."""
    return b"".join(len(x).to_bytes(8, "little") + x for x in objects)


def parted(content: bytes) -> list[bytes]:
    """The object files that `joined` put together; none, if they do not fill the content."""
    objects, at = [], 0
    while at < len(content):
        start = at + 8
        at = start + int.from_bytes(content[at:start], "little")
        objects.append(content[start:at])
    return objects if at == len(content) else []


@dataclass
class Symbols:
    """What an object file defines (with its size in bytes), and what it needs."""

    defined: dict[str, int] = field(default_factory=dict)
    needed: set[str] = field(default_factory=set)


def symbols(content: bytes) -> Symbols:
    """Symbols of an ELF file; ValueError or struct.error if it is not one."""
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
        for at in range(start, start + length, 24):
            name_at, kind, _, section, _, extent = struct.unpack_from("<IBBHQQ", content, at)
            if kind >> 4 == 0:  # local
                continue
            begin = names + name_at
            name = content[begin : content.index(b"\0", begin)].decode()
            if section:
                out.defined[name] = extent
            else:
                out.needed.add(name)
    return out


def fit(objects: Sequence[bytes], key: str) -> bool:
    """Whether these are the object files of the kernel with this key, and can be linked."""
    if not objects:
        return False
    if sys.platform in ("darwin", "win32"):  # other formats: known by the cache's checksum only
        return True
    for k, content in enumerate(objects):
        try:
            found = symbols(content)
        except (ValueError, IndexError, struct.error):
            return False
        wanted = {_marker(key, k), *((TABLE, f"{TABLE}_size") if k else (ENTRY,))}
        if not wanted <= set(found.defined):
            return False
        if any(llvm.address_of_symbol(name) is None for name in found.needed - _OF_LINKERS):
            return False
    return True
