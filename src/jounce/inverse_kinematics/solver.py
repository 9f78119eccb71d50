"""Inverse kinematics of a robot or a mechanism: what is asked for, searched for and reported."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from jounce.catalog.arguments import Argument
from jounce.catalog.row import Row
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.goals import Goal, Shut
from jounce.formulas.reaching import reaching
from jounce.inverse_kinematics.problem import Problem, problem, with_loops
from jounce.inverse_kinematics.reaching import Reaching
from jounce.inverse_kinematics.search import Found, Samples, Search, Step, search
from jounce.inverse_kinematics.solution import Bounds, Solution
from jounce.model.limits import Limits
from jounce.process.once import entry, lock_of
from jounce.process.progress import track
from jounce.quantities.arrays import plain, shaped
from jounce.quantities.configurations import generator, whole
from jounce.quantities.quantity import Evaluable

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
    """See `Reaching.inverse_kinematics`."""
    title = printable(f"{robot.name}.inverse_kinematics")
    for name, count in (("iterations", iterations), ("restarts", restarts)):
        if not whole(count):
            raise ArgumentError(f"{title}: {name} must be a whole number >= 0, found {count!r}")
    asked = problem(robot.model, targets, title)
    if robot.tree.active is not None:
        asked = with_loops(asked)
    met = _tolerances(asked, tolerance, robot._closed_to)
    bounds = Bounds(*robot._bounded, _allowed(robot, limits, title))
    places = _places(asked, robot.sizes["nq"], q0=q0, posture=posture)
    pull = _pull(robot, "posture" in places, posture_weight, title)
    batch = _batch(asked, places)
    start = places.get("q0", places.get("posture"))
    start = bounds.cut_off(robot._first_start() if start is None else start)
    faults, words = _faults(asked, batch)
    numbers = asked.packed(batch)
    counts = numbers[:, asked.weight_places] > 0.0
    samples = Samples(
        _wide(start, batch),
        numbers,
        np.where(counts, met, np.inf),
        _wide(places.get("posture", np.zeros(0)), batch),
        _wide(pull, batch),
        faults == 0,
    )
    starts = _later_starts(robot, bounds, generator(rng, title), int(restarts))
    step = _step(robot, asked.goals, bounds.limits, "posture" in places)
    how = Search(step, starts, max(int(iterations), 1), int(restarts))
    found = _searched(how, samples, title)
    if robot.tree.active is not None:
        _close(robot, how, samples, found)
    out = _report(asked, found, batch, (faults, words), bounds)
    if strict and not np.all(out.success):
        at = tuple(np.argwhere(~np.asarray(out.success))[0].tolist())
        where = f" sample {at}:" if batch else ""
        raise ModelError(f"{title}:{where} {out._reason(at)}")
    return out


def moved_within(robot: Reaching, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Configurations (n, nq) near q with closed loops and within limits, and which were found."""
    asked = with_loops(Problem(robot.model, robot.name))
    bounds = Bounds(*robot._bounded, robot._all_limits)
    none = np.zeros((len(q), 0))
    numbers = asked.packed((len(q),))
    met = np.full((len(q), len(asked.goals)), robot._closed_to)
    sound = np.ones(len(q), dtype=bool)
    samples = Samples(bounds.cut_off(q), numbers, met, none, none, sound)
    step = _step(robot, asked.goals, bounds.limits, near=False)
    found = _searched(Search(step, lambda attempt: q[0], 100, 0), samples, robot.name)
    return found.q, found.solved


# ------------------------------------------------------------------ what is asked for


def _tolerances(asked: Problem, tolerance: Any, closed: float) -> np.ndarray:
    """What counts as met by each goal."""
    pair = tolerance if isinstance(tolerance, (tuple, list)) else (tolerance, tolerance)
    numbers = all(isinstance(x, Real) and not isinstance(x, bool) and float(x) > 0 for x in pair)
    if len(pair) != 2 or not numbers:
        raise ArgumentError(
            f"{asked.title}: tolerance must be a number > 0, or two, for m and for rad; found"
            f" {tolerance!r}"
        )
    return np.array([closed if isinstance(g, Shut) else pair[g.turns] for g in asked.goals])


def _allowed(robot: Reaching, limits: Any, title: str) -> Limits:
    """Limits of all joints: the robot's, none, or those that are given."""
    own = robot._all_limits
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


def _places(asked: Problem, nq: int, **given: Any) -> dict[str, np.ndarray]:
    """Configurations (..., nq) that are given, by what they are for."""
    out = {}
    for name, x in given.items():
        if x is not None:
            asked.note(x)
            q = np.asarray(shaped(x, f"{asked.title}: argument '{name}'", (nq,)), dtype=float)
            asked.fault(f"{name} is not finite", ~np.isfinite(q).all(axis=-1))
            out[name] = q
    return out


def _pull(robot: Reaching, near: bool, weight: Any, title: str) -> np.ndarray:
    """Squares of how much each velocity is drawn to a posture, (nv,); (0,) without one."""
    nv = robot.sizes["nt"]
    given = np.asarray(plain(weight, f"{title}: argument 'posture_weight'"), dtype=float)
    if given.shape not in ((), (nv,)) or not np.all(np.isfinite(given) & (given >= 0.0)):
        raise ArgumentError(
            f"{title}: posture_weight must be a number >= 0, or ({nv},) of them, found {weight!r}"
        )
    return np.broadcast_to(given * given, (nv,)) if near else np.zeros(0)


def _batch(asked: Problem, places: dict[str, np.ndarray]) -> tuple[int, ...]:
    """The leading axes of all that is given."""
    shapes = {**asked.batches(), **{k: x.shape[:-1] for k, x in places.items()}}
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ArgumentError(f"{asked.title}: batch axes do not broadcast: {text}") from None


def _faults(asked: Problem, batch: tuple[int, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Which of the words (n,) say what is wrong with each sample; 0 if nothing is."""
    which = np.zeros(batch, dtype=int)
    for k, (_, wrong) in reversed(list(enumerate(asked.faults, 1))):
        which[np.broadcast_to(wrong, batch)] = k
    return which.ravel(), ("", *(words for words, _ in asked.faults))


def _wide(x: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """One row (n, size) per sample."""
    size = x.shape[-1]
    return np.broadcast_to(x, (*batch, size)).reshape(math.prod(batch), size)


# ------------------------------------------------------------------ the search


def _step(robot: Reaching, goals: Sequence[Goal], limits: Limits, near: bool) -> Step:
    """The kernel of these goals, made once per robot, within limits."""
    key = (tuple(goals), near)
    made = vars(robot).setdefault("_searches", {})
    kernel = entry(made, key, lambda: _kernel(robot, *key), lock_of(robot))
    return lambda q, s, x, *drawn: kernel(q, s, x, limits.lower, limits.upper, *drawn)


def _kernel(robot: Reaching, goals: tuple[Goal, ...], near: bool) -> Evaluable:
    own = {
        "damping": Argument((), "damping of the step"),
        "x": Argument((sum(1 + goal.size for goal in goals),), "weights and numbers of the goals"),
        "lower": Argument(("nt",), "lower limits"),
        "upper": Argument(("nt",), "upper limits"),
        "rest": Argument(("nq",), "a posture"),
        "pull": Argument(("nt",), "how much each velocity is drawn to it"),
    }
    row = Row(
        "inverse_kinematics",
        reaching(goals, near),
        ("q", *own) if near else ("q", *list(own)[:4]),
        ("nq",),
        "A step towards goals: configuration, damping, what is missed in all and by each goal.",
        "rad, m",
        "",
        more=((), (), (len(goals),)),
        own=own,
        all_joints=True,
        geometry=False,
    )
    return Evaluable(robot.name, row, robot._owner(row))


def _later_starts(
    robot: Reaching, bounds: Bounds, rng: np.random.Generator, count: int
) -> Callable[[int], np.ndarray]:
    """Where attempts after the first begin: random configurations, drawn when one is needed."""

    @cache
    def drawn() -> np.ndarray:
        return bounds.cut_off(robot.random(rng, count))

    return lambda attempt: drawn()[attempt - 1]


def _searched(how: Search, samples: Samples, title: str) -> Found:
    """What is found, a part of the samples after the other."""
    count = len(samples.start)
    parts = [slice(k, k + _TOGETHER) for k in range(0, max(count, 1), _TOGETHER)]
    shown = track(parts, title, quiet=True) if len(parts) > 1 else parts
    return Found.joined([search(how, samples.part(part)) for part in shown])


@np.errstate(all="ignore")
def _close(robot: Reaching, how: Search, samples: Samples, found: Found) -> None:
    """Close the loops of samples that meet not all targets, and see what these miss then."""
    left = np.flatnonzero(samples.sound & ~found.solved)
    if len(left):
        some = samples.part(left)
        found.q[left] = robot._closed_again(found.q[left])
        drawn = (some.rest, some.pull) if some.pull.shape[1] else ()
        # a step that is damped without bound goes nowhere
        still = how.step(found.q[left], np.full(len(left), np.inf), some.numbers, *drawn)
        found.errors[left] = still[3]


# ------------------------------------------------------------------ the report


def _report(
    asked: Problem,
    found: Found,
    batch: tuple[int, ...],
    faults: tuple[np.ndarray, tuple[str, ...]],
    bounds: Bounds,
) -> Solution:
    """What was found, in the shapes that were asked for."""
    loops = [isinstance(goal, Shut) for goal in asked.goals]
    names = tuple(dict.fromkeys(n for n, loop in zip(asked.names, loops, strict=True) if not loop))
    misses = np.zeros((2, len(found.q), len(names)))
    for goal, name, errors in zip(asked.goals, asked.names, found.errors.T, strict=True):
        if not isinstance(goal, Shut):
            at = misses[int(goal.turns), :, names.index(name)]
            np.fmax(at, errors, out=at)
    misses[:, faults[0] > 0] = np.nan
    gap = found.errors[:, loops].max(axis=1, initial=0.0)
    dtype = asked.precision()
    return Solution(
        q=found.q.astype(dtype, copy=False).reshape(*batch, found.q.shape[1]),
        success=found.solved.reshape(batch)[()],
        targets=names,
        distances=misses[0].reshape(*batch, len(names)),
        angles=misses[1].reshape(*batch, len(names)),
        gap=gap.reshape(batch)[()],
        iterations=found.iterations.reshape(batch)[()],
        restarts=found.restarts.reshape(batch)[()],
        _faults=faults[0].reshape(batch)[()],
        _words=faults[1],
        _bounds=bounds,
    )
