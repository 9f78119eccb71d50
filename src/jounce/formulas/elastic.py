"""Elastic drives: from the links' forces and their rates to what the motors do.

With K for the stiffness of a spring, x for its deflection, J and d for inertia and friction of the
motor at theta = q + x (Spong's model; see `jounce.elastic`):

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
    """For each velocity the coordinate it is the rate of, which a motor can turn or push."""
    found: list[int | None] = [None] * tree.nv
    for node in tree.nodes:
        if node.motion.flat:
            for k in range(node.motion.nv):
                found[node.v + k] = node.q + k
    return found if tree.active is None else [found[k] for k in tree.active]


def deflection(forces: Rates, stiffness: Rates) -> tuple[Array, Array, Array]:
    """Return x, x', x'' of springs; rigid ones, of infinite stiffness, have none."""
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

    places: `coordinates`. state: q, v, a. spring: x, x', x'' of all velocities. What has no drive
    has no theta (zero stands there) and moves as the joint does, under tau alone.
    """
    q, v, a = state
    x, dx, ddx = spring
    driven = {i: place for i, place in enumerate(places) if place is not None}
    on, at = list(driven), list(driven.values())
    position = np.full(tau.shape, 0.0, tau.dtype)
    velocity, acceleration, torque = (np.broadcast_to(y, tau.shape).copy() for y in (v, a, tau))
    position[..., on] = q[..., at] + x[..., on]
    velocity[..., on] += dx[..., on]
    acceleration[..., on] += ddx[..., on]
    inertial, viscous = motor_inertia * acceleration, damping * velocity
    torque[..., on] += inertial[..., on] + viscous[..., on]
    return position, velocity, acceleration, torque, tau
