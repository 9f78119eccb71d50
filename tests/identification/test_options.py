"""Options of identify: the signature, the docstring, the errors and the command agree."""

from __future__ import annotations

import argparse
import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.cli import identify as command
from jounce.cli import main
from jounce.identification import identify
from jounce.identification.options import FitOptions, Options, describe_parameters, list_options
from jounce.io.urdf.write import write_urdf
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import Motion, changed, csv_text, motion

NAMES = [field.name for field in fields(Options)]

#: A value of each option that is not its default, and the words of the command line for it.
OTHERS: dict[str, tuple[Any, list[str]]] = {
    "method": ("wls", ["--method", "wls"]),
    "friction": (True, ["--friction"]),
    "armature": (True, ["--armature"]),
    "offset": (True, ["--offset"]),
    "smoothing": (0.1, ["--smoothing", "0.1"]),
    "fixed": (["link1", "link2"], ["--fixed", "link1", "--fixed", "link2"]),
    "prior": ("other.urdf", ["--prior", "other.urdf"]),
    "metric": ("bregman", ["--metric", "bregman"]),
    "regularization": (0.5, ["--regularization", "0.5"]),
    "weights": ([1.0, 2.5], ["--weights", "1,2.5"]),
    "robust": ("huber", ["--robust"]),
    "folds": (2, ["--folds", "2"]),
    "columns": (
        {"t": "clock", "q_joint1": "a=b"},
        ["--column", "t=clock", "--column", "q_joint1=a=b"],
    ),
    "units": ({"q": "deg", "tau": "N m"}, ["--unit", "q=deg", "--unit", "tau=N m"]),
    "degrees": (True, ["--degrees"]),
    "torque_scale": (1e-3, ["--torque-scale", "1e-3"]),
    "time_scale": (1e-9, ["--time-scale", "1e-9"]),
    "rate": (100.0, ["--rate", "100"]),
    "cutoff": (5.0, ["--cutoff", "5"]),
    "momentum": (True, ["--momentum"]),
    "client": ("tcp://host:8786", ["--dask", "tcp://host:8786"]),
    "keep": ("kept", ["--keep", "kept"]),
    "skip_broken": (True, ["--skip-broken"]),
    "trust_units": (True, ["--trust-units"]),
}


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 100, noise=0.01)


def test_signature() -> None:
    parameters = inspect.signature(identify).parameters
    assert list(parameters) == ["robot", "data", *NAMES, "model"]
    for field in fields(Options):
        parameter = parameters[field.name]
        assert parameter.kind is parameter.KEYWORD_ONLY
        assert parameter.default == field.default
    returned = inspect.signature(identify).return_annotation
    assert returned == "Identification | SimulatedIdentification"
    assert list(identify.__annotations__) == ["robot", "data", *NAMES, "model", "return"]


def test_docstring_describes_every_option() -> None:
    texts = describe_parameters(identify)
    assert list(texts) == ["robot", "data", *NAMES, "model"]
    assert texts["folds"] == "Blocks of time for cross-validation; 0 disables it."
    assert all(text.endswith(".") for text in texts.values())


def test_keywords_that_are_none_of_them(arm: Robot, data: Motion) -> None:
    with pytest.raises(TypeError, match="identify takes no 'frictoin'; did you mean 'friction'"):
        identify(arm, data.arrays(), frictoin=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="identify: too many positional arguments; it is called as"):
        identify(arm, data.arrays(), True)  # type: ignore[misc]
    with pytest.raises(TypeError, match="identify: missing a required argument: 'data'"):
        identify(arm)  # type: ignore[call-arg]


def test_robot_and_data_by_name(arm: Robot, data: Motion) -> None:
    result = identify(robot=arm, data=data.arrays(), method="ols")
    assert_close(result.theta, identify(arm, data.arrays(), method="ols").theta, 0.0)


def test_options_are_checked_and_kept(arm: Robot, data: Motion) -> None:
    result = identify(arm, data.arrays(), method="ols", folds=np.int64(2))
    assert (result.options.method, result.options.folds) == ("ols", 2)
    for folds in (True, 2.5, "3", 1001):
        with pytest.raises(ValueError, match="folds: expected an integer from 0 to 1000"):
            Options(folds=folds)  # type: ignore[arg-type]


# ------------------------------------------------------------------ the command line


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(["robot.urdf", "data.csv", *words])


def test_every_option_has_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_load", lambda path, base: path)
    assert list(OTHERS) == NAMES
    assert [option.name for option in list_options(FitOptions)] == NAMES[: len(fields(FitOptions))]
    usual = command._options(parse([]))
    assert {name: x or None for name, x in usual.items()} == {
        field.name: field.default or None for field in fields(Options)
    }
    for name, (value, words) in OTHERS.items():
        assert command._options(parse(words)) == {**usual, name: value}


def test_help_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["identify", "--help"])
    text = capsys.readouterr().out
    for _, words in OTHERS.values():
        assert words[0] in text
    assert "(default: consistent)" in " ".join(text.split())


@pytest.mark.parametrize("words", [["--weights", "1,2"], ["--smoothing", "0.01", "--friction"]])
def test_options_reach_the_fit(
    arm: Robot, data: Motion, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot, table = tmp_path / "arm.urdf", tmp_path / "data.csv"
    write_urdf(arm.model, robot)
    table.write_text(csv_text(arm, data), encoding="utf-8")
    main(["identify", str(robot), str(table), "--method", "wls", *words])
    assert "weighted least squares" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="--weights: expected numbers and commas, found '1;2'"):
        main(["identify", str(robot), str(table), "--weights", "1;2"])
    with pytest.raises(SystemExit, match="weights: expected 2 numbers > 0"):
        main(["identify", str(robot), str(table), "--weights", "1,2,3"])


@pytest.mark.parametrize("name", ["rate", "cutoff"])
@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf])
def test_frequencies(name: str, value: float, arm: Robot) -> None:
    """Before anything is read."""
    with pytest.raises(ValueError, match=f"{name}: expected a frequency in Hz, found {value}"):
        identify(arm, "nowhere.csv", **{name: value})
