"""Diagonalized equations of motion: quasi-velocities in which the mass matrix is the identity.

With the triangular factor m of M = m m^T, l = m^-1, nu = m^T v and eps = l (tau - g),

    d nu/dt + c = eps        c = l C v - dm/dt^T v = (U - U^T) nu

(Jain and Rodriguez 1995). U is the part of l C l^T above the diagonal: if dM/dt = C + C^T, then
dm/dt = m Phi, where Phi is the part of l (C + C^T) l^T above the diagonal and half of its diagonal.
U - U^T is skew-symmetric, so that c does no work. m is [1 + H phi K] D^(1/2) for joints with one
velocity; for others D^(1/2) is the triangular factor of the blocks of D.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import dynamics, equations
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.math.linear import factorize, half_solve
from jounce.math.scalar import Array, identity, sqrt, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Tree

Configuration = Any


class Equations(NamedTuple):
    """The equations of motion of a tree or a mechanism."""

    mass_matrix: Callable[[Tree, Any], Array]
    coriolis_matrix: Callable[[Tree, Any, Any], Array]
    gravity_forces: Callable[[Tree, Any], Array]


TREE = Equations(dynamics.mass_matrix, equations.coriolis_matrix, dynamics.gravity_forces)
MECHANISM = Equations(
    loop_dynamics.mass_matrix, loop_dynamics.coriolis_matrix, loop_dynamics.gravity_forces
)


class Factor:
    """The upper triangular m with a positive diagonal and M = m m^T.

    M = L^T D L, m = L^T D^(1/2): zeros between branches of a tree stay.
    """

    def __init__(self, M: Array) -> None:
        self._L, self._inverse_pivots = factorize(M)
        self._roots = [sqrt(pivot) for pivot in np.diag(self._L)]

    def dense(self) -> Array:
        """Return m."""
        m = zeros(*self._L.shape)
        for k, root in enumerate(self._roots):
            m[:k, k] = self._L[k, :k] * root
            m[k, k] = root
        return m

    def transposed_times(self, v: Array) -> Array:
        """Return m^T v."""
        out = zeros(len(v))
        for k, root in enumerate(self._roots):
            out[k] = root * (v[k] + dot(self._L[k, :k], v[:k]))
        return out

    def inverse_times(self, f: Array) -> Array:
        """Return l f."""
        x = half_solve(self._L, f)
        for k, root in enumerate(self._roots):
            x[k] = x[k] * (root * self._inverse_pivots[k])
        return x

    def inverse_times_columns(self, A: Array) -> Array:
        """Return l A."""
        return np.stack([self.inverse_times(column) for column in A.T], axis=1)


def ltdl(of: Equations, tree: Tree, q: Configuration) -> tuple[Array, Array]:
    """Return L and the diagonal of D."""
    factors, _ = factorize(of.mass_matrix(tree, q))
    return np.tril(factors, -1) + identity(len(factors)), np.diag(factors).copy()


def factor(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return m."""
    return Factor(of.mass_matrix(tree, q)).dense()


def factor_inverse(of: Equations, tree: Tree, q: Configuration) -> Array:
    """Return l."""
    M = of.mass_matrix(tree, q)
    return Factor(M).inverse_times_columns(identity(len(M)))


def quasi_velocities(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return nu = m^T v."""
    return Factor(of.mass_matrix(tree, q)).transposed_times(v)


def coriolis(of: Equations, tree: Tree, q: Configuration, v: Array) -> Array:
    """Return c = (U - U^T) nu."""
    m = Factor(of.mass_matrix(tree, q))
    half = m.inverse_times_columns(of.coriolis_matrix(tree, q, v).T).T
    U = np.triu(m.inverse_times_columns(half), 1)
    nu = m.transposed_times(v)
    return U @ nu - U.T @ nu


def normalized_forces(of: Equations, tree: Tree, q: Configuration, tau: Array) -> Array:
    """Return eps = l (tau - g)."""
    return Factor(of.mass_matrix(tree, q)).inverse_times(tau - of.gravity_forces(tree, q))
