"""Wavefront OBJ: positions, faces, and diffuse colors of materials.

Normals, textures, groups and lines are ignored.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jounce.errors import ModelError
from jounce.io.colors import parse_color
from jounce.io.files import read_bytes
from jounce.io.numbers import decimals
from jounce.io.surfaces.surface import Color, ColoredSurface, Runs, Source, Surface, fan, quote

#: Largest file of materials, in bytes.
MAX_MATERIAL_BYTES = 2**20


def read_obj(source: Source, folder: Path | None) -> ColoredSurface:
    """Read all objects of a file; polygons become fans of triangles.

    Parameters
    ----------
    source
        The file.
    folder
        Where files of materials are looked for; None reads none.
    """
    points: array[float] = array("d")
    triangles: array[int] = array("q")
    runs: Runs = []
    known: dict[bytes, Color] = {}
    current: Color = None
    for line, words in _lines(source.data):
        if words[0] == b"v":
            points.extend(_position(source, line, words))
        elif words[0] == b"f":
            corners = _corners(source, line, words, len(points) // 3)
            triangles.extend(fan(corners))
            runs.append((len(corners) - 2, current))
        elif words[0] == b"usemtl":
            current = known.get(b" ".join(words[1:]))
        elif words[0] == b"mtllib" and folder is not None:
            known |= _materials(folder, b" ".join(words[1:]))
    vertices = np.array(points).reshape(-1, 3)
    return ColoredSurface(Surface(vertices, np.array(triangles, np.int64).reshape(-1, 3)), runs)


def _lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Yield numbers and words of the lines that are not empty; a backslash continues a line."""
    begun: list[bytes] = []
    start = 0
    for number, line in enumerate(data.splitlines(), 1):
        text = line.partition(b"#")[0]
        start = start if begun else number
        begun += text.removesuffix(b"\\").split()
        if begun and not text.endswith(b"\\"):
            yield start, begun
            begun = []
    if begun:
        yield start, begun


def _position(source: Source, line: int, words: list[bytes]) -> list[float]:
    """Return the three coordinates of a vertex; a weight or colors may follow them."""
    try:
        position = decimals(words[1:4])
    except ValueError:
        position = []
    if len(position) != 3:
        quoted = quote(b" ".join(words[1:]))
        raise source.error(f"expected three numbers after 'v', found {quoted}", line)
    return position


def _corners(source: Source, line: int, words: list[bytes], count: int) -> list[int]:
    """Return vertex indices, from 0, of a face; negative ones count from the last vertex so far."""
    out = []
    for word in words[1:]:
        index = word.partition(b"/")[0]
        digits = index.removeprefix(b"-")
        if not digits.isdigit() or len(digits) > 18:
            raise source.error(f"expected vertex numbers after 'f', found {quote(word)}", line)
        out.append(count - int(digits) if index[:1] == b"-" else int(digits) - 1)
        if not out[-1] >= 0 or (index[:1] == b"-" and out[-1] == count):
            raise source.error(
                f"vertex {quote(index)} does not exist; there are {count} so far, numbered from 1",
                line,
            )
    if len(out) < 3:
        raise source.error(f"expected a face of three or more vertices, found {len(out)}", line)
    return out


def _materials(folder: Path, name: bytes) -> dict[bytes, Color]:
    """Return the diffuse colors in a file of materials; none if it cannot be read."""
    try:
        path = Path(name.decode())
        data = b"" if path.is_absolute() else read_bytes(folder / path, MAX_MATERIAL_BYTES)
    except (ModelError, OSError, ValueError):
        return {}  # only pictures need them
    out: dict[bytes, Color] = {}
    current = b""
    for _, words in _lines(data):
        if words[0] == b"newmtl":
            current = b" ".join(words[1:])
        elif words[0] == b"Kd":
            out[current] = parse_color(b" ".join(words[1:]).decode("ascii", "replace"))
    return out
