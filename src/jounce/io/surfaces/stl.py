"""STL, binary and ASCII. Each triangle has corners of its own; normals are passed over."""

from __future__ import annotations

from array import array

import numpy as np

from jounce.io.numbers import decimals
from jounce.io.surfaces.faces import Source, Triangles, shown

_HEADER = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

#: What may begin the lines of an ASCII file, beside vertices, and what must follow it.
_WORDS = {
    b"facet": (b"outer",),
    b"outer": (b"vertex",),
    b"endloop": (b"endfacet",),
    b"endfacet": (b"facet", b"endsolid"),
    b"solid": (b"facet", b"endsolid"),
    b"endsolid": (b"solid",),
}


def read_stl(source: Source) -> Triangles:
    """Vertices (3 F, 3) and triangles."""
    size, count = len(source.data), int.from_bytes(source.data[80:_HEADER], "little")
    if size >= _HEADER and size == _HEADER + _RECORD.itemsize * count:
        records = np.frombuffer(source.data, _RECORD, count, _HEADER)
        corners = records["corners"].astype(float).reshape(-1, 3)
    elif source.data[:512].lstrip()[:5].lower() == b"solid":
        corners = _read_ascii(source)
    elif size < _HEADER:
        raise source.error(f"expected an STL file, found {size} bytes, fewer than its header has")
    else:
        needed = _HEADER + _RECORD.itemsize * count
        raise source.error(
            f"the header announces {count} triangles, which take {needed} bytes, found {size}"
        )
    return corners, np.arange(len(corners), dtype=np.int64).reshape(-1, 3)


def _read_ascii(source: Source) -> np.ndarray:
    points: array[float] = array("d")
    expected: tuple[bytes, ...] = (b"solid",)
    corners = line = 0
    for line, text in enumerate(source.data.splitlines(), 1):
        words = text.split()
        if not words:
            continue
        key = words[0].lower()
        if key not in expected:
            raise _unexpected(source, expected, text, line)
        if key == b"vertex":
            try:
                position = decimals(words[1:])
            except ValueError:
                position = []
            if len(position) != 3:
                raise source.error(
                    f"expected three numbers after 'vertex', found {shown(b' '.join(words[1:]))}",
                    line,
                )
            points.extend(position)
            corners += 1
            expected = (b"vertex",) if corners % 3 else (b"endloop",)
        else:
            expected = _WORDS[key]
    if expected != _WORDS[b"endsolid"]:
        raise _unexpected(source, expected, b"the end of the file", line)
    return np.array(points).reshape(-1, 3)


def _unexpected(source: Source, expected: tuple[bytes, ...], found: bytes, line: int) -> Exception:
    words = " or ".join(f"'{word.decode()}'" for word in expected)
    return source.error(f"expected {words}, found {shown(found.strip())}", line)
