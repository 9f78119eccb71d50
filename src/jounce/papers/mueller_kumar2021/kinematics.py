"""2.1: poses, twists and Jacobians of all bodies at once, (2) to (19)."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.math.scalar import Array, cos, identity, sin, zeros
from jounce.math.spatial import ad, adjoint, adjoint_inverse, cross, dot, skew, stack
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import (
    block_diagonal,
    joint_columns,
    joint_coordinates,
    poses,
    product,
    relative_pose,
)

Configuration = tuple[Array, Array]


def chain(*factors: Array) -> Array:
    """Return the product of matrices, from the right, skipping structural zeros."""
    out = factors[-1]
    for factor in reversed(factors[:-1]):
        out = product(factor, out)
    return out


def need_single_joints(tree: Tree) -> None:
    """Raise ValueError if a joint has several degrees of freedom."""
    for node in tree.nodes:
        if node.S.shape[1] > 1:
            raise ValueError(
                f"joint {node.body} ({node.motion}) has {node.S.shape[1]} degrees of freedom;"
                " these equations of Mueller and Kumar need joints with one"
                " (garofalo2013 and jounce.formulas take every kind)"
            )


def body_rows(i: int) -> slice:
    """Return the six rows of body i among those of all bodies."""
    return slice(6 * i, 6 * i + 6)


@equation("2")
def relative_configuration(C_i: Configuration, C_j: Configuration) -> Configuration:
    """Return C_{i,j} = C_i^-1 C_j as (R_ij, r_ij): the pose of frame j in frame i."""
    (R_i, r_i), (R_j, r_j) = C_i, C_j
    return R_i.T @ R_j, R_i.T @ (r_j - r_i)


@equation("3")
def configurations(tree: Tree, q: Array) -> list[Configuration]:
    """Return C_i = C_p B_i exp(X_i q_i): the product of exponentials, B_i the pose at q = 0."""
    need_single_joints(tree)
    C: list[Configuration] = []
    for node in tree.nodes:
        exp = screw_exponential if any(node.motion.turns) else prismatic_exponential
        R_e, r_e = exp(node.S[:, 0], joint_coordinates(node, q)[0])
        R, r = node.R0 @ R_e, node.R0 @ r_e + node.p0
        if node.parent >= 0:
            R_p, r_p = C[node.parent]
            R, r = R_p @ R, R_p @ r + r_p
        C.append((R, r))
    return C


@equation("4")
def screw(e: Array, x: Array, h: Any) -> Array:
    """Return X = (e, x x e + h e): unit axis e through the point x, pitch h."""
    return stack(e, cross(x, e) + h * e)


@equation("5")
def revolute_screw(e: Array, x: Array) -> Array:
    """Return X = (e, x x e): unit axis e through the point x."""
    return stack(e, cross(x, e))


@equation("5")
def prismatic_screw(e: Array) -> Array:
    """Return X = (0, e): along the unit vector e."""
    return stack(zeros(3), e)


@equation("6")
def screw_exponential(X: Array, phi: Any) -> Configuration:
    """Return exp(phi X) = (exp(phi e~), (1 - exp(phi e~)) x + phi h e), for a finite pitch h.

    The point x = e x eta of the axis, the one next to the origin, and h = e . eta come from
    X = (e, eta).
    """
    e, eta = X[:3], X[3:]
    R = rotation_exponential(e, phi)
    return R, (identity(3) - R) @ cross(e, eta) + phi * dot(e, eta) * e


@equation("6")
def prismatic_exponential(X: Array, phi: Any) -> Configuration:
    """Return exp(phi X) = (1, phi e), for X = (0, e)."""
    return identity(3), phi * X[3:]


@equation("7")
def rotation_exponential(e: Array, phi: Any) -> Array:
    """Return exp(phi e~) = 1 + sin(phi) e~ + (1 - cos(phi)) e~ e~."""
    return identity(3) + sin(phi) * skew(e) + (1.0 - cos(phi)) * (skew(e) @ skew(e))


@equation("8")
def system_twist(tree: Tree, q: Array, v: Array) -> Array:
    """Return V = J v (6N): the body-fixed twists of all bodies."""
    return system_jacobian(tree, q) @ v


@equation("9")
def system_jacobian(tree: Tree, q: Array) -> Array:
    """Return J = A X (6N x nv)."""
    return product(tree_operator(tree, q), screw_matrix(tree))


@equation("10")
def tree_operator(tree: Tree, q: Array) -> Array:
    """A (6N x 6N): 1 on the diagonal, Ad_{C_{k,j}} in row k and the column of its ancestor j."""
    C = poses(tree, q)
    A = identity(6 * len(tree.nodes))
    for k, above in enumerate(tree.ancestors):
        for j in above:
            A[body_rows(k), body_rows(j)] = frame_adjoint(relative_configuration(C[k], C[j]))
    return A


@equation("10")
def screw_matrix(tree: Tree) -> Array:
    """Return X (6N x nv), constant: block row i holds X_i in the column of joint i."""
    return np.concatenate([joint_columns(tree, node) for node in tree.nodes])


@equation("11")
def frame_adjoint(C_ij: Configuration) -> Array:
    """Return Ad_{C_{i,j}} = [[R, 0], [r~ R, R]]: screw coordinates from frame j to frame i."""
    return adjoint(*C_ij)


@equation("12")
def jacobian_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Return Jdot = -A a J."""
    need_single_joints(tree)
    return -chain(tree_operator(tree, q), joint_brackets(tree, v), system_jacobian(tree, q))


@equation("13")
def joint_brackets(tree: Tree, v: Array) -> Array:
    """Return a(v) = diag(v_1 ad_X1, ..., v_n ad_Xn); with accelerations a1, with jerks a2."""
    return block_diagonal([screw_bracket(joint_columns(tree, node) @ v) for node in tree.nodes])


@equation("14")
def screw_bracket(X: Array) -> Array:
    """Return ad_X = [[xi~, 0], [eta~, xi~]] of the screw X = (xi, eta)."""
    return ad(X)


@equation("15")
def system_acceleration(A: Array, J: Array, a: Array, V: Array, acceleration: Array) -> Array:
    """Return Vdot = J q-ddot - A a V (6N)."""
    return J @ acceleration - A @ (a @ V)


@equation("16")
def tree_operator_inverse_form(tree: Tree, q: Array) -> Array:
    """Return A = (1 - D)^-1 = 1 + D + D D + ..., a finite sum: the same A as (10)."""
    D = neighbor_operator(tree, q)
    A = identity(len(D))
    for _ in range(max((len(above) for above in tree.ancestors), default=0)):
        A = identity(len(D)) + product(D, A)
    return A


@equation("17")
def neighbor_operator(tree: Tree, q: Array) -> Array:
    """Return D (6N x 6N): Ad_{C_{k,p}} in row k and the column of its parent p."""
    D = zeros(6 * len(tree.nodes), 6 * len(tree.nodes))
    for k, node in enumerate(tree.nodes):
        if node.parent >= 0:
            D[body_rows(k), body_rows(node.parent)] = adjoint_inverse(*relative_pose(node, q))
    return D


@equation("18")
def tree_operator_rate_inverse_form(tree: Tree, q: Array, v: Array) -> Array:
    """Return Adot = A Ddot A, with Ddot = -a D."""
    A, a, D = tree_operator(tree, q), joint_brackets(tree, v), neighbor_operator(tree, q)
    return -chain(A, a, D, A)


@equation("19")
def tree_operator_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Return Adot = A a - A a A."""
    A, a = tree_operator(tree, q), joint_brackets(tree, v)
    return chain(A, a) - chain(A, a, A)
