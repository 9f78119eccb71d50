"""Section 4: operation counts, and how cost grows with the length of a chain."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from benchmarks import peers
from benchmarks.measure import Effort, time_interleaved
from benchmarks.report import Options, Row, Table, nanoseconds
from benchmarks.robots import CHAIN_BATCH, case, chain
from jounce.catalog.tables import ROBOT

#: Longest chain per quantity: the mass matrix alone has n^2 outputs.
LONGEST = {"inverse_dynamics": 200, "forward_dynamics": 200, "mass_matrix": 100}
LENGTHS = (5, 10, 20, 50, 100, 200)

OPERATIONS_NOTE = (
    "Scalar operations of the traced formula per sample (`robot.quantity.lower().operations`); a"
    " sine, a cosine, a square root and a division count as one each. No external wrenches."
)

CHAIN_NOTE = (
    f"ns per sample on batches of {CHAIN_BATCH}; ours with out=, Pinocchio's batch function with or"
    " without an output array, whichever is quicker (mass matrix: a loop that stores). The"
    " placements have no special angles, so no operation folds away by luck; the axes are x, y, z"
    " in turn, for which Pinocchio has joints of their own;"
    " armature 0.1 keeps the mass matrix of long chains well conditioned."
    " Compile: tracing and code generation, once, without the disk cache."
)
CHAIN_COLUMNS = (
    "quantity",
    "joints",
    "operations",
    "per joint",
    "compile, s",
    "jounce",
    "per joint ",
    "Pinocchio",
    "ratio",
    "difference",
)


def operation_tables(options: Options) -> list[Table]:
    """Return the tables of operations, with a column per robot."""
    columns = ("quantity", *options.robots)
    names = [name for name in ROBOT if name in peers.PEERS or not options.quick]
    jobs: list[tuple[str, Callable[[], list[Row]]]] = []
    for quantity in names:
        jobs.append((f"operations {quantity}", partial(_operations, quantity, options.robots)))
    return [Table("Operations", OPERATIONS_NOTE, columns, jobs)]


def _operations(quantity: str, robots: tuple[str, ...]) -> list[Row]:
    counts = [getattr(case(name).robot, quantity).lower().operations for name in robots]
    return [Row((quantity, *(f"{count:,}" for count in counts)))]


def chain_tables(options: Options) -> list[Table]:
    """Return the table of quantities by length of the chain."""
    longest = 50 if options.quick else max(LENGTHS)
    jobs = [
        (f"chain {quantity} {n}", partial(_chain, quantity, n, options.effort))
        for quantity, limit in LONGEST.items()
        for n in LENGTHS
        if n <= min(limit, longest)
    ]
    return [Table("Serial chains", CHAIN_NOTE, CHAIN_COLUMNS, jobs)]


def _chain(quantity: str, n: int, effort: Effort) -> list[Row]:
    links = chain(n)
    start = time.thread_time()
    function = getattr(links.robot, quantity).warmup()  # its first use
    compiled = time.thread_time() - start
    calls = peers.batch_calls(links, quantity)
    worst = peers.check(links, quantity, calls)
    timed = ("ours_out", "theirs", "theirs_out")
    times = time_interleaved({name: calls[name] for name in timed if name in calls}, effort)
    theirs = times.fastest("theirs", "theirs_out")
    operations = function.lower().operations
    ours = times["ours_out"] / CHAIN_BATCH
    cells = (
        quantity,
        str(n),
        f"{operations:,}",
        f"{operations / n:.0f}",
        f"{compiled:.2f}",
        nanoseconds(ours),
        nanoseconds(ours / n),
        nanoseconds(times[theirs], CHAIN_BATCH),
        f"{times.ratio(theirs, 'ours_out'):.1f}",
        f"{worst:.0e}",
    )
    return [Row(cells)]
