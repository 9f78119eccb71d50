"""Dynamics of a single rigid body in several frames, and inertias, of A. Fakhari's lecture (2024).

The conventions are those of `papers.newton_euler`. `jounce.inertia` has the same for batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jounce.math.scalar import Array, array, identity, matrix, zeros
from jounce.math.spatial import ad, adjoint, dot, skew
from jounce.papers import equation
from jounce.papers.common import block_diagonal, solve

# ------------------------------------------------------------------ single rigid body


@equation("single body, body frame")
def body_moment_and_force(
    I_b: Array, m: Any, w_b: Array, v_b: Array, wd_b: Array, vd_b: Array
) -> tuple[Array, Array]:
    """Return m_b = I_b wd + [w] I_b w and f_b = m (vd + [w] v); frame {b} at the center of mass.

    vd_b is the time derivative of the components of v_b in {b}.
    """
    m_b = I_b @ wd_b + skew(w_b) @ (I_b @ w_b)
    f_b = m * (vd_b + skew(w_b) @ v_b)
    return m_b, f_b


@equation("principal axes")
def principal_axes_moment(moments: Sequence[Any], w_b: Array, wd_b: Array) -> Array:
    """Return Euler's equation with {b} along the principal axes; moments = (Ixx, Iyy, Izz)."""
    xx, yy, zz = moments
    x, y, z = w_b
    return array(
        (
            xx * wd_b[0] + (zz - yy) * y * z,
            yy * wd_b[1] + (xx - zz) * x * z,
            zz * wd_b[2] + (yy - xx) * x * y,
        )
    )


@equation("single body, world frame")
def world_moment_and_force(
    I_b: Array, m: Any, R_sb: Array, w_s: Array, wd_s: Array, pdd: Array
) -> tuple[Array, Array]:
    """Return m = I_s wd_s + [w_s] I_s w_s and f = m pdd, with I_s = R I_b R^T."""
    I_s = R_sb @ I_b @ R_sb.T
    return I_s @ wd_s + skew(w_s) @ (I_s @ w_s), m * pdd


@equation("bracket")
def bracket_matrix(V: Array) -> Array:
    """Return [ad_V] = [[ [w], 0 ], [ [v], [w] ]] (6 x 6) of a twist V = (w, v)."""
    w, v = skew(V[:3]), skew(V[3:])
    return np.concatenate((np.concatenate((w, zeros(3, 3)), 1), np.concatenate((v, w), 1)))


@equation("bracket")
def bracket(V_1: Array, V_2: Array) -> Array:
    """Return [ad_{V_1}] V_2, the Lie bracket of two twists, analogous to the cross product."""
    return bracket_matrix(V_1) @ V_2


@equation("twist-wrench")
def central_inertia(I_b: Array, m: Any) -> Array:
    """Return G_b = diag(I_b, m 1), the spatial inertia in a frame at the center of mass."""
    return block_diagonal((I_b, m * identity(3)))


@equation("twist-wrench")
def wrench(G: Array, V: Array, Vd: Array) -> Array:
    """Return F = G Vd - ad_V^T G V: the inverse dynamics of a rigid body."""
    return G @ Vd - ad(V).T @ (G @ V)


@equation("twist-wrench")
def acceleration(G: Array, V: Array, F: Array) -> Array:
    """Return Vd = G^-1 (F + ad_V^T G V): the forward dynamics of a rigid body."""
    return solve(G, F + ad(V).T @ (G @ V))


@equation("twist-wrench")
def body_kinetic_energy(G: Array, V: Array) -> Any:
    """Return K = 1/2 V^T G V."""
    return 0.5 * dot(V, G @ V)


@equation("other frame")
def inertia_in_frame(G_b: Array, R_ba: Array, p_ba: Array) -> Array:
    """G_a = Ad_{T_ba}^T G_b Ad_{T_ba}: the spatial inertia in a frame {a} fixed in the body."""
    Ad = adjoint(R_ba, p_ba)
    return Ad.T @ G_b @ Ad


@equation("other frame")
def wrench_in_frame(F_b: Array, R_ba: Array, p_ba: Array) -> Array:
    """Return F_a = Ad_{T_ba}^T F_b; the equation of motion has the same form in {a}."""
    return adjoint(R_ba, p_ba).T @ F_b


# ------------------------------------------------------------------ inertia matrices


@equation("inertia matrix")
def inertia_of(masses: Sequence[Any], points: Sequence[Array]) -> Array:
    """I_b = -int [r]^2 dm (3 x 3) of masses dm at points r, or of the nodes of a quadrature."""
    total = zeros(3, 3)
    for dm, r in zip(masses, points, strict=True):
        total = total - dm * (skew(r) @ skew(r))
    return total


@equation("inertia matrix")
def inertia_entries(masses: Sequence[Any], points: Sequence[Array]) -> Array:
    """Return I_b by entries: int y^2 + z^2 dm, ... on the diagonal, -int xy dm, ... off it."""
    total = zeros(3, 3)
    for dm, (x, y, z) in zip(masses, points, strict=True):
        squares = ((y * y + z * z, -x * y, -x * z), (-x * y, x * x + z * z, -y * z))
        total = total + dm * matrix((*squares, (-x * z, -y * z, x * x + y * y)))
    return total


@equation("inertia matrix")
def rotational_energy(I_b: Array, w_b: Array) -> Any:
    """Return K = 1/2 w_b^T I_b w_b."""
    return 0.5 * dot(w_b, I_b @ w_b)


@equation("diagonalization")
def principal_axes(I_b: Array) -> tuple[Array, Array]:
    """Return principal moments (3), ascending, and axes R_bc (3 x 3) as right-handed columns.

    The eigenvalues and eigenvectors of I_b: `rotated_inertia(I_b, R_bc)` is diagonal. Floats only.
    """
    moments, axes = np.linalg.eigh(I_b.astype(float))
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return array(moments.tolist()), array(axes.ravel().tolist()).reshape(3, 3)


@equation("rotated inertia")
def rotated_inertia(I_b: Array, R_bc: Array) -> Array:
    """Return I_c = R_bc^T I_b R_bc: the same inertia along the axes of {c}."""
    return R_bc.T @ I_b @ R_bc


@equation("steiner")
def steiner(I_b: Array, m: Any, q: Array) -> Array:
    """Return I_q = I_b + m (q^T q 1 - q q^T), q from the center of mass, I_b about it."""
    return I_b + m * (dot(q, q) * identity(3) - np.outer(q, q))


@equation("box")
def box_inertia(m: Any, length: Any, width: Any, height: Any) -> Array:
    """Return the inertia of a solid box with edges along (x, y, z), about its center."""
    ll, ww, hh = length * length, width * width, height * height
    return _diagonal((m * (ww + hh) / 12, m * (ll + hh) / 12, m * (ll + ww) / 12))


@equation("cylinder")
def cylinder_inertia(m: Any, radius: Any, height: Any) -> Array:
    """Return the inertia of a solid cylinder with axis z, about its center."""
    rr, hh = radius * radius, height * height
    across = m * (3 * rr + hh) / 12
    return _diagonal((across, across, m * rr / 2))


@equation("ellipsoid")
def ellipsoid_inertia(m: Any, a: Any, b: Any, c: Any) -> Array:
    """Return the inertia of a solid ellipsoid with semi-axes along (x, y, z), about its center."""
    aa, bb, cc = a * a, b * b, c * c
    return _diagonal((m * (bb + cc) / 5, m * (aa + cc) / 5, m * (aa + bb) / 5))


class Solid(NamedTuple):
    """Part of a compound body: mass, center of mass, inertia about it, and orientation."""

    m: Any
    center: Array
    inertia: Array
    R: Array | None = None


@equation("compound body")
def compound(parts: Sequence[Solid]) -> Solid:
    """Return mass, center of mass and inertia about it: sum R_i I_i R_i^T + m_i [d_i]^T [d_i]."""
    m, moment, total = 0.0, zeros(3), zeros(3, 3)
    for part in parts:
        m, moment = m + part.m, moment + part.m * part.center
    center = array(x / m for x in moment)
    for part in parts:
        along_axes = part.inertia if part.R is None else rotated_inertia(part.inertia, part.R.T)
        total = total + steiner(along_axes, part.m, center - part.center)
    return Solid(m, center, total)


@equation("compound body")
def cylinder_and_prism(
    cylinder: tuple[Any, Any], prism: tuple[Any, Any, Any], distance: Any
) -> Solid:
    """Return the lecture's example: a cylinder of 2 kg and a prism of 1 kg next to it along x.

    cylinder: radius and height along z; prism: length along x, width and height; distance: from
    the center of the cylinder, where {a} is, to that of the prism. The figure with the lengths is
    lost.
    """
    center = array((distance, 0.0, 0.0))
    parts = (
        Solid(2.0, zeros(3), cylinder_inertia(2.0, *cylinder)),
        Solid(1.0, center, box_inertia(1.0, *prism)),
    )
    return compound(parts)


def _diagonal(entries: Sequence[Any]) -> Array:
    x, y, z = entries
    return matrix(((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))
