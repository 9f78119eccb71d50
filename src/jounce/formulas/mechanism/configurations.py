"""Configuration steps of mechanisms: independent joints move, dependent joints close loops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jounce.formulas import configurations
from jounce.formulas.kinematics import Motion, SeriesDoNotNestError, refuse_series
from jounce.formulas.mechanism.loops import (
    Configuration,
    loop_jacobian,
    loop_residual,
    loop_solver,
    velocity,
)
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree

#: Newton steps that close the loops; each squares the closure error, which is initially O(h^2).
NEWTON_STEPS = 3


def integrate(tree: Tree, q: Configuration, dv: Array) -> Array:
    """Return the configuration (nq,) after a step dv of the independent joints.

    All joints move by E dv, then the dependent ones alone until the loops are closed again.
    """
    refuse_series(tree, (q, dv))  # loops are closed by iteration, not by series
    return integrate_all(tree, q, velocity(tree, q, dv))


def integrate_all(tree: Tree, q: Configuration, x: Array) -> Array:
    """Return the configuration (nq,) after a step x of all joints that nearly closes the loops."""
    refuse_series(tree, (q, x))
    all_joints, passive = replace(tree, active=None), list(tree.passive)
    q_next = configurations.integrate(all_joints, q, x)
    for _ in range(NEWTON_STEPS):
        factors = loop_solver(tree, loop_jacobian(all_joints, q_next)[:, passive])
        correction = zeros(tree.nv)
        correction[passive] = -factors.solve(loop_residual(all_joints, q_next))
        q_next = configurations.integrate(all_joints, q_next, correction)
    return q_next


def difference(tree: Tree, q0: Configuration, q1: Configuration) -> Array:
    """Return the velocity of the independent joints that leads from q0 to q1 in unit time."""
    all_joints = replace(tree, active=None)
    return configurations.difference(all_joints, *map(_coordinates, (q0, q1)))[
        list(tree.active or ())
    ]


def interpolate(tree: Tree, q0: Configuration, q1: Configuration, s: Any) -> Array:
    """Return the configuration (nq,) at the fraction s of the independent joints' path."""
    return integrate(tree, q0, s * difference(tree, q0, q1))


def normalize(tree: Tree, q: Configuration) -> Array:
    """Return the same configuration with unit quaternions."""
    return configurations.normalize(tree, _coordinates(q))


def velocity_from_rates(tree: Tree, q: Configuration, qdot: Array) -> Array:
    """Return the velocity of the independent joints with which q changes at the rates qdot."""
    return configurations.velocity_from_rates(tree, _coordinates(q), qdot)


def _coordinates(q: Configuration) -> Array:
    """Return the coordinates of a configuration; refuse series."""
    if isinstance(q, Motion):
        raise SeriesDoNotNestError("configurations of mechanisms cannot be Taylor series")
    return q
