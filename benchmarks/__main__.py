"""Run the benchmarks: python -m benchmarks --help."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from benchmarks import measure, report
from benchmarks.robots import FIXED, ROBOTS, one_thread
from benchmarks.sections import SECTIONS


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--robots", nargs="+", choices=ROBOTS, metavar="NAME", help=f"among {', '.join(ROBOTS)}"
    )
    parser.add_argument(
        "--sections",
        nargs="+",
        choices=SECTIONS,
        metavar="NAME",
        default=list(SECTIONS),
        help=f"among {', '.join(SECTIONS)}",
    )
    parser.add_argument(
        "--quick", action="store_true", help="few repetitions, fixed bases, short chains"
    )
    parser.add_argument(
        "--write", action="store_true", help=f"write {report.RESULTS.name} and figures"
    )
    return parser.parse_args(arguments)


def run(options: report.Options, sections: Sequence[str]) -> list[report.Table]:
    """Fill the tables of the sections; each is printed as soon as it is complete."""
    with one_thread():
        tables = [table for name in sections for table in SECTIONS[name](options)]
        with report.progress(sum(len(table.jobs) for table in tables)) as step:
            for table in tables:
                for label, job in table.jobs:
                    step(label)
                    table.rows += job()
    return tables


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and with --write keep the report."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parse(arguments)
    start = time.perf_counter()
    robots = tuple(options.robots or (FIXED if options.quick else ROBOTS))
    effort = measure.QUICK if options.quick else measure.FULL
    top = report.header(arguments)
    try:
        tables = run(report.Options(robots, effort, options.quick), options.sections)
    except measure.MismatchError as error:
        print(f"results differ, nothing is reported: {error}", file=sys.stderr)
        return 1
    top += (
        f"- {time.perf_counter() - start:.0f} s in all; load average at the end"
        f" {report.load_average()}, of which this run is about 1\n"
    )
    parts = [
        "# jounce compared with Pinocchio\n",
        top,
        report.summary(tables),
        *(table.markdown() for table in tables),
        report.TRIED.read_text(encoding="utf-8"),
    ]
    text = "\n".join(parts)
    print(text)
    if options.write:
        report.RESULTS.write_text(text, encoding="utf-8")
        print(f"written to {report.RESULTS}", file=sys.stderr)
        report.draw(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
