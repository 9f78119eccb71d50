"""Spatial operators of a robot as callables: `robot.spatial_operators`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jounce.catalog.spatial_operators import OPERATORS
from jounce.model.tree import Tree
from jounce.papers.jain_rodriguez.base import node_labels
from jounce.robot import Robot
from jounce.solve.subsystem import Subsystem
from jounce.utils.once import once_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jounce.arrays.generic import Derivative


class SpatialOperators(Subsystem):
    """The spatial operators of a robot as callables: H, phi, M, P, D, G, K, psi and factors of M.

    Parameters
    ----------
    robot : Robot
        The robot.

    Notes
    -----
    phi, psi, M and P have 6 rows for each node of the elementary tree, parents first, with the
    orientation of the world, about the origin of the node's frame; (omega, v) and (moment, force).
    A joint of several motions, such as a universal joint, has as many nodes, all but the last
    massless; `nodes` lists their names. D and the factors have one row for each velocity of the
    nodes. Joints that follow others count like all joints, so of robots with such joints the
    factors are those of the mass matrix with all joints independent.

    Examples
    --------
    >>> import jounce
    >>> robot = jounce.load("kuka_iiwa14")
    >>> operators, q = robot.spatial_operators, robot.random(0)
    >>> factor, D = operators.innovations_factor(q), operators.D(q)
    >>> bool(abs(factor @ D @ factor.T - robot.mass_matrix(q)).max() < 1e-12)
    True
    """

    if TYPE_CHECKING:
        H: Derivative[..., NDArray[Any]]
        phi: Derivative[..., NDArray[Any]]
        M: Derivative[..., NDArray[Any]]
        P: Derivative[..., NDArray[Any]]
        D: Derivative[..., NDArray[Any]]
        G: Derivative[..., NDArray[Any]]
        K: Derivative[..., NDArray[Any]]
        psi: Derivative[..., NDArray[Any]]
        innovations_factor: Derivative[..., NDArray[Any]]
        innovations_factor_inverse: Derivative[..., NDArray[Any]]

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot, ())
        self._tables = OPERATORS

    @property
    def call(self) -> str:
        """Name of the robot's attribute."""
        return "spatial_operators"

    @property
    def tree(self) -> Tree:
        """The robot's tree."""
        return self.robot.tree

    @once_property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes; 6nn, the rows of all nodes; and nh, the velocities of all nodes."""
        nodes = self.tree.nodes
        hinges = sum(node.motion.nv for node in nodes)
        return {**self.robot.sizes, "6nn": 6 * len(nodes), "nh": hinges}

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes in the order of the blocks.

        That of the joint, with one prime for each motion of the joint that comes later.
        """
        return node_labels(self.tree, self.model.joint_names)
