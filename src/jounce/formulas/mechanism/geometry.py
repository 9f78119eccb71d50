"""Derivatives of mechanisms with loops with respect to their geometry (Kwon 14, generalised).

A joint's screw or placement is displaced (see `wrt_screws`), the independent joints are held with
their velocities and accelerations, and the loops stay closed: the dependent joints follow with
dq_p = -g_p^+ dphi, and their velocities and accelerations likewise. There are many displacements
and few results, so the chain rule runs backwards: weights on phi, G v and G a + G' v stand for all
that the dependent joints pass on. With w = E e_k and tau = M a + C v + g of the tree,

    d(E^T tau)_k = w . dtau - d(lam . G w + y_a . (G a + G' v) + y_v . G v + y_q . phi)
    g_p^T lam = tau_p,  g_p^T y_a = (M w)_p,  g_p^T y_v = (dtau/dv^T w - d(y_a . G' v)/dv)_p

and y_q likewise from all that depends on q; on the right everything else is held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.formulas import wrt_screws
from jounce.formulas.dynamics import inverse_dynamics, mass_matrix
from jounce.formulas.equations import coriolis_matrix
from jounce.formulas.kinematics import refuse_series
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.formulas.mechanism.derivatives import between, reduced_solve
from jounce.formulas.mechanism.loops import (
    Closure,
    Configuration,
    keep_equations,
    loop_bias,
    loop_jacobian,
    loop_jacobian_rate,
    loop_residual,
)
from jounce.formulas.momenta import generalized_momentum, kinetic_energy
from jounce.formulas.tensors import coriolis_matrix_dv, mass_matrix_dq
from jounce.formulas.wrt_screws import along_geometry
from jounce.formulas.wrt_state import (
    directional,
    inverse_dynamics_derivatives,
    weighted_gradient,
)
from jounce.math.linear import Cramer, solve
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree

Given = Array | None

#: Rows of results that hold while weights are given, as a function of the tree and q.
Pull = Callable[[Tree, Any], Array]


class _Backwards:
    """A mechanism on which the chain rule runs backwards."""

    def __init__(self, tree: Tree, q: Array) -> None:
        self.closure = Closure(tree, q)
        if isinstance(self.closure.factors, Cramer):  # which solves some rows, not all
            self.closure = Closure(keep_equations(tree, q), q)
        self.q = q
        self.E = self.closure.E
        self.open = replace(self.closure.tree, active=None)  # where the loops need not be closed

    def weights(self, rows: Array) -> Array:
        """y (..., nl) with g_p^T y = the dependent joints' share of each row (..., nt)."""
        if rows.ndim == 1:
            return self.closure.factors.solve_transposed(rows[self.closure.passive])
        return np.stack([self.weights(row) for row in rows])

    def result(self, direct: Array, by_q: Array, pull: Pull | None, screw: bool) -> Array:
        """The derivative (..., nb, 6) of results of which `direct` is the tree's own (..., nb, 6).

        by_q: their derivative in q of all joints (..., nt), with what is pulled held. pull: what
        the loops pass on at given weights, to be subtracted.
        """
        refuse_series(self.open, (direct, by_q))  # what is pulled holds the same series
        if pull is not None:
            by_q = by_q - directional(pull, self.open, (self.q,), 0, configuration=True)
        y = self.weights(by_q)

        def passed(tree: Tree, q: Configuration) -> Array:
            own = y @ loop_residual(tree, q)
            return own if pull is None else own + pull(tree, q)

        return direct - along_geometry(passed, self.open, (self.q,), screw)


def inverse_dynamics_dgeometry(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    wrenches: Given = None,
    joint_forces: Given = None,
    *,
    screw: bool,
) -> Array:
    """d(E^T tau) (nv, nb, 6)."""
    back = _Backwards(tree, q)
    E, v = back.E, back.closure.velocity(v)
    a = back.closure.acceleration(v, a)
    tau, by_q, by_v, M = inverse_dynamics_derivatives(tree, q, v, a, wrenches)
    lam = back.weights(tau if joint_forces is None else tau - joint_forces)
    y_a = back.weights((M @ E).T)
    drift = directional(loop_bias, back.open, (q, v), 1, configuration=False)
    y_v = back.weights(E.T @ by_v - y_a @ drift)

    def pull(tree: Tree, q: Configuration) -> Array:
        G = loop_jacobian(tree, q)
        return (lam @ G) @ E + y_a @ (G @ a + loop_bias(tree, q, v)) + y_v @ (G @ v)

    direct = wrt_screws.inverse_dynamics_dgeometry(tree, q, v, a, wrenches, screw=screw)
    return back.result(np.tensordot(E.T, direct, axes=1), E.T @ by_q, pull, screw)


def forward_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Given, screw: bool
) -> Array:
    """-(E^T M E)^-1 d(E^T tau) at a."""
    a = loop_dynamics.forward_dynamics(tree.lumped, q, v, tau, *given)
    forces = inverse_dynamics_dgeometry(tree, q, v, a, *given, screw=screw)
    flat = forces.reshape(len(forces), -1)
    return -reduced_solve(tree.lumped, q, flat).reshape(forces.shape)


def weighted_design(
    tree: Tree,
    q: Array,
    v: Array,
    a: Array,
    lam: Array,
    wrenches: Given = None,
    joint_forces: Given = None,
) -> tuple[Array, Array, Array]:
    """Derivatives of lam . E^T tau in parameters (nb, 10), screws (nb, 6) and placements (nb, 6).

    The same with the single direction w = E lam, for which the tree has a pass of its own.
    """
    back = _Backwards(tree, q)
    w, v = back.closure.velocity(lam), back.closure.velocity(v)
    a = back.closure.acceleration(v, a)
    tau = inverse_dynamics(tree, q, v, a, wrenches)
    by_q, by_v, by_a = weighted_gradient(tree, q, v, a, w, wrenches)
    x = back.weights(tau if joint_forces is None else tau - joint_forces)
    y_a = back.weights(by_a)
    drift = directional(loop_bias, back.open, (q, v), 1, configuration=False)
    y_v = back.weights(by_v - y_a @ drift)

    def pull(tree: Tree, q: Configuration) -> Array:
        G = loop_jacobian(tree, q)
        return x @ (G @ w) + y_a @ (G @ a + loop_bias(tree, q, v)) + y_v @ (G @ v)

    parameters, screws, placements = wrt_screws.weighted_design(tree, q, v, a, w, wrenches)
    return (
        parameters,
        back.result(screws, by_q, pull, screw=True),
        back.result(placements, by_q, pull, screw=False),
    )


def weighted_forward_design(
    tree: Tree, q: Array, v: Array, tau: Array, lam: Array, *given: Given
) -> tuple[Array, Array, Array]:
    """The same of lam . a: that of -(E^T M E)^-1 lam . E^T tau at a."""
    a = loop_dynamics.forward_dynamics(tree.lumped, q, v, tau, *given)
    push = -solve(loop_dynamics.mass_matrix(tree.lumped, q), lam)
    return weighted_design(tree, q, v, a, push, *given)


def mass_matrix_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """d(E^T M E): w_k . dM w_l - d(y_k . G w_l + y_l . G w_k), g_p^T y_k = (M w_k)_p."""
    back = _Backwards(tree, q)
    E, n = back.E, tree.dof
    y = back.weights((mass_matrix(tree, q) @ E).T)
    upper = [(k, l) for k in range(n) for l in range(k, n)]

    def pull(tree: Tree, q: Configuration) -> Array:
        passed = y @ loop_jacobian(tree, q) @ E
        return np.stack([passed[k, l] + passed[l, k] for k, l in upper])

    def entries(X: Array) -> Array:
        both = between(E, X, E)
        return np.stack([both[k, l] for k, l in upper])

    direct = entries(wrt_screws.mass_matrix_dgeometry(tree, q, screw=screw))
    found = back.result(direct, entries(mass_matrix_dq(tree, q)), pull, screw)
    out = zeros(n, n, tree.nb, 6)
    for (k, l), entry in zip(upper, found, strict=True):
        out[k, l] = out[l, k] = entry
    return out


def coriolis_matrix_dgeometry(tree: Tree, q: Array, v: Array, *, screw: bool) -> Array:
    """d(E^T (M E' + C E)), whose columns obey G w_l = 0 and G w'_l + G' w_l = 0.

    w_k . (dM w'_l + dC w_l) - d(x_l . G w_k + y_k . (G w'_l + G' w_l) + z_k . G w_l + u_kl . G v)
    with g_p^T x_l = (M w'_l + C w_l)_p, y_k as for the mass matrix, g_p^T z_k = (C^T w_k -
    G'^T y_k)_p, and u_kl likewise from what depends on v.
    """
    back = _Backwards(tree, q)
    E, v = back.E, back.closure.velocity(v)
    dE = back.closure.E_rate(v)
    M, C = mass_matrix(tree, q), coriolis_matrix(tree, q, v)
    x, y = back.weights((M @ dE + C @ E).T), back.weights((M @ E).T)
    z = back.weights(E.T @ C - y @ loop_jacobian_rate(back.closure.tree, q, v))

    def turning(tree: Tree, v: Array) -> Array:
        return y @ loop_jacobian_rate(tree, q, v) @ E

    by_v = between(E, coriolis_matrix_dv(tree, q, v), E)
    u = back.weights(by_v - directional(turning, back.open, (v,), 0, configuration=False))

    def pull(tree: Tree, q: Configuration) -> Array:
        G = loop_jacobian(tree, q)
        bent = G @ dE + loop_jacobian_rate(tree, q, v) @ E
        return (x @ G @ E).T + y @ bent + z @ (G @ E) + u @ (G @ v)

    def turned(tree: Tree, q: Configuration) -> Array:
        return E.T @ coriolis_matrix(tree, q, v) @ E

    by_q = between(E, mass_matrix_dq(tree, q), dE)
    by_q = by_q + directional(turned, back.open, (q,), 0, configuration=True)
    direct = between(E, wrt_screws.mass_matrix_dgeometry(tree, q, screw=screw), dE)
    direct = direct + between(E, wrt_screws.coriolis_matrix_dgeometry(tree, q, v, screw=screw), E)
    return back.result(direct, by_q, pull, screw)


def kinetic_energy_dgeometry(tree: Tree, q: Array, v: Array, *, screw: bool) -> Array:
    """dT, with y_v from M v."""
    back = _Backwards(tree, q)
    v = back.closure.velocity(v)
    y = back.weights(generalized_momentum(tree, q, v))

    def pull(tree: Tree, q: Configuration) -> Array:
        return y @ (loop_jacobian(tree, q) @ v)

    by_q = directional(kinetic_energy, back.open, (q, v), 0, configuration=True)
    direct = wrt_screws.kinetic_energy_dgeometry(tree, q, v, screw=screw)
    return back.result(direct, by_q, pull, screw)


def of_place(direct: Callable[..., Array], by_q: Callable[..., Array]) -> Callable[..., Array]:
    """The derivative of a quantity of q alone, from the tree's own and its derivative in q."""

    def derivative(tree: Tree, q: Array, *frame: int, screw: bool) -> Array:
        own = direct(tree, q, *frame, screw=screw)
        return _Backwards(tree, q).result(own, by_q(tree, q, *frame), None, screw)

    return derivative
