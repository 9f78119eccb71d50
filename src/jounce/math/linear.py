"""Symmetric linear systems on any scalar, keeping structural zeros."""

from __future__ import annotations

from typing import Any

from jounce.errors import ModelError
from jounce.math.scalar import Array, is_zero


def factorise(M: Array) -> tuple[Array, list[Any]]:
    """M = L^T D L with unit lower-triangular L: returns L and the inverses of D.

    Elimination from the last row keeps the zeros between branches of a tree.
    """
    n = len(M)
    A = M.copy()
    inverse_pivots: list[Any] = [0.0] * n
    for k in reversed(range(n)):
        if is_zero(A[k, k]):
            raise ModelError(f"velocity {k} moves no inertia: the mass matrix has no inverse")
        inverse_pivots[k] = 1.0 / A[k, k]
        row = [i for i in range(k) if not is_zero(A[k, i])]
        scaled = {i: A[k, i] * inverse_pivots[k] for i in row}
        for i in row:
            for j in row:
                if j <= i:
                    A[i, j] = A[i, j] - scaled[i] * A[k, j]
        for i in row:
            A[k, i] = scaled[i]
    return A, inverse_pivots


def solve(M: Array, b: Array) -> Array:
    """x with M x = b for a symmetric positive definite M."""
    return solve_factorised(*factorise(M), b)


def solve_factorised(L: Array, inverse_pivots: list[Any], b: Array) -> Array:
    """x with L^T D L x = b."""
    n = len(b)
    x = b.copy()
    for k in reversed(range(n)):  # x = L^-T b
        for i in range(k):
            if not is_zero(L[k, i]):
                x[i] = x[i] - L[k, i] * x[k]
    for k in range(n):
        x[k] = x[k] * inverse_pivots[k]
    for k in range(n):  # x = L^-1 x
        for i in range(k):
            if not is_zero(L[k, i]):
                x[k] = x[k] - L[k, i] * x[i]
    return x
