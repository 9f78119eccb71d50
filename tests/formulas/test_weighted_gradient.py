"""The gradient of lam . tau in O(n), and all of it: armature and external wrenches too."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.formulas import wrt_state
from jounce.formulas.dynamics import subtree_wrenches
from jounce.formulas.kinematics import joint_poses
from jounce.math.scalar import is_zero
from support.case import Case
from support.helpers import assert_close, chain, objects
from support.robots import SINGLE, random_model

MODELS = {
    "branching": random_model(np.random.default_rng(3), 6, SINGLE),
    "mimic": random_model(np.random.default_rng(4), 5, SINGLE, mimic=True),
    "joints of several velocities": chain(("spherical", "planar", "free", "universal")),
}


@pytest.mark.parametrize("name", list(MODELS))
def test_gradient_is_the_jacobians_weighted(name: str) -> None:
    case = Case(MODELS[name])
    assert not all(is_zero(x) for node in case.tree.nodes for x in node.armature)
    for extra in ((), (case.wrenches,)):
        found = wrt_state.weighted_gradient(*case.state, case.lam, *extra)
        _, *jacobians = wrt_state.inverse_dynamics_derivatives(*case.state, *extra)
        for gradient, J, by in zip(found, jacobians, "qva", strict=True):
            assert_close(gradient, case.lam @ J, what=f"d/d{by}")


def test_backward_passes_leave_their_argument_alone() -> None:
    case = Case(MODELS["branching"])
    poses = joint_poses(case.tree, case.q)
    F = [objects(x) for x in np.random.default_rng(5).normal(size=(len(poses), 6))]
    given = list(F)
    found = subtree_wrenches(case.tree, poses, F)
    assert all(x is y for x, y in zip(F, given, strict=True))
    assert any(x is not y for x, y in zip(F, found, strict=True))
