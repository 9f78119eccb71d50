"""`jounce export`: the files of `robot.export_*`, and what cannot be exported in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import jounce
from jounce import cli

pytestmark = pytest.mark.shown


def export(folder: Path, *words: str) -> dict[str, str]:
    cli.main(["export", *words, "-o", str(folder)])
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_c_is_that_of_the_robot(tmp_path, capsys):
    result = export(tmp_path / "a", "planar_2r", "--to", "c", "mass_matrix", "--simd", "--float32")
    robot = jounce.load("planar_2r")
    files = robot.export.c(tmp_path / "b", ["mass_matrix"], dtype="float32", simd=True)
    assert result == {path.name: path.read_text() for path in files}
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0].rpartition("/")[2] for line in shown] == [p.name for p in files]


@pytest.mark.parametrize(("language", "suffix"), [("cuda", ".cu"), ("matlab", ".m")])
def test_other_languages(tmp_path, language, suffix):
    result = export(tmp_path, "planar_2r", "--to", language, "--name", "arm", "mass_matrix.dt")
    assert any(name.startswith("arm") and name.endswith(suffix) for name in result)


def test_latex_with_symbols(tmp_path):
    result = export(
        tmp_path, "planar_2r", "--to", "latex", "mass_matrix", "--symbol", "link1.mass=m1"
    )
    assert r"m_{1} + 2 c_{2} + 2" in result["planar_2r.tex"]


def test_loops_and_bases(tmp_path):
    (text,) = export(
        tmp_path,
        "five_bar",
        "--to",
        "matlab",
        "mass_matrix",
        "--active",
        "joint1",
        "--active",
        "joint4",
    ).values()
    assert "'joint1', 'joint4'" in text
    floating = export(
        tmp_path / "f", "planar_2r", "--to", "matlab", "--base", "floating", "mass_matrix"
    )
    assert any("(8, 8)" in text or "8" in text for text in floating.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["planar_2r", "--to", "c", "mass"], "has no quantity 'mass'"),
        (["planar_2r", "--to", "c", "mass_matrix.no"], "has no 'no'; its derivatives: dt"),
        (["planar_2r", "--to", "c", "mass_matrix.hessian.dq.dq.no"], "mass_matrix"),
        (["planar_2r", "--to", "c", "mass matrix"], "expected the name of a quantity"),
        (["planar_2r", "--to", "c", "--name", "7"], "name must be a C identifier"),
        (["planar_2r", "--to", "matlab", "--simd"], "--simd is for --to c"),
        (["planar_2r", "--to", "latex", "--float32"], "--float32 is for --to c and cuda"),
        (["planar_2r", "--to", "latex", "--symbol", "m1"], "expected PARAMETER=NAME, found 'm1'"),
        (["planar_2r", "--to", "latex", "--symbol", "x.mass=m"], "no parameter 'x.mass'"),
        (
            ["kuka_iiwa14", "--to", "latex"],
            "has 863 operations, but at most 300 can be written as LaTeX",
        ),
        (["planar_2r", "--to", "c", "--active", "joint1"], "has no closed loops"),
    ],
)
def test_what_cannot_be_exported(tmp_path, words, said):
    with pytest.raises(SystemExit) as done:
        cli.main(["export", *words, "-o", str(tmp_path / "out")])
    (message,) = str(done.value.code).splitlines()
    assert message.startswith("jounce export: ")
    assert said in message
    assert not (tmp_path / "out").exists()
