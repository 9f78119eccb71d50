"""Identification of robots with Stribeck, smooth and load-dependent friction."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.solve import Mechanism
from support.helpers import assert_close
from support.zoo import MODELS

SHAPE = {"stribeck_velocity": 0.4, "friction_smoothing": 0.05}
LOAD = {"load_friction": 0.06, "load_smoothing": 0.3}
COEFFICIENTS = ("damping", "friction", "stribeck_friction")


@cache
def true_robot(name: str, load: bool) -> Any:
    """Return a robot with friction of every law in joints of one degree of freedom."""
    robot = jounce.Robot(MODELS[name]()) if name in MODELS else jounce.load(name)
    single = np.zeros(robot.nv)
    for view in robot.joints.values():
        if view.joint.row.single:
            single[view.v] = 1.0
    rng = np.random.default_rng(3)
    laws = {x: single * rng.uniform(0.2, 0.6, robot.nv) for x in COEFFICIENTS}
    shape = {**SHAPE, **(LOAD if load else {})}
    robot = robot.edit.with_friction(**laws, **{k: single * x for k, x in shape.items()})
    return robot.closed(("joint1", "joint4")) if robot.model.loops else robot


def recording(robot: Any, count: int = 150) -> dict[str, np.ndarray]:
    """Return random states, and the torques of the motors."""
    rng = np.random.default_rng(4)
    if isinstance(robot, Mechanism):
        near = robot.integrate(robot.reference, 0.2 * rng.standard_normal((count, robot.nv)))
        q = robot.assemble(near, strict=True).q
    else:
        q = robot.random(rng, count)
    v, a = rng.standard_normal((2, count, robot.nv))
    return {"q": q, "v": v, "a": a, "tau": robot.motor_forces(q, v, a)}


def numbers_of(robot: Any, kind: str) -> np.ndarray:
    """Return numbers of friction (nt,) of all joints."""
    tree = robot.robot if isinstance(robot, Mechanism) else robot
    return np.concatenate([getattr(x.joint, kind) for x in tree.joints.values()])


def with_guess(robot: Any, value: float) -> Any:
    """Return the robot with other coefficients of friction of the independent joints."""
    tree = robot.robot if isinstance(robot, Mechanism) else robot
    guess = {kind: numbers_of(robot, kind) for kind in COEFFICIENTS}
    for numbers in guess.values():
        numbers[list(robot.velocities)] = value
    changed = tree.edit.with_friction(**guess)
    return changed.closed(robot.active, robot.reference) if tree is not robot else changed


@pytest.mark.parametrize("name", ["planar_2r", "mimic", "five_bar"])
@pytest.mark.parametrize("load", [False, True])
def test_known_laws_are_subtracted(name: str, load: bool) -> None:
    """With the robot's own parameters, nothing is left of the torques, also of the prediction."""
    robot = true_robot(name, load)
    data = recording(robot)
    result = jounce.identify(robot, data, folds=0, method="wls")
    assert (result.rms_prior / result.rms_torque).max() < 1e-12
    found = result.space.layout.torques(result.space.layout.prior, *(data[x] for x in "qva"))
    assert_close(found, data["tau"])


@pytest.mark.parametrize("name", ["planar_2r", "five_bar"])
def test_coefficients_are_identified(name: str) -> None:
    robot = true_robot(name, load=False)
    data = recording(robot)
    guess = with_guess(robot, 0.1)
    result = jounce.identify(guess, data, friction=True, folds=0, method="wls")
    for kind in COEFFICIENTS:
        true = numbers_of(robot, kind)[list(robot.velocities)]
        assert_close(getattr(result, kind), true, 1e-9)
    states = tuple(data[x] for x in "qva")
    assert_close(result.torques(*states), data["tau"], 1e-9)
    if name == "planar_2r":
        assert_close(result.identified.motor_forces(*states), data["tau"], 1e-9)


def test_load_friction_of_the_model_is_used(tmp_path: Path) -> None:
    """With wrong coefficients its loads are estimated; a second identification corrects them."""
    robot = true_robot("planar_2r", load=True)
    data = recording(robot)
    options: dict[str, Any] = {"friction": True, "folds": 0, "fixed": ["link1", "link2"]}
    first = jounce.identify(with_guess(robot, 0.2), data, **options)
    second = jounce.identify(first.identified, data, **options)
    residuals = [x.rms.max() / x.rms_torque.max() for x in (first, second)]
    assert residuals[0] < 0.01
    assert residuals[1] < 0.1 * residuals[0]
    states = tuple(data[x] for x in "qva")
    assert_close(second.torques(*states), second.identified.motor_forces(*states), 1e-9)
    jounce.load("planar_2r").export.urdf(tmp_path / "arm.urdf")
    second.write_urdf(tmp_path / "arm.urdf", tmp_path / "found.urdf")
    written = jounce.load(tmp_path / "found.urdf")
    assert_close(written.motor_forces(*states), second.identified.motor_forces(*states), 1e-9)


def test_the_momentum_form_filters_the_laws() -> None:
    robot = true_robot("planar_2r", load=True)
    t = np.arange(3000) * 1e-3
    w, p = np.array((3.0, 4.3)), np.array((0.3, 1.0))
    q, v, a = (w**k * np.cos(np.outer(t, w) + p + k * np.pi / 2) for k in range(3))
    data = {"t": t, "q": q, "v": v, "tau": robot.motor_forces(q, v, a)}
    known = jounce.identify(robot, data, momentum=True, cutoff=5.0, folds=0)
    assert (known.rms_prior / known.rms_torque).max() < 1e-3
    found = jounce.identify(
        with_guess(robot, 0.3), data, momentum=True, cutoff=5.0, friction=True, folds=0
    )
    assert (found.rms / found.rms_torque).max() < 5e-3
