"""Section 5: inverse dynamics in float32, and on all cores."""

from __future__ import annotations

import os
import time
from functools import partial

import jounce
from benchmarks import peers
from benchmarks.measure import TOLERANCE, Effort, MismatchError, compare, interleaved, statement
from benchmarks.report import Options, Row, Table, nanoseconds
from benchmarks.robots import case

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


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def tables(options: Options) -> list[Table]:
    """One table for all robots."""
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
    return [Table("float32 and threads", NOTE.format(batch=BATCH, cores=n), columns, jobs)]


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
            given = tuple(x.astype(dtype) for x in arguments)
            for key, threads in ((dtype, 1), (f"{dtype} threads", n)):
                jounce.set_num_threads(threads)
                call = partial(f, *given)
                if (result := call()).dtype != dtype:
                    raise MismatchError(f"{name} {key}: the result is {result.dtype}")
                errors[key] = compare(f"{name} {key}", result, reference, tolerance)
                # a call before the clock starts, for the threads to be there
                setup = f"use({threads}); call()"
                names = {"use": jounce.set_num_threads, "call": call}
                candidates[key] = statement("call()", names, setup, time.perf_counter)
        times = interleaved(candidates, effort, time.perf_counter)
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
