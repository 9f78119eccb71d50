"""Fits of compressed data: the options, the method asked for, cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from jounce.errors import DataError
from jounce.identify.cholesky import log_cholesky_fit
from jounce.identify.consistent import Metric, consistent
from jounce.identify.estimate import Estimate, Space, linear, noise
from jounce.identify.regression import Factors, total
from jounce.process.progress import track

Method = Literal["ols", "wls", "tls", "consistent", "log-cholesky"]
Robust = Literal["huber"]

#: Rounds in which the weights of a constrained fit follow its residuals, and the change of them
#: that is not worth another.
_REWEIGHTED = 3
_SETTLED = 0.02


#: Blocks of time for cross-validation: each has factors of its own, and a fit.
_MOST_FOLDS = 1000


@dataclass(frozen=True)
class Options:
    """How to identify; see `identify`."""

    method: Method = "consistent"
    armature: bool = False
    friction: bool = False
    offset: bool = False
    smoothing: float = 0.0
    metric: Metric = "euclidean"
    regularization: float = 1e-2
    folds: int = 5
    robust: Robust | None = None

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("method", self.method, get_args(Method)),
            ("metric", self.metric, get_args(Metric)),
            ("robust", self.robust, (None, *get_args(Robust))),
        ):
            if value not in choices:
                told = ", ".join(map(str, choices))
                raise ValueError(f"{name}: choose one of {told}, found {value!r}")
        if self.method == "consistent" and self.metric == "geodesic":
            raise ValueError(
                "metric: the geodesic distance is not convex; choose method='log-cholesky', or"
                " metric='bregman'"
            )
        if not (np.isfinite(self.regularization) and self.regularization > 0.0):
            raise ValueError(f"regularization: expected > 0, found {self.regularization!r}")
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0.0):
            raise ValueError(f"smoothing: expected a speed >= 0, found {self.smoothing!r}")
        if isinstance(self.folds, bool) or not 0 <= self.folds <= _MOST_FOLDS:
            raise ValueError(
                f"folds: expected an integer from 0 to {_MOST_FOLDS}, found {self.folds!r}"
            )


def fit(
    space: Space, factors: Factors, options: Options, weights: np.ndarray | None
) -> tuple[Estimate, np.ndarray]:
    """The linear estimate, with its deviations, and theta by the method asked for."""
    if options.method in ("ols", "wls", "tls"):
        estimate = linear(space, factors, options.method, weights)
        return estimate, _finite(estimate.theta)
    estimate = linear(space, factors, "wls", weights)
    _finite(estimate.theta)
    solve = consistent if options.method == "consistent" else log_cholesky_fit
    theta, given = estimate.theta, estimate.weights if weights is None else weights
    for _ in range(_REWEIGHTED):
        A, z = factors.stacked(given)
        theta = solve(space, A, z, options.regularization, options.metric)
        if weights is not None:
            break
        # constraints may leave more residual in a torque than its noise
        before, given = given, 1.0 / noise(space, factors, theta)
        if np.abs(np.log(given / before)[space.layout.rows]).max() < _SETTLED:
            break
    return estimate, _finite(theta)


def _finite(theta: np.ndarray) -> np.ndarray:
    if not np.isfinite(theta).all():
        raise np.linalg.LinAlgError("the parameters are no numbers")
    return theta


@contextmanager
def solvable(source: str) -> Iterator[None]:
    """Equations that cannot be solved become a DataError, and every DataError names the data."""
    try:
        with np.errstate(all="ignore"):  # what overflows ends in numbers that are not finite
            yield
    except DataError as error:
        if source in str(error):
            raise
        raise DataError(f"{source}: {error}") from error
    except np.linalg.LinAlgError as error:
        raise DataError(
            f"{source}: the equations cannot be solved ({error}); look for values that are far too"
            " large or small, and check the units"
        ) from error


def validate(
    space: Space, parts: Sequence[Factors], options: Options, weights: np.ndarray | None
) -> np.ndarray:
    """Residuals (folds, nv) on each block of a fit to the others."""
    used = [k for k, part in enumerate(parts) if part.count > 0]
    if len(used) < 2:
        return np.empty((0, space.layout.robot.nv))
    out = []
    for k in track(used, "cross-validation", quiet=True):
        rest = total([parts[j] for j in used if j != k])
        if rest.count * len(space.layout.rows) < len(space.names):
            return np.empty((0, space.layout.robot.nv))
        _, theta = fit(space, rest, options, weights)
        out.append(parts[k].mean(parts[k].squares(theta)))
    return np.array(out)
