"""Task-space quantities of mechanisms: Jacobian J E and its rate, inertias and bias.

The same as in `formulas.task` for trees, with J E in place of J and the mechanism's M.
"""

from __future__ import annotations

from jounce.errors import ModelError
from jounce.formulas import jacobian_rates, kinematics, task
from jounce.formulas.mechanism.dynamics import bias_forces, mass_matrix, mass_matrix_inverse
from jounce.formulas.mechanism.loops import Closure, Configuration
from jounce.math.linear import factorize, half_solve, inverse
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree


def frame_jacobian(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return the body-fixed Jacobian J E (6, nv)."""
    closure = Closure(tree, q)
    return kinematics.frame_jacobian(tree, closure.q, frame) @ closure.E


def frame_jacobian_rate(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """Return the rate of the Jacobian, J' E + J E'."""
    closure = Closure(tree, q)
    v = closure.velocity(v)
    J = kinematics.frame_jacobian(tree, closure.q, frame)
    rate = jacobian_rates.frame_jacobian_rate(tree, closure.q, v, frame)
    return rate @ closure.E + J @ closure.E_rate(v)


def task_inertia_inverse(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return the inverse task inertia J E (E^T M E)^-1 E^T J^T (6, 6)."""
    L, inverse_pivots = factorize(mass_matrix(tree, q))
    halves = [half_solve(L, row) for row in frame_jacobian(tree, q, frame)]
    return task.weighted_gram(halves, inverse_pivots)


def task_inertia(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return the task inertia Lambda (6, 6)."""
    if tree.dof < 6:
        raise ModelError(
            f"the mechanism has {tree.dof} degrees of freedom, so the frame cannot move in all six"
            " directions and J M^-1 J^T has no inverse; compute task_inertia_inverse and invert its"
            " block for the directions of the task"
        )
    return inverse(task_inertia_inverse(tree, q, frame))


def task_jacobian_inverse(tree: Tree, q: Configuration, frame: int) -> Array:
    """Return the dynamically consistent inverse M^-1 (J E)^T Lambda (nv, 6)."""
    J = frame_jacobian(tree, q, frame)
    return mass_matrix_inverse(tree, q) @ J.T @ task_inertia(tree, q, frame)


def task_bias(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """Return the task bias Lambda (J M^-1 (C v + g) - dJ/dt v) (6,) of the mechanism."""
    closure = Closure(tree, q)
    v_all = closure.velocity(v)
    J = kinematics.frame_jacobian(tree, closure.q, frame)
    drift = task.frame_drift(tree, closure.q, v_all, frame)
    drift = drift + J @ closure.acceleration(v_all, zeros(tree.dof))
    falling = mass_matrix_inverse(tree, q) @ bias_forces(tree, q, v)
    return task_inertia(tree, q, frame) @ (J @ closure.E @ falling - drift)
