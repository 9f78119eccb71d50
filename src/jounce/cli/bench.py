"""Time quantities of a robot: single calls, compared with Pinocchio, and samples in a batch.

If Pinocchio is installed and has such a function, results are compared before anything is timed.
Times are medians of interleaved calls from Python, by default on one thread and by the clock of
that thread.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from jounce.cli import shared_arguments
from jounce.errors import ArgumentError, printable

if TYPE_CHECKING:
    from jounce.cli.timing import Timing

EXAMPLES = (
    "jounce bench kuka_iiwa14",
    'jounce bench robot.urdf --base floating mass_matrix.dq "frame(tool).jacobian"',
    "jounce bench franka inverse_dynamics --threads 2 --json",
)

#: Quantities that are timed by default.
DEFAULT = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "gravity_forces",
    "inverse_dynamics.derivatives",
    "forward_dynamics.derivatives",
    "inverse_dynamics.rates(2)",
    "inverse_dynamics.dpi",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, the quantities, and the number of samples and threads."""
    shared_arguments.add_robot(parser)
    parser.add_argument(
        "quantities", nargs="*", metavar="quantity", help=f"default: {', '.join(DEFAULT)}"
    )
    parser.add_argument(
        "--batch", type=int, default=4096, metavar="N", help="samples in a batch (default: 4096)"
    )
    parser.add_argument(
        "--threads", type=int, default=1, metavar="N", help="threads for batches (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, times in seconds")


def run(args: argparse.Namespace) -> None:
    """Time one quantity after the other and print a table."""
    from dataclasses import asdict

    from jounce.cli.timing import Stopwatch
    from jounce.utils import set_num_threads, track

    if args.threads < 1:
        raise ArgumentError(f"--threads: expected at least 1, found {args.threads}")
    if not 1 <= args.batch <= 1_000_000:
        raise ArgumentError(f"--batch: expected 1 to 1000000 samples, found {args.batch}")
    system = shared_arguments.system(args)
    names = args.quantities or DEFAULT
    for name in names:  # before anything takes time
        shared_arguments.quantity(system, name)
    set_num_threads(args.threads)
    watch = Stopwatch(system, args.batch)
    times = [watch.measure(name) for name in track(list(names), "measuring", quiet=True)]
    if args.json:
        facts = {"robot": system.name, "nq": system.nq, "nv": system.nv, "threads": args.threads}
        rows = [asdict(x) for x in times]
        print(json.dumps({**facts, "note": watch.note, "quantities": rows}, indent=2))
        return
    threads = "one thread" if args.threads == 1 else f"{args.threads} threads"
    print(f"{printable(system.name)}: nq = {system.nq}, nv = {system.nv}; {threads}")
    print("\n".join(table(times)))
    for x in times:
        if x.note:
            print(f"{x.quantity}: {printable(x.note)}")
    if watch.note:
        print(printable(watch.note))


def table(times: list[Timing]) -> list[str]:
    """Return a line for each quantity; with columns for Pinocchio if it was timed."""
    beside = any(x.pinocchio for x in times)
    rows = [["quantity", "operations", "single call", "per sample"]]
    if beside:
        rows[0][3:3] = ["Pinocchio", "ratio"]
    for x in times:
        operations = "-" if x.operations is None else str(x.operations)
        rows.append([x.quantity, operations, _format(x.single), _format(x.sample)])
        if beside:
            ratio = f"{x.pinocchio / x.single:.3g}x" if x.pinocchio and x.single else "-"
            rows[-1][3:3] = [_format(x.pinocchio), ratio]
    samples = sorted({x.batch for x in times if x.batch})
    sizes = [f"per sample: in batches of {', '.join(map(str, samples))}."] if samples else []
    return [*shared_arguments.align_columns(rows, left=1), *sizes]


def _format(seconds: float | None) -> str:
    """Return a time with three digits, in ns, us or ms."""
    if seconds is None:
        return "-"
    for unit, size in (("ns", 1e-9), ("us", 1e-6)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{1e3 * seconds:.3g} ms"
