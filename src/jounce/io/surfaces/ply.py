"""PLY, ASCII and binary: the positions of its vertices and its faces; all else is passed over."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from jounce.errors import ModelError
from jounce.io.numbers import decimals
from jounce.io.surfaces.faces import Polygons, Source, Triangles, fans, shown

#: Names of number types, and what NumPy calls them.
_TYPES = {
    **{"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"},
    **{"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4"},
    **{"float": "f4", "double": "f8", "float32": "f4", "float64": "f8"},
}
#: Byte orders by format.
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
#: What the list of a face's corners is called.
_CORNERS = ("vertex_indices", "vertex_index")
#: Longest header, in lines.
_MAX_HEADER = 1000


@dataclass(frozen=True)
class Property:
    """A column: its name, type, and for lists the type of their lengths (else "")."""

    name: str
    kind: str
    length: str = ""


@dataclass
class PlyElement:
    """A table of the file: its name, number of rows, and columns."""

    name: str
    count: int
    properties: list[Property] = field(default_factory=list)

    @property
    def wanted(self) -> list[int]:
        """Indices of the columns that are read: x, y and z, or the corners of faces."""
        names = [one.name for one in self.properties]
        if self.name == "vertex":
            plain = {one.name: k for k, one in enumerate(self.properties) if not one.length}
            return [plain[axis] for axis in "xyz" if axis in plain]
        lists = [k for k, one in enumerate(self.properties) if one.length and one.kind[0] in "iu"]
        return [k for k in lists if names[k] in _CORNERS][:1] if self.name == "face" else []


def read_ply(source: Source) -> Triangles:
    """Vertices and triangles; polygons become fans."""
    order, elements, start, line = _header(source)
    body = _Binary(source, order, start) if order else _Ascii(source, start, line)
    tables: dict[str, np.ndarray] = {}
    for element in elements:
        if len(element.wanted) != {"vertex": 3, "face": 1}.get(element.name, 0):
            names = ", ".join(one.name for one in element.properties) or "none"
            raise source.error(f"element '{element.name}': no positions or corners among {names}")
        if element.properties:
            found = body.table(element)
            if found is not None:
                tables[element.name] = found
    if len(tables) != 2:
        raise source.error("expected the elements vertex and face")
    vertices, faces = tables["vertex"], tables["face"]
    if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
        bad = faces[(faces < 0) | (faces >= len(vertices))][0]
        raise source.error(f"a face names vertex {bad}; there are {len(vertices)}, from 0")
    return vertices, faces


# ------------------------------------------------------------------ the header


def _header(source: Source) -> tuple[str, list[PlyElement], int, int]:
    """Byte order ("" for ASCII), elements, and where the rows start: byte and line."""
    order, elements = None, []
    for line, words, end in _header_lines(source):
        try:
            if line == 1:
                if words != ["ply"]:
                    raise ValueError
            elif words[0] == "format":
                order = _ORDERS[words[1]]
            elif words[0] == "element":
                _, name, count = words
                if not (count.isdecimal() and len(count) < 16):
                    raise ValueError
                elements.append(PlyElement(name, int(count)))
            elif words[0] == "property":
                elements[-1].properties.append(_property(words))
            elif words[0] == "end_header":
                if order is None:
                    raise source.error("expected a line 'format' before 'end_header'", line)
                return order, elements, end, line
            elif words[0] not in ("comment", "obj_info"):
                raise ValueError
        except (ValueError, KeyError, IndexError) as error:
            if isinstance(error, ModelError):
                raise
            text = shown(" ".join(words).encode())
            raise source.error(f"expected a PLY header, found {text}", line) from None
    raise source.error("its header has no 'end_header'")


def _header_lines(source: Source) -> Iterator[tuple[int, list[str], int]]:
    """Numbers and words of the header's lines, and where each ends."""
    at = 0
    for line in range(1, _MAX_HEADER + 1):
        stop = source.data.find(b"\n", at)
        if stop < 0:
            return
        words = source.data[at:stop].decode("ascii", "replace").split()
        at = stop + 1
        if words or line == 1:
            yield line, words, at


def _property(words: list[str]) -> Property:
    if words[1] == "list":
        _, _, length, kind, name = words
        if _TYPES[length][0] == "f":
            raise ValueError
        return Property(name, _TYPES[kind], _TYPES[length])
    _, kind, name = words
    return Property(name, _TYPES[kind])


# ------------------------------------------------------------------ ASCII


class _Ascii:
    """The rows of an ASCII file, element by element."""

    def __init__(self, source: Source, start: int, line: int) -> None:
        self.source = source
        self._rows = _words(source.data[start:], line)

    def table(self, element: PlyElement) -> np.ndarray | None:
        """Positions (V, 3) or triangles (F, 3) of an element; None of others."""
        positions: array[float] = array("d")
        polygons = Polygons()
        done = 0
        for line, words in islice(self._rows, element.count):
            done += 1
            try:
                columns = _columns(element, words)
                if element.name == "vertex":
                    positions.extend(decimals([columns[k][0] for k in element.wanted]))
                elif element.name == "face":
                    polygons.add(_corners(columns[element.wanted[0]]))
            except ValueError:
                names = ", ".join(one.name for one in element.properties)
                raise self.source.error(
                    f"element '{element.name}': expected {names}, found {shown(b' '.join(words))}",
                    line,
                ) from None
        if done < element.count:
            raise self.source.error(
                f"the header announces {element.count} of element '{element.name}', found {done}"
            )
        if element.name == "vertex":
            return np.array(positions).reshape(-1, 3)
        return polygons.faces() if element.name == "face" else None


def _words(data: bytes, line: int) -> Iterator[tuple[int, list[bytes]]]:
    """Numbers and words of the lines that are not empty."""
    for number, text in enumerate(data.splitlines(), line + 1):
        words = text.split()
        if words:
            yield number, words


def _columns(element: PlyElement, words: list[bytes]) -> list[list[bytes]]:
    """The words of each property of a row; ValueError if there are not as many as needed."""
    out, at = [], 0
    for one in element.properties:
        size = 1
        if one.length:
            size = _integer(words[at]) if at < len(words) else 0
            at += 1
        if at + size > len(words):
            raise ValueError
        out.append(words[at : at + size])
        at += size
    return out


def _corners(words: list[bytes]) -> list[int]:
    if len(words) < 3:
        raise ValueError
    return [_integer(word) for word in words]


def _integer(word: bytes) -> int:
    if not (word.isdigit() and len(word) < 19):
        raise ValueError
    return int(word)


# ------------------------------------------------------------------ binary


@dataclass
class _Binary:
    """The rows of a binary file, element by element."""

    source: Source
    order: str
    at: int

    def table(self, element: PlyElement) -> np.ndarray | None:
        """Positions (V, 3) or triangles (F, 3) of an element; None of others."""
        try:
            if not any(one.length for one in element.properties):
                return self._plain(element)
            return self._lists(element)
        except _Short:
            raise self.source.error(
                f"the header announces {element.count} of element '{element.name}', but the file"
                f" ends after {len(self.source.data)} bytes"
            ) from None

    def _plain(self, element: PlyElement) -> np.ndarray | None:
        """An element without lists."""
        rows = self._rows(element, lambda _: 0)
        if rows is None or element.name != "vertex":
            return None
        return np.column_stack([rows[f"{k}"].astype(float) for k in element.wanted])

    def _lists(self, element: PlyElement) -> np.ndarray | None:
        """An element with lists: all of the same lengths as in the first row, or row by row."""
        start = self.at
        lengths = self._lengths(element) if element.count else {}
        rows = self._rows(element, lambda k: lengths.get(k, 0))
        if rows is not None and all((rows[f"n{k}"] == n).all() for k, n in lengths.items()):
            if element.name != "face":
                return None
            if not element.count:
                return np.zeros((0, 3), np.int64)
            return self._triangles(rows[f"{element.wanted[0]}"].astype(np.int64))
        self.at = start
        return self._row_by_row(element)

    def _triangles(self, corners: np.ndarray) -> np.ndarray:
        if corners.shape[1] < 3:
            raise self.source.error(f"expected faces of three or more, found {corners.shape[1]}")
        return fans(corners)

    def _row_by_row(self, element: PlyElement) -> np.ndarray | None:
        polygons = Polygons()
        wanted = element.wanted
        for row in range(element.count):
            for k, one in enumerate(element.properties):
                size = int(self._take(one.length, 1)[0]) if one.length else 1
                values = self._take(one.kind, size)
                if k in wanted and element.name == "face":
                    if size < 3:
                        raise self.source.error(f"face {row}: expected three or more, found {size}")
                    polygons.add(values.tolist())
        return polygons.faces() if element.name == "face" else None

    def _lengths(self, element: PlyElement) -> dict[int, int]:
        """Lengths of the lists in the first row, by column; the place stays."""
        start, out = self.at, {}
        for k, one in enumerate(element.properties):
            if one.length:
                out[k] = int(self._take(one.length, 1)[0])
            self._take(one.kind, out.get(k, 1))
        self.at = start
        return out

    def _rows(self, element: PlyElement, length: Callable[[int], int]) -> np.ndarray | None:
        """The rows as a structured array with lists of given lengths; None if they do not fit."""
        columns = []
        for k, one in enumerate(element.properties):
            if one.length:
                columns.append((f"n{k}", self.order + one.length))
            columns.append((f"{k}", self.order + one.kind, *([(length(k),)] * bool(one.length))))
        kind = np.dtype(columns)
        size = kind.itemsize * element.count
        if size > len(self.source.data) - self.at:
            if not any(one.length for one in element.properties):
                raise _Short
            return None
        rows = np.frombuffer(self.source.data, kind, element.count, self.at)
        self.at += size
        return rows

    def _take(self, kind: str, count: int) -> np.ndarray:
        """The next numbers."""
        dtype = np.dtype(self.order + kind)
        if count < 0 or dtype.itemsize * count > len(self.source.data) - self.at:
            raise _Short
        values = np.frombuffer(self.source.data, dtype, count, self.at)
        self.at += dtype.itemsize * count
        return values


class _Short(Exception):
    """The file ends before what its header announces."""
