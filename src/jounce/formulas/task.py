"""Task-space (operational-space) dynamics: inertia of a frame, its inverse, and bias wrench.

With the body-fixed Jacobian J of a frame and its twist V = J v, M a + C v + g = tau + J^T F becomes

    Lambda V' + mu = F + Jbar^T tau       Lambda = (J M^-1 J^T)^-1       Jbar = M^-1 J^T Lambda
    mu = Lambda (J M^-1 (C v + g) - J' v)

all in the axes of the frame (Khatib; Jain and Rodriguez's operational-space inertia). M = L^T D L
preserves the zeros between branches, and J M^-1 J^T needs only half a solution per row of J.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.formulas.dynamics import bias_forces, mass_matrix
from jounce.formulas.kinematics import frame_jacobian, joint_poses, joint_rates, twists
from jounce.formulas.singular import generic_configuration
from jounce.formulas.tensors import mass_matrix_dq
from jounce.formulas.wrt_state import frame_jacobian_dq
from jounce.math.linear import factorize, half_solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import bracket, cross, dot, stack
from jounce.model.tree import Tree

#: Type of q: an array, or a `kinematics.Motion`.
Configuration = Any


def task_inertia_inverse(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return J M^-1 J^T (6, 6), the acceleration of the frame per wrench on it."""
    L, inverse_pivots = factorize(mass_matrix(tree, q))
    halves = [half_solve(L, row) for row in frame_jacobian(tree, q, frame)]
    return weighted_gram(halves, inverse_pivots)


def weighted_gram(halves: list[Array], weights: list[Any]) -> Array:
    """Return the symmetric X W X^T of rows X and diagonal weights W."""
    out = zeros(len(halves), len(halves))
    for i, x in enumerate(halves):
        scaled = x * weights
        for j, y in enumerate(halves[: i + 1]):
            out[i, j] = out[j, i] = dot(scaled, y)
    return out


def task_inertia(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return the task inertia Lambda = (J M^-1 J^T)^-1 (6, 6)."""
    require_full_rank(tree, frame)
    factors = factorize(task_inertia_inverse(tree, q, frame))
    out = zeros(6, 6)
    for k, unit in enumerate(identity(6)):
        # symmetric: keep one triangle
        for i, entry in enumerate(solve_factorized(*factors, unit)[: k + 1]):
            out[i, k] = out[k, i] = entry
    return out


def task_jacobian_inverse(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return Jbar = M^-1 J^T Lambda (nv, 6), the dynamically consistent inverse of J."""
    return _response(tree, q, frame) @ task_inertia(tree, q, frame)


def _response(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return M^-1 J^T (nv, 6), the joint accelerations per wrench on the frame."""
    factors = factorize(mass_matrix(tree, q))
    rows = frame_jacobian(tree, q, frame)
    return np.stack([solve_factorized(*factors, row) for row in rows], axis=1)


def task_bias(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """Return the task bias mu (6,), the wrench that keeps the frame's twist for tau = 0."""
    require_full_rank(tree, frame)
    L, inverse_pivots = factorize(mass_matrix(tree, q))
    halves = [half_solve(L, row) for row in frame_jacobian(tree, q, frame)]
    forces = half_solve(L, bias_forces(tree, q, v)) * inverse_pivots
    falling = zeros(6)
    for k, x in enumerate(halves):
        falling[k] = dot(x, forces)
    factors = factorize(weighted_gram(halves, inverse_pivots))
    return solve_factorized(*factors, falling - frame_drift(tree, q, v, frame))


def frame_drift(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """Return J' v (6,), the rate of the frame's twist for constant v."""
    i, R, p = tree.frames[frame]
    poses = joint_poses(tree, q)
    V, rates = twists(tree, poses, v), joint_rates(tree, v)
    A = [bracket(Vi, node.S @ vi) for node, Vi, vi in zip(tree.nodes, V, rates, strict=True)]
    total = zeros(6)
    for k in reversed((i, *tree.ancestors[i]) if i >= 0 else ()):
        total = poses[k].motion_to_child(total) + A[k]
    return stack(R.T @ total[:3], R.T @ (total[3:] + cross(total[:3], p)))


# ------------------------------------------------------------------ derivatives in q


def task_inertia_inverse_dq(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return d(J M^-1 J^T)/dq (6, 6, nv): X + X^T - Y^T dM Y, X = dJ Y, Y = M^-1 J^T."""
    Y, dJ = _response(tree, q, frame), frame_jacobian_dq(tree, q, frame)
    dM = mass_matrix_dq(tree, q)
    out = zeros(6, 6, tree.nv)
    for h in range(tree.nv):
        X, moved = dJ[:, :, h] @ Y, dM[:, :, h] @ Y
        for i in range(6):
            for j in range(i + 1):
                entry = X[i, j] + X[j, i] - dot(Y[:, i], moved[:, j])
                out[i, j, h] = out[j, i, h] = entry
    return out


def task_inertia_dq(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return dLambda/dq = -Lambda d(J M^-1 J^T) Lambda (6, 6, nv)."""
    Lambda, change = task_inertia(tree, q, frame), task_inertia_inverse_dq(tree, q, frame)
    out = zeros(6, 6, tree.nv)
    for h in range(tree.nv):
        half = Lambda @ change[:, :, h]
        for i in range(6):
            for j in range(i + 1):
                out[i, j, h] = out[j, i, h] = -dot(half[i], Lambda[j])
    return out


def require_full_rank(tree: Tree, frame: int) -> None:
    """Raise ModelError if the frame cannot move in all six directions at any configuration."""
    J = frame_jacobian(tree, generic_configuration(tree), frame)
    known = all(isinstance(x, (int, float)) for x in J.flat)
    rank = np.linalg.matrix_rank(J.astype(float)) if known else _structural_rank(J)
    if rank < 6:
        raise ModelError(
            f"the frame can move in {rank} of 6 directions only, so J M^-1 J^T has no inverse;"
            " compute task_inertia_inverse and invert its block for the directions of the task"
        )


def _structural_rank(J: Array) -> int:
    """Return an upper bound of the rank of a matrix from its structural zeros."""
    full = np.array([[not is_zero(x) for x in row] for row in J])
    return int(min(full.any(axis=0).sum(), full.any(axis=1).sum()))
