"""Section 8: first derivatives in the state, compared with Pinocchio's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks import oracles
from benchmarks.measure import TOLERANCE, Effort, compare, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells, nanoseconds
from benchmarks.robots import BATCH, FLOATING, Case, case
from benchmarks.sections.batch import LARGE, SMALL
from benchmarks.sections.rates import COLD_COLUMNS, cold_row
from benchmarks.sections.single import COLUMNS as SINGLE_COLUMNS
from benchmarks.sections.single import timed_row

#: Speed over a loop of Pinocchio's: small arms, humanoids.
TARGETS = {"inverse_dynamics": (25.0, 20.0), "forward_dynamics": (15.0, 18.0)}
#: The same for a floating base.
FLOATING_TARGETS = {("g1-floating", "forward_dynamics"): 12.0}
#: Our time over Pinocchio's for a single call, and with a floating base.
SINGLE = 1.0
FLOATING_SINGLE = {("g1-floating", "forward_dynamics"): 0.6}
#: Quantities that a floating base makes dear, and most operations of g1 with one.
FLOATING_OPERATIONS = {
    "forward_dynamics.derivatives": 85_000.0,
    "mass_matrix_inverse": None,
    "christoffel": None,
}
#: Seconds to trace and compile inverse_dynamics.derivatives.
COLD = {"panda": 1.0, "g1": 8.0}

#: Relative to the largest entry; forward dynamics loses what the mass matrix's condition takes.
TOLERANCES = {"inverse_dynamics": TOLERANCE, "forward_dynamics": 1e-8}

NOTE = (
    "ns per sample on a batch of {batch}: `{name}.derivatives` gives the value and its derivatives"
    " in q, v and {last} as four arrays allocated per call. Pinocchio: a Python loop of"
    " `{function}` over rows cut beforehand, storing all four in preallocated arrays (it has no"
    " batch function for derivatives); `loop, no store` drops them. `jounce, out=`: into the same"
    " arrays again and again. `GB/s`: results written, by the call that allocates; `op/ns`:"
    " operations. Compared before timing to {tolerance:.0e}."
)
COLUMNS = (
    "robot",
    "nv",
    "operations",
    *COMPARED,
    "jounce, out=",
    "ratio, out",
    "loop, no store",
    "GB/s",
    "op/ns",
    "difference",
)

SINGLE_NOTE = (
    "ns per call on 1-d arrays. The ratio is the time of `robot.quantity.derivatives(..., out=out)`"
    " over that of `pinocchio.computeRNEADerivatives` or `computeABADerivatives`, which return"
    " views of arrays in `data`; below 1 we are faster."
)

FLOATING_NOTE = (
    "Scalar operations per sample with a fixed base and with a floating one, which has six more"
    " velocities; `ratio`: of the two."
)
FLOATING_COLUMNS = ("robot", "quantity", "fixed", "floating", "ratio", "target", "met")

COLD_NOTE = (
    "Seconds to trace and compile `inverse_dynamics.derivatives` by the wall clock in fresh"
    " processes (median of {runs} and the least), `JOUNCE_CACHE=0`; import and load not counted."
)


def tables(options: Options) -> list[Table]:
    """A table per quantity, single calls, cold compilation."""
    out = []
    for name, (function, arguments, _) in oracles.DERIVATIVES.items():
        jobs = [
            (f"state {name} {robot}", partial(_rows, robot, name, options))
            for robot in options.robots
        ]
        note = NOTE.format(
            batch=BATCH,
            name=name,
            last=arguments[-1],
            function=function,
            tolerance=TOLERANCES[name],
        )
        out.append(Table(f"State derivatives: {name}", note, COLUMNS, jobs))
    single = [
        (f"state single {name} {robot}", partial(_single, robot, name, options))
        for robot in options.robots
        for name in oracles.DERIVATIVES
    ]
    out.append(Table("State derivatives: single calls", SINGLE_NOTE, SINGLE_COLUMNS, single))
    runs = 1 if options.quick else 3
    cold: list[tuple[str, Callable[[], list[Row]]]] = [
        (f"state cold {name}", partial(_cold, name, target, runs))
        for name, target in COLD.items()
        if name in options.robots
    ]
    note = COLD_NOTE.format(runs=runs)
    out.append(Table("State derivatives: cold compilation", note, COLD_COLUMNS, cold))
    floating: list[tuple[str, Callable[[], list[Row]]]] = [
        (f"state floating {what} {name}", partial(_floating, name, what, goal))
        for name in FLOATING
        if name in options.robots
        for what, goal in FLOATING_OPERATIONS.items()
    ]
    out.append(Table("Floating bases: operations", FLOATING_NOTE, FLOATING_COLUMNS, floating))
    return out


def check(name: str, what: str, ours: Any, theirs: Any, batched: bool = True) -> float:
    """Compare value and derivatives, one array at a time."""
    parts = ("value", "d/dq", "d/dv", "d/d last")
    return max(
        compare(f"{what} {part}", np.asarray(x), y, TOLERANCES[name], batched)
        for part, x, y in zip(parts, ours, theirs, strict=True)
    )


def calls_of(robot: Case, name: str) -> tuple[dict[str, Callable[[], Any]], float]:
    """Return the timed calls on the batch, and the difference of their results."""
    function = getattr(robot.robot, name).derivatives
    arguments = [robot.states[0][x] for x in oracles.DERIVATIVES[name][1]]
    out = tuple(np.empty((robot.batch, *shape)) for shape in function.kernel.outputs)
    calls: dict[str, Callable[[], Any]] = {
        "ours": lambda: function(*arguments),
        "ours_out": lambda: function(*arguments, out=out),
        "theirs": oracles.derivative_loop(robot, name, True),
        "bare": oracles.derivative_loop(robot, name, False),
    }
    reference = oracles.derivatives_as_ours(robot, name, calls["theirs"]())
    what = f"{robot.name} {name}.derivatives"
    worst = check(name, what, calls["ours"](), reference)
    worst = max(worst, check(name, f"{what} with out=", calls["ours_out"](), reference))
    return calls, worst


def _rows(robot_name: str, name: str, options: Options) -> list[Row]:
    robot = case(robot_name)
    calls, worst = calls_of(robot, name)
    # few repetitions: the loops take long
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    times = time_interleaved(calls, effort)
    ratio = times.ratio("theirs", "ours")
    small, large = TARGETS[name]
    goal = small if robot_name in SMALL else large if robot_name in LARGE else None
    goal = FLOATING_TARGETS.get((robot_name, name), goal)
    verdicts = []
    if goal is not None:
        verdicts.append(Verdict(f"batch {name}.derivatives {robot_name}", ratio, goal, True))
    kernel = getattr(robot.robot, name).derivatives.kernel
    per_sample = times["ours"] / BATCH * 1e9
    results = 8 * sum(int(np.prod(shape)) for shape in kernel.outputs)
    cells = (
        robot_name,
        robot.size,
        f"{len(kernel.tape):,}",
        *compare_cells(times, BATCH, verdicts[0] if verdicts else None),
        nanoseconds(times["ours_out"], BATCH),
        f"{times.ratio('theirs', 'ours_out'):.1f}",
        nanoseconds(times["bare"], BATCH),
        f"{results / per_sample:.1f}",
        f"{len(kernel.tape) / per_sample:.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]


def _single(robot_name: str, name: str, options: Options) -> list[Row]:
    robot = case(robot_name)
    function_name, arguments, attribute = oracles.DERIVATIVES[name]
    f, g = getattr(robot.robot, name).derivatives, getattr(pin, function_name)
    ours = [robot.states[0][x][0].copy() for x in arguments]
    theirs = [robot.states[1][x][0].copy() for x in arguments]
    out = tuple(np.empty(shape) for shape in f.kernel.outputs)
    matrices = g(robot.pin_model, robot.pin_data, *theirs)
    result = [np.array(getattr(robot.pin_data, attribute)), *map(np.array, matrices)]
    reference = oracles.derivatives_as_ours(robot, name, result)
    what = f"single {robot_name} {name}.derivatives"
    check(name, what, f(*ours, out=out), reference, batched=False)
    check(name, what, f(*ours), reference, batched=False)

    goal = SINGLE if robot_name in (*SMALL, *LARGE) else None
    goal = FLOATING_SINGLE.get((robot_name, name), goal)
    peer = (g, theirs, ("model", "data"))
    return [timed_row(robot, name, what, goal, (f, ours, out), peer, options)]


def _cold(name: str, target: float, runs: int) -> list[Row]:
    quantity = "inverse_dynamics.derivatives"
    return [cold_row(name, [quantity], target, runs, quantity)]


def _floating(name: str, what: str, goal: float | None) -> list[Row]:
    fixed, floating = (
        case(x).robot.quantity(what).lower().operations for x in (name.partition("-")[0], name)
    )
    verdicts = []
    if goal is not None and name == "g1-floating":
        verdicts.append(Verdict(f"operations of {what} {name}", floating, goal, False, ""))
    cells = (name, what, f"{fixed:,}", f"{floating:,}", f"{floating / fixed:.2f}")
    marks = [(x.bound_text, x.mark) for x in verdicts] or [("", "")]
    return [Row((*cells, *marks[0]), verdicts)]
