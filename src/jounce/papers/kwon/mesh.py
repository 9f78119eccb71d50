"""4: mass, center and inertia of a solid from its surface mesh, and their vertex derivatives.

vertices (V x 3, any scalar), faces (F x 3 indices, counter-clockwise seen from outside), density in
kg/m^3. The mesh must be closed; everything is about the origin of the mesh's frame. These are the
plain loops of the note.

Corrected: (18), (21), (23) and (27) sum over all faces and all three of their vertices, which is
the derivative for moving the whole mesh. The derivative in a vertex is the sum over the faces that
contain it, i being its place in each: `_accumulate`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.math.scalar import Array, identity, matrix, zeros
from jounce.math.spatial import cross, dot, skew
from jounce.papers import equation

Face = tuple[Array, Array, Array]


def face_corners(vertices: Array, faces: Any) -> list[Face]:
    """Return the corners (v1, v2, v3) of every face."""
    vertices, faces = np.asarray(vertices), np.asarray(faces)
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise ValueError(f"vertices: expected shape (V, 3), found {vertices.shape}")
    if faces.ndim != 2 or faces.shape[1] != 3 or not np.issubdtype(faces.dtype, np.integer):
        raise ValueError(
            f"faces: expected integers of shape (F, 3), found {faces.dtype} of {faces.shape}"
        )
    if faces.size and not (faces.min() >= 0 and faces.max() < len(vertices)):
        raise ValueError(
            f"faces: expected indices from 0 to {len(vertices) - 1}, found {faces.min()} to"
            f" {faces.max()}"
        )
    return [(vertices[a], vertices[b], vertices[c]) for a, b, c in faces]


def cyclic(face: Face, i: int) -> Face:
    """Return (v_i, v_j, v_k), the cyclic permutation that starts at corner i."""
    return face[i], face[(i + 1) % 3], face[(i + 2) % 3]


def _accumulate(
    vertices: Array, faces: Any, share: Callable[[Face, int], Array], rows: int
) -> Array:
    """Sum share(face, i) (rows x 3) over the faces around every vertex (rows x V x 3)."""
    out = zeros(rows, len(vertices), 3)
    for corners, indices in zip(face_corners(vertices, faces), np.asarray(faces), strict=True):
        for i, vertex in enumerate(indices):
            out[:, vertex] = out[:, vertex] + share(corners, i)
    return out


# ------------------------------------------------------------------ faces


@equation("15")
def face_normal(face: Face) -> Array:
    """Return n_F = (v_j - v_i) x (v_k - v_i), outwards, twice the area long."""
    v_i, v_j, v_k = face
    return cross(v_j - v_i, v_k - v_i)


@equation("15")
def face_determinant(face: Face) -> Any:
    """det(F) = det [v_i v_j v_k]: six times the volume of the tetrahedron with the origin."""
    v_i, v_j, v_k = face
    return dot(v_i, cross(v_j, v_k))


@equation("16")
def face_normal_dv(face: Face, i: int) -> Array:
    """Return dn_F/dv_i = [v_k - v_j] (3 x 3)."""
    _, v_j, v_k = cyclic(face, i)
    return skew(v_k - v_j)


@equation("16")
def face_determinant_dv(face: Face, i: int) -> Array:
    """Return ddet(F)/dv_i = v_j^T [v_k] (3)."""
    _, v_j, v_k = cyclic(face, i)
    return v_j @ skew(v_k)


def _sum(face: Face) -> Array:
    return face[0] + face[1] + face[2]


_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@equation("19")
def face_squares(face: Face) -> Array:
    """Return g(F) = sum over i <= j of v_i o v_j (3)."""
    out = zeros(3)
    for i, j in _PAIRS:
        out = out + face[i] * face[j]
    return out


@equation("19")
def face_squares_dv(face: Face, i: int) -> Array:
    """Return dg(F)/dv_i = diag(v_1 + v_2 + v_3 + v_i) (3 x 3)."""
    return identity(3) * (_sum(face) + face[i])


@equation("26")
def product_matrix(v: Array) -> Array:
    """r(v) = [[y, x, 0], [z, 0, x], [0, z, y]]: r(v) u holds the products xy, xz, yz of v and u."""
    x, y, z = v
    return matrix(((y, x, 0.0), (z, 0.0, x), (0.0, z, y)))


def face_mixed_products(face: Face) -> Array:
    """Return the sum over i <= j of r(v_i) v_j (3)."""
    out = zeros(3)
    for i, j in _PAIRS:
        out = out + product_matrix(face[i]) @ face[j]
    return out


# ------------------------------------------------------------------ mass


@equation("17")
def mass(vertices: Array, faces: Any, density: Any) -> Any:
    """Return m = mu/18 sum (v_1 + v_2 + v_3)^T n_F."""
    total: Any = 0.0
    for face in face_corners(vertices, faces):
        total = total + dot(_sum(face), face_normal(face))
    return density / 18.0 * total


@equation("18")
def mass_dv(vertices: Array, faces: Any, density: Any) -> Array:
    """dm/dv (V x 3): mu/18 (n_F^T + (v_1 + v_2 + v_3)^T dn_F/dv_i) of the faces at each vertex."""

    def share(face: Face, i: int) -> Array:
        return face_normal(face) + _sum(face) @ face_normal_dv(face, i)

    return density / 18.0 * _accumulate(vertices, faces, share, 1)[0]


# ------------------------------------------------------------------ first moment


@equation("20")
def first_moment(vertices: Array, faces: Any, density: Any) -> Array:
    """Return h = mu/24 sum g(F) o n_F (3)."""
    total = zeros(3)
    for face in face_corners(vertices, faces):
        total = total + face_squares(face) * face_normal(face)
    return density / 24.0 * total


@equation("21")
def first_moment_dv(vertices: Array, faces: Any, density: Any) -> Array:
    """Return dh/dv (3 x V x 3): mu/24 (n_F (.) dg/dv_i + g (.) dn_F/dv_i), (.) multiplying rows."""

    def share(face: Face, i: int) -> Array:
        squares = face_normal(face)[:, None] * face_squares_dv(face, i)
        return squares + face_squares(face)[:, None] * face_normal_dv(face, i)

    return density / 24.0 * _accumulate(vertices, faces, share, 3)


# ------------------------------------------------------------------ inertia


#: 1 1^T - I: from the squares to the moments of inertia.
_OTHERS = matrix(((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)))


@equation("22")
def diagonal_inertia(vertices: Array, faces: Any, density: Any) -> Array:
    """Return (Ixx, Iyy, Izz) = mu/60 sum det(F) (1 1^T - I) g(F), about the origin."""
    total = zeros(3)
    for face in face_corners(vertices, faces):
        total = total + face_determinant(face) * face_squares(face)
    return density / 60.0 * (_OTHERS @ total)


@equation("24")
def face_diagonal_dv(face: Face, i: int) -> Array:
    """Return g(F) ddet(F)/dv_i + det(F) dg(F)/dv_i (3 x 3)."""
    turned = np.outer(face_squares(face), face_determinant_dv(face, i))
    return turned + face_determinant(face) * face_squares_dv(face, i)


@equation("23")
def diagonal_inertia_dv(vertices: Array, faces: Any, density: Any) -> Array:
    """Return d(Ixx, Iyy, Izz)/dv (3 x V x 3): mu/60 (1 1^T - I) times (24)."""

    def share(face: Face, i: int) -> Array:
        return _OTHERS @ face_diagonal_dv(face, i)

    return density / 60.0 * _accumulate(vertices, faces, share, 3)


@equation("25")
def off_diagonal_inertia(vertices: Array, faces: Any, density: Any) -> Array:
    """(Ixy, Ixz, Iyz) = -mu/120 sum det(F) sum over i <= j of r(v_i) v_j, entries of the matrix."""
    total = zeros(3)
    for face in face_corners(vertices, faces):
        total = total + face_determinant(face) * face_mixed_products(face)
    return -density / 120.0 * total


@equation("28")
def face_off_diagonal_dv(face: Face, i: int) -> Array:
    """Return (sum r(v_i) v_j) ddet(F)/dv_i + det(F) r(v_i + v_1 + v_2 + v_3) (3 x 3)."""
    turned = np.outer(face_mixed_products(face), face_determinant_dv(face, i))
    return turned + face_determinant(face) * product_matrix(face[i] + _sum(face))


@equation("27")
def off_diagonal_inertia_dv(vertices: Array, faces: Any, density: Any) -> Array:
    """Return d(Ixy, Ixz, Iyz)/dv (3 x V x 3): -mu/120 times (28)."""
    return -density / 120.0 * _accumulate(vertices, faces, face_off_diagonal_dv, 3)


# ------------------------------------------------------------------ all ten


@equation("17", "20", "22", "25")
def mesh_parameters(vertices: Array, faces: Any, density: Any) -> Array:
    """Return phi = (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) (10) of the solid."""
    solid = vertices, faces, density
    m, h = mass(*solid), first_moment(*solid)
    return np.concatenate(([m], h, diagonal_inertia(*solid), off_diagonal_inertia(*solid)))


@equation("18", "21", "23", "27")
def mesh_parameters_dv(vertices: Array, faces: Any, density: Any) -> Array:
    """Return dphi/dv (10 x V x 3)."""
    solid = vertices, faces, density
    m, h = mass_dv(*solid), first_moment_dv(*solid)
    I = diagonal_inertia_dv(*solid), off_diagonal_inertia_dv(*solid)
    return np.concatenate((m[None], h, *I))
