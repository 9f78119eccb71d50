"""Rotations and rigid displacements: exponentials, logarithms, quaternions.

`rotation_from_quaternion`, `exp_so3` and `exp_se3` take any scalar type and one sample. The
functions under "batches of floats" work on NumPy float arrays with leading batch axes; `joints`
uses them to move along the configuration manifold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.scalar import Array, array, cos, identity, matrix, sin, sqrt
from jounce.math.spatial import cross, dot, skew

#: Lengths of axes, and rotations, that differ from 1 by less are rounded, not wrong.
UNIT = 1e-3
#: Products of some rotations are off by this much; beyond, the nearest rotation is taken ...
_EXACT = 1e-14
#: ... and beyond this, which double precision does not explain, with a warning.
_ROUNDED = 1e-12

# ------------------------------------------------------------------ one sample, any scalar


def rotation_from_quaternion(q: Array) -> Array:
    """Rotation matrix of the quaternion (w, x, y, z), which need not have unit length.

    The homogeneous form R = 1 + 2 (w u~ + u~ u~) / |q|^2 gives the rotation of q / |q|, where |q|^2
    and its inverse are numbers: all entries are NaN for the zero quaternion and for lengths beyond
    about 1e-154 to 1e154 (1e-19 to 1e19 in float32).
    """
    w, x, y, z = q
    xx, yy, zz = x * x, y * y, z * z
    about_x, about_y, about_z = yy + zz, xx + zz, xx + yy
    square = w * w + xx + about_x
    inverse = 1.0 / square
    # twice the inverse; inverse * square is 1, or NaN where one is zero and the other infinite, and
    # where the inverse is infinite so are both terms
    s = 3.0 * inverse - inverse * (inverse * square)
    sx, sy, sz = s * x, s * y, s * z
    xy, xz, yz = x * sy, x * sz, y * sz
    wx, wy, wz = w * sx, w * sy, w * sz
    return matrix(
        (
            (1.0 - s * about_x, xy - wz, xz + wy),
            (xy + wz, 1.0 - s * about_y, yz - wx),
            (xz - wy, yz + wx, 1.0 - s * about_z),
        )
    )


def quaternion_rate(q: Array, w: Array) -> Array:
    """d/dt of the unit quaternion q for the body-fixed angular velocity w: q o (0, w) / 2."""
    rate = q[0] * w + cross(q[1:], w)
    return 0.5 * array((-dot(q[1:], w), *rate))


def exp_so3(axis: Array, angle: Any) -> Array:
    """Rotation by `angle` about the unit vector `axis` (Rodrigues; Mueller-Kumar eq. 7)."""
    e = skew(axis)
    outer = np.outer(axis, axis)
    return outer + cos(angle) * (identity(3) - outer) + sin(angle) * e


def exp_se3(screw: Array, angle: Any) -> tuple[Array, Array]:
    """Rotation and translation of exp([X] angle), X = (e, x x e + h e) or (0, e) with |e| = 1.

    Mueller-Kumar eqs. 6 and 7.
    """
    xi, eta = screw[:3], screw[3:]
    if all(x == 0 for x in xi):
        return identity(3), eta * angle
    R = exp_so3(xi, angle)
    return R, (identity(3) - R) @ cross(xi, eta) + xi * (dot(xi, eta) * angle)


def norm(x: Array) -> Any:
    """Euclidean length."""
    return sqrt(dot(x, x))


# ------------------------------------------------------------------ batches of floats


def quaternion_multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton product of quaternions (w, x, y, z), broadcasting."""
    w = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    u = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate((w, u), axis=-1)


def quaternion_conjugate(q: np.ndarray) -> np.ndarray:
    """(w, -u)."""
    return np.concatenate((q[..., :1], -q[..., 1:]), axis=-1)


def quaternion_normalise(q: np.ndarray) -> np.ndarray:
    """q / |q| for any length a float can have; NaN for the zero quaternion."""
    # a power of two takes the largest entry near 1: exact, and the squares are numbers
    _, exponent = np.frexp(np.abs(q).max(axis=-1, keepdims=True))
    q = np.ldexp(q, -exponent)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def quaternion_rotate(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The vector x turned by the unit quaternion q."""
    t = 2.0 * np.cross(q[..., 1:], x)
    return x + q[..., :1] * t + np.cross(q[..., 1:], t)


def quaternion_exp(w: np.ndarray) -> np.ndarray:
    """Unit quaternion of the rotation vector w."""
    half = 0.5 * np.linalg.norm(w, axis=-1, keepdims=True)
    return np.concatenate((np.cos(half), 0.5 * np.sinc(half / np.pi) * w), axis=-1)


def quaternion_log(q: np.ndarray) -> np.ndarray:
    """Rotation vector of the unit quaternion q, of length at most pi."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    half = np.arctan2(sine, q[..., :1])
    return 2.0 * q[..., 1:] / np.sinc(half / np.pi)


def quaternion_from_rotation(R: np.ndarray) -> np.ndarray:
    """Unit quaternion of rotation matrices (..., 3, 3), accurate for every angle.

    The rows of 4 q q^T follow from R; the one with the largest diagonal entry is well scaled.
    """
    d = np.diagonal(R, axis1=-2, axis2=-1)
    outer = np.empty((*R.shape[:-2], 4, 4))
    outer[..., 0, 0] = 1.0 + d.sum(axis=-1)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        outer[..., i + 1, i + 1] = 1.0 + d[..., i] - d[..., j] - d[..., k]
        outer[..., 0, i + 1] = outer[..., i + 1, 0] = R[..., k, j] - R[..., j, k]
        outer[..., i + 1, j + 1] = outer[..., j + 1, i + 1] = R[..., i, j] + R[..., j, i]
    best = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    return quaternion_normalise(np.take_along_axis(outer, best[..., None, None], -2)[..., 0, :])


def _versine_terms(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(1 - cos t) / t^2 and (t - sin t) / t^3, accurate near zero."""
    half = np.sinc(0.5 * angle / np.pi)
    first = 0.5 * half * half
    small = np.abs(angle) < 0.1
    safe = np.where(small, 1.0, angle)
    t2 = angle * angle
    series = (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72 * (1 - t2 / 110)))) / 6
    return first, np.where(small, series, (safe - np.sin(safe)) / safe**3)


def se3_translation(w: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Translation part of exp((w, u)): V(w) u with V = 1 + b w~ + c w~ w~."""
    b, c = _versine_terms(np.linalg.norm(w, axis=-1, keepdims=True))
    wu = np.cross(w, u)
    return u + b * wu + c * np.cross(w, wu)


def se3_translation_inverse(w: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The u with `se3_translation(w, u)` = p."""
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    # V^-1 = 1 - w~/2 + d w~ w~ with d = (1 - sin(t) / (2 t b)) / t^2
    b, _ = _versine_terms(angle)
    sine = np.sinc(angle / np.pi)
    small = angle < 0.1
    t2 = angle * angle
    series = 1 / 12 + t2 / 720 * (1 + t2 / 42 * (1 + t2 / 40))
    d = np.where(small, series, (1.0 - 0.5 * sine / b) / np.where(small, 1.0, t2))
    wp = np.cross(w, p)
    return p - 0.5 * wp + d * np.cross(w, wp)


def exp_pose(twist: np.ndarray) -> np.ndarray:
    """Homogeneous matrix (4, 4) of the displacement exp(twist), twist = (rotation, translation)."""
    T = np.eye(4)
    T[:3, :3] = quaternion_rotate(quaternion_exp(twist[:3]), np.eye(3)).T
    T[:3, 3] = se3_translation(twist[:3], twist[3:])
    return T


def nearest_rotation(R: np.ndarray, what: str) -> tuple[np.ndarray, str]:
    """The rotations nearest to matrices (..., 3, 3), and in words what was wrong with them, if so.

    What is a rotation up to rounding stays as it is, to the last bit; what is none, or a mirror, is
    a ModelError.
    """
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-2, -1))
    worst = float(np.max(off, initial=0.0))
    if not worst <= UNIT:
        raise ModelError(
            f"{what}: its 3x3 block is not a rotation matrix: R R^T is off the identity by"
            f" {worst:.2g}, more than {UNIT:g}"
        )
    if np.any(np.linalg.det(R) < 0.0):
        raise ModelError(f"{what}: its 3x3 block is not a rotation matrix: it mirrors")
    if worst <= _EXACT:
        return R, ""
    nearest = R
    for _ in range(4):  # Newton and Schulz: each step squares the error, the nearest one stays
        nearest = nearest @ (1.5 * np.eye(3) - 0.5 * np.swapaxes(nearest, -1, -2) @ nearest)
    nearest = np.where((off <= _EXACT)[..., None, None], R, nearest)
    if worst <= _ROUNDED:
        return nearest, ""
    return nearest, f"its rotation was off by {worst:.2g} and was replaced by the nearest one"


def check_last_row(T: np.ndarray, what: str) -> None:
    """ModelError unless matrices (..., 4, 4) end in a row (0, 0, 0, 1), up to rounding."""
    last = T[..., 3, :]
    if not np.all(np.abs(last - (0.0, 0.0, 0.0, 1.0)) <= _ROUNDED):
        raise ModelError(f"{what}: its last row must be (0, 0, 0, 1), found {last.tolist()}")
