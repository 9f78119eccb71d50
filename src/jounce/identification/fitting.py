"""Fits of compressed data: by the method asked for, quick ones, cross-validation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from jounce.errors import DataError
from jounce.identification.cholesky import log_cholesky_fit
from jounce.identification.consistent import consistent
from jounce.identification.estimate import Estimate, Space, linear, noise
from jounce.identification.options import Options
from jounce.identification.regression import Factors, total
from jounce.utils.progress import track

#: Rounds in which the weights of a constrained fit follow its residuals, and the change of them
#: that is not worth another.
_REWEIGHTED = 3
_SETTLED = 0.02


@dataclass(frozen=True, eq=False)
class Fitter:
    """Fits to factors, in a space. weights (nv,): of the torques; None: from the residuals."""

    space: Space
    options: Options
    weights: np.ndarray | None = None

    def rescaled(self, factors: Factors) -> Fitter:
        """The same with sizes of drive parameters from these data."""
        return replace(self, space=self.space.rescaled(factors))

    def __call__(self, factors: Factors) -> tuple[Estimate, np.ndarray]:
        """The linear estimate, with its deviations, and theta by the method asked for."""
        space, options = self.space, self.options
        if options.method in ("ols", "wls", "tls"):
            estimate = linear(space, factors, options.method, self.weights)
            return estimate, _finite(estimate.theta)
        estimate = linear(space, factors, "wls", self.weights)
        theta = _finite(estimate.theta)
        solve = consistent if options.method == "consistent" else log_cholesky_fit
        weights = estimate.weights if self.weights is None else self.weights
        for _ in range(_REWEIGHTED):
            A, z = factors.stacked(weights)
            theta = solve(space, A, z, options.regularization, options.metric)
            if self.weights is not None:
                break
            # constraints may leave more residual in a torque than its noise
            before, weights = weights, 1.0 / noise(space, factors, theta)
            if np.abs(np.log(weights / before)[space.layout.rows]).max() < _SETTLED:
                break
        else:
            estimate = replace(estimate, settled=False)
        return estimate, _finite(theta)

    def theta(self, factors: Factors) -> np.ndarray:
        """theta (p,) by the method asked for."""
        return self.rescaled(factors)(factors)[1]

    def quick(self, factors: Factors) -> np.ndarray:
        """theta (p,) by least squares without constraints."""
        sort = "ols" if self.options.method == "ols" else "wls"
        return linear(self.space.rescaled(factors), factors, sort, self.weights).theta

    def validate(self, parts: Sequence[Factors]) -> np.ndarray:
        """Residuals (folds, nv) on each block of a fit to the others."""
        layout = self.space.layout
        none = np.empty((0, layout.robot.nv))
        used = [k for k, part in enumerate(parts) if part.count > 0]
        if len(used) < 2:
            return none
        out = []
        for k in track(used, "cross-validation", quiet=True):
            rest = total([parts[j] for j in used if j != k])
            if rest.count * len(layout.rows) < len(self.space.names):
                return none
            _, theta = self(rest)
            out.append(parts[k].mean(parts[k].squares(theta)))
        return np.array(out)


def _finite(theta: np.ndarray) -> np.ndarray:
    if not np.isfinite(theta).all():
        raise np.linalg.LinAlgError("the parameters are no numbers")
    return theta


@contextmanager
def solvable(source: str, names: Collection[str] = ()) -> Iterator[None]:
    """Equations that cannot be solved become a DataError, and every DataError names the data.

    names: of its parts, of which one suffices.
    """
    try:
        with np.errstate(all="ignore"):  # what overflows ends in numbers that are not finite
            yield
    except DataError as error:
        text = str(error)
        if source in text or any(name in text for name in names):
            raise
        raise DataError(f"{source}: {error}") from error
    except np.linalg.LinAlgError as error:
        raise DataError(
            f"{source}: the equations cannot be solved ({error}); look for values that are far too"
            " large or small, and check the units"
        ) from error
