"""Equations of motion with joint friction, by the laws of `friction_laws`.

The motors' forces are tau = r + f(v, r), where r = M a + C v + g, minus external forces. Neither
stiction nor its release is modeled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jounce.formulas import friction_laws, wrt_forward
from jounce.formulas.dynamics import (
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
    mass_matrix_inverse,
    solve_for_acceleration,
)
from jounce.formulas.friction_laws import Friction, add_friction, passed_forces
from jounce.formulas.wrt_inertia import forward_dynamics_dpi, inverse_dynamics_dpi
from jounce.formulas.wrt_screws import forward_dynamics_dgeometry
from jounce.formulas.wrt_state import inverse_dynamics_dq, inverse_dynamics_dv
from jounce.formulas.wrt_time import motion_series, rates, signals
from jounce.math.scalar import Array
from jounce.model.tree import Tree


def motor_forces(tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None) -> Array:
    """Return M a + C v + g + friction, minus external forces."""
    return _at(tree, q, v, a, wrenches).forces


def _at(tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None) -> Friction:
    return add_friction(tree, v, inverse_dynamics(tree, q, v, a, wrenches))


def _scale_by_load(
    columns: Array, tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None
) -> Array:
    """Return the derivative of the motor forces from that of the load (nv, n)."""
    if not tree.has_load_friction:
        return columns
    return _at(tree, q, v, a, wrenches).by_load[:, None] * columns


def motor_forces_dq(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dq: that of inverse dynamics, times 1 + df/dr."""
    return _scale_by_load(inverse_dynamics_dq(tree, q, v, a, wrenches), tree, q, v, a, wrenches)


def motor_forces_dv(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dv: that of inverse dynamics, times 1 + df/dr, plus df/dv."""
    by_v = inverse_dynamics_dv(tree, q, v, a, wrenches)
    if not tree.has_load_friction:
        return by_v + np.diag(friction_laws.joint_friction_dv(tree, v))
    friction = _at(tree, q, v, a, wrenches)
    return friction.by_load[:, None] * by_v + np.diag(friction.by_v)


def motor_forces_da(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/da: (1 + df/dr) M."""
    return _scale_by_load(mass_matrix(tree, q), tree, q, v, a, wrenches)


def motor_forces_dpi(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dpi: the regressor of inverse dynamics, times 1 + df/dr."""
    return _scale_by_load(inverse_dynamics_dpi(tree, q, v, a), tree, q, v, a, wrenches)


# ------------------------------------------------------------------ forward dynamics


def driven_dynamics(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
) -> Array:
    """Return a with M a + C v + g + friction = tau, plus external forces."""
    return forward_dynamics(tree, q, v, passed_forces(tree, v, tau), *wrenches, **options)


def driven_dynamics_dq(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None
) -> Array:
    """Return da/dq: that of forward dynamics."""
    return wrt_forward.forward_dynamics_dq(tree, q, v, passed_forces(tree, v, tau), *wrenches)


def driven_dynamics_dv(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None
) -> Array:
    """Return da/dv: that of forward dynamics plus M^-1 dr/dv."""
    return driven_dynamics_derivatives(tree, q, v, tau, *wrenches)[2]


def driven_dynamics_dtau(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None
) -> Array:
    """Return da/dtau: M^-1 dr/dtau."""
    inverse = mass_matrix_inverse(tree, q)
    if not tree.has_load_friction:
        return inverse
    return inverse / add_friction(tree, v, passed_forces(tree, v, tau)).by_load


def driven_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
) -> tuple[Array, Array, Array, Array]:
    """Return a and its derivatives in q, v and tau."""
    r = passed_forces(tree, v, tau)
    friction = add_friction(tree, v, r)
    a, a_q, a_v, a_tau = wrt_forward.forward_dynamics_derivatives(
        tree, q, v, r, *wrenches, **options
    )
    if tree.has_load_friction:
        a_tau = a_tau / friction.by_load
    return a, a_q, a_v - a_tau * friction.by_v, a_tau


def driven_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
) -> Array:
    """Return da/dpi: that of forward dynamics at the forces that the drives pass on."""
    return forward_dynamics_dpi(tree, q, v, passed_forces(tree, v, tau), *wrenches, **options)


def driven_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, *wrenches: Array | None, **options: Any
) -> Array:
    """Return the derivative in the geometry: that of forward dynamics at the passed forces."""
    return forward_dynamics_dgeometry(tree, q, v, passed_forces(tree, v, tau), *wrenches, **options)


def driven_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives up to `order`, from those of tau.

    Order by order as `wrt_time.forward_dynamics_rates`: the k-th derivative of the passed forces
    depends on lower derivatives of a only.
    """
    accelerations: list[Array] = []
    for k in range(order + 1):
        series = motion_series(inputs, accelerations, k)
        taus = signals(inputs, k, "tau")
        passed = rates(passed_forces, tree, {"v": series["v"], **taus}, k)[k]
        known = rates(inverse_dynamics, tree, series | signals(inputs, k, "wrenches"), k)[k]
        accelerations.append(solve_for_acceleration(tree, inputs["q"], passed - known))
    return accelerations
