"""Shared helpers: poses, screws and blocks of the papers from a tree's nodes.

All papers read the elementary tree (`jounce.model.tree.lower`): node k is the papers' body k, its
frame the papers' body frame, its constant subspace S the papers' screw(s). The order of twists is
(omega, v). A mimic joint reads its leader's coordinates and adds to its leader's columns, so
formulas need no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from jounce.math.scalar import Array, array, identity, is_zero, zeros
from jounce.math.spatial import adjoint_inverse, skew
from jounce.model.tree import Node, Tree


def joint_coordinates(node: Node, q: Array) -> Array:
    """Return the coordinates of a node: gain * q + offset for a mimic joint."""
    coordinates = q[node.qs]
    return coordinates if _leads(node) else array(node.gain * x + node.offset for x in coordinates)


def _leads(node: Node) -> bool:
    return is_zero(node.gain - 1.0) and is_zero(node.offset)


def relative_pose(node: Node, q: Array) -> tuple[Array, Array]:
    """Return the pose (R, p) of a node in its parent: T_{p,k} = T_home T_joint(q)."""
    turn, p = node.motion.displacement(joint_coordinates(node, q), node.pitch)
    return node.R0 if turn is None else node.R0 @ turn.R, node.R0 @ p + node.p0


def poses(tree: Tree, q: Array) -> list[tuple[Array, Array]]:
    """Return the poses (R, p) of all nodes in the world: T_{0,k} = T_{0,p} T_{p,k}."""
    out: list[tuple[Array, Array]] = []
    for node in tree.nodes:
        R, p = relative_pose(node, q)
        if node.parent >= 0:
            R_parent, p_parent = out[node.parent]
            R, p = R_parent @ R, R_parent @ p + p_parent
        out.append((R, p))
    return out


def joint_columns(tree: Tree, node: Node) -> Array:
    """Return the relative twist of a node per velocity (6 x nv): gain S in the node's columns."""
    out = zeros(6, tree.nv)
    out[:, node.vs] = node.S if _leads(node) else node.gain * node.S
    return out


def at_bodies(tree: Tree, J: Sequence[Array]) -> list[Array]:
    """Return the papers' Jacobians J_k (or twists) of the nodes as those of the robot's bodies.

    J_k belongs to the frame of node k, in its own axes: origin on the axis of joint k and z (of a
    free, spherical or planar joint its own frame) along it. Body b of the model is carried by node
    k = tree.node_of_body[b] and has its frame at (R_user, p_user) there, so that
    Ad_{user}^-1 J_k = robot.frame(name of body b).jacobian(q). Intermediate nodes of
    a joint with several motions carry no body.
    """
    nodes = [(k, tree.nodes[k]) for k in tree.node_of_body]
    return [adjoint_inverse(node.R_user, node.p_user) @ J[k] for k, node in nodes]


def armature_matrix(tree: Tree) -> Array:
    """Return the armature term of the mass matrix (nv x nv, diagonal); not in the papers.

    Rotors that turn at the joint rate relative to the previous link add armature * a to tau, and
    nothing to g or to the motion of the bodies. For C see `armature_christoffel`.
    """
    out = zeros(tree.nv, tree.nv)
    for node in tree.nodes:
        for i, armature in enumerate(node.armature, start=node.v):
            if not is_zero(armature):
                out[i, i] = out[i, i] + node.gain * node.gain * armature
    return out


def armature_christoffel(tree: Tree, v: Array) -> Array:
    """Return the armature term of the Christoffel C (nv x nv): A v~ / 2 in a spherical joint.

    Koszul's formula with the constant metric A 1 on the rotations: with the velocities v, y, z of
    the joint, y . C z = A ([v, z] . y - [v, y] . z - [z, y] . v) / 2 = A y . (v x z) / 2. The
    velocities of other joints with armature commute. Other choices of C may omit this term.
    """
    out = zeros(tree.nv, tree.nv)
    for node in tree.nodes:
        if node.motion.armature == "ball":
            out[node.vs, node.vs] = 0.5 * node.armature[0] * skew(v[node.vs])
    return out


def minus_gravity(tree: Tree) -> Array:
    """Return (0, -g) (6), the base acceleration equivalent to gravity."""
    return np.concatenate((zeros(3), -tree.gravity))


def block_diagonal(blocks: Sequence[Array]) -> Array:
    """Return the matrix with the given blocks on its diagonal."""
    out = zeros(sum(len(b) for b in blocks), sum(b.shape[1] for b in blocks))
    row = column = 0
    for block in blocks:
        height, width = block.shape
        out[row : row + height, column : column + width] = block
        row, column = row + height, column + width
    return out


def product(A: Array, B: Array) -> Array:
    """Return A @ B, skipping structural zeros of A, for large block matrices."""
    out = zeros(len(A), B.shape[1])
    for i, row in enumerate(A):
        for j, x in enumerate(row):
            if not is_zero(x):
                out[i] = out[i] + x * B[j]
    return out


def leibniz(f: Sequence[Array], g: Sequence[Array], order: int) -> Array:
    """Return the derivative of that order of f @ g, from the values and derivatives of both."""
    out = f[0] @ g[order]
    for i in range(1, order + 1):
        out = out + comb(order, i) * (f[i] @ g[order - i])
    return out


def need_rates(rates: Sequence[Array], count: int) -> None:
    """Refuse too few time derivatives of the velocity."""
    if len(rates) < count:
        raise ValueError(f"expected {count} rates (v, vdot, ...), found {len(rates)}")


def solve(A: Array, b: Array) -> Array:
    """Solve A x = b for a symmetric positive definite A = L D L^T, any scalar type.

    b may be a vector or a matrix of right-hand sides.
    """
    n = len(A)
    L, D = identity(n), zeros(n)
    for j in range(n):
        D[j] = A[j, j] - _sum(L[j, k] * L[j, k] * D[k] for k in range(j))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - _sum(L[i, k] * D[k] * L[j, k] for k in range(j))) / D[j]
    x = np.array(b, dtype=object)
    for i in range(n):
        x[i] = x[i] - _sum(L[i, k] * x[k] for k in range(i))
    for i in range(n):
        x[i] = x[i] / D[i]
    for i in reversed(range(n)):
        x[i] = x[i] - _sum(L[k, i] * x[k] for k in range(i + 1, n))
    return x


def _sum(terms: Any) -> Any:
    total: Any = 0.0
    for term in terms:
        total = total + term
    return total
