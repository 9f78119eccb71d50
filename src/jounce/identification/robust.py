"""Outliers among the torques: found, named, and made harmless by Huber's weights.

A few wrong torques, such as 1e6 from a broken message, pull least squares anywhere. Huber's cost is
quadratic up to 1.345 standard deviations of a torque's noise and linear beyond, so that the pull of
a row is bounded. It is minimised by least squares in which rows weigh min(1, 1.345 sigma / |r|), r
their residual in the round before, and it is convex, so any start will do. Here an excerpt of the
equations, kept in memory, gives the start and the noise (from the median of the residuals, which a
few wrong ones do not move); then the data are read again until the weights settle. From there on
rows beyond 8 standard deviations do not count at all, so that sums of squares mean something too.

Bounded is the pull of wrong torques. Wrong positions or velocities change the regressor itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jounce.identification.regression import Equations, Factors, Layout, total
from jounce.identification.thinning import Thinned

if TYPE_CHECKING:
    from jounce.identification.collection import Collection
    from jounce.identification.fitting import Fitter

#: Where Huber's cost turns linear, in standard deviations: 95 % efficient on normal noise.
_BEND = 1.345

#: Residuals beyond this many standard deviations are outliers.
FAR = 8.0

#: Root mean squares beyond this many times the robust standard deviation come from outliers. Below,
#: they shift the estimate by less than its own standard deviation.
_HEAVY = 1.2

#: Residuals of this share of the torques may come from outliers that all other rows give way to.
_POOR = 0.5

#: Rounds on the excerpt and over the data, and the changes of torques, in standard deviations, that
#: end them. A round takes away four fifths of what is still wrong, at least.
_ROUNDS, _PASSES = 50, 8
_SETTLED, _SETTLED_PASS = 1e-3, 1e-2

#: Samples of an excerpt, at least and at most, and its numbers.
_LEAST, _MOST, _NUMBERS = 200, 2000, 1 << 20

#: Standard deviation of normal noise over the median of its size.
_MEDIAN = 1.4826

#: Torques are not trusted to more digits than this, relative to their size, and residuals below
#: this share of it are not worth a word.
_FLOOR, _HARMLESS = 1e-8, 1e-3

#: How arrays of drives are called among those of equations.
_DRIVE = "drive "

#: Outliers named in a message.
_SHOWN = 5

Fit = Callable[[Factors], np.ndarray]


class Excerpt:
    """Some of the equations, at most twice as many as wanted whatever there are.

    They are held as equations or, where these follow from samples, as samples, which are smaller.
    """

    def __init__(self, layout: Layout, least: int = 0) -> None:
        """least: samples to keep, if there are as many."""
        robot = layout.robot
        fit = _NUMBERS // (robot.nv * 10 * robot.nb)
        self.layout = layout
        self.held = Thinned(0)
        self.wanted = max(min(max(fit, _LEAST), _MOST), least)
        self._made: tuple[int, Equations] | None = None

    @classmethod
    def of(cls, layout: Layout) -> Excerpt:
        """One that holds enough for a fit."""
        return cls(layout, -(-2 * layout.size // max(len(layout.rows), 1)))

    @property
    def wanted(self) -> int:
        """Samples wanted; up to twice as many are held."""
        return self.held.most // 2

    @wanted.setter
    def wanted(self, count: int) -> None:
        self.held.most = 2 * count

    def add(self, equations: Equations) -> None:
        """Take in equations; what is kept is copied."""
        drives = {f"{_DRIVE}{name}": x for name, x in equations.drives.items()}
        self.held.add({"rows": equations.rows, "Y": equations.Y, "tau": equations.tau, **drives})

    def equations(self) -> Equations:
        """Those that are kept."""
        if self._made is None or self._made[0] != self.held.seen:
            self._made = self.held.seen, self._equations(self.held.arrays())
        return self._made[1]

    def _equations(self, held: dict[str, np.ndarray]) -> Equations:
        if "Y" not in held:
            return self.layout.of_samples(*(held[k] for k in ("rows", "q", "v", "a", "tau")))
        drives = {k.removeprefix(_DRIVE): x for k, x in held.items() if k.startswith(_DRIVE)}
        return Equations(held["rows"], held["Y"], drives, held["tau"])

    def sizes(self) -> np.ndarray:
        """Large torques (nv,), but not outliers."""
        return np.quantile(np.abs(self.equations().tau), 0.9, axis=0)

    def scales(self, theta: np.ndarray, least: float = _FLOOR) -> np.ndarray:
        """Robust standard deviations (nv,) of the torques about Y theta; 0 where all are 0.

        least: share of a large torque that they are at least.
        """
        left = self.layout.residuals(theta, self.equations())
        return np.maximum(_MEDIAN * np.median(np.abs(left), axis=0), least * self.sizes())

    def fit(self, fit: Fit) -> tuple[np.ndarray, np.ndarray]:
        """theta by Huber's cost on these equations alone, and the scales there."""
        equations = self.equations()
        theta, weights = np.zeros(self.layout.size), np.ones_like(equations.tau)
        for far in (np.inf, FAR):  # rows may only be left out where the model is about right
            for _ in range(_ROUNDS):
                factors = Factors(self.layout)
                factors.add(equations, weights)
                before, theta = theta, fit(factors)
                scales = self.scales(theta)
                weights = huber(self.layout.residuals(theta, equations), scales, far)
                if _is_settled(factors, theta - before, scales):
                    break
        return theta, self.scales(theta)


def huber(residuals: np.ndarray, scales: np.ndarray, far: float = FAR) -> np.ndarray:
    """Weights (n, nv) of residuals (n, nv) with standard deviations (nv,).

    far: where they end, in standard deviations.
    """
    size = np.abs(residuals)
    sure = np.where(scales > 0.0, scales, size.max(initial=1.0))
    weights = _BEND * sure / np.maximum(size, _BEND * sure)
    return np.where(size > far * sure, 0.0, weights)


def _is_settled(
    factors: Factors, change: np.ndarray, scales: np.ndarray, share: float = _SETTLED
) -> bool:
    return bool(np.all(factors.mean(factors.changes(change)) <= share * scales))


@dataclass
class Outliers:
    """Torques far from the model: how many rows have some, and the first of them.

    place: of the rows, where there are several.
    """

    rows: int = 0
    first: tuple[tuple[str, int, int, float], ...] = ()
    place: str = ""

    def take(self, rows: np.ndarray, residuals: np.ndarray, scales: np.ndarray) -> None:
        """Count those among residuals (n, nv) of some rows."""
        far = (np.abs(residuals) > FAR * scales) & (scales > 0.0)
        self.rows += int(far.any(axis=1).sum())
        for n, i in np.argwhere(far)[: _SHOWN - len(self.first)]:
            self.first += ((self.place, int(rows[n]), int(i), float(residuals[n, i])),)

    def __add__(self, other: Outliers) -> Outliers:
        """Those of both."""
        return Outliers(self.rows + other.rows, (self.first + other.first)[:_SHOWN])

    def describe(self, labels: list[str]) -> str:
        """The first ones in words: "row 17 (joint1: 1e+06), row 30 (joint2: -4)"."""
        named = (
            f"row {row}{f' of {place}' if place else ''} ({labels[i]}: {x:.3g})"
            for place, row, i, x in self.first
        )
        return ", ".join(named) + (", ..." if self.rows > len(self.first) else "")


@dataclass(frozen=True, eq=False)
class Weighing:
    """A further pass over the data: residuals at theta, judged by their scales (nv,).

    only_count: rows whose torques are far from the model are counted, and nothing else is done.
    """

    theta: np.ndarray
    scales: np.ndarray
    only_count: bool = False


def find_outliers(
    data: Collection, factors: Factors, theta: np.ndarray, excerpt: Excerpt, fitter: Fitter
) -> Outliers:
    """Rows whose torques a fit without weights should not have trusted.

    The data are read again only where the residuals' root mean square tells that there are some.
    """
    poor = factors.mean(factors.squares(theta)) > _POOR * excerpt.sizes()
    if not (poor.any() or _is_heavy(factors, theta, excerpt.scales(theta, _HARMLESS))):
        return Outliers()
    theta = excerpt.fit(fitter.quick)[0]
    scales = excerpt.scales(theta, _HARMLESS)
    if not _is_heavy(factors, theta, scales):
        return Outliers()
    return data.compress(Weighing(theta, scales, only_count=True)).outliers


def _is_heavy(factors: Factors, theta: np.ndarray, scales: np.ndarray) -> bool:
    return bool(np.any((factors.mean(factors.squares(theta)) > _HEAVY * scales) & (scales > 0.0)))


def reweighted(
    data: Collection, excerpt: Excerpt, fitter: Fitter
) -> tuple[list[Factors], Outliers]:
    """Factors of each fold with Huber's weights, and the outliers."""
    theta, scales = excerpt.fit(fitter.quick)
    parts: list[Factors] = []
    found = Outliers()
    for _ in range(_PASSES):
        record = data.compress(Weighing(theta, scales))
        parts, found = data.parts(record), record.outliers
        whole = total(parts)
        before, theta = theta, fitter.theta(whole)
        scales = excerpt.scales(theta)
        if _is_settled(whole, theta - before, scales, _SETTLED_PASS):
            break
    return parts, found
