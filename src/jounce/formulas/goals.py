"""Goals of inverse kinematics: residuals and their Jacobians.

A goal has a residual r (m,) and a matrix A (m, nv). A is the Jacobian of r only where r = 0, but
A^T r is the gradient of |r|^2 / 2 everywhere: rotation errors are rotation vectors, position errors
are in moving axes, and the terms that A neglects are orthogonal to r. Least-squares steps therefore
descend, converge quadratically to r = 0, and do not stall at half turns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.formulas.kinematics import frame_rotation_origin, joint_poses, path_twists
from jounce.formulas.mechanism.loops import loop_geometry
from jounce.formulas.momenta import center_of_mass, com_jacobian
from jounce.math.lie import rotation_log
from jounce.math.scalar import (
    Array,
    array,
    atan2,
    dropped,
    identity,
    kept,
    sqrt,
    where,
)
from jounce.math.spatial import cross, dot
from jounce.model.tree import Tree


class Goal(ABC):
    """Inverse kinematics goal for a frame, the center of mass or a loop.

    size: number of parameters besides the weight. angular: whether the residual is an angle (rad)
    instead of a distance (m).
    """

    size: int
    angular: bool

    @abstractmethod
    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return r (m,), whose norm is the error (rad or m); x: parameters of the goal."""

    @abstractmethod
    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return A (m, nv), the Jacobian of r where r = 0."""


@dataclass(frozen=True)
class PositionGoal(Goal):
    """A point of a frame reaches a position: x = (position, point in the frame).

    axes: world coordinates that count. has_point: whether x includes a point, else the origin.
    """

    frame: int
    axes: tuple[int, ...] = (0, 1, 2)
    has_point: bool = False

    angular = False

    @property
    def size(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Three for the position, and three for the point."""
        return 6 if self.has_point else 3

    @property
    def _all_axes(self) -> bool:
        """True if all coordinates count; errors are then in frame axes, the cheapest form."""
        return len(self.axes) == 3

    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the vector from the target position to the point."""
        R, p = frame_rotation_origin(tree, q, self.frame)
        e = p + R @ x[3:] - x[:3] if self.has_point else p - x[:3]
        return R.T @ e if self._all_axes else e[list(self.axes)]

    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the Jacobian of the point's velocity."""
        node, R, p = tree.frames[self.frame]
        node_frame = (node, R, p + R @ x[3:] if self.has_point else p)
        J = path_twists(tree, joint_poses(tree, q), node_frame)[3:]
        if self._all_axes:
            return J
        return (frame_rotation_origin(tree, q, self.frame)[0] @ J)[list(self.axes)]


@dataclass(frozen=True)
class OrientationGoal(Goal):
    """A frame reaches an orientation: x = its rotation matrix, row by row."""

    frame: int

    size = 9
    angular = True

    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the rotation vector from the target orientation to the frame's."""
        R, _ = frame_rotation_origin(tree, q, self.frame)
        return rotation_log(x.reshape(3, 3).T @ R)

    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the Jacobian of the frame's angular velocity, in its axes."""
        return _angular(tree, q, self.frame)


@dataclass(frozen=True)
class DirectionGoal(Goal):
    """An axis of a frame points in a direction: x = (unit direction, axes fixed in the frame).

    The axes are a rotation matrix, row by row, whose z axis shall point in the direction.
    """

    frame: int

    size = 12
    angular = True

    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the rotation vector from the target direction to the axis."""
        R, _ = frame_rotation_origin(tree, q, self.frame)
        return -tilt(x[3:].reshape(3, 3).T @ (R.T @ x[:3]))

    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the Jacobian of the frame's angular velocity normal to the axis."""
        return (x[3:].reshape(3, 3).T @ _angular(tree, q, self.frame))[:2]


@dataclass(frozen=True)
class CenterOfMassGoal(Goal):
    """The center of mass reaches a position x; axes: world coordinates that count."""

    axes: tuple[int, ...] = (0, 1, 2)

    size = 3
    angular = False

    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the vector from the target to the center of mass."""
        return (center_of_mass(tree, q) - x)[list(self.axes)]

    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the Jacobian of the center of mass."""
        return com_jacobian(tree, q)[list(self.axes)]


@dataclass(frozen=True)
class LoopGoal(Goal):
    """A loop is closed, in its locked rotations (angular) or translations; see `jounce.Loop`."""

    loop: int
    angular: bool

    size = 0

    def _locked_entries(self, tree: Tree) -> list[int]:
        locked = tree.loops[self.loop][2]
        return [k for k in (range(3) if self.angular else range(3, 6)) if locked[k]]

    def residual(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the closure error from a to b, in the axes of a."""
        T = loop_geometry(tree, q)[0][self.loop]
        locked, R = self._locked_entries(tree), T[:3, :3]
        if not self.angular:
            return T[[k - 3 for k in locked], 3]
        if len(locked) == 3:
            return rotation_log(R)
        if len(locked) == 1:
            return array((_inclination(R, locked[0])[0],))
        free = 3 - sum(locked)
        cycle = [(free + 1) % 3, (free + 2) % 3, free]
        return tilt(R[cycle, free])[np.argsort(cycle[:2])]

    def jacobian(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the Jacobian of the motion of b relative to a, in the axes of a."""
        T, J = (of_loops[self.loop] for of_loops in loop_geometry(tree, q))
        locked = self._locked_entries(tree)
        if self.angular and len(locked) == 1:
            return (_inclination(T[:3, :3], locked[0])[1] @ J[:3])[None]
        return J[locked]


def _angular(tree: Tree, q: Array, frame: int) -> Array:
    """Return the angular Jacobian (3, nv) of a frame, in its axes."""
    return path_twists(tree, joint_poses(tree, q), tree.frames[frame])[:3]


def tilt(u: Array) -> Array:
    """Return the rotation vector (x, y) that takes z to the unit vector u (about x if u = -z)."""
    x, y, z = u
    square = x * x + y * y
    sine = sqrt(where(square, square, 1.0))
    scale = kept(atan2(sine, z) / sine, square)
    return array((dropped(kept(np.pi, -z), square) - scale * y, scale * x))


def _inclination(R: Array, k: int) -> tuple[Any, Array]:
    """Return the angle of axis i of b to the plane normal to axis j of a, and its rotation axis."""
    i, j = (k + 1) % 3, (k + 2) % 3
    across = cross(R[:, i], identity(3)[j])
    square = dot(across, across)
    cosine = sqrt(where(square, square, 1.0))
    axis = across / cosine
    axis[k] = where(square, axis[k], 1.0)  # any normal axis where the axes are parallel
    return atan2(R[j, i], kept(cosine, square)), axis
