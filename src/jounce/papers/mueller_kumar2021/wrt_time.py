"""3 and 4: the first and second time derivative, (28) to (53)."""

from __future__ import annotations

from jounce.math.scalar import Array
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.mueller_kumar2021.kinematics import chain
from jounce.papers.mueller_kumar2021.matrices import System, kernel, mass, project, system

# ------------------------------------------------------------------ 3 first derivative


@equation("28")
def inverse_dynamics_rate(
    tree: Tree, q: Array, v: Array, a: Array, j: Array, W: Array | None = None, *dW: Array
) -> Array:
    """Return Qdot = M j + (Mdot + C) a + Cdot v + Qdot_grav + Qdot_ext; dW: Wdot."""
    s = system(tree, q, v, a)
    Q = mass(s) @ j + (mass_matrix_rate(s) + project(s, kernel(s))) @ a
    Q = Q + coriolis_rate(s) @ v + gravity_rate(s)
    return Q if W is None else Q + external_rate(s, W, *dW)


@equation("29")
def mass_matrix_rate(s: System) -> Array:
    """Return Mdot = J^T M1 J."""
    return project(s, mass_kernel_1(s.M, s.A, s.a[0]))


@equation("30")
def mass_kernel_1(M: Array, A: Array, a: Array) -> Array:
    """Return M1 = -M A a - (M A a)^T."""
    MAa = chain(M, A, a)
    return -MAa - MAa.T


@equation("31")
def coriolis_rate(s: System) -> Array:
    """Return Cdot = J^T C1 J."""
    return project(s, coriolis_kernel_1(s))


@equation("32")
def coriolis_kernel_1_by_parts(s: System) -> Array:
    """Return C1 = C' - C A a - a^T A^T C."""
    return coriolis_kernel_rate(s) - _both_sides(s, kernel(s))


@equation("33")
def coriolis_kernel_rate(s: System) -> Array:
    """Return C' = C(q, q-ddot, Vdot) + M A a A a - M A a a."""
    M, A, a = s.M, s.A, s.a[0]
    return kernel(s, 1) + chain(M, A, a, A, a) - chain(M, A, a, a)


@equation("34")
def coriolis_kernel_1(s: System) -> Array:
    """Return C1 = C(q, q-ddot, Vdot) + M A a A a - M A a a - C A a - a^T A^T C."""
    M, A, a, C = s.M, s.A, s.a[0], kernel(s)
    MAa = chain(M, A, a)
    return kernel(s, 1) + chain(MAa, A, a) - chain(MAa, a) - chain(C, A, a) - chain(a.T, A.T, C)


@equation("35")
def coriolis_kernel_1_explicit(s: System) -> Array:
    """Return the same C1 without C: a1, b1 and products of a and b."""
    M, A, (a, a1), (b, b1) = s.M, s.A, s.a[:2], s.b[:2]
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    first = -chain(M, A, a1) - chain(b1.T, M) + chain(b.T, M, Aa) + chain(aTAT, b.T, M)
    return first + chain(aTAT, M, Aa) + 2.0 * chain(M, Aa, Aa) - chain(M, Aa, a)


@equation("36")
def gravity_rate(s: System) -> Array:
    """Return Qdot_grav = J^T M1 U G, by Udot = -A a U."""
    return s.J.T @ (mass_kernel_1(s.M, s.A, s.a[0]) @ s.UG)


@equation("37")
def external_rate(s: System, W: Array, Wdot: Array) -> Array:
    """Return Qdot_ext = J^T (Wdot - (A a)^T W)."""
    return s.J.T @ (Wdot - s.a[0].T @ (s.A.T @ W))


def _both_sides(s: System, Z: Array) -> Array:
    """Return Z A a + a^T A^T Z: what Jdot = -A a J takes away from the derivative of J^T Z J."""
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
    state = system(tree, q, v, a, j)
    Mdot, C = mass_matrix_rate(state), project(state, kernel(state))
    Q = mass(state) @ s + (2.0 * Mdot + C) @ j
    Q = Q + (mass_matrix_second_rate(state) + 2.0 * coriolis_rate(state)) @ a
    Q = Q + coriolis_second_rate(state) @ v + gravity_second_rate(state)
    return Q if W is None else Q + external_second_rate(state, W, *dW)


@equation("39", "40")
def mass_matrix_second_rate(s: System) -> Array:
    """Return Mddot = J^T (M1' - M1 A a - a^T A^T M1) J = J^T M2 J."""
    return project(s, mass_kernel_2_by_parts(s))


@equation("40")
def mass_kernel_2_by_parts(s: System) -> Array:
    """Return M2 = M1' - M1 A a - a^T A^T M1."""
    return mass_kernel_1_rate(s) - _both_sides(s, mass_kernel_1(s.M, s.A, s.a[0]))


@equation("41")
def mass_kernel_1_rate(s: System) -> Array:
    """Return M1' = M1(q, q-ddot) + M (A a A - A a) a + (M (A a A - A a) a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    turned = chain(M, chain(A, a, A) - chain(A, a), a)
    return mass_kernel_1(M, A, a1) + turned + turned.T


@equation("42")
def mass_kernel_1_rate_expanded(s: System) -> Array:
    """Return M1' = M1(q, q-ddot) - M A a a + M A a A a - (M A a a)^T + (M A a A a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    MAaa, MAaAa = chain(M, A, a, a), chain(M, A, a, A, a)
    return mass_kernel_1(M, A, a1) - MAaa + MAaAa - MAaa.T + MAaAa.T


@equation("43")
def mass_kernel_2(s: System) -> Array:
    """Return M2 = M1(q, q-ddot) + M (A a A - A a) a + (...)^T - M1 A a - (M1 A a)^T."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    turned = chain(M, chain(A, a, A) - chain(A, a), a)
    carried = chain(mass_kernel_1(M, A, a), A, a)
    return mass_kernel_1(M, A, a1) + turned + turned.T - carried - carried.T


@equation("44")
def mass_kernel_2_explicit(s: System) -> Array:
    """Return M2 = -M A a1 + 2 M A a A a - M A a a + (...)^T + 2 a^T A^T M A a."""
    M, A, (a, a1) = s.M, s.A, s.a[:2]
    half = -chain(M, A, a1) + 2.0 * chain(M, A, a, A, a) - chain(M, A, a, a)
    return half + half.T + 2.0 * chain(a.T, A.T, M, A, a)


@equation("45")
def coriolis_second_rate(s: System) -> Array:
    """Return Cddot = J^T C2 J."""
    return project(s, coriolis_kernel_2(s))


@equation("46")
def coriolis_kernel_2_by_parts(s: System) -> Array:
    """Return C2 = C1' - C1 A a - a^T A^T C1."""
    return coriolis_kernel_1_rate(s) - _both_sides(s, coriolis_kernel_1(s))


@equation("47")
def coriolis_kernel_1_rate(s: System) -> Array:
    """C1' = C'' - (C1 + a^T A^T C) A a - a^T A^T (C1 + C A a) - C A a1 - ... - C A a a - ..."""
    A, (a, a1), C, C1 = s.A, s.a[:2], kernel(s), coriolis_kernel_1(s)
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    out = coriolis_kernel_second_rate(s)
    out = out - chain(C1 + chain(aTAT, C), Aa) - chain(aTAT, C1 + chain(C, Aa))
    out = out - chain(C, A, a1) - chain(a1.T, A.T, C)
    return out - chain(C, Aa, a) - chain(a.T, aTAT, C)


def _series(s: System) -> Array:
    """Return the terms that (48) and (50) add to C(q, q-dddot, Vddot)."""
    A, (a, a1), MAa = s.A, s.a[:2], chain(s.M, s.A, s.a[0])
    out = chain(s.M, A, a1, A, a) + 2.0 * chain(MAa, A, a1) - 2.0 * chain(MAa, A, a, A, a)
    return out + chain(MAa, 2.0 * chain(A, a, a) - 3.0 * a1 - chain(a, a) + chain(a, A, a))


@equation("48")
def coriolis_kernel_second_rate(s: System) -> Array:
    """Return C'' = C(q, q-dddot, Vddot) + M A a1 A a + 2 M A a A a1 - 2 M A a A a A a + ..."""
    return kernel(s, 2) + _series(s)


@equation("49")
def coriolis_kernel_second_rate_explicit(s: System) -> Array:
    """Return C'' = -M A a2 - b2^T M + M A a1 A a + 2 M A a A a1 - 2 M A a A a A a + ..."""
    M, A, (a, a1, a2), b2 = s.M, s.A, s.a, s.b[2]
    out = -chain(M, A, a2) - chain(b2.T, M) + chain(M, A, a1, A, a) + 2.0 * chain(M, A, a, A, a1)
    out = out - 2.0 * chain(M, A, a, A, a, A, a) + 2.0 * chain(M, A, a, A, a, a)
    return out - 3.0 * chain(M, A, a, a1) - chain(M, A, a, a, a) + chain(M, A, a, a, A, a)


@equation("50")
def coriolis_kernel_2(s: System) -> Array:
    """Return C2 = C(q, q-dddot, Vddot) - 2 C1 A a - 2 a^T A^T C1 - C A a1 - a1^T A^T C - ..."""
    A, (a, a1), C, C1 = s.A, s.a[:2], kernel(s), coriolis_kernel_1(s)
    Aa, aTAT = chain(A, a), chain(a.T, A.T)
    out = kernel(s, 2) - 2.0 * chain(C1, Aa) - 2.0 * chain(aTAT, C1)
    out = out - chain(C, A, a1) - chain(a1.T, A.T, C) - 2.0 * chain(aTAT, C, Aa)
    return out - chain(C, Aa, a) - chain(a.T, aTAT, C) + _series(s)


@equation("51")
def coriolis_kernel_2_explicit(s: System) -> Array:
    """C2 without C1: -M A a2 - b2^T M + 2 b1^T M A a + 2 a^T A^T b1^T M + 3 M A a1 A a + ..."""
    M, A, (a, a1, a2), (_, b1, b2), C = s.M, s.A, s.a, s.b, kernel(s)
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
    """Return Qddot_grav = J^T M2 U G."""
    return s.J.T @ (mass_kernel_2(s) @ s.UG)


@equation("53")
def external_second_rate(s: System, W: Array, Wdot: Array, Wddot: Array) -> Array:
    """Qddot_ext = J^T (Wddot - 2 (A a)^T Wdot + (2 (A a A a)^T - (A a1)^T - (A a a)^T) W)."""
    A, (a, a1) = s.A, s.a[:2]
    turned = 2.0 * chain(A, a, A, a) - chain(A, a1) - chain(A, a, a)
    return s.J.T @ (Wddot - 2.0 * (a.T @ (A.T @ Wdot)) + turned.T @ W)


# ------------------------------------------------------------------ all orders at once


def mass_matrix_rates(tree: Tree, q: Array, *rates: Array) -> list[Array]:
    """Return [M, Mdot, Mddot] for up to two rates v, a: as many derivatives as rates."""
    s = system(tree, q, *rates)
    return [
        mass(s),
        *(rate(s) for rate in (mass_matrix_rate, mass_matrix_second_rate)[: len(rates)]),
    ]


def coriolis_rates(tree: Tree, q: Array, v: Array, *rates: Array) -> list[Array]:
    """Return [C, Cdot, Cddot] of the C of (22), for v and up to two rates a, j."""
    s = system(tree, q, v, *rates)
    C = project(s, kernel(s))
    return [C, *(rate(s) for rate in (coriolis_rate, coriolis_second_rate)[: len(rates)])]


def gravity_rates(tree: Tree, q: Array, *rates: Array) -> list[Array]:
    """Return [Q_grav, Qdot_grav, Qddot_grav] for up to two rates v, a."""
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
