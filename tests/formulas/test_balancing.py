"""The wrench that a motion exerts on the base: minus the rate of the momentum."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from support.helpers import assert_close
from support.zoo import MODELS

TREES = ("every kind", "floating, mimic", "two roots, mimic", "kuka_iiwa14")
NAMES = (*TREES, "four_bar closed", "five_bar closed")


@cache
def robot_of(name: str) -> Any:
    robot = Robot(MODELS[name.removesuffix(" closed")]())
    return robot.closed() if name.endswith("closed") else robot


def state(robot: Any, count: int = 4) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(8)
    return robot.random(rng, count), *rng.standard_normal((3, count, robot.nv))


@pytest.mark.parametrize("name", NAMES)
def test_shaking_wrench_is_minus_the_rate_of_the_momentum(name: str) -> None:
    robot = robot_of(name)
    q, v, a, j = state(robot)
    F = robot.shaking_wrench(q, v, a)
    assert_close(F, -robot.momentum.dt(q, v, a), 4e-12)
    assert_close(
        robot.shaking_wrench.dt(q, v, a, j), -robot.momentum.rates(2)(q, v, a, j)[2], 1e-11
    )
    assert_close(robot.shaking_wrench.da(q, v, a), -robot.momentum_matrix(q), 4e-12)
    rate = robot.shaking_wrench.dq(q, v, a) @ v[..., None]
    rate = rate + robot.shaking_wrench.dv(q, v, a) @ a[..., None]
    rate = rate - robot.momentum_matrix(q) @ j[..., None]
    assert_close(robot.shaking_wrench.dt(q, v, a, j), rate[..., 0], 4e-12)


@pytest.mark.parametrize("name", TREES)
def test_shaking_wrench_is_that_of_the_root_joints_without_gravity(name: str) -> None:
    robot = robot_of(name)
    q, v, a, _ = state(robot)
    still = Robot(replace(robot.model, gravity=np.zeros(3)))
    poses, wrenches = robot.body_poses(q), still.joint_wrenches(q, v, a)
    total = 0.0
    for i, joint in enumerate(robot.model.joints):
        if joint.parent < 0:
            n, f = (
                (poses[:, i, :3, :3] @ w[..., None])[..., 0]
                for w in np.split(wrenches[:, i], 2, -1)
            )
            total = total + np.concatenate((n + np.cross(poses[:, i, :3, 3], f), f), axis=-1)
    assert_close(robot.shaking_wrench(q, v, a), -total, 4e-12)


@pytest.mark.parametrize("name", ["kuka_iiwa14", "four_bar closed", "five_bar closed"])
def test_shaking_wrench_is_linear_in_the_inertial_parameters(name: str) -> None:
    robot = robot_of(name)
    q, v, a, _ = state(robot)
    by_pi = robot.shaking_wrench.dpi(q, v, a)
    pi = robot.model.parameters.ravel()
    assert_close(by_pi @ pi, robot.shaking_wrench(q, v, a), 4e-12)


def test_shaking_wrench_in_the_geometry() -> None:
    robot = robot_of("kuka_iiwa14")
    q, v, a, _ = state(robot, 1)
    step = np.random.default_rng(2).standard_normal((robot.nb, 6))
    for kind, slope in (
        ("screws", robot.shaking_wrench.dscrew(q, v, a)),
        ("placements", robot.shaking_wrench.dplacement(q, v, a)),
    ):
        h = 1e-5
        there, back = (
            robot.edit.with_geometry(**{kind: s * step}).shaking_wrench(q, v, a) for s in (h, -h)
        )
        expected = np.einsum("nijk,jk->ni", slope, step)
        assert_close((there - back) / (2 * h), expected, 1e-7)


def test_residuals_of_balancing_vanish_for_a_balanced_arm() -> None:
    """A bar with its center of mass on its axis is in static balance, but turns its base."""
    builder = jounce.TreeBuilder("rotor", (0.0, -9.81, 0.0))
    builder.add("rotor", "revolute", axis=(0, 0, 1), mass=2.0, com=(0, 0, 0), inertia_com=np.eye(3))
    robot = Robot(builder.build())
    q, v, a, _ = state(robot)
    assert np.abs(robot.gravity_forces(q)).max() < 1e-14
    F = robot.shaking_wrench(q, v, a)
    assert_close(F[:, 2], -a[:, 0])
    assert np.abs(F[:, 3:]).max() < 1e-14
    assert_close(robot.momentum_matrix(q)[:, 2, 0], np.ones(4))
