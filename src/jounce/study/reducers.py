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

    def merged(self, other: Self) -> Self:
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

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("bins", "low", "width", "counts")}

    def add(self, x: Any) -> None:
        """Take in values (s, points, m)."""
        xp = self._xp
        place = x * self._scale
        place += self._shift
        xp.clip(place, 0.0, self.bins - 1.0, out=place)
        at = place.astype(np.int64)
        at += self._start
        found = xp.bincount(at.reshape(-1), minlength=self.counts.size)
        self.counts += found.reshape(self.counts.shape)

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
        if not better.any():
            return
        chosen = x[:, better]
        first = chosen.argmin(axis=0) if name == "low" else chosen.argmax(axis=0)
        best[better] = found[better]
        at[better] = first + start

    def merged(self, other: Self) -> Self:
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
    group explains by itself is the mean of f(B) (f(AB) - f(A)) (Saltelli et al. 2010), what it has
    part in the mean of (f(A) - f(AB))^2 / 2 (Jansen 1999). Squares are kept beside, for standard
    errors, and those of sums over the points.
    """

    _SUMS = ("count", "first", "total", "first_overall", "total_overall")

    def __init__(self, groups: int, shape: tuple[int, int], xp: Any = np) -> None:
        self.count = 0
        self.first, self.total = (xp.zeros((2, groups, *shape)) for _ in range(2))
        self.first_overall, self.total_overall = (xp.zeros((2, groups, shape[1])) for _ in range(2))

    def add_pairs(self, count: int) -> None:
        """Count pairs, before each group adds what it found of them."""
        self.count += count

    def add(self, group: int, a: Any, b: Any, ab: Any) -> None:
        """Take in values (s, points, m) at A, B, and A with the group of B."""
        change = ab - a
        for kept, overall, found in (
            (self.first, self.first_overall, b * change),
            (self.total, self.total_overall, 0.5 * change * change),
        ):
            together = found.sum(axis=1)
            overall[0, group] += together.sum(axis=0)
            overall[1, group] += (together * together).sum(axis=0)
            kept[0, group] += found.sum(axis=0)
            found *= found
            kept[1, group] += found.sum(axis=0)

    def result(self, sums: np.ndarray, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices and standard errors from sums (2, groups, ...) and the variance (...) itself."""
        n = max(self.count, 1)
        mean = sums[0] / n
        error = np.sqrt(np.maximum(sums[1] / n - mean * mean, 0.0) / max(n - 1, 1))
        # rounding apart, what does not vary is explained by nobody
        scale = np.where(variance > 0.0, variance, np.inf)
        return mean / scale, error / scale
