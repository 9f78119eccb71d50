"""III: derivatives with respect to the inertial parameters, and regressors.

pi_k holds the parameters of node k about the **origin of its frame**. The paper defines I_k in
Lambda_k about the center of mass, but with such entries in (9) the factorization (8) does not hold;
`central_parameters_derivative` is the Jacobian with respect to such parameters. All columns are in
the order of the nodes, 10 each. `frame_map` maps the parameters of the model's bodies in their own
frames, the library's pi, to those of the nodes. Armature is not part of pi: it adds
`armature_matrix` to M, `armature_christoffel` to the Christoffel C, and nothing to g.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.math.scalar import Array, identity, matrix, zeros
from jounce.math.spatial import ad, parameters_from, skew, stack
from jounce.model.tree import Tree, moved_inertia
from jounce.papers import equation
from jounce.papers.common import block_diagonal, minus_gravity, product
from jounce.papers.garofalo2013.dynamics import Kernel, body_inertias, kernel_called
from jounce.papers.garofalo2013.kinematics import body_jacobians, jacobian_rates, world_adjoints

# ------------------------------------------------------------------ the parameters


@equation("9")
def body_parameters(mass: Any, r: Array, I_c: Array) -> Array:
    """Return pi_k = (m, m r, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) with I = I_c - m r~ r~ about the origin.

    mass, r: mass and center of mass (3) in the body's frame; I_c: inertia (3 x 3) about it.
    """
    return parameters_from(mass, mass * r, I_c - mass * (skew(r) @ skew(r)))


def central_parameters_derivative(mass: Any, r: Array) -> Array:
    """Return dpi_k/dx (10 x 10) for x = (m, r, I_c), I_c in the order xx, yy, zz, xy, xz, yz.

    dpi/dm = (1, r, -r~ r~), dpi/dr_c = (0, m e_c, -m (e_c~ r~ + r~ e_c~)), dpi/dI_c = (0, 0, 1).
    Y dpi/dx has the columns of a regressor for center-of-mass parameters; not in the paper.
    """
    out = identity(10)
    out[:, 0] = parameters_from(1.0, r, -(skew(r) @ skew(r)))
    for c, e in enumerate(identity(3)):
        turned = skew(e) @ skew(r)
        out[:, 1 + c] = parameters_from(0.0, mass * e, -mass * (turned + turned.T))
    return out


@equation("9")
def parameters(tree: Tree) -> Array:
    """Return pi = col(pi_k) (10 N): of every node, in its own frame."""
    return np.concatenate([node.inertia for node in tree.nodes])


def frame_map(tree: Tree) -> Array:
    """X (10 N x 10 nb) with pi = X pi_bodies: the model's parameters, in the bodies' own frames.

    Constant: a body's frame is fixed in its node's. Y X is the regressor in the library's order.
    """
    out = zeros(10 * len(tree.nodes), 10 * tree.nb)
    for k, node in enumerate(tree.nodes):
        if node.body < 0:  # a massless node of a joint with several motions
            continue
        columns = [moved_inertia(unit, node.R_user, node.p_user) for unit in identity(10)]
        out[10 * k : 10 * k + 10, 10 * node.body : 10 * node.body + 10] = np.stack(columns, -1)
    return out


# ------------------------------------------------------------------ Proposition 1


@equation("8")
def momentum_matrix(nu: Array) -> Array:
    """Return A(nu_k) (6 x 10) with Lambda_k nu_k = A(nu_k) pi_k; the angular rows first."""
    return stack(angular_rows(nu), linear_rows(nu))


@equation("10")
def linear_rows(nu: Array) -> Array:
    """Return A_v = [v_k, omega~_k, 0] (3 x 10): the rows of the linear momentum."""
    return np.concatenate((nu[3:, None], skew(nu[:3]), zeros(3, 6)), axis=1)


@equation("11")
def angular_rows(nu: Array) -> Array:
    """Return A_omega = [0, -v~_k, omega~~_k] (3 x 10): the rows of the angular momentum."""
    return np.concatenate((zeros(3, 1), -skew(nu[3:]), inertia_rows(nu[:3])), axis=1)


@equation("12")
def inertia_rows(a: Array) -> Array:
    """Return a~~ (3 x 6) with I a = a~~ (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)."""
    x, y, z = a
    return matrix(((x, 0.0, 0.0, y, z, 0.0), (0.0, y, 0.0, x, 0.0, z), (0.0, 0.0, z, 0.0, x, y)))


def skew_kernel_rows(nu: Array, x: Array) -> Array:
    """Return A(adj_{0,k} x) - adj_{0,k}^T A(x): Psi_k x by the parameters (6 x 10)."""
    return momentum_matrix(ad(nu) @ x) - ad(nu).T @ momentum_matrix(x)


def newton_euler_kernel_rows(nu: Array, x: Array) -> Array:
    """Return -adj_{0,k}^T A(x): the kernel of C_0 times x by the parameters (6 x 10)."""
    return -(ad(nu).T @ momentum_matrix(x))


def christoffel_kernel_rows(nu: Array, x: Array) -> Array:
    """Return (A(adj_{0,k} x) - adj_{0,k}^T A(x) - adj(x)^T A(nu_k)) / 2: the kernel of C_2."""
    # adstar(Lambda nu) x = ad(x)^T Lambda nu
    return 0.5 * (skew_kernel_rows(nu, x) - ad(x).T @ momentum_matrix(nu))


#: B(Lambda, nu) x by the parameters, for the kernels B of `KERNELS`.
KERNEL_ROWS: dict[str, Kernel] = {
    "garofalo": skew_kernel_rows,
    "christoffel": christoffel_kernel_rows,
    "newton_euler": newton_euler_kernel_rows,
}


# ------------------------------------------------------------------ Proposition 2


@equation("13a")
def mass_matrix_dpi(tree: Tree, q: Array) -> Array:
    """Return dM^j/dpi_kh = J_k^T A(J_k^j)^h (nv x nv x 10 N); M = dM/dpi pi, and armature."""
    return _by_columns(body_jacobians(tree, q), lambda k, J_j, j: momentum_matrix(J_j))


@equation("13b")
def coriolis_dpi(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """Return dC^j/dpi_kh = J_k^T (A(adj_{0,k} J_k^j + Jdot_k^j)^h - adj_{0,k}^T A(J_k^j)^h).

    (nv x nv x 10 N). kernel: which C, a key of `KERNEL_ROWS`; as printed for "garofalo".
    """
    rows = kernel_called(kernel, KERNEL_ROWS)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)

    def force(k: int, J_j: Array, j: int) -> Array:
        return rows(J[k] @ v, J_j) + momentum_matrix(Jdot[k][:, j])

    return _by_columns(J, force)


def _by_columns(J: list[Array], force: Callable[[int, Array, int], Array]) -> Array:
    """Return J_k^T force(k, J_k^j, j) in column j, with ten entries per body on the last axis."""
    columns = range(J[0].shape[1])
    blocks = [
        np.stack([J_k.T @ force(k, J_k[:, j], j) for j in columns], axis=1)
        for k, J_k in enumerate(J)
    ]
    return np.concatenate(blocks, axis=-1)


@equation("13c")
def gravity_dpi(tree: Tree, q: Array) -> Array:
    """Return dg/dpi_kh = J_k^T A(Ad_{0,k}^-1 gamma_0)^h (nv x 10 N)."""
    gamma_0 = minus_gravity(tree)
    bodies = zip(body_jacobians(tree, q), world_adjoints(tree, q), strict=True)
    return np.concatenate([J.T @ momentum_matrix(Ad @ gamma_0) for J, Ad in bodies], axis=-1)


@equation("14")
def mass_matrix_column(tree: Tree, q: Array, j: int) -> Array:
    """Return M^j = sum J_k^T Lambda_k J_k^j (nv), without armature."""
    out = zeros(tree.nv)
    for J, Lambda in zip(body_jacobians(tree, q), body_inertias(tree), strict=True):
        out = out + J.T @ (Lambda @ J[:, j])
    return out


# ------------------------------------------------------------------ Remark 4


def body_regressors(
    tree: Tree, q: Array, v: Array, v_r: Array, a_r: Array, kernel: str = "garofalo"
) -> list[Array]:
    """Return A(alpha_k) - adj_{0,k}^T A(J_k v_r) of every body (6 x 10), as in (15).

    alpha_k = J_k a_r + adj_{0,k} J_k v_r + Jdot_k v_r + Ad_{0,k}^-1 gamma_0.
    """
    rows = kernel_called(kernel, KERNEL_ROWS)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    gamma_0 = minus_gravity(tree)
    out = []
    for J_k, Jdot_k, Ad in zip(J, Jdot, world_adjoints(tree, q), strict=True):
        # the kernel holds the second term of alpha_k and the one outside
        remaining = J_k @ a_r + Jdot_k @ v_r + Ad @ gamma_0
        out.append(momentum_matrix(remaining) + rows(J_k @ v, J_k @ v_r))
    return out


@equation("15")
def slotine_li_forces(
    tree: Tree, q: Array, v: Array, v_r: Array, a_r: Array, kernel: str = "garofalo"
) -> Array:
    """Return Y pi = sum J_k^T (A(alpha_k) - adj_{0,k}^T A(J_k v_r)) pi_k = M a_r + C v_r + g.

    Without the armature in M and C. kernel: which C, a key of `KERNEL_ROWS`.
    """
    out = zeros(tree.nv)
    blocks = body_regressors(tree, q, v, v_r, a_r, kernel)
    for J, block, node in zip(body_jacobians(tree, q), blocks, tree.nodes, strict=True):
        out = out + J.T @ (block @ node.inertia)
    return out


@equation("16")
def slotine_li_regressor(
    tree: Tree, q: Array, v: Array, v_r: Array, a_r: Array, kernel: str = "garofalo"
) -> Array:
    """Return Y = J^T blkdiag(A(alpha_k) - adj_{0,k}^T A(J_k v_r)) (nv x 10 N), with J = col(J_k).

    M a_r + C v_r + g = Y pi, armature apart; `parameters` is pi. v_r, a_r: the reference velocity
    and acceleration (nv). kernel: which C, a key of `KERNEL_ROWS`; "garofalo" (C_1) as printed,
    "christoffel" the library's C (C_2). With both Mdot - 2 C is skew, as adaptive control needs.
    """
    J = np.concatenate(body_jacobians(tree, q))
    return product(J.T, block_diagonal(body_regressors(tree, q, v, v_r, a_r, kernel)))


@equation("16")
def regressor(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """The classic regressor: tau = Y(q, v, v, a) pi + armature a; the same for any C."""
    return slotine_li_regressor(tree, q, v, v, a)
