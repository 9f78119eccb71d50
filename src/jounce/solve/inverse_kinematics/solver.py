"""Inverse kinematics of a robot or a mechanism: validation, search and report."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, reduce
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.configurations import is_count, make_generator
from jounce.arrays.validation import check_core, plain, refuse_degrees, refuse_other_joints
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.goals import LoopGoal
from jounce.model.limits import Limits
from jounce.solve.inverse_kinematics.array_libraries import (
    HOST,
    Arrays,
    find_array_library,
    to_numpy,
)
from jounce.solve.inverse_kinematics.problem import Problem, add_loops, make_problem
from jounce.solve.inverse_kinematics.search import (
    Samples,
    SearchResult,
    SearchSettings,
    concatenate_results,
    search,
)
from jounce.solve.inverse_kinematics.single import solve_single
from jounce.solve.inverse_kinematics.solution import Bounds, Solution
from jounce.solve.inverse_kinematics.step import make_step
from jounce.utils.progress import track

if TYPE_CHECKING:
    from jounce.robot.inverse_kinematics import RobotOrMechanism

#: Samples in a chunk: enough to use all threads, few enough for a progress bar.
_CHUNK_SAMPLES = 1 << 15


def solve(
    robot: RobotOrMechanism,
    targets: Any,
    q0: Any,
    *,
    tolerance: Any,
    iterations: Any,
    restarts: Any,
    rng: Any,
    limits: Any,
    posture: Any,
    posture_weight: Any,
    strict: bool,
) -> Solution:
    """Solve inverse kinematics; see `jounce.robot.inverse_kinematics.inverse_kinematics`."""
    title = printable(f"{robot.name}.inverse_kinematics")
    for name, count in (("iterations", iterations), ("restarts", restarts)):
        if not is_count(count):
            raise ArgumentError(f"{title}: {name} must be an integer >= 0, found {count!r}")
    tolerances = _tolerance_pair(tolerance, title)
    counts = max(int(iterations), 1), int(restarts)
    solution, near = None, (posture, posture_weight)
    if limits is True and _is_plain(rng, posture_weight):
        solution = solve_single(robot, title, targets, q0, *near, tolerances, counts, rng)
    if solution is None:
        solution = _solve_batch(robot, title, targets, q0, *near, tolerances, counts, rng, limits)
    if strict and not np.all(to_numpy(solution.success)):
        solution = solution._on_host
        index = tuple(np.argwhere(~np.asarray(solution.success))[0].tolist())
        where = f" sample {index}:" if index else ""
        raise ModelError(f"{title}:{where} {solution._reason(index)}")
    return solution


def _is_plain(rng: Any, weight: Any) -> bool:
    """Return whether options need no checks: a seed or generator, and a finite weight >= 0."""
    seed = rng is None or (type(rng) is int and rng >= 0) or isinstance(rng, np.random.Generator)
    return seed and type(weight) in (float, int) and 0.0 <= weight < math.inf


def _solve_batch(
    robot: RobotOrMechanism,
    title: str,
    targets: Any,
    q0: Any,
    posture: Any,
    posture_weight: Any,
    tolerance: tuple[float, float],
    counts: tuple[int, int],
    rng: Any,
    limits: Any,
) -> Solution:
    """Solve for any targets; counts: maximum numbers of iterations and restarts."""
    arrays = find_array_library((targets, q0, posture), title)
    with arrays.search_context():
        problem = make_problem(robot.model, targets, title, arrays.reader)
        if robot.tree.active is not None:
            problem = add_loops(problem)
        loop_tolerance = robot.closure_tolerance
        tolerances = [
            loop_tolerance if isinstance(g, LoopGoal) else tolerance[g.angular]
            for g in problem.goals
        ]
        bounds = Bounds(*robot.limits.bounded, _select_limits(robot, limits, title))
        configurations = _read_configurations(robot, problem, q0=q0, posture=posture)
        near = "posture" in configurations
        squared_weight = _posture_weight(robot, near, posture_weight, title)
        batch = _batch_shape(problem, configurations)
        faults, messages = _assign_faults(problem, batch)
        samples = _samples(
            robot,
            problem,
            configurations,
            bounds,
            (np.array(tolerances), squared_weight),
            faults == 0,
            batch,
        )
        if problem.arrays is not arrays:
            samples, faults = (
                Samples(*map(arrays.from_numpy, samples.all)),
                arrays.from_numpy(faults),
            )
        starts = _later_starts(robot, bounds, make_generator(rng, title), counts[1], arrays)
        step = make_step(robot, problem.goals, bounds.limits, near, arrays)
        settings = SearchSettings(step, starts, *counts, arrays)
        result = _search_chunks(settings, samples, title)
        if robot.tree.active is not None:
            result = _close(robot, settings, samples, result)
        return _report(problem, result, batch, (faults, messages), bounds, arrays)


def project_into_limits(robot: RobotOrMechanism, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find configurations (n, nq) near q within limits and with closed loops.

    Return them and a mask (n,) of those that were found.
    """
    problem = add_loops(Problem(robot.model, robot.name))
    bounds = Bounds(*robot.limits.bounded, robot.limits.all_joints)
    none = np.zeros((len(q), 0))
    numbers = problem.pack((len(q),))
    tolerances = np.full((len(q), len(problem.goals)), robot.closure_tolerance)
    sound = np.ones(len(q), dtype=bool)
    samples = Samples(bounds.clip(q, HOST), numbers, tolerances, none, none, sound)
    step = make_step(robot, problem.goals, bounds.limits, near=False, arrays=HOST)
    with HOST.search_context():
        result = _search_chunks(
            SearchSettings(step, lambda: q[:0], 100, 0, HOST), samples, robot.name
        )
    return result.q, result.solved


# ------------------------------------------------------------------ arguments


def _tolerance_pair(tolerance: Any, title: str) -> tuple[float, float]:
    """Return the tolerances in m and in rad."""
    if type(tolerance) is float and tolerance > 0.0:
        return tolerance, tolerance
    pair = tolerance if isinstance(tolerance, (tuple, list)) else (tolerance, tolerance)
    numbers = all(isinstance(x, Real) and not isinstance(x, bool) and float(x) > 0 for x in pair)
    if len(pair) != 2 or not numbers:
        raise ArgumentError(
            f"{title}: tolerance must be a number > 0 or a pair of them (m, rad), found"
            f" {tolerance!r}"
        )
    return float(pair[0]), float(pair[1])


def _select_limits(robot: RobotOrMechanism, limits: Any, title: str) -> Limits:
    """Return the limits of all joints: the robot's, none, or those of the caller."""
    robot_limits = robot.limits.all_joints
    if limits is True:
        return robot_limits
    if limits is False:
        none = np.full(len(robot_limits.names), np.inf)
        return Limits(robot_limits.names, -none, none, none, none)
    if not isinstance(limits, Limits) or limits.names != robot.limits.names:
        raise ArgumentError(
            f"{title}: limits must be True, False, or limits of the same joints such as"
            f" dataclasses.replace(robot.limits, upper=...), found {limits!r:.60}"
        )
    entries, lower, upper = (
        list(robot.velocities),
        robot_limits.lower.copy(),
        robot_limits.upper.copy(),
    )
    lower[entries], upper[entries] = limits.lower, limits.upper
    return Limits(robot_limits.names, lower, upper, robot_limits.velocity, robot_limits.effort)


def _read_configurations(
    robot: RobotOrMechanism, problem: Problem, **arguments: Any
) -> dict[str, Any]:
    """Return the configurations (..., nq) among the arguments, by argument name."""
    out, xp = {}, problem.arrays.xp
    for name, x in arguments.items():
        if x is not None:
            what = f"{problem.title}: argument '{name}'"
            refuse_other_joints(robot, x, "q", what)
            refuse_degrees(x, what)
            problem.note_dtype(x)
            q = check_core(problem.arrays.array(x, what), what, (robot.sizes["nq"],))
            problem.add_fault(f"{name} is not finite", ~xp.all(xp.isfinite(q), axis=-1))
            out[name] = q
    return out


def _samples(
    robot: RobotOrMechanism,
    problem: Problem,
    configurations: dict[str, Any],
    bounds: Bounds,
    weights: tuple[np.ndarray, np.ndarray],
    sound: Any,
    batch: tuple[int, ...],
) -> Samples:
    """Return the inputs of a search; weights: tolerances of goals, squared posture weights."""
    arrays, (tolerances, squared_weight) = problem.arrays, weights
    start = configurations.get("q0", configurations.get("posture"))
    start = arrays.from_numpy(robot.start_configuration()) if start is None else start
    posture = configurations.get("posture", arrays.from_numpy(np.zeros(0)))
    numbers = problem.pack(batch)
    counts = numbers[:, arrays.from_numpy(np.array(problem.weight_places, dtype=int))] > 0.0
    return Samples(
        _broadcast_rows(arrays, bounds.clip(start, arrays), batch),
        numbers,
        arrays.xp.where(counts, arrays.from_numpy(tolerances), np.inf),
        _broadcast_rows(arrays, posture, batch),
        _broadcast_rows(arrays, arrays.from_numpy(squared_weight), batch),
        sound,
    )


def _posture_weight(robot: RobotOrMechanism, near: bool, weight: Any, title: str) -> np.ndarray:
    """Return the squared posture weights (nv,); (0,) without a posture."""
    nv, what = robot.sizes["nt"], f"{title}: argument 'posture_weight'"
    refuse_other_joints(robot, weight, "t", what)
    weights = np.asarray(plain(weight, what), dtype=float)
    if weights.shape not in ((), (nv,)) or not np.all(np.isfinite(weights) & (weights >= 0.0)):
        raise ArgumentError(
            f"{title}: posture_weight must be a number >= 0 or an array ({nv},) of such, found"
            f" {weight!r}"
        )
    return np.broadcast_to(weights * weights, (nv,)) if near else np.zeros(0)


def _batch_shape(problem: Problem, configurations: dict[str, Any]) -> tuple[int, ...]:
    """Return the common batch shape of targets and configurations."""
    shapes = {
        **problem.batch_shapes(),
        **{k: tuple(x.shape[:-1]) for k, x in configurations.items()},
    }
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ArgumentError(f"{problem.title}: batch axes do not broadcast: {text}") from None


def _assign_faults(problem: Problem, batch: tuple[int, ...]) -> tuple[Any, tuple[str, ...]]:
    """Return the message index of each sample's fault (n,), 0 for none, and the messages."""
    arrays = problem.arrays
    which = arrays.full(batch, 0)
    for k, (_, wrong) in reversed(list(enumerate(problem.faults, 1))):
        which = arrays.xp.where(arrays.xp.broadcast_to(wrong, batch), k, which)
    return which.reshape(-1), ("", *(words for words, _ in problem.faults))


def _broadcast_rows(arrays: Arrays, x: Any, batch: tuple[int, ...]) -> Any:
    """Broadcast an array to one row (n, size) per sample."""
    size = x.shape[-1]
    return arrays.xp.broadcast_to(x, (*batch, size)).reshape((math.prod(batch), size))


# ------------------------------------------------------------------ the search


def _later_starts(
    robot: RobotOrMechanism, bounds: Bounds, rng: np.random.Generator, count: int, arrays: Arrays
) -> Callable[[], Any]:
    """Return a function that draws random start configurations (count, nq), once."""

    @cache
    def draw() -> Any:
        return arrays.from_numpy(bounds.clip(robot.random(rng, count), HOST))

    return draw


def _search_chunks(settings: SearchSettings, samples: Samples, title: str) -> SearchResult:
    """Search all samples, chunk by chunk."""
    count, size = len(samples.start), _CHUNK_SAMPLES * settings.arrays.chunk_factor
    chunks = [slice(k, k + size) for k in range(0, max(count, 1), size)]
    if len(chunks) == 1:
        return search(settings, samples)
    tracked = track(chunks, title, quiet=True)
    return concatenate_results(
        settings.arrays, [search(settings, samples.part(chunk)) for chunk in tracked]
    )


def _close(
    robot: RobotOrMechanism, settings: SearchSettings, samples: Samples, result: SearchResult
) -> SearchResult:
    """Close the loops of unsolved samples, and recompute their errors.

    Loops are closed on the CPU: usually few samples are unsolved.
    """
    arrays = settings.arrays
    (unsolved,) = np.nonzero(to_numpy(samples.sound & ~result.solved))
    if not len(unsolved):
        return result
    index = arrays.from_numpy(unsolved)
    q = arrays.from_numpy(robot.close_loops(to_numpy(result.q[index])))
    subset = samples.take_rows(arrays, index)
    posture_terms = (
        (subset.posture, subset.posture_weight) if subset.posture_weight.shape[1] else ()
    )
    # a step with infinite damping leaves q unchanged
    held = settings.step(q, arrays.full((len(unsolved),), np.inf), subset.numbers, *posture_terms)
    q, errors = arrays.set_rows((result.q, result.errors), index, (q, held[3]))
    return replace(result, q=q, errors=errors)


# ------------------------------------------------------------------ the report


def _report(
    problem: Problem,
    result: SearchResult,
    batch: tuple[int, ...],
    faults: tuple[Any, tuple[str, ...]],
    bounds: Bounds,
    arrays: Arrays,
) -> Solution:
    """Return the solution with the batch shape of the arguments."""
    xp = arrays.xp
    zeros = arrays.full((len(result.q),), 0.0)
    loops = [k for k, goal in enumerate(problem.goals) if isinstance(goal, LoopGoal)]
    target_goals = [k for k in range(len(problem.goals)) if k not in loops]
    names = tuple(dict.fromkeys(problem.names[k] for k in target_goals))
    misses = [dict.fromkeys(names, zeros) for _ in range(2)]
    for k in target_goals:
        errors_by_name, name = misses[int(problem.goals[k].angular)], problem.names[k]
        errors_by_name[name] = xp.fmax(errors_by_name[name], result.errors[:, k])
    gap = reduce(xp.maximum, (result.errors[:, k] for k in loops), zeros)
    wrong = (faults[0] > 0)[:, None]
    distances, angles = (
        arrays.result(xp.where(wrong, np.nan, xp.stack([*x.values()], axis=-1))) for x in misses
    )
    single = lambda x: arrays.result(x).reshape(batch)[()]  # noqa: E731
    q = arrays.result(arrays.cast(result.q, problem.precision()))
    return Solution(
        q=q.reshape((*batch, result.q.shape[1])),
        success=single(result.solved),
        targets=names,
        distances=distances.reshape((*batch, len(names))),
        angles=angles.reshape((*batch, len(names))),
        gap=single(gap),
        iterations=single(result.iterations),
        restarts=single(result.restarts),
        _fault_codes=single(faults[0]),
        _fault_messages=faults[1],
        _bounds=bounds,
    )
