"""The claims of Garofalo, Ott and Albu-Schaeffer (2013), Section VII, measured as they define them.

TORO has 25 revolute joints and, there, no free base. The paper divides the time of M, C, g and
their rates by the time of M, C, g at two instants, with C of equation (6b), one sample at a time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

import jounce
from benchmarks import oracles, peers
from benchmarks.measure import Effort, Times, compare, statement_timer, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import BATCH, Case
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.export.pinocchio import to_pinocchio
from jounce.papers import garofalo2013

ROBOT = "toro25"
KINDS = ("christoffel", "garofalo")
PARTS = ("mass_matrix", "coriolis_matrix", "gravity_forces")

#: What the paper gives: us for M, C and g, and the ratio.
PAPER = (244.0, 0.71)
#: us per sample of M, C and g in a batch.
TARGET = 2.0
#: Samples whose rates are compared, and those of a batch whose state derivatives are timed.
CHECKED, DERIVED = 64, 16
#: Processes of which the least counts too: where code happens to lie moves a time by a tenth.
PROCESSES = 5
PROGRAM = """
import json, sys
import jounce
from benchmarks.sections.garofalo import single_calls
jounce.set_num_threads(1)
base, rounds, seconds = sys.argv[1:]
print(json.dumps(single_calls(base, int(rounds), float(seconds))))
"""
#: Repetitions, of which the least counts: the machine may be busy.
EFFORT = Effort(rounds=200, seconds=0.002)

NOTE = (
    f"{ROBOT}, 25 revolute joints. Garofalo et al. 2013 (Section VII) give 244 us for M, C and g of"
    " (6), and 0.71 for the time of M, C, g with their rates (25) over that of M, C, g at two"
    " instants: fixed base, C of (6b), one sample at a time. `operations` and `us` are those of"
    " `equations_of_motion(coriolis=...)` and of its `rates(1)`, one kernel each; `ratio` is the"
    " second over twice the first. One sample: `out=` given, less the time of the same call on a"
    f" robot with two joints, which is the call's overhead, the least of {PROCESSES} processes."
    " Batch: us per sample, results allocated per call. Times are the least of"
    f" {EFFORT.rounds} turns on one thread."
    " `generic`: the same tree with random placements of its joints, which have no zeros and ones."
    " `as printed`: the sums over bodies (6) and (25) of the paper, traced, zeros folded and common"
    " subexpressions shared. The ratio is about 1 where the paper has 0.71: most of what extended"
    " code can share between value and rates is shared within the value here, which makes both"
    " faster and leaves less to gain. On generic geometry rates add less than a second evaluation"
    " does. Robots as they are built have axes with zeros and ones, of which M, C and g make more"
    " use than their rates can. The paper's recursion in C++, with the columns of ancestors only,"
    " was measured at 0.86 to 0.96 outside this benchmark."
    " Compared first with Pinocchio, rates with a central difference of order eight, to"
    f" {oracles.TOLERANCE:.0e}; Garofalo's C by C v and C + C^T."
)
COLUMNS = (
    "robot",
    "C",
    "operations",
    "with rates",
    "ratio",
    "calls",
    "us",
    "target",
    "met",
    "us, rates",
    "ratio ",
    "difference",
)

STATE_NOTE = (
    f"{ROBOT}: derivatives of M, C and g in q and v, `equations_of_motion.dq` and `.dv`, and"
    " central differences, for which each matrix is computed twice for each state variable"
    " (Garofalo et al. 2013, Section VII): 4 nv evaluations of M, C and g. `only C in v`: as M and"
    " g do not depend on v, 2 nv evaluations of all three and 2 nv of C. `us`: per sample, batches"
    f" of {DERIVED} samples and of the states of their differences, results allocated per call, the"
    f" least of {EFFORT.rounds} turns on one thread. Compared first with such differences, to 1e-6."
)
STATE_COLUMNS = (
    "robot",
    "C",
    "nv",
    "dq",
    "dv",
    "differences",
    "ratio",
    "only C in v",
    "us",
    "us, differences",
    "ratio ",
)


def tables(options: Options) -> list[Table]:
    """Time derivatives, and those in the state."""
    bases = ("fixed",) if options.quick else ("fixed", "floating")
    effort = options.effort if options.quick else EFFORT
    times: list[tuple[str, Callable[[], list[Row]]]] = [
        (f"rates {base} {batch}", partial(_rates, base, batch, effort))
        for base in bases
        for batch in (1, BATCH)
    ]
    counts = [(f"rates {base} generic", partial(_generic, base)) for base in bases]
    printed: tuple[str, Callable[[], list[Row]]] = ("rates as printed", _paper_rows)
    return [
        Table("Time derivatives: Garofalo's ratio", NOTE, COLUMNS, [*times, *counts, printed]),
        Table(
            "State derivatives of M, C and g",
            STATE_NOTE,
            STATE_COLUMNS,
            [(f"state {base}", partial(_in_state, base, effort)) for base in bases],
        ),
    ]


@cache
def humanoid(base: str) -> Case:
    """The robot in both libraries."""
    robot = jounce.load(ROBOT, base=base)
    return Case(f"{ROBOT}, {base}", robot, to_pinocchio(robot.model), BATCH)


class Pair(NamedTuple):
    """M, C and g of a robot by one kernel, and with their rates by one."""

    value: BoundQuantity
    rates: BoundQuantity

    @staticmethod
    def of(robot: jounce.Robot, kind: str) -> Pair:
        """With a choice of C."""
        value = robot.equations_of_motion.choose(coriolis=kind)
        return Pair(value, value.rates(1))

    @property
    def counts(self) -> tuple[str, str, str]:
        """Operations of both, and their ratio."""
        return ratio_cells(self.value.cost.operations, self.rates.cost.operations)


def ratio_cells(once: int, both: int) -> tuple[str, str, str]:
    """Operations without and with rates, and the second over twice the first."""
    return f"{once:,}", f"{both:,}", f"{both / once / 2:.2f}"


def least(times: Times, name: str) -> float:
    """Least seconds per call."""
    return float(times.rounds[name].min())


def _rates(base: str, batch: int, effort: Effort) -> list[Row]:
    case = humanoid(base)
    pairs = {kind: Pair.of(case.robot, kind) for kind in KINDS}
    worst = _largest_difference(case, pairs)
    if batch == 1:
        times = _single(base, effort)
    else:
        times = _batches(case, pairs, effort)
    rows = []
    for kind, pair in pairs.items():
        once, both_seconds = times[kind]
        verdicts = []
        if batch > 1 and kind == "christoffel":
            verdicts.append(Verdict(f"{case.name} M, C, g per sample", once, TARGET, False, " us"))
        marks = (verdicts[0].bound_text, verdicts[0].mark) if verdicts else ("", "")
        calls = "one sample" if batch == 1 else f"batch of {batch}"
        result = (f"{both_seconds:.2f}", f"{both_seconds / once / 2:.2f}", f"{worst:.0e}")
        cells = (case.name, kind, *pair.counts, calls, f"{once:.2f}", *marks, *result)
        rows.append(Row(cells, verdicts))
    return rows


def _single(base: str, effort: Effort) -> dict[str, tuple[float, float]]:
    """us of single calls without and with rates, the least of several processes."""
    result = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "JOUNCE_CACHE": folder}
        command = (sys.executable, "-c", PROGRAM, base, str(effort.rounds), str(effort.seconds))
        for _ in range(PROCESSES if effort is EFFORT else 1):
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(f"{ROBOT}, {base}: the process failed:\n{done.stderr}")
            result.append(json.loads(done.stdout))
    once, pair = np.array(result).min(axis=0).T
    return {kind: (once[k], pair[k]) for k, kind in enumerate(KINDS)}


def single_calls(base: str, rounds: int, seconds: float) -> list[tuple[float, float]]:
    """us of single calls without and with rates for each C, less the overhead of a call."""
    timers = {}
    for kind in KINDS:
        for robot in (jounce.load(ROBOT, base=base), jounce.load("planar_2r")):
            value, rates = Pair.of(robot, kind)
            rng = np.random.default_rng(5)
            q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
            names = {"f": value, "g": rates, "q": q, "v": v, "a": a}
            names |= {"x": tuple(map(np.empty_like, value(q, v)))}
            names |= {"y": tuple(map(np.empty_like, rates(q, v, a)))}
            timers[f"{robot.name} {kind} value"] = statement_timer("f(q, v, out=x)", names)
            timers[f"{robot.name} {kind} rates"] = statement_timer("g(q, v, a, out=y)", names)
    times = time_interleaved(timers, Effort(rounds, seconds))

    def net(kind: str, what: str) -> float:
        call, overhead = (least(times, f"{name} {kind} {what}") for name in (ROBOT, "planar_2r"))
        return 1e6 * (call - overhead)

    return [(net(kind, "value"), net(kind, "rates")) for kind in KINDS]


def _batches(case: Case, pairs: dict[str, Pair], effort: Effort) -> dict[str, tuple[float, float]]:
    """us per sample in batches without and with rates."""
    q, v, a = (case.states[0][x] for x in "qva")
    calls: dict[str, Callable[[], object]] = {}
    for kind, (value, rates) in pairs.items():
        calls[kind] = partial(value, q, v)
        calls[f"{kind}, rates"] = partial(rates, q, v, a)
    times = time_interleaved(calls, effort)
    us = {name: 1e6 * least(times, name) / len(q) for name in calls}
    return {kind: (us[kind], us[f"{kind}, rates"]) for kind in pairs}


def _largest_difference(case: Case, pairs: dict[str, Pair]) -> float:
    """Largest difference from Pinocchio, and of Garofalo's C from what holds for it."""
    q, v, a = (case.states[0][x][:CHECKED] for x in "qva")
    value, rates = pairs["christoffel"]
    ours, with_rates = value(q, v), rates(q, v, a)
    worst = 0.0
    for k, name in enumerate(PARTS):
        arguments = (q, v)[: len(peers.PEERS[name].arguments)]
        reference = oracles.quantity(case, name, *arguments)
        rate = oracles.time_derivative(case, name, q, v, a)
        what = f"{case.name} {name}"
        worst = max(
            worst,
            compare(what, ours[k], reference),
            compare(f"{what}, with its rate", with_rates[k], reference),
            compare(f"{what}, rate", with_rates[3 + k], rate, oracles.TOLERANCE),
        )
    result = pairs["garofalo"].rates(q, v, a)
    C, C_rate = result[1], result[4]
    forces = (with_rates[4] @ v[..., None] + with_rates[1] @ a[..., None])[..., 0]
    for what, mine, truth in (
        ("M", result[0], ours[0]),
        ("g", result[2], ours[2]),
        ("dM/dt", C + C.swapaxes(1, 2), with_rates[3]),
        ("C v", (C @ v[..., None])[..., 0], (ours[1] @ v[..., None])[..., 0]),
        ("d(C v)/dt", (C_rate @ v[..., None] + C @ a[..., None])[..., 0], forces),
    ):
        worst = max(worst, compare(f"{case.name}, Garofalo's C: {what}", mine, truth))
    return worst


def _generic(base: str) -> list[Row]:
    """Operations on the same tree with random placements."""
    robot = jounce.load(ROBOT, base=base)
    rng = np.random.default_rng(1)
    moved = robot.edit.with_geometry(placements=rng.normal(size=(robot.nb, 6)))
    name, blank = f"{ROBOT}, {base}, generic", ("",) * 7
    return [Row((name, kind, *Pair.of(moved, kind).counts, *blank)) for kind in KINDS]


def _paper_rows() -> list[Row]:
    """Operations of the paper's own sums."""
    tree, paper = jounce.load(ROBOT, base="fixed").tree, garofalo2013

    def count(kind: str, moving: bool) -> int:
        graph = Graph(float("inf"))
        q, v, a = (graph.inputs_like((tree.nv,)) for _ in range(3))
        results = [paper.mass_matrix(tree, q), paper.coriolis_matrix(tree, q, v, kind)]
        results.append(paper.gravity_forces(tree, q))
        if moving:
            results += [paper.mass_matrix_rate(tree, q, v), paper.gravity_rate(tree, q, v)]
            results.append(paper.coriolis_rate(tree, q, v, a, kind))
        return len(record(graph, [x for result in results for x in result.flat]))

    name, blank = f"{ROBOT}, fixed, as printed", ("",) * 7
    rows = []
    for kind in KINDS:
        counts = ratio_cells(count(kind, moving=False), count(kind, moving=True))
        rows.append(Row((name, kind, *counts, *blank)))
    return rows


# ------------------------------------------------------------------ derivatives in the state


def _in_state(base: str, effort: Effort) -> list[Row]:
    case, rows = humanoid(base), []
    q, v = (case.states[0][x][:DERIVED] for x in "qv")
    n = case.robot.nv
    for kind in KINDS:
        value = case.robot.equations_of_motion.choose(coriolis=kind)
        part = case.robot.coriolis_matrix
        part = part if kind == "christoffel" else case.robot.coriolis_matrix_garofalo
        _check_differences(case.robot, value, q[0], v[0])
        shifted = [np.repeat(x, 4 * n, axis=0) for x in (q, v)]

        def derivatives(value: Any = value) -> object:
            return value.dq(q, v), value.dv(q, v)

        calls = {"ours": derivatives, "differences": partial(value, *shifted)}
        times = time_interleaved(calls, effort)
        counts = [f.cost.operations for f in (value.dq, value.dv, value, part)]
        exact, differences = sum(counts[:2]), 4 * n * counts[2]
        us = [1e6 * least(times, name) / DERIVED for name in calls]
        cells = (
            case.name,
            kind,
            f"{n}",
            *(f"{count:,}" for count in (*counts[:2], differences)),
            f"{exact / differences:.3f}",
            f"{exact / (2 * n * (counts[2] + counts[3])):.3f}",
            *(f"{x:.1f}" for x in us),
            f"{us[0] / us[1]:.2f}",
        )
        rows.append(Row(cells))
    return rows


def _check_differences(robot: jounce.Robot, value: Any, q: np.ndarray, v: np.ndarray) -> None:
    """Compare dq and dv with central differences along a direction."""
    direction, h = np.random.default_rng(6).normal(size=robot.nv), 1e-5
    ways: dict[str, Callable[[float], Any]] = {
        "dq": lambda t: value(robot.integrate(q, t * direction), v),
        "dv": lambda t: value(q, v + t * direction),
    }
    for step, index in ways.items():
        pairs = zip(value.derivative(step)(q, v), index(h), index(-h), strict=True)
        for exact, up, down in pairs:
            along = exact @ direction
            compare(f"{ROBOT} {step}", (up - down) / (2 * h), along, 1e-6, batched=False)
