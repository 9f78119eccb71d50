"""Sparse solution of the contact equations for many right-hand sides.

The solution for a force b and a drift c is a = P b + Q c, lam = -Q^T b + Y c with the blocks P, Q,
Y of the inverse. They are dense, so sparsity is exploited by the factors of M: the load is first
eliminated from limbs (joints that support no contact), onto the paths to contacts. There the
solution uses P, Q and Y or the factors, whichever takes fewer operations. Then limbs are solved by
forward substitution; the response of an unloaded limb is one matrix, computed once.
"""

from __future__ import annotations

import numpy as np

from jounce.formulas.contact.dynamics import ContactSystem
from jounce.math.linear import half_solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import dot


def _nonzeros(x: Array) -> list[int]:
    return [k for k, e in enumerate(x) if not is_zero(e)]


def _connected_columns(L: Array) -> list[list[int]]:
    """Return the structural nonzeros of the rows of L, including those that cancel numerically.

    The columns of a joint's row are inherited by its parent.
    """
    connected = [{*_nonzeros(L[k, :k])} for k in range(len(L))]
    for entries in reversed(connected):
        if entries:
            connected[max(entries)] |= entries - {max(entries)}
    return [sorted(entries) for entries in connected]


class ColumnSolver:
    """Solver of the contact equations for one right-hand side after the other."""

    def __init__(self, system: ContactSystem) -> None:
        self.system, self.L, self.inverse_pivots = system, system.L, system.inverse_pivots
        n = len(self.L)
        self.connected = _connected_columns(self.L)
        self.parent = [max(above, default=-1) for above in self.connected]
        reached = {k for row in system.Y for k in _nonzeros(row)}
        self.paths = sorted(reached.union(*(self.connected[k] for k in reached)))
        self.limbs = [k for k in range(n) if k not in self.paths]
        self._limb_responses: dict[int, dict[int, Array]] = {}
        rows, paths = len(system.J), len(self.paths)
        self._inverse_cost = 2 * (rows + paths)  # operations per entry of a load by P, Q and Y
        lower = sum(len(self.connected[k]) for k in self.paths)
        entries = sum(len(_nonzeros(row)) for row in system.Y)
        self._factor_cost = (
            4 * lower + 4 * entries + 2 * rows * rows
        )  # operations per load by factors
        self.Y = np.stack([solve_factorized(*system.factors, e) for e in identity(rows)])
        self._invert()

    def _invert(self) -> None:
        """Compute the symmetric P (nv, nv) and Q^T (nr, nv), first on the paths by the factors."""
        n, still = len(self.L), zeros(len(self.system.J))
        self.P, self.Q = zeros(n, n), zeros(len(still), n)
        for k in (*self.paths, *self.limbs):
            unit = zeros(n)
            unit[k] = 1.0
            column, lam = self.solve(unit, still, factors=k in self.paths)
            self.Q[:, k] = -lam
            for i in range(n):
                if i not in self.limbs or (k in self.limbs and i <= k):
                    self.P[i, k] = self.P[k, i] = column[i]

    def solve(self, force: Array, drift: Array, *, factors: bool = False) -> tuple[Array, Array]:
        """Return a and lam with M a - J^T lam = force and J a + mu Z^T Z lam = drift."""
        load = self._condense_load(force)
        loaded, moved = [k for k in _nonzeros(load) if k in self.paths], _nonzeros(drift)
        if factors or self._inverse_cost * (len(loaded) + len(moved)) > self._factor_cost:
            a, lam = self._by_factors(load, drift)
        else:
            a, lam = self._by_inverses(load, loaded, drift, moved)
        self._solve_limbs(load, a)
        return a, lam

    def _condense_load(self, force: Array) -> Array:
        """Eliminate the load of the limbs onto the paths to contacts (L^-T on limbs)."""
        x = force.copy()
        for k in reversed(self.limbs):
            if not is_zero(x[k]):
                for i in self.connected[k]:
                    x[i] = x[i] - self.L[k, i] * x[k]
        return x

    def _by_factors(self, load: Array, drift: Array) -> tuple[Array, Array]:
        """Solve on the paths to contacts with the factors of M and J M^-1 J^T."""
        system, load = self.system, load.copy()
        load[self.limbs] = 0.0
        y = half_solve(self.L, load)
        known = [dot(row, y * self.inverse_pivots) for row in system.Y]
        lam = solve_factorized(*system.factors, drift - known)
        a = zeros(len(load))
        for k in self.paths:
            response = (y[k] + dot(system.Y[:, k], lam)) * self.inverse_pivots[k]
            a[k] = response - dot(self.L[k, :k], a[:k])
        return a, lam

    def _by_inverses(
        self, load: Array, loaded: list[int], drift: Array, moved: list[int]
    ) -> tuple[Array, Array]:
        """Solve on the paths to contacts with the inverses P, Q and Y."""
        a = zeros(len(load))
        for k in self.paths:
            a[k] = dot(self.P[k, loaded], load[loaded]) + dot(self.Q[moved, k], drift[moved])
        rows = zip(self.Q, self.Y, strict=True)
        lam = [dot(y[moved], drift[moved]) - dot(q[loaded], load[loaded]) for q, y in rows]
        return a, np.array(lam, dtype=object)

    # -------------------------------------------------------------- limbs

    def _solve_limbs(self, load: Array, a: Array) -> None:
        """Solve for the limbs from the paths: a = L^-1 D^-1 L^-T load."""
        loaded = {k for k in self.limbs if not is_zero(load[k])}
        unloaded: dict[int, int] = {}  # first joint of each unloaded limb
        for k in self.limbs:
            if k in loaded:
                a[k] = load[k] * self.inverse_pivots[k] - dot(self.L[k, :k], a[:k])
                continue
            unloaded[k] = unloaded.get(self.parent[k], k)
            row, connected = self._limb_response(unloaded[k])[k], self.connected[unloaded[k]]
            a[k] = dot(row, a[connected])

    def _limb_response(self, start: int) -> dict[int, Array]:
        """Return the response of an unloaded limb from `start` to joints above it."""
        if start not in self._limb_responses:
            connected = self.connected[start]
            rows: dict[int, Array] = {}
            for k in self.limbs:
                if k != start and self.parent[k] not in rows:
                    continue
                rows[k] = -self.L[k, connected]
                for i in self.connected[k]:
                    if i in rows:
                        rows[k] = rows[k] - self.L[k, i] * rows[i]
            self._limb_responses[start] = rows
        return self._limb_responses[start]
