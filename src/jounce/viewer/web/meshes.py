"""Triangles of a robot for a page: thinned to a budget, in 16 bits, deflated.

What a page has of a part is where its vertices are to 1/65535 of its box, which no eye can tell.
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

#: Steps of a coordinate along the box of a part.
STEPS = 65535

#: Triangles of a robot in a page, unless asked otherwise.
BUDGET = 100_000

#: Attempts at finding how coarse a mesh must be.
_ATTEMPTS = 12


@dataclass(frozen=True, eq=False)
class Packed:
    """Parts of a robot as text: `parts` say what is where, `data` is deflated, then base64.

    The bytes are the low bytes of all numbers, then the next ones: differences of vertices
    (16 bits, all x, then all y, all z), and differences of corners of triangles (32 bits, zigzag).
    """

    parts: list[dict[str, Any]]
    vertices: int
    triangles: int
    data: str


# ------------------------------------------------------------------ thinning


def thinned(parts: Sequence[Part], budget: int = BUDGET) -> tuple[Part, ...]:
    """Parts with no more triangles in all than a budget, as far as that can be.

    Vertices of meshes that lie in one cell of a grid become one; the grid is as fine as the budget
    allows, the same for all parts. Boxes of parts stay what they are. Simple shapes are not
    touched.
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
        found = {id(part): clustered(part, cell) for part in meshes}
        count = sum(len(part.faces) for part in found.values())
        best = found
        if 0.75 * spare <= count <= spare:
            break
        cell *= max(np.sqrt(count / max(spare, 1)), 0.5) * (1.05 if count > spare else 1.0)
    return tuple(best.get(id(part), part) for part in parts)


def _area(part: Part) -> float:
    """Area of a part's triangles, m^2."""
    corners = part.vertices[part.faces]
    sides = corners[:, 1:] - corners[:, :1]
    return 0.5 * float(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum())


def clustered(part: Part, cell: float) -> Part:
    """A part whose vertices in one cell of a grid are their mean, without what shrank to nothing.

    Vertices at the sides of the part's box keep that coordinate, so that the box stays.
    """
    low, high = _box(part)
    places = np.floor((part.vertices - low) / cell).astype(np.int64)
    _, where = np.unique(places, axis=0, return_inverse=True)
    where = where.reshape(-1)
    counts = np.bincount(where)
    columns = [np.bincount(where, part.vertices[:, k]) / counts for k in range(3)]
    vertices = np.stack(columns, axis=1)
    for k in range(3):
        for end, side in ((low, np.argmin), (high, np.argmax)):
            used = part.faces.reshape(-1)  # vertices of no triangle do not count
            at = used[side(part.vertices[used, k])]
            vertices[where[at], k] = end[k]
    faces = _sound(where[part.faces])
    if not len(faces):  # a part smaller than a cell: its box is what is left of it
        return part if len(part.faces) <= 12 else _boxed(part, low, high)
    thin = replace(part, vertices=vertices, faces=faces)
    if np.array_equal(_box(thin), (low, high)):
        return thin
    return _stretched(thin, low, high)


def _boxed(part: Part, low: np.ndarray, high: np.ndarray) -> Part:
    from jounce.viewer.scene.shapes import box

    found = box(tuple(high - low))
    return replace(part, vertices=found.vertices + (low + high) / 2.0, faces=found.faces)


def _stretched(part: Part, low: np.ndarray, high: np.ndarray) -> Part:
    """A part, its vertices moved in proportion so that they fill a box."""
    now_low, now_high = _box(part)
    size = np.where(now_high > now_low, now_high - now_low, 1.0)
    share = (part.vertices - now_low) / size
    return replace(part, vertices=low + np.clip(share, 0.0, 1.0) * (high - low))


def _box(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest coordinates of what the triangles use."""
    used = part.vertices[part.faces.reshape(-1)]
    return used.min(axis=0), used.max(axis=0)


def _sound(faces: np.ndarray) -> np.ndarray:
    """Triangles with three different corners, each once, in their order."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        return faces
    # turned so that the smallest corner comes first, which keeps the side that looks outward
    first = np.argmin(faces, axis=1)
    turned = np.take_along_axis(faces, (first[:, None] + np.arange(3)) % 3, axis=1)
    _, once = np.unique(turned, axis=0, return_index=True)
    return faces[np.sort(once)]


# ------------------------------------------------------------------ packing


def packed(parts: Sequence[Part]) -> Packed:
    """Parts as text for a page; those without triangles are left out."""
    described: list[dict[str, Any]] = []
    numbers: list[np.ndarray] = []
    corners: list[np.ndarray] = []
    for part in parts:
        if not len(part.faces):
            continue
        low, high = _box(part)
        size = np.where(high > low, high - low, 1.0)
        steps = np.rint((part.vertices - low) / size * STEPS)
        grid, faces = _welded(np.clip(steps, 0, STEPS).astype(np.int64), part.faces)
        if not len(faces):
            continue
        described.append(
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
    return Packed(described, len(grid) // 3, len(indices) // 3, deflated(content))


def _welded(grid: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices that lie at the same place as one, in the order in which triangles use them."""
    keys = (grid[:, 0] << 32) | (grid[:, 1] << 16) | grid[:, 2]
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    faces = _sound(where.reshape(-1)[faces])
    used, once, again = np.unique(faces.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(once, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return grid[first[used[order]]], rank[again.reshape(-1)].reshape(-1, 3)


def deflated(content: bytes) -> str:
    """Bytes as text that a page can hold: deflated as zlib does, then base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")
