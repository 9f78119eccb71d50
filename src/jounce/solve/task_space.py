"""A task of one or several frames: `robot.task_space("hand", "foot", rows="position")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.catalog.task_space import CLOSED_TASK_SPACE, TASK_SPACE
from jounce.errors import ArgumentError, suggest
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from jounce.solve.subsystem import Subsystem
from jounce.utils.once import once_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jounce.arrays.generic import Derivative

#: Rows of a twist (omega, v) by name.
ROWS = {
    "pose": (True,) * 6,
    "orientation": (True,) * 3 + (False,) * 3,
    "position": (False,) * 3 + (True,) * 3,
}

Rows = str | Sequence[bool]


def _select_rows(rows: Any, title: str) -> tuple[bool, ...]:
    """Return which of the six rows of a twist count."""
    if isinstance(rows, str):
        if rows not in ROWS:
            raise ArgumentError(f"{title}: no rows '{rows}'; {suggest(rows, ROWS)}")
        return ROWS[rows]
    kept = np.asarray(rows)
    if kept.shape != (6,) or kept.dtype != bool or not kept.any():
        raise ArgumentError(
            f"{title}: rows must be {', '.join(map(repr, ROWS))} or six booleans for (omega, v),"
            f" found {rows!r}"
        )
    return tuple(kept.tolist())


def task_space(
    robot: Robot | Mechanism, frames: Sequence[str], rows: Rows | Mapping[str, Rows]
) -> TaskSpace:
    """Return a task of frames of a robot or mechanism; see `Robot.task_space`."""
    title = f"{robot.name}.task_space"
    if not frames:
        raise ArgumentError(f"{title}: expected at least one frame, found none")
    by_frame = rows if isinstance(rows, Mapping) else dict.fromkeys(frames, rows)
    for name in by_frame:
        if name not in frames:
            raise ArgumentError(f"{title}: rows: '{name}' is not among the frames {frames}")
    chosen = []
    for name in frames:
        robot.model.frame_index(name)  # raises if there is none
        chosen.append((name, _select_rows(by_frame.get(name, "pose"), title)))
    return TaskSpace(robot, tuple(chosen))


class TaskSpace(Subsystem):
    """The dynamics of a robot in the directions of a task, as callables.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    frames : tuple of (str, tuple of bool)
        Frames, each with the rows of its twist (omega, v) that count.
    """

    if TYPE_CHECKING:
        jacobian: Derivative[..., NDArray[Any]]
        jacobian_rate: Derivative[..., NDArray[Any]]
        velocity: Derivative[..., NDArray[Any]]
        inertia_inverse: Derivative[..., NDArray[Any]]
        inertia: Derivative[..., NDArray[Any]]
        jacobian_inverse: Derivative[..., NDArray[Any]]
        coriolis_matrix: Derivative[..., NDArray[Any]]
        bias: Derivative[..., NDArray[Any]]
        null_space_projector: Derivative[..., NDArray[Any]]

    def __init__(
        self, robot: Robot | Mechanism, frames: tuple[tuple[str, tuple[bool, ...]], ...]
    ) -> None:
        super().__init__(robot, (frames,))
        self.frames = frames
        self._tables = CLOSED_TASK_SPACE if isinstance(robot, Mechanism) else TASK_SPACE

    @property
    def call(self) -> str:
        """Expression that creates it, such as "task_space('hand')"."""
        return f"task_space({', '.join(repr(name) for name, _ in self.frames)})"

    @once_property
    def tree(self) -> Tree:
        """The robot's tree, which knows the rows of the task."""
        tasks = tuple((self.model.frame_index(name), kept) for name, kept in self.frames)
        return replace(self.robot.tree, tasks=tasks)

    @once_property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes; nr, the rows of the task; and tasks, the number of its frames."""
        rows = sum(sum(kept) for _, kept in self.frames)
        return {**self.robot.sizes, "nr": rows, "tasks": len(self.frames)}
