"""Deterministic subsamples of rows, independent of how the rows are partitioned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

#: Arrays that are not part of the identity of a row: its number, and values derived from others.
_DERIVED = ("rows", "Y", "v", "a")

#: Odd constants of the hash function splitmix64.
_FACTORS = np.array((0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB), dtype=np.uint64)


@dataclass(eq=False)
class RowSample:
    """A sample of at most `size` distinct rows, those with the least hashes of their content.

    Such a bottom-k sample does not depend on the partitioning of rows or the order of merging, and
    copies of a row count once.
    """

    size: int
    seen: int = 0  # rows that were added
    #: Hashes (n,) of the rows, ascending; the rows (n, ...) in this order, "rows" their numbers.
    keys: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def is_complete(self) -> bool:
        """True if the sample holds every distinct row."""
        return len(self) < max(self.size, 1)

    @property
    def distinct(self) -> int:
        """Number of distinct rows seen; estimated from the hashes unless all are in the sample."""
        if self.is_complete:
            return len(self)
        return min(int((self.size - 1) * 2.0**64 / float(self.keys[-1])), self.seen)

    def add(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Add rows, given as arrays (n, ...) by name."""
        keys = _hash_rows(arrays)
        self.seen += len(keys)
        self._merge(keys, arrays)

    def __add__(self, other: RowSample) -> RowSample:
        """Return the sample of the rows of both."""
        merged = RowSample(max(self.size, other.size), self.seen + other.seen)
        for part in (self, other):
            merged._merge(part.keys, part.arrays)
        return merged

    def _merge(self, keys: np.ndarray, arrays: Mapping[str, np.ndarray]) -> None:
        limit = None if self.is_complete else self.keys[-1]
        chosen = np.arange(len(keys)) if limit is None else np.flatnonzero(keys < limit)
        if not len(chosen):
            return
        keys, first = np.unique(np.concatenate((self.keys, keys[chosen])), return_index=True)
        self.keys, first = keys[: self.size], first[: self.size]
        names = [name for name in arrays if not self.arrays or name in self.arrays]
        parts = {name: [arrays[name][chosen]] for name in names}
        if self.arrays:
            parts = {name: [self.arrays[name], *part] for name, part in parts.items()}
        self.arrays = {name: np.concatenate(part)[first] for name, part in parts.items()}

    def select(self, count: int | None = None) -> dict[str, np.ndarray]:
        """Return a smaller sample of the rows, or all of them, in the order of their numbers."""
        if not self.arrays:
            return {}
        order = np.argsort(self.arrays["rows"][:count], kind="stable")
        return {name: x[order] for name, x in self.arrays.items()}


def _hash_rows(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return hashes (n,) of the content of rows."""
    n = len(next(iter(arrays.values())))
    keys = np.zeros(n, dtype=np.uint64)
    for name in sorted(set(arrays) - set(_DERIVED)):
        columns = np.asarray(arrays[name], dtype=np.float64).reshape(n, -1)
        for column in np.ascontiguousarray(columns.T):
            keys = (keys ^ column.view(np.uint64)) * _FACTORS[0]
            keys ^= keys >> np.uint64(29)
    for factor, shift in zip(_FACTORS[1:], (27, 31), strict=True):
        keys = (keys ^ (keys >> np.uint64(30))) * factor
        keys ^= keys >> np.uint64(shift)
    return keys
