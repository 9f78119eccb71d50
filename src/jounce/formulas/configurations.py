"""The calculus of configurations: steps between them, rates of coordinates, and derivatives.

Every joint moves in a group: its pose is T = exp(S v) after a step v from the identity, so that q
followed by dv is the pose T(q) exp(S dv). Tangents of configurations are velocities, body-fixed as
everywhere, and derivatives are matrices between those of the argument and those of the result: with
the adjoint Ad and the left Jacobian J of `math.lie`, restricted to the velocities that a joint has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jounce.formulas import kinematics, motions
from jounce.formulas.kinematics import Motion
from jounce.math import lie
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import adjoint
from jounce.model.manifold import leaders
from jounce.model.tree import Tree

# ------------------------------------------------------------------ steps


def integrate(tree: Tree, q: Array | Motion, dv: Array) -> Array:
    """The configuration (nq,) reached from q by the velocity dv held for one unit of time."""
    q, out = kinematics.coordinates(tree, q), zeros(tree.nq)
    for node in leaders(tree):
        out[node.qs] = node.motion.integrate(q[node.qs], dv[node.vs])
    return out


def difference(tree: Tree, q0: Array | Motion, q1: Array | Motion) -> Array:
    """Return the velocity (nv,) that leads from q0 to q1 in one unit of time, the shorter way."""
    q0, q1 = (kinematics.coordinates(tree, q) for q in (q0, q1))
    out = zeros(tree.nv)
    for node in leaders(tree):
        out[node.vs] = node.motion.difference(q0[node.qs], q1[node.qs])
    return out


def interpolate(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """The configuration (nq,) at the share s of the way from q0 to q1, by a constant velocity."""
    return integrate(tree, q0, s * difference(tree, q0, q1))


def normalize(tree: Tree, q: Array | Motion) -> Array:
    """Return the same configuration with unit quaternions."""
    out = kinematics.coordinates(tree, q).copy()
    for node in leaders(tree):
        unit = node.motion.unit
        if unit.stop > unit.start:
            at = slice(node.q + unit.start, node.q + unit.stop)
            out[at] = lie.normalize(out[at])
    return out


# ------------------------------------------------------------------ rates of coordinates


def rates_from_velocity(tree: Tree, q: Array | Motion, v: Array) -> Array:
    """Return dq/dt (nq,) for a velocity of all joints."""
    whole = replace(tree, active=None)
    return motions.configuration_rate(whole, kinematics.coordinates(tree, q), v)


def velocity_from_rates(tree: Tree, q: Array | Motion, qdot: Array) -> Array:
    """The velocity (nv,) with which q changes at the rates qdot; lengths of quaternions may."""
    return motions.configuration_velocity(tree, kinematics.coordinates(tree, q), qdot)


# ------------------------------------------------------------------ derivatives on tangent spaces


def integrate_dq(tree: Tree, q: Array, dv: Array) -> Array:
    """Return exp(e) exp(x) = exp(x) exp(Ad(exp(-x)) e)."""
    return _blocks(tree, dv, lambda x: adjoint(*lie.pose_exp(-x)))


def integrate_ddv(tree: Tree, q: Array, dv: Array) -> Array:
    """Return exp(x + e) = exp(x) exp(J(-x) e)."""
    return _blocks(tree, dv, lambda x: lie.pose_jacobian(-x))


def integrate_ddv_inverse(tree: Tree, dv: Array) -> Array:
    """Return J(-x)^-1."""
    return _blocks(tree, dv, lambda x: lie.pose_jacobian_inverse(-x))


def difference_dq0(tree: Tree, q0: Array, q1: Array) -> Array:
    """Return exp(-e) exp(x) = exp(x - J(x)^-1 e)."""
    return -_blocks(tree, difference(tree, q0, q1), lie.pose_jacobian_inverse)


def difference_dq1(tree: Tree, q0: Array, q1: Array) -> Array:
    """Return exp(x) exp(e) = exp(x + J(-x)^-1 e)."""
    return integrate_ddv_inverse(tree, difference(tree, q0, q1))


def interpolate_dq0(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """Return the derivative in q0, of the start and of the step from it."""
    x = s * difference(tree, q0, q1)
    changed = integrate_ddv(tree, q0, x) @ difference_dq0(tree, q0, q1)
    return integrate_dq(tree, q0, x) + s * changed


def interpolate_dq1(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """Return the derivative in q1, of the step toward it."""
    x = s * difference(tree, q0, q1)
    return s * (integrate_ddv(tree, q0, x) @ difference_dq1(tree, q0, q1))


def normalize_dq(tree: Tree, q: Array) -> Array:
    """Return the identity: normalization does not change tangents."""
    return identity(tree.dof)


def _blocks(tree: Tree, v: Array, block: Callable[[Array], Array]) -> Array:
    """Return a matrix (nv, nv) of what a function (6, 6) of twists says of each joint's, S v.

    Velocities that are rates of coordinates commute, and such joints move by sums.
    """
    out = zeros(tree.nv, tree.nv)
    for node in leaders(tree):
        motion = node.motion
        if motion.flat:
            out[node.vs, node.vs] = identity(motion.nv)
        else:
            out[node.vs, node.vs] = (block(node.S @ v[node.vs]) @ node.S)[list(motion.rows)]
    return out
