"""`jounce study`: a trajectory and what is uncertain in, which parameters matter out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import cli
from jounce.cli.study import parse_varied, repeat_command
from jounce.errors import ArgumentError
from jounce.studies import KINDS, study
from jounce.studies.trajectory import read_trajectory

pytestmark = pytest.mark.shown

Run = Callable[..., str]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A robot's file and two of its motions."""
    folder = tmp_path_factory.mktemp("study")
    robot = jounce.load("planar_2r")
    robot.export.urdf(folder / "robot.urdf")
    t = np.linspace(0.0, 2.0, 201)
    q = np.sin(t[:, None] * np.array((1.3, 2.1)))
    head = ",".join(("t", *(f"q_{x}" for x in robot.model.joint_names)))
    for name, rows in (("t.csv", t.size), ("short.csv", 21)):
        table = np.column_stack((t, q))[:rows]
        np.savetxt(folder / name, table, delimiter=",", header=head, comments="")
    return folder


@pytest.fixture
def run(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A study from the command line, in the folder of the files; what it prints."""
    monkeypatch.chdir(files)

    def call(*words: str, robot: str = "robot.urdf", trajectory: str = "short.csv") -> str:
        cli.main(["study", robot, "--trajectory", trajectory, *words])
        return capsys.readouterr().out

    return call


def check_refused(run: Run, *words: str, said: str, **names: str) -> None:
    """Check that the command fails with one sentence that contains a text."""
    with pytest.raises(SystemExit, match=f"^jounce study: [^\n]*{said}"):
        run(*words, **names)


def parse(*words: str) -> dict[str, Any]:
    """Return the options of a command line, with the words of --vary joined."""
    return vars(cli.parser().parse_args(["study", *words]))


def test_the_numbers_are_those_of_the_library(run: Run, files: Path) -> None:
    vary = ("--vary", "inertia=5%", "placement[joint2]=0.1mm 0.1deg", "--vary", "mass[link1]")
    printed = json.loads(run(*vary, "--samples", "2e3", "--seed", "3", "--json", "--points", "7"))
    robot = jounce.load(files / "robot.urdf")
    motion = read_trajectory(robot, files / "short.csv", points=7)
    arguments = {"inertia": "5%", "placement[joint2]": "0.1mm 0.1deg", "mass[link1]": None}
    result = study(robot, motion.arguments, vary=arguments, samples=2000, seed=3, t=motion.t)
    expected = json.loads(result.to_json())
    for item in (printed, expected):
        del item["seconds"]
    assert printed == expected
    assert len(printed["t"]) == 7


def test_a_report_is_written(run: Run, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--vary", "inertia=5%", "--samples", "600", "-o", "study.html", "--points", "9")
    cli.main(["study", "robot.urdf", "--trajectory", "t.csv", *words])
    out, err = capsys.readouterr()
    assert "inertia[link1]" in out
    assert "t.csv: 9 of 201 rows are used, evenly spaced" in err.splitlines()
    assert "written: study.html" in err.splitlines()
    page = (files / "study.html").read_text("utf-8")
    assert "9 of 201 rows are used" in page
    command = page[page.index("<pre>") + 5 : page.index("</pre>")]
    assert parse(*shlex.split(command)[2:]) == parse("robot.urdf", "--trajectory", "t.csv", *words)


def test_the_command_of_a_report_repeats_all_that_matters() -> None:
    line = (
        "study robot.urdf --trajectory 'a b.csv' --vary 'inertia[link 7]=5%' friction --samples 10"
        " --quantity 'frame(tool).pose' --seed 4 --sampling lhs --quantiles 0.1,0.9 --points 3"
        " --base floating"
        " --package-dir x --package-dir y --active j --degrees --column q_a=b --time-scale 1e-9"
        " --torque-scale 0.5 --rate 50 --cutoff 3 --no-sobol -o out.html"
    )
    arguments = cli.parser().parse_args(shlex.split(line))
    assert parse(*shlex.split(repeat_command(arguments))[2:]) == vars(arguments)


def test_what_varies_may_follow_or_be_repeated() -> None:
    expected = parse(*shlex.split("r --trajectory t --vary inertia=5% mass com"))
    for line in (
        "--vary inertia=5% mass --vary com --trajectory t r",
        "r --vary inertia=5% --trajectory t --vary mass com",
    ):
        assert parse(*shlex.split(line)) == expected


def test_other_quantities_and_options(run: Run) -> None:
    vary = ("--vary", "mass=3%", "--samples", "300")
    result = json.loads(run(*vary, "--quantity", "gravity_forces", "--json", "--no-sobol"))
    assert result["quantity"] == "gravity_forces"
    assert result["first"] is None
    result = json.loads(run(*vary, "--quantiles", "0.1,0.9", "--json", "--threads", "1"))
    assert result["levels"] == [0.1, 0.9]


def test_a_mechanism_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    linkage = jounce.load("four_bar").closed()
    (name,) = linkage.labels("v")
    start = linkage.reference[linkage.active[0]]
    table = np.column_stack((np.linspace(0, 1, 11), start + np.linspace(0, 0.2, 11)))
    np.savetxt("t.csv", table, delimiter=",", header=f"t,q_{name}", comments="")
    words = ["--vary", "inertia=5%", "--samples", "300", "--json", "--active", name]
    cli.main(["study", "four_bar", "--trajectory", "t.csv", *words])
    assert json.loads(capsys.readouterr().out)["labels"] == [name]


def test_what_is_wrong_is_one_sentence(run: Run, files: Path) -> None:
    vary = ("--vary", "inertia=5%")
    kinds = ", ".join(KINDS)
    check_refused(run, "--vary", "weight=5%", said=f"vary: no kind 'weight'; choose among {kinds}")
    check_refused(run, "--vary", "=5%", said="--vary: expected KIND=AMOUNT.*found '=5%'")
    check_refused(
        run, "--vary", "inertia=5kg", said=r"inertia: expected an amount such as '5%', found '5kg'"
    )
    check_refused(run, "--vary", "inertia=5%", "inertia=3%", said="--vary: inertia occurs twice")
    check_refused(run, "--vary", "inertia[nobody]=5%", said=r"nobody.*link1, link2")
    for text in ("0", "-1", "1.5", "nan", "inf", "many", "1e99"):
        check_refused(
            run, *vary, f"--samples={text}", said="samples(: expected| must be a whole) number"
        )
    check_refused(run, *vary, "--sampling", "grid", said="sampling must be one of sobol")
    check_refused(run, *vary, "--quantity", "nothing", said="nothing")
    check_refused(run, *vary, "--quantiles", "a,b", said="--quantiles: expected numbers and commas")
    check_refused(run, *vary, "--quantiles", "5,95", said="quantiles must be levels from 0 to 1")
    check_refused(run, *vary, "--devices", "x", said="--devices: expected numbers and commas")
    check_refused(run, *vary, "--points", "0", said="points: expected a whole number")
    check_refused(run, *vary, "--column", "q", said="--column: expected NAME=COLUMN")
    check_refused(run, *vary, "--active", "joint1", said="--active: planar_2r has no closed loops")
    check_refused(run, *vary, said="no.csv", trajectory="no.csv")
    check_refused(run, *vary, said="no.urdf", robot="no.urdf")
    check_refused(
        run, *vary, "--quantity", "forward_dynamics", said=r"short\.csv: no column for tau_"
    )


def test_numbers_are_written(run: Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jounce.identification.plots.figure_class", None)  # which they do not need
    words = ("--vary", "inertia=5%", "--samples", "600", "--json", "--points", "5")
    printed = run(*words, "-o", "study.JSON")
    assert json.loads((files / "study.JSON").read_text("utf-8")) == json.loads(printed)


@pytest.mark.parametrize("target", ["study.txt", "study"])
def test_other_suffixes_are_refused(run: Run, files: Path, target: str) -> None:
    said = rf"-o: expected a file \.html .*or \.json .*found '{target}'"
    check_refused(run, "--vary", "mass=1%", "-o", target, said=said)
    assert not (files / target).exists()


@pytest.mark.parametrize(
    ("target", "said"),
    [("nowhere/study.html", "its folder does not exist"), (".", "it is a folder")],
)
def test_nothing_is_computed_that_cannot_be_written(
    run: Run, target: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*args: object, **named: object) -> None:
        raise AssertionError("it was computed")

    monkeypatch.setattr("jounce.studies.study", never)
    check_refused(run, "--vary", "mass=1%", "-o", target, said=f"cannot write '{target}': {said}")


def test_a_trajectory_and_something_that_varies_are_needed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, missing in (
        (["--vary", "mass=1%"], "--trajectory"),
        (["--trajectory", "t.csv"], "--vary"),
    ):
        with pytest.raises(SystemExit) as done:
            cli.main(["study", "robot.urdf", *words])
        assert done.value.code == 2
        assert f"required: {missing}" in capsys.readouterr().err


def test_words_are_read() -> None:
    arguments = parse_varied(["inertia = 5%", "mass", "placement[a=b]=0.1mm 0.2deg"])
    assert arguments == {"inertia": "5%", "mass": None, "placement[a=b]": "0.1mm 0.2deg"}
    assert parse_varied(["Inertia=±5%"]) == {"Inertia": "±5%"}
    with pytest.raises(ArgumentError, match="found '=5%'"):
        parse_varied(["=5%"])


def test_help_tells_of_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["study", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for kind in KINDS.values():
        assert f"{kind.name}={kind.takes}: {' '.join(kind.doc.split())}" in said
