"""Poses and inertial parameters in other frames, in floats or in scalars of higher precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.math.lie import norm
from jounce.math.scalar import Array, array, identity, zeros
from jounce.math.spatial import inertia_matrix, parameters_from, rotate_symmetric, shift_inertia

#: Rotation entries this close to 0, 1 or -1 are exactly that. URDF angles such as 1.5707963 are
#: not pi/2, and must stay what they are.
_SNAP = 1e-15


def split(pose: Any) -> tuple[Array, Array]:
    """Return the rotation and the origin of a pose.

    Parameters
    ----------
    pose : Array (4, 4), or tuple of Array (3, 3) and Array (3,)
        The pose.

    Returns
    -------
    tuple of Array
        (R, p).
    """
    return pose if isinstance(pose, tuple) else (pose[:3, :3], pose[:3, 3])


def inverse(R: Array, p: Array) -> tuple[Array, Array]:
    """Return the inverse of the pose (R, p).

    Parameters
    ----------
    R : Array (3, 3)
        Rotation.
    p : Array (3,)
        Origin.

    Returns
    -------
    tuple of Array
        (R, p) of the inverse.
    """
    return R.T, -(R.T @ p)


def compose_poses(first: Any, *poses: Any) -> tuple[Array, Array]:
    """Return the product of poses.

    Parameters
    ----------
    first, *poses : Array (4, 4), or tuple of Array (3, 3) and Array (3,)
        The poses, from left to right.

    Returns
    -------
    tuple of Array
        (R, p) of the product.
    """
    R, p = split(first)
    for pose in poses:
        Rn, pn = split(pose)
        R, p = R @ Rn, p + R @ pn
    return R, p


def moved_inertia(inertia: Array, R: Array, p: Array) -> Array:
    """Return inertial parameters in another frame.

    Parameters
    ----------
    inertia : Array (10,)
        Inertial parameters in the body's frame.
    R : Array (3, 3)
        Rotation of the body's frame in the other one.
    p : Array (3,)
        Origin of the body's frame in the other one.

    Returns
    -------
    Array (10,)
        Inertial parameters in the other frame.
    """
    about = rotate_symmetric(R, inertia_matrix(inertia))
    about, h = shift_inertia(about, R @ inertia[1:4], inertia[0], p)
    return parameters_from(inertia[0], h, about)


def snap(R: np.ndarray) -> np.ndarray:
    """Round rotation entries that are 0, 1 or -1 up to round-off."""
    if R.dtype == object:  # done before its numbers were made
        return R
    nearest = np.round(R)
    return np.where(np.abs(R - nearest) <= _SNAP, nearest, R)


#: Conversion of a float to a scalar, or None for floats as they are.
Number = Callable[[float], Any] | None


def to_scalars(x: np.ndarray, number: Number) -> np.ndarray:
    """Convert floats to the scalars of `number`; zeros stay structural."""
    if number is None:
        return x
    return array(number(e) if e else 0.0 for e in x.ravel().tolist()).reshape(x.shape)


def exact_pose(T: np.ndarray, number: Number) -> np.ndarray:
    """Return a pose in these scalars, with the nearest matrix that is orthonormal to all digits."""
    if number is None:
        return T
    R = to_scalars(snap(T[:3, :3]), number)
    if np.count_nonzero(R) > 3:  # else a signed permutation
        for _ in range(8):  # Newton for the polar factor: from 6 digits to more than a thousand
            R = R - 0.5 * (R @ (R.T @ R - identity(3)))
    return join_pose(R, to_scalars(T[:3, 3], number))


def _unit(x: np.ndarray) -> np.ndarray:
    """x / |x|, for floats and other scalars."""
    return x / (norm(x) if x.dtype == object else np.linalg.norm(x))


def rotation_from_z(axis: np.ndarray) -> np.ndarray:
    """Return a rotation of z to the axis: a cyclic permutation if the axis is +-x, y or z."""
    k = int(np.argmax(np.abs(axis)))
    if np.count_nonzero(np.abs(axis) > _SNAP) == 1:
        cyclic = np.roll(np.eye(3), (k + 1) % 3, axis=0)
        return cyclic if axis[k] > 0 else cyclic @ np.diag((1.0, -1.0, -1.0))
    x = _unit(np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))]))
    return np.column_stack((x, np.cross(axis, x), axis))


def exact_axis(axis: np.ndarray, number: Number) -> np.ndarray:
    """Return a unit vector in these scalars."""
    return axis if number is None else _unit(to_scalars(axis, number))


def join_pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the pose (4, 4) of a rotation and an origin."""
    T = np.eye(4).astype(p.dtype)
    T[:3, :3], T[:3, 3] = R, p
    return T


def inverse_pose(T: np.ndarray) -> np.ndarray:
    """Return the inverse of a pose.

    Parameters
    ----------
    T : ndarray (4, 4)
        The pose.

    Returns
    -------
    ndarray (4, 4)
        Its inverse.
    """
    return join_pose(T[:3, :3].T, -T[:3, :3].T @ T[:3, 3])


def to_objects(x: np.ndarray) -> Array:
    """Object array of Python numbers, free of negative zeros."""
    out = zeros(*np.shape(x))
    out[...] = (np.asarray(x) + 0.0).tolist()
    return out
