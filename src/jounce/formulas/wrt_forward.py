"""Derivatives of forward dynamics with respect to the state, by articulated bodies.

A displacement of joint j moves its subtree rigidly. In a frame on the subtree this changes the
parent's twist by psid and its acceleration by psidd; a change of the joint's velocity adds S and
psid (see `wrt_state` for psid, psidd, Sd, B and f). If the twist V of a body changes by dV and its
acceleration by dA,

    A' = dA + ad_V dV

is the same for all bodies of a subtree whose joints keep their velocities: psidd, or psid + Sd. The
wrench on a body changes by G A' + 2 B dV, which depends only on the angular part of dV. Let y be
twice that part, and let Q (6, 3) be the sum of B of the body and the Q' of its children. Then the
joint's response to A' and y of its parent is

    a = -D^-1 S^T (I A' + Q y) = -(K^T A' + k y),    k = D^-1 S^T Q

and it transmits I' A' + Q' y with I' = I - K S^T I and Q' = Q - K S^T Q. For bodies beyond the
joint A' becomes A' + S a. A free root has K = 1 and I' = 0: its pose and linear velocity change
only its own acceleration (which includes gravity), and branches of such a tree are coupled by six
numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np

from jounce.formulas.articulated import (
    ArticulatedBody,
    articulated_bodies,
    chains,
    free_rows,
    inverse_by_chains,
    respond,
    root_axes,
    root_frames,
    root_responses,
    solves_by_bodies,
    transform_all,
)
from jounce.formulas.dynamics import (
    Bias,
    accelerations,
    body_bias,
    body_forces,
    subtree_nodes,
    subtree_wrenches,
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

    to_subtree: (A', y) (9,) for the subtree of its joint. F: change of the wrench that its joint
    transmits for a constant acceleration of its parent.
    """

    to_subtree: Array
    F: Array


class State:
    """A tree in a state, its articulated bodies, and the responses of joints to perturbations.

    a: accelerations (nv,). links: responses to (A', y). inverses: D^-1 of each node.
    """

    def __init__(self, tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None) -> None:
        self.tree, self.v = tree, v
        self.poses = poses = joint_poses(tree, q)
        self.V = twists(tree, poses, v)
        self.bodies = articulated_bodies(tree, poses)
        dw, field, c = accelerations(tree, poses, v, zeros(tree.nv))
        F = subtree_wrenches(tree, poses, body_forces(tree, field, c, wrenches))
        bias = collect(tree, [node.S.T @ f for node, f in zip(tree.nodes, F, strict=True)])
        bias = bias + spring_forces(tree, q)
        self.a, _, A, F_response = respond(tree, poses, self.bodies, tau - bias)
        self.F = [x + y for x, y in zip(F, F_response, strict=True)]
        self.dw = [x + y[:3] for x, y in zip(dw, A, strict=True)]
        self.c = [x + y[3:] for x, y in zip(c, A, strict=True)]
        k, self.Q = rotation_responses(tree, poses, self.bodies, self.V)
        self.R, self.p = root_frames(tree, poses)
        self.inverses = [body.inverse for body in self.bodies]
        K = root_responses(self.bodies, self.R, self.p)
        responses = [np.hstack((Ki, ki @ R.T)) for Ki, ki, R in zip(K, k, self.R, strict=True)]
        self.links, self.subtrees = (
            chains(tree, root_axes(tree, self.R, self.p), responses),
            subtree_nodes(tree),
        )

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
                self._transmitted_change(j, psidd, twice) - dual_bracket(s, self.F[j]),
                self._transmitted_change(j, twice + among, s + s),
            )
            to_q, to_v = transform_all(force_to_frame, R, p, forces)
            once, *others = transform_all(motion_to_frame, R, p, (psid, psidd, among))
            yield (
                Change(stack(others[0], (once + once)[:3]), to_q),
                Change(stack(once + once + others[1], (S + S)[:3, k]), to_v),
            )

    def _transmitted_change(self, j: int, A: Array, dV: Array) -> Array:
        """Return I' A' + Q' y of node j, in its frame."""
        return self.bodies[j].I_projected @ A + self.Q[j] @ dV[:3]

    def response(self, j: int, change: Change) -> tuple[Array, dict[int, Array]]:
        """Return accelerations (nv,) of the ancestors and the subtree of j for a perturbation at j.

        Also return the change A' (6,) at each ancestor, which its other branches see.
        """
        tree, S, to = self.tree, self.links.S, self.links.to
        path, out, F = tree.ancestors[j], zeros(tree.nv), change.F
        pushes: dict[int, Array] = {}
        for i in path:  # inward: wrenches that ancestors transmit
            push = S[i].T @ F
            pushes[i], F = self.inverses[i] @ push, F - to[i][i][:, :6].T @ push
        A, A_nodes = zeros(6), {}
        for i in reversed(path):
            joint_a = -(pushes[i] + to[i][i][:, :6] @ A)
            A = A_nodes[i] = A + S[i] @ joint_a
            out[tree.nodes[i].vs] = joint_a
        perturbation = change.to_subtree + np.concatenate((A, zeros(3)))
        for m in self.subtrees[j]:
            out[tree.nodes[m].vs] = -(to[m][j] @ perturbation)
        return out, A_nodes

    def all_responses(self) -> tuple[Array, Array]:
        """Return da/dq and da/dv.

        First for ancestors and subtree of each joint. The coupling of branches is computed in
        blocks, as matrix products, which keeps few values live at a time.
        """
        tree, n = self.tree, self.tree.nv
        out, A_nodes = zeros(2, n, n), zeros(2, len(tree.nodes), 6, n)
        for j, node in enumerate(tree.nodes):
            for column, changes in enumerate(self.changes(j), node.v):
                for which, change in enumerate(changes):
                    out[which, :, column], on_path = self.response(j, change)
                    for i, A in on_path.items():
                        A_nodes[which, i, :, column] = A
        for i, first, other in branches(tree):
            columns = [k for m in self.subtrees[first] for k in velocities(tree, m)]
            for m in self.subtrees[other]:
                for which in range(2):
                    block = self.links.to[m][other][:, :6] @ A_nodes[which, i][:, columns]
                    out[which, tree.nodes[m].vs, columns] = -block.T
        return out[0], out[1]


def branches(tree: Tree) -> Iterator[tuple[int, int, int]]:
    """Yield all nodes with ordered pairs of their children."""
    for i in range(len(tree.nodes)):
        children = [m for m, node in enumerate(tree.nodes) if node.parent == i]
        for first, other in permutations(children, 2):
            yield i, first, other


def velocities(tree: Tree, i: int) -> range:
    """Return the indices of a node's velocities in v."""
    entries = tree.nodes[i].vs
    return range(entries.start, entries.stop)


def rotation_responses(
    tree: Tree, poses: list[Pose], bodies: list[ArticulatedBody], V: list[Array]
) -> tuple[list[Array], list[Array]]:
    """Return k (k, 3) and Q' (6, 3) of each articulated body, in node frames."""
    biases = [Bias.of(*body_bias(*of)) for of in zip(tree.nodes, V, strict=True)]
    Q = [np.concatenate((bias.E, -skew(bias.P))) for bias in biases]
    k: list[Array] = [zeros(0)] * len(Q)
    for i, node in reversed(list(enumerate(tree.nodes))):
        push, K, rows = node.S.T @ Q[i], bodies[i].K, free_rows(node)
        k[i] = np.stack([bodies[i].joint_acceleration(x) for x in push.T], axis=1)
        Q[i] = matrix(Q[i][r] - K[r] @ push if r not in rows else zeros(3) for r in range(6))
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
    state = State(tree, q, v, tau, wrenches)
    (a_q, a_v), inverse = (
        state.all_responses(),
        inverse_by_chains(tree, state.links, state.inverses),
    )
    return state.a, a_q - inverse @ spring_stiffness(tree, q), a_v, inverse


def derivatives_by_factors(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return a, da/dq, da/dv and M^-1 by -M^-1 times derivatives of inverse dynamics at a."""
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


# Second derivatives of the acceleration follow from tau(q, v, a(q, v, tau)) = const. Below,
# dM_i = dM/dq_i.


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
