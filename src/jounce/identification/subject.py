"""The subject of an identification: a robot, or a mechanism behind the interface of a robot.

Torques, velocities and accelerations of a mechanism are those of its independent joints; bodies and
configurations are those of its tree. `MechanismAdapter` has the attributes of a robot that this
package uses, so that all code works for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.solve.mechanism import Mechanism
from jounce.utils import cached_property

if TYPE_CHECKING:
    from jounce.arrays import JointView
    from jounce.model import Tree
    from jounce.robot import Robot

#: Random walk of `MechanismAdapter.sample_configurations`: number of steps, size of the first ones
#: (rad, m), and least conditioning of the independent joints.
_ROUNDS, _STEP, _MIN_CONDITIONING = 12, 0.3, 1e-3

#: Maximum number of steps of an assembly that starts near its solution.
ITERATIONS = 20


class MechanismAdapter:
    """Adapter of a mechanism to the interface of a robot.

    nv counts the independent joints, nq and nb count all. bodies: the robot of its tree. active:
    indices of the independent velocities among those of the tree.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.bodies: Robot = mechanism.robot
        self.active = np.array(mechanism.active, dtype=int)
        self.name, self.model = mechanism.name, mechanism.model
        self.nq, self.nv, self.nb = mechanism.nq, mechanism.nv, self.bodies.nb

    def __getattr__(self, name: str) -> Any:
        """Return quantities and frames of the mechanism, in terms of the independent joints."""
        if name.startswith("__") or name == "mechanism":  # while a copy is being created
            raise AttributeError(name)
        return getattr(self.mechanism, name)

    @property
    def tree(self) -> Tree:
        """The tree of all joints."""
        return self.bodies.tree

    @property
    def joints(self) -> Mapping[str, JointView]:
        """All joints by name; .v are slices into the velocities of the tree."""
        return self.bodies.joints

    def labels(self, of: Literal["q", "v"]) -> list[str]:
        """Names of the entries of q, of all joints, or of v, of the independent ones."""
        names = self.bodies.labels(of)
        return names if of == "q" else [names[k] for k in self.active]

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> np.ndarray:
        """Return the velocity (..., nv) of the independent joints from q0 to q1 in unit time."""
        return self.bodies.difference(q0, q1)[..., self.active]

    def with_parameters(self, parameters: ArrayLike, **drives: np.ndarray) -> Mechanism:
        """Return the mechanism with other parameters (nb, 10), and drives of all joints."""
        closed, robot = self.mechanism, self.bodies.edit.with_parameters(parameters, **drives)
        return robot.closed(closed.active, closed.reference, closed.tolerance)

    # -------------------------------------------------------------- configurations

    @cached_property
    def leading(self) -> list[int]:
        """Indices of the coordinates of the independent joints in q, in their order.

        All coordinates of a joint if its velocities are not the rates of its coordinates.
        """
        out: list[int] = []
        for k in self.active:
            view = next(
                x
                for x in self.bodies.joints.values()
                if x.joint.mimic is None and x.v.start <= k < x.v.stop
            )
            coordinates = {v: q for q, v in view.joint.row.rates}
            v = k - view.v.start
            entries = [coordinates[v]] if v in coordinates else range(view.q.stop - view.q.start)
            out += [view.q.start + i for i in entries if view.q.start + i not in out]
        return out

    def displace(self, q: np.ndarray, lead: np.ndarray) -> np.ndarray:
        """Integrate independent velocities from q, without closing the loops exactly: (..., nq)."""
        return self.bodies.integrate(q, self.mechanism.velocity(q, lead))

    def sample_configurations(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return random closed configurations (count, nq) reachable from the reference.

        They come from random walks, whose steps are halved where the loops do not close.
        """
        q = np.tile(self.mechanism.reference, (count, 1))
        size = np.full((count, 1), _STEP)
        for _ in range(_ROUNDS):
            start = self.displace(q, size * rng.normal(size=(count, self.nv)))
            assembled = self.mechanism.assemble(start, iterations=ITERATIONS, nudges=())
            good = assembled.success & (assembled.conditioning > _MIN_CONDITIONING)
            q[good] = assembled.q[good]
            size[~good] /= 2.0
        return q


#: A robot, or a mechanism with the interface of a robot.
Subject: TypeAlias = "Robot | MechanismAdapter"


def subject(robot: Any) -> Subject:
    """Return a robot unchanged, and a mechanism as a `MechanismAdapter`."""
    return MechanismAdapter(robot) if isinstance(robot, Mechanism) else robot


def without_open_loops(robot: Any, why: str) -> Subject:
    """Return the subject of a robot or mechanism; refuse a robot with loops that are not closed.

    Parameters
    ----------
    robot : Robot or Mechanism
        A robot with closed loops must be passed as a mechanism, `robot.closed()`.
    why : str
        Relative clause about the loops for the message of the error.

    Returns
    -------
    Robot or MechanismAdapter
        The robot, or the mechanism with the interface of a robot.

    Raises
    ------
    ModelError
        If the robot has closed loops.
    """
    if not isinstance(robot, Mechanism) and robot.model.loops:
        raise ModelError(
            f"robot '{robot.name}' has closed loops ({robot.model.loops[0].name}), {why}; pass the"
            " mechanism, robot.closed(), instead of its tree"
        )
    return subject(robot)


def angular_mask(robot: Subject) -> np.ndarray:
    """Return the mask of the velocities of the tree that are rates of angles."""
    turns = np.zeros(robot.tree.nv, dtype=bool)
    for view in robot.joints.values():
        if view.joint.mimic is None:
            turns[view.v] = view.joint.row.turns
    return turns
