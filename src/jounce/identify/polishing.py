"""The last digits of an optimum that an interior-point method has come close to.

    f(u) = u^T P u / 2 + q u - gamma sum_b log det L_b(u)

is minimised over u (n,) with positive semidefinite S_k(u); L_b and S_k are linear in u. With
multipliers Z_k the optimum is where

    df = sum_k <Z_k, dS_k>        and        S_k = (S_k - Z_k)_+

where X_+ is X without its negative eigenvalues: S and Z are positive semidefinite and S Z = 0.
Newton's method on these equations takes a few steps to the digits that rounding leaves, whatever
path led to where it starts: the same data in other parts give the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: Steps at most, and the length of one, relative, after which another is the last.
_STEPS, _SHORT = 60, 1e-8

#: Length of steps, relative, from which on they are whole.
_NEAR = 0.25

#: How well the equations must hold in the end, relative.
_HOLDS = 1e-10


def _triangle(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Upper triangle of a matrix (k, k) column by column, and the factors of its entries.

    With off-diagonal entries times sqrt(2) the vector has the inner products of the matrix.
    """
    columns, rows = np.tril_indices(k)
    return rows, columns, np.where(rows == columns, 1.0, np.sqrt(2.0))


def entries(X: np.ndarray) -> np.ndarray:
    """Those of a symmetric matrix (k, k, ...), each once, as a vector (m, ...) for solvers."""
    rows, columns, roots = _triangle(len(X))
    return (X[rows, columns].T * roots).T


def symmetric(x: np.ndarray) -> np.ndarray:
    """The matrix (k, k) that has these entries (m,)."""
    k = (math.isqrt(8 * len(x) + 1) - 1) // 2
    rows, columns, roots = _triangle(k)
    X = np.zeros((k, k))
    X[rows, columns] = X[columns, rows] = x / roots
    return X


@dataclass(frozen=True, eq=False)
class Matrix:
    """constant + rates u: a symmetric matrix (k, k) linear in u; rates (k, k, n)."""

    constant: np.ndarray
    rates: np.ndarray

    def at(self, u: np.ndarray) -> np.ndarray:
        """What it is at u."""
        return self.constant + self.rates @ u


@dataclass(frozen=True, eq=False)
class Bound:
    """A matrix S that must be positive semidefinite, and Z, in the eigenvectors V of S - Z.

    Symmetric matrices are vectors (m,) of their `entries`. rates (m, n): of S. kept (m,): how much
    of a change of S - Z its positive part has. missing (m,): (S - Z)_+ - S.
    """

    V: np.ndarray
    Z: np.ndarray
    rates: np.ndarray
    kept: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, matrix: Matrix, u: np.ndarray, Z: np.ndarray) -> Bound:
        """That of a matrix at u."""
        S = matrix.at(u)
        s, V = np.linalg.eigh(S - Z)
        positive, size = np.maximum(s, 0.0), np.abs(s)
        # (s_i+ - s_j+) / (s_i - s_j), which is between 0 and 1
        total = size[:, None] + size
        both = np.sign(s)[:, None] == np.sign(s)
        share = np.maximum(positive[:, None], positive) / np.where(total > 0.0, total, 1.0)
        kept = np.where(both, (s > 0.0)[:, None], share)
        rows, columns, _ = _triangle(len(s))
        rates = np.einsum("ai,abn,bj->ijn", V, matrix.rates, V, optimize=True)
        return cls(
            V,
            entries(V.T @ Z @ V),
            entries(rates),
            kept[rows, columns],
            entries(np.diag(positive) - V.T @ S @ V),
        )

    def moved(self, change: np.ndarray) -> np.ndarray:
        """Z (k, k) with its entries changed."""
        return self.V @ symmetric(self.Z + change) @ self.V.T


@dataclass(frozen=True, eq=False)
class Optimum:
    """What is minimised, and what bounds it: P (n, n), q (n,), the L_b and the S_k."""

    P: np.ndarray
    q: np.ndarray
    gamma: float
    logs: Sequence[Matrix]
    bounds: Sequence[Matrix]

    def polished(
        self, u: np.ndarray, multipliers: Sequence[np.ndarray], inside: np.ndarray
    ) -> np.ndarray:
        """The optimum near u and multipliers Z (k, k) of the bounds; u if none is found.

        inside: where all L_b are positive definite, which solvers miss by rounding.
        """
        start, Z = u, list(multipliers)
        try:
            u = self._defined(u, inside)
            for _ in range(_STEPS):
                u, Z, length = self._newton(u, Z)
                if length < _SHORT:
                    u, Z, length = self._newton(u, Z)
                    return u if length < _HOLDS else start
            return start
        except np.linalg.LinAlgError:  # as where more is bounded than there are directions
            return start

    def _defined(self, u: np.ndarray, inside: np.ndarray) -> np.ndarray:
        """The first point on the way from u to the inside at which f is finite."""
        for share in (0.0, *np.logspace(-12, 0, 13)):
            found = u + share * (inside - u)
            if all(np.linalg.eigvalsh(part.at(found))[0] > 0.0 for part in self.logs):
                return found
        raise np.linalg.LinAlgError("f is finite nowhere")

    def _newton(
        self, u: np.ndarray, Z: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, list[np.ndarray], float]:
        """u and Z after a step, and how long it was, relative, in the measure of the Hessian."""
        bounds = [Bound.of(bound, u, own) for bound, own in zip(self.bounds, Z, strict=True)]
        g, H, whitened = self._slopes(u)
        empty = np.empty((0, len(u)))
        A = np.concatenate([empty, *(bound.rates for bound in bounds)])
        z, kept, missing = (
            np.concatenate([np.empty(0), *(getattr(bound, name) for bound in bounds)])
            for name in ("Z", "kept", "missing")
        )
        system = np.block([[H, -A.T], [(1.0 - kept)[:, None] * A, np.diag(kept)]])
        found = np.linalg.solve(system, np.concatenate((A.T @ z - g, missing)))
        step, change = found[: len(u)], found[len(u) :]
        unit = np.sqrt(self.gamma) if self.logs else 1.0 + np.linalg.norm(u)
        length = float(np.sqrt(step @ H @ step) / unit)
        share = self._share(step, whitened, H) if self.logs and length > _NEAR else 1.0
        parts = np.split(min(share, 1.0) * change, np.cumsum([len(x.Z) for x in bounds])[:-1])
        moved = [bound.moved(part) for bound, part in zip(bounds, parts, strict=bool(bounds))]
        return u + share * step, moved, length

    def _slopes(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Gradient and Hessian of f, and rates (k, k, n) of L_b where L_b itself is one."""
        g, H, whitened = self.P @ u + self.q, self.P, []
        for part in self.logs:
            inverse = np.linalg.inv(np.linalg.cholesky(part.at(u)))
            rates = np.einsum("ia,abn,jb->ijn", inverse, part.rates, inverse, optimize=True)
            flat = rates.reshape(-1, len(u))
            g = g - self.gamma * np.einsum("iin->n", rates)
            H = H + self.gamma * flat.T @ flat
            whitened.append(rates)
        return g, H, whitened

    def _share(self, step: np.ndarray, whitened: Sequence[np.ndarray], H: np.ndarray) -> float:
        """How much of a step is best for f, less what the multipliers hold.

        Along it the slope is t s^T P s - s^T H s + gamma sum_i m_i - m_i / (1 + t m_i), with the
        eigenvalues m_i of the L_b's rates, and grows.
        """
        m = np.concatenate([np.linalg.eigvalsh(rates @ step) for rates in whitened])
        bend, fall = step @ self.P @ step, step @ H @ step
        low, high = 0.0, min(-1.0 / m.min(), 1e6) if m.min() < 0.0 else 1e6
        for _ in range(50):
            t = 0.5 * (low + high)
            slope = t * bend - fall + self.gamma * np.sum(m - m / (1.0 + t * m))
            low, high = (t, high) if slope < 0.0 else (low, t)
        return low
