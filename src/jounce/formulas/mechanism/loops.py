"""Mechanisms with closed kinematic loops: a tree whose velocities obey linear constraints.

A loop locks some motions of its frame b relative to its frame a. With the pose (R, p) of b in a,
its residual is linear in the entries of R and p (`_rows`), so that its rates are the same function
of the rates of the pose. Stacked over the loops the residual is phi(q), its Jacobian G: G v = 0.

The velocities of a mechanism follow those of its independent (active) joints: with the columns of G
sorted into g_a and g_p, v_p = J_p v_a, J_p = -g_p^+ g_a (Kwon 12), or v = E v_a with E = [1; J_p].
Forces transform by E^T tau (Kwon 13). Rows of G may depend on each other, as those of a loop
in space do for a planar mechanism; g_p only needs independent columns.

Quantities of the mechanism take q of all joints, with the loops closed, and v, a, tau of the
independent ones. Along a motion (`Motion` of the independent joints), or if the tree's geometry is
a series, the dependent joints are solved for to any order (`close_loops`), so that derivatives are
those of the mechanism with closed loops and fixed independent joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.kinematics import Motion, joint_poses, joint_rates
from jounce.math.jets import Jet, coefficients, order_of
from jounce.math.linear import Orthogonal, solver
from jounce.math.scalar import Array, array, identity, is_zero, zeros
from jounce.math.spatial import (
    Pose,
    Rotation,
    acceleration_field,
    bracket,
    cross,
    dot,
    motion_to_frame,
    skew,
)
from jounce.model.tree import Tree

#: Type of q: an array, or a `Motion`.
Configuration = Any

# ------------------------------------------------------------------ constraints


class _LoopPath(NamedTuple):
    """Path from frame a to frame b of a loop: pose of b in a, and the joints between them.

    Per joint: its node, its direction (-1 from child to parent), and its axes as twists in frame a.
    """

    R: Array
    p: Array
    joints: list[tuple[int, float, list[Array]]]


def _loop_path(tree: Tree, poses: list[Pose], a: int, b: int) -> _LoopPath:
    """Return the path through the tree from frame a to frame b."""
    node_a, R_a, p_a = tree.frames[a]
    node_b, R_b, p_b = tree.frames[b]
    up, down = _node_path(tree, node_a, node_b)
    R, p = R_a.T, -(R_a.T @ p_a)
    joints = []

    def append_joint(i: int, sense: float) -> None:
        joints.append((i, sense, [motion_to_frame(R, p, s) for s in tree.nodes[i].S.T]))

    for i in up:
        append_joint(i, -1.0)
        for factor in reversed(poses[i].factors):
            R = R @ factor.R.T
        p = p - R @ poses[i].r
    for i in down:
        p = p + R @ poses[i].r
        for factor in poses[i].factors:
            R = R @ factor.R
        append_joint(i, 1.0)
    return _LoopPath(R @ R_b, p + R @ p_b, joints)


def _node_path(tree: Tree, a: int, b: int) -> tuple[list[int], list[int]]:
    """Return the nodes from a up to the common ancestor (exclusive), and from it down to b."""
    above_a = [] if a < 0 else [a, *tree.ancestors[a]]
    above_b = [] if b < 0 else [b, *tree.ancestors[b]]
    up = [i for i in above_a if i not in above_b]
    return up, [i for i in reversed(above_b) if i not in above_a]


def _rows(locked: Sequence[bool], R: Array, p: Array) -> list[Any]:
    """Return the loop closure residual, linear in the pose (R, p) of b in a.

    Three locked turns: half of vee(R - R^T), the sine of the angle times the axis. Two, free about
    e: e x R e. One, about axis k of the cycle i, j, k: e_j . R e_i. At R = 1 the rate of each is
    the angular velocity about its axis.
    """
    turns = [k for k in range(3) if locked[k]]
    out: list[Any] = []
    for k in turns:
        i, j = (k + 1) % 3, (k + 2) % 3
        if len(turns) == 3:
            out.append(0.5 * (R[j, i] - R[i, j]))
        elif len(turns) == 2:
            out.append(-R[i, j] if locked[i] else R[j, i])
        else:
            out.append(R[j, i])
    return out + [p[k] for k in range(3) if locked[3 + k]]


def _closed_pose(tree: Tree, locked: Sequence[bool], R: Array, p: Array) -> tuple[Array, Array]:
    """Return the pose (R, p) of b in a, simplified by the constraints if the loops are closed.

    If two or more rotations are locked, the columns of R that are read are those of the identity.
    """
    if not _stays_closed(tree):
        return R, p
    aligned = sum(locked[:3]) >= 2
    return identity(3) if aligned else R, _zero_locked(locked[3:], p)


def _closed_twist(tree: Tree, locked: Sequence[bool], w: Array, u: Array) -> tuple[Array, Array]:
    """Return angular velocity of b and rate of its position, simplified likewise."""
    if not _stays_closed(tree):
        return w, u
    aligned = sum(locked[:3]) >= 2
    return _zero_locked(locked[:3], w) if aligned else w, _zero_locked(locked[3:], u)


def _stays_closed(tree: Tree) -> bool:
    """Return whether all loop equations hold, also for varying geometry."""
    return tree.active is not None and tree.kept is None


def _combine(tree: Tree, rows: Array) -> Array:
    """Return the rows of all loops, or their combinations in `tree.kept`."""
    return rows if tree.kept is None else tree.kept.T @ rows


def keep_equations(tree: Tree, q: Configuration) -> Tree:
    """Return the mechanism with a consistent subset of loop equations for varying geometry.

    Redundant equations contradict each other if a displacement makes the loops impossible to
    close. They are replaced by np combinations kept^T phi = 0, whose constant coefficients span the
    columns of g_p at q: only these have a first-order effect on the dependent joints. If the
    displaced loops can be closed, the solution closes them.
    """
    count = sum(sum(locked) for _, _, locked in tree.loops)
    if tree.active is None or tree.kept is not None or count == len(tree.passive):
        return tree
    g_p = loop_jacobian(tree, q)[:, list(tree.passive)]
    return replace(tree, kept=solver(g_p, tree.rows).basis())


def loop_solver(tree: Tree, g_p: Array) -> Orthogonal:
    """Return a solver for g_p, the columns of G of the dependent joints."""
    return solver(g_p, tree.rows if tree.kept is None else range(len(g_p)))


def _zero_locked(locked: Sequence[bool], x: Array) -> Array:
    return array(0.0 if zero else xi for zero, xi in zip(locked, x, strict=True))


def loop_residual(tree: Tree, q: Configuration) -> Array:
    """Return phi (nl,), zero where the loops are closed."""
    poses = joint_poses(tree, q)
    out: list[Any] = []
    for a, b, locked in tree.loops:
        R, p, _ = _loop_path(tree, poses, a, b)
        out += _rows(locked, R, p)
    return _combine(tree, array(out))


def loop_jacobian(tree: Tree, q: Configuration) -> Array:
    """Return G (nl, nv), the derivative of phi: the rate of phi is G v.

    A joint with the twist (w, u) in frame a changes the pose by (w~ R, u + w x p).
    """
    poses = joint_poses(tree, q)
    blocks = []
    for a, b, locked in tree.loops:
        R, p, joints = _loop_path(tree, poses, a, b)
        R, p = _closed_pose(tree, locked, R, p)
        G = zeros(sum(locked), tree.nv)
        for i, sense, axes in joints:
            node = tree.nodes[i]
            for k, S in enumerate(axes):
                w, u = S[:3], S[3:]
                column = array(_rows(locked, skew(w) @ R, u + cross(w, p)))
                G[:, node.v + k] = G[:, node.v + k] + (sense * node.gain) * column
        blocks.append(G)
    return _combine(tree, np.concatenate(blocks))


def loop_pairs(tree: Tree, q: Configuration, lam: Array) -> list[tuple[Array, Array]]:
    """Return the wrenches that the forces lam (nl,) of each loop exert on its frames a and b.

    Each is in the axes and about the origin of its frame. The wrench on b does the work of lam: its
    entry k is lam times the rate of the residual as b turns about, or moves along, axis k of a.
    """
    poses = joint_poses(tree, q)
    out, still = [], zeros(3)
    for a, b, locked in tree.loops:
        seen = _loop_path(tree, poses, a, b)
        R, p = _closed_pose(tree, locked, seen.R, seen.p)
        own, lam = lam[: sum(locked)], lam[sum(locked) :]
        axes = identity(3)
        rates = [(w, cross(w, p)) for w in axes] + [(still, u) for u in axes]
        W = array(dot(own, array(_rows(locked, skew(w) @ R, u))) for w, u in rates)
        out.append((-W, Pose([Rotation(seen.R)], seen.p).force_to_child(W)))
    return out


def loop_geometry(tree: Tree, q: Configuration) -> tuple[Array, Array]:
    """Return the pose of b in a (4, 4) of each loop, and its Jacobian (6, nv) for all joints.

    Rows: angular velocity of b relative to a, and rate of b's position, both in a's axes.
    """
    poses = joint_poses(tree, q)
    T, J = zeros(len(tree.loops), 4, 4), zeros(len(tree.loops), 6, tree.nv)
    for l, (a, b, _) in enumerate(tree.loops):
        R, p, joints = _loop_path(tree, poses, a, b)
        T[l, :3, :3], T[l, :3, 3], T[l, 3, 3] = R, p, 1.0
        for i, sense, axes in joints:
            node = tree.nodes[i]
            for k, S in enumerate(axes):
                rate = np.concatenate((S[:3], S[3:] + cross(S[:3], p)))
                J[l, :, node.v + k] = J[l, :, node.v + k] + (sense * node.gain) * rate
    return T, J


def _link_twists(tree: Tree, path: _LoopPath, v: Array) -> tuple[list[Array], list[Array], Array]:
    """Return twists relative to a of each joint's child, each joint, and b, in frame a."""
    shares = joint_rates(tree, v)
    V = zeros(6)
    links, joint_twists = [], []
    for i, sense, axes in path.joints:
        U = sense * sum((x * S for x, S in zip(shares[i], axes, strict=True)), zeros(6))
        links.append(V if sense < 0 else V + U)
        joint_twists.append(U)
        V = V + U
    return links, joint_twists, V


def loop_jacobian_rate(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return dG/dt (nl, nv) for the velocity v of all joints; axes have the rate ad_V S."""
    poses = joint_poses(tree, q)
    blocks = []
    for a, b, locked in tree.loops:
        path = _loop_path(tree, poses, a, b)
        links, _, V = _link_twists(tree, path, v)
        R, p = _closed_pose(tree, locked, path.R, path.p)
        turn, dp = _closed_twist(tree, locked, V[:3], V[3:] + cross(V[:3], p))
        dR = skew(turn) @ R
        G = zeros(sum(locked), tree.nv)
        for (i, sense, axes), Vi in zip(path.joints, links, strict=True):
            node = tree.nodes[i]
            for k, S in enumerate(axes):
                rate, w = bracket(Vi, S), S[:3]
                bend = skew(rate[:3]) @ R + skew(w) @ dR
                shift = rate[3:] + cross(rate[:3], p) + cross(w, dp)
                column = array(_rows(locked, bend, shift))
                G[:, node.v + k] = G[:, node.v + k] + (sense * node.gain) * column
        blocks.append(G)
    return _combine(tree, np.concatenate(blocks))


def loop_bias(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return dG/dt v (nl,), the second derivative of phi for zero joint accelerations."""
    poses = joint_poses(tree, q)
    out: list[Any] = []
    for a, b, locked in tree.loops:
        path = _loop_path(tree, poses, a, b)
        links, joint_twists, V = _link_twists(tree, path, v)
        A = sum((bracket(Vi, U) for Vi, U in zip(links, joint_twists, strict=True)), zeros(6))
        R, p = _closed_pose(tree, locked, path.R, path.p)
        w, dp = _closed_twist(tree, locked, V[:3], V[3:] + cross(V[:3], p))
        shift = A[3:] + cross(A[:3], p) + cross(w, dp)
        out += _rows(locked, acceleration_field(w, A[:3]) @ R, shift)
    return _combine(tree, array(out))


# ------------------------------------------------------------------ independent joints


def embed_velocity(tree: Tree, independent: Array) -> Array:
    """Return a velocity of all joints with zeros for the dependent joints."""
    assert tree.active is not None
    out = zeros(tree.nv)
    for k, x in zip(tree.active, independent, strict=True):
        out[k] = x
    return out


def close_loops(tree: Tree, q: Configuration) -> Motion:
    """Return the configuration with a motion of the dependent joints that keeps loops closed.

    q moves along the independent joints, or the tree's geometry is a series, or both. By the
    implicit function theorem, order by order: coefficient k of the series phi is linear in
    coefficient k - 1 of v_p with the matrix g_p / k.
    """
    start = q.q if isinstance(q, Motion) else q
    v = embed_velocity(tree, q.v) if isinstance(q, Motion) else zeros(tree.nv)
    residual = loop_residual(tree, Motion(start, v))
    order = order_of(residual)
    if order is None:
        return Motion(start, v)
    passive = list(tree.passive)
    leading = coefficients(loop_jacobian(tree, start), 0)[0]
    factors = loop_solver(tree, leading[:, passive])
    orders: list[Array] = []
    for k in range(1, order + 1):
        orders.append(-k * factors.solve(coefficients(residual, k)[k]))
        for i, *c in zip(passive, *orders, strict=True):
            if not all(is_zero(x) for x in c):
                v[i] = Jet((*c, *(0.0,) * (order - k)))
        if k < order:
            residual = loop_residual(tree, Motion(start, v))
    return Motion(start, v)


class Closure:
    """Map from the motion of the independent joints to that of all joints, at one configuration."""

    def __init__(self, tree: Tree, q: Configuration) -> None:
        assert tree.active is not None
        self.tree = tree
        self.q: Configuration = close_loops(tree, q)
        self.active, self.passive = list(tree.active), list(tree.passive)
        G = loop_jacobian(tree, self.q)
        self.g_a = G[:, self.active]
        self.factors = loop_solver(tree, G[:, self.passive])

    def _merge(self, active: Any, passive: Any) -> Array:
        out = zeros(self.tree.nv, *np.shape(active)[1:])
        out[self.active], out[self.passive] = active, passive
        return out

    def velocity(self, v: Array) -> Array:
        """Return E v: the velocity of all joints."""
        return self._merge(v, -self.factors.solve(self.g_a @ v))

    def acceleration(self, v: Array, a: Array) -> Array:
        """Return E a + E' v: a of the independent joints, v of all joints."""
        drift = loop_bias(self.tree, self.q, v)
        return self._merge(a, -self.factors.solve(self.g_a @ a + drift))

    def reference(self, v: Array, v_r: Array, a_r: Array) -> Array:
        """Return E a_r + E' v_r: a_r of the independent joints, v and v_r of all joints."""
        if v_r is v:
            return self.acceleration(v, a_r)
        drift = loop_jacobian_rate(self.tree, self.q, v) @ v_r
        return self._merge(a_r, -self.factors.solve(self.g_a @ a_r + drift))

    def forces(self, tau: Array) -> Array:
        """Return E^T tau: equivalent forces on the independent joints (Kwon 13)."""
        return tau[self.active] - self.g_a.T @ self.factors.solve_transposed(tau[self.passive])

    def multipliers(self, forces: Array) -> Array:
        """Return the minimum-norm lam (nl,) with g_p^T lam = forces on the dependent joints."""
        if self.tree.kept is None:
            return self.factors.solve_transposed(forces, shortest=True)
        open_tree = replace(self.tree, active=None, kept=None)
        g_p = loop_jacobian(open_tree, self.q)[:, self.passive]
        return loop_solver(open_tree, g_p).solve_transposed(forces, shortest=True)

    @property
    def J_p(self) -> Array:
        """Velocities of the dependent joints per velocity of the independent ones (Kwon 12)."""
        return -self.factors.solve(self.g_a)

    @property
    def E(self) -> Array:
        """Velocities of all joints per velocity of the independent ones."""
        return self._merge(np.eye(len(self.active)).astype(object), self.J_p)

    def E_rate(self, v: Array) -> Array:
        """Return dE/dt for the velocity v of all joints: g_p J_p' = -G' E, zero in active rows."""
        rate = loop_jacobian_rate(self.tree, self.q, v) @ self.E
        return self._merge(zeros(*self.g_a.shape[1:], rate.shape[1]), -self.factors.solve(rate))


def passive_jacobian(tree: Tree, q: Configuration) -> Array:
    """Return J_p (np, nv): velocities of the dependent joints are J_p v (Kwon 12)."""
    return Closure(tree, q).J_p


def velocity_matrix(tree: Tree, q: Configuration) -> Array:
    """Return E, the derivative of the velocities of all joints in those of the independent ones."""
    return Closure(tree, q).E


def velocity(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return E v: the velocity of all joints."""
    return Closure(tree, q).velocity(v)


def independent_forces(tree: Tree, q: Configuration, joint_forces: Array) -> Array:
    """Return E^T tau (Kwon 13)."""
    return Closure(tree, q).forces(joint_forces)
