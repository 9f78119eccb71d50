"""Models of Pinocchio become models of ours, and ours survive the way there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce import ModelError, Robot
from jounce.interop.pinocchio import PinocchioMap, from_pinocchio, to_pinocchio
from support.helpers import assert_close
from support.robots import ALL_KINDS, random_model

pin = pytest.importorskip("pinocchio")


#: Pinocchio's joints that have a counterpart here.
JOINTS = (
    *(getattr(pin, f"JointModel{kind}{axis}") for kind in ("R", "P", "RUB") for axis in "XYZ"),
    lambda: pin.JointModelHX(0.3),
    lambda: pin.JointModelHelicalUnaligned(np.array((0.0, 0.6, 0.8)), -0.2),
    lambda: pin.JointModelRevoluteUnaligned(np.array((0.48, 0.6, 0.64))),
    lambda: pin.JointModelPrismaticUnaligned(np.array((0.48, 0.6, 0.64))),
    pin.JointModelSpherical,
    pin.JointModelPlanar,
    pin.JointModelFreeFlyer,
)


def every_joint() -> Any:
    """A chain of all of them, with a frame, armature and limits."""
    pin.seed(1)
    model = pin.Model()
    model.gravity.linear = np.array((1.0, 2.0, -9.0))
    for k, joint in enumerate(JOINTS):
        model.addJoint(k, joint(), pin.SE3.Random(), f"joint{k}")
        model.appendBodyToJoint(k + 1, pin.Inertia.Random(), pin.SE3.Identity())
    model.addFrame(pin.Frame("tool", 3, pin.SE3.Random(), pin.FrameType.OP_FRAME))
    model.armature[:4] = (0.1, 0.2, 0.3, 0.4)
    model.lowerPositionLimit[2], model.upperPositionLimit[2] = -0.5, 1.5
    return model


def test_every_joint() -> None:
    theirs = every_joint()
    robot = Robot(from_pinocchio(theirs))
    between, data = PinocchioMap(robot.model, theirs), theirs.createData()
    rng = np.random.default_rng(0)
    q = robot.random(rng)
    v, a = rng.normal(size=(2, robot.nv))
    q_pin, v_pin, a_pin = between.q_to_pinocchio(q), *map(between.v_to_pinocchio, (v, a))
    forces = between.tau_from_pinocchio(pin.rnea(theirs, data, q_pin, v_pin, a_pin))
    # nineteen bodies with inertias of any size, one after the other
    assert_close(robot.inverse_dynamics(q, v, a), forces, 1e-11)
    pin.framesForwardKinematics(theirs, data, q_pin)
    pose = data.oMf[theirs.getFrameId("tool")].homogeneous
    assert_close(robot.frame("tool").pose(q), pose)
    assert robot.joint_names == list(theirs.names)[1:]
    limited = robot.model.joints[2]
    assert (limited.lower[0], limited.upper[0]) == (-0.5, 1.5)
    assert robot.model.joints[0].upper[0] == np.inf


@pytest.mark.parametrize("seed", range(3))
def test_there_and_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = [kind for kind in ALL_KINDS if kind not in ("universal", "cylindrical", "planar")]
    model = random_model(rng, n_joints=7, kinds=kinds)
    again = from_pinocchio(to_pinocchio(model))
    one, two = (PinocchioMap(x, to_pinocchio(model)) for x in (model, again))
    first, second = Robot(model), Robot(again)
    q = first.random(rng)
    v, a = rng.normal(size=(2, first.nv))
    moved = [two.v_from_pinocchio(one.v_to_pinocchio(x)) for x in (v, a)]
    forces = second.inverse_dynamics(two.q_from_pinocchio(one.q_to_pinocchio(q)), *moved)
    assert_close(two.G @ forces, one.G @ first.inverse_dynamics(q, v, a), 1e-11)


def test_a_joint_without_counterpart_is_named() -> None:
    model = pin.Model()
    model.addJoint(0, pin.JointModelSphericalZYX(), pin.SE3.Identity(), "wrist")
    with pytest.raises(ModelError, match=r"'wrist': JointModelSphericalZYX .* JointModelFreeFlyer"):
        from_pinocchio(model)
