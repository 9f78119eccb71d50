"""The papers' formulas against identities, against each other, Pinocchio, SymPy and mpmath."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from jounce import papers
from jounce.math import lie
from jounce.math.scalar import array, zeros
from jounce.math.spatial import adjoint, spatial_inertia
from jounce.model.model import Body, Joint, Model
from jounce.model.tree import lower
from jounce.papers import common, garofalo2013, lagrange, newton_euler
from support.robots import ALL_KINDS, random_inertia, random_model, random_pose, random_state, rate

STEP = 1e-30


def objects(x: Any) -> np.ndarray:
    out = zeros(*np.shape(x))
    out[...] = np.asarray(x).tolist()
    return out


def close(actual: Any, expected: Any, tolerance: float = 1e-12) -> None:
    actual, expected = np.asarray(actual).astype(complex), np.asarray(expected).astype(complex)
    assert actual.shape == expected.shape
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    assert np.abs(actual - expected).max(initial=0.0) <= tolerance * scale


def complex_step(f: Any, model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """d/dt f(q) along v."""
    moved = objects(q) + STEP * 1j * rate(model, q, v)
    return np.asarray(f(moved)).astype(complex).imag / STEP


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
def case(request: pytest.FixtureRequest) -> tuple[Model, Any, Any, Any, Any]:
    model = MODELS[request.param]
    q, v, a = random_state(model, np.random.default_rng(3))
    return model, lower(model), objects(q), objects(v), objects(a)


# ------------------------------------------------------------------ identities on every tree


def test_torque_is_mass_coriolis_gravity(case: Any) -> None:
    _, tree, q, v, a = case
    tau = newton_euler.inverse_dynamics(tree, q, v, a)
    close(garofalo2013.projected_equations(tree, q, v, a), tau)
    for kernel in garofalo2013.KERNELS:
        close(garofalo2013.inverse_dynamics(tree, q, v, a, kernel), tau)
    close(newton_euler.equation_of_motion(tree, q, v, a), tau)


def test_recursive_is_closed_form(case: Any) -> None:
    _, tree, q, v, a = case
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


def test_both_papers_agree(case: Any) -> None:
    _, tree, q, v, a = case
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
        f = newton_euler.wrench(G, V[k], Vd[k])
        close(garofalo2013.body_wrench(G, V[k], Vd[k]), f)
        close(garofalo2013.body_wrench_skew(G, V[k], Vd[k]), f)


def test_mass_matrix_rate_is_coriolis_plus_transpose(case: Any) -> None:
    model, tree, q, v, _ = case
    Mdot = complex_step(lambda x: garofalo2013.mass_matrix(tree, x), model, q, v)
    for kernel in ("garofalo", "christoffel"):
        C = garofalo2013.coriolis_matrix(tree, q, v, kernel)
        close(C + C.T, Mdot)
    C = garofalo2013.coriolis_matrix(tree, q, v, "newton_euler")
    size = max(1.0, np.abs(v) @ np.abs(Mdot) @ np.abs(v))  # of what cancels
    close(v @ (Mdot - 2 * C) @ v / size, 0.0)
    close(Mdot, Mdot.T)


def test_jacobian_rates(case: Any) -> None:
    model, tree, q, v, _ = case
    Jdot = complex_step(lambda x: np.stack(garofalo2013.body_jacobians(tree, x)), model, q, v)
    close(np.stack(garofalo2013.jacobian_rates(tree, q, v)), Jdot)


def test_energy(case: Any) -> None:
    """K = v^T M v / 2, the power of gravity, and d/dt (K + P) = tau^T v."""
    model, tree, q, v, a = case
    M = garofalo2013.mass_matrix(tree, q)
    close(lagrange.kinetic_energy(tree, q, v), 0.5 * v @ M @ v)
    Pdot = complex_step(lambda x: lagrange.potential_energy(tree, x), model, q, v)
    close(Pdot, garofalo2013.gravity_forces(tree, q) @ v)

    def energy(x: np.ndarray) -> Any:
        moved = v + STEP * 1j * a
        K = lagrange.kinetic_energy(tree, x, moved)
        return K + lagrange.potential_energy(tree, x)

    power = newton_euler.inverse_dynamics(tree, q, v, a) @ v
    close(complex_step(energy, model, q, v), power)


def test_com_jacobian(case: Any) -> None:
    model, tree, q, v, _ = case
    mass = sum(body.inertia[0] for body in model.bodies)

    def com(x: np.ndarray) -> np.ndarray:
        total = zeros(3)
        for node, (R, p) in zip(tree.nodes, common.poses(tree, x), strict=True):
            total = total + R @ node.inertia[1:4] + node.inertia[0] * p
        return total / mass

    close(garofalo2013.com_jacobian(tree, q) @ v, complex_step(com, model, q, v))
    weight = -mass * tree.gravity @ garofalo2013.com_jacobian(tree, q)
    close(garofalo2013.gravity_forces(tree, q), weight)


def test_forward_dynamics_inverts(case: Any) -> None:
    _, tree, q, v, a = case
    tau = newton_euler.inverse_dynamics(tree, q, v, a)
    close(newton_euler.forward_dynamics(tree, q, v, tau), a, 1e-10)


def test_operator_is_nilpotent_and_inverse(case: Any) -> None:
    _, tree, q, _, _ = case
    W = newton_euler.neighbour_operator(tree, q).astype(float)
    L = newton_euler.tree_operator(tree, q).astype(float)
    depth = 1 + max(len(above) for above in tree.ancestors)
    assert not np.linalg.matrix_power(W, depth).any()
    close(L, np.linalg.inv(np.eye(len(W)) - W))


def test_tip_forces(case: Any) -> None:
    _, tree, q, v, a = case
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


def test_screw_axes_and_exponentials(case: Any) -> None:
    """A_i = Ad_{M_0i}^-1 S_i, and the product of exponentials gives the poses."""
    _, tree, q, _, _ = case
    home, space = newton_euler.home_poses(tree), newton_euler.space_screws(tree)
    for node, pose, S in zip(tree.nodes, home, space, strict=True):
        close(newton_euler.body_screw(S, *pose), node.S)
        if node.motion.flat:
            angle = common.joint_coordinates(node, q)[0]
            R, p = lie.exp_se3(node.S[:, 0], angle)
            R_pk, p_pk = common.relative_pose(node, q)
            close(R_pk, node.R0 @ R)
            close(p_pk, node.R0 @ p + node.p0)


def test_poses_follow_the_model(case: Any) -> None:
    """The lowered tree puts the bodies where the model's own placements, axes and points do."""
    model, tree, q, _, _ = case
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


def _body() -> tuple[np.ndarray, float, np.ndarray, list[np.ndarray]]:
    rng = np.random.default_rng(2)
    inertia = random_inertia(rng)
    G = spatial_inertia(objects(inertia))
    central = G[:3, :3] - inertia[0] * _square(inertia[1:4] / inertia[0])
    pose = random_pose(rng)
    return central, inertia[0], pose, [objects(rng.normal(size=3)) for _ in range(4)]


def _square(c: np.ndarray) -> np.ndarray:
    return c @ c * np.eye(3) - np.outer(c, c)


def test_single_body_in_all_frames() -> None:
    I_b, m, T, (w, v, wd, vd) = _body()
    V, Vd = np.concatenate((w, v)), np.concatenate((wd, vd))
    G = newton_euler.central_inertia(I_b, m)
    F = newton_euler.wrench(G, V, Vd)
    close(np.concatenate(newton_euler.body_moment_and_force(I_b, m, w, v, wd, vd)), F)
    close(newton_euler.acceleration(G, V, F), Vd)
    close(newton_euler.body_kinetic_energy(G, V), 0.5 * (w @ I_b @ w + m * v @ v))
    R = objects(T[:3, :3])
    pdd = R @ (vd + np.cross(w, v))  # d/dt (R v)
    moment, force = newton_euler.world_moment_and_force(I_b, m, R, R @ w, R @ wd, pdd)
    close(moment, R @ F[:3])
    close(force, R @ F[3:])
    moments, axes = np.linalg.eigh(I_b.astype(float))
    axes *= np.linalg.det(axes)  # right-handed
    principal = newton_euler.principal_axes_moment(moments, axes.T @ w, axes.T @ wd)
    close(axes @ principal, F[:3])
    R_ba, p_ba = objects(T[:3, :3]), objects(T[:3, 3])
    G_a = newton_euler.inertia_in_frame(G, R_ba, p_ba)
    back = np.linalg.inv(adjoint(R_ba, p_ba).astype(float))
    F_a = newton_euler.wrench(G_a, objects(back @ V), objects(back @ Vd))
    close(F_a, newton_euler.wrench_in_frame(F, R_ba, p_ba))
    turned = newton_euler.rotated_inertia(I_b, R_ba)
    close(G_a[:3, :3], newton_euler.steiner(turned, m, R_ba.T @ p_ba))


def test_spatial_momentum_balance() -> None:
    """Garofalo (1): the derivative of the spatial momentum is the spatial wrench."""
    rng = np.random.default_rng(4)
    model = random_model(rng, 1, ("free",))
    tree = lower(model)
    q, v, a = (objects(x) for x in random_state(model, rng))
    G = spatial_inertia(tree.nodes[0].inertia)

    def momentum(x: np.ndarray) -> np.ndarray:
        R, p = common.poses(tree, x)[0]
        return garofalo2013.spatial_momentum(R, p, G, v + STEP * 1j * a)

    R, p = common.poses(tree, q)[0]
    f = garofalo2013.body_wrench(G, v, a)
    close(complex_step(momentum, model, q, v), garofalo2013.spatial_wrench(R, p, f))


def test_solids_by_quadrature() -> None:
    nodes, weights = np.polynomial.legendre.leggauss(12)
    x, y, z = (g.ravel() for g in np.meshgrid(nodes, nodes, nodes))
    wx, wy, wz = (g.ravel() for g in np.meshgrid(weights, weights, weights))
    weight = wx * wy * wz

    def inertia(points: np.ndarray, density: np.ndarray, m: float) -> np.ndarray:
        mass = m * density / density.sum()
        second = (points.T * mass) @ points
        return np.trace(second) * np.eye(3) - second

    m, (a, b, c) = 2.5, (0.4, 0.3, 0.7)
    box = np.stack((a * x, b * y, c * z), axis=1)
    close(newton_euler.box_inertia(m, 2 * a, 2 * b, 2 * c), inertia(box, weight, m))
    r, angle = (x + 1) / 2, np.pi * (y + 1)
    disc = np.stack((a * r * np.cos(angle), a * r * np.sin(angle), c * z), axis=1)
    close(newton_euler.cylinder_inertia(m, a, 2 * c), inertia(disc, weight * r, m), 1e-6)
    s = np.sqrt(1 - z * z)
    ball = np.stack((a * r * s * np.cos(angle), b * r * s * np.sin(angle), c * r * z), axis=1)
    close(newton_euler.ellipsoid_inertia(m, a, b, c), inertia(ball, weight * r * r, m), 1e-6)


def test_compound_body() -> None:
    """Two half boxes are a box, also when one of them is described along other axes."""
    half = newton_euler.box_inertia(1.0, 0.5, 0.3, 0.2)
    turn = objects(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    turned = newton_euler.rotated_inertia(half, turn)
    parts = (
        newton_euler.Solid(1.0, array((1.25, 0.0, 0.0)), half),
        newton_euler.Solid(1.0, array((0.75, 0.0, 0.0)), turned, turn),
    )
    whole = newton_euler.compound(parts)
    close(whole.m, 2.0)
    close(whole.center, (1.0, 0.0, 0.0))
    close(whole.inertia, newton_euler.box_inertia(2.0, 1.0, 0.3, 0.2))


# ------------------------------------------------------------------ the lecture's examples


def _at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def _link(name: str, *parts: tuple[float, tuple[float, float, float]], zz: float = 0.0) -> Body:
    """Point masses, and a moment of inertia about z."""
    total = np.zeros(10)
    for m, c in parts:
        x, y, z = c
        squares = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        total += m * np.array((1.0, *c, *squares))
    total[4:7] += zz / 2, zz / 2, zz
    return Body(name, total)


def planar_2r(masses: tuple[float, float], lengths: tuple[float, float]) -> Model:
    bodies = [_link(f"l{i}", (masses[i], (lengths[i], 0.0, 0.0))) for i in range(2)]
    joints = (Joint("a", "revolute"), Joint("b", "revolute", 0, _at(lengths[0])))
    return Model("2R", tuple(bodies), joints, gravity=np.array((0.0, -9.81, 0.0)))


def _check_example(model: Model, example: Any) -> None:
    q, v, _ = (objects(x) for x in random_state(model, np.random.default_rng(1)))
    tree = lower(model)
    M, c, g = example(q, v)
    close(newton_euler.mass_matrix(tree, q), M)
    close(newton_euler.coriolis_forces(tree, q, v), c)
    close(newton_euler.gravity_forces(tree, q), g)


def test_lecture_examples() -> None:
    e1 = _link(
        "bent", (1.2, (0.5, 0.0, 0.0)), (0.7, (0.5 + 0.3 * np.cos(0.4), 0, 0.3 * np.sin(0.4)))
    )
    _check_example(
        Model("example 1", (e1,), (Joint("turn", "revolute"),)),
        lambda q, v: lagrange.bent_link((1.2, 0.7), (0.5, 0.3), 0.4),
    )
    _check_example(
        planar_2r((1.2, 0.7), (0.5, 0.3)),
        lambda q, v: lagrange.planar_2r(q, v, (1.2, 0.7), (0.5, 0.3), 9.81),
    )
    bodies = (_link("one", (1.2, (0.4, 0.0, 0.0)), zz=0.1), _link("two", (0.7, (0, 0, 0)), zz=0.2))
    joints = (Joint("a", "revolute"), Joint("b", "prismatic", 0, axis=np.array((1.0, 0.0, 0.0))))
    _check_example(
        Model("example 3", bodies, joints, gravity=np.array((0.0, -9.81, 0.0))),
        lambda q, v: lagrange.planar_rp(q, v, (1.2, 0.7), (0.1, 0.2), 0.4, 9.81),
    )
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    joints = tuple(Joint(f"p{i}", "prismatic", i - 1, axis=np.array(axes[i])) for i in range(3))
    masses = (3.0, 2.0, 1.0)
    bodies = tuple(Body(f"b{i}", np.array((m, *np.zeros(9)))) for i, m in enumerate(masses))
    _check_example(
        Model("example 4", bodies, joints),
        lambda q, v: lagrange.cartesian_ppp(masses, 9.81),
    )


# ------------------------------------------------------------------ other scalars


def test_sympy() -> None:
    """The symbolic robot gives the printed matrices, and Lagrange's way gives the same torques."""
    sympy = pytest.importorskip("sympy")
    q, v, a = (array(sympy.symbols(f"{x}1 {x}2")) for x in "qva")
    masses, lengths = (1.5, 0.5), (0.5, 0.25)
    tree = lower(planar_2r(masses, lengths))
    M, c, g = lagrange.planar_2r(q, v, masses, lengths, 9.81)
    numbers = dict(zip((*q, *v, *a), (0.3, -1.1, 0.7, 0.4, -0.2, 0.9), strict=True))

    def value(x: np.ndarray) -> np.ndarray:
        return np.vectorize(lambda e: float(sympy.sympify(e).subs(numbers)), otypes=[float])(x)

    for paper in (newton_euler, garofalo2013):
        close(value(paper.mass_matrix(tree, q)), value(M))
        close(value(paper.gravity_forces(tree, q)), value(g))
        close(value(paper.coriolis_matrix(tree, q, v) @ v), value(c))
        close(value(paper.inverse_dynamics(tree, q, v, a)), value(M @ a + c + g))
    close(value(lagrange.lagrange_equations(tree, q, v, a)), value(M @ a + c + g))
    exact = sympy.nsimplify(newton_euler.mass_matrix(tree, q)[0, 0] - M[0, 0], rational=True)
    assert sympy.simplify(exact) == 0
    with pytest.raises(ValueError, match="spherical"):
        lagrange.lagrange_equations(
            lower(random_model(np.random.default_rng(0), 1, ("spherical",))), q, v, a
        )


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
    close(newton_euler.forward_dynamics(tree, q, v, tau)[order], theirs_a, 1e-10)


# ------------------------------------------------------------------ the registry


def test_claimed_equations_are_covered() -> None:
    covered = papers.coverage()
    assert list(covered) == list(papers.PAPERS)
    assert covered["newton_euler"].missing == []
    claimed = {*"123457", "6a", "6b", "6c", "26", "27", "28"}
    assert claimed <= set(covered["garofalo2013"].done)
    for key, paper in papers.PAPERS.items():
        done, missing = covered[key]
        assert sorted(done + missing) == sorted(paper.equations)
        for number, tagged in papers.functions(key).items():
            assert number in paper.equations
            for function in tagged:
                assert function.__doc__, f"{key}.{function.__qualname__} has no docstring"
                assert number in function.equations  # type: ignore[attr-defined]


def test_equation_lists() -> None:
    assert len(papers.PAPERS["garofalo2013"].equations) == 29 + 3 + 3 + 4 + 3
    assert papers.PAPERS["mueller_kumar2021"].equations[-1] == "57"
    jain = papers.PAPERS["jain_rodriguez"].equations
    assert len(jain) == 55
    assert {"1.1", "1.4", "2.5", "3.19", "3.41", "4.42", "5.44", "5.55"} <= set(jain)
    assert papers.PAPERS["kwon"].equations[-2:] == ("34", "Algorithm 1")


def test_wrong_equations_are_refused() -> None:
    def formula() -> None:
        """Nothing."""

    with pytest.raises(ValueError, match="choose one of"):
        papers.equation("1")(formula)  # this module is no paper
    formula.__module__ = "jounce.papers.garofalo2013"
    with pytest.raises(ValueError, match="no equation '99'; choose one of 1, 2"):
        papers.equation("99")(formula)
    with pytest.raises(ValueError, match="choose one of"):
        papers.functions("newton")
    with pytest.raises(ValueError, match="christoffel"):
        garofalo2013.coriolis_matrix(lower(MODELS["floating"]), zeros(1), zeros(1), "other")


def test_report() -> None:
    text = papers.report()
    assert "garofalo2013:" in text
    assert "mass_matrix" in text
    assert "jain_rodriguez" in text


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
