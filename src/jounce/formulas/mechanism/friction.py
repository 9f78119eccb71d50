"""Dynamics of mechanisms with joint friction, by the laws of `formulas.friction_laws`.

Only motors of independent joints have loads: the load of a joint is the force of its motor minus
its own friction, which moves the mechanism against the friction of the dependent joints.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jounce.formulas import friction_laws, wrt_time
from jounce.formulas.mechanism import loops
from jounce.formulas.mechanism.configurations import integrate_all
from jounce.formulas.mechanism.derivatives import forward_dynamics_dpi, inverse_dynamics_dpi
from jounce.formulas.mechanism.dynamics import forward_dynamics, inverse_dynamics, mass_matrix
from jounce.formulas.mechanism.loops import Closure, Configuration
from jounce.formulas.steps import StepDynamics
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree


def joint_friction(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return E^T times the friction of all joints, without load."""
    closure = Closure(tree, q)
    return closure.forces(friction_laws.joint_friction(tree, closure.velocity(v)))


def motor_forces(
    tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return inverse dynamics plus the friction of all joints."""
    if not tree.has_load_friction:
        return inverse_dynamics(tree, q, v, a, wrenches) + joint_friction(tree, q, v)
    return _at(tree, q, v, a, wrenches)[0]


def _at(
    tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Array | None
) -> tuple[Array, Array]:
    """Return the motor forces and their derivatives (nv,) in the loads."""
    closure, active = Closure(tree, q), _active(tree)
    velocity = closure.velocity(v)
    friction = friction_laws.joint_friction(tree, velocity)
    passive = closure.forces(friction) - friction[active]
    loads = zeros(tree.nv)
    loads[active] = inverse_dynamics(tree, q, v, a, wrenches) + passive
    motors = friction_laws.add_friction(tree, velocity, loads)
    return motors.forces[active], motors.by_load[active]


def _active(tree: Tree) -> list[int]:
    assert tree.active is not None
    return list(tree.active)


def motor_forces_da(
    tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/da: (1 + df/dr) M."""
    return _scale_by_load(mass_matrix(tree, q), tree, q, v, a, wrenches)


def motor_forces_dpi(
    tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return dtau/dpi: the regressor of inverse dynamics, times 1 + df/dr."""
    return _scale_by_load(inverse_dynamics_dpi(tree, q, v, a), tree, q, v, a, wrenches)


def _scale_by_load(
    columns: Array, tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Array | None
) -> Array:
    if not tree.has_load_friction:
        return columns
    return np.asarray(_at(tree, q, v, a, wrenches)[1])[:, None] * columns


def driven_dynamics(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return the acceleration with friction in all joints."""
    passed, net = _net_forces(tree, q, v, tau, joint_forces)
    return forward_dynamics(tree, q, v, passed, wrenches, net)


def driven_dynamics_dpi(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return da/dpi: that of forward dynamics, because friction does not depend on pi."""
    passed, net = _net_forces(tree, q, v, tau, joint_forces)
    return forward_dynamics_dpi(tree, q, v, passed, wrenches, net)


def driven_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives from those of tau; see `wrt_time`."""
    factors = factorize(mass_matrix(tree, inputs["q"]))
    accelerations: list[Array] = []
    for k in range(order + 1):
        series = wrt_time.motion_series(inputs, accelerations, k)
        series |= wrt_time.signals(inputs, k, "tau", "wrenches", "joint_forces")
        missing = -wrt_time.rates(_missing_forces, tree, series, k)[k]
        accelerations.append(solve_factorized(*factors, missing))
    return accelerations


def _missing_forces(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return what a takes in addition to tau and friction."""
    passed, net = _net_forces(tree, q, v, tau, joint_forces)
    return inverse_dynamics(tree, q, v, a, wrenches, net) - passed


def _net_forces(
    tree: Tree, q: Configuration, v: Array, tau: Array, joint_forces: Array | None
) -> tuple[Array, Array]:
    """Return forces on the independent and on all joints that act as tau and friction do."""
    velocity = Closure(tree, q).velocity(v)
    friction = friction_laws.joint_friction(tree, velocity)
    net = -friction if joint_forces is None else joint_forces - friction
    if tree.has_load_friction:
        motors, active = zeros(tree.nv), _active(tree)
        motors[active] = tau
        tau = (friction_laws.passed_forces(tree, velocity, motors) + friction)[active]
    return tau, net


#: Dynamics of integration steps, without and with friction.
STEP_DYNAMICS = (
    StepDynamics(forward_dynamics, integrate_all, loops.velocity),
    StepDynamics(driven_dynamics, integrate_all, loops.velocity, has_friction=True),
)
