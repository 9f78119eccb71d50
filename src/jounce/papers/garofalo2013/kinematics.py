"""VI: Jacobians of the bodies, their time derivatives and their derivatives in the state."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, adjoint_inverse
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import joint_columns, leibniz, need_rates, relative_pose


def parent_adjoints(tree: Tree, q: Array) -> list[Array]:
    """Return Ad_{p,k}^-1 of every body: transforms twists from the parent's to the body's frame."""
    return [adjoint_inverse(*relative_pose(node, q)) for node in tree.nodes]


def world_adjoints(tree: Tree, q: Array) -> list[Array]:
    """Return Ad_{0,k}^-1 = Ad_{p,k}^-1 Ad_{0,p}^-1 of every body."""
    out: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        out.append(Ad if node.parent < 0 else Ad @ out[node.parent])
    return out


@equation("26")
def body_twists(tree: Tree, q: Array, v: Array) -> list[Array]:
    """Return nu_k = Ad_{p,k}^-1 nu_p + xi_k, with xi_k = Xi_k v."""
    nu: list[Array] = []
    for node, Ad in zip(tree.nodes, parent_adjoints(tree, q), strict=True):
        xi = joint_columns(tree, node) @ v
        nu.append(xi if node.parent < 0 else Ad @ nu[node.parent] + xi)
    return nu


@equation("27")
def body_jacobians(tree: Tree, q: Array) -> list[Array]:
    """Return J_k = Ad_{p,k}^-1 J_p + Xi_k (6 x nv), with nu_k = J_k v."""
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
    need_rates(rates, order)
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
                E[m, l] = E[m + 1, l - 1] - leibniz(adj, [E[m, i] for i in range(l)], l - 1)
        J.append([E[0, 0] + Xi, *(E[0, l] for l in range(1, order + 1))])
    return J


@equation("31")
def jacobians_dq(tree: Tree, q: Array) -> list[Array]:
    """dJ_k/dq_h = Ad_{p,k}^-1 dJ_p/dq_h - adj(Xi_k^h) Ad_{p,k}^-1 J_p of every body (6 x nv x nv).

    Here and below d/dq_h is the derivative along v_h, the last axis: the joint moves
    by exp(Xi_k^h eps). For joints with coordinates q_h of their own it is the partial
    derivative; for the others see (33).
    """
    J, dJ = body_jacobians(tree, q), list[Array]()
    for k, (node, Ad) in enumerate(zip(tree.nodes, parent_adjoints(tree, q), strict=True)):
        out = zeros(6, tree.nv, tree.nv)
        if node.parent >= 0:
            carried, Xi = Ad @ J[node.parent], joint_columns(tree, node)
            for h in moving_velocities(tree, k):
                out[..., h] = Ad @ dJ[node.parent][..., h] - ad(Xi[:, h]) @ carried
        dJ.append(out)
    return dJ


@equation("32")
def jacobian_rates_dq(tree: Tree, q: Array, v: Array) -> list[Array]:
    """Return dJdot_k/dq_h = Ad^-1 dJdot_p/dq_h - adj(Xi_k^h) Ad^-1 Jdot_p - adj_{p,k} dJ_k/dq_h.

    Of every body (6 x nv x nv), v held fixed.
    """
    Jdot, dJ, dJdot = jacobian_rates(tree, q, v), jacobians_dq(tree, q), list[Array]()
    for k, (node, Ad) in enumerate(zip(tree.nodes, parent_adjoints(tree, q), strict=True)):
        out = zeros(6, tree.nv, tree.nv)
        if node.parent >= 0:
            carried, Xi = Ad @ Jdot[node.parent], joint_columns(tree, node)
            adj = ad(Xi @ v)
            for h in moving_velocities(tree, k):
                turned = ad(Xi[:, h]) @ carried + adj @ dJ[k][..., h]
                out[..., h] = Ad @ dJdot[node.parent][..., h] - turned
        dJdot.append(out)
    return dJdot


@equation("30")
def jacobian_rates_dv(tree: Tree, q: Array) -> list[Array]:
    """Return dJdot_k/dv_h = dJ_k/dq_h: the last axis of both is along v_h."""
    return jacobians_dq(tree, q)


@equation("33")
def jacobian_rates_dw(tree: Tree, q: Array, partials: Sequence[Array]) -> list[Array]:
    """dJdot_k/dw = dJ_k/dq Gamma(q) (6 x nv x nv), for velocities w that no q is the integral of.

    partials: dJ_k/dq in the coordinates themselves, quaternions say, of every body (6 x nv x nq).
    """
    Gamma = velocity_map(tree, q)
    return [dJ @ Gamma for dJ in partials]


@equation("33")
def velocity_map(tree: Tree, q: Array) -> Array:
    """Return Gamma (nq x nv): dq/dt = Gamma(q) v."""
    Gamma = zeros(tree.nq, tree.nv)
    for node in tree.nodes:
        for h, unit in enumerate(identity(node.S.shape[1]), start=node.v):
            Gamma[node.qs, h] = node.motion.configuration_rate(q[node.qs], unit)
    return Gamma


def moving_velocities(tree: Tree, k: int) -> list[int]:
    """Return the velocities v_h that move body k: its derivatives along all others are zero."""
    nodes = [tree.nodes[i] for i in (k, *tree.ancestors[k])]
    return sorted({h for node in nodes for h in range(node.vs.start, node.vs.stop)})
