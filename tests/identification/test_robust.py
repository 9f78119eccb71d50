"""Wrong torques: named by row where they are trusted, harmless where weights are asked for."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import jounce
from jounce.cli import main
from jounce.identification import identify
from jounce.identification.options import Method
from jounce.identification.partition_reader import PartitionReader
from jounce.identification.regression import Equations, Layout
from jounce.identification.robust import Excerpt, huber
from jounce.io.urdf.write import write_urdf
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import Motion, changed, csv_text, motion, with_drives

DataWarning = jounce.DataWarning
METHODS = tuple(x for x in get_args(Method) if x != "log-cholesky")


@pytest.fixture(scope="module")
def truth(arm: Robot) -> Robot:
    return with_drives(changed(arm))


@pytest.fixture(scope="module")
def data(truth: Robot) -> Motion:
    return motion(truth, 400, noise=0.02)


def with_outliers(data: Motion, count: int = 1, size: float = 1e6) -> dict[str, np.ndarray]:
    """Add outliers to torques, the first one in row 37."""
    rng = np.random.default_rng(count)
    tau = data.tau.copy()
    rows = np.r_[37, 40 + rng.choice(len(tau) - 40, count - 1, replace=False)]
    tau[rows, rng.integers(0, 2, count)] += size * (1.0 + rng.random(count))
    return data.arrays("t", "q", "v", "a") | {"tau": tau}


def miss(found: Any, truth: Robot, data: Motion) -> float:
    """Error of the identified torques, in deviations of the noise."""
    exact = truth.inverse_dynamics(data.q, data.v, data.a) + truth.joint_friction(data.v)
    wrong = found.torques(data.q, data.v, data.a) - exact
    noise = 0.02 * np.abs(exact).mean(axis=0)
    return float(np.sqrt(np.mean((wrong / noise) ** 2)))


DRIVES = {"armature": True, "friction": True}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 40])
def test_weights_make_outliers_harmless(
    count: int, method: Any, arm: Robot, truth: Robot, data: Motion
) -> None:
    """A fit with outliers is as good as one without, and neither needs a word."""
    arguments = with_outliers(data, count, 1e6 if count == 1 else 30.0)
    result = identify(arm, arguments, method=method, robust="huber", **DRIVES)
    assert miss(result, truth, data) < 0.4
    assert result.summary.outliers == count
    assert np.all(result.rms < 0.1 * result.rms_torque)
    assert np.all(result.validation < 0.2 * result.rms_torque)
    assert "robust weights: Huber's" in str(result)


@pytest.mark.parametrize("method", METHODS)
def test_outliers_are_named(method: Any, arm: Robot, truth: Robot, data: Motion) -> None:
    joint = int(np.argmax(np.abs(with_outliers(data)["tau"][37])))
    with pytest.warns(DataWarning, match="rows have torques") as caught:
        result = identify(arm, with_outliers(data), method=method, folds=0, **DRIVES)
    text = next(str(w.message) for w in caught if "rows have torques" in str(w.message))
    for words in ("1 of 400 rows", f"row 37 (joint{joint + 1}: ", "robust='huber'", "from 0"):
        assert words in text
    assert text in result.summary.warnings
    assert miss(result, truth, data) > 100.0  # as bad as it gets, so that the warning matters


def test_many_outliers_are_counted(arm: Robot, data: Motion) -> None:
    arguments = with_outliers(data, 20, 30.0)
    with pytest.warns(DataWarning, match=r"20 of 400 rows .* row 37 .*, \.\.\., rows counted"):
        identify(arm, arguments, method="wls", folds=0, **DRIVES)


def test_small_outliers_are_not_worth_a_word(arm: Robot, data: Motion) -> None:
    """Neither noise nor a row that shifts the result by less than the noise does."""
    arguments = data.arrays("t", "q", "v", "a") | {"tau": data.tau.copy()}
    arguments["tau"][11, 0] += 9.0 * 0.02 * np.abs(data.tau[:, 0]).mean()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        identify(arm, arguments, method="wls", **DRIVES)


def test_the_momentum_form_too(arm: Robot, truth: Robot) -> None:
    """A filter spreads an outlier over rows, which all count less."""
    long = motion(truth, 3000, noise=0.02)
    arguments = with_outliers(long)
    with pytest.warns(DataWarning, match=r" \d+ of 3000 rows have torques"):
        bad = identify(arm, arguments, method="wls", momentum=True, folds=0, **DRIVES)
    good = identify(arm, arguments, method="wls", momentum=True, folds=0, robust="huber", **DRIVES)
    assert miss(good, truth, long) < 0.4 < 2.0 < miss(bad, truth, long)


@pytest.mark.parametrize("count", [1, 40])
def test_the_result_is_a_fixed_point(count: int, arm: Robot, data: Motion) -> None:
    """Least squares with the weights of the result's own residuals give the result again."""
    arguments = with_outliers(data, count, 50.0)
    result = identify(arm, arguments, method="ols", robust="huber", folds=0)
    layout = result.space.layout
    Y = arm.inverse_dynamics.dpi(data.q, data.v, data.a)
    excerpt = Excerpt(
        layout, Equations(arguments["t"], Y, layout.drives(data.v, data.a), arguments["tau"])
    )
    left = arguments["tau"] - Y @ result.theta
    scales = excerpt.scales(result.theta)
    assert_close(scales, 1.4826 * np.median(np.abs(left), axis=0), 1e-9)
    root = np.sqrt(huber(left, scales))[..., None]
    best = np.linalg.lstsq(
        (root * Y).reshape(-1, 20), (root[..., 0] * arguments["tau"]).ravel(), rcond=None
    )[0]
    change = np.sqrt(np.mean((Y @ (best - result.theta)) ** 2, axis=0))
    assert np.all(change < 1e-2 * scales)  # where reading the data again is no longer worth it


def test_weights_of_residuals() -> None:
    weights = huber(np.array([[0.5, 1.0], [-2.69, 0.0], [-7.9, 3.0], [8.1, 1e6]]), np.array((1, 0)))
    expected = np.array([[1.0, 1.0], [0.5, 1.0], [1.345 / 7.9, 1.0], [0.0, 1.0]])
    assert_close(weights, expected, 1e-12)


def test_pieces_do_not_matter(arm: Robot, data: Motion, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = with_outliers(data, 10, 20.0)
    full = identify(arm, arguments, method="wls", robust="huber")
    monkeypatch.setattr(Layout, "piece", lambda self: 7)
    assert_close(identify(arm, arguments, method="wls", robust="huber").theta, full.theta, 1e-9)


def test_data_are_read_once_where_nothing_is_wrong(
    arm: Robot, data: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = []
    read = PartitionReader.read

    def count_call(self: PartitionReader, *args: Any, **options: Any) -> Any:
        passes.append(1)
        return read(self, *args, **options)

    monkeypatch.setattr(PartitionReader, "read", count_call)
    identify(arm, data.arrays(), method="wls", **DRIVES)
    assert len(passes) == 1
    identify(arm, data.arrays(), method="wls", robust="huber", **DRIVES)
    assert 2 < len(passes) < 9


# ------------------------------------------------------------------ fits that explain nothing


def test_junk_is_called_junk(arm: Robot, data: Motion) -> None:
    rng = np.random.default_rng(0)
    junk = data.arrays("t", "q", "v", "a") | {"tau": rng.normal(size=data.tau.shape)}
    with pytest.warns(
        DataWarning, match=r"almost nothing of the torques of joint1 \((9\d|100) %\)"
    ):
        identify(arm, junk, method="ols")
    half = junk | {"tau": np.column_stack((data.tau[:, 0], junk["tau"][:, 1]))}
    with pytest.warns(
        DataWarning, match=r"almost nothing of the torques of joint2 \(\d+ %\): the residuals"
    ):
        identify(arm, half, method="wls", **DRIVES)


def test_known_friction_is_explained(truth: Robot) -> None:
    """Known torques of drives count as explained, even if they are almost everything."""
    slow = motion(truth, 400, noise=0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        identify(truth, slow.arrays(), method="wls", folds=0)


# ------------------------------------------------------------------ the command line


def test_on_the_command_line(
    arm: Robot, data: Motion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot, path = tmp_path / "arm.urdf", tmp_path / "data.csv"
    write_urdf(arm.model, robot)
    arguments = Motion(**with_outliers(data))
    path.write_text(csv_text(arm, arguments), encoding="utf-8")
    main(["identify", str(robot), str(path), "--method", "wls", "--folds", "0"])
    assert "1 of 400 rows have torques" in capsys.readouterr().err
    main(["identify", "--robust", str(robot), str(path), "--method", "wls", "--folds", "0"])
    text = capsys.readouterr()
    assert text.err == ""
    assert "1 with torques far from the model" in text.out
