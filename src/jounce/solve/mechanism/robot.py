"""A mechanism, that is a robot with closed loops, as users meet it: `robot.closed()`.

A mechanism has fewer degrees of freedom than its tree has joints. Some joints are independent, the
others follow: every quantity takes the configuration q of all joints, with the loops closed (see
`Mechanism.assemble`), and v, a, tau of the independent joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.bound_quantity import Owner
from jounce.arrays.declared import MechanismQuantities
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.mechanism import ONLY_TREES
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import ArgumentError, ModelError, counted, printable
from jounce.formulas.singular import explanation
from jounce.model.tree import Tree
from jounce.robot import Robot, inverse_kinematics
from jounce.solve.mechanism.all_joints import AllJoints
from jounce.solve.mechanism.assembly import conditioning, independent, real
from jounce.solve.mechanism.choice import Choice, named_velocities
from jounce.solve.mechanism.closing import Closing
from jounce.utils.content_cache import get_shared, hash_content
from jounce.utils.once import once_property


class Mechanism(MechanismQuantities, Closing):
    """A robot with closed loops: independent joints, assembly, and its quantities as callables.

    active: the independent joints by name, or velocities as "name[k]" or index; by default those
    nearest to the base whose choice leaves the others well determined. Joints without drive (effort
    limit zero) are chosen last. q0: a configuration near which the loops close. tolerance: gaps (m,
    rad) that count as closed, and singular values of the loops' Jacobian, relative to the largest,
    that count as zero; geometry rounded to fewer digits needs a larger one.
    """

    _receiver = "mechanism"

    def __init__(
        self,
        robot: Robot,
        active: Sequence[str | int] | None = None,
        q0: ArrayLike | None = None,
        tolerance: float = 1e-9,
    ) -> None:
        if not robot.model.loops:
            raise ModelError(
                f"robot '{robot.name}' has no loops; add them with robot.edit.with_loop(a, b, kind)"
            )
        if not (real(tolerance) and 0.0 < tolerance < 0.1):
            raise ArgumentError(
                f"{robot.name}.closed: tolerance must be in (0, 0.1), found {tolerance!r}"
            )
        self.robot, self.model, self.target = robot, robot.model, robot.target
        self.tolerance = tolerance
        given = None if active is None else named_velocities(robot, active, "active")
        choice = Choice(robot, self.assembler, tolerance)
        q, G = choice.configurations(q0)
        passive = choice.passive(G, given)
        rest = [k for k in range(robot.nv) if k not in passive]
        self.active: tuple[int, ...] = tuple(rest if given is None else given)
        quality = conditioning(G[:, :, passive])
        k = int(np.argmax(quality >= 0.1 * quality.max()))
        self.reference: np.ndarray = q[k]
        G = G[k]
        rows = tuple(sorted(independent(G.T, range(len(G)), tolerance=self.tolerance)))
        loose = bool(explanation(robot.tree, robot.labels("v")))
        whole = replace(robot.tree, rows=rows, loose=loose)
        self._all_joints = AllJoints(self, whole, nl=len(G), loops=len(whole.loops))
        self._tree = replace(whole, active=self.active)

    def owner_of(self, row: AnyQuantity) -> Owner:
        """Return whose quantity a catalog entry is."""
        return self._all_joints if row.all_joints else self

    def explain_singularity(self) -> str:
        """Say why the mass matrix is singular; '' if it is not known to be."""
        return explanation(self.tree, self.independent_names, self.reference)

    def _quantity(self, name: str) -> DifferentiableQuantity:
        of_trees = name in ONLY_TREES or hasattr(Robot, name)
        if of_trees and not name.startswith("_") and name not in self.definitions:
            why = ONLY_TREES.get(name, "which is for trees")
            raise AttributeError(
                f"{self!r} has no '{name}', {why}; that of its tree, without the loops, is"
                f" .robot.{name}",
                name=name,
                obj=self,
            )
        return super()._quantity(name)

    inverse_kinematics = inverse_kinematics.inverse_kinematics
    hybrid_dynamics = Robot.hybrid_dynamics
    _hybrid = Robot._hybrid
    task_space = Robot.task_space

    def sample_configuration(self, q: np.ndarray) -> np.ndarray:
        """Return a configuration (nq,) with closed loops that q leads to."""
        step = np.resize(0.1 * q, self.robot.nv)
        found = self.assemble(self.robot.integrate(self.reference, step), ())
        return found.q if found.success and not found.singular else self.reference

    def start_configuration(self) -> np.ndarray:
        """Return where a search starts by default: the reference."""
        return self.reference

    @property
    def closure_tolerance(self) -> float:
        """Gaps of loops that count as closed, m and rad."""
        return self.tolerance

    def _project_into_limits(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from jounce.solve.inverse_kinematics.solver import project_into_limits

        return project_into_limits(self, q)

    def close_loops(self, q: np.ndarray) -> np.ndarray:
        """Return configurations (n, nq) near q with closed loops."""
        return self.assemble(q, ()).q

    @once_property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        given = (self.active, self.reference, self.tolerance)
        return hash_content("mechanism", self.robot.content_hash, *given)

    def __reduce__(self) -> Any:
        given = (self.robot, self.active, self.reference, self.tolerance)
        return _restored, (self.content_hash, *given)

    def __repr__(self) -> str:
        return printable(
            f"<mechanism '{self.robot.name}': {counted(len(self.model.loops), 'loop')},"
            f" {counted(self.nv, 'degree')} of freedom: {', '.join(self.independent_names)}>"
        )

    # -------------------------------------------------------------- what it is

    @property
    def tree(self) -> Tree:
        """The tree with its loops, whose independent joints are known."""
        return self._tree

    @property
    def velocities(self) -> Sequence[int]:
        """The independent ones of the velocities of all joints."""
        return self.active

    @once_property
    def sizes(self) -> dict[str, int]:
        """Sizes as `jounce.catalog.mechanism` names them."""
        nv, nt = len(self.active), self.robot.nv
        own = {"nv": nv, "2nv": 2 * nv, "3nv": 3 * nv, "np": nt - nv}
        return {**self._all_joints.sizes, **own}


def _restored(content: str, robot: Robot, *given: Any) -> Mechanism:
    """A mechanism from what it is pickled as; the same one each time that it comes to a process."""
    return get_shared(content, lambda: Mechanism(robot, *given))
