"""The lecture on Newton-Euler and Lagrange: single bodies, solids, and its examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.math.scalar import array
from jounce.math.spatial import adjoint, spatial_inertia
from jounce.model.model import Body, Joint, Model
from jounce.model.tree import lower
from jounce.papers import garofalo2013, lagrange, newton_euler, rigid_body
from support.helpers import close, objects
from support.robots import random_inertia, random_model, random_pose, random_state

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
    G = rigid_body.central_inertia(I_b, m)
    F = rigid_body.wrench(G, V, Vd)
    close(np.concatenate(rigid_body.body_moment_and_force(I_b, m, w, v, wd, vd)), F)
    close(rigid_body.acceleration(G, V, F), Vd)
    close(rigid_body.body_kinetic_energy(G, V), 0.5 * (w @ I_b @ w + m * v @ v))
    R = objects(T[:3, :3])
    pdd = R @ (vd + np.cross(w, v))  # d/dt (R v)
    moment, force = rigid_body.world_moment_and_force(I_b, m, R, R @ w, R @ wd, pdd)
    close(moment, R @ F[:3])
    close(force, R @ F[3:])
    moments, axes = np.linalg.eigh(I_b.astype(float))
    axes *= np.linalg.det(axes)  # right-handed
    principal = rigid_body.principal_axes_moment(moments, axes.T @ w, axes.T @ wd)
    close(axes @ principal, F[:3])
    R_ba, p_ba = objects(T[:3, :3]), objects(T[:3, 3])
    G_a = rigid_body.inertia_in_frame(G, R_ba, p_ba)
    back = np.linalg.inv(adjoint(R_ba, p_ba).astype(float))
    F_a = rigid_body.wrench(G_a, objects(back @ V), objects(back @ Vd))
    close(F_a, rigid_body.wrench_in_frame(F, R_ba, p_ba))
    turned = rigid_body.rotated_inertia(I_b, R_ba)
    close(G_a[:3, :3], rigid_body.steiner(turned, m, R_ba.T @ p_ba))


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
    close(rigid_body.box_inertia(m, 2 * a, 2 * b, 2 * c), inertia(box, weight, m))
    r, angle = (x + 1) / 2, np.pi * (y + 1)
    disc = np.stack((a * r * np.cos(angle), a * r * np.sin(angle), c * z), axis=1)
    close(rigid_body.cylinder_inertia(m, a, 2 * c), inertia(disc, weight * r, m), tolerance=1e-6)
    s = np.sqrt(1 - z * z)
    ball = np.stack((a * r * s * np.cos(angle), b * r * s * np.sin(angle), c * r * z), axis=1)
    close(
        rigid_body.ellipsoid_inertia(m, a, b, c), inertia(ball, weight * r * r, m), tolerance=1e-6
    )


def test_compound_body() -> None:
    """Two half boxes are a box, also when one of them is described along other axes."""
    half = rigid_body.box_inertia(1.0, 0.5, 0.3, 0.2)
    turn = objects(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    turned = rigid_body.rotated_inertia(half, turn)
    parts = (
        rigid_body.Solid(1.0, array((1.25, 0.0, 0.0)), half),
        rigid_body.Solid(1.0, array((0.75, 0.0, 0.0)), turned, turn),
    )
    whole = rigid_body.compound(parts)
    close(whole.m, 2.0)
    close(whole.center, (1.0, 0.0, 0.0))
    close(whole.inertia, rigid_body.box_inertia(2.0, 1.0, 0.3, 0.2))


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
