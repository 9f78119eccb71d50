"""Kwon's mesh inertia, (15) to (28), and displaced inertia, (29) to (34).

The truth: an analytic box, tetrahedra with a quadrature that is exact for quadratics, clouds of
points, and complex steps in every coordinate.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.formulas import dynamics
from jounce.math.lie import exp_so3
from jounce.math.scalar import identity, zeros
from jounce.math.spatial import parameters_from, skew, spatial_inertia
from jounce.model.inertia.mesh import integrals as fast_mesh
from jounce.model.tree import lower, moved_inertia
from jounce.papers import garofalo2013, kwon, rigid_body
from support.helpers import STEP, close, objects, quiet_read, slope
from support.robots import random_inertia, random_state

# ------------------------------------------------------------------ meshes


def box_mesh(size: Any, center: Any) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return objects(corners * np.asarray(size) + np.asarray(center)), np.array(faces)


def icosahedron(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A lumpy icosahedron, not about the origin."""
    spatial = pytest.importorskip("scipy.spatial")
    g = (1 + 5**0.5) / 2
    points = [(0, s, t * g) for s in (-1, 1) for t in (-1, 1)]
    corners = np.array([np.roll(p, k) for p in points for k in range(3)])
    faces = spatial.ConvexHull(corners).simplices
    a, b, c = (corners[faces[:, k]] for k in range(3))
    inward = np.einsum("fi,fi->f", np.cross(b - a, c - a), a) < 0
    faces[inward] = faces[inward][:, ::-1]
    return objects(corners + rng.uniform(-0.3, 0.3, corners.shape) + (0.4, -0.2, 0.7)), faces


def by_tetrahedra(vertices: np.ndarray, faces: np.ndarray, density: float) -> np.ndarray:
    """phi from signed tetrahedra with the origin and a rule that is exact for quadratics."""
    alpha, beta = (5 + 3 * 5**0.5) / 20, (5 - 5**0.5) / 20
    phi = np.zeros(10)
    for face in np.asarray(vertices)[faces].astype(float):
        corners = np.vstack((np.zeros(3), face))
        volume = np.linalg.det(face) / 6
        for k in range(4):
            x = (beta + (alpha - beta) * (np.arange(4) == k)) @ corners
            about = x @ x * np.eye(3) - np.outer(x, x)
            phi += volume / 4 * parameters_from(1.0, x, about).astype(float)
    return density * phi


MESHES = {
    "box": lambda: box_mesh((0.4, 0.7, 1.1), (0.3, -0.5, 0.2)),
    "icosahedron": lambda: icosahedron(np.random.default_rng(37)),
}
DENSITY = 780.0


@pytest.fixture(params=list(MESHES))
def solid(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    return MESHES[request.param]()


def test_box() -> None:
    """The box of the lecture, moved from its centre by Steiner's rule."""
    size, center = (0.4, 0.7, 1.1), np.array((0.3, -0.5, 0.2))
    m = DENSITY * np.prod(size)
    about = rigid_body.steiner(rigid_body.box_inertia(m, *size), m, objects(center))
    expected = parameters_from(m, m * center, about)
    close(kwon.mesh_parameters(*box_mesh(size, center), DENSITY), expected)


def test_mesh_by_tetrahedra(solid: Any) -> None:
    expected = by_tetrahedra(*solid, DENSITY)
    close(kwon.mesh_parameters(*solid, DENSITY), expected)
    vertices, faces = solid
    close(kwon.mesh_parameters(vertices, faces[:, ::-1], DENSITY), -expected, "turned inside out")
    close(kwon.mass(*solid, DENSITY), expected[0], "(17)")


def test_vertex_derivatives(solid: Any) -> None:
    """(18), (21), (23), (27) by complex step of (17), (20), (22), (25) in every coordinate."""
    vertices, faces = solid
    found = kwon.mesh_parameters_dv(vertices, faces, DENSITY)
    assert found.shape == (10, len(vertices), 3)
    for p in range(len(vertices)):
        for c in range(3):
            moved = vertices.copy()
            moved[p, c] = moved[p, c] + 1j * STEP
            step = slope(kwon.mesh_parameters(moved, faces, DENSITY))
            close(found[:, p, c], step, f"vertex {p}, {'xyz'[c]}")


def test_face_derivatives() -> None:
    """(15), (16), (19), (24), (28) of one face."""
    rng = np.random.default_rng(38)
    face = tuple(objects(rng.normal(size=3)) for _ in range(3))

    def diagonal(f: Any) -> Any:
        return kwon.face_determinant(f) * kwon.face_squares(f)

    def off(f: Any) -> Any:
        return kwon.face_determinant(f) * kwon.face_mixed_products(f)

    pairs = [
        (kwon.face_normal, kwon.face_normal_dv, "(16), n"),
        (kwon.face_determinant, kwon.face_determinant_dv, "(16), det"),
        (kwon.face_squares, kwon.face_squares_dv, "(19)"),
        (diagonal, kwon.face_diagonal_dv, "(24)"),
        (off, kwon.face_off_diagonal_dv, "(28)"),
    ]
    for value, derivative, what in pairs:
        for i in range(3):
            steps = []
            for e in identity(3):
                moved = [v + 1j * STEP * e if k == i else v for k, v in enumerate(face)]
                steps.append(slope(value(tuple(moved))))
            close(derivative(face, i), np.stack(steps, -1), what)
    turned = face[1], face[2], face[0]
    close(kwon.face_normal(face), kwon.face_normal(turned), "(15), cyclic")
    close(kwon.face_determinant(face), kwon.face_determinant(turned), "(15), cyclic")
    x = objects(rng.normal(size=3))
    close(kwon.product_matrix(x) @ x / 2, (x[0] * x[1], x[0] * x[2], x[1] * x[2]), "(26)")


def test_moving_the_whole_mesh(solid: Any) -> None:
    """The sum over all vertices, which the note prints, moves the solid: (32) to (34)."""
    phi, dv = kwon.mesh_parameters(*solid, DENSITY), kwon.mesh_parameters_dv(*solid, DENSITY)
    close(dv.sum(axis=1), kwon.parameters_deta(phi)[:, 3:], "translations")
    turning = zeros(10, 3)
    for p, vertex in enumerate(solid[0]):
        turning = turning - dv[:, p] @ skew(vertex)
    close(turning, kwon.parameters_deta(phi)[:, :3], "rotations")


def test_mesh_and_the_fast_form(solid: Any) -> None:
    vertices, faces = solid[0].astype(float), solid[1]
    phi = fast_mesh.from_mesh(vertices, faces, DENSITY)
    close(kwon.mesh_parameters(*solid, DENSITY), phi)
    jacobian = fast_mesh.vertex_jacobian(vertices, faces, DENSITY)
    close(kwon.mesh_parameters_dv(*solid, DENSITY), jacobian)
    close(kwon.parameters_deta(objects(phi)), fast_mesh.transform_derivative(phi))


def test_torque_by_vertices() -> None:
    """dtau/dvertex = Y_k dphi/dvertex: a mesh as the last link of an arm."""
    vertices, faces = MESHES["icosahedron"]()
    model = quiet_read("iiwa14_mueller_kumar2021")
    tree = lower(model)
    q, v, a = (objects(x) for x in random_state(model, np.random.default_rng(39)))

    def tau(vertices: np.ndarray) -> np.ndarray:
        node = tree.nodes[-1]
        phi = kwon.mesh_parameters(vertices, faces, 1.0)
        last = replace(node, inertia=moved_inertia(phi, node.R_user, node.p_user))
        return dynamics.inverse_dynamics(replace(tree, nodes=(*tree.nodes[:-1], last)), q, v, a)

    Y = garofalo2013.regressor(tree, q, v, a) @ garofalo2013.frame_map(tree)
    found = np.tensordot(Y[:, -10:], kwon.mesh_parameters_dv(vertices, faces, 1.0), (1, 0))
    for p in (0, 5, 11):
        for c in range(3):
            moved = vertices.copy()
            moved[p, c] = moved[p, c] + 1j * STEP
            close(found[:, p, c], slope(tau(moved)), f"vertex {p}, {'xyz'[c]}")


def test_bad_meshes_are_refused() -> None:
    vertices, faces = MESHES["box"]()
    with pytest.raises(ValueError, match=r"vertices: expected shape \(V, 3\), found \(8, 2\)"):
        kwon.mesh_parameters(vertices[:, :2], faces, 1.0)
    with pytest.raises(ValueError, match=r"faces: expected integers of shape \(F, 3\)"):
        kwon.mesh_parameters(vertices, faces.astype(float), 1.0)
    with pytest.raises(ValueError, match="faces: expected indices from 0 to 6, found 0 to 7"):
        kwon.mesh_parameters_dv(vertices[:7], faces, 1.0)


# ------------------------------------------------------------------ displaced inertia


def test_displaced_inertia() -> None:
    """(29) to (34), in every form."""
    rng = np.random.default_rng(40)
    phi, eta = objects(random_inertia(rng)), objects(rng.normal(size=6))
    G = spatial_inertia(phi)
    R, p = kwon.exponential(eta)
    moved = spatial_inertia(moved_inertia(phi, R, p))
    close(kwon.transformed_inertia(G, R, p), moved, "(29)")
    step = slope(kwon.transformed_inertia(G, *kwon.exponential(1j * STEP * eta)))
    close(kwon.inertia_change(G, eta), step, "(30)")
    close(kwon.inertia_change_blocks(phi, eta), step, "(31)")
    close(kwon.rotational_inertia_change(phi, eta), step[:3, :3], "(32)")
    dh = kwon.first_moment_change(phi, eta)
    close(skew(dh), step[:3, 3:], "(33)")
    close(kwon.mass_change(phi, eta), step[3, 3], "(34)")
    change = parameters_from(kwon.mass_change(phi, eta), dh, step[:3, :3])
    close(kwon.parameters_deta(phi) @ eta, change, "10 x 6")


def test_inertia_of_points() -> None:
    """(29) is the inertia of the body whose points the displacement maps."""
    rng = np.random.default_rng(41)
    points, masses = rng.normal(size=(5, 3)), rng.uniform(0.5, 1.0, 5)
    R, p = exp_so3(objects((0.0, 0.6, 0.8)), 0.7).astype(float), np.array((0.3, -0.1, 0.2))

    def inertia(points: np.ndarray) -> np.ndarray:
        second = (points.T * masses) @ points
        about = np.trace(second) * np.eye(3) - second
        return parameters_from(masses.sum(), masses @ points, about)

    G = spatial_inertia(inertia(points))
    expected = spatial_inertia(inertia(points @ R.T + p))
    close(kwon.transformed_inertia(G, objects(R), objects(p)), expected)
