"""Wrenches of joints, motion of bodies and accelerations of frames, against Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.export.pinocchio import PinocchioMap, swap_order
from jounce.robot import Robot
from support.helpers import assert_close, interpreted, kernel_of, quiet_read, random_argument
from support.urdf_files import good_files

pin = pytest.importorskip("pinocchio")

ROBOTS = (("panda", "fixed"), ("solo12", "floating"), ("tiago_no_hand", "fixed"))

REFERENCES = {"": "LOCAL", "_world": "WORLD", "_mixed": "LOCAL_WORLD_ALIGNED"}


def reached(model: Any, data: Any, state: tuple[np.ndarray, ...], joints: list[int]) -> list[Any]:
    """Wrenches, twists, accelerations and poses of the bodies, after Newton-Euler."""
    pin.rnea(model, data, *state)
    wrenches = np.array([data.f[i].vector for i in joints])
    pin.forwardKinematics(model, data, *state)
    moved = [np.array([x[i].vector for i in joints]) for x in (data.v, data.a)]
    poses = np.array([data.oMi[i].homogeneous for i in joints])
    return [*(swap_order(x) for x in (wrenches, *moved)), poses]


@pytest.mark.parametrize(("stem", "base"), ROBOTS)
def test_bodies_and_their_joints(stem: str, base: str) -> None:
    (path,) = [path for path in good_files() if path.stem == stem]
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(path), *root)
    data = theirs.createData()
    robot = Robot(quiet_read(path, base))
    maps = PinocchioMap(robot.model, theirs)
    rng = np.random.default_rng(robot.nv)
    q, v, a = (random_argument(name, robot, rng, (1,)) for name in "qva")
    state = (maps.q_to_pinocchio(q)[0], *(maps.v_to_pinocchio(x)[0] for x in (v, a)))

    def ours(name: str, *arguments: np.ndarray, frame: str | None = None) -> np.ndarray:
        owner = robot if frame is None else robot.frame(frame)
        return interpreted(kernel_of(robot, getattr(owner, name).definition, frame), *arguments)[0]

    wrenches, twists, accelerations, poses = reached(theirs, data, state, list(maps.joint_ids))
    assert_close(ours("joint_wrenches", q, v, a), wrenches, what="wrenches")
    assert_close(ours("body_twists", q, v), twists, what="twists")
    assert_close(ours("body_accelerations", q, v, a), accelerations, what="accelerations")
    assert_close(ours("body_poses", q), poses, what="poses")
    frame = robot.model.frame_names[-1]
    index = theirs.getFrameId(frame, pin.FrameType.BODY)
    for suffix, reference in REFERENCES.items():
        axes = getattr(pin.ReferenceFrame, reference)
        spatial = swap_order(pin.getFrameAcceleration(theirs, data, index, axes).vector)
        assert_close(ours(f"acceleration{suffix}", q, v, a, frame=frame), spatial, what=suffix)
        if suffix != "_world":
            point = swap_order(pin.getFrameClassicalAcceleration(theirs, data, index, axes).vector)
            found = ours(f"classical_acceleration{suffix}", q, v, a, frame=frame)
            assert_close(found, point, what=suffix)
