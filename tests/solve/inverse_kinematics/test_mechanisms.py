"""Inverse kinematics of mechanisms: targets met, loops closed, limits kept."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import jounce
from support.helpers import quiet_read
from support.mechanisms import mechanism


@pytest.mark.parametrize("name", ["five_bar", "bennett", "leg"])
def test_a_frame_of_a_mechanism_gets_to_its_place(name: str) -> None:
    closed = mechanism(name)
    frame = closed.robot.model.frame_names[-1]
    goal = closed.frame(frame).pose(closed.random(0, 10))
    found = closed.inverse_kinematics({frame: goal})
    assert found.success.all(), str(found)
    assert closed.gap(found.q).max() <= closed.tolerance
    np.testing.assert_allclose(found.gap, closed.gap(found.q), atol=1e-12)
    miss = np.abs(closed.frame(frame).pose(found.q) - goal)
    assert miss.max() <= 1e-5  # a rad of an angle moves entries of a pose by one
    again = closed.inverse_kinematics({frame: goal[0, :3, 3]}, closed.reference)
    assert again.success
    assert again.q.shape == (closed.nq,)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stewart", "weld", "revolute", "planar", "floating"])
def test_larger_ones(name: str) -> None:
    test_a_frame_of_a_mechanism_gets_to_its_place(name)


def test_loops_stay_closed_where_a_target_cannot_be_met() -> None:
    closed = mechanism("five_bar")
    found = closed.inverse_kinematics({"tool": [(9.0, 0.0, 0.0), (0.0, 9.0, 0.0)]}, restarts=4)
    assert not found.success.any()
    assert closed.gap(found.q).max() <= closed.tolerance
    assert found.reason[0].startswith("not reached from 5 starts: 'tool' misses by")
    reached = closed.frame("tool").pose(found.q)[:, :3, 3]
    goal = np.array(((9.0, 0.0, 0.0), (0.0, 9.0, 0.0)))
    np.testing.assert_allclose(found.distances[:, 0], np.linalg.norm(reached - goal, axis=1))


def bounded(lower: float, upper: float) -> jounce.Robot:
    """The five-bar linkage with limits at all joints."""
    model = quiet_read("five_bar")
    joints = (dataclasses.replace(j, lower=lower, upper=upper) for j in model.joints)
    return jounce.Robot(dataclasses.replace(model, joints=tuple(joints)))


def test_random_configurations_pass_limits_only_where_they_must() -> None:
    closed = bounded(-1.9, 1.9).closed(q0=(0.2, 0.1, -0.1, 0.3))
    loose = mechanism("five_bar").random(0, 30)
    assert not closed.limits.contains(loose).all()
    never = bounded(2.9, 3.0).closed(q0=(0.2, 0.1, -0.1, 0.3))
    assert never.gap(never.random(0, 5)).max() <= never.tolerance


def test_limits_of_all_joints_are_kept() -> None:
    closed = bounded(-1.9, 1.9).closed(q0=(0.2, 0.1, -0.1, 0.3))
    q = closed.random(0, 30)
    assert closed.limits.contains(q).all()
    assert closed.gap(q).max() <= closed.tolerance
    found = closed.inverse_kinematics({"tool": closed.frame("tool").pose(q)[:, :3, 3]})
    assert found.success.all(), str(found)
    assert closed.limits.contains(found.q).all()
    with pytest.raises(jounce.ArgumentError, match="limits of the same joints"):
        closed.inverse_kinematics({"tool": (0.0, 0.0, 0.0)}, limits=closed.robot.limits)
    tight = dataclasses.replace(closed.limits, lower=closed.limits.lower + 1.0)
    found = closed.inverse_kinematics({"tool": (0.5, 0.5, 0.0)}, limits=tight, restarts=3)
    assert np.all(found.q[list(closed.active)] >= tight.lower - 1e-6)
