"""STL, OFF and glTF through `trimesh`, which is imported when the first such file is read.

trimesh accepts files that are cut short and follows references to other files. So what a file
declares is checked first, trimesh gets bytes without a way to find other files, and its exceptions
are summarized in one sentence.
"""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.surfaces.surface import (
    MAX_NODES,
    Color,
    ColoredSurface,
    Runs,
    Source,
    Surface,
    assemble,
)

#: How deep nodes of a glTF scene may be nested: trimesh's time grows with the cube of it.
MAX_GLTF_DEPTH = 20

_STL_HEADER, _STL_RECORD = 84, 50


def read_with_trimesh(source: Source, suffix: str) -> ColoredSurface:
    """Read a file of one of the `FORMATS`; vertices are neither merged nor dropped."""
    try:
        import trimesh
    except ImportError as error:
        raise source.error(
            f'reading {suffix} files needs trimesh: pip install "jounce[mesh]"'
        ) from error
    if not logging.getLogger("trimesh").handlers:  # or its warnings go to the terminal
        logging.getLogger("trimesh").addHandler(logging.NullHandler())
    try:
        data = FORMATS[suffix](source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # NumPy before 2.3 warns of text that is no number, and stops reading there
            warnings.simplefilter("error", DeprecationWarning)
            scene = trimesh.load_scene(io.BytesIO(data), file_type=suffix[1:], process=False)
            return assemble(_parts(scene), source.name)
    except ModelError:
        raise
    except Exception as error:  # trimesh raises anything, from AssertionError to ZeroDivisionError
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        shown = "".join(c if c.isprintable() else "?" for c in reason[:200])
        raise source.error(f"expected a {suffix} file, trimesh found {shown}") from error


def _parts(scene: Any) -> Iterator[tuple[np.ndarray, Surface, Runs]]:
    """Yield pose (4, 4), surface and color of each mesh in a scene of trimesh."""
    for node in scene.graph.nodes_geometry:
        T, name = scene.graph[node]
        mesh = scene.geometry[name]
        if hasattr(mesh, "faces"):  # no points or lines
            surface = Surface(np.asarray(mesh.vertices), np.asarray(mesh.faces))
            yield np.asarray(T), surface, [(len(mesh.faces), _color(mesh))]


def _color(mesh: Any) -> Color:
    """Return the base color of a glTF material, if it has one without a texture."""
    material = getattr(mesh.visual, "material", None)
    if getattr(material, "baseColorTexture", None) is not None:
        return None
    factor = getattr(material, "baseColorFactor", None)  # of 8 bits
    return None if factor is None else tuple(float(x) / 255.0 for x in factor)


# ------------------------------------------------------------------ what files declare


def _check_stl(source: Source) -> bytes:
    """Return the bytes of an STL file that is as long as it declares, without names of solids."""
    data, size = source.data, len(source.data)
    count = int.from_bytes(data[80:_STL_HEADER], "little")
    needed = _STL_HEADER + _STL_RECORD * count
    if size >= _STL_HEADER and size == needed:
        return data
    if data[:512].lstrip()[:5].lower() == b"solid":
        # names of solids may contain keywords, and trimesh's time grows with their number squared
        text = re.sub(rb"(?im)^[ \t]*((end)?solid|facet)\b.*$", rb"\1", data.replace(b"\r", b"\n"))
        words = Counter(re.findall(rb"endsolid|solid|endfacet|vertex", text.lower()))
        if 3 * words[b"endfacet"] != words[b"vertex"] or words[b"endsolid"] != words[b"solid"]:
            counts = ", ".join(f"{n} of '{word.decode()}'" for word, n in words.items())
            raise source.error(
                "expected three 'vertex' per 'endfacet', and an 'endsolid' per 'solid', found"
                f" {counts or 'none'}"
            )
        return b"solid\n" + re.sub(rb"(?im)^(end)?solid$", b"", text) + b"\nendsolid\n"
    if size < _STL_HEADER:
        raise source.error(f"expected an STL file, found {size} bytes, fewer than its header has")
    raise source.error(
        f"the header announces {count} triangles, which take {needed} bytes, found {size}"
    )


def _check_off(source: Source) -> bytes:
    """Return the text of an OFF file that has as many rows as it declares."""
    text = re.sub(rb"#.*", b"", source.data).strip()
    header = re.match(rb"C?OFF\s+(\d{1,9})\s+(\d{1,9})(\s+\d+)?\s*$", text, re.MULTILINE)
    if header is None:
        raise source.error("expected 'OFF' and the numbers of its vertices and faces")
    vertices, faces = int(header[1]), int(header[2])
    rows = [words for line in text[header.end() :].splitlines() if (words := line.split())]
    corners = [len(row) - 1 - int(row[0]) for row in rows[vertices : vertices + faces]]
    if len(corners) < faces or min(corners, default=0) < 0:
        raise source.error(
            f"the header announces {vertices} vertices and {faces} faces, found {len(rows)} rows"
            " or faces with fewer corners than they announce"
        )
    return text


def _check_gltf(source: Source) -> bytes:
    """Return the bytes of a glTF file that needs no extension and no other file."""
    data = source.data
    if data[:4] == b"glTF":
        size = int.from_bytes(data[12:16], "little")
        document = json.loads(data[20 : 20 + size])
    else:
        document = json.loads(data)
    needed = [name for name in document.get("extensionsRequired", []) if "_mat" not in name]
    if needed:
        raise source.error(f"it needs extensions that are not supported: {', '.join(needed)}")
    for buffer in document.get("buffers", []):
        if not str(buffer.get("uri", "data:")).startswith("data:"):
            raise source.error("it refers to other files; embed its buffers, as in a .glb file")
    accessors = document.get("accessors", [])
    if not all("bufferView" in accessor and "sparse" not in accessor for accessor in accessors):
        raise source.error("it has accessors without data or sparse ones, which are not supported")
    if sum(max(int(accessor["count"]), 1) for accessor in accessors) > len(data):
        raise source.error("its accessors have more elements than it has bytes")
    nodes = document.get("nodes", [])
    parents = {child: k for k, node in enumerate(nodes) for child in node.get("children", [])}
    links = sum(len(node.get("children", [])) for node in nodes)
    ancestors = [*range(len(nodes))]
    for _ in range(MAX_GLTF_DEPTH):
        ancestors = [parents[node] for node in ancestors if node in parents]
    if len(nodes) > MAX_NODES or links != len(parents) or ancestors:
        raise source.error(
            f"expected at most {MAX_NODES} nodes, each with one parent, nested fewer than"
            f" {MAX_GLTF_DEPTH} deep"
        )
    return data


#: Formats, and what checks their files before trimesh gets them.
FORMATS: dict[str, Callable[[Source], bytes]] = {
    ".stl": _check_stl,
    ".off": _check_off,
    ".glb": _check_gltf,
    ".gltf": _check_gltf,
}
