"""Run checks on a GPU: python -m tests.gpu [area ...] [-k WORD] [--write] [--seconds N]."""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.gpu import machine

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "RESULTS.md"

#: Seconds after which a hanging check prints its stack.
PATIENCE = 120.0


@dataclass(frozen=True)
class Outcome:
    """Outcome of a check; error: '' if it passed."""

    area: str
    name: str
    seconds: float
    error: str = ""

    @property
    def word(self) -> str:
        """Result in a word."""
        return "failed" if self.error else "ok"


def areas() -> list[str]:
    """Return the files with checks, by area."""
    return sorted(path.stem.removeprefix("check_") for path in FOLDER.glob("check_*.py"))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.gpu", description=__doc__)
    parser.add_argument(
        "areas", nargs="*", metavar="area", help=f"among {', '.join(areas())}; all by default"
    )
    parser.add_argument("-k", default="", metavar="WORD", help="only checks with it in their name")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="begin no check after so many; it counts failed"
    )
    given = parser.parse_args(arguments)
    unknown = set(given.areas) - set(areas())
    if unknown:
        parser.error(f"no area {', '.join(sorted(unknown))}; choose among {', '.join(areas())}")
    return given


def checks(area: str) -> list[tuple[str, Callable[[], None]]]:
    """Return the check functions of a file in the order of definition."""
    module = importlib.import_module(f"tests.gpu.check_{area}")
    return [(name, f) for name, f in vars(module).items() if name.startswith("check_")]


def outcome(area: str, name: str, check: Callable[[], object]) -> Outcome:
    """Run one check and return its outcome; exceptions are outcomes too."""
    start = time.perf_counter()
    faulthandler.dump_traceback_later(PATIENCE, repeat=True, file=sys.__stderr__)
    try:
        check()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit: the runner always continues
        traceback.print_exc()
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Outcome(area, name, time.perf_counter() - start, text)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return Outcome(area, name, time.perf_counter() - start)


def run(names: Sequence[str], word: str = "", seconds: float = 1e9) -> Iterator[Outcome]:
    """Run the checks of areas one after the other; continue after failures."""
    end = time.perf_counter() + seconds
    for area in names:
        found: list[tuple[str, Callable[[], None]]] = []
        loaded = outcome(area, "import", lambda area=area, found=found: found.extend(checks(area)))
        if loaded.error:
            yield loaded
        for name, check in found:
            if word not in name:
                continue
            if time.perf_counter() > end:
                yield Outcome(area, name, 0.0, "not run: out of time")
                continue
            yield outcome(area, name, check)


def report(outcomes: Sequence[Outcome], arguments: Sequence[str]) -> str:
    """Return the table as Markdown."""
    failed = sum(bool(found.error) for found in outcomes)
    seconds = sum(found.seconds for found in outcomes)
    command = " ".join(("python -m tests.gpu", *arguments))
    lines = [
        "# Checks on a GPU",
        "",
        f"- command: `{command}`",
        *machine.facts(),
        f"- {len(outcomes) - failed} of {len(outcomes)} checks passed, in {seconds:.0f} s",
        "",
        "| area | check | result | seconds |",
        "|---|---|---|---:|",
    ]
    for found in outcomes:
        result = found.word + (f": {found.error[:200]}".replace("|", "\\|") if found.error else "")
        name = found.name.removeprefix("check_")
        lines.append(f"| {found.area} | {name} | {result} | {found.seconds:.2f} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and with --write store the table; return 1 if any failed or none ran."""
    arguments = sys.argv[1:] if arguments is None else arguments
    given = parse(arguments)
    why = machine.hindrance()
    if why:  # the last report is kept
        print(f"no checks can run on a GPU here: {why}", file=sys.stderr)
        return 1
    outcomes: list[Outcome] = []
    for found in run(given.areas or areas(), given.k, given.seconds):
        outcomes.append(found)
        line = f"{found.word:6} {found.seconds:7.2f} s  {found.area}.{found.name}"
        print(f"{line}  {found.error}".rstrip(), flush=True)
    text = report(outcomes, arguments)
    print(f"\n{text}", flush=True)
    if given.write:
        RESULTS.write_text(text, encoding="utf-8")
    return int(not outcomes or any(found.error for found in outcomes))


if __name__ == "__main__":
    sys.exit(main())
