"""A. Mueller, S. Kumar (2021): the equations of motion and their first two time derivatives.

Q = M a + C v + Q_grav + Q_ext (1), Qdot (28) and Qddot (38), with every matrix of joint space of
the form J^T Z J: J = A X is the Jacobian of all bodies at once and Z a 6N x 6N matrix of products
of A, M = diag(M_i), a = diag(ad of the joints' own twists) and b = diag(ad of the bodies' twists).
Products are written as the paper writes them: M A a A a is `chain(M, A, a, A, a)`.

What differs from the print:

* Trees: A holds Ad_{C_k,j} for every ancestor j of k, D the block of the parent, U all bodies.
* q-dot, q-ddot, ... are v, a, j, s. The matrices a(q-ddot), a(q-dddot), b(Vdot), b(Vddot), dotted
  in the paper, are a1, a2, b1, b2; C', C'' and M1' are time derivatives of 6N x 6N matrices.
* Wrenches W are exerted **by** the bodies on the environment, since Q_ext = +J^T W (27): for
  wrenches that act on the bodies, the library's convention, pass their negative. W is stacked (6N),
  one wrench (moment, force) per node, in the node's frame.
* Armature (`common.armature_matrix`) is added to M and Q.
* A joint that mimics another adds its columns to its leader's in X; no formula changes.
* Corrected (formulas.md, section 2): (35) ends in - M A a a; the first term of (43) is
  M1(q, q-ddot); the last term of (50) has the factor 1; (51) has - 4 M A a A a A a; (53) has
  (A a1)^T once. `system_jerk`, which b2 needs, is not printed.

(12) and all that follows from it, (28) to (57), need joints with one degree of freedom, for which
a X = 0, and refuse others. (8) to (27) hold for every joint: C v is right, though C is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.math.scalar import Array, cos, identity, sin, zeros
from jounce.math.spatial import (
    ad,
    adjoint,
    adjoint_inverse,
    cross,
    dot,
    skew,
    spatial_inertia,
    stack,
)
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import (
    armature_matrix,
    block_diagonal,
    joint_columns,
    joint_coordinates,
    minus_gravity,
    poses,
    product,
    relative_pose,
)

Configuration = tuple[Array, Array]


def chain(*factors: Array) -> Array:
    """The product of matrices, from the right, passing over structural zeros."""
    out = factors[-1]
    for factor in reversed(factors[:-1]):
        out = product(factor, out)
    return out


def need_single_joints(tree: Tree) -> None:
    """Refuse a tree that has a joint with several degrees of freedom."""
    for node in tree.nodes:
        if node.S.shape[1] > 1:
            raise ValueError(
                f"joint {node.body} ({node.motion}) has {node.S.shape[1]} degrees of freedom;"
                " these equations of Mueller and Kumar need joints with one"
                " (garofalo2013 and jounce.formulas take every kind)"
            )


# ------------------------------------------------------------------ 2.1 kinematics


@equation("2")
def relative_configuration(C_i: Configuration, C_j: Configuration) -> Configuration:
    """C_{i,j} = C_i^-1 C_j as (R_ij, r_ij): the pose of frame j in frame i."""
    (R_i, r_i), (R_j, r_j) = C_i, C_j
    return R_i.T @ R_j, R_i.T @ (r_j - r_i)


@equation("3")
def configurations(tree: Tree, q: Array) -> list[Configuration]:
    """C_i = C_p B_i exp(X_i q_i): the product of exponentials, B_i the pose at q = 0."""
    need_single_joints(tree)
    C: list[Configuration] = []
    for node in tree.nodes:
        exp = prismatic_exponential if node.motion == "prismatic" else screw_exponential
        R_e, r_e = exp(node.S[:, 0], joint_coordinates(node, q)[0])
        R, r = node.R0 @ R_e, node.R0 @ r_e + node.p0
        if node.parent >= 0:
            R_p, r_p = C[node.parent]
            R, r = R_p @ R, R_p @ r + r_p
        C.append((R, r))
    return C


@equation("4")
def screw(e: Array, x: Array, h: Any) -> Array:
    """X = (e, x x e + h e): unit axis e through the point x, pitch h."""
    return stack(e, cross(x, e) + h * e)


@equation("5")
def revolute_screw(e: Array, x: Array) -> Array:
    """X = (e, x x e): unit axis e through the point x."""
    return stack(e, cross(x, e))


@equation("5")
def prismatic_screw(e: Array) -> Array:
    """X = (0, e): along the unit vector e."""
    return stack(zeros(3), e)


@equation("6")
def screw_exponential(X: Array, phi: Any) -> Configuration:
    """exp(phi X) = (exp(phi e~), (1 - exp(phi e~)) x + phi h e), for a finite pitch h.

    The point x = e x eta of the axis, the one next to the origin, and h = e . eta come from
    X = (e, eta).
    """
    e, eta = X[:3], X[3:]
    R = rotation_exponential(e, phi)
    return R, (identity(3) - R) @ cross(e, eta) + phi * dot(e, eta) * e


@equation("6")
def prismatic_exponential(X: Array, phi: Any) -> Configuration:
    """exp(phi X) = (1, phi e), for X = (0, e)."""
    return identity(3), phi * X[3:]


@equation("7")
def rotation_exponential(e: Array, phi: Any) -> Array:
    """exp(phi e~) = 1 + sin(phi) e~ + (1 - cos(phi)) e~ e~."""
    return identity(3) + sin(phi) * skew(e) + (1.0 - cos(phi)) * (skew(e) @ skew(e))


@equation("8")
def system_twist(tree: Tree, q: Array, v: Array) -> Array:
    """V = J v (6N): the body-fixed twists of all bodies."""
    return system_jacobian(tree, q) @ v


@equation("9")
def system_jacobian(tree: Tree, q: Array) -> Array:
    """J = A X (6N x nv)."""
    return product(tree_operator(tree, q), screw_matrix(tree))


@equation("10")
def tree_operator(tree: Tree, q: Array) -> Array:
    """A (6N x 6N): 1 on the diagonal, Ad_{C_{k,j}} in row k and the column of its ancestor j."""
    C = poses(tree, q)
    A = identity(6 * len(tree.nodes))
    for k, above in enumerate(tree.ancestors):
        for j in above:
            A[_rows(k), _rows(j)] = frame_adjoint(relative_configuration(C[k], C[j]))
    return A


@equation("10")
def screw_matrix(tree: Tree) -> Array:
    """X (6N x nv), constant: block row i holds X_i in the column of joint i."""
    return np.concatenate([joint_columns(tree, node) for node in tree.nodes])


@equation("11")
def frame_adjoint(C_ij: Configuration) -> Array:
    """Ad_{C_{i,j}} = [[R, 0], [r~ R, R]]: screw coordinates from frame j to frame i."""
    return adjoint(*C_ij)


@equation("12")
def jacobian_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Jdot = -A a J."""
    need_single_joints(tree)
    return -chain(tree_operator(tree, q), joint_brackets(tree, v), system_jacobian(tree, q))


@equation("13")
def joint_brackets(tree: Tree, v: Array) -> Array:
    """a(v) = diag(v_1 ad_X1, ..., v_n ad_Xn); with accelerations a1, with jerks a2."""
    return block_diagonal([screw_bracket(joint_columns(tree, node) @ v) for node in tree.nodes])


@equation("14")
def screw_bracket(X: Array) -> Array:
    """ad_X = [[xi~, 0], [eta~, xi~]] of the screw X = (xi, eta)."""
    return ad(X)


@equation("15")
def system_acceleration(A: Array, J: Array, a: Array, V: Array, acceleration: Array) -> Array:
    """Vdot = J q-ddot - A a V (6N)."""
    return J @ acceleration - A @ (a @ V)


def system_jerk(s: System, jerk: Array) -> Array:
    """Vddot = J q-dddot - A a1 V - 2 A a Vdot - A a a V (6N), which the paper does not print."""
    (a, a1), (V, Vdot) = s.a[:2], s.V[:2]
    return s.J @ jerk - s.A @ (a1 @ V + 2.0 * (a @ Vdot) + a @ (a @ V))


@equation("16")
def tree_operator_inverse_form(tree: Tree, q: Array) -> Array:
    """A = (1 - D)^-1 = 1 + D + D D + ..., a finite sum: the same A as (10)."""
    D = neighbour_operator(tree, q)
    A = identity(len(D))
    for _ in range(max((len(above) for above in tree.ancestors), default=0)):
        A = identity(len(D)) + product(D, A)
    return A


@equation("17")
def neighbour_operator(tree: Tree, q: Array) -> Array:
    """D (6N x 6N): Ad_{C_{k,p}} in row k and the column of its parent p."""
    D = zeros(6 * len(tree.nodes), 6 * len(tree.nodes))
    for k, node in enumerate(tree.nodes):
        if node.parent >= 0:
            D[_rows(k), _rows(node.parent)] = adjoint_inverse(*relative_pose(node, q))
    return D


@equation("18")
def tree_operator_rate_inverse_form(tree: Tree, q: Array, v: Array) -> Array:
    """Adot = A Ddot A, with Ddot = -a D."""
    A, a, D = tree_operator(tree, q), joint_brackets(tree, v), neighbour_operator(tree, q)
    return -chain(A, a, D, A)


@equation("19")
def tree_operator_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Adot = A a - A a A."""
    A, a = tree_operator(tree, q), joint_brackets(tree, v)
    return chain(A, a) - chain(A, a, A)


# ------------------------------------------------------------------ 2.2 equations of motion


@equation("1")
def inverse_dynamics(tree: Tree, q: Array, v: Array, a: Array, W: Array | None = None) -> Array:
    """Q = M a + C v + Q_grav + Q_ext; W: wrenches exerted by the bodies (6N)."""
    Q = mass_matrix(tree, q) @ a + coriolis_matrix(tree, q, v) @ v + gravity_forces(tree, q)
    return Q if W is None else Q + external_forces(tree, q, W)


@equation("20")
def mass_matrix(tree: Tree, q: Array) -> Array:
    """M = J^T diag(M_i) J, and armature on the diagonal."""
    J = system_jacobian(tree, q)
    return chain(J.T, system_inertia(tree), J) + armature_matrix(tree)


@equation("20")
def coriolis_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """C = J^T C J with the C of (22); v^T (Mdot - 2 C) v = 0, but Mdot - 2 C is not skew."""
    A, J = tree_operator(tree, q), system_jacobian(tree, q)
    a, b = joint_brackets(tree, v), body_brackets(J @ v)
    return chain(J.T, coriolis_kernel(system_inertia(tree), A, a, b), J)


@equation("21")
def system_inertia(tree: Tree) -> Array:
    """M = diag(M_1, ..., M_N) (6N x 6N), constant."""
    return block_diagonal([spatial_inertia(node.inertia) for node in tree.nodes])


@equation("22")
def coriolis_kernel(M: Array, A: Array, a: Array, b: Array) -> Array:
    """C(q, v, V) = -M A a(v) - b(V)^T M; also used with (q-ddot, Vdot) and (q-dddot, Vddot)."""
    return -chain(M, A, a) - chain(b.T, M)


@equation("23")
def body_brackets(V: Array) -> Array:
    """b(V) = diag(ad_V1, ..., ad_VN) of the stacked twists V (6N)."""
    return block_diagonal([ad(V[_rows(i)]) for i in range(len(V) // 6)])


@equation("24")
def body_inertia(m: Any, c: Array, Theta_c: Array, R_bc: Array) -> Array:
    """M_i = [[Theta_b, m c~], [-m c~, m 1]], Theta_b = R_bc Theta_c R_bc^T - m c~ c~ (Steiner)."""
    Theta_b = R_bc @ Theta_c @ R_bc.T - m * (skew(c) @ skew(c))
    M = zeros(6, 6)
    M[:3, :3], M[:3, 3:], M[3:, :3], M[3:, 3:] = Theta_b, m * skew(c), -m * skew(c), m * identity(3)
    return M


@equation("25")
def gravity_forces(tree: Tree, q: Array) -> Array:
    """Q_grav = J^T M U G, with G = -(0, g)."""
    J = system_jacobian(tree, q)
    return J.T @ (system_inertia(tree) @ (gravity_operator(tree, q) @ minus_gravity(tree)))


@equation("26")
def gravity_operator(tree: Tree, q: Array) -> Array:
    """U = A (Ad_{C_1}^-1, 0, ..., 0) (6N x 6), a block for every body on the base.

    Its block rows are the Ad_{C_k}^-1.
    """
    first = zeros(6 * len(tree.nodes), 6)
    for k, node in enumerate(tree.nodes):
        if node.parent < 0:
            first[_rows(k)] = adjoint_inverse(*relative_pose(node, q))
    return product(tree_operator(tree, q), first)


@equation("27")
def external_forces(tree: Tree, q: Array, W: Array) -> Array:
    """Q_ext = J^T W, the forces that exert the wrenches W (6N) on the environment."""
    return system_jacobian(tree, q).T @ W


@dataclass(frozen=True, eq=False)
class System:
    """The system matrices at one state, which all derivatives share.

    UG: U G (6N). a, V, b: lists of a(v), a1, a2; V, Vdot, Vddot; b(V), b1, b2, as far as the
    rates go.
    """

    tree: Tree
    A: Array
    J: Array
    M: Array
    UG: Array
    a: list[Array]
    V: list[Array]
    b: list[Array]


def system(tree: Tree, q: Array, *rates: Array) -> System:
    """The system matrices for q and up to three of its rates v, a, j."""
    need_single_joints(tree)
    if len(rates) > 3:
        raise ValueError(f"the paper goes as far as the jerk: 3 rates at most, found {len(rates)}")
    A, UG = tree_operator(tree, q), gravity_operator(tree, q) @ minus_gravity(tree)
    a = [joint_brackets(tree, rate) for rate in rates]
    s = System(tree, A, product(A, screw_matrix(tree)), system_inertia(tree), UG, a, [], [])
    for order, rate in enumerate(rates):
        if order == 0:
            V = s.J @ rate
        elif order == 1:
            V = system_acceleration(A, s.J, a[0], s.V[0], rate)
        else:
            V = system_jerk(s, rate)
        s.V.append(V)
        s.b.append(body_brackets(V))
    return s


def _project(s: System, Z: Array) -> Array:
    return chain(s.J.T, Z, s.J)


def _mass(s: System) -> Array:
    return _project(s, s.M) + armature_matrix(s.tree)


# ------------------------------------------------------------------ 3 first derivative


@equation("28")
def inverse_dynamics_rate(
    tree: Tree, q: Array, v: Array, a: Array, j: Array, W: Array | None = None, *dW: Array
) -> Array:
    """Qdot = M j + (Mdot + C) a + Cdot v + Qdot_grav + Qdot_ext; dW: Wdot."""
    s = system(tree, q, v, a)
    Q = _mass(s) @ j + (mass_matrix_rate(s) + _project(s, _kernel(s))) @ a
    Q = Q + coriolis_rate(s) @ v + gravity_rate(s)
    return Q if W is None else Q + external_rate(s, W, *dW)


@equation("29")
def mass_matrix_rate(s: System) -> Array:
    """Mdot = J^T M1 J."""
    return _project(s, mass_kernel_1(s.M, s.A, s.a[0]))


@equation("30")
def mass_kernel_1(M: Array, A: Array, a: Array) -> Array:
    """M1 = -M A a - (M A a)^T."""
    MAa = chain(M, A, a)
    return -MAa - MAa.T


@equation("31")
def coriolis_rate(s: System) -> Array:
    """Cdot = J^T C1 J."""
    return _project(s, coriolis_kernel_1(s))


@equation("32")
def coriolis_kernel_1_by_parts(s: System) -> Array:
    """C1 = C' - C A a - a^T A^T C."""
    return coriolis_kernel_rate(s) - _both_sides(s, _kernel(s))


@equation("33")
def coriolis_kernel_rate(s: System) -> Array:
    """C' = C(q, q-ddot, Vdot) + M A a A a - M A a a."""
    M, A, a = s.M, s.A, s.a[0]
    return _kernel(s, 1) + chain(M, A, a, A, a) - chain(M, A, a, a)


@equation("34")
def coriolis_kernel_1(s: System) -> Array:
    """C1 = C(q, q-ddot, Vdot) + M A a A a - M A a a - C A a - a^T A^T C."""
    M, A, a, C = s.M, s.A, s.a[0], _kernel(s)
    MAa = chain(M, A, a)
    return _kernel(s, 1) + chain(MAa, A, a) - chain(MAa, a) - chain(C, A, a) - chain(a.T, A.T, C)


@equation("35")
def coriolis_kernel_1_explicit(s: System) -> Array:
    """The same C1 without C: a1, b1 and products of a and b."""
    M, A, (a, a1), (b, b1) = s.M, s.A, s.a[:2], s.b[:2]
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    first = -chain(M, A, a1) - chain(b1.T, M) + chain(b.T, M, Aa) + chain(aTAT, b.T, M)
    return first + chain(aTAT, M, Aa) + 2.0 * chain(M, Aa, Aa) - chain(M, Aa, a)


@equation("36")
def gravity_rate(s: System) -> Array:
    """Qdot_grav = J^T M1 U G, by Udot = -A a U."""
    return s.J.T @ (mass_kernel_1(s.M, s.A, s.a[0]) @ s.UG)


@equation("37")
def external_rate(s: System, W: Array, Wdot: Array) -> Array:
    """Qdot_ext = J^T (Wdot - (A a)^T W)."""
    return s.J.T @ (Wdot - s.a[0].T @ (s.A.T @ W))


def _kernel(s: System, order: int = 0) -> Array:
    """C of (22) with the rates of the given order: (v, V), (q-ddot, Vdot) or (q-dddot, Vddot)."""
    return coriolis_kernel(s.M, s.A, s.a[order], s.b[order])


def _both_sides(s: System, Z: Array) -> Array:
    """Z A a + a^T A^T Z: what Jdot = -A a J takes away from the derivative of J^T Z J."""
    A, a = s.A, s.a[0]
    return chain(Z, A, a) + chain(a.T, A.T, Z)


# ------------------------------------------------------------------ 4 second derivative


@equation("38")
def inverse_dynamics_second_rate(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    j: Array,
    s: Array,
    W: Array | None = None,
    *dW: Array,
) -> Array:
    """Qddot = M s + (2 Mdot + C) j + (Mddot + 2 Cdot) a + Cddot v + Qddot_grav + Qddot_ext.

    dW: Wdot, Wddot.
    """
    at = system(tree, q, v, a, j)
    Mdot, C = mass_matrix_rate(at), _project(at, _kernel(at))
    Q = _mass(at) @ s + (2.0 * Mdot + C) @ j
    Q = Q + (mass_matrix_second_rate(at) + 2.0 * coriolis_rate(at)) @ a
    Q = Q + coriolis_second_rate(at) @ v + gravity_second_rate(at)
    return Q if W is None else Q + external_second_rate(at, W, *dW)


@equation("39", "40")
def mass_matrix_second_rate(s: System) -> Array:
    """Mddot = J^T (M1' - M1 A a - a^T A^T M1) J = J^T M2 J."""
    return _project(s, mass_kernel_2_by_parts(s))


@equation("40")
def mass_kernel_2_by_parts(s: System) -> Array:
    """M2 = M1' - M1 A a - a^T A^T M1."""
    return mass_kernel_1_rate(s) - _both_sides(s, mass_kernel_1(s.M, s.A, s.a[0]))


@equation("41")
def mass_kernel_1_rate(s: System) -> Array:
    """M1' = M1(q, q-ddot) + M (A a A - A a) a + (M (A a A - A a) a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    turned = chain(M, chain(A, a, A) - chain(A, a), a)
    return mass_kernel_1(M, A, a1) + turned + turned.T


@equation("42")
def mass_kernel_1_rate_expanded(s: System) -> Array:
    """M1' = M1(q, q-ddot) - M A a a + M A a A a - (M A a a)^T + (M A a A a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    MAaa, MAaAa = chain(M, A, a, a), chain(M, A, a, A, a)
    return mass_kernel_1(M, A, a1) - MAaa + MAaAa - MAaa.T + MAaAa.T


@equation("43")
def mass_kernel_2(s: System) -> Array:
    """M2 = M1(q, q-ddot) + M (A a A - A a) a + (...)^T - M1 A a - (M1 A a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    turned = chain(M, chain(A, a, A) - chain(A, a), a)
    carried = chain(mass_kernel_1(M, A, a), A, a)
    return mass_kernel_1(M, A, a1) + turned + turned.T - carried - carried.T


@equation("44")
def mass_kernel_2_explicit(s: System) -> Array:
    """M2 = -M A a1 + 2 M A a A a - M A a a + (...)^T + 2 a^T A^T M A a."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    half = -chain(M, A, a1) + 2.0 * chain(M, A, a, A, a) - chain(M, A, a, a)
    return half + half.T + 2.0 * chain(a.T, A.T, M, A, a)


@equation("45")
def coriolis_second_rate(s: System) -> Array:
    """Cddot = J^T C2 J."""
    return _project(s, coriolis_kernel_2(s))


@equation("46")
def coriolis_kernel_2_by_parts(s: System) -> Array:
    """C2 = C1' - C1 A a - a^T A^T C1."""
    return coriolis_kernel_1_rate(s) - _both_sides(s, coriolis_kernel_1(s))


@equation("47")
def coriolis_kernel_1_rate(s: System) -> Array:
    """C1' = C'' - (C1 + a^T A^T C) A a - a^T A^T (C1 + C A a) - C A a1 - ... - C A a a - ..."""
    A, (a, a1), C, C1 = s.A, s.a[:2], _kernel(s), coriolis_kernel_1(s)
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    out = coriolis_kernel_second_rate(s)
    out = out - chain(C1 + chain(aTAT, C), Aa) - chain(aTAT, C1 + chain(C, Aa))
    out = out - chain(C, A, a1) - chain(a1.T, A.T, C)
    return out - chain(C, Aa, a) - chain(a.T, aTAT, C)


def _series(s: System) -> Array:
    """What (48) and (50) add to C(q, q-dddot, Vddot)."""
    A, (a, a1), MAa = s.A, s.a[:2], chain(s.M, s.A, s.a[0])
    out = chain(s.M, A, a1, A, a) + 2.0 * chain(MAa, A, a1) - 2.0 * chain(MAa, A, a, A, a)
    return out + chain(MAa, 2.0 * chain(A, a, a) - 3.0 * a1 - chain(a, a) + chain(a, A, a))


@equation("48")
def coriolis_kernel_second_rate(s: System) -> Array:
    """C'' = C(q, q-dddot, Vddot) + M A a1 A a + 2 M A a A a1 - 2 M A a A a A a + ..."""
    return _kernel(s, 2) + _series(s)


@equation("49")
def coriolis_kernel_second_rate_explicit(s: System) -> Array:
    """C'' = -M A a2 - b2^T M + M A a1 A a + 2 M A a A a1 - 2 M A a A a A a + ..."""
    M, A, (a, a1, a2), b2 = s.M, s.A, s.a, s.b[2]
    out = -chain(M, A, a2) - chain(b2.T, M) + chain(M, A, a1, A, a) + 2.0 * chain(M, A, a, A, a1)
    out = out - 2.0 * chain(M, A, a, A, a, A, a) + 2.0 * chain(M, A, a, A, a, a)
    return out - 3.0 * chain(M, A, a, a1) - chain(M, A, a, a, a) + chain(M, A, a, a, A, a)


@equation("50")
def coriolis_kernel_2(s: System) -> Array:
    """C2 = C(q, q-dddot, Vddot) - 2 C1 A a - 2 a^T A^T C1 - C A a1 - a1^T A^T C - ..."""
    A, (a, a1), C, C1 = s.A, s.a[:2], _kernel(s), coriolis_kernel_1(s)
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    out = _kernel(s, 2) - 2.0 * chain(C1, Aa) - 2.0 * chain(aTAT, C1)
    out = out - chain(C, A, a1) - chain(a1.T, A.T, C) - 2.0 * chain(aTAT, C, Aa)
    return out - chain(C, Aa, a) - chain(a.T, aTAT, C) + _series(s)


@equation("51")
def coriolis_kernel_2_explicit(s: System) -> Array:
    """C2 without C1: -M A a2 - b2^T M + 2 b1^T M A a + 2 a^T A^T b1^T M + 3 M A a1 A a + ..."""
    M, A, (a, a1, a2), (_, b1, b2), C = s.M, s.A, s.a, s.b, _kernel(s)
    Aa, Aa1, aTAT, MAa = chain(A, a), chain(A, a1), chain(a.T, A.T), chain(M, A, a)
    out = -chain(M, A, a2) - chain(b2.T, M) + 2.0 * chain(b1.T, MAa) + 2.0 * chain(aTAT, b1.T, M)
    out = out + 3.0 * chain(M, Aa1, Aa) + 2.0 * chain(MAa, Aa1) + 2.0 * chain(aTAT, M, Aa1)
    out = out - chain(C, Aa1) - chain(a1.T, A.T, C)
    out = out + 2.0 * (chain(C, Aa, Aa) + chain(aTAT, C, Aa) + chain(aTAT, aTAT, C))
    out = out - 4.0 * chain(MAa, Aa, Aa) - 2.0 * chain(aTAT, MAa, Aa)
    out = out + 3.0 * chain(MAa, a, Aa) + 2.0 * chain(aTAT, MAa, a) + 2.0 * chain(MAa, Aa, a)
    out = out - 3.0 * chain(MAa, a1) - chain(MAa, a, a)
    return out - chain(C, Aa, a) - chain(a.T, aTAT, C)


@equation("52")
def gravity_second_rate(s: System) -> Array:
    """Qddot_grav = J^T M2 U G."""
    return s.J.T @ (mass_kernel_2(s) @ s.UG)


@equation("53")
def external_second_rate(s: System, W: Array, Wdot: Array, Wddot: Array) -> Array:
    """Qddot_ext = J^T (Wddot - 2 (A a)^T Wdot + (2 (A a A a)^T - (A a1)^T - (A a a)^T) W)."""
    A, (a, a1) = s.A, s.a[:2]
    turned = 2.0 * chain(A, a, A, a) - chain(A, a1) - chain(A, a, a)
    return s.J.T @ (Wddot - 2.0 * (a.T @ (A.T @ Wdot)) + turned.T @ W)


# ------------------------------------------------------------------ all orders at once


def mass_matrix_rates(tree: Tree, q: Array, *rates: Array) -> list[Array]:
    """[M, Mdot, Mddot] for up to two rates v, a: as many derivatives as rates."""
    s = system(tree, q, *rates)
    return [
        _mass(s),
        *(rate(s) for rate in (mass_matrix_rate, mass_matrix_second_rate)[: len(rates)]),
    ]


def coriolis_rates(tree: Tree, q: Array, v: Array, *rates: Array) -> list[Array]:
    """[C, Cdot, Cddot] of the C of (22), for v and up to two rates a, j."""
    s = system(tree, q, v, *rates)
    C = _project(s, _kernel(s))
    return [C, *(rate(s) for rate in (coriolis_rate, coriolis_second_rate)[: len(rates)])]


def gravity_rates(tree: Tree, q: Array, *rates: Array) -> list[Array]:
    """[Q_grav, Qdot_grav, Qddot_grav] for up to two rates v, a."""
    s = system(tree, q, *rates)
    g = s.J.T @ (s.M @ s.UG)
    return [g, *(rate(s) for rate in (gravity_rate, gravity_second_rate)[: len(rates)])]


def external_rates(
    tree: Tree, q: Array, rates: tuple[Array, ...], W: tuple[Array, ...]
) -> list[Array]:
    """[Q_ext, Qdot_ext, Qddot_ext] for rates (v, a) and W = (W, Wdot, Wddot), shorter for less."""
    if len(W) != len(rates) + 1:
        raise ValueError(f"{len(rates)} rates need {len(rates) + 1} wrenches, found {len(W)}")
    s = system(tree, q, *rates)
    orders = (external_rate, external_second_rate)[: len(rates)]
    return [s.J.T @ W[0], *(rate(s, *W[: k + 2]) for k, rate in enumerate(orders))]


# ------------------------------------------------------------------ 5 structural properties


@equation("54")
def passive_coriolis_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Cbar = -J^T (M A a + b^T M - M b) J, equal to Garofalo's (6b)."""
    s = system(tree, q, v)
    M, A, a, b = s.M, s.A, s.a[0], s.b[0]
    return -_project(s, chain(M, A, a) + chain(b.T, M) - chain(M, b))


@equation("55")
def velocity_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Cbar v = C v, since b V = 0."""
    return passive_coriolis_matrix(tree, q, v) @ v


@equation("56")
def mass_matrix_rate_from_coriolis(tree: Tree, q: Array, v: Array) -> Array:
    """Cbar + Cbar^T = Mdot."""
    C = passive_coriolis_matrix(tree, q, v)
    return C + C.T


@equation("57")
def passivity_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Mdot - 2 Cbar = Cbar^T - Cbar, skew symmetric."""
    return mass_matrix_rate(system(tree, q, v)) - 2.0 * passive_coriolis_matrix(tree, q, v)


def _rows(i: int) -> slice:
    return slice(6 * i, 6 * i + 6)
