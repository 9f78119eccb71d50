"""Triangles of a robot for a page: decimated to a budget, quantized to 16 bits, compressed.

Vertices are rounded to 1/65535 of the part's bounding box, which is invisible.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.viewer.scene import Part

#: Quantization steps of a coordinate along the box of a part.
STEPS = 65535

#: Default maximum number of triangles of a robot in a page.
BUDGET = 100_000

#: Maximum number of cell sizes that are tried.
_ATTEMPTS = 12


@dataclass(frozen=True, eq=False)
class PackedMeshes:
    """Parts of a robot as text: `parts` describes them, `data` is deflated and base64-encoded.

    The bytes are the low bytes of all numbers, then the next ones: differences of vertices
    (16 bits, all x, then all y, all z), and differences of corners of triangles (32 bits, zigzag).
    """

    parts: list[dict[str, Any]]
    vertices: int
    triangles: int
    data: str


# ------------------------------------------------------------------ decimation


def decimate(parts: Sequence[Part], budget: int = BUDGET) -> tuple[Part, ...]:
    """Reduce the triangles of parts to a budget, as far as possible.

    Vertices of meshes in one cell of a grid are merged; the grid is as fine as the budget allows,
    the same for all parts. Bounding boxes and simple shapes do not change.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise ArgumentError(f"triangles must be a whole number >= 1, found {budget!r}")
    meshes = [part for part in parts if part.origin == "mesh"]
    spare = budget - sum(len(part.faces) for part in parts if part.origin != "mesh")
    count = sum(len(part.faces) for part in meshes)
    if count <= spare or not meshes:
        return tuple(parts)
    area = sum(_area(part) for part in meshes)
    cell = np.sqrt(area / max(spare, 1))
    best: dict[int, Part] = {}
    for _ in range(_ATTEMPTS):
        merged = {id(part): merge_cells(part, cell) for part in meshes}
        count = sum(len(part.faces) for part in merged.values())
        best = merged
        if 0.75 * spare <= count <= spare:
            break
        cell *= max(np.sqrt(count / max(spare, 1)), 0.5) * (1.05 if count > spare else 1.0)
    return tuple(best.get(id(part), part) for part in parts)


def _area(part: Part) -> float:
    """Return the area of a part's triangles, m^2."""
    corners = part.vertices[part.faces]
    sides = corners[:, 1:] - corners[:, :1]
    return 0.5 * float(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum())


def merge_cells(part: Part, cell: float) -> Part:
    """Merge the vertices in each cell of a grid to their mean; drop degenerate triangles.

    Vertices on the sides of the part's box keep that coordinate, so that the box stays the same.
    """
    low, high = _box(part)
    places = np.floor((part.vertices - low) / cell).astype(np.int64)
    _, cells = np.unique(places, axis=0, return_inverse=True)
    cells = cells.reshape(-1)
    counts = np.bincount(cells)
    columns = [np.bincount(cells, part.vertices[:, k]) / counts for k in range(3)]
    vertices = np.stack(columns, axis=1)
    for k in range(3):
        for end, side in ((low, np.argmin), (high, np.argmax)):
            used = part.faces.reshape(-1)  # ignore vertices without triangles
            extreme = used[side(part.vertices[used, k])]
            vertices[cells[extreme], k] = end[k]
    faces = _valid_triangles(cells[part.faces])
    if not len(faces):  # a part smaller than a cell becomes its box
        return part if len(part.faces) <= 12 else _replace_by_box(part, low, high)
    thin = replace(part, vertices=vertices, faces=faces)
    if np.array_equal(_box(thin), (low, high)):
        return thin
    return _scale_to_box(thin, low, high)


def _replace_by_box(part: Part, low: np.ndarray, high: np.ndarray) -> Part:
    from jounce.viewer.scene.shapes import box

    surface = box(tuple(high - low))
    return replace(part, vertices=surface.vertices + (low + high) / 2.0, faces=surface.faces)


def _scale_to_box(part: Part, low: np.ndarray, high: np.ndarray) -> Part:
    """Scale a part so that it fills a box."""
    now_low, now_high = _box(part)
    size = np.where(now_high > now_low, now_high - now_low, 1.0)
    share = (part.vertices - now_low) / size
    return replace(part, vertices=low + np.clip(share, 0.0, 1.0) * (high - low))


def _box(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounding box of the vertices that triangles use."""
    used = part.vertices[part.faces.reshape(-1)]
    return used.min(axis=0), used.max(axis=0)


def _valid_triangles(faces: np.ndarray) -> np.ndarray:
    """Return non-degenerate triangles without duplicates, in their order."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        return faces
    # rotated so that the smallest corner comes first, which keeps the orientation
    first = np.argmin(faces, axis=1)
    turned = np.take_along_axis(faces, (first[:, None] + np.arange(3)) % 3, axis=1)
    _, once = np.unique(turned, axis=0, return_index=True)
    return faces[np.sort(once)]


# ------------------------------------------------------------------ packing


def pack(parts: Sequence[Part]) -> PackedMeshes:
    """Encode parts as text for a page, without empty ones."""
    descriptions: list[dict[str, Any]] = []
    numbers: list[np.ndarray] = []
    corners: list[np.ndarray] = []
    for part in parts:
        if not len(part.faces):
            continue
        low, high = _box(part)
        size = np.where(high > low, high - low, 1.0)
        steps = np.rint((part.vertices - low) / size * STEPS)
        grid, faces = _merge_equal(np.clip(steps, 0, STEPS).astype(np.int64), part.faces)
        if not len(faces):
            continue
        descriptions.append(
            {
                "body": part.body,
                "link": part.link,
                "color": [round(float(x), 4) for x in part.color],
                "low": low.tolist(),
                "size": (high - low).tolist(),
                "vertices": len(grid),
                "triangles": len(faces),
            }
        )
        numbers.append(grid)
        corners.append(faces.reshape(-1))
    grid = np.concatenate(numbers or [np.zeros((0, 3), np.int64)]).T.reshape(-1)
    indices = np.concatenate(corners or [np.zeros(0, np.int64)])
    steps = np.diff(grid, prepend=0).astype(np.uint16).view(np.uint8).reshape(-1, 2)
    jumps = np.diff(indices, prepend=0)
    zigzag = ((jumps << 1) ^ (jumps >> 63)).astype(np.uint32).view(np.uint8).reshape(-1, 4)
    content = steps.T.tobytes() + zigzag.T.tobytes()
    return PackedMeshes(descriptions, len(grid) // 3, len(indices) // 3, compress(content))


def _merge_equal(grid: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge equal vertices, and sort them in the order in which triangles use them."""
    keys = (grid[:, 0] << 32) | (grid[:, 1] << 16) | grid[:, 2]
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    faces = _valid_triangles(where.reshape(-1)[faces])
    used, once, again = np.unique(faces.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(once, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return grid[first[used[order]]], rank[again.reshape(-1)].reshape(-1, 3)


def compress(content: bytes) -> str:
    """Compress bytes by zlib, and encode them in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")
