"""What must hold between the quantities of any robot, whatever it is made of.

The formulas run on floats here, one sample at a time: no tape and no compiler. Tolerance: 1e-12 of
the largest entry. Where a system with M is solved, both sides lose digits in proportion to the
condition number of M, so the tolerance is 1e-15 cond(M) there, if that is more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas.motions import configuration_jets
from jounce.math.spatial import adjoint, skew
from jounce.model.model import Joint
from jounce.robot import Robot
from support.case import Case
from support.helpers import (
    OF_FREE_FRAMES,
    assert_close,
    formula_result,
    kernels,
    objects,
    random_arguments,
    with_frames,
    with_friction,
    with_two_roots,
)
from support.robots import ALL_KINDS, random_model
from support.zoo import MODELS, case_of

# ------------------------------------------------------------------ dynamics


def force_is_mass_coriolis_gravity(case: Case) -> None:
    M, C, g = (case.value(n) for n in ("mass_matrix", "coriolis_matrix", "gravity_forces"))
    assert_close(case.value("inverse_dynamics"), M @ case.a + C @ case.v + g)
    scale = np.abs(M).max()
    assert_close(case.value("bias_forces"), C @ case.v + g, floor=scale)


def mass_matrix_rate_is_coriolis_and_transpose(case: Case) -> None:
    C = case.value("coriolis_matrix")
    Mdot = case.rate(ROBOT["mass_matrix"].formula, case.v)
    # planar mechanisms have C = 0 up to rounding of terms of the size of M
    assert_close(C + C.T, Mdot, floor=np.abs(case.value("mass_matrix")).max())


def coriolis_matrix_is_christoffel_times_v(case: Case) -> None:
    M = np.abs(case.value("mass_matrix")).max()
    assert_close(case.value("christoffel") @ case.v, case.value("coriolis_matrix"), floor=M)


def mass_matrix_is_symmetric_and_positive(case: Case) -> None:
    M = case.value("mass_matrix")
    assert_close(M, M.T, 1e-15)
    assert np.linalg.eigvalsh(M).min() > 0.0


def inverse_of_mass_matrix(case: Case) -> None:
    M, inverse = case.value("mass_matrix"), case.value("mass_matrix_inverse")
    np.testing.assert_array_equal(inverse, inverse.T)
    assert_close(M @ inverse, np.eye(case.robot.nv), case.solving)
    assert_close(inverse @ M, np.eye(case.robot.nv), case.solving)


def forward_dynamics_inverts(case: Case) -> None:
    inverse, forward = ROBOT["inverse_dynamics"], ROBOT["forward_dynamics"]
    tau = case.value("inverse_dynamics")
    assert_close(case.row(forward, case.q, case.v, tau), case.a, case.solving)
    a = case.value("forward_dynamics")
    assert_close(case.row(inverse, case.q, case.v, a), case.tau, case.solving)
    pushed = case.row(inverse, case.q, case.v, case.a, case.wrenches)
    a = case.row(forward, case.q, case.v, pushed, case.wrenches)
    assert_close(a, case.a, case.solving)


def kinetic_energy_is_half_v_M_v(case: Case) -> None:
    M, v = case.value("mass_matrix"), case.v
    assert_close(case.value("kinetic_energy"), 0.5 * v @ M @ v)


def power_is_force_times_velocity(case: Case) -> None:
    kinetic = case.rate(ROBOT["kinetic_energy"].formula, case.v, case.a)
    potential = case.rate(ROBOT["potential_energy"].formula, case.v)
    tau = case.value("inverse_dynamics")
    terms = np.abs(tau * case.v).max()  # they may cancel
    assert_close(kinetic + potential, tau @ case.v, floor=terms)


def gravity_is_gradient_of_potential(case: Case) -> None:
    formula = ROBOT["potential_energy"].formula
    gradient = [case.rate(formula, e) for e in np.eye(case.robot.nv)]
    assert_close(case.value("gravity_forces"), gradient)


def external_forces_are_jacobians_transposed(case: Case) -> None:
    tau = np.zeros(case.robot.nv)
    for name, w in zip(case.robot.model.body_names, case.at["w"], strict=True):
        tau += case.value("jacobian", name).T @ w
    assert_close(case.value("external_forces"), tau)


def wrenches_act_as_external_forces(case: Case) -> None:
    push = case.row(ROBOT["external_forces"], case.q, case.wrenches)
    tau = case.row(ROBOT["inverse_dynamics"], case.q, case.v, case.a, case.wrenches)
    free = case.value("inverse_dynamics")
    assert_close(tau, free - push, floor=np.abs(free).max())
    forward = ROBOT["forward_dynamics"]
    a = case.row(forward, case.q, case.v, case.tau, case.wrenches)
    assert_close(a, case.row(forward, case.q, case.v, case.tau + push), case.solving)


def friction_is_damping_and_coulomb(case: Case) -> None:
    tau = np.zeros(case.robot.nv)
    for view in case.robot.joints.values():
        gain, joint = 1.0, view.joint
        while joint.mimic is not None:
            gain, joint = gain * joint.mimic.multiplier, case.robot.joints[joint.mimic.leader].joint
        v = gain * case.at["v"][view.v]
        tau[view.v] += gain * (view.joint.damping * v + view.joint.friction * np.sign(v))
    assert_close(case.value("joint_friction"), tau)
    still = case.row(ROBOT["joint_friction"], np.zeros(case.robot.nv))
    np.testing.assert_array_equal(still, np.zeros(case.robot.nv))


def lumped_tree_has_the_same_dynamics(case: Case) -> None:
    for kernel in kernels(case.robot):
        if not kernel.quantity.joint_space:
            continue
        drawn = random_arguments(kernel, case.robot, np.random.default_rng(case.seed))
        given = [
            objects(case.at.get(name, x)) for name, x in zip(kernel.arguments, drawn, strict=True)
        ]
        plain = formula_result(kernel, case.tree, *given).astype(float)
        lumped = formula_result(kernel, case.tree, *given, lump=True).astype(float)
        inverts = kernel.quantity.solves
        scale = np.abs(case.value("mass_matrix")).max()
        tolerance = case.solving if inverts else 1e-12
        if kernel.quantity.name in OF_FREE_FRAMES:  # solve with J M^-1 J^T too
            flexible = case.value("task_inertia_inverse")
            tolerance *= max(1.0, 1e-2 * float(np.linalg.cond(flexible)))
        floor = 1e-9 if inverts else scale
        if kernel.quantity.name == "null_space_projector":
            floor = 1.0  # 1 - Jbar J, nothing but rounding where J is square
        assert_close(lumped, plain, tolerance, kernel.quantity.name, floor=floor)


# ------------------------------------------------------------------ momenta


def com_jacobian_gives_its_velocity(case: Case) -> None:
    velocity = case.rate(ROBOT["center_of_mass"].formula, case.v)
    assert_close(case.value("com_jacobian") @ case.v, velocity)


def momenta_are_their_matrices_times_v(case: Case) -> None:
    for name in ("momentum", "centroidal_momentum"):
        assert_close(case.value(f"{name}_matrix") @ case.v, case.value(name), what=name)


def centroidal_momentum_is_shifted(case: Case) -> None:
    com = case.value("center_of_mass")
    mass = case.robot.model.parameters[:, 0].sum()
    shift = np.eye(6)
    shift[:3, 3:] = -skew(objects(com)).astype(float)
    A, A_com = case.value("momentum_matrix"), case.value("centroidal_momentum_matrix")
    scale = np.abs(A).max()
    assert_close(A_com, shift @ A, floor=scale)
    assert_close(A_com[3:], mass * case.value("com_jacobian"), floor=scale)
    h, h_com = case.value("momentum"), case.value("centroidal_momentum")
    assert_close(h_com, shift @ h, floor=np.abs(h).max())


def momentum_changes_by_what_acts_on_the_robot(case: Case) -> None:
    """Newton and Euler for the whole robot: gravity, and a free base's generalised forces."""
    first, *others = case.robot.model.joints
    if first.kind != "free" or any(joint.parent < 0 for joint in others):
        return
    if first.name in {joint.mimic.leader for joint in others if joint.mimic}:
        return
    mass, com = case.robot.model.parameters[:, 0].sum(), case.value("center_of_mass")
    T = case.value("pose", case.robot.model.body_names[0])
    R, p = objects(T[:3, :3]), objects(T[:3, 3])
    onto_base = np.linalg.inv(adjoint(R, p).astype(float)).T @ case.value("inverse_dynamics")[:6]
    weight = mass * case.robot.model.gravity
    total = onto_base + np.concatenate((np.cross(com, weight), weight))
    rate = case.rate(ROBOT["momentum"].formula, case.v, case.a)
    assert_close(rate, total, floor=np.abs(onto_base).max())


# ------------------------------------------------------------------ frames


def hat(V: np.ndarray) -> np.ndarray:
    out = np.zeros((4, 4))
    out[:3, :3], out[:3, 3] = skew(objects(V[:3])).astype(float), V[3:]
    return out


def twists_are_jacobians_times_v(case: Case) -> None:
    for frame in case.frames:
        for suffix in ("", "_world", "_mixed"):
            J, V = (case.value(name + suffix, frame) for name in ("jacobian", "twist"))
            assert_close(J @ case.v, V, what=f"{frame}{suffix}")


def pose_of(index: int) -> Callable[[Any, Any], Any]:
    return lambda tree, q: FRAME["pose"].formula(tree, q, index)


def pose_moves_with_the_twist(case: Case) -> None:
    for frame in case.frames:
        index = case.robot.model.frame_index(frame)

        T = case.value("pose", frame)
        Tdot = case.rate(pose_of(index), case.v)
        assert_close(T @ hat(case.value("twist", frame)), Tdot, what=frame)
        assert_close(hat(case.value("twist_world", frame)) @ T, Tdot, what=frame)
        mixed = case.value("twist_mixed", frame)
        assert_close(mixed[3:], Tdot[:3, 3], what=frame)
        turn = skew(objects(mixed[:3])).astype(float) @ T[:3, :3]
        assert_close(turn, Tdot[:3, :3], what=frame)


def jacobians_differ_by_adjoints(case: Case) -> None:
    for frame in case.frames:
        T = case.value("pose", frame)
        R, p = objects(T[:3, :3]), objects(T[:3, 3])
        assert_close(T[:3, :3] @ T[:3, :3].T, np.eye(3))
        turn, whole = adjoint(R, objects(np.zeros(3))).astype(float), adjoint(R, p).astype(float)
        for name in ("jacobian", "twist"):
            body = case.value(name, frame)
            assert_close(case.value(f"{name}_mixed", frame), turn @ body, what=frame)
            assert_close(case.value(f"{name}_world", frame), whole @ body, what=frame)


IDENTITIES: tuple[Callable[[Case], None], ...] = (
    force_is_mass_coriolis_gravity,
    mass_matrix_rate_is_coriolis_and_transpose,
    coriolis_matrix_is_christoffel_times_v,
    mass_matrix_is_symmetric_and_positive,
    inverse_of_mass_matrix,
    forward_dynamics_inverts,
    kinetic_energy_is_half_v_M_v,
    power_is_force_times_velocity,
    gravity_is_gradient_of_potential,
    external_forces_are_jacobians_transposed,
    wrenches_act_as_external_forces,
    friction_is_damping_and_coulomb,
    lumped_tree_has_the_same_dynamics,
    com_jacobian_gives_its_velocity,
    momenta_are_their_matrices_times_v,
    centroidal_momentum_is_shifted,
    momentum_changes_by_what_acts_on_the_robot,
    twists_are_jacobians_times_v,
    pose_moves_with_the_twist,
    jacobians_differ_by_adjoints,
)


@pytest.mark.parametrize("identity", IDENTITIES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", list(MODELS))
def test_identity(name: str, identity: Callable[[Case], None]) -> None:
    identity(case_of(name))


few = settings(derandomize=True, max_examples=15, deadline=None, database=None)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_joints=st.integers(1, 8),
    kinds=st.sets(st.sampled_from(ALL_KINDS), min_size=1).map(sorted),
    branching=st.booleans(),
    armature=st.booleans(),
    mimic=st.booleans(),
    floating=st.booleans(),
    two_roots=st.booleans(),
)
@few
def test_identities_on_random_trees(
    seed: int, n_joints: int, kinds: list[str], two_roots: bool, **options: bool
) -> None:
    rng = np.random.default_rng(seed)
    model = random_model(rng, n_joints, kinds, **options)
    model = with_friction(with_frames(with_two_roots(model) if two_roots else model, rng), rng)
    case = Case(model, seed)
    for identity in IDENTITIES:
        identity(case)


# ------------------------------------------------------------------ configurations


CONFIGURATIONS = ("every kind", "floating", "mimic", "two roots", "planar only", "spherical only")


def same_configuration(robot: Robot, actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal, quaternions up to their sign."""
    actual = actual.copy()
    for view in robot.joints.values():
        if view.kind in ("spherical", "free"):
            turn = slice(view.q.start, view.q.start + 4)
            same = np.sum(actual[..., turn] * expected[..., turn], axis=-1, keepdims=True)
            actual[..., turn] *= np.sign(same)
    assert_close(actual, expected)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-6, 1e-3, 0.1, 1.5])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_integrate_and_difference_are_inverse(name: str, size: float) -> None:
    robot = case_of(name).robot
    rng = np.random.default_rng(1)
    q, other = robot.random(rng, 20), robot.random(rng, 20)
    v = size * rng.uniform(-1.0, 1.0, (20, robot.nv))  # rotations by less than pi
    moved = robot.integrate(q, v)
    assert_close(robot.difference(q, moved), v, floor=1.0)
    same_configuration(robot, robot.integrate(q, robot.difference(q, other)), other)
    same_configuration(robot, robot.integrate(q, np.zeros(robot.nv)), q)
    np.testing.assert_allclose(robot.difference(q, q), 0.0, atol=1e-15)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_integrate_follows_the_rate_of_q(name: str) -> None:
    """The series of dq/dt = f(q, v) with a constant v, summed up, is where integrate leads."""
    robot = case_of(name).robot
    rng = np.random.default_rng(2)
    q, v, t, order = robot.random(rng), rng.normal(size=robot.nv), 0.125, 12
    rates = [objects(v), *(objects(np.zeros(robot.nv)) for _ in range(order - 1))]
    series = [x.c for x in configuration_jets(robot.tree, objects(q), rates)]
    expected = [sum(c * t**k for k, c in enumerate(x)) for x in series]
    assert_close(robot.integrate(q, t * v), expected)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_integrate_and_difference_broadcast(name: str) -> None:
    robot = case_of(name).robot
    rng = np.random.default_rng(3)
    q, v = robot.random(rng, 6).reshape(3, 2, robot.nq), rng.normal(size=(2, robot.nv))
    moved = robot.integrate(q, v)
    assert moved.shape == q.shape
    back = robot.difference(q[0], moved)
    assert back.shape == (3, 2, robot.nv)
    for i, k in np.ndindex(3, 2):
        assert_close(moved[i, k], robot.integrate(q[i, k], v[k]), 1e-15)
        assert_close(back[i, k], robot.difference(q[0, k], moved[i, k]), 1e-15)


def test_difference_takes_the_short_way_round() -> None:
    robot = case_of("spherical only").robot
    rng = np.random.default_rng(4)
    v = rng.normal(size=(50, 3, 3))
    v *= rng.uniform(np.pi + 0.01, 2 * np.pi, (50, 3, 1)) / np.linalg.norm(v, axis=-1)[..., None]
    q = robot.random(rng, 50)
    found = robot.difference(q, robot.integrate(q, v.reshape(50, 9))).reshape(50, 3, 3)
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    assert_close(found, v * (1.0 - 2 * np.pi / length))
    # a quaternion and its negative are the same orientation
    np.testing.assert_allclose(robot.difference(q, -q), 0.0, atol=1e-15)


@pytest.mark.parametrize("name", [n for n in MODELS if "mimic" not in n and n != "small"])
def test_bodies_sit_on_their_placements_when_neutral(name: str) -> None:
    case = case_of(name)
    q = case.robot.neutral()
    assert q.shape == (case.robot.nq,)
    poses: list[np.ndarray] = []
    for joint, body in zip(case.robot.model.joints, case.robot.model.body_names, strict=True):
        parent = np.eye(4) if joint.parent < 0 else poses[joint.parent]
        poses.append(parent @ joint.placement)
        assert_close(case.row(FRAME["pose"], q, frame=body), poses[-1])


def test_random_configurations_respect_limits() -> None:
    limits = {
        "both": (-0.2, 0.1),
        "beyond": (2.0 * np.pi, 3.0 * np.pi),
        "lower": (5.0, np.inf),
        "upper": (-np.inf, -5.0),
        "none": (-np.inf, np.inf),
        "point": (0.3, 0.3),
    }
    rng = np.random.default_rng(5)
    model = random_model(rng, 2 * len(limits) + 4, ("revolute", "prismatic"), branching=False)
    joints: list[Joint] = []
    for joint, (name, (lower, upper)) in zip(model.joints, 2 * list(limits.items()), strict=False):
        named = f"{name}{len(joints)}"
        joints.append(replace(joint, name=named, lower=lower, upper=upper))
    for kind in ("cylindrical", "planar", "universal", "free"):
        place = len(joints)
        joints.append(
            Joint(kind, kind, place - 1, lower=-0.5, upper=[0.25, *[0.75] * 5][: nv(kind)])
        )
    robot = Robot(replace(model, joints=tuple(joints)))
    q = robot.random(6, 500)
    for view in robot.joints.values():
        if view.kind == "free":
            np.testing.assert_allclose(np.linalg.norm(q[:, view.q][:, :4], axis=-1), 1.0)
            continue
        assert (q[:, view.q] >= view.joint.lower).all(), view.name
        assert (q[:, view.q] <= view.joint.upper).all(), view.name
        span = np.pi if view.kind == "revolute" else 1.0
        if view.name.startswith("none"):
            assert 0.9 * span < np.abs(q[:, view.q]).max() <= span
    np.testing.assert_array_equal(q, robot.random(6, 500))
    np.testing.assert_array_equal(q, robot.random(np.random.default_rng(6), 500))
    assert robot.random(6).shape == (robot.nq,)
    assert not np.array_equal(robot.random(), robot.random())


def nv(kind: str) -> int:
    return {"cylindrical": 2, "universal": 2, "planar": 3, "free": 6}[kind]
