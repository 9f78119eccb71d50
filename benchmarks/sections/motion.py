"""Section: configurations and steps in time, compared with loops of Pinocchio's functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells
from benchmarks.robots import BATCH, Case, case
from benchmarks.sections.single import COLUMNS as SINGLE_COLUMNS
from benchmarks.sections.single import timed_row

#: Length of a step in time, s.
H = 1e-3
#: Time of a single integrate over Pinocchio's.
SINGLE = 1.0
#: ns per sample of integrate on a batch.
INTEGRATE = {"g1-floating": 60.0}

Results = tuple[np.ndarray, ...]


# ------------------------------------------------------------------ Pinocchio's way


def pin_step(model: Any, data: Any, q: Any, v: Any, tau: Any) -> Results:
    """Take a step of semi-implicit Euler."""
    after = v + H * pin.aba(model, data, q, v, tau)
    return pin.integrate(model, q, H * after), after


def pin_step_derivatives(model: Any, data: Any, q: Any, v: Any, tau: Any) -> Results:
    """A step with A and B between tangent spaces, by the chain rule."""
    aq, av, au = pin.computeABADerivatives(model, data, q, v, tau)
    after = v + H * data.ddq
    along_q, along_v = pin.dIntegrate(model, q, H * after)
    n, h = model.nv, H * along_v
    A, B = np.empty((2 * n, 2 * n)), np.empty((2 * n, n))
    A[n:, :n], A[n:, n:], B[n:] = H * aq, H * av, H * au
    A[n:, n:] += np.eye(n)
    A[:n] = h @ A[n:]
    A[:n, :n] += along_q
    B[:n] = h @ B[n:]
    return pin.integrate(model, q, H * after), after, A, B


@dataclass(frozen=True)
class Work:
    """Something that both libraries do, and how results come into our coordinates.

    ours: quantities whose results, one after the other, are Pinocchio's. arguments: names of the
    states. function: Pinocchio's, called with leading, then a sample. results: "q", "v",
    "map" (velocities to velocities), "A" or "B". ties: whether it can be compared where Pinocchio
    takes a mimicking joint as independent.
    """

    ours: tuple[str, ...]
    arguments: tuple[str, ...]
    function: Callable[..., Any]
    leading: tuple[str, ...]
    results: tuple[str, ...]
    ties: bool = True

    @property
    def name(self) -> str:
        return ", ".join(self.ours)


WORKS = (
    Work(("integrate",), ("q", "v"), pin.integrate, ("model",), ("q",)),
    Work(("difference",), ("q", "q1"), pin.difference, ("model",), ("v",)),
    Work(
        ("integrate.dq", "integrate.ddv"),
        ("q", "v"),
        pin.dIntegrate,
        ("model",),
        ("map", "map"),
    ),
    Work(
        ("difference.dq0", "difference.dq1"),
        ("q", "q1"),
        pin.dDifference,
        ("model",),
        ("map", "map"),
    ),
    Work(("step",), ("q", "v", "tau"), pin_step, ("model", "data"), ("q", "v")),
    Work(
        ("step.derivatives",),
        ("q", "v", "tau"),
        pin_step_derivatives,
        ("model", "data"),
        ("q", "v", "A", "B"),
        ties=False,
    ),
)

NOTE = (
    "ns per sample on a batch of {batch}, results allocated per call. Pinocchio: a Python loop of"
    " `{function}` over rows cut beforehand, storing into preallocated arrays. Compared before"
    " timing; configurations by Pinocchio's own `difference`."
)
STEP_NOTE = (
    " A step of semi-implicit Euler, h = 1 ms: `aba` and `integrate`, or `computeABADerivatives`"
    " and `dIntegrate` with the chain rule in NumPy."
)
COLUMNS = (
    "robot",
    "nv",
    "operations",
    *COMPARED,
    "difference",
)
SINGLE_NOTE = (
    "ns per call on 1-d arrays. The ratio is the time of `robot.integrate(q, dv, out=out)`, or of"
    " another quantity, over that of Pinocchio's function with `model` at hand; below 1 we are"
    " faster. Steps are compared with the Python functions of the tables above."
)


def tables(options: Options) -> list[Table]:
    """A table per work, and single calls."""
    out = []
    for work in WORKS:
        jobs = [
            (f"motion {work.name} {name}", partial(_rows, name, work, options.effort))
            for name in options.robots
            if work.ties or _has_equal_nv(name)
        ]
        note = NOTE.format(batch=BATCH, function=work.function.__name__)
        note += STEP_NOTE if "data" in work.leading else ""
        out.append(Table(f"Motion: {work.name}", note, COLUMNS, jobs))
    single = [
        (f"motion single {work.name} {name}", partial(_single, name, work, options))
        for name in options.robots
        for work in WORKS
        if len(work.ours) == 1 and (work.ties or _has_equal_nv(name))
    ]
    return [*out, Table("Motion: single calls", SINGLE_NOTE, SINGLE_COLUMNS, single)]


def _has_equal_nv(name: str) -> bool:
    robot = case(name)
    return robot.robot.nv == robot.pin_model.nv


# ------------------------------------------------------------------ comparing


def states(robot: Case) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The case's states, ours and Pinocchio's, and other configurations q1."""
    return tuple({**x, "q1": np.roll(x["q"], 1, axis=0)} for x in robot.states)  # pyright: ignore


def check(robot: Case, work: Work, what: str, ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """Largest difference of the results of both, on batches."""
    between, worst = robot.map, 0.0
    for kind, x, y in zip(work.results, ours, theirs, strict=True):
        if kind == "q":
            result = between.q_to_pinocchio(x)
            gap = [pin.difference(robot.pin_model, a, b) for a, b in zip(result, y, strict=True)]
            x, y = 1.0 + np.array(gap), np.ones((len(x), robot.pin_model.nv))
        elif kind == "v":
            y = between.v_from_pinocchio(y)
        else:
            y = _to_our_coordinates(robot, y)
        worst = max(worst, compare(f"{robot.name} {what} {kind}", np.asarray(x), y))
    return worst


def _to_our_coordinates(robot: Case, matrix: np.ndarray) -> np.ndarray:
    """Maps (batch, m nv, n nv) of velocities, block by block in our coordinates."""
    batch, n = len(matrix), robot.pin_model.nv
    m, k = matrix.shape[1] // n, matrix.shape[2] // n
    blocks = matrix.reshape(batch, m, n, k, n) @ robot.map.G
    ours = np.moveaxis(robot.map.v_from_pinocchio(np.moveaxis(blocks, 2, -1)), -1, 2)
    return ours.reshape(batch, m * robot.robot.nv, k * robot.robot.nv)


# ------------------------------------------------------------------ timing


def loop(robot: Case, work: Work) -> Callable[[], Results]:
    """Pinocchio's function over the batch, stored."""
    leading = [{"model": robot.pin_model, "data": robot.pin_data}[x] for x in work.leading]
    rows = list(zip(*(states(robot)[1][x] for x in work.arguments), strict=True))
    function, item = work.function, len(work.results) == 1
    first = function(*leading, *rows[0])
    stores = tuple(np.empty((len(rows), *x.shape)) for x in ((first,) if item else first))

    def run() -> Results:
        for i, row in enumerate(rows):
            result = function(*leading, *row)
            for store, x in zip(stores, (result,) if item else result, strict=True):
                store[i] = x
        return stores

    return run


def ours(robot: Case, work: Work, given: Sequence[Any]) -> Callable[[], Results]:
    """Our calls on these arguments."""
    functions = [robot.robot.quantity(name) for name in work.ours]
    given = [*given, H] if "data" in work.leading else given
    if len(work.ours) == 1:
        (f,) = functions
        return (lambda: f(*given)) if len(work.results) > 1 else (lambda: (f(*given),))
    return lambda: tuple(f(*given) for f in functions)


def _rows(name: str, work: Work, effort: Effort) -> list[Row]:
    robot = case(name)
    arguments = [states(robot)[0][x] for x in work.arguments]
    calls = {"ours": ours(robot, work, arguments), "theirs": loop(robot, work)}
    worst = check(robot, work, work.name, calls["ours"](), calls["theirs"]())
    # few repetitions: the loops take long
    times = time_interleaved(calls, Effort(max(effort.rounds // 2, 3), effort.seconds))
    verdicts = []
    if work.name == "integrate" and name in INTEGRATE:
        spent = times["ours"] / BATCH * 1e9
        verdicts.append(Verdict(f"batch integrate {name}", spent, INTEGRATE[name], False, " ns"))
    operations = sum(robot.robot.quantity(x).lower().operations for x in work.ours)
    cells = (
        name,
        robot.size,
        f"{operations:,}",
        *compare_cells(times, BATCH, verdicts[0] if verdicts else None),
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]


def _single(name: str, work: Work, options: Options) -> list[Row]:
    robot, (mine, other) = case(name), states(case(name))
    xs, ys = ([x[k][0].copy() for k in work.arguments] for x in (mine, other))
    f = robot.robot.quantity(work.name)
    xs += [H] if "data" in work.leading else []
    result = f(*xs)
    out = np.empty_like(result) if len(work.results) == 1 else tuple(map(np.empty_like, result))
    leading = [{"model": robot.pin_model, "data": robot.pin_data}[x] for x in work.leading]
    theirs = work.function(*leading, *ys)
    item = len(work.results) == 1
    batches = [[x[None] for x in ((r,) if item else r)] for r in (f(*xs, out=out), theirs)]
    check(robot, work, f"single {work.name}", *batches)
    goal = SINGLE if work.name == "integrate" else None
    title = f"single {work.name} {name}"
    peer = (work.function, ys, work.leading)
    return [timed_row(robot, work.name, title, goal, (f, xs, out), peer, options)]
