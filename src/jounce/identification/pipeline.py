"""`identify`: from measurements to parameters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import explain_call
from jounce.identification.base_parameters import check_fixed
from jounce.identification.checks import Inspector
from jounce.identification.collection import Collection, crew
from jounce.identification.estimate import Space
from jounce.identification.fitting import Fitter, solvable
from jounce.identification.options import Method, Metric, Options, Robust
from jounce.identification.partitions import partitions
from jounce.identification.regression import Layout, total
from jounce.identification.result import Identification
from jounce.identification.robust import find_outliers, reweighted
from jounce.identification.subject import Subject, without_open_loops
from jounce.identification.workers import worker_pool
from jounce.utils.deprecation import function_named_as_package

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism


@function_named_as_package("jounce.identify", "jounce.identification")
@explain_call
def identify(
    robot: Robot | Mechanism,
    data: Any,
    *,
    method: Method = "consistent",
    friction: bool = False,
    armature: bool = False,
    offset: bool = False,
    smoothing: float = 0.0,
    fixed: Sequence[str] = (),
    prior: Robot | Mechanism | ArrayLike | None = None,
    metric: Metric = "euclidean",
    regularization: float = 1e-2,
    weights: ArrayLike | None = None,
    robust: Robust | None = None,
    folds: int = 5,
    columns: Mapping[str, str] | None = None,
    degrees: bool = False,
    torque_scale: float = 1.0,
    time_scale: float = 1.0,
    rate: float | None = None,
    cutoff: float | None = None,
    momentum: bool = False,
    client: Any = None,
    keep: str | os.PathLike[str] | None = None,
    skip_broken: bool = False,
    trust_units: bool = False,
) -> Identification:
    """Identify inertial parameters, friction and armature from measured motions and torques.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot that was measured. Of a mechanism, `robot.closed()`, q of the independent joints
        suffices, and torques are those of these joints.
    data : path, mapping of arrays, data frame, or several of them
        Measurements of q, v, a and tau; see `jounce.identification.open_recording`. A list, a
        pattern such as "logs/*.parquet" or a folder is several recordings. Data are read in pieces
        and may exceed the memory.
    method : {"consistent", "log-cholesky", "wls", "ols", "tls"}
        Least squares over the physically consistent parameters, by an interior-point method or in
        log-Cholesky coordinates; or weighted by the noise of each torque (iterated), ordinary, or
        total (errors in the regressor too). The last three find the base parameters and change the
        others as little as possible.
    friction : bool
        Identify viscous and Coulomb friction; otherwise the robot's own is used.
    armature : bool
        Identify rotor inertias; otherwise the robot's own are used.
    offset : bool
        Identify a constant torque per joint (reported only).
    smoothing : float
        Speed below which Coulomb friction fades to zero, in rad/s or m/s.
    fixed : sequence of str
        Links that keep their parameters. Links without mass always do, unless no link has any.
    prior : Robot, Mechanism or array_like (nb, 10)
        Parameters to stay close to; by default those of the robot.
    metric : {"euclidean", "bregman", "geodesic"}
        Distance to the prior ("geodesic" needs method "log-cholesky").
    regularization : float
        Weight of the prior: it counts like a measurement with a relative standard deviation of
        1 / sqrt(regularization).
    weights : array_like (nv,)
        1 / standard deviation of each torque; by default estimated from the residuals.
    robust : {"huber"}
        Bound the influence of outliers by Huber weights: torques beyond 1.345 standard deviations
        of the noise count in proportion to 1 / residual, beyond 8 not at all. Residuals are
        weighted too, and the data are read a few times more. Without it, outliers cause a warning
        that names the rows.
    folds : int
        Blocks of time for cross-validation; 0 disables it.
    columns : mapping of str to str
        Columns of measurements that are not recognized by name, such as {"tau_elbow": "motor 3"}.
    degrees : bool
        Angles are in degrees.
    torque_scale : float
        Factor to N m or N (1e-3 for mN m).
    time_scale : float
        Factor to seconds (1e-9 for ns).
    rate : float
        Sampling rate in Hz, for data without times.
    cutoff : float
        Cutoff frequency in Hz of the low-pass filter that estimates missing accelerations, or of
        the filter of the momentum form.
    momentum : bool
        Use the filtered momentum form, which needs no accelerations.
    client : distributed.Client or str
        Dask client, or address of a scheduler such as tcp://host:8786, whose workers read and
        compress the files; "local" starts workers here. All must see the files under the same
        names.
    keep : path
        Folder for the compressed data of each file; a later run computes only what is missing.
    skip_broken : bool
        Skip files that cannot be used, and name them in a warning and in the report; otherwise
        they are an error.
    trust_units : bool
        Do not compare the units of files with each other.

    Returns
    -------
    Identification
        Parameters with standard deviations, residuals and cross-validation, and the identified
        robot.
    """
    options = Options(
        method=method,
        friction=friction,
        armature=armature,
        offset=offset,
        smoothing=smoothing,
        fixed=fixed,
        prior=prior,
        metric=metric,
        regularization=regularization,
        weights=weights,
        robust=robust,
        folds=folds,
        columns=columns,
        degrees=degrees,
        torque_scale=torque_scale,
        time_scale=time_scale,
        rate=rate,
        cutoff=cutoff,
        momentum=momentum,
        client=client,
        keep=keep,
        skip_broken=skip_broken,
        trust_units=trust_units,
    )
    return _identify(robot, data, options)


def _identify(robot: Robot | Mechanism, data: Any, options: Options) -> Identification:
    """Read the data, compress them and fit the parameters."""
    owner = without_open_loops(robot, "whose forces are part of the torques")
    names = ("armature", "friction", "offset", "smoothing")
    every = np.ones(owner.nv, dtype=bool)
    whole = Layout(owner, every, **{k: getattr(options, k) for k in names})
    prior = _prior(whole, options.prior)
    fixed = _fixed(owner, prior, options.fixed)
    weights = None if options.weights is None else _weights(owner, options.weights)
    source, parts = given = partitions(data)
    with (
        worker_pool() as pool,
        crew(options, pool) as workers,
        solvable(source, [part.name for part in parts]),
    ):
        collection = Collection(robot, given, options, whole, prior, workers)
        found = _fitted(robot, options, collection, (prior, fixed, weights))
    return found


def _fitted(
    robot: Robot | Mechanism,
    options: Options,
    data: Collection,
    wanted: tuple[np.ndarray, tuple[str, ...], np.ndarray | None],
) -> Identification:
    """What the data say. wanted: the prior, bodies that stay as they are, weights of torques."""
    (prior, fixed, weights), layout = wanted, data.layout
    record = data.first()
    parts, kept, excerpt = data.parts(record), data.kept(record), data.excerpt(record)
    known = np.any(prior[layout.groups["inertia"]])
    expected = layout.torques(prior, kept.q, kept.v, kept.a) if known else None
    inspector = Inspector(layout.robot, layout.measured, data.summary)
    inspector.report(record.sight, kept.tau, expected)
    fitter = Fitter(Space.of(layout, total(parts), prior, fixed), options, weights)
    if options.robust is not None:
        parts, outliers = reweighted(data, excerpt, fitter)
        data.summary.outliers = outliers.rows
    factors = total(parts)
    fitter = fitter.rescaled(factors)
    estimate, theta = fitter(factors)
    if options.robust is None:
        inspector.outliers(find_outliers(data, factors, theta, excerpt, fitter))
    validation = fitter.validate(parts)
    space, summary = fitter.space, data.summary
    plain = options if isinstance(options.client, str) else replace(options, client=None)
    found = Identification(robot, plain, space, theta, estimate, factors, validation, kept, summary)
    inspector.fit(found.rms, kept.tau, estimate.unexcited, len(space.names))
    if not estimate.settled:
        summary.warn(
            "the weights of the torques, which follow their residuals, did not settle; pass"
            " weights=, 1 / the standard deviations of the torques, or record more data"
        )
    return found


def _prior(layout: Layout, prior: Robot | Mechanism | ArrayLike | None) -> np.ndarray:
    out = layout.prior.copy()
    if prior is None:
        return out
    model = getattr(prior, "model", None)
    given = prior if model is None else model.parameters
    values = np.asarray(given, dtype=float)
    nb = layout.robot.nb
    if values.shape not in ((nb, 10), (10 * nb,)) or not np.isfinite(values).all():
        raise ValueError(
            f"prior: expected finite parameters of shape ({nb}, 10), or a robot with {nb} bodies,"
            f" found shape {values.shape}"
        )
    out[layout.groups["inertia"]] = values.ravel()
    return out


def _fixed(robot: Subject, prior: np.ndarray, fixed: Sequence[str]) -> tuple[str, ...]:
    """Links that keep their parameters: those named and those without any."""
    check_fixed(robot, fixed)
    names = robot.model.body_names
    bodies = prior[: 10 * robot.nb].reshape(-1, 10)
    empty = [name for name, pi in zip(names, bodies, strict=True) if not pi.any()]
    if len(empty) == len(names):
        empty = []
    return tuple(name for name in names if name in fixed or name in empty)


def _weights(robot: Subject, weights: ArrayLike) -> np.ndarray:
    out = np.asarray(weights, dtype=float)
    if out.shape != (robot.nv,) or not np.all(np.isfinite(out) & (out > 0.0)):
        raise ValueError(f"weights: expected {robot.nv} numbers > 0, found {weights!r}")
    return out
