"""Run the benchmarks on a GPU: python -m benchmarks.gpu --help."""

from __future__ import annotations

import argparse
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.gpu import fleet, peers, rates, small
from benchmarks.gpu.robots import QUANTITIES, ROBOTS
from benchmarks.report import Row, Table, summary
from tests.gpu import machine

RESULTS = Path(__file__).parents[1] / "GPU.md"

TITLE = "# jounce on a GPU\n"

SECTIONS: dict[str, Callable[[tuple[str, ...], tuple[str, ...]], Iterator[Table]]] = {
    "rates": rates.tables,
    "fleet": fleet.tables,
    "small": small.tables,
    "peers": peers.tables,
}


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    for name, every in (("sections", SECTIONS), ("robots", ROBOTS), ("quantities", QUANTITIES)):
        parser.add_argument(
            f"--{name}",
            nargs="+",
            choices=every,
            metavar="NAME",
            default=list(every),
            help=f"among {', '.join(every)}",
        )
    parser.add_argument(
        "--seconds", type=float, default=480.0, help="begin nothing new after so many (480)"
    )
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--to", type=Path, default=RESULTS, help="the file that --write writes")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the file is written after every row, so that nothing is lost when time runs out."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parse(arguments)
    why = machine.hindrance("cupy")
    if why:
        print(f"nothing can be measured on a GPU here: {why}", file=sys.stderr)
        return 1
    end = time.perf_counter() + options.seconds
    failed = False
    for name in options.sections:
        head = _head(arguments)
        tables: list[Table] = []
        for table in SECTIONS[name](tuple(options.robots), tuple(options.quantities)):
            tables.append(table)
            for ok in _fill_table(table, end):
                failed = failed or not ok
                if options.write:
                    _write(options.to, name, _section(head, tables))
        print(f"\n{_section(head, tables)}", flush=True)
    return int(failed)


def _fill_table(table: Table, end: float) -> Iterator[bool]:
    """Run the jobs of a table, one per iteration; yield whether each succeeded."""
    for label, job in table.jobs:
        left = end - time.perf_counter()
        if left < 0.0:
            _not_done(table, label, "not run: out of time")
            yield False
            continue
        start = time.perf_counter()
        try:
            table.rows += job()
        except Exception as error:  # the others shall have their turn
            traceback.print_exc()
            text = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            _not_done(table, label, text)
            yield False
            continue
        taken = time.perf_counter() - start
        cells = " | ".join(table.rows[-1].cells)
        print(f"[{left:4.0f} s left] {label} ({taken:.1f} s): {cells}", flush=True)
        yield True


def _not_done(table: Table, label: str, why: str) -> None:
    """A row that says why there is none."""
    why = why.replace("|", "/")  # which ends a cell
    print(f"{label}: {why}", flush=True)
    table.rows.append(Row((f"{label}: {why}", *("",) * (len(table.columns) - 1))))


# ------------------------------------------------------------------ the file


def _head(arguments: Sequence[str]) -> str:
    command = " ".join(("python -m benchmarks.gpu", *arguments))
    return "\n".join((f"- command: `{command}`", *machine.facts())) + "\n"


def _section(head: str, tables: Sequence[Table]) -> str:
    """Facts, targets and tables."""
    judged = [table for table in tables if table.verdicts]
    parts = [table.markdown().replace("\n\n", f"\n\n{head}\n", 1) for table in tables]
    if judged:
        parts.append(summary(judged).replace("## Targets", "### Targets"))
    return "\n".join(parts)


def _write(path: Path, name: str, text: str) -> None:
    """Put a section into the file, in the place of what it was; others stay as they are."""
    before = path.read_text("utf-8") if path.exists() else TITLE
    parts = {key: re.search(_pattern(key), before, re.DOTALL) for key in SECTIONS}
    kept = {key: result[1] for key, result in parts.items() if result is not None}
    kept[name] = text.strip()
    marked = [
        f"<!-- {key} -->\n{kept[key]}\n<!-- end of {key} -->" for key in SECTIONS if key in kept
    ]
    path.write_text("\n\n".join((TITLE.strip(), *marked)) + "\n", encoding="utf-8")


def _pattern(name: str) -> str:
    return f"<!-- {name} -->\n(.*?)\n<!-- end of {name} -->"


if __name__ == "__main__":
    sys.exit(main())
