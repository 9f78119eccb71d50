"""Deterministic subsampling of rows in bounded memory, independent of how they are partitioned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

#: What says nothing of a row itself, or nothing that the rest does not.
_PASSED_OVER = ("rows", "Y", "v", "a")

#: Odd numbers that keys are mixed by.
_MIX = np.array((0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB), dtype=np.uint64)

#: What keys are called among arrays.
_KEY = "key"


class Thinned:
    """About every n-th of the rows seen, n the least power of two that leaves at most `most`.

    Which ones is decided by a key that is made of each row's numbers, and of how many before it are
    the same, where a robot stands still: those with keys below a share 1 / n of all keys. So it
    does not depend on the parts that rows come in, nor on what was added to what first: parts are
    a monoid under +. Rows keep their order. Of rows with the same key, which were recorded more
    than once, the first is held, so that copies do not drive out the others.
    """

    def __init__(self, most: int) -> None:
        """most: rows that are held, at most."""
        self.most = most
        self.every, self.seen = 1, 0
        self._held: list[dict[str, np.ndarray]] = []
        self._keys: list[np.ndarray] = []
        self._last, self._same = (
            np.uint64(0),
            -1,
        )  # numbers of the row before, rows like it less one

    def __len__(self) -> int:
        return sum(map(len, self._keys))

    @property
    def distinct(self) -> int:
        """Number of rows seen that are not copies of others; estimated if some are not held."""
        return min(len(self) * self.every, self.seen)

    def add(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take in arrays (n, ...) of the next n rows; what is held is copied."""
        keys = self._counted(_keys(arrays))
        self.seen += len(keys)
        self._hold(arrays, keys)

    def _counted(self, keys: np.ndarray) -> np.ndarray:
        """Keys in which the number of rows just before is that have the same."""
        if not len(keys):
            return keys
        at = np.arange(len(keys))
        new = keys != np.concatenate((keys[:1] ^ np.uint64(1), keys[:-1]))
        begun = -1 - self._same if keys[0] == self._last and self._same >= 0 else 0
        first = np.maximum.accumulate(np.where(new, at, 0))
        count = at - np.where(first == 0, begun, first)
        self._last, self._same = keys[-1], int(count[-1])
        return _mixed(keys ^ (count.astype(np.uint64) * _MIX[0]))

    def arrays(self) -> dict[str, np.ndarray]:
        """The rows held, by name: what all parts have."""
        if len(self._held) > 1:
            names = [k for k in self._held[0] if all(k in part for part in self._held)]
            self._held = [{k: np.concatenate([part[k] for part in self._held]) for k in names}]
            self._keys = [np.concatenate(self._keys)]
        return self._held[0] if self._held else {}

    def __add__(self, other: Thinned) -> Thinned:
        """Those of both, one after the other."""
        out = Thinned(self.most)
        out.every, out.seen = max(self.every, other.every), self.seen + other.seen
        for part in (self, other):
            for arrays, keys in zip(part._held, part._keys, strict=True):
                out._hold(arrays, keys)
        return out

    def _hold(self, arrays: Mapping[str, np.ndarray], keys: np.ndarray) -> None:
        """Hold rows too, and fewer of all where there are too many."""
        self._choose(arrays, keys)
        while len(self) > self.most:
            self.every *= 2
            whole, keys = self.arrays(), self._keys[0]
            self._held, self._keys = [], []
            self._choose(whole, keys)

    def _choose(self, arrays: Mapping[str, np.ndarray], keys: np.ndarray) -> None:
        some = np.flatnonzero(keys < np.uint64((1 << 64) // self.every - 1))
        some = some[np.sort(np.unique(keys[some], return_index=True)[1])]
        if self._keys:
            some = some[~np.isin(keys[some], np.concatenate(self._keys))]
        if len(some):
            self._held.append({k: x[some] for k, x in arrays.items()})
            self._keys.append(keys[some])

    def packed(self) -> dict[str, np.ndarray]:
        """The rows held and their keys, which `of` takes back."""
        arrays = self.arrays()
        return {**arrays, _KEY: self._keys[0]} if arrays else {}

    @classmethod
    def of(cls, counts: Sequence[int], packed: Mapping[str, np.ndarray]) -> Thinned:
        """What was held before. counts: most, every and seen."""
        out = cls(counts[0])
        _, out.every, out.seen = counts
        if packed:
            out._held = [{k: x for k, x in packed.items() if k != _KEY}]
            out._keys = [packed[_KEY]]
        return out


def _keys(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """A number (n,) for each row, which nothing but its own numbers decide."""
    n = len(next(iter(arrays.values())))
    found = np.zeros(n, dtype=np.uint64)
    for name in sorted(arrays):
        if name in _PASSED_OVER:
            continue
        columns = np.asarray(arrays[name], dtype=np.float64).reshape(n, -1)
        for column in np.ascontiguousarray(columns.T):
            found = (found ^ column.view(np.uint64)) * _MIX[0]
            found ^= found >> np.uint64(29)
    return found


def _mixed(keys: np.ndarray) -> np.ndarray:
    """Keys in which every bit depends on all bits."""
    for factor, shift in zip(_MIX[1:], (27, 31), strict=True):
        keys = (keys ^ (keys >> np.uint64(30))) * factor
        keys ^= keys >> np.uint64(shift)
    return keys
