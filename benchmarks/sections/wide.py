"""Section 5: inverse dynamics in float32, and on all cores; derivatives on all cores."""

from __future__ import annotations

import os
import time
from functools import partial
from statistics import median

import jounce
from benchmarks import peers
from benchmarks.measure import (
    TOLERANCE,
    Effort,
    MismatchError,
    compare,
    statement_timer,
    time_interleaved,
)
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import case
from benchmarks.sections import sweep
from benchmarks.sections.batch import LARGE

#: Large enough that every robot's batch is worth a second thread.
BATCH = 32768

#: Relative difference of float32 results that would mean a defect rather than rounding.
SINGLE_TOLERANCE = 1e-3

NOTE = (
    "ns per sample of `inverse_dynamics`, batches of {batch}, both allocating their result."
    " Pinocchio's Python module has no float32. Threads: `jounce.set_num_threads({cores})` and"
    " `rneaInParallel({cores}, ...)`. Wall clock, for all columns: what else runs counts too."
    " Error: the largest difference of the float32 results, relative per sample."
)


#: Speed of two threads over one for humanoids.
GAIN = 1.85

#: Quantities that are shared among threads, and batches of them.
SHARED = {
    "inverse_dynamics": BATCH,
    "inverse_dynamics.derivatives": 4096,
    "forward_dynamics.derivatives": 4096,
}

SHARED_NOTE = (
    "ns per sample, results allocated by the call and dropped; wall clock. `CPU`: what all threads"
    " of the process take for a call, over what one takes alone: 1 if sharing costs nothing. A core"
    " that others use is no core: the gain is at most the number of idle ones."
)
SHARED_COLUMNS = ("robot", "quantity", "batch", "1 thread", "{n} threads", "gain", "target", "met")


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def tables(options: Options) -> list[Table]:
    """Return the table of all robots."""
    n = cores()
    columns = (
        "robot",
        "nv",
        "float64",
        "float32",
        "gain",
        "error",
        f"float64, {n} threads",
        "gain ",
        f"float32, {n} threads",
        "Pinocchio",
        f"Pinocchio, {n} threads",
        "ratio",
        f"ratio, {n} threads",
    )
    # few repetitions: every call here is long
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    jobs = [(f"wide {name}", partial(_rows, name, effort)) for name in options.robots]
    shared = [
        (f"threads {quantity} {name}", partial(_shared, name, quantity, batch, effort))
        for name in options.robots
        for quantity, batch in SHARED.items()
    ]
    shared_columns = (*(x.format(n=n) for x in SHARED_COLUMNS), "CPU")
    return [
        Table("float32 and threads", NOTE.format(batch=BATCH, cores=n), columns, jobs),
        Table("Threads", SHARED_NOTE, shared_columns, shared),
    ]


def _shared(name: str, quantity: str, batch: int, effort: Effort) -> list[Row]:
    function, samples, wanted = sweep.prepare(case(name, sweep.BATCHES[0]), quantity)
    n = cores()
    used: dict[int, list[float]] = {1: [], n: []}
    candidates = {}
    try:
        for threads, spent in used.items():
            jounce.set_num_threads(threads)
            call = sweep.work(function, samples, wanted, batch).call
            names = {"use": jounce.set_num_threads, "call": call}
            # a call before the clock starts, for the threads to be there
            setup = f"use({threads}); call()"
            candidates[f"{threads}"] = statement_timer("call()", names, setup, time.perf_counter)
            cpu = statement_timer("call()", names, setup, time.process_time)
            spent += cpu.repeat(effort.rounds, 1)
        times = time_interleaved(candidates, effort, time.perf_counter)
    finally:
        jounce.set_num_threads(1)
    gain = times.ratio("1", f"{n}")
    verdicts = []
    if name in LARGE and n == 2:
        verdicts.append(Verdict(f"two threads {quantity} {name}", gain, GAIN, at_least=True))
    marks = [(x.bound_text, x.mark) for x in verdicts] or [("", "")]
    cells = (
        name,
        quantity,
        f"{batch:,}",
        *(nanoseconds(times[f"{k}"], batch) for k in (1, n)),
        f"{gain:.2f}",
        *marks[0],
        f"{median(used[n]) / median(used[1]):.2f}",
    )
    return [Row(cells, verdicts)]


def _rows(name: str, effort: Effort) -> list[Row]:
    robot, quantity, n = case(name, BATCH), "inverse_dynamics", cores()
    f = robot.robot.inverse_dynamics
    arguments = peers.our_arguments(robot, quantity)
    theirs, theirs_threads = (peers.parallel(robot, quantity, k) for k in (1, n))
    reference = peers.as_ours(robot, quantity, theirs())
    again = peers.as_ours(robot, quantity, theirs_threads())
    compare(f"{name}: Pinocchio's threads", again, reference)

    candidates = {"theirs": theirs, "theirs threads": theirs_threads}
    errors = {}
    try:
        for dtype, tolerance in (("float64", TOLERANCE), ("float32", SINGLE_TOLERANCE)):
            values = tuple(x.astype(dtype) for x in arguments)
            for key, threads in ((dtype, 1), (f"{dtype} threads", n)):
                jounce.set_num_threads(threads)
                call = partial(f, *values)
                if (result := call()).dtype != dtype:
                    raise MismatchError(f"{name} {key}: the result is {result.dtype}")
                errors[key] = compare(f"{name} {key}", result, reference, tolerance)
                # a call before the clock starts, for the threads to be there
                setup = f"use({threads}); call()"
                names = {"use": jounce.set_num_threads, "call": call}
                candidates[key] = statement_timer("call()", names, setup, time.perf_counter)
        times = time_interleaved(candidates, effort, time.perf_counter)
    finally:
        jounce.set_num_threads(1)
    ns = {key: nanoseconds(times[key], BATCH) for key in candidates}
    error = max(errors["float32"], errors["float32 threads"])
    cells = (
        name,
        robot.size,
        ns["float64"],
        ns["float32"],
        f"{times.ratio('float64', 'float32'):.2f}",
        f"{error:.0e}",
        ns["float64 threads"],
        f"{times.ratio('float64', 'float64 threads'):.2f}",
        ns["float32 threads"],
        ns["theirs"],
        ns["theirs threads"],
        f"{times.ratio('theirs', 'float64'):.1f}",
        f"{times.ratio('theirs threads', 'float64 threads'):.1f}",
    )
    return [Row(cells)]
