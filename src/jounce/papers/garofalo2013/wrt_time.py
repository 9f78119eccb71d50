"""V: derivatives with respect to time, of any order."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.math.scalar import Array, zeros
from jounce.math.spatial import ad
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import armature_matrix, leibniz, minus_gravity, need_rates
from jounce.papers.garofalo2013.dynamics import body_inertias, kernel_called, rotors
from jounce.papers.garofalo2013.kinematics import (
    body_jacobians,
    jacobian_derivatives,
    jacobian_rates,
    jacobian_second_rates,
    world_adjoints,
)


@equation("25a")
def mass_matrix_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Return Mdot = sum Jdot_k^T Lambda_k J_k + J_k^T Lambda_k Jdot_k."""
    Mdot = zeros(tree.nv, tree.nv)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    for J_k, Jdot_k, Lambda in zip(J, Jdot, body_inertias(tree), strict=True):
        half = J_k.T @ (Lambda @ Jdot_k)
        Mdot = Mdot + half.T + half
    return Mdot


@equation("25b")
def coriolis_rate(tree: Tree, q: Array, v: Array, a: Array, kernel: str = "garofalo") -> Array:
    """Time derivative of the Coriolis matrix.

    Cdot = sum Jdot_k^T (Psi_k J_k + Lambda_k Jdot_k) + J_k^T Lambda_k Jddot_k
    + J_k^T [(Lambda_k adjdot_{0,k} - adjdot_{0,k}^T Lambda_k) J_k + Psi_k Jdot_k].

    adjdot_{0,k} = adj(J_k vdot + Jdot_k v). kernel: which C, a key of `KERNELS`; they are linear in
    the twist, so the same formula holds for all.
    """
    B = kernel_called(kernel)
    J, Jdot = body_jacobians(tree, q), jacobian_rates(tree, q, v)
    bodies = zip(J, Jdot, jacobian_second_rates(tree, q, v, a), body_inertias(tree), strict=True)
    Cdot = rotors(tree, a, kernel)
    for J_k, Jdot_k, Jddot_k, Lambda in bodies:
        Psi, Psi_dot = B(Lambda, J_k @ v), B(Lambda, J_k @ a + Jdot_k @ v)
        Cdot = Cdot + Jdot_k.T @ (Psi @ J_k + Lambda @ Jdot_k)
        Cdot = Cdot + J_k.T @ (Lambda @ Jddot_k + Psi_dot @ J_k + Psi @ Jdot_k)
    return Cdot


@equation("25c")
def gravity_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Return gdot = sum (Jdot_k^T Lambda_k - J_k^T Lambda_k adj_{0,k}) Ad_{0,k}^-1 gamma_0."""
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
    """Return [M, Mdot, ..., M^(order)], for rates = (v, vdot, ...), `order` of them."""
    out = [armature_matrix(tree), *(zeros(tree.nv, tree.nv) for _ in range(order))]
    bodies = zip(jacobian_derivatives(tree, q, rates, order), body_inertias(tree), strict=True)
    for J, Lambda in bodies:
        momenta = [Lambda @ J_l for J_l in J]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + leibniz(transposed, momenta, l)
    return out


@equation("25b")
def coriolis_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int, kernel: str = "garofalo"
) -> list[Array]:
    """Return [C, Cdot, ..., C^(order)], for rates = (v, vdot, ...), order + 1 of them.

    With nu^(l) and Y_l, the l-th derivatives of nu = J v and of Psi J + Lambda Jdot.
    """
    B = kernel_called(kernel)
    need_rates(rates, order + 1)
    out = [rotors(tree, rate, kernel) for rate in rates[: order + 1]]
    bodies = zip(jacobian_derivatives(tree, q, rates, order + 1), body_inertias(tree), strict=True)
    for J, Lambda in bodies:
        Psi = [B(Lambda, leibniz(J, rates, l)) for l in range(order + 1)]
        Y = [leibniz(Psi, J, l) + Lambda @ J[l + 1] for l in range(order + 1)]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + leibniz(transposed, Y, l)
    return out


@equation("25c")
def gravity_derivatives(tree: Tree, q: Array, rates: Sequence[Array], order: int) -> list[Array]:
    """Return [g, gdot, ..., g^(order)], for rates = (v, vdot, ...), `order` of them.

    gamma = Ad_{0,k}^-1 gamma_0 has the derivative -adj(nu) gamma.
    """
    gamma_0 = minus_gravity(tree)
    out = [zeros(tree.nv) for _ in range(order + 1)]
    Js = jacobian_derivatives(tree, q, rates, order)
    bodies = zip(Js, body_inertias(tree), world_adjoints(tree, q), strict=True)
    for J, Lambda, Ad in bodies:
        adj = [ad(leibniz(J, rates, l)) for l in range(order)]
        gamma = [Ad @ gamma_0]
        for l in range(order):
            gamma.append(-leibniz(adj, gamma, l))
        weights = [Lambda @ gamma_l for gamma_l in gamma]
        transposed = [J_l.T for J_l in J]
        for l in range(order + 1):
            out[l] = out[l] + leibniz(transposed, weights, l)
    return out


@equation("5", "25a", "25b", "25c")
def inverse_dynamics_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int, kernel: str = "garofalo"
) -> list[Array]:
    """Return [tau, taudot, ..., tau^(order)], for rates = (v, vdot, ...), order + 2 of them."""
    need_rates(rates, order + 2)
    M = mass_matrix_derivatives(tree, q, rates, order)
    C = coriolis_derivatives(tree, q, rates, order, kernel)
    g = gravity_derivatives(tree, q, rates, order)
    accelerations = rates[1:]
    return [leibniz(M, accelerations, l) + leibniz(C, rates, l) + g[l] for l in range(order + 1)]
