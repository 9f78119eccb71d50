"""Every randomised test over many seeds: what passes once may have been lucky.

`pytest --seeds N` repeats each test that draws random numbers in one process, so that compiled
kernels are shared, and turns `np.random.default_rng(3)` into `default_rng((3, round))`. A test ends
after so many rounds or so many seconds; one that draws nothing runs once.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

#: Rounds between which fixtures and caches of the tests' modules are kept: robots change less often
#: than states, since most of them have to be compiled.
RENEWED_EVERY = 10
#: At least so many rounds, however long they take.
FEWEST = 2
TESTS = Path(__file__).parent.parent


def add_options(parser: pytest.Parser) -> None:
    """--seeds switches the sweep on."""
    group = parser.getgroup("seeds", "randomised tests over many seeds")
    group.addoption("--seeds", type=int, default=0, help="repeat each randomised test so often")
    group.addoption("--seed-seconds", type=float, default=10.0, help="at most so long per test")
    group.addoption("--seed-start", type=int, default=0, help="the first round (0: as written)")
    group.addoption("--seed-report", type=Path, help="file for one line of JSON per test")


class SeedSweep:
    """The plugin: repeats tests with other seeds and sums up."""

    def __init__(self, config: pytest.Config) -> None:
        self._rounds: int = config.option.seeds
        self._seconds: float = config.option.seed_seconds
        self._start: int = config.option.seed_start
        self._report: Path | None = config.option.seed_report
        self._round = self._draws = 0
        self._renewed = 0  # the round in which caches and fixtures were made last
        self._main = not hasattr(config, "workerinput")
        self._found: list[dict[str, Any]] = []
        self._default_rng = np.random.default_rng
        np.random.default_rng = self._shifted  # pyright: ignore[reportAttributeAccessIssue]

    def _shifted(self, seed: Any = None) -> np.random.Generator:
        """`default_rng` of the round: other numbers from the same seed, itself in round 0."""
        if isinstance(seed, (int, np.integer)):
            self._draws += 1
            seed = (int(seed), self._round) if self._round else int(seed)
        return self._default_rng(seed)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """All rounds of a test; pytest hears of the first one and of the first that fails."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports, failed, times = self._repeated(item)
        figures = {"seeds": len(times), "failed": failed, "seconds": sum(times)}
        for report in reports:
            if report.when == "call":
                report.user_properties.append(("seed sweep", json.dumps(figures)))
            item.ihook.pytest_runtest_logreport(report=report)
        item.session._setupstate.teardown_exact(nextitem)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _repeated(
        self, item: pytest.Item
    ) -> tuple[list[pytest.TestReport], list[int], list[float]]:
        """Reports of the first round and of the first that fails, those that fail, and times."""
        kept: list[pytest.TestReport] = []
        failed: list[int] = []
        times: list[float] = []
        drawn, always = 0, False
        for n in range(self._rounds):
            self._round = self._start + n
            start = time.perf_counter()
            fresh = self._renew(item, self._due(n, always))
            reports = self._once(item)
            if not fresh and any(report.failed for report in reports):
                # what was kept is of another round; does it fail with all of this one?
                fresh = self._renew(item, True)
                reports = self._once(item)
            if n and not self._draws:
                if fresh:
                    break  # nothing is random here
                always = True  # all its numbers are in fixtures and caches
                continue
            times.append(time.perf_counter() - start)
            drawn += self._draws
            always = always or not self._draws
            if any(report.failed for report in reports):
                failed.append(self._round)
            if n == 0 or failed == [self._round]:
                kept = reports
            if any(report.skipped for report in reports):
                break
            if n + 1 >= FEWEST and sum(times) > self._seconds:
                break
        self._round = 0
        return kept, failed, times if drawn else times[:1]

    def _once(self, item: pytest.Item) -> list[pytest.TestReport]:
        self._draws = 0
        item._initrequest()  # pyright: ignore[reportAttributeAccessIssue]
        return runtestprotocol(item, log=False, nextitem=item.parent)

    def _due(self, n: int, always: bool) -> bool:
        """Whether fixtures and caches are to be made anew; those of the first round must be its."""
        return self._renewed != self._round if n == 0 else always or n % RENEWED_EVERY == 0

    def _renew(self, item: pytest.Item, due: bool) -> bool:
        """Forget fixtures and caches if that is due."""
        if due:
            item.session._setupstate.teardown_exact(item.session)
            clear_caches({TESTS, item.path.parent})
            self._renewed = self._round
        return due

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the figures, in whichever process sums up."""
        for name, value in report.user_properties:
            if name == "seed sweep":
                self._found.append({"test": report.nodeid, **json.loads(str(value))})
                if self._report and self._main:
                    with self._report.open("a") as file:
                        file.write(json.dumps(self._found[-1]) + "\n")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many rounds there were, and which failed."""
        drawn = [x for x in self._found if x["seeds"] > 1]
        rounds = sum(x["seeds"] for x in drawn)
        full = sum(x["seeds"] >= self._rounds for x in drawn)
        write = terminalreporter.write_line
        write(f"{len(drawn)} randomised tests, {rounds} rounds, {full} tests with all seeds")
        for x in drawn:
            if x["failed"]:
                write(f"{x['test']}: {len(x['failed'])} of {x['seeds']}, rounds {x['failed'][:9]}")


def clear_caches(folders: set[Path]) -> None:
    """Forget what `functools.cache` keeps in modules of these folders."""
    for module in list(sys.modules.values()):
        if folders & {*Path(getattr(module, "__file__", None) or "").parents}:
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()
