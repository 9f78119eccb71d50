"""One frame seen from another: `robot.frame("tool").relative_to("camera")`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jounce.catalog.relative import CLOSED_RELATIVE, RELATIVE
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from jounce.solve.subsystem import Subsystem
from jounce.utils.once import once_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jounce.arrays.generic import Derivative


class RelativeFrame(Subsystem):
    """Pose, Jacobian, twist and acceleration of a frame seen from another, as callables.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    frame, reference : str
        Names of the frame and of its reference.
    """

    if TYPE_CHECKING:
        pose: Derivative[..., NDArray[Any]]
        jacobian: Derivative[..., NDArray[Any]]
        twist: Derivative[..., NDArray[Any]]
        acceleration: Derivative[..., NDArray[Any]]

    def __init__(self, robot: Robot | Mechanism, frame: str, reference: str) -> None:
        super().__init__(robot, (frame, reference))
        indices = (robot.model.frame_index(name) for name in (frame, reference))
        self._tasks = tuple((index, (True,) * 6) for index in indices)
        self._tables = CLOSED_RELATIVE if isinstance(robot, Mechanism) else RELATIVE

    @property
    def call(self) -> str:
        """Expression that creates it, such as "frame('tool').relative_to('camera')"."""
        frame, reference = self.choice
        return f"frame({frame!r}).relative_to({reference!r})"

    @once_property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes, and tasks, the number of frames."""
        return {**self.robot.sizes, "tasks": 2}

    @once_property
    def tree(self) -> Tree:
        """The robot's tree, which knows the two frames."""
        return replace(self.robot.tree, tasks=self._tasks)
