"""Derivatives of dynamics in contact: the same equations, solved for minus what is out of balance.

At the solution (a, f) contact forces are wrenches that move with their bodies, so what moves the
first equation is what moves inverse dynamics under them; the second one moves as accelerations of
the contacts do, and as what gains and damping make of their errors and forces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.formulas import wrt_inertia, wrt_state
from jounce.formulas.contact import geometry
from jounce.formulas.contact.columns import Columns
from jounce.formulas.contact.dynamics import (
    Supported,
    contact_wrenches,
    damping_of,
    loads,
    spread,
)
from jounce.formulas.contact.errors import contact_errors_dq
from jounce.math.scalar import Array, identity, zeros
from jounce.model.tree import Tree


class _Solved:
    """The equations at their solution."""

    def __init__(self, tree: Tree, q: Array, damping: Any) -> None:
        self.tree, self.q, self.damping = tree, q, damping
        self.system = Supported(tree, q, damping)
        self.many = Columns(self.system)

    def at(self, force: Array, wanted: Array) -> tuple[Array, Array]:
        """Solve; returns the motion and all forces, and keeps those of the independent rows."""
        found, self.lam = self.system.solve(force, self.system.fitted(wanted))
        return found, self.system.forces(self.lam)

    def columns(self, force: Array, rest: Array) -> tuple[Array, Array]:
        """Return derivatives of motion and independent forces for residual columns."""
        n = force.shape[1]
        pairs = [self.many.solve(-force[:, k], -rest[:, k]) for k in range(n)]
        moved, lam = zip(*pairs, strict=True)
        return np.stack(moved, axis=1), np.stack(lam, axis=1)

    def in_q(self, force: Array, rest: Array, left: Array) -> tuple[Array, Array]:
        """The same in q, along which also moves how forces spread over rows that are not unique.

        left: what the rows of all contacts miss, (nc,).
        """
        fitted = self.system.fitted(rest)
        if self.tree.rows is None:
            return self.columns(force, fitted)
        spread_q, damped_q, left_q = wrt_state.directional(
            spread, self.tree, (self.q, self.lam, left), 0, configuration=True
        )
        force = force - geometry.contact_jacobian(self.tree, self.q).T @ spread_q
        fitted = fitted + left_q + self.damping * damped_q
        moved, lam = self.columns(force, fitted)
        return moved, self.system.forces(lam) + spread_q

    def along(self, force: Array, rest: Array) -> tuple[Array, Array]:
        """Return the same in what does not move the contacts."""
        moved, lam = self.columns(force, self.system.fitted(rest))
        return moved, self.system.forces(lam)

    def in_forces(self) -> tuple[Array, Array]:
        """Motion (nv, nv), which is symmetric, and forces per unit of each generalised force."""
        return self.many.P, self.system.forces(-self.many.Q)


def _loaded(tree: Tree, forces: Array, given: tuple[Any, ...]) -> Array:
    """Return the wrenches on the bodies: those of the contacts, and those that are given."""
    pressed = contact_wrenches(tree, forces)
    return pressed + given[0] if given else pressed


def contact_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Any
) -> tuple[Array, ...]:
    """Return a, f, and both in q, in v and in tau."""
    solved = _Solved(tree, q, damping_of(given))
    force, wanted = loads(tree, q, v, tau, *given)
    a, f = solved.at(force, wanted)
    wrenches = _loaded(tree, f, given)
    _, force_q, force_v, _ = wrt_state.inverse_dynamics_derivatives(tree, q, v, a, wrenches)
    rest_q = geometry.contact_accelerations_dq(tree, q, v, a)
    rest_v = geometry.contact_accelerations_dv(tree, q, v, a)
    if given:
        _, anchors, kp, kd, _ = given
        rest_q = rest_q + kd * geometry.contact_velocities_dq(tree, q, v)
        rest_q = rest_q + kp * contact_errors_dq(tree, q, anchors)
        rest_v = rest_v + kd * geometry.contact_jacobian(tree, q)
    left = geometry.contact_jacobian(tree, q) @ a - wanted
    by_q, by_v = solved.in_q(force_q, rest_q, left), solved.along(force_v, rest_v)
    return a, f, *by_q, *by_v, *solved.in_forces()


def contact_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Any
) -> tuple[Array, Array]:
    """a and f in the parameters: minus the columns of the regressor of inverse dynamics at a."""
    lumped = tree.lumped
    solved = _Solved(lumped, q, damping_of(given))
    a, _ = solved.at(*loads(lumped, q, v, tau, *given))
    Y = wrt_inertia.inverse_dynamics_dpi(tree, q, v, a)
    return solved.along(Y, zeros(sum(map(sum, (x for _, x in tree.contacts))), Y.shape[1]))


# ------------------------------------------------------------------ impulses


def impulse_derivatives(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, ...]:
    """v_after, p, and both in q and in v: forces at rest and without gravity take M's place."""
    solved, rebound = _Solved(tree, q, damping), 1.0 + restitution
    approach = geometry.contact_velocities(tree, q, v)
    dv, p = solved.at(zeros(tree.nv), -rebound * approach)
    at_rest = _at_rest(tree)
    _, force_q, _, _ = wrt_state.inverse_dynamics_derivatives(
        at_rest, q, zeros(tree.nv), dv, contact_wrenches(tree, p)
    )
    rest_q = geometry.contact_velocities_dq(tree, q, dv + rebound * v)
    J = rebound * geometry.contact_jacobian(tree, q)
    left = geometry.contact_velocities(tree, q, dv) + rebound * approach
    after_q, p_q = solved.in_q(force_q, rest_q, left)
    after_v, p_v = solved.along(zeros(tree.nv, tree.nv), J)
    return v + dv, p, after_q, p_q, identity(tree.nv) + after_v, p_v


def impulse_dpi(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, Array]:
    """Return v_after and p in the parameters."""
    lumped = tree.lumped
    solved, rebound = _Solved(lumped, q, damping), 1.0 + restitution
    approach = geometry.contact_velocities(tree, q, v)
    dv, p = solved.at(zeros(tree.nv), -rebound * approach)
    Y = wrt_inertia.inverse_dynamics_dpi(_at_rest(tree), q, zeros(tree.nv), dv)
    return solved.along(Y, zeros(len(p), Y.shape[1]))


def _at_rest(tree: Tree) -> Tree:
    """Return the tree without gravity and springs, in which forces at rest are M a."""
    return tree.without_potential()


# ------------------------------------------------------------------ one by one


def picked(formula: Callable[..., tuple[Array, ...]], *places: int) -> Callable[..., Any]:
    """Return a formula that selects some results, unpacked if only one."""

    def some(tree: Tree, *arguments: Any) -> Any:
        found = formula(tree, *arguments)
        return found[places[0]] if len(places) == 1 else tuple(found[k] for k in places)

    return some


def drift_dv(tree: Tree, q: Array, v: Array) -> Array:
    """Return the derivative of the drift (nc, nv)."""
    return geometry.contact_accelerations_dv(tree, q, v, zeros(tree.nv))


def drift_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return the derivative of the drift (nc, nv)."""
    return geometry.contact_accelerations_dq(tree, q, v, zeros(tree.nv))
