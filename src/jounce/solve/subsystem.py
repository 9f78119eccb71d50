"""Base class of objects that a robot creates for a choice and that have quantities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from jounce.arrays.configurations import JointView
from jounce.arrays.tables import Morphable, Parametric
from jounce.errors import printable
from jounce.robot import Robot
from jounce.robot.system import System
from jounce.solve.mechanism.robot import Mechanism
from jounce.utils.content_cache import hash_content
from jounce.utils.once import once_property


class Subsystem(System):
    """A robot or mechanism with a choice, such as prescribed joints or frames of a task.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    choice : tuple
        Plain data that makes the same subsystem of the robot again.
    """

    def __init__(self, robot: Robot | Mechanism, choice: tuple[Any, ...]) -> None:
        self.robot, self.model, self.target = robot, robot.model, robot.target
        self.choice = choice

    @property
    @abstractmethod
    def call(self) -> str:
        """Expression after "robot.", such as "task_space('hand')"."""

    @property
    def name(self) -> str:
        """Name of the robot and the expression that creates it."""
        return f"{self.robot.name}.{self.call}"

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return hash_content(type(self).__name__, self.robot.content_hash, self.choice)

    def __reduce__(self) -> Any:
        return type(self), (self.robot, *self.choice)

    def __repr__(self) -> str:
        return printable(f"<robot '{self.name}'>")

    def explain_singularity(self) -> str:
        """Say why the mass matrix is singular; '' if it is not known to be."""
        return self.robot.explain_singularity()

    @property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes."""
        return self.robot.sizes

    @property
    def joints(self) -> Mapping[str, JointView]:
        """The robot's joints."""
        return self.robot.joints

    @property
    def velocities(self) -> Sequence[int]:
        """Indices of the entries of v among the velocities of all joints."""
        return self.robot.velocities

    @once_property
    def parametric(self) -> Parametric:
        """The same quantities with the inertial parameters as an argument."""
        return Parametric(self)

    @once_property
    def morphable(self) -> Morphable:
        """The same quantities with parameters, joint placements and screws as arguments."""
        return Morphable(self)

    def make_test_configuration(self, q: Any) -> Any:
        """Return a configuration (nq,) with closed loops."""
        return self.robot.make_test_configuration(q)
