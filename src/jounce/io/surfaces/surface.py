"""Triangulated surfaces, and what the readers of mesh formats share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.io.builder import floats
from jounce.model.numbers import rigid_pose

#: Nodes, and vertices or triangles, of a scene with all its instances.
MAX_NODES = 20_000
MAX_TRIANGLES = 6_000_000

#: Red, green, blue and opacity from 0 to 1, or None where the file states none.
Color = tuple[float, ...] | None

#: How many consecutive triangles have which color.
Runs = list[tuple[int, Color]]


class Surface(NamedTuple):
    """A triangulated surface: vertices (V, 3) in m and faces (F, 3) of vertex indices."""

    vertices: np.ndarray
    faces: np.ndarray

    def place(
        self, scale: ArrayLike = (1.0, 1.0, 1.0), placement: ArrayLike | None = None
    ) -> Surface:
        """Return the surface scaled along its axes (3,), then moved by a pose (4, 4).

        Mirroring scales reverse the faces, so that they still point outward.
        """
        factors = floats(scale, (3,), "scale")
        if not factors.all():
            raise ModelError(f"scale: expected numbers other than 0, found {factors.tolist()}")
        pose = np.eye(4) if placement is None else rigid_pose(placement, "placement")
        return self.transform(pose @ np.diag((*factors, 1.0)))

    def transform(self, T: np.ndarray) -> Surface:
        """Return the surface moved by an affine map (4, 4), faces reversed if it mirrors."""
        vertices = np.asarray(self.vertices, dtype=float) @ T[:3, :3].T + T[:3, 3]
        columns = (0, 2, 1) if np.linalg.det(T[:3, :3]) < 0.0 else (0, 1, 2)
        return Surface(vertices, np.asarray(self.faces, dtype=np.int64)[:, columns])


class ColoredSurface(NamedTuple):
    """A surface with the colors of its faces."""

    surface: Surface
    runs: Runs


@dataclass(frozen=True)
class Source:
    """A mesh file in memory; `name` is what messages call it."""

    name: str
    data: bytes

    def error(self, message: str, line: int | None = None) -> ModelError:
        """Return an error about the file or one of its lines (from 1), for the caller to raise."""
        return ModelError(f"{self.name}:{'' if line is None else f'{line}:'} {message}")


def quote(text: bytes) -> str:
    """Return a piece of a file as messages quote it."""
    word = text[:80].decode("ascii", "backslashreplace")
    return f"'{word}{'...' if len(text) > 80 else ''}'"


def fan(corners: Sequence[int]) -> list[int]:
    """Return the corners of all triangles of a polygon, one after the other."""
    return [i for k in range(1, len(corners) - 1) for i in (corners[0], corners[k], corners[k + 1])]


def triangulate(corners: np.ndarray) -> np.ndarray:
    """Return triangles (F, 3) of polygons (n, k) that all have k >= 3 corners, as fans."""
    first = np.broadcast_to(corners[:, :1], corners[:, 2:].shape)
    return np.stack((first, corners[:, 1:-1], corners[:, 2:]), axis=-1).reshape(-1, 3)


def assemble(parts: Iterable[tuple[np.ndarray, Surface, Runs]], name: str) -> ColoredSurface:
    """Join the parts of a scene, each with its pose (4, 4), into one surface.

    Raises
    ------
    ModelError
        If there are more vertices or triangles than `MAX_TRIANGLES`.
    """
    vertices, faces = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)]
    runs: Runs = []
    count = triangles = 0
    for T, surface, colors in parts:
        moved = surface.transform(T)
        vertices.append(moved.vertices)
        faces.append(moved.faces + count)
        count, triangles = count + len(moved.vertices), triangles + len(moved.faces)
        runs += colors
        if max(count, triangles) > MAX_TRIANGLES:
            raise ModelError(
                f"{name}: expected a scene of at most {MAX_TRIANGLES} vertices and triangles"
            )
    return ColoredSurface(Surface(np.concatenate(vertices), np.concatenate(faces)), runs)
