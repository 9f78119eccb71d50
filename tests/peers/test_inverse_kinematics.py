"""What inverse kinematics finds, by the forward kinematics of Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.export.pinocchio import PinocchioMap
from jounce.robot import Robot
from support.helpers import quiet_read
from support.identify_data import PANDA, example

pin = pytest.importorskip("pinocchio")

FRAME = "panda_hand"


def test_poses_are_met_within_limits() -> None:
    file = example(PANDA)  # whose second finger mimics the first
    robot = Robot(quiet_read(file))
    goal = robot.frame(FRAME).pose(robot.random(1, 300))
    found = robot.inverse_kinematics({FRAME: goal})
    assert found.success.all(), str(found)
    theirs = pin.buildModelFromUrdf(str(file), mimic=True)
    data, between = theirs.createData(), PinocchioMap(robot.model, theirs)
    index = theirs.getFrameId(FRAME)
    low, high = theirs.lowerPositionLimit, theirs.upperPositionLimit
    for q, T in zip(found.q, goal, strict=True):
        x = between.q_to_pinocchio(q)
        assert np.all(x >= low)
        assert np.all(x <= high)
        pin.framesForwardKinematics(theirs, data, x)
        miss = pin.log6(data.oMf[index].inverse() * pin.SE3(T))
        assert np.linalg.norm(miss.linear) <= 1.01e-6
        assert np.linalg.norm(miss.angular) <= 1.01e-6
