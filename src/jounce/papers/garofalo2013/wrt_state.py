"""IV: derivatives with respect to the state."""

from __future__ import annotations

import numpy as np

from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, skew
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import block_diagonal, minus_gravity, product
from jounce.papers.garofalo2013.dynamics import (
    body_inertias,
    coriolis_matrix,
    kernel_called,
    rotors,
)
from jounce.papers.garofalo2013.kinematics import (
    body_jacobians,
    body_twists,
    jacobian_rates,
    jacobian_rates_dq,
    jacobian_rates_dv,
    jacobians_dq,
    moving_velocities,
    world_adjoints,
)


@equation("17")
def bracket_selector() -> Array:
    """Return W (6 x 36) = [[W_w, 0], [W_v, W_w]], constant, with adj(nu) = W blkdiag(nu, ..., nu).

    W_w takes w~ = [w x e_x, w x e_y, w x e_z] from three twists (w, v), W_v likewise v~: as printed
    with the angular part first.
    """
    turns = [-skew(e) for e in identity(3)]
    W_w = np.concatenate([np.concatenate((turn, zeros(3, 3)), 1) for turn in turns], 1)
    W_v = np.concatenate([np.concatenate((zeros(3, 3), turn), 1) for turn in turns], 1)
    top, bottom = np.concatenate((W_w, zeros(3, 18)), 1), np.concatenate((W_v, W_w), 1)
    return np.concatenate((top, bottom))


@equation("17")
def repeat_twist(nu: Array) -> Array:
    """Return V_k = blkdiag(nu_k) (36 x 6): the twist six times along the diagonal."""
    return block_diagonal([nu[:, None]] * 6)


@equation("17")
def factored_bracket(nu: Array) -> Array:
    """Return adj_{0,k} = W V_k."""
    return product(bracket_selector(), repeat_twist(nu))


@equation("18")
def world_adjoints_dq(tree: Tree, q: Array) -> list[Array]:
    """Return dAd_{0,k}^-1/dq_h = -adj(J_k^h) Ad_{0,k}^-1 of every body (6 x 6 x nv)."""
    bodies = zip(body_jacobians(tree, q), world_adjoints(tree, q), strict=True)
    return [np.stack([-(ad(J_h) @ Ad) for J_h in J.T], -1) for J, Ad in bodies]


@equation("19")
def brackets_dv(tree: Tree, q: Array) -> list[Array]:
    """Return dadj_{0,k}/dv_h = adj(J_k^h) of every body (6 x 6 x nv)."""
    return [np.stack([ad(J_h) for J_h in J.T], -1) for J in body_jacobians(tree, q)]


@equation("20")
def brackets_dq(tree: Tree, q: Array, v: Array) -> list[Array]:
    """Return dadj_{0,k}/dq_h = adj(dJ_k/dq_h v) of every body (6 x 6 x nv)."""
    return [np.stack([ad(dJ_h @ v) for dJ_h in dJ], -1) for dJ in _by_h(jacobians_dq(tree, q))]


@equation("21")
def world_adjoint_rates(tree: Tree, q: Array, v: Array) -> list[Array]:
    """Return d/dt Ad_{0,k}^-1 = -adj_{0,k} Ad_{0,k}^-1 of every body."""
    bodies = zip(body_twists(tree, q, v), world_adjoints(tree, q), strict=True)
    return [-(ad(nu) @ Ad) for nu, Ad in bodies]


@equation("22")
def bracket_by_columns(J: Array, v: Array) -> Array:
    """Return adj_{0,k} = sum W blkdiag(J_k^h) v_h."""
    W, out = bracket_selector(), zeros(6, 6)
    for J_h, v_h in zip(J.T, v, strict=True):
        out = out + product(W, repeat_twist(J_h)) * v_h
    return out


@equation("23")
def world_adjoint_dq_factored(J: Array, Ad: Array, h: int) -> Array:
    """dAd_{0,k}^-1/dq_h = -W blkdiag(J_k^h) Ad_{0,k}^-1: (18) in factored form."""
    return -(product(bracket_selector(), repeat_twist(J[:, h])) @ Ad)


def _by_h(tensors: list[Array]) -> list[list[Array]]:
    """Return for each body the derivatives along v_0, v_1, ..."""
    return [[dJ[..., h] for h in range(dJ.shape[-1])] for dJ in tensors]


@equation("24a")
def mass_matrix_dq(tree: Tree, q: Array) -> Array:
    """Return dM/dq_h = sum dJ_k/dq_h^T Lambda_k J_k + J_k^T Lambda_k dJ_k/dq_h (nv x nv x nv)."""
    out = zeros(tree.nv, tree.nv, tree.nv)
    J, dJ = body_jacobians(tree, q), jacobians_dq(tree, q)
    for k, Lambda in enumerate(body_inertias(tree)):
        momenta = J[k].T @ Lambda
        for h in moving_velocities(tree, k):
            half = momenta @ dJ[k][..., h]
            out[..., h] = out[..., h] + half.T + half
    return out


@equation("24b")
def coriolis_dq(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """Derivative of the Coriolis matrix in q.

    dC/dq_h = sum dJ_h^T (Psi_k J_k + Lambda_k Jdot_k) + J_k^T Lambda_k dJdot_h
    + J_k^T [(Lambda_k adj(dJ_h v) - adj(dJ_h v)^T Lambda_k) J_k + Psi_k dJ_h].

    (nv x nv x nv), with dJ_h = dJ_k/dq_h and dJdot_h = dJdot_k/dq_h. kernel: which C, a key of
    `KERNELS`; they are linear in the twist, so the same formula holds for all.
    """
    B = kernel_called(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    dJ, dJdot = jacobians_dq(tree, q), jacobian_rates_dq(tree, q, v)
    out = zeros(tree.nv, tree.nv, tree.nv)
    for k, Lambda in enumerate(body_inertias(tree)):
        Psi = B(Lambda, J[k] @ v)
        force = Psi @ J[k] + Lambda @ Jdot[k]
        for h in moving_velocities(tree, k):
            dJ_h = dJ[k][..., h]
            change = Lambda @ dJdot[k][..., h] + B(Lambda, dJ_h @ v) @ J[k] + Psi @ dJ_h
            out[..., h] = out[..., h] + dJ_h.T @ force + J[k].T @ change
    return out


@equation("24c")
def coriolis_dv(tree: Tree, q: Array, kernel: str = "garofalo") -> Array:
    """dC/dv_h = sum J_k^T [(Lambda_k adj(J_k^h) - adj(J_k^h)^T Lambda_k) J_k + Lambda_k dJdot_h].

    (nv x nv x nv), with dJdot_h = dJdot_k/dv_h by (30). kernel: which C, a key of `KERNELS`.
    """
    B = kernel_called(kernel)
    J, dJdot = body_jacobians(tree, q), jacobian_rates_dv(tree, q)
    out = np.stack([rotors(tree, unit, kernel) for unit in identity(tree.nv)], axis=-1)
    for k, Lambda in enumerate(body_inertias(tree)):
        for h in moving_velocities(tree, k):
            change = B(Lambda, J[k][:, h]) @ J[k] + Lambda @ dJdot[k][..., h]
            out[..., h] = out[..., h] + J[k].T @ change
    return out


@equation("24d")
def gravity_dq(tree: Tree, q: Array) -> Array:
    """dg/dq_h = sum (dJ_k/dq_h^T Lambda_k - J_k^T Lambda_k adj(J_k^h)) Ad_{0,k}^-1 gamma_0."""
    gamma_0 = minus_gravity(tree)
    out = zeros(tree.nv, tree.nv)
    J, dJ = body_jacobians(tree, q), jacobians_dq(tree, q)
    for k, (Lambda, Ad) in enumerate(
        zip(body_inertias(tree), world_adjoints(tree, q), strict=True)
    ):
        gamma = Ad @ gamma_0
        for h in moving_velocities(tree, k):
            change = J[k].T @ (Lambda @ (ad(J[k][:, h]) @ gamma))
            out[:, h] = out[:, h] + dJ[k][..., h].T @ (Lambda @ gamma) - change
    return out


@equation("24a", "24b", "24d")
def inverse_dynamics_dq(
    tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo"
) -> Array:
    """Return dtau/dq_h = dM/dq_h a + dC/dq_h v + dg/dq_h (nv x nv), the same for any C."""
    M, C = mass_matrix_dq(tree, q), coriolis_dq(tree, q, v, kernel)
    return _contract(M, a) + _contract(C, v) + gravity_dq(tree, q)


@equation("24c")
def inverse_dynamics_dv(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """Return dtau/dv_h = C^h + dC/dv_h v (nv x nv), the same for any C."""
    C = coriolis_matrix(tree, q, v, kernel)
    return C + _contract(coriolis_dv(tree, q, kernel), v)


def _contract(T: Array, x: Array) -> Array:
    """Return T_ijh x_j."""
    return np.stack([T[..., h] @ x for h in range(T.shape[-1])], -1)
