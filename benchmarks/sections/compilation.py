"""Section: how long long kernels take to compile, on one thread and on two."""

from __future__ import annotations

from functools import partial

from benchmarks.cold import compilation
from benchmarks.report import Options, Row, Table, Verdict

#: Times faster on two threads, for kernels of several modules.
TARGET = 1.6

KERNELS = (
    ("g1", "inverse_dynamics.derivatives"),
    ("talos", "forward_dynamics.derivatives"),
    ("g1", "inverse_dynamics.dqq"),
)

COLUMNS = ("robot", "quantity", "operations", "one thread", "two", "ratio", "target", "met", "peak")

NOTE = (
    "Seconds by the wall clock to compile in a fresh process without a cache, least of {runs} runs"
    " of each kind, taken in turn; peak: largest memory of the process with two threads, MB. In"
    " brackets with tracing, which like the writing of the modules' text does not run in parallel."
)


def tables(options: Options) -> list[Table]:
    """Return the table."""
    runs = 1 if options.quick else 3
    kernels = KERNELS[:1] if options.quick else KERNELS
    jobs = [
        (f"compilation {name} {what}", partial(_rows, name, what, runs)) for name, what in kernels
    ]
    return [Table("Compilation of long kernels", NOTE.format(runs=runs), COLUMNS, jobs)]


def _rows(name: str, what: str, runs: int) -> list[Row]:
    result = [[compilation(name, [what], 1, threads=n) for n in (1, 2)] for _ in range(runs)]
    item, two = (min(pair[k].compiled for pair in result) for k in (0, 1))
    all_one, all_two = (min(pair[k].wall for pair in result) for k in (0, 1))
    last = result[-1][1]
    verdict = Verdict(f"compilation {name} {what}", item / two, TARGET, True, "x")
    peak = f"{max(pair[1].peak for pair in result) / 1e6:.0f}"
    cells = (name, what, f"{last.operations:,}", f"{item:.2f} ({all_one:.2f})")
    cells += (f"{two:.2f} ({all_two:.2f})", f"{item / two:.2f} ({all_one / all_two:.2f})")
    return [Row((*cells, verdict.bound_text, verdict.mark, peak), [verdict])]
