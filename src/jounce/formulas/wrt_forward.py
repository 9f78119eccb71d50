"""Derivatives of forward dynamics with respect to the state, by articulated bodies.

Moving joint j turns its subtree rigidly. Seen from there the parent's motion changes, in twist by
psid and in acceleration by psidd; a change of the joint's velocity adds S and psid (`wrt_state` has
psid, psidd, Sd, B and f). Where the twist V of a body changes by dV and its acceleration by dA,

    A' = dA + ad_V dV

is the same for all bodies of a subtree whose joints keep their velocities: psidd, or psid + Sd. The
wrench on a body changes by G A' + 2 B dV, where B sees of dV but its angular part. With y twice
that part, an articulated body has beside I a matrix Q (6, 3), B of the body and what its children
pass on, and its joint answers

    a = -D^-1 S^T (I A' + Q y) = -(K^T A' + k y),    k = D^-1 S^T Q

to A' and y of its parent, and passes on I' A' + Q' y, I' = I - K S^T I and Q' = Q - K S^T Q. Bodies
beyond see A' + S a. A free root has K = 1, I' = 0: its pose and its linear velocity change nothing
but its own acceleration (gravity is an acceleration of it), and the branches of such a tree know of
each other by six numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np

from jounce.formulas.articulated import (
    Articulated,
    answers,
    articulated,
    axes,
    chains,
    free_rows,
    in_roots,
    inverse_by_chains,
    moved,
    respond,
    solves_by_bodies,
)
from jounce.formulas.dynamics import (
    Bias,
    accelerations,
    beyond,
    body_bias,
    body_forces,
    transmitted,
)
from jounce.formulas.kinematics import collect, joint_poses, twists
from jounce.formulas.springs import spring_forces, spring_stiffness
from jounce.formulas.tensors import mass_matrix_dq, mass_matrix_inverse_dq
from jounce.formulas.wrt_state import (
    directional,
    inverse_dynamics_derivatives,
    inverse_dynamics_dq,
    inverse_dynamics_dv,
    parent_motion,
)
from jounce.math.linear import factorize, inverse, solve_factorized
from jounce.math.scalar import Array, matrix, zeros
from jounce.math.spatial import (
    Pose,
    bracket,
    dual_bracket,
    force_to_frame,
    motion_to_frame,
    skew,
    stack,
)
from jounce.model.tree import Tree


class Change(NamedTuple):
    """Perturbation due to one entry of the state, in the root frame.

    to_subtree: (A', y) (9,) for the subtree of its joint. F: the change of the wrench that its
    joint passes on, if its parent keeps its acceleration.
    """

    to_subtree: Array
    F: Array


class State:
    """A tree in motion, its articulated bodies, and how its joints answer to changes.

    a: accelerations (nv,). links: the answers, to (A', y). inverses: D^-1 of each node.
    """

    def __init__(self, tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None) -> None:
        self.tree, self.v = tree, v
        self.poses = poses = joint_poses(tree, q)
        self.V = twists(tree, poses, v)
        self.bodies = articulated(tree, poses)
        dw, field, c = accelerations(tree, poses, v, zeros(tree.nv))
        F = transmitted(tree, poses, body_forces(tree, field, c, wrenches))
        bias = collect(tree, [node.S.T @ f for node, f in zip(tree.nodes, F, strict=True)])
        bias = bias + spring_forces(tree, q)
        self.a, _, A, more = respond(tree, poses, self.bodies, tau - bias)
        self.F = [x + y for x, y in zip(F, more, strict=True)]
        self.dw = [x + y[:3] for x, y in zip(dw, A, strict=True)]
        self.c = [x + y[3:] for x, y in zip(c, A, strict=True)]
        k, self.Q = swung(tree, poses, self.bodies, self.V)
        self.R, self.p = in_roots(tree, poses)
        self.inverses = [body.inverse for body in self.bodies]
        K = answers(self.bodies, self.R, self.p)
        own = [np.hstack((Ki, ki @ R.T)) for Ki, ki, R in zip(K, k, self.R, strict=True)]
        self.links, self.beyond = chains(tree, axes(tree, self.R, self.p), own), beyond(tree)

    def changes(self, j: int) -> Iterator[tuple[Change, Change]]:
        """Yield the perturbations by q and by v of each velocity of joint j."""
        node, S = self.tree.nodes[j], self.links.S[j]
        R, p = self.R[j], self.p[j]
        Vp, Ap = parent_motion(self.tree, self.poses, self.V, self.dw, self.c, j)
        relative = node.S @ self.v[node.vs]
        for k, s in enumerate(node.S.T):
            psid = bracket(Vp, s)
            psidd = bracket(Ap, s) + bracket(Vp, psid)
            among = bracket(relative, s)  # zero for a single velocity: Sd = psid + ad_Sv S
            twice = psid + psid
            forces = (
                self._passed(j, psidd, twice) - dual_bracket(s, self.F[j]),
                self._passed(j, twice + among, s + s),
            )
            to_q, to_v = moved(force_to_frame, R, p, forces)
            once, *others = moved(motion_to_frame, R, p, (psid, psidd, among))
            yield (
                Change(stack(others[0], (once + once)[:3]), to_q),
                Change(stack(once + once + others[1], (S + S)[:3, k]), to_v),
            )

    def _passed(self, j: int, A: Array, dV: Array) -> Array:
        """Return I' A' + Q' y of node j, in its frame."""
        return self.bodies[j].rest @ A + self.Q[j] @ dV[:3]

    def answer(self, j: int, change: Change) -> tuple[Array, dict[int, Array]]:
        """Accelerations (nv,) of the joints on the way to j and beyond it, for a change there.

        Also the change A' (6,) that each node on the way passes to its other branches.
        """
        tree, S, to = self.tree, self.links.S, self.links.to
        way, out, F = tree.ancestors[j], zeros(tree.nv), change.F
        pushed: dict[int, Array] = {}
        for i in way:  # inward: what the joints on the way pass on
            push = S[i].T @ F
            pushed[i], F = self.inverses[i] @ push, F - to[i][i][:, :6].T @ push
        A, passed = zeros(6), {}
        for i in reversed(way):
            own = -(pushed[i] + to[i][i][:, :6] @ A)
            A = passed[i] = A + S[i] @ own
            out[tree.nodes[i].vs] = own
        seen = change.to_subtree + np.concatenate((A, zeros(3)))
        for m in self.beyond[j]:
            out[tree.nodes[m].vs] = -(to[m][j] @ seen)
        return out, passed

    def all_answers(self) -> tuple[Array, Array]:
        """Return da/dq and da/dv.

        First the joints on the way to each joint and beyond it. What branches do to each other
        comes in blocks, as products of matrices: few numbers are at work at a time.
        """
        tree, n = self.tree, self.tree.nv
        out, passed = zeros(2, n, n), zeros(2, len(tree.nodes), 6, n)
        for j, node in enumerate(tree.nodes):
            for column, changes in enumerate(self.changes(j), node.v):
                for which, change in enumerate(changes):
                    out[which, :, column], on_way = self.answer(j, change)
                    for i, A in on_way.items():
                        passed[which, i, :, column] = A
        for i, first, other in branches(tree):
            columns = [k for m in self.beyond[first] for k in velocities(tree, m)]
            for m in self.beyond[other]:
                for which in range(2):
                    block = self.links.to[m][other][:, :6] @ passed[which, i][:, columns]
                    out[which, tree.nodes[m].vs, columns] = -block.T
        return out[0], out[1]


def branches(tree: Tree) -> Iterator[tuple[int, int, int]]:
    """Return the nodes with two of their children, in either order."""
    for i in range(len(tree.nodes)):
        children = [m for m, node in enumerate(tree.nodes) if node.parent == i]
        for first, other in permutations(children, 2):
            yield i, first, other


def velocities(tree: Tree, i: int) -> range:
    """Return the places of a node's velocities in v."""
    own = tree.nodes[i].vs
    return range(own.start, own.stop)


def swung(
    tree: Tree, poses: list[Pose], bodies: list[Articulated], V: list[Array]
) -> tuple[list[Array], list[Array]]:
    """k (k, 3) and Q' (6, 3) of each articulated body, in its frame: how turning changes it."""
    biases = [Bias.of(*body_bias(*of)) for of in zip(tree.nodes, V, strict=True)]
    Q = [np.concatenate((bias.E, -skew(bias.P))) for bias in biases]
    k: list[Array] = [zeros(0)] * len(Q)
    for i, node in reversed(list(enumerate(tree.nodes))):
        push, K, own = node.S.T @ Q[i], bodies[i].K, free_rows(node)
        k[i] = np.stack([bodies[i].yielded(x) for x in push.T], axis=1)
        Q[i] = matrix(Q[i][r] - K[r] @ push if r not in own else zeros(3) for r in range(6))
        if node.parent >= 0:
            upper, lower = (poses[i].tensor_to_parent(half) for half in np.split(Q[i], 2))
            shifted = upper + skew(poses[i].r) @ lower
            Q[node.parent] = Q[node.parent] + np.concatenate((shifted, lower))
    return k, Q


def forward_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return a, da/dq, da/dv and da/dtau = M^-1."""
    if not solves_by_bodies(tree):
        return derivatives_by_factors(tree, q, v, tau, wrenches)
    at = State(tree, q, v, tau, wrenches)
    (a_q, a_v), inverse = at.all_answers(), inverse_by_chains(tree, at.links, at.inverses)
    return at.a, a_q - inverse @ spring_stiffness(tree, q), a_v, inverse


def derivatives_by_factors(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """The same as minus M^-1 times the derivatives of inverse dynamics at a: for any tree."""
    bias, *_, M = inverse_dynamics_derivatives(tree, q, v, zeros(tree.nv), wrenches)
    factors = factorize(M)
    a = solve_factorized(*factors, tau - bias)
    _, dq, dv, _ = inverse_dynamics_derivatives(tree, q, v, a, wrenches)
    a_q, a_v = (-np.stack([solve_factorized(*factors, x) for x in X.T], axis=1) for X in (dq, dv))
    return a, a_q, a_v, inverse(M)


def forward_dynamics_dq(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return da/dq."""
    return forward_dynamics_derivatives(tree, q, v, tau, wrenches)[1]


def forward_dynamics_dv(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return da/dv."""
    return forward_dynamics_derivatives(tree, q, v, tau, wrenches)[2]


# Second derivatives of the acceleration follow from tau(q, v, a(q, v, tau)) = const. With
# dM_i = dM/dq_i, what the derivatives of inverse dynamics at a leave over is solved with M.


def forward_dynamics_dqq(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return a_qq = -M^-1 (tau_qq + dM_i a_qj + dM_j a_qi)."""
    a, a_q, _, inverse = forward_dynamics_derivatives(tree, q, v, tau, wrenches)
    state, extra = (q, v, a), (wrenches,)
    qq = directional(inverse_dynamics_dq, tree, state, 0, extra, configuration=True)
    along = _along(mass_matrix_dq(tree, q), a_q)
    return -np.tensordot(inverse, qq + along + along.swapaxes(1, 2), axes=1)


def forward_dynamics_dvv(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return a_vv = -M^-1 tau_vv."""
    a, _, _, inverse = forward_dynamics_derivatives(tree, q, v, tau, wrenches)
    state, extra = (q, v, a), (wrenches,)
    vv = directional(inverse_dynamics_dv, tree, state, 1, extra, configuration=False)
    return -np.tensordot(inverse, vv, axes=1)


def forward_dynamics_dqtau(tree: Tree, q: Array) -> Array:
    """Return a_qtau, the derivative of M^-1 in q with q as the second axis."""
    return mass_matrix_inverse_dq(tree, q).swapaxes(1, 2)


def _along(dM: Array, A: Array) -> Array:
    """Return dM_i A_j with i and j as the last axes."""
    return np.stack([dM[:, :, i] @ A for i in range(len(A))], axis=1)
