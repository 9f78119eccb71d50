"""Quantities of all joints of a mechanism, with the loops as constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jounce.arrays.configurations import JointView
from jounce.arrays.tables import ClosedMorphable, ClosedParametric
from jounce.catalog.mechanism import ALL_JOINTS, CLOSED
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import printable
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.robot.system import System, with_elastic
from jounce.solve.elastic import ElasticInverseDynamics
from jounce.solve.motion.rollout import Rollout
from jounce.utils.content_cache import hash_content
from jounce.utils.once import once_property


class OfMechanism(System):
    """Base class of mechanisms, and of all joints of a mechanism."""

    _tables = CLOSED
    robot: Robot

    @property
    def name(self) -> str:
        """Expression that creates it: the robot's name and its `closed()`."""
        return f"{self.robot.name}.closed()"

    @property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name, with their slices of q and of the velocities of all joints."""
        return self.robot.joints

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        return with_elastic(super().definitions)

    @once_property
    def elastic_inverse_dynamics(self) -> ElasticInverseDynamics:
        """Motor motion and torque with which elastic joints follow a motion exactly.

        `elastic_inverse_dynamics(q, v, a, j, s, stiffness, damping=..., motor_inertia=...)` takes
        the motion up to its fourth time derivative (jerk j, snap s) and returns an `ElasticMotion`:
        position, velocity, acceleration and torque of the motors and torque of the links, (..., nv)
        each.
        """
        return ElasticInverseDynamics(self)

    @once_property
    def rollout(self) -> Rollout:
        """Simulation step by step, and gradients through it.

        `rollout(q0, v0, taus, h)` returns configurations (..., T + 1, nq) and velocities
        (..., T + 1, nv) under forces `taus` (..., T, nv), each held for a step of h seconds, or
        under a `policy`. `rollout.vjp` returns gradients of a function of all states.
        """
        return Rollout(self)

    @once_property
    def parametric(self) -> ClosedParametric:
        """The same quantities with the inertial parameters as an argument."""
        return ClosedParametric(self)

    @once_property
    def morphable(self) -> ClosedMorphable:
        """The same quantities with parameters, joint placements and screws as arguments.

        q must close the loops of the robot with these arguments.
        """
        return ClosedMorphable(self)


class AllJoints(OfMechanism):
    """Quantities of a mechanism whose velocities are those of all joints."""

    def __init__(self, mechanism: OfMechanism, tree: Tree, **sizes: int) -> None:
        self._mechanism = mechanism
        self._tree = tree
        self.robot = mechanism.robot
        self.model = mechanism.model
        self.target = mechanism.target
        self._sizes = {**self.robot.sizes, **sizes}

    @property
    def tree(self) -> Tree:
        """The tree, with its loops."""
        return self._tree

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes with nv of all joints."""
        return self._sizes

    @property
    def velocities(self) -> Sequence[int]:
        """Indices of the velocities in v: all of them."""
        return range(self.robot.nv)

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        return ALL_JOINTS

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return hash_content("all joints", self._mechanism.content_hash)

    def __reduce__(self) -> Any:
        return getattr, (self._mechanism, "_all_joints")

    def __repr__(self) -> str:
        return printable(f"<all joints of {self.name}>")
