"""Statistics of values that come in blocks, and go: small states that can be merged.

Each has `add`, `merged` and what it found. Values are deviations from nominal, (s, points, m): sums
of them keep their digits. The order in which sums of floats are merged shows in the last bits, so
whoever merges keeps to one order. Values may be CuPy's arrays; then the states are too, until they
are `gathered`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np

#: Numbers that one product of matrices takes at once: libraries of linear algebra begin to share
#: larger ones among threads, which changes the last bits.
_PRODUCT = 1 << 16


class Reducer:
    """A state made of arrays, whose names are `_SUMS` where merging adds them."""

    _SUMS: tuple[str, ...] = ()
    _ARRAYS: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {name: x for name, x in vars(self).items() if not name.startswith("_")}

    def merged(self, other: Any) -> Self:
        """A state that has seen what this one has, and then another; both stay as they are."""
        out = copy(self)
        for name in self._SUMS:
            setattr(out, name, getattr(self, name) + getattr(other, name))
        return out

    def gathered(self) -> Self:
        """The same with NumPy's arrays."""
        for name in (*self._SUMS, *self._ARRAYS):
            held = getattr(self, name)
            if hasattr(held, "get"):
                setattr(self, name, held.get())
        return self


class Moments(Reducer):
    """Mean and covariance at each point; shape: (points, m)."""

    _SUMS = ("count", "first", "second")

    def __init__(self, shape: tuple[int, int], covariance: bool = True, xp: Any = np) -> None:
        self.covariance = covariance
        self.count = 0
        self.first = xp.zeros(shape)
        self.second = xp.zeros((*shape, shape[1]) if covariance else shape)

    def add(self, x: Any) -> None:
        """Take in values (s, points, m)."""
        self.count += len(x)
        self.first += x.sum(axis=0)
        if not self.covariance:
            self.second += (x * x).sum(axis=0)
            return
        rows = max(16, _PRODUCT // x.shape[2] ** 2) if isinstance(x, np.ndarray) else len(x)
        for start in range(0, len(x), max(rows, 1)):
            by_point = x[start : start + rows].transpose(1, 0, 2)
            self.second += by_point.transpose(0, 2, 1) @ by_point

    @property
    def mean(self) -> np.ndarray:
        """Mean (points, m) of the deviations."""
        return self.first / self.count

    def spread(self) -> np.ndarray:
        """Covariance (points, m, m), or variance (points, m) where that is all that is kept."""
        mean = self.mean
        both = mean[..., :, None] * mean[..., None, :] if self.covariance else mean * mean
        return (self.second - self.count * both) / max(self.count - 1, 1)

    def variance(self) -> np.ndarray:
        """Variance (points, m)."""
        found = self.spread()
        if self.covariance:
            found = np.diagonal(found, axis1=-2, axis2=-1)
        return np.maximum(found, 0.0)  # of what does not vary, rounding is left


class Histogram(Reducer):
    """How many values are in each of some bins between bounds; the outer ones take what is beyond.

    low, width (points, m): where the first bin begins, and how wide all are; 0: nothing varies.
    """

    _SUMS = ("counts",)

    def __init__(self, low: Any, width: Any, bins: int, xp: Any = np) -> None:
        self.bins = bins
        self.low, self.width = low, width
        self.counts = xp.zeros((low.size, bins), dtype=np.int64)
        where = np.where(width > 0.0, width, 1.0)
        self._scale, self._shift = xp.asarray(1.0 / where), xp.asarray(-low / where)
        self._start = xp.arange(low.size).reshape(low.shape) * bins
        self._xp = xp

    def add(self, x: Any) -> None:
        """Take in values (s, points, m)."""
        places = self._xp.empty(x.shape, dtype=np.int64)
        self.place(x, places)
        self.count(places)

    def place(self, x: Any, out: Any) -> None:
        """The bins of values (s, points, m), numbered over all points, written to `out`."""
        place = x * self._scale
        place += self._shift
        self._xp.clip(place, 0.0, self.bins - 1.0, out=place)
        out[...] = place
        out += self._start

    def count(self, places: Any) -> None:
        """Take in values of which the bins are known; best many at once."""
        counts, places = self.counts.reshape(-1), places.reshape(-1)
        if counts.size > places.size and self._xp is np:
            np.add.at(counts, places, 1)  # which looks at no other bins, but lets no thread work
        else:
            counts += self._xp.bincount(places, minlength=counts.size)

    def quantiles(self, levels: Sequence[float], low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Quantiles (levels, points, m), straight lines within bins; low, high: the extremes."""
        total = self.counts.sum(axis=1)
        below = np.concatenate((np.zeros((len(total), 1)), np.cumsum(self.counts, axis=1)), axis=1)
        rows = np.arange(len(total))
        first, width = self.low.reshape(-1), self.width.reshape(-1)
        least, most = low.reshape(-1), high.reshape(-1)
        out = np.empty((len(levels), len(total)))
        for k, level in enumerate(levels):
            wanted = level * total
            bin_ = (below[:, 1:] < wanted[:, None]).sum(axis=1).clip(0, self.bins - 1)
            count = self.counts[rows, bin_]
            share = (wanted - below[rows, bin_]) / np.maximum(count, 1)
            left = np.where(bin_ == 0, least, first + bin_ * width)
            right = np.where(bin_ == self.bins - 1, most, first + (bin_ + 1) * width)
            left, right = np.maximum(left, least), np.minimum(right, most)
            out[k] = np.clip(left + share * (right - left), least, most)
        return out.reshape(len(levels), *low.shape)


class Extremes(Reducer):
    """The lowest and the highest value at each point, and the number of the sample it came from."""

    _ARRAYS = ("low", "high", "low_at", "high_at")

    def __init__(self, shape: tuple[int, int], xp: Any = np) -> None:
        self.low, self.high = xp.full(shape, np.inf), xp.full(shape, -np.inf)
        self.low_at, self.high_at = (xp.full(shape, -1, dtype=np.int64) for _ in range(2))

    def add(self, x: Any, start: int) -> None:
        """Take in values (s, points, m) of samples start, start + 1, ..."""
        self._better("low", x, x.min(axis=0), start)
        self._better("high", x, x.max(axis=0), start)

    def _better(self, name: str, x: Any, found: Any, start: int) -> None:
        best, at = getattr(self, name), getattr(self, f"{name}_at")
        better = found < best if name == "low" else found > best
        which = better.reshape(-1).nonzero()[0]
        if not len(which):
            return
        chosen = x.reshape(len(x), -1)[:, which]
        first = chosen.argmin(axis=0) if name == "low" else chosen.argmax(axis=0)
        best.reshape(-1)[which] = found.reshape(-1)[which]
        at.reshape(-1)[which] = first + start

    def merged(self, other: Any) -> Self:
        """A state that has seen both; of two values that are equal the first stays."""
        out = copy(self)
        for name, better in (("low", other.low < self.low), ("high", other.high > self.high)):
            for part in (name, f"{name}_at"):
                ours, theirs = getattr(self, part), getattr(other, part)
                setattr(out, part, np.where(better, theirs, ours))
        return out


class Indices(Reducer):
    """Sobol's indices of groups of parameters, first-order and total, by pick and freeze.

    For pairs of independent samples A, B and the sample AB that is A with one group of B: what the
    group explains by itself is the mean of f(B) (f(AB) - f(A)) (Saltelli et al. 2010), relative to
    that of (f(B)^2 + f(AB)^2) / 2 - f(B) f(A), which is the variance, from the same pairs: by what
    they share, errors are small for small indices as for large ones, and a group that is all has
    exactly 1. What it has part in is the mean of (f(A) - f(AB))^2 / 2 (Jansen 1999), relative to
    that of (f(A) - f(B))^2 / 2, the variance from these pairs again. Standard errors come from sums
    over batches of pairs.
    """

    _SUMS = ("count", "batches", "a", "b", "ab", "products", "totals")
    _SUMS += ("overall_products", "overall_totals")

    def __init__(self, groups: int, shape: tuple[int, int], xp: Any = np) -> None:
        self.count = self.batches = 0  # of pairs, and what they are divided into
        self.a, self.b, self.ab = xp.zeros(shape), xp.zeros(shape), xp.zeros((groups, *shape))
        # sums over batches of what ratios are made of: n, d, n n, n d, d d
        self.products, self.totals = (xp.zeros((5, groups, *shape)) for _ in range(2))
        self.overall_products, self.overall_totals = (
            xp.zeros((5, groups, shape[1])) for _ in range(2)
        )
        self._squares: Any = None
        self._spread: Any = None
        self._chunks = 1

    def begin(self, a: Any, b: Any, chunks: int = 1) -> None:
        """Take in values (s, points, m) at A and B, before groups add what they make of them.

        chunks: how many they come from, each with as many.
        """
        self._chunks = chunks
        self.count += len(b)
        self.a += a.sum(axis=0)
        self.b += b.sum(axis=0)
        self._squares = self._sums(b * (0.5 * b - a))
        change = a - b
        change *= change
        self._spread = 0.5 * self._sums(change)
        self.batches += len(self._squares)

    def add(self, group: int, a: Any, b: Any, ab: Any) -> None:
        """Take in values (s, points, m) at A, B, and A with the group of B."""
        self.ab[group] += ab.sum(axis=0)
        squares = self._squares + 0.5 * self._sums(ab * ab)
        change = ab - a
        products = self._sums(b * change)
        change *= change
        totals = 0.5 * self._sums(change)
        for each, overall, n, d in (
            (self.products, self.overall_products, products, squares),
            (self.totals, self.overall_totals, totals, self._spread),
        ):
            _add_ratio(each[:, group], n, d)
            _add_ratio(overall[:, group], n.sum(axis=1), d.sum(axis=1))

    def _sums(self, x: Any) -> Any:
        """Sums (batches, points, m) of values (s, points, m)."""
        each = len(x) // self._chunks
        count = self._chunks * (BATCHES if each % BATCHES == 0 else each)
        return x.reshape(count, -1, *x.shape[1:]).sum(axis=1)

    def first(self, overall: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """First-order indices (groups, ...) and their standard errors; overall: of all points."""
        a, b, ab = self.a, self.b, self.ab
        of_n, of_d = b * (ab - a), 0.5 * (b * b + ab * ab) - b * a  # what the means have part in
        if overall:
            of_n, of_d = of_n.sum(axis=1), of_d.sum(axis=1)
        sums, count = self.overall_products if overall else self.products, max(self.count, 1)
        return self._ratio(sums, of_n / count, of_d / count)

    def total(self, overall: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Total indices (groups, ...) and their standard errors; overall: of all points."""
        return self._ratio(self.overall_totals if overall else self.totals)

    def _ratio(
        self, sums: np.ndarray, of_n: np.ndarray | float = 0.0, of_d: np.ndarray | float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ratios of sums n over d, less parts of each, and their standard errors."""
        n, d, nn, nd, dd = sums
        n, scale = n - of_n, d - of_d
        scale = np.where(scale > 1e-12 * np.abs(d), scale, np.inf)
        found = n / scale
        error = np.sqrt(np.maximum(nn - 2.0 * found * nd + found * found * dd, 0.0)) / scale
        return found, error * _few(self.batches)


#: Batches that the pairs of a chunk are divided into; one each where there are fewer.
BATCHES = 8


def _few(batches: int) -> float:
    """What a spread over few batches is to be multiplied by; one alone has none."""
    return float(np.sqrt(batches / (batches - 1))) if batches > 1 else float("nan")


def _add_ratio(kept: Any, n: Any, d: Any) -> None:
    """Add what the error of a ratio of sums is made of; n, d: sums over batches."""
    parts = (n, d, n * n, n * d, d * d)
    for k, part in enumerate(parts):
        kept[k] += part.sum(axis=0)
