"""Which vertices, edges and faces of a triangulated surface belong together.

Vertices are told apart by position: 64-bit keys stand for coordinates, so that a surface whose
faces all have vertices of their own needs no sorting. Two of 10^7 different positions share a key
with a probability of 3e-6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from jounce.inertia.mesh.kernels import MIX, ODD, boundary_sum, first_equal
from jounce.process.threads import get_num_threads, share

_ODD, _MIX, _HALF = np.uint64(ODD), np.uint64(MIX), np.uint64(32)

#: Faces at a time: what is computed on the way stays in the processor's cache.
CHUNK = 8192

#: Fewer faces are not worth another thread.
_SHARE = 100_000

T = TypeVar("T")


def shares(n: int, work: Callable[[slice], T]) -> list[T]:
    """The results of work(slice) for slices of range(n), one per thread; see `set_num_threads`."""
    return share(n, min(get_num_threads(), 1 + n // _SHARE), work)


def chunks(part: slice) -> Iterator[slice]:
    """A slice in pieces that fit the cache."""
    for start in range(part.start, part.stop, CHUNK):
        yield slice(start, min(start + CHUNK, part.stop))


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


def is_closed(keys: np.ndarray, faces: np.ndarray) -> bool:
    """Whether each edge is run through as often in one direction as in the other.

    keys: `position_keys`. Each directed edge adds a 64-bit number, negative for one direction; a
    sum of zero that is not due to pairs has a probability of about 2^-64.
    """
    parts = shares(len(faces), lambda part: boundary_sum(keys, faces[part]))
    return sum(parts) % 2**64 == 0


@dataclass(frozen=True, eq=False)
class Edges:
    """The undirected edges of faces (F, 3), and how often each is run through.

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
    size = int(faces.max(initial=0)) + 1
    same = first_equal((low * size + high).view(np.uint64))
    is_first = same == np.arange(len(same))
    first = np.flatnonzero(is_first)
    of_side = (np.cumsum(is_first) - 1)[same]
    total = np.bincount(of_side, minlength=len(first))
    forward = np.bincount(of_side[a < b], minlength=len(first))
    ends = np.column_stack((low[first], high[first]))
    return Edges(ends, forward, total - forward, of_side, first)


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


def has_twins(faces: np.ndarray) -> bool:
    """Whether two faces (F, 3) have the same corners."""
    return bool(np.any(first_equal(_face_keys(faces)) != np.arange(len(faces))))


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
