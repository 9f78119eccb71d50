"""A robot some of whose accelerations are prescribed: `robot.hybrid_dynamics(prescribed)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.hybrid import CLOSED_HYBRID, HYBRID
from jounce.errors import ArgumentError
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.solve.mechanism.choice import named_velocities
from jounce.solve.mechanism.robot import Mechanism
from jounce.solve.subsystem import Subsystem
from jounce.utils.once import once_property


def hybrid_dynamics(
    robot: Robot | Mechanism, prescribed: Sequence[str | int]
) -> DifferentiableQuantity:
    """Return the hybrid dynamics of a robot or mechanism; see `Robot.hybrid_dynamics`."""
    tree = robot.robot if isinstance(robot, Mechanism) else robot
    title = f"{robot.name}.hybrid_dynamics: prescribed"
    known = list(robot.velocities)
    chosen = named_velocities(tree, prescribed, title)
    for k in chosen:
        if k not in known:
            raise ArgumentError(
                f"{title}: the acceleration of joint '{tree.labels('v')[k]}' follows from those of"
                f" the independent joints; choose among {', '.join(robot.labels('v'))}"
            )
    entries = tuple(sorted(map(known.index, chosen)))
    return HybridSystem(robot, entries).dynamics


class HybridSystem(Subsystem):
    """A robot or mechanism some of whose accelerations are prescribed.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    prescribed : tuple of int
        Entries of v whose accelerations are prescribed.
    """

    def __init__(self, robot: Robot | Mechanism, prescribed: tuple[int, ...]) -> None:
        super().__init__(robot, (prescribed,))
        self.prescribed = prescribed
        self._tables = CLOSED_HYBRID if isinstance(robot, Mechanism) else HYBRID

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def call(self) -> str:
        """Expression that creates it, such as "hybrid_dynamics('shoulder')"."""
        names = self.robot.labels("v")
        return f"hybrid_dynamics({', '.join(repr(names[k]) for k in self.prescribed)})"

    @property
    def dynamics(self) -> DifferentiableQuantity:
        """The hybrid dynamics."""
        return self._quantity("hybrid_dynamics")

    @once_property
    def tree(self) -> Tree:
        """The robot's tree, which knows the prescribed velocities."""
        return replace(self.robot.tree, prescribed=self.prescribed)
