"""Derivatives with respect to the state.

Derivatives in q are along the velocity directions (Garofalo's quasi-velocity derivatives D_h): the
joint moves on by exp(S_h eps) from where it is. The axis of differentiation comes last.

Inverse dynamics, the mass matrix (`tensors`) and Jacobians have closed forms. `directional`
differentiates all other formulas, and the closed first derivatives: it evaluates a formula on
first-order series, one direction at a time. Values that the direction does not change stay plain
scalars, which tracing shares between directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.formulas.dynamics import (
    Bias,
    accelerations,
    base_motion,
    body_bias,
    body_forces,
    composite_momentum,
    composites,
    contract,
    node_rows,
    subtree_wrenches,
)
from jounce.formulas.equations import Column, JointFrame, joint_frames, subtrees
from jounce.formulas.equations import twists as joint_twists
from jounce.formulas.kinematics import (
    Motion,
    accumulate,
    collect,
    frame_jacobian,
    frame_rotation_origin,
    frame_twist,
    gravity_compensated_base,
    joint_poses,
    joint_rates,
    mixed_rate,
    path_twists,
    refuse_series,
    twists,
    world_rate,
)
from jounce.formulas.momenta import (
    body_momenta,
    center_of_mass,
    com_jacobian,
    momentum,
)
from jounce.formulas.pairs import Axes, JointPairs
from jounce.formulas.springs import spring_forces, spring_stiffness
from jounce.math.jets import Jet, stacked_rates
from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import (
    Pose,
    acceleration_field,
    bracket,
    cross,
    dot,
    dual_bracket,
    force_to_frame,
    skew,
    stack,
)
from jounce.math.spatial import momentum as body_momentum
from jounce.model.tree import Tree


def directional(
    formula: Callable[..., Any],
    tree: Tree,
    arguments: Sequence[Any],
    wrt: int,
    extra: tuple[Any, ...] = (),
    *,
    configuration: bool,
) -> Any:
    """Differentiate formula(tree, *arguments, *extra) in its argument number `wrt`, axes last.

    configuration: whether that argument is a configuration, which moves along velocities.
    """
    refuse_series(tree, (*arguments, *extra))
    x, columns = arguments[wrt], []
    axes = (tree.dof,) if configuration else np.shape(x)
    for h in np.ndindex(*axes):
        moved = list(arguments)
        if configuration:
            unit = zeros(tree.dof)
            unit[h] = Jet((1.0,))
            moved[wrt] = Motion(x, unit)
        else:
            moved[wrt] = np.array(x, dtype=object)
            moved[wrt][h] = Jet((moved[wrt][h], 1.0))
        columns.append(formula(tree, *moved, *extra))
    return stacked_rates(columns, axes)


def inverse_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return tau, dtau/dq, dtau/dv and dtau/da = M from one set of composite bodies.

    With the parent's motion (V_p, A_p), psid = ad_Vp S, psidd = ad_Ap S + ad_Vp psid, Sd = ad_V S,
    and the composite inertia G, bias B and wrench f of joint j, for i an ancestor of j:

        dtau_i/dq_j = S_i^T (G psidd_j + 2 B psid_j - adstar_f S_j)
        dtau_j/dq_i = S_j^T (G psidd_i + 2 B psid_i)
        dtau_i/dv_j = S_i^T (2 B S_j + G (psid_j + Sd_j))
        dtau_j/dv_i = S_j^T (2 B S_i + G (psid_i + Sd_i))
        M_ij = S_i^T G S_j

    and within one joint the same without the adstar term. Wrenches on the bodies move with them, so
    they enter through f alone.

    In the frame of the joint (`equations`) B S_j + G Sd_j is `down` and B^T S_j is `up`, so for
    joints with one velocity dtau/dv = 2 C. Turning the subtree about the axis X_j changes its
    accelerations, the parent's field Y and the relative motion, by [Y, X_j] x + 2 psid_j x', hence
    G psidd_j + 2 B psid_j is the wrench of [Y, X_j] Sigma plus 2 N psid_j with N relative to the
    parent.
    """
    frames = joint_frames(tree, q)
    poses = [frame.pose for frame in frames]
    motion = joint_twists(tree, frames, v)
    dw, field, c = accelerations(tree, poses, v, a)
    F = subtree_wrenches(tree, poses, body_forces(tree, field, c, wrenches))
    beyond = subtrees(tree, frames, v)
    axes = _moving_axes(tree, poses, motion.node, dw, c)
    meetings = JointPairs(tree, poses, axes)
    rows, size = node_rows(tree)
    dq, dv, M = zeros(size, size), zeros(size, size), zeros(size, size)
    forces: list[Array] = []
    rates = zip(joint_rates(tree, v), joint_rates(tree, a), strict=True)
    for j, (node, (vi, ai)) in enumerate(zip(tree.nodes, rates, strict=True)):
        frame, body, X = frames[j], beyond.bodies[j], node.S @ vi
        passed = beyond.relative[j].plus(body.kernel(X))
        Vp, f = motion.joint[j] - X, frame.from_node(F[j])
        Y, y = _parent_field(tree, frame, motion.node, (dw, field, c), j)
        forces.append(node.S.T @ f + node.armature * ai)
        for k, S in enumerate(node.S.T):
            momentum, down, up = Column.of(body, beyond.relative[j], motion.joint[j], S)
            W, index = skew(S[:3]), rows[j].start + k
            within = body.inertial_wrench(Y @ W - W @ Y, Y @ S[3:] - cross(S[:3], y))
            within = within + 2.0 * passed.times(bracket(Vp, S))
            rate = 2.0 * down - body.momentum(bracket(X, S))
            dq[rows[j], index] = node.S.T @ within
            dv[rows[j], index] = node.S.T @ rate
            M[rows[j], index] = node.S.T @ momentum
            M[index, index] = M[index, index] + node.armature[k]
            carried = [within - dual_bracket(S, f), rate, momentum, 2.0 * up]
            for i, pairs in meetings.along(j, frame.placement, carried):
                for above, pair in enumerate(pairs, rows[i].start):
                    (s, sdd, srate, sd), (to_q, to_v, GS, B2) = pair.axis, pair.forces
                    dq[above, index], dq[index, above] = dot(s, to_q), dot(sdd, GS) + dot(sd, B2)
                    dv[above, index], dv[index, above] = dot(s, to_v), dot(srate, GS) + dot(s, B2)
                    M[above, index] = M[index, above] = dot(s, GS)
    tau = collect(tree, forces) + spring_forces(tree, q)
    dq = contract(tree, dq) + spring_stiffness(tree, q)
    return tau, dq, contract(tree, dv), contract(tree, M)


def _moving_axes(
    tree: Tree, poses: list[Pose], V: list[Array], dw: list[Array], c: list[Array]
) -> Axes:
    """Return S, psidd, psid + Sd and psid of each velocity, in the nodes' frames."""
    axes = []
    for j, node in enumerate(tree.nodes):
        Vp, Ap = parent_motion(tree, poses, V, dw, c, j)
        psid = [bracket(Vp, S) for S in node.S.T]
        axes.append(
            [
                (S, bracket(Ap, S) + bracket(Vp, x), x + bracket(V[j], S), x)
                for S, x in zip(node.S.T, psid, strict=True)
            ]
        )
    return axes


def _parent_field(
    tree: Tree,
    frame: JointFrame,
    V: list[Array],
    accelerated: tuple[list[Array], list[Array], list[Array]],
    j: int,
) -> tuple[Array, Array]:
    """Return Y, y: points x of the parent accelerate with Y x + y, in the joint frame of j."""
    p = tree.nodes[j].parent
    if p >= 0:
        w, (dw, B, c) = V[p][:3], (of[p] for of in accelerated)
    else:
        w, dw, B, c = base_motion(tree)
    field = acceleration_field(frame.placement.unrotate(w), frame.placement.unrotate(dw))
    return field, frame.placement.unrotate(c + B @ frame.placement.r)


def parent_motion(
    tree: Tree,
    poses: list[Pose],
    V: list[Array],
    dw: list[Array],
    c: list[Array],
    j: int,
) -> tuple[Array, Array]:
    """Return twist and spatial acceleration (with gravity) of the parent of j, in frame j."""
    p = tree.nodes[j].parent
    Vp = parent_twist(tree, poses, V, j)
    if p < 0:
        return Vp, poses[j].motion_to_child(gravity_compensated_base(tree))
    # spatial acceleration: that of the origin minus w x u
    spatial = stack(dw[p], c[p] - cross(V[p][:3], V[p][3:]))
    return Vp, poses[j].motion_to_child(spatial)


def parent_twist(tree: Tree, poses: list[Pose], V: list[Array], j: int) -> Array:
    """Return the twist of the parent of j, in the frame of j."""
    p = tree.nodes[j].parent
    if p < 0 and not tree.base:
        return zeros(6)
    return poses[j].motion_to_child(tree.base[0] if p < 0 else V[p])


# ------------------------------------------------------------------ closed forms, one by one


def inverse_dynamics_dq(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dq."""
    return inverse_dynamics_derivatives(tree, q, v, a, wrenches)[1]


def inverse_dynamics_dv(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dv."""
    return inverse_dynamics_derivatives(tree, q, v, a, wrenches)[2]


def kinetic_energy_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return psid . H, H the momentum of the joint's subtree, in linear time."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    H = subtree_wrenches(tree, poses, body_momenta(tree, V))
    out = []
    for j, node in enumerate(tree.nodes):
        Vp = parent_twist(tree, poses, V, j)
        out.append(array(dot(bracket(Vp, S), H[j]) for S in node.S.T))
    return collect(tree, out)


def momentum_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return G psid - adstar_H S per joint (6, nv), H and G of the joint's subtree."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    H, G = subtree_wrenches(tree, poses, body_momenta(tree, V)), composites(tree, poses)
    R, p = accumulate(tree, poses)
    out = zeros(6, tree.nv)
    for j, node in enumerate(tree.nodes):
        Vp = parent_twist(tree, poses, V, j)
        for k, S in enumerate(node.S.T):
            rate = composite_momentum(G[j], bracket(Vp, S)) - dual_bracket(S, H[j])
            moved = force_to_frame(R[j], p[j], rate)
            out[:, node.v + k] = out[:, node.v + k] + node.gain * moved
    return out


def centroidal_momentum_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return the derivative of the centroidal momentum, d(L - c x P, P)/dq (6, nv)."""
    F, c = momentum(tree, q, v), center_of_mass(tree, q)
    out, J = momentum_dq(tree, q, v), com_jacobian(tree, q)
    for k in range(tree.nv):
        out[:3, k] = out[:3, k] - cross(J[:, k], F[3:]) - cross(c, out[3:, k])
    return out


def frame_jacobian_dq(tree: Tree, q: Array, frame: int) -> Array:
    """Return the kinematic Hessian (6, nv, nv): dJ_j/dq_i = [J_j, J_i] for j before i, else 0.

    Garofalo (31) in closed form. Columns of one joint do not move each other.
    """
    J = frame_jacobian(tree, q, frame)
    out = zeros(6, tree.nv, tree.nv)
    node = tree.frames[frame][0]
    chain = [] if node < 0 else [node, *tree.ancestors[node]]
    if tree.has_mimics:
        return directional(frame_jacobian, tree, (q,), 0, (frame,), configuration=True)
    for i in chain:
        for j in tree.ancestors[i]:
            for a in range(tree.nodes[i].vs.start, tree.nodes[i].vs.stop):
                for b in range(tree.nodes[j].vs.start, tree.nodes[j].vs.stop):
                    out[:, b, a] = bracket(J[:, b], J[:, a])
    return out


def frame_twist_dq(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return dV/dq (6, nv) in the frame's axes: psid of each joint on the path."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    psid = []
    for i, node in enumerate(tree.nodes):
        Vp = parent_twist(tree, poses, V, i)
        psid.append([bracket(Vp, S) for S in node.S.T])
    return path_twists(tree, poses, tree.frames[frame], psid)


def frame_twist_mixed_dq(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return the derivative of the mixed twist: world axes, frame origin (6, nv)."""
    R, _ = frame_rotation_origin(tree, q, frame)
    V, J = frame_twist(tree, q, v, frame), frame_jacobian(tree, q, frame)
    rates = frame_twist_dq(tree, q, v, frame)
    return np.stack([mixed_rate(R, V, *x) for x in zip(J.T, rates.T, strict=True)], axis=1)


def frame_twist_world_dq(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return the derivative of the spatial twist: world axes and origin (6, nv)."""
    R, p = frame_rotation_origin(tree, q, frame)
    V, J = frame_twist(tree, q, v, frame), frame_jacobian(tree, q, frame)
    rates = frame_twist_dq(tree, q, v, frame)
    return np.stack([world_rate(R, p, V, *x) for x in zip(J.T, rates.T, strict=True)], axis=1)


def weighted_gradient(
    tree: Tree, q: Array, v: Array, a: Array, lam: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return the derivatives of lam . tau in q, v and a, in time linear in the number of joints.

    With U the twists of the velocity lam, U_p the parent's, and Y = sum G U, Z = sum B^T U over
    the bodies of the subtree of j, the terms with composite inertias cancel:

        d/dq_j = psidd_j . Y + 2 psid_j . Z - U_p . adstar_f S_j
        d/dv_j = (psid_j + Sd_j) . Y + 2 S_j . Z
        d/da_j = S_j . Y
    """
    poses, at_rest = joint_poses(tree, q), replace(tree, base=())
    V, U = twists(tree, poses, v), twists(at_rest, poses, lam)
    dw, field, c = accelerations(tree, poses, v, a)
    F = subtree_wrenches(tree, poses, body_forces(tree, field, c, wrenches))
    Y = [body_momentum(n.inertia, Ui) for n, Ui in zip(tree.nodes, U, strict=True)]
    Z = []
    for node, Vi, Ui in zip(tree.nodes, V, U, strict=True):
        Z.append(Bias.of(*body_bias(node, Vi)).transposed_times(Ui))
    Y, Z = subtree_wrenches(tree, poses, Y), subtree_wrenches(tree, poses, Z)
    by_q, by_v, by_a = [], [], []
    for j, (node, weight) in enumerate(zip(tree.nodes, joint_rates(tree, lam), strict=True)):
        Vp, Ap = parent_motion(tree, poses, V, dw, c, j)
        Up = parent_twist(at_rest, poses, U, j)
        rows: list[list[Any]] = [[], [], []]
        for k, S in enumerate(node.S.T):
            psid = bracket(Vp, S)
            psidd = bracket(Ap, S) + bracket(Vp, psid)
            rows[0].append(
                dot(psidd, Y[j]) + 2.0 * dot(psid, Z[j]) - dot(Up, dual_bracket(S, F[j]))
            )
            rows[1].append(dot(psid + bracket(V[j], S), Y[j]) + 2.0 * dot(S, Z[j]))
            rows[2].append(dot(S, Y[j]) + node.armature[k] * weight[k])
        for out, row in zip((by_q, by_v, by_a), rows, strict=True):
            out.append(array(row))
    from_springs = lam @ spring_stiffness(tree, q)
    return collect(tree, by_q) + from_springs, collect(tree, by_v), collect(tree, by_a)


def hessian(
    tree: Tree, q: Array, v: Array, a: Array, lam: Array, wrenches: Array | None = None
) -> Array:
    """Return the second derivatives of lam . tau in (q, v, a): (3 nv, 3 nv).

    Rows belong to the first derivative. The q, q block is not symmetric for joints whose velocities
    do not commute, as on SO(3).
    """
    n = tree.nv
    refuse_series(tree, (lam, wrenches))  # the gradient is evaluated on series

    def gradient(tree: Tree, q: Array, v: Array, a: Array) -> Array:
        by_q, by_v, by_a = weighted_gradient(tree, q, v, a, lam, wrenches)
        return np.concatenate((by_q, by_v, by_a))

    out = zeros(3 * n, 3 * n)
    state = (q, v, a)
    out[:, :n] = directional(gradient, tree, state, 0, configuration=True)
    out[: 2 * n, n : 2 * n] = directional(gradient, tree, state, 1, configuration=False)[: 2 * n]
    out[:n, 2 * n :] = out[2 * n :, :n].T  # tau is linear in a
    return out
