"""Sensitivities of the mass matrix and Christoffel symbols, by composite bodies.

Tensors (nv, nv, nv) whose last axis is a direction of q, or of v for the Christoffel symbols. Most
entries are products of 6-vectors that many of them share, or zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.coriolis import coriolis_matrix
from jounce.formulas.dynamics import (
    Bias,
    beyond,
    bias_of,
    common_root,
    composite_momentum,
    composites,
    contract,
    expand,
    mass_matrix_inverse,
)
from jounce.formulas.kinematics import accumulate, joint_poses
from jounce.math.scalar import Array, zeros
from jounce.math.spatial import (
    bracket,
    cross,
    dot,
    dual_bracket,
    force_to_frame,
    motion_to_frame,
    skew,
    stack,
)
from jounce.model.tree import Tree


def mass_matrix_dq(tree: Tree, q: Array) -> Array:
    """dM/dq (nv, nv, nv) by composite bodies (Jain-Rodriguez 5.52, any joints).

    Moving joint i carries its subtree along rigidly. With spatial screws S, composite inertias G
    and j < i meaning that j is an ancestor of i:

        dM_jk/dq_i = -(ad_Si S_j)^T G_k S_k                 j < i <= k, and symmetric in j, k
        dM_jk/dq_i = -S_j^T (ad_Si^T G_i + G_i ad_Si) S_k   j, k < i
    """
    poses = joint_poses(tree, q)
    bodies = composites(tree, poses)
    R, p = accumulate(tree, poses, common_root(tree))
    rows, size = expand(tree)
    S = [[motion_to_frame(R[i], p[i], s) for s in n.S.T] for i, n in enumerate(tree.nodes)]
    GS = [
        [force_to_frame(R[i], p[i], composite_momentum(bodies[i], s)) for s in n.S.T]
        for i, n in enumerate(tree.nodes)
    ]
    out = zeros(size, size, size)
    below = beyond(tree)
    for i, node in enumerate(tree.nodes):
        for h, axis in enumerate(S[i]):
            at = rows[i].start + h
            own = node.S[:, h]
            for j in tree.ancestors[i]:
                for y, other in enumerate(S[j]):
                    row = rows[j].start + y
                    turned = bracket(axis, other)
                    for k in below[i]:
                        for z, F in enumerate(GS[k]):
                            column = rows[k].start + z
                            entry = -dot(turned, F)
                            out[row, column, at] = out[column, row, at] = entry
                    # in the frame of i, where its axis is simple
                    local = _motion_from_frame(R[i], p[i], other)
                    force = force_to_frame(R[i], p[i], _inertia_rate(bodies[i], own, local))
                    for k in tree.ancestors[i]:
                        for z, third in enumerate(S[k]):
                            column = rows[k].start + z
                            if column <= row:
                                entry = -dot(third, force)
                                out[row, column, at] = out[column, row, at] = entry
    return contract(tree, out)


def _motion_from_frame(R: Array, p: Array, V: Array) -> Array:
    """A twist from the common frame to the frame with pose (R, p)."""
    return stack(R.T @ V[:3], R.T @ (V[3:] + cross(V[:3], p)))


def _inertia_rate(body: Any, axis: Array, V: Array) -> Array:
    """(ad_S^T G + G ad_S) V for a composite body, its axis S and V in its frame."""
    moved = composite_momentum(body, bracket(axis, V))
    return dual_bracket(axis, composite_momentum(body, V)) + moved


def mass_matrix_inverse_dq(tree: Tree, q: Array) -> Array:
    """dM^-1/dq_h = -M^-1 (dM/dq_h) M^-1."""
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
    """Gamma (nv, nv, nv) with C_ij = sum_k Gamma_ijk v_k, symmetric in j and k for plain joints.

    Jain-Rodriguez (5.54) for trees: with Y(a, b, c) = S_a^T B(G_c, S_c) S_b, G_c the composite
    inertia and k the outer one of j and k, Gamma_ijk is -Y(k, j, i) if i lies beyond k, Y(i, j, k)
    if k lies beyond i, and zero if i is k or the three are not on one path. Where two of the three
    belong to one joint with several velocities, those do not commute and C itself is evaluated.
    """
    several = [node.S.shape[1] > 1 for node in tree.nodes]
    if tree.has_mimics:
        return _coriolis_by_columns(tree, q)
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
    inside = [set(ancestors) for ancestors in tree.ancestors]
    known = _coriolis_by_columns(tree, q) if any(several) else None
    pushed: dict[tuple[int, int], Array] = {}

    def Y(a: int, b: int, c: int) -> Any:
        if (b, c) not in pushed:
            pushed[b, c] = biases[c].times(S[b])
        return dot(S[a], pushed[b, c])

    n = tree.nv
    out = zeros(n, n, n)
    for j in range(n):
        for k in range(n):
            first, last = (j, k) if owner[j] in inside[owner[k]] or j <= k else (k, j)
            if owner[first] != owner[last] and owner[first] not in inside[owner[last]]:
                continue
            for i in range(n):
                nodes = {owner[i], owner[j], owner[k]}
                shared = len(nodes) < 3 and any(
                    several[x] and [owner[i], owner[j], owner[k]].count(x) > 1 for x in nodes
                )
                if shared and known is not None:
                    out[i, j, k] = known[i, j, k]
                elif owner[last] in inside[owner[i]]:
                    out[i, j, k] = -Y(last, first, i)
                elif owner[i] in inside[owner[last]]:
                    out[i, j, k] = Y(i, first, last)
    return out


def moved_bias(R: Array, p: Array, bias: Bias) -> Bias:
    """B from the frame of pose (R, p) to the common frame: E' = R E R^T - p~ P'~."""
    P = R @ bias.P
    return Bias(R @ bias.E @ R.T - skew(p) @ skew(P), P)


def _coriolis_by_columns(tree: Tree, q: Array) -> Array:
    """Gamma as C at each unit velocity: C is linear in v."""
    columns = []
    for k in range(tree.nv):
        unit = zeros(tree.nv)
        unit[k] = 1.0
        columns.append(coriolis_matrix(tree, q, unit))
    return np.stack(columns, axis=-1)


def coriolis_matrix_dv(tree: Tree, q: Array, v: Array) -> Array:
    """dC/dv: the Christoffel symbols."""
    return christoffel(tree, q)
