"""Derivatives of contact dynamics by implicit differentiation of the contact equations.

At the solution (a, f) contact forces are wrenches that move with their bodies, so the derivative of
the first equation is that of inverse dynamics under these wrenches. The derivative of the second
equation is that of contact accelerations, plus terms of the gains, errors and damping.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.formulas import wrt_inertia, wrt_state
from jounce.formulas.contact import geometry
from jounce.formulas.contact.columns import ColumnSolver
from jounce.formulas.contact.dynamics import (
    ContactSystem,
    contact_wrenches,
    damping_of,
    loads,
    spread_forces,
)
from jounce.formulas.contact.errors import contact_errors_dq
from jounce.math.scalar import Array, identity, zeros
from jounce.model.tree import Tree


class _Solution:
    """Contact equations at their solution."""

    def __init__(self, tree: Tree, q: Array, damping: Any) -> None:
        self.tree, self.q, self.damping = tree, q, damping
        self.system = ContactSystem(tree, q, damping)
        self.columns_solver = ColumnSolver(self.system)

    def solve(self, force: Array, target: Array) -> tuple[Array, Array]:
        """Solve for the motion and all forces; store the forces of the independent rows."""
        motion, self.lam = self.system.solve(force, self.system.project_rows(target))
        return motion, self.system.forces(self.lam)

    def columns(self, force: Array, residual: Array) -> tuple[Array, Array]:
        """Return derivatives of motion and independent forces for residual columns."""
        n = force.shape[1]
        pairs = [self.columns_solver.solve(-force[:, k], -residual[:, k]) for k in range(n)]
        moved, lam = zip(*pairs, strict=True)
        return np.stack(moved, axis=1), np.stack(lam, axis=1)

    def in_q(self, force: Array, residual: Array, mismatch: Array) -> tuple[Array, Array]:
        """Return derivatives in q, along which the distribution of non-unique forces changes too.

        mismatch: residual (nc,) of the rows of all contacts.
        """
        projected = self.system.project_rows(residual)
        if self.tree.rows is None:
            return self.columns(force, projected)
        spread_q, damped_q, mismatch_q = wrt_state.directional(
            spread_forces, self.tree, (self.q, self.lam, mismatch), 0, configuration=True
        )
        force = force - geometry.contact_jacobian(self.tree, self.q).T @ spread_q
        projected = projected + mismatch_q + self.damping * damped_q
        moved, lam = self.columns(force, projected)
        return moved, self.system.forces(lam) + spread_q

    def along(self, force: Array, residual: Array) -> tuple[Array, Array]:
        """Return derivatives in a variable that does not move the contacts."""
        moved, lam = self.columns(force, self.system.project_rows(residual))
        return moved, self.system.forces(lam)

    def in_forces(self) -> tuple[Array, Array]:
        """Return derivatives of motion (nv, nv) and forces in the generalized forces."""
        return self.columns_solver.P, self.system.forces(-self.columns_solver.Q)


def _total_wrenches(tree: Tree, forces: Array, optional: tuple[Any, ...]) -> Array:
    """Return the wrenches on the bodies: those of the contacts plus external ones."""
    contact = contact_wrenches(tree, forces)
    return contact + optional[0] if optional else contact


def contact_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: Any
) -> tuple[Array, ...]:
    """Return a, f, and the derivatives of both in q, v and tau."""
    solution = _Solution(tree, q, damping_of(optional))
    force, target = loads(tree, q, v, tau, *optional)
    a, f = solution.solve(force, target)
    wrenches = _total_wrenches(tree, f, optional)
    _, force_q, force_v, _ = wrt_state.inverse_dynamics_derivatives(tree, q, v, a, wrenches)
    residual_q = geometry.contact_accelerations_dq(tree, q, v, a)
    residual_v = geometry.contact_accelerations_dv(tree, q, v, a)
    if optional:
        _, anchors, kp, kd, _ = optional
        residual_q = residual_q + kd * geometry.contact_velocities_dq(tree, q, v)
        residual_q = residual_q + kp * contact_errors_dq(tree, q, anchors)
        residual_v = residual_v + kd * geometry.contact_jacobian(tree, q)
    mismatch = geometry.contact_jacobian(tree, q) @ a - target
    by_q, by_v = solution.in_q(force_q, residual_q, mismatch), solution.along(force_v, residual_v)
    return a, f, *by_q, *by_v, *solution.in_forces()


def contact_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: Any
) -> tuple[Array, Array]:
    """Return da/dpi and df/dpi: the solution for minus the regressor of inverse dynamics at a."""
    lumped = tree.lumped
    solution = _Solution(lumped, q, damping_of(optional))
    a, _ = solution.solve(*loads(lumped, q, v, tau, *optional))
    Y = wrt_inertia.inverse_dynamics_dpi(tree, q, v, a)
    return solution.along(Y, zeros(sum(map(sum, (x for _, x in tree.contacts))), Y.shape[1]))


# ------------------------------------------------------------------ impulses


def impulse_derivatives(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, ...]:
    """Return v_after, p, and the derivatives of both in q and v."""
    solution, rebound = _Solution(tree, q, damping), 1.0 + restitution
    approach = geometry.contact_velocities(tree, q, v)
    dv, p = solution.solve(zeros(tree.nv), -rebound * approach)
    at_rest = _at_rest(tree)
    _, force_q, _, _ = wrt_state.inverse_dynamics_derivatives(
        at_rest, q, zeros(tree.nv), dv, contact_wrenches(tree, p)
    )
    residual_q = geometry.contact_velocities_dq(tree, q, dv + rebound * v)
    J = rebound * geometry.contact_jacobian(tree, q)
    mismatch = geometry.contact_velocities(tree, q, dv) + rebound * approach
    after_q, p_q = solution.in_q(force_q, residual_q, mismatch)
    after_v, p_v = solution.along(zeros(tree.nv, tree.nv), J)
    return v + dv, p, after_q, p_q, identity(tree.nv) + after_v, p_v


def impulse_dpi(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, Array]:
    """Return the derivatives of v_after and p in the inertial parameters."""
    lumped = tree.lumped
    solution, rebound = _Solution(lumped, q, damping), 1.0 + restitution
    approach = geometry.contact_velocities(tree, q, v)
    dv, p = solution.solve(zeros(tree.nv), -rebound * approach)
    Y = wrt_inertia.inverse_dynamics_dpi(_at_rest(tree), q, zeros(tree.nv), dv)
    return solution.along(Y, zeros(len(p), Y.shape[1]))


def _at_rest(tree: Tree) -> Tree:
    """Return the tree without gravity and springs, in which forces at rest are M a."""
    return tree.without_potential()


# ------------------------------------------------------------------ one by one


def select_results(formula: Callable[..., tuple[Array, ...]], *places: int) -> Callable[..., Any]:
    """Return a formula with the selected results, unpacked if there is one."""

    def select(tree: Tree, *arguments: Any) -> Any:
        results = formula(tree, *arguments)
        return results[places[0]] if len(places) == 1 else tuple(results[k] for k in places)

    return select


def drift_dv(tree: Tree, q: Array, v: Array) -> Array:
    """Return d drift / dv (nc, nv)."""
    return geometry.contact_accelerations_dv(tree, q, v, zeros(tree.nv))


def drift_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return d drift / dq (nc, nv)."""
    return geometry.contact_accelerations_dq(tree, q, v, zeros(tree.nv))
