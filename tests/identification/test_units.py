"""Files among others whose units or sensors are not plausible, and such as only seem so."""

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

DataWarning = jounce.DataWarning
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


def test_slow_files_have_small_torques(scara: tuple[Robot, Motion]) -> None:
    """A thousandth part of the others' torques is none of units where the robot hardly moves."""
    robot, data = scara
    given = parts(data)
    given[1] |= {k: 1e-3 * given[1][k] for k in ("q", "v", "a", "tau")}
    assert not told(robot, given, friction=True)
    assert not told(robot, [given[1], given[1], given[1], given[0]], friction=True)


def test_torques_that_never_change(arm: Robot, data: Motion) -> None:
    """A sensor that is off: in one of the files an error, in all of them not."""
    given = parts(data)
    given[3]["tau"] = given[3]["tau"].copy()
    given[3]["tau"][:, 1] = -3.5
    left = told(arm, given)
    assert list(left) == ["3"]
    assert left["3"].startswith("the first 300 rows of tau_joint2 are constant; is a sensor off?")
    assert not told(arm, given, trust_units=True)
    for part in given:
        part["tau"] = part["tau"].copy()
        part["tau"][:, 1] = -3.5
    assert not told(arm, given)


def test_constant_torques_at_rest(arm: Robot, data: Motion) -> None:
    """A robot that is held has constant torques."""
    rest = parts(data)[0]
    rest["q"] = np.tile(rest["q"][:1], (300, 1))
    rest["v"] = rest["a"] = np.zeros_like(rest["q"])
    rest["tau"] = changed(arm).inverse_dynamics(rest["q"], rest["v"], rest["a"])
    assert not np.ptp(rest["tau"], axis=0).any()
    assert not told(arm, [*parts(data), rest])


def test_other_rates_are_no_other_units(arm: Robot) -> None:
    robot = changed(arm)
    given = [motion(robot, 600, step).arrays("t", "q", "tau") for step in (0.01, 0.05, 0.001)]
    assert not told(arm, given)
