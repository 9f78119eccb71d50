"""Primal-dual interior-point method for quadratic costs with log-determinants and matrix bounds.

    f(u) = u^T P u / 2 + q u - sum_b log det L_b(u)

is minimized over u (n,) subject to positive semidefinite S_k(u); L_b and S_k are linear in u. The
optimum is where there are multipliers Z_k with

    df = sum_k <Z_k, dS_k>,    S_k, Z_k positive semidefinite,    S_k Z_k = 0.

Newton's method solves them with S_k Z_k = mu, in the scaling of Nesterov and Todd, for a mu that
decreases; a log-determinant is the same with a constant mu of one. From any strictly feasible
start this takes some twenty steps. The last digits come from a semismooth Newton method on

    df = sum_k <Z_k, dS_k>        and        S_k = (S_k - Z_k)_+

where X_+ is X without its negative eigenvalues. It converges to round-off in a few steps, so the
result does not depend on the path to it. A result is returned only if the optimality conditions
hold there (`ConvexProblem.gap`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

#: Largest gap of an optimal result, absolute and relative to the quadratic cost.
_MAX_GAP, _MAX_RELATIVE_GAP = 1e-6, 1e-8

#: Relative size of negative eigenvalues of a bounded matrix that are round-off.
_MAX_VIOLATION = 1e-12

#: Maximum number of interior-point steps, and largest fraction of the way to the boundary per step.
_MAX_STEPS, _STEP_FRACTION = 200, 0.95

#: Gap below which the result is polished, and factor of this gap after a failure.
_POLISH_BELOW, _POLISH_RETRY = 1e-2, 1e-2

#: Maximum number of semismooth steps, and relative lengths of the last two steps.
_MAX_POLISH_STEPS, _SHORT_STEP, _LAST_STEP = 15, 1e-7, 1e-9


class NotOptimalError(Exception):
    """The optimality conditions do not hold at the end of the iteration."""


@dataclass(frozen=True, eq=False)
class MatrixStack:
    """Symmetric matrices (k, m, m) linear in u: constant + rates u, with rates (k, m, m, n)."""

    constant: np.ndarray
    rates: np.ndarray

    def at(self, u: np.ndarray) -> np.ndarray:
        """Return the matrices (k, m, m) at u."""
        return self.constant + self.rates @ u


@dataclass(frozen=True, eq=False)
class ConvexProblem:
    """Cost with P (n, n), q (n,) and matrices L in `logs`; matrices S, of size one, in `bounds`."""

    P: np.ndarray
    q: np.ndarray
    logs: Sequence[MatrixStack]
    bounds: Sequence[MatrixStack]

    def solve(self, u: np.ndarray) -> np.ndarray:
        """Minimize from a strictly feasible u (n,).

        Raises
        ------
        NotOptimalError
            If the optimality conditions do not hold in the end.
        """
        stacks = [*self.logs, *self.bounds]
        size = sum(S.constant.shape[0] * S.constant.shape[1] for S in stacks)
        mu = max(1.0, float(u @ self.P @ u) / max(size, 1))
        Z = [mu * np.linalg.inv(S.at(u)) for S in stacks]
        gap, polish_below = np.inf, _POLISH_BELOW
        for _ in range(_MAX_STEPS):
            try:
                u, Z = self._step(u, Z)
                bounding = Z[len(self.logs) :]
                gap = self.gap(u, bounding)
            except np.linalg.LinAlgError:  # too close to the boundary for another step
                break
            if gap <= polish_below:
                polished = self._polish(u, bounding)
                if polished is not None:
                    return polished
                polish_below = _POLISH_RETRY * gap
            if gap <= 1e-3 * self._tolerance(u):
                break
        if gap <= self._tolerance(u):
            return u
        raise NotOptimalError(f"the cost may be too large by {gap:.1e}")

    # -------------------------------------------------------------- optimality conditions

    def gap(self, u: np.ndarray, Z: Sequence[np.ndarray]) -> float:
        """Return a bound on f(u) - min f, to second order, from the multipliers of the bounds.

        The multipliers are projected to positive semidefinite matrices. The remaining violations of
        the optimality conditions are complementarity, the sum of <S, Z>, and stationarity, half the
        squared length of df - <Z, dS> in the metric of the inverse Hessian. The bound is inf if u
        is infeasible, and invariant to linear changes of u.
        """
        g, H = self._derivatives(u)
        complementarity = 0.0
        for bound, multipliers in zip(self.bounds, Z, strict=True):
            S = bound.at(u)
            s = np.linalg.eigvalsh(S)
            if np.any(s[:, :1] < -_MAX_VIOLATION * np.maximum(s[:, -1:], 1.0)):
                return np.inf
            z, V = np.linalg.eigh(multipliers)
            positive = (V * np.maximum(z, 0.0)[:, None]) @ V.mT
            complementarity += float(np.abs(np.sum(S * positive, axis=(1, 2))).sum())
            g = g - np.einsum("kij,kijn->n", positive, bound.rates)
        return complementarity + 0.5 * abs(float(g @ _solve(H, g)))

    def _tolerance(self, u: np.ndarray) -> float:
        """Return the largest gap of an optimal result."""
        return _MAX_GAP + _MAX_RELATIVE_GAP * float(u @ self.P @ u)

    def _derivatives(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return gradient and Hessian of f; raise LinAlgError where f is not finite."""
        g, H = self.P @ u + self.q, self.P
        for log in self.logs:
            rates = congruent(np.linalg.inv(np.linalg.cholesky(log.at(u))), log.rates)
            packed = _pack(rates)
            g = g - np.einsum("kiin->n", rates)
            H = H + packed.T @ packed
        return g, H

    # -------------------------------------------------------------- interior-point steps

    def _step(self, u: np.ndarray, Z: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
        """Take a primal-dual step; Z holds the multipliers of the logs, then of the bounds."""
        stacks, fixed = [*self.logs, *self.bounds], len(self.logs)
        scalings = [_Scaling.of(S, u, z) for S, z in zip(stacks, Z, strict=True)]
        H, right = self.P, np.column_stack((-self.P @ u - self.q, np.zeros_like(u)))
        for k, x in enumerate(scalings):
            packed = _pack(x.rates)
            H = H + packed.T @ packed
            inverse = np.einsum("kiin,ki->n", x.rates, 1.0 / x.d)
            right[:, 0 if k < fixed else 1] += inverse
        predictor, centering = _solve(H, right).T

        def longest(step: np.ndarray, mu: float) -> float:
            targets = [1.0] * fixed + [mu] * len(self.bounds)
            reach = [x.reach(step, target) for x, target in zip(scalings, targets, strict=True)]
            return min(reach, default=np.inf)

        # Mehrotra's rule: the further a step to mu = 0 could go, the smaller the next mu
        numbers = np.concatenate([np.empty(0), *(x.d.ravel() for x in scalings[fixed:])])
        left = max(1.0 - longest(predictor, 0.0), 0.0) ** 3
        mu = float(np.mean(numbers**2)) * max(left, 1e-4) if len(numbers) else 0.0
        step = predictor + mu * centering
        t = min(1.0, _STEP_FRACTION * longest(step, mu))
        Z = [x.multipliers(t, step, 1.0 if k < fixed else mu) for k, x in enumerate(scalings)]
        return u + t * step, Z

    # -------------------------------------------------------------- last digits

    def _polish(self, u: np.ndarray, Z: Sequence[np.ndarray]) -> np.ndarray | None:
        """Find the optimum near u to round-off; None if the optimality conditions do not hold."""
        # S - Z loses digits of S where Z is larger, so both are brought to one size
        scales = [np.sqrt(np.maximum(np.linalg.norm(x, axis=(1, 2)), 1.0)) for x in Z]
        bounds = [
            MatrixStack(s[:, None, None] * S.constant, s[:, None, None, None] * S.rates)
            for s, S in zip(scales, self.bounds, strict=True)
        ]
        Z = [x / s[:, None, None] for s, x in zip(scales, Z, strict=True)]
        scaled = replace(self, bounds=bounds)
        try:
            for _ in range(_MAX_POLISH_STEPS):
                u, Z, length = scaled._semismooth_step(u, Z)
                if length < _SHORT_STEP:
                    u, Z, length = scaled._semismooth_step(u, Z)
                    optimal = length < _LAST_STEP and scaled.gap(u, Z) <= self._tolerance(u)
                    return u if optimal else None
        except np.linalg.LinAlgError:  # no unique step, or a matrix L that is not positive
            return None
        return None

    def _semismooth_step(
        self, u: np.ndarray, Z: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, list[np.ndarray], float]:
        """Return u and Z after a step, and its relative length in the metric of the Hessian."""
        frames = [_Frame.of(S, u, X) for S, X in zip(self.bounds, Z, strict=True)]
        g, H = self._derivatives(u)
        A = np.concatenate([np.empty((0, len(u))), *(x.rates for x in frames)])
        z, kept, missing = (
            np.concatenate([np.empty(0), *(getattr(x, name) for x in frames)])
            for name in ("Z", "kept", "missing")
        )
        # (1 - kept) A du + kept dz = missing; dz is eliminated where kept is not small
        free = kept > 0.5
        B, C = A[free], A[~free]
        share, change = (1.0 - kept[free]) / kept[free], missing[free] / kept[free]
        right = np.concatenate((A.T @ z - g + B.T @ change, missing[~free]))
        below = (1.0 - kept[~free])[:, None] * C
        system = np.block([[H + (B.T * share) @ B, -C.T], [below, np.diag(kept[~free])]])
        solution = np.linalg.solve(system, right)
        step = solution[: len(u)]
        z[free] += change - share * (B @ step)
        z[~free] += solution[len(u) :]
        ends = np.cumsum([len(x.Z) for x in frames])
        Z = [x.unpack(z[end - len(x.Z) : end]) for x, end in zip(frames, ends, strict=True)]
        unit = 1.0 + 1e-3 * np.sqrt(abs(float(u @ self.P @ u)))
        return u + step, Z, float(np.sqrt(abs(step @ H @ step)) / unit)


@dataclass(frozen=True, eq=False)
class _Scaling:
    """Nesterov-Todd scaling: T (k, m, m) with T S T^T = T^-T Z T^-1 = diag(d).

    rates: derivative of T S T^T in u.
    """

    T: np.ndarray
    d: np.ndarray
    rates: np.ndarray

    @classmethod
    def of(cls, stack: MatrixStack, u: np.ndarray, Z: np.ndarray) -> _Scaling:
        """Return the scaling of matrices at u and multipliers; both must be positive definite."""
        L, R = np.linalg.cholesky(stack.at(u)), np.linalg.cholesky(Z)
        _, d, Vt = np.linalg.svd(R.mT @ L)
        T = np.sqrt(d)[:, :, None] * (Vt @ np.linalg.inv(L))
        return cls(T, d, congruent(T, stack.rates))

    def _changes(self, step: np.ndarray, mu: float) -> tuple[np.ndarray, np.ndarray]:
        """Return scaled changes (k, m, m) of S and Z by which S Z becomes mu, to first order."""
        change = self.rates @ step
        return change, _diagonal(mu / self.d - self.d) - change

    def reach(self, step: np.ndarray, mu: float) -> float:
        """Return the fraction of a step after which S or Z is singular."""
        roots = 1.0 / np.sqrt(self.d)
        scale = roots[:, :, None] * roots[:, None]
        changes = self._changes(step, mu)
        least = min(np.linalg.eigvalsh(scale * x).min(initial=0.0) for x in changes)
        return -1.0 / least if least < 0.0 else np.inf

    def multipliers(self, t: float, step: np.ndarray, mu: float) -> np.ndarray:
        """Return Z after the fraction t of a step."""
        Z = self.T.mT @ (_diagonal(self.d) + t * self._changes(step, mu)[1]) @ self.T
        return 0.5 * (Z + Z.mT)


@dataclass(frozen=True, eq=False)
class _Frame:
    """Matrices S and multipliers Z in the eigenvectors V (k, m, m) of S - Z, packed.

    rates: derivative of S. kept: fraction of a change of S - Z that is in its positive part.
    missing: (S - Z)_+ - S.
    """

    V: np.ndarray
    Z: np.ndarray
    rates: np.ndarray
    kept: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, stack: MatrixStack, u: np.ndarray, Z: np.ndarray) -> _Frame:
        """Return the frame of matrices at u and their multipliers."""
        S = stack.at(u)
        s, V = np.linalg.eigh(S - Z)
        positive, size = np.maximum(s, 0.0), np.abs(s)
        # (s_i+ - s_j+) / (s_i - s_j), which is between 0 and 1
        total = size[:, :, None] + size[:, None]
        larger = np.maximum(positive[:, :, None], positive[:, None])
        share = larger / np.where(total > 0.0, total, 1.0)
        same_sign = np.sign(s)[:, :, None] == np.sign(s)[:, None]
        kept = np.where(same_sign, (s > 0.0)[:, :, None], share)
        rows, columns, _ = _triangle(s.shape[1])
        return cls(
            V,
            _pack(V.mT @ Z @ V),
            _pack(congruent(V.mT, stack.rates)),
            kept[:, rows, columns].ravel(),
            _pack(_diagonal(positive) - V.mT @ S @ V),
        )

    def unpack(self, z: np.ndarray) -> np.ndarray:
        """Return the matrices (k, m, m) with packed entries z in these eigenvectors."""
        rows, columns, roots = _triangle(self.V.shape[1])
        X = np.zeros_like(self.V)
        X[:, rows, columns] = X[:, columns, rows] = z.reshape(len(X), len(roots)) / roots
        return self.V @ X @ self.V.mT


# ------------------------------------------------------------------ linear algebra


def _solve(H: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve with a positive definite H (n, n), scaled to a diagonal of ones first."""
    scale = 1.0 / np.sqrt(np.diag(H))
    return (np.linalg.solve(H * np.outer(scale, scale), (right.T * scale).T).T * scale).T


def congruent(T: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return T X T^T for T (k, m, m) and symmetric X = rates (k, m, m, n)."""
    k, m, _, n = rates.shape
    return T[:, None] @ (T @ rates.reshape(k, m, m * n)).reshape(k, m, m, n)


def _diagonal(d: np.ndarray) -> np.ndarray:
    """Return diagonal matrices (k, m, m) of d (k, m)."""
    return np.eye(d.shape[1]) * d[:, None]


def _pack(X: np.ndarray) -> np.ndarray:
    """Return upper triangles of symmetric X (k, m, m, ...) as vectors (k m (m + 1) / 2, ...).

    Off-diagonal entries are multiplied by sqrt(2), so that inner products are preserved.
    """
    rows, columns, roots = _triangle(X.shape[1])
    packed = X[:, rows, columns] * roots.reshape(-1, *(1,) * (X.ndim - 3))
    return packed.reshape(len(X) * len(rows), *X.shape[3:])


def _triangle(m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, columns = np.triu_indices(m)
    return rows, columns, np.where(rows == columns, 1.0, np.sqrt(2.0))
