"""Sensitivities of the mass matrix and Christoffel symbols, by composite bodies.

Tensors (nv, nv, nv) whose last axis is a direction of q, or of v for the Christoffel symbols. Most
entries are zero, or products of 6-vectors that are shared by many entries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from jounce.formulas.articulated import articulated_bodies, respond, solves_by_bodies
from jounce.formulas.dynamics import (
    Bias,
    bias_of,
    composites,
    contract,
    has_ball_rotor,
    mass_matrix,
    mass_matrix_inverse,
    node_rows,
    rotor_coriolis,
)
from jounce.formulas.kinematics import accumulate, joint_poses
from jounce.formulas.pairs import common_root
from jounce.formulas.wrt_state import directional
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import (
    bracket,
    dot,
    motion_to_frame,
    skew,
)
from jounce.model.tree import Tree


def mass_matrix_dq(tree: Tree, q: Array) -> Array:
    """Return dM/dq (nv, nv, nv) by series; tracing shares entries that a joint does not move."""
    every_joint = replace(tree, active=None)
    return directional(mass_matrix, every_joint, (q,), 0, configuration=True)


def mass_matrix_inverse_dq(tree: Tree, q: Array) -> Array:
    """Return dM^-1_ij/dq_h = F_i . [S_h, A_j] + F_j . [S_h, A_i], symmetric in i and j.

    A unit force on joint i gives the parent of h the acceleration A_i, and the joint of h transmits
    the wrench F_i. For dM a = -(P^T ad_S A + J^T ad_S^T P a), where J is the parent's Jacobian, A =
    J a, and P a is the rate of momentum of the subtree of h.
    """
    if not solves_by_bodies(tree):
        return _inverse_dq_by_products(tree, q)
    poses = joint_poses(tree, q)
    bodies = articulated_bodies(tree, poses)
    responses = [respond(tree, poses, bodies, unit) for unit in identity(tree.nv)]
    out = zeros(tree.nv, tree.nv, tree.nv)
    for h, node in enumerate(tree.nodes):
        F = [x.F[h] for x in responses]
        for column, axis in enumerate(node.S.T, node.v):
            turned = [bracket(axis, x.A_parent[h]) for x in responses]
            for i in range(tree.nv):
                for j in range(i + 1):
                    entry = dot(F[i], turned[j]) + dot(F[j], turned[i])
                    out[i, j, column] = out[j, i, column] = entry
    return out


def _inverse_dq_by_products(tree: Tree, q: Array) -> Array:
    """Return dM^-1/dq_h = -M^-1 (dM/dq_h) M^-1."""
    inverse = mass_matrix_inverse(tree, q)
    dM = mass_matrix_dq(tree, q)
    out = zeros(*dM.shape)
    for h in range(tree.nv):
        left = inverse @ dM[:, :, h]
        for i in range(tree.nv):
            for j in range(i + 1):
                out[i, j, h] = out[j, i, h] = -dot(left[i], inverse[j])
    return out


def christoffel(tree: Tree, q: Array) -> Array:
    """Return Gamma (nv, nv, nv), C_ij = sum_k Gamma_ijk v_k, symmetric if velocities commute.

    Jain-Rodriguez (5.54) for trees and any joints. With G_c the composite inertia and Koszul's

        Y(a, b, c) = S_a^T B(G_c, S_c) S_b = -(a.[c, b] + [c, a].b + [b, a].c) / 2,  x.y = x^T G_c y

    let (f, l) be (j, k) if k descends from j, else (k, j). Then Gamma_ijk is -Y(l, f, i) if i
    descends from l, and Y(i, f, l) if l descends from i or belongs to its joint (zero for i = l).
    It is zero if the three are not on one path. Armature contributes `dynamics.rotor_coriolis`.
    """
    poses = joint_poses(tree, q)
    bodies = composites(tree, poses)
    R, p = accumulate(tree, poses, common_root(tree))
    owner = [i for i, node in enumerate(tree.nodes) for _ in node.S.T]
    S = [motion_to_frame(R[i], p[i], s) for i, n in enumerate(tree.nodes) for s in n.S.T]
    biases = [
        moved_bias(R[i], p[i], Bias.of(*bias_of(*bodies[i], s)))
        for i, n in enumerate(tree.nodes)
        for s in n.S.T
    ]
    inside = [{i, *ancestors} for i, ancestors in enumerate(tree.ancestors)]
    products: dict[tuple[int, int], Array] = {}

    def Y(a: int, b: int, c: int) -> Any:
        if (b, c) not in products:
            products[b, c] = biases[c].times(S[b])
        return dot(S[a], products[b, c])

    out = _rotors(tree)
    for j, k in np.ndindex(len(S), len(S)):
        if not ({owner[j]} & inside[owner[k]] or {owner[k]} & inside[owner[j]]):
            continue
        first, last = (k, j) if owner[k] in inside[owner[j]] else (j, k)
        for i in range(len(S)):
            if i != last and owner[i] in inside[owner[last]]:
                out[i, j, k] = out[i, j, k] + Y(i, first, last)
            elif owner[last] in inside[owner[i]] and owner[last] != owner[i]:
                out[i, j, k] = -Y(last, first, i)
    return contract(tree, out)


def _rotors(tree: Tree) -> Array:
    """Return the armature contribution to the symbols, before mimic contraction."""
    rows, size = node_rows(tree)
    out = zeros(size, size, size)
    for node, entries in zip(tree.nodes, rows, strict=True):
        if has_ball_rotor(node):
            for k, unit in enumerate(identity(3), entries.start):
                out[entries, entries, k] = rotor_coriolis(node, unit)
    return out


def moved_bias(R: Array, p: Array, bias: Bias) -> Bias:
    """Transform B from the frame of pose (R, p) to the common frame: E' = R E R^T - p~ P'~."""
    P = R @ bias.P
    return Bias(R @ bias.E @ R.T - skew(p) @ skew(P), P)


def coriolis_matrix_dv(tree: Tree, q: Array, v: Array) -> Array:
    """Return dC/dv: the Christoffel symbols."""
    return christoffel(tree, q)


def equations_of_motion_dv(tree: Tree, q: Array, v: Array) -> tuple[Array, Array, Array]:
    """Return dM/dv, dC/dv and dg/dv, of which only the Christoffel symbols are not zero."""
    n = tree.nv
    return zeros(n, n, n), christoffel(tree, q), zeros(n, n)
