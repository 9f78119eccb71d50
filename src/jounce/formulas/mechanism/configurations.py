"""Steps of mechanisms with loops: independent joints go their way, the others close the loops."""

from __future__ import annotations

from dataclasses import replace

from jounce.formulas import configurations, dynamics
from jounce.formulas.kinematics import Motion, SeriesDoNotNestError
from jounce.formulas.mechanism.dynamics import forward_dynamics
from jounce.formulas.mechanism.loops import Closure, Configuration, loop_jacobian, loop_residual
from jounce.math.linear import solver
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree

#: Steps of Newton's method that close the loops; each squares the gap, which begins as h^2.
CLOSINGS = 3


def integrate(tree: Tree, q: Configuration, dv: Array) -> Array:
    """The configuration (nq,) of all joints that the independent ones reach from q by dv.

    All joints move by E dv, then the dependent ones alone until the loops are closed again.
    """
    if isinstance(q, Motion):
        raise SeriesDoNotNestError("steps of mechanisms are solved for, and take no series")
    whole, passive = replace(tree, active=None), list(tree.passive)
    found = configurations.integrate(whole, q, Closure(tree, q).velocity(dv))
    for _ in range(CLOSINGS):
        slope = solver(loop_jacobian(whole, found)[:, passive], tree.rows)
        back = zeros(tree.nv)
        back[passive] = -slope.solve(loop_residual(whole, found))
        found = configurations.integrate(whole, found, back)
    return found


def driven_dynamics(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Forward dynamics where all joints rub."""
    rub = dynamics.joint_friction(tree, Closure(tree, q).velocity(v))
    left = -rub if joint_forces is None else joint_forces - rub
    return forward_dynamics(tree, q, v, tau, wrenches, left)
