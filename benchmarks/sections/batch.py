"""Section 1: a batch of 4096 through the public call."""

from __future__ import annotations

from functools import partial

from benchmarks import peers
from benchmarks.measure import Times, time_interleaved
from benchmarks.report import COMPARED, Options, Row, Table, Verdict, compare_cells, nanoseconds
from benchmarks.robots import BATCH, MIMIC_NOTE, case

#: Speed over Pinocchio that we aim for: small arms, humanoids.
TARGETS = {
    "inverse_dynamics": (25.0, 20.0),
    "forward_dynamics": (20.0, 12.0),
    "mass_matrix": (20.0, 22.0),
    "coriolis_matrix": (20.0, 25.0),
}
#: Most ns per sample.
MOST = {("ur5", "inverse_dynamics"): 16.0}
SMALL, LARGE = ("ur5", "panda"), ("g1", "talos")

COLUMNS = (
    "robot",
    "nv",
    *COMPARED,
    "jounce, out=",
    "Pinocchio, out",
    "ratio, out",
    "loop, no store",
    "jounce, new memory",
    "difference",
)

UNITS = (
    "ns per sample on arrays (4096, n), C-contiguous. `ratio`: Pinocchio's time over ours, both"
    " calls allocating their result; `quartiles`: that ratio round by round; `out`: both with an"
    " output array given again and again; `difference`: of the results, before timing."
)
PARALLEL = "`{parallel}`, a C++ loop, one thread, on contiguous columns."
ZEROS = "`{parallel}` with zeros for a, which spares a Python loop of `{function}`."
LOOP = (
    "a Python loop of `{function}` over rows cut beforehand, storing each result into a"
    " preallocated array (`out` compares with the same); `loop, no store` drops the results."
    " `jounce, new memory`: into a `numpy.empty` of its own per call; the call that allocates may"
    " get the memory of a result that was dropped, as in any loop that does not keep them all."
)


def tables(options: Options) -> list[Table]:
    """A table per quantity."""
    return [_table(quantity, options) for quantity in peers.PEERS]


def _table(quantity: str, options: Options) -> Table:
    peer = peers.PEERS[quantity]
    how = LOOP if not peer.parallel else ZEROS if "0" in peer.parallel else PARALLEL
    how = how.format(function=peer.function, parallel=(peer.parallel or ("",))[0])
    note = f"Pinocchio: {how}"
    if quantity == next(iter(peers.PEERS)):
        note = f"{UNITS}\n\n{MIMIC_NOTE}\n\n{note}"
    jobs = [
        (f"batch {quantity} {name}", partial(_rows, name, quantity, options))
        for name in options.robots
    ]
    return Table(f"Batch of {BATCH}: {quantity}", note, COLUMNS, jobs)


def target(name: str, quantity: str) -> float | None:
    """Return the target of a quantity, or None."""
    small, large = TARGETS.get(quantity, (None, None))
    return small if name in SMALL else large if name in LARGE else None


def _rows(name: str, quantity: str, options: Options) -> list[Row]:
    robot = case(name)
    calls = peers.batch_calls(robot, quantity)
    worst = peers.check(robot, quantity, calls)
    times = time_interleaved(calls, options.effort)
    return [row(name, robot.size, quantity, times, worst)]


def row(name: str, size: str, quantity: str, times: Times, worst: float) -> Row:
    """A line of the table."""
    ratio = times.ratio("theirs", "ours")
    goal = target(name, quantity)
    verdicts = []
    if goal is not None:
        verdicts.append(Verdict(f"batch {quantity} {name}", ratio, goal, at_least=True))
    if (name, quantity) in MOST:
        most, ns = MOST[name, quantity], times["ours"] / BATCH * 1e9
        verdicts.append(Verdict(f"batch {quantity} {name}", ns, most, at_least=False, unit=" ns"))
    theirs_out = "theirs_out" if "theirs_out" in times else "theirs"
    cells = (
        name,
        size,
        *compare_cells(times, BATCH, verdicts[0] if verdicts else None),
        nanoseconds(times["ours_out"], BATCH),
        nanoseconds(times[theirs_out], BATCH),
        f"{times.ratio(theirs_out, 'ours_out'):.1f}",
        nanoseconds(times["bare"], BATCH) if "bare" in times else "",
        nanoseconds(times["ours_new"], BATCH) if "ours_new" in times else "",
        f"{worst:.0e}",
    )
    return Row(cells, verdicts)
