"""Virtual joints (cuts) for derivatives with respect to the geometry.

A displacement of a joint is a virtual joint of six degrees of freedom before or after it; see
`wrt_screws`. All quantities are in the world frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jounce.formulas.dynamics import (
    Bias,
    composite_bias,
    composites,
    node_rows,
    subtree_nodes,
)
from jounce.formulas.kinematics import accumulate, joint_poses
from jounce.formulas.tensors import moved_bias
from jounce.math.scalar import Array
from jounce.math.spatial import (
    cross,
    force_to_frame,
    motion_to_frame,
    rotate_symmetric,
    shift_inertia,
    stack,
)
from jounce.model.tree import Tree


@dataclass(frozen=True)
class Cut:
    """A virtual joint of six degrees of freedom, before or after the joint of `body`.

    sign: factor of its derivative. node: root of the composite body that it moves. inside, outside:
    nodes on a path through the cut that stay and that move. R, p: pose of its axes in the world.
    """

    body: int
    sign: float
    node: int
    inside: list[int]
    outside: list[int]
    R: Array
    p: Array

    def to_cut_axes(self, y: Array) -> Array:
        """Transform a covector from the world frame to the cut's axes: Ad^T y."""
        return stack(self.R.T @ (y[:3] - cross(self.p, y[3:])), self.R.T @ y[3:])


def cuts(tree: Tree, R: list[Array], p: list[Array], screw: bool) -> Iterator[Cut]:
    """Return the cuts before each joint, and for screws also after it; R, p: `accumulate`."""
    subtrees = subtree_nodes(tree)
    for body, last in enumerate(tree.node_of_body):
        node = tree.nodes[last]
        first, _ = tree.nodes_of_joint(body)
        start = tree.nodes[first]
        Rb, pb = start.R0 @ start.R_user, start.p0 + start.R0 @ start.p_user
        if start.parent >= 0:
            Rb, pb = R[start.parent] @ Rb, p[start.parent] + R[start.parent] @ pb
        yield Cut(body, 1.0, last, tree.ancestors[first], subtrees[first], Rb, pb)
        if screw:
            Ra, pa = R[last] @ node.R_user, p[last] + R[last] @ node.p_user
            yield Cut(body, -1.0, last, [last, *tree.ancestors[last]], subtrees[last][1:], Ra, pa)


class World:
    """Joint axes, composite inertias and motions of a tree in the world frame.

    S: axes per node. G: composite inertia per node. root: node whose frame is used in place of the
    world frame.
    """

    def __init__(self, tree: Tree, q: Array, root: int = -1) -> None:
        self.tree = tree
        self.poses = joint_poses(tree, q)
        self.R, self.p = accumulate(tree, self.poses, root)
        self.local = composites(tree, self.poses)
        self.rows, self.size = node_rows(tree)
        self.S = self.to_world([list(node.S.T) for node in tree.nodes])
        self.G = [self._inertia(i) for i in range(len(tree.nodes))]

    def to_world(self, twists: list[list[Array]]) -> list[list[Array]]:
        """Transform lists of twists of each node from its frame to the world frame."""
        frames = zip(self.R, self.p, twists, strict=True)
        return [[motion_to_frame(R, p, x) for x in node_twists] for R, p, node_twists in frames]

    def motions(self, twists: list[Array]) -> list[Array]:
        """Transform one twist per node from its frame to the world frame."""
        return [motion_to_frame(*x) for x in zip(self.R, self.p, twists, strict=True)]

    def wrenches(self, forces: list[Array]) -> list[Array]:
        """Transform one wrench per node from its frame to the world frame."""
        frames = zip(self.R, self.p, forces, strict=True)
        return [force_to_frame(R, p, f) for R, p, f in frames]

    def _inertia(self, i: int) -> tuple[Any, Array, Array]:
        m, h, I = self.local[i]
        I, h = shift_inertia(rotate_symmetric(self.R[i], I), self.R[i] @ h, m, self.p[i])
        return m, h, I

    def bias(self, V: list[Array]) -> list[Bias]:
        """Return the composite bias of each node for the twists V of the nodes, in their frames."""
        Es, LP = composite_bias(self.tree, self.poses, V)
        composites = zip(self.R, self.p, Es, LP, strict=True)
        return [moved_bias(R, p, Bias.of(E, L)) for R, p, E, L in composites]

    def columns(self, nodes: list[int]) -> Iterator[tuple[int, int, Array]]:
        """Return the row, node and axis of every degree of freedom of the nodes."""
        for i in nodes:
            for k, axis in enumerate(self.S[i]):
                yield self.rows[i].start + k, i, axis

    def cuts(self, screw: bool) -> Iterator[Cut]:
        """Yield the cuts of the tree; see `cuts`."""
        return cuts(self.tree, self.R, self.p, screw)


def add_share(out: Array, cut: Cut, leading: tuple[int, ...], y: Array) -> None:
    """Add a covector's share to out[*place, body, :]."""
    index = (*leading, cut.body)
    out[index] = out[index] + cut.sign * cut.to_cut_axes(y)
