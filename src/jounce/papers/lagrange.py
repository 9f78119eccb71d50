"""Lagrange's equations: the first method of A. Fakhari's lecture (2024), and its examples.

From the energies K and P of a tree (`model.tree.lower`), L = K - P, tau = d/dt dL/dv - dL/dq. The
functions need scalars that can be differentiated: SymPy expressions, or those of
`jounce.export.sympy`. Each example has its robot as a tree and its solution; tests compare both
with `papers.newton_euler` and `jounce.formulas`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jounce.math.scalar import Array, array, cos, identity, matrix, sin, zeros
from jounce.math.spatial import dot, parameters_from, spatial_inertia
from jounce.model.joints import PRISMATIC, REVOLUTE, ElementaryMotion
from jounce.model.tree import DRIVES, Node, Tree
from jounce.papers import equation
from jounce.papers.common import armature_matrix, poses
from jounce.papers.newton_euler import forward_iterations
from jounce.papers.rigid_body import body_kinetic_energy, steiner

# ------------------------------------------------------------------ energies


@equation("lagrange")
def kinetic_energy(tree: Tree, q: Array, v: Array) -> Any:
    """Return K(q, v), the sum of 1/2 V_i^T G_i V_i, plus 1/2 v^T armature v."""
    V, _ = forward_iterations(tree, q, v, zeros(tree.nv))
    total = 0.5 * dot(v, armature_matrix(tree) @ v)
    for node, V_i in zip(tree.nodes, V, strict=True):
        total = total + body_kinetic_energy(spatial_inertia(node.inertia), V_i)
    return total


@equation("lagrange")
def potential_energy(tree: Tree, q: Array) -> Any:
    """Return P(q) = -sum m_i g^T x_i, zero for masses at the world's origin."""
    total: Any = 0.0
    for node, (R, p) in zip(tree.nodes, poses(tree, q), strict=True):
        total = total - dot(tree.gravity, R @ node.inertia[1:4] + node.inertia[0] * p)
    return total


# ------------------------------------------------------------------ Lagrange's equations


class Dynamics(NamedTuple):
    """M(q), c(q, v) and g(q) of tau = M a + c + g."""

    M: Array
    c: Array
    g: Array


@equation("lagrange")
def lagrange(L: Any, q: Array, v: Array, a: Array) -> Array:
    """Return tau_i = d/dt (dL/dv_i) - dL/dq_i of a Lagrangian L(q, v), v = dq/dt, a = dv/dt.

    L must have a method `diff(symbol)` for the symbols in q and v.
    """
    tau = zeros(len(v))
    for i in range(len(v)):
        p = _diff(L, v[i])
        tau[i] = -_diff(L, q[i])
        for k in range(len(v)):
            tau[i] = tau[i] + _diff(p, v[k]) * a[k] + _diff(p, q[k]) * v[k]
    return tau


@equation("lagrange")
def lagrange_equations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return tau = d/dt (dL/dv) - dL/dq with L = K - P; joints with one degree of freedom only."""
    _refuse_several(tree)
    return lagrange(kinetic_energy(tree, q, v) - potential_energy(tree, q), q, v, a)


@equation("lagrange")
def lagrange_dynamics(tree: Tree, q: Array, v: Array) -> Dynamics:
    """Return M = d2K/dv2, g = dP/dq, and c_i = sum_jk Gamma_ijk v_j v_k by the Christoffel symbols.

    Gamma_ijk = 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i).
    """
    _refuse_several(tree)
    K, P, n = kinetic_energy(tree, q, v), potential_energy(tree, q), tree.nv
    M, c = zeros(n, n), zeros(n)
    for i in range(n):
        for j in range(i + 1):
            M[i, j] = M[j, i] = _diff(_diff(K, v[i]), v[j])
    rates = [[[_diff(M[i, j], x) for x in q] for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                gamma = 0.5 * (rates[i][j][k] + rates[i][k][j] - rates[j][k][i])
                c[i] = c[i] + gamma * v[j] * v[k]
    return Dynamics(M, c, array(_diff(P, x) for x in q))


def _diff(x: Any, symbol: Any) -> Any:
    return 0.0 if isinstance(x, (int, float)) else x.diff(symbol)


def _refuse_several(tree: Tree) -> None:
    several = [node.motion for node in tree.nodes if not node.motion.flat]
    if several:
        raise ValueError(f"Lagrange's equations need v = dq/dt; found a joint of kind {several[0]}")


# ------------------------------------------------------------------ the lecture's examples


@equation("example 1")
def bent_link(masses: Sequence[Any], lengths: Sequence[Any], phi: Any) -> Dynamics:
    """Return the dynamics of a bent link on a vertical axis: l1 level, l2 inclined by phi.

    Point masses. The lecture has no solution and its figure is lost: one reading of the text.
    """
    (m1, m2), (l1, l2) = masses, lengths
    reach = l1 + l2 * cos(phi)
    return Dynamics(matrix([[m1 * l1 * l1 + m2 * reach * reach]]), zeros(1), zeros(1))


@equation("example 1")
def bent_link_tree(masses: Sequence[Any], lengths: Sequence[Any], phi: Any, gravity: Any) -> Tree:
    """Return the robot of example 1 with a vertical axis."""
    (m1, m2), (l1, l2) = masses, lengths
    end = (l1 + l2 * cos(phi), 0.0, l2 * sin(phi))
    inertia = _points((m1, (l1, 0.0, 0.0)), (m2, end))
    return _chain([(REVOLUTE, identity(3), zeros(3), inertia)], (0.0, 0.0, -gravity))


@equation("example 1")
def bent_link_upright(
    q: Array, masses: Sequence[Any], lengths: Sequence[Any], phi: Any, gravity: Any
) -> Dynamics:
    """Return another reading of example 1: a horizontal axis, motion in a vertical plane."""
    (m1, m2), (l1, l2) = masses, lengths
    M = m1 * l1 * l1 + m2 * (l1 * l1 + l2 * l2 + 2 * l1 * l2 * cos(phi))
    g = (m1 + m2) * gravity * l1 * cos(q[0]) + m2 * gravity * l2 * cos(q[0] + phi)
    return Dynamics(matrix([[M]]), zeros(1), array((g,)))


@equation("example 1")
def bent_link_upright_tree(
    masses: Sequence[Any], lengths: Sequence[Any], phi: Any, gravity: Any
) -> Tree:
    """Return the robot of example 1 with a horizontal axis."""
    (m1, m2), (l1, l2) = masses, lengths
    end = (l1 + l2 * cos(phi), l2 * sin(phi), 0.0)
    inertia = _points((m1, (l1, 0.0, 0.0)), (m2, end))
    return _chain([(REVOLUTE, identity(3), zeros(3), inertia)], (0.0, -gravity, 0.0))


@equation("example 2")
def planar_2r(
    q: Array, v: Array, masses: Sequence[Any], lengths: Sequence[Any], gravity: Any
) -> Dynamics:
    """Return the dynamics of two revolute joints in a vertical plane, point masses at link ends."""
    (m1, m2), (L1, L2) = masses, lengths
    c1, c2, s2, c12 = cos(q[0]), cos(q[1]), sin(q[1]), cos(q[0] + q[1])
    M12 = m2 * (L1 * L2 * c2 + L2 * L2)
    M11 = m1 * L1 * L1 + m2 * (L1 * L1 + 2 * L1 * L2 * c2 + L2 * L2)
    c = (
        -m2 * L1 * L2 * s2 * (2 * v[0] * v[1] + v[1] * v[1]),
        m2 * L1 * L2 * v[0] * v[0] * s2,
    )
    g2 = m2 * gravity * L2 * c12
    g1 = (m1 + m2) * L1 * gravity * c1 + g2
    return Dynamics(matrix(((M11, M12), (M12, m2 * L2 * L2))), array(c), array((g1, g2)))


@equation("example 2")
def planar_2r_tree(masses: Sequence[Any], lengths: Sequence[Any], gravity: Any) -> Tree:
    """Return the robot of example 2."""
    inertias = [_points((m, (L, 0.0, 0.0))) for m, L in zip(masses, lengths, strict=True)]
    elbow = array((lengths[0], 0.0, 0.0))
    links = [
        (REVOLUTE, identity(3), zeros(3), inertias[0]),
        (REVOLUTE, identity(3), elbow, inertias[1]),
    ]
    return _chain(links, (0.0, -gravity, 0.0))


@equation("example 3")
def planar_rp(
    q: Array, v: Array, masses: Sequence[Any], inertias: Sequence[Any], L1: Any, gravity: Any
) -> Dynamics:
    """Return the dynamics of a revolute and a prismatic joint in a vertical plane.

    Center of mass of link 1 at the distance L1 from the axis, of link 2 at q2. The lecture prints
    no solution and its figure is lost: this is one reading of the text.
    """
    (m1, m2), (I1, I2) = masses, inertias
    M11 = I1 + I2 + m1 * L1 * L1 + m2 * q[1] * q[1]
    c = (2 * m2 * q[1] * v[0] * v[1], -m2 * q[1] * v[0] * v[0])
    g = ((m1 * L1 + m2 * q[1]) * gravity * cos(q[0]), m2 * gravity * sin(q[0]))
    return Dynamics(matrix(((M11, 0.0), (0.0, m2))), array(c), array(g))


@equation("example 3")
def planar_rp_tree(masses: Sequence[Any], inertias: Sequence[Any], L1: Any, gravity: Any) -> Tree:
    """Return the robot of example 3; link 2 slides along z of its node, so it turns about y."""
    (m1, m2), (I1, I2) = masses, inertias
    first, second = _points((m1, (L1, 0.0, 0.0))), _points((m2, (0.0, 0.0, 0.0)))
    first[6], second[5] = first[6] + I1, second[5] + I2
    links = [
        (REVOLUTE, identity(3), zeros(3), first),
        (PRISMATIC, _z_to_x(), zeros(3), second),
    ]
    return _chain(links, (0.0, -gravity, 0.0))


@equation("example 4")
def cartesian_ppp(masses: Sequence[Any], gravity: Any) -> Dynamics:
    """Return the dynamics of three orthogonal prismatic joints, the first one vertical.

    The lecture prints no solution and its figure is lost: this is one reading of the text.
    """
    m1, m2, m3 = masses
    total = m1 + m2 + m3
    M = matrix(((total, 0.0, 0.0), (0.0, m2 + m3, 0.0), (0.0, 0.0, m3)))
    return Dynamics(M, zeros(3), array((total * gravity, 0.0, 0.0)))


@equation("example 4")
def cartesian_ppp_tree(masses: Sequence[Any], gravity: Any) -> Tree:
    """Return the robot of example 4: up, then sideways, then forward."""
    turns = (identity(3), _z_to_x().T, _z_to_x().T)
    points = [_points((m, (0.0, 0.0, 0.0))) for m in masses]
    links = [(PRISMATIC, R, zeros(3), p) for R, p in zip(turns, points, strict=True)]
    return _chain(links, (0.0, 0.0, -gravity))


def _z_to_x() -> Array:
    return matrix(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))


def _points(*masses: tuple[Any, tuple[Any, Any, Any]]) -> Array:
    """Return the ten inertial parameters of point masses."""
    total = zeros(10)
    for m, point in masses:
        p = array(point)
        total = total + parameters_from(m, m * p, steiner(zeros(3, 3), m, p))
    return total


def _chain(
    links: Sequence[tuple[ElementaryMotion, Array, Array, Array]], gravity: Sequence[Any]
) -> Tree:
    """Return a serial robot from motion, placement (R, p) and inertia of each link."""
    nodes = tuple(
        Node(
            parent=i - 1,
            motion=motion,
            R0=R,
            p0=p,
            pitch=0.0,
            S=motion.subspace(),
            q=i,
            v=i,
            gain=1.0,
            offset=0.0,
            **{name: zeros(1) for name in DRIVES},
            inertia=inertia,
            body=i,
            R_user=identity(3),
            p_user=zeros(3),
        )
        for i, (motion, R, p, inertia) in enumerate(links)
    )
    n = len(nodes)
    return Tree(nodes, n, n, n, array(gravity), ())
