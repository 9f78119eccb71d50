"""Section 7: what each formulation of the papers costs in operations, on serial chains."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import jounce
from benchmarks.measure import compare
from benchmarks.report import Options, Row, Table
from benchmarks.robots import chain
from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.compiler.graph.expr import Graph, GraphFull
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import interpreter
from jounce.formulas import motions
from jounce.model.tree import Tree
from jounce.papers import garofalo2013, mueller_kumar2021, newton_euler, singh2022
from jounce.robot import Robot

LENGTHS = (2, 3, 4, 5, 7, 10, 15, 20, 30)
#: Seconds of CPU time for one cell.
LIMIT, QUICK_LIMIT = 12.0, 1.0

Formula = Callable[..., Any]

NOTE = (
    "Scalar operations of {what}, traced on the chains of `Serial chains`, all formulations"
    " with the same (minimal) inertial parameters; zeros and ones fold away and common"
    " subexpressions are shared, within and between the results. The values are compared before"
    " they are counted{how}. `cheapest`: among the closed forms, and its operations over those of"
    " the recursion. `-`: not traced within {limit:g} s of CPU time."
)


@contextmanager
def cpu_limit(graph: Graph, seconds: float) -> Iterator[None]:
    """Let a graph grow no further after that much CPU time, where the system has such a timer.

    The handler raises nothing itself: it may run inside a callback that swallows exceptions.
    """
    if not hasattr(signal, "SIGPROF") or seconds == math.inf:
        yield
        return
    before = signal.signal(signal.SIGPROF, lambda *_: graph.stop())
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


# ------------------------------------------------------------------ the formulations


def _plain_inverse_dynamics(tree: Tree, q: Any, v: Any, a: Any) -> Any:
    return ROBOT["inverse_dynamics"].formula(tree, q, v, a)


def _three(module: Any) -> Formula:
    """M, C and g of a paper."""
    return lambda tree, q, v: (
        module.mass_matrix(tree, q),
        module.coriolis_matrix(tree, q, v),
        module.gravity_forces(tree, q),
    )


def _by_catalog(tree: Tree, q: Any, v: Any) -> Any:
    rows = (("mass_matrix", (q,)), ("coriolis_matrix", (q, v)), ("gravity_forces", (q,)))
    return tuple(ROBOT[name].formula(tree, *arguments) for name, arguments in rows)


def _mueller_kumar_rates(tree: Tree, q: Any, v: Any, a: Any, j: Any, s: Any) -> Any:
    paper = mueller_kumar2021
    return (
        paper.inverse_dynamics(tree, q, v, a),
        paper.inverse_dynamics_rate(tree, q, v, a, j),
        paper.inverse_dynamics_second_rate(tree, q, v, a, j, s),
    )


@dataclass
class Kind:
    """A table: what is computed from how many of q, v, a, j, s, and the ways to do it.

    The others take time linear in the number of joints: only closed forms are given up, and then
    for all longer chains.
    """

    what: str
    arguments: int
    closed: dict[str, Formula]
    others: dict[str, Formula]
    how: str = ""
    given_up: set[str] = field(default_factory=set)


def kinds() -> list[Kind]:
    """The three tables."""
    return [
        Kind(
            "tau",
            3,
            {
                "Garofalo": garofalo2013.inverse_dynamics,
                "Mueller-Kumar": mueller_kumar2021.inverse_dynamics,
                "Fakhari": lambda *x: newton_euler.closed_form(*x).tau,
            },
            {"recursion": _plain_inverse_dynamics},
        ),
        Kind(
            "M, C and g",
            2,
            {
                "Garofalo": _three(garofalo2013),
                "Mueller-Kumar": _three(mueller_kumar2021),
                "Fakhari": _three(newton_euler),
            },
            {"recursion": _by_catalog},
            " (C v instead of C, of which the papers have three)",
        ),
        Kind(
            "tau, taudot and tauddot",
            5,
            {
                "Garofalo": lambda tree, q, *rates: garofalo2013.inverse_dynamics_derivatives(
                    tree, q, rates, 2
                ),
                "Mueller-Kumar": _mueller_kumar_rates,
            },
            {
                "recursion": derivative(ROBOT["inverse_dynamics"], "rates(2)").formula,
                "plain jets": lambda tree, q, *rates: motions.time_derivatives(
                    _plain_inverse_dynamics, tree, q, rates, 2
                ),
            },
            "; plain jets: the same recursion, with sines and cosines expanded",
        ),
    ]


# ------------------------------------------------------------------ second derivatives

SECOND: dict[str, Callable[[], Robot]] = {
    "iiwa": lambda: jounce.load("kuka_iiwa14"),
    "chain of 10": lambda: chain(10).robot,
    "toro25 fixed": lambda: jounce.load("toro25", base="fixed"),
    "toro25": lambda: jounce.load("toro25"),
}
TENSORS = ("dqq", "dqv", "dvv", "daq")
SECOND_NOTE = (
    "Scalar operations of all second derivatives of tau (q q, q v, v v and a q). Singh-Russell-"
    "Wensing: the recursion of `jounce.papers.singh2022`, traced like the other tables, all four"
    " tensors at once. together: ours, all four in one graph. dqq to daq: our compiled kernels, one"
    " each; kernels: their sum. The last column is Singh-Russell-Wensing over that sum. The values"
    " are compared before they are counted."
)
SECOND_COLUMNS = (
    *("robot", "nv", "Singh-Russell-Wensing", "together"),
    *(*TENSORS, "kernels", "over kernels"),
)


def _singh(tree: Tree, q: Any, v: Any, a: Any) -> Any:
    tensors = singh2022.inverse_dynamics_second_derivatives(tree, q, v, a)
    return tensors.qq, tensors.qv, tensors.vv, tensors.aq


def _second_by_catalog(tree: Tree, *state: Any) -> Any:
    rows = [derivative(ROBOT["inverse_dynamics"], name) for name in TENSORS]
    given: dict[str, Any] = dict(zip("qva", state, strict=True))
    return tuple(row.formula(tree, *(given[x] for x in row.arguments)) for row in rows)


def _second_row(name: str) -> list[Row]:
    robot = SECOND[name]()
    rng = np.random.default_rng(robot.nv)
    state = (robot.random(0), *rng.normal(size=(2, robot.nv)))
    inputs = list(np.concatenate(state))
    tapes = [trace(x, robot.tree.lumped, 3) for x in (_singh, _second_by_catalog)]
    paper, ours = (np.array(interpreter.run(x, inputs)) for x in tapes if x is not None)
    compare(f"second derivatives of {name}", paper, ours, batched=False)
    quantities = [getattr(robot.inverse_dynamics, x) for x in TENSORS]
    kernels = [len(x.kernel.tape) for x in quantities]
    first, together = (len(x) for x in tapes if x is not None)
    cells = (
        name,
        str(robot.nv),
        *(f"{x:,}" for x in (first, together, *kernels, sum(kernels))),
        f"{first / sum(kernels):.2f}",
    )
    return [Row(cells)]


# ------------------------------------------------------------------ tables


def tables(options: Options) -> list[Table]:
    """A table per kind."""
    limit = QUICK_LIMIT if options.quick else LIMIT
    lengths = [n for n in LENGTHS if n <= 7 or not options.quick]
    out = []
    for kind in kinds():
        jobs = [(f"formulations {kind.what} {n}", partial(_row, kind, n, limit)) for n in lengths]
        columns = ("joints", *kind.closed, *kind.others, "cheapest", "over recursion", "tracing, s")
        note = NOTE.format(what=kind.what, how=kind.how, limit=limit)
        out.append(Table(f"Formulations: {kind.what}", note, columns, jobs))
    names = list(SECOND)[: 1 if options.quick else None]
    jobs = [(f"formulations second derivatives {n}", partial(_second_row, n)) for n in names]
    out.append(Table("Formulations: second derivatives of tau", SECOND_NOTE, SECOND_COLUMNS, jobs))
    return out


def trace(formula: Formula, tree: Tree, arguments: int, seconds: float = math.inf) -> Tape | None:
    """The tape of a formula of q, v, ..., or None if it takes longer."""
    graph = Graph()
    try:
        with cpu_limit(graph, seconds):
            sizes = (tree.nq, *[tree.nv] * (arguments - 1))
            results = formula(tree, *(graph.inputs_like((n,)) for n in sizes))
    except (GraphFull, SystemError):  # NumPy's loops over objects may make the latter of it
        if graph.limit >= 0:
            raise
        return None
    results = [results] if isinstance(results, np.ndarray) else results
    return record(graph, [x for result in results for x in result.flat])


def _row(kind: Kind, n: int, limit: float) -> list[Row]:
    tree = chain(n).robot.tree.lumped
    values = np.random.default_rng(n).normal(size=(kind.arguments, n))
    counts: dict[str, int] = {}
    result: dict[str, np.ndarray] = {}
    start = time.thread_time()
    for name, formula in {**kind.closed, **kind.others}.items():
        if name in kind.given_up:
            continue
        tape = trace(formula, tree, kind.arguments, limit if name in kind.closed else math.inf)
        if tape is None:
            kind.given_up.add(name)
            continue
        counts[name] = len(tape)
        result[name] = _comparable(np.array(interpreter.run(tape, list(values.flat))), n, values)
    spent = time.thread_time() - start
    for name in result:
        what = f"{kind.what} of {n} joints, {name}"
        compare(what, result[name], result["recursion"], batched=False)
    traced = [name for name in kind.closed if name in counts]
    cheapest = min(traced, key=counts.__getitem__, default="-")
    over = f"{counts[cheapest] / counts['recursion']:.1f}" if traced else "-"
    cells = (
        str(n),
        *(f"{counts[x]:,}" if x in counts else "-" for x in (*kind.closed, *kind.others)),
        cheapest,
        over,
        f"{spent:.1f}",
    )
    return [Row(cells)]


def _comparable(found: np.ndarray, n: int, values: np.ndarray) -> np.ndarray:
    """The results in one vector; of M, C and g: M, C v and g."""
    if len(found) != 2 * n * n + n:
        return found
    C = found[n * n : 2 * n * n].reshape(n, n)
    return np.concatenate((found[: n * n], C @ values[1], found[2 * n * n :]))
