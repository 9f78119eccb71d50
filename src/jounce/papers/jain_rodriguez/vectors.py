"""2.2: six-vectors, their cross products, and how both move from point to point."""

from __future__ import annotations

from jounce.math.scalar import Array
from jounce.math.spatial import ad, adstar
from jounce.papers import equation
from jounce.papers.jain_rodriguez.base import rigid


@equation("2.5")
def cross_matrix(z: Array) -> Array:
    """Return z~ = [[x~, 0], [y~, x~]] for z = (x, y)."""
    return ad(z)


@equation("2.5")
def cross_product(z: Array, c: Array) -> Array:
    """Return z x c = z~ c = (x~ a, y~ a + x~ b) for z = (x, y) and c = (a, b)."""
    return cross_matrix(z) @ c


@equation("2.6")
def cross_product_swapped(A: Array, B: Array) -> Array:
    """Return A~ B = -B~ A, so that A~ A = 0, though A~ itself is not skew symmetric."""
    return -(cross_matrix(B) @ A)


@equation("2.7")
def s_matrix(z: Array) -> Array:
    """Return S[z] = [[x~, y~], [0, x~]] = -(z~)^T."""
    return -cross_matrix(z).T


@equation("2.8")
def q_matrix(z: Array) -> Array:
    """Return Q[z] = [[x~, y~], [y~, 0]], skew symmetric."""
    return adstar(z)


@equation("2.9")
def s_product(A: Array, B: Array) -> Array:
    """Return S[A] B = -A~^T B = -Q[B] A."""
    return -(q_matrix(B) @ A)


@equation("2.10")
def moved_Q(l: Array, X: Array) -> Array:
    """Return Q[phi(l) X] = phi(l) Q[X] phi^T(l)."""
    return rigid(l) @ q_matrix(X) @ rigid(l).T


@equation("2.10")
def moved_S(l: Array, X: Array) -> Array:
    """Return S[phi^T(l) X] = phi^-1(l) S[X] phi(l)."""
    return rigid(-l) @ s_matrix(X) @ rigid(l)


@equation("2.10")
def moved_cross(l: Array, X: Array) -> Array:
    """Return the cross product of phi^T(l) X: phi^T(l) X~ phi^-T(l)."""
    return rigid(l).T @ cross_matrix(X) @ rigid(-l).T
