"""Things to grab in the scene: bodies on free and spherical joints are moved with the mouse."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.model.joints import FREE, SPHERICAL
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.live.subject import Subject

#: How far from the origin a handle can be pulled, m.
MAX_DISTANCE = 1e6


class Handle:
    """What moves one body on a free or spherical joint."""

    def __init__(self, stage: Stage, body: int) -> None:
        self.subject, self.body = stage.subject, body
        joint = self.subject.model.joints[body]
        self.turns_only = joint.row.motions == (SPHERICAL,)
        self._at = self.subject.robot.joints[joint.name].q
        self._point = np.eye(4)
        self._point[:3, 3] = joint.point
        self._before = joint.placement @ self._point
        self.node = stage.scene.add_transform_controls(
            f"/handles/body{body}",
            scale=0.45 * stage.size,
            disable_axes=self.turns_only,
            disable_sliders=self.turns_only,
            depth_test=False,
            visible=not self.turns_only,
        )

    def move(self, state: State) -> None:
        """Put the handle to its body."""
        T = state.poses[self.body] @ self._point
        self.node.wxyz = lie.quaternion.from_rotation(T[:3, :3])
        self.node.position = T[:3, 3]

    def write(self, q: np.ndarray) -> np.ndarray:
        """The configuration in which the body is where the handle was pulled."""
        parent = self.subject.model.joints[self.body].parent
        base = np.eye(4) if parent < 0 else self.subject.poses(q)[parent]
        seat = base @ self._before
        pulled = np.eye(4)
        pulled[:3, :3] = _rotation(np.asarray(self.node.wxyz, dtype=float))
        pulled[:3, 3] = np.clip(self.node.position, -MAX_DISTANCE, MAX_DISTANCE)
        moved = np.linalg.solve(seat, pulled)
        out = q.copy()
        turn = lie.quaternion.from_rotation(moved[:3, :3])
        out[self._at] = turn if self.turns_only else np.concatenate((turn, moved[:3, 3]))
        return out


def _rotation(turn: np.ndarray) -> np.ndarray:
    """Return the rotation matrix of a quaternion of any length; identity if that is 0."""
    length = np.abs(turn).max()
    turn = turn / length if length > 0.0 else np.array([1.0, 0.0, 0.0, 0.0])
    return np.stack([lie.quaternion.rotate(turn, x) for x in np.eye(3)], axis=1)


def movable(subject: Subject) -> list[int]:
    """Bodies that a handle can move: on free and spherical joints, all of which is free."""
    free = set(subject.whole.velocities)
    out = []
    for i, joint in enumerate(subject.model.joints):
        at = subject.robot.joints[joint.name].v
        if joint.row.motions in ((FREE,), (SPHERICAL,)) and set(range(at.start, at.stop)) <= free:
            out.append(i)
    return out


def handles(stage: Stage) -> list[Any]:
    """A handle for each of them."""
    return [Handle(stage, body) for body in movable(stage.subject)]
