"""Spatial operators of a tree as matrices: phi, psi, H, M, P, D, G, K (Jain and Rodriguez).

6 rows for each node of the tree, parents first, with the orientation of the world and the origin of
the node's frame; one row for each velocity of a node. A joint of several motions has as many
nodes, and joints that follow others count like all joints. D includes armature. In terms of these,

    M_hinges = H phi M phi^T H^T + armature = [1 + H phi K] D [1 + H phi K]^T
    [1 + H phi K]^-1 = 1 - H psi K

and M_hinges is the mass matrix unless joints follow others. `papers.jain_rodriguez` has the same
operators in the paper's words, as objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from jounce.formulas.articulated import ArticulatedBody, articulated_bodies
from jounce.formulas.dynamics import node_rows
from jounce.formulas.kinematics import accumulate, joint_poses
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import (
    inertia_matrix,
    parameters_from,
    rotate_symmetric,
    skew,
    spatial_inertia,
    stack,
)
from jounce.model.tree import Tree
from jounce.utils.lazy import cached_property

Blocks = Mapping[tuple[int, int], Array]


class Links:
    """The nodes of a tree at one configuration, in the axes of the world."""

    def __init__(self, tree: Tree, q: Any) -> None:
        self.tree, self.poses = tree, joint_poses(tree, q)
        self.R, self.p = accumulate(tree, self.poses)
        self.screws = [self.to_world(k, node.S) for k, node in enumerate(tree.nodes)]  # H^T(k)

    def to_world(self, k: int, X: Array) -> Array:
        """Return columns of twists or wrenches of a node, in the axes of the world."""
        return stack(self.R[k] @ X[:3], self.R[k] @ X[3:])

    def shift(self, i: int, j: int, F: Array) -> Array:
        """Return phi(i, j) F: columns of wrenches about O_j, about O_i."""
        return stack(F[:3] + skew(self.p[j] - self.p[i]) @ F[3:], F[3:])

    @cached_property
    def bodies(self) -> list[ArticulatedBody]:
        """Articulated bodies, in the frames of the nodes."""
        return articulated_bodies(self.tree, self.poses)

    @cached_property
    def gains(self) -> list[Array]:
        """G(k) of each node."""
        return [self.to_world(k, body.K) for k, body in enumerate(self.bodies)]

    def yielding(self, j: int, F: Array) -> Iterator[tuple[int, Array]]:
        """Yield each ancestor i of j with psi(i, parent of j) F: what passes the free joints.

        F: columns of wrenches about the origin of the parent of j.
        """
        above = self.tree.ancestors[j]
        for i, further in zip(above, [*above[1:], -1], strict=True):
            yield i, F
            if further >= 0:
                rest = F - self.gains[i] @ (self.screws[i].T @ F)
                F = self.shift(further, i, rest)

    # -------------------------------------------------------------- matrices

    def dense(self, blocks: Blocks, rows: str, columns: str) -> Array:
        """Return the matrix of some blocks; rows, columns: "nodes" or "hinges"."""
        at, count = {}, {}
        at["hinges"], count["hinges"] = node_rows(self.tree)
        at["nodes"] = [slice(6 * k, 6 * k + 6) for k in range(len(self.p))]
        count["nodes"] = 6 * len(self.p)
        out = zeros(count[rows], count[columns])
        for (i, j), block in blocks.items():
            out[at[rows][i], at[columns][j]] = block
        return out

    def diagonal(self, blocks: list[Array], rows: str = "nodes", columns: str = "nodes") -> Array:
        """Return the matrix of the blocks on its diagonal."""
        return self.dense({(k, k): block for k, block in enumerate(blocks)}, rows, columns)


def H(tree: Tree, q: Any) -> Array:
    """Return H: V = phi^T H^T v."""
    links = Links(tree, q)
    return links.diagonal([screw.T for screw in links.screws], "hinges")


def phi(tree: Tree, q: Any) -> Array:
    """Return phi: phi(i, j) for i = j or an ancestor of it."""
    links, unit = Links(tree, q), identity(6)
    blocks = {(j, j): unit for j in range(len(links.p))}
    for j, above in enumerate(tree.ancestors):
        blocks |= {(i, j): links.shift(i, j, unit) for i in above}
    return links.dense(blocks, "nodes", "nodes")


def M(tree: Tree, q: Any) -> Array:
    """Return M: the inertia of each node."""
    links = Links(tree, q)
    blocks = []
    for node, R in zip(tree.nodes, links.R, strict=True):
        m, h, I = node.inertia[0], R @ node.inertia[1:4], inertia_matrix(node.inertia)
        blocks.append(spatial_inertia(parameters_from(m, h, rotate_symmetric(R, I))))
    return links.diagonal(blocks)


def P(tree: Tree, q: Any) -> Array:
    """Return P: the articulated-body inertia of each node."""
    links = Links(tree, q)
    blocks = []
    for R, body in zip(links.R, links.bodies, strict=True):
        cross = R @ body.I[:3, 3:] @ R.T
        top = np.concatenate([rotate_symmetric(R, body.I[:3, :3]), cross], axis=1)
        bottom = np.concatenate([cross.T, rotate_symmetric(R, body.I[3:, 3:])], axis=1)
        blocks.append(stack(top, bottom))
    return links.diagonal(blocks)


def D(tree: Tree, q: Any) -> Array:
    """Return D = H P H^T and armature."""
    links = Links(tree, q)
    return links.diagonal([body.D for body in links.bodies], "hinges", "hinges")


def G(tree: Tree, q: Any) -> Array:
    """Return G = P H^T D^-1."""
    links = Links(tree, q)
    return links.diagonal(links.gains, "nodes", "hinges")


def _gains_at_parents(links: Links) -> dict[tuple[int, int], Array]:
    """Blocks of K: phi(parent, k) G(k)."""
    parents = [(k, node.parent) for k, node in enumerate(links.tree.nodes) if node.parent >= 0]
    return {(p, k): links.shift(p, k, links.gains[k]) for k, p in parents}


def K(tree: Tree, q: Any) -> Array:
    """Return K = E_phi G."""
    links = Links(tree, q)
    return links.dense(_gains_at_parents(links), "nodes", "hinges")


def psi(tree: Tree, q: Any) -> Array:
    """Return psi = (1 - E_phi + K H)^-1: like phi, but forces that move the joints are lost."""
    links, unit = Links(tree, q), identity(6)
    blocks = {(j, j): unit for j in range(len(links.p))}
    for j, node in enumerate(tree.nodes):
        if node.parent >= 0:
            first = unit - links.gains[j] @ links.screws[j].T
            found = links.yielding(j, links.shift(node.parent, j, first))
            blocks |= {(i, j): F for i, F in found}
    return links.dense(blocks, "nodes", "nodes")


def innovations_factor(tree: Tree, q: Any) -> Array:
    """Return 1 + H phi K."""
    links = Links(tree, q)
    blocks: dict[tuple[int, int], Array] = {}
    for j, above in enumerate(tree.ancestors):
        blocks[j, j] = identity(links.gains[j].shape[1])
        for i in above:
            blocks[i, j] = links.screws[i].T @ links.shift(i, j, links.gains[j])
    return links.dense(blocks, "hinges", "hinges")


def innovations_factor_inverse(tree: Tree, q: Any) -> Array:
    """Return 1 - H psi K."""
    links = Links(tree, q)
    blocks: dict[tuple[int, int], Array] = {}
    for (_, j), first in _gains_at_parents(links).items():
        blocks |= {(i, j): -(links.screws[i].T @ F) for i, F in links.yielding(j, first)}
    for j, gain in enumerate(links.gains):
        blocks[j, j] = identity(gain.shape[1])
    return links.dense(blocks, "hinges", "hinges")
