"""Time quantities of a robot: a single call, and a sample in a batch, beside Pinocchio.

Results are compared with Pinocchio's, where it is installed and has such a function, before
anything is timed. Times are medians of calls from Python in turns, on one thread unless --threads
says otherwise, by the clock of that thread.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from jounce.cli import given
from jounce.errors import ArgumentError, printable

if TYPE_CHECKING:
    from jounce.cli.speed import Speed

EXAMPLES = (
    "jounce bench kuka_iiwa14",
    'jounce bench robot.urdf --base floating mass_matrix.dq "frame(tool).jacobian"',
    "jounce bench franka inverse_dynamics --threads 2 --json",
)

#: What is timed if nothing is asked for.
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
    """The robot, what to time, and on how many threads."""
    given.add_robot(parser)
    parser.add_argument(
        "quantities", nargs="*", metavar="quantity", help=f"default: {', '.join(DEFAULT)}"
    )
    parser.add_argument("--batch", type=int, default=4096, metavar="N", help="samples (4096)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="for batches (1)")
    parser.add_argument("--json", action="store_true", help="print JSON, times in seconds")


def run(args: argparse.Namespace) -> None:
    """Measure one after the other and print a table."""
    from dataclasses import asdict

    from jounce.cli.speed import Stopwatch, check_batch
    from jounce.utils.progress import track
    from jounce.utils.threads import set_num_threads

    if args.threads < 1:
        raise ArgumentError(f"--threads: expected at least 1, found {args.threads}")
    batch = check_batch(args.batch)
    system = given.system(args)
    quantities = {name: given.quantity(system, name) for name in args.quantities or DEFAULT}
    set_num_threads(args.threads)
    watch = Stopwatch(system, batch)
    found = [
        watch.measure(name, quantity)
        for name, quantity in track(list(quantities.items()), "measuring", quiet=True)
    ]
    if args.json:
        facts = {"robot": system.name, "nq": system.nq, "nv": system.nv, "threads": args.threads}
        rows = [asdict(speed) for speed in found]
        print(json.dumps({**facts, "note": watch.without, "quantities": rows}, indent=2))
        return
    threads = "one thread" if args.threads == 1 else f"{args.threads} threads"
    print(f"{printable(system.name)}: nq = {system.nq}, nv = {system.nv}; {threads}")
    print(table(found, beside=watch.peer is not None))
    for speed in found:
        if speed.note:
            print(f"{speed.quantity}: {printable(speed.note)}")
    if watch.without:
        print(printable(watch.without))


def table(found: list[Speed], beside: bool) -> str:
    """A line per quantity; beside: with columns for Pinocchio."""
    head = ["quantity", "operations", "single call", "per sample"]
    if beside:
        head[3:3] = ["Pinocchio", "ratio"]
        head += ["Pinocchio", "ratio"]
    rows = [head]
    for x in found:
        operations = "-" if x.operations is None else str(x.operations)
        cells = [x.quantity, operations, _time(x.single), _time(x.sample)]
        if beside:
            cells[3:3] = [_time(x.pinocchio_single), _ratio(x.pinocchio_single, x.single)]
            loop = "*" if x.looped else ""
            cells += [_time(x.pinocchio_sample) + loop, _ratio(x.pinocchio_sample, x.sample)]
        rows.append(cells)
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    lines = [
        "  ".join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    samples = sorted({x.batch for x in found if x.batch})
    sizes = f" per sample: in batches of {', '.join(map(str, samples))}." if samples else ""
    loops = " *: a loop in Python." if any(x.looped for x in found) else ""
    return "\n".join([*lines, (sizes + loops).strip()]).rstrip()


def _time(seconds: float | None) -> str:
    """Three digits, in ns, us or ms."""
    if seconds is None:
        return "-"
    for unit, size in (("ns", 1e-9), ("us", 1e-6)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{1e3 * seconds:.3g} ms"


def _ratio(theirs: float | None, ours: float | None) -> str:
    """How many times longer Pinocchio takes."""
    return "-" if theirs is None or ours is None else f"{theirs / ours:.3g}x"
