"""Elastic drives: motion and torque of the motors from link-side torques and their rates.

With stiffness K and deflection x of a spring, and inertia J and viscous friction d of the motor at
theta = q + x (Spong's model; see `jounce.elastic`):

    tau = K x,    d/dt tau = K' x + K x',    d2/dt2 tau = K'' x + 2 K' x' + K x''
    tau_m = J theta'' + d theta' + tau
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jounce.math.scalar import Array
from jounce.model.tree import Tree

#: tau, or a stiffness, with its first and second time derivatives.
Rates = Sequence[Array]


def coordinates(tree: Tree) -> list[int | None]:
    """Return the coordinate whose rate is each velocity, or None (no motor can drive it)."""
    out: list[int | None] = [None] * tree.nv
    for node in tree.nodes:
        if node.motion.flat:
            for k in range(node.motion.nv):
                out[node.v + k] = node.q + k
    return out if tree.active is None else [out[k] for k in tree.active]


def deflection(forces: Rates, stiffness: Rates) -> tuple[Array, Array, Array]:
    """Return the deflections x, x', x'' of springs; zero for infinite stiffness."""
    tau, dtau, ddtau = forces
    K, dK, ddK = stiffness
    compliance = 1.0 / K
    x = compliance * tau
    dx = compliance * (dtau - dK * x)
    ddx = compliance * (ddtau - 2.0 * (dK * dx) - ddK * x)
    return x, dx, ddx


def motors(
    places: Sequence[int | None],
    state: Sequence[Array],
    tau: Array,
    spring: Sequence[Array],
    damping: Array,
    motor_inertia: Array,
) -> tuple[Array, ...]:
    """Return theta, theta', theta'', tau_m and tau for each velocity, (..., nv).

    places: `coordinates`. state: q, v, a. spring: x, x', x'' of all velocities. For velocities
    without a drive theta is 0, and rates and torque are those of the joint.
    """
    q, v, a = state
    x, dx, ddx = spring
    driven = {i: place for i, place in enumerate(places) if place is not None}
    driven_v, driven_q = list(driven), list(driven.values())
    position = np.full(tau.shape, 0.0, tau.dtype)
    velocity, acceleration, torque = (np.broadcast_to(y, tau.shape).copy() for y in (v, a, tau))
    position[..., driven_v] = q[..., driven_q] + x[..., driven_v]
    velocity[..., driven_v] += dx[..., driven_v]
    acceleration[..., driven_v] += ddx[..., driven_v]
    inertial, viscous = motor_inertia * acceleration, damping * velocity
    torque[..., driven_v] += inertial[..., driven_v] + viscous[..., driven_v]
    return position, velocity, acceleration, torque, tau
