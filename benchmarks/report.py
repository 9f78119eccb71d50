"""Tables, verdicts on targets, the machine: on the terminal and as Markdown."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import jounce
from benchmarks.measure import Effort, Times

RESULTS = Path(__file__).parent / "RESULTS.md"
#: What the results page ends with: written by hand, and kept.
TRIED = Path(__file__).parent / "tried.md"
FIGURES = Path(__file__).parents[1] / "docs" / "performance"


@dataclass(frozen=True)
class Verdict:
    """A target and what was measured against it."""

    what: str
    value: float
    target: float
    at_least: bool
    unit: str = "x"

    @property
    def is_met(self) -> bool:
        return self.value >= self.target if self.at_least else self.value <= self.target

    @property
    def bound_text(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.target:g}{self.unit}"

    @property
    def mark(self) -> str:
        return "yes" if self.is_met else "**NO**"

    def __str__(self) -> str:
        return f"{self.what}: {self.value:.3g}{self.unit}, target {self.bound_text}"


@dataclass(frozen=True)
class Row:
    """A line of a table, and the targets it answers."""

    cells: Sequence[str]
    verdicts: Sequence[Verdict] = ()


@dataclass(frozen=True)
class Options:
    """Settings of a run: robots by name, and effort of the measurements."""

    robots: tuple[str, ...]
    effort: Effort
    quick: bool


@dataclass
class Table:
    """A table to be filled: each job (label, function) gives some of its rows.

    draw: name of a figure among the documents, and what draws it to a path, once it is filled.
    """

    title: str
    note: str
    columns: Sequence[str]
    jobs: Sequence[tuple[str, Callable[[], list[Row]]]]
    rows: list[Row] = field(default_factory=list)
    draw: tuple[str, Callable[[Path], None]] | None = None

    @property
    def verdicts(self) -> list[Verdict]:
        return [verdict for row in self.rows for verdict in row.verdicts]

    def markdown(self) -> str:
        """Title, note and table; the pipes line up, so that it also reads as plain text."""
        lines = [list(self.columns), *(list(row.cells) for row in self.rows)]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.columns))]
        text = [_line(lines[0], widths)]
        # names to the left, numbers to the right
        rule = [f"{'-' * (w - 1)}{'-' if k == 0 else ':'}" for k, w in enumerate(widths)]
        text.append(_line(rule, widths))
        text += [_line(line, widths) for line in lines[1:]]
        return f"## {self.title}\n\n{self.note}\n\n" + "\n".join(text) + "\n"


def draw(tables: Sequence[Table]) -> None:
    """Write the figures of tables that have one."""
    for table in tables:
        if table.draw is not None:
            name, function = table.draw
            function(FIGURES / name)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    others = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return f"| {' | '.join((first, *others))} |"


def summary(tables: Sequence[Table]) -> str:
    """Targets met and, by name, missed."""
    verdicts = [verdict for table in tables for verdict in table.verdicts]
    missed = [verdict for verdict in verdicts if not verdict.is_met]
    lines = [f"## Targets\n\n{len(verdicts) - len(missed)} of {len(verdicts)} met."]
    lines += ["Missed:\n", *(f"- {verdict}" for verdict in missed)] if missed else []
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ the machine


def cpu_model() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    facts: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    return (
        f"{facts.get('model name', platform.machine())}"
        f" (family {facts.get('cpu family', '?')}, model {facts.get('model', '?')})"
    )


def load_average() -> str:
    """Processes that wanted a core in the last minute, or "unknown"."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except (AttributeError, OSError):
        return "unknown"


def commit() -> str:
    """The commit of the source that runs, marked if files have changed since."""
    command = ("git", "-C", str(RESULTS.parent), "describe", "--always", "--dirty", "--abbrev=10")
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown commit"
    return f"commit {done.stdout.strip()}"


def simd_width() -> int:
    """Samples a float64 kernel takes at once on this machine, read from its LLVM text."""
    arm = jounce.TreeBuilder("rod").add("rod", "revolute", mass=1.0, com=(0.5, 0.0, 0.0)).build()
    text = jounce.Robot(arm).mass_matrix.lower().text
    return max(n for n in range(1, 65) if f"<{n} x double>" in text)


def header(arguments: Sequence[str]) -> str:
    """The command, the machine and the versions."""
    names = ("numpy", "llvmlite", "pin", "example-robot-data")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    command = " ".join(("python -m benchmarks", *arguments))
    return (
        f"- command: `{command}`\n"
        f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n"
        f"- machine: {cpu_model()}, {os.cpu_count()} cores, {platform.platform()};"
        f" {simd_width()} float64 per vector;"
        f" load average at the start {load_average()} (idle: near 0)\n"
        f"- Python {platform.python_version()}, jounce {jounce.__version__} ({commit()}),"
        f" {versions}"
        " (Pinocchio: the wheel that pip installs)\n"
        "- Both libraries: the same states, one process, one thread, float64 unless stated"
        " otherwise. Results are compared over the whole batch to 1e-10, relative to the largest"
        " entry of each sample, before anything is timed; tables with another tolerance state it.\n"
        "- Times are medians of repetitions that alternate between the libraries, the first one"
        " discarded, by the CPU clock of the one thread, so that other processes do not count"
        " (threads and cold start: wall clock). `≥`: our speed over Pinocchio's; `≤`: our time over"
        " Pinocchio's.\n"
    )


# ------------------------------------------------------------------ progress


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A function to call before each job: a bar with rich on a terminal, plain lines otherwise."""
    try:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    except ImportError:
        Progress = None
    if Progress is None or not sys.stderr.isatty():
        count = 0

        def plain(label: str) -> None:
            nonlocal count
            count += 1
            print(f"[{count}/{total}] {label}", file=sys.stderr, flush=True)

        yield plain
        return
    from rich.console import Console

    # no refreshing thread: it would take part in the timings
    columns = (TextColumn("{task.description:40}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False)
    with bar:
        task = bar.add_task("", total=total)

        def step(label: str) -> None:
            bar.update(task, description=label, advance=1)
            bar.refresh()

        yield step


def nanoseconds(seconds: float, samples: int = 1) -> str:
    """Time per sample in ns, three digits."""
    value = seconds / samples * 1e9
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


#: Columns that compare a batch with Pinocchio's, filled by `compare_cells`.
COMPARED = ("jounce", "Pinocchio", "ratio", "quartiles", "target", "met")


def compare_cells(times: Times, batch: int, verdict: Verdict | None) -> tuple[str, ...]:
    """Cells of the columns `COMPARED`: ns per sample, how often faster, and what was aimed at."""
    low, high = times.quartiles("theirs", "ours")
    return (
        nanoseconds(times["ours"], batch),
        nanoseconds(times["theirs"], batch),
        f"{times.ratio('theirs', 'ours'):.1f}",
        f"{low:.1f}–{high:.1f}",
        "" if verdict is None else verdict.bound_text,
        "" if verdict is None else verdict.mark,
    )
