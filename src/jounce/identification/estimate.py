"""Linear estimates of base parameters: ordinary, weighted and total least squares.

All work on the triangular factors of the data (`jounce.identification.regression`) and on the
deviation from prior parameters theta_0, the robot's own unless others are given: what the data say
nothing about stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jounce.errors import DataError
from jounce.identification.base_parameters import BaseParameters, base_parameters
from jounce.identification.drives import driven
from jounce.identification.regression import Factors, Layout
from jounce.identification.structure import svd
from jounce.model.inertia import pseudo_inertia
from jounce.utils.lazy import cached_property

Linear = Literal["ols", "wls", "tls"]

#: Directions of the (column-scaled) regressor smaller than this, relative, are not excited.
EXCITED = 1e-8

#: A parameter is named as not excited if this share of it lies in such directions.
_SHARE = 1e-2

#: Rounds of reweighting, and the change of the weights that ends them.
_ROUNDS = 20
_SETTLED = 1e-3

#: Torques are not trusted to more digits than this, relative to their size.
_FLOOR = 1e-8

#: Share of the residual, and of the torques, that conditions of an optimum may leave.
_MAX_SLOPE, _MAX_ROUND_OFF = 1e-3, 1e-9

#: Least radius of gyration and least share of the heaviest mass that scale a body's parameters.
_RADIUS = 0.02
_MASS = 1e-3

#: Radius of gyration (m) of bodies nothing is known of, beside one kilogram.
_UNKNOWN = 0.2


@dataclass(frozen=True, eq=False)
class Space:
    """The base parameters of a layout, drives included, and the scale of each parameter.

    base: combinations of inertial parameters and armatures. fixed: bodies left as they are. prior:
    theta_0 (p,). scale (p,): typical sizes, for distances between parameters.
    """

    layout: Layout
    base: BaseParameters
    prior: np.ndarray
    scale: np.ndarray
    fixed: tuple[str, ...]

    @classmethod
    def of(
        cls, layout: Layout, factors: Factors, prior: np.ndarray, fixed: tuple[str, ...]
    ) -> Space:
        """The space of a layout; sizes of drive parameters come from the data."""
        base = base_parameters(layout.robot, armature=layout.armature, fixed=fixed)
        return cls(layout, base, prior, _scales(layout, factors, prior), fixed)

    def rescaled(self, factors: Factors) -> Space:
        """The same with sizes of drive parameters from other data."""
        return replace(self, scale=_scales(self.layout, factors, self.prior))

    @cached_property
    def active(self) -> np.ndarray:
        """Mask (p,) of the parameters that may change."""
        out = np.ones(self.layout.size, dtype=bool)
        for b, name in enumerate(self.layout.robot.model.body_names):
            out[10 * b : 10 * b + 10] = name not in self.fixed
        with_drive = np.isin(np.arange(self.layout.robot.nv), driven(self.layout.robot))
        for part in list(self.layout.groups.values())[1:]:
            out[part] = self.layout.measured & with_drive
        return out

    @cached_property
    def matrix(self) -> np.ndarray:
        """B (r, p) with beta = B theta, rows of drive parameters last."""
        p, known = self.layout.size, len(self.base.labels)
        top = np.zeros((len(self.base), p))
        top[:, :known] = self.base.matrix
        return np.vstack((top, np.eye(p)[self._single_drives]))

    @cached_property
    def _single_drives(self) -> np.ndarray:
        """Drive parameters beside the base's own, each by itself."""
        return np.array(
            [k for k in range(len(self.base.labels), self.layout.size) if self.active[k]],
            dtype=int,
        )

    @cached_property
    def independent(self) -> np.ndarray:
        """For each row of B the column with a one of its own."""
        return np.concatenate((self.base.independent, self._single_drives))

    @cached_property
    def names(self) -> list[str]:
        """The combinations."""
        return [*self.base.names, *(self.layout.labels[k] for k in self._single_drives)]

    def short_name(self, i: int, terms: int = 4) -> str:
        """Combination i, cut after some terms."""
        return self.base.name(i, terms, 4) if i < len(self.base) else self.names[i]

    def lifted(self, change: np.ndarray) -> np.ndarray:
        """The least change (p,) of theta, in units of the scale, that changes beta by `change`."""
        scaled = self.matrix * np.where(self.active, self.scale, 0.0)
        sizes = np.linalg.norm(scaled, axis=1)
        return np.linalg.lstsq(scaled / sizes[:, None], change / sizes, rcond=None)[0] * self.scale


def _scales(layout: Layout, factors: Factors, prior: np.ndarray) -> np.ndarray:
    """Typical sizes of the parameters: of bodies by mass and radius of gyration, of drives by data.

    A drive parameter is as large as it must be to explain a torque by itself.
    """
    out = np.ones(layout.size)
    bodies = prior[layout.groups["inertia"]].reshape(-1, 10)
    masses = np.abs(bodies[:, 0])
    heaviest = masses.max(initial=0.0)
    spread = np.trace(pseudo_inertia(bodies)[:, :3, :3], axis1=1, axis2=2)
    for b, (m, squares) in enumerate(zip(masses, spread, strict=True)):
        mass = max(m, _MASS * heaviest) or 1.0
        radius = max(np.sqrt(max(squares, 0.0) / mass), _RADIUS if heaviest else _UNKNOWN)
        sizes = np.array([1.0] + [radius] * 3 + [radius**2] * 6)
        out[10 * b : 10 * b + 10] = mass * sizes
    totals = np.sqrt(factors.totals())
    for name, part in layout.groups.items():
        if name == "inertia":
            continue
        for i in layout.rows:
            at = np.flatnonzero(layout.supports[i] == part.start + i)
            size = np.linalg.norm(factors.parts[i][:, at]) if len(at) else 0.0
            if size > 0.0 and totals[i] > 0.0:
                out[part.start + i] = totals[i] / size
    return out


@dataclass(frozen=True, eq=False)
class Estimate:
    """theta (p,), beta (r,), standard deviations of beta, and how they came about.

    weights (nv,): of the torques, 1 / their standard deviations. deviations (r,): NaN where the
    data say nothing. unexcited: names of such combinations. condition: of the regressor of base
    parameters, columns scaled to one length. settled: False if weights that follow the residuals
    still changed in the last round.
    """

    theta: np.ndarray
    beta: np.ndarray
    deviations: np.ndarray
    weights: np.ndarray
    sigma: np.ndarray
    condition: float
    unexcited: list[str]
    settled: bool = True


def check_count(space: Space, factors: Factors) -> None:
    """Fewer equations than parameters cannot be solved."""
    rows, unknowns = factors.count * len(space.layout.rows), len(space.names)
    if rows < unknowns:
        needed = -(-unknowns // len(space.layout.rows))
        raise DataError(
            f"{factors.count} usable samples of {len(space.layout.rows)} torques are too few for"
            f" {unknowns} parameters; at least {needed} are needed, many more are advisable"
        )


def linear(space: Space, factors: Factors, method: Linear, weights: np.ndarray | None) -> Estimate:
    """Ordinary, weighted or total least squares. weights (nv,): None for one, or reweighting."""
    check_count(space, factors)
    given = np.ones(space.layout.robot.nv) if weights is None else weights
    estimate = _least_squares(space, factors, given)
    if method == "wls" and weights is None:
        for _ in range(_ROUNDS):
            before = estimate.weights
            estimate = _least_squares(space, factors, 1.0 / estimate.sigma)
            rows = space.layout.rows
            if np.abs(np.log(estimate.weights[rows] / before[rows])).max() < _SETTLED:
                break
        else:
            estimate = replace(estimate, settled=False)
    if method == "tls":
        return _total_least_squares(space, factors, estimate)
    return estimate


def noise(space: Space, factors: Factors, theta: np.ndarray) -> np.ndarray:
    """Standard deviations (nv,) of the torques about Y theta; one where none was measured."""
    rows = space.layout.rows
    freedom = np.maximum(factors.weight - len(space.names) / len(rows), 1.0)
    sigma = np.sqrt(factors.squares(theta) / freedom)
    floor = _FLOOR * factors.mean(factors.totals())
    sigma = np.maximum(sigma, np.maximum(floor, 1e-300))
    out = np.ones_like(sigma)
    # a torque that is zero throughout gets the smallest weight there is, not an infinite one
    present = [i for i in rows if factors.totals()[i] > 0.0]
    out[present] = sigma[present]
    return out


def _scaled(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns brought to one length, and their lengths; one for those that are zero."""
    sizes = np.linalg.norm(A, axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    return A / sizes, sizes


def _least_squares(space: Space, factors: Factors, weights: np.ndarray) -> Estimate:
    A, z = factors.stacked(weights)
    scaled, sizes = _scaled(A[:, space.independent])
    U, s, Vt = svd(scaled)
    kept = s > EXCITED * s[0] if s[0] > 0.0 else np.zeros(len(s), dtype=bool)
    X = (Vt[kept].T / s[kept]) / sizes[:, None]
    change = X @ (U[:, kept].T @ (z - A @ space.prior))
    theta = space.prior + space.lifted(change)
    beta = space.matrix @ space.prior + change
    residual = z - A @ theta
    _check_zero(U[:, kept].T @ residual, residual, z, "least squares")
    sigma = noise(space, factors, theta)
    lost = np.linalg.norm(Vt[~kept], axis=0) > _SHARE
    lost |= ~scaled.any(axis=0)
    deviations = np.where(lost, np.nan, _deviations(space, factors, weights, sigma, X))
    return Estimate(
        theta,
        beta,
        deviations,
        weights,
        sigma,
        float(s[0] / s[kept][-1]) if kept.any() else np.inf,
        [space.short_name(int(i)) for i in np.flatnonzero(lost)],
    )


def _check_zero(slope: np.ndarray, residual: np.ndarray, z: np.ndarray, method: str) -> None:
    """Raise a DataError unless a projected residual, zero at the optimum, is so to round-off."""
    left, whole, measured = (float(np.linalg.norm(x)) for x in (slope, residual, z))
    if left > _MAX_SLOPE * whole + _MAX_ROUND_OFF * measured:
        raise DataError(
            f"{method}: the optimality conditions hold only to {left / whole:.1e} of the residual;"
            " look for values that are far too large or small, or record a more exciting motion"
        )


def _deviations(
    space: Space, factors: Factors, weights: np.ndarray, sigma: np.ndarray, X: np.ndarray
) -> np.ndarray:
    """Standard deviations of beta for white noise sigma_i in torque i, any weights.

    With H^+ = X X^T the covariance is H^+ (sum_i (w_i sigma_i)^2 N_i) H^+, N_i = w_i^2 Y_i^T Y_i.
    """
    middle = np.zeros((X.shape[1], X.shape[1]))
    X_reduced = space.layout.reduction[1][:, space.independent] @ X
    for i in space.layout.rows:
        E = weights[i] * factors.parts[i][:, :-1] @ X_reduced[space.layout.places[i]]
        middle += (weights[i] * sigma[i]) ** 2 * E.T @ E
    return np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", X, middle, X), 0.0))


def _total_least_squares(space: Space, factors: Factors, start: Estimate) -> Estimate:
    """Errors in the regressor too, each column's in proportion to its size.

    With columns scaled to one length, [Y tau] loses rank by the least change if the right singular
    vector of its least singular value becomes its null vector. Torques are weighted as in wls.
    """
    weights = 1.0 / start.sigma
    A, z = factors.stacked(weights)
    scaled, sizes = _scaled(A[:, space.independent])
    _, s, Vt = svd(scaled)
    V = Vt[s > EXCITED * s[0]].T  # in the directions that are excited
    height = np.linalg.norm(z) or 1.0
    M = np.column_stack((scaled @ V, z / height))
    null = svd(M)[2][-1]
    if abs(null[-1]) < 1e-12:
        raise DataError("total least squares: the torques do not depend on the motion")
    inside = V @ (-null[:-1] / null[-1] * height) / sizes
    # what is not excited stays as it was
    outside = space.matrix @ space.prior
    outside = outside - (V @ (V.T @ (outside * sizes))) / sizes
    beta = inside + outside
    theta = space.prior + space.lifted(beta - space.matrix @ space.prior)
    # |M x|^2 / |x|^2 is stationary, M^T M x being parallel to x
    residual = (z - A @ theta) * null[-1] / height
    slope = M.T @ residual
    _check_zero(slope - (null @ slope) * null, residual, z / height, "total least squares")
    sigma = noise(space, factors, theta)
    return Estimate(theta, beta, start.deviations, weights, sigma, start.condition, start.unexcited)
