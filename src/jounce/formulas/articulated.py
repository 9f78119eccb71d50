"""Articulated bodies: a body with all beyond it, the joints between them free.

They factorize the mass matrix without building it. Every function takes the elementary `Tree` of a
robot without mimics: the articulated bodies of a leader and its followers are not a tree.
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


class Articulated(NamedTuple):
    """Articulated-body inertia I of a node, projected through its joint.

    With D = S^T I S + armature (k, k), and its factors: K = I S D^-1 (6, k), and rest = I - K
    S^T I is what the body still resists when its own joint is free.
    """

    I: Array
    D: Array
    factors: tuple[Array, list[Any]]
    K: Array
    rest: Array

    def yielded(self, force: Array) -> Array:
        """Return D^-1 force, the joint acceleration for a parent at rest."""
        return solve_factorized(*self.factors, force)

    @property
    def inverse(self) -> Array:
        """D^-1."""
        out = zeros(*self.factors[0].shape)
        for k, unit in enumerate(identity(len(out))):
            for i, entry in enumerate(self.yielded(unit)[: k + 1]):
                out[i, k] = out[k, i] = entry
        return out


def solves_by_bodies(tree: Tree) -> bool:
    """Return whether to use articulated bodies instead of factors of M."""
    if tree.has_mimics:  # the articulated bodies of a leader and its followers are not a tree
        return False
    return choose("accelerations", {"articulated bodies": True, "mass matrix": False})


def articulated(tree: Tree, poses: list[Pose]) -> list[Articulated]:
    """Run the inward pass over I = [[A, B], [B^T, C]], in the frame of each node."""
    inertias = [_blocks(node) for node in tree.nodes]
    bodies: list[Articulated] = []
    for i, node in reversed(list(enumerate(tree.nodes))):
        I = _assembled(*inertias[i])
        bodies.append(_with_free_joint(node, I))
        if node.parent >= 0:
            moved = _to_parent(poses[i], bodies[-1].rest)
            total = zip(inertias[node.parent], moved, strict=True)
            inertias[node.parent] = tuple(x + y for x, y in total)
    return bodies[::-1]


def _blocks(node: Node) -> tuple[Array, ...]:
    """Return the blocks A, B, C of a rigid body's inertia."""
    m = node.inertia[0]
    return inertia_matrix(node.inertia), skew(node.inertia[1:4]), m * identity(3)


def _assembled(A: Array, B: Array, C: Array) -> Array:
    out = zeros(6, 6)
    out[:3, :3], out[:3, 3:], out[3:, :3], out[3:, 3:] = A, B, B.T, C
    return out


def _with_free_joint(node: Node, I: Array) -> Articulated:
    """Return D^-1, K and rest of a node.

    K^T S is the identity where there is no armature. Where each velocity is one entry of a twist,
    that says what stands in those rows of K, and that nothing is left in those of `rest`: a joint
    with all six velocities has K = 1 and passes nothing on.
    """
    U = I @ node.S
    D = node.S.T @ U
    for k, armature in enumerate(node.armature):
        D[k, k] = D[k, k] + armature
    factors, own, unit = factorize(D), free_rows(node), identity(len(D))
    K, rest = zeros(6, len(D)), zeros(6, 6)
    for i in range(6):
        K[i] = unit[own.index(i)] if i in own else solve_factorized(*factors, U[i])
    for i in range(6):
        for j in range(i, 6):
            if i not in own and j not in own:
                rest[i, j] = rest[j, i] = I[i, j] - dot(K[i], U[j])
    return Articulated(I, D, factors, K, rest)


def free_rows(node: Node) -> list[int]:
    """Return the twist row of each velocity of a joint without armature, or []."""
    rows = [[k for k in range(6) if not is_zero(column[k])] for column in node.S.T]
    units = (node.S[row, k] == 1.0 for k, own in enumerate(rows) for row in own)
    plain = all(units) and all(len(own) == 1 for own in rows)
    return [own[0] for own in rows] if plain and all(is_zero(x) for x in node.armature) else []


def _to_parent(X: Pose, I: Array) -> tuple[Array, Array, Array]:
    """Return the blocks of Ad^-T I Ad^-1: B' = B + r~ C, A' = A - B r~ + r~ B'^T after rotation."""
    C = X.symmetric_to_parent(I[3:, 3:])
    B = X.tensor_to_parent(I[:3, 3:])
    A = X.symmetric_to_parent(I[:3, :3])
    r = skew(X.r)
    moved = B + r @ C
    shift = r @ moved.T - B @ r
    for i in range(3):
        for j in range(i, 3):
            A[i, j] = A[j, i] = A[i, j] + shift[i, j]
    return A, moved, C


# ------------------------------------------------------------------ what forces do


class Response(NamedTuple):
    """Accelerations a (nv,) that forces give to a tree at rest.

    carried, A: acceleration of the parent of each node, and its own, in its frame. F: the wrench
    that its joint passes on, in the same.
    """

    a: Array
    carried: list[Array]
    A: list[Array]
    F: list[Array]


def respond(tree: Tree, poses: list[Pose], bodies: list[Articulated], tau: Array) -> Response:
    """Return a = M^-1 tau and what goes with it, in time linear in the number of joints."""
    p = [zeros(6) for _ in tree.nodes]
    own: list[Array] = [zeros(0)] * len(bodies)
    for i in reversed(range(len(bodies))):
        node, body = tree.nodes[i], bodies[i]
        push = tau[node.vs] - node.S.T @ p[i]
        own[i], p[i] = body.yielded(push), p[i] + body.K @ push
        if node.parent >= 0:
            p[node.parent] = p[node.parent] + poses[i].force_to_parent(p[i])
    out = Response(zeros(tree.nv), [], [], [])
    for i, (node, body) in enumerate(zip(tree.nodes, bodies, strict=True)):
        first = node.parent < 0
        carried = zeros(6) if first else poses[i].motion_to_child(out.A[node.parent])
        own[i] = own[i] - body.K.T @ carried
        out.a[node.vs] = own[i]
        out.carried.append(carried)
        out.A.append(carried + node.S @ own[i])
        out.F.append(p[i] + body.rest @ carried)
    return out


def articulated_solve(tree: Tree, poses: list[Pose], tau: Array) -> Array:
    """Return M^-1 tau by articulated bodies."""
    return respond(tree, poses, articulated(tree, poses), tau).a


# ------------------------------------------------------------------ what accelerations do


class Chains(NamedTuple):
    """Joint responses to accelerations of their ancestors, in root frames.

    S: axes (6, k) of each node. to[i][a] (k, 6 or more): the joint of node i accelerates with
    -to[i][a] @ A if the parent of a does with A, where a is i or an ancestor of it and all joints
    from a on answer. T[i][a] (k_i, k_a): with -T[i][a] @ x if joint a does with x. An answer may go
    on over things that no joint changes on the way, see `wrt_forward`.
    """

    S: list[Array]
    to: list[dict[int, Array]]
    T: list[dict[int, Array]]


def chains(tree: Tree, S: list[Array], own: list[Array]) -> Chains:
    """From the axes of the nodes and what they answer to their parents, K^T to accelerations."""
    out = Chains(S, [], [])
    for i, ancestors in enumerate(tree.ancestors):
        answer, to, T = own[i], {i: own[i]}, {}
        for a in ancestors:
            T[a] = answer[:, :6] @ S[a]
            answer = to[a] = answer - T[a] @ own[a]
        out.to.append(to)
        out.T.append(T)
    return out


def in_roots(tree: Tree, poses: list[Pose]) -> tuple[list[Array], list[Array]]:
    """Rotation and origin of every node in the frame of its root, as nothing joins two roots."""
    still = Pose([Rotation(identity(3))], zeros(3))
    nodes = zip(tree.nodes, poses, strict=True)
    return accumulate(tree, [still if node.parent < 0 else X for node, X in nodes])


def moved(to_frame: Callable[..., Array], R: Array, p: Array, vectors: Iterable[Array]) -> Array:
    """Twists or wrenches (n, 6) of a frame of pose (R, p) in the frame that the pose is in."""
    return np.stack([to_frame(R, p, x) for x in vectors])


def axes(tree: Tree, R: list[Array], p: list[Array]) -> list[Array]:
    """Return S of every node in the frame of its root; R, p: `in_roots`."""
    found = zip(tree.nodes, R, p, strict=True)
    return [moved(motion_to_frame, Ri, pi, node.S.T).T for node, Ri, pi in found]


def answers(bodies: list[Articulated], R: list[Array], p: list[Array]) -> list[Array]:
    """Return K^T of every node in the frame of its root; R, p: `in_roots`."""
    found = zip(bodies, R, p, strict=True)
    return [moved(force_to_frame, Ri, pi, body.K.T) for body, Ri, pi in found]


def articulated_inverse(tree: Tree, poses: list[Pose]) -> Array:
    """Return M^-1 by articulated bodies."""
    bodies, (R, p) = articulated(tree, poses), in_roots(tree, poses)
    links = chains(tree, axes(tree, R, p), answers(bodies, R, p))
    return inverse_by_chains(tree, links, [body.inverse for body in bodies])


def inverse_by_chains(tree: Tree, links: Chains, inverses: list[Array]) -> Array:
    """M^-1_ij = sum of T_ia D_a^-1 T_ja^T over the nodes a on the ways to both (T_ii = -1)."""
    out = zeros(tree.nv, tree.nv)
    ways = [{i: -identity(len(inverses[i])), **T} for i, T in enumerate(links.T)]
    scaled = [{a: inverses[a] @ T.T for a, T in way.items()} for way in ways]
    for i, way in enumerate(ways):
        for j, other in enumerate(scaled[: i + 1]):
            block = zeros(len(inverses[i]), len(inverses[j]))
            for a in other:
                if a in way:
                    block = block + way[a] @ other[a]
            if i == j:
                block = np.tril(block) + np.tril(block, -1).T
            rows, columns = tree.nodes[i].vs, tree.nodes[j].vs
            out[rows, columns], out[columns, rows] = block, block.T
    return out
