"""Pseudo-inertias of bodies as traced matrices, and steps that keep them physically consistent.

The pseudo-inertia P = [[S, h], [h^T, m]] with S = tr(I)/2 1 - I is linear in the ten parameters pi,
and positive definite for a physically consistent body. A gradient y in pi is the symmetric matrix L
with tr(L P) = y . pi.
"""

from __future__ import annotations

from jounce.math.scalar import Array, identity, maximum, sqrt, zeros
from jounce.math.spatial import INERTIA_ENTRIES, dot, inertia_matrix, parameters_from


def pseudo_inertia(pi: Array) -> Array:
    """Return the pseudo-inertia (4, 4) of ten inertial parameters."""
    I = inertia_matrix(pi)
    P = zeros(4, 4)
    P[:3, :3] = 0.5 * (I[0, 0] + I[1, 1] + I[2, 2]) * identity(3) - I
    P[:3, 3] = P[3, :3] = pi[1:4]
    P[3, 3] = pi[0]
    return P


def parameters(P: Array) -> Array:
    """Return the ten inertial parameters of a pseudo-inertia."""
    trace = P[0, 0] + P[1, 1] + P[2, 2]
    return parameters_from(P[3, 3], P[:3, 3], trace * identity(3) - P[:3, :3])


def dual(y: Array) -> Array:
    """Return the symmetric L (4, 4) with tr(L P(pi)) = y . pi for all ten parameters pi."""
    L = zeros(4, 4)
    for (i, j), value in zip(INERTIA_ENTRIES, y[4:], strict=True):
        L[i, j] = L[j, i] = y[4] + y[5] + y[6] - value if i == j else -0.5 * value
    L[:3, 3] = L[3, :3] = 0.5 * y[1:4]
    L[3, 3] = y[0]
    return L


def natural_gradient(pi: Array, y: Array) -> Array:
    """Return dpi/dt of dP/dt = P L P; its product with any gradient is symmetric in both."""
    P = pseudo_inertia(pi)
    return parameters(P @ dual(y) @ P)


def natural_step(pi: Array, y: Array) -> Array:
    """Return parameters after a unit step of dP/dt = P L P, physically consistent for any y.

    The exponential map of the affine-invariant metric is P^1/2 exp(A) P^1/2 with
    A = P^1/2 L P^1/2. For 1 + A + A^2 / 2 in place of exp(A), whose eigenvalues are at least 1/2,
    no root of P is needed: with B = P L the step is (P + (1 + B) P (1 + B)^T) / 2. B is divided by
    sqrt(1 + tr(B^2)), a change of third order, so that one step scales P by 1/2 to 5/2 at most.
    """
    P = pseudo_inertia(pi)
    B = P @ dual(y)
    square = sum(dot(B[i], B[:, i]) for i in range(4))  # tr(B^2) = tr(A^2) >= 0 up to rounding
    B = B / sqrt(1.0 + maximum(square, 0.0))
    X = identity(4) + B
    return parameters(0.5 * (P + X @ P @ X.T))
