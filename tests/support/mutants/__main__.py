"""The command: `python -m support.mutants --sample 300` (see `--help`)."""

from __future__ import annotations

import argparse
import compileall
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from jounce.utils.progress import track
from support import PROJECT
from support.mutants.mistakes import Mutant, mutants

#: What mistakes are made in, and the tests that may notice them.
PACKAGES = ("formulas", "papers", "model/inertia")
TESTS = (
    *("formulas", "identities", "model/inertia", "solve/mechanism", "papers", "peers", "arrays"),
    *("export/test_symbolic.py", "robot/test_check.py", "solve/test_design.py"),
    *("solve/elastic/test_elastic.py", "io/test_mesh_inertia.py"),
)
#: What at least must be killed.
TARGET = 0.97

WORK = PROJECT / "build" / "mutants"
TREE = WORK / "tree"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")

#: Tests of the first look at a mutant, and of the second, take about so long (s).
FIRST, SECOND = 6.0, 60.0
#: A run that takes so many times as long as it did without the mistake, and a little, hangs.
PATIENCE, A_LITTLE = 4.0, 30.0


class Touched:
    """Which tests call a function, those first that call little else of the packages."""

    def __init__(self, seen: dict[str, tuple[float, list[str]]]) -> None:
        self._seconds = {test: seconds for test, (seconds, _) in seen.items()}
        self._calls = {
            test: {name for name in names if name.startswith(PACKAGES)}
            for test, (_, names) in seen.items()
        }

    def tests(self, mutant: Mutant) -> list[str]:
        """Tests that call the mutant's function; if it is in none, or new, any of its file."""
        function = f"{mutant.path}:{mutant.function}"
        wanted = {function}
        if not any(function in names for names in self._calls.values()):
            everything = set().union(*self._calls.values())
            wanted = {name for name in everything if name.startswith(f"{mutant.path}:")}
        found = [test for test, names in self._calls.items() if wanted & names]
        return sorted(found, key=lambda test: len(self._calls[test]))

    def within(self, tests: Iterable[str], seconds: float) -> tuple[list[str], float]:
        """The first tests that take so long together, one at least, and how long they take."""
        chosen, total = list[str](), 0.0
        for test in tests:
            if chosen and total + self._seconds[test] > seconds:
                continue
            chosen.append(test)
            total += self._seconds[test]
        return chosen, total

    def files(self, tests: Iterable[str]) -> list[str]:
        """All tests of the files that some tests stand in, in the order of these."""
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return [x for file in files for x in self._seconds if x.partition("::")[0] == file]


def pytest(tests: Iterable[str], timeout: float | None = None, **environment: str) -> int | None:
    """Exit status of a run in the copy, None if it took too long."""
    paths = os.pathsep.join((str(TREE / "src"), str(TREE / "tests")))
    values = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests]
    with (WORK / "output.txt").open("w") as output:
        try:
            done = subprocess.run(
                command, cwd=TREE, env=values, stdout=output, stderr=output, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            return None
    return done.returncode


def copy() -> None:
    """The project in build/mutants/tree, compiled, as it is now."""
    shutil.rmtree(TREE, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__", "build", ".*", "dist", "*.egg-info")
    shutil.copytree(PROJECT, TREE, ignore=unwanted)
    compileall.compile_dir(TREE / "src", quiet=1)


def touched(functions: Iterable[str]) -> Touched:
    """What every test calls; measured again for tests that changed, for all if functions did.

    functions: names of those that there are, whatever they do.
    """
    there = "\n".join(sorted(set(functions)))
    seen: dict[str, tuple[float, list[str]]] = {}
    places = (TREE / "tests" / part for part in TESTS)
    found = (sorted(x.rglob("test_*.py")) if x.is_dir() else [x] for x in places)
    for test in track([test for part in found for test in part], "which tests touch what"):
        name = test.relative_to(TREE).as_posix()
        mark = hashlib.sha256(f"{name}\n{there}\n{test.read_text('utf-8')}".encode())
        file = WORK / f"touched-{mark.hexdigest()[:12]}.json"
        if not file.exists():
            options = ("-p", "support.mutants.touched", "-m", "not slow")
            if pytest((*options, name), JOUNCE_TOUCHED=str(file)):
                file.unlink(missing_ok=True)
                sys.exit(f"{name} fails without any mistake, see {WORK / 'output.txt'}")
        seen |= json.loads(file.read_text("utf-8"))
    return Touched(seen)


def survives(mutant: Mutant, tests: Touched) -> bool:
    """Whether no test notices the mistake: those closest to it first, then all of their files."""
    near = tests.tests(mutant)
    path = TREE / "src" / "jounce" / mutant.path
    right, times = path.read_bytes(), path.stat()
    path.write_text(mutant.text, "utf-8")
    try:
        for chosen, seconds in ((near, FIRST), (tests.files(near), SECOND)):
            if not chosen:
                return True
            run, expected = tests.within(chosen, seconds)
            if pytest(("-x", *run), PATIENCE * expected + A_LITTLE) != 0:
                return False
    finally:
        path.write_bytes(right)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # what was compiled holds again
    return True


def equivalents() -> dict[str, str]:
    """Reasons by key: lines of "key path old -> new", each under its indented reason's mutant."""
    reasons, key = dict[str, str](), ""
    for line in EQUIVALENT.read_text("utf-8").splitlines():
        if line.startswith("    "):
            reasons[key] = f"{reasons[key]} {line.strip()}".strip()
        elif line and not line.startswith("#"):
            key = line.split()[0]
            reasons[key] = ""
    return reasons


def drawn(seed: int) -> list[Mutant]:
    """All mutants, in an order that the seed shuffles and that changes elsewhere leave alone."""
    root = PROJECT / "src" / "jounce"
    files = [file for package in PACKAGES for file in sorted((root / package).rglob("*.py"))]
    found = [
        mutant
        for file in files
        for mutant in mutants(file.relative_to(root).as_posix(), file.read_text("utf-8"))
    ]
    return sorted(found, key=lambda x: hashlib.sha256(f"{seed} {x.key}".encode()).digest())


def main() -> int:
    """Run a sample; 0 if enough of it was killed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=300, help="so many mutants (300)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (0)")
    parser.add_argument("--only", default="", help="of files whose path contains this")
    options = parser.parse_args()
    with contextlib.suppress(AttributeError):
        os.nice(10)
    everything, reasons = drawn(options.seed), equivalents()
    sample = [x for x in everything if x.key not in reasons and options.only in x.path]
    sample = sample[: options.sample]
    WORK.mkdir(parents=True, exist_ok=True)
    record = WORK / "killed.jsonl"
    lines = record.read_text("utf-8").splitlines() if record.exists() else []
    killed = {json.loads(line)["key"] for line in lines}
    copy()
    tests = touched(f"{x.path}:{x.function}" for x in everything)
    survivors = list[Mutant]()
    for mutant in track(sample, "mutants"):
        if mutant.key in killed:
            continue
        if survives(mutant, tests):
            survivors.append(mutant)
            print(f"survived {mutant.key} {mutant}", flush=True)
            continue
        with record.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": mutant.key, "mutant": str(mutant)}) + "\n")
    share = 1.0 - len(survivors) / max(len(sample), 1)
    print(
        f"{len(sample) - len(survivors)} of {len(sample)} mutants killed ({100 * share:.1f} %, at"
        f" least {100 * TARGET:.0f} % wanted) of {len(everything)}, and {len(reasons)} that change"
        " no value"
    )
    for key in reasons.keys() - {x.key for x in everything}:
        print(f"{EQUIVALENT.name}: {key} is no mutant any more")
    return int(share < TARGET)


if __name__ == "__main__":
    sys.exit(main())
