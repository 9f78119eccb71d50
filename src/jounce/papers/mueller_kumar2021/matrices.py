"""The system matrices at one state, which sections 3 to 5 share."""

from __future__ import annotations

from dataclasses import dataclass

from jounce.math.scalar import Array
from jounce.model.tree import Tree
from jounce.papers.common import armature_matrix, minus_gravity, product
from jounce.papers.mueller_kumar2021.dynamics import (
    body_brackets,
    coriolis_kernel,
    gravity_operator,
    system_inertia,
)
from jounce.papers.mueller_kumar2021.kinematics import (
    chain,
    joint_brackets,
    need_single_joints,
    screw_matrix,
    system_acceleration,
    tree_operator,
)


@dataclass(frozen=True, eq=False)
class System:
    """The system matrices at one state, which all derivatives share.

    UG: U G (6N). a, V, b: lists of a(v), a1, a2; V, Vdot, Vddot; b(V), b1, b2, up to the order of
    the rates.
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
    """Return the system matrices for q and up to three of its rates v, a, j."""
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


def system_jerk(s: System, jerk: Array) -> Array:
    """Vddot = J q-dddot - A a1 V - 2 A a Vdot - A a a V (6N), which the paper does not print."""
    (a, a1), (V, Vdot) = s.a[:2], s.V[:2]
    return s.J @ jerk - s.A @ (a1 @ V + 2.0 * (a @ Vdot) + a @ (a @ V))


def project(s: System, Z: Array) -> Array:
    """Return J^T Z J: from the bodies' 6N coordinates to the joints'."""
    return chain(s.J.T, Z, s.J)


def mass(s: System) -> Array:
    """Return the mass matrix (20), armature included."""
    return project(s, s.M) + armature_matrix(s.tree)


def kernel(s: System, order: int = 0) -> Array:
    """C of (22) with the rates of the given order: (v, V), (q-ddot, Vdot) or (q-dddot, Vddot)."""
    return coriolis_kernel(s.M, s.A, s.a[order], s.b[order])
