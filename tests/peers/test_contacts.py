"""Dynamics in contact beside Pinocchio: a humanoid, another one, and a quadruped."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import AnyQuantity
from jounce.export.pinocchio import PinocchioMap
from jounce.robot import Robot
from jounce.solve.contacts.robot import Contacts
from support.helpers import assert_close, numbers, objects, quiet_read
from support.urdf_files import good_files

pin = pytest.importorskip("pinocchio")

#: Contacts of each robot: frames and their kind.
ROBOTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "talos_reduced": ("surface", ("left_sole_link", "right_sole_link")),
    "g1_29dof_rev_1_0": ("surface", ("left_ankle_roll_link", "right_ankle_roll_link")),
    "solo12": ("point", ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")),
    "anymal": ("point", ("LF_FOOT", "RH_FOOT")),
}

#: Solving with M and with J M^-1 J^T, both sides; seen: 4e-14.
TOLERANCE = 1e-11

KP, KD, DAMPING, RESTITUTION = 50.0, 7.0, 1e-3, 0.3


class Peer:
    """A robot in contact on both sides, at one state."""

    def __init__(self, stem: str) -> None:
        kind, frames = ROBOTS[stem]
        path = next(path for path in good_files() if path.stem == stem)
        robot = Robot(quiet_read(path, "floating"))
        for frame in frames:
            robot = robot.edit.with_contact(frame, kind)
        self.contacts: Contacts = robot.contacts()
        self.theirs = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        maps = PinocchioMap(robot.model, self.theirs)
        for b, joint in enumerate(robot.model.joints):  # Pinocchio's reader knows no armature
            if joint.nv == 1:
                at = self.theirs.joints[maps.joint_ids[b]].idx_v
                self.theirs.armature[at] = joint.armature[0]
        rng = np.random.default_rng(0)
        self.q = robot.random(rng)
        self.v, self.tau = rng.normal(size=(2, robot.nv))
        near = self.q + 0.1 * rng.normal(size=robot.nq)  # quaternions need no unit length
        row = CONTACTED.quantities["contact_poses"]
        self.anchors = numbers(row.formula(self.contacts.tree, objects(near)))
        self.order = np.argmax(maps.G, axis=0)  # our velocities in theirs
        self.q_pin, self.v_pin = maps.q_to_pinocchio(self.q), maps.v_to_pinocchio(self.v)
        self.tau_pin = self.tau @ np.linalg.pinv(maps.G)
        six = kind == "surface"
        self.rows = np.concatenate(
            [6 * k + np.array((3, 4, 5, 0, 1, 2)) for k in range(len(frames))]
            if six
            else [np.arange(3 * len(frames))]
        )
        self.kind = pin.ContactType.CONTACT_6D if six else pin.ContactType.CONTACT_3D

    def constraints(self, held: bool) -> tuple[Any, Any, Any]:
        """Models, data of the robot and of the contacts; held: with gains, at the anchors."""
        models = pin.StdVec_RigidConstraintModel()
        for name, anchor in zip(self.contacts.contact_names, self.anchors, strict=True):
            frame = self.theirs.frames[self.theirs.getFrameId(name, pin.FrameType.BODY)]
            seats = (frame.parentJoint, frame.placement)
            ground = (0, pin.SE3(anchor)) if held else ()
            model = pin.RigidConstraintModel(
                self.kind, self.theirs, *seats, *ground, pin.ReferenceFrame.LOCAL
            )
            if held:
                model.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(KP, KD))
            models.append(model)
        data, datas = self.theirs.createData(), pin.StdVec_RigidConstraintData()
        datas.extend([model.createData() for model in models])
        pin.initConstraintDynamics(self.theirs, data, models, datas)
        return models, data, datas

    def ours(self, row: AnyQuantity, *given: Any) -> list[np.ndarray]:
        """A formula of the catalog at the state, on the tree that its kernel is made of."""
        tree = self.contacts.tree.lumped if row.joint_space else self.contacts.tree
        state = [objects(getattr(self, name)) for name in row.arguments]
        return [numbers(x) for x in row.formula(tree, *state, *map(objects, given))]


@cache
def peer(stem: str) -> Peer:
    return Peer(stem)


@pytest.mark.parametrize("held", [False, True], ids=("bare", "held"))
@pytest.mark.parametrize("stem", ROBOTS)
def test_dynamics_and_derivatives(stem: str, held: bool) -> None:
    at = peer(stem)
    models, data, datas = at.constraints(held)
    settings = pin.ProximalSettings(1e-14, DAMPING if held else 0.0, 1)
    state = (at.q_pin, at.v_pin, at.tau_pin)
    a = pin.constraintDynamics(at.theirs, data, *state, models, datas, settings)
    forces = [np.copy(x.contact_force.vector) for x in datas]
    f = np.concatenate([x if at.kind == pin.ContactType.CONTACT_6D else x[:3] for x in forces])
    found = pin.computeConstraintDynamicsDerivatives(at.theirs, data, models, datas, settings)
    wrenches = np.zeros((at.contacts.robot.nb, 6))
    given = (wrenches, at.anchors, KP, KD, DAMPING) if held else ()
    row = derivative(CONTACTED.quantities["contact_dynamics"], "derivatives")
    ours = at.ours(row, *given)
    assert_close(ours[0], a[at.order], TOLERANCE, "a")
    assert_close(ours[1], f[at.rows], TOLERANCE, "f")
    for k, name in enumerate(("q", "v", "tau")):
        assert_close(ours[2 + 2 * k], found[k][at.order][:, at.order], TOLERANCE, f"a in {name}")
        assert_close(ours[3 + 2 * k], found[3 + k][at.rows][:, at.order], TOLERANCE, f"f in {name}")


@pytest.mark.parametrize("stem", ROBOTS)
def test_impulses(stem: str) -> None:
    """Derivatives in q; those in v are constant matrices, which we hold to complex steps."""
    at = peer(stem)
    models, data, datas = at.constraints(False)
    settings = pin.ProximalSettings(1e-14, 0.0, 1)
    given = (models, datas, RESTITUTION, settings)
    after = pin.impulseDynamics(at.theirs, data, at.q_pin, at.v_pin, *given)
    pin.computeImpulseDynamicsDerivatives(at.theirs, data, *given)
    row = derivative(CONTACTED.quantities["impulse"], "derivatives")
    ours = at.ours(row, RESTITUTION, 0.0)
    assert_close(ours[0], after[at.order], TOLERANCE, "v after")
    assert_close(ours[2], data.ddq_dq[at.order][:, at.order], TOLERANCE, "v after in q")
