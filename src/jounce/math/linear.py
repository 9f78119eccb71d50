"""Solvers of symmetric and overdetermined linear systems for any scalar, keeping zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.jets import coefficients, from_coefficients, order_of
from jounce.math.scalar import Array, is_zero, sign, sqrt, zeros
from jounce.math.spatial import dot


def inverse_pivot(x: Any) -> Any:
    """Return 1 / x for a pivot of a mass matrix; raise ModelError if it is structurally zero."""
    if is_zero(x):
        raise ModelError(
            "the mass matrix is singular, since some motion has no inertia;"
            " robot.model.check() tells which joints cause it"
        )
    return 1.0 / x


def factorize(M: Array) -> tuple[Array, list[Any]]:
    """Factorize M = L^T D L with unit lower-triangular L; return L and the inverses of D.

    L is what stands below the diagonal; on it stands D. Elimination from the last row keeps the
    zeros between branches of a tree.
    """
    n = len(M)
    A = M.copy()
    inverse_pivots: list[Any] = [0.0] * n
    for k in reversed(range(n)):
        inverse_pivots[k] = inverse_pivot(A[k, k])
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
    """Solve M x = b for a symmetric positive definite M."""
    return solve_factorized(*factorize(M), b)


def half_solve(L: Array, b: Array) -> Array:
    """Return L^-T b; b^T (L^T D L)^-1 c is the dot product of two such vectors weighted by D^-1."""
    x = b.copy()
    for k in reversed(range(len(b))):
        if is_zero(x[k]):
            continue
        for i in range(k):
            if not is_zero(L[k, i]):
                x[i] = x[i] - L[k, i] * x[k]
    return x


def solve_factorized(L: Array, inverse_pivots: list[Any], b: Array) -> Array:
    """Solve L^T D L x = b."""
    n = len(b)
    x = half_solve(L, b)
    for k in range(n):
        x[k] = x[k] * inverse_pivots[k]
    for k in range(n):  # x = L^-1 x
        for i in range(k):
            if not is_zero(L[k, i]):
                x[k] = x[k] - L[k, i] * x[i]
    return x


def inverse(M: Array) -> Array:
    """Return M^-1 = T D^-1 T^T, T = L^-1, M = L^T D L symmetric positive definite."""
    L, inverse_pivots = factorize(M)
    n = len(L)
    T = zeros(n, n)  # lower triangular, rows from the top
    for k in range(n):
        T[k, k] = 1.0
        for j in range(k):
            T[k, j] = -dot(L[k, j:k], T[j:k, j])
    out = zeros(n, n)
    for i in range(n):
        for j in range(i + 1):
            scaled = [T[j, k] * inverse_pivots[k] for k in range(j + 1)]
            out[i, j] = out[j, i] = dot(T[i, : j + 1], scaled)
    return out


class Orthogonal:
    """Solver of A x = b and A^T y = c for a matrix A (m, n) of full column rank, m >= n.

    A = Q R by Householder reflections, which need no pivoting on values and so can be traced. The
    columns with the fewest nonzeros are eliminated first, and a reflection mixes only the rows in
    which its column has nonzeros, which preserves block structure.

    If A holds jets, only their leading coefficients are factorized. The equations are then solved
    order by order, which is exact for systems that are consistent at all times (m - n rows of A
    depend on the others and b agrees with them).
    """

    def __init__(self, A: Array) -> None:
        self._levels = coefficients(A, order_of(A) or 0)
        self._R = R = self._levels[0].copy()
        self._reflections: list[tuple[list[int], Array, Any]] = []
        self._pivots: list[tuple[int, int, Any]] = []  # row, column, inverse of the entry of R
        rows, columns = list(range(len(R))), list(range(R.shape[1]))
        while columns:
            entries = {k: [i for i in rows if not is_zero(R[i, k])] for k in columns}
            k = min(columns, key=lambda k: len(entries[k]))
            columns.remove(k)
            if not entries[k]:
                raise ModelError(f"linear system is singular: column {k} depends on the others")
            pivot = entries[k][0]
            rows.remove(pivot)
            self._pivots.append((pivot, k, self._eliminate(entries[k], k, columns)))
        self._dependent = rows

    def _eliminate(self, rows: list[int], k: int, columns: list[int]) -> Any:
        """Reflect column k onto the first of its rows; return the inverse of that entry of R."""
        R = self._R
        x = R[rows, k]
        if len(rows) == 1:
            return 1.0 / x[0]
        length = sqrt(dot(x, x))
        s = sign(x[0])
        direction = s + (1.0 - s * s)  # the sign of x[0], or 1 if it is zero
        x[0] = x[0] + direction * length
        self._reflections.append((rows, x, 1.0 / (length * direction * x[0])))
        for j in columns:
            R[rows, j] = _reflect(x, self._reflections[-1][2], R[rows, j])
        return -direction / length

    # -------------------------------------------------------------- leading order

    def _apply_transposed_q(self, b: Array) -> Array:
        """Return Q^T b."""
        out = b.copy()
        for rows, u, scale in self._reflections:
            out[rows] = _reflect(u, scale, out[rows])
        return out

    def _apply_q(self, b: Array) -> Array:
        """Return Q b."""
        out = b.copy()
        for rows, u, scale in reversed(self._reflections):
            out[rows] = _reflect(u, scale, out[rows])
        return out

    def basis(self) -> Array:
        """Return a basis (m, n) of the range of the leading coefficient of A: the columns of Q."""
        units = np.eye(len(self._R)).astype(object)
        return np.stack([self._apply_q(units[row]) for row, _, _ in self._pivots], axis=1)

    def _least_squares(self, b: Array) -> Array:
        """Return R^-1 Q^T b."""
        projected = self._apply_transposed_q(b)
        x = zeros(len(self._pivots))
        for step, (row, column, inverse) in reversed(list(enumerate(self._pivots))):
            later = [k for _, k, _ in self._pivots[step + 1 :]]
            x[column] = (projected[row] - dot(self._R[row, later], x[later])) * inverse
        return x

    def _shortest_transposed(self, c: Array) -> Array:
        """Return Q R^-T c."""
        y = zeros(len(self._R))
        for step, (row, column, inverse) in enumerate(self._pivots):
            above = [i for i, _, _ in self._pivots[:step]]
            y[row] = (c[column] - dot(self._R[above, column], y[above])) * inverse
        return self._apply_q(y)

    def _any_transposed(self, c: Array) -> Array:
        """Return the y with A^T y = c that takes the fewest operations."""
        return self._shortest_transposed(c)

    def _normal_part(self, b: Array) -> Array:
        """Return the component of b orthogonal to all columns of A."""
        projected = self._apply_transposed_q(b)
        projected[[row for row, _, _ in self._pivots]] = 0.0
        return self._apply_q(projected)

    # -------------------------------------------------------------- all orders

    def solve(self, b: Array) -> Array:
        """Return the least-squares solution of A x = b; b is a vector or a matrix of columns."""
        if b.ndim == 2:
            return np.stack([self.solve(column) for column in b.T], axis=1)
        if len(self._levels) == 1:
            return self._least_squares(b)
        solution: list[Array] = []
        for order_b in coefficients(b, len(self._levels) - 1):
            solution.append(self._least_squares(order_b - self._lower_order_terms(solution)))
        return from_coefficients(solution)

    def solve_transposed(self, c: Array, *, shortest: bool = False) -> Array:
        """Return a y with A^T y = c; shortest: the minimum-norm solution, at all orders."""
        if len(self._levels) == 1:
            return self._shortest_transposed(c) if shortest else self._any_transposed(c)
        solution: list[Array] = []
        weights: list[Array] = []  # y = A z
        for order_c in coefficients(c, len(self._levels) - 1):
            for j, y in enumerate(reversed(solution), 1):
                order_c = order_c - self._levels[j].T @ y
            solution.append(
                self._shortest_transposed(order_c) if shortest else self._any_transposed(order_c)
            )
            if shortest and self._dependent:
                known = self._lower_order_terms(weights)
                solution[-1] = solution[-1] + self._normal_part(known)
                weights.append(self._least_squares(solution[-1] - known))
        return from_coefficients(solution)

    def _lower_order_terms(self, solution: list[Array]) -> Array:
        """Contribution of the known orders of x to the next order of A x."""
        total = zeros(len(self._R))
        for j, x in enumerate(reversed(solution), 1):
            total = total + self._levels[j] @ x
        return total


def _reflect(u: Array, scale: Any, b: Array) -> Array:
    """Return (1 - scale u u^T) b; b itself if u . b is structurally zero."""
    along = dot(u, b)
    return b if is_zero(along) else b - (along * scale) * u


# ------------------------------------------------------------------ on symbols


def solver(A: Array, rows: Sequence[int] | None = None) -> Orthogonal:
    """Return a solver for A: Householder reflections, or Cramer's rule for symbolic entries.

    rows: indices of a maximal set of linearly independent rows, if known.
    """
    symbols = any(getattr(x, "symbolic", False) for x in coefficients(A, 0)[0].flat)
    return Cramer(A, rows) if symbols and rows is not None else Orthogonal(A)


class Cramer(Orthogonal):
    """Solver by Cramer's rule on independent rows: no square roots or signs, one denominator.

    Unlike those of an elimination, its quotients are defined wherever the system is solvable.
    """

    def __init__(self, A: Array, rows: Sequence[int]) -> None:
        self._levels = coefficients(A, order_of(A) or 0)
        self._A, self._rows = self._levels[0], list(rows)
        self._R = self._A
        self._dependent = [k for k in range(len(A)) if k not in self._rows]
        self._inverse = _cramer(self._A[self._rows])

    def basis(self) -> Array:
        """Return the columns of A, which need no square roots."""
        return self._A

    def _least_squares(self, b: Array) -> Array:
        return self._inverse @ b[self._rows]

    def _any_transposed(self, c: Array) -> Array:
        y = zeros(len(self._A))
        y[self._rows] = c @ self._inverse
        return y

    def _shortest_transposed(self, c: Array) -> Array:
        if not self._dependent:
            return self._any_transposed(c)
        return self._A @ (_cramer(self._A.T @ self._A) @ c)

    def _normal_part(self, b: Array) -> Array:
        return b - self._shortest_transposed(b @ self._A)


def _cramer(A: Array) -> Array:
    """Invert a square matrix by Cramer's rule, one decoupled block at a time."""
    out = zeros(*A.shape)
    for rows, columns in _blocks(A):
        block = A[np.ix_(rows, columns)]
        size = range(len(block))
        minors: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}
        over = 1.0 / _determinant(block, tuple(size), tuple(size), minors)
        for i in size:
            for j in size:
                other_rows, other_columns = (tuple(k for k in size if k != x) for x in (i, j))
                minor = _determinant(block, other_rows, other_columns, minors)
                if not is_zero(minor):
                    out[columns[j], rows[i]] = (-1.0) ** (i + j) * (minor * over)
    return out


def _blocks(A: Array) -> list[tuple[list[int], list[int]]]:
    """Partition A into blocks of rows and columns that are connected by nonzeros."""
    blocks: list[tuple[list[int], list[int]]] = []
    for i, row in enumerate(A):
        rows, columns = [i], {j for j, x in enumerate(row) if not is_zero(x)}
        for block in [b for b in blocks if columns & {*b[1]}]:
            blocks.remove(block)
            rows, columns = block[0] + rows, columns | {*block[1]}
        blocks.append((rows, sorted(columns)))
    return blocks


def _determinant(
    A: Array,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    memo: dict[tuple[tuple[int, ...], tuple[int, ...]], Any],
) -> Any:
    """Return a minor of A by expansion along its first row; memo: minors already computed."""
    if not rows:
        return 1.0
    if (rows, columns) not in memo:
        total: Any = 0.0
        for position, k in enumerate(columns):
            if is_zero(A[rows[0], k]):
                continue
            minor = _determinant(A, rows[1:], columns[:position] + columns[position + 1 :], memo)
            if not is_zero(minor):
                total = total + (-1.0) ** position * (A[rows[0], k] * minor)
        memo[rows, columns] = total
    return memo[rows, columns]


def mark_root(u: Array, residual: Callable[[Array], Array]) -> Array:
    """Return u, whose derivatives follow from residual(u) = 0 by the implicit function theorem.

    Only scalars that record operations (`Graph.roots`) are marked; others are returned unchanged.
    """
    mark = getattr(u[0], "mark_root", None) if len(u) else None
    if mark is not None:
        mark(u, residual(u), Orthogonal)
    return u
