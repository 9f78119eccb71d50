"""Streaming statistics of the results of a study, on arrays of NumPy or CuPy.

Values are (points, s, m), less the reference value of each entry, so that sums keep their digits.
Statistics of disjoint sets of samples are merged by addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Number of values that are reduced at once on a CPU: they fit into the cache of a core.
_CACHED_VALUES = 1 << 15

#: Sums over samples, which merging adds.
_SUMS = ("count", "first", "second", "histogram", "pairs", "a", "b", "squares", "mixed")
_SUMS += ("ratios", "overall")


@dataclass(frozen=True, eq=False)
class Layout:
    """Sizes of the statistics of a study, and the range of its histograms."""

    #: Number of groups of parameters that have Sobol indices.
    groups: int

    #: Whether covariances are kept besides variances.
    covariance: bool

    #: Bins of each histogram; lower edge of the first (points, m) and their width, 0 for an entry
    #: that does not vary.
    bins: int
    low: np.ndarray
    width: np.ndarray

    @property
    def size(self) -> int:
        """Approximate count of numbers that the statistics hold."""
        points, m = self.low.shape
        return points * m * (self.bins + 9 * self.groups + m * self.covariance + 8)


class Statistics:
    """Moments, histograms, extremes and sums for Sobol indices of each entry (points, m)."""

    def __init__(self, layout: Layout, xp: Any = np) -> None:
        points, m = shape = layout.low.shape
        groups = (points, layout.groups, m)
        self.layout = layout
        self.count = self.pairs = 0
        self.first = xp.zeros(shape)
        self.second = xp.zeros((*shape, m) if layout.covariance else shape)
        self.histogram = xp.zeros((*shape, layout.bins), dtype=np.int64)
        self.low, self.high = xp.full(shape, np.inf), xp.full(shape, -np.inf)
        self.low_at, self.high_at = (xp.full(shape, -1, dtype=np.int64) for _ in range(2))
        self.a, self.b, self.squares = (xp.zeros(shape) for _ in range(3))
        self.mixed = xp.zeros(groups)
        # Sums of n, n n, n d and d d of first-order and total indices, for the standard errors.
        self.ratios = xp.zeros((2, 4, *groups))
        self.overall = xp.zeros((2, 4, *groups[1:]))

    def add(self, values: Any, start: int, xp: Any = np) -> None:
        """Add values (points, s, m) of the samples start, start + 1, ..."""
        points, count, m = values.shape
        self.count += count
        rows = count if xp is not np else max(1, _CACHED_VALUES // m)
        for part in _split_points(points, min(rows, count) * m, xp):
            for k in range(0, count, rows):
                self._add_block(values[part, k : k + rows], part, start + k, xp)

    def _add_block(self, values: Any, part: slice, start: int, xp: Any) -> None:
        """Add values of some samples at some of the points."""
        self.first[part] += xp.einsum("psm->pm", values)
        if self.layout.covariance:
            self.second[part] += values.swapaxes(1, 2) @ values
        else:
            self.second[part] += xp.einsum("psm,psm->pm", values, values)
        for name in ("low", "high"):
            rows = values.argmin(axis=1) if name == "low" else values.argmax(axis=1)
            extreme = xp.take_along_axis(values, rows[:, None], axis=1)[:, 0]
            self._add_extremes(name, extreme, rows + start, part, xp)
        bins, width = self.layout.bins, self.layout.width[part]
        scale = xp.asarray(1.0 / np.where(width > 0.0, width, 1.0))[:, None]
        place = (values - xp.asarray(self.layout.low[part])[:, None]) * scale
        place = xp.clip(place, 0.0, bins - 1.0, out=place).astype(np.int64)
        place += bins * xp.arange(width.size).reshape(width.shape)[:, None]
        counts = xp.bincount(place.ravel(), minlength=bins * width.size)
        self.histogram[part] += counts.reshape(*width.shape, bins)

    def _add_extremes(self, name: str, values: Any, samples: Any, part: slice, xp: Any) -> None:
        extremes, indices = getattr(self, name), getattr(self, f"{name}_at")
        better = values < extremes[part] if name == "low" else values > extremes[part]
        extremes[part] = xp.where(better, values, extremes[part])
        indices[part] = xp.where(better, samples, indices[part])

    def add_pairs(self, a: Any, b: Any, mixed: Any, xp: Any = np) -> None:
        """Add values (points, k, m) at rows A and B, and mixed (points, groups, k, m).

        mixed: at the rows of A with the numbers of one group from B. First-order indices are after
        Saltelli et al. (2010), the mean of B (AB - A), total ones after Jansen (1999), half the
        mean of (A - AB)^2, both relative to the variance of A and B, as SALib has them.
        """
        self.pairs += a.shape[1]
        self.a += a.sum(axis=1)
        self.b += b.sum(axis=1)
        d = 0.5 * (a * a + b * b)
        self.squares += 2.0 * d.sum(axis=1)
        overall = xp.zeros((2, *mixed.shape[1:]))
        for part in _split_points(len(mixed), mixed[0].size, xp):
            self.mixed[part] += mixed[part].sum(axis=2)
            change = mixed[part] - a[part, None]
            for k in range(2):
                n = 0.5 * change * change if k else change * b[part, None]
                self.ratios[k, :, part] += _ratio_sums(n, d[part, None], xp)
                overall[k] += n.sum(axis=0)
        for k in range(2):
            self.overall[k] += _ratio_sums(overall[k], d.sum(axis=0)[None], xp)

    def merge(self, other: Statistics) -> Statistics:
        """Return the statistics of both, arrays of NumPy; neither is changed."""
        out = deepcopy(self)
        for name in _SUMS:
            setattr(out, name, getattr(self, name) + getattr(other, name))
        for name in ("low", "high"):
            extremes = getattr(other, name), getattr(other, f"{name}_at")
            out._add_extremes(name, *extremes, slice(None), np)
        return out

    def to_numpy(self) -> Statistics:
        """Copy the arrays from a device."""
        for name, x in vars(self).items():
            if hasattr(x, "get"):
                setattr(self, name, x.get())
        return self

    # -------------------------------------------------------------- results

    @property
    def mean(self) -> np.ndarray:
        """Mean (points, m)."""
        return self.first / self.count

    def compute_covariance(self) -> np.ndarray:
        """Return the covariance (points, m, m), or the variance (points, m) if it is not kept."""
        mean = self.mean
        squares = mean[..., :, None] * mean[..., None, :] if self.layout.covariance else mean * mean
        return (self.second - self.count * squares) / max(self.count - 1, 1)

    def variance(self) -> np.ndarray:
        """Return the variance (points, m), 0 for an entry that varies by round-off only."""
        variance = self.compute_covariance()
        if self.layout.covariance:
            variance = np.diagonal(variance, axis1=-2, axis2=-1)
        return np.where(self.layout.width > 0.0, np.maximum(variance, 0.0), 0.0)

    def quantiles(self, levels: Sequence[float]) -> np.ndarray:
        """Return the quantiles (levels, points, m), linear within the bins of the histogram."""
        bins = self.layout.bins
        low, width, least, most = (
            x.reshape(-1, 1) for x in (self.layout.low, self.layout.width, self.low, self.high)
        )
        edges = np.clip(low + width * np.arange(bins + 1), least, most)
        edges[:, :1], edges[:, -1:] = least, most
        below = np.cumsum(self.histogram.reshape(-1, bins), axis=1)
        wanted = np.array(levels) * self.count
        out = [np.interp(wanted, (0, *x), y) for x, y in zip(below, edges, strict=True)]
        return np.array(out).T.reshape(len(levels), *self.low.shape)

    def indices(self, overall: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return first-order and total indices (2, groups, points, m), and their standard errors.

        overall: (2, groups, m) over all points, weighted by the variance at each.
        """
        k, width = self.pairs, self.layout.width
        varies = width.max(axis=0)[None] > 0.0 if overall else width[:, None] > 0.0
        mean = (self.a + self.b + self.mixed.sum(axis=1)) / (k * (self.layout.groups + 2))
        variance = self.squares / (2 * k) - ((self.a + self.b) / (2 * k)) ** 2
        n, nn, nd, dd = np.moveaxis(self.overall if overall else self.ratios, 1, 0)
        shift = np.stack((mean[:, None] * (self.mixed - self.a[:, None]), 0.0 * self.mixed))
        if overall:
            shift, variance = shift.sum(axis=1), variance.sum(axis=0)[None]
        else:
            variance = variance[:, None]
        variance = np.where(varies & (variance > 0.0), variance, np.inf)
        value = (n - shift) / (k * variance)
        square = np.maximum(nn - 2.0 * value * nd + value * value * dd, 0.0)
        correction = np.sqrt(k / (k - 1)) if k > 1 else np.nan
        error = correction * np.sqrt(square) / (k * variance)
        return (value, error) if overall else (value.swapaxes(1, 2), error.swapaxes(1, 2))


def named_indices(
    statistics: Statistics, batch: tuple[int, ...], shape: tuple[int, ...]
) -> dict[str, np.ndarray | None]:
    """Return Sobol indices by the names of the fields of `Study`."""
    out: dict[str, np.ndarray | None] = {}
    for overall in (False, True):
        axes = shape if overall else (*batch, *shape)
        values_and_errors = (
            statistics.indices(overall) if statistics.layout.groups else (None, None)
        )
        for x, error in zip(values_and_errors, ("", "_error"), strict=True):
            for k, name in enumerate(("first", "total")):
                key = f"{name}{'_overall' * overall}{error}"
                out[key] = None if x is None else x[k].reshape(-1, *axes)
    return out


def _split_points(points: int, size: int, xp: Any) -> list[slice]:
    """Return parts of the points for the cache of a CPU; size: values of a point."""
    count = max(1, _CACHED_VALUES // size) if xp is np else points
    return [slice(k, k + count) for k in range(0, points, count)]


def _ratio_sums(n: Any, d: Any, xp: Any) -> Any:
    """Return the sums of n, n n, n d and d d over the last axis but one, for a ratio of means."""
    d = xp.broadcast_to(d, n.shape)
    products = (xp.einsum("...km,...km->...m", *x) for x in ((n, n), (n, d), (d, d)))
    return xp.stack((xp.einsum("...km->...m", n), *products))
