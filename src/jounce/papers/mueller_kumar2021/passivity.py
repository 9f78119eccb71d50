"""5: the C for which Mdot - 2 C is skew, (54) to (57)."""

from __future__ import annotations

from jounce.math.scalar import Array
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.mueller_kumar2021.kinematics import chain
from jounce.papers.mueller_kumar2021.matrices import project, system
from jounce.papers.mueller_kumar2021.wrt_time import mass_matrix_rate


@equation("54")
def passive_coriolis_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Return Cbar = -J^T (M A a + b^T M - M b) J, equal to Garofalo's (6b)."""
    s = system(tree, q, v)
    M, A, a, b = s.M, s.A, s.a[0], s.b[0]
    return -project(s, chain(M, A, a) + chain(b.T, M) - chain(M, b))


@equation("55")
def velocity_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return Cbar v = C v, since b V = 0."""
    return passive_coriolis_matrix(tree, q, v) @ v


@equation("56")
def mass_matrix_rate_from_coriolis(tree: Tree, q: Array, v: Array) -> Array:
    """Return Cbar + Cbar^T = Mdot."""
    C = passive_coriolis_matrix(tree, q, v)
    return C + C.T


@equation("57")
def passivity_matrix(tree: Tree, q: Array, v: Array) -> Array:
    """Return Mdot - 2 Cbar = Cbar^T - Cbar, skew symmetric."""
    return mass_matrix_rate(system(tree, q, v)) - 2.0 * passive_coriolis_matrix(tree, q, v)
