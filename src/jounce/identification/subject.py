"""What is identified: a robot as it is, or a mechanism seen as if it were one.

Torques, velocities and accelerations of a mechanism are those of its independent joints, bodies and
configurations those of its tree. `Closed` offers what this package asks of a robot, so that all
of it is written once.
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

#: Rounds of the random walk of `Closed.spread`, its first steps (rad, m), and the conditioning of
#: the independent joints that it keeps to.
_ROUNDS, _STEP, _DETERMINED = 12, 0.3, 1e-3

#: Steps of an assembly that starts near its end, at most.
ITERATIONS = 20


class Closed:
    """A mechanism with the names of a robot: nv counts the independent joints, nq and nb all.

    bodies: the robot of its tree. active: the independent velocities among those of the tree.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.bodies: Robot = mechanism.robot
        self.active = np.array(mechanism.active, dtype=int)
        self.name, self.model = mechanism.name, mechanism.model
        self.nq, self.nv, self.nb = mechanism.nq, mechanism.nv, self.bodies.nb

    def __getattr__(self, name: str) -> Any:
        """Return quantities and frames of the mechanism, which are of the independent joints."""
        if name.startswith("__") or name == "mechanism":  # as of a copy that is not complete yet
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
        """Velocity (..., nv) of the independent joints that leads from q0 to q1 in unit time."""
        return self.bodies.difference(q0, q1)[..., self.active]

    def with_parameters(self, parameters: ArrayLike, **drives: np.ndarray) -> Mechanism:
        """The mechanism with other parameters (nb, 10), and drives of all joints."""
        closed, robot = self.mechanism, self.bodies.edit.with_parameters(parameters, **drives)
        return robot.closed(closed.active, closed.reference, closed.tolerance)

    # -------------------------------------------------------------- configurations

    @cached_property
    def leading(self) -> list[int]:
        """Coordinates of the independent joints in q, in their order.

        All of a joint whose velocities are not the rates of its coordinates.
        """
        out: list[int] = []
        for k in self.active:
            view = next(
                x
                for x in self.bodies.joints.values()
                if x.joint.mimic is None and x.v.start <= k < x.v.stop
            )
            own = {v: q for q, v in view.joint.row.rates}
            at = k - view.v.start
            found = [own[at]] if at in own else range(view.q.stop - view.q.start)
            out += [view.q.start + i for i in found if view.q.start + i not in out]
        return out

    def moved(self, q: np.ndarray, lead: np.ndarray) -> np.ndarray:
        """Configurations (..., nq) about as far from q as the independent velocities say."""
        return self.bodies.integrate(q, self.mechanism.velocity(q, lead))

    def spread(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random closed configurations (count, nq) that the mechanism can reach from its reference.

        Random walks, with steps that are halved where the loops do not close.
        """
        q = np.tile(self.mechanism.reference, (count, 1))
        size = np.full((count, 1), _STEP)
        for _ in range(_ROUNDS):
            start = self.moved(q, size * rng.normal(size=(count, self.nv)))
            found = self.mechanism.assemble(start, iterations=ITERATIONS, nudges=())
            good = found.success & (found.conditioning > _DETERMINED)
            q[good] = found.q[good]
            size[~good] /= 2.0
        return q


#: What this package is about.
Subject: TypeAlias = "Robot | Closed"


def subject(robot: Any) -> Subject:
    """A robot as it is, a mechanism as `Closed`."""
    return Closed(robot) if isinstance(robot, Mechanism) else robot


def without_open_loops(robot: Any, why: str) -> Subject:
    """The same; an error, which says why, for a robot whose loops nobody closes."""
    if not isinstance(robot, Mechanism) and robot.model.loops:
        raise ModelError(
            f"robot '{robot.name}' has closed loops ({robot.model.loops[0].name}), {why}; pass the"
            " mechanism, robot.closed(), instead of its tree"
        )
    return subject(robot)


def turning(robot: Subject) -> np.ndarray:
    """Mask of the velocities, of all joints of a mechanism too, that are rates of angles."""
    turns = np.zeros(robot.tree.nv, dtype=bool)
    for view in robot.joints.values():
        if view.joint.mimic is None:
            turns[view.v] = view.joint.row.turns
    return turns
