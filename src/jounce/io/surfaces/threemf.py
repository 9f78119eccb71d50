"""3MF: the objects that a file builds, their components' poses and its unit of length applied."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import numpy as np

from jounce.io.surfaces.surface import MAX_NODES, ColoredSurface, Runs, Source, Surface, assemble
from jounce.io.xml import Element, parse_xml

#: Lengths of units, in m.
_UNITS = {
    **{"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "meter": 1.0},
    **{"inch": 0.0254, "foot": 0.3048},
}


def read_3mf(source: Source, largest: int) -> ColoredSurface:
    """Read the objects in the build section of a 3MF archive, in m; their colors are ignored."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith("3dmodel.model")]
            size = sum(archive.getinfo(name).file_size for name in names)
            data = archive.read(names[0]) if len(names) == 1 and size <= largest else None
    except Exception as error:  # zipfile raises errors of many kinds where bytes make no sense
        reason = "".join(c if c.isprintable() else "?" for c in str(error)[:200])
        raise source.error(f"expected a 3MF archive, found one with an error: {reason}") from error
    if data is None:
        raise source.error(f"expected one 3dmodel.model of at most {largest} bytes in it")
    root = parse_xml(data, f"{source.name}: 3dmodel.model", largest=largest)
    for node in root.walk():
        node.tag = node.tag.rpartition(":")[2]
    if root.tag != "model" or root.attributes.get("unit", "millimeter") not in _UNITS:
        raise root.error(f"expected <model> with a unit among {', '.join(_UNITS)}")
    return assemble(_instances(root), source.name)


def _instances(root: Element) -> Iterator[tuple[np.ndarray, Surface, Runs]]:
    """Yield the pose (4, 4) and surface of each mesh that is built."""
    unit = _UNITS[root.attributes.get("unit", "millimeter")]
    objects = {node.string("id"): node for node in root.require("resources").all("object")}
    surfaces: dict[Element, Surface] = {}
    todo = [(item, np.diag((unit, unit, unit, 1.0))) for item in root.require("build").all("item")]
    count = 0
    while todo:  # a stack, not recursion: objects may be nested deeply
        item, T = todo.pop()
        count += 1
        if count > MAX_NODES:
            raise item.error(f"expected at most {MAX_NODES} components; one may contain itself")
        T = T @ _pose(item)
        node = objects.get(item.string("objectid"))
        if node is None or any(name.endswith("path") for name in item.attributes):
            raise item.error("expected the 'objectid' of an <object> in this file")
        mesh = node.find("mesh")
        if mesh is not None:
            if node not in surfaces:
                surfaces[node] = _surface(mesh)
            yield T, surfaces[node], [(len(surfaces[node].faces), None)]
        parts = node.find("components")
        todo += [(part, T) for part in ([] if parts is None else parts.all("component"))]


def _pose(item: Element) -> np.ndarray:
    """Return the pose (4, 4) of a component: rows of a 4 x 3 matrix that multiplies from right."""
    T = np.eye(4)
    if "transform" in item.attributes:
        T[:3] = item.vector("transform", 12).reshape(4, 3).T
    return T


def _surface(mesh: Element) -> Surface:
    vertices = [
        [node.number(axis) for axis in "xyz"] for node in mesh.require("vertices").all("vertex")
    ]
    faces = [
        [node.number(corner) for corner in ("v1", "v2", "v3")]
        for node in mesh.require("triangles").all("triangle")
    ]
    corners = np.array(faces).reshape(-1, 3)
    if (corners % 1.0).any() or (corners < 0.0).any() or (corners >= len(vertices)).any():
        raise mesh.error(f"expected <triangle> of vertices from 0 to {len(vertices) - 1}")
    return Surface(np.array(vertices).reshape(-1, 3), corners.astype(np.int64))
