"""Going through faces in pieces that fit the processor's cache, on several threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from jounce.utils.threads import get_num_threads, share

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


def coordinates(
    v: np.ndarray, f: np.ndarray, origin: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Faces (3, n) and the coordinates (3, n) of their three corners, from an origin (3, n or 1).

    v (V, 3): vertices; f (n, 3): a piece of the faces.
    """
    columns = np.ascontiguousarray(f.T)
    places = (v.take(column, axis=0) for column in columns)
    return columns, [np.subtract(x.T, origin, order="C") for x in places]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of vectors (3, n)."""
    out = np.empty(a.shape, np.result_type(a, b))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[j], b[k], out=out[i])
        out[i] -= a[k] * b[j]
    return out


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Inner products of vectors (3, n)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
