"""PLY, ASCII and binary: positions of vertices, and faces; other properties are ignored."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from jounce.io.numbers import decimals
from jounce.io.surfaces.surface import ColoredSurface, Source, Surface, fan, quote

#: NumPy's names of number types.
_TYPES = {
    **{"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"},
    **{"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4"},
    **{"float": "f4", "double": "f8", "float32": "f4", "float64": "f8"},
}
_BYTE_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
MAX_HEADER_BYTES = 2**16


class Property(NamedTuple):
    """A column: its name, type, and for lists the type of their lengths (else "")."""

    name: str
    kind: str
    length: str


@dataclass
class PlyElement:
    """A table of the file: its name, number of rows, and columns."""

    name: str
    count: int
    properties: list[Property] = field(default_factory=list)


@dataclass
class _Numbers:
    """The numbers after the header, in the order of the file; order: "" for ASCII."""

    data: bytes
    order: str
    at: int
    words: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.order:
            self.words, self.at = self.data[self.at :].split(), 0

    def take(self, kind: str, count: int) -> np.ndarray:
        """Return the next numbers of a type; ValueError if there are too few or none."""
        start = self.at
        if not self.order:
            self.at += count
            if count < 0 or self.at > len(self.words):
                raise ValueError("the file ends before it")
            values = np.array(decimals(self.words[start : self.at]))
            if kind[0] != "f" and (values % 1.0).any():
                raise ValueError("expected integers")
            return values if kind[0] == "f" else values.astype(np.int64)
        dtype = np.dtype(self.order + kind)
        self.at += dtype.itemsize * count
        if count < 0 or self.at > len(self.data):
            raise ValueError("the file ends before it")
        return np.frombuffer(self.data, dtype, count, start)

    def table(self, element: PlyElement) -> dict[str, np.ndarray]:
        """Return the columns (n,) of an element without lists."""
        properties, n = element.properties, element.count
        if self.order:
            dtype = np.dtype([(f"{k}", self.order + p.kind) for k, p in enumerate(properties)])
            rows = self.take("u1", dtype.itemsize * n).view(dtype)
            return {p.name: rows[f"{k}"] for k, p in enumerate(properties)}
        rows = self.take("f8", len(properties) * n).reshape(n, -1)
        return {p.name: rows[:, k] for k, p in enumerate(properties)}

    def row(self, element: PlyElement) -> dict[str, np.ndarray]:
        """Return the properties of one row of an element with lists."""
        out = {}
        for column in element.properties:
            size = int(self.take(column.length, 1)[0]) if column.length else 1
            out[column.name] = self.take(column.kind, size)
        return out


def read_ply(source: Source) -> ColoredSurface:
    """Read vertices and faces; polygons become fans of triangles."""
    order, elements, start = _header(source)
    numbers = _Numbers(source.data, order, start)
    vertices, corners = np.zeros((0, 3)), array("q")
    for element in elements:
        done = 0
        try:
            if not any(column.length for column in element.properties):
                columns = numbers.table(element) if element.properties else {}
                if element.name == "vertex":
                    vertices = np.stack([columns[axis].astype(float) for axis in "xyz"], axis=1)
                continue
            while done < element.count:
                columns = numbers.row(element)
                if element.name == "face":
                    corners.extend(_triangles(columns))
                done += 1
        except (ValueError, KeyError) as error:
            missing = isinstance(error, KeyError)
            reason = f"there is no property {error}" if missing else str(error)
            raise source.error(
                f"element '{element.name}', row {done} of {element.count}:"
                f" {reason or 'expected decimal numbers'}"
            ) from None
    faces = np.array(corners, np.int64).reshape(-1, 3)
    return ColoredSurface(Surface(vertices, faces), [(len(faces), None)])


def _triangles(columns: dict[str, np.ndarray]) -> list[int]:
    """Return the corners of a face's triangles."""
    corners = columns["vertex_indices" if "vertex_indices" in columns else "vertex_index"]
    if len(corners) < 3 or corners.dtype.kind == "f":
        raise ValueError(f"expected three or more integers, found {len(corners)} {corners.dtype}")
    return fan(corners.tolist())


def _header(source: Source) -> tuple[str, list[PlyElement], int]:
    """Return the byte order ("" for ASCII), the elements, and the byte where rows start."""
    end = re.compile(rb"^\s*end_header[^\S\n]*\n", re.MULTILINE).search(
        source.data, 0, MAX_HEADER_BYTES
    )
    order: str | None = None
    elements: list[PlyElement] = []
    head = source.data[: end.start() if end else MAX_HEADER_BYTES].splitlines()
    for line, text in enumerate(head or [b""], 1):
        words = text.decode("ascii", "replace").split()
        try:
            if line == 1:
                if words != ["ply"]:
                    raise ValueError
            elif words[:1] == ["format"]:
                order = _BYTE_ORDERS[words[1]]
            elif words[:1] == ["element"]:
                _, name, count = words
                if not (count.isdecimal() and len(count) < 16):
                    raise ValueError
                elements.append(PlyElement(name, int(count)))
            elif words[:1] == ["property"]:
                *lists, kind, name = words[1:]
                length = _TYPES[lists[1]] if lists[:1] == ["list"] else ""
                if len(lists) != 2 * bool(length) or length[:1] == "f":
                    raise ValueError
                elements[-1].properties.append(Property(name, _TYPES[kind], length))
            elif words and words[0] not in ("comment", "obj_info"):
                raise ValueError
        except (ValueError, KeyError, IndexError):
            raise source.error(f"expected a PLY header, found {quote(text)}", line) from None
    if end is None or order is None:
        raise source.error(f"its header has no {'end_header' if end is None else 'format'} line")
    return order, elements, end.end()
