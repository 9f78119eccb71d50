"""Derivatives of mechanisms with loops with respect to their geometry (Kwon 14, generalized).

A joint's screw or placement is displaced (see `wrt_screws`), the motion of the independent joints
is held constant, and the loops remain closed: the dependent joints move by dq_p = -g_p^+ dphi, and
their velocities and accelerations likewise. As there are many displacements and few results, the
chain rule is applied in reverse mode: weights on phi and G w collect the contribution of the
dependent joints. This module covers the quantities for which automatic differentiation takes more
operations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.formulas import wrt_screws
from jounce.formulas.dynamics import mass_matrix
from jounce.formulas.kinematics import refuse_series
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.formulas.mechanism.derivatives import congruence, reduced_solve
from jounce.formulas.mechanism.loops import (
    Closure,
    Configuration,
    keep_equations,
    loop_jacobian,
    loop_residual,
)
from jounce.formulas.tensors import mass_matrix_dq
from jounce.formulas.wrt_screws import along_geometry
from jounce.formulas.wrt_state import directional
from jounce.math.linear import Cramer
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree

OptionalArray = Array | None

#: Function (tree, q) of weighted rows whose derivative is subtracted from a result.
Pull = Callable[[Tree, Any], Array]


class _ReverseChain:
    """Reverse-mode chain rule through the loop closure of a mechanism."""

    def __init__(self, tree: Tree, q: Array) -> None:
        self.closure = Closure(tree, q)
        if isinstance(self.closure.factors, Cramer):  # it solves a subset of the rows
            self.closure = Closure(keep_equations(tree, q), q)
        self.q = q
        self.E = self.closure.E
        self.open = replace(self.closure.tree, active=None)  # the tree with open loops

    def weights(self, rows: Array) -> Array:
        """Return y (..., nl) with g_p^T y = dependent joints' entries of each row (..., nt)."""
        if rows.ndim == 1:
            return self.closure.factors.solve_transposed(rows[self.closure.passive])
        return np.stack([self.weights(row) for row in rows])

    def result(self, direct: Array, by_q: Array, pull: Pull | None, screw: bool) -> Array:
        """Return the derivative (..., nb, 6) of results with the tree's derivative `direct`.

        by_q: their derivative in q of all joints (..., nt). pull: weighted rows of the loops whose
        derivative is subtracted.
        """
        refuse_series(self.open, (direct, by_q))  # `pull` contains the same series
        if pull is not None:
            by_q = by_q - directional(pull, self.open, (self.q,), 0, configuration=True)
        y = self.weights(by_q)

        def weighted_rows(tree: Tree, q: Configuration) -> Array:
            weighted = y @ loop_residual(tree, q)
            return weighted if pull is None else weighted + pull(tree, q)

        return direct - along_geometry(weighted_rows, self.open, (self.q,), screw)


def forward_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: OptionalArray, screw: bool
) -> Array:
    """Return -(E^T M E)^-1 times the derivative of inverse dynamics at a."""
    a = loop_dynamics.forward_dynamics(tree.lumped, q, v, tau, *optional)
    fixed_equations = keep_equations(tree, q)
    forces = along_geometry(
        loop_dynamics.inverse_dynamics, fixed_equations, (q, v, a, *optional), screw
    )
    flat = forces.reshape(len(forces), -1)
    return -reduced_solve(tree.lumped, q, flat).reshape(forces.shape)


def mass_matrix_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return d(E^T M E): w_k . dM w_l - d(y_k . G w_l + y_l . G w_k), g_p^T y_k = (M w_k)_p."""
    chain = _ReverseChain(tree, q)
    E, n = chain.E, tree.dof
    y = chain.weights((mass_matrix(tree, q) @ E).T)
    upper = [(k, l) for k in range(n) for l in range(k, n)]

    def pull(tree: Tree, q: Configuration) -> Array:
        weighted = y @ loop_jacobian(tree, q) @ E
        return np.stack([weighted[k, l] + weighted[l, k] for k, l in upper])

    def entries(X: Array) -> Array:
        product = congruence(E, X, E)
        return np.stack([product[k, l] for k, l in upper])

    direct = entries(wrt_screws.mass_matrix_dgeometry(tree, q, screw=screw))
    columns = chain.result(direct, entries(mass_matrix_dq(tree, q)), pull, screw)
    out = zeros(n, n, tree.nb, 6)
    for (k, l), entry in zip(upper, columns, strict=True):
        out[k, l] = out[l, k] = entry
    return out


def configuration_derivative(
    direct: Callable[..., Array], by_q: Callable[..., Array]
) -> Callable[..., Array]:
    """Return the geometry derivative of a quantity of q, from the tree's and its d/dq."""

    def derivative(tree: Tree, q: Array, *frame: int, screw: bool) -> Array:
        direct_part = direct(tree, q, *frame, screw=screw)
        return _ReverseChain(tree, q).result(direct_part, by_q(tree, q, *frame), None, screw)

    return derivative
