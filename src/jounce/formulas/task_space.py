"""The dynamics in the directions of a task: some rows of the Jacobians of one or several frames.

With the stacked Jacobian J, Lambda = (J M^-1 J^T)^-1 and Jbar = M^-1 J^T Lambda,

    C_task = (Jbar^T C - Lambda J') Jbar       d/dt Lambda = C_task + C_task^T

if dM/dt = C + C^T: with v = Jbar V the task block of T^T (M T' + C T), T = [Jbar, Z], where
Jbar^T M = Lambda J and J Jbar' = -J' Jbar. Motions N v, N = 1 - Jbar J, leave the task alone, and
forces N^T tau do not accelerate it (Khatib; Garofalo and Ott).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.errors import ModelError
from jounce.formulas import dynamics, equations, jacobian_rates, kinematics
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.formulas.mechanism import task as loop_task
from jounce.formulas.singular import generic_configuration
from jounce.formulas.task import weighted_gram
from jounce.math.linear import factorize, half_solve, inverse, solve_factorized
from jounce.math.scalar import Array, identity
from jounce.model.tree import Tree

Configuration = Any


class Equations(NamedTuple):
    """Jacobians and equations of motion of a tree or a mechanism."""

    jacobian: Callable[[Tree, Any, int], Array]
    jacobian_rate: Callable[[Tree, Any, Any, int], Array]
    mass_matrix: Callable[[Tree, Any], Array]
    coriolis_matrix: Callable[[Tree, Any, Any], Array]
    bias_forces: Callable[[Tree, Any, Any], Array]


TREE = Equations(
    kinematics.frame_jacobian,
    jacobian_rates.frame_jacobian_rate,
    dynamics.mass_matrix,
    equations.coriolis_matrix,
    dynamics.bias_forces,
)
MECHANISM = Equations(
    loop_task.frame_jacobian,
    loop_task.frame_jacobian_rate,
    loop_dynamics.mass_matrix,
    loop_dynamics.coriolis_matrix,
    loop_dynamics.bias_forces,
)


def of_frame(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula of a task for the whole twist of one frame, whose index comes last."""

    def of_one(of: Equations, tree: Tree, *inputs: Any) -> Any:
        *arguments, frame = inputs
        return formula(of, replace(tree, tasks=((frame, (True,) * 6),)), *arguments)

    return of_one


def jacobian(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return J: the rows of the task, frame after frame, in the axes of the frames."""
    rows = [of.jacobian(tree, q, frame)[np.array(kept)] for frame, kept in tree.tasks]
    return np.concatenate(rows)


def jacobian_rate(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return dJ/dt."""
    rows = [of.jacobian_rate(tree, q, v, frame)[np.array(kept)] for frame, kept in tree.tasks]
    return np.concatenate(rows)


def velocity(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return J v."""
    return jacobian(of, tree, q) @ v


def inertia_inverse(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return J M^-1 J^T."""
    L, inverse_pivots = factorize(of.mass_matrix(tree, q))
    halves = [half_solve(L, row) for row in jacobian(of, tree, q)]
    return weighted_gram(halves, inverse_pivots)


def inertia(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return Lambda, the inverse of J M^-1 J^T."""
    require_independent_rows(of, tree)
    return inverse(inertia_inverse(of, tree, q))


def _factors(of: Equations, tree: Tree, q: Configuration) -> tuple[Array, Array, Array]:
    """Return J, Lambda and Jbar."""
    require_independent_rows(of, tree)
    factors, J = factorize(of.mass_matrix(tree, q)), jacobian(of, tree, q)
    pushed = np.stack([solve_factorized(*factors, row) for row in J], axis=1)
    Lambda = inverse(J @ pushed)
    return J, Lambda, pushed @ Lambda


def jacobian_inverse(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return Jbar = M^-1 J^T Lambda, the inverse of J that moves the least energy."""
    return _factors(of, tree, q)[2]


def coriolis_matrix(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return (Jbar^T C - Lambda J') Jbar."""
    _, Lambda, Jbar = _factors(of, tree, q)
    C, J_rate = of.coriolis_matrix(tree, q, v), jacobian_rate(of, tree, q, v)
    return (Jbar.T @ C - Lambda @ J_rate) @ Jbar


def bias(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return Jbar^T (C v + g) - Lambda J' v: the wrenches that keep the velocity of the task."""
    _, Lambda, Jbar = _factors(of, tree, q)
    return Jbar.T @ of.bias_forces(tree, q, v) - Lambda @ (jacobian_rate(of, tree, q, v) @ v)


def null_space_projector(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return N = 1 - Jbar J."""
    J, _, Jbar = _factors(of, tree, q)
    return identity(tree.dof) - Jbar @ J


def require_independent_rows(of: Equations, tree: Tree) -> None:
    """Refuse a task with directions in which its frames cannot move independently anywhere."""
    if any(not isinstance(x, (int, float)) for node in tree.nodes for x in node.p0):
        return  # numbers that are arguments
    if tree.active is not None:
        count = sum(sum(kept) for _, kept in tree.tasks)
        rank = min(count, tree.dof)
    else:
        J = jacobian(of, tree, generic_configuration(tree))
        if any(not isinstance(x, (int, float)) for x in J.flat):
            return  # axes or placements that are arguments, or series in them
        count, rank = len(J), int(np.linalg.matrix_rank(J.astype(float)))
    if rank < count:
        raise ModelError(
            f"the task has {count} rows, of which {rank} are independent, so J M^-1 J^T has no"
            " inverse; choose fewer rows with robot.task_space(..., rows=...)"
        )
