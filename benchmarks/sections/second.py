"""Section 8, continued: Christoffel symbols and second derivatives of inverse dynamics."""

from __future__ import annotations

import os
import tempfile
from functools import partial

import numpy as np

from benchmarks import oracles
from benchmarks.cold import Compilation, compilation
from benchmarks.measure import Effort, Times, cache_in, compare, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.robots import CHAIN_BATCH, case, chain

TENSORS = ("dqq", "dqv", "dvv", "daq")
#: Samples per batch, and us per sample of all four tensors.
BATCHES = {"panda": 4096, "g1": 256}
TARGETS = {"panda": 3.0, "g1": 22.0}
#: Seconds and bytes to compile all four.
COLD = {"g1": (60.0, 2e9)}
#: Samples compared with the stencil, spread over the batch.
CHECKED = 8

LENGTHS, QUICK_LENGTHS = (10, 20), (10,)
CHRISTOFFEL = {20: 2.5}

CHRISTOFFEL_NOTE = (
    f"us per sample of `christoffel` on the serial chains, batches of {CHAIN_BATCH}, results"
    " allocated per call, and with out=. Compared with Pinocchio's `computeCoriolisMatrix` at unit"
    " velocities, all samples. `dM/dq`: operations of `mass_matrix.dq`, of which the symbols are"
    " sums of three entries."
)
CHRISTOFFEL_COLUMNS = (
    "joints",
    "operations",
    "dM/dq",
    "us",
    "target",
    "met",
    "us, out=",
    "GB/s",
    "op/ns",
    "difference",
)

NOTE = (
    "us per sample of the four tensors (nv, nv, nv), one call each, allocated per call. Pinocchio's"
    " Python module has no second derivatives: compared with a central difference of order eight of"
    f" its first derivatives, {CHECKED} samples spread over the batch, to {oracles.TOLERANCE:.0e}."
    " `out=`: the sum, into the"
    " same arrays again and again. Compile: all four in one fresh process, wall clock, once; peak:"
    " the largest memory of that process, import included."
)
COLUMNS = (
    "robot",
    "nv",
    "batch",
    "operations",
    *TENSORS,
    "sum",
    "target",
    "met",
    "sum, out=",
    "GB/s",
    "op/ns",
    "difference",
    "compile, s",
    "target ",
    "met ",
    "peak, GB",
    "target  ",
    "met  ",
)


def tables(options: Options) -> list[Table]:
    """Christoffel symbols, second derivatives."""
    lengths = QUICK_LENGTHS if options.quick else LENGTHS
    names = [n for n in BATCHES if n in options.robots and not (options.quick and n == "g1")]
    christoffel = [(f"state christoffel {n}", partial(_christoffel, n, options)) for n in lengths]
    second = [(f"state second order {n}", partial(_second, n, options)) for n in names]
    return [
        Table("Christoffel symbols", CHRISTOFFEL_NOTE, CHRISTOFFEL_COLUMNS, christoffel),
        Table("Second derivatives of inverse_dynamics", NOTE, COLUMNS, second),
    ]


def _christoffel(n: int, options: Options) -> list[Row]:
    links = chain(n)
    function, q = links.robot.christoffel, links.states[0]["q"]
    out = function(q)
    columns = [
        oracles.quantity(links, "coriolis_matrix", q, np.broadcast_to(unit, q.shape))
        for unit in np.eye(n)
    ]
    reference = np.stack(columns, axis=-1)
    worst = compare(f"christoffel of {n} joints", out, reference)
    calls = {"ours": lambda: function(q), "out": lambda: function(q, out=out)}
    times = time_interleaved(calls, options.effort)
    us = times["ours"] / CHAIN_BATCH * 1e6
    verdicts = []
    if n in CHRISTOFFEL:
        verdicts.append(Verdict(f"christoffel of {n} joints", us, CHRISTOFFEL[n], False, " us"))
    operations = len(function.kernel.tape)
    cells = (
        str(n),
        f"{operations:,}",
        f"{len(links.robot.mass_matrix.dq.kernel.tape):,}",
        f"{us:.2f}",
        verdicts[0].bound_text if verdicts else "",
        verdicts[0].mark if verdicts else "",
        f"{times['out'] / CHAIN_BATCH * 1e6:.2f}",
        f"{8 * n**3 / us / 1e3:.1f}",
        f"{operations / us / 1e3:.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells, verdicts)]


def _second(name: str, options: Options) -> list[Row]:
    robot, batch = case(name, BATCHES[name]), BATCHES[name]
    functions = {x: getattr(robot.robot.inverse_dynamics, x) for x in TENSORS}
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "objects")
        made = compilation(name, [f"inverse_dynamics.{x}" for x in TENSORS], 1, store)
        with cache_in(store):
            for function in functions.values():
                function.warmup()
    state = tuple(robot.states[0][x] for x in "qva")
    some = np.linspace(0, batch - 1, CHECKED).astype(int)
    reference = oracles.second_derivatives(robot, *(x[some] for x in state))
    worst, times = 0.0, {}
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    for x, function in functions.items():
        out = function(*state)
        result = compare(f"{name} {x}", out[some], reference[x], oracles.TOLERANCE)
        worst = max(worst, result)
        calls = {"ours": partial(function, *state), "out": partial(function, *state, out=out)}
        times[x] = time_interleaved(calls, effort)
    return [_second_row(name, robot.size, batch, functions, times, worst, made)]


def _second_row(
    name: str,
    size: str,
    batch: int,
    functions: dict,
    times: dict[str, Times],
    worst: float,
    made: Compilation,
) -> Row:
    us = {x: times[x]["ours"] / batch * 1e6 for x in TENSORS}
    total = sum(us.values())
    operations = sum(len(function.kernel.tape) for function in functions.values())
    results = 8 * sum(int(np.prod(f.kernel.outputs[0])) for f in functions.values())
    speed = Verdict(f"second derivatives {name}", total, TARGETS[name], False, " us")
    verdicts = [speed]
    marks = ["", ""], ["", ""]
    if name in COLD:
        seconds, peak = COLD[name]
        what = f"second derivatives {name}, cold compile"
        part = [Verdict(what, made.wall, seconds, False, " s")]
        if made.peak:
            part.append(Verdict(f"{what}, peak", made.peak / 1e9, peak / 1e9, False, " GB"))
        for mark, verdict in zip(marks, part, strict=False):
            mark[:] = verdict.bound_text, verdict.mark
        verdicts += part
    cells = (
        name,
        size,
        str(batch),
        f"{operations:,}",
        *(f"{us[x]:.2f}" for x in TENSORS),
        f"{total:.2f}",
        speed.bound_text,
        speed.mark,
        f"{sum(times[x]['out'] for x in TENSORS) / batch * 1e6:.2f}",
        f"{results / total / 1e3:.1f}",
        f"{operations / total / 1e3:.1f}",
        f"{worst:.0e}",
        f"{made.wall:.1f}",
        *marks[0],
        f"{made.peak / 1e9:.2f}" if made.peak else "",
        *marks[1],
    )
    return Row(cells, verdicts)
