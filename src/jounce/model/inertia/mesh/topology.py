"""Topology of a triangulated surface: equal vertices, edges, and connected faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: An odd number and one that mixes bits well, for hashing.
_ODD, _MIX, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


def _mix(x: np.ndarray) -> np.ndarray:
    """Return hashes (uint64) of which each bit depends on all bits of x."""
    for _ in range(2):
        x = x ^ (x >> _HALF)
        x *= _MIX
    x ^= x >> _HALF
    return x


def _row_keys(columns: np.ndarray) -> np.ndarray:
    """Return hashes (n,) of the rows whose columns (3, n) are given, all uint64."""
    key = _mix(columns[0])
    for column in columns[1:]:
        key = _mix((key + _ODD) ^ column)
    return key


def position_keys(vertices: np.ndarray) -> np.ndarray:
    """Return a uint64 per vertex (V, 3), equal for equal positions (real parts)."""
    # adding zero turns -0.0 into 0.0
    return _row_keys((np.ascontiguousarray(np.real(vertices).T) + 0.0).view(np.uint64))


def is_watertight(keys: np.ndarray, faces: np.ndarray) -> bool:
    """Return whether each edge is run through as often in one direction as in the other.

    keys: `position_keys`. Each directed edge adds a 64-bit number, negative for one direction; a
    sum of zero that is not due to pairs has a probability of about 2^-64.
    """
    total = 0
    for a, b in ((0, 1), (1, 2), (2, 0)):
        start, end = keys[faces[:, a]], keys[faces[:, b]]
        number = _mix(np.minimum(start, end) * _ODD + np.maximum(start, end))
        total += int(number[start < end].sum()) - int(number[start > end].sum())
    return total % 2**64 == 0


def first_equal(keys: np.ndarray) -> np.ndarray:
    """Return for each key the least index at which it occurs."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first[inverse]


def number_groups(first: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return first members (n,) of groups, rising, and the number of each item's group.

    first (m,): the first member of each item's group, as from `first_equal` or `components`.
    """
    is_first = first == np.arange(len(first))
    return np.flatnonzero(is_first), (np.cumsum(is_first) - 1)[first]


def components(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Label connected components of a graph with edges a[k] - b[k] by their least node (n,).

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
        """Number of faces at each edge."""
        return self.forward + self.backward

    @property
    def is_balanced(self) -> np.ndarray:
        """For each edge, True if equally many faces run through it in both directions."""
        return self.forward == self.backward

    def select(self, which: np.ndarray) -> np.ndarray:
        """Return the ends (n, 2) of edges for which `which` (E,) is true, in order of the faces."""
        return self.ends[self.indices(which)]

    def indices(self, which: np.ndarray) -> np.ndarray:
        """Return the indices of edges for which `which` (E,) is true, in order of the faces."""
        edges = np.flatnonzero(which)
        return edges[np.argsort(self.first[edges])]

    def neighbors(self) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of faces that meet at an edge, enough to connect all that do."""
        n = len(self.of_side) // 3
        return np.arange(len(self.of_side)) % n, self.first[self.of_side] % n

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return pairs of faces that are alone at an edge, and whether their windings agree."""
        last = np.empty(len(self.ends), np.int64)
        last[self.of_side] = np.arange(len(self.of_side))
        two, n = self.count == 2, len(self.of_side) // 3
        return self.first[two] % n, last[two] % n, self.is_balanced[two]


def find_edges(faces: np.ndarray) -> Edges:
    """Find the edges of faces (F, 3) without repeated corners."""
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
    """Return which faces (F,) have a corner twice."""
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
    """Group faces (F, 3) with the same corners."""
    a, b, c = faces.T
    forward = ((a < b) & (b < c)) | ((b < c) & (c < a)) | ((c < a) & (a < b))
    first = first_equal(_row_keys(np.sort(faces, axis=1).T.astype(np.uint64)))
    count = np.bincount(first, minlength=len(faces))
    ahead = np.bincount(first[forward], minlength=len(faces))
    return SameFaces(first, ahead, count - ahead, forward)
