"""`jounce --print-completion`: what shells complete with the script."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import jounce
from jounce import cli
from jounce.cli.completion import completion_script

pytestmark = pytest.mark.shown

#: Words of a line, the last one begun, and what it may become.
LINES = [
    ("inf", ["info"]),
    ("info kuk", ["kuka_iiwa14"]),
    ("info --base fl", ["floating"]),
    ("info --gravity 0 0 -9.81 five", ["five_bar"]),
    ("export kuka_iiwa14 --to mat", ["matlab"]),
    ("export --to c kuka_iiwa14 gravity_forces.dt", ["gravity_forces.dt", "gravity_forces.dtt"]),
    ("cache cl", ["clear"]),
    ("identify --met", ["--method", "--metric"]),
    ("identify kuka_iiwa14 log", ["log.csv"]),
    ("export planar_2r -o fold", ["folder"]),
]

_BASH = """
compopt() { :; }
COMP_WORDS=(jounce "$@"); COMP_CWORD=$#
_shtab_jounce jounce "${@: -1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_bash(tmp_path: Path, line: str, expected: list[str]) -> None:
    (tmp_path / "log.csv").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "jounce.bash").write_text(completion_script("bash"))
    command = ["bash", "-c", f"source ./jounce.bash{_BASH}", "bash", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == expected


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_reads_it(tmp_path: Path) -> None:
    (tmp_path / "_jounce").write_text(completion_script("zsh"))
    subprocess.run(["zsh", "-f", "-n", "_jounce"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_every_command_and_robot_is_in_every_script(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        cli.main(["--print-completion", shell])
    assert not done.value.code
    script = capsys.readouterr().out
    for word in (*cli.COMMANDS, "package-dir"):
        assert word in script
    if shell != "tcsh":  # has files only
        for word in (*jounce.gallery(), "mass_matrix.dq"):
            assert word in script


def test_without_shtab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit, match=r"^jounce: .*pip install \"jounce\[cli\]\""):
        cli.main(["--print-completion", "bash"])
