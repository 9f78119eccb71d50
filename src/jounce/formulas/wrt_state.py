"""First derivatives of inverse and forward dynamics with respect to the state.

Derivatives in q are along the velocity directions (Garofalo's quasi-velocity derivatives D_h): the
joint moves on by exp(S_h eps) from where it is. The forms are those of Singh, Russo and Wensing,
with the compact bias B of `dynamics.coriolis_matrix`, evaluated in body frames.
"""

from __future__ import annotations

from jounce.formulas.dynamics import (
    accelerations,
    body_force,
    common_root,
    composite_bias,
    composite_momentum,
    composites,
    contract,
    expand,
    factorise,
    force_to_frame,
    forward_dynamics,
    motion_to_frame,
    solve_factorised,
    transmitted,
)
from jounce.formulas.kinematics import accumulate, collect, joint_poses, joint_rates, twists
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket, cross, dot, skew, stack
from jounce.topology import Tree


def inverse_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, a: Array
) -> tuple[Array, Array, Array, Array]:
    """tau, dtau/dq, dtau/dv and dtau/da = M from one set of composite bodies.

    With the parent's motion (V_p, A_p), psid = ad_Vp S, psidd = ad_Ap S + ad_Vp psid, Sd = ad_V S,
    and the composite inertia G, bias B and wrench f of joint j, for i an ancestor of j:

        dtau_i/dq_j = S_i^T (G psidd_j + 2 B psid_j - adstar_f S_j)
        dtau_j/dq_i = S_j^T (G psidd_i + 2 B psid_i)
        dtau_i/dv_j = S_i^T (2 B S_j + G (psid_j + Sd_j))
        dtau_j/dv_i = S_j^T (2 B S_i + G (psid_i + Sd_i))
        M_ij = S_i^T G S_j

    and within one joint the same without the adstar term.
    """
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    dw, field, c = accelerations(tree, poses, v, a)
    F = transmitted(tree, poses, [body_force(*x) for x in zip(tree.nodes, field, c, strict=True)])
    G = composites(tree, poses)
    Es, LP = composite_bias(tree, poses, V)
    R, p = accumulate(tree, poses, common_root(tree))
    rows, size = expand(tree)
    dq, dv, M = zeros(size, size), zeros(size, size), zeros(size, size)
    forces: list[Array] = []
    in_common: list[list[tuple[Array, Array, Array]]] = []  # S, psidd and psid + Sd of each joint
    psid_common: list[list[Array]] = []
    for j, (node, ai) in enumerate(zip(tree.nodes, joint_rates(tree, a), strict=True)):
        if node.parent < 0:
            Vp, Ap = zeros(6), stack(zeros(3), poses[j].unrotate(-tree.gravity))
        else:
            k = node.parent
            Vp = poses[j].motion_to_child(V[k])
            # the spatial acceleration of the parent: its origin's, less w x u
            Ap = poses[j].motion_to_child(stack(dw[k], c[k] - cross(V[k][:3], V[k][3:])))
        E, P = Es[j] - 0.5 * skew(LP[j][:3]), LP[j][3:]
        forces.append(node.S.T @ F[j] + node.armature * ai)
        in_common.append([])
        psid_common.append([])
        for k, S in enumerate(node.S.T):
            psid, Sd = bracket(Vp, S), bracket(V[j], S)
            psidd = bracket(Ap, S) + bracket(Vp, psid)
            GS = composite_momentum(G[j], S)
            BtS = stack(E.T @ S[:3] + cross(P, S[3:]), zeros(3))
            within = composite_momentum(G[j], psidd) + 2.0 * _bias(E, P, psid)
            turned = stack(cross(F[j][:3], S[:3]) + cross(F[j][3:], S[3:]), cross(F[j][3:], S[:3]))
            rate = 2.0 * _bias(E, P, S) + composite_momentum(G[j], psid + Sd)
            at = rows[j].start + k
            dq[rows[j], at] = node.S.T @ within
            dv[rows[j], at] = node.S.T @ rate
            M[rows[j], at] = node.S.T @ GS
            M[at, at] = M[at, at] + node.armature[k]
            move = [motion_to_frame(R[j], p[j], x) for x in (S, psidd, psid + Sd, psid)]
            in_common[j].append((move[0], move[1], move[2]))
            psid_common[j].append(move[3])
            if not tree.ancestors[j]:
                continue
            carried = [within - turned, rate, GS, 2.0 * BtS]
            to_q, to_v, GS, B2 = (force_to_frame(R[j], p[j], f) for f in carried)
            for i in tree.ancestors[j]:
                for row, (axis, axis_dd, axis_rate) in enumerate(in_common[i]):
                    above = rows[i].start + row
                    dq[above, at] = dot(axis, to_q)
                    dq[at, above] = dot(axis_dd, GS) + dot(psid_common[i][row], B2)
                    dv[above, at] = dot(axis, to_v)
                    dv[at, above] = dot(axis_rate, GS) + dot(axis, B2)
                    M[above, at] = M[at, above] = dot(axis, GS)
    return collect(tree, forces), contract(tree, dq), contract(tree, dv), contract(tree, M)


def _bias(E: Array, P: Array, X: Array) -> Array:
    """B X with B = [[E, 0], [-P~, 0]]."""
    return stack(E @ X[:3], cross(X[:3], P))


def forward_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array
) -> tuple[Array, Array, Array, Array]:
    """a, da/dq, da/dv and da/dtau = M^-1: minus M^-1 times the derivatives of tau at a."""
    a = forward_dynamics(tree, q, v, tau)
    _, dq, dv, M = inverse_dynamics_derivatives(tree, q, v, a)
    factors = factorise(M)
    n = tree.nv
    inverse = zeros(n, n)
    for k, column in enumerate(identity(n)):
        inverse[:, k] = solve_factorised(*factors, column)
    a_q, a_v = zeros(n, n), zeros(n, n)
    for k in range(n):
        a_q[:, k] = -solve_factorised(*factors, dq[:, k])
        a_v[:, k] = -solve_factorised(*factors, dv[:, k])
    return a, a_q, a_v, inverse
