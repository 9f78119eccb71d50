"""Outliers among the torques: detection, and Huber weights that bound their influence.

A few wrong torques, such as 1e6 from a broken message, can change least squares arbitrarily.
Huber's cost is quadratic up to 1.345 standard deviations of a torque's noise and linear beyond, so
that the influence of a row is bounded. It is minimized by iteratively reweighted least squares, in
which rows have weights min(1, 1.345 sigma / |r|), r their residual in the previous round; it is
convex, so any start works. A sample of the equations in memory gives the start and the noise (from
the median of the residuals, which is robust to outliers); then the data are read again until the
weights converge. Once the model is about right, rows beyond 8 standard deviations are ignored, so
that sums of squares are meaningful too.

Only the influence of wrong torques is bounded. Wrong positions or velocities change the regressor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jounce.identification.regression import Equations, Factors, Layout, total

if TYPE_CHECKING:
    from jounce.identification.dataset import Dataset
    from jounce.identification.estimator import ParameterEstimator
    from jounce.identification.sampling import RowSample

#: Transition of Huber's cost to linear, in standard deviations: 95 % efficient for normal noise.
_TRANSITION = 1.345

#: Residuals beyond this many standard deviations are outliers.
FAR = 8.0

#: Ratio of root mean square to robust standard deviation that indicates outliers. With a lower one,
#: outliers shift the estimate by less than its standard deviation.
_MAX_RMS_RATIO = 1.2

#: Root mean square residuals, relative to the torques, that may be due to large outliers.
_MAX_RESIDUAL = 0.5

#: Maximum number of rounds on the sample and of passes over the data, and changes of torques at
#: convergence, in standard deviations. A round reduces the error by a factor of five or more.
_MAX_ROUNDS, _MAX_PASSES = 50, 8
_MAX_CHANGE, _MAX_PASS_CHANGE = 1e-3, 1e-2

#: Least and largest number of equations of an excerpt, and maximum number of regressor entries.
_MIN_EQUATIONS, _MAX_EQUATIONS, _MAX_NUMBERS = 400, 4000, 1 << 21

#: Standard deviation of normal noise over the median of its absolute value.
_MEDIAN_TO_SIGMA = 1.4826

#: Least standard deviation of a torque, and least residual of an outlier, relative to the torque.
_MIN_NOISE, _MIN_OUTLIER = 1e-8, 1e-3

#: Prefix of arrays of drives in a sample of equations.
_DRIVE = "drive "

#: Maximum number of outliers named in a message.
_MAX_SHOWN = 5


def equation_arrays(equations: Equations) -> dict[str, np.ndarray]:
    """Return equations as arrays (n, ...) by name, for a `RowSample`."""
    drives = {f"{_DRIVE}{name}": x for name, x in equations.drives.items()}
    return {"rows": equations.rows, "Y": equations.Y, "tau": equations.tau, **drives}


def excerpt_size(layout: Layout) -> int:
    """Return the number of equations of an excerpt, limited by memory but enough for a fit."""
    fitting = _MAX_NUMBERS // (layout.robot.nv * 10 * layout.robot.nb)
    needed = -(-4 * layout.size // max(len(layout.rows), 1))
    return int(max(np.clip(fitting, _MIN_EQUATIONS, _MAX_EQUATIONS), needed))


class Excerpt:
    """A subset of the equations in memory, for robust estimates of noise and parameters."""

    def __init__(self, layout: Layout, equations: Equations) -> None:
        self.layout, self.equations = layout, equations
        #: typical large torques (nv,) without outliers
        self.sizes = np.quantile(np.abs(equations.tau), 0.9, axis=0)

    @classmethod
    def from_sample(cls, layout: Layout, sample: RowSample) -> Excerpt:
        """Return an excerpt of a sample of equations or of states."""
        arrays = sample.select(excerpt_size(layout))
        if "Y" not in arrays:
            states = (arrays[name] for name in ("rows", "q", "v", "a", "tau"))
            return cls(layout, layout.of_samples(*states))
        drives = {k.removeprefix(_DRIVE): x for k, x in arrays.items() if k.startswith(_DRIVE)}
        return cls(layout, Equations(arrays["rows"], arrays["Y"], drives, arrays["tau"]))

    def scales(self, theta: np.ndarray, least: float = _MIN_NOISE) -> np.ndarray:
        """Return robust standard deviations (nv,) of the torques about Y theta; 0 if all are 0.

        least: lower bound, as a tolerance of a large torque.
        """
        residuals = self.layout.residuals(theta, self.equations)
        median = np.median(np.abs(residuals), axis=0)
        return np.maximum(_MEDIAN_TO_SIGMA * median, least * self.sizes)

    def fit(self, estimator: ParameterEstimator) -> np.ndarray:
        """Return theta that minimizes Huber's cost on these equations, without constraints."""
        theta, weights = np.zeros(self.layout.size), np.ones_like(self.equations.tau)
        for far in (np.inf, FAR):  # ignore rows only once the model is about right
            for _ in range(_MAX_ROUNDS):
                factors = Factors(self.layout)
                factors.add(self.equations, weights)
                fitted = estimator.without_constraints().with_scales_of(factors).fit(factors)
                before, theta = theta, fitted.theta
                scales = self.scales(theta)
                weights = huber(self.layout.residuals(theta, self.equations), scales, far)
                if _has_converged(factors, theta - before, scales, _MAX_CHANGE):
                    break
        return theta


def huber(residuals: np.ndarray, scales: np.ndarray, far: float = FAR) -> np.ndarray:
    """Return weights (n, nv) of residuals (n, nv) with standard deviations (nv,).

    far: number of standard deviations beyond which weights are zero.
    """
    size = np.abs(residuals)
    sigma = np.where(scales > 0.0, scales, size.max(initial=1.0))
    weights = _TRANSITION * sigma / np.maximum(size, _TRANSITION * sigma)
    return np.where(size > far * sigma, 0.0, weights)


def _has_converged(
    factors: Factors, change: np.ndarray, scales: np.ndarray, tolerance: float
) -> bool:
    return bool(np.all(factors.mean(factors.changes(change)) <= tolerance * scales))


@dataclass
class Outliers:
    """Number of rows with outliers, and partition, row, joint and residual of the first ones."""

    rows: int = 0
    first: list[tuple[str, int, int, float]] = field(default_factory=list)

    def add(self, place: str, rows: np.ndarray, residuals: np.ndarray, scales: np.ndarray) -> None:
        """Count outliers among residuals (n, nv). place: the partition, if there are several."""
        far = (np.abs(residuals) > FAR * scales) & (scales > 0.0)
        self.rows += int(far.any(axis=1).sum())
        for n, i in np.argwhere(far)[: _MAX_SHOWN - len(self.first)]:
            self.first.append((place, int(rows[n]), int(i), float(residuals[n, i])))

    def __add__(self, other: Outliers) -> Outliers:
        """Return the outliers of both."""
        return Outliers(self.rows + other.rows, (self.first + other.first)[:_MAX_SHOWN])

    def describe(self, labels: list[str]) -> str:
        """Describe the first ones: "row 17 (joint1: 1e+06), row 30 (joint2: -4)"."""
        named = (
            f"row {row}{f' of {place}' if place else ''} ({labels[i]}: {x:.3g})"
            for place, row, i, x in self.first
        )
        return ", ".join(named) + (", ..." if self.rows > len(self.first) else "")


@dataclass(frozen=True, eq=False)
class Weighting:
    """Settings of a weighted pass: residuals at theta are compared with scales (nv,).

    only_count: count outliers without compressing the data again.
    """

    theta: np.ndarray
    scales: np.ndarray
    only_count: bool = False


def find_outliers(
    data: Dataset, factors: Factors, excerpt: Excerpt, fitted: ParameterEstimator
) -> Outliers:
    """Return rows with outliers after a fit without weights.

    The data are read again only if the root mean square of the residuals indicates outliers.
    """
    poor = factors.mean(factors.squares(fitted.theta)) > _MAX_RESIDUAL * excerpt.sizes
    if not (poor.any() or _has_outliers(factors, fitted.theta, excerpt)):
        return Outliers()
    theta = excerpt.fit(fitted)
    if not _has_outliers(factors, theta, excerpt):
        return Outliers()
    return data.read(
        Weighting(theta, excerpt.scales(theta, _MIN_OUTLIER), only_count=True)
    ).outliers


def _has_outliers(factors: Factors, theta: np.ndarray, excerpt: Excerpt) -> bool:
    scales = excerpt.scales(theta, _MIN_OUTLIER)
    return bool(
        np.any((factors.mean(factors.squares(theta)) > _MAX_RMS_RATIO * scales) & (scales > 0.0))
    )


def reweight(
    data: Dataset, excerpt: Excerpt, estimator: ParameterEstimator
) -> tuple[list[Factors], Outliers]:
    """Return factors of each fold with Huber weights, and the outliers."""
    theta = excerpt.fit(estimator)
    parts, outliers = [], Outliers()
    for _ in range(_MAX_PASSES):
        scales = excerpt.scales(theta)
        result = data.read(Weighting(theta, scales))
        parts, outliers = data.split(result), result.outliers
        factors = total(parts)
        before, theta = theta, estimator.with_scales_of(factors).fit(factors).theta
        if _has_converged(factors, theta - before, excerpt.scales(theta), _MAX_PASS_CHANGE):
            break
    return parts, outliers
