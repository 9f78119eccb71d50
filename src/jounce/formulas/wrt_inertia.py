"""Derivatives with respect to the inertial parameters pi, ten per body in the model's frames.

Momentum, wrench and bias of a body are linear in its parameters (Garofalo 8-12): G X = A(X) pi.
With the body's Jacobian J_k derivatives of quantities linear in pi are J_k^T A (13, 16), others
follow by the quotient rule and the derivative of an inverse. The last axis runs over parameters:
10 nb entries, body by body, in the order of `Robot.parameters`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.formulas.dynamics import (
    accelerations,
    forward_dynamics,
    mass_matrix,
    mass_matrix_inverse,
)
from jounce.formulas.kinematics import accumulate, joint_poses, joint_rates, twists
from jounce.formulas.momenta import (
    center_of_mass,
    first_moment,
    momentum,
    momentum_matrix,
    per_mass,
)
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, matrix, sign, sqrt, zeros
from jounce.math.spatial import Pose, Rotation, ad, bracket, cross, skew, stack
from jounce.model.tree import Tree

#: Type of q: an array, or a `kinematics.Motion`.
Configuration = Any

# ------------------------------------------------------------------ one body


def inertia_times(w: Array) -> Array:
    """Return the matrix (3, 6) with I w = matrix (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)."""
    return matrix(
        (
            (w[0], 0.0, 0.0, w[1], w[2], 0.0),
            (0.0, w[1], 0.0, w[0], 0.0, w[2]),
            (0.0, 0.0, w[2], 0.0, w[0], w[1]),
        )
    )


def momentum_columns(X: Array) -> Array:
    """Return A (6, 10) with G X = A pi (Garofalo 10-12)."""
    A = zeros(6, 10)
    w, u = X[:3], X[3:]
    A[:3, 1:4], A[:3, 4:] = -skew(u), inertia_times(w)
    A[3:, 0], A[3:, 1:4] = u, skew(w)
    return A


def wrench_columns(w: Array, dw: Array, c: Array) -> Array:
    """Return A (6, 10) with the wrench = A pi, from w, w' and the acceleration c of the origin.

    Force m c + B h, moment h x c + I w' + w x I w, with B = w'~ + w~ w~.
    """
    A = zeros(6, 10)
    turn = skew(w)
    A[:3, 1:4], A[:3, 4:] = -skew(c), inertia_times(dw) + turn @ inertia_times(w)
    A[3:, 0], A[3:, 1:4] = c, skew(dw) + turn @ turn
    return A


def bias_columns(V: Array, X: Array) -> Array:
    """Return A (6, 10) with B X = A pi, B = -(G ad_V + ad_V^T G + adstar_GV) / 2.

    By the identity of tr(I) 1 - I for cross products, the moment is w x I x - tr(I) (w x x) / 2.
    """
    A = zeros(6, 10)
    w, u, x = V[:3], V[3:], X[:3]
    A[:3, 1:4] = skew(cross(u, x))
    A[:3, 4:] = skew(w) @ inertia_times(x)
    half = 0.5 * cross(w, x)
    for k in range(3):
        A[:3, 4 + k] = A[:3, 4 + k] - half
    A[3:, 0], A[3:, 1:4] = cross(x, u), skew(x) @ skew(w)
    return A


def garofalo_columns(V: Array, X: Array) -> Array:
    """Return A (6, 10) with B X = A pi, B = -ad_V^T G: of `coriolis.coriolis_matrix_garofalo`."""
    return -(ad(V).T @ momentum_columns(X))


def mueller_kumar_columns(V: Array, X: Array) -> Array:
    """Return A (6, 10), B X = A pi, B = -(G ad_V + ad_V^T G), of Mueller and Kumar's C."""
    return garofalo_columns(V, X) - momentum_columns(bracket(V, X))


#: Function (V, X) to A (6, 10) with B X = A pi of a body; it selects the Coriolis matrix.
Columns = Callable[[Array, Array], Array]


# ------------------------------------------------------------------ all bodies


def user_poses(tree: Tree) -> list[Pose]:
    """Return the pose of each body frame of the model in the frame of its node."""
    nodes = (tree.nodes[i] for i in tree.node_of_body)
    return [Pose([Rotation(node.R_user)], node.p_user) for node in nodes]


def body_motions(tree: Tree, motions: list[Array]) -> list[Array]:
    """Transform twists of nodes to the model's body frames."""
    bodies = zip(user_poses(tree), tree.node_of_body, strict=True)
    return [X.motion_to_child(motions[i]) for X, i in bodies]


def body_jacobians(
    tree: Tree, poses: list[Pose], joint_twists: list[list[Array]] | None = None
) -> list[dict[int, Array]]:
    """Return the nonzero columns of each body's Jacobian, by their index in v.

    joint_twists: twists to use in place of the axes of the joints.
    """
    columns: list[dict[int, Array]] = []
    for i, (node, X) in enumerate(zip(tree.nodes, poses, strict=True)):
        parent_columns = {} if node.parent < 0 else columns[node.parent]
        node_columns = {v: X.motion_to_child(U) for v, U in parent_columns.items()}
        for k, axis in enumerate(node.S.T if joint_twists is None else joint_twists[i]):
            v = node.v + k
            node_columns[v] = (
                node.gain * axis if v not in node_columns else node_columns[v] + node.gain * axis
            )
        columns.append(node_columns)
    bodies = zip(user_poses(tree), tree.node_of_body, strict=True)
    return [{v: X.motion_to_child(U) for v, U in columns[i].items()} for X, i in bodies]


def axis_rates(tree: Tree, V: list[Array]) -> list[list[Array]]:
    """Return Sd = ad_V S of each joint, the inertial rate of its axes, in its frame."""
    return [[bracket(Vi, s) for s in node.S.T] for node, Vi in zip(tree.nodes, V, strict=True)]


def _per_body(tree: Tree, *shape: int) -> Array:
    return zeros(*shape, 10 * tree.nb)


def _body_slice(b: int) -> slice:
    return slice(10 * b, 10 * b + 10)


def _project(tree: Tree, poses: list[Pose], columns: list[Array]) -> Array:
    """Return the J_k^T A_k of all bodies side by side (nv, 10 nb)."""
    Y = _per_body(tree, tree.nv)
    for b, (J, A) in enumerate(zip(body_jacobians(tree, poses), columns, strict=True)):
        for v, U in J.items():
            Y[v, _body_slice(b)] = U @ A
    return Y


def wrench_regressors(
    tree: Tree, V: list[Array], dw: list[Array], field: list[Array], c: list[Array]
) -> list[Array]:
    """Return A (6, 10) of each body with its wrench = A pi, from `twists` and `accelerations`."""
    columns = []
    for X, i in zip(user_poses(tree), tree.node_of_body, strict=True):
        turn = X.unrotate(V[i][:3]), X.unrotate(dw[i])
        columns.append(wrench_columns(*turn, X.unrotate(c[i] + field[i] @ X.r)))
    return columns


def inverse_dynamics_dpi(tree: Tree, q: Configuration, v: Array, a: Array) -> Array:
    """Return the regressor Y (nv, 10 nb): tau = Y pi + armature a - J^T w (Garofalo 16)."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    return _project(tree, poses, wrench_regressors(tree, V, *accelerations(tree, poses, v, a)))


def slotine_li_regressor(
    tree: Tree,
    q: Configuration,
    v: Array,
    v_r: Array,
    a_r: Array,
    kernel: Columns = bias_columns,
) -> Array:
    """Return Y (nv, 10 nb) with M a_r + C v_r + g = Y pi + armature a_r (Garofalo 15, 16).

    For a spherical joint the armature term is A (a_r + v x v_r / 2), see `rotor_columns`.
    Y_k = J_k^T (A(alpha_k) + B(V_k) J_k v_r), alpha = sum of S a_r + ad_V S v_r, gravity included:
    Garofalo's form. kernel: selects C by its B, by default the Christoffel one.
    """
    poses = joint_poses(tree, q)
    V, V_r = twists(tree, poses, v), twists(tree, poses, v_r)
    alpha: list[Array] = []
    steps = zip(joint_rates(tree, v_r), joint_rates(tree, a_r), strict=True)
    for i, (node, X, (vi, ai)) in enumerate(zip(tree.nodes, poses, steps, strict=True)):
        if node.parent < 0:
            carried = stack(zeros(3), X.unrotate(-tree.gravity))
        else:
            carried = X.motion_to_child(alpha[node.parent])
        alpha.append(carried + node.S @ ai + bracket(V[i], node.S @ vi))
    moving = zip(*(body_motions(tree, x) for x in (V, V_r, alpha)), strict=True)
    columns = [momentum_columns(al) + kernel(Vb, Vr) for Vb, Vr, al in moving]
    return _project(tree, poses, columns)


def generalized_momentum_dpi(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the regressor of the generalized momentum M v (nv, 10 nb)."""
    poses = joint_poses(tree, q)
    moving = body_motions(tree, twists(tree, poses, v))
    return _project(tree, poses, [momentum_columns(V) for V in moving])


def momentum_forces_dpi(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the regressor of C^T v - g: rows V_k^T (G X_i + B J_i), X_i = ad_V J_i."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    still = zeros(tree.nv)
    out = -inverse_dynamics_dpi(tree, q, still, still)
    turning = body_jacobians(tree, poses, axis_rates(tree, V))
    bodies = zip(body_motions(tree, V), body_jacobians(tree, poses), turning, strict=True)
    for b, (Vb, J, rates) in enumerate(bodies):
        for i, U in J.items():
            columns = momentum_columns(rates[i]) + bias_columns(Vb, U)
            out[i, _body_slice(b)] = out[i, _body_slice(b)] + Vb @ columns
    return out


def mass_matrix_dpi(tree: Tree, q: Configuration) -> Array:
    """Return dM/dpi (nv, nv, 10 nb): J_k^T G(e) J_k (Garofalo 13a)."""
    return _quadratic(tree, body_jacobians(tree, joint_poses(tree, q)))


def _quadratic(tree: Tree, columns: list[dict[int, Array]]) -> Array:
    """Return d(X_k^T G_k X_k)/dpi (nv, nv, 10 nb) for columns X_k of each body."""
    out = _per_body(tree, tree.nv, tree.nv)
    for b, X in enumerate(columns):
        momenta = {i: momentum_columns(U) for i, U in X.items()}
        for i, U in X.items():
            for j, A in momenta.items():
                if i <= j:
                    out[i, j, _body_slice(b)] = out[j, i, _body_slice(b)] = U @ A
    return out


def mass_matrix_inverse_dpi(tree: Tree, q: Configuration) -> Array:
    """Return dM^-1/dpi = -(J_k M^-1)^T G(e) (J_k M^-1)."""
    inverse = mass_matrix_inverse(tree.lumped, q)
    columns = []
    for J in body_jacobians(tree, joint_poses(tree, q)):
        dense = {}
        for i in range(tree.nv):
            dense[i] = sum((U * inverse[v, i] for v, U in J.items()), zeros(6))
        columns.append(dense)
    return -_quadratic(tree, columns)


def coriolis_matrix_dpi(
    tree: Tree, q: Configuration, v: Array, kernel: Columns = bias_columns
) -> Array:
    """Return dC/dpi (nv, nv, 10 nb): J_k^T (G(e) X_k + B(e) J_k) (Garofalo 13b).

    kernel: selects C by its B, by default the Christoffel one.
    """
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    turning = body_jacobians(tree, poses, axis_rates(tree, V))
    out = _per_body(tree, tree.nv, tree.nv)
    bodies = zip(body_motions(tree, V), body_jacobians(tree, poses), turning, strict=True)
    for b, (Vb, J, rates) in enumerate(bodies):
        for j, Uj in J.items():
            columns = momentum_columns(rates[j]) + kernel(Vb, Uj)
            for i, Ui in J.items():
                out[i, j, _body_slice(b)] = Ui @ columns
    return out


def equations_of_motion_dpi(
    tree: Tree, q: Configuration, v: Array, kernel: Columns = bias_columns
) -> tuple[Array, Array, Array]:
    """Return dM/dpi, dC/dpi (nv, nv, 10 nb) and dg/dpi (nv, 10 nb) (Garofalo 13).

    kernel: selects C by its B, by default the Christoffel one.
    """
    still = zeros(tree.nv)
    by_M, by_C = mass_matrix_dpi(tree, q), coriolis_matrix_dpi(tree, q, v, kernel)
    return by_M, by_C, inverse_dynamics_dpi(tree, q, still, still)


def christoffel_dpi(tree: Tree, q: Configuration) -> Array:
    """Return dGamma/dpi (nv, nv, nv, 10 nb): dC/dpi at each unit velocity."""
    units = np.eye(tree.nv).astype(object)
    return np.stack([coriolis_matrix_dpi(tree, q, unit) for unit in units], axis=2)


def forward_dynamics_dpi(
    tree: Tree, q: Configuration, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return da/dpi = -M^-1 Y(q, v, a)."""
    a = forward_dynamics(tree.lumped, q, v, tau, wrenches)
    Y = inverse_dynamics_dpi(tree, q, v, a)
    factors = factorize(mass_matrix(tree.lumped, q))
    return -np.stack([solve_factorized(*factors, y) for y in Y.T], axis=-1)


# ------------------------------------------------------------------ energies and momenta


def kinetic_energy_dpi(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the derivative of the kinetic energy, V_k^T A(V_k) / 2."""
    V = body_motions(tree, twists(tree, joint_poses(tree, q), v))
    return np.concatenate([0.5 * (Vb @ momentum_columns(Vb)) for Vb in V])


def _world_poses(tree: Tree, q: Configuration) -> list[tuple[Array, Array]]:
    """Return the rotation and origin of each body's frame in the world."""
    R, p = accumulate(tree, joint_poses(tree, q))
    bodies = zip(user_poses(tree), tree.node_of_body, strict=True)
    return [(R[i] @ X.R, p[i] + R[i] @ X.r) for X, i in bodies]


def _moment_columns(tree: Tree, q: Configuration) -> tuple[Array, Array]:
    """Return derivatives of total mass (10 nb) and first moment (3, 10 nb) in pi."""
    mass, moment = _per_body(tree), _per_body(tree, 3)
    for b, (R, p) in enumerate(_world_poses(tree, q)):
        mass[10 * b] = 1.0
        moment[:, 10 * b] = p
        moment[:, 10 * b + 1 : 10 * b + 4] = R
    return mass, moment


def center_of_mass_dpi(tree: Tree, q: Configuration) -> Array:
    """Return the derivative of the center of mass, (dh - c dm) / m."""
    mass, moment = _moment_columns(tree, q)
    c = center_of_mass(tree, q)
    total, _ = first_moment(tree, joint_poses(tree, q))
    return (moment - np.multiply.outer(c, mass)) * per_mass(total)


def momentum_dpi(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the regressor of the momentum: A(V_k) of each body about the world's origin."""
    V = body_motions(tree, twists(tree, joint_poses(tree, q), v))
    out = _per_body(tree, 6)
    for b, (Vb, (R, p)) in enumerate(zip(V, _world_poses(tree, q), strict=True)):
        out[:, _body_slice(b)] = _to_world(R, p, momentum_columns(Vb))
    return out


def _to_world(R: Array, p: Array, A: Array) -> Array:
    """Transform wrenches or momenta (6, 10) of a body from its frame to the world frame."""
    force = R @ A[3:]
    return np.concatenate((R @ A[:3] + skew(p) @ force, force))


def momentum_matrix_dpi(tree: Tree, q: Configuration) -> Array:
    """Return the momentum matrix's derivative (6, nv, 10 nb): A(J_k) about the world's origin."""
    out = _per_body(tree, 6, tree.nv)
    jacobians = body_jacobians(tree, joint_poses(tree, q))
    for b, (J, (R, p)) in enumerate(zip(jacobians, _world_poses(tree, q), strict=True)):
        for i, U in J.items():
            out[:, i, _body_slice(b)] = _to_world(R, p, momentum_columns(U))
    return out


def _centroidal(tree: Tree, q: Configuration, F: Array, dF: Array) -> Array:
    """Return the derivative of a momentum (or matrix) about the center of mass: L - c x P."""
    c, dc = center_of_mass(tree, q), center_of_mass_dpi(tree, q)
    out = dF.copy()
    for k in np.ndindex(F.shape[1:]):
        P, dP = F[(slice(3, 6), *k)], dF[(slice(3, 6), *k)]
        out[(slice(0, 3), *k)] = dF[(slice(0, 3), *k)] - skew(c) @ dP + skew(P) @ dc
    return out


def centroidal_momentum_dpi(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the derivative in pi of the momentum about the center of mass."""
    return _centroidal(tree, q, momentum(tree, q, v), momentum_dpi(tree, q, v))


def centroidal_momentum_matrix_dpi(tree: Tree, q: Configuration) -> Array:
    """Return the derivative of the centroidal momentum matrix in pi."""
    return _centroidal(tree, q, momentum_matrix(tree, q), momentum_matrix_dpi(tree, q))


# ------------------------------------------------------------------ drives


def rotor_columns(v: Array, v_r: Array) -> Array:
    """Return the derivative (3, 3) of C v_r in the armatures of a spherical joint.

    It is that of a body with these moments of inertia in the joint's frame. As the armature is the
    same about all axes, only the sum of the columns matters: v x v_r / 2.
    """
    still = zeros(3)
    V, V_r, turned = (stack(x, still) for x in (v, v_r, cross(v, v_r)))
    return (bias_columns(V, V_r) + momentum_columns(turned))[:3, 4:7]


def drive_columns(tree: Tree, v: Array, v_r: Array, a_r: Array, smoothing: Any = None) -> Array:
    """Return regressor columns (nv, 3 nv) of armature, viscous and Coulomb friction: a_r, v, sign.

    v_r: reference velocity, or v itself. smoothing: speed e that replaces sign(v) by
    v / sqrt(v^2 + e^2). There is one parameter of each kind per entry of v.
    """
    n = tree.nv
    out = zeros(n, 3 * n)
    for i in range(n):
        out[i, i], out[i, n + i] = a_r[i], v[i]
        smooth = smoothing is not None
        out[i, 2 * n + i] = (
            v[i] / sqrt(v[i] * v[i] + smoothing * smoothing) if smooth else sign(v[i])
        )
    for node in tree.nodes:
        if node.motion.armature == "ball":
            entries = node.vs
            out[entries, entries] = out[entries, entries] + rotor_columns(v[entries], v_r[entries])
    return out
