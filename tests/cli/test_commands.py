"""All commands: examples run, errors are one sentence, closed pipes are no error."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from jounce import cli
from jounce.errors import ModelWarning
from support import PROJECT

pytestmark = pytest.mark.shown

#: Examples that read files which are not there, or take long; they are parsed all the same.
PARSED_ONLY = ("robot.urdf", "demo", "bench", "view", "page", "clear")

#: Options that print something and exit, like --help.
EXITS = ("--quantities", "--papers", "--print-completion")


def examples() -> list[tuple[str, str]]:
    return [(name, line) for name in cli.COMMANDS for line in cli.command(name).EXAMPLES]


def arguments(line: str) -> list[str]:
    """Return the arguments of jounce, without comments, redirections and pipes."""
    words = shlex.split(line, comments=True)
    assert words[0] == "jounce"
    ends = [k for k, word in enumerate(words) if word in (">", "|")]
    return words[1 : ends[0]] if ends else words[1:]


def test_commands_are_sorted_and_all_there() -> None:
    assert list(cli.COMMANDS) == sorted(set(cli.COMMANDS))
    folder = Path(cli.__file__).parent
    written = [path.stem for path in folder.glob("*.py") if "def add_arguments" in path.read_text()]
    assert sorted(written) == list(cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_ends_in_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        cli.main([name, "--help"])
    assert done.value.code == 0
    shown = capsys.readouterr().out
    values = cli.command(name).EXAMPLES
    assert values
    _, result, lines = shown.partition("\nexamples:\n")
    assert result
    assert [line.strip() for line in lines.strip().splitlines()] == list(values)
    assert "{" not in (cli.command(name).__doc__ or "")


@pytest.mark.parametrize(("name", "line"), examples(), ids=lambda x: x)
def test_examples(name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    values = arguments(line)
    assert values[0] == name
    if values[1:2] and values[1] in EXITS:
        return
    cli.parser().parse_args(values)
    if not any(word in values for word in PARSED_ONLY):
        cli.main(values)


def test_the_page_tells_of_every_command() -> None:
    page = (PROJECT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| \[`(\w+)`\]", page, re.M)) == list(cli.COMMANDS)
    lines = [arguments(line) for line in page.splitlines() if line.startswith("jounce ")]
    assert {words[0] for words in lines} - {*EXITS} == {*cli.COMMANDS}
    for words in lines:
        if not {*words} & {*EXITS}:
            cli.parser().parse_args(words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--quantities"], "frame.jacobian(q)"),
        (["--papers"], "kwon: 35 of 35 equations"),
        (["kuka_iiwa14", "--quantities"], "closed.loop_residual(q)"),
    ],
)
def test_info_without_a_robot(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        cli.main(["info", *words])
    assert not done.value.code
    assert expected in capsys.readouterr().out


@pytest.mark.parametrize("old", cli.DEPRECATED)
def test_deprecated_commands_still_work(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, advice = cli.DEPRECATED[old]
    extra = {"completion": ["bash"], "inertia": ["planar_2r"]}.get(old, [])
    printed = []
    for values in ([old, *extra], [*words, *extra]):
        with suppress(SystemExit):
            cli.main(values)
        printed.append(capsys.readouterr())
    assert printed[0].out == printed[1].out != ""
    assert printed[0].err == f"jounce {old} is deprecated; use {advice}\n"
    assert printed[1].err == ""


def test_options_may_stand_anywhere() -> None:
    expected = cli.parser().parse_args(["export", "r", "a", "b", "--to", "c", "-o", "f"])
    for line in ("--to c r -o f a b", "r --to c a -o f b", "r -o f --to c a b"):
        assert cli.parser().parse_args(["export", *line.split()]) == expected


@pytest.mark.parametrize(
    "given", [["nothing"], ["info"], ["info", "a", "b"], ["export", "r"], ["info", "a", "--no"], []]
)
def test_usage_errors_have_status_2(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        cli.main(given)
    assert done.value.code == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["info", "info --inertia", "bench", "export"])
def test_a_robot_that_is_not_there_is_one_sentence(name: str, tmp_path: Path) -> None:
    name, *extra = name.split()
    extra += ["--to", "c", "-o", str(tmp_path)] if name == "export" else []
    for robot, said in (("nobody", "one of the gallery: kuka_iiwa14"), ("no.urdf", "no.urdf")):
        with pytest.raises(SystemExit, match=f"^jounce {name}: [^\n]*{said}"):
            cli.main([name, robot, *extra])


def test_a_closed_pipe_is_not_an_error() -> None:
    for words in (["info", "--quantities"], ["info", "--help"]):
        command = [sys.executable, "-m", "jounce", *words]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            running.stdout.close()
            assert running.stderr is not None
            assert running.stderr.read() == ""
        assert running.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="programs cannot start without an output")
def test_no_output_at_all_is_not_an_error() -> None:
    line = f"exec '{sys.executable}' -m jounce info planar_2r >&-"
    done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "jounce", "info", "--quantities"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("jounce info: ")
    assert len(done.stderr.splitlines()) == 1


def test_warnings_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["iiwa14_mueller_kumar2021", "gravity_forces", "--to", "matlab", "-o", str(tmp_path)]
    with warnings.catch_warnings():
        warnings.simplefilter("always", ModelWarning)
        cli.main(["export", *words])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    for line, link in zip(said, ("link4", "link7"), strict=True):
        assert line.startswith(f"jounce export: warning: link '{link}': ")
    assert warnings.showwarning.__module__ == "warnings"
