"""Inertias of solids, moved and composed, and one body's dynamics, against integrals and clouds."""

from __future__ import annotations

import doctest
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jounce.errors import ModelError
from jounce.io.builder import inertia_from_com
from jounce.math import spatial
from jounce.model import inertia
from jounce.model.model import Body, Joint, Model
from jounce.model.tree import moved_inertia
from jounce.papers import rigid_body as lecture
from jounce.robot import Robot
from support.helpers import assert_close, objects
from support.robots import random_inertia, random_pose, random_rotation

seeds = st.integers(0, 2**32 - 1)


def from_points(masses: np.ndarray, points: np.ndarray) -> np.ndarray:
    """pi of point masses, by its definition."""
    total = np.zeros(10)
    for m, x in zip(masses, points, strict=True):
        I = m * (x @ x * np.eye(3) - np.outer(x, x))
        entries = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        total += (m, *(m * x), *entries)
    return total


def gauss(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights that integrate polynomials up to degree 11 exactly."""
    nodes, weights = np.polynomial.legendre.leggauss(6)
    return low + (high - low) * (1.0 + nodes) / 2.0, (high - low) / 2.0 * weights


#: A full turn: exact for sines and cosines of up to seven times the angle.
TURN = (2.0 * np.pi * np.arange(8) / 8, np.full(8, 2.0 * np.pi / 8))


def integrate(inside, *rules) -> np.ndarray:
    """pi of a solid of density 1: inside(u, v, w) = (x, y, z, volume element), by Gauss' rules."""
    u, v, w = np.meshgrid(*(nodes for nodes, _ in rules), indexing="ij")
    x, y, z, dv = np.broadcast_arrays(*inside(u, v, w))
    weights = np.einsum("i,j,k->ijk", *(weights for _, weights in rules))
    return from_points((dv * weights).ravel(), np.stack((x, y, z), axis=-1).reshape(-1, 3))


# ------------------------------------------------------------------ solids


def capsule_by_slices(r: float, l: float) -> np.ndarray:
    """The capsule as discs of thickness dz, each of the moments of a disc about the middle."""
    with mpmath.workdps(30):

        def radius2(z):
            past = abs(z) - mpmath.mpf(l) / 2
            return mpmath.mpf(r) ** 2 - (past**2 if past > 0 else 0)

        ends = [-l / 2 - r, -l / 2, l / 2, l / 2 + r]
        m = mpmath.quad(lambda z: mpmath.pi * radius2(z), ends)
        across = mpmath.quad(lambda z: mpmath.pi * radius2(z) ** 2 / 4, ends)
        along = mpmath.quad(lambda z: mpmath.pi * radius2(z) * z * z, ends)
        values = (m, 0, 0, 0, across + along, across + along, 2 * across, 0, 0, 0)
        return np.array([float(v) for v in values])


def test_box_is_its_integral():
    l, w, h = 0.7, 0.4, 0.25
    found = integrate(lambda x, y, z: (x, y, z, 1.0), *(gauss(-a / 2, a / 2) for a in (l, w, h)))
    assert_close(inertia.box((l, w, h), density=3.0), 3.0 * found)
    assert_close(inertia.box((l, w, h), mass=2.0), 2.0 / found[0] * found)


def test_cylinder_is_its_integral():
    r, l = 0.3, 0.8
    found = integrate(
        lambda s, p, z: (s * np.cos(p), s * np.sin(p), z, s),
        gauss(0.0, r),
        TURN,
        gauss(-l / 2, l / 2),
    )
    assert_close(inertia.cylinder(r, l, density=2.0), 2.0 * found)
    assert_close(inertia.cylinder(r, l, mass=2.0), 2.0 / found[0] * found)


def test_ellipsoid_and_sphere_are_their_integrals():
    a, b, c = 0.2, 0.5, 0.3

    def inside(r, u, p):  # u: the cosine of the polar angle
        s = np.sqrt(1.0 - u * u)
        return a * r * s * np.cos(p), b * r * s * np.sin(p), c * r * u, a * b * c * r * r

    found = integrate(inside, gauss(0.0, 1.0), gauss(-1.0, 1.0), TURN)
    assert_close(inertia.ellipsoid((a, b, c), density=1.5), 1.5 * found)
    assert_close(inertia.ellipsoid((a, b, c), mass=1.5), 1.5 / found[0] * found)
    r, m = 0.4, 2.0
    expected = [m, 0, 0, 0, *(0.4 * m * r * r,) * 3, 0, 0, 0]
    assert_close(inertia.sphere(r, mass=m), expected)
    assert_close(inertia.sphere(r, density=m / (4 / 3 * np.pi * r**3)), expected)


@pytest.mark.parametrize("length", [0.9, 0.0])
def test_capsule_is_its_integral(length):
    found = capsule_by_slices(0.15, length)
    assert_close(inertia.capsule(0.15, length, density=2.0), 2.0 * found)
    assert_close(inertia.capsule(0.15, length, mass=2.0), 2.0 / found[0] * found)
    if length == 0.0:
        assert_close(inertia.capsule(0.15, 0.0, mass=2.0), inertia.sphere(0.15, mass=2.0))


def test_solids_are_the_lectures():
    m, l, w, h = 1.7, 0.4, 0.5, 0.6
    assert_close(
        inertia.about_com(inertia.box((l, w, h), mass=m)).inertia,
        lecture.box_inertia(m, l, w, h),
    )
    assert_close(
        inertia.about_com(inertia.cylinder(l, h, mass=m)).inertia,
        lecture.cylinder_inertia(m, l, h),
    )
    assert_close(
        inertia.about_com(inertia.ellipsoid((l, w, h), mass=m)).inertia,
        lecture.ellipsoid_inertia(m, l, w, h),
    )


def test_point_mass_plates_and_batches():
    rng = np.random.default_rng(0)
    points, masses = rng.normal(size=(4, 3)), rng.uniform(0.1, 1.0, 4)
    cloud = inertia.point_mass(masses, points)
    assert cloud.shape == (4, 10)
    assert_close(cloud.sum(axis=0), from_points(masses, points))
    plate = inertia.box((1.0, 2.0, 0.0), mass=3.0)
    assert_close(plate[4:7], (1.0, 0.25, 1.25))
    sizes = rng.uniform(0.1, 1.0, (2, 5, 3))
    batch = inertia.box(sizes, mass=rng.uniform(size=5))
    assert batch.shape == (2, 5, 10)
    assert_close(
        inertia.capsule(sizes[..., 0], 0.3, density=2.0)[1, 2],
        inertia.capsule(sizes[1, 2, 0], 0.3, density=2.0),
    )


def test_complex_steps_pass_through_solids():
    step = 1e-30j
    found = inertia.capsule(0.2 + step, 0.5, density=1000.0).imag / 1e-30
    with mpmath.workdps(40):
        h = mpmath.mpf(10) ** -15

        def entry(r, k):
            l = mpmath.mpf("0.5")
            tube, balls = mpmath.pi * r**2 * l, 4 * mpmath.pi * r**3 / 3
            across = tube * r**2 / 4 + balls * r**2 / 5
            along = tube * l**2 / 12 + balls * (l**2 / 4 + 3 * l * r / 8 + r**2 / 5)
            return 1000 * (tube + balls, across + along, 2 * across)[k]

        r = mpmath.mpf("0.2")
        rates = [float((entry(r + h, k) - entry(r - h, k)) / (2 * h)) for k in range(3)]
    assert_close(found[[0, 4, 6]], rates)
    for name, arguments in {
        "box": ((0.1, 0.2, 0.3),),
        "cylinder": (0.1, 0.2),
        "ellipsoid": ((0.1, 0.2, 0.3),),
        "sphere": (0.2,),
        "capsule": (0.1, 0.3),
    }.items():
        solid = getattr(inertia, name)
        slope = solid(*arguments, density=5.0 + step).imag / 1e-30
        assert_close(slope, solid(*arguments, density=1.0), what=name)


BAD_SOLIDS = {
    "neither": (lambda: inertia.sphere(1.0), "either mass .* or density .*found neither"),
    "both": (lambda: inertia.sphere(1.0, mass=1.0, density=1.0), "found both"),
    "negative mass": (lambda: inertia.sphere(1.0, mass=-1.0), "mass: expected >= 0, found -1.0"),
    "negative density": (lambda: inertia.box((1, 1, 1), density=-2.0), "density: expected >= 0"),
    "negative length": (lambda: inertia.cylinder(1.0, -0.1, mass=1.0), "length: expected >= 0"),
    "shape": (lambda: inertia.box((1.0, 2.0), mass=1.0), r"size: expected shape \(..., 3\)"),
    "nan": (lambda: inertia.ellipsoid((1, 1, np.nan), mass=1.0), "semi_axes: expected finite"),
    "text": (lambda: inertia.sphere("big", mass=1.0), "radius: expected numbers, found 'big'"),
    "no volume": (lambda: inertia.box((1, 1, 0), density=1.0), "without volume needs a mass"),
    "no capsule": (lambda: inertia.capsule(0.0, 1.0, mass=1.0), "a positive radius"),
    "point": (lambda: inertia.point_mass(-1.0), "mass: expected >= 0"),
}


@pytest.mark.parametrize("case", BAD_SOLIDS)
def test_bad_solids_are_named(case):
    build, message = BAD_SOLIDS[case]
    with pytest.raises(ModelError, match=message):
        build()


# ------------------------------------------------------------------ moving and composing


@settings(deadline=None, max_examples=30)
@given(seed=seeds)
def test_transform_moves_the_points(seed):
    rng = np.random.default_rng(seed)
    masses, points, T = rng.uniform(0.1, 1.0, 5), rng.normal(size=(5, 3)), random_pose(rng)
    pi = from_points(masses, points)
    R, p = T[:3, :3], T[:3, 3]
    assert_close(inertia.transform(pi, T), from_points(masses, points @ R.T + p))
    assert_close(inertia.rotate(pi, R), from_points(masses, points @ R.T))
    assert_close(inertia.translate(pi, p), from_points(masses, points + p))
    assert_close(inertia.transform(pi, T), moved_inertia(objects(pi), objects(R), objects(p)))


def test_moving_is_the_lectures():
    rng = np.random.default_rng(1)
    pi, R, q = random_inertia(rng), random_rotation(rng), rng.normal(size=3)
    central = inertia.about_com(pi)
    I = central.inertia
    turned = inertia.about_com(inertia.rotate(pi, R.T)).inertia
    assert_close(turned, lecture.rotated_inertia(I, R))
    from_center = inertia.translate(pi, -(central.com + q))
    about = inertia.spatial_inertia(from_center)[:3, :3]
    assert_close(about, lecture.steiner(objects(I), float(central.mass), objects(q)))
    T = random_pose(rng)  # {a} in {b}
    G = lecture.inertia_in_frame(inertia.spatial_inertia(pi), T[:3, :3], T[:3, 3])
    assert_close(inertia.spatial_inertia(pi, np.linalg.inv(T)), G)


def test_batches_of_poses_and_bodies():
    rng = np.random.default_rng(2)
    poses = np.array([random_pose(rng) for _ in range(6)]).reshape(2, 3, 4, 4)
    pis = np.array([random_inertia(rng) for _ in range(3)])
    out = inertia.transform(pis, poses)
    assert out.shape == (2, 3, 10)
    assert_close(out[1, 2], inertia.transform(pis[2], poses[1, 2]))
    assert inertia.spatial_inertia(pis, poses).shape == (2, 3, 6, 6)
    assert inertia.compose(out, pis).shape == (2, 3, 10)
    assert_close(inertia.com(pis), pis[:, 1:4] / pis[:, :1])
    moments, axes = inertia.principal(pis)
    assert (moments.shape, axes.shape) == ((3, 3), (3, 3, 3))


def test_cylinder_and_prism_of_the_lecture():
    """2 kg of cylinder, its axis vertical at {a}, and 1 kg of prism along x beside it.

    The lecture's figure with the dimensions is lost; here the cylinder has radius 0.2 and height
    0.1, the prism 0.6 x 0.1 x 0.1, and it begins where the cylinder ends.
    """
    r, height, length, width = 0.2, 0.1, 0.6, 0.1
    cylinder = inertia.cylinder(r, height, mass=2.0)
    offset = r + length / 2
    prism = inertia.translate(inertia.box((length, width, width), mass=1.0), (offset, 0.0, 0.0))
    both = inertia.compose(cylinder, prism)
    mass, com, about = inertia.about_com(both)
    assert mass == 3.0
    assert_close(com, (offset / 3.0, 0.0, 0.0))  # (I): 1/6 m from {a}
    # (II) by integration over both solids
    disc = integrate(
        lambda s, p, z: (s * np.cos(p), s * np.sin(p), z, s / (np.pi * r * r * height)),
        gauss(0.0, r),
        TURN,
        gauss(-height / 2, height / 2),
    )
    bar = integrate(
        lambda x, y, z: (x, y, z, 1.0 / (length * width * width)),
        gauss(r, r + length),
        *(gauss(-width / 2, width / 2),) * 2,
    )
    whole = 2.0 * disc + bar
    assert_close(both, whole)
    assert_close(about, inertia.spatial_inertia(inertia.translate(whole, -com))[:3, :3])
    # and by the lecture's own formulas
    parts = (
        lecture.Solid(2.0, objects(np.zeros(3)), lecture.cylinder_inertia(2.0, r, height)),
        lecture.Solid(
            1.0, objects((offset, 0.0, 0.0)), lecture.box_inertia(1.0, length, width, width)
        ),
    )
    compound = lecture.compound(parts)
    assert_close(compound.center, com)
    assert_close(compound.inertia, about)
    # by hand: only products of x vanish, so {b} is along the principal axes
    xx = 2 * (3 * r**2 + height**2) / 12 + width**2 / 6
    assert_close(np.diag(about)[0], xx)
    assert_close(about - np.diag(np.diag(about)), np.zeros((3, 3)))


def test_compose_and_frames_refuse_nonsense():
    pi = random_inertia(np.random.default_rng(3))
    with pytest.raises(ModelError, match="at least one body"):
        inertia.compose()
    with pytest.raises(ModelError, match=r"body 1: expected shape \(..., 10\), found \(9,\)"):
        inertia.compose(pi, pi[:9])
    with pytest.raises(ModelError, match="R: its 3x3 block is a reflection"):
        inertia.rotate(pi, np.diag((1.0, 1.0, -1.0)))
    with pytest.raises(ModelError, match="T: its 3x3 block is not a rotation"):
        inertia.transform(pi, 2.0 * np.eye(4) - np.diag((0.0, 0.0, 0.0, 1.0)))
    with pytest.raises(ModelError, match="last row"):
        inertia.transform(pi, np.ones((4, 4)))
    with pytest.raises(ModelError, match=r"p: expected shape \(..., 3\)"):
        inertia.translate(pi, (1.0, 2.0))
    with pytest.raises(ModelError, match="massless body cannot have a first moment"):
        inertia.com((0.0, 1.0, *np.zeros(8)))


# ------------------------------------------------------------------ other coordinates


@settings(deadline=None, max_examples=30)
@given(seed=seeds)
def test_coordinates_there_and_back(seed):
    pi = random_inertia(np.random.default_rng(seed))
    central = inertia.about_com(pi)
    assert_close(inertia.from_com(*central), pi)
    assert_close(inertia.from_com(*central), inertia_from_com(*central))
    assert_close(inertia.from_spatial_inertia(inertia.spatial_inertia(pi)), pi)
    assert_close(inertia.from_pseudo_inertia(inertia.pseudo_inertia(pi)), pi)
    assert_close(inertia.from_log_cholesky(inertia.log_cholesky(pi)), pi)
    moments, axes = inertia.principal(pi)
    assert np.all(np.diff(moments) >= 0.0)
    assert np.isclose(np.linalg.det(axes), 1.0)
    assert_close(axes @ np.diag(moments) @ axes.T, central.inertia)
    principal = inertia.rotate(inertia.translate(pi, -central.com), axes.T)
    assert_close(principal, (pi[0], 0, 0, 0, *moments, 0, 0, 0))


def test_matrices_are_their_definitions():
    rng = np.random.default_rng(4)
    masses, points, T = rng.uniform(0.1, 1.0, 6), rng.normal(size=(6, 3)), random_pose(rng)
    pi = from_points(masses, points)
    ones = np.column_stack((points, np.ones(6)))
    J = (ones.T * masses) @ ones
    assert_close(inertia.pseudo_inertia(pi), J)
    assert_close(inertia.pseudo_inertia(inertia.transform(pi, T)), T @ J @ T.T)
    assert_close(inertia.spatial_inertia(pi), spatial.spatial_inertia(objects(pi)))
    V = rng.normal(size=6)
    velocities = V[3:] + np.cross(V[:3], points)
    assert_close(inertia.kinetic_energy(pi, V), 0.5 * masses @ np.sum(velocities**2, axis=1))
    P = masses @ velocities
    L = masses @ np.cross(points, velocities)
    assert_close(inertia.momentum(pi, V), (*L, *P))


@settings(deadline=None, max_examples=30)
@given(seed=seeds)
def test_every_ten_numbers_are_a_body(seed):
    theta = np.random.default_rng(seed).uniform(-2.0, 2.0, 10)
    pi = inertia.from_log_cholesky(theta)
    assert inertia.is_consistent(pi)
    assert_close(inertia.log_cholesky(pi), theta, 1e-9)  # the logarithm of a condition of 1e5
    step = theta + 1e-30j * np.eye(10)[4]
    slope = inertia.from_log_cholesky(step).imag / 1e-30
    h = 1e-6
    near = [inertia.from_log_cholesky(theta + s * h * np.eye(10)[4]) for s in (1, -1)]
    assert_close(slope, (near[0] - near[1]) / (2 * h), 1e-7)  # central differences


def test_coordinates_refuse_what_they_cannot_hold():
    point = inertia.point_mass(1.0, (0.1, 0.2, 0.3))
    with pytest.raises(ModelError, match="not positive definite"):
        inertia.log_cholesky(point)
    for function in (inertia.principal, inertia.log_cholesky):
        with pytest.raises(ModelError, match="real parameters"):
            function(point + 1e-30j)
    G = inertia.spatial_inertia(random_inertia(np.random.default_rng(5)))
    broken = G.copy()
    broken[3, 3] += 1.0
    with pytest.raises(ModelError, match="structure"):
        inertia.from_spatial_inertia(broken)
    broken = G.copy()
    broken[0, 1] += 1.0
    with pytest.raises(ModelError, match="symmetric"):
        inertia.from_spatial_inertia(broken)
    with pytest.raises(ModelError, match="symmetric"):
        inertia.from_com(1.0, np.zeros(3), np.arange(9.0).reshape(3, 3))
    with pytest.raises(ModelError, match="mass: expected >= 0"):
        inertia.from_com(-1.0, np.zeros(3), np.eye(3))


def test_what_could_not_exist_is_said():
    good = random_inertia(np.random.default_rng(6))
    assert inertia.is_consistent(good)
    assert inertia.is_consistent(np.zeros(10))
    bad = {
        "mass is negative: -1.0": (-1.0, *good[1:]),
        "massless body has a first moment": (0.0, *good[1:]),
        "triangle inequality": (1.0, 0, 0, 0, 1.0, 1.0, 2.1, 0, 0, 0),
        "not positive": (1.0, 1.0, 0, 0, 0.1, 0.1, 0.1, 0, 0, 0),
    }
    for message, pi in bad.items():
        assert message in inertia.problem(pi)
        assert not inertia.is_consistent(pi)
    with pytest.raises(ModelError, match="one body"):
        inertia.problem(np.zeros((2, 10)))


# ------------------------------------------------------------------ one body's dynamics


def motion(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return random_inertia(rng), rng.normal(size=6), rng.normal(size=6), random_rotation(rng)


@settings(deadline=None, max_examples=30)
@given(seed=seeds)
def test_wrench_moves_a_cloud_of_points(seed):
    """Newton for each point: force m x'', moment x cross that, in the body's axes."""
    rng = np.random.default_rng(seed)
    masses, points = rng.uniform(0.1, 1.0, 6), rng.normal(size=(6, 3))
    pi = from_points(masses, points)
    V, Vd = rng.normal(size=(2, 6))
    w, v, wd, vd = V[:3], V[3:], Vd[:3], Vd[3:]
    speed = v + np.cross(w, points)
    acceleration = vd + np.cross(wd, points) + np.cross(w, speed)
    forces = masses[:, None] * acceleration
    F = np.concatenate((np.cross(points, forces).sum(axis=0), forces.sum(axis=0)))
    assert_close(inertia.body_wrench(pi, V, Vd), F)
    # the cloud's condition, up to 1e4, is in the way back
    assert_close(inertia.body_acceleration(pi, V, F), Vd, 1e-10)


def test_body_frame_is_the_lectures():
    pi, V, Vd, _ = motion(np.random.default_rng(7))
    G = inertia.spatial_inertia(pi)
    F = lecture.wrench(objects(G), objects(V), objects(Vd))
    assert_close(inertia.body_wrench(pi, V, Vd), F)
    assert_close(inertia.body_acceleration(pi, V, F.astype(float)), Vd)
    assert_close(
        inertia.body_acceleration(pi, V, F.astype(float)),
        lecture.acceleration(objects(G), objects(V), F),
    )
    # at the center of mass: Euler's and Newton's equations apart
    m, c, I = inertia.about_com(pi)
    central = inertia.translate(pi, -c)
    parts = [objects(x) for x in (V[:3], V[3:], Vd[:3], Vd[3:])]
    moment, force = lecture.body_moment_and_force(objects(I), float(m), *parts)
    assert_close(inertia.body_wrench(central, V, Vd), (*moment, *force))
    # in another frame {a} the equation has the same form
    T = random_pose(np.random.default_rng(8))
    Ad = spatial.adjoint(T[:3, :3], T[:3, 3]).astype(float)
    twist, rate = np.linalg.solve(Ad, V), np.linalg.solve(Ad, Vd)
    moved = inertia.transform(pi, np.linalg.inv(T))
    expected = lecture.wrench_in_frame(F, T[:3, :3], T[:3, 3])
    assert_close(inertia.body_wrench(moved, twist, rate), expected)


def test_world_frame_is_the_lectures_and_the_body_frames():
    pi, V, Vd, R = motion(np.random.default_rng(9))
    m, c, I = inertia.about_com(pi)
    w, v = V[:3], V[3:]
    omega, domega = R @ w, R @ Vd[:3]
    speed = v + np.cross(w, c)
    pdd = R @ (Vd[3:] + np.cross(Vd[:3], c) + np.cross(w, speed))
    F = inertia.world_wrench(pi, R, omega, domega, pdd)
    arguments = [objects(x) for x in (R, omega, domega, pdd)]
    moment, force = lecture.world_moment_and_force(objects(I), float(m), *arguments)
    assert_close(F, (*moment, *force))
    body = inertia.body_wrench(pi, V, Vd)  # about the body's origin
    assert_close(R @ body[3:], F[3:])
    assert_close(R @ (body[:3] - np.cross(c, body[3:])), F[:3])
    assert_close(inertia.world_acceleration(pi, R, omega, F), (*domega, *pdd))
    moments, axes = inertia.principal(pi)
    along = lecture.principal_axes_moment(moments, axes.T @ w, axes.T @ Vd[:3])
    assert_close(axes @ along.astype(float), R.T @ F[:3])


def test_a_thrown_body_is_the_robots_free_joint():
    pi, V, _, _ = motion(np.random.default_rng(10))
    robot = Robot(Model("thrown", (Body("stone", pi),), (Joint("air", "free"),)))
    q = robot.random(1)
    R = robot.frame("stone").pose(q)[:3, :3]
    weight = inertia.gravity_wrench(pi, R)
    a = inertia.body_acceleration(pi, V, weight)
    assert_close(robot.forward_dynamics(q, V, np.zeros(6)), a)
    assert_close(robot.inverse_dynamics(q, V, a), np.zeros(6), 1e-11, floor=1.0)
    assert_close(robot.gravity_forces(q), -weight)
    assert_close(robot.kinetic_energy(q, V), inertia.kinetic_energy(pi, V))
    moon = replace(robot.model, gravity=np.array((0.0, 0.0, -1.62)))
    assert_close(Robot(moon).gravity_forces(q), -inertia.gravity_wrench(pi, R, (0, 0, -1.62)))


def test_dynamics_of_batches_and_complex_steps():
    rng = np.random.default_rng(11)
    pi, (V, Vd) = random_inertia(rng), rng.normal(size=(2, 5, 6))
    R = np.array([random_rotation(rng) for _ in range(5)])
    F = inertia.body_wrench(pi, V, Vd)
    assert F.shape == (5, 6)
    assert_close(F[3], inertia.body_wrench(pi, V[3], Vd[3]))
    assert_close(inertia.body_acceleration(pi, V, F), Vd)
    W = inertia.world_wrench(pi, R, V[:, :3], Vd[:, :3], Vd[:, 3:])
    assert_close(inertia.world_acceleration(pi, R, V[:, :3], W), Vd)
    assert inertia.gravity_wrench(pi, R).shape == (5, 6)
    for k in range(10):  # the wrench is linear in pi
        slope = inertia.body_wrench(pi + 1e-30j * np.eye(10)[k], V, Vd).imag / 1e-30
        assert_close(slope, inertia.body_wrench(np.eye(10)[k], V, Vd))


THIN = {
    "point": inertia.point_mass(1.0, (0.1, 0.2, 0.3)),
    "rod": inertia.translate(inertia.box((0.0, 0.0, 1.0), mass=1.0), (0.3, 0.1, 0.0)),
    "nothing": np.zeros(10),
}


@pytest.mark.parametrize("case", THIN)
def test_forward_dynamics_refuses_points_and_lines(case):
    with pytest.raises(ModelError, match="forward dynamics needs a mass"):
        inertia.body_acceleration(THIN[case], np.ones(6), np.ones(6))
    with pytest.raises(ModelError, match="forward dynamics needs a mass"):
        inertia.world_acceleration(THIN[case], np.eye(3), np.ones(3), np.ones(6))


def test_examples_in_docstrings():
    assert doctest.testmod(inertia).failed == 0
