"""Vectors, twists, wrenches, inertias and poses on object arrays (any scalar type).

Conventions: a twist is (omega, v), a wrench is (moment, force), both length 6. Inertial parameters
are (m, hx, hy, hz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) with h = m c and I about the frame's origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.math.scalar import Array, array, identity, is_zero, matrix, zeros

#: Row and column of the six inertia entries of a parameter vector, in its order.
INERTIA_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def cross(a: Array, b: Array) -> Array:
    """Return the cross product of two 3-vectors."""
    return array(
        (
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        )
    )


def skew(a: Array) -> Array:
    """Return the skew-symmetric matrix a~ with a~ b = a x b."""
    return matrix(((0.0, -a[2], a[1]), (a[2], 0.0, -a[0]), (-a[1], a[0], 0.0)))


def trace_complement(A: Array) -> Array:
    """Return tr(A) 1 - A; w~ A + A^T w~ is the skew matrix of its product with w."""
    out = -A
    for i in range(3):
        out[i, i] = A[(i + 1) % 3, (i + 1) % 3] + A[(i + 2) % 3, (i + 2) % 3]
    return out


def dot(a: Sequence[Any] | Array, b: Sequence[Any] | Array) -> Any:
    """Return the sum of products, skipping structural zeros."""
    total: Any = 0.0
    for x, y in zip(a, b, strict=True):
        if not (is_zero(x) or is_zero(y)):
            total = total + x * y
    return total


def stack(top: Array, bottom: Array) -> Array:
    """Concatenate two 3-vectors (or blocks of rows)."""
    return np.concatenate((top, bottom))


def ad(V: Array) -> Array:
    """Return the Lie bracket matrix of a twist: ad_V W = [V, W].

    Parameters
    ----------
    V : ndarray of shape (6,)
        Twist (omega, v).

    Returns
    -------
    ndarray of shape (6, 6)
        [[omega~, 0], [v~, omega~]].
    """
    out = zeros(6, 6)
    out[:3, :3] = out[3:, 3:] = skew(V[:3])
    out[3:, :3] = skew(V[3:])
    return out


def adstar(F: Array) -> Array:
    """Return the matrix (6, 6) with ad_A^T F = adstar_F A for every twist A."""
    out = zeros(6, 6)
    out[:3, :3] = skew(F[:3])
    out[:3, 3:] = out[3:, :3] = skew(F[3:])
    return out


def bracket(V: Array, W: Array) -> Array:
    """Return ad_V W without forming the matrix."""
    return stack(cross(V[:3], W[:3]), cross(V[:3], W[3:]) + cross(V[3:], W[:3]))


def dual_bracket(V: Array, F: Array) -> Array:
    """Return ad_V^T F = adstar_F V without forming the matrix."""
    return stack(cross(F[:3], V[:3]) + cross(F[3:], V[3:]), cross(F[3:], V[:3]))


def adjoint(R: Array, p: Array) -> Array:
    """Return Ad (6, 6) of the pose (R, p): transforms twists from the moved to the fixed frame."""
    out = zeros(6, 6)
    out[:3, :3] = out[3:, 3:] = R
    out[3:, :3] = skew(p) @ R
    return out


def adjoint_inverse(R: Array, p: Array) -> Array:
    """Return the inverse of `adjoint(R, p)`.

    Parameters
    ----------
    R : ndarray of shape (3, 3)
        Rotation matrix of the moved frame.
    p : ndarray of shape (3,)
        Origin of the moved frame.

    Returns
    -------
    ndarray of shape (6, 6)
        Transforms twists from the fixed to the moved frame.
    """
    return adjoint(R.T, -(R.T @ p))


def motion_to_frame(R: Array, p: Array, V: Array) -> Array:
    """Transform a twist from a frame of pose (R, p) to the reference frame of the pose: Ad V."""
    w = R @ V[:3]
    return stack(w, R @ V[3:] + cross(p, w))


def force_to_frame(R: Array, p: Array, F: Array) -> Array:
    """Transform a wrench from a frame of pose (R, p) to the pose's reference frame: Ad^-T F."""
    force = R @ F[3:]
    return stack(R @ F[:3] + cross(p, force), force)


def acceleration_field(w: Array, dw: Array) -> Array:
    """Return B = dw~ + w~ w~: points r of the body accelerate with B r relative to the origin."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return matrix(
        (
            (-(yy + zz), xy - dw[2], xz + dw[1]),
            (xy + dw[2], -(xx + zz), yz - dw[0]),
            (xz - dw[1], yz + dw[0], -(xx + yy)),
        )
    )


def inertia_matrix(parameters: Array) -> Array:
    """Return the rotational inertia of a body about the origin of its frame.

    Parameters
    ----------
    parameters : ndarray of shape (10,)
        Inertial parameters (m, hx, hy, hz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz).

    Returns
    -------
    ndarray of shape (3, 3)
        Inertia (kg m^2).
    """
    xx, yy, zz, xy, xz, yz = parameters[4:]
    return matrix(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def spatial_inertia(parameters: Array) -> Array:
    """Return the spatial inertia G = [[I, h~], [-h~, m 1]] of a body.

    Parameters
    ----------
    parameters : ndarray of shape (10,)
        Inertial parameters (m, hx, hy, hz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz).

    Returns
    -------
    ndarray of shape (6, 6)
        Inertia, rotation first.
    """
    out = zeros(6, 6)
    h = skew(parameters[1:4])
    out[:3, :3] = inertia_matrix(parameters)
    out[:3, 3:] = h
    out[3:, :3] = -h
    out[3:, 3:] = parameters[0] * identity(3)
    return out


def momentum(parameters: Array, V: Array) -> Array:
    """Return the momentum G V of a body from its ten inertial parameters and its twist."""
    h = parameters[1:4]
    angular = inertia_matrix(parameters) @ V[:3] + cross(h, V[3:])
    return stack(angular, parameters[0] * V[3:] + cross(V[:3], h))


def parameters_from(mass: Any, h: Array, inertia: Array) -> Array:
    """Return the ten inertial parameters of a body.

    Parameters
    ----------
    mass : scalar
        Mass (kg).
    h : ndarray of shape (3,)
        First moment, mass times center of mass (kg m).
    inertia : ndarray of shape (3, 3)
        Inertia about the origin of the frame (kg m^2).

    Returns
    -------
    ndarray of shape (10,)
        (m, hx, hy, hz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz).
    """
    return array((mass, *h, *(inertia[i, j] for i, j in INERTIA_ENTRIES)))


def shift_inertia(inertia: Array, h: Array, mass: Any, r: Array) -> tuple[Array, Array]:
    """Shift inertia and first moment to another reference point, without rotation.

    Parameters
    ----------
    inertia : ndarray of shape (3, 3)
        Inertia about the point o + r.
    h : ndarray of shape (3,)
        First moment about the point o + r.
    mass : scalar
        Mass.
    r : ndarray of shape (3,)
        Vector from the new reference point o to the old one.

    Returns
    -------
    inertia : ndarray of shape (3, 3)
        Inertia about o.
    h : ndarray of shape (3,)
        First moment about o.
    """
    # -(r~ y~ + y~ r~) = 2 (r.y) 1 - r y^T - y r^T with y = h + m r / 2
    y = h + 0.5 * mass * r
    xy = [[r[i] * y[j] for j in range(3)] for i in range(3)]
    shifted = inertia.copy()
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        shifted[i, i] = inertia[i, i] + 2.0 * (xy[j][j] + xy[k][k])
        shifted[i, j] = shifted[j, i] = inertia[i, j] - (xy[i][j] + xy[j][i])
    return shifted, h + mass * r


def rotate_symmetric(R: Array, A: Array) -> Array:
    """Return R A R^T of a symmetric 3x3 tensor, computing one triangle only."""
    RA = R @ A
    out = zeros(3, 3)
    for i, j in INERTIA_ENTRIES:
        out[i, j] = out[j, i] = dot(RA[i], R[j])
    return out


def turn_symmetric(s: Any, c: Any, A: Array) -> Array:
    """Return R A R^T of a symmetric A, R the rotation about z with sine s and cosine c."""
    # the planar block turns by the double angle: with w = s (Axx - Ayy) + 2 c Axy
    # Axx' = Axx - s w, Ayy' = Ayy + s w, Axy' = c w - Axy
    w = s * (A[0, 0] - A[1, 1]) + c * (A[0, 1] + A[0, 1])
    xx, yy, xy = A[0, 0] - s * w, A[1, 1] + s * w, c * w - A[0, 1]
    xz, yz = c * A[0, 2] - s * A[1, 2], s * A[0, 2] + c * A[1, 2]
    return matrix(((xx, xy, xz), (xy, yy, yz), (xz, yz, A[2, 2])))


def turn_tensor(s: Any, c: Any, A: Array) -> Array:
    """Return R A R^T of any 3x3 tensor A, R the rotation about z with sine s and cosine c."""
    w = s * (A[0, 0] - A[1, 1]) + c * (A[0, 1] + A[1, 0])
    xx, yy, xy, yx = A[0, 0] - s * w, A[1, 1] + s * w, c * w - A[1, 0], c * w - A[0, 1]
    xz, yz = c * A[0, 2] - s * A[1, 2], s * A[0, 2] + c * A[1, 2]
    zx, zy = c * A[2, 0] - s * A[2, 1], s * A[2, 0] + c * A[2, 1]
    return matrix(((xx, xy, xz), (yx, yy, yz), (zx, zy, A[2, 2])))


class Rotation:
    """Rotation represented by its matrix R."""

    __slots__ = ("R",)

    def __init__(self, R: Array) -> None:
        self.R = R

    def symmetric(self, A: Array) -> Array:
        """Return R A R^T of a symmetric 3x3 tensor."""
        return rotate_symmetric(self.R, A)

    def tensor(self, A: Array) -> Array:
        """Return R A R^T of any 3x3 tensor."""
        return self.R @ A @ self.R.T


class Turn(Rotation):
    """Rotation about z by sine and cosine, which rotates tensors with fewer operations."""

    __slots__ = ("c", "s")

    def __init__(self, s: Any, c: Any) -> None:
        super().__init__(matrix(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))))
        self.s = s
        self.c = c

    def symmetric(self, A: Array) -> Array:
        """Return R A R^T of a symmetric 3x3 tensor."""
        return turn_symmetric(self.s, self.c, A)

    def tensor(self, A: Array) -> Array:
        """Return R A R^T of any 3x3 tensor."""
        return turn_tensor(self.s, self.c, A)


class Pose:
    """Pose of a child frame in its parent: x_parent = R x_child + r.

    R is stored as a product of rotations (constant placement, joint, ...): the placement is often a
    permutation (free once traced) and the joint rotation planar, so applying them one after the
    other takes fewer operations than applying their product.
    """

    __slots__ = ("factors", "r")

    def __init__(self, factors: Sequence[Rotation], r: Array) -> None:
        self.factors = tuple(factors)
        self.r = r

    @property
    def R(self) -> Array:
        """Rotation matrix, the product of all factors."""
        R = self.factors[0].R
        for factor in self.factors[1:]:
            R = R @ factor.R
        return R

    def rotate(self, x: Array) -> Array:
        """Rotate a vector (or matrix of columns) from child to parent axes."""
        for factor in reversed(self.factors):
            x = factor.R @ x
        return x

    def unrotate(self, x: Array) -> Array:
        """Rotate a vector (or matrix of columns) from parent to child axes."""
        for factor in self.factors:
            x = factor.R.T @ x
        return x

    def motion_to_child(self, V: Array) -> Array:
        """Return Ad^-1 V."""
        return stack(self.unrotate(V[:3]), self.unrotate(V[3:] + cross(V[:3], self.r)))

    def force_to_parent(self, F: Array) -> Array:
        """Return Ad^-T F."""
        f = self.rotate(F[3:])
        return stack(self.rotate(F[:3]) + cross(self.r, f), f)

    def force_to_child(self, F: Array) -> Array:
        """Return Ad^T F."""
        return stack(self.unrotate(F[:3] - cross(self.r, F[3:])), self.unrotate(F[3:]))

    def symmetric_to_parent(self, A: Array) -> Array:
        """Return R A R^T of a symmetric 3x3 tensor."""
        for factor in reversed(self.factors):
            A = factor.symmetric(A)
        return A

    def tensor_to_parent(self, A: Array) -> Array:
        """Return R A R^T of any 3x3 tensor."""
        for factor in reversed(self.factors):
            A = factor.tensor(A)
        return A
