"""Models of Pinocchio become models of ours, and ours survive the way there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce import ModelError, Robot
from jounce.export.pinocchio import PinocchioMap, from_pinocchio, to_pinocchio
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
    assert robot.model.joint_names == list(theirs.names)[1:]
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


def pair(seed: int, **options: Any) -> tuple[Robot, Any, PinocchioMap]:
    """A random robot, the same in Pinocchio, and the map between them."""
    kinds = [kind for kind in ALL_KINDS if kind not in ("universal", "cylindrical", "planar")]
    model = random_model(np.random.default_rng(seed), 8, kinds, **options)
    theirs = to_pinocchio(model)
    return Robot(model), theirs, PinocchioMap(model, theirs)


def whole(upper: np.ndarray) -> np.ndarray:
    """A symmetric matrix from its upper triangle, all that Pinocchio fills."""
    return np.triu(upper) + np.triu(upper, 1).T


@pytest.mark.parametrize("floating", [False, True])
def test_forces_and_matrices_become_pinocchios(floating: bool) -> None:
    robot, theirs, maps = pair(5, floating=floating, armature=False)
    data, rng = theirs.createData(), np.random.default_rng(1)
    q = robot.random(rng)
    v, a = rng.normal(size=(2, robot.nv))
    state = maps.q_to_pinocchio(q), maps.v_to_pinocchio(v)
    motion = *state, maps.v_to_pinocchio(a)
    for ours, expected in (
        (robot.inverse_dynamics(q, v, a), pin.rnea(theirs, data, *motion)),
        (robot.gravity_forces(q), pin.computeGeneralizedGravity(theirs, data, state[0])),
        (robot.bias_forces(q, v), pin.nonLinearEffects(theirs, data, *state)),
    ):
        assert_close(maps.tau_to_pinocchio(ours), expected, 1e-11)
    _, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    pin.computeRNEADerivatives(theirs, data, *motion)
    for ours, expected in (
        (robot.mass_matrix(q), whole(pin.crba(theirs, data, state[0]))),
        (robot.coriolis_matrix(q, v), pin.computeCoriolisMatrix(theirs, data, *state)),
        (tau_q, data.dtau_dq),
        (tau_v, data.dtau_dv),
        (M, whole(data.M)),
    ):
        assert_close(maps.matrix_to_pinocchio(ours), expected, 1e-11)
        assert_close(maps.matrix_from_pinocchio(expected), ours, 1e-11)


def test_forces_and_matrices_come_back_in_batches() -> None:
    robot, theirs, maps = pair(6, floating=True, mimic=True)
    assert theirs.nv > robot.nv  # followers are independent there
    rng = np.random.default_rng(2)
    tau, v = rng.normal(size=(2, 2, 3, robot.nv))
    M = rng.normal(size=(2, 3, robot.nv, robot.nv))
    tau_pin, M_pin = maps.tau_to_pinocchio(tau), maps.matrix_to_pinocchio(M)
    assert tau_pin.shape == (2, 3, theirs.nv)
    assert M_pin.shape == (2, 3, theirs.nv, theirs.nv)
    assert_close(maps.tau_from_pinocchio(tau_pin), tau)
    assert_close(maps.matrix_from_pinocchio(M_pin), M)
    assert_close(np.sum(tau_pin * maps.v_to_pinocchio(v), -1), np.sum(tau * v, -1))
    assert_close(maps.matrix_to_pinocchio(M[1, 2]), M_pin[1, 2])


def test_the_map_says_what_it_expects() -> None:
    robot, theirs, maps = pair(7)
    with pytest.raises(TypeError, match=r"expected a jounce\.Model, found Robot; give its \.model"):
        PinocchioMap(robot, theirs)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=r"expected a jounce\.Model, found Robot; give its \.model"):
        to_pinocchio(robot)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=r"expected a pinocchio\.Model, found None"):
        PinocchioMap(robot.model, None)
    for size, call in (
        (robot.nv, maps.matrix_to_pinocchio),
        (theirs.nv, maps.matrix_from_pinocchio),
    ):
        with pytest.raises(ValueError, match=rf"expected shape \(\.\.\., {size}, {size}\), found"):
            call(np.zeros((2, size)))
    with pytest.raises(ValueError, match=rf"tau: expected shape \(\.\.\., {robot.nv}\)"):
        maps.tau_to_pinocchio(np.zeros(2))
    with pytest.raises(TypeError, match=r"tau .* has 1 of its \d+ numbers masked"):
        maps.tau_to_pinocchio(np.ma.array(np.zeros(robot.nv), mask=np.arange(robot.nv) == 0))
