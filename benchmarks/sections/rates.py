"""Section 6: derivatives in time, on the robots and by the questions of the papers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

import jounce
from benchmarks import oracles
from benchmarks.cold import compilation
from benchmarks.measure import compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import BATCH, Case
from benchmarks.robots import case as case_of
from benchmarks.sections import garofalo
from jounce.export.pinocchio import to_pinocchio

ARM, ARM_BATCH = "iiwa14_mueller_kumar2021", 10_000
#: ns per sample and time over that of inverse dynamics alone; the paper's time in ns.
ARM_TARGETS, ARM_PAPER = (250.0, 4.0), 1.6e6

HUMANOID = "toro25"
HUMANOID_QUANTITIES = ("mass_matrix", "coriolis_matrix", "gravity_forces")

#: Seconds to trace and compile inverse_dynamics.rates(2).
COLD = {ARM: 0.6, "g1": 4.0}

ARM_NOTE = (
    f"{ARM}, ns per sample in a batch of {ARM_BATCH:,}, results allocated per call. Mueller and"
    " Kumar 2021 give 1.6 ms. Compared first, all samples: tau and taudot = tau_q v + tau_v a + M j"
    " with Pinocchio's `computeRNEADerivatives`, tauddot with a central difference of order eight"
    f" of that taudot, to {oracles.TOLERANCE:.0e}."
)
ARM_COLUMNS = (
    "quantity",
    "operations",
    "ns",
    "over inverse_dynamics",
    "quartiles",
    "paper, ns",
    "target",
    "met",
    "target ",
    "met ",
    "difference",
)

TOGETHER_NOTE = (
    "M, C and g from one kernel, `equations_of_motion`, and with their time derivatives from one,"
    " `equations_of_motion.rates(1)`. Operations: of the three quantities apart, and of the one"
    " sweep; with rates apart, and of the one sweep (M's are C + C^T). `ratio` is operations with"
    " rates over twice those without, for the one sweep; the times are us per sample in a batch of"
    f" {BATCH}, their ratio that of the times."
)
TOGETHER_COLUMNS = (
    "robot",
    "nv",
    "apart",
    "one sweep",
    "rates apart",
    "one sweep ",
    "ratio",
    "us",
    "us, rates",
    "ratio ",
)

COLD_NOTE = (
    "Seconds to trace and compile `inverse_dynamics.rates(2)` by the wall clock in fresh processes"
    " (median of {runs} and the least), `JOUNCE_CACHE=0`; import and load not counted."
)
COLD_COLUMNS = ("robot", "operations", "s", "least", "CPU s", "peak, MB", "target", "met")


def tables(options: Options) -> list[Table]:
    """The arm, the claims of Garofalo et al., all robots, and cold compilation."""
    runs = 1 if options.quick else 5
    names = [name for name in COLD if name == ARM or name in options.robots]
    arm: list[tuple[str, Callable[[], list[Row]]]] = [(f"time {ARM}", partial(_arm, options))]
    return [
        Table(f"Time derivatives: {ARM}", ARM_NOTE, ARM_COLUMNS, arm),
        *garofalo.tables(options),
        Table(
            "Time derivatives: the equations of motion",
            TOGETHER_NOTE,
            TOGETHER_COLUMNS,
            [
                (f"equations {name}", partial(_together, name, options))
                for name in (*options.robots, HUMANOID)
            ],
        ),
        Table(
            "Time derivatives: cold compilation",
            COLD_NOTE.format(runs=runs),
            COLD_COLUMNS,
            [(f"time cold {name}", partial(_cold, name, runs)) for name in names],
        ),
    ]


@cache
def gallery(name: str, batch: int) -> Case:
    """A robot of the papers, in both libraries."""
    robot = jounce.load(name)
    return Case(name, robot, to_pinocchio(robot.model), batch)


def _arm(options: Options) -> list[Row]:
    case = gallery(ARM, ARM_BATCH)
    robot, state = case.robot, case.states[0]
    rng = np.random.default_rng(7)
    motion = (state["q"], state["v"], state["a"], *rng.normal(size=(2, ARM_BATCH, robot.nv)))
    value, rates = robot.inverse_dynamics, robot.inverse_dynamics.rates(2)
    reference = oracles.inverse_dynamics_rates(case, *motion)
    result = rates(*motion)
    alone = compare(f"{ARM} tau", value(*motion[:3]), reference[0])
    limits = (1e-10, 1e-10, oracles.TOLERANCE)
    worst = max(
        compare(f"{ARM} tau, derivative {k}", ours, theirs, limit)
        for k, (ours, theirs, limit) in enumerate(zip(result, reference, limits, strict=True))
    )
    times = time_interleaved(
        {"value": lambda: value(*motion[:3]), "rates": lambda: rates(*motion)}, options.effort
    )
    ns, ratio = times["rates"] / ARM_BATCH * 1e9, times.ratio("rates", "value")
    low, high = times.quartiles("rates", "value")
    verdicts = [
        Verdict(f"{ARM} inverse_dynamics.rates(2) per sample", ns, ARM_TARGETS[0], False, " ns"),
        Verdict(f"{ARM} rates(2) over inverse_dynamics alone", ratio, ARM_TARGETS[1], False),
    ]
    first = ("inverse_dynamics", f"{len(value.kernel.tape):,}")
    others = ("rates(2)", f"{len(rates.kernel.tape):,}", nanoseconds(times["rates"], ARM_BATCH))
    marks = tuple(x for verdict in verdicts for x in (verdict.bound_text, verdict.mark))
    difference = (f"{worst:.0e}",)
    spread = (f"{ratio:.2f}", f"{low:.2f}–{high:.2f}", f"{ARM_PAPER:,.0f}")
    blank = ("1",) + ("",) * 6
    return [
        Row((*first, nanoseconds(times["value"], ARM_BATCH), *blank, f"{alone:.0e}")),
        Row((*others, *spread, *marks, *difference), verdicts),
    ]


def _together(name: str, options: Options) -> list[Row]:
    case = gallery(name, BATCH) if name == HUMANOID else case_of(name)
    robot, (q, v, a) = case.robot, (case.states[0][x] for x in "qva")
    parts = [getattr(robot, name) for name in HUMANOID_QUANTITIES]
    value, rates = robot.equations_of_motion, robot.equations_of_motion.rates(1)
    apart = sum(len(f.kernel.tape) for f in parts)
    rates_apart = sum(len(f.rates(1).kernel.tape) for f in parts)
    once, twice = len(value.kernel.tape), len(rates.kernel.tape)
    for part, result in zip(parts, value(q, v), strict=True):
        expected = part(*(q, v)[: len(part.kernel.arguments)])
        compare(f"{name} {part.__name__}", result, expected)
    times = time_interleaved(
        {"value": lambda: value(q, v), "rates": lambda: rates(q, v, a)}, options.effort
    )
    cells = (
        name,
        f"{robot.nv}",
        *(f"{n:,}" for n in (apart, once, rates_apart, twice)),
        f"{twice / once / 2:.2f}",
        *(f"{times[x] / len(q) * 1e6:.2f}" for x in ("value", "rates")),
        f"{times.ratio('rates', 'value') / 2:.2f}",
    )
    return [Row(cells)]


def _cold(name: str, runs: int) -> list[Row]:
    names = ["inverse_dynamics.rates(2)"]
    return [cold_row(name, names, COLD[name], runs, "inverse_dynamics.rates(2)")]


def cold_row(name: str, quantities: list[str], target: float | None, runs: int, what: str) -> Row:
    """Robot, operations, seconds, least, CPU seconds, peak, target, met."""
    result = compilation(name, quantities, runs)
    verdicts = []
    if target is not None:
        verdicts.append(
            Verdict(f"cold compile of {what}, {name}", result.wall, target, False, " s")
        )
    cells = (
        name,
        f"{result.operations:,}",
        f"{result.wall:.2f}",
        f"{result.least:.2f}",
        f"{result.cpu:.2f}",
        f"{result.peak / 1e6:.0f}" if result.peak else "",
        verdicts[0].bound_text if verdicts else "",
        verdicts[0].mark if verdicts else "",
    )
    return Row(cells, verdicts)
