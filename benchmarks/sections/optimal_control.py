"""Section: optimal control beside Crocoddyl, its own models in C++."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.measure import Effort, compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.shooting import Shooting, biped_step, reaching, swing_up, trot
from benchmarks.shooting_crocoddyl import CrocoddylSolver
from benchmarks.shooting_jounce import JounceSolver

#: Problems with the required speed of a batch, relative to Crocoddyl, and the problems that
#: Crocoddyl solves of a batch.
PROBLEMS: dict[str, tuple[Callable[[], Shooting], float, int]] = {
    "panda reaching": (reaching, 20.0, 50),
    "pendubot swing-up": (swing_up, 20.0, 50),
    "anymal trot": (trot, 5.0, 20),
    "talos step": (biped_step, 5.0, 20),
}

#: Required speed of one problem, relative to Crocoddyl.
TARGET_OF_ONE = 2.0

#: Problems of a batch, and in a quick run.
BATCH, QUICK_BATCH = 1000, 32

#: Largest relative difference of costs, and the improvement of the cost at which solvers stop.
TOLERANCE, STOP = 1e-4, 1e-7

COLUMNS = (
    "problem",
    "knots",
    "jounce",
    "iterations",
    "Crocoddyl",
    "iterations ",
    "times faster",
    "target",
    "met",
    "agreement",
)
NOTE = (
    "ms per problem. Crocoddyl: FDDP (BoxFDDP with torque limits) and its own C++ models, with"
    " `nthreads = 1`. Both have the same cost, semi-implicit Euler steps, contacts and guess, and"
    f" stop when the expected improvement of the cost is below {STOP:g}. `agreement`:"
    " relative difference of the costs; in batches the share of problems with a difference below"
    f" {TOLERANCE:g} (a swing-up has several local minima)."
)
BATCH_NOTE = (
    f"ms per problem of {BATCH:,} problems with other starts and goals, on one thread; Crocoddyl"
    " solves the first of them (50, legged robots 20), one after another. Iterations are means."
)
EXACT_NOTE = (
    "Iterations of the pendubot's swing-up from 100 starts, until the expected improvement is below"
    f" {STOP:g}: median, and the share of problems solved. `ms`: per problem, in a batch."
)


def tables(options: Options) -> list[Table]:
    """Return the tables of one problem, of batches, and of Hessians."""
    one = [(f"optimal control {name}", partial(_one, name, options)) for name in PROBLEMS]
    batch = [
        (f"optimal control, batch {name}", partial(_batch, name, options)) for name in PROBLEMS
    ]
    hessians = [("optimal control, Hessians", partial(_hessians, options))]
    return [
        Table("Optimal control: one problem", NOTE, COLUMNS, one),
        Table(f"Optimal control: {BATCH:,} problems", BATCH_NOTE, COLUMNS, batch),
        Table(
            "Optimal control: Hessians",
            EXACT_NOTE,
            ("Hessian", "iterations", "solved", "ms"),
            hessians,
        ),
    ]


@cache
def _solvers(name: str) -> tuple[JounceSolver, CrocoddylSolver]:
    shooting = PROBLEMS[name][0]()
    return JounceSolver(shooting, STOP), CrocoddylSolver(shooting, STOP)


def _guess(ours: JounceSolver, theirs: CrocoddylSolver, problems: range) -> Any:
    """Return the guess of Crocoddyl for each problem."""
    rows = []
    for k in problems:
        theirs.set(k)
        rows.append(theirs.us)
    return ours.guess(np.array([ours.shooting.start(k)[0] for k in problems]), rows)


def _one(name: str, options: Options) -> list[Row]:
    ours, theirs = _solvers(name)
    guess = tuple(x[0] for x in _guess(ours, theirs, range(1)))
    start, arguments = ours.arguments(range(1))
    start = tuple(x[0] for x in start)
    batched = set(ours.goals.values()) if not ours.shooting.contact else set()
    arguments = {key: x[0] if key in batched else x for key, x in arguments.items()}
    theirs.set(0)
    solve = partial(ours.problem.solve, start, guess=guess, **arguments)
    cost, solution = theirs.solve(), solve()
    worst = compare(name, np.array([[solution.cost]]), np.array([[cost]]), TOLERANCE)
    effort = Effort(3 if options.quick else 9, 0.0)
    times = time_interleaved({"ours": solve, "theirs": theirs.solve}, effort, time.process_time)
    counts = int(solution.iterations), theirs.solver.iter
    seconds = times["ours"], times["theirs"]
    return [_row(name, ours.shooting.horizon, seconds, counts, TARGET_OF_ONE, f"{worst:.0e}")]


def _batch(name: str, options: Options) -> list[Row]:
    ours, theirs = _solvers(name)
    _, target, count = PROBLEMS[name]
    size, sample = (QUICK_BATCH, 3) if options.quick else (BATCH, count)
    before, costs, iterations = _solve_crocoddyl(theirs, sample)
    _, solution = _solve(ours, theirs, range(sample))
    same = np.isclose(solution.cost, costs, rtol=TOLERANCE)
    duration, solution = _solve(ours, theirs, range(size))
    after = _solve_crocoddyl(theirs, sample)[0]  # the load of the machine changes meanwhile
    seconds = 0.5 * (before + after)
    per_problem = duration / size, seconds / sample
    counts = float(np.mean(solution.iterations)), float(np.mean(iterations))
    share = f"{100 * same.mean():.0f} %"
    return [_row(f"{name}, batch", ours.shooting.horizon, per_problem, counts, target, share)]


def _solve_crocoddyl(theirs: CrocoddylSolver, count: int) -> tuple[float, list[float], list[int]]:
    """Return CPU seconds, costs and iterations of the first problems."""
    costs, iterations, seconds = [], [], 0.0
    for k in range(count):
        theirs.set(k)
        begin = time.process_time()
        costs.append(theirs.solve())
        seconds += time.process_time() - begin
        iterations.append(theirs.solver.iter)
    return seconds, costs, iterations


def _solve(
    ours: JounceSolver, theirs: CrocoddylSolver, problems: range, **options: Any
) -> tuple[float, Any]:
    """Return CPU seconds and the solution of problems from Crocoddyl's guess."""
    guess = _guess(ours, theirs, problems)
    start, arguments = ours.arguments(problems)
    begin = time.process_time()
    solution = ours.problem.solve(start, guess=guess, **arguments, **options)
    return time.process_time() - begin, solution


def _row(
    name: str,
    knots: int,
    seconds: tuple[float, float],
    counts: tuple[float, float],
    target: float,
    agreement: str,
) -> Row:
    ratio = seconds[1] / seconds[0]
    verdict = Verdict(name, ratio, target, at_least=True)
    cells = [name, str(knots)]
    for time_of_one, count in zip(seconds, counts, strict=True):
        cells += [f"{1e3 * time_of_one:.2f}", f"{count:.4g}"]
    cells += [f"{ratio:.1f}", verdict.bound_text, verdict.mark, agreement]
    return Row(cells, [verdict])


def _hessians(options: Options) -> list[Row]:
    ours, theirs = _solvers("pendubot swing-up")
    problems = range(QUICK_BATCH if options.quick else 100)
    rows, medians = [], []
    for hessian in ("gauss-newton", "exact"):
        _solve(ours, theirs, range(2), hessian=hessian)
        seconds, solution = _solve(ours, theirs, problems, hessian=hessian)
        medians.append(float(np.median(solution.iterations)))
        share = f"{100 * np.mean(solution.success):.0f} %"
        rows.append(
            Row((hessian, f"{medians[-1]:.4g}", share, f"{1e3 * seconds / len(problems):.2f}"))
        )
    verdict = Verdict("iterations, exact Hessian", medians[1], medians[0], at_least=False, unit="")
    rows[1] = Row(rows[1].cells, [verdict])
    return rows
