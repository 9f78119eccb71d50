"""Closed-form derivatives of mechanisms with loops.

All other derivatives come from `wrt_state.directional` on the formulas of `loops`, in which the
dependent joints close the loops. Derivatives in q are along independent velocities: q moves along
E e_h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jounce.formulas import dynamics, wrt_inertia
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.formulas.mechanism.loops import Closure
from jounce.formulas.wrt_state import directional
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, identity, zeros
from jounce.model.tree import Tree

OptionalArray = Array | None


# ------------------------------------------------------------------ forward dynamics


def reduced_solve(tree: Tree, q: Array, columns: Array) -> Array:
    """Return (E^T M E)^-1 times the columns of a matrix."""
    factors = factorize(loop_dynamics.mass_matrix(tree, q))
    return np.stack([solve_factorized(*factors, x) for x in columns.T], axis=1)


def _forward(wrt: int) -> Callable[..., Array]:
    """Return da/dq or da/dv, -(E^T M E)^-1 times the derivative of inverse dynamics at a."""

    def derivative(tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray) -> Array:
        a = loop_dynamics.forward_dynamics(tree, q, v, tau, *optional)
        state = (q, v, a)
        by = directional(
            loop_dynamics.inverse_dynamics, tree, state, wrt, optional, configuration=wrt == 0
        )
        return -reduced_solve(tree, q, by)

    return derivative


forward_dynamics_dq = _forward(0)
forward_dynamics_dv = _forward(1)


def inverse_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, a: Array, *optional: OptionalArray
) -> tuple[Array, Array, Array, Array]:
    """Return tau, dtau/dq, dtau/dv and dtau/da = E^T M E."""
    formula, state = loop_dynamics.inverse_dynamics, (q, v, a)
    by_q, by_v = (
        directional(formula, tree, state, wrt, optional, configuration=wrt == 0) for wrt in (0, 1)
    )
    tau = formula(tree, q, v, a, *optional)
    return tau, by_q, by_v, loop_dynamics.mass_matrix(tree, q)


def forward_dynamics_derivatives(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray
) -> tuple[Array, Array, Array, Array]:
    """Return a, da/dq, da/dv and da/dtau = (E^T M E)^-1."""
    a = loop_dynamics.forward_dynamics(tree, q, v, tau, *optional)
    by_q, by_v = (
        form(tree, q, v, tau, *optional) for form in (forward_dynamics_dq, forward_dynamics_dv)
    )
    return a, by_q, by_v, loop_dynamics.mass_matrix_inverse(tree, q)


def inverse_derivative(form: Callable[..., Array]) -> Callable[..., Array]:
    """Return the derivative -W dM W of the inverse mass matrix W, from that of the mass matrix."""

    def derivative(tree: Tree, q: Array, **options: Any) -> Array:
        W = loop_dynamics.mass_matrix_inverse(tree.lumped, q)
        return -congruence(W, form(tree, q, **options), W)

    return derivative


# ------------------------------------------------------------------ constraint forces


def _multipliers_da(tree: Tree, q: Array) -> Array:
    """Return dlam/da for accelerations a of the independent joints: g_p^T lam = (M E a)_p."""
    closure = Closure(tree, q)
    push = (dynamics.mass_matrix(tree, closure.q) @ closure.E)[closure.passive]
    return np.stack([closure.multipliers(x) for x in push.T], axis=1)


def _constraint(wrt: int, forward: Callable[..., Array]) -> Callable[..., Array]:
    """Return dlam/dq or dlam/dv: the part at fixed a plus the part through a."""

    def derivative(tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray) -> Array:
        a = loop_dynamics.forward_dynamics(tree, q, v, tau, *optional)
        state = (q, v, a)
        direct = directional(
            loop_dynamics.multipliers, tree, state, wrt, optional, configuration=wrt == 0
        )
        return direct + _multipliers_da(tree, q) @ forward(tree, q, v, tau, *optional)

    return derivative


constraint_forces_dq = _constraint(0, forward_dynamics_dq)
constraint_forces_dv = _constraint(1, forward_dynamics_dv)


def constraint_forces_dtau(tree: Tree, q: Array) -> Array:
    """Return dlam/dtau, which acts through a only."""
    return _multipliers_da(tree, q) @ loop_dynamics.mass_matrix_inverse(tree, q)


# ------------------------------------------------------------------ all joints, with multipliers


def _constrained_derivative(wrt: int) -> Callable[..., Array]:
    """Return da/dq or da/dv of all joints, by implicit differentiation of the balance."""

    def derivative(tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray) -> Array:
        system = loop_dynamics.ConstrainedSystem(tree, q)
        a, lam = system.solve(*loop_dynamics.constrained_loads(tree, q, v, tau, *optional))
        state = (q, v, a, lam, tau)
        out = directional(loop_dynamics.balance, tree, state, wrt, optional, configuration=wrt == 0)
        n = tree.nv
        return np.stack([system.solve(-x[:n], -x[n:])[0] for x in out.T], axis=1)

    return derivative


constrained_dynamics_dq = _constrained_derivative(0)
constrained_dynamics_dv = _constrained_derivative(1)


def constrained_dynamics_dtau(tree: Tree, q: Array) -> Array:
    """Return the accelerations due to unit joint forces, da/dtau."""
    system = loop_dynamics.ConstrainedSystem(tree, q)
    still = zeros(len(system.G))
    return np.stack([system.solve(unit, still)[0] for unit in identity(tree.nv)], axis=1)


# ------------------------------------------------------------------ inertial parameters


def inverse_dynamics_dpi(
    tree: Tree, q: Array, v: Array, a: Array, *optional: OptionalArray
) -> Array:
    """Return the regressor E^T Y, with the tree's regressor Y at the motion of all joints."""
    closure = Closure(tree, q)
    return closure.E.T @ _regressor(closure, v, a)


def _regressor(closure: Closure, v: Array, a: Array) -> Array:
    v = closure.velocity(v)
    motion = (closure.q, v, closure.acceleration(v, a))
    return wrt_inertia.inverse_dynamics_dpi(closure.tree, *motion)


def forward_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray
) -> Array:
    """Return -(E^T M E)^-1 times the regressor at a."""
    lumped = tree.lumped
    a = loop_dynamics.forward_dynamics(lumped, q, v, tau, *optional)
    return -reduced_solve(lumped, q, inverse_dynamics_dpi(tree, q, v, a))


def constraint_forces_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray
) -> Array:
    """Return dlam/dpi: the part at fixed a plus the part through a."""
    lumped = tree.lumped
    a = loop_dynamics.forward_dynamics(lumped, q, v, tau, *optional)
    closure = Closure(tree, q)
    Y = _regressor(closure, v, a)
    direct = np.stack([closure.multipliers(x) for x in Y[closure.passive].T], axis=1)
    through = reduced_solve(lumped, q, closure.E.T @ Y)
    return direct - _multipliers_da(lumped, q) @ through


def constrained_dynamics_dpi(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray
) -> Array:
    """Return da/dpi of all joints: the system solved for minus the tree's regressor at a."""
    lumped = tree.lumped
    system = loop_dynamics.ConstrainedSystem(lumped, q)
    a, _ = system.solve(*loop_dynamics.constrained_loads(lumped, q, v, tau, *optional))
    Y, still = wrt_inertia.inverse_dynamics_dpi(tree, q, v, a), zeros(len(system.G))
    return np.stack([system.solve(-y, still)[0] for y in Y.T], axis=1)


def mass_matrix_dpi(tree: Tree, q: Array) -> Array:
    """Return dM/dpi of the mechanism, E^T dM/dpi E."""
    closure = Closure(tree, q)
    E = closure.E
    return congruence(E, wrt_inertia.mass_matrix_dpi(tree, closure.q), E)


def coriolis_matrix_dpi(
    tree: Tree,
    q: Array,
    v: Array,
    of_tree: Callable[..., Array] = wrt_inertia.coriolis_matrix_dpi,
) -> Array:
    """Return dC/dpi = E^T (dM/dpi E' + dC/dpi E); of_tree: dC/dpi of the tree."""
    closure = Closure(tree, q)
    E, v = closure.E, closure.velocity(v)
    by_M = wrt_inertia.mass_matrix_dpi(tree, closure.q)
    by_C = of_tree(tree, closure.q, v)
    return congruence(E, by_M, closure.E_rate(v)) + congruence(E, by_C, E)


def equations_of_motion_dpi(
    tree: Tree, q: Array, v: Array, kernel: wrt_inertia.Columns = wrt_inertia.bias_columns
) -> tuple[Array, Array, Array]:
    """Return dM/dpi, dC/dpi and dg/dpi, from those of the tree; kernel: selects C by its B."""
    closure = Closure(tree, q)
    E, v = closure.E, closure.velocity(v)
    by_M, by_C, by_g = wrt_inertia.equations_of_motion_dpi(tree, closure.q, v, kernel)
    by_C = congruence(E, by_M, closure.E_rate(v)) + congruence(E, by_C, E)
    return congruence(E, by_M, E), by_C, E.T @ by_g


def congruence(A: Array, X: Array, B: Array) -> Array:
    """Return A^T X B for matrices X along the first two axes."""
    return np.moveaxis(np.tensordot(np.tensordot(A.T, X, axes=1), B, axes=([1], [0])), -1, 1)


def momentum_forces_dpi(tree: Tree, q: Array, v: Array) -> Array:
    """Return E^T times the tree's derivative, plus E'^T times that of M v."""
    closure = Closure(tree, q)
    v = closure.velocity(v)
    turning = closure.E_rate(v).T @ wrt_inertia.generalized_momentum_dpi(tree, closure.q, v)
    return closure.E.T @ wrt_inertia.momentum_forces_dpi(tree, closure.q, v) + turning


def drive_columns(
    tree: Tree, q: Array, v: Array, v_r: Array, a_r: Array, smoothing: Any = None
) -> Array:
    """Return regressor columns of armature, viscous and Coulomb friction; see `wrt_inertia`.

    For a mechanism, E^T times those of its tree.
    """
    if tree.active is None:
        return wrt_inertia.drive_columns(tree, v, v_r, a_r, smoothing)
    closure = Closure(tree, q)
    v_all = closure.velocity(v)
    v_r_all = v_all if v_r is v else closure.velocity(v_r)
    a_r = closure.reference(v_all, v_r_all, a_r)
    return closure.E.T @ wrt_inertia.drive_columns(tree, v_all, v_r_all, a_r, smoothing)
