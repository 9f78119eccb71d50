"""Articulated-body algorithm: solutions with the mass matrix in time linear in the joints.

An articulated body is a body with its whole subtree, whose joints are free to move. Every function
takes the elementary `Tree` of a robot without mimic joints, since the articulated bodies of a
leader and its followers are not a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.kinematics import accumulate
from jounce.math.alternatives import choose
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import (
    Pose,
    Rotation,
    dot,
    force_to_frame,
    inertia_matrix,
    motion_to_frame,
    skew,
)
from jounce.model.tree import Node, Tree


class ArticulatedBody(NamedTuple):
    """Articulated-body inertia I of a node, projected through its joint.

    With D = S^T I S + armature (k, k), and its factors: K = I S D^-1 (6, k), and I_projected =
    I - K S^T I, the inertia that the parent sees through the free joint.
    """

    I: Array
    D: Array
    factors: tuple[Array, list[Any]]
    K: Array
    I_projected: Array

    def joint_acceleration(self, force: Array) -> Array:
        """Return D^-1 force, the joint acceleration for a parent at rest."""
        return solve_factorized(*self.factors, force)

    @property
    def inverse(self) -> Array:
        """D^-1."""
        out = zeros(*self.factors[0].shape)
        for k, unit in enumerate(identity(len(out))):
            for i, entry in enumerate(self.joint_acceleration(unit)[: k + 1]):
                out[i, k] = out[k, i] = entry
        return out


def solves_by_bodies(tree: Tree) -> bool:
    """Return whether to use articulated bodies instead of factors of M."""
    if tree.has_mimics:  # the articulated bodies of a leader and its followers are not a tree
        return False
    return choose("accelerations", {"articulated bodies": True, "mass matrix": False})


def articulated_bodies(tree: Tree, poses: list[Pose]) -> list[ArticulatedBody]:
    """Compute I = [[A, B], [B^T, C]] of all articulated bodies inwards, in node frames."""
    inertias = [_blocks(node) for node in tree.nodes]
    bodies: list[ArticulatedBody] = []
    for i, node in reversed(list(enumerate(tree.nodes))):
        I = _assemble_blocks(*inertias[i])
        bodies.append(_with_free_joint(node, I))
        if node.parent >= 0:
            shifted = _to_parent(poses[i], bodies[-1].I_projected)
            total = zip(inertias[node.parent], shifted, strict=True)
            inertias[node.parent] = tuple(x + y for x, y in total)
    return bodies[::-1]


def _blocks(node: Node) -> tuple[Array, ...]:
    """Return the blocks A, B, C of a rigid body's inertia."""
    m = node.inertia[0]
    return inertia_matrix(node.inertia), skew(node.inertia[1:4]), m * identity(3)


def _assemble_blocks(A: Array, B: Array, C: Array) -> Array:
    out = zeros(6, 6)
    out[:3, :3], out[:3, 3:], out[3:, :3], out[3:, 3:] = A, B, B.T, C
    return out


def _with_free_joint(node: Node, I: Array) -> ArticulatedBody:
    """Return the factors of D, K and I_projected of a node.

    Without armature K^T S is the identity. If each velocity is one entry of a twist, the rows of K
    for these entries are therefore known, and those of I_projected vanish: a free joint has K = 1
    and I_projected = 0.
    """
    U = I @ node.S
    D = node.S.T @ U
    for k, armature in enumerate(node.armature):
        D[k, k] = D[k, k] + armature
    factors, rows, unit = factorize(D), free_rows(node), identity(len(D))
    K, I_projected = zeros(6, len(D)), zeros(6, 6)
    for i in range(6):
        K[i] = unit[rows.index(i)] if i in rows else solve_factorized(*factors, U[i])
    for i in range(6):
        for j in range(i, 6):
            if i not in rows and j not in rows:
                I_projected[i, j] = I_projected[j, i] = I[i, j] - dot(K[i], U[j])
    return ArticulatedBody(I, D, factors, K, I_projected)


def free_rows(node: Node) -> list[int]:
    """Return the twist entry of each velocity of a joint without armature, or []."""
    rows = [[k for k in range(6) if not is_zero(column[k])] for column in node.S.T]
    units = (node.S[row, k] == 1.0 for k, entries in enumerate(rows) for row in entries)
    plain = all(units) and all(len(entries) == 1 for entries in rows)
    return (
        [entries[0] for entries in rows] if plain and all(is_zero(x) for x in node.armature) else []
    )


def _to_parent(X: Pose, I: Array) -> tuple[Array, Array, Array]:
    """Return the blocks of Ad^-T I Ad^-1: B' = B + r~ C, A' = A - B r~ + r~ B'^T after rotation."""
    C = X.symmetric_to_parent(I[3:, 3:])
    B = X.tensor_to_parent(I[:3, 3:])
    A = X.symmetric_to_parent(I[:3, :3])
    r = skew(X.r)
    B_shifted = B + r @ C
    shift = r @ B_shifted.T - B @ r
    for i in range(3):
        for j in range(i, 3):
            A[i, j] = A[j, i] = A[i, j] + shift[i, j]
    return A, B_shifted, C


# ------------------------------------------------------------------ response to forces


class Response(NamedTuple):
    """Accelerations a (nv,) of a tree at rest under joint forces.

    A_parent, A: accelerations of the parent of each node and of the node, in the node's frame. F:
    wrench that its joint transmits, in the same frame.
    """

    a: Array
    A_parent: list[Array]
    A: list[Array]
    F: list[Array]


def respond(tree: Tree, poses: list[Pose], bodies: list[ArticulatedBody], tau: Array) -> Response:
    """Return a = M^-1 tau with accelerations and wrenches of all nodes, in linear time."""
    p = [zeros(6) for _ in tree.nodes]
    joint_a: list[Array] = [zeros(0)] * len(bodies)
    for i in reversed(range(len(bodies))):
        node, body = tree.nodes[i], bodies[i]
        push = tau[node.vs] - node.S.T @ p[i]
        joint_a[i], p[i] = body.joint_acceleration(push), p[i] + body.K @ push
        if node.parent >= 0:
            p[node.parent] = p[node.parent] + poses[i].force_to_parent(p[i])
    out = Response(zeros(tree.nv), [], [], [])
    for i, (node, body) in enumerate(zip(tree.nodes, bodies, strict=True)):
        first = node.parent < 0
        A_parent = zeros(6) if first else poses[i].motion_to_child(out.A[node.parent])
        joint_a[i] = joint_a[i] - body.K.T @ A_parent
        out.a[node.vs] = joint_a[i]
        out.A_parent.append(A_parent)
        out.A.append(A_parent + node.S @ joint_a[i])
        out.F.append(p[i] + body.I_projected @ A_parent)
    return out


def articulated_solve(tree: Tree, poses: list[Pose], tau: Array) -> Array:
    """Return M^-1 tau by articulated bodies."""
    return respond(tree, poses, articulated_bodies(tree, poses), tau).a


# ------------------------------------------------------------------ response to accelerations


class Chains(NamedTuple):
    """Joint responses to accelerations of their ancestors, in root frames.

    S: axes (6, k) of each node. to[i][a] (k, 6 or more): the joint of node i accelerates with
    -to[i][a] @ A if the parent of a accelerates with A, where a is i or an ancestor of i and all
    joints from a to i respond. T[i][a] (k_i, k_a): it accelerates with -T[i][a] @ x if joint a is
    accelerated by x. Further columns of `to` belong to perturbations that joints do not change, see
    `wrt_forward`.
    """

    S: list[Array]
    to: list[dict[int, Array]]
    T: list[dict[int, Array]]


def chains(tree: Tree, S: list[Array], responses: list[Array]) -> Chains:
    """Chain the responses of joints to their parents (K^T for accelerations) along the tree."""
    out = Chains(S, [], [])
    for i, ancestors in enumerate(tree.ancestors):
        response, to, T = responses[i], {i: responses[i]}, {}
        for a in ancestors:
            T[a] = response[:, :6] @ S[a]
            response = to[a] = response - T[a] @ responses[a]
        out.to.append(to)
        out.T.append(T)
    return out


def root_frames(tree: Tree, poses: list[Pose]) -> tuple[list[Array], list[Array]]:
    """Return rotation and origin of every node in the frame of its root node."""
    still = Pose([Rotation(identity(3))], zeros(3))
    nodes = zip(tree.nodes, poses, strict=True)
    return accumulate(tree, [still if node.parent < 0 else X for node, X in nodes])


def transform_all(
    to_frame: Callable[..., Array], R: Array, p: Array, vectors: Iterable[Array]
) -> Array:
    """Transform twists or wrenches (n, 6) from a frame of pose (R, p) to its reference frame."""
    return np.stack([to_frame(R, p, x) for x in vectors])


def root_axes(tree: Tree, R: list[Array], p: list[Array]) -> list[Array]:
    """Return S of every node in the frame of its root; R, p: `root_frames`."""
    frames = zip(tree.nodes, R, p, strict=True)
    return [transform_all(motion_to_frame, Ri, pi, node.S.T).T for node, Ri, pi in frames]


def root_responses(bodies: list[ArticulatedBody], R: list[Array], p: list[Array]) -> list[Array]:
    """Return K^T of every node in the frame of its root; R, p: `root_frames`."""
    frames = zip(bodies, R, p, strict=True)
    return [transform_all(force_to_frame, Ri, pi, body.K.T) for body, Ri, pi in frames]


def articulated_inverse(tree: Tree, poses: list[Pose]) -> Array:
    """Return M^-1 by articulated bodies."""
    bodies, (R, p) = articulated_bodies(tree, poses), root_frames(tree, poses)
    links = chains(tree, root_axes(tree, R, p), root_responses(bodies, R, p))
    return inverse_by_chains(tree, links, [body.inverse for body in bodies])


def inverse_by_chains(tree: Tree, links: Chains, inverses: list[Array]) -> Array:
    """Return M^-1: sum of T_ia D_a^-1 T_ja^T over common ancestors a of i and j (T_ii = -1)."""
    out = zeros(tree.nv, tree.nv)
    paths = [{i: -identity(len(inverses[i])), **T} for i, T in enumerate(links.T)]
    scaled = [{a: inverses[a] @ T.T for a, T in path.items()} for path in paths]
    for i, path in enumerate(paths):
        for j, other in enumerate(scaled[: i + 1]):
            block = zeros(len(inverses[i]), len(inverses[j]))
            for a in other:
                if a in path:
                    block = block + path[a] @ other[a]
            if i == j:
                block = np.tril(block) + np.tril(block, -1).T
            rows, columns = tree.nodes[i].vs, tree.nodes[j].vs
            out[rows, columns], out[columns, rows] = block, block.T
    return out
