"""Estimates of inertial and drive parameters from compressed data.

All methods work on the triangular factors of the data (`jounce.identification.regression`):
ordinary, weighted and total least squares of the base parameters, and least squares over the
physically consistent parameters (`jounce.identification.consistent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from jounce.errors import DataError
from jounce.identification.consistent import consistent
from jounce.identification.options import Method, Metric
from jounce.identification.parameter_space import Space
from jounce.identification.regression import Factors, total
from jounce.identification.structure import svd
from jounce.utils import track

#: Least relative singular value of excited directions of the column-scaled regressor.
MIN_EXCITATION = 1e-8

#: A parameter is reported as not excited if its component along unexcited directions is larger.
_UNEXCITED_FRACTION = 1e-2

#: Maximum number of reweighting rounds, and relative change of the weights at convergence: for
#: least squares, and for constrained fits, whose rounds take longer.
_MAX_ROUNDS, _MAX_CHANGE = 20, 1e-3
_MAX_CONSTRAINED_ROUNDS, _MAX_CONSTRAINED_CHANGE = 3, 0.02

#: Least standard deviation of a torque, relative to the torque.
_MIN_NOISE = 1e-8

#: Largest plausible chi-square of the distance from least squares, in its standard deviations.
_MAX_CHI = 5.0

#: Tolerance of the optimality conditions, relative to the residual and to the torques.
_MAX_SLOPE, _MAX_ROUND_OFF = 1e-3, 1e-9


@dataclass(eq=False)
class ParameterEstimator:
    """Estimator of inertial and drive parameters in the style of scikit-learn.

    The constructor takes settings, `fit` takes data and sets the attributes below.

    Parameters
    ----------
    space
        The parameters, their prior and their scales.
    method : {"ols", "wls", "tls", "consistent"}
        As in `jounce.identify`.
    metric, regularization
        Distance to the prior, and its weight, for method "consistent".
    torque_weights : (nv,) array, optional
        1 / standard deviations of the torques; by default estimated from the residuals.

    Attributes
    ----------
    theta : (p,) array
        All parameters.
    covariance : (r, r) array
        Covariance of the base parameters by least squares, for white noise in the torques; NaN for
        those that are not excited.
    weights, sigma : (nv,) arrays
        Weights of the torques in least squares, and their standard deviations about that fit.
    condition : float
        Condition number of the regressor of base parameters, columns scaled to one length.
    unexcited : list of str
        Base parameters that the data do not determine.
    converged : bool
        Whether the weights computed from the residuals converged.
    distance : float
        Distance of a constrained fit from least squares, in standard deviations of the noise: the
        root of the increase of sum |Y theta - tau|^2 / sigma^2; 0 for other methods.
    distances : (r,) array
        Distance of each base parameter from least squares, in its standard deviations.
    """

    space: Space
    method: Method = "consistent"
    metric: Metric = "euclidean"
    regularization: float = 1e-2
    torque_weights: np.ndarray | None = None

    theta: np.ndarray = field(init=False, repr=False)
    covariance: np.ndarray = field(init=False, repr=False)
    weights: np.ndarray = field(init=False, repr=False)
    sigma: np.ndarray = field(init=False, repr=False)
    condition: float = field(init=False, repr=False)
    unexcited: list[str] = field(init=False, repr=False)
    converged: bool = field(init=False, repr=False, default=True)
    distance: float = field(init=False, repr=False, default=0.0)
    distances: np.ndarray = field(init=False, repr=False)

    def fit(self, factors: Factors) -> ParameterEstimator:
        """Estimate the parameters from compressed data.

        Parameters
        ----------
        factors : Factors
            Compressed equations of all samples.

        Returns
        -------
        ParameterEstimator
            This estimator.

        Raises
        ------
        DataError
            If there are too few samples, or the optimality conditions do not hold.
        """
        self._check_count(factors)
        nv, weights = self.space.layout.robot.nv, self.torque_weights
        self._fit_least_squares(factors, np.ones(nv) if weights is None else weights)
        self.converged = True
        if self.method in ("wls", "consistent") and weights is None:
            self._reweight(factors)
        if self.method == "tls":
            self._fit_total_least_squares(factors)
        least = self.theta
        if self.method == "consistent":
            self._fit_consistent(factors)
            self._measure_distance(factors, least)
        if not np.isfinite(self.theta).all():
            raise np.linalg.LinAlgError("the parameters are not finite")
        return self

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviations (r,) of the base parameters; NaN where not excited."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def with_scales_of(self, factors: Factors) -> ParameterEstimator:
        """Return an unfitted copy with scales of drive parameters from other data.

        Parameters
        ----------
        factors : Factors
            Compressed data.

        Returns
        -------
        ParameterEstimator
            The copy.
        """
        return replace(self, space=self.space.with_scales_of(factors))

    def without_constraints(self) -> ParameterEstimator:
        """Return an unfitted copy that uses ordinary or weighted least squares.

        Returns
        -------
        ParameterEstimator
            The copy.
        """
        return replace(self, method="ols" if self.method == "ols" else "wls")

    def cross_validate(self, parts: Sequence[Factors]) -> np.ndarray:
        """Fit all parts but one, and compute the residuals on that part, for each part.

        Parameters
        ----------
        parts : sequence of Factors
            Compressed data of the blocks of cross-validation.

        Returns
        -------
        (folds, nv) array
            Root mean square residuals in N m or N; empty if fewer than two parts have data, or if
            the others have too few samples for a fit.
        """
        layout = self.space.layout
        empty = np.empty((0, layout.robot.nv))
        used = [part for part in parts if part.count > 0]
        if len(used) < 2:
            return empty
        residuals = []
        for part in track(used, "cross-validation", quiet=True):
            training = total([other for other in used if other is not part])
            if training.count * len(layout.rows) < len(self.space.names):
                return empty
            theta = replace(self).fit(training).theta
            residuals.append(part.mean(part.squares(theta)))
        return np.array(residuals)

    # -------------------------------------------------------------- least squares

    def _check_count(self, factors: Factors) -> None:
        torques, unknowns = len(self.space.layout.rows), len(self.space.names)
        if factors.count * torques < unknowns:
            raise DataError(
                f"{factors.count} usable samples of {torques} torques are too few for {unknowns}"
                f" parameters; record at least {-(-unknowns // torques)}, and preferably many more"
            )

    def _noise(self, factors: Factors, theta: np.ndarray) -> np.ndarray:
        """Return standard deviations (nv,) of the torques about Y theta; one where unmeasured."""
        totals, layout = factors.totals(), self.space.layout
        freedom = np.maximum(factors.weight - len(self.space.names) / len(layout.rows), 1.0)
        sigma = np.sqrt(factors.squares(theta) / freedom)
        sigma = np.maximum(sigma, np.maximum(_MIN_NOISE * factors.mean(totals), 1e-300))
        # a torque that is always zero gets weight one instead of infinity
        return np.where(layout.measured & (totals > 0.0), sigma, 1.0)

    def _change(self, weights: np.ndarray, before: np.ndarray) -> float:
        """Return the largest relative change of the weights."""
        return float(np.abs(np.log(weights / before))[self.space.layout.rows].max())

    def _reweight(self, factors: Factors) -> None:
        """Repeat least squares with weights from the residuals until they converge."""
        for _ in range(_MAX_ROUNDS):
            before = self.weights
            self._fit_least_squares(factors, 1.0 / self.sigma)
            if self._change(self.weights, before) < _MAX_CHANGE:
                return
        self.converged = False

    def _fit_least_squares(self, factors: Factors, weights: np.ndarray) -> None:
        space = self.space
        A, z = factors.stack(weights)
        scaled, sizes = _scale_columns(A[:, space.independent])
        U, s, Vt = svd(scaled)
        kept = s > MIN_EXCITATION * s[0] if s[0] > 0.0 else np.zeros(len(s), dtype=bool)
        X = (Vt[kept].T / s[kept]) / sizes[:, None]
        change = X @ (U[:, kept].T @ (z - A @ space.prior))
        self.theta = space.prior + space.lift(change)
        residual = z - A @ self.theta
        _check_optimality(U[:, kept].T @ residual, residual, z, "least squares")
        self.weights, self.sigma = weights, self._noise(factors, self.theta)
        lost = np.linalg.norm(Vt[~kept], axis=0) > _UNEXCITED_FRACTION
        lost |= ~scaled.any(axis=0)
        self.covariance = self._covariance(factors, X)
        self.covariance[lost] = self.covariance[:, lost] = np.nan
        self.condition = float(s[0] / s[kept][-1]) if kept.any() else np.inf
        self.unexcited = [space.short_name(int(i)) for i in np.flatnonzero(lost)]

    def _covariance(self, factors: Factors, X: np.ndarray) -> np.ndarray:
        """Return the covariance of beta for white noise sigma_i in torque i and any weights.

        With H^+ = X X^T it is H^+ (sum_i (w_i sigma_i)^2 N_i) H^+, N_i = w_i^2 Y_i^T Y_i.
        """
        layout = self.space.layout
        middle = np.zeros((X.shape[1], X.shape[1]))
        reduced = layout.reduction[1][:, self.space.independent] @ X
        for i in layout.rows:
            E = self.weights[i] * factors.parts[i][:, :-1] @ reduced[layout.places[i]]
            middle += (self.weights[i] * self.sigma[i]) ** 2 * E.T @ E
        return X @ middle @ X.T

    def _fit_total_least_squares(self, factors: Factors) -> None:
        """Fit with errors in the regressor, in proportion to the size of each column.

        With columns scaled to one length, the least change that makes [Y tau] rank-deficient turns
        the right singular vector of its least singular value into a null vector. Torques are
        weighted by their noise; standard deviations are those of least squares.
        """
        space = self.space
        self.weights = 1.0 / self.sigma
        A, z = factors.stack(self.weights)
        scaled, sizes = _scale_columns(A[:, space.independent])
        _, s, Vt = svd(scaled)
        V = Vt[s > MIN_EXCITATION * s[0]].T  # excited directions
        height = np.linalg.norm(z) or 1.0
        M = np.column_stack((scaled @ V, z / height))
        null = svd(M)[2][-1]
        if abs(null[-1]) < 1e-12:
            raise DataError("total least squares: the torques do not depend on the motion")
        before = space.matrix @ space.prior
        excited = V @ (-null[:-1] / null[-1] * height) / sizes
        change = excited - V @ (V.T @ (before * sizes)) / sizes
        self.theta = space.prior + space.lift(change)
        # |M x|^2 / |x|^2 is stationary: M^T M x is parallel to x
        residual = (z - A @ self.theta) * null[-1] / height
        slope = M.T @ residual
        slope -= (null @ slope) * null
        _check_optimality(slope, residual, z / height, "total least squares")
        self.sigma = self._noise(factors, self.theta)

    # -------------------------------------------------------------- constrained fits

    def _fit_consistent(self, factors: Factors) -> None:
        """Fit over the physically consistent parameters, starting with weights of least squares.

        Constraints may increase the residuals of a torque, so the weights are updated.
        """
        weights = self.weights
        for _ in range(_MAX_CONSTRAINED_ROUNDS):
            A, z = factors.stack(weights)
            self.theta = consistent(self.space, A, z, self.regularization, self.metric)
            if self.torque_weights is not None:
                return
            before, weights = weights, 1.0 / self._noise(factors, self.theta)
            if self._change(weights, before) < _MAX_CONSTRAINED_CHANGE:
                return
        self.converged = False

    def _measure_distance(self, factors: Factors, least: np.ndarray) -> None:
        """Compute the distance of theta from the parameters `least` of least squares."""
        rows = self.space.layout.rows
        increase = (factors.squares(self.theta) - factors.squares(least))[rows]
        self.distance = float(np.sqrt(max(np.sum(increase / self.sigma[rows] ** 2), 0.0)))
        change = np.abs(self.space.matrix @ (self.theta - least))
        deviations = self.deviations
        known = deviations > 0.0
        self.distances = np.where(known, change / np.where(known, deviations, 1.0), 0.0)

    @property
    def is_close(self) -> bool:
        """True if noise explains the distance from least squares.

        For the true parameters, distance^2 has a chi-square distribution with one degree of freedom
        per base parameter.
        """
        n = len(self.space.names)
        return self.distance**2 <= n + _MAX_CHI * np.sqrt(2.0 * n)


def _scale_columns(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix with columns of length one, and the lengths; one for zero columns."""
    sizes = np.linalg.norm(A, axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    return A / sizes, sizes


def _check_optimality(slope: np.ndarray, residual: np.ndarray, z: np.ndarray, method: str) -> None:
    """Raise a DataError unless a projected residual is zero, to round-off, as at the optimum."""
    error, size, torque = (float(np.linalg.norm(x)) for x in (slope, residual, z))
    if error > _MAX_SLOPE * size + _MAX_ROUND_OFF * torque:
        raise DataError(
            f"{method}: the optimality conditions hold only to {error / size:.1e} of the residual;"
            " look for values that are far too large or small, or record a more exciting motion"
        )
