"""Derivatives in the state that Pinocchio has too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.export.pinocchio import PinocchioMap, swap_order
from support.case import Case
from support.helpers import assert_close, quiet_read
from support.robots import SINGLE
from support.urdf_files import good_files

#: Robot, base, whether machine code is compared.
PEERS = (
    ("ur5_robot", "fixed", True),
    ("panda", "fixed", True),
    ("ur5_robot", "floating", False),
    ("panda", "floating", False),
    ("g1_29dof_rev_1_0", "fixed", False),
    ("g1_29dof_rev_1_0", "floating", False),
    ("talos_full_v2", "fixed", False),
    ("talos_full_v2", "floating", False),
)


def pinocchio_forward(pin: Any, model: Any, data: Any, *x: np.ndarray) -> list[np.ndarray]:
    pin.computeABADerivatives(model, data, *x)
    inverse = np.triu(data.Minv)
    full = inverse + np.triu(inverse, 1).T
    return [np.copy(data.ddq), np.copy(data.ddq_dq), np.copy(data.ddq_dv), full]


def pinocchio_inverse(pin: Any, model: Any, data: Any, *x: np.ndarray) -> list[np.ndarray]:
    pin.computeRNEADerivatives(model, data, *x)
    M = np.triu(data.M)
    return [
        np.copy(data.tau),
        np.copy(data.dtau_dq),
        np.copy(data.dtau_dv),
        M + np.triu(M, 1).T,
    ]


@pytest.mark.parametrize(("stem", "base", "compiled"), PEERS)
def test_pinocchio(stem: str, base: str, compiled: bool) -> None:
    pin = pytest.importorskip("pinocchio")
    path = next(path for path in good_files() if path.stem == stem)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(path), *root)
    model = quiet_read(path, base)
    data, maps, state = theirs.createData(), PinocchioMap(model, theirs), Case(model, lumped=True)
    for b, joint in enumerate(model.joints):  # Pinocchio's reader does not know armature
        if joint.kind in SINGLE:
            theirs.armature[theirs.joints[maps.joint_ids[b]].idx_v] = joint.armature[0]
    q_pin = maps.q_to_pinocchio(state.at["q"])
    v_pin, a_pin = (maps.v_to_pinocchio(state.at[x]) for x in ("v", "a"))
    G = maps.G

    def ours(name: str, *arguments: str) -> Any:
        if compiled:
            return state.robot.quantity(name)(*(state.at[x] for x in arguments))
        quantity, _, suffix = name.partition(".")
        return state.evaluate(derivative(ROBOT[quantity], suffix), lump=True)

    found = ours("inverse_dynamics.derivatives", "q", "v", "a")
    tau, *matrices = pinocchio_inverse(pin, theirs, data, q_pin, v_pin, a_pin)
    assert_close(found[0], tau @ G, what="tau")
    for x, y, what in zip(found[1:], matrices, ("dq", "dv", "da"), strict=True):
        assert_close(x, G.T @ y @ G, what=f"inverse dynamics {what}")
    gravity = pin.computeGeneralizedGravityDerivatives(theirs, data, q_pin)
    assert_close(ours("gravity_forces.dq", "q"), G.T @ gravity @ G, what="gravity")
    C = G.T @ pin.computeCoriolisMatrix(theirs, data, q_pin, v_pin) @ G
    Gamma = state.robot.christoffel(state.at["q"]) if compiled else state.value("christoffel")
    assert_close(Gamma @ state.at["v"], C, what="Christoffel symbols", floor=np.abs(C).max())
    if not state.robot.tree.has_mimics:  # Pinocchio solves for followers as if they were free
        order = np.argmax(G, axis=0)  # our velocities are theirs in another order
        tau_pin = state.at["tau"] @ G.T
        a, *matrices = pinocchio_forward(pin, theirs, data, q_pin, v_pin, tau_pin)
        tolerance = max(1e-12, 1e-14 * np.linalg.cond(matrices[-1]))
        found = ours("forward_dynamics.derivatives", "q", "v", "tau")
        assert_close(found[0], a[order], tolerance, what="a")
        for x, y, what in zip(found[1:], matrices, ("dq", "dv", "dtau"), strict=True):
            expected = y[np.ix_(order, order)]
            assert_close(x, expected, tolerance, what=f"forward dynamics {what}")
    check_hessians(pin, state, theirs, data, q_pin, v_pin, G)


def check_hessians(
    pin: Any,
    state: Case,
    theirs: Any,
    data: Any,
    q_pin: np.ndarray,
    v_pin: np.ndarray,
    G: np.ndarray,
) -> None:
    """Kinematic Hessians and derivatives of twists, in the frame's own axes, the world's, mixed."""
    name = state.robot.model.frame_names[state.frame]
    index = theirs.getFrameId(name, pin.FrameType.BODY)
    pin.computeJointKinematicHessians(theirs, data, q_pin)
    pin.computeForwardKinematicsDerivatives(theirs, data, q_pin, v_pin, 0.0 * v_pin)
    pin.updateFramePlacements(theirs, data)
    # for the mixed twist, Pinocchio's derivative in q is not that of the twist's components
    references = {"_mixed": "LOCAL_WORLD_ALIGNED", "": "LOCAL", "_world": "WORLD"}
    for suffix, reference in references.items():
        frame = getattr(pin.ReferenceFrame, reference)
        H = np.asarray(pin.getFrameKinematicHessian(theirs, data, index, frame))
        H = H.ravel().reshape(H.shape, order="F")  # its columns come labelled as rows
        H = np.concatenate((H[3:], H[:3]))
        expected = np.einsum("xab,aj,bi->xji", H, G, G)
        found = state.value(f"jacobian{suffix}.dq")
        assert_close(found, expected, what=f"Hessian{suffix} of {name}")
        V_q, V_v = pin.getFrameVelocityDerivatives(theirs, data, index, frame)
        for wrt, V in (("dv", V_v),) if suffix == "_mixed" else (("dq", V_q), ("dv", V_v)):
            found = state.value(f"twist{suffix}.{wrt}")
            assert_close(found, swap_order(V.T).T @ G, what=f"twist{suffix}.{wrt} of {name}")
