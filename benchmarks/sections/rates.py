"""Section 6: derivatives in time, on the robots and by the questions of the papers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

import jounce
from benchmarks import oracles, peers
from benchmarks.cold import compilation
from benchmarks.measure import compare, interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import BATCH, Case
from benchmarks.robots import case as case_of
from jounce.formulas import dynamics, equations
from jounce.graph.expr import Graph
from jounce.graph.tape import record
from jounce.interop.pinocchio import to_pinocchio

ARM, ARM_BATCH = "iiwa14_mueller_kumar2021", 10_000
#: ns per sample and time over that of inverse dynamics alone; the paper's time in ns.
ARM_TARGETS, ARM_PAPER = (250.0, 4.0), 1.6e6

#: The batch that has targets first; a quick run stops there.
HUMANOID, HUMANOID_BATCHES = "toro25", (BATCH, 64)
HUMANOID_QUANTITIES = ("mass_matrix", "coriolis_matrix", "gravity_forces")
#: Samples whose rates are compared, spread over the batch.
CHECKED = 64
#: us per sample of M, C and g; time with derivatives over twice the time without.
HUMANOID_TARGETS = (2.0, 0.60)

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

HUMANOID_NOTE = (
    f"{HUMANOID}, 31 velocities, us per sample, results allocated per call; the small batch stays"
    " in the processor's cache. Garofalo et al. 2013 (Section VII) give 244 us for M, C and g and"
    " 0.71 for `ratio`, the time of M, C, g with their exact time derivatives over that of M, C, g"
    " twice. Why it is missed: six results are twice the data, the derivative of a product is two"
    " products, and what the paper's extended code shares between value and derivative the closed"
    " forms here share already within the value. Compared first with Pinocchio, derivatives with a"
    f" central difference of order eight in {CHECKED} samples, to {oracles.TOLERANCE:.0e}. First"
    " row: operations."
)
HUMANOID_COLUMNS = (
    "batch",
    "M",
    "C",
    "g",
    "M, C, g",
    "target",
    "met",
    "M, dM",
    "C, dC",
    "g, dg",
    "all six",
    "ratio",
    "target ",
    "met ",
    "difference",
)

TOGETHER_NOTE = (
    "M, C and g from one kernel, `equations_of_motion`, and with their time derivatives from one,"
    " `equations_of_motion.rates(1)`. Operations: of the three quantities apart, of the three"
    " traced into one graph (`fused`), of the one sweep; with rates apart, and of the one sweep"
    " (M's are C + C^T). `ratio` is operations with rates over twice those without, for the one"
    f" sweep; the times are us per sample in a batch of {BATCH}, their ratio that of the"
    " times. Why the ratio of operations is not below one: per pair of joints on one path the"
    " value takes three products of"
    " 6-vectors and one of 3-vectors, 39 operations; the rates take three and two more, 48"
    " operations, with what C' shares with C and its two triangles with each other taken out; and"
    " the rate of a body's bias is the bias of two inertias, G with V' and G' with V, where the"
    " value has one."
)
TOGETHER_COLUMNS = (
    "robot",
    "nv",
    "apart",
    "fused",
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
    """The arm, the humanoid, and cold compilation."""
    runs = 1 if options.quick else 5
    names = [name for name in COLD if name == ARM or name in options.robots]
    batches = HUMANOID_BATCHES[:1] if options.quick else HUMANOID_BATCHES
    arm: list[tuple[str, Callable[[], list[Row]]]] = [(f"time {ARM}", partial(_arm, options))]
    return [
        Table(f"Time derivatives: {ARM}", ARM_NOTE, ARM_COLUMNS, arm),
        Table(
            f"Time derivatives: {HUMANOID}",
            HUMANOID_NOTE,
            HUMANOID_COLUMNS,
            [
                (f"time {HUMANOID} operations", _humanoid_operations),
                *((f"time {HUMANOID} {n}", partial(_humanoid, n, options)) for n in batches),
            ],
        ),
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
    found = rates(*motion)
    alone = compare(f"{ARM} tau", value(*motion[:3]), reference[0])
    limits = (1e-10, 1e-10, oracles.TOLERANCE)
    worst = max(
        compare(f"{ARM} tau, derivative {k}", ours, theirs, limit)
        for k, (ours, theirs, limit) in enumerate(zip(found, reference, limits, strict=True))
    )
    times = interleaved(
        {"value": lambda: value(*motion[:3]), "rates": lambda: rates(*motion)}, options.effort
    )
    ns, ratio = times["rates"] / ARM_BATCH * 1e9, times.ratio("rates", "value")
    low, high = times.quartiles("rates", "value")
    verdicts = [
        Verdict(f"{ARM} inverse_dynamics.rates(2) per sample", ns, ARM_TARGETS[0], False, " ns"),
        Verdict(f"{ARM} rates(2) over inverse_dynamics alone", ratio, ARM_TARGETS[1], False),
    ]
    first = ("inverse_dynamics", f"{len(value.kernel.tape):,}")
    rest = ("rates(2)", f"{len(rates.kernel.tape):,}", nanoseconds(times["rates"], ARM_BATCH))
    marks = tuple(x for verdict in verdicts for x in (verdict.bound, verdict.mark))
    difference = (f"{worst:.0e}",)
    spread = (f"{ratio:.2f}", f"{low:.2f}–{high:.2f}", f"{ARM_PAPER:,.0f}")
    blank = ("1",) + ("",) * 6
    return [
        Row((*first, nanoseconds(times["value"], ARM_BATCH), *blank, f"{alone:.0e}")),
        Row((*rest, *spread, *marks, *difference), verdicts),
    ]


def _humanoid_operations() -> list[Row]:
    robot = gallery(HUMANOID, BATCH).robot
    functions = [getattr(robot, name) for name in HUMANOID_QUANTITIES]
    once = [len(f.kernel.tape) for f in functions]
    every = [len(f.rates(1).kernel.tape) for f in functions]
    cells = ("operations", *(f"{n:,}" for n in (*once, sum(once))), "", "")
    cells += (*(f"{n:,}" for n in (*every, sum(every))), f"{sum(every) / sum(once) / 2:.2f}")
    return [Row((*cells, "", "", ""))]


def _humanoid(batch: int, options: Options) -> list[Row]:
    case = gallery(HUMANOID, batch)
    robot, (q, v, a) = case.robot, (case.states[0][x] for x in "qva")
    calls: dict[str, Callable[[], object]] = {}
    worst, some = 0.0, np.linspace(0, batch - 1, CHECKED).astype(int)
    for name in HUMANOID_QUANTITIES:
        function = getattr(robot, name)
        arguments = (q, v)[: len(peers.PEERS[name].arguments)]
        both = function.rates(1)
        longer = (q, v, a)[: len(arguments) + 1]
        calls[name] = partial(function, *arguments)
        calls[f"{name} with rate"] = partial(both, *longer)
        reference = oracles.quantity(case, name, *arguments)
        rate = oracles.time_derivative(case, name, q[some], v[some], a[some])
        value_found, rate_found = both(*longer)
        what = f"{HUMANOID} {name}"
        worst = max(
            worst,
            compare(what, function(*arguments), reference),
            compare(f"{what}, with its rate", value_found, reference),
            compare(f"{what}, rate", rate_found[some], rate, oracles.TOLERANCE),
        )
    times = interleaved(calls, options.effort)
    us = [times[name] / batch * 1e6 for name in calls]
    once, every = sum(us[::2]), sum(us[1::2])
    ratio = every / (2.0 * once)
    bound, ratio_bound = HUMANOID_TARGETS
    verdicts = [
        Verdict(f"{HUMANOID} M, C, g per sample", once, bound, False, " us"),
        Verdict(f"{HUMANOID} M, C, g with rates over twice", ratio, ratio_bound, False),
    ]
    has_target = batch == HUMANOID_BATCHES[0]
    marks = [(x.bound, x.mark) if has_target else ("", "") for x in verdicts]
    cells = (
        f"{batch}",
        *(f"{x:.3f}" for x in us[::2]),
        f"{once:.2f}",
        *marks[0],
        *(f"{x:.3f}" for x in us[1::2]),
        f"{every:.2f}",
        f"{ratio:.2f}",
        *marks[1],
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts if has_target else ())]


def _together(name: str, options: Options) -> list[Row]:
    case = gallery(name, BATCH) if name == HUMANOID else case_of(name)
    robot, (q, v, a) = case.robot, (case.states[0][x] for x in "qva")
    parts = [getattr(robot, name) for name in HUMANOID_QUANTITIES]
    value, rates = robot.equations_of_motion, robot.equations_of_motion.rates(1)
    apart = sum(len(f.kernel.tape) for f in parts)
    rates_apart = sum(len(f.rates(1).kernel.tape) for f in parts)
    once, twice = len(value.kernel.tape), len(rates.kernel.tape)
    for part, found in zip(parts, value(q, v), strict=True):
        expected = part(*(q, v)[: len(part.kernel.arguments)])
        compare(f"{name} {part.__name__}", found, expected)
    times = interleaved(
        {"value": lambda: value(q, v), "rates": lambda: rates(q, v, a)}, options.effort
    )
    cells = (
        name,
        f"{robot.nv}",
        *(f"{n:,}" for n in (apart, _fused(robot), once, rates_apart, twice)),
        f"{twice / once / 2:.2f}",
        *(f"{times[x] / len(q) * 1e6:.2f}" for x in ("value", "rates")),
        f"{times.ratio('rates', 'value') / 2:.2f}",
    )
    return [Row(cells)]


def _fused(robot: jounce.Robot) -> int:
    """Operations of M, C and g as they are, traced into one graph."""
    graph, tree = Graph(float("inf")), robot.tree.lumped
    q, v = graph.inputs_like((robot.nq,)), graph.inputs_like((robot.nv,))
    results = (
        dynamics.mass_matrix(tree, q),
        equations.coriolis_matrix(tree, q, v),
        dynamics.gravity_forces(tree, q),
    )
    return len(record(graph, [x for result in results for x in result.flat]))


def _cold(name: str, runs: int) -> list[Row]:
    names = ["inverse_dynamics.rates(2)"]
    return [cold_row(name, names, COLD[name], runs, "inverse_dynamics.rates(2)")]


def cold_row(name: str, quantities: list[str], target: float | None, runs: int, what: str) -> Row:
    """Robot, operations, seconds, least, CPU seconds, peak, target, met."""
    found = compilation(name, quantities, runs)
    verdicts = []
    if target is not None:
        verdicts.append(Verdict(f"cold compile of {what}, {name}", found.wall, target, False, " s"))
    cells = (
        name,
        f"{found.operations:,}",
        f"{found.wall:.2f}",
        f"{found.least:.2f}",
        f"{found.cpu:.2f}",
        f"{found.peak / 1e6:.0f}" if found.peak else "",
        verdicts[0].bound if verdicts else "",
        verdicts[0].mark if verdicts else "",
    )
    return Row(cells, verdicts)
