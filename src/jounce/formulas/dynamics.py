"""Inverse and forward dynamics, mass and Coriolis matrices.

Every function takes the elementary `Tree` of a robot and one sample of its state as object arrays.
G is a body's 6x6 inertia, S a joint's motion subspace, V a twist, A a spatial acceleration, F a
wrench, all in the node's frame unless stated otherwise. The catalog has the equation numbers of the
papers' forms of the same quantities; the forms here are chosen for few operations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.articulated import (
    articulated_inverse,
    articulated_solve,
    solves_by_bodies,
)
from jounce.formulas.kinematics import (
    base_twist,
    collect,
    gravity_compensated_base,
    joint_poses,
    joint_rates,
)
from jounce.formulas.pairs import JointPairs
from jounce.formulas.springs import spring_forces
from jounce.math.alternatives import choose
from jounce.math.linear import inverse, solve
from jounce.math.scalar import Array, array, is_zero, zeros
from jounce.math.spatial import (
    Pose,
    Rotation,
    acceleration_field,
    cross,
    dot,
    inertia_matrix,
    shift_inertia,
    skew,
    stack,
    trace_complement,
)
from jounce.model.tree import Node, Tree

# ------------------------------------------------------------------ inverse dynamics


def accelerations(
    tree: Tree, poses: list[Pose], v: Array, a: Array
) -> tuple[list[Array], list[Array], list[Array]]:
    """Return w', B = w'~ + w~ w~ and the acceleration c of the origin of each node (forward pass).

    The classical acceleration c of the origin needs no linear velocity, and B serves both the
    body's own forces and its children: a point r of the body accelerates with c + B r. Gravity is
    an upward acceleration of the world.
    """
    w: list[Array] = []
    dw: list[Array] = []
    B: list[Array] = []
    c: list[Array] = []
    rates = zip(joint_rates(tree, v), joint_rates(tree, a), strict=True)
    for node, X, (vi, ai) in zip(tree.nodes, poses, rates, strict=True):
        relative, joint_a = node.S @ vi, node.S @ ai
        p = node.parent
        if p < 0 and not tree.base:
            w_parent = dw_parent = zeros(3)
            c_parent = X.unrotate(-tree.gravity)
        else:
            w_p, dw_p, B_p, c_p = base_motion(tree) if p < 0 else (w[p], dw[p], B[p], c[p])
            w_parent, dw_parent = X.unrotate(w_p), X.unrotate(dw_p)
            c_parent = X.unrotate(c_p + B_p @ X.r)
        wi = w_parent + relative[:3]
        w.append(wi)
        dw.append(dw_parent + joint_a[:3] + cross(w_parent, relative[:3]))
        # translation of the joint: Coriolis term 2 w_parent x u, and w_joint x u
        c.append(c_parent + joint_a[3:] + cross(w_parent + wi, relative[3:]))
        B.append(acceleration_field(wi, dw[-1]))
    return dw, B, c


def base_motion(tree: Tree) -> tuple[Array, Array, Array, Array]:
    """Return w, w', B and c, as in `accelerations`, of a moving base."""
    (w, u), A = np.split(base_twist(tree), 2), gravity_compensated_base(tree)
    return w, A[:3], acceleration_field(w, A[:3]), A[3:] + cross(w, u)


def body_force(node: Node, B: Array, c: Array) -> Array:
    """Return the Newton-Euler wrench on the body about the frame origin."""
    m, h = node.inertia[0], node.inertia[1:4]
    # n = integral of x cross (c + B x) dm; the second moments of B x are I dw + w x I w
    inertia = inertia_matrix(node.inertia)
    half_trace = 0.5 * (inertia[0, 0] + inertia[1, 1] + inertia[2, 2])
    second = -inertia
    for k in range(3):
        second[k, k] = half_trace + second[k, k]
    BJ = [[dot(B[i], second[:, j]) if i != j else 0.0 for j in range(3)] for i in range(3)]
    moment = array((BJ[2][1] - BJ[1][2], BJ[0][2] - BJ[2][0], BJ[1][0] - BJ[0][1]))
    return stack(moment + cross(h, c), m * c + B @ h)


def subtree_wrenches(tree: Tree, poses: list[Pose], F: list[Array]) -> list[Array]:
    """Sum wrenches (or momenta) over the subtree of each node, in its frame (backward pass)."""
    F = list(F)
    for i in reversed(range(len(F))):
        p = tree.nodes[i].parent
        if p >= 0:
            F[p] = F[p] + poses[i].force_to_parent(F[i])
    return F


def user_wrenches(tree: Tree, wrenches: Array) -> list[Array]:
    """Transform wrenches (nb, 6) on the bodies from the model's body frames to node frames."""
    out = [zeros(6) for _ in tree.nodes]
    for body, i in enumerate(tree.node_of_body):
        node = tree.nodes[i]
        out[i] = Pose([Rotation(node.R_user)], node.p_user).force_to_parent(wrenches[body])
    return out


def body_forces(tree: Tree, B: list[Array], c: list[Array], wrenches: Array | None) -> list[Array]:
    """Return the inertial wrench of each body minus the external wrench on it."""
    F = [body_force(*body) for body in zip(tree.nodes, B, c, strict=True)]
    if wrenches is None:
        return F
    return [f - e for f, e in zip(F, user_wrenches(tree, wrenches), strict=True)]


def inverse_dynamics(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return tau = M a + C v + g (minus external forces) by recursive Newton-Euler."""
    poses = joint_poses(tree, q)
    _, B, c = accelerations(tree, poses, v, a)
    F = subtree_wrenches(tree, poses, body_forces(tree, B, c, wrenches))
    forces = [node.S.T @ f for node, f in zip(tree.nodes, F, strict=True)]
    for i, (node, ai) in enumerate(zip(tree.nodes, joint_rates(tree, a), strict=True)):
        forces[i] = forces[i] + node.armature * ai
    return collect(tree, forces) + spring_forces(tree, q)


def bias_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return the bias forces C v + g, which keep the velocity constant."""
    return inverse_dynamics(tree, q, v, zeros(tree.nv))


def gravity_forces(tree: Tree, q: Array) -> Array:
    """Return g: the generalized forces of gravity and joint springs that hold the robot still."""
    return inverse_dynamics(tree, q, zeros(tree.nv), zeros(tree.nv))


def external_forces(tree: Tree, q: Array, wrenches: Array) -> Array:
    """Return the generalized forces sum J_k^T w_k of wrenches w_k (nb, 6) in body frames."""
    F = subtree_wrenches(tree, joint_poses(tree, q), user_wrenches(tree, wrenches))
    return collect(tree, [node.S.T @ f for node, f in zip(tree.nodes, F, strict=True)])


# ------------------------------------------------------------------ composite bodies


def composites(tree: Tree, poses: list[Pose]) -> list[tuple[Any, Array, Array]]:
    """Return mass, first moment and inertia of each composite body, in node frames."""
    total = [(n.inertia[0], n.inertia[1:4], inertia_matrix(n.inertia)) for n in tree.nodes]
    for i in reversed(range(len(tree.nodes))):
        p = tree.nodes[i].parent
        if p >= 0:
            m, h, I = total[i]
            X = poses[i]
            I, h = shift_inertia(X.symmetric_to_parent(I), X.rotate(h), m, X.r)
            total[p] = (total[p][0] + m, total[p][1] + h, total[p][2] + I)
    return total


def composite_momentum(composite: tuple[Any, Array, Array], V: Array) -> Array:
    """Return G_C V of a composite body."""
    m, h, I = composite
    return stack(I @ V[:3] + cross(h, V[3:]), m * V[3:] + cross(V[:3], h))


def subtree_nodes(tree: Tree) -> list[list[int]]:
    """Return each node with its descendants."""
    out = [[i] for i in range(len(tree.nodes))]
    for i, ancestors in enumerate(tree.ancestors):
        for j in ancestors:
            out[j].append(i)
    return out


def node_rows(tree: Tree) -> tuple[list[slice], int]:
    """Return the rows of each node in matrices over all nodes (mimic joints separate)."""
    rows, start = [], 0
    for node in tree.nodes:
        size = node.S.shape[1]
        rows.append(slice(start, start + size))
        start += size
    return rows, start


def contract(tree: Tree, full: Array, axes: int | None = None) -> Array:
    """Contract an array over all nodes to one over the velocities: E^T X E for a matrix.

    E maps v to the velocities of all nodes, including mimic joints. axes: number of leading axes
    that run over nodes, by default all.
    """
    if not tree.has_mimics:
        return full
    rows, size = node_rows(tree)
    E = zeros(size, tree.nv)
    for node, node_entries in zip(tree.nodes, rows, strict=True):
        for k, row in enumerate(range(node_entries.start, node_entries.stop)):
            E[row, node.v + k] = node.gain
    for axis in range(full.ndim if axes is None else axes):
        full = np.moveaxis(np.tensordot(full, E, axes=([axis], [0])), -1, axis)
    return full


def mass_matrix(tree: Tree, q: Array) -> Array:
    """Return M by composite bodies: M_ij = S_i^T G_Cj S_j for i an ancestor of j.

    The momentum G_Cj S_j is computed in the frame of j, where the axis is z, and multiplied by the
    axes of the ancestors in their frames or in a common frame (`pairs`).
    """
    poses = joint_poses(tree, q)
    bodies = composites(tree, poses)
    meetings = JointPairs(tree, poses, [[(s,) for s in node.S.T] for node in tree.nodes])
    rows, size = node_rows(tree)
    M = zeros(size, size)
    for j, node in enumerate(tree.nodes):
        for k, s in enumerate(node.S.T):
            index = rows[j].start + k
            momentum = composite_momentum(bodies[j], s)
            column = node.S.T @ momentum
            column[k] = column[k] + node.armature[k]
            for row in range(k + 1):  # within a joint M is symmetric: keep one triangle
                above = rows[j].start + row
                M[above, index] = M[index, above] = column[row]
            for i, pairs in meetings.along(j, poses[j], [momentum]):
                for above, pair in enumerate(pairs, rows[i].start):
                    M[above, index] = M[index, above] = pair.mass()
    return contract(tree, M)


def has_ball_rotor(node: Node) -> bool:
    """Return whether the node is a spherical joint with armature."""
    return node.motion.armature == "ball" and not is_zero(node.armature[0])


def rotor_coriolis(node: Node, v: Array) -> Array:
    """Return the armature term A v~ / 2 of the Coriolis matrix of a spherical joint.

    Armature is the kinetic energy A v.v / 2 of a ball that turns with the joint. Koszul's formula
    reduces to A / 2 times the structure constants of SO(3), which give no torque as v x v = 0. The
    velocities of other joints with armature commute, and free and planar joints have no armature
    (`model`).
    """
    return (0.5 * node.armature[0]) * skew(v)


class Bias(NamedTuple):
    """B = [[E, 0], [-P~, 0]] of a body or composite."""

    E: Array
    P: Array

    @staticmethod
    def of(Es: Array, LP: Array) -> Bias:
        """Build from the symmetric part Es and the momentum (L, P): E = Es - L~ / 2."""
        return Bias(Es - 0.5 * skew(LP[:3]), LP[3:])

    def times(self, X: Array) -> Array:
        """Return B X."""
        return stack(self.E @ X[:3], cross(X[:3], self.P))

    def transposed_times(self, X: Array) -> Array:
        """Return B^T X."""
        return stack(self.E.T @ X[:3] + cross(self.P, X[3:]), zeros(3))

    def to_parent(self, X: Pose) -> Bias:
        """Transform to the parent's frame: E' = R E R^T - r~ P~."""
        P = X.rotate(self.P)
        return Bias(X.tensor_to_parent(self.E) + trace_complement(np.outer(P, X.r)), P)

    def plus(self, other: Bias) -> Bias:
        """Return the sum of two bias matrices."""
        return Bias(self.E + other.E, self.P + other.P)


def body_bias(node: Node, V: Array) -> tuple[Array, Array]:
    """Return Es and momentum (L, P) of a node's body with the twist V."""
    return bias_of(node.inertia[0], node.inertia[1:4], inertia_matrix(node.inertia), V)


def bias_of(m: Any, h: Array, I: Array, V: Array) -> tuple[Array, Array]:
    """Return Es and momentum (L, P) of a body of mass m, first moment h, inertia I and twist V."""
    w, u = V[:3], V[3:]
    Es = zeros(3, 3)
    Iw = I @ skew(w)
    hu = dot(h, u)
    for i in range(3):
        for j in range(i, 3):
            # I w~ - w~ I is the symmetric part of I w~ doubled; h~ u~ + u~ h~ likewise
            twice = Iw[i, j] + Iw[j, i] + h[i] * u[j] + h[j] * u[i]
            if i == j:
                twice = twice - (hu + hu)
            Es[i, j] = Es[j, i] = -0.5 * twice
    return Es, composite_momentum((m, h, I), V)


def composite_bias(
    tree: Tree, poses: list[Pose], V: list[Array]
) -> tuple[list[Array], list[Array]]:
    """Return Es and momentum (L, P) of the subtree of each node, in the node's frame."""
    return subtree_bias(tree, poses, [body_bias(*body) for body in zip(tree.nodes, V, strict=True)])


def subtree_bias(
    tree: Tree, poses: list[Pose], bodies: list[tuple[Array, Array]]
) -> tuple[list[Array], list[Array]]:
    """Sum Es and (L, P) of the bodies over the subtree of each node, in the node's frame."""
    Es, LP = [Es for Es, _ in bodies], [LP for _, LP in bodies]
    for i in reversed(range(len(bodies))):
        parent = tree.nodes[i].parent
        if parent < 0:
            continue
        X = poses[i]
        moved = X.force_to_parent(LP[i])
        E_rotated = X.symmetric_to_parent(Es[i])
        # E' = R E R^T - r~ P~, whose symmetric part is -(P r^T + r P^T)/2 + (r.P) 1
        r, P = X.r, moved[3:]
        along = dot(r, P)
        for k in range(3):
            for l in range(k, 3):
                shift = -0.5 * (P[k] * r[l] + r[k] * P[l])
                if k == l:
                    shift = shift + along
                E_rotated[k, l] = E_rotated[l, k] = E_rotated[k, l] + shift
        Es[parent] = Es[parent] + E_rotated
        LP[parent] = LP[parent] + moved
    return Es, LP


# ------------------------------------------------------------------ forward dynamics


def mass_matrix_inverse(tree: Tree, q: Array) -> Array:
    """Return M^-1, from M or by articulated bodies."""
    if tree.has_mimics or choose("inverse", {"mass matrix": True, "articulated bodies": False}):
        return inverse(mass_matrix(tree, q))
    return articulated_inverse(tree, joint_poses(tree, q))


def forward_dynamics(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return the acceleration a: M a = tau - C v - g + external forces."""
    bias = inverse_dynamics(tree, q, v, zeros(tree.nv), wrenches)
    return solve_for_acceleration(tree, q, tau - bias)


def solve_for_acceleration(tree: Tree, q: Array, tau: Array) -> Array:
    """Return M^-1 tau."""
    if solves_by_bodies(tree):
        return articulated_solve(tree, joint_poses(tree, q), tau)
    return solve(mass_matrix(tree, q), tau)
