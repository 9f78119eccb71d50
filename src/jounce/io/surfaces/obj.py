"""Wavefront OBJ: positions and faces, and diffuse colours of its materials for pictures.

Normals, textures, groups and lines are passed over.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jounce.errors import ModelError
from jounce.io.colours import colour
from jounce.io.files import read_bytes
from jounce.io.numbers import decimals
from jounce.io.surfaces.faces import Colour, Painted, Polygons, Runs, Source, Triangles, shown

#: Largest file of materials, in bytes.
_MOST = 2**20


def read_obj(source: Source) -> Triangles:
    """Vertices and triangles of all objects in the file together."""
    points: array[float] = array("d")
    polygons = Polygons()
    largest, where = -1, 0  # the last vertex that a face names so far, and the line that does
    for line, words in _lines(source.data):
        if words[0] == b"v":
            points.extend(_position(source, line, words))
        elif words[0] == b"f":
            corners = _corners(source, line, words, len(points) // 3)
            if max(corners) > largest:
                largest, where = max(corners), line
            polygons.add(corners)
    count = len(points) // 3
    if largest >= count:
        raise source.error(f"vertex {largest + 1} does not exist; there are {count}", where)
    return np.array(points).reshape(-1, 3), polygons.faces()


def _lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Numbers and words of the lines that are not empty; a backslash continues a line."""
    begun: list[bytes] = []
    start = 0
    for number, line in enumerate(data.splitlines(), 1):
        if line[:1] not in b"vf" and not line.strip():
            continue
        start = start if begun else number
        text = line.partition(b"#")[0]
        if text.endswith(b"\\"):
            begun.extend(text[:-1].split())
            continue
        words = begun + text.split()
        begun = []
        if words:
            yield start, words
    if begun:
        yield start, begun


def _position(source: Source, line: int, words: list[bytes]) -> list[float]:
    """The three coordinates of a vertex; a weight or colours may follow them."""
    try:
        position = decimals(words[1:4])
    except ValueError:
        position = []
    if len(position) != 3:
        found = shown(b" ".join(words[1:]))
        raise source.error(f"expected three numbers after 'v', found {found}", line)
    return position


def _corners(source: Source, line: int, words: list[bytes], count: int) -> list[int]:
    """Vertex indices, from 0, of a face; negative ones count from the last vertex so far."""
    out = []
    for word in words[1:]:
        index = word.partition(b"/")[0]
        negative = index[:1] == b"-"
        digits = index[1:] if negative else index
        if not digits.isdigit() or len(digits) > 18:
            raise source.error(f"expected vertex numbers after 'f', found {shown(word)}", line)
        corner = count - int(digits) if negative else int(digits) - 1
        if corner < 0 or (negative and corner >= count):
            raise source.error(
                f"vertex {shown(index)} does not exist; there are {count} so far, numbered from 1",
                line,
            )
        out.append(corner)
    if len(out) < 3:
        raise source.error(f"expected a face of three or more vertices, found {len(out)}", line)
    return out


# ------------------------------------------------------------------ colours


def read_painted_obj(source: Source, path: Path) -> Painted:
    """The same with the colours of the triangles; path: beside which its materials are."""
    vertices, faces = read_obj(source)
    known: dict[bytes, Colour] = {}
    runs: Runs = []
    now: Colour = None
    for _, words in _lines(source.data):
        if words[0] == b"f":  # a fan
            runs.append((len(words) - 3, now))
        elif words[0] == b"usemtl":
            now = known.get(b" ".join(words[1:]))
        elif words[0] == b"mtllib":
            known |= _materials(path.parent, b" ".join(words[1:]))
    return vertices, faces, runs


def _materials(folder: Path, name: bytes) -> dict[bytes, Colour]:
    """Diffuse colours of a file of materials; none if it cannot be read."""
    try:
        text = name.decode()
        data = b"" if Path(text).is_absolute() else read_bytes(folder / text, _MOST)
    except (ModelError, OSError, ValueError):
        return {}  # pictures do without
    out: dict[bytes, Colour] = {}
    current = b""
    for _, words in _lines(data):
        if words[0] == b"newmtl":
            current = b" ".join(words[1:])
        elif words[0] == b"Kd":
            out[current] = colour(b" ".join(words[1:]).decode("ascii", "replace"))
    return out
