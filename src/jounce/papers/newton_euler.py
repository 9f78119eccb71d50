"""Newton-Euler dynamics: the lecture of A. Fakhari (2024), conventions of Lynch and Park.

Two methods of inverse dynamics: the recursion, and the closed form with W and L. A single body is
in `papers.rigid_body`, Lagrange's method and the examples are in `papers.lagrange`. The lecture has
no equation numbers; the names are those in `papers.PAPERS["newton_euler"]`.

Differences from the lecture, which has a serial chain of one-degree-of-freedom joints:

* Trees: W holds Ad_{T_{i,p}} in the column of the parent p of i, the wrenches of all children are
  added up, and every body on the base gets its block of V_base.
* Joints with several degrees of freedom: A_i is the constant 6 x k subspace S of the node, and
  thd_i its k velocities. No formula changes.
* The link frames need not be at the centers of mass; G_i is the full 6 x 6 inertia.
* The diagonal blocks of L are 6 x 6 (print: n x n), F_tip is given in the frame {n+1}.
* Armature (`common.armature_matrix`) is added to M and tau.

theta, thd, thdd of the lecture are q, v, a. V_0, Vd_0 are the base's twist and acceleration.
Wrenches F_tip are exerted **by** the bodies on the environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, adjoint, adjoint_inverse, spatial_inertia
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import (
    armature_matrix,
    block_diagonal,
    joint_columns,
    minus_gravity,
    product,
    relative_pose,
    solve,
)
from jounce.papers.rigid_body import wrench

# ------------------------------------------------------------------ home configuration


def home_poses(tree: Tree) -> list[tuple[Array, Array]]:
    """Return M_{0,i} = M_{0,1} M_{1,2} ... M_{i-1,i}: the poses of frames at home."""
    out: list[tuple[Array, Array]] = []
    for node in tree.nodes:
        R, p = node.R0, node.p0
        if node.parent >= 0:
            R_parent, p_parent = out[node.parent]
            R, p = R_parent @ R, R_parent @ p + p_parent
        out.append((R, p))
    return out


@equation("screw axes")
def space_screws(tree: Tree) -> list[Array]:
    """Return S_i = Ad_{M_{0,i}} A_i (6 x k): the joints' screws in the world frame, at home."""
    home = home_poses(tree)
    return [adjoint(*pose) @ node.S for node, pose in zip(tree.nodes, home, strict=True)]


@equation("screw axes")
def body_screw(S: Array, R_0i: Array, p_0i: Array) -> Array:
    """Return A_i = Ad_{M_{0,i}}^-1 S_i: a screw of the world frame in the link frame."""
    return adjoint_inverse(R_0i, p_0i) @ S


# ------------------------------------------------------------------ recursion


@equation("forward iterations")
def link_adjoints(tree: Tree, q: Array) -> list[Array]:
    """Ad_{T_{i,p}} of each link, with T_{i,p} = exp(-[A_i] q_i) M_{i,p} (parent seen from i)."""
    return [adjoint_inverse(*relative_pose(node, q)) for node in tree.nodes]


@equation("forward iterations")
def forward_iterations(
    tree: Tree, q: Array, v: Array, a: Array, V_0: Array | None = None, Vd_0: Array | None = None
) -> tuple[list[Array], list[Array]]:
    """Return the twists and accelerations of the links, from the base outward.

    V_i = Ad_{T_{i,p}} V_p + A_i v_i and Vd_i = Ad_{T_{i,p}} Vd_p + ad_{V_i} A_i v_i + A_i a_i.
    The default base is at rest, V_0 = 0, and gravity enters as Vd_0 = (0, -g).
    """
    V_0 = zeros(6) if V_0 is None else V_0
    Vd_0 = minus_gravity(tree) if Vd_0 is None else Vd_0
    V: list[Array] = []
    Vd: list[Array] = []
    for node, Ad in zip(tree.nodes, link_adjoints(tree, q), strict=True):
        V_p, Vd_p = (V_0, Vd_0) if node.parent < 0 else (V[node.parent], Vd[node.parent])
        A = joint_columns(tree, node)
        V.append(Ad @ V_p + A @ v)
        Vd.append(Ad @ Vd_p + ad(V[-1]) @ (A @ v) + A @ a)
    return V, Vd


@equation("backward iterations")
def backward_iterations(
    tree: Tree, q: Array, V: Sequence[Array], Vd: Sequence[Array], tips: Sequence[Array] = ()
) -> list[Array]:
    """Return the wrench through each joint, from the tips inward.

    F_i = sum over children c of Ad_{T_{c,i}}^T F_c + G_i Vd_i - ad_{V_i}^T G_i V_i + tips_i.
    tips: one wrench per node, exerted by that body on the environment, in its frame.
    """
    Ad = link_adjoints(tree, q)
    F = list(tips) if len(tips) else [zeros(6) for _ in tree.nodes]
    for i in reversed(range(len(tree.nodes))):
        node = tree.nodes[i]
        F[i] = F[i] + wrench(spatial_inertia(node.inertia), V[i], Vd[i])
        if node.parent >= 0:
            F[node.parent] = F[node.parent] + Ad[i].T @ F[i]
    return F


@equation("backward iterations")
def joint_forces(tree: Tree, F: Sequence[Array]) -> Array:
    """Return tau_i = A_i^T F_i, the joint forces that balance the wrenches F."""
    tau = zeros(tree.nv)
    for node, F_i in zip(tree.nodes, F, strict=True):
        tau = tau + joint_columns(tree, node).T @ F_i
    return tau


@equation("backward iterations")
def tip_wrench(R: Array, p: Array, F_tip: Array) -> Array:
    """Ad_{T_{n+1,n}}^T F_tip: a wrench of the frame {n+1}, at pose (R, p) in {n}, seen in {n}."""
    return adjoint_inverse(R, p).T @ F_tip


@equation("forward iterations", "backward iterations")
def inverse_dynamics(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    tips: Sequence[Array] = (),
    V_0: Array | None = None,
    Vd_0: Array | None = None,
) -> Array:
    """Return tau by the recursive Newton-Euler algorithm, armature included."""
    V, Vd = forward_iterations(tree, q, v, a, V_0, Vd_0)
    F = backward_iterations(tree, q, V, Vd, tips)
    return joint_forces(tree, F) + armature_matrix(tree) @ a


# ------------------------------------------------------------------ closed form


@equation("W")
def neighbor_operator(tree: Tree, q: Array) -> Array:
    """Return W(q) (6N x 6N): Ad_{T_{i,p}} in row i and the column of its parent p. Nilpotent."""
    W = zeros(6 * len(tree.nodes), 6 * len(tree.nodes))
    for i, (node, Ad) in enumerate(zip(tree.nodes, link_adjoints(tree, q), strict=True)):
        if node.parent >= 0:
            W[_rows(i), _rows(node.parent)] = Ad
    return W


@equation("L")
def tree_operator(tree: Tree, q: Array, W: Array | None = None) -> Array:
    """L(q) = (1 - W)^-1 = 1 + W + W^2 + ..., a finite sum: W^d = 0 for a tree d links deep."""
    W = neighbor_operator(tree, q) if W is None else W
    unit = identity(len(W))
    L = unit
    for _ in range(max((len(above) for above in tree.ancestors), default=0)):
        L = unit + product(W, L)
    return L


@equation("closed form")
def stacked_screws(tree: Tree) -> Array:
    """Return A (6N x nv), constant: block row i holds A_i in the columns of joint i."""
    out = zeros(6 * len(tree.nodes), tree.nv)
    for i, node in enumerate(tree.nodes):
        out[_rows(i)] = joint_columns(tree, node)
    return out


@equation("closed form")
def stacked_inertia(tree: Tree) -> Array:
    """Return G = diag(G_1, ..., G_N) (6N x 6N), constant."""
    return block_diagonal([spatial_inertia(node.inertia) for node in tree.nodes])


@equation("closed form")
def stacked_brackets(V: Array) -> Array:
    """Return [ad_V] = diag(ad_{V_1}, ..., ad_{V_N}) of a stack of twists V (6N)."""
    return block_diagonal([ad(V[_rows(i)]) for i in range(len(V) // 6)])


@equation("closed form")
def stacked_base(tree: Tree, q: Array, X_0: Array) -> Array:
    """V_base or Vd_base (6N): Ad_{T_{i,0}} X_0 for the links on the base, zero for the others."""
    out = zeros(6 * len(tree.nodes))
    for i, (node, Ad) in enumerate(zip(tree.nodes, link_adjoints(tree, q), strict=True)):
        if node.parent < 0:
            out[_rows(i)] = Ad @ X_0
    return out


class ClosedForm(NamedTuple):
    """The stacked twists, accelerations and wrenches (6N each), and tau (nv)."""

    V: Array
    Vd: Array
    F: Array
    tau: Array


@equation("closed form")
def closed_form(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    tips: Sequence[Array] = (),
    V_0: Array | None = None,
    Vd_0: Array | None = None,
) -> ClosedForm:
    """Return twists, accelerations, wrenches and tau of the recursion, stacked over all links.

    V = L (A v + V_base), Vd = L (A a - [ad_{A v}] (W V + V_base) + Vd_base),
    F = L^T (G Vd - [ad_V]^T G V + F_tip), tau = A^T F.
    """
    V_base = stacked_base(tree, q, zeros(6) if V_0 is None else V_0)
    Vd_base = stacked_base(tree, q, minus_gravity(tree) if Vd_0 is None else Vd_0)
    F_tip = np.concatenate(list(tips)) if len(tips) else zeros(6 * len(tree.nodes))
    A, G, W = stacked_screws(tree), stacked_inertia(tree), neighbor_operator(tree, q)
    L = tree_operator(tree, q, W)
    V = L @ (A @ v + V_base)
    Vd = L @ (A @ a - stacked_brackets(A @ v) @ (W @ V + V_base) + Vd_base)
    F = L.T @ (G @ Vd - stacked_brackets(V).T @ (G @ V) + F_tip)
    tau = A.T @ F + armature_matrix(tree) @ a
    return ClosedForm(V, Vd, F, tau)


@equation("split")
def mass_matrix(tree: Tree, q: Array) -> Array:
    """Return M = A^T L^T G L A plus armature on the diagonal."""
    J = product(tree_operator(tree, q), stacked_screws(tree))
    return J.T @ product(stacked_inertia(tree), J) + armature_matrix(tree)


@equation("split")
def coriolis_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Return C_0 = -A^T L^T (G L [ad_{A v}] W + [ad_V]^T G) L A, with c = C_0 v.

    Only v^T (Mdot - 2 C_0) v = 0 holds; Mdot - 2 C_0 is not skew.
    """
    A, G, W = stacked_screws(tree), stacked_inertia(tree), neighbor_operator(tree, q)
    L = tree_operator(tree, q, W)
    J = product(L, A)
    rate = product(L, product(stacked_brackets(A @ v), product(W, J)))
    return -(J.T @ (product(G, rate) + product(stacked_brackets(J @ v).T, product(G, J))))


@equation("split")
def coriolis_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return c = -A^T L^T (G L [ad_{A v}] W + [ad_V]^T G) L A v."""
    A, G, W = stacked_screws(tree), stacked_inertia(tree), neighbor_operator(tree, q)
    L = tree_operator(tree, q, W)
    V = L @ (A @ v)
    bias = L @ (stacked_brackets(A @ v) @ (W @ V))
    return -(A.T @ (L.T @ (G @ bias + stacked_brackets(V).T @ (G @ V))))


@equation("split")
def gravity_forces(tree: Tree, q: Array) -> Array:
    """Return g = A^T L^T G L Vd_base, with Vd_0 = (0, -g)."""
    A, G, L = stacked_screws(tree), stacked_inertia(tree), tree_operator(tree, q)
    return A.T @ (L.T @ (G @ (L @ stacked_base(tree, q, minus_gravity(tree)))))


@equation("split")
def tip_forces(tree: Tree, q: Array, tips: Sequence[Array]) -> Array:
    """Return A^T L^T F_tip: the joint forces that exert the wrenches F_tip on the environment."""
    return stacked_screws(tree).T @ (tree_operator(tree, q).T @ np.concatenate(list(tips)))


@equation("equation of motion")
def equation_of_motion(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return tau = M(q) a + h(q, v) = M(q) a + c(q, v) + g(q)."""
    return mass_matrix(tree, q) @ a + coriolis_forces(tree, q, v) + gravity_forces(tree, q)


@equation("forward dynamics")
def forward_dynamics(tree: Tree, q: Array, v: Array, tau: Array) -> Array:
    """Return a = M^-1 (tau - h(q, v))."""
    h = inverse_dynamics(tree, q, v, zeros(tree.nv))
    return solve(mass_matrix(tree, q), tau - h)


def _rows(i: int) -> slice:
    return slice(6 * i, 6 * i + 6)
