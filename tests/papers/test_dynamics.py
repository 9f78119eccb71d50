"""The papers' formulas against identities, against each other, Pinocchio, SymPy and mpmath."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from jounce.math import lie
from jounce.math.scalar import zeros
from jounce.math.spatial import adjoint, spatial_inertia
from jounce.model.model import Body, Joint, Model
from jounce.model.tree import lower
from jounce.papers import common, garofalo2013, lagrange, newton_euler, rigid_body
from support.case import Case
from support.helpers import close, objects
from support.robots import ALL_KINDS, random_model, random_pose, random_state


def _models() -> dict[str, Model]:
    def rng() -> np.random.Generator:
        return np.random.default_rng(len(out) + 7)

    out: dict[str, Model] = {}
    out["every kind, branching"] = random_model(rng(), len(ALL_KINDS))
    out["every kind, serial"] = random_model(rng(), len(ALL_KINDS), branching=False)
    out["floating"] = random_model(rng(), 5, ("revolute", "prismatic"), floating=True)
    out["mimic"] = random_model(rng(), 7, ("revolute", "helical", "prismatic"), mimic=True)
    out["floating, mimic"] = random_model(
        rng(), 6, ("revolute", "spherical", "universal"), mimic=True, floating=True
    )
    for kind in ALL_KINDS:
        out[f"{kind} only"] = random_model(rng(), 2, (kind,))
    wide = random_model(rng(), 5, ("revolute", "universal", "planar"))
    parents = (-1, 0, 0, 1, 1)  # parents before children, but not depth first
    joints = (replace(j, parent=p) for j, p in zip(wide.joints, parents, strict=True))
    out["not depth first"] = replace(wide, joints=tuple(joints))
    two_roots = (replace(j, parent=-1 if i in (0, 3) else i - 1) for i, j in enumerate(wide.joints))
    out["two roots"] = replace(wide, joints=tuple(two_roots))
    return out


MODELS = _models()


@pytest.fixture(params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(MODELS[request.param], 3)


# ------------------------------------------------------------------ identities on every tree


def test_torque_is_mass_coriolis_gravity(case: Case) -> None:
    tree, q, v, a = case.state
    tau = newton_euler.inverse_dynamics(tree, q, v, a)
    close(garofalo2013.projected_equations(tree, q, v, a), tau)
    for kernel in garofalo2013.KERNELS:
        close(garofalo2013.inverse_dynamics(tree, q, v, a, kernel), tau)
    close(newton_euler.equation_of_motion(tree, q, v, a), tau)


def test_recursive_is_closed_form(case: Case) -> None:
    tree, q, v, a = case.state
    rng = np.random.default_rng(5)
    V_0, Vd_0 = (objects(rng.normal(size=6)) for _ in range(2))
    tips = [objects(rng.normal(size=6)) for _ in tree.nodes]
    for moving in ({}, {"V_0": V_0, "Vd_0": Vd_0}):
        V, Vd = newton_euler.forward_iterations(tree, q, v, a, **moving)
        F = newton_euler.backward_iterations(tree, q, V, Vd, tips)
        stacked = newton_euler.closed_form(tree, q, v, a, tips, **moving)
        close(np.concatenate(V), stacked.V)
        close(np.concatenate(Vd), stacked.Vd)
        close(np.concatenate(F), stacked.F)
        close(newton_euler.inverse_dynamics(tree, q, v, a, tips, **moving), stacked.tau)


def test_both_papers_agree(case: Case) -> None:
    tree, q, v, a = case.state
    close(newton_euler.mass_matrix(tree, q), garofalo2013.mass_matrix(tree, q))
    close(newton_euler.gravity_forces(tree, q), garofalo2013.gravity_forces(tree, q))
    C0 = garofalo2013.coriolis_matrix(tree, q, v, "newton_euler")
    close(newton_euler.coriolis_matrix(tree, q, v), C0)
    close(newton_euler.coriolis_forces(tree, q, v), C0 @ v)
    J, twists = garofalo2013.body_jacobians(tree, q), garofalo2013.body_twists(tree, q, v)
    V, Vd = newton_euler.forward_iterations(tree, q, v, a, Vd_0=zeros(6))
    Jdot = garofalo2013.jacobian_rates(tree, q, v)
    for k in range(len(tree.nodes)):
        close(J[k] @ v, V[k])
        close(twists[k], V[k])
        close(J[k] @ a + Jdot[k] @ v, Vd[k])
        # (1), (2), (3) of one body
        G = spatial_inertia(tree.nodes[k].inertia)
        f = rigid_body.wrench(G, V[k], Vd[k])
        close(garofalo2013.body_wrench(G, V[k], Vd[k]), f)
        close(garofalo2013.body_wrench_skew(G, V[k], Vd[k]), f)


def test_mass_matrix_rate_is_coriolis_plus_transpose(case: Case) -> None:
    tree, q, v, _ = case.state
    Mdot = case.along(lambda x: garofalo2013.mass_matrix(tree, x), v)
    for kernel in ("garofalo", "christoffel"):
        C = garofalo2013.coriolis_matrix(tree, q, v, kernel)
        close(C + C.T, Mdot)
    C = garofalo2013.coriolis_matrix(tree, q, v, "newton_euler")
    size = max(1.0, np.abs(v) @ np.abs(Mdot) @ np.abs(v))  # of what cancels
    close(v @ (Mdot - 2 * C) @ v / size, 0.0)
    close(Mdot, Mdot.T)


def test_jacobian_rates(case: Case) -> None:
    tree, q, v, _ = case.state
    Jdot = case.along(lambda x: np.stack(garofalo2013.body_jacobians(tree, x)), v)
    close(np.stack(garofalo2013.jacobian_rates(tree, q, v)), Jdot)


def test_energy(case: Case) -> None:
    """K = v^T M v / 2, the power of gravity, and d/dt (K + P) = tau^T v."""
    tree, q, v, a = case.state
    M = garofalo2013.mass_matrix(tree, q)
    close(lagrange.kinetic_energy(tree, q, v), 0.5 * v @ M @ v)
    Pdot = case.along(lambda x: lagrange.potential_energy(tree, x), v)
    close(Pdot, garofalo2013.gravity_forces(tree, q) @ v)

    def energy(x: np.ndarray) -> Any:
        K = lagrange.kinetic_energy(tree, x, case.moved("v", a))
        return K + lagrange.potential_energy(tree, x)

    power = newton_euler.inverse_dynamics(tree, q, v, a) @ v
    close(case.along(energy, v), power)


def test_com_jacobian(case: Case) -> None:
    tree, q, v, _ = case.state
    mass = sum(body.inertia[0] for body in case.model.bodies)

    def com(x: np.ndarray) -> np.ndarray:
        total = zeros(3)
        for node, (R, p) in zip(tree.nodes, common.poses(tree, x), strict=True):
            total = total + R @ node.inertia[1:4] + node.inertia[0] * p
        return total / mass

    close(garofalo2013.com_jacobian(tree, q) @ v, case.along(com, v))
    weight = -mass * tree.gravity @ garofalo2013.com_jacobian(tree, q)
    close(garofalo2013.gravity_forces(tree, q), weight)


def test_forward_dynamics_inverts(case: Case) -> None:
    tree, q, v, a = case.state
    tau = newton_euler.inverse_dynamics(tree, q, v, a)
    close(newton_euler.forward_dynamics(tree, q, v, tau), a, tolerance=1e-10)


def test_operator_is_nilpotent_and_inverse(case: Case) -> None:
    tree, q = case.tree, case.q
    W = newton_euler.neighbor_operator(tree, q).astype(float)
    L = newton_euler.tree_operator(tree, q).astype(float)
    depth = 1 + max(len(above) for above in tree.ancestors)
    assert not np.linalg.matrix_power(W, depth).any()
    close(L, np.linalg.inv(np.eye(len(W)) - W))


def test_tip_forces(case: Case) -> None:
    tree, q, v, a = case.state
    rng = np.random.default_rng(11)
    T, F = objects(random_pose(rng)), objects(rng.normal(size=6))
    tips = [zeros(6) for _ in tree.nodes]
    tips[-1] = newton_euler.tip_wrench(T[:3, :3], T[:3, 3], F)
    tau = newton_euler.tip_forces(tree, q, tips)
    J = np.linalg.inv(adjoint(T[:3, :3], T[:3, 3]).astype(float)) @ garofalo2013.body_jacobians(
        tree, q
    )[-1].astype(float)
    close(tau, J.T @ F)
    more = newton_euler.inverse_dynamics(tree, q, v, a, tips)
    close(more, newton_euler.inverse_dynamics(tree, q, v, a) + tau)


def test_screw_axes_and_exponentials(case: Case) -> None:
    """A_i = Ad_{M_0i}^-1 S_i, and the product of exponentials gives the poses."""
    tree, q = case.tree, case.q
    home, space = newton_euler.home_poses(tree), newton_euler.space_screws(tree)
    for node, pose, S in zip(tree.nodes, home, space, strict=True):
        close(newton_euler.body_screw(S, *pose), node.S)
        if node.motion.flat:
            angle = common.joint_coordinates(node, q)[0]
            R, p = lie.exp_se3(node.S[:, 0], angle)
            R_pk, p_pk = common.relative_pose(node, q)
            close(R_pk, node.R0 @ R)
            close(p_pk, node.R0 @ p + node.p0)


def test_poses_follow_the_model(case: Case) -> None:
    """The lowered tree puts the bodies where the model's own placements, axes and points do."""
    model, tree, q = case.model, case.tree, case.q
    where = common.poses(tree, q)
    world: list[np.ndarray] = []
    start = {}
    i = 0
    for joint in model.joints:
        if joint.mimic is None:
            start[joint.name], i = i, i + joint.nq
    for b, joint in enumerate(model.joints):
        gain, offset, leader = 1.0, 0.0, joint
        if joint.mimic is not None:
            gain, offset = joint.mimic.multiplier, joint.mimic.offset
            leader = next(x for x in model.joints if x.name == joint.mimic.leader)
        first = start[leader.name]
        own = gain * q[first : first + joint.nq] + offset
        T = joint.placement @ _motion(joint, own.astype(float))
        world.append(T if joint.parent < 0 else world[joint.parent] @ T)
        node = tree.nodes[tree.node_of_body[b]]
        R, p = where[tree.node_of_body[b]]
        close(R @ node.R_user, world[b][:3, :3])
        close(R @ node.p_user + p, world[b][:3, 3])


def _motion(joint: Joint, q: np.ndarray) -> np.ndarray:
    """Pose of the body frame in the joint frame, from the model alone."""

    def turn(axis: np.ndarray, angle: float, slide: float = 0.0) -> np.ndarray:
        T = np.eye(4)
        T[:3, :3] = lie.exp_so3(objects(axis), float(angle)).astype(float)
        T[:3, 3] = (np.eye(3) - T[:3, :3]) @ joint.point + slide * axis
        return T

    if joint.kind == "revolute":
        return turn(joint.axis, q[0])
    if joint.kind == "prismatic":
        return turn(joint.axis, 0.0, q[0])
    if joint.kind == "helical":
        return turn(joint.axis, q[0], joint.pitch * q[0])
    if joint.kind == "cylindrical":
        return turn(joint.axis, q[0], q[1])
    if joint.kind == "universal":
        return turn(joint.axis, q[0]) @ turn(joint.axis2, q[1])
    if joint.kind == "planar":
        alone = Model("", (Body("", np.zeros(10)),), (replace(joint, parent=-1),))
        # which directions of the plane are x and y is the tree's choice
        K = joint.placement[:3, :3].T @ lower(alone).nodes[0].R0.astype(float)
        close(K[:, 2], joint.axis)
        T = turn(joint.axis, q[0])
        T[:3, 3] += K[:, :2] @ q[1:]
        return T
    T = np.eye(4)
    w, x, y, z = q[:4]
    u = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    T[:3, :3] += 2 * (w * u + u @ u)
    if joint.kind == "free":
        T[:3, 3] = q[4:]
    return T


@pytest.mark.parametrize("name", ["mimic", "floating, mimic"])
def test_mimics_are_projections(name: str) -> None:
    """With q_full = E q + o, M = E^T M_full E and tau = E^T tau_full, armature included."""
    model = MODELS[name]
    free = replace(model, joints=tuple(replace(j, mimic=None) for j in model.joints))
    coupled, full = lower(model), lower(free)
    q, v, a = (objects(x) for x in random_state(model, np.random.default_rng(6)))
    E, q_full = np.zeros((free.nv, model.nv)), zeros(free.nq)
    for node, alone in zip(coupled.nodes, full.nodes, strict=True):
        q_full[alone.qs] = common.joint_coordinates(node, q)
        E[alone.vs, node.vs] = node.gain * np.eye(len(node.armature))
    v_full, a_full = objects(E @ v), objects(E @ a)
    for paper in (newton_euler, garofalo2013):
        M = paper.mass_matrix(full, q_full)
        close(paper.mass_matrix(coupled, q), E.T @ M @ E)
        tau = paper.inverse_dynamics(full, q_full, v_full, a_full)
        close(paper.inverse_dynamics(coupled, q, v, a), E.T @ tau)


# ------------------------------------------------------------------ one body


def test_spatial_momentum_balance() -> None:
    """Garofalo (1): the derivative of the spatial momentum is the spatial wrench."""
    case = Case(random_model(np.random.default_rng(4), 1, ("free",)))
    tree, q, v, a = case.state
    G = spatial_inertia(tree.nodes[0].inertia)

    def momentum(x: np.ndarray) -> np.ndarray:
        R, p = common.poses(tree, x)[0]
        return garofalo2013.spatial_momentum(R, p, G, case.moved("v", a))

    R, p = common.poses(tree, q)[0]
    f = garofalo2013.body_wrench(G, v, a)
    close(case.along(momentum, v), garofalo2013.spatial_wrench(R, p, f))


# ------------------------------------------------------------------ other scalars


@pytest.mark.parametrize("paper", [newton_euler, garofalo2013])
def test_mpmath(paper: ModuleType) -> None:
    """With state and constants at 40 digits the identities hold to 1e-30, and floats agree."""
    mpmath = pytest.importorskip("mpmath")
    rng = np.random.default_rng(9)
    model = random_model(rng, 4, ("revolute", "helical", "planar", "spherical"))
    tree, state = lower(model), random_state(model, rng)
    precise = np.vectorize(mpmath.mpf, otypes=[object])
    with mpmath.workdps(40):
        nodes = tuple(
            replace(
                node,
                pitch=mpmath.mpf(node.pitch),
                **{name: precise(getattr(node, name)) for name in ("R0", "p0", "S", "inertia")},
            )
            for node in tree.nodes
        )
        fine = replace(tree, nodes=nodes, gravity=precise(tree.gravity))
        q, v, a = (precise(x) for x in state)
        tau = paper.inverse_dynamics(fine, q, v, a)
        assert all(isinstance(x, mpmath.mpf) for x in tau)
        close(tau, paper.inverse_dynamics(tree, *(objects(x) for x in state)))
        M, C = paper.mass_matrix(fine, q), paper.coriolis_matrix(fine, q, v)
        residual = M @ a + C @ v + paper.gravity_forces(fine, q) - tau
        assert max(abs(x) for x in residual) < mpmath.mpf(10) ** -30
        back = newton_euler.forward_dynamics(fine, q, v, tau)
        assert max(abs(x) for x in back - a) < mpmath.mpf(10) ** -30


# ------------------------------------------------------------------ Pinocchio


def _pinocchio(pin: Any, model: Model) -> Any:
    """The same robot in Pinocchio; its joint frames have their origin on the joint's axis."""
    theirs = pin.Model()
    theirs.gravity.linear = model.gravity
    ids, offsets = [], []
    for joint, body in zip(model.joints, model.bodies, strict=True):
        parent = 0 if joint.parent < 0 else ids[joint.parent]
        placement = pin.SE3(np.array(joint.placement))
        if joint.parent >= 0:
            placement = pin.SE3(np.eye(3), -offsets[joint.parent]) * placement
        if joint.kind == "free":
            motion = pin.JointModelFreeFlyer()
        elif joint.kind == "revolute":
            motion = pin.JointModelRevoluteUnaligned(np.array(joint.axis))
        else:
            motion = pin.JointModelPrismaticUnaligned(np.array(joint.axis))
        at_point = pin.SE3(np.eye(3), np.array(joint.point))
        ids.append(theirs.addJoint(parent, motion, placement * at_point, joint.name))
        offsets.append(np.array(joint.point))
        m, *h, xx, yy, zz, xy, xz, yz = body.inertia
        inertia = pin.Inertia.FromDynamicParameters(np.array((m, *h, xx, xy, yy, xz, yz, zz)))
        theirs.appendBodyToJoint(ids[-1], inertia, at_point.inverse())
    theirs.armature = np.concatenate([joint.armature for joint in model.joints])
    return theirs


@pytest.mark.parametrize("floating", [False, True])
def test_pinocchio(floating: bool) -> None:
    pin = pytest.importorskip("pinocchio")
    rng = np.random.default_rng(12)
    model = random_model(rng, 7, ("revolute", "prismatic"), floating=floating)
    q, v, a = random_state(model, rng)
    theirs = _pinocchio(pin, model)
    data = theirs.createData()
    order = np.arange(model.nv)
    q_pin = q.copy()
    if floating:  # theirs: linear before angular, the quaternion's w last
        order[:6] = 3, 4, 5, 0, 1, 2
        q_pin[:7] = q[[4, 5, 6, 1, 2, 3, 0]]
    v_pin, a_pin = v[order], a[order]
    tree = lower(model)
    q, v, a = objects(q), objects(v), objects(a)
    for paper in (newton_euler, garofalo2013):
        close(
            paper.inverse_dynamics(tree, q, v, a)[order],
            pin.rnea(theirs, data, q_pin, v_pin, a_pin),
        )
        M = paper.mass_matrix(tree, q)[np.ix_(order, order)]
        upper = np.triu(pin.crba(theirs, data, q_pin))
        close(M, upper + np.triu(upper, 1).T)
        gravity = pin.computeGeneralizedGravity(theirs, data, q_pin)
        close(paper.gravity_forces(tree, q)[order], gravity)
    C = garofalo2013.coriolis_matrix(tree, q, v, "christoffel")[np.ix_(order, order)]
    close(C, pin.computeCoriolisMatrix(theirs, data, q_pin, v_pin))
    J_com = garofalo2013.com_jacobian(tree, q)[:, order]
    close(J_com, pin.jacobianCenterOfMass(theirs, data, q_pin))
    tau = newton_euler.inverse_dynamics(tree, q, v, a)
    theirs_a = pin.aba(theirs, data, q_pin, v_pin, tau[order].astype(float))
    close(newton_euler.forward_dynamics(tree, q, v, tau)[order], theirs_a, tolerance=1e-10)


# ------------------------------------------------------------------ the random robots


def test_random_models_are_consistent_and_repeatable() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = (random_model(np.random.default_rng(1), 9, mimic=True) for _ in range(2))
    assert one.digest() == two.digest()
    assert {joint.kind for joint in one.joints} == set(ALL_KINDS)
    assert any(joint.mimic for joint in one.joints)
    q, v, a = random_state(one, np.random.default_rng(1))
    assert (len(q), len(v), len(a)) == (one.nq, one.nv, one.nv)
