"""Equations of motion with joint friction.

Friction is damping v + friction sign(v) of each joint, with sign(0) = 0 and derivative 0 of sign:
neither stiction nor its release is modeled.
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
    """Return dtau/dv: that of inverse dynamics plus the viscous damping."""
    return inverse_dynamics_dv(tree, q, v, a, wrenches) + np.diag(damping(tree))


def damping(tree: Tree) -> Array:
    """Return the viscous damping (nv,) of each velocity, with that of mimic joints."""
    return collect(tree, [node.gain * node.damping for node in tree.nodes])


def _with_friction(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula of forward dynamics that subtracts joint friction from tau."""

    def formula_with_friction(
        tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
    ) -> Any:
        return formula(tree, q, v, tau - joint_friction(tree, v), *wrenches, **options)

    return formula_with_friction


#: a with M a + C v + g + friction = tau, plus external forces, and its derivatives.
driven_dynamics = _with_friction(forward_dynamics)
driven_dynamics_dq = _with_friction(forward_dynamics_dq)
driven_dynamics_dpi = _with_friction(forward_dynamics_dpi)
driven_dynamics_dgeometry = _with_friction(forward_dynamics_dgeometry)


def driven_dynamics_dv(tree: Tree, *arguments: Array | None) -> Array:
    """Return da/dv of forward dynamics minus M^-1 times the damping."""
    return driven_dynamics_derivatives(tree, *arguments)[2]


def driven_dynamics_derivatives(
    tree: Tree, *arguments: Array | None
) -> tuple[Array, Array, Array, Array]:
    """Return a and its derivatives in q, v and tau."""
    a, a_q, a_v, a_tau = _with_friction(forward_dynamics_derivatives)(tree, *arguments)
    return a, a_q, a_v - a_tau * damping(tree), a_tau


def driven_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives up to `order`, from those of tau."""
    return forward_dynamics_rates(tree, order, inputs, motor_forces)
