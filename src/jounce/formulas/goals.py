"""Goals of inverse kinematics: what a configuration misses, and how velocities change that.

A goal gives what it misses, r (m,), and a matrix A (m, nv). Where r is not small A is not the
derivative of r, but A^T r is that of r^2 / 2 everywhere: turns are rotation vectors, positions are
taken in axes that move along, and what A leaves out is normal to r. So steps of least squares go
downhill, converge quadratically where r becomes zero, and are not fooled by half turns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.formulas.kinematics import carried, frame_rotation_origin, joint_poses
from jounce.formulas.mechanism.loops import loop_geometry
from jounce.formulas.momenta import center_of_mass, com_jacobian
from jounce.math.lie import rotation_log
from jounce.math.scalar import Array, array, atan2, dropped, identity, kept, sqrt, where
from jounce.math.spatial import cross, dot
from jounce.model.tree import Tree


class Goal(ABC):
    """Inverse kinematics goal for a frame, the center of mass or a loop.

    size: how many numbers it takes besides its weight. turns: whether it misses an angle (rad)
    rather than a distance (m).
    """

    size: int
    turns: bool

    @abstractmethod
    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return r (m,), its length the angle or distance that is missed; x: its numbers."""

    @abstractmethod
    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return A (m, nv)."""


@dataclass(frozen=True)
class Place(Goal):
    """A point of a frame is at a place: x = (place, point in the frame).

    axes: which coordinates of the world count. shifted: whether there is a point, else the origin.
    """

    frame: int
    axes: tuple[int, ...] = (0, 1, 2)
    shifted: bool = False

    turns = False

    @property
    def size(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Three for the place, and three for the point."""
        return 6 if self.shifted else 3

    @property
    def _all(self) -> bool:
        """Whether all coordinates count; errors are then in frame axes, the cheapest form."""
        return len(self.axes) == 3

    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the vector from the target position to the point."""
        R, p = frame_rotation_origin(tree, q, self.frame)
        e = p + R @ x[3:] - x[:3] if self.shifted else p - x[:3]
        return R.T @ e if self._all else e[list(self.axes)]

    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the velocity of the point."""
        node, R, p = tree.frames[self.frame]
        seat = (node, R, p + R @ x[3:] if self.shifted else p)
        J = carried(tree, joint_poses(tree, q), seat)[3:]
        if self._all:
            return J
        return (frame_rotation_origin(tree, q, self.frame)[0] @ J)[list(self.axes)]


@dataclass(frozen=True)
class Turn(Goal):
    """A frame has an orientation: x = its rotation matrix, row by row."""

    frame: int

    size = 9
    turns = True

    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the rotation vector from the target orientation to the frame's."""
        R, _ = frame_rotation_origin(tree, q, self.frame)
        return rotation_log(x.reshape(3, 3).T @ R)

    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the angular velocity of the frame."""
        return _angular(tree, q, self.frame)


@dataclass(frozen=True)
class Pointing(Goal):
    """An axis of a frame points somewhere: x = (unit direction, axes fixed in the frame).

    Of the axes, a rotation matrix row by row, z is the one that points.
    """

    frame: int

    size = 12
    turns = True

    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the rotation vector from the target direction to the axis."""
        R, _ = frame_rotation_origin(tree, q, self.frame)
        return -tilt(x[3:].reshape(3, 3).T @ (R.T @ x[:3]))

    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the angular velocity of the frame, across the axis."""
        return (x[3:].reshape(3, 3).T @ _angular(tree, q, self.frame))[:2]


@dataclass(frozen=True)
class Balance(Goal):
    """The centre of mass is at a place: x = that place; axes: which coordinates count."""

    axes: tuple[int, ...] = (0, 1, 2)

    size = 3
    turns = False

    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the vector from the target to the center of mass."""
        return (center_of_mass(tree, q) - x)[list(self.axes)]

    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the velocity of the center of mass."""
        return com_jacobian(tree, q)[list(self.axes)]


@dataclass(frozen=True)
class Shut(Goal):
    """A loop is closed: its locked turns, or its locked shifts; see `jounce.Loop`."""

    loop: int
    turns: bool

    size = 0

    def _locked(self, tree: Tree) -> list[int]:
        locked = tree.loops[self.loop][2]
        return [k for k in (range(3) if self.turns else range(3, 6)) if locked[k]]

    def missed(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the closure error from a to b, in the axes of a."""
        T = loop_geometry(tree, q)[0][self.loop]
        locked, R = self._locked(tree), T[:3, :3]
        if not self.turns:
            return T[[k - 3 for k in locked], 3]
        if len(locked) == 3:
            return rotation_log(R)
        if len(locked) == 1:
            return array((_lean(R, locked[0])[0],))
        free = 3 - sum(locked)
        cycle = [(free + 1) % 3, (free + 2) % 3, free]
        return tilt(R[cycle, free])[np.argsort(cycle[:2])]

    def moved(self, tree: Tree, q: Array, x: Array) -> Array:
        """Return the velocity of b relative to a, in the axes of a."""
        T, J = (found[self.loop] for found in loop_geometry(tree, q))
        locked = self._locked(tree)
        if self.turns and len(locked) == 1:
            return (_lean(T[:3, :3], locked[0])[1] @ J[:3])[None]
        return J[locked]


def _angular(tree: Tree, q: Array, frame: int) -> Array:
    """Return the angular velocity of a frame per velocity (3, nv), in its axes."""
    return carried(tree, joint_poses(tree, q), tree.frames[frame])[:3]


def tilt(u: Array) -> Array:
    """Return the rotation vector (x, y) that takes z to the unit vector u; to -z it is about x."""
    x, y, z = u
    square = x * x + y * y
    sine = sqrt(where(square, square, 1.0))
    scale = kept(atan2(sine, z) / sine, square)
    return array((dropped(kept(np.pi, -z), square) - scale * y, scale * x))


def _lean(R: Array, k: int) -> tuple[Any, Array]:
    """By how much axis i of b leaves the plane normal to axis j of a, and about which axis."""
    i, j = (k + 1) % 3, (k + 2) % 3
    across = cross(R[:, i], identity(3)[j])
    square = dot(across, across)
    cosine = sqrt(where(square, square, 1.0))
    axis = across / cosine
    axis[k] = where(square, axis[k], 1.0)  # where all are normal, any will do
    return atan2(R[j, i], kept(cosine, square)), axis
