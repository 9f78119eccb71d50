"""The benchmarks run, fill their tables, and refuse to time a wrong result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jounce
from support import PROJECT

pytestmark = pytest.mark.shown

ROOT = PROJECT

pytest.importorskip("pinocchio")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    names = ("__main__", "measure", "peers", "report", "robots")
    modules = {name.strip("_"): import_module(f"benchmarks.{name}") for name in names}
    try:
        modules["robots"].path("ur5")
    except FileNotFoundError:
        pytest.skip("example-robot-data is not installed")
    return SimpleNamespace(**modules)


def tiny(bench: Any, robots: tuple[str, ...]) -> Any:
    return bench.report.Options(robots, bench.measure.Effort(rounds=1, seconds=1e-4), quick=True)


def test_tables_are_filled(bench: Any) -> None:
    threads, cache = jounce.get_num_threads(), os.environ.get("JOUNCE_CACHE")
    tables = bench.main.run(tiny(bench, ("ur5",)), ("batch", "single", "operations"))
    assert (jounce.get_num_threads(), os.environ.get("JOUNCE_CACHE")) == (threads, cache)
    titles = [table.title for table in tables]
    assert titles[0] == "Batch of 4096: inverse_dynamics"
    assert titles[-2:] == ["Single calls", "Operations"]
    for table in tables:
        assert table.rows
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
        assert all(cell for row in table.rows for cell in row.cells[:5] if len(row.cells) > 2)
    # five batch targets, three of single calls
    assert sum(len(table.verdicts) for table in tables) == 8
    text = bench.report.summary(tables) + "".join(table.markdown() for table in tables)
    assert "of 8 met" in text
    assert "| ur5 " in text


@pytest.mark.parametrize(
    ("section", "count", "verdicts"),
    [
        # iiwa14_mueller_kumar2021 two and its compilation, toro25 one
        pytest.param("time", 5, 4, marks=pytest.mark.slow),
        ("formulations", 4, 0),
        ("targets", 1, 0),
        # ur5 has no targets
        ("wide", 2, 0),
        # nine quantities that any batch shall take as long for
        ("sweep", 1, 9),
        # two batches and two single calls; no row in cold compilation, floating and second order
        ("state", 7, 4),
        # a single integrate
        ("motion", 7, 1),
        # ur5 has targets for single calls only
        ("reaching", 2, 2),
        pytest.param("parameters", 2, 3, marks=pytest.mark.slow),
    ],
)
def test_tables_of_derivatives_are_filled(
    bench: Any, section: str, count: int, verdicts: int
) -> None:
    tables = bench.main.run(tiny(bench, ("ur5",)), (section,))
    assert len({table.title for table in tables}) == len(tables) == count
    for table in tables:
        assert table.rows or not table.jobs
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
    assert sum(len(table.verdicts) for table in tables) == verdicts


def test_batches_that_differ_are_not_timed(bench: Any, tmp_path: Path) -> None:
    sweep = import_module("benchmarks.sections.sweep")
    with bench.robots.one_thread():
        function, samples, wanted = sweep.prepare(bench.robots.case("ur5", 64), "mass_matrix")
        assert sweep.work(function, samples, wanted, 256).bytes == 256 * 36 * 8
        wrong = [x.copy() for x in wanted]
        wrong[0][-1, 0, 0] = np.nextafter(wrong[0][-1, 0, 0], np.inf)
        with pytest.raises(bench.measure.MismatchError, match="a batch of 256"):
            sweep.work(function, samples, wrong, 256)
    pytest.importorskip("matplotlib")
    figure = tmp_path / "sweep.svg"
    line = {64: 2e-8, 256: 1e-8}
    sweep._draw({("ur5", "mass_matrix"): dict.fromkeys(sweep.WAYS, line)}, figure)
    assert "mass_matrix" in figure.read_text()


def test_wrong_derivatives_are_not_timed(bench: Any) -> None:
    oracles = import_module("benchmarks.oracles")
    state = import_module("benchmarks.sections.state")
    with bench.robots.one_thread():
        robot = bench.robots.case("panda", 16)
        for name in oracles.DERIVATIVES:
            calls, worst = state.calls_of(robot, name)
            assert worst < state.TOLERANCES[name]
            reference = oracles.derivatives_as_ours(robot, name, calls["theirs"]())
            for k in range(4):
                ours = [x.copy() for x in calls["ours"]()]
                ours[k][-1] += 1e-7 * np.abs(ours[k][-1]).max()
                with pytest.raises(bench.measure.MismatchError, match="panda"):
                    state.check(name, "panda", ours, reference)


@pytest.mark.parametrize("wrong", range(4))
def test_wrong_steps_are_not_timed(bench: Any, wrong: int) -> None:
    motion = import_module("benchmarks.sections.motion")
    work = motion.WORKS[-1]
    assert work.ours == ("step.derivatives",)
    with bench.robots.one_thread():
        robot = bench.robots.case("ur5", 16)
        arguments = [motion.states(robot)[0][x] for x in work.arguments]
        ours, theirs = motion.ours(robot, work, arguments)(), motion.loop(robot, work)()
        assert motion.check(robot, work, "step", ours, theirs) < bench.measure.TOLERANCE
        results = [x.copy() for x in ours]
        results[wrong][-1] += 1e-8 * np.abs(results[wrong][-1]).max()
        with pytest.raises(bench.measure.MismatchError, match="ur5 step"):
            motion.check(robot, work, "step", results, theirs)


def test_contacts_agree_with_pinocchio(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    contact = import_module("benchmarks.sections.contact")
    monkeypatch.setattr(contact, "BATCH", 16)
    with bench.robots.one_thread():
        robot = contact.Stand(bench.robots.case("anymal-floating", 16), "point", ("LF_FOOT",))
        for work in (contact.WORKS[0], contact.WORKS[2]):
            arguments = [robot.case.states[0][x] for x in work.arguments]
            ours = [x.copy() for x in robot.contacts.quantity(work.quantity)(*arguments)]
            theirs = contact.loop(robot, work)()
            assert contact.check(robot, work, ours, theirs) < contact.TOLERANCE
            ours[0][-1] += 1e-6 * np.abs(ours[0][-1]).max()
            with pytest.raises(bench.measure.MismatchError, match="anymal-floating"):
                contact.check(robot, work, ours, theirs)


def test_poses_that_are_missed_are_not_timed(bench: Any) -> None:
    reaching = import_module("benchmarks.sections.reaching")
    with bench.robots.one_thread():
        robot, frame = bench.robots.case("ur5", 16), reaching.FRAMES["ur5"]
        q = robot.robot.random(0, 8)
        poses = reaching.poses_of(robot, q, frame)
        result = SimpleNamespace(q=q + 1e-9, success=np.arange(8) > 0)
        assert 0.0 < reaching.furthest(robot, frame, poses, result) < reaching.TOLERANCE
        result.q[-1] += 1e-5
        with pytest.raises(bench.measure.MismatchError, match="ur5: a pose"):
            reaching.furthest(robot, frame, poses, result)


def test_tracing_gives_up_in_time(bench: Any) -> None:
    formulations = import_module("benchmarks.sections.formulations")
    kind = formulations.kinds()[0]
    (row,) = formulations._row(kind, 20, 1e-3)
    assert kind.given_up == set(kind.closed)
    assert list(row.cells[1:4]) == ["-"] * 3
    assert row.cells[4] == "4,012"


def test_mimic_and_floating_base_agree_with_pinocchio(bench: Any) -> None:
    with bench.robots.one_thread():
        for name, quantity in (("panda", "mass_matrix_inverse"), ("g1-floating", "bias_forces")):
            robot = bench.robots.case(name, 16)
            calls = bench.peers.batch_calls(robot, quantity)
            assert bench.peers.check(robot, quantity, calls) < 1e-10


@pytest.mark.parametrize("wrong", ["ours", "ours_out", "theirs_out"])
def test_wrong_result_is_not_timed(bench: Any, wrong: str) -> None:
    with bench.robots.one_thread():
        robot = bench.robots.case("ur5", 16)
        calls = bench.peers.batch_calls(robot, "inverse_dynamics")
        right = calls[wrong]

        def call() -> np.ndarray:
            result = right().copy()
            result[-1, 0] += 1e-9 * np.abs(result[-1]).max()
            return result

        calls[wrong] = call
        with pytest.raises(bench.measure.MismatchError, match="ur5 inverse_dynamics"):
            bench.peers.check(robot, "inverse_dynamics", calls)


def test_mismatch_ends_the_run(
    bench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench.peers, "as_ours", lambda case, quantity, result: result + 1.0)
    assert bench.main.main(["--quick", "--robots", "ur5", "--sections", "single"]) == 1
    captured = capsys.readouterr()
    assert "results differ" in captured.err
    assert "|" not in captured.out


@pytest.mark.parametrize(
    ("ours", "what"),
    [
        (np.ones((2, 3)), "shapes differ"),
        (np.full((2, 2), np.nan), "not finite"),
        (np.array([[1.0, 1.0], [1.0, 1.0 + 1e-9]]), "differ by 1.0e-09"),
    ],
)
def test_compare_can_fail(bench: Any, ours: np.ndarray, what: str) -> None:
    with pytest.raises(bench.measure.MismatchError, match=what):
        bench.measure.compare("something", ours, np.ones((2, 2)))
    assert bench.measure.compare("something", np.ones((2, 2)), np.ones((2, 2))) == 0.0


def test_small_sample_is_compared_on_its_own_scale(bench: Any) -> None:
    theirs = np.array([[1e6, 1.0], [1e-3, 1e-4]])
    ours = theirs + np.array([[0.0, 0.0], [1e-9, 0.0]])
    assert bench.measure.difference(ours, theirs) == pytest.approx(1e-6)


def test_targets_are_judged_in_their_direction(bench: Any) -> None:
    Verdict = bench.report.Verdict
    assert Verdict("speed", 21.0, 20.0, at_least=True).is_met
    assert not Verdict("speed", 19.0, 20.0, at_least=True).is_met
    assert Verdict("time", 0.2, 0.3, at_least=False).is_met
    assert not Verdict("time", 0.4, 0.3, at_least=False).is_met
    missed = bench.report.Row(("x",), [Verdict("time of x", 0.4, 0.3, False, " s")])
    table = bench.report.Table("t", "n", ("robot",), [], [missed])
    assert "- time of x: 0.4 s, target ≤ 0.3 s" in bench.report.summary([table])


def test_startup_program_times_every_step(bench: Any, tmp_path: Path) -> None:
    startup = import_module("benchmarks.sections.startup")
    command = (sys.executable, "-c", startup.PROGRAM, str(bench.robots.path("ur5")))
    environment = {**os.environ, "JOUNCE_CACHE": str(tmp_path / "objects")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert len(json.loads(done.stdout)) == 6
    assert list((tmp_path / "objects").iterdir())
