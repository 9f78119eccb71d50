"""What each joint kind is: its coordinates, its motion, and its configuration manifold.

Kinds a model may use, with their coordinates q and velocities v:

| kind        | q                          | v                                            |
|-------------|----------------------------|----------------------------------------------|
| revolute    | angle                      | its rate                                     |
| prismatic   | displacement               | its rate                                     |
| helical     | angle (moves pitch * q)    | its rate                                     |
| cylindrical | angle, displacement        | their rates                                  |
| universal   | angle 1, angle 2           | their rates                                  |
| spherical   | quaternion (w, x, y, z)    | body-fixed angular velocity                  |
| planar      | angle, x, y                | body-fixed (angular velocity, vx, vy)        |
| free        | quaternion, x, y, z        | body-fixed twist (omega, v)                  |

Formulas only ever meet the *elementary* motions, whose motion subspace is constant in the child's
frame: about or along the child's z axis for the kinds with one axis. A universal joint is two
revolute motions in series, a cylindrical one a revolute and a prismatic motion (`topology` does
that). So a formula written once for a constant subspace covers every kind.

Quaternions need not have unit length: formulas take lengths from 1e-150 to 1e150 (1e-18 to 1e18 in
float32) and give NaN, never a wrong pose, for others and for zero; `integrate` and `difference`
take any length but zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.math import lie
from jounce.math.jets import integral, rotation_series, truncated
from jounce.math.scalar import Array, array, cos, sin, zeros
from jounce.math.spatial import Rotation, Turn


@dataclass(frozen=True)
class Kind:
    """Coordinates of a joint kind: sizes, number of axes, and the elementary motions in series."""

    name: str
    nq: int
    nv: int
    axes: int
    motions: tuple[str, ...]


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("revolute", 1, 1, 1, ("revolute",)),
        Kind("prismatic", 1, 1, 1, ("prismatic",)),
        Kind("helical", 1, 1, 1, ("helical",)),
        Kind("cylindrical", 2, 2, 1, ("revolute", "prismatic")),
        Kind("universal", 2, 2, 2, ("revolute", "revolute")),
        Kind("spherical", 4, 3, 0, ("spherical",)),
        Kind("planar", 3, 3, 1, ("planar",)),
        Kind("free", 7, 6, 0, ("free",)),
    )
}

#: (nq, nv) of the elementary motions.
MOTIONS: dict[str, tuple[int, int]] = {
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "helical": (1, 1),
    "spherical": (4, 3),
    "planar": (3, 3),
    "free": (7, 6),
}

_SUBSPACE_ROWS = {
    "revolute": (2,),
    "helical": (2,),
    "prismatic": (5,),
    "spherical": (0, 1, 2),
    "planar": (2, 3, 4),
    "free": (0, 1, 2, 3, 4, 5),
}


def subspace(motion: str, pitch: Any = 0.0) -> Array:
    """Motion subspace S (6 x nv), constant in the child's frame: relative twist = S v."""
    rows = _SUBSPACE_ROWS[motion]
    S = zeros(6, len(rows))
    for column, row in enumerate(rows):
        S[row, column] = 1.0
    if motion == "helical":
        S[5, 0] = pitch
    return S


def displacement(motion: str, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
    """Rotation (None where there is none) and translation of an elementary motion at q."""
    if motion in ("revolute", "helical"):
        return Turn(sin(q[0]), cos(q[0])), array((0.0, 0.0, pitch * q[0]))
    if motion == "prismatic":
        return None, array((0.0, 0.0, q[0]))
    if motion == "planar":
        return Turn(sin(q[0]), cos(q[0])), array((q[1], q[2], 0.0))
    if motion == "spherical":
        return Rotation(lie.rotation_from_quaternion(q)), zeros(3)
    return Rotation(lie.rotation_from_quaternion(q[:4])), array(q[4:])


def drift(motion: str, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
    """How the child moves on from where it is, as Taylor series: jets of exp of S v dt.

    v holds jets of order n - 1; the rotation and the translation, in the child's axes at time zero,
    are jets of order n that start at the identity. From dT/dt = T [S v], coefficient by
    coefficient: cheaper than the series of the displacement itself, whose sines and quaternions
    would all have to be expanded.
    """
    if motion in ("revolute", "helical"):
        angle = integral(v[0])
        return Turn(sin(angle), cos(angle)), array((0.0, 0.0, pitch * angle))
    if motion == "prismatic":
        return None, array((0.0, 0.0, integral(v[0])))
    if motion == "planar":
        angle = integral(v[0])
        turn = Turn(sin(angle), cos(angle))
        velocity = array((v[1], v[2], 0.0))
    else:
        turn = Rotation(rotation_series(v[:3]))
        velocity = v[3:] if motion == "free" else zeros(3)
    return turn, array(integral(x) for x in truncated(turn.R, v[0].order) @ velocity)


def configuration_rate(motion: str, q: Array, v: Array) -> Array:
    """dq/dt of an elementary motion for the velocity v (any scalar type)."""
    if motion == "spherical":
        return lie.quaternion_rate(q, v)
    if motion == "planar":
        s, c = sin(q[0]), cos(q[0])
        return array((v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]))
    if motion == "free":
        R = lie.rotation_from_quaternion(q[:4])
        return np.concatenate((lie.quaternion_rate(q[:4], v[:3]), R @ v[3:]))
    return v


# ------------------------------------------------------------------ the manifold, on batches


def neutral(motion: str) -> np.ndarray:
    """The configuration at which the child frame sits on its placement."""
    q = np.zeros(MOTIONS[motion][0])
    if motion in ("spherical", "free"):
        q[0] = 1.0
    return q


def integrate(motion: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Follow the constant velocity v for one unit of time from q (batches of floats)."""
    if motion == "spherical":
        turned = lie.quaternion_multiply(lie.quaternion_normalise(q), lie.quaternion_exp(v))
        return lie.quaternion_normalise(turned)
    if motion == "planar":
        w = np.concatenate((np.zeros_like(v[..., :2]), v[..., :1]), axis=-1)
        u = np.concatenate((v[..., 1:], np.zeros_like(v[..., :1])), axis=-1)
        step = lie.se3_translation(w, u)[..., :2]
        return np.concatenate((q[..., :1] + v[..., :1], q[..., 1:] + _turn(q, step)), axis=-1)
    if motion == "free":
        turn = lie.quaternion_normalise(q[..., :4])
        step = lie.quaternion_rotate(turn, lie.se3_translation(v[..., :3], v[..., 3:]))
        turned = lie.quaternion_multiply(turn, lie.quaternion_exp(v[..., :3]))
        return np.concatenate((lie.quaternion_normalise(turned), q[..., 4:] + step), axis=-1)
    return q + v


def difference(motion: str, q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """The velocity that leads from q0 to q1 in one unit of time (batches of floats)."""
    if motion == "spherical":
        return lie.quaternion_log(_relative(q0, q1))
    if motion == "planar":
        angle = q1[..., :1] - q0[..., :1]
        w = np.concatenate((np.zeros_like(angle), np.zeros_like(angle), angle), axis=-1)
        step = _turn(-q0, q1[..., 1:] - q0[..., 1:])
        p = np.concatenate((step, np.zeros_like(angle)), axis=-1)
        return np.concatenate((angle, lie.se3_translation_inverse(w, p)[..., :2]), axis=-1)
    if motion == "free":
        w = lie.quaternion_log(_relative(q0[..., :4], q1[..., :4]))
        back = lie.quaternion_conjugate(lie.quaternion_normalise(q0[..., :4]))
        p = lie.quaternion_rotate(back, q1[..., 4:] - q0[..., 4:])
        return np.concatenate((w, lie.se3_translation_inverse(w, p)), axis=-1)
    return q1 - q0


def _relative(q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    back = lie.quaternion_conjugate(lie.quaternion_normalise(q0))
    return lie.quaternion_multiply(back, lie.quaternion_normalise(q1))


def _turn(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The plane vector x turned by the angle q[..., 0]."""
    s, c = np.sin(q[..., 0]), np.cos(q[..., 0])
    return np.stack((c * x[..., 0] - s * x[..., 1], s * x[..., 0] + c * x[..., 1]), axis=-1)
