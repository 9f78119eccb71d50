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


def marked(texts: Sequence[str], key: str) -> list[str]:
    """The modules of a kernel with constants by which their objects tell that they are those."""
    count = len(texts)
    return [f"{x}\n@{_marker(key, k, count)} = constant i64 {k}\n" for k, x in enumerate(texts)]


def _marker(key: str, k: int, count: int) -> str:
    return f"jounce_{key}_{k}_of_{count}"


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
    """What an object file defines, and what it needs."""

    defined: set[str] = field(default_factory=set)
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
            name_at, kind, _, section, _, _ = struct.unpack_from("<IBBHQQ", content, at)
            if kind >> 4 == 0:  # local
                continue
            begin = names + name_at
            name = content[begin : content.index(b"\0", begin)].decode()
            if section:
                out.defined.add(name)
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
        except (ValueError, IndexError, OverflowError, struct.error):
            return False
        wanted = {_marker(key, k, len(objects)), *((TABLE, f"{TABLE}_size") if k else ())}
        if not wanted <= found.defined:
            return False
        if any(llvm.address_of_symbol(name) is None for name in found.needed - _OF_LINKERS):
            return False
    return True
