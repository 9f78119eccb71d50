"""`identify`: from measurements to parameters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, DataError, explain_call
from jounce.identification.base_parameters import check_fixed
from jounce.identification.checks import Inspector
from jounce.identification.data import Samples
from jounce.identification.dataset import Dataset
from jounce.identification.estimator import ParameterEstimator
from jounce.identification.map_reduce import open_executor
from jounce.identification.options import Method, Metric, Options, Robust, list_options
from jounce.identification.parameter_space import Space
from jounce.identification.partitions import partitions
from jounce.identification.regression import Layout, total
from jounce.identification.result import Identification
from jounce.identification.robust import Excerpt, find_outliers, reweight
from jounce.identification.simulation import (
    SimulatedFit,
    SimulatedIdentification,
    SimulationModel,
)
from jounce.identification.subject import Subject, without_open_loops
from jounce.identification.units import UnitOptions
from jounce.identification.workers import worker_pool
from jounce.utils import function_named_as_package

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism


@overload
def identify(
    robot: Robot,
    data: Any,
    *,
    model: SimulationModel | Literal["simulate"],
    fixed: Sequence[str] = (),
    regularization: float = 1e-2,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    degrees: bool = False,
    torque_scale: float = 1.0,
    time_scale: float = 1.0,
) -> SimulatedIdentification: ...
@overload
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
    units: Mapping[str, str] | None = None,
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
    model: Literal["torques"] = "torques",
) -> Identification: ...
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
    units: Mapping[str, str] | None = None,
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
    model: SimulationModel | Literal["torques", "simulate"] = "torques",
) -> Identification | SimulatedIdentification:
    """Identify inertial parameters, friction and armature from measured motions and torques.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot that was measured. For a mechanism, `robot.closed()`, q of the independent joints
        suffices, and torques are those of the independent joints.
    data : path, mapping of arrays, data frame, or several of them
        Measurements of q, v, a and tau; see `jounce.identification.open_recording`. A list, a
        pattern such as "logs/*.parquet" or a folder means several recordings. Data are read in
        chunks and may exceed the memory.
    method : {"consistent", "wls", "ols", "tls"}
        Least squares over the physically consistent parameters; or least squares that are weighted
        by the noise of each torque (iterated), ordinary, or total (errors in the regressor too).
        The last three determine the base parameters and change the others as little as possible.
        "log-cholesky" is a deprecated name of "consistent".
    friction : bool
        Identify viscous and Coulomb friction; otherwise that of the robot is used.
    armature : bool
        Identify rotor inertias; otherwise those of the robot are used.
    offset : bool
        Identify a constant torque per joint (reported only).
    smoothing : float
        Speed below which Coulomb friction fades to zero, in rad/s or m/s.
    fixed : sequence of str
        Links that keep their parameters. Links without mass always do, unless no link has any.
    prior : Robot, Mechanism or array_like (nb, 10)
        Parameters to stay close to; by default those of the robot.
    metric : {"euclidean", "bregman", "geodesic"}
        Distance to the prior; "geodesic" is not convex.
    regularization : float
        Weight of the prior, which acts like a measurement with a relative standard deviation of
        1 / sqrt(regularization).
    weights : array_like (nv,)
        1 / standard deviation of each torque; by default estimated from the residuals.
    robust : {"huber"}
        Bound the influence of outliers by Huber weights: torques beyond 1.345 standard deviations
        of the noise are weighted in proportion to 1 / residual, and ignored beyond 8. Reported
        residuals are weighted too, and the data are read a few more times. By default, outliers
        only cause a warning that names the rows.
    folds : int
        Blocks of time for cross-validation; 0 disables it.
    columns : mapping of str to str
        Columns of measurements that are not recognized by name, such as {"tau_elbow": "motor 3"}.
    units : mapping of str to str
        Units of columns whose names contain none, by quantity or column, such as
        {"q": "deg", "tau_elbow": "mN m"}.
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
        compress the files; "local" starts workers on this machine. All workers must have access to
        the files by the same paths.
    keep : path
        Folder for the compressed data of each file; a later run computes only missing results.
    skip_broken : bool
        Skip files that cannot be used, and list them in a warning and in the report; otherwise
        they cause an error.
    trust_units : bool
        Use files with implausible units even if the units of other files are plausible.
    model : {"torques", "simulate"} or SimulationModel
        How parameters follow from the data: from measured torques, or by simulation of logs without
        torques, with servos; "simulate" is SimulationModel(). Of the options above, simulation
        takes `fixed`, `regularization`, `columns`, `units`, `degrees` and the factors.

    Returns
    -------
    Identification or SimulatedIdentification
        Parameters with standard deviations, residuals and cross-validation, and the identified
        robot.
    """
    settings = dict(locals())  # all keywords are options
    robot, data = settings.pop("robot"), settings.pop("data")
    chosen = settings.pop("model")
    options = Options(**settings)
    if isinstance(chosen, SimulationModel):
        return _simulate(robot, data, chosen, options)
    if chosen not in ("torques", "simulate"):
        raise ArgumentError(f"model: choose one of torques, simulate, found {chosen!r}")
    if chosen == "simulate":
        return _simulate(robot, data, SimulationModel(), options)
    return _identify(robot, data, options)


#: Options that identification by simulation takes too.
_SHARED_OPTIONS = (
    "fixed",
    "regularization",
    "columns",
    "units",
    "degrees",
    "torque_scale",
    "time_scale",
)


def _simulate(
    robot: Any, data: Any, model: SimulationModel, options: Options
) -> SimulatedIdentification:
    """Fit simulations to logs without torques."""
    for option in list_options():
        value = getattr(options, option.name)
        if option.name not in _SHARED_OPTIONS and repr(value) != repr(option.default):
            raise ArgumentError(
                f"{option.name}: identification by simulation has no such option, found"
                f" {value!r}; omit it, or use the options of SimulationModel"
            )
    units = UnitOptions(
        options.units or {}, options.degrees, options.torque_scale, options.time_scale
    )
    fit = SimulatedFit(
        robot,
        data,
        model,
        fixed=options.fixed,
        regularization=options.regularization,
        columns=options.columns,
        units=units,
    )
    return fit.run()


def _identify(robot: Robot | Mechanism, data: Any, options: Options) -> Identification:
    """Read the data, compress them and fit the parameters."""
    owner = without_open_loops(robot, "whose forces are part of the torques")
    names = ("armature", "friction", "offset", "smoothing")
    all_torques = np.ones(owner.nv, dtype=bool)
    layout = Layout(owner, all_torques, **{k: getattr(options, k) for k in names})
    prior = _prior(layout, options.prior)
    fixed = _fixed(owner, prior, options.fixed)
    weights = None if options.weights is None else _weights(owner, options.weights)
    source, parts = partitions(data)
    with (
        worker_pool() as pool,
        open_executor(options.client, options.keep, pool) as executor,
        _explain_errors(source, [part.name for part in parts]),
    ):
        dataset = Dataset(robot, options, source, parts, layout, prior, executor)
        return _fit(robot, options, dataset, prior, fixed, weights)


def _fit(
    robot: Robot | Mechanism,
    options: Options,
    data: Dataset,
    prior: np.ndarray,
    fixed: tuple[str, ...],
    weights: np.ndarray | None,
) -> Identification:
    """Fit the parameters, and warn about the data."""
    layout, first = data.layout, data.summarize()
    parts, kept = data.split(first), Samples.of(first.samples.select())
    excerpt = Excerpt.from_sample(layout, first.equations if options.momentum else first.samples)
    known = np.any(prior[layout.groups["inertia"]])
    expected = layout.torques(prior, kept.q, kept.v, kept.a) if known else None
    inspector = Inspector(layout.robot, layout.measured, data.summary)
    inspector.report(first.ranges, kept.tau, expected)
    space = Space.of(layout, total(parts), prior, fixed)
    settings = options.method, options.metric, options.regularization, weights
    estimator = ParameterEstimator(space, *settings)
    if options.robust is not None:
        parts, outliers = reweight(data, excerpt, estimator)
        data.summary.outliers = outliers.rows
    factors = total(parts)
    estimator = estimator.with_scales_of(factors).fit(factors)
    if options.robust is None:
        inspector.outliers(find_outliers(data, factors, excerpt, estimator))
    plain = options if isinstance(options.client, str) else replace(options, client=None)
    result = Identification(
        robot, plain, estimator, factors, estimator.cross_validate(parts), kept, data.summary
    )
    inspector.fit(result.rms, kept.tau, estimator.unexcited, len(space.names))
    inspector.distance(estimator)
    if not estimator.converged:
        data.summary.warn(
            "the weights of the torques, which depend on the residuals, did not converge; pass"
            " weights=, 1 / the standard deviations of the torques, or record more data"
        )
    return result


@contextmanager
def _explain_errors(source: str, names: Sequence[str]) -> Iterator[None]:
    """Raise a DataError that names the data, or one of its parts, if equations cannot be solved."""
    try:
        with np.errstate(all="ignore"):  # overflow is detected by results that are not finite
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


def _prior(layout: Layout, prior: Robot | Mechanism | ArrayLike | None) -> np.ndarray:
    out = layout.prior.copy()
    if prior is None:
        return out
    model = getattr(prior, "model", None)
    source = prior if model is None else model.parameters
    values = np.asarray(source, dtype=float)
    nb = layout.robot.nb
    if values.shape not in ((nb, 10), (10 * nb,)) or not np.isfinite(values).all():
        raise ValueError(
            f"prior: expected finite parameters of shape ({nb}, 10), or a robot with {nb} bodies,"
            f" found shape {values.shape}"
        )
    out[layout.groups["inertia"]] = values.ravel()
    return out


def _fixed(robot: Subject, prior: np.ndarray, fixed: Sequence[str]) -> tuple[str, ...]:
    """Return links that keep their parameters: those in `fixed` and those without mass."""
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
