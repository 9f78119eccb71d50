"""Some of many rows, at even distances, in bounded memory, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np


class Thinned:
    """Every n-th of the rows seen, n the least power of two that leaves at most `most` of them.

    Rows are numbered anew in each part that is added to another, so that the sum of parts is the
    same whatever parts of them were added first: they are a monoid under +.
    """

    def __init__(self, most: int) -> None:
        """most: rows that are held, at most."""
        self.most = most
        self.every, self.seen = 1, 0
        self._held: list[dict[str, np.ndarray]] = []
        self._lengths: list[int] = []  # of the parts that rows are numbered in

    def __len__(self) -> int:
        return sum(len(next(iter(part.values()))) for part in self._held)

    def add(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take in arrays (n, ...) of the next n rows; what is held is copied."""
        n = len(next(iter(arrays.values())))
        first = -self.seen % self.every
        self.seen += n
        if first < n:
            self._held.append({k: x[first :: self.every].copy() for k, x in arrays.items()})
        while len(self) > self.most:
            self._halve()

    def _halve(self) -> None:
        self.every *= 2
        whole = self.arrays()
        chosen = self._second(whole)
        self._held = [{k: x[chosen] for k, x in whole.items()}]

    def _second(self, whole: Mapping[str, np.ndarray]) -> np.ndarray:
        """The first, third, ... of the rows held of each part."""
        if not self._lengths:
            return np.arange(0, len(next(iter(whole.values()))), 2)
        chosen, start = [], 0
        for k, n in enumerate(self._lengths):
            chosen.append(np.arange(start, start + n, 2))
            start += n
            self._lengths[k] = len(chosen[-1])
        return np.concatenate(chosen)

    def arrays(self) -> dict[str, np.ndarray]:
        """The rows held, by name: what all parts have."""
        if len(self._held) > 1:
            names = [k for k in self._held[0] if all(k in part for part in self._held)]
            joined = {k: np.concatenate([part[k] for part in self._held]) for k in names}
            self._held = [joined]
        return self._held[0] if self._held else {}

    def __add__(self, other: Thinned) -> Thinned:
        """Those of both, one after the other."""
        out = Thinned(self.most)
        one, two = self._at(max(self.every, other.every)), other._at(max(self.every, other.every))
        out.every, out.seen = one.every, one.seen + two.seen
        out._held = one._held + two._held
        out._lengths = one._parts() + two._parts()
        while len(out) > out.most:
            out._halve()
        return out

    def _parts(self) -> list[int]:
        return self._lengths or ([len(self)] if self._held else [])

    def _at(self, every: int) -> Thinned:
        """The same, thinned further."""
        if self.every == every or not self._held:
            out = self._copy()
            out.every = every
            return out
        out = self._copy()
        while out.every < every:
            out._halve()
        return out

    def _copy(self) -> Thinned:
        out = Thinned(self.most)
        out.every, out.seen = self.every, self.seen
        out._held, out._lengths = list(self._held), list(self._lengths)
        return out

    @classmethod
    def of(cls, counts: Sequence[int], arrays: dict[str, np.ndarray]) -> Thinned:
        """What was held before, of one part. counts: most, every and seen."""
        out = cls(counts[0])
        _, out.every, out.seen = counts
        out._held = [arrays] if arrays else []
        return out
