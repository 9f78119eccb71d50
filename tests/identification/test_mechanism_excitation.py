"""Excitation of mechanisms: gradients through the loops, limits of joints that follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError
from jounce.identification import base_parameters, excitation
from jounce.identification.excitation.design import _noise, _sample_states, _start
from jounce.identification.excitation.limits import Limits
from jounce.identification.excitation.problem import Box, Problem, Regressor
from jounce.identification.subject import MechanismAdapter
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import assert_close
from support.identify_mechanisms import with_all_drives


@pytest.fixture(scope="module")
def closed() -> Mechanism:
    """A five-bar with drives, whose second joint (a dependent one) has limits of its own."""
    robot = jounce.load("five_bar")
    joints = list(robot.model.joints)
    joints[1] = replace(joints[1], lower=np.array((-0.4,)), upper=np.array((0.6,)))
    robot = Robot(replace(robot.model, joints=tuple(joints)))
    return with_all_drives(robot.closed(("joint1", "joint4"), (0.2, 0.1, -0.1, 0.3)))


@pytest.fixture(scope="module")
def limits(closed: Mechanism) -> Limits:
    return Limits.of(closed, lower=-0.8, upper={"joint1": 0.8, "joint4": 0.7}, acceleration=20.0)


@pytest.mark.parametrize("extended", [False, True])
def test_gradients(closed: Mechanism, limits: Limits, extended: bool) -> None:
    """Cost and limits beside central differences, to their 1e-7."""
    owner, rng = MechanismAdapter(closed), np.random.default_rng(0)
    states = _sample_states(owner, limits, 4.0, rng)
    regressor = Regressor(owner, states, _noise(owner, limits, None, states), extended)
    box = Box(owner.frame("tool"), np.full(3, -1.0), np.full(3, 1.0))
    problem = Problem(regressor, limits, [box], (3, 5.0, 30), True)
    z = _start(problem, "condition", 2, rng)
    step = rng.normal(size=z.shape)
    for kind in ("condition", "d-optimal"):
        _, gradient = problem.cost(z, kind, 2.0)
        ends = (problem.cost(z + h * step, kind, 2.0)[0] for h in (1e-6, -1e-6))
        assert_close((next(ends) - next(ends)) / 2e-6, gradient @ step, 1e-7)
    ends = (problem.uses(z + h * step) for h in (1e-6, -1e-6))
    assert_close((next(ends) - next(ends)) / 2e-6, problem.jacobian(z) @ step, 1e-7)


def test_trajectories_keep_loops_closed_and_limits(closed: Mechanism, limits: Limits) -> None:
    options = {"harmonics": 3, "period": 5.0, "starts": 3, "iterations": 15}
    result = excitation.optimize(closed, limits=limits, extended=True, **options)
    assert result.condition < result.start_condition
    assert len(result.columns) == len(base_parameters(closed, armature=True)) + 4
    assert max(x.max() for x in result.use.values()) <= 1.0
    t = np.linspace(0.0, 5.0, 501)
    motion = result.trajectory(t)
    path = np.tile(closed.reference, (len(t), 1))
    path[:, [0, 3]] = motion.q
    q = closed.track(path, strict=True).q
    assert q[:, 1].min() > -0.4
    assert q[:, 1].max() < 0.6
    assert np.abs(closed.velocity(q, motion.v)).max() < np.pi
    assert np.abs(result.use["dependent joints"]).max() > 0.1


def test_wrong_calls(closed: Mechanism) -> None:
    with pytest.raises(
        ModelError, match=r"loop 'joint5' couples its joints.*; pass robot.closed\(\)"
    ):
        excitation.optimize(closed.robot)
    with pytest.raises(ValueError, match="'joint2', which is not an independent joint"):
        Limits.of(closed, velocity={"joint2": 1.0})
    far = Limits.of(closed, lower=2.9, upper=3.0)
    with pytest.raises(ModelError, match="closed configurations around its reference"):
        excitation.optimize(closed, limits=far)
