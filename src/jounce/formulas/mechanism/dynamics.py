"""Dynamics of mechanisms with loops: reduced to the independent joints, or with multipliers.

E maps the velocities of the independent joints to those of all joints, and E^T forces back; M, C
and g are those of the tree. See `loops` for the loop closure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from jounce.formulas import dynamics, equations, momenta, wrt_time
from jounce.formulas.mechanism.loops import Closure, Configuration, loop_bias, loop_jacobian
from jounce.math.linear import factorize, inverse, solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Tree

# ------------------------------------------------------------------ independent joints


def inverse_dynamics(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return E^T (M a + C v + g - external and joint forces), at all joints' motion (Kwon 13)."""
    closure = Closure(tree, q)
    return closure.forces(_tree_forces(closure, v, a, wrenches, joint_forces))


def _tree_forces(
    closure: Closure, v: Array, a: Array, wrenches: Array | None, joint_forces: Array | None
) -> Array:
    """Return the forces of all joints of the tree minus `joint_forces`."""
    v = closure.velocity(v)
    a = closure.acceleration(v, a)
    tau = dynamics.inverse_dynamics(closure.tree, closure.q, v, a, wrenches)
    return tau if joint_forces is None else tau - joint_forces


def bias_forces(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the bias forces C v + g, which keep the velocity constant."""
    return inverse_dynamics(tree, q, v, zeros(tree.dof))


def gravity_forces(tree: Tree, q: Configuration) -> Array:
    """Return the gravity forces E^T g, which hold the mechanism at rest."""
    closure = Closure(tree, q)
    return closure.forces(dynamics.gravity_forces(tree, closure.q))


def mass_matrix(tree: Tree, q: Configuration) -> Array:
    """Return the mass matrix E^T M E of the mechanism."""
    closure = Closure(tree, q)
    return _congruent(closure.E, dynamics.mass_matrix(tree, closure.q))


def _congruent(E: Array, M: Array) -> Array:
    """Return E^T M E for a symmetric M, computing one triangle only."""
    ME = M @ E
    n = E.shape[1]
    out = zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            out[i, j] = out[j, i] = dot(E[:, i], ME[:, j])
    return out


def coriolis_matrix(
    tree: Tree,
    q: Configuration,
    v: Array,
    of_tree: Callable[..., Array] = equations.coriolis_matrix,
) -> Array:
    """Return C = E^T (M E' + C E), which satisfies dM/dt = C + C^T if the tree's C does.

    It is the Christoffel one if the tree's is: the constraint's connection is that of the induced
    metric E^T M E. of_tree: formula of the tree's C.
    """
    closure = Closure(tree, q)
    E, v = closure.E, closure.velocity(v)
    M = dynamics.mass_matrix(tree, closure.q)
    C = of_tree(tree, closure.q, v)
    return E.T @ (M @ closure.E_rate(v) + C @ E)


def equations_of_motion(
    tree: Tree,
    q: Configuration,
    v: Array,
    matrices: type[equations.Matrices] = equations.Matrices,
) -> tuple[Array, Array, Array]:
    """Return M, C and g, from those of the tree; C is that of `matrices`."""
    closure = Closure(tree, q)
    E, v = closure.E, closure.velocity(v)
    M, C, g = equations.equations_of_motion(tree, closure.q, v, matrices)
    C = E.T @ (M @ closure.E_rate(v) + C @ E)
    return _congruent(E, M), C, closure.forces(g)


def christoffel(tree: Tree, q: Configuration) -> Array:
    """Return Gamma with C_ij = sum_k Gamma_ijk v_k: C at each unit velocity."""
    columns = [coriolis_matrix(tree, q, unit) for unit in identity(tree.dof)]
    return np.stack(columns, axis=-1)


def mass_matrix_inverse(tree: Tree, q: Configuration) -> Array:
    """Return (E^T M E)^-1."""
    return inverse(mass_matrix(tree, q))


def momentum_forces(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return C^T v - g of the mechanism: E^T times the tree's, plus E'^T M v."""
    closure = Closure(tree, q)
    v = closure.velocity(v)
    turning = closure.E_rate(v).T @ momenta.generalized_momentum(tree, closure.q, v)
    return closure.forces(momenta.momentum_forces(tree, closure.q, v)) + turning


def forward_dynamics(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return a of the independent joints, from the reduced equations (E^T M E) a = tau - bias."""
    bias = inverse_dynamics(tree, q, v, zeros(tree.dof), wrenches, joint_forces)
    return solve(mass_matrix(tree, q), tau - bias)


def forward_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives from those of tau; see `wrt_time`."""
    solve = partial(solve_factorized, *factorize(mass_matrix(tree, inputs["q"])))
    return wrt_time.forward_dynamics_rates(tree, order, inputs, inverse_dynamics, solve)


def constraint_forces(
    tree: Tree,
    q: Configuration,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return the constraint forces lam (nl,): M a + C v + g = tau + G^T lam."""
    a = forward_dynamics(tree, q, v, tau, wrenches, joint_forces)
    return multipliers(tree, q, v, a, wrenches, joint_forces)


def multipliers(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    wrenches: Array | None = None,
    joint_forces: Array | None = None,
) -> Array:
    """Return lam with g_p^T lam = tau_p on dependent joints, of minimum norm if not unique."""
    closure = Closure(tree, q)
    missing = _tree_forces(closure, v, a, wrenches, joint_forces)
    return closure.multipliers(missing[closure.passive])


def constraint_forces_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return lam and its time derivatives up to `order`, from those of tau."""
    series = wrt_time.motion_series(inputs, forward_dynamics_rates(tree, order, inputs), order)
    series |= wrt_time.signals(inputs, order, "wrenches", "joint_forces")
    return wrt_time.rates(multipliers, tree, series, order)


# ------------------------------------------------------------------ all joints, with multipliers


class ConstrainedSystem:
    """Factorized KKT system [[M, -G^T], [G, 0]] of all joints and the independent loop rows.

    M is eliminated first. If M may be singular (joints without inertia that the loops constrain),
    G^T G times the mean of M's diagonal is added to M, which makes it regular and does not change
    the solution.
    """

    def __init__(self, tree: Tree, q: Configuration) -> None:
        M, G = dynamics.mass_matrix(tree, q), _independent_rows(tree, loop_jacobian(tree, q))
        self.G, self.scale = G, 0.0
        if tree.loose or any(is_zero(x) for x in np.diagonal(M)):
            self.scale = np.trace(M) * (1.0 / len(M))
            M = M + self.scale * _congruent(G, np.eye(len(G)).astype(object))
        self.M = factorize(M)
        self.columns = [solve_factorized(*self.M, row) for row in G]  # M^-1 G^T
        n = len(G)
        S = zeros(n, n)
        for i in range(n):
            for j in range(i, n):
                S[i, j] = S[j, i] = dot(G[i], self.columns[j])
        self.S = factorize(S)

    def solve(self, force: Array, drift: Array) -> tuple[Array, Array]:
        """Return a and lam with M a - G^T lam = force and G a = drift."""
        force = force + self.scale * (drift @ self.G)
        a = solve_factorized(*self.M, force)
        lam = solve_factorized(*self.S, drift - self.G @ a)
        return a + sum((x * c for x, c in zip(lam, self.columns, strict=True)), zeros(len(a))), lam


def _independent_rows(tree: Tree, rows: Array) -> Array:
    """Return the linearly independent rows of all loops."""
    assert tree.rows is not None
    return rows[list(tree.rows)]


def constrained_dynamics(
    tree: Tree, q: Configuration, v: Array, tau: Array, wrenches: Array | None = None
) -> Array:
    """Return a of all joints with M a + C v + g = tau + G^T lam and G a + G' v = 0."""
    return ConstrainedSystem(tree, q).solve(*constrained_loads(tree, q, v, tau, wrenches))[0]


def constrained_loads(
    tree: Tree, q: Configuration, v: Array, tau: Array, wrenches: Array | None = None
) -> tuple[Array, Array]:
    """Return the right-hand side tau - C v - g and -G' v of the constrained system."""
    bias = dynamics.inverse_dynamics(tree, q, v, zeros(tree.nv), wrenches)
    return tau - bias, -_independent_rows(tree, loop_bias(tree, q, v))


def balance(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    lam: Array,
    tau: Array,
    wrenches: Array | None = None,
) -> Array:
    """Return the residuals (M a + C v + g - tau - G^T lam, G a + G' v) of the dynamics."""
    G = _independent_rows(tree, loop_jacobian(tree, q))
    drift = _independent_rows(tree, loop_bias(tree, q, v))
    forces = dynamics.inverse_dynamics(tree, q, v, a, wrenches) - tau - lam @ G
    return np.concatenate((forces, G @ a + drift))


def constrained_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a of all joints and its time derivatives; each order solves the same system."""
    system = ConstrainedSystem(tree, inputs["q"])
    system_arguments = (system.solve, len(system.G), "wrenches")
    return wrt_time.constrained_rates(balance, tree, order, inputs, *system_arguments)[0]
