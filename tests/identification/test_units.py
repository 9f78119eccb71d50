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
    """Robot with friction only: no gravity along its axes, and light links."""
    flat = arm.edit.with_model(replace(arm.model, gravity=np.zeros(3)))
    flat = flat.edit.with_parameters(1e-2 * flat.model.parameters)
    nv = flat.nv
    true = changed(flat).edit.with_parameters(
        changed(flat).model.parameters, damping=np.full(nv, 5.0), friction=np.full(nv, 2.0)
    )
    return flat, motion(true, 1200, noise=0.02)


def parts(data: Motion, *names: str) -> list[dict[str, np.ndarray]]:
    return [part.arrays(*names) for part in cut(data, *CUTS)]


def left_out(robot: Robot, given: list[Any], **options: Any) -> dict[str, str]:
    """Files that are left out, and why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        result = identify(robot, given, method="ols", folds=0, skip_broken=True, **options)
    return {name.split()[1]: why for name, why in result.summary.left_out.items()}


def test_slow_files_have_small_torques(scara: tuple[Robot, Motion]) -> None:
    """A thousandth part of the others' torques is none of units where the robot hardly moves."""
    robot, data = scara
    arguments = parts(data)
    arguments[1] |= {k: 1e-3 * arguments[1][k] for k in ("q", "v", "a", "tau")}
    assert not left_out(robot, arguments, friction=True)
    assert not left_out(
        robot, [arguments[1], arguments[1], arguments[1], arguments[0]], friction=True
    )


def test_torques_that_never_change(arm: Robot, data: Motion) -> None:
    """A sensor that is off: in one of the files an error, in all of them not."""
    arguments = parts(data)
    arguments[3]["tau"] = arguments[3]["tau"].copy()
    arguments[3]["tau"][:, 1] = -3.5
    left = left_out(arm, arguments)
    assert list(left) == ["3"]
    assert left["3"].startswith("the first 300 rows of tau_joint2 are constant; is a sensor off?")
    assert not left_out(arm, arguments, trust_units=True)
    for part in arguments:
        part["tau"] = part["tau"].copy()
        part["tau"][:, 1] = -3.5
    assert not left_out(arm, arguments)


def test_constant_torques_at_rest(arm: Robot, data: Motion) -> None:
    """A robot that is held has constant torques."""
    others = parts(data)[0]
    others["q"] = np.tile(others["q"][:1], (300, 1))
    others["v"] = others["a"] = np.zeros_like(others["q"])
    others["tau"] = changed(arm).inverse_dynamics(others["q"], others["v"], others["a"])
    assert not np.ptp(others["tau"], axis=0).any()
    assert not left_out(arm, [*parts(data), others])


def test_other_rates_are_no_other_units(arm: Robot) -> None:
    robot = changed(arm)
    arguments = [motion(robot, 600, step).arrays("t", "q", "tau") for step in (0.01, 0.05, 0.001)]
    assert not left_out(arm, arguments)
