"""Files in other units than the rest: found beside the others, whatever is known of the robot."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import identify
from jounce.robot import Robot
from support.identify_data import Motion, changed, cut, motion

DataError, DataWarning = jounce.DataError, jounce.DataWarning
CUTS = (300, 600, 900)


@pytest.fixture(scope="module")
def data(arm: Robot) -> Motion:
    return motion(changed(arm), 1200, noise=0.02)


@pytest.fixture(scope="module")
def scara(arm: Robot) -> tuple[Robot, Motion]:
    """Nothing but friction: no gravity along its axes, and light links."""
    flat = arm.edit.with_model(replace(arm.model, gravity=np.zeros(3)))
    flat = flat.edit.with_parameters(1e-2 * flat.model.parameters)
    nv = flat.nv
    true = changed(flat).edit.with_parameters(
        changed(flat).model.parameters, damping=np.full(nv, 5.0), friction=np.full(nv, 2.0)
    )
    return flat, motion(true, 1200, noise=0.02)


def parts(data: Motion, *names: str) -> list[dict[str, np.ndarray]]:
    return [part.arrays(*names) for part in cut(data, *CUTS)]


def told(robot: Robot, given: list[Any], **options: Any) -> dict[str, str]:
    """Files that are left out, and why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        found = identify(robot, given, method="ols", folds=0, skip_broken=True, **options)
    return {name.split()[1]: why for name, why in found.summary.left_out.items()}


# ------------------------------------------------------------------ torques


@pytest.mark.parametrize(("factor", "word"), [(1e3, "mN m"), (1e-3, "kN m")])
@pytest.mark.parametrize("known", [True, False])
def test_torques_that_the_parameters_do_not_explain(
    factor: float, word: str, known: bool, scara: tuple[Robot, Motion]
) -> None:
    robot, data = scara
    given = parts(data)
    given[2]["tau"] = factor * given[2]["tau"]
    owner = robot if known else robot.edit.with_parameters(np.zeros_like(robot.model.parameters))
    left = told(owner, given, friction=True)
    assert list(left) == ["2"]
    assert word in left["2"]
    assert "unlike the other files" in left["2"]


def test_slow_files_have_small_torques(scara: tuple[Robot, Motion]) -> None:
    """A thousandth part of the others' torques is none of units where the robot hardly moves."""
    robot, data = scara
    given = parts(data)
    given[1] |= {k: 1e-3 * given[1][k] for k in ("q", "v", "a", "tau")}
    assert not told(robot, given, friction=True)
    assert not told(robot, [given[1], given[1], given[1], given[0]], friction=True)


# ------------------------------------------------------------------ sensors that are off


def test_torques_that_are_all_zero(arm: Robot, data: Motion) -> None:
    given = parts(data)
    given[1]["tau"] = 0.0 * given[1]["tau"]
    left = told(arm, given)
    assert list(left) == ["1"]
    assert left["1"].startswith("the first 300 rows of all torques are all 0; is a sensor off?")
    assert not told(arm, given, trust_units=True)


@pytest.mark.parametrize(("value", "word"), [(0.0, "0"), (-3.5, "alike")])
def test_one_torque_that_never_changes(value: float, word: str, arm: Robot, data: Motion) -> None:
    given = parts(data)
    given[3]["tau"] = given[3]["tau"].copy()
    given[3]["tau"][:, 1] = value
    left = told(arm, given)
    assert list(left) == ["3"]
    assert f"rows of tau_joint2 are all {word};" in left["3"]
    for part in given:
        part["tau"] = part["tau"].copy()
        part["tau"][:, 1] = value
    assert not told(arm, given)  # as in all of them


def test_constant_torques_at_rest(arm: Robot, data: Motion) -> None:
    """A robot that is held has constant torques, but not none."""
    rest = parts(data)[0]
    rest["q"] = np.tile(rest["q"][:1], (300, 1))
    rest["v"] = rest["a"] = np.zeros_like(rest["q"])
    rest["tau"] = changed(arm).inverse_dynamics(rest["q"], rest["v"], rest["a"])
    assert not np.ptp(rest["tau"], axis=0).any()
    assert not told(arm, [*parts(data), rest])
    left = told(arm, [*parts(data), rest | {"tau": np.zeros_like(rest["tau"])}])
    assert list(left) == ["4"]


# ------------------------------------------------------------------ times


@pytest.mark.parametrize(("factor", "word"), [(1e3, "ms"), (1e6, "us"), (1e9, "ns")])
def test_times_in_other_units(factor: float, word: str, arm: Robot, data: Motion) -> None:
    given = parts(data, "t", "q", "tau")
    given[2]["t"] = factor * given[2]["t"]
    left = told(arm, given)
    assert list(left) == ["2"]
    assert f"are they in {word}? Then use time_scale={1.0 / factor:.0e} for them" in left["2"]


def test_times_of_two_files(arm: Robot, data: Motion) -> None:
    one, other, *_ = parts(data, "t", "q", "tau")
    with pytest.raises(DataError, match=r"part 0 of the data: the times rise by 10, 1e\+03 times"):
        identify(arm, [one | {"t": 1e3 * one["t"]}, other], method="ols")
    slow = [x | {"t": 1e3 * x["t"]} for x in parts(data, "t", "q", "tau")]
    slow[1] = other
    with pytest.raises(DataError, match=r"part 1 of the data: .* are those of the others in ms\?"):
        identify(arm, slow, method="ols")


def test_other_rates_are_no_other_units(arm: Robot) -> None:
    robot = changed(arm)
    given = [motion(robot, 600, step).arrays("t", "q", "tau") for step in (0.01, 0.05, 0.001)]
    assert not told(arm, given)
