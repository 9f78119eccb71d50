"""A robot some of whose accelerations are prescribed: `robot.hybrid_dynamics(prescribed)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from jounce.arrays.configurations import JointView
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.tables import Morphable, Parametric
from jounce.catalog.hybrid import CLOSED_HYBRID, HYBRID
from jounce.errors import ArgumentError
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.robot.system import System
from jounce.solve.mechanism.choice import named_velocities
from jounce.solve.mechanism.robot import Mechanism
from jounce.utils.once import once_property
from jounce.utils.residents import content_of


def hybrid_dynamics(
    robot: Robot | Mechanism, prescribed: Sequence[str | int]
) -> DifferentiableQuantity:
    """Return the hybrid dynamics of a robot or mechanism; see `Robot.hybrid_dynamics`."""
    return HybridSystem(robot, prescribed).quantity("hybrid_dynamics")


class HybridSystem(System):
    """A robot or mechanism some of whose accelerations are prescribed.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    prescribed : sequence of str or int
        Joints, or velocities by name ("name[k]") or index, whose accelerations are prescribed.
    """

    def __init__(self, robot: Robot | Mechanism, prescribed: Sequence[str | int]) -> None:
        whole = robot.robot if isinstance(robot, Mechanism) else robot
        title = f"{robot.name}.hybrid_dynamics: prescribed"
        chosen = named_velocities(whole, prescribed, title)
        known = list(robot.velocities)
        for k in chosen:
            if k not in known:
                name = whole.labels("v")[k]
                raise ArgumentError(
                    f"{title}: the acceleration of joint '{name}' follows from those of the"
                    f" independent joints; choose among {', '.join(robot.labels('v'))}"
                )
        self.robot, self.model, self.target = robot, robot.model, robot.target
        self.prescribed: tuple[int, ...] = tuple(sorted(map(known.index, chosen)))
        self._tables = CLOSED_HYBRID if isinstance(robot, Mechanism) else HYBRID

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return content_of("hybrid", self.robot.content_hash, self.prescribed)

    def __reduce__(self) -> Any:
        names = [self.robot.velocities[k] for k in self.prescribed]
        return HybridSystem, (self.robot, names)

    def __repr__(self) -> str:
        names = ", ".join(self.robot.labels("v")[k] for k in self.prescribed)
        return f"<robot '{self.name}' with prescribed accelerations: {names}>"

    def explain_singularity(self) -> str:
        """Say why the mass matrix is singular; '' if it is not known to be."""
        return self.robot.explain_singularity()

    @once_property
    def tree(self) -> Tree:
        """The robot's tree, which knows the prescribed velocities."""
        return replace(self.robot.tree, prescribed=self.prescribed)

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
        """Which velocities of all joints v has."""
        return self.robot.velocities

    @once_property
    def parametric(self) -> Parametric:
        """The same quantity with the inertial parameters as an argument."""
        return Parametric(self)

    @once_property
    def morphable(self) -> Morphable:
        """The same quantity with parameters, joint placements and screws as arguments."""
        return Morphable(self)

    def sample_configuration(self, q: Any) -> Any:
        """Return a configuration (nq,) with closed loops."""
        return self.robot.sample_configuration(q)
