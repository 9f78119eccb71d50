"""2.2: the equations of motion, (1) and (20) to (27)."""

from __future__ import annotations

from typing import Any

from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, adjoint_inverse, skew, spatial_inertia
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import (
    armature_matrix,
    block_diagonal,
    minus_gravity,
    product,
    relative_pose,
)
from jounce.papers.mueller_kumar2021.kinematics import (
    body_rows,
    chain,
    joint_brackets,
    system_jacobian,
    tree_operator,
)


@equation("1")
def inverse_dynamics(tree: Tree, q: Array, v: Array, a: Array, W: Array | None = None) -> Array:
    """Return Q = M a + C v + Q_grav + Q_ext; W: wrenches exerted by the bodies (6N)."""
    Q = mass_matrix(tree, q) @ a + coriolis_matrix(tree, q, v) @ v + gravity_forces(tree, q)
    return Q if W is None else Q + external_forces(tree, q, W)


@equation("20")
def mass_matrix(tree: Tree, q: Array) -> Array:
    """Return M = J^T diag(M_i) J, and armature on the diagonal."""
    J = system_jacobian(tree, q)
    return chain(J.T, system_inertia(tree), J) + armature_matrix(tree)


@equation("20")
def coriolis_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Return C = J^T C J with the C of (22); v^T (Mdot - 2 C) v = 0, but Mdot - 2 C is not skew."""
    A, J = tree_operator(tree, q), system_jacobian(tree, q)
    a, b = joint_brackets(tree, v), body_brackets(J @ v)
    return chain(J.T, coriolis_kernel(system_inertia(tree), A, a, b), J)


@equation("21")
def system_inertia(tree: Tree) -> Array:
    """Return M = diag(M_1, ..., M_N) (6N x 6N), constant."""
    return block_diagonal([spatial_inertia(node.inertia) for node in tree.nodes])


@equation("22")
def coriolis_kernel(M: Array, A: Array, a: Array, b: Array) -> Array:
    """C(q, v, V) = -M A a(v) - b(V)^T M; also used with (q-ddot, Vdot) and (q-dddot, Vddot)."""
    return -chain(M, A, a) - chain(b.T, M)


@equation("23")
def body_brackets(V: Array) -> Array:
    """Return b(V) = diag(ad_V1, ..., ad_VN) of the stacked twists V (6N)."""
    return block_diagonal([ad(V[body_rows(i)]) for i in range(len(V) // 6)])


@equation("24")
def body_inertia(m: Any, c: Array, Theta_c: Array, R_bc: Array) -> Array:
    """M_i = [[Theta_b, m c~], [-m c~, m 1]], Theta_b = R_bc Theta_c R_bc^T - m c~ c~ (Steiner)."""
    Theta_b = R_bc @ Theta_c @ R_bc.T - m * (skew(c) @ skew(c))
    M = zeros(6, 6)
    M[:3, :3], M[:3, 3:], M[3:, :3], M[3:, 3:] = Theta_b, m * skew(c), -m * skew(c), m * identity(3)
    return M


@equation("25")
def gravity_forces(tree: Tree, q: Array) -> Array:
    """Return Q_grav = J^T M U G, with G = -(0, g)."""
    J = system_jacobian(tree, q)
    return J.T @ (system_inertia(tree) @ (gravity_operator(tree, q) @ minus_gravity(tree)))


@equation("26")
def gravity_operator(tree: Tree, q: Array) -> Array:
    """Return U = A (Ad_{C_1}^-1, 0, ..., 0) (6N x 6), a block for every body on the base.

    Its block rows are the Ad_{C_k}^-1.
    """
    first = zeros(6 * len(tree.nodes), 6)
    for k, node in enumerate(tree.nodes):
        if node.parent < 0:
            first[body_rows(k)] = adjoint_inverse(*relative_pose(node, q))
    return product(tree_operator(tree, q), first)


@equation("27")
def external_forces(tree: Tree, q: Array, W: Array) -> Array:
    """Return Q_ext = J^T W, the forces that exert the wrenches W (6N) on the environment."""
    return system_jacobian(tree, q).T @ W
