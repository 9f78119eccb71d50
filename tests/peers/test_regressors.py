"""Regressors that Pinocchio has too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.export.pinocchio import PinocchioMap, parameters_from_pinocchio, to_pinocchio
from support.case import Case
from support.helpers import assert_close
from support.robots import random_model
from support.urdf_files import example_model, good_files

ROBOTS = ["ur5_robot", "panda", "solo12", "tiago_no_hand", "g1_29dof_rev_1_0"]


class Peer:
    """A robot in both libraries at the same states; their regressors have no armature."""

    def __init__(self, case: Case, pin: Any, theirs: Any) -> None:
        self.pin, self.model, self.data = pin, theirs, theirs.createData()
        self.maps = PinocchioMap(case.model, theirs)
        at = case.at
        self.q = self.maps.q_to_pinocchio(at["q"])
        self.v, self.a = (self.maps.v_to_pinocchio(at[x]) for x in "va")

    def regressor(self, name: str, *given: np.ndarray) -> np.ndarray:
        """Pinocchio's columns by our bodies, in our order of parameters."""
        columns = np.array(getattr(self.pin, name)(self.model, self.data, *given))
        columns = columns.reshape(-1, self.model.njoints - 1, 10)
        own = parameters_from_pinocchio(columns)[:, np.array(self.maps.joint_ids) - 1]
        return own.reshape(len(own), -1)


def check_regressors(case: Case, theirs: Any) -> None:
    pin = pytest.importorskip("pinocchio")
    peer = Peer(case, pin, theirs)
    Y = peer.maps.G.T @ peer.regressor("computeJointTorqueRegressor", peer.q, peer.v, peer.a)
    assert_close(case.value("inverse_dynamics.dpi"), Y, what="torque")
    static = peer.maps.G.T @ peer.regressor(
        "computeJointTorqueRegressor", peer.q, 0.0 * peer.v, 0.0 * peer.a
    )
    assert_close(case.value("gravity_forces.dpi"), static, what="gravity")
    kinetic = peer.regressor("computeKineticEnergyRegressor", peer.q, peer.v)[0]
    assert_close(case.value("kinetic_energy.dpi"), kinetic, what="kinetic energy")
    potential = peer.regressor("computePotentialEnergyRegressor", peer.q)[0]
    assert_close(case.value("potential_energy.dpi"), potential, what="potential energy")
    # Pinocchio's forces have the armature that its regressor leaves out, and so have ours
    theirs.armature[:] = 0.5
    tau = peer.maps.tau_from_pinocchio(pin.rnea(peer.model, peer.data, peer.q, peer.v, peer.a))
    armature = peer.maps.G.T @ (0.5 * peer.a)
    assert_close(case.value("inverse_dynamics.dpi") @ case.model.parameters.ravel() + armature, tau)
    again = peer.regressor("computeJointTorqueRegressor", peer.q, peer.v, peer.a)
    assert_close(peer.maps.G.T @ again, Y, what="armature enters")


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("stem", ROBOTS)
def test_pinocchio(stem: str, base: str) -> None:
    pin = pytest.importorskip("pinocchio")
    case = Case(example_model(stem, base))
    path = next(path for path in good_files() if path.stem == stem)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    check_regressors(case, pin.buildModelFromUrdf(str(path), *root))


def test_pinocchio_on_a_random_robot() -> None:
    pytest.importorskip("pinocchio")
    kinds = ("revolute", "prismatic", "helical", "spherical")
    rng = np.random.default_rng(21)
    model = random_model(rng, 8, kinds, floating=True, armature=False)
    # bodies with their origin on the joint's axis: only there the parameters are the same
    joints = tuple(replace(joint, point=np.zeros(3)) for joint in model.joints)
    model = replace(model, joints=joints)
    check_regressors(Case(model), to_pinocchio(model))
