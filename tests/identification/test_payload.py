"""Loads: all ten parameters from motions, four from static poses, with deviations that hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce import inertia
from jounce.identification import Payload, payload
from jounce.robot import Robot
from support.helpers import assert_close
from support.identify_data import changed, motion, with_drives

LOAD = inertia.translate(inertia.box((0.1, 0.2, 0.3), mass=2.0), (0.02, -0.03, 0.1))


@pytest.fixture(scope="module")
def robot() -> Robot:
    return jounce.load("kuka_iiwa14")


def loaded(robot: Any, load: np.ndarray = LOAD) -> Any:
    """The robot with a load at its tool."""
    none: Any = np.zeros(0)
    item = Payload(robot, "tool", load, none, none, none, none, none, none, 0.0)
    return item.attached()


def recording(robot: Robot, noise: float = 0.0, seed: int = 0) -> dict[str, np.ndarray]:
    x = motion(robot, 300)
    noises = noise * np.random.default_rng(seed).normal(size=x.tau.shape)
    return {"t": x.t, "q": x.q, "v": x.v, "a": x.a, "tau": x.tau + noises}


def test_motions_determine_all_parameters(robot: Robot) -> None:
    result = payload(robot, "tool", recording(loaded(robot)))
    assert_close(result.parameters, LOAD, 1e-8)
    assert_close(result.center, inertia.com(LOAD), 1e-8)
    assert not result.undetermined
    same = result.attached().inverse_dynamics(*np.ones((3, 7)))
    assert_close(same, loaded(robot).inverse_dynamics(*np.ones((3, 7))), 1e-8)


def test_static_poses_determine_mass_and_center(robot: Robot) -> None:
    q = np.random.default_rng(1).uniform(-1.5, 1.5, (30, 7))
    offset = np.linspace(-1.0, 1.0, 7)
    tau = loaded(robot).gravity_forces(q) + offset
    result = payload(robot, "tool", {"q": q, "tau": tau}, static=True, offset=True)
    assert_close(result.parameters[:4], LOAD[:4], 1e-8)
    assert result.undetermined == ["Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"]
    assert inertia.is_consistent(result.parameters)
    assert_close(result.offset, offset, 1e-8)
    assert "not determined" in str(result)


def test_differences_of_two_runs_need_no_accurate_model(robot: Robot) -> None:
    """Of a robot with other masses and friction than its model."""
    real = with_drives(changed(robot, 3))
    without, data = recording(real, 0.02, 1), recording(with_drives(loaded(real)), 0.02, 2)
    result = payload(robot, "tool", data, without=without)
    assert np.all(np.abs(result.parameters - LOAD) < 4.0 * result.deviations)
    with pytest.warns(jounce.DataWarning, match="no physically consistent load"):
        absolute = payload(robot, "tool", recording(real))
    assert absolute.distance > 20.0
    with pytest.raises(jounce.DataError, match="row by row; they have 300 and 200 rows"):
        payload(robot, "tool", data, without={k: x[:200] for k, x in without.items()})


def test_standard_deviations_hold(robot: Robot) -> None:
    real = loaded(robot)
    errors = []
    for seed in range(100):
        result = payload(robot, "tool", recording(real, 0.1, seed))
        errors.append((result.parameters - LOAD) / result.deviations)
        assert inertia.is_consistent(result.parameters)
    z = np.array(errors)
    assert abs(np.mean(np.abs(z) < 1.0) - 0.683) < 0.05
    assert np.abs(z).max() < 5.0


@pytest.mark.parametrize("n", [3, 8])
def test_standard_deviations_of_few_poses_hold(robot: Robot, n: int) -> None:
    """The noise of each torque cannot be estimated from a few samples."""
    real, errors = loaded(robot), []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        q = rng.uniform(-1.5, 1.5, (n, 7))
        tau = real.gravity_forces(q) + 0.1 * rng.normal(size=(n, 7))
        result = payload(robot, "tool", {"q": q, "tau": tau}, static=True)
        errors.append((result.parameters[:4] - LOAD[:4]) / result.deviations[:4])
    assert abs(np.sqrt(np.mean(np.square(errors))) - 1.0) < 0.15


def test_loads_of_closed_loops() -> None:
    tree = jounce.load("four_bar")
    closed, q = tree.closed(), np.zeros((30, 3))
    q[:, 0] = np.linspace(-2.0, 2.0, 30)
    q = closed.assemble(q).q
    real = loaded(closed)
    result = payload(closed, "tool", {"q": q, "tau": real.gravity_forces(q)}, static=True)
    assert_close(result.parameters[:3], LOAD[:3], 1e-8)
    assert "hz" in result.undetermined
    assert_close(result.attached().gravity_forces(q), real.gravity_forces(q), 1e-8)


def test_loads_are_always_consistent(robot: Robot) -> None:
    """A point mass, of which least squares find negative moments of inertia."""
    load = inertia.point_mass(1.0, (0.05, 0.0, 0.02))
    for seed in range(10):
        result = payload(robot, "tool", recording(loaded(robot, load), 0.2, seed))
        assert inertia.is_consistent(result.parameters)
        assert abs(result.mass - 1.0) < 5.0 * result.deviations[0]


def test_errors(robot: Robot) -> None:
    with pytest.raises((jounce.ArgumentError, AttributeError, ValueError), match="tol"):
        payload(robot, "tol", recording(robot))
    data = {"q": np.zeros((1, 7)), "tau": np.zeros((1, 7))}
    with pytest.raises(jounce.DataError, match="too few"):
        payload(robot, "tool", data, static=True)
