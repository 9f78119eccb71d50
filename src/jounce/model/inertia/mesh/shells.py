"""Shells of a triangulated surface: parts connected through edges, and their nesting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jounce.model.inertia.mesh.topology import Edges, components, number_groups

#: Shells, and faces in all, that `Shells.inside` looks at.
_MANY, _MOST = 5000, 1 << 28

#: An oblique direction: rays along it hardly ever meet an edge of a part that has straight sides.
_RAY = np.array((0.36180339, 0.52360679, 0.77138651))


@dataclass(frozen=True, eq=False)
class Shells:
    """Shells of a surface, in the order of their first face.

    label (F,): shell of each face; volume, area, size (n,): signed volume, area, and length of the
    bounding box's diagonal; watertight (n,): whether all its edges are in balance.
    """

    vertices: np.ndarray
    faces: np.ndarray
    label: np.ndarray
    volume: np.ndarray
    area: np.ndarray
    low: np.ndarray
    high: np.ndarray
    watertight: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """Lengths (n,) of the bounding boxes' diagonals."""
        return np.linalg.norm(self.high - self.low, axis=1)

    def inside(self) -> np.ndarray:
        """Return which shells (n,) lie inside an odd number of others, whatever their winding."""
        out = np.zeros(len(self.volume), bool)
        suspects = self._nested_candidates()
        if suspects is None or len(suspects) * len(self.faces) > _MOST:
            return self.volume < 0.0  # too many to look at: what looks like a cavity is one
        if not len(suspects):
            return out
        rotated = self.vertices @ _basis()
        corners = rotated[self.faces]
        low, high = corners[:, :, :2].min(axis=1), corners[:, :, :2].max(axis=1)
        for shell in suspects:
            point = corners[np.argmax(self.label == shell)].mean(axis=0)
            near = ((low <= point[:2]) & (point[:2] <= high)).all(axis=1)
            near &= (self.label != shell) & self.watertight[self.label]
            out[shell] = _crossings(corners[near], point) % 2
        return out

    def _nested_candidates(self) -> np.ndarray | None:
        """Return watertight shells with a bounding box in another's; None if there are too many."""
        closed = np.flatnonzero(self.watertight)
        if len(closed) > _MANY:
            return None
        nested = []
        volume = np.prod(self.high - self.low, axis=1)[closed]
        order = closed[np.argsort(-volume, kind="stable")]
        low, high = self.low[order], self.high[order]
        for k in range(1, len(order)):
            if ((low[:k] <= low[k]) & (high[k] <= high[:k])).all(axis=1).any():
                nested.append(order[k])
        return np.array(nested, dtype=np.int64)


def find_shells(vertices: np.ndarray, faces: np.ndarray, edges: Edges) -> Shells:
    """Find the shells of faces (F, 3): two faces that are alone at an edge are connected.

    At an edge of more faces, shells that are each in balance only touch; others are one.
    """
    a, b, _ = edges.pairs()
    alone = components(len(faces), a, b)
    a, b = _together(alone, faces, edges)
    shells = measure(vertices, faces, components(len(faces), a, b)[alone])
    open_sides = np.flatnonzero(~edges.is_balanced[edges.of_side])
    shells.watertight[shells.label[open_sides % len(faces)]] = False
    return shells


def measure(vertices: np.ndarray, faces: np.ndarray, part: np.ndarray) -> Shells:
    """Shells of faces (F, 3), taken to be watertight, from the first face (F,) of each one's."""
    first, label = number_groups(part)
    n = len(first)
    low, high = np.full((n, 3), np.inf), np.full((n, 3), -np.inf)
    for column in faces.T:
        for k, x in enumerate(vertices.take(column, axis=0).T):  # one axis at a time: much faster
            np.minimum.at(low[:, k], label, x)
            np.maximum.at(high[:, k], label, x)
    p, q, r = (vertices[column] - (0.5 * (low + high))[label] for column in faces.T)
    volume = np.bincount(label, np.einsum("ij,ij->i", p, np.cross(q, r)), n) / 6.0
    area = np.bincount(label, np.linalg.norm(np.cross(q - p, r - p), axis=1), n) / 2.0
    return Shells(vertices, faces, label, volume, area, low, high, np.ones(n, bool))


def _together(label: np.ndarray, faces: np.ndarray, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of labels of faces that only together balance an edge of more than two."""
    n = len(faces)
    sides = np.flatnonzero((edges.count > 2)[edges.of_side])
    edge, of_face = edges.of_side[sides], label[sides % n]
    ahead = np.where((faces < np.roll(faces, -1, axis=1)).T.ravel()[sides], 1, -1)
    keys, slots = np.unique(edge * n + of_face, return_inverse=True)
    net = np.bincount(slots, ahead, len(keys))
    torn = np.zeros(len(edges.ends), bool)
    torn[keys[net != 0] // n] = True
    edge, of_face = (x[torn[edge]] for x in (edge, of_face))
    first = np.zeros(len(edges.ends), np.int64)
    first[edge] = of_face
    return of_face, first[edge]


def _basis() -> np.ndarray:
    """Return orthonormal columns (3, 3), the last along the ray."""
    return np.linalg.qr(np.column_stack((_RAY, np.eye(3)[:, :2])))[0][:, (1, 2, 0)]


def _crossings(corners: np.ndarray, point: np.ndarray) -> int:
    """Count the triangles (n, 3, 3) that a ray along the third axis from the point meets."""
    a, b, c = (corners[:, k] - point for k in range(3))

    def turn(u: np.ndarray, w: np.ndarray) -> np.ndarray:
        return u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]

    # barycentric coordinates of the point seen along the ray
    la, lb, lc = turn(b, c), turn(c, a), turn(a, b)
    total = la + lb + lc
    within = (la * total > 0.0) & (lb * total > 0.0) & (lc * total > 0.0)
    height = la * a[:, 2] + lb * b[:, 2] + lc * c[:, 2]
    return int(np.count_nonzero(within & (height * total > 0.0)))
