"""Rotations and rigid displacements: exponentials, logarithms, quaternions, Jacobians.

One sample, any scalar type; `jounce.lie` provides the same functions on batches. A rotation vector
w is axis times angle, a twist (w, u) has the rotation first, a quaternion is (w, x, y, z).

Functions of the angle t are written in terms of x = t^2 = w . w: power series below one radian,
where quotients would lose digits to cancellation, and closed forms above. Underflow of squares
below 1e-154 does no harm, since every series starts with a constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.scalar import (
    Array,
    array,
    atan2,
    cos,
    identity,
    is_symbol,
    matrix,
    maximum,
    sin,
    sqrt,
    where,
    zeros,
)
from jounce.math.spatial import cross, dot, skew

#: Axes and rotation matrices that deviate from unit length by less are corrected, not rejected.
UNIT_TOLERANCE = 1e-3
#: Round-off of a product of rotations; larger deviations are replaced by the nearest rotation.
_ROUND_OFF = 1e-14
#: Deviations above this exceed round-off in double precision and are reported as well.
_WARNING_THRESHOLD = 1e-12

#: Vectors whose largest entry is between 1 / this and this are not scaled; others are divided by
#: their largest entry, so that no square underflows or overflows, even in single precision.
_MAX_UNSCALED = 1024.0

# ------------------------------------------------------------------ functions of a squared angle


def _series(x: Any, coefficients: Sequence[float]) -> Any:
    """Evaluate a polynomial in x by Horner's rule, constant coefficient first."""
    *lower, total = coefficients
    for c in reversed(lower):
        total = total * x + c
    return total


def _stumpff(k: int) -> list[float]:
    """Coefficients of the Stumpff function c_k(x) = 1/k! - x/(k+2)! + ..., enough for x <= 1."""
    return [(-1.0) ** n / math.factorial(2 * n + k) for n in range(10 - k // 2)]


_C3, _C4, _C5 = _stumpff(3), _stumpff(4), _stumpff(5)
#: Stumpff coefficients at x / 4, for half the angle.
_C0, _C1 = ([c * 0.25**n for n, c in enumerate(_stumpff(k)[:8])] for k in (0, 1))

#: Series of d(x) = (1 - (t/2) cot(t/2)) / x: Bernoulli numbers |B_2n| / (2n)!.
_D = [
    *(1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000),
    *(1 / 74724249600, 3617 / 10670622842880000, 43867 / 5109094217170944000),
    *(174611 / 802857662698291200000, 77683 / 14101100039391805440000),
]
#: Series of twice the derivative of d.
_D_SLOPE = [2.0 * n * d for n, d in enumerate(_D)][1:]

#: Series of atan(y) / y in powers of y^2, enough for y^2 up to `_MAX_SERIES_ARGUMENT`.
_ARCTANGENT = [(-1.0) ** n / (2 * n + 1) for n in range(12)]
_MAX_SERIES_ARGUMENT = 0.04


def _clamp_below_one(x: Any) -> Any:
    """Return x above one radian, else 1 (also if x is NaN)."""
    return x if is_symbol(x) else where(x - 1.0, x, 1.0)


def _blend(x: Any, closed: Any, series: Sequence[float]) -> Any:
    """Use the closed form above one radian and the series below; on symbols the closed form."""
    return closed if is_symbol(x) else where(x - 1.0, closed, _series(x, series))


def _half(x: Any) -> tuple[Any, Any]:
    """cos(t/2) and sin(t/2) / (t/2)."""
    half = 0.5 * sqrt(_clamp_below_one(x))
    return _blend(x, cos(half), _C0), _blend(x, sin(half) / half, _C1)


def _versines(x: Any) -> tuple[Any, Any]:
    """c_2 = (1 - cos t) / t^2 and c_3 = (t - sin t) / t^3."""
    c, s = _half(x)
    return 0.5 * s * s, _blend(x, (1.0 - s * c) / _clamp_below_one(x), _C3)


def _versine_slopes(x: Any) -> tuple[Any, Any]:
    """Twice the derivatives of `_versines` in x: 2 c_4 - c_3 and 3 c_5 - c_4."""
    c2, c3 = _versines(x)
    c4 = _blend(x, (0.5 - c2) / _clamp_below_one(x), _C4)
    c5 = _blend(x, (1.0 / 6.0 - c3) / _clamp_below_one(x), _C5)
    return 2.0 * c4 - c3, 3.0 * c5 - c4


def _cotangent(x: Any, h: Any = None) -> Any:
    """d = (1 - h) / t^2 with h = (t/2) cot(t/2), computed unless passed."""
    if h is None:
        c, s = _half(_clamp_below_one(x))
        h = c / s
    return _blend(x, (1.0 - h) / _clamp_below_one(x), _D)


def _cotangent_slope(x: Any) -> Any:
    """Twice the derivative of `_cotangent` in x, from 2 x h' = h - x/4 - h^2."""
    d = _cotangent(x)
    return _blend(x, (0.25 - 3.0 * d + x * d * d) / _clamp_below_one(x), _D_SLOPE)


# ------------------------------------------------------------------ quaternions


def _rescale(q: Array) -> Array:
    """Rescale a vector so that its squares neither underflow nor overflow; NaN for zero."""
    if any(is_symbol(x) for x in q):
        return q
    largest = reduce(maximum, (maximum(x, -x) for x in q))
    return q / where(
        largest - _MAX_UNSCALED, largest, where(1.0 / _MAX_UNSCALED - largest, largest, 1.0)
    )


def normalize(q: Array) -> Array:
    """Return q / |q| for any finite length; NaN for zero."""
    q = _rescale(q)
    return q * (1.0 / norm(q))


def quaternion_product(a: Array, b: Array) -> Array:
    """Return the Hamilton product of two quaternions."""
    u = a[0] * b[1:] + b[0] * a[1:] + cross(a[1:], b[1:])
    return array((a[0] * b[0] - dot(a[1:], b[1:]), *u))


def quaternion_conjugate(q: Array) -> Array:
    """Return the conjugate (w, -u) of a quaternion."""
    return array((q[0], *(-q[1:])))


def quaternion_rotate(q: Array, x: Array) -> Array:
    """Rotate the vector x by the unit quaternion q."""
    t = 2.0 * cross(q[1:], x)
    return x + q[0] * t + cross(q[1:], t)


def quaternion_exp(w: Array) -> Array:
    """Return the unit quaternion of the rotation vector w."""
    c, s = _half(dot(w, w))
    return array((c, *(0.5 * s * w)))


def quaternion_log(q: Array) -> Array:
    """Return the rotation vector (at most pi long) of a quaternion q of any nonzero length."""
    q = _upper(_rescale(q))
    return 2.0 * _half_angle(q) * q[1:]


def _upper(q: Array) -> Array:
    """Return q or -q (the same rotation), whichever has w >= 0."""
    return _sign(q[0]) * q


def _sign(x: Any) -> Any:
    """-1 for negative numbers, else 1."""
    return where(-x, -1.0, 1.0)


def _half_angle(q: Array) -> Any:
    """Half the rotation angle over the norm of the vector part, of a quaternion with w >= 0."""
    w, square = q[0], dot(q[1:], q[1:])
    if is_symbol(square):
        return atan2(sqrt(square), w) / sqrt(square)
    near = _MAX_SERIES_ARGUMENT * w * w - square
    sine, cosine = sqrt(where(near, 1.0, square)), where(near, w, 1.0)
    series = _series(square / (cosine * cosine), _ARCTANGENT) / cosine
    return where(near, series, atan2(sine, w) / sine)


def quaternion_between(q0: Array, q1: Array) -> Array:
    """Return a quaternion with w >= 0 of the rotation from q0 to q1; no length is normalized.

    In q0* q1 = |q0|^2 + q0* (q1 - q0) only the last term has a vector part, so it is as accurate as
    the difference q1 - q0 for arbitrarily small rotations. q1 and -q1 are the same rotation.
    """
    q0, q1 = _rescale(q0), _rescale(q1)
    cosine = dot(q0, q1)
    sign = _sign(cosine)
    step = sign * q1 - q0
    turn = q0[0] * step[1:] - step[0] * q0[1:] - cross(q0[1:], step[1:])
    return array((sign * cosine, *turn))


def quaternion_difference(q0: Array, q1: Array) -> Array:
    """Return the rotation vector (at most pi long) from q0 to q1, quaternions of any length."""
    q = quaternion_between(q0, q1)
    return 2.0 * _half_angle(q) * q[1:]


def quaternion_rate(q: Array, w: Array) -> Array:
    """Return dq/dt for the body-fixed angular velocity w: q o (0, w) / 2."""
    rate = q[0] * w + cross(q[1:], w)
    return 0.5 * array((-dot(q[1:], w), *rate))


def quaternion_velocity(q: Array, rate: Array) -> Array:
    """Return the body-fixed angular velocity of a quaternion with this rate: 2 q* o rate / |q|^2.

    The component of the rate along q only changes the length and is ignored.
    """
    turn = q[0] * rate[1:] - rate[0] * q[1:] - cross(q[1:], rate[1:])
    return (2.0 / dot(q, q)) * turn


def quaternion_from_rotation(R: Array) -> Array:
    """Return a quaternion with w >= 0 and length 2 to 4 of a rotation matrix, for every angle.

    The rows of 4 q q^T follow from R; the one with the largest diagonal entry is well scaled.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    rows = (
        (1.0 + xx + yy + zz, zy - yz, xz - zx, yx - xy),
        (zy - yz, 1.0 + xx - yy - zz, xy + yx, xz + zx),
        (xz - zx, xy + yx, 1.0 - xx + yy - zz, yz + zy),
        (yx - xy, xz + zx, yz + zy, 1.0 - xx - yy + zz),
    )
    best, longest = array(rows[0]), rows[0][0]
    for k in (1, 2, 3):
        larger = rows[k][k] - longest
        best = array(where(larger, x, y) for x, y in zip(rows[k], best, strict=True))
        longest = where(larger, rows[k][k], longest)
    return _upper(best)


def rotation_from_quaternion(q: Array) -> Array:
    """Return the rotation matrix of a quaternion (w, x, y, z), which need not have unit length.

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


# ------------------------------------------------------------------ rotations


def rotation_exp(w: Array) -> Array:
    """Return the rotation matrix of w: 1 + sin(t)/t w~ + (1 - cos t)/t^2 w~ w~ (Rodrigues)."""
    c, s = _half(dot(w, w))
    return identity(3) + (s * c) * skew(w) + (0.5 * s * s) * _square(w)


def rotation_log(R: Array) -> Array:
    """Return the rotation vector (at most pi long) of a rotation matrix."""
    return quaternion_log(quaternion_from_rotation(R))


def _square(w: Array) -> Array:
    """w~ w~."""
    return skew(w) @ skew(w)


def _square_rate(w: Array, u: Array) -> Array:
    """Derivative of w~ w~ in w along u."""
    half = skew(w) @ skew(u)
    return half + half.T


def rotation_jacobian(w: Array) -> Array:
    """Return the left Jacobian J (3, 3): exp(w + e) = exp(J e) exp(w) to first order in e.

    The right Jacobian, exp(w + e) = exp(w) exp(J e), is the left one of -w.
    """
    b, c = _versines(dot(w, w))
    return identity(3) + b * skew(w) + c * _square(w)


def rotation_jacobian_inverse(w: Array) -> Array:
    """Return the inverse of `rotation_jacobian`, which is singular at an angle of 2 pi."""
    return identity(3) - 0.5 * skew(w) + _cotangent(dot(w, w)) * _square(w)


# ------------------------------------------------------------------ rigid displacements

# A twist (w, u) is a rotation vector w + eps u of dual numbers, eps^2 = 0: formulas for twists
# follow from those for w by differentiation along u.


def translation(w: Array, u: Array) -> Array:
    """Return the translation of exp((w, u)): J u."""
    b, c = _versines(dot(w, w))
    wu = cross(w, u)
    return u + b * wu + c * cross(w, wu)


def translation_inverse(w: Array, p: Array) -> Array:
    """Return the u with `translation(w, u)` = p."""
    return _inverse_translation(w, p, _cotangent(dot(w, w)))


def _inverse_translation(w: Array, p: Array, d: Any) -> Array:
    """J^-1 p from `_cotangent`."""
    wp = cross(w, p)
    return p - 0.5 * wp + d * cross(w, wp)


def pose_exp(twist: Array) -> tuple[Array, Array]:
    """Return the rotation and translation of exp(twist)."""
    return rotation_exp(twist[:3]), translation(twist[:3], twist[3:])


def pose_log(R: Array, p: Array) -> Array:
    """Return the twist of a pose (R, p), with a rotation angle of at most pi."""
    return twist_of(quaternion_from_rotation(R), p)


def twist_of(q: Array, p: Array) -> Array:
    """Return the twist of the pose with translation p and a quaternion q with w >= 0 of any length.

    The cotangent of half the angle is read off the quaternion.
    """
    half = _half_angle(q)
    w = 2.0 * half * q[1:]
    return np.concatenate((w, _inverse_translation(w, p, _cotangent(dot(w, w), half * q[0]))))


def pose_jacobian(twist: Array) -> Array:
    """Return the left Jacobian J (6, 6): exp(twist + e) = exp(J e) exp(twist) to first order in e.

    The right Jacobian, exp(twist + e) = exp(twist) exp(J e), is the left one of -twist.
    """
    w, u = twist[:3], twist[3:]
    x = dot(w, w)
    (b, c), (b_slope, c_slope), along = _versines(x), _versine_slopes(x), dot(w, u)
    rate = b * skew(u) + c * _square_rate(w, u)
    rate = rate + (along * b_slope) * skew(w) + (along * c_slope) * _square(w)
    return _dual(rotation_jacobian(w), rate)


def pose_jacobian_inverse(twist: Array) -> Array:
    """Return the inverse of `pose_jacobian`, which is singular at an angle of 2 pi."""
    w, u = twist[:3], twist[3:]
    x = dot(w, w)
    rate = _cotangent(x) * _square_rate(w, u) - 0.5 * skew(u)
    rate = rate + (dot(w, u) * _cotangent_slope(x)) * _square(w)
    return _dual(rotation_jacobian_inverse(w), rate)


def _dual(real: Array, dual: Array) -> Array:
    out = zeros(6, 6)
    out[:3, :3] = out[3:, 3:] = real
    out[3:, :3] = dual
    return out


# ------------------------------------------------------------------ screws


def exp_so3(axis: Array, angle: Any) -> Array:
    """Return the rotation by `angle` about the unit vector `axis` (Mueller-Kumar eq. 7)."""
    e = skew(axis)
    outer = np.outer(axis, axis)
    return outer + cos(angle) * (identity(3) - outer) + sin(angle) * e


def exp_se3(screw: Array, angle: Any) -> tuple[Array, Array]:
    """Return rotation and translation of exp([X] angle), X = (e, x x e + h e) or (0, e), |e| = 1.

    Mueller-Kumar eqs. 6 and 7.
    """
    xi, eta = screw[:3], screw[3:]
    if all(x == 0 for x in xi):
        return identity(3), eta * angle
    R = exp_so3(xi, angle)
    return R, (identity(3) - R) @ cross(xi, eta) + xi * (dot(xi, eta) * angle)


def norm(x: Array) -> Any:
    """Return the Euclidean norm."""
    return sqrt(dot(x, x))


def exp_pose(twist: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return exp(twist) as a homogeneous matrix (4, 4) of floats."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = pose_exp(array(float(x) for x in twist))
    return T


# ------------------------------------------------------------------ validation of input


def nearest_rotation(R: np.ndarray, what: str) -> tuple[np.ndarray, str]:
    """Return the nearest rotations to matrices (..., 3, 3), and a description of the correction.

    Rotations up to round-off are returned unchanged, with the description ''. Matrices that are far
    from orthogonal, and reflections, raise a ModelError. what: name of the matrix in messages.
    """
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(axis=(-2, -1))
    worst = float(np.max(off, initial=0.0))
    if not worst <= UNIT_TOLERANCE:
        raise ModelError(
            f"{what}: its 3x3 block is not a rotation matrix: R R^T is off the identity by"
            f" {worst:.2g}, more than {UNIT_TOLERANCE:g}"
        )
    if np.any(np.linalg.det(R) < 0.0):
        raise ModelError(f"{what}: its 3x3 block is a reflection, not a rotation matrix")
    if worst <= _ROUND_OFF:
        return R, ""
    nearest = R
    for _ in range(4):  # Newton-Schulz iteration: converges quadratically to the nearest rotation
        nearest = nearest @ (1.5 * np.eye(3) - 0.5 * np.swapaxes(nearest, -1, -2) @ nearest)
    nearest = np.where((off <= _ROUND_OFF)[..., None, None], R, nearest)
    if worst <= _WARNING_THRESHOLD:
        return nearest, ""
    return nearest, f"its rotation was off by {worst:.2g} and was replaced by the nearest one"


def check_last_row(T: np.ndarray, what: str) -> None:
    """Raise ModelError unless the last row of matrices (..., 4, 4) is (0, 0, 0, 1)."""
    last = T[..., 3, :]
    if not np.all(np.abs(last - (0.0, 0.0, 0.0, 1.0)) <= _WARNING_THRESHOLD):
        raise ModelError(f"{what}: its last row must be (0, 0, 0, 1), found {last.tolist()}")
