"""Inverse kinematics of a robot or a mechanism: what is asked for, searched for and reported."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, reduce
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.configurations import generator, whole
from jounce.arrays.validation import plain, refuse_degrees, refuse_other_joints, with_core
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.goals import Shut
from jounce.model.limits import Limits
from jounce.solve.inverse_kinematics.array_libraries import HOST, Arrays, common, host
from jounce.solve.inverse_kinematics.problem import Problem, problem, with_loops
from jounce.solve.inverse_kinematics.search import Found, Samples, Search, joined, search
from jounce.solve.inverse_kinematics.single import solve_single
from jounce.solve.inverse_kinematics.solution import Bounds, Solution
from jounce.solve.inverse_kinematics.step import make_step
from jounce.utils.progress import track

if TYPE_CHECKING:
    from jounce.robot.inverse_kinematics import Reaching

#: Samples that are searched for together: enough for threads, few enough for a progress bar.
_TOGETHER = 1 << 15


def solve(
    robot: Reaching,
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
    """See `reaching.inverse_kinematics`."""
    title = printable(f"{robot.name}.inverse_kinematics")
    for name, count in (("iterations", iterations), ("restarts", restarts)):
        if not whole(count):
            raise ArgumentError(f"{title}: {name} must be a whole number >= 0, found {count!r}")
    met = _tolerance_pair(tolerance, title)
    counts = max(int(iterations), 1), int(restarts)
    out, near = None, (posture, posture_weight)
    if limits is True and _is_plain(rng, posture_weight):
        out = solve_single(robot, title, targets, q0, *near, met, counts, rng)
    if out is None:
        out = _solve_batch(robot, title, targets, q0, *near, met, counts, rng, limits)
    if strict and not np.all(host(out.success)):
        seen = out._seen
        at = tuple(np.argwhere(~np.asarray(seen.success))[0].tolist())
        where = f" sample {at}:" if at else ""
        raise ModelError(f"{title}:{where} {seen._reason(at)}")
    return out


def _is_plain(rng: Any, weight: Any) -> bool:
    """Whether options need no further checks: a seed or generator, and a weight that counts."""
    seed = rng is None or (type(rng) is int and rng >= 0) or isinstance(rng, np.random.Generator)
    return seed and type(weight) in (float, int) and 0.0 <= weight < math.inf


def _solve_batch(
    robot: Reaching,
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
    """Solve for any targets; title: how messages begin, counts: most iterations and restarts."""
    arrays = common((targets, q0, posture), title)
    with arrays.working():
        asked = problem(robot.model, targets, title, arrays.reader)
        if robot.tree.active is not None:
            asked = with_loops(asked)
        closed = robot.closure_tolerance
        met = [closed if isinstance(g, Shut) else tolerance[g.turns] for g in asked.goals]
        bounds = Bounds(*robot.limits.bounded, _allowed(robot, limits, title))
        places = _places(robot, asked, q0=q0, posture=posture)
        near = "posture" in places
        pull = _pull(robot, near, posture_weight, title)
        batch = _batch(asked, places)
        faults, words = _faults(asked, batch)
        samples = _samples(robot, asked, places, bounds, (np.array(met), pull), faults == 0, batch)
        if asked.arrays is not arrays:
            samples, faults = Samples(*map(arrays.own, samples.all)), arrays.own(faults)
        starts = _later_starts(robot, bounds, generator(rng, title), counts[1], arrays)
        step = make_step(robot, asked.goals, bounds.limits, near, arrays)
        how = Search(step, starts, *counts, arrays)
        found = _searched(how, samples, title)
        if robot.tree.active is not None:
            found = _close(robot, how, samples, found)
        return _report(asked, found, batch, (faults, words), bounds, arrays)


def moved_within(robot: Reaching, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Configurations (n, nq) near q with closed loops and within limits, and which were found."""
    asked = with_loops(Problem(robot.model, robot.name))
    bounds = Bounds(*robot.limits.bounded, robot.limits.all_joints)
    none = np.zeros((len(q), 0))
    numbers = asked.packed((len(q),))
    met = np.full((len(q), len(asked.goals)), robot.closure_tolerance)
    sound = np.ones(len(q), dtype=bool)
    samples = Samples(bounds.cut_off(q, HOST), numbers, met, none, none, sound)
    step = make_step(robot, asked.goals, bounds.limits, near=False, arrays=HOST)
    with HOST.working():
        found = _searched(Search(step, lambda: q[:0], 100, 0, HOST), samples, robot.name)
    return found.q, found.solved


# ------------------------------------------------------------------ what is asked for


def _tolerance_pair(tolerance: Any, title: str) -> tuple[float, float]:
    """Return what counts as met, in m and in rad."""
    if type(tolerance) is float and tolerance > 0.0:
        return tolerance, tolerance
    pair = tolerance if isinstance(tolerance, (tuple, list)) else (tolerance, tolerance)
    numbers = all(isinstance(x, Real) and not isinstance(x, bool) and float(x) > 0 for x in pair)
    if len(pair) != 2 or not numbers:
        raise ArgumentError(
            f"{title}: tolerance must be a number > 0, or two, for m and for rad; found"
            f" {tolerance!r}"
        )
    return float(pair[0]), float(pair[1])


def _allowed(robot: Reaching, limits: Any, title: str) -> Limits:
    """Limits of all joints: the robot's, none, or those that are given."""
    own = robot.limits.all_joints
    if limits is True:
        return own
    if limits is False:
        none = np.full(len(own.names), np.inf)
        return Limits(own.names, -none, none, none, none)
    if not isinstance(limits, Limits) or limits.names != robot.limits.names:
        raise ArgumentError(
            f"{title}: limits must be True, False, or limits of the same joints, as"
            f" dataclasses.replace(robot.limits, upper=...) makes them; found {limits!r:.60}"
        )
    at, lower, upper = list(robot.velocities), own.lower.copy(), own.upper.copy()
    lower[at], upper[at] = limits.lower, limits.upper
    return Limits(own.names, lower, upper, own.velocity, own.effort)


def _places(robot: Reaching, asked: Problem, **given: Any) -> dict[str, Any]:
    """Configurations (..., nq) that are given, by what they are for."""
    out, xp = {}, asked.arrays.xp
    for name, x in given.items():
        if x is not None:
            what = f"{asked.title}: argument '{name}'"
            refuse_other_joints(robot, x, "q", what)
            refuse_degrees(x, what)
            asked.note(x)
            q = with_core(asked.arrays.array(x, what), what, (robot.sizes["nq"],))
            asked.fault(f"{name} is not finite", ~xp.all(xp.isfinite(q), axis=-1))
            out[name] = q
    return out


def _samples(
    robot: Reaching,
    asked: Problem,
    places: dict[str, Any],
    bounds: Bounds,
    weights: tuple[np.ndarray, np.ndarray],
    sound: Any,
    batch: tuple[int, ...],
) -> Samples:
    """All that a search is about; weights: what counts as met by each goal, and the pull."""
    arrays, (met, pull) = asked.arrays, weights
    start = places.get("q0", places.get("posture"))
    start = arrays.own(robot.start_configuration()) if start is None else start
    rest = places.get("posture", arrays.own(np.zeros(0)))
    numbers = asked.packed(batch)
    counts = numbers[:, arrays.own(np.array(asked.weight_places, dtype=int))] > 0.0
    return Samples(
        _wide(arrays, bounds.cut_off(start, arrays), batch),
        numbers,
        arrays.xp.where(counts, arrays.own(met), np.inf),
        _wide(arrays, rest, batch),
        _wide(arrays, arrays.own(pull), batch),
        sound,
    )


def _pull(robot: Reaching, near: bool, weight: Any, title: str) -> np.ndarray:
    """Squares of how much each velocity is drawn to a posture, (nv,); (0,) without one."""
    nv, what = robot.sizes["nt"], f"{title}: argument 'posture_weight'"
    refuse_other_joints(robot, weight, "t", what)
    given = np.asarray(plain(weight, what), dtype=float)
    if given.shape not in ((), (nv,)) or not np.all(np.isfinite(given) & (given >= 0.0)):
        raise ArgumentError(
            f"{title}: posture_weight must be a number >= 0, or ({nv},) of them, found {weight!r}"
        )
    return np.broadcast_to(given * given, (nv,)) if near else np.zeros(0)


def _batch(asked: Problem, places: dict[str, Any]) -> tuple[int, ...]:
    """The leading axes of all that is given."""
    shapes = {**asked.batches(), **{k: tuple(x.shape[:-1]) for k, x in places.items()}}
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ArgumentError(f"{asked.title}: batch axes do not broadcast: {text}") from None


def _faults(asked: Problem, batch: tuple[int, ...]) -> tuple[Any, tuple[str, ...]]:
    """Which of the words (n,) say what is wrong with each sample; 0 if nothing is."""
    arrays = asked.arrays
    which = arrays.full(batch, 0)
    for k, (_, wrong) in reversed(list(enumerate(asked.faults, 1))):
        which = arrays.xp.where(arrays.xp.broadcast_to(wrong, batch), k, which)
    return which.reshape(-1), ("", *(words for words, _ in asked.faults))


def _wide(arrays: Arrays, x: Any, batch: tuple[int, ...]) -> Any:
    """One row (n, size) per sample."""
    size = x.shape[-1]
    return arrays.xp.broadcast_to(x, (*batch, size)).reshape((math.prod(batch), size))


# ------------------------------------------------------------------ the search


def _later_starts(
    robot: Reaching, bounds: Bounds, rng: np.random.Generator, count: int, arrays: Arrays
) -> Callable[[], Any]:
    """Where attempts after the first begin (count, nq): random, drawn when one is needed."""

    @cache
    def drawn() -> Any:
        return arrays.own(bounds.cut_off(robot.random(rng, count), HOST))

    return drawn


def _searched(how: Search, samples: Samples, title: str) -> Found:
    """What is found, a part of the samples after the other."""
    count, size = len(samples.start), _TOGETHER * how.arrays.together
    parts = [slice(k, k + size) for k in range(0, max(count, 1), size)]
    if len(parts) == 1:
        return search(how, samples)
    shown = track(parts, title, quiet=True)
    return joined(how.arrays, [search(how, samples.part(part)) for part in shown])


def _close(robot: Reaching, how: Search, samples: Samples, found: Found) -> Found:
    """Close the loops of samples that meet not all targets, and see what these miss then.

    Closing is the processor's work; it is about few.
    """
    arrays = how.arrays
    (left,) = np.nonzero(host(samples.sound & ~found.solved))
    if not len(left):
        return found
    index = arrays.own(left)
    q = arrays.own(robot.close_loops(host(found.q[index])))
    some = samples.rows(arrays, index)
    drawn = (some.rest, some.pull) if some.pull.shape[1] else ()
    # a step that is damped without bound goes nowhere
    still = how.step(q, arrays.full((len(left),), np.inf), some.numbers, *drawn)
    q, errors = arrays.put((found.q, found.errors), index, (q, still[3]))
    return replace(found, q=q, errors=errors)


# ------------------------------------------------------------------ the report


def _report(
    asked: Problem,
    found: Found,
    batch: tuple[int, ...],
    faults: tuple[Any, tuple[str, ...]],
    bounds: Bounds,
    arrays: Arrays,
) -> Solution:
    """What was found, in the shapes that were asked for."""
    xp = arrays.xp
    nothing = arrays.full((len(found.q),), 0.0)
    loops = [k for k, goal in enumerate(asked.goals) if isinstance(goal, Shut)]
    own = [k for k in range(len(asked.goals)) if k not in loops]
    names = tuple(dict.fromkeys(asked.names[k] for k in own))
    misses = [dict.fromkeys(names, nothing) for _ in range(2)]
    for k in own:
        at, name = misses[int(asked.goals[k].turns)], asked.names[k]
        at[name] = xp.fmax(at[name], found.errors[:, k])
    gap = reduce(xp.maximum, (found.errors[:, k] for k in loops), nothing)
    wrong = (faults[0] > 0)[:, None]
    distances, angles = (
        arrays.result(xp.where(wrong, np.nan, xp.stack([*x.values()], axis=-1))) for x in misses
    )
    single = lambda x: arrays.result(x).reshape(batch)[()]  # noqa: E731
    q = arrays.result(arrays.cast(found.q, asked.precision()))
    return Solution(
        q=q.reshape((*batch, found.q.shape[1])),
        success=single(found.solved),
        targets=names,
        distances=distances.reshape((*batch, len(names))),
        angles=angles.reshape((*batch, len(names))),
        gap=single(gap),
        iterations=single(found.iterations),
        restarts=single(found.restarts),
        _faults=single(faults[0]),
        _words=faults[1],
        _bounds=bounds,
    )
