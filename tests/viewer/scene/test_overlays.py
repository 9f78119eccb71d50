"""Arrows, arcs and ellipsoids that are drawn over robots: where they are, which way they face."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.model import inertia
from jounce.viewer.scene import overlays, shapes

pytestmark = pytest.mark.shown


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def test_arrows_go_from_their_starts_to_their_ends() -> None:
    rng = np.random.default_rng(0)
    starts, vectors = rng.normal(size=(2, 5, 3))
    vertices = overlays.arrows(starts, vectors, 0.01).reshape(5, -1, 3)
    for own, start, vector in zip(vertices, starts, vectors, strict=True):
        along = (own - start) @ vector / (vector @ vector)
        assert np.isclose(along.min(), 0.0)
        assert np.isclose(along.max(), 1.0)
        tip = own[np.argmax(along)]
        assert np.allclose(tip, start + vector)
        across = np.linalg.norm(own - start - np.outer(along, vector), axis=1)
        assert across.max() <= 0.01 * overlays.HEAD + 1e-12


def test_triangles_of_arrows_face_outward_whichever_way_they_point() -> None:
    vectors = np.concatenate((np.eye(3), -np.eye(3)))
    faces = overlays.arrow_faces(1)
    for vector in vectors:
        vertices = overlays.arrows(np.zeros((1, 3)), vector[None], 0.05)
        assert volume(vertices, faces) > 0.5 * np.pi * 0.05**2
    whole = overlays.arrows(np.zeros((6, 3)), vectors, 0.05)
    assert len(overlays.arrow_faces(6)) == 6 * len(faces)
    assert overlays.arrow_faces(6).max() == len(whole) - 1


def test_an_arrow_without_length_is_a_point() -> None:
    vertices = overlays.arrows(np.ones((1, 3)), np.zeros((1, 3)), 0.01)
    assert np.array_equal(vertices, np.ones_like(vertices))


@pytest.mark.parametrize("angle", [2.0, -2.0])
def test_arcs_turn_about_their_axis_by_their_angle(angle: float) -> None:
    center, axis = np.array((0.3, -0.2, 0.5)), np.array((1.0, 2.0, -1.0)) / np.sqrt(6.0)
    vertices = overlays.arcs(center[None], axis[None], np.array((angle,)), 0.4, 0.01)
    assert volume(vertices - center, overlays.arc_faces(1)) > 0.0
    x, y, z = (v[0] for v in shapes.frames_along(axis[None]))
    assert np.allclose(z, axis)
    assert np.allclose(np.cross(x, y), z)
    turns = np.arctan2((vertices - center) @ y, (vertices - center) @ x)
    reached = turns[np.argmax(np.abs(turns))]
    assert np.isclose(reached, angle, atol=1e-9)
    away = np.linalg.norm(vertices - center, axis=1)
    assert np.all(np.abs(away - 0.4) <= 0.01 * overlays.HEAD + 1e-9)


def test_an_ellipsoid_has_the_inertia_it_stands_for() -> None:
    half = np.array((0.3, 0.2, 0.1))
    R = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    R *= np.sign(np.linalg.det(R))
    own = inertia.from_com(2.0, np.zeros(3), np.diag(0.4 * (np.sum(half**2) - half**2)))
    pi = inertia.translate(inertia.rotate(own, R), np.array((0.1, 0.2, 0.3)))
    found = overlays.uniform_ellipsoid(pi)
    assert found is not None
    assert np.allclose(np.sort(found.radii), np.sort(half))
    long = found.pose[:3, np.argmax(found.radii)]
    assert np.isclose(abs(long @ R[:, 0]), 1.0)
    assert np.allclose(np.abs(found.pose[:3, 3]), np.abs(inertia.com(pi)))
    assert overlays.uniform_ellipsoid(np.zeros(10)) is None


def test_the_image_of_a_ball_has_singular_values_as_half_axes() -> None:
    A = np.random.default_rng(2).normal(size=(3, 7))
    ball, faces = overlays.ball()
    image = overlays.image_of_ball(A, ball)
    U, s, _ = np.linalg.svd(A)
    assert np.allclose(np.linalg.norm((image @ U) / s[:3], axis=1), 1.0)
    assert volume(image, faces) > 0.0
    flat = overlays.image_of_ball(A[:, :1], ball)  # one velocity: a rod
    assert np.allclose(np.cross(flat, A[:, 0]), 0.0)
