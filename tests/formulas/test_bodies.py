"""All bodies at once, accelerations of frames, and the wrenches that joints transmit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import GEOMETRY, AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas import wrt_screws, wrt_state
from jounce.math.spatial import Pose, Rotation, adjoint_inverse
from jounce.papers import kwon, newton_euler
from jounce.robot import Robot
from support.case import Case
from support.helpers import assert_close, numbers, objects, small_model
from support.zoo import case_of

ROBOTS = ("every kind", "floating, mimic", "two roots, mimic", "iiwa14_mueller_kumar2021")
FEW = [pytest.param(x, marks=() if "two" in x else pytest.mark.slow) for x in ROBOTS]
BODIES = [ROBOT[x] for x in ("body_twists", "body_accelerations", "joint_wrenches")]
ACCELERATIONS = [row for name, row in FRAME.items() if "acceleration" in name]


def in_bodies(case: Case, F: list) -> np.ndarray:
    """Wrenches of the nodes, in the axes of their bodies."""
    out = []
    for i in case.tree.node_of_body:
        node = case.tree.nodes[i]
        out.append(Pose([Rotation(node.R_user)], node.p_user).force_to_child(F[i]))
    return numbers(np.stack(out))


@pytest.mark.parametrize("name", ROBOTS)
def test_bodies_are_frames(name: str) -> None:
    case = case_of(name)
    of_frames = {"body_poses": "pose", "body_twists": "twist", "body_accelerations": "acceleration"}
    for bodies, frame in of_frames.items():
        each = [case.value(frame, body.name) for body in case.model.bodies]
        assert_close(case.value(bodies), np.stack(each), what=bodies)
    jacobians = [case.value("jacobian", body.name) for body in case.model.bodies]
    assert_close(case.value("body_poses.dq"), np.stack(jacobians))


@pytest.mark.parametrize("name", ROBOTS)
def test_accelerations_are_rates_of_twists(name: str) -> None:
    case = case_of(name)
    assert_close(case.value("body_accelerations"), case.value("body_twists.dt"))
    for frame in case.frames:
        floor = np.abs(case.value("acceleration_world", frame)).max() + 1e-9
        for acceleration, twist in (
            ("acceleration", "twist"),
            ("acceleration_world", "twist_world"),
            ("classical_acceleration_mixed", "twist_mixed"),
        ):
            found, wanted = case.value(acceleration, frame), case.value(f"{twist}.dt", frame)
            assert_close(found, wanted, what=f"{frame} {acceleration}", floor=floor)
        R = case.value("pose", frame)[:3, :3]
        mixed = np.kron(np.eye(2), R)
        spatial = case.value("acceleration", frame)
        assert_close(case.value("acceleration_mixed", frame), mixed @ spatial, floor=floor)
        classical = case.value("classical_acceleration", frame)
        found = case.value("classical_acceleration_mixed", frame)
        assert_close(found, mixed @ classical, floor=floor)
        w, u = np.split(case.value("twist", frame), 2)
        assert_close(
            classical - spatial, np.concatenate((np.zeros(3), np.cross(w, u))), floor=floor
        )


@pytest.mark.parametrize("row", [*BODIES, *ACCELERATIONS], ids=lambda row: row.name)
@pytest.mark.parametrize("name", FEW)
def test_forms_of_derivatives_are_the_rule(name: str, row: AnyQuantity) -> None:
    case = case_of(name)
    frame = (case.frame,) if row.of_frame else ()
    extra = (case.wrenches,) if row.optional else ()
    given = case.given(row)
    for key, form in row.forms.items():
        if key == "dpi":
            continue  # see below
        found = numbers(derivative(row, key).formula(case.tree, *given, *extra, *frame))
        if key in GEOMETRY:
            inputs = (*given, *extra, *frame)
            wanted = wrt_screws.along_geometry(row.formula, case.tree, inputs, GEOMETRY[key])
        else:
            place = row.arguments.index(key[1:])
            wanted = wrt_state.directional(
                row.formula, case.tree, given, place, (*extra, *frame), configuration=key == "dq"
            )
        assert_close(found, numbers(wanted), what=f"{row.name}.{key}")
        assert form.formula is not None


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_of_bodies_move_by_their_derivatives(name: str) -> None:
    """T^-1 dT is the twist that the derivative gives, in each displacement."""
    case, row = case_of(name), ROBOT["body_poses"]
    T = case.value("body_poses")
    for key, screw in GEOMETRY.items():
        dT = numbers(wrt_screws.along_geometry(row.formula, case.tree, (case.q,), screw))
        found = case.value(f"body_poses.{key}")
        for b in range(case.model.nb):
            bent = np.tensordot(np.linalg.inv(T[b]), dT[b], axes=1)
            turn = np.stack((bent[2, 1], bent[0, 2], bent[1, 0]))
            assert_close(found[b], np.concatenate((turn, bent[:3, 3])), what=key, floor=1.0)


# ------------------------------------------------------------------ wrenches


@pytest.mark.parametrize("name", ROBOTS)
def test_wrenches_are_those_of_the_papers(name: str) -> None:
    case = case_of(name)
    V, Vd = newton_euler.forward_iterations(*case.state)
    wanted = in_bodies(case, newton_euler.backward_iterations(case.tree, case.q, V, Vd))
    assert_close(case.value("joint_wrenches"), wanted)
    V, Vd = kwon.dynamics.forward_iterations(*case.state)
    wanted = in_bodies(case, kwon.dynamics.backward_iterations(case.tree, case.q, V, Vd))
    assert_close(case.value("joint_wrenches"), wanted)


@pytest.mark.parametrize("name", ROBOTS)
def test_wrenches_do_the_work_of_the_joints(name: str) -> None:
    """Power of F in the joint's own motion is that of tau, armature apart."""
    case = case_of(name)
    F = numbers(ROBOT["joint_wrenches"].formula(*case.state, case.wrenches))
    tau = numbers(ROBOT["inverse_dynamics"].formula(*case.state, case.wrenches))
    power = 0.0
    V, T = case.value("body_twists"), case.value("body_poses")
    for b, joint in enumerate(case.model.joints):
        relative = V[b]
        if joint.parent >= 0:
            X = np.linalg.inv(T[joint.parent]) @ T[b]
            Ad = adjoint_inverse(objects(X[:3, :3]), objects(X[:3, 3]))
            relative = relative - numbers(Ad @ objects(V[joint.parent]))
        power += F[b] @ relative
    rotors = sum(
        node.gain**2 * (node.armature * case.a[node.vs]) @ case.v[node.vs]
        for node in case.tree.nodes
    )
    assert_close(power, tau @ case.at["v"] - rotors, floor=np.abs(F).max())


@pytest.mark.parametrize("name", ROBOTS)
def test_wrenches_of_the_roots_change_the_momentum(name: str) -> None:
    case = case_of(name)
    F, T = case.value("joint_wrenches"), case.value("body_poses")
    total = np.zeros(6)
    for b, joint in enumerate(case.model.joints):
        if joint.parent < 0:
            R, p = T[b, :3, :3], T[b, :3, 3]
            force = R @ F[b, 3:]
            total += np.concatenate((R @ F[b, :3] + np.cross(p, force), force))
    mass = case.robot.model.parameters[:, 0].sum()
    weight = mass * case.model.gravity
    pull = np.concatenate((np.cross(case.value("center_of_mass"), weight), weight))
    assert_close(total + pull, case.value("momentum.dt"), floor=np.abs(total).max())


@pytest.mark.parametrize("name", ROBOTS)
def test_wrenches_are_linear_in_the_parameters(name: str) -> None:
    case = case_of(name)
    Y = case.value("joint_wrenches.dpi")
    assert Y.shape == (case.model.nb, 6, 10 * case.model.nb)
    F = case.value("joint_wrenches")
    assert_close(Y @ case.robot.model.parameters.ravel(), F)
    rate = derivative(derivative(ROBOT["joint_wrenches"], "dpi"), "dt")
    assert_close(
        numbers(case.evaluate(rate)) @ case.robot.model.parameters.ravel(),
        case.value("joint_wrenches.dt"),
        floor=np.abs(F).max(),
    )


@pytest.mark.parametrize("name", ["floating, mimic", "iiwa14_mueller_kumar2021"])
def test_time_derivatives_with_wrenches_and_their_rates(name: str) -> None:
    """Less the sum of the wrenches beyond, whose rates are those that are given."""
    case, row = case_of(name), derivative(ROBOT["joint_wrenches"], "dt")
    pushed = [case.at[x] for x in ("wrenches", "dwrenches")]
    found = numbers(row.formula(case.tree, *case.given(row), *map(objects, pushed)))
    leaf = case.model.nb - 1  # nothing hangs on the last body
    assert_close((case.value("joint_wrenches.dt") - found)[leaf], pushed[1][leaf], floor=1e2)
    assert not np.allclose(found, case.value("joint_wrenches.dt"))


def test_through_the_robot() -> None:
    robot = Robot(small_model())
    rng = np.random.default_rng(3)
    q = robot.random(rng, 5)
    v, a = rng.standard_normal((2, 5, robot.nv))
    assert robot.body_poses(q).shape == (5, robot.nb, 4, 4)
    F = robot.joint_wrenches(q, v, a)
    assert F.shape == (5, robot.nb, 6)
    assert robot.joint_wrenches.dq(q, v, a).shape == (5, robot.nb, 6, robot.nv)
    w = rng.standard_normal((robot.nb, 6))
    assert_close((F - robot.joint_wrenches(q, v, a, wrenches=w))[:, -1], np.tile(w[-1], (5, 1)))
    heavier = robot.edit.with_parameters(2.0 * robot.model.parameters)
    assert_close(heavier.joint_wrenches(q, v, a), 2.0 * F)
    assert_close(robot.parametric.joint_wrenches(q, v, a, 2.0 * robot.model.parameters), 2.0 * F)
    half = robot.joint_wrenches(*(x.astype(np.float32) for x in (q, v, a)))
    assert half.dtype == np.float32
    model = replace(small_model(), gravity=np.zeros(3))
    assert_close(Robot(model).body_accelerations(q, v, a), robot.body_accelerations(q, v, a), 0.0)
