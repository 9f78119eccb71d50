"""`jounce completion`: what the shells themselves complete with it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import jounce
from jounce import cli
from jounce.cli import completion

pytestmark = pytest.mark.shown

#: Words of a line, the last one begun, and what it may become.
LINES = [
    ("inf", ["info"]),
    ("info kuk", ["kuka_iiwa14"]),
    ("info --base fl", ["floating"]),
    ("info --gravity 0 0 -9.81 five", ["five_bar"]),
    ("export kuka_iiwa14 --to mat", ["matlab"]),
    ("export kuka_iiwa14 --to c gravity_forces.dt", ["gravity_forces.dt", "gravity_forces.dtt"]),
    ("export kuka_iiwa14 mass_matrix center", None),
    ("cache cl", ["clear"]),
    ("completion fi", ["fish"]),
    ("identify --met", ["--method", "--metric"]),
    ("identify kuka_iiwa14 log", ["log.csv"]),
    ("export planar_2r -o fold", ["folder"]),
]

_BASH = """
compopt() { :; }
COMP_WORDS=(jounce "$@"); COMP_CWORD=$#
_jounce
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("shells")
    (tmp_path / "log.csv").touch()
    (tmp_path / "folder").mkdir()
    for shell, write in (
        ("bash", completion.bash),
        ("zsh", completion.zsh),
        ("fish", completion.fish),
    ):
        (tmp_path / f"jounce.{shell}").write_text(write())
    return tmp_path


def run(place: Path, *command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, cwd=place, check=False)
    assert done.stderr == ""
    return done.stdout.split("\n")


def expected(line: str, words: list[str] | None) -> list[str]:
    if words is not None:
        return words
    start = line.rpartition(" ")[2]
    return [name for name in completion._quantities() if name.startswith(start)]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_bash(place: Path, line: str, words: list[str] | None) -> None:
    found = run(place, "bash", "-c", f"source ./jounce.bash{_BASH}", "bash", *line.split())
    assert [x for x in found if x] == expected(line, words)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish(place: Path) -> None:
    for line, words in LINES:
        code = f"source ./jounce.fish; complete -C 'jounce {line}'"
        found = [x.partition("\t")[0].rstrip("/") for x in run(place, "fish", "-N", "-c", code)]
        assert sorted(x for x in found if x) == sorted(expected(line, words)), line


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_reads_it(place: Path) -> None:
    run(place, "zsh", "-f", "-n", "jounce.zsh")
    code = "autoload -U compinit; compinit -u -D; source ./jounce.zsh; print $_comps[jounce]"
    assert run(place, "zsh", "-f", "-c", code)[0] == "_jounce"


def test_every_command_option_and_robot_is_in_every_script() -> None:
    scripts = [completion.bash(), completion.zsh(), completion.fish()]
    words = {*cli.COMMANDS, *jounce.gallery()}
    for command in completion.commands():
        words |= {flag.lstrip("-") for option in command.options for flag in option.flags}
    for script in scripts:
        for word in words:
            assert word in script, word


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["completion", "zsh"])
    assert capsys.readouterr().out == completion.zsh()
