"""`jounce bench`: every quantity is timed, Pinocchio beside it only where results agree."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.cli import bench, timing
from jounce.export.pinocchio import PinocchioMap
from jounce.utils.measure import Effort
from support.robots import random_model

pytestmark = pytest.mark.shown

QUICK = Effort(rounds=1, seconds=1e-5)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Time few calls, and restore the number of threads."""
    threads = jounce.get_num_threads()
    measure = timing.Stopwatch.measure
    monkeypatch.setattr(timing.Stopwatch, "measure", lambda self, name: measure(self, name, QUICK))
    yield
    jounce.set_num_threads(threads)


def facts(capsys, *words):
    cli.main(["bench", *words, "--batch", "8", "--json"])
    return json.loads(capsys.readouterr().out)


def test_beside_pinocchio(capsys):
    words = ("inverse_dynamics", "mass_matrix", "inverse_dynamics.derivatives", "mass_matrix.dt")
    result = facts(capsys, "planar_2r", *words)
    assert (result["robot"], result["nv"], result["note"]) == ("planar_2r", 2, "")
    rows = {row["quantity"]: row for row in result["quantities"]}
    assert list(rows) == list(words)
    for name, row in rows.items():
        assert row["operations"] == jounce.load("planar_2r").quantity(name).lower().operations
        assert row["sample"] > 0
        assert row["single"] > 0
        assert (row["batch"], row["note"]) == (8, "")
        assert (row["pinocchio"] is None) == (name == "mass_matrix.dt")


def test_pinocchio_agrees_on_a_floating_base(capsys):
    """Else a note would say that it does not."""
    words = ("gravity_forces", "bias_forces", "mass_matrix_inverse", "forward_dynamics")
    result = facts(capsys, "kuka_iiwa14", "--base", "floating", *words)
    assert result["note"] == ""
    for row in result["quantities"]:
        assert row["note"] == ""
        assert row["pinocchio"] > 0


def test_all_sorts_of_arguments(capsys):
    words = ("parametric.mass_matrix", "morphable.gravity_forces", "integrate", "difference")
    extra = ("step(method=rk4)", "frame(tool).jacobian", "inverse_dynamics.vjp")
    for row in facts(capsys, "planar_2r", *words, *extra)["quantities"]:
        assert row["sample"] > 0


def test_pinocchio_is_not_asked_for_joints_that_it_leaves_free():
    robot = jounce.Robot(random_model(np.random.default_rng(0), 4, ("revolute",), mimic=True))
    watch = timing.Stopwatch(robot, 8)
    forces, motion = watch.measure("inverse_dynamics"), watch.measure("forward_dynamics")
    assert (forces.note, motion.note) == ("", "")
    assert forces.pinocchio is not None
    assert motion.pinocchio is None


def test_closed_loops_are_ours_alone(capsys):
    result = facts(capsys, "five_bar", "inverse_dynamics")
    assert result["note"] == "not compared with Pinocchio: the robot has closed loops"
    assert result["quantities"][0]["single"] > 0


def test_without_pinocchio(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    cli.main(["bench", "planar_2r", "mass_matrix", "--batch", "4", "--threads", "2"])
    first, head, *_, last = capsys.readouterr().out.splitlines()
    assert first == "planar_2r: nq = 2, nv = 2; 2 threads"
    assert head.split() == ["quantity", "operations", "single", "call", "per", "sample"]
    assert last == "not compared with Pinocchio, which is not installed: pip install pin"


def test_results_that_differ_are_not_timed(capsys, monkeypatch):
    convert = PinocchioMap.matrix_from_pinocchio
    monkeypatch.setattr(
        PinocchioMap, "matrix_from_pinocchio", lambda self, x: convert(self, x) * (1 + 1e-6)
    )
    (row,) = facts(capsys, "planar_2r", "mass_matrix")["quantities"]
    assert row["note"].startswith("Pinocchio is not timed: mass_matrix: results differ by 1.0e-06")
    assert row["pinocchio"] is None
    assert row["single"] > 0


def test_a_quantity_that_is_too_large_is_said(capsys, monkeypatch):
    monkeypatch.setenv("JOUNCE_LIMIT", "3")
    robot = jounce.load("planar_2r").edit.with_parameters(np.full((2, 10), 0.7))
    monkeypatch.setattr("jounce.robot.load", lambda *args, **options: robot)
    cli.main(["bench", "planar_2r", "mass_matrix.dq", "--batch", "4"])
    shown = capsys.readouterr().out
    assert "mass_matrix.dq: " in shown
    assert "JOUNCE_LIMIT" in shown


def test_what_a_robot_cannot_do_is_said(capsys):
    result = facts(capsys, "planar_2r", "--base", "floating", "forward_dynamics", "mass_matrix")
    forward, matrix = result["quantities"]
    assert "the mass matrix is singular, since some motion has no inertia" in forward["note"]
    assert (forward["single"], matrix["note"]) == (None, "")
    assert matrix["single"] > 0


def test_the_table():
    rows = [
        timing.Timing("a", 12, 3.2e-7, 1.6e-6, 1.5e-8, 4096),
        timing.Timing("b.c", 7, 0.25, None, 4e-5, 16),
    ]
    assert bench.table(rows) == [
        "quantity  operations  single call  Pinocchio  ratio  per sample",
        "a                 12       320 ns     1.6 us     5x       15 ns",
        "b.c                7       250 ms          -      -       40 us",
        "per sample: in batches of 16, 4096.",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--batch", "0"], "--batch: expected 1 to 1000000 samples, found 0"),
        (["--threads", "0"], "--threads: expected at least 1, found 0"),
        (["speed"], "has no quantity 'speed'"),
    ],
)
def test_refusals(words, said):
    with pytest.raises(SystemExit, match=said):
        cli.main(["bench", "planar_2r", *words])
