"""Calculus on the configuration manifold: retraction, difference, rates and derivatives.

Every joint moves in a Lie group: its pose is exp(S v) after a step v from the identity, and a step
dv from q leads to the pose T(q) exp(S dv). Tangent vectors of configurations are body-fixed
velocities, and derivatives are matrices from tangents of the argument to tangents of the result.
They follow from the adjoint Ad and the left Jacobian J of `math.lie`, restricted to the velocities
of a joint.
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
    """Return the configuration (nq,) reached from q by the velocity dv during unit time."""
    q, out = kinematics.coordinates(tree, q), zeros(tree.nq)
    for node in leaders(tree):
        out[node.qs] = node.motion.integrate(q[node.qs], dv[node.vs])
    return out


def difference(tree: Tree, q0: Array | Motion, q1: Array | Motion) -> Array:
    """Return the velocity (nv,) from q0 to q1 in unit time, along the shorter rotation."""
    q0, q1 = (kinematics.coordinates(tree, q) for q in (q0, q1))
    out = zeros(tree.nv)
    for node in leaders(tree):
        out[node.vs] = node.motion.difference(q0[node.qs], q1[node.qs])
    return out


def interpolate(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """Return the configuration (nq,) at the fraction s of the constant-velocity path q0 to q1."""
    return integrate(tree, q0, s * difference(tree, q0, q1))


def normalize(tree: Tree, q: Array | Motion) -> Array:
    """Return the same configuration with unit quaternions."""
    out = kinematics.coordinates(tree, q).copy()
    for node in leaders(tree):
        unit = node.motion.unit
        if unit.stop > unit.start:
            entries = slice(node.q + unit.start, node.q + unit.stop)
            out[entries] = lie.normalize(out[entries])
    return out


# ------------------------------------------------------------------ rates of coordinates


def rates_from_velocity(tree: Tree, q: Array | Motion, v: Array) -> Array:
    """Return dq/dt (nq,) for a velocity of all joints."""
    all_joints = replace(tree, active=None)
    return motions.configuration_rate(all_joints, kinematics.coordinates(tree, q), v)


def velocity_from_rates(tree: Tree, q: Array | Motion, qdot: Array) -> Array:
    """Return the velocity (nv,) for the rates qdot, ignoring changes of quaternion norms."""
    return motions.configuration_velocity(tree, kinematics.coordinates(tree, q), qdot)


# ------------------------------------------------------------------ derivatives on tangent spaces


def integrate_dq(tree: Tree, q: Array, dv: Array) -> Array:
    """Return d(q exp(x))/dq = Ad(exp(-x)), as exp(e) exp(x) = exp(x) exp(Ad(exp(-x)) e)."""
    return joint_blocks(tree, dv, lambda x: adjoint(*lie.pose_exp(-x)))


def integrate_ddv(tree: Tree, q: Array, dv: Array) -> Array:
    """Return d(q exp(x))/dx = J(-x), as exp(x + e) = exp(x) exp(J(-x) e)."""
    return joint_blocks(tree, dv, lambda x: lie.pose_jacobian(-x))


def integrate_ddv_inverse(tree: Tree, dv: Array) -> Array:
    """Return J(-x)^-1, the inverse of `integrate_ddv`."""
    return joint_blocks(tree, dv, lambda x: lie.pose_jacobian_inverse(-x))


def difference_dq0(tree: Tree, q0: Array, q1: Array) -> Array:
    """Return -J(x)^-1, as exp(-e) exp(x) = exp(x - J(x)^-1 e)."""
    return -joint_blocks(tree, difference(tree, q0, q1), lie.pose_jacobian_inverse)


def difference_dq1(tree: Tree, q0: Array, q1: Array) -> Array:
    """Return J(-x)^-1, as exp(x) exp(e) = exp(x + J(-x)^-1 e)."""
    return integrate_ddv_inverse(tree, difference(tree, q0, q1))


def interpolate_dq0(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """Return the derivative of `interpolate` in q0, through the start and the step."""
    x = s * difference(tree, q0, q1)
    step_dq0 = integrate_ddv(tree, q0, x) @ difference_dq0(tree, q0, q1)
    return integrate_dq(tree, q0, x) + s * step_dq0


def interpolate_dq1(tree: Tree, q0: Array, q1: Array, s: Any) -> Array:
    """Return the derivative of `interpolate` in q1, through the step."""
    x = s * difference(tree, q0, q1)
    return s * (integrate_ddv(tree, q0, x) @ difference_dq1(tree, q0, q1))


def normalize_dq(tree: Tree, q: Array) -> Array:
    """Return the identity: normalization does not change tangents."""
    return identity(tree.dof)


def joint_blocks(tree: Tree, v: Array, block: Callable[[Array], Array]) -> Array:
    """Return the block-diagonal matrix (nv, nv) of a function (6, 6) of the joint twists S v.

    The block is the identity for joints whose velocities are rates of coordinates, since these
    commute.
    """
    out = zeros(tree.nv, tree.nv)
    for node in leaders(tree):
        motion = node.motion
        if motion.flat:
            out[node.vs, node.vs] = identity(motion.nv)
        else:
            out[node.vs, node.vs] = (block(node.S @ v[node.vs]) @ node.S)[list(motion.rows)]
    return out
