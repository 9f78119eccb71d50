"""G. Garofalo, C. Ott, A. Albu-Schaeffer (2013): closed-form dynamic matrices of a tree.

Every quantity is a sum over the bodies of their Jacobians J_k, which one outward recursion gives.

What differs from the print:

* The order of twists is (omega, v), the library's, where the paper has (v, omega); as the paper
  says, its equations do not depend on it. Here adj is `ad`, Lambda_k is `spatial_inertia`.
* J_k is the Jacobian of node k in the node's own frame ("body Jacobian"), nu_k = J_k v.
* q-dot is v, the quasi-velocity of Remark 7, so that Xi_k is constant for every joint.
* Armature (`common.armature_matrix`) is added to M and tau.
* The third term of (29) is adj(Xi_k vdot) Ad_{p,k}^-1 J_p: the print lost its dot.
* "High order derivatives" (the remark that closes section V) are the functions whose names end in
  `derivatives`; they take rates = (v, vdot, ...), the velocity and its time derivatives.
* Derivatives "with respect to q" are along v (`jacobians_dq`), their axis is the last; (24c) is the
  second of the two printed under that number, the first is a misprint.
* C of (6b) has Mdot = C + C^T but is not the matrix of the Christoffel symbols. All C of the form
  sum J_k^T (Lambda_k Jdot_k + B_k J_k) differ only in the 6 x 6 matrix B_k, see `KERNELS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np

from jounce.joints import configuration_rate
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, adjoint_inverse, adstar, spatial_inertia
from jounce.papers import equation
from jounce.papers.common import (
    armature_matrix,
    block_diagonal,
    joint_columns,
    minus_gravity,
    product,
    relative_pose,
)
from jounce.topology import Tree

# ------------------------------------------------------------------ II. one body


@equation("1")
def spatial_momentum(R: Array, p: Array, Lambda: Array, nu: Array) -> Array:
    """Ad_{0,k}^-T Lambda_k nu_k, whose time derivative is Ad_{0,k}^-T f_k; (R, p) = T_{0,k}."""
    return adjoint_inverse(R, p).T @ (Lambda @ nu)


@equation("1")
def spatial_wrench(R: Array, p: Array, f: Array) -> Array:
    """Ad_{0,k}^-T f_k: the body wrench seen from the world's origin."""
    return adjoint_inverse(R, p).T @ f


@equation("2")
def body_wrench(Lambda: Array, nu: Array, nu_dot: Array) -> Array:
    """f_k = Lambda_k nu_dot_k - adj_{0,k}^T Lambda_k nu_k."""
    return Lambda @ nu_dot - ad(nu).T @ (Lambda @ nu)


@equation("3")
def skew_kernel(Lambda: Array, nu: Array) -> Array:
    """Psi_k = Lambda_k adj_{0,k} - adj_{0,k}^T Lambda_k, skew symmetric; linear in nu."""
    return Lambda @ ad(nu) - ad(nu).T @ Lambda


@equation("3")
def body_wrench_skew(Lambda: Array, nu: Array, nu_dot: Array) -> Array:
    """f_k = Lambda_k nu_dot_k + Psi_k nu_k: the same as (2), since adj_{0,k} nu_k = 0."""
    return Lambda @ nu_dot + skew_kernel(Lambda, nu) @ nu


def newton_euler_kernel(Lambda: Array, nu: Array) -> Array:
    """B of C_0, the matrix of Mueller-Kumar (22) and of the Newton-Euler closed form."""
    return -(ad(nu).T @ Lambda)


def christoffel_kernel(Lambda: Array, nu: Array) -> Array:
    """B of C_2, the matrix of the Christoffel symbols; in no paper. Skew, like Psi."""
    return 0.5 * (skew_kernel(Lambda, nu) - adstar(Lambda @ nu))


#: The body kernels B(Lambda, nu) of the Coriolis matrices: C_1 (the paper's), C_2 and C_0.
KERNELS: dict[str, Callable[[Array, Array], Array]] = {
    "garofalo": skew_kernel,
    "christoffel": christoffel_kernel,
    "newton_euler": newton_euler_kernel,
}

# ------------------------------------------------------------------ VI. kinematics


def parent_adjoints(tree: Tree, q: Array) -> list[Array]:
    """Ad_{p,k}^-1 of every body: twists of the parent frame, seen in the body's."""
    return [adjoint_inverse(*relative_pose(node, q)) for node in tree.nodes]


def world_adjoints(tree: Tree, q: Array) -> list[Array]:
    """Ad_{0,k}^-1 = Ad_{p,k}^-1 Ad_{0,p}^-1 of every body."""
    out: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        out.append(Ad if node.parent < 0 else Ad @ out[node.parent])
    return out


@equation("26")
def body_twists(tree: Tree, q: Array, v: Array) -> list[Array]:
    """nu_k = Ad_{p,k}^-1 nu_p + xi_k, with xi_k = Xi_k v."""
    nu: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        xi = joint_columns(tree, node) @ v
        nu.append(xi if node.parent < 0 else Ad @ nu[node.parent] + xi)
    return nu


@equation("27")
def body_jacobians(tree: Tree, q: Array) -> list[Array]:
    """J_k = Ad_{p,k}^-1 J_p + Xi_k (6 x nv), with nu_k = J_k v."""
    J: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        Xi = joint_columns(tree, node)
        J.append(Xi if node.parent < 0 else Ad @ J[node.parent] + Xi)
    return J


@equation("28")
def jacobian_rates(tree: Tree, q: Array, v: Array) -> list[Array]:
    """Jdot_k = Ad_{p,k}^-1 Jdot_p - adj_{p,k} Ad_{p,k}^-1 J_p, with adj_{p,k} = adj(Xi_k v)."""
    J = body_jacobians(tree, q)
    Jdot: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        if node.parent < 0:
            Jdot.append(zeros(6, tree.nv))
            continue
        adj = ad(joint_columns(tree, node) @ v)
        Jdot.append(Ad @ Jdot[node.parent] - adj @ (Ad @ J[node.parent]))
    return Jdot


@equation("29")
def jacobian_second_rates(tree: Tree, q: Array, v: Array, a: Array) -> list[Array]:
    """Jddot_k = Ad^-1 Jddot_p - adj_{p,k} Ad^-1 Jdot_p - adjdot_{p,k} Ad^-1 J_p - adj_{p,k} Jdot_k.

    adjdot_{p,k} = adj(Xi_k vdot), a = vdot.
    """
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    Jddot: list[Array] = []
    for k, (node, Ad) in enumerate(zip(tree.nodes, parent_adjoints(tree, q), strict=True)):
        if node.parent < 0:
            Jddot.append(zeros(6, tree.nv))
            continue
        Xi, p = joint_columns(tree, node), node.parent
        adj, adj_dot = ad(Xi @ v), ad(Xi @ a)
        carried = Ad @ Jddot[p] - adj @ (Ad @ Jdot[p]) - adj_dot @ (Ad @ J[p])
        Jddot.append(carried - adj @ Jdot[k])
    return Jddot


@equation("27", "28", "29")
def jacobian_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[list[Array]]:
    """[J_k, Jdot_k, ..., J_k^(order)] of every body, for rates = (v, vdot, ...), `order` of them.

    With E(m, l) the l-th derivative of Ad_{p,k}^-1 J_p^(m), J_k^(l) = E(0, l) (plus Xi_k for
    l = 0), and dAd_{p,k}^-1/dt = -adj(Xi_k v) Ad_{p,k}^-1 by the rule of Leibniz gives
    E(m, l) = E(m + 1, l - 1) - sum_i (l - 1 over i) adj(Xi_k v^(i)) E(m, l - 1 - i).
    """
    _need(rates, order)
    J: list[list[Array]] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        Xi = joint_columns(tree, node)
        if node.parent < 0:
            J.append([Xi, *(zeros(6, tree.nv) for _ in range(order))])
            continue
        adj = [ad(Xi @ rate) for rate in rates[:order]]
        E = {(m, 0): Ad @ J_p for m, J_p in enumerate(J[node.parent])}
        for l in range(1, order + 1):
            for m in range(order + 1 - l):
                E[m, l] = E[m + 1, l - 1] - _leibniz(adj, [E[m, i] for i in range(l)], l - 1)
        J.append([E[0, 0] + Xi, *(E[0, l] for l in range(1, order + 1))])
    return J


def _leibniz(f: Sequence[Array], g: Sequence[Array], order: int) -> Array:
    """Derivative of that order of f @ g, from the values and derivatives of both."""
    out = f[0] @ g[order]
    for i in range(1, order + 1):
        out = out + comb(order, i) * (f[i] @ g[order - i])
    return out


def _need(rates: Sequence[Array], count: int) -> None:
    if len(rates) < count:
        raise ValueError(f"needs {count} rates (v, vdot, ...), found {len(rates)}")


def body_inertias(tree: Tree) -> list[Array]:
    """Lambda_k of every body: 6 x 6, constant, in its own frame."""
    return [spatial_inertia(node.inertia) for node in tree.nodes]


# ------------------------------------------------------------------ II. the equation of motion


@equation("4")
def projected_equations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """tau = J^T [Lambda J a + (Psi J + Lambda Jdot) v] + J^T Lambda gamma, all bodies stacked."""
    J = np.concatenate(body_jacobians(tree, q))
    Jdot = np.concatenate(jacobian_rates(tree, q, v))
    Lambda = block_diagonal(body_inertias(tree))
    nu = body_twists(tree, q, v)
    kernels = zip(body_inertias(tree), nu, strict=True)
    Psi = block_diagonal([skew_kernel(Lambda_k, nu_k) for Lambda_k, nu_k in kernels])
    gamma_0 = minus_gravity(tree)
    gamma = np.concatenate([Ad @ gamma_0 for Ad in world_adjoints(tree, q)])
    forces = Lambda @ (J @ a) + Psi @ (J @ v) + Lambda @ (Jdot @ v)
    return J.T @ forces + J.T @ (Lambda @ gamma) + armature_matrix(tree) @ a


@equation("5")
def inverse_dynamics(tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo") -> Array:
    """tau = M a + C v + g; which C makes no difference."""
    M, C = mass_matrix(tree, q), coriolis_matrix(tree, q, v, kernel)
    return M @ a + C @ v + gravity_forces(tree, q)


@equation("6a")
def mass_matrix(tree: Tree, q: Array) -> Array:
    """M = sum J_k^T Lambda_k J_k, and armature on the diagonal."""
    M = armature_matrix(tree)
    for J, Lambda in zip(body_jacobians(tree, q), body_inertias(tree), strict=True):
        M = M + J.T @ (Lambda @ J)
    return M


@equation("6b")
def coriolis_matrix(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """C = sum J_k^T [(Lambda_k adj_{0,k} - adj_{0,k}^T Lambda_k) J_k + Lambda_k Jdot_k].

    kernel: which matrix stands in the parentheses, a key of `KERNELS`. "garofalo" as printed
    (C_1); "christoffel" gives the matrix of the Christoffel symbols (C_2), and both have
    Mdot = C + C^T; "newton_euler" leaves out the first term (C_0) and has not.
    """
    B = _kernel(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    C = zeros(tree.nv, tree.nv)
    for J_k, Jdot_k, Lambda in zip(J, Jdot, body_inertias(tree), strict=True):
        C = C + J_k.T @ (B(Lambda, J_k @ v) @ J_k + Lambda @ Jdot_k)
    return C


def _kernel(name: str) -> Callable[[Array, Array], Array]:
    if name not in KERNELS:
        raise ValueError(f"no kernel is called '{name}'; choose one of {', '.join(KERNELS)}")
    return KERNELS[name]


@equation("6c")
def gravity_forces(tree: Tree, q: Array) -> Array:
    """g = sum J_k^T Lambda_k Ad_{0,k}^-1 gamma_0; gamma_0 is minus the acceleration of gravity."""
    gamma_0 = minus_gravity(tree)
    g = zeros(tree.nv)
    bodies = zip(body_jacobians(tree, q), body_inertias(tree), world_adjoints(tree, q), strict=True)
    for J, Lambda, Ad in bodies:
        g = g + J.T @ (Lambda @ (Ad @ gamma_0))
    return g


def total_mass(tree: Tree) -> Any:
    """Mass of all moving bodies."""
    mass: Any = 0.0
    for node in tree.nodes:
        mass = mass + node.inertia[0]
    return mass


@equation("7")
def com_jacobian(tree: Tree, q: Array) -> Array:
    """J_CoM = (1/m) P^T Lambda J (3 x nv): velocity of the centre of mass in the world frame.

    P: the columns of col(Ad_{0,k}^-1) that multiply the linear part of gamma_0.
    """
    P = np.concatenate([Ad[:, 3:] for Ad in world_adjoints(tree, q)])
    J = np.concatenate(body_jacobians(tree, q))
    Lambda = block_diagonal(body_inertias(tree))
    return P.T @ product(Lambda, J) / total_mass(tree)


# ------------------------------------------------------------------ IV. state derivatives


@equation("17")
def bracket_selector() -> Array:
    """W (6 x 36), constant, with adj(nu) = W blkdiag(nu, ..., nu)."""
    return np.concatenate([np.stack([ad(e)[:, j] for e in identity(6)]).T for j in range(6)], 1)


@equation("17")
def repeated(nu: Array) -> Array:
    """V_k = blkdiag(nu_k) (36 x 6): the twist six times along the diagonal."""
    return block_diagonal([nu[:, None]] * 6)


@equation("17")
def factored_bracket(nu: Array) -> Array:
    """adj_{0,k} = W V_k."""
    return product(bracket_selector(), repeated(nu))


@equation("18")
def world_adjoints_dq(tree: Tree, q: Array) -> list[Array]:
    """dAd_{0,k}^-1/dq_h = -adj(J_k^h) Ad_{0,k}^-1 of every body (6 x 6 x nv)."""
    bodies = zip(body_jacobians(tree, q), world_adjoints(tree, q), strict=True)
    return [np.stack([-(ad(J_h) @ Ad) for J_h in J.T], -1) for J, Ad in bodies]


@equation("19")
def brackets_dv(tree: Tree, q: Array) -> list[Array]:
    """dadj_{0,k}/dv_h = adj(J_k^h) of every body (6 x 6 x nv)."""
    return [np.stack([ad(J_h) for J_h in J.T], -1) for J in body_jacobians(tree, q)]


@equation("20")
def brackets_dq(tree: Tree, q: Array, v: Array) -> list[Array]:
    """dadj_{0,k}/dq_h = adj(dJ_k/dq_h v) of every body (6 x 6 x nv)."""
    return [np.stack([ad(dJ_h @ v) for dJ_h in dJ], -1) for dJ in _by_h(jacobians_dq(tree, q))]


@equation("21")
def world_adjoint_rates(tree: Tree, q: Array, v: Array) -> list[Array]:
    """d/dt Ad_{0,k}^-1 = -adj_{0,k} Ad_{0,k}^-1 of every body."""
    bodies = zip(body_twists(tree, q, v), world_adjoints(tree, q), strict=True)
    return [-(ad(nu) @ Ad) for nu, Ad in bodies]


@equation("22")
def bracket_by_columns(J: Array, v: Array) -> Array:
    """adj_{0,k} = sum W blkdiag(J_k^h) v_h."""
    W, out = bracket_selector(), zeros(6, 6)
    for J_h, v_h in zip(J.T, v, strict=True):
        out = out + product(W, repeated(J_h)) * v_h
    return out


@equation("23")
def world_adjoint_dq_factored(J: Array, Ad: Array, h: int) -> Array:
    """dAd_{0,k}^-1/dq_h = -W blkdiag(J_k^h) Ad_{0,k}^-1: (18) before its brackets are put back."""
    return -(product(bracket_selector(), repeated(J[:, h])) @ Ad)


@equation("31")
def jacobians_dq(tree: Tree, q: Array) -> list[Array]:
    """dJ_k/dq_h = Ad_{p,k}^-1 dJ_p/dq_h - adj(Xi_k^h) Ad_{p,k}^-1 J_p of every body (6 x nv x nv).

    Here and below d/dq_h is the derivative along v_h, the last axis: the joint moves on from where
    it is by exp(Xi_k^h eps). For joints with coordinates q_h of their own it is the partial
    derivative; for the others see (33).
    """
    J, dJ = body_jacobians(tree, q), list[Array]()
    for k, (node, Ad) in enumerate(zip(tree.nodes, parent_adjoints(tree, q), strict=True)):
        out = zeros(6, tree.nv, tree.nv)
        if node.parent >= 0:
            carried, Xi = Ad @ J[node.parent], joint_columns(tree, node)
            for h in _moving(tree, k):
                out[..., h] = Ad @ dJ[node.parent][..., h] - ad(Xi[:, h]) @ carried
        dJ.append(out)
    return dJ


@equation("32")
def jacobian_rates_dq(tree: Tree, q: Array, v: Array) -> list[Array]:
    """dJdot_k/dq_h = Ad^-1 dJdot_p/dq_h - adj(Xi_k^h) Ad^-1 Jdot_p - adj_{p,k} dJ_k/dq_h.

    Of every body (6 x nv x nv), v held fixed.
    """
    Jdot, dJ, dJdot = jacobian_rates(tree, q, v), jacobians_dq(tree, q), list[Array]()
    for k, (node, Ad) in enumerate(zip(tree.nodes, parent_adjoints(tree, q), strict=True)):
        out = zeros(6, tree.nv, tree.nv)
        if node.parent >= 0:
            carried, Xi = Ad @ Jdot[node.parent], joint_columns(tree, node)
            adj = ad(Xi @ v)
            for h in _moving(tree, k):
                turned = ad(Xi[:, h]) @ carried + adj @ dJ[k][..., h]
                out[..., h] = Ad @ dJdot[node.parent][..., h] - turned
        dJdot.append(out)
    return dJdot


@equation("30", "33")
def jacobian_rates_dv(tree: Tree, q: Array) -> list[Array]:
    """dJdot_k/dv_h = dJ_k/dq_h: the last axis of both is along v_h.

    With coordinates q that are not integrals of v, such as quaternions, (33) says the same:
    dJdot_k/dv_h = sum over i of dJ_k/dq_i Gamma_ih, with Gamma of `velocity_map`.
    """
    return jacobians_dq(tree, q)


@equation("33")
def velocity_map(tree: Tree, q: Array) -> Array:
    """Gamma (nq x nv): dq/dt = Gamma(q) v."""
    Gamma = zeros(tree.nq, tree.nv)
    for node in tree.nodes:
        for h, unit in enumerate(identity(node.S.shape[1]), start=node.v):
            Gamma[node.qs, h] = configuration_rate(node.motion, q[node.qs], unit)
    return Gamma


def _by_h(tensors: list[Array]) -> list[list[Array]]:
    """For each body the derivatives along v_0, v_1, ..."""
    return [[dJ[..., h] for h in range(dJ.shape[-1])] for dJ in tensors]


def _moving(tree: Tree, k: int) -> list[int]:
    """The velocities v_h that move body k: its derivatives along all others are zero."""
    nodes = [tree.nodes[i] for i in (k, *tree.ancestors[k])]
    return sorted({h for node in nodes for h in range(node.vs.start, node.vs.stop)})


@equation("24a")
def mass_matrix_dq(tree: Tree, q: Array) -> Array:
    """dM/dq_h = sum dJ_k/dq_h^T Lambda_k J_k + J_k^T Lambda_k dJ_k/dq_h (nv x nv x nv)."""
    out = zeros(tree.nv, tree.nv, tree.nv)
    J, dJ = body_jacobians(tree, q), jacobians_dq(tree, q)
    for k, Lambda in enumerate(body_inertias(tree)):
        momenta = J[k].T @ Lambda
        for h in _moving(tree, k):
            half = momenta @ dJ[k][..., h]
            out[..., h] = out[..., h] + half.T + half
    return out


@equation("24b")
def coriolis_dq(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """dC/dq_h = sum dJ_h^T (Psi_k J_k + Lambda_k Jdot_k) + J_k^T Lambda_k dJdot_h
    + J_k^T [(Lambda_k adj(dJ_h v) - adj(dJ_h v)^T Lambda_k) J_k + Psi_k dJ_h].

    (nv x nv x nv), with dJ_h = dJ_k/dq_h and dJdot_h = dJdot_k/dq_h. kernel: which C, a key of
    `KERNELS`; they are linear in the twist, so the same formula holds for all.
    """
    B = _kernel(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    dJ, dJdot = jacobians_dq(tree, q), jacobian_rates_dq(tree, q, v)
    out = zeros(tree.nv, tree.nv, tree.nv)
    for k, Lambda in enumerate(body_inertias(tree)):
        Psi = B(Lambda, J[k] @ v)
        force = Psi @ J[k] + Lambda @ Jdot[k]
        for h in _moving(tree, k):
            dJ_h = dJ[k][..., h]
            change = Lambda @ dJdot[k][..., h] + B(Lambda, dJ_h @ v) @ J[k] + Psi @ dJ_h
            out[..., h] = out[..., h] + dJ_h.T @ force + J[k].T @ change
    return out


@equation("24c")
def coriolis_dv(tree: Tree, q: Array, kernel: str = "garofalo") -> Array:
    """dC/dv_h = sum J_k^T [(Lambda_k adj(J_k^h) - adj(J_k^h)^T Lambda_k) J_k + Lambda_k dJdot_h].

    (nv x nv x nv), with dJdot_h = dJdot_k/dv_h by (30). kernel: which C, a key of `KERNELS`.
    """
    B = _kernel(kernel)
    J, dJdot = body_jacobians(tree, q), jacobian_rates_dv(tree, q)
    out = zeros(tree.nv, tree.nv, tree.nv)
    for k, Lambda in enumerate(body_inertias(tree)):
        for h in _moving(tree, k):
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
        for h in _moving(tree, k):
            change = J[k].T @ (Lambda @ (ad(J[k][:, h]) @ gamma))
            out[:, h] = out[:, h] + dJ[k][..., h].T @ (Lambda @ gamma) - change
    return out


@equation("24a", "24b", "24d")
def inverse_dynamics_dq(
    tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo"
) -> Array:
    """dtau/dq_h = dM/dq_h a + dC/dq_h v + dg/dq_h (nv x nv); which C makes no difference."""
    M, C = mass_matrix_dq(tree, q), coriolis_dq(tree, q, v, kernel)
    return _contracted(M, a) + _contracted(C, v) + gravity_dq(tree, q)


@equation("24c")
def inverse_dynamics_dv(tree: Tree, q: Array, v: Array, kernel: str = "garofalo") -> Array:
    """dtau/dv_h = C^h + dC/dv_h v (nv x nv); which C makes no difference."""
    C = coriolis_matrix(tree, q, v, kernel)
    return C + _contracted(coriolis_dv(tree, q, kernel), v)


def _contracted(T: Array, x: Array) -> Array:
    """T_ijh x_j."""
    return np.stack([T[..., h] @ x for h in range(T.shape[-1])], -1)


# ------------------------------------------------------------------ V. time derivatives


@equation("25a")
def mass_matrix_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Mdot = sum Jdot_k^T Lambda_k J_k + J_k^T Lambda_k Jdot_k."""
    Mdot = zeros(tree.nv, tree.nv)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    for J_k, Jdot_k, Lambda in zip(J, Jdot, body_inertias(tree), strict=True):
        half = J_k.T @ (Lambda @ Jdot_k)
        Mdot = Mdot + half.T + half
    return Mdot


@equation("25b")
def coriolis_rate(tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo") -> Array:
    """Cdot = sum Jdot_k^T (Psi_k J_k + Lambda_k Jdot_k) + J_k^T Lambda_k Jddot_k
    + J_k^T [(Lambda_k adjdot_{0,k} - adjdot_{0,k}^T Lambda_k) J_k + Psi_k Jdot_k].

    adjdot_{0,k} = adj(J_k vdot + Jdot_k v). kernel: which C, a key of `KERNELS`; they are linear in
    the twist, so the same formula holds for all.
    """
    B = _kernel(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    bodies = zip(J, Jdot, jacobian_second_rates(tree, q, v, a), body_inertias(tree), strict=True)
    Cdot = zeros(tree.nv, tree.nv)
    for J_k, Jdot_k, Jddot_k, Lambda in bodies:
        Psi, Psi_dot = B(Lambda, J_k @ v), B(Lambda, J_k @ a + Jdot_k @ v)
        Cdot = Cdot + Jdot_k.T @ (Psi @ J_k + Lambda @ Jdot_k)
        Cdot = Cdot + J_k.T @ (Lambda @ Jddot_k + Psi_dot @ J_k + Psi @ Jdot_k)
    return Cdot


@equation("25c")
def gravity_rate(tree: Tree, q: Array, v: Array) -> Array:
    """gdot = sum (Jdot_k^T Lambda_k - J_k^T Lambda_k adj_{0,k}) Ad_{0,k}^-1 gamma_0."""
    gamma_0 = minus_gravity(tree)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    gdot = zeros(tree.nv)
    bodies = zip(J, Jdot, body_inertias(tree), world_adjoints(tree, q), strict=True)
    for J_k, Jdot_k, Lambda, Ad in bodies:
        gamma = Ad @ gamma_0
        gdot = gdot + Jdot_k.T @ (Lambda @ gamma) - J_k.T @ (Lambda @ (ad(J_k @ v) @ gamma))
    return gdot


@equation("25a")
def mass_matrix_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[Array]:
    """[M, Mdot, ..., M^(order)], for rates = (v, vdot, ...), `order` of them."""
    out = [armature_matrix(tree), *(zeros(tree.nv, tree.nv) for _ in range(order))]
    bodies = zip(jacobian_derivatives(tree, q, rates, order), body_inertias(tree), strict=True)
    for J, Lambda in bodies:
        momenta = [Lambda @ J_l for J_l in J]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + _leibniz(transposed, momenta, l)
    return out


@equation("25b")
def coriolis_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int, kernel: str = "garofalo"
) -> list[Array]:
    """[C, Cdot, ..., C^(order)], for rates = (v, vdot, ...), order + 1 of them.

    With nu^(l) and Y_l, the l-th derivatives of nu = J v and of Psi J + Lambda Jdot.
    """
    B = _kernel(kernel)
    _need(rates, order + 1)
    out = [zeros(tree.nv, tree.nv) for _ in range(order + 1)]
    bodies = zip(jacobian_derivatives(tree, q, rates, order + 1), body_inertias(tree), strict=True)
    for J, Lambda in bodies:
        Psi = [B(Lambda, _leibniz(J, rates, l)) for l in range(order + 1)]
        Y = [_leibniz(Psi, J, l) + Lambda @ J[l + 1] for l in range(order + 1)]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + _leibniz(transposed, Y, l)
    return out


@equation("25c")
def gravity_derivatives(tree: Tree, q: Array, rates: Sequence[Array], order: int) -> list[Array]:
    """[g, gdot, ..., g^(order)], for rates = (v, vdot, ...), `order` of them.

    gamma = Ad_{0,k}^-1 gamma_0 has the derivative -adj(nu) gamma.
    """
    gamma_0 = minus_gravity(tree)
    out = [zeros(tree.nv) for _ in range(order + 1)]
    Js = jacobian_derivatives(tree, q, rates, order)
    bodies = zip(Js, body_inertias(tree), world_adjoints(tree, q), strict=True)
    for J, Lambda, Ad in bodies:
        adj = [ad(_leibniz(J, rates, l)) for l in range(order)]
        gamma = [Ad @ gamma_0]
        for l in range(order):
            gamma.append(-_leibniz(adj, gamma, l))
        weights = [Lambda @ gamma_l for gamma_l in gamma]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + _leibniz(transposed, weights, l)
    return out


@equation("5", "25a", "25b", "25c")
def inverse_dynamics_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int, kernel: str = "garofalo"
) -> list[Array]:
    """[tau, taudot, ..., tau^(order)], for rates = (v, vdot, ...), order + 2 of them."""
    _need(rates, order + 2)
    M = mass_matrix_derivatives(tree, q, rates, order)
    C = coriolis_derivatives(tree, q, rates, order, kernel)
    g = gravity_derivatives(tree, q, rates, order)
    accelerations = rates[1:]
    return [_leibniz(M, accelerations, l) + _leibniz(C, rates, l) + g[l] for l in range(order + 1)]
