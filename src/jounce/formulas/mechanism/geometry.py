"""Derivatives of mechanisms with loops with respect to their geometry (Kwon 14, generalised).

A joint's screw or placement is displaced (see `wrt_screws`), the independent joints are held with
their velocities and accelerations, and the loops stay closed: the dependent joints follow with
dq_p = -g_p^+ dphi, and their velocities and accelerations likewise. There are many displacements
and few results, so the chain rule runs backwards: weights on phi and G w stand for all
that the dependent joints pass on. Of forces and energies automatic differentiation takes fewer
operations; here are the quantities of which it does not.
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
from jounce.formulas.mechanism.derivatives import between, reduced_solve
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
        """Return y (..., nl) with g_p^T y = the dependent joints' share of each row (..., nt)."""
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


def forward_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Given, screw: bool
) -> Array:
    """Return -(E^T M E)^-1 times the derivative of inverse dynamics at a."""
    a = loop_dynamics.forward_dynamics(tree.lumped, q, v, tau, *given)
    kept = keep_equations(tree, q)
    forces = along_geometry(loop_dynamics.inverse_dynamics, kept, (q, v, a, *given), screw)
    flat = forces.reshape(len(forces), -1)
    return -reduced_solve(tree.lumped, q, flat).reshape(forces.shape)


def mass_matrix_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return d(E^T M E): w_k . dM w_l - d(y_k . G w_l + y_l . G w_k), g_p^T y_k = (M w_k)_p."""
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


def of_place(direct: Callable[..., Array], by_q: Callable[..., Array]) -> Callable[..., Array]:
    """The derivative of a quantity of q alone, from the tree's own and its derivative in q."""

    def derivative(tree: Tree, q: Array, *frame: int, screw: bool) -> Array:
        own = direct(tree, q, *frame, screw=screw)
        return _Backwards(tree, q).result(own, by_q(tree, q, *frame), None, screw)

    return derivative
