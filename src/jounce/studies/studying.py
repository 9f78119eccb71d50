"""Monte Carlo studies: what uncertain parameters do to a quantity along a trajectory."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.arrays import refuse_other_order, together
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.wrenches import on_bodies
from jounce.errors import ArgumentError, JounceError, explain_call, printable
from jounce.robot.system import System
from jounce.runtime.trace import core_shape
from jounce.solve.mechanism.robot import Mechanism
from jounce.studies import engines
from jounce.studies.evaluation import Evaluation
from jounce.studies.kinds import Amount
from jounce.studies.problem import PILOT, Problem, State, chunk_size, draws, state_size
from jounce.studies.result import Study
from jounce.studies.variation import DRIVES, GEOMETRIC, INERTIAL, Variation, variation
from jounce.utils.deprecation import function_named_as_package

if TYPE_CHECKING:
    from distributed import Client

#: Levels of the quantiles, unless others are asked for.
LEVELS = (0.01, 0.05, 0.5, 0.95, 0.99)

#: Bins of the histograms that quantiles come from. They reach over six standard deviations of a
#: first few samples on both sides, so a bin is 0.04 of one.
BINS = 300

#: Most samples: their numbers fit into what counts them. And the largest seed.
MOST_SAMPLES, _SEEDS = 10**15, 2**256

#: Entries of a result up to which covariances are kept.
MOST_COVARIANCES = 64

#: Numbers that the state of a study may hold: 256 MB, and some states are there at a time.
_MOST_NUMBERS = 1 << 25


class _Rubbing(NamedTuple):
    """What joints that rub make of a quantity: its name, what is evaluated, and the drives."""

    name: str
    evaluated: str
    drives: Literal["added", "taken"]


_FORCES = _Rubbing("motor_forces", "inverse_dynamics", "added")
_MOTION = _Rubbing("driven_dynamics", "forward_dynamics", "taken")
_RUBBING = {x: rubbing for rubbing in (_FORCES, _MOTION) for x in (rubbing.evaluated, rubbing.name)}


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
        Standard deviations by kind (`jounce.studies.KINDS`), such as
        {"inertia": "5%", "placement[joint2]": "0.1mm 0.05deg"}. An entry that names a body or
        joint overrides the general one.
    samples : int
        Number of robots drawn, each evaluated at all points.
    t : array_like
        Times of the points in s, or dates, for plots.
    seed : int
        Seed of the random numbers. The same seed gives the same numbers to the last bit, for any
        number of threads or workers on processors of one kind; on GPUs to rounding.
    quantiles : sequence of float
        Levels of the quantiles.
    sobol : bool
        Compute Sobol indices, which attribute the variance to parameters. Takes half as much time
        again, or more for large results.
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
    """
    start = time.perf_counter()
    title = _title(robot, quantity)
    varied = variation(robot, {} if vary is None else vary, title)
    levels = _levels(quantiles)
    evaluation, batch = _evaluation(robot, arguments, quantity, varied, named, title)
    problem = _problem(evaluation, varied, samples, seed, sobol, bins, title)
    times = _times(t, batch, title)
    state = _computed(problem, client, devices, threads)
    return Study.of(
        problem,
        state,
        quantity=_RUBBING[quantity].name if varied.varies(DRIVES) else quantity,
        levels=levels,
        batch=batch,
        t=times,
        vary=dict(vary or {}),
        seconds=time.perf_counter() - start,
    )


def _computed(problem: Problem, client: Any, devices: Any, threads: int | None) -> State:
    if threads is not None and (client is not None or devices is not None):
        raise ArgumentError("threads: the threads of this process; not with a client or devices")
    if client is not None:
        return engines.on_cluster(problem, client, devices is not None)
    if devices is not None:
        return engines.on_devices(problem, engines.device_numbers(devices))
    if threads is not None:
        threads = _integer(threads, "threads", 1, MOST_SAMPLES)
    return engines.on_threads(problem, threads)


# ------------------------------------------------------------------ what users give


def _title(robot: Any, quantity: Any) -> str:
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


def _integer(x: Any, name: str, least: int, most: int) -> int:
    """A whole number, also one such as 1e6."""
    whole = isinstance(x, (int, np.integer)) and not isinstance(x, bool)
    if not whole and isinstance(x, (float, np.floating)):
        whole = float(x).is_integer()
    if not whole or x < least:
        raise ArgumentError(f"{name} must be a whole number >= {least}, found {x!r}")
    if x > most:
        raise ArgumentError(f"{name} must be a whole number up to {most:.3g}, found a larger one")
    return int(x)


def _levels(quantiles: Sequence[float]) -> tuple[float, ...]:
    try:
        levels = tuple(float(x) for x in quantiles)
    except (TypeError, ValueError):
        levels = (-1.0,)
    if not all(0.0 <= x <= 1.0 for x in levels):
        raise ArgumentError(f"quantiles must be levels from 0 to 1, found {quantiles!r}")
    return levels


def _times(t: ArrayLike | None, batch: tuple[int, ...], title: str) -> np.ndarray | None:
    if t is None:
        return None
    try:
        times = np.asarray(t)
        if times.dtype.kind == "M":  # dates
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


def _evaluation(
    robot: Any,
    arguments: Sequence[ArrayLike],
    quantity: str,
    varied: Variation,
    named: Mapping[str, ArrayLike],
    title: str,
) -> tuple[Evaluation, tuple[int, ...]]:
    """The quantity as a function of the robot's numbers, and the batch axes of the points."""
    own = robot.quantity(quantity)
    _check(robot, own, quantity, varied, title)
    rubs = varied.varies(DRIVES)
    _, name, drives = _RUBBING[quantity] if rubs else (quantity, quantity, "added")
    table = "morphable" if varied.varies(GEOMETRIC) or own.frame_index is not None else "parametric"
    found = _with_numbers(robot, table, name, title)
    batch, given, further = _points(robot, own, found, arguments, named, title)
    columns = armature = None
    if rubs:
        armature = varied.nominal.drives[0, 0]
        columns = _columns(robot, given) * (varied.nominal.drives[0] != 0.0).reshape(-1)
    shape = own.kernel.outputs[0]
    return Evaluation(robot, name, table, shape, given, further, columns, drives, armature), batch


def _check(robot: Any, own: QuantityProtocol, quantity: str, varied: Variation, title: str) -> None:
    """Refuse what cannot be studied, with a sentence."""
    if len(own.definition.shapes) != 1:
        raise ArgumentError(
            f"{title}: it has several results; choose a quantity with one, such as"
            " 'inverse_dynamics'"
        )
    inertial, shaped = (
        sorted({g.kind for g in varied.groups} & {*k}) for k in (INERTIAL, GEOMETRIC)
    )
    if own.frame_index is not None and inertial:
        raise ArgumentError(
            f"{title}: quantities of frames do not depend on {', '.join(inertial)}; vary"
            f" {' or '.join(GEOMETRIC)}"
        )
    if isinstance(robot, Mechanism) and shaped:
        raise ArgumentError(
            f"{title}: {', '.join(shaped)} of a mechanism cannot vary: its loops would be open at"
            f" the configurations that are given; vary {', '.join((*INERTIAL, *DRIVES))}, or study"
            " its tree, .robot"
        )
    drives = [name for name in DRIVES if varied.varies((name,))]
    if drives and quantity not in _RUBBING:
        raise ArgumentError(
            f"{title}: {', '.join(drives)} can vary in {', '.join(_RUBBING)}; choose one of these,"
            " or leave them out"
        )
    if "armature" in drives and _RUBBING[quantity].drives == "taken":
        raise ArgumentError(
            f"{title}: armature cannot vary in {quantity}, whose mass matrix it is part of; study"
            " inverse_dynamics"
        )


def _with_numbers(robot: Any, table: str, name: str, title: str) -> QuantityProtocol:
    """The quantity in a table in which the robot's numbers are arguments."""
    try:
        return robot.quantity(f"{table}.{name}")
    except (JounceError, AttributeError, ValueError) as error:
        known = ", ".join(getattr(robot, table).definitions)
        raise ArgumentError(
            f"{title}: it cannot be had with the robot's numbers as arguments ({table});"
            f" choose one of {known}"
        ) from error


def _points(
    robot: Any,
    own: QuantityProtocol,
    found: QuantityProtocol,
    arguments: Sequence[ArrayLike],
    named: Mapping[str, ArrayLike],
    title: str,
) -> tuple[tuple[int, ...], dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Batch axes of the points; arguments and those by name as arrays with one axis of points."""
    names = own.definition.arguments
    if not isinstance(arguments, Sequence) or len(arguments) != len(names):
        several = isinstance(arguments, Sequence)
        there = f"{len(arguments)} of them" if several else type(arguments).__name__
        one = "," if len(names) == 1 else ""
        raise ArgumentError(
            f"{title}: arguments must be a tuple ({', '.join(names)}{one}), found {there}"
        )
    optional = (*found.definition.optional, *found.definition.base)
    for name in named:
        if name not in optional:
            raise ArgumentError(
                f"{title} takes no '{name}'; by name it takes {', '.join(optional) or 'nothing'}"
            )
    values = dict(zip(names, arguments, strict=True))
    for name in {"q", "v", "a", "tau"} & {*values}:
        labels = robot.labels("q" if name == "q" else "v")
        refuse_other_order(values[name], labels, f"{title}: argument '{name}'")
    values |= {
        name: on_bodies(robot.model, name, x, title) for name, x in named.items() if x is not None
    }
    sizes = {
        name: core_shape(found.definition.argument(name).shape, robot.sizes) for name in values
    }
    batch, arrays = together(title, values, sizes)
    if 0 in batch:
        raise ArgumentError(f"{title}: there are no points: the arguments have batch axes {batch}")
    flat = {
        name: np.ascontiguousarray(
            np.broadcast_to(np.asarray(x, dtype=float), (*batch, *sizes[name]))
        ).reshape(-1, *sizes[name])
        for name, x in zip(values, arrays, strict=True)
    }
    for name, x in flat.items():
        bad = np.flatnonzero(~np.isfinite(x).reshape(len(x), -1).all(axis=1))
        if len(bad):
            raise ArgumentError(f"{title}: argument '{name}' is not finite at point {bad[0]}")
    given = {name: flat[name] for name in names}
    return batch, given, {name: x for name, x in flat.items() if name not in names}


def _columns(robot: Any, given: Mapping[str, np.ndarray]) -> np.ndarray:
    """Forces (p, nv, 3 nt) of armature, damping and friction for one unit of each."""
    q, v = given["q"], given["v"]
    a = given.get("a", np.zeros_like(v))
    # of a robot in contact, whose drives are those of its tree
    owner = robot if "inverse_dynamics" in robot.definitions else robot.robot
    every = owner.inverse_dynamics.dpi(q, v, a, extended=True)
    return np.ascontiguousarray(every[..., robot.sizes["10nb"] :])


# ------------------------------------------------------------------ before the first chunk


def _problem(
    evaluation: Evaluation,
    varied: Variation,
    samples: Any,
    seed: Any,
    sobol: bool,
    bins: Any,
    title: str,
) -> Problem:
    """The problem with what a first few samples say of how far values are spread."""
    count, seed = _integer(samples, "samples", 2, MOST_SAMPLES), _integer(seed, "seed", 0, _SEEDS)
    bins = _integer(bins, "bins", 8, MOST_SAMPLES)
    size = int(np.prod(evaluation.shape, dtype=int))
    shape = (evaluation.points, size)
    covariance = size <= MOST_COVARIANCES
    held = state_size(*shape, bins, len(varied.groups) * bool(sobol), covariance)
    if held > _MOST_NUMBERS:
        raise ArgumentError(
            f"{title}: {shape[0]} points with {size} results each, {bins} bins and"
            f" {len(varied.groups)} groups of parameters are {held:.2g} numbers to keep, more than"
            f" {_MOST_NUMBERS:.2g}; take fewer points, fewer bins, or sobol=False"
        )
    nominal = np.empty((1, *shape))
    evaluation(varied.numbers(np.zeros((1, varied.count))), nominal)
    if not np.isfinite(nominal).all():
        point = int(np.nonzero(~np.isfinite(nominal[0]))[0][0])
        raise ArgumentError(f"{title}: the robot itself has no finite result at point {point}")
    x = draws(varied, seed, PILOT, min(512, max(64, chunk_size(nominal.size))))
    pilot = np.empty((len(x), *shape))
    evaluation(varied.numbers(x), pilot)
    pilot -= nominal
    bounds = _bounds(pilot, nominal[0], bins)
    return Problem(
        evaluation, varied, count, seed, nominal[0], bounds, bins, covariance, bool(sobol)
    )


def _bounds(pilot: np.ndarray, nominal: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Where histograms begin, as deviations from nominal, and how wide their bins are."""
    with np.errstate(all="ignore"):  # what is not finite is told of by the chunk that has it
        centre, spread = pilot.mean(axis=0), pilot.std(axis=0)
        most = np.abs(pilot - centre).max(axis=0)
    half = np.maximum(6.0 * spread, 1.2 * most)
    # what differs by rounding only does not vary: that of its own, or of the largest entry
    rounding = np.maximum(np.abs(nominal), 0.1 * np.abs(nominal).max(axis=1, keepdims=True))
    half = np.where(np.isfinite(half) & (half > 1e-13 * rounding), half, 0.0)
    return np.where(half > 0.0, centre - half, 0.0), 2.0 * half / bins
