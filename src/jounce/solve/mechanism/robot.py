"""Mechanisms, robots with closed loops, created by `robot.closed()`.

A mechanism has fewer degrees of freedom than joints, because the loops determine some joints by the
independent ones. Every quantity takes the configuration q of all joints, with the loops closed (see
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
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import ArgumentError, ModelError, printable
from jounce.formulas.singular import explanation
from jounce.model.tree import Tree
from jounce.robot import Robot, inverse_kinematics
from jounce.solve.mechanism.all_joints import AllJoints
from jounce.solve.mechanism.assembly import conditioning, independent, is_real
from jounce.solve.mechanism.choice import Choice, named_velocities
from jounce.solve.mechanism.closing import Closing
from jounce.utils import format_count
from jounce.utils.content_cache import get_shared, hash_content
from jounce.utils.once import once_property


class Mechanism(MechanismQuantities, Closing):
    """A robot with closed loops: independent joints, assembly, and its quantities as callables.

    active: the independent joints by name, or velocities as "name[k]" or index; by default joints
    near the base that determine the others well, joints without drive (effort limit zero) last.
    q0: a configuration near which the loops close. tolerance: largest gap (m, rad) that counts as
    closed, and largest singular value of the loops' Jacobian, relative to the largest, that counts
    as zero; geometry rounded to fewer digits needs a larger one.
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
        if not (is_real(tolerance) and 0.0 < tolerance < 0.1):
            raise ArgumentError(
                f"{robot.name}.closed: tolerance must be in (0, 0.1), found {tolerance!r}"
            )
        self.robot, self.model, self.target = robot, robot.model, robot.target
        self.tolerance = tolerance
        requested = (
            None
            if active is None
            else named_velocities(robot, active, f"{robot.name}.closed(): active")
        )
        choice = Choice(robot, self.assembler, tolerance)
        q, G = choice.configurations(q0)
        passive = choice.passive(G, requested)
        others = [k for k in range(robot.nv) if k not in passive]
        self.active: tuple[int, ...] = tuple(others if requested is None else requested)
        quality = conditioning(G[:, :, passive])
        k = int(np.argmax(quality >= 0.1 * quality.max()))
        self.reference: np.ndarray = q[k]
        G = G[k]
        rows = tuple(sorted(independent(G.T, range(len(G)), tolerance=self.tolerance)))
        loose = bool(explanation(robot.tree, robot.labels("v")))
        tree = replace(robot.tree, rows=rows, loose=loose)
        self._all_joints = AllJoints(self, tree, nl=len(G), loops=len(tree.loops))
        self._tree = replace(tree, active=self.active)

    def find_owner(self, definition: AnyQuantity) -> Owner:
        """Return the object that has a quantity.

        Parameters
        ----------
        definition : AnyQuantity
            Entry of the catalog.

        Returns
        -------
        Owner
            The mechanism, or all its joints.
        """
        return self._all_joints if definition.all_joints else self

    def explain_singularity(self) -> str:
        """Explain why the mass matrix is singular.

        Returns
        -------
        str
            A sentence, or '' if the matrix is not known to be singular.
        """
        return explanation(self.tree, self.independent_names, self.reference)

    def _quantity(self, name: str) -> DifferentiableQuantity:
        of_trees = hasattr(Robot, name) and name not in self.definitions
        if of_trees and not name.startswith("_"):
            raise AttributeError(
                f"{self!r} has no '{name}', which needs a robot without loops; use .robot.{name}",
                name=name,
                obj=self,
            )
        return super()._quantity(name)

    inverse_kinematics = inverse_kinematics.inverse_kinematics
    hybrid_dynamics = Robot.hybrid_dynamics
    _hybrid_cache = Robot._hybrid_cache
    task_space = Robot.task_space
    elastic = Robot.elastic

    def make_test_configuration(self, q: np.ndarray) -> np.ndarray:
        """Return a configuration with closed loops that depends on arbitrary numbers.

        Parameters
        ----------
        q : ndarray (nq,)
            Any numbers.

        Returns
        -------
        ndarray (nq,)
        """
        step = np.resize(0.1 * q, self.robot.nv)
        assembly = self.assemble(self.robot.integrate(self.reference, step), ())
        return assembly.q if assembly.success and not assembly.singular else self.reference

    def start_configuration(self) -> np.ndarray:
        """Return the default start of a search, the reference configuration.

        Returns
        -------
        ndarray (nq,)
        """
        return self.reference

    @property
    def closure_tolerance(self) -> float:
        """Gaps of loops that count as closed, m and rad."""
        return self.tolerance

    def _project_into_limits(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from jounce.solve.inverse_kinematics.solver import project_into_limits

        return project_into_limits(self, q)

    def close_loops(self, q: np.ndarray) -> np.ndarray:
        """Return configurations near q with closed loops.

        Parameters
        ----------
        q : ndarray (n, nq)

        Returns
        -------
        ndarray (n, nq)
        """
        return self.assemble(q, ()).q

    @once_property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        arguments = (self.active, self.reference, self.tolerance)
        return hash_content("mechanism", self.robot.content_hash, *arguments)

    def __reduce__(self) -> Any:
        arguments = (self.robot, self.active, self.reference, self.tolerance)
        return _restore, (self.content_hash, *arguments)

    def __repr__(self) -> str:
        return printable(
            f"<mechanism '{self.robot.name}': {format_count(len(self.model.loops), 'loop')},"
            f" {format_count(self.nv, 'degree')} of freedom: {', '.join(self.independent_names)}>"
        )

    # -------------------------------------------------------------- model

    @property
    def tree(self) -> Tree:
        """The tree with its loops and independent joints."""
        return self._tree

    @property
    def velocities(self) -> Sequence[int]:
        """Indices of the independent velocities among those of all joints."""
        return self.active

    @once_property
    def sizes(self) -> dict[str, int]:
        """Sizes as `jounce.catalog.mechanism` names them."""
        nv, nt = len(self.active), self.robot.nv
        independent_sizes = {"nv": nv, "2nv": 2 * nv, "3nv": 3 * nv, "np": nt - nv}
        return {**self._all_joints.sizes, **independent_sizes}


def _restore(content: str, robot: Robot, *arguments: Any) -> Mechanism:
    """Unpickle a mechanism; equal ones are a single object per process."""
    return get_shared(content, lambda: Mechanism(robot, *arguments))
