"""Which vertices, edges and faces of a triangulated surface belong together.

Vertices are told apart by position: 64-bit keys stand for coordinates. Two of 10^7 different
positions share a key with a probability of 3e-6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jounce.model.inertia.mesh.pieces import chunks, shares

#: An odd number and one that mixes bits well, for hashing.
_ODD, _MIX, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


def _mix(x: np.ndarray) -> np.ndarray:
    """Each bit of the result depends on all bits of x (uint64)."""
    for _ in range(2):
        x = x ^ (x >> _HALF)
        x *= _MIX
    x ^= x >> _HALF
    return x


def position_keys(vertices: np.ndarray) -> np.ndarray:
    """One uint64 per vertex (V, 3), equal for equal positions (real parts)."""

    def work(part: slice) -> None:
        for piece in chunks(part):
            # adding zero turns -0.0 into 0.0
            bits = (np.real(vertices[piece]).T + 0.0).view(np.uint64)
            key = _mix(bits[0])
            for row in bits[1:]:
                key = _mix((key + _ODD) ^ row)
            out[piece] = key

    out = np.empty(len(vertices), np.uint64)
    shares(len(vertices), work)
    return out


def is_watertight(keys: np.ndarray, faces: np.ndarray) -> bool:
    """Whether each edge is run through as often in one direction as in the other.

    keys: `position_keys`. Each directed edge adds a 64-bit number, negative for one direction; a
    sum of zero that is not due to pairs has a probability of about 2^-64.
    """

    def work(part: slice) -> int:
        total = 0
        for piece in chunks(part):
            corners = keys[np.ascontiguousarray(faces[piece].T)]
            for a, b in zip(corners, corners[(1, 2, 0), :], strict=True):
                number = _mix(np.minimum(a, b) * _ODD + np.maximum(a, b))
                total += int(number[a < b].sum()) - int(number[a > b].sum())
        return total

    return sum(shares(len(faces), work)) % 2**64 == 0


def first_equal(keys: np.ndarray) -> np.ndarray:
    """For each key the least index at which it occurs."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first[inverse]


def numbered(first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First members (n,) of groups, rising, and each item's group, from its group's first member.

    first (m,): as `first_equal` and `components` give it.
    """
    is_first = first == np.arange(len(first))
    return np.flatnonzero(is_first), (np.cumsum(is_first) - 1)[first]


def components(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Labels (n,) of the parts of a graph with the edges a[k] - b[k]: the least node of each.

    In turns the root of each edge's higher end is hung below that of the lower, all nodes are
    pointed to their roots, and edges within a part are dropped. On meshes this takes a few turns,
    and less time than SciPy's search, which first sorts the edges by node.
    """
    label = np.arange(n)
    while len(a):
        label[np.maximum(a, b)] = np.minimum(a, b)
        while not np.array_equal(above := label[label], label):
            label = above
        a, b = label[a], label[b]
        apart = a != b
        a, b = a[apart], b[apart]
    return label


@dataclass(frozen=True, eq=False)
class Edges:
    """The undirected edges of faces (F, 3), by their vertices, and how often each is run through.

    ends (E, 2): its vertices, the smaller first; forward, backward (E,): faces that run from the
    smaller to the larger and back. Side k F + i of face i runs from its corner k to the next:
    of_side (3 F,): the edge of each side; first (E,): the first side at each edge.
    """

    ends: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    of_side: np.ndarray
    first: np.ndarray

    @property
    def count(self) -> np.ndarray:
        """How many faces meet at each edge."""
        return self.forward + self.backward

    @property
    def balanced(self) -> np.ndarray:
        """Which edges are run through as often in both directions."""
        return self.forward == self.backward

    def chosen(self, which: np.ndarray) -> np.ndarray:
        """Indices of those edges for which `which` (E,) is true, in the order of the faces."""
        found = np.flatnonzero(which)
        return found[np.argsort(self.first[found])]

    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """Faces a and b that meet at an edge, enough pairs to connect all that do."""
        n = len(self.of_side) // 3
        return np.arange(len(self.of_side)) % n, self.first[self.of_side] % n

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Faces a and b that are the only two at an edge, and whether their windings agree."""
        last = np.empty(len(self.ends), np.int64)
        last[self.of_side] = np.arange(len(self.of_side))
        two, n = self.count == 2, len(self.of_side) // 3
        return self.first[two] % n, last[two] % n, self.balanced[two]


def find_edges(faces: np.ndarray) -> Edges:
    """The edges of faces (F, 3) without repeated corners."""
    a, b = faces.T.ravel(), faces[:, (1, 2, 0)].T.ravel()
    low, high = np.minimum(a, b), np.maximum(a, b)
    keys = low * (int(faces.max(initial=0)) + 1) + high
    _, first, of_side, count = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    forward = np.bincount(of_side[a < b], minlength=len(first))
    ends = np.column_stack((low[first], high[first]))
    return Edges(ends, forward, count - forward, of_side, first)


def repeated_corners(faces: np.ndarray) -> np.ndarray:
    """Which faces (F,) have two corners in common."""
    a, b, c = faces.T
    return (a == b) | (b == c) | (c == a)


@dataclass(frozen=True, eq=False)
class SameFaces:
    """Faces with the same three corners: group (F,), and per group how many run which way."""

    group: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    is_forward: np.ndarray


def same_faces(faces: np.ndarray) -> SameFaces:
    """Groups of faces (F, 3) with the same corners."""
    a, b, c = faces.T
    forward = ((a < b) & (b < c)) | ((b < c) & (c < a)) | ((c < a) & (a < b))
    first = first_equal(_face_keys(faces))
    count = np.bincount(first, minlength=len(faces))
    ahead = np.bincount(first[forward], minlength=len(faces))
    return SameFaces(first, ahead, count - ahead, forward)


def _face_keys(faces: np.ndarray) -> np.ndarray:
    """One uint64 per face (F, 3), equal for the same corners in whatever order."""

    def work(part: slice) -> None:
        for piece in chunks(part):
            a, b, c = np.ascontiguousarray(faces[piece].T)
            low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
            middle = (a + b + c - low - high).view(np.uint64)
            key = _mix(_mix(low.view(np.uint64)) + middle * _ODD)
            out[piece] = _mix(key ^ high.view(np.uint64))

    out = np.empty(len(faces), np.uint64)
    shares(len(faces), work)
    return out
