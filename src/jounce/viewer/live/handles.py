"""Drag handles: move bodies on free and spherical joints with the mouse."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.model.joints import FREE, SPHERICAL
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.live.subject import Subject

#: Largest coordinate of a handle, m.
MAX_COORDINATE = 1e6


class Handle:
    """Handle that moves one body on a free or spherical joint."""

    def __init__(self, stage: Stage, body: int) -> None:
        self.subject, self.body = stage.subject, body
        joint = self.subject.model.joints[body]
        self.turns_only = joint.row.motions == (SPHERICAL,)
        self._coordinates = self.subject.robot.joints[joint.name].q
        self._offset = np.eye(4)
        self._offset[:3, 3] = joint.point
        self._placement = joint.placement @ self._offset
        self.node = stage.scene.add_transform_controls(
            f"/handles/body{body}",
            scale=0.45 * stage.size,
            disable_axes=self.turns_only,
            disable_sliders=self.turns_only,
            depth_test=False,
            visible=not self.turns_only,
        )

    def move(self, state: State) -> None:
        """Move the handle to its body."""
        T = state.poses[self.body] @ self._offset
        self.node.wxyz = lie.quaternion.from_rotation(T[:3, :3])
        self.node.position = T[:3, 3]

    def write(self, q: np.ndarray) -> np.ndarray:
        """Return the configuration in which the body is at the handle."""
        parent = self.subject.model.joints[self.body].parent
        base = np.eye(4) if parent < 0 else self.subject.poses(q)[parent]
        joint_pose = base @ self._placement
        target = np.eye(4)
        target[:3, :3] = _rotation(np.asarray(self.node.wxyz, dtype=float))
        target[:3, 3] = np.clip(self.node.position, -MAX_COORDINATE, MAX_COORDINATE)
        displacement = np.linalg.solve(joint_pose, target)
        out = q.copy()
        turn = lie.quaternion.from_rotation(displacement[:3, :3])
        out[self._coordinates] = (
            turn if self.turns_only else np.concatenate((turn, displacement[:3, 3]))
        )
        return out


def _rotation(turn: np.ndarray) -> np.ndarray:
    """Return the rotation matrix of a quaternion of any norm; identity for a zero one."""
    length = np.abs(turn).max()
    turn = turn / length if length > 0.0 else np.array([1.0, 0.0, 0.0, 0.0])
    return np.stack([lie.quaternion.rotate(turn, x) for x in np.eye(3)], axis=1)


def movable_bodies(subject: Subject) -> list[int]:
    """Return the bodies on free and spherical joints whose velocities are all independent."""
    free = set(subject.dynamics.velocities)
    out = []
    for i, joint in enumerate(subject.model.joints):
        entries = subject.robot.joints[joint.name].v
        is_movable = joint.row.motions in ((FREE,), (SPHERICAL,))
        if is_movable and set(range(entries.start, entries.stop)) <= free:
            out.append(i)
    return out


def create_handles(stage: Stage) -> list[Any]:
    """Create a handle for each movable body."""
    return [Handle(stage, body) for body in movable_bodies(stage.subject)]
