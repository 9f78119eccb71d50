"""COLLADA: the triangles of a file's scene in m, with poses of nodes and diffuse colors.

Lights, cameras, animations and the up axis are ignored. pycollada reads numbers in single
precision, which changes inertias by 1e-7, and drops skins that have no joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from jounce.io.colors import parse_color
from jounce.io.numbers import decimals
from jounce.io.surfaces.surface import (
    MAX_NODES,
    Color,
    ColoredSurface,
    Runs,
    Source,
    Surface,
    assemble,
    triangulate,
)
from jounce.io.xml import Element, parse_xml
from jounce.math.lie import exp_so3
from jounce.model.numbers import LARGEST

#: Elements of a mesh that bound something; lines do not.
_PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")


class Geometry(NamedTuple):
    """A surface, and how many of its triangles have each material, by its symbol."""

    surface: Surface
    materials: tuple[tuple[int, str], ...]


def read_collada(source: Source, largest: int) -> ColoredSurface:
    """Read the triangles of the scene in m, and their colors."""
    root = parse_xml(source.data, source.name, largest=largest)
    for node in root.walk():  # "dae:mesh" and the like
        node.tag = node.tag.rpartition(":")[2]
    if root.tag != "COLLADA":
        raise root.error("expected <COLLADA>, the root of a COLLADA file")
    return assemble(_Document(root).parts(), source.name)


@dataclass(eq=False)
class _Document:
    """A COLLADA file: elements by their id, and geometries that were read already."""

    root: Element
    _geometries: dict[Element, Geometry] = field(default_factory=dict)
    _sources: dict[Element, np.ndarray] = field(default_factory=dict)
    _colors: dict[str, Color] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._ids: dict[str, Element] = {}
        for node in self.root.walk():
            if "id" in node.attributes:
                self._ids.setdefault(node.attributes["id"], node)

    def target(self, node: Element, attribute: str, *tags: str) -> Element:
        """Return the element with one of the tags that an attribute such as url="#id" points to."""
        url = node.string(attribute)
        element = self._ids.get(url[1:]) if url.startswith("#") else None
        if element is None or element.tag not in tags:
            wanted = " or ".join(f"<{tag}>" for tag in tags)
            raise node.error(f"attribute '{attribute}': there is no {wanted} '{url}' in this file")
        return element

    # -------------------------------------------------------------- the scene

    def parts(self) -> Iterator[tuple[np.ndarray, Surface, Runs]]:
        """Yield pose (4, 4), surface and colors of each geometry in the scene."""
        unit = self._unit()
        scene = self.root.require("scene").require("instance_visual_scene")
        todo = [(self.target(scene, "url", "visual_scene"), unit)]
        count = 0
        while todo:  # a stack, not recursion: nodes may be nested deeply
            node, T = todo.pop()
            count += 1
            if count > MAX_NODES:
                text = f"expected at most {MAX_NODES} nodes in the scene; one may contain itself"
                raise node.error(text)
            T = T @ _pose(node)
            inside = []
            for child in node.children:
                if child.tag == "node":
                    inside.append((child, T))
                elif child.tag == "instance_node":
                    inside.append((self.target(child, "url", "node"), T))
                elif child.tag == "instance_geometry":
                    geometry = self._geometry(self.target(child, "url", "geometry"))
                    yield T, geometry.surface, self._colors_of(child, geometry)
                elif child.tag == "instance_controller":
                    yield self._skin(child, T)
            todo.extend(reversed(inside))

    def _unit(self) -> np.ndarray:
        """Return the matrix (4, 4) from the file's unit of length to m."""
        asset = self.root.find("asset")
        unit = None if asset is None else asset.find("unit")
        meters = 1.0 if unit is None else unit.number("meter", 1.0)
        if unit is not None and not meters > 0.0:
            raise unit.error(f"attribute 'meter': expected a length > 0, found {meters}")
        return np.diag((meters, meters, meters, 1.0))

    def _skin(self, node: Element, T: np.ndarray) -> tuple[np.ndarray, Surface, Runs]:
        """Return the geometry under a skin, as it is bound."""
        skin = self.target(node, "url", "controller").require("skin")
        bound = skin.find("bind_shape_matrix")
        if bound is not None:
            T = T @ bound.values(16).reshape(4, 4)
        geometry = self._geometry(self.target(skin, "source", "geometry"))
        return T, geometry.surface, self._colors_of(node, geometry)

    # -------------------------------------------------------------- colors

    def _colors_of(self, instance: Element, geometry: Geometry) -> Runs:
        """Return the colors of a geometry's triangles, as an instance binds materials.

        What is not stated, or makes no sense, is no color: only pictures need them.
        """
        bound = {
            node.attributes.get("symbol", ""): node.attributes.get("target", "")[1:]
            for node in instance.walk()
            if node.tag == "instance_material"
        }
        out: Runs = []
        for count, name in geometry.materials:
            material = bound.get(name, name)
            if material not in self._colors:
                self._colors[material] = self._color(material)
            out.append((count, self._colors[material]))
        return out

    def _color(self, material: str) -> Color:
        """Return a material's diffuse color, opaque: files disagree about its last number."""
        element = self._ids.get(material)
        effect = None if element is None else element.find("instance_effect")
        if effect is None:
            return None
        element = self._ids.get(effect.attributes.get("url", "")[1:])
        for node in () if element is None else element.walk():
            inside = node.find("color") if node.tag == "diffuse" else None
            color = None if inside is None else parse_color(inside.text)
            if color is not None:
                return (*color[:3], 1.0)
        return None

    # -------------------------------------------------------------- geometries

    def _geometry(self, node: Element) -> Geometry:
        if node not in self._geometries:
            self._geometries[node] = self._read_geometry(node.require("mesh"))
        return self._geometries[node]

    def _read_geometry(self, mesh: Element) -> Geometry:
        """Read vertices and triangles of all primitives."""
        starts: dict[Element, int] = {}
        points, faces = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)]
        materials: list[tuple[int, str]] = []
        count = 0
        for primitive in mesh.children:
            if primitive.tag not in _PRIMITIVES:
                continue
            inputs = _inputs(primitive)
            origin, offset = self._positions(primitive, inputs)
            if origin not in self._sources:
                self._sources[origin] = self._source(origin)
            size = len(self._sources[origin])
            if origin not in starts:
                points.append(self._sources[origin])
                starts[origin] = count
                count += size
            for corners in _triangles(primitive, 1 + max(inputs.values()), offset):
                if len(corners) and not 0 <= corners.min() <= corners.max() < size:
                    bad = corners[(corners < 0) | (corners >= size)][0]
                    raise primitive.error(f"it names vertex {bad}; there are {size}, from 0")
                faces.append(corners + starts[origin])
                if len(corners):
                    materials.append((len(corners), primitive.attributes.get("material", "")))
        surface = Surface(np.concatenate(points), np.concatenate(faces))
        return Geometry(surface, tuple(materials))

    def _positions(self, node: Element, inputs: dict[Element, int]) -> tuple[Element, int]:
        """Return the <source> of a primitive's positions, and their place among its indices."""
        for element, offset in inputs.items():
            if element.attributes.get("semantic") == "VERTEX":
                source = self.target(element, "source", "vertices", "source")
                if source.tag == "source":
                    return source, offset
                for inner in source.all("input"):
                    if inner.attributes.get("semantic") == "POSITION":
                        return self.target(inner, "source", "source"), offset
                raise source.error("expected an <input> with the semantic POSITION")
        raise node.error("expected an <input> with the semantic VERTEX")

    def _source(self, node: Element) -> np.ndarray:
        """Return the positions (V, 3) of a <source>."""
        accessor = node.require("technique_common").require("accessor")
        array = self.target(accessor, "source", "float_array")
        numbers = _floats(array)
        stride, start = _integer(accessor, "stride", 1), _integer(accessor, "offset", 0)
        names = [
            parameter.attributes.get("name", "").upper() for parameter in accessor.all("param")
        ]
        columns = [names.index(axis) for axis in "XYZ"] if {*"XYZ"} <= {*names} else [0, 1, 2]
        if max(columns) >= stride:
            raise accessor.error(f"expected positions of three numbers, found a stride of {stride}")
        count = max(0, len(numbers) - start) // stride
        announced = _integer(accessor, "count", count)
        if announced > count:
            raise accessor.error(f"expected {announced} positions, found {count}")
        return numbers[start : start + announced * stride].reshape(-1, stride)[:, columns]


# ------------------------------------------------------------------ numbers and indices


def _floats(node: Element) -> np.ndarray:
    """Return the numbers of an element's text."""
    try:
        values = np.array(decimals(node.text.encode().split()))
    except ValueError:
        values = np.array((np.inf,))
    if not (np.abs(values) <= LARGEST).all():
        raise node.error(f"expected numbers up to {LARGEST:g}")
    return values


def _integer(node: Element, attribute: str, default: int) -> int:
    word = node.attributes.get(attribute)
    if word is None:
        return default
    if not (word.isascii() and word.isdecimal() and len(word) < 16 and int(word) >= default % 2):
        raise node.error(f"attribute '{attribute}': expected an integer, found '{word}'")
    return int(word)


def _indices(node: Element) -> np.ndarray:
    """Return the integers of an element's text."""
    words = node.text.encode().split()
    if b"".join(words).translate(None, b"0123456789") or any(len(word) > 18 for word in words):
        raise node.error("expected integers >= 0")
    return np.array(words, dtype="S18").astype(np.int64) if words else np.zeros(0, np.int64)


def _inputs(primitive: Element) -> dict[Element, int]:
    """Return a primitive's inputs, and the place of each among its indices."""
    out = {node: _integer(node, "offset", 0) for node in primitive.all("input")}
    if not out or max(out.values()) > 1000:
        raise primitive.error("expected <input> elements with offsets up to 1000")
    return out


def _triangles(primitive: Element, stride: int, offset: int) -> Iterator[np.ndarray]:
    """Yield triangles (F, 3) of a primitive; polygons become fans."""
    if primitive.find("ph") is not None:
        raise primitive.error("polygons with holes are not supported; split them into triangles")
    runs = []
    for node in primitive.all("p"):
        indices = _indices(node)
        if len(indices) % stride:
            raise node.error(f"expected {stride} indices per corner, found {len(indices)} in all")
        runs.append(indices[offset::stride])
    if primitive.tag == "triangles":
        for run in runs:
            if len(run) % 3:
                raise primitive.error(f"expected three corners per triangle, found {len(run)}")
            yield run.reshape(-1, 3)
    elif primitive.tag == "polylist":
        yield from _polylist(primitive, runs)
    else:
        for run in runs:
            if len(run) < 3:
                raise primitive.error(f"expected three or more corners, found {len(run)}")
            yield _strip(run) if primitive.tag == "tristrips" else triangulate(run[None])


def _polylist(primitive: Element, runs: list[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield triangles of a <polylist>, grouped by the number of corners of polygons."""
    node = primitive.find("vcount")
    sizes = np.zeros(0, np.int64) if node is None else _indices(node)
    corners = np.concatenate([np.zeros(0, np.int64), *runs])
    if sizes.sum() != len(corners) or (len(sizes) and sizes.min() < 3):
        raise primitive.error(
            f"expected polygons of three or more corners, {int(sizes.sum())} in all as <vcount>"
            f" says, found {len(corners)}"
        )
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes).tolist():
        yield triangulate(corners[starts[sizes == size][:, None] + np.arange(size)])


def _strip(run: np.ndarray) -> np.ndarray:
    """Return the triangles of a strip, every other one reversed."""
    out = np.stack((run[:-2], run[1:-1], run[2:]), axis=1)
    out[1::2] = out[1::2][:, (1, 0, 2)]
    return out


# ------------------------------------------------------------------ poses


def _pose(node: Element) -> np.ndarray:
    """Return the pose (4, 4) of a node: its transformations in the order of the file."""
    T = np.eye(4)
    for child in node.children:
        step = np.eye(4)
        if child.tag == "matrix":
            step = child.values(16).reshape(4, 4)
            if not np.array_equal(step[3], (0.0, 0.0, 0.0, 1.0)):
                raise child.error(f"expected a last row of 0 0 0 1, found {step[3].tolist()}")
        elif child.tag == "translate":
            step[:3, 3] = child.values(3)
        elif child.tag == "scale":
            step[:3, :3] = np.diag(child.values(3))
        elif child.tag == "rotate":
            *axis, degrees = child.values(4)
            length = np.linalg.norm(axis)
            if degrees != 0.0:
                if not length > 0.0:
                    raise child.error("expected an axis other than zero")
                step[:3, :3] = exp_so3(np.array(axis) / length, np.radians(degrees)).astype(float)
        elif child.tag in ("lookat", "skew"):
            raise child.error("this transformation is not supported; write it as a <matrix>")
        T = T @ step
    return T
