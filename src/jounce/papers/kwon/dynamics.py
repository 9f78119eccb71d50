"""1 and 2: recursive dynamics, and their derivatives with respect to joint screws and the state.

lambda = (eta_1, ..., eta_n, eta_{n+1}, theta, theta-dot, theta-ddot), 6 (n + 1) + 3 nv columns:
`Columns` says where each stands. eta_i displaces the screw of joint i, eta_{n+1} the tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jounce.math.lie import exp_se3, norm
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import ad, adjoint, adjoint_inverse, adstar, spatial_inertia
from jounce.model.tree import Node, Tree
from jounce.papers import equation
from jounce.papers.common import (
    armature_matrix,
    joint_columns,
    joint_coordinates,
    minus_gravity,
)

Pose = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Tool:
    """The end-effector: a frame fixed in a node, and the wrench F_ext it exerts on what it touches.

    node: index of the node. R, p: pose of the tool's frame in the node's, M_{n+1}. wrench: F_ext
    (moment, force) in the tool's frame. A wrench that acts **on** the tool, the library's
    convention, has the other sign.
    """

    node: int
    R: Array
    p: Array
    wrench: Array


@dataclass(frozen=True)
class Columns:
    """Column slices of the parts of lambda in P, Q, R and S."""

    nodes: int
    nv: int

    @property
    def width(self) -> int:
        """Length of lambda: 9 n + 6 where every joint has one degree of freedom."""
        return 6 * (self.nodes + 1) + 3 * self.nv

    def eta(self, i: int) -> slice:
        """Return the six columns of eta_i; i = number of nodes: those of the tool, eta_{n+1}."""
        return slice(6 * i, 6 * i + 6)

    @property
    def etas(self) -> slice:
        """All columns of eta."""
        return slice(0, 6 * (self.nodes + 1))

    def rates(self, order: int) -> slice:
        """Return the nv columns of theta (order 0), theta-dot (1) or theta-ddot (2)."""
        first = 6 * (self.nodes + 1) + order * self.nv
        return slice(first, first + self.nv)


# ------------------------------------------------------------------ joint screws


def exponential(eta: Array) -> Pose:
    """Return e^[eta] = (R, p) of any twist (6), which need not have a unit axis."""
    angle = norm(eta[:3])
    return (identity(3), eta[3:]) if angle == 0 else exp_se3(eta / angle, angle)


@equation("6")
def displaced_screw(A_bar: Array, eta: Array) -> Array:
    """Return A = Ad_{e^[eta]} A_bar (6 or 6 x dof), eta in the body's frame.

    The displacement moves the axis and leaves the kind of the joint alone: pitch, and the unit
    length of its direction. eta has directions that do nothing (along A_bar itself, for one).
    """
    return adjoint(*exponential(eta)) @ A_bar


@equation("7")
def adjoint_rate(R: Array, p: Array, twist: Array) -> Array:
    """Return d/dt Ad_T = Ad_T ad_{T^-1 Tdot}; (R, p) = T, twist = T^-1 Tdot."""
    return adjoint(R, p) @ ad(twist)


@equation("8")
def screw_derivative(A: Array) -> Array:
    """Return dA/deta = -ad_A (6 x 6), at eta = 0."""
    return -ad(A)


@equation("10")
def dual_matrix(F: Array) -> Array:
    """Return ad*_F = [[m~, f~], [f~, 0]] of F = (m, f), with ad_A^T F = ad*_F A for every A."""
    return adstar(F)


def joint_frames(tree: Tree) -> Array:
    """X (6 n x 6 nb) with eta = X eta_joints: displacements given in the model's body frames.

    eta_joints (6 nb) holds one displacement per joint of the model, in the body's frame where q is
    neutral. The motions of a joint that has several move together.
    """
    out, body = zeros(6 * len(tree.nodes), 6 * tree.nb), tree.nb
    for k in reversed(range(len(tree.nodes))):
        node = tree.nodes[k]
        body = node.body if node.body >= 0 else body  # massless nodes belong to the one after them
        out[6 * k : 6 * k + 6, 6 * body : 6 * body + 6] = adjoint(node.R_user, node.p_user)
    return out


# ------------------------------------------------------------------ 1. recursive dynamics


def joint_exponential(node: Node, q: Array, eta: Array | None = None) -> Pose:
    """Return e^[A_i] theta_i: the motion of the joint, seen from the body's frame at home.

    For A_i = Ad_g A_bar with g = e^[eta] it is g e^[A_bar] theta g^-1, which is also what it means
    for joints with several degrees of freedom: the whole joint is moved by g.
    """
    turn, p = node.motion.displacement(joint_coordinates(node, q), node.pitch)
    R = identity(3) if turn is None else turn.R
    if eta is None:
        return R, p
    R_g, p_g = exponential(eta)
    R_moved = R_g @ R @ R_g.T
    return R_moved, p_g + R_g @ p - R_moved @ p_g


@equation("1")
def relative_pose(node: Node, q: Array, eta: Array | None = None) -> Pose:
    """Return T_{lambda(i),i} = M_i e^[A_i] theta_i; M_i = (R0, p0) of the node."""
    R, p = joint_exponential(node, q, eta)
    return node.R0 @ R, node.R0 @ p + node.p0


def _screws(tree: Tree, node: Node, eta: Array | None) -> Array:
    """A_i (6 x nv): in the columns of theta_i, those of its leader for a joint that mimics."""
    A = joint_columns(tree, node)
    return A if eta is None else displaced_screw(A, eta)


def _etas(tree: Tree, eta: Array | None) -> Sequence[Array | None]:
    if eta is not None and np.shape(eta) != (len(tree.nodes), 6):
        raise ValueError(f"eta: expected shape ({len(tree.nodes)}, 6), found {np.shape(eta)}")
    return [None] * len(tree.nodes) if eta is None else list(eta)


@equation("2", "3")
def forward_iterations(
    tree: Tree, q: Array, v: Array, a: Array, eta: Array | None = None
) -> tuple[list[Array], list[Array]]:
    """Return V_i = A_i v_i + Ad_T^-1 V_p and Vdot_i = A_i a_i + Ad_T^-1 Vdot_p + ad_{V_i} A_i v_i.

    T = T_{lambda(i),i}, p = lambda(i), V_0 = 0 and Vdot_0 = (0, -gravity): the note writes -g.
    eta: displacements of the screws (n x 6), of no joint where it is None.
    """
    V, Vd = list[Array](), list[Array]()
    for node, eta_i in zip(tree.nodes, _etas(tree, eta), strict=True):
        A, Ad_inverse = _screws(tree, node, eta_i), adjoint_inverse(*relative_pose(node, q, eta_i))
        V_p, Vd_p = _parents(tree, node, V, Vd)
        V.append(A @ v + Ad_inverse @ V_p)
        Vd.append(A @ a + Ad_inverse @ Vd_p + ad(V[-1]) @ (A @ v))
    return V, Vd


def _parents(tree: Tree, node: Node, V: list[Array], Vd: list[Array]) -> tuple[Array, Array]:
    if node.parent < 0:
        return zeros(6), minus_gravity(tree)
    return V[node.parent], Vd[node.parent]


@equation("4")
def backward_iterations(
    tree: Tree,
    q: Array,
    V: list[Array],
    Vd: list[Array],
    eta: Array | None = None,
    tool: Tool | None = None,
) -> list[Array]:
    """Return F_i = sum over the children Ad_{T_ij^-1}^T F_j + G_i Vdot_i - ad_{V_i}^T G_i V_i.

    tool: its wrench, which the note mentions but does not print, adds Ad_{T_{n,n+1}^-1}^T F_ext.
    """
    F = list[Array]()
    for node, V_i, Vd_i in zip(tree.nodes, V, Vd, strict=True):
        G = spatial_inertia(node.inertia)
        F.append(G @ Vd_i - ad(V_i).T @ (G @ V_i))
    if tool is not None:
        if not 0 <= tool.node < len(tree.nodes):
            last = len(tree.nodes) - 1
            raise ValueError(f"tool: expected a node from 0 to {last}, found {tool.node}")
        F[tool.node] = F[tool.node] + adjoint_inverse(tool.R, tool.p).T @ tool.wrench
    etas = _etas(tree, eta)
    for i in reversed(range(len(tree.nodes))):
        node = tree.nodes[i]
        if node.parent >= 0:
            back = adjoint_inverse(*relative_pose(node, q, etas[i])).T
            F[node.parent] = F[node.parent] + back @ F[i]
    return F


@equation("5")
def joint_torques(tree: Tree, F: list[Array], eta: Array | None = None) -> Array:
    """Return tau_i = A_i^T F_i (nv); a joint that mimics another adds to its leader's."""
    tau = zeros(tree.nv)
    for node, F_i, eta_i in zip(tree.nodes, F, _etas(tree, eta), strict=True):
        tau = tau + _screws(tree, node, eta_i).T @ F_i
    return tau


@equation("1", "2", "3", "4", "5")
def inverse_dynamics(
    tree: Tree, q: Array, v: Array, a: Array, eta: Array | None = None, tool: Tool | None = None
) -> Array:
    """Return tau (nv) with the screws displaced by eta (n x 6), and armature."""
    V, Vd = forward_iterations(tree, q, v, a, eta)
    F = backward_iterations(tree, q, V, Vd, eta, tool)
    return joint_torques(tree, F, eta) + armature_matrix(tree) @ a


# ------------------------------------------------------------------ 2. differential dynamics


@dataclass(frozen=True, eq=False)
class Differentials:
    """V, Vdot, F of every node and tau, with their derivatives P, Q, R and S in lambda (9).

    P_i, Q_i, R_i: 6 x width, S: nv x width; `columns` says where each part of lambda stands.
    S is not given in the note, though its (14) needs it.
    """

    columns: Columns
    V: list[Array]
    Vd: list[Array]
    F: list[Array]
    tau: Array
    P: list[Array]
    Q: list[Array]
    R: list[Array]
    S: Array

    def dtau_deta(self) -> Array:
        """Return dtau/deta (nv x (n + 1) x 6)."""
        return self.S[:, self.columns.etas].reshape(len(self.S), -1, 6)

    def dtau(self, order: int) -> Array:
        """Return dtau/dtheta (order 0), dtau/dtheta-dot (1), dtau/dtheta-ddot (2), each nv x nv."""
        return self.S[:, self.columns.rates(order)]


@equation("9", "Algorithm 1")
def differential_dynamics(
    tree: Tree, q: Array, v: Array, a: Array, tool: Tool | None = None
) -> Differentials:
    """Return the algorithm 1, corrected, for trees, any M_i and any kind of joint, at eta = 0.

    d/dtheta_h of a joint with several degrees of freedom is along its quasi-velocity v_h.
    """
    columns = Columns(len(tree.nodes), tree.nv)
    V, Vd = forward_iterations(tree, q, v, a)
    F = backward_iterations(tree, q, V, Vd, tool=tool)
    P, Q = _forward_derivatives(tree, q, v, a, V, Vd, columns)
    R = _backward_derivatives(tree, q, V, F, P, Q, columns, tool)
    armature = armature_matrix(tree)
    # not in the note: S_i = A_i^T R_i, and -F_i^T ad_{A_i} in the columns of eta_i, since A_i moves
    S = zeros(tree.nv, columns.width)
    for i, node in enumerate(tree.nodes):
        A = joint_columns(tree, node)
        S = S + A.T @ R[i]
        S[:, columns.eta(i)] = S[:, columns.eta(i)] + np.stack([-(F[i] @ ad(A_h)) for A_h in A.T])
    S[:, columns.rates(2)] = S[:, columns.rates(2)] + armature
    tau = joint_torques(tree, F) + armature @ a
    return Differentials(columns, V, Vd, F, tau, P, Q, R, S)


def _forward_derivatives(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    V: list[Array],
    Vd: list[Array],
    columns: Columns,
) -> tuple[list[Array], list[Array]]:
    """Return the lines 3 to 20: P_i = dV_i/dlambda and Q_i = dVdot_i/dlambda."""
    # lines 3 and 4 start the recursion at link 1 with the columns of eta alone, and the loop adds
    # them again: it starts at the base, where nothing varies, P_0 = Q_0 = 0
    pos, vel, acc = (columns.rates(order) for order in range(3))
    P, Q = list[Array](), list[Array]()
    for i, node in enumerate(tree.nodes):
        A, eta = joint_columns(tree, node), columns.eta(i)
        # Ad_i is that of the relative pose T_{lambda(i),i}; the note prints the product of all
        # exponentials up to i
        Ad_inverse = adjoint_inverse(*relative_pose(node, q))
        V_p, Vd_p = _parents(tree, node, V, Vd)
        P_i, Q_i = zeros(6, columns.width), zeros(6, columns.width)
        if node.parent >= 0:
            P_i, Q_i = Ad_inverse @ P[node.parent], Ad_inverse @ Q[node.parent]
        # lines 7, 8: Ad_i^-1 ad_{V_p} (Ad_{M_i} - Ad_i) = ad_{Ad_i^-1 V_p} (Ad_{e_i}^-1 - 1), e_i =
        # e^[A_i] theta_i; the note has 1 for Ad_{M_i}, right only for M_i = 1
        moved = adjoint_inverse(*joint_exponential(node, q)) - identity(6)
        along_V, along_Vd = ad(Ad_inverse @ V_p), ad(Ad_inverse @ Vd_p)
        P_i[:, eta] = P_i[:, eta] + along_V @ moved - ad(A @ v)
        # lines 10, 11: Ad_i^-1 ad_{V_p} Ad_{M_i} A_i = ad_{Ad_i^-1 V_p} A_i; again without Ad_{M_i}
        # in the note
        P_i[:, pos] = P_i[:, pos] + along_V @ A
        P_i[:, vel] = P_i[:, vel] + A  # line 12
        Q_i = Q_i - ad(A @ v) @ P_i  # line 19
        Q_i[:, eta] = Q_i[:, eta] + along_Vd @ moved - ad(V[i]) @ ad(A @ v) - ad(A @ a)
        Q_i[:, pos] = Q_i[:, pos] + along_Vd @ A
        Q_i[:, vel] = Q_i[:, vel] + ad(V[i]) @ A  # line 13
        Q_i[:, acc] = Q_i[:, acc] + A  # line 15
        P.append(P_i)
        Q.append(Q_i)
    return P, Q


def _backward_derivatives(
    tree: Tree,
    q: Array,
    V: list[Array],
    F: list[Array],
    P: list[Array],
    Q: list[Array],
    columns: Columns,
    tool: Tool | None,
) -> list[Array]:
    """Return the lines 21 to 31: R_i = dF_i/dlambda."""
    R = list[Array]()
    for node, V_i, P_i, Q_i in zip(tree.nodes, V, P, Q, strict=True):
        G = spatial_inertia(node.inertia)
        # line 21; in line 30 the note has ad_V^T G - ad*_{G V}: the sign must be the same for all i
        R.append(G @ Q_i - (ad(V_i).T @ G + dual_matrix(G @ V_i)) @ P_i)
    if tool is not None:
        # the tool's pose is e^[eta_{n+1}] M_{n+1}; the note has the columns and leaves them empty
        Ad_inverse = adjoint_inverse(tool.R, tool.p)
        eta = columns.eta(len(tree.nodes))
        change = Ad_inverse.T @ dual_matrix(tool.wrench) @ Ad_inverse
        R[tool.node][:, eta] = R[tool.node][:, eta] - change
    pos = columns.rates(0)
    for c in reversed(range(len(tree.nodes))):
        node = tree.nodes[c]
        if node.parent < 0:
            continue
        back = adjoint_inverse(*relative_pose(node, q)).T
        A, dual = joint_columns(tree, node), dual_matrix(F[c])
        # line 24: Ad_{e_c}^-1 of the exponential alone; the note prints Ad_c^-1, right for M_c = 1
        moved = adjoint_inverse(*joint_exponential(node, q)) - identity(6)
        carried = back @ R[c]
        carried[:, columns.eta(c)] = carried[:, columns.eta(c)] - back @ (dual @ moved)
        carried[:, pos] = carried[:, pos] - back @ (dual @ A)  # line 26
        R[node.parent] = R[node.parent] + carried
    return R
