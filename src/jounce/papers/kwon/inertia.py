"""5: the inertia of a body that is moved in its frame, and its derivative.

phi = (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz), I about the frame's origin. The displacement T moves the
body's points (a motor on a link, say); [delta eta] = delta T T^-1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.math.scalar import Array, identity, matrix, zeros
from jounce.math.spatial import ad, adjoint_inverse, inertia_matrix, skew, spatial_inertia
from jounce.papers import equation


@equation("29")
def transformed_inertia(G: Array, R: Array, p: Array) -> Array:
    """Return Ad_T^-T G Ad_T^-1 (6 x 6): the inertia of the body moved by T = (R, p)."""
    Ad_inverse = adjoint_inverse(R, p)
    return Ad_inverse.T @ G @ Ad_inverse


@equation("30")
def inertia_change(G: Array, eta: Array) -> Array:
    """Return delta G = -ad_eta^T G - G ad_eta (6 x 6), for the displacement eta = (omega, v)."""
    return -(ad(eta).T @ G) - G @ ad(eta)


@equation("31")
def inertia_change_blocks(phi: Array, eta: Array) -> Array:
    """[[w~, v~], [0, w~]] G - G [[w~, 0], [v~, w~]] (6 x 6): (30) with its brackets written out."""
    w, v = skew(eta[:3]), skew(eta[3:])
    left, right, G = zeros(6, 6), zeros(6, 6), spatial_inertia(phi)
    left[:3, :3] = left[3:, 3:] = right[:3, :3] = right[3:, 3:] = w
    left[:3, 3:] = right[3:, :3] = v
    return left @ G - G @ right


@equation("32")
def rotational_inertia_change(phi: Array, eta: Array) -> Array:
    """Return delta I = w~ I - I w~ - v~ h~ - h~ v~ (3 x 3)."""
    w, v, h, I = skew(eta[:3]), skew(eta[3:]), skew(phi[1:4]), inertia_matrix(phi)
    return w @ I - I @ w - v @ h - h @ v


@equation("33")
def first_moment_change(phi: Array, eta: Array) -> Array:
    """Return delta h = -h~ w + m v (3)."""
    return -(skew(phi[1:4]) @ eta[:3]) + phi[0] * eta[3:]


@equation("34")
def mass_change(phi: Array, eta: Array) -> Any:
    """Return delta m = 0."""
    return 0.0


@equation("32", "33", "34")
def parameters_deta(phi: Array) -> Array:
    """Return dphi/deta (10 x 6), rows in the order of phi."""
    m, h, (xx, yy, zz, xy, xz, yz) = phi[0], phi[1:4], phi[4:]
    diagonal_w = matrix(((0.0, xz, -xy), (-yz, 0.0, xy), (yz, -xz, 0.0)))
    diagonal_v = matrix(((0.0, h[1], h[2]), (h[0], 0.0, h[2]), (h[0], h[1], 0.0)))
    off_w = matrix(((-xz, yz, xx - yy), (xy, zz - xx, -yz), (yy - zz, -xy, xz)))
    off_v = matrix(((h[1], h[0], 0.0), (h[2], 0.0, h[0]), (0.0, h[2], h[1])))
    rows = (
        np.concatenate((-skew(h), m * identity(3)), axis=1),
        np.concatenate((2.0 * diagonal_w, 2.0 * diagonal_v), axis=1),
        np.concatenate((off_w, -off_v), axis=1),
    )
    return np.concatenate((zeros(1, 6), *rows))
