"""Commands that write files replace none without `--force`, and say so before they compute."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jounce import cli
from support.identify_data import csv_text, motion, two_links

pytestmark = pytest.mark.shown

STUDY = ["study", "robot.urdf", "--trajectory", "log.csv", "--vary", "mass=5%", "--samples", "20"]
IDENTIFY = ["identify", "robot.urdf", "log.csv", "--method", "ols", "--folds", "0"]

#: Files that commands write, and the words before them.
COMMANDS = {
    "identified.urdf": [*IDENTIFY, "-o"],
    "report.html": [*IDENTIFY, "--report"],
    "study.html": [*STUDY, "-o"],
    "study.json": [*STUDY, "-o"],
    "page.html": ["page", "planar_2r", "--quantities", "mass_matrix", "--no-timings", "-o"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    robot = two_links()
    robot.export.urdf(tmp_path / "robot.urdf")
    (tmp_path / "log.csv").write_text(csv_text(robot, motion(robot, 60)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", list(COMMANDS))
def test_files_are_replaced_by_force_only(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text("mine")
    words = [*COMMANDS[name], name]
    said = f"^jounce {words[0]}: cannot write '{name}': the file exists; .*--force"
    with pytest.raises(SystemExit, match=said):
        cli.main(words)
    assert capsys.readouterr().out == ""  # nothing was computed
    assert (folder / name).read_text() == "mine"
    cli.main([*words, "--force"])
    assert len((folder / name).read_text("utf-8")) > 100


def test_a_robot_is_identified_in_place_by_force(folder: Path) -> None:
    before = (folder / "robot.urdf").read_text()
    with pytest.raises(SystemExit, match=r"robot\.urdf': the file exists"):
        cli.main([*IDENTIFY, "-o", "robot.urdf"])
    assert (folder / "robot.urdf").read_text() == before
    cli.main([*IDENTIFY, "-o", "robot.urdf", "--force"])
    assert (folder / "robot.urdf").read_text() != before


def test_exports_are_replaced_by_force_only(folder: Path) -> None:
    words = ["export", "planar_2r", "mass_matrix", "--to", "c", "-o", "code"]
    cli.main(words)
    (folder / "code" / "planar_2r.c").write_text("mine")
    with pytest.raises(SystemExit, match=r"planar_2r\.h': the file exists; .*--force"):
        cli.main(words)
    assert (folder / "code" / "planar_2r.c").read_text() == "mine"
    cli.main([*words, "--force"])
    assert "planar_2r_mass_matrix" in (folder / "code" / "planar_2r.c").read_text()


def test_the_demo_says_so_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kuka_iiwa14.html").write_text("mine")
    with pytest.raises(SystemExit, match=r"^jounce demo: .*kuka_iiwa14\.html': the file exists"):
        cli.main(["demo", "-o", "."])
    assert capsys.readouterr().out == ""
    assert cli.parser().parse_args(["demo", "--force"]).force


def test_output_to_a_full_disk_is_named() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    for words in (["cache"], ["info", "--papers"]):  # less and more than Python keeps in its buffer
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-m", "jounce", *words]
            done = subprocess.run(
                command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=100, check=False
            )
        assert done.returncode == 1
        said = "cannot write to standard output: No space left on device"
        assert done.stderr == f"jounce {words[0]}: {said}\n"
