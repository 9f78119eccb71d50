"""Linear systems on any scalar, keeping structural zeros: symmetric, and overdetermined ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.jets import coefficients, from_coefficients, order_of
from jounce.math.scalar import Array, is_zero, sign, sqrt, zeros
from jounce.math.spatial import dot


def inverse_pivot(x: Any) -> Any:
    """1 / x for a pivot of a mass matrix, or an error where nothing stands there."""
    if is_zero(x):
        raise ModelError(
            "nothing resists a motion, so the mass matrix has no inverse;"
            " robot.model.check() says which"
        )
    return 1.0 / x


def factorize(M: Array) -> tuple[Array, list[Any]]:
    """M = L^T D L with unit lower-triangular L: returns L and the inverses of D.

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
    """x with M x = b for a symmetric positive definite M."""
    return solve_factorized(*factorize(M), b)


def half_solve(L: Array, b: Array) -> Array:
    """L^-T b, so that b^T (L^T D L)^-1 c is the product of two such halves, weighted by D^-1."""
    x = b.copy()
    for k in reversed(range(len(b))):
        if is_zero(x[k]):
            continue
        for i in range(k):
            if not is_zero(L[k, i]):
                x[i] = x[i] - L[k, i] * x[k]
    return x


def solve_factorized(L: Array, inverse_pivots: list[Any], b: Array) -> Array:
    """x with L^T D L x = b."""
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
    """M^-1 = T D^-1 T^T with T = L^-1 from M = L^T D L, for a symmetric positive definite M."""
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
    """Solutions of A x = b and A^T y = c for a matrix A (m, n) of full column rank, m >= n.

    A = Q R by Householder reflections, which need no pivoting on values and so can be traced. The
    columns with the fewest entries go first, and a reflection mixes only the rows in which its
    column has entries: blocks stay apart.

    Where A holds jets, only their leading coefficients are factorised. The equations are then
    solved order by order, which is right for those that have a solution at all times (m - n rows of
    A depend on the others and b agrees with them).
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
                raise ModelError(f"column {k} of a linear system depends on the others")
            pivot = entries[k][0]
            rows.remove(pivot)
            self._pivots.append((pivot, k, self._eliminate(entries[k], k, columns)))
        self._dependent = rows

    def _eliminate(self, rows: list[int], k: int, columns: list[int]) -> Any:
        """Reflect column k onto the first of its rows; returns the inverse of what stands there."""
        R = self._R
        x = R[rows, k]
        if len(rows) == 1:
            return 1.0 / x[0]
        length = sqrt(dot(x, x))
        s = sign(x[0])
        away = s + (1.0 - s * s)  # the sign of x[0], or 1 if it is zero
        x[0] = x[0] + away * length
        self._reflections.append((rows, x, 1.0 / (length * away * x[0])))
        for j in columns:
            R[rows, j] = _reflected(x, self._reflections[-1][2], R[rows, j])
        return -away / length

    # -------------------------------------------------------------- one order

    def _turned(self, b: Array) -> Array:
        """Q^T b."""
        out = b.copy()
        for rows, u, scale in self._reflections:
            out[rows] = _reflected(u, scale, out[rows])
        return out

    def _turned_back(self, b: Array) -> Array:
        """Q b."""
        out = b.copy()
        for rows, u, scale in reversed(self._reflections):
            out[rows] = _reflected(u, scale, out[rows])
        return out

    def basis(self) -> Array:
        """A basis (m, n) of the range of the leading coefficient of A: the columns of Q."""
        units = np.eye(len(self._R)).astype(object)
        return np.stack([self._turned_back(units[row]) for row, _, _ in self._pivots], axis=1)

    def _least_squares(self, b: Array) -> Array:
        """R^-1 Q^T b."""
        rest = self._turned(b)
        x = zeros(len(self._pivots))
        for at, (row, column, inverse) in reversed(list(enumerate(self._pivots))):
            later = [k for _, k, _ in self._pivots[at + 1 :]]
            x[column] = (rest[row] - dot(self._R[row, later], x[later])) * inverse
        return x

    def _shortest(self, c: Array) -> Array:
        """Q R^-T c."""
        y = zeros(len(self._R))
        for at, (row, column, inverse) in enumerate(self._pivots):
            above = [i for i, _, _ in self._pivots[:at]]
            y[row] = (c[column] - dot(self._R[above, column], y[above])) * inverse
        return self._turned_back(y)

    def _some(self, c: Array) -> Array:
        """A y with A^T y = c, whichever costs least."""
        return self._shortest(c)

    def _outside(self, b: Array) -> Array:
        """The part of b normal to all columns."""
        rest = self._turned(b)
        rest[[row for row, _, _ in self._pivots]] = 0.0
        return self._turned_back(rest)

    # -------------------------------------------------------------- all orders

    def solve(self, b: Array) -> Array:
        """x with A x = b, in the sense of least squares; b a vector or a matrix of columns."""
        if b.ndim == 2:
            return np.stack([self.solve(column) for column in b.T], axis=1)
        if len(self._levels) == 1:
            return self._least_squares(b)
        found: list[Array] = []
        for rest in coefficients(b, len(self._levels) - 1):
            found.append(self._least_squares(rest - self._earlier(found)))
        return from_coefficients(found)

    def solve_transposed(self, c: Array, *, shortest: bool = False) -> Array:
        """A y with A^T y = c; shortest: the one of least length, at all times."""
        if len(self._levels) == 1:
            return self._shortest(c) if shortest else self._some(c)
        found: list[Array] = []
        weights: list[Array] = []  # y = A z
        for rest in coefficients(c, len(self._levels) - 1):
            for j, y in enumerate(reversed(found), 1):
                rest = rest - self._levels[j].T @ y
            found.append(self._shortest(rest) if shortest else self._some(rest))
            if shortest and self._dependent:
                known = self._earlier(weights)
                found[-1] = found[-1] + self._outside(known)
                weights.append(self._least_squares(found[-1] - known))
        return from_coefficients(found)

    def _earlier(self, found: list[Array]) -> Array:
        """What the orders of x found so far put into the next order of A x."""
        total = zeros(len(self._R))
        for j, x in enumerate(reversed(found), 1):
            total = total + self._levels[j] @ x
        return total


def _reflected(u: Array, scale: Any, b: Array) -> Array:
    """(1 - scale u u^T) b, which leaves what is structurally zero alone."""
    along = dot(u, b)
    return b if is_zero(along) else b - (along * scale) * u


# ------------------------------------------------------------------ on symbols


def solver(A: Array, rows: Sequence[int] | None = None) -> Orthogonal:
    """How to solve with A: by reflections, or on symbols by what their expressions grow least with.

    rows: those of which no other one is independent, if they are known.
    """
    symbols = any(getattr(x, "symbolic", False) for x in coefficients(A, 0)[0].flat)
    return Cramer(A, rows) if symbols and rows is not None else Orthogonal(A)


class Cramer(Orthogonal):
    """The same by Cramer's rule on independent rows: neither roots nor signs, one denominator.

    Its quotients have a value wherever the system has a solution, unlike those of an elimination.
    """

    def __init__(self, A: Array, rows: Sequence[int]) -> None:
        self._levels = coefficients(A, order_of(A) or 0)
        self._A, self._rows = self._levels[0], list(rows)
        self._R = self._A
        self._dependent = [k for k in range(len(A)) if k not in self._rows]
        self._inverse = _cramer(self._A[self._rows])

    def basis(self) -> Array:
        """The columns of A, which need no roots."""
        return self._A

    def _least_squares(self, b: Array) -> Array:
        return self._inverse @ b[self._rows]

    def _some(self, c: Array) -> Array:
        y = zeros(len(self._A))
        y[self._rows] = c @ self._inverse
        return y

    def _shortest(self, c: Array) -> Array:
        if not self._dependent:
            return self._some(c)
        return self._A @ (_cramer(self._A.T @ self._A) @ c)

    def _outside(self, b: Array) -> Array:
        return b - self._shortest(b @ self._A)


def _cramer(A: Array) -> Array:
    """Inverse of a square matrix, block by block of what its zeros keep apart."""
    out = zeros(*A.shape)
    for rows, columns in _blocks(A):
        block = A[np.ix_(rows, columns)]
        size = range(len(block))
        minors: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}
        over = 1.0 / _determinant(block, tuple(size), tuple(size), minors)
        for i in size:
            for j in size:
                others, rest = (tuple(k for k in size if k != x) for x in (i, j))
                minor = _determinant(block, others, rest, minors)
                if not is_zero(minor):
                    out[columns[j], rows[i]] = (-1.0) ** (i + j) * (minor * over)
    return out


def _blocks(A: Array) -> list[tuple[list[int], list[int]]]:
    """Rows and columns of A that entries connect."""
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
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], Any],
) -> Any:
    """A minor of A, by its first row; known: those found so far."""
    if not rows:
        return 1.0
    if (rows, columns) not in known:
        total: Any = 0.0
        for at, k in enumerate(columns):
            if is_zero(A[rows[0], k]):
                continue
            rest = _determinant(A, rows[1:], columns[:at] + columns[at + 1 :], known)
            if not is_zero(rest):
                total = total + (-1.0) ** at * (A[rows[0], k] * rest)
        known[rows, columns] = total
    return known[rows, columns]


def mark_root(u: Array, residual: Callable[[Array], Array]) -> Array:
    """Return u, whose derivatives follow from residual(u) = 0 by the implicit function theorem.

    That holds for scalars that record what is done with them (`Graph.roots`); on others u is plain.
    """
    mark = getattr(u[0], "mark_root", None) if len(u) else None
    if mark is not None:
        mark(u, residual(u), Orthogonal)
    return u
