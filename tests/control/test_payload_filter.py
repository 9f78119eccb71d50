"""Recursive estimates of loads: those of least squares, forgetting, always consistent, as C."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control, inertia
from jounce.robot import Robot
from support.control import run_as_c
from support.helpers import assert_close

LOAD = inertia.translate(inertia.box((0.1, 0.2, 0.3), mass=2.0), (0.02, -0.03, 0.1))
FIRST = inertia.sphere(0.2, mass=1.0)
NOISE = 0.1


@pytest.fixture(scope="module")
def robot() -> Robot:
    return jounce.load("kuka_iiwa14")


@pytest.fixture(scope="module")
def observer(robot: Robot) -> control.Controller:
    return control.payload_observer(robot, "tool", NOISE, load=FIRST, deviation=5.0)


def states(robot: Robot, n: int, load: np.ndarray, noise: float = NOISE) -> Any:
    """Random states, torques with the load, and the regressor of the load."""
    rng = np.random.default_rng(n)
    q, v, a = rng.normal(size=(3, n, robot.nv))
    tool = robot.frame("tool")
    wrenches = tool.load_wrench(q[:, None], v[:, None], a[:, None], np.eye(10))
    Y = (np.asarray(wrenches) @ tool.jacobian(q)).mT
    tau = robot.inverse_dynamics(q, v, a) + Y @ load + noise * rng.normal(size=(n, robot.nv))
    return (q, v, a, tau), Y


def run(observer: control.Controller, data: Any) -> Any:
    state, estimates = observer.initial_state(), []
    for sample in zip(*data, strict=True):
        estimate, state = observer(state, sample, ())
        estimates.append(estimate)
    return np.array(estimates), state


def least_squares(robot: Robot, data: Any, Y: np.ndarray, forgetting: float = 1.0) -> Any:
    """Estimate and deviations with a prior that replaces forgotten information."""
    q, v, a, tau = data
    rest = tau - robot.inverse_dynamics(q, v, a)
    P = inertia.pseudo_inertia(FIRST)
    radius = np.sqrt(np.trace(P[:3, :3]))
    prior = np.diag((5.0 * np.array([1.0] + [radius] * 3 + [radius**2] * 6)) ** -2.0)
    H, g = prior, prior @ FIRST
    for rows, value in zip(Y, rest, strict=True):
        H = forgetting * H + (1.0 - forgetting) * prior + rows.T @ rows / NOISE**2
        g = forgetting * g + (1.0 - forgetting) * prior @ FIRST + rows.T @ value / NOISE**2
    inverse = np.linalg.inv(H)
    return inverse @ g, np.sqrt(np.diag(inverse))


@pytest.mark.parametrize("forgetting", [1.0, 0.9])
def test_estimates_are_those_of_least_squares(
    robot: Robot, observer: Any, forgetting: float
) -> None:
    data, Y = states(robot, 60, LOAD, 0.1 * NOISE)
    estimates, state = run(observer.with_gains(forgetting=forgetting), data)
    phi, deviations = least_squares(robot, data, Y, forgetting)
    assert inertia.is_consistent(phi)
    assert_close(estimates[-1, 0], phi, 1e-9)
    assert_close(estimates[-1, 1], deviations, 1e-9)
    assert np.all(np.abs(phi - LOAD) < 4.0 * deviations)
    assert_close(np.linalg.solve(state[0], state[1]), phi, 1e-9)


def test_estimates_are_always_consistent(robot: Robot, observer: Any) -> None:
    """Those of a point mass with much noise, the first of which have almost no information."""
    data, Y = states(robot, 40, inertia.point_mass(0.5, (0.1, 0.0, 0.0)), 5.0)
    estimates, _ = run(observer, data)
    for phi, _ in estimates:
        assert inertia.is_consistent(phi)
    assert not inertia.is_consistent(least_squares(robot, data, Y)[0])


def test_mass_is_that_of_least_squares_where_inertias_are_unknown(robot: Robot) -> None:
    """Also far from the first estimate: deviations hold while second moments are corrected."""
    observer = control.payload_observer(robot, "tool", NOISE)
    load = inertia.translate(LOAD, (0.2, 0.0, 0.1))
    rest, errors = np.zeros((10, 7)), []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        q = rng.uniform(-1.5, 1.5, (10, 7))
        J: Any = robot.frame("tool").jacobian(q)
        w: Any = robot.frame("tool").load_wrench(q, rest, rest, load)
        noise = NOISE * rng.normal(size=(10, 7))
        tau = robot.gravity_forces(q) + (J.mT @ w[..., None])[..., 0] + noise
        estimates, _ = run(observer, (q, rest, rest, tau))
        phi, deviations = estimates[-1]
        assert inertia.is_consistent(phi)
        errors.append((phi[:4] - load[:4]) / deviations[:4])
    assert abs(np.sqrt(np.mean(np.square(errors))) - 1.0) < 0.25


def test_forgetting_follows_a_load_that_changes(robot: Robot, observer: Any) -> None:
    first, second = states(robot, 100, LOAD)[0], states(robot, 101, 0.2 * LOAD)[0]
    data = [np.concatenate(pair) for pair in zip(first, second, strict=True)]
    kept, _ = run(observer, data)
    forgot, _ = run(observer.with_gains(forgetting=0.9), data)
    assert abs(kept[-1, 0, 0] - 0.4) > 0.3
    assert abs(forgot[-1, 0, 0] - 0.4) < 5.0 * forgot[-1, 1, 0]


def test_robots_at_rest_keep_what_they_know(robot: Robot, observer: Any) -> None:
    """Forgetting without motion ends at the information of the start, which is not singular."""
    estimate: Any = None
    state = observer.with_gains(forgetting=0.5).initial_state()
    q, rest = np.full(7, 0.3), np.zeros(7)
    resting = observer.with_gains(forgetting=0.5)
    for _ in range(200):
        estimate, state = resting(state, (q, rest, rest, robot.gravity_forces(q)), ())
    assert np.isfinite(estimate).all()
    assert inertia.is_consistent(estimate[0])
    assert abs(estimate[0, 0]) < 0.1


def test_exported_c_equals_the_kernel(robot: Robot, observer: Any, tmp_path: Path) -> None:
    data, _ = states(robot, 5, LOAD)
    _, state = run(observer, data)
    values = [*state, *(x[0] for x in data), *observer.gains.values()]
    for actual, expected in zip(
        run_as_c(observer, values, tmp_path), observer.function(*values), strict=True
    ):
        assert_close(actual, expected, 1e-9)


def test_errors(robot: Robot) -> None:
    with pytest.raises(jounce.ArgumentError, match="forgetting in"):
        control.payload_observer(robot, "tool", NOISE, forgetting=0.0)
    with pytest.raises(jounce.ArgumentError, match="expected noise > 0"):
        control.payload_observer(robot, "tool", 0.0)
    with pytest.raises(jounce.ModelError, match="not physically consistent"):
        control.payload_observer(robot, "tool", NOISE, load=-LOAD)
    with pytest.raises(jounce.ArgumentError, match="shape"):
        control.payload_observer(robot, "tool", NOISE, load=LOAD[:4])
