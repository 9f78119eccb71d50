"""Inertia of triangulated solids: exact sums, analytic bodies, complex steps, and bad surfaces."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jounce
from jounce.errors import ModelError
from jounce.model import inertia
from jounce.model.inertia.mesh import integrals as mesh_module
from support import PROJECT, solids
from support.helpers import assert_close
from support.robots import random_pose
from support.solids import WATERTIGHT, ball, box, bumpy, inverted, join

STEP = 1e-40
EPS = float(np.finfo(float).eps)


@pytest.fixture(params=WATERTIGHT)
def mesh(request: pytest.FixtureRequest) -> solids.Mesh:
    return WATERTIGHT[request.param]


# ------------------------------------------------------------------ values


def exact(v: np.ndarray, f: np.ndarray) -> np.ndarray:
    """pi for unit density in rational numbers, by Kwon's eq. 15 to 26 as printed."""
    pi = [Fraction(0)] * 10
    for face in f.tolist():
        a, b, c = ([Fraction(x) for x in v[i].tolist()] for i in face)
        n = cross(
            [y - x for x, y in zip(a, b, strict=True)], [z - x for x, z in zip(a, c, strict=True)]
        )
        det = sum(x * y for x, y in zip(a, cross(b, c), strict=True))
        pairs = ((a, a), (a, b), (a, c), (b, b), (b, c), (c, c))
        g = [sum(p[k] * q[k] for p, q in pairs) for k in range(3)]
        s = [x + y + z for x, y, z in zip(a, b, c, strict=True)]
        pi[0] += sum(x * y for x, y in zip(s, n, strict=True)) / 18
        for k in range(3):
            pi[1 + k] += g[k] * n[k] / 24
            pi[4 + k] += det * (sum(g) - g[k]) / 60
        for row, (i, j) in zip((7, 8, 9), ((0, 1), (0, 2), (1, 2)), strict=True):
            # r(p) q of eq. 26: the row for xy is y_p x_q + x_p y_q
            pi[row] -= det * sum(p[j] * q[i] + p[i] * q[j] for p, q in pairs) / 120
    return np.array([float(x) for x in pi])


def cross(a: list[Any], b: list[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def test_equals_the_exact_sums(mesh: solids.Mesh) -> None:
    expected = 700.0 * exact(*mesh)
    for actual in (inertia.from_mesh(*mesh, 700.0), inertia.from_mesh(*mesh, mass=expected[0])):
        # entries that vanish by symmetry have the rounding of the others
        assert_close(actual[:1], expected[:1], 1e-14)
        assert_close(actual[1:4], expected[1:4], 1e-13, floor=expected[0])
        assert_close(actual[4:], expected[4:], 1e-13)


def test_box_and_default_density() -> None:
    size, T = (0.2, 0.3, 0.5), random_pose(np.random.default_rng(4))
    v, f = box(size)
    expected = inertia.transform(inertia.box(size, density=1000.0), T)
    assert_close(inertia.from_mesh(v @ T[:3, :3].T + T[:3, 3], f), expected, 1e-14)
    assert_close(inertia.from_mesh(v.tolist(), f.tolist()), inertia.from_mesh(v, f, 1000), 1e-15)
    assert_close(inertia.from_mesh(v.astype(np.float32), f.astype(np.uint16))[0], 30.0, 1e-6)


def test_ellipsoid_is_the_limit() -> None:
    axes = np.array((0.3, 0.2, 0.1))
    expected = inertia.ellipsoid(axes, density=1000.0)
    errors = []
    for levels in (2, 3, 4):
        v, f = ball(levels)
        errors.append(np.abs(inertia.from_mesh(v * axes, f) - expected).max() / expected[0])
    ratios = np.array(errors[:-1]) / errors[1:]
    np.testing.assert_allclose(ratios, 4.0, rtol=0.05)  # second order in the edges' length


def test_tetrahedral_quadrature() -> None:
    """A star-shaped solid cut into tetrahedra, with a rule that is exact for quadratics."""
    v, f = bumpy(np.random.default_rng(5), 2)
    near, far = 0.5854101966249685, 0.1381966011250105
    pi = np.zeros(10)
    for face in f:
        corners = np.vstack((np.zeros(3), v[face]))
        volume = np.linalg.det(corners[1:]) / 6.0
        for k in range(4):
            weights = np.where(np.arange(4) == k, near, far)
            pi += inertia.point_mass(250.0 * volume, weights @ corners)
    assert_close(inertia.from_mesh(v, f), pi, 1e-13)


def test_cavity_is_subtracted_and_pieces_add() -> None:
    outer, inner = box((2.0, 2.0, 2.0)), ball(2)
    whole = inertia.from_mesh(*join(outer, inverted(inner)))
    assert_close(whole, inertia.from_mesh(*outer) - inertia.from_mesh(*inner), 1e-14)
    apart = join(outer, box(at=(5.0, 0.0, 0.0)))
    expected = inertia.from_mesh(*outer) + inertia.from_mesh(*box(at=(5.0, 0.0, 0.0)))
    assert_close(inertia.from_mesh(*apart), expected, 1e-14)


@pytest.mark.parametrize("offset", [1e2, 1e4])
def test_far_from_the_origin_no_digit_is_lost(offset: float) -> None:
    rng = np.random.default_rng(6)
    v, f = bumpy(rng, 2)
    v = np.round(v * 2**20) / 2**20 + offset * np.array((1.0, -1.0, 0.5))  # exact in binary
    actual, expected = inertia.from_mesh(v, f, 1.0), exact(v, f)
    np.testing.assert_allclose(actual, expected, rtol=1e-13)
    near = exact(v - offset * np.array((1.0, -1.0, 0.5)), f)
    com = inertia.com(actual) - offset * np.array((1.0, -1.0, 0.5))
    # the center itself is a number near the offset, with as many digits
    np.testing.assert_allclose(com, near[1:4] / near[0], atol=2e-16 * offset * 4)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_affine_images(seed: int) -> None:
    """The pseudo-inertia of an affine image is A J A^T det A, whatever the affine map A."""
    rng = np.random.default_rng(seed)
    v, f = bumpy(rng)
    A = np.eye(4)
    A[:3, :3], A[:3, 3] = rng.normal(size=(3, 3)) + 2.0 * np.eye(3), rng.normal(size=3)
    det = np.linalg.det(A[:3, :3])
    image = v @ A[:3, :3].T + A[:3, 3]
    actual = inertia.from_mesh(image, f if det > 0 else f[:, ::-1])
    J = inertia.pseudo_inertia(inertia.from_mesh(v, f))
    expected = inertia.from_pseudo_inertia(abs(det) * A @ J @ A.T)
    # vertices are rounded to eps of the image's extent, which is felt in proportion to what is left
    # of its thickness: that of a ball inside the solid, 0.6 * 0.3, shrunk by A (seen: 0.9 eps)
    thickness = 0.18 * np.linalg.svd(A[:3, :3], compute_uv=False)[-1]
    assert_close(actual, expected, 4 * EPS * np.abs(image).max() / thickness)


def test_threads_do_not_matter() -> None:
    v, f = ball(7)
    assert len(f) > 300_000
    w = np.random.default_rng(0).normal(size=10)
    before = jounce.get_num_threads()
    try:
        results = []
        for n in (1, 3):
            jounce.set_num_threads(n)
            results.append((inertia.from_mesh(v, f), inertia.vertex_vjp(v, f, 1.0, w)))
    finally:
        jounce.set_num_threads(before)
    assert_close(results[0][0], results[1][0], 1e-13)
    assert_close(results[0][1], results[1][1], 1e-13)


# ------------------------------------------------------------------ derivatives


def complex_step(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    columns = []
    for k in range(x.size):
        z = x.astype(complex)
        z.ravel()[k] += 1j * STEP
        columns.append(function(z).imag / STEP)
    return np.stack(columns, axis=-1).reshape(*columns[0].shape, *x.shape)


@pytest.mark.parametrize("weight", [{"density": 700.0}, {"mass": 2.5}])
def test_vertex_derivatives_by_complex_step(mesh: solids.Mesh, weight: dict[str, float]) -> None:
    v, f = mesh
    places, copy = np.unique(v, axis=0, return_inverse=True)  # copies of a vertex move together
    expected = complex_step(lambda z: inertia.from_mesh(z[copy], f, **weight), places)
    jacobian = inertia.vertex_jacobian(v, f, **weight)
    assert jacobian.shape == (10, *v.shape)
    actual = np.zeros_like(expected)
    np.add.at(actual, (slice(None), copy), jacobian)
    for k in range(10):
        assert_close(actual[k], expected[k], 1e-13, f"row {k}", floor=1.0)
    w = np.random.default_rng(7).normal(size=10)
    product = inertia.vertex_vjp(v, f, weight.get("density"), w, mass=weight.get("mass"))
    # the terms may cancel: those of the ten rows, and those by which the density follows the volume
    pi = inertia.from_mesh(v, f, **weight)
    swelling = inertia.vertex_jacobian(v, f, pi[0] / inertia.from_mesh(v, f, 1.0)[0])[0]
    rows = np.abs(jacobian).max(axis=(1, 2)) + np.abs(pi / pi[0]) * np.abs(swelling).max()
    assert_close(product, np.tensordot(w, jacobian, 1), 1e-14, floor=np.abs(w) @ rows)


def test_vertex_derivatives_are_the_papers() -> None:
    """Kwon's eq. 18, 21, 23, 24, 27, 28, summed over the faces at a vertex."""
    v, f = bumpy(np.random.default_rng(8), 1, (1.0, 2.0, -1.0))
    expected = np.zeros((10, *v.shape))
    for face in f:
        corners = v[face]
        s, det = corners.sum(axis=0), np.linalg.det(corners)
        pairs = [(i, j) for i in range(3) for j in range(i, 3)]
        g = sum(corners[i] * corners[j] for i, j in pairs)
        rr = sum(r(corners[i]) @ corners[j] for i, j in pairs)
        n = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        for i in range(3):
            vi, vj, vk = corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]
            dn, ddet = skew(vk - vj), np.cross(vj, vk)
            dg = np.diag(s + vi)
            into = expected[:, face[i]]
            into[0] += (n + s @ dn) / 18
            into[1:4] += (n[:, None] * dg + g[:, None] * dn) / 24
            into[4:7] += (np.ones((3, 3)) - np.eye(3)) @ (np.outer(g, ddet) + det * dg) / 60
            into[7:] -= (np.outer(rr, ddet) + det * r(vi + s)) / 120
    # far from the origin the paper's sums cancel
    assert_close(inertia.vertex_jacobian(v, f, 1.0), expected, 1e-13)


def r(v: np.ndarray) -> np.ndarray:
    x, y, z = v
    return np.array(((y, x, 0.0), (z, 0.0, x), (0.0, z, y)))


def skew(a: np.ndarray) -> np.ndarray:
    return np.array(((0.0, -a[2], a[1]), (a[2], 0.0, -a[0]), (-a[1], a[0], 0.0)))


def test_moving_all_vertices_moves_the_body(mesh: solids.Mesh) -> None:
    """The Jacobian along a rigid displacement of the vertices is the derivative of `transform`."""
    v, f = mesh
    J, pi = inertia.vertex_jacobian(v, f), inertia.from_mesh(v, f)
    eta = np.random.default_rng(9).normal(size=6)
    motion = np.cross(eta[:3], v) + eta[3:]
    used = np.isin(np.arange(len(v)), f)[:, None]
    assert_close(np.tensordot(J, motion * used, 2), inertia.transform_derivative(pi) @ eta, 1e-13)


def test_transform_derivative_by_complex_step() -> None:
    rng = np.random.default_rng(10)
    pi_bar = inertia.from_mesh(*bumpy(rng))
    T = random_pose(rng)

    def moved(eta: np.ndarray) -> np.ndarray:
        twist = np.zeros((4, 4), complex)
        twist[:3, :3], twist[:3, 3] = skew_complex(eta[:3]), eta[3:]
        return inertia.transform(pi_bar, (np.eye(4) + twist) @ T)  # exp to first order

    pi = inertia.transform(pi_bar, T)
    assert_close(inertia.transform_derivative(pi), complex_step(moved, np.zeros(6)), 1e-13)
    batch = inertia.transform_derivative(np.stack((pi, pi_bar)))
    assert batch.shape == (2, 10, 6)
    assert_close(batch[1], inertia.transform_derivative(pi_bar))


def skew_complex(a: np.ndarray) -> np.ndarray:
    out = np.zeros((3, 3), complex)
    out[(2, 0, 1), (1, 2, 0)], out[(1, 2, 0), (2, 0, 1)] = a, -a
    return out


def test_transform_derivative_is_equation_30() -> None:
    rng = np.random.default_rng(11)
    pi, eta = inertia.from_mesh(*bumpy(rng)), rng.normal(size=6)
    ad = np.block([[skew(eta[:3]), np.zeros((3, 3))], [skew(eta[3:]), skew(eta[:3])]])
    G = inertia.spatial_inertia(pi)
    expected = -ad.T @ G - G @ ad
    rate = inertia.transform_derivative(pi) @ eta
    assert_close(inertia.spatial_inertia(rate), expected, 1e-13)


def test_large_jacobian_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh_module, "LARGEST", 1000)
    with pytest.raises(ModelError, match="vertex_vjp"):
        inertia.vertex_jacobian(*box())


def test_memory_of_a_large_mesh() -> None:
    """At 10^6 faces this would be 1 GB; the limit here is in proportion."""
    v, f = ball(6)
    w = np.ones(10)
    tracemalloc.start()
    try:
        inertia.from_mesh(v, f)
        inertia.vertex_vjp(v, f, 1.0, w)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1e3 * len(f)


def test_benchmark_compares_and_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pinocchio", reason="the benchmarks import it")
    monkeypatch.syspath_prepend(str(PROJECT))
    section = import_module("benchmarks.sections.mesh")
    for kind in section.MESHES:
        (row,) = section._rows(kind, 20, 1)
        assert len(row.cells) == len(section.COLUMNS)
        assert len(row.verdicts) == 2
        v, f = section.MESHES[kind](20)
        assert inertia.examine(v, f).ok
    monkeypatch.setattr(section, "_plain", lambda v, f, w: (np.ones(10), v))
    with pytest.raises(AssertionError, match="mesh shared: pi"):
        section._rows("shared", 20, 1)
