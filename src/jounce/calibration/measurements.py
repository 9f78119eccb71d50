"""Measurements of a robot's geometry: what a sensor reads of a marker, and the residuals.

Every measurement is a function of one pose R = A^-1 F, of the marker's frame F as seen from the
sensor's frame A. Both are fixed in the robot or in the world, so that laser trackers, cameras on
and beside the robot, draw wires, planes that are touched, and touches of the robot with itself are
the same equations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import lie
from jounce.errors import ArgumentError, DataError, suggest

Kind = Literal["pose", "position", "orientation", "distance", "plane", "pixel"]

#: Units of the components of each kind of measurement.
UNITS: dict[str, tuple[str, ...]] = {
    "pose": ("rad",) * 3 + ("m",) * 3,
    "position": ("m",) * 3,
    "orientation": ("rad",) * 3,
    "distance": ("m",),
    "plane": ("m",),
    "pixel": ("px",) * 2,
}

#: First guess of standard deviations that are estimated from the residuals, by unit.
GUESSES = {"rad": 1e-3, "m": 1e-3, "px": 1.0}

#: Largest error of the length of quaternions, and of singular values of rotation matrices.
_MAX_ERROR = 0.01

#: Names of the intrinsic parameters of a camera.
INTRINSICS = ("fx", "fy", "cx", "cy")


@dataclass(frozen=True, eq=False)
class Measurements:
    """Measurements of one kind, of one marker by one sensor, at n configurations.

    Parameters
    ----------
    kind : {"pose", "position", "orientation", "distance", "plane", "pixel"}
        What is measured of the marker in the sensor's frame: "distance" from its origin, "plane"
        the height above its x-y plane, "pixel" the image of a camera that looks along z.
    frame : str
        Frame of the robot that has the marker.
    q : (n, nq) array
        Configurations as read from the encoders, in rad or m.
    values : array_like, optional
        Poses (n, 4, 4), (n, 7) as x, y, z, qw, qx, qy, qz or (n, 6) as x, y, z and a rotation
        vector; positions (n, 3) in m; orientations (n, 3, 3), quaternions (n, 4) or rotation
        vectors (n, 3); distances (n,); heights (n,); pixels (n, 2). By default zero, for points on
        a plane and touches (kind "position": of a fixture, or with a `reference` of the robot).
    deviation : float, (m,), (m, m) or (n, m, m) array, optional
        Standard deviation of the noise, of each of m components, or the covariance; rad come before
        m. By default estimated from the residuals.
    reference : str, optional
        Frame of the robot that has the sensor; by default it is fixed in the world.
    mount : (4, 4) array, optional
        Pose of the sensor in `reference`. If it is not given, and the sensor is in the world, a
        first guess is computed from poses or positions.
    target : (4, 4) array, optional
        Pose of the marker in `frame`.
    sensor, marker : str
        Names of the sensor and of the marker; those of one name share mount, target and intrinsics.
    estimate : tuple of str
        What is estimated of "mount", "target" and "intrinsics".
    intrinsics : (4,) array_like, optional
        fx, fy, cx, cy of a camera, in pixels.
    tau : (n, nv) array, optional
        Torques, for compliance; by default those of gravity.
    name : str, optional
        Name in reports, by default kind and frame.
    rows : (n,) array of int, optional
        Numbers of the rows in reports, by default from 0.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce.calibration import Measurements
    >>> Measurements("position", "tool", np.zeros((5, 7)), np.ones((5, 3)), deviation=1e-4)
    <5 measurements 'position of tool'>
    """

    kind: Kind
    frame: str
    q: Any = field(repr=False)
    values: Any = None
    deviation: Any = None
    reference: str | None = None
    mount: Any = None
    target: Any = None
    sensor: str = "sensor"
    marker: str = "marker"
    estimate: tuple[str, ...] = ("mount", "target")
    intrinsics: Any = None
    tau: Any = None
    name: str = ""
    rows: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.kind not in UNITS:
            raise ArgumentError(f"kind of measurements: {suggest(str(self.kind), UNITS)}")
        put(self, "q", np.atleast_2d(np.asarray(self.q, dtype=float)))
        put(self, "name", self.name or f"{self.kind} of {self.frame}")
        unknown = set(self.estimate) - {"mount", "target", "intrinsics"}
        if unknown:
            raise ArgumentError(
                f"{self.name}: estimate: expected 'mount', 'target' and 'intrinsics', found"
                f" {sorted(unknown)[0]!r}"
            )
        put(self, "values", self._values())
        for name in ("mount", "target"):
            if getattr(self, name) is not None:
                put(self, name, self._array(name, getattr(self, name), (4, 4)))
        if self.kind == "pixel":
            if self.intrinsics is None:
                raise ArgumentError(f"{self.name}: pixels need intrinsics=(fx, fy, cx, cy)")
            put(self, "intrinsics", self._array("intrinsics", self.intrinsics, (4,)))
        if self.tau is not None:
            put(self, "tau", np.atleast_2d(np.asarray(self.tau, dtype=float)))
            if not np.isfinite(self.tau).all():
                raise DataError(f"{self.name}: tau must be finite; remove rows with missing values")
        put(self, "deviation", self._deviation())
        if self.rows is not None and np.shape(self.rows) != (len(self.q),):
            raise ArgumentError(
                f"{self.name}: rows: expected shape ({len(self.q)},), found {np.shape(self.rows)}"
            )

    def _array(self, name: str, x: ArrayLike, *shapes: tuple[int, ...]) -> np.ndarray:
        out = np.asarray(x, dtype=float)
        if out.shape not in shapes:
            expected = " or ".join(map(str, shapes))
            raise DataError(f"{self.name}: {name}: expected shape {expected}, found {out.shape}")
        finite = np.isfinite(out)
        if not finite.all():
            first = np.argwhere(~finite)[0].tolist()
            raise DataError(
                f"{self.name}: {name}: expected finite numbers, found {out[tuple(first)]} at"
                f" {first}; remove rows with missing values"
            )
        return out

    def _values(self) -> np.ndarray:
        n, kind = len(self.q), self.kind
        if n == 0:
            raise DataError(f"{self.name}: expected at least one configuration, found none")
        if not np.isfinite(self.q).all():
            raise DataError(f"{self.name}: q must be finite; remove rows with missing values")
        if self.values is None:
            if kind not in ("plane", "position"):
                raise ArgumentError(f"{self.name}: values are missing")
            return np.zeros((n, len(UNITS[kind])))
        if kind in ("pose", "orientation"):
            m = 4 if kind == "pose" else 3
            shapes = (n, m, m), (n, 7 if kind == "pose" else 4), (n, 6 if kind == "pose" else 3)
            x = self._array("values", self.values, *shapes)
            return _orthogonalize(x, self.name) if x.ndim == 3 else _matrices(x, self.name)
        x = np.asarray(self.values, dtype=float)
        m = len(UNITS[kind])
        return self._array("values", x.reshape(n, 1) if x.shape == (n,) else x, (n, m))

    def _deviation(self) -> np.ndarray | None:
        """Return the standard deviations (m,), or covariances (m, m) or (n, m, m)."""
        if self.deviation is None:
            return None
        n, m = len(self.q), len(UNITS[self.kind])
        x = np.asarray(self.deviation, dtype=float)
        x = np.full(m, float(x)) if x.ndim == 0 else x
        x = self._array("deviation", x, (m,), (m, m), (n, m, m))
        least = x.min() if x.ndim == 1 else np.linalg.eigvalsh(x).min()
        if least <= 0.0:
            raise DataError(f"{self.name}: deviation: expected positive numbers or covariances")
        return x

    def __len__(self) -> int:
        return len(self.q)

    def __repr__(self) -> str:
        return f"<{len(self)} measurements {self.name!r}>"

    @property
    def row_numbers(self) -> np.ndarray:
        """Numbers (n,) of the rows in reports."""
        return np.arange(len(self)) if self.rows is None else np.asarray(self.rows)

    @property
    def sensor_key(self) -> tuple[str, str]:
        """Key of the sensor's mount: its reference and name."""
        return self.reference or "", self.sensor

    @property
    def marker_key(self) -> tuple[str, str]:
        """Key of the marker's target: its frame and name."""
        return self.frame, self.marker


def _matrices(x: np.ndarray, name: str) -> np.ndarray:
    """Return poses or rotations (n, m, m) from positions, and quaternions or rotation vectors."""
    if x.shape[1] in (3, 6):
        R = np.asarray(lie.so3.exp(x[:, -3:]))
    else:
        quaternions = x[:, -4:]
        lengths = np.linalg.norm(quaternions, axis=1)
        if np.any(np.abs(lengths - 1.0) > _MAX_ERROR):
            raise DataError(
                f"{name}: expected unit quaternions qw, qx, qy, qz, found length"
                f" {lengths.min():.3g} to {lengths.max():.3g}"
            )
        R = np.asarray(lie.quaternion.Ad(quaternions / lengths[:, None]))
    if x.shape[1] < 6:
        return R
    T = np.zeros((len(x), 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = R, x[:, :3], 1.0
    return T


def _orthogonalize(x: np.ndarray, name: str) -> np.ndarray:
    """Return poses or rotations (n, m, m) whose rotation matrices are exactly orthogonal."""
    R = x[:, :3, :3]
    U, s, Vt = np.linalg.svd(R)
    bad = (np.abs(s - 1.0).max(axis=1) > _MAX_ERROR) | (np.linalg.det(R) < 0.0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise DataError(
            f"{name}: expected rotation matrices, found in row {row} one with determinant"
            f" {np.linalg.det(R[row]):.3g} and singular values up to {s[row].max():.3g}"
        )
    out = x.copy()
    out[:, :3, :3] = U @ Vt
    return out


def residuals(
    kind: str, R: np.ndarray, values: np.ndarray, intrinsics: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return e (n, m), its derivative (n, m, 6) in the twist of R, and that in the intrinsics.

    R (n, 4, 4): the marker as seen from the sensor; its twist is in the marker's axes.
    """
    rotation, p = R[:, :3, :3], R[:, :3, 3]
    n = len(R)
    if kind in ("position", "plane"):
        D = np.concatenate((np.zeros((n, 3, 3)), rotation), axis=2)
        return (p - values, D, None) if kind == "position" else (p[:, 2:] - values, D[:, 2:], None)
    if kind == "distance":
        length = np.linalg.norm(p, axis=1, keepdims=True)
        direction = (p / length)[:, None] @ rotation
        return length - values, np.concatenate((np.zeros((n, 1, 3)), direction), axis=2), None
    if kind == "pixel":
        return _pixels(rotation, p, values, intrinsics)
    turn = np.asarray(lie.so3.log(values[:, :3, :3].mT @ rotation))
    D = np.zeros((n, 3 if kind == "orientation" else 6, 6))
    D[:, :3, :3] = lie.so3.right_jacobian_inverse(turn)
    if kind == "orientation":
        return turn, D, None
    D[:, 3:, 3:] = rotation
    return np.concatenate((turn, p - values[:, :3, 3]), axis=1), D, None


def _pixels(
    rotation: np.ndarray, p: np.ndarray, values: np.ndarray, intrinsics: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    assert intrinsics is not None
    focal, center = intrinsics[:2], intrinsics[2:]
    z = np.where(np.abs(p[:, 2:]) > 1e-6, p[:, 2:], 1e-6)
    image = p[:, :2] / z
    n = len(p)
    slope = np.zeros((n, 2, 3))
    slope[:, 0, 0], slope[:, 1, 1] = focal[0] / z[:, 0], focal[1] / z[:, 0]
    slope[:, :, 2] = -focal * image / z
    D = np.concatenate((np.zeros((n, 2, 3)), slope @ rotation), axis=2)
    K = np.zeros((n, 2, 4))
    K[:, 0, 0], K[:, 1, 1], K[:, 0, 2], K[:, 1, 3] = image[:, 0], image[:, 1], 1.0, 1.0
    return focal * image + center - values, D, K
