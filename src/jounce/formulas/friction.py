"""What motors give where the joints rub: the equations of motion with friction.

Friction is damping v + friction sign(v) of each joint. A joint at rest is taken to rub with no
Coulomb friction, and the sign to have no slope: neither stiction nor its release is modelled.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jounce.formulas.dynamics import (
    forward_dynamics,
    inverse_dynamics,
    joint_friction,
)
from jounce.formulas.kinematics import collect
from jounce.formulas.wrt_forward import (
    forward_dynamics_derivatives,
    forward_dynamics_dq,
)
from jounce.formulas.wrt_inertia import forward_dynamics_dpi
from jounce.formulas.wrt_screws import forward_dynamics_dgeometry
from jounce.formulas.wrt_state import inverse_dynamics_dv
from jounce.formulas.wrt_time import forward_dynamics_rates
from jounce.math.scalar import Array
from jounce.model.tree import Tree


def motor_forces(tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None) -> Array:
    """M a + C v + g + friction, minus external forces."""
    return inverse_dynamics(tree, q, v, a, wrenches) + joint_friction(tree, v)


def motor_forces_dv(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """That of inverse dynamics, and the damping."""
    return inverse_dynamics_dv(tree, q, v, a, wrenches) + np.diag(damping(tree))


def damping(tree: Tree) -> Array:
    """Damping (nv,) seen at each velocity: a leader has its followers' share."""
    return collect(tree, [node.gain * node.damping for node in tree.nodes])


def driven_dynamics(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Acceleration a with M a + C v + g + friction = tau, plus external forces."""
    return forward_dynamics(tree, q, v, _left(tree, v, tau), wrenches)


def _left(tree: Tree, v: Array, tau: Array) -> Array:
    """What friction leaves of the motors' forces."""
    return tau - joint_friction(tree, v)


def driven_dynamics_dq(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """That of forward dynamics, at the forces that friction leaves."""
    return forward_dynamics_dq(tree, q, v, _left(tree, v, tau), wrenches)


def driven_dynamics_dv(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """That of forward dynamics, less M^-1 times the damping."""
    return driven_dynamics_derivatives(tree, q, v, tau, wrenches)[2]


def driven_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> tuple[Array, Array, Array, Array]:
    """a and its derivatives in q, v and tau."""
    left = _left(tree, v, tau)
    a, a_q, a_v, a_tau = forward_dynamics_derivatives(tree, q, v, left, wrenches)
    return a, a_q, a_v - a_tau * damping(tree), a_tau


def driven_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """That of forward dynamics, at the forces that friction leaves."""
    return forward_dynamics_dpi(tree, q, v, _left(tree, v, tau), wrenches)


def driven_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None, *, screw: bool
) -> Array:
    """That of forward dynamics, at the forces that friction leaves."""
    left = _left(tree, v, tau)
    return forward_dynamics_dgeometry(tree, q, v, left, wrenches, screw=screw)


def driven_dynamics_rates(tree: Tree, order: int, given: Mapping[str, Array]) -> list[Array]:
    """a and its time derivatives for tau and its own."""
    return forward_dynamics_rates(tree, order, given, motor_forces)
