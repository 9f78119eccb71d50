"""The function `study`: checks of its arguments, a pilot run, and the results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import refuse_other_order
from jounce.errors import ArgumentError, JounceError, explain_call, printable
from jounce.robot import System
from jounce.solve.mechanism import Mechanism
from jounce.studies import engine
from jounce.studies.amounts import Amount
from jounce.studies.devices import parse_devices
from jounce.studies.engine import Evaluation, Problem
from jounce.studies.result import Study
from jounce.studies.sampling import check_method, draw_points
from jounce.studies.statistics import Layout, Statistics
from jounce.studies.variation import DRIVES, GEOMETRIC, INERTIAL, Variation, make_variation
from jounce.utils import function_named_as_package

if TYPE_CHECKING:
    from distributed import Client

#: Default levels of the quantiles.
LEVELS = (0.01, 0.05, 0.5, 0.95, 0.99)

#: Default number of bins of a histogram. Bins reach over six standard deviations of the pilot run
#: on both sides, so that each is 0.04 standard deviations wide.
BINS = 300

#: Largest number of samples, and of a seed.
MAX_SAMPLES, _MAX_SEED = 10**15, 2**256

#: Entries of a result up to which covariances are kept.
MAX_COVARIANCE = 64

#: Numbers that statistics may hold: 256 MB.
_MAX_NUMBERS = 1 << 25

#: Samples of the pilot run, and its chunk, which no other samples have.
_PILOT, _PILOT_CHUNK = 512, 2**32 - 1


class _Driven(NamedTuple):
    """A quantity with forces of drives: name, evaluation, and argument of the forces."""

    name: str
    evaluated: str
    drives: Literal["added", "subtracted"]


_FORCES = _Driven("motor_forces", "inverse_dynamics", "added")
_MOTION = _Driven("driven_dynamics", "forward_dynamics", "subtracted")
_DRIVEN = {name: row for row in (_FORCES, _MOTION) for name in (row.evaluated, row.name)}


@function_named_as_package("jounce.study", "jounce.studies")
@explain_call
def study(
    robot: System,
    arguments: Sequence[ArrayLike],
    quantity: str = "inverse_dynamics",
    vary: Mapping[str, Amount] | None = None,
    samples: int | float = 100_000,
    *,
    t: ArrayLike | None = None,
    seed: int = 0,
    sampling: Literal["sobol", "halton", "lhs", "random"] = "sobol",
    quantiles: Sequence[float] = LEVELS,
    sobol: bool = True,
    client: Client | str | None = None,
    devices: Sequence[int] | str | int | None = None,
    threads: int | None = None,
    bins: int = BINS,
    **named: ArrayLike,
) -> Study:
    """Propagate uncertain parameters of a robot to a quantity along a trajectory.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
        The nominal robot. Mechanisms may have uncertain inertias and drives, but no displaced
        joints: their loops would be open at q.
    arguments : sequence of array_like
        Arguments of the quantity, such as (q, v, a); leading axes are the points.
    quantity : str
        Name of the quantity. Where friction, damping or armature vary, inverse dynamics include
        them and are called `motor_forces`, forward dynamics `driven_dynamics`.
    vary : mapping of str to amount
        Standard deviations or distributions by kind (`jounce.studies.KINDS`), such as
        {"inertia": "5%", "placement[joint2]": "0.1mm 0.05deg", "mass": scipy.stats.t(5, 0, 0.02)}.
        An entry that names a body or joint overrides the general one.
    samples : int
        Number of robots drawn, each evaluated at all points.
    t : array_like
        Times of the points in s, or dates, for plots.
    seed : int
        Seed of the samples. The same seed gives the same samples for any number of threads,
        workers or devices, and the same results up to round-off.
    sampling : str
        Method of `scipy.stats.qmc`: "sobol" (scrambled Sobol points), "halton" or "lhs" (Latin
        hypercube), or "random" for independent samples.
    quantiles : sequence of float
        Levels of the quantiles.
    sobol : bool
        Compute Sobol indices, which attribute the variance to parameters. Takes half as many
        evaluations again, or more for large results.
    client : distributed.Client or str
        Dask client, or address of a scheduler, whose workers compute.
    devices : sequence of int, or "all"
        CUDA devices to compute on (with a client: each worker uses the one it sees).
    threads : int
        Threads of this process; by default `jounce.get_num_threads()`.
    bins : int
        Bins of the histograms that quantiles are computed from.
    **named : array_like
        Further arguments of the quantity by name, such as wrenches.

    Returns
    -------
    Study
        Mean, standard deviation, quantiles, extremes and Sobol indices of every entry.

    Raises
    ------
    ArgumentError
        If an argument is not valid, or the quantity does not depend on what varies.
    DataError
        If a sample has no finite result.

    Examples
    --------
    >>> import jounce
    >>> robot = jounce.load("planar_2r")
    >>> state = ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0])
    >>> result = jounce.study(robot, state, vary={"mass": "5%"}, samples=1000)
    >>> result.groups
    ['mass[link1]', 'mass[link2]']
    >>> result.std.shape, result.total_overall.shape
    ((2,), (2, 2))
    """
    start = time.perf_counter()
    title = _make_title(robot, quantity)
    variation = make_variation(robot, vary, title)
    levels = _check_levels(quantiles)
    evaluation, batch = _make_evaluation(robot, arguments, quantity, variation, named, title)
    problem = _make_problem(evaluation, variation, samples, seed, sampling, sobol, bins)
    times = _check_times(t, batch, title)
    statistics = _run(problem, client, devices, threads)
    return Study.of(
        *(robot, problem, statistics, levels, batch, times),
        quantity=_DRIVEN[quantity].name if variation.varies(DRIVES) else quantity,
        vary=dict(vary or {}),
        seconds=time.perf_counter() - start,
    )


def _run(problem: Problem, client: Any, devices: Any, threads: int | None) -> Statistics:
    if threads is not None and (client is not None or devices is not None):
        raise ArgumentError("threads: cannot be combined with client or devices; omit one of them")
    if client is not None:
        return engine.run_cluster(problem, client, devices is not None)
    if devices is not None:
        return engine.run(problem, parse_devices(devices))
    if threads is not None:
        threads = _check_integer(threads, "threads", 1, MAX_SAMPLES)
    return engine.run(problem, [None] * engine.count_threads(problem, threads))


# ------------------------------------------------------------------ checks of arguments


def _make_title(robot: Any, quantity: Any) -> str:
    if not isinstance(robot, System):
        raise ArgumentError(
            "study: expected a robot, a mechanism or a robot in contact, found"
            f" {type(robot).__name__}"
        )
    if not isinstance(quantity, str):
        raise ArgumentError(
            f"study: quantity must be a name such as 'inverse_dynamics', found {quantity!r}"
        )
    return printable(f"study of {robot.name}.{quantity}")


def _check_integer(x: Any, name: str, least: int, most: int) -> int:
    """Return a whole number, also of a float such as 1e6."""
    is_integer = isinstance(x, (int, np.integer)) and not isinstance(x, bool)
    is_integer |= isinstance(x, (float, np.floating)) and float(x).is_integer()
    if not is_integer or x < least:
        raise ArgumentError(f"{name} must be a whole number >= {least}, found {x!r}")
    if x > most:
        raise ArgumentError(f"{name} must be a whole number up to {most:.3g}, found a larger one")
    return int(x)


def _check_levels(quantiles: Sequence[float]) -> tuple[float, ...]:
    try:
        levels = tuple(float(x) for x in quantiles)
    except (TypeError, ValueError):
        levels = (-1.0,)
    if not all(0.0 <= x <= 1.0 for x in levels):
        raise ArgumentError(f"quantiles must be levels from 0 to 1, found {quantiles!r}")
    return levels


def _check_times(t: ArrayLike | None, batch: tuple[int, ...], title: str) -> np.ndarray | None:
    """Return times in s; dates count from the first."""
    if t is None:
        return None
    try:
        times = np.asarray(t)
        if times.dtype.kind == "M":
            times = times - times.reshape(-1)[:1]
        if times.dtype.kind == "m":
            times = times / np.timedelta64(1, "s")
        times = times.astype(float)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{title}: t must be times in s, or dates, of the points {batch}, found {t!r}"
        ) from None
    if times.shape != batch or not np.isfinite(times).all():
        raise ArgumentError(
            f"{title}: t must be finite, a time for each of the points {batch}, found shape"
            f" {times.shape}"
        )
    return times


def _check_kinds(robot: Any, nominal: Any, quantity: str, variation: Variation, title: str) -> None:
    """Raise ArgumentError if the quantity does not support the kinds of parameters that vary."""
    kinds = {group.kind for group in variation.groups}
    inertial, geometric, drives = (
        [kind for kind in some if kind in kinds] for some in (INERTIAL, GEOMETRIC, DRIVES)
    )
    problem = ""
    if len(nominal.definition.shapes) != 1:
        problem = "it has several results; choose a quantity with one, such as 'inverse_dynamics'"
    elif nominal.frame_index is not None and inertial:
        problem = (
            f"quantities of frames do not depend on {', '.join(inertial)}; vary"
            f" {' or '.join(GEOMETRIC)}"
        )
    elif isinstance(robot, Mechanism) and geometric:
        problem = (
            f"{', '.join(geometric)} of a mechanism cannot vary: its loops would be open at the"
            f" given configurations; vary {', '.join((*INERTIAL, *DRIVES))}, or study its tree,"
            " .robot"
        )
    elif drives and quantity not in _DRIVEN:
        problem = (
            f"{', '.join(drives)} can vary in {', '.join(_DRIVEN)}; choose one of these, or omit"
            " them"
        )
    elif "armature" in drives and _DRIVEN[quantity].drives == "subtracted":
        problem = (
            f"armature cannot vary in {quantity}, whose mass matrix it is part of; study"
            " inverse_dynamics"
        )
    if problem:
        raise ArgumentError(f"{title}: {problem}")


def _make_evaluation(
    robot: Any,
    arguments: Sequence[ArrayLike],
    quantity: str,
    variation: Variation,
    named: Mapping[str, ArrayLike],
    title: str,
) -> tuple[Evaluation, tuple[int, ...]]:
    """Return the quantity as a function of samples, and the batch axes of the points."""
    nominal = robot.quantity(quantity)
    _check_kinds(robot, nominal, quantity, variation, title)
    driven = _DRIVEN[quantity] if variation.varies(DRIVES) else _Driven(quantity, quantity, "added")
    shaped = variation.varies(GEOMETRIC) or nominal.frame_index is not None
    table = "morphable" if shaped else "parametric"
    try:
        parametric = robot.quantity(f"{table}.{driven.evaluated}")
    except (JounceError, AttributeError, ValueError) as error:
        raise ArgumentError(
            f"{title}: the quantity has no variant with the robot's parameters as arguments"
            f" ({table}); choose one of {', '.join(getattr(robot, table).definitions)}"
        ) from error
    batch, points = _flatten(robot, nominal, parametric, arguments, variation, named, title)
    count, columns, armature = int(np.prod(batch, dtype=int)), None, None
    if driven.name != driven.evaluated:
        _refuse_friction_laws(robot, title)
        columns = _drive_columns(robot, points, variation)
        armature = variation.nominal.drives[0, 0]
    shape = nominal.kernel.outputs[0]
    drives = (columns, armature, driven.drives)
    return Evaluation(parametric, title, points, count, shape, *drives), batch


def _flatten(
    robot: Any,
    nominal: Any,
    parametric: Any,
    arguments: Sequence[ArrayLike],
    variation: Variation,
    named: Mapping[str, ArrayLike],
    title: str,
) -> tuple[tuple[int, ...], dict[str, np.ndarray | None]]:
    """Return the batch axes of the points, and arguments (p, 1, ...); None: the robot's numbers."""
    names = nominal.definition.arguments
    if not isinstance(arguments, Sequence) or len(arguments) != len(names):
        several = isinstance(arguments, Sequence)
        description = f"{len(arguments)} of them" if several else type(arguments).__name__
        wanted = ", ".join(names) + "," * (len(names) == 1)
        raise ArgumentError(f"{title}: arguments must be a tuple ({wanted}), found {description}")
    optional = (*parametric.definition.optional, *parametric.definition.base)
    for name in named:
        if name not in optional:
            raise ArgumentError(
                f"{title} takes no '{name}'; by name it takes {', '.join(optional) or 'nothing'}"
            )
    for name, x in zip(names, arguments, strict=True):
        if name in ("q", "v", "a", "tau"):
            labels = robot.labels("q" if name == "q" else "v")
            refuse_other_order(x, labels, f"{title}: argument '{name}'")
    numbers = parametric.definition.arguments[len(names) :]
    robot_numbers = dict(zip(("pi", "placements", "screws"), variation.nominal, strict=False))
    values = (*arguments, *(robot_numbers[name][0] for name in numbers))
    batch = np.shape(parametric(*values, **named))  # raises ArgumentError if shapes do not fit
    batch = batch[: len(batch) - len(nominal.definition.shape)]
    if 0 in batch:
        raise ArgumentError(f"{title}: there are no points: the arguments have batch axes {batch}")
    call = parametric.bind(values, dict(named))
    out: dict[str, np.ndarray | None] = {}
    for name, x in zip(call.names, parametric.convert(call.names, call.values), strict=True):
        core = x.shape[x.ndim - len(parametric.definition.argument(name).shape) :]
        if name in numbers:
            out[name] = None
            continue
        points = np.broadcast_to(x, (*batch, *core)).astype(float).reshape(-1, 1, *core)
        bad = np.argwhere(~np.isfinite(points))
        if len(bad):
            raise ArgumentError(f"{title}: argument '{name}' is not finite at point {bad[0][0]}")
        out[name] = points
    return batch, out


def _drive_columns(robot: Any, points: Mapping[str, Any], variation: Variation) -> np.ndarray:
    """Return forces (p, 3 nt, nv) for one unit of each armature, damping and friction.

    They are zero for parameters that the robot does not have.
    """
    q, v = points["q"][:, 0], points["v"][:, 0]
    a = points["a"][:, 0] if "a" in points else np.zeros_like(v)
    # A robot in contact has the drives of its tree.
    owner = robot if "inverse_dynamics" in robot.definitions else robot.robot
    every = owner.inverse_dynamics.dpi(q, v, a, extended=True)[..., robot.sizes["10nb"] :]
    every = every * (variation.nominal.drives[0] != 0.0).reshape(-1)
    return np.ascontiguousarray(every.swapaxes(1, 2))


def _refuse_friction_laws(robot: Any, title: str) -> None:
    """Raise an error for friction that is not linear in the numbers of the drives."""
    for joint in robot.model.joints:
        for name in ("stribeck_friction", "load_friction", "friction_smoothing"):
            if np.any(getattr(joint, name)):
                raise ArgumentError(
                    f"{title}: where drives vary, friction must be damping v + friction sign(v),"
                    f" found {name} of joint '{joint.name}'; set it to 0 by"
                    " robot.edit.with_friction"
                )


# ------------------------------------------------------------------ the pilot run


def _make_problem(
    evaluation: Evaluation,
    variation: Variation,
    samples: Any,
    seed: Any,
    sampling: str,
    sobol: bool,
    bins: Any,
) -> Problem:
    """Evaluate the nominal robot and a pilot run, which sets the range of the histograms."""
    title = evaluation.title
    count = _check_integer(samples, "samples", 2, MAX_SAMPLES)
    seed = _check_integer(seed, "seed", 0, _MAX_SEED)
    bins = _check_integer(bins, "bins", 8, MAX_SAMPLES)
    check_method(sampling, variation.count)
    size = int(np.prod(evaluation.shape, dtype=int))
    groups, covariance = len(variation.groups) if sobol else 0, size <= MAX_COVARIANCE
    zeros = np.zeros((evaluation.points, size))
    layout = Layout(groups, covariance, bins, zeros, zeros)
    if layout.size > _MAX_NUMBERS:
        raise ArgumentError(
            f"{title}: {evaluation.points} points with {size} results each, {bins} bins and"
            f" {groups} groups of parameters need {layout.size:.2g} numbers in memory, at most"
            f" {_MAX_NUMBERS:.2g} are allowed; use fewer points, fewer bins, or sobol=False"
        )
    with np.errstate(all="ignore"):  # add_chunk reports results that are not finite
        nominal = evaluation(variation, np.zeros((1, variation.count)))[:, 0]
        if not np.isfinite(nominal).all():
            point = int(np.argwhere(~np.isfinite(nominal))[0][0])
            raise ArgumentError(
                f"{title}: the nominal robot has no finite result at point {point}; check the"
                " arguments there"
            )
        rows = min(_PILOT, max(64, engine.chunk_size(nominal.size)))
        u = draw_points(sampling, variation.count, rows, seed, _PILOT_CHUNK)
        pilot = evaluation(variation, variation.transform(u)) - nominal[:, None]
        mean, spread = pilot.mean(axis=1), pilot.std(axis=1)
        half = np.maximum(6.0 * spread, 1.2 * np.abs(pilot - mean[:, None]).max(axis=1))
    # Entries that differ by round-off only, of themselves or of the largest entry, are constant.
    scale = np.maximum(np.abs(nominal), 0.1 * np.abs(nominal).max(axis=1, keepdims=True))
    half = np.where(np.isfinite(half) & (half > 1e-13 * scale), half, 0.0)
    mean = np.where(half > 0.0, mean, 0.0)
    layout = Layout(groups, covariance, bins, -half, 2.0 * half / bins)
    return Problem(evaluation, variation, count, seed, sampling, nominal, nominal + mean, layout)
