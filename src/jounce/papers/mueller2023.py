"""A. Mueller, S. Kumar, T. Kordik (2023): time derivatives of the dynamics of parallel robots.

"A recursive Lie-group formulation for the second-order time derivatives of the inverse dynamics of
parallel kinematic manipulators", arXiv 2507.14274. A parallel robot is a platform and limbs. Each
limb's rates follow from those of the platform by its inverse kinematics Jacobian F_l, so that the
forces are the sum of F_l^T Q_l, with Q_l from recursions for serial robots.

**All equations here are reconstructed.** Of the paper only the abstract and introduction were at
hand, so the tags are names of ours, not the paper's numbers, and the notation is that of
`mueller_kumar2021`. The recursions to any order are those announced by S. Kumar and A. Mueller
(2021), arXiv 2103.05941, for body-fixed twists: Leibniz sums over the derivatives of Ad, in which
each derivative is a Leibniz sum over ad. The paper itself stops at the second order. A. Mueller,
arXiv 2506.10686, has the same recursions for serial robots in spatial twists.

Beyond the paper:

* Any tree with any joints (X constant in the body's frame); a joint that mimics another adds to its
  leader's columns. The limbs are the branches at the base. A limb may contain the platform.
* Loops are cut where the model says, and solved by g_p v_p = -g_a v_a for any independent joints.
  With those of the platform as independent ones, the rows of E of each limb are its F_l; with the
  motors as independent ones, forces are those of the motors at once. Redundant equations, as those
  of a planar loop in space, may stay.
* Gravity is an acceleration -g of the base, exact at any order by the equivalence principle.

Loops may lock all turns, all but one, or none. Rates: v, its derivatives a, j, s, ... in a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from jounce.math.linear import Orthogonal
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import ad, adjoint, adjoint_inverse, spatial_inertia
from jounce.model.tree import Node, Tree
from jounce.papers import equation
from jounce.papers.common import (
    joint_columns,
    leibniz,
    minus_gravity,
    need_rates,
    poses,
    relative_pose,
)

# ------------------------------------------------------------------ trees, to any order


@equation("adjoint derivatives")
def adjoint_derivatives(
    tree: Tree, node: Node, q: Array, rates: Sequence[Array], order: int
) -> list[Array]:
    """Return Ad_i^(l), l = 0..order, of Ad_i = Ad_{C_{i,p}}: twists of the parent, in the body.

    Ad' = -ad_{X v} Ad gives Ad^(l+1) = -sum_k (l over k) ad_{X v^(k)} Ad^(l-k).
    """
    need_rates(rates, order)
    X = joint_columns(tree, node)
    own = [ad(X @ rate) for rate in rates[:order]]
    Ad = [adjoint_inverse(*relative_pose(node, q))]
    for l in range(order):
        Ad.append(-leibniz(own, Ad, l))
    return Ad


@equation("twist derivatives")
def twist_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[list[Array]]:
    """Return V_i^(l) = sum_k (l over k) Ad_i^(k) V_p^(l-k) + X_i v^(l); base: V_0' = (0, -g)."""
    need_rates(rates, order + 1)
    base = [zeros(6), minus_gravity(tree), *(zeros(6) for _ in range(order))]
    V: list[list[Array]] = []
    for node in tree.nodes:
        Ad, X = adjoint_derivatives(tree, node, q, rates, order), joint_columns(tree, node)
        above = base if node.parent < 0 else V[node.parent]
        V.append([leibniz(Ad, above, l) + X @ rates[l] for l in range(order + 1)])
    return V


@equation("Jacobian derivatives")
def jacobian_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[list[Array]]:
    """Return J_i^(l) = sum_k (l over k) Ad_i^(k) J_p^(l-k), and X_i for l = 0 (6 x nv each)."""
    J: list[list[Array]] = []
    for node in tree.nodes:
        Ad, X = adjoint_derivatives(tree, node, q, rates, order), joint_columns(tree, node)
        own = [X, *(zeros(6, tree.nv) for _ in range(order))]
        if node.parent >= 0:
            own = [x + leibniz(Ad, J[node.parent], l) for l, x in enumerate(own)]
        J.append(own)
    return J


@equation("wrench derivatives")
def body_wrench_derivatives(M: Array, V: Sequence[Array], order: int) -> list[Array]:
    """Return the l-th derivatives of M V' - ad_V^T M V, l = 0..order, for V^(0..order+1)."""
    momenta, turned = [M @ x for x in V], [ad(x).T for x in V]
    return [momenta[l + 1] - leibniz(turned, momenta, l) for l in range(order + 1)]


@equation("joint force derivatives")
def inverse_dynamics_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int, nodes: Sequence[int] | None = None
) -> list[Array]:
    """Return Q^(l) = X_i^T W_i^(l), W_i^(l) that of the body and sum_k (l over k) Ad_j^(k)T W_j.

    For rates v^(0..order+1). nodes: those of one limb (`limbs`), whose forces alone are returned.
    """
    V = twist_derivatives(tree, q, rates, order + 1)
    W = [
        body_wrench_derivatives(spatial_inertia(node.inertia), V_i, order)
        for node, V_i in zip(tree.nodes, V, strict=True)
    ]
    Q = [zeros(tree.nv) for _ in range(order + 1)]
    for i in sorted(range(len(tree.nodes)) if nodes is None else nodes, reverse=True):
        node, X = tree.nodes[i], joint_columns(tree, tree.nodes[i])
        Ad_T = [Ad.T for Ad in adjoint_derivatives(tree, node, q, rates, order)]
        for l in range(order + 1):
            Q[l] = Q[l] + X.T @ W[i][l] + _armature(tree, node, rates[l + 1])
            if node.parent >= 0:
                W[node.parent][l] = W[node.parent][l] + leibniz(Ad_T, W[i], l)
    return Q


def _armature(tree: Tree, node: Node, a: Array) -> Array:
    """Return the forces of a joint's drive, which the paper does not have."""
    out = zeros(tree.nv)
    for k, armature in enumerate(node.armature, start=node.v):
        if not is_zero(armature):
            out[k] = node.gain * node.gain * armature * a[k]
    return out


# ------------------------------------------------------------------ loops


def _constrained_rows(locked: Sequence[bool]) -> list[int]:
    """Return the rows of b's twist relative to a, in frame a, that a loop sets to zero."""
    free = [k for k in range(3) if not locked[k]]
    across = [locked[3 + k] for k in range(3) if k not in free]
    fits = (all(locked[3:]), None, all(across) or not any(across), True)[3 - len(free)]
    if not fits:
        raise ValueError(
            "expected loops that lock all turns, all but one (and both translations across its"
            f" axis, or neither), or none and all translations, found {tuple(locked)};"
            " jounce.formulas.mechanism takes every kind"
        )
    return [k for k in range(6) if locked[k]]


@equation("loop Jacobian derivatives")
def loop_jacobian_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[Array]:
    """Return G^(l), l = 0..order, with G v = 0, for rates v^(0..order-1) of all joints.

    G: locked rows of K = Ad_{C_{a,b}} J_b - J_a, the twist K v of b relative to a, in frame a. By
    Ad' = ad_{K v} Ad the derivatives of Ad, K v and K follow from each other, order by order.
    """
    J, C = jacobian_derivatives(tree, q, rates, order), poses(tree, q)
    still = [zeros(6, tree.nv) for _ in range(order + 1)]
    out: list[list[Array]] = [[] for _ in range(order + 1)]
    for a, b, locked in tree.loops:
        ends = []
        for node, R, p in (tree.frames[a], tree.frames[b]):
            carried = [adjoint_inverse(R, p) @ x for x in J[node]] if node >= 0 else still
            R_i, p_i = C[node] if node >= 0 else (identity(3), zeros(3))
            ends.append((R_i @ R, p_i + R_i @ p, carried))
        (R_a, p_a, J_a), (R_b, p_b, J_b) = ends
        Ad, K, turning = [adjoint(R_a.T @ R_b, R_a.T @ (p_b - p_a))], list[Array](), list[Array]()
        for l in range(order + 1):
            K.append(leibniz(Ad, J_b, l) - J_a[l])
            out[l].append(K[l][_constrained_rows(locked)])
            if l < order:
                turning.append(ad(leibniz(K, rates, l)))
                Ad.append(leibniz(turning, Ad, l))
    return [np.concatenate(rows) for rows in out]


def _split_columns(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the columns of the independent and of the dependent joints."""
    if tree.active is None:
        raise ValueError("expected the tree of a mechanism: robot.closed(...).tree")
    return list(tree.active), list(tree.passive)


@equation("loop constraint rates")
def joint_rates(tree: Tree, q: Array, rates: Sequence[Array]) -> list[Array]:
    """Return v^(k) of all joints from those of the independent ones, as many as are given.

    g_p v_p^(k) = -g_a v_a^(k) - sum_{i > 0} (k over i) G^(i) v^(k-i).
    """
    active, passive = _split_columns(tree)
    v: list[Array] = []
    for k, rate in enumerate(rates):
        G = loop_jacobian_derivatives(tree, q, v, k)
        known = G[0][:, active] @ rate
        for i in range(1, k + 1):
            known = known + comb(k, i) * (G[i] @ v[k - i])
        v.append(zeros(tree.nv))
        v[k][active], v[k][passive] = rate, -Orthogonal(G[0][:, passive]).solve(known)
    return v


@equation("inverse kinematics Jacobian derivatives")
def velocity_map_derivatives(
    tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[Array]:
    """Return E^(l) of v = E v_a (nv x independent), for v^(0..order-1) of all joints.

    g_p E_p^(l) = -g_a^(l) - sum_{i > 0} (l over i) g_p^(i) E_p^(l-i), by G E = 0. With the
    platform's velocity as v_a the rows of a limb are its inverse kinematics Jacobian F_l.
    """
    active, passive = _split_columns(tree)
    G, E = loop_jacobian_derivatives(tree, q, rates, order), list[Array]()
    factors = Orthogonal(G[0][:, passive])
    for l in range(order + 1):
        known = G[l][:, active]
        for i in range(1, l + 1):
            known = known + comb(l, i) * (G[i][:, passive] @ E[l - i][passive])
        E.append(zeros(tree.nv, len(active)))
        E[l][passive] = -factors.solve(known)
    E[0][active] = identity(len(active))
    return E


# ------------------------------------------------------------------ parallel robots


def limbs(tree: Tree) -> list[list[int]]:
    """Return the nodes of each branch at the base: the limbs, and the platform if it is one."""
    roots = [above[-1] if (above := tree.ancestors[i]) else i for i in range(len(tree.nodes))]
    return [[i for i, r in enumerate(roots) if r == root] for root in dict.fromkeys(roots)]


@equation("limb inverse dynamics")
def limb_forces(
    tree: Tree,
    q: Array,
    v: Sequence[Array],
    E: Sequence[Array],
    limb: Sequence[int],
    order: int,
) -> list[Array]:
    """Return the derivatives sum_k (l over k) F_l^(k)T Q_l^(l-k) of a limb's share F_l^T Q_l."""
    Q = inverse_dynamics_derivatives(tree, q, v, order, limb)
    joints = sorted({k for i in limb for k in range(tree.nv)[tree.nodes[i].vs]})
    F_T = [x[joints].T for x in E]
    return [leibniz(F_T, [x[joints] for x in Q], l) for l in range(order + 1)]


@equation("parallel robot inverse dynamics")
def parallel_inverse_dynamics(
    tree: Tree, q: Array, rates: Sequence[Array], order: int = 2
) -> list[Array]:
    """Return the forces sum_l F_l^T Q_l on the independent joints, and their time derivatives.

    For rates v_a^(0..order+1) of the independent joints; tree: `robot.closed(...).tree`.
    """
    need_rates(rates, order + 2)
    v = joint_rates(tree, q, rates[: order + 2])
    E = velocity_map_derivatives(tree, q, v, order)
    out = [zeros(E[0].shape[1]) for _ in range(order + 1)]
    for limb in limbs(tree):
        for l, share in enumerate(limb_forces(tree, q, v, E, limb, order)):
            out[l] = out[l] + share
    return out


@equation("actuator forces")
def actuator_forces(
    tree: Tree, q: Array, rates: Sequence[Array], actuated: Sequence[int], order: int = 2
) -> list[Array]:
    """Return u with B^T u = sum_l F_l^T Q_l, and its derivatives; B: rows of E of the motors.

    With the platform's velocity as v_a, B is the inverse kinematics Jacobian of the manipulator:
    B^T u^(l) = f^(l) - sum_{i > 0} (l over i) B^(i)T u^(l-i). actuated: columns of the motors.
    """
    f = parallel_inverse_dynamics(tree, q, rates, order)
    E = velocity_map_derivatives(tree, q, joint_rates(tree, q, rates[:order]), order)
    B_T = [x[list(actuated)].T for x in E]
    factors, u = Orthogonal(B_T[0]), list[Array]()
    for l in range(order + 1):
        known = f[l]
        for i in range(1, l + 1):
            known = known - comb(l, i) * (B_T[i] @ u[l - i])
        u.append(factors.solve(known))
    return u
