"""Torque constraints: the coefficients and trajectories of toppra's own class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce

toppra = pytest.importorskip("toppra")
from toppra.algorithm import TOPPRA  # noqa: E402
from toppra.constraint import DiscretizationType, JointTorqueConstraint  # noqa: E402

from jounce.integrations.toppra import TorqueConstraint  # noqa: E402

SCHEMES = (DiscretizationType.Collocation, DiscretizationType.Interpolation)


@pytest.fixture(scope="module")
def robot() -> jounce.Robot:
    return jounce.load("kuka_iiwa14")


@pytest.fixture(scope="module")
def path(robot: jounce.Robot) -> Any:
    return toppra.SplineInterpolator(np.linspace(0, 1, 5), 0.5 * robot.random(0, 5))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_coefficients_are_those_of_toppra(robot: jounce.Robot, path: Any, scheme: Any) -> None:
    bounds = np.stack([-robot.limits.effort, 0.5 * robot.limits.effort], axis=1)
    friction = np.arange(7.0)
    reference = JointTorqueConstraint(robot.inverse_dynamics, bounds, friction, scheme)
    ours = TorqueConstraint(robot, bounds, friction=friction, discretization=scheme)
    grid = np.linspace(0, 1, 21)
    expected = reference.compute_constraint_params(path, grid)
    found = ours.compute_constraint_params(path, grid)
    for x, y in zip(expected[:5], found[:5], strict=True):
        assert np.abs(x - y).max() <= 1e-12 * np.abs(x).max()
    assert found[5:] == (None, None)
    assert "joint7" in str(ours)


def test_trajectories_with_pinocchio(robot: jounce.Robot, path: Any) -> None:
    """toppra's class on Pinocchio's inverse dynamics gives the same motion."""
    pinocchio = pytest.importorskip("pinocchio")
    from jounce.export.pinocchio import to_pinocchio

    model = to_pinocchio(robot.model)
    data = model.createData()
    bounds = np.stack([-robot.limits.effort, robot.limits.effort], axis=1)
    reference = JointTorqueConstraint(
        lambda q, v, a: pinocchio.rnea(model, data, q, v, a), bounds, np.zeros(7), SCHEMES[1]
    )
    grid = np.linspace(0, 1, 51)
    profiles = [
        TOPPRA([x], path, gridpoints=grid).compute_parameterization(0.0, 0.0)[:2]
        for x in (reference, TorqueConstraint(robot))
    ]
    speeds = profiles[0][1]
    assert np.abs(profiles[1][1] - speeds).max() < 1e-8 * speeds.max()


def test_torques_stay_within_limits(robot: jounce.Robot, path: Any) -> None:
    wrench = np.zeros((7, 6))
    wrench[6, 5] = -20.0
    grid = np.linspace(0, 1, 101)
    constraint = TorqueConstraint(robot, 150.0, wrenches=wrench)
    u, speed, _ = TOPPRA([constraint], path, gridpoints=grid).compute_parameterization(0.0, 0.0)
    q, d1, d2 = (path(grid[:-1], k) for k in range(3))
    v, a = d1 * speed[:-1, None], d2 * speed[:-1, None] ** 2 + d1 * u[:, None]
    tau = robot.inverse_dynamics(q, v, a, wrenches=wrench)
    assert 149.9 < np.abs(tau).max() < 150.001  # toppra is exact to about 1e-6


def test_joints_without_limits(path: Any) -> None:
    robot = jounce.load("kuka_iiwa14")
    bounds = robot.limits.effort.copy()
    bounds[2:] = np.inf
    F, g = TorqueConstraint(robot, bounds, discretization=SCHEMES[0]).compute_constraint_params(
        path, np.linspace(0, 1, 5)
    )[3:5]
    assert F.shape == (4, 7)
    assert g.tolist() == [320.0, 320.0, 320.0, 320.0]


def test_mistakes(robot: jounce.Robot, path: Any) -> None:
    with pytest.raises(jounce.ModelError, match="floating base"):
        TorqueConstraint(jounce.load("kuka_iiwa14", base="floating"))
    with pytest.raises(jounce.ArgumentError, match=r"limits of shape \(7,\).*found \[1\.0, 2\.0\]"):
        TorqueConstraint(robot, [1.0, 2.0])
    with pytest.raises(jounce.ArgumentError, match="a path of 2 joints, found 7"):
        TorqueConstraint(jounce.load("planar_2r"), 1.0).compute_constraint_params(path, np.ones(3))
