"""What the readers of mesh formats share: errors that name the place, and triangles of polygons."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

import numpy as np

from jounce.errors import ModelError

#: A mesh: vertices (V, 3), and faces (F, 3) of vertex indices.
Triangles = tuple[np.ndarray, np.ndarray]

#: Red, green, blue and opacity from 0 to 1, or None where the file says none.
Colour = tuple[float, ...] | None

#: How many triangles, one after the other, have which colour.
Runs = list[tuple[int, Colour]]

#: A mesh with the colours of its faces.
Painted = tuple[np.ndarray, np.ndarray, Runs]


@dataclass(frozen=True)
class Source:
    """A mesh file in memory; `name` is how messages call it."""

    name: str
    data: bytes

    def error(self, message: str, line: int | None = None) -> ModelError:
        """An error about the file or one of its lines (from 1), to be raised by the caller."""
        return ModelError(f"{self.name}:{'' if line is None else f'{line}:'} {message}")


def shown(text: bytes) -> str:
    """A piece of a file as messages quote it."""
    word = text[:80].decode("ascii", "backslashreplace")
    return f"'{word}{'...' if len(text) > 80 else ''}'"


@dataclass
class Polygons:
    """Collects polygons as fans of triangles, compactly."""

    _corners: array[int] = field(default_factory=lambda: array("q"))

    def add(self, corners: list[int]) -> None:
        """Add a polygon of three or more vertex indices."""
        if len(corners) == 3:
            self._corners.extend(corners)
            return
        first = corners[0]
        for k in range(1, len(corners) - 1):
            self._corners.extend((first, corners[k], corners[k + 1]))

    def faces(self) -> np.ndarray:
        """All triangles (F, 3)."""
        return np.array(self._corners, dtype=np.int64).reshape(-1, 3)


def fans(corners: np.ndarray) -> np.ndarray:
    """Triangles (F, 3) of polygons (n, k) that all have k >= 3 corners."""
    first = np.broadcast_to(corners[:, :1], corners[:, 2:].shape)
    return np.stack((first, corners[:, 1:-1], corners[:, 2:]), axis=-1).reshape(-1, 3)
