"""Steps of mechanisms with loops: independent joints go their way, the others close the loops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jounce.formulas import configurations, dynamics
from jounce.formulas.kinematics import Motion, SeriesDoNotNestError, refuse_series
from jounce.formulas.mechanism.dynamics import forward_dynamics
from jounce.formulas.mechanism.loops import (
    Closure,
    Configuration,
    loop_jacobian,
    loop_residual,
    loop_solver,
)
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree

#: Steps of Newton's method that close the loops; each squares the gap, which begins as h^2.
CLOSINGS = 3


def integrate(tree: Tree, q: Configuration, dv: Array) -> Array:
    """Return the configuration (nq,) of all joints that the independent ones reach from q by dv.

    All joints move by E dv, then the dependent ones alone until the loops are closed again.
    """
    refuse_series(tree, (q, dv))  # loops are closed by solving, not by series
    whole, passive = replace(tree, active=None), list(tree.passive)
    found = configurations.integrate(whole, q, Closure(tree, q).velocity(dv))
    for _ in range(CLOSINGS):
        slope = loop_solver(tree, loop_jacobian(whole, found)[:, passive])
        back = zeros(tree.nv)
        back[passive] = -slope.solve(loop_residual(whole, found))
        found = configurations.integrate(whole, found, back)
    return found


def difference(tree: Tree, q0: Configuration, q1: Configuration) -> Array:
    """The velocity of the independent joints that leads from q0 to q1 in one unit of time."""
    whole = replace(tree, active=None)
    return configurations.difference(whole, *map(_coordinates, (q0, q1)))[list(tree.active or ())]


def interpolate(tree: Tree, q0: Configuration, q1: Configuration, s: Any) -> Array:
    """The configuration (nq,) at the share s of the way of the independent joints, loops closed."""
    return integrate(tree, q0, s * difference(tree, q0, q1))


def normalize(tree: Tree, q: Configuration) -> Array:
    """Return the same configuration with unit quaternions."""
    return configurations.normalize(tree, _coordinates(q))


def velocity_from_rates(tree: Tree, q: Configuration, qdot: Array) -> Array:
    """Return the velocity of the independent joints with which q changes at the rates qdot."""
    return configurations.velocity_from_rates(tree, _coordinates(q), qdot)


def _coordinates(q: Configuration) -> Array:
    """Return the entries of a configuration, which must be numbers."""
    if isinstance(q, Motion):
        raise SeriesDoNotNestError("configurations of mechanisms take no series")
    return q


def driven_dynamics(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return the acceleration with friction in all joints."""
    rub = dynamics.joint_friction(tree, Closure(tree, q).velocity(v))
    left = -rub if joint_forces is None else joint_forces - rub
    return forward_dynamics(tree, q, v, tau, wrenches, left)
