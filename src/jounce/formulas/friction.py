"""Equations of motion with joint friction.

Friction is damping v + friction sign(v) of each joint. A joint at rest is taken to rub with no
Coulomb friction, and the sign to have no slope: neither stiction nor its release is modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

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
    """Return M a + C v + g + friction, minus external forces."""
    return inverse_dynamics(tree, q, v, a, wrenches) + joint_friction(tree, v)


def motor_forces_dv(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dv of inverse dynamics plus the viscous damping."""
    return inverse_dynamics_dv(tree, q, v, a, wrenches) + np.diag(damping(tree))


def damping(tree: Tree) -> Array:
    """Return the damping (nv,) seen at each velocity: a leader has its followers' share."""
    return collect(tree, [node.gain * node.damping for node in tree.nodes])


def _driven(formula: Callable[..., Any]) -> Callable[..., Any]:
    """A formula of forward dynamics, at the forces that friction leaves of those of the motors."""

    def driven(
        tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
    ) -> Any:
        return formula(tree, q, v, tau - joint_friction(tree, v), *wrenches, **options)

    return driven


#: a with M a + C v + g + friction = tau, plus external forces, and its derivatives.
driven_dynamics = _driven(forward_dynamics)
driven_dynamics_dq = _driven(forward_dynamics_dq)
driven_dynamics_dpi = _driven(forward_dynamics_dpi)
driven_dynamics_dgeometry = _driven(forward_dynamics_dgeometry)


def driven_dynamics_dv(tree: Tree, *given: Array | None) -> Array:
    """Return da/dv of forward dynamics minus M^-1 times the damping."""
    return driven_dynamics_derivatives(tree, *given)[2]


def driven_dynamics_derivatives(
    tree: Tree, *given: Array | None
) -> tuple[Array, Array, Array, Array]:
    """Return a and its derivatives in q, v and tau."""
    a, a_q, a_v, a_tau = _driven(forward_dynamics_derivatives)(tree, *given)
    return a, a_q, a_v - a_tau * damping(tree), a_tau


def driven_dynamics_rates(tree: Tree, order: int, given: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives for tau and its own."""
    return forward_dynamics_rates(tree, order, given, motor_forces)
