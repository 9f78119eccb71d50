"""Many solutions with the equations of contact: which of their zeros save what.

The solution for a force b and a drift c is a = P b + Q c, lam = -Q^T b + Y c with the inverses P, Q
and Y of the blocks. They are full, so a column costs less through the factors of M: it is swept off
the joints that no contact hangs on, towards those on the ways to contacts; there P, Q and Y act, or
the factors, whichever takes fewer operations; and from there the other joints follow. A limb that
carries no load follows what it hangs on by one matrix, which is made once.
"""

from __future__ import annotations

import numpy as np

from jounce.formulas.contact.dynamics import Supported
from jounce.math.linear import half_solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import dot


def _entries(x: Array) -> list[int]:
    return [k for k, e in enumerate(x) if not is_zero(e)]


def _above(L: Array) -> list[list[int]]:
    """Entries of the rows of L, with those that only numbers, not its structure, make zero.

    What a joint is tied to, that which it hangs on is tied to as well.
    """
    above = [{*_entries(L[k, :k])} for k in range(len(L))]
    for own in reversed(above):
        if own:
            above[max(own)] |= own - {max(own)}
    return [sorted(own) for own in above]


class Columns:
    """Solutions for one load after the other."""

    def __init__(self, system: Supported) -> None:
        self.system, self.L, self.over = system, system.L, system.over
        n = len(self.L)
        self.above = _above(self.L)
        self.parent = [max(above, default=-1) for above in self.above]
        reached = {k for row in system.Y for k in _entries(row)}
        self.ways = sorted(reached.union(*(self.above[k] for k in reached)))
        self.limbs = [k for k in range(n) if k not in self.ways]
        self._follow: dict[int, dict[int, Array]] = {}
        rows, ways = len(system.J), len(self.ways)
        self._each = 2 * (rows + ways)  # what an entry of a load costs by P, Q and Y
        lower = sum(len(self.above[k]) for k in self.ways)
        entries = sum(len(_entries(row)) for row in system.Y)
        self._whole = 4 * lower + 4 * entries + 2 * rows * rows  # what a load costs by factors
        self.Y = np.stack([solve_factorized(*system.factors, e) for e in identity(rows)])
        self._invert()

    def _invert(self) -> None:
        """P (nv, nv), which is symmetric, and Q^T (nr, nv): on the ways first, by the factors."""
        n, still = len(self.L), zeros(len(self.system.J))
        self.P, self.Q = zeros(n, n), zeros(len(still), n)
        for k in (*self.ways, *self.limbs):
            unit = zeros(n)
            unit[k] = 1.0
            column, lam = self.solve(unit, still, factors=k in self.ways)
            self.Q[:, k] = -lam
            for i in range(n):
                if i not in self.limbs or (k in self.limbs and i <= k):
                    self.P[i, k] = self.P[k, i] = column[i]

    def solve(self, force: Array, drift: Array, *, factors: bool = False) -> tuple[Array, Array]:
        """Return a and lam with M a - J^T lam = force and J a + mu Z^T Z lam = drift."""
        load = self._swept(force)
        pushed, moved = [k for k in _entries(load) if k in self.ways], _entries(drift)
        if factors or self._each * (len(pushed) + len(moved)) > self._whole:
            a, lam = self._by_factors(load, drift)
        else:
            a, lam = self._by_inverses(load, pushed, drift, moved)
        self._spread(load, a)
        return a, lam

    def _swept(self, force: Array) -> Array:
        """The load that is left on the ways once that of the limbs is swept there; theirs, L^-T."""
        x = force.copy()
        for k in reversed(self.limbs):
            if not is_zero(x[k]):
                for i in self.above[k]:
                    x[i] = x[i] - self.L[k, i] * x[k]
        return x

    def _by_factors(self, load: Array, drift: Array) -> tuple[Array, Array]:
        """Solve on the paths to contacts with the factors of M and J M^-1 J^T."""
        system, load = self.system, load.copy()
        load[self.limbs] = 0.0
        y = half_solve(self.L, load)
        known = [dot(row, y * self.over) for row in system.Y]
        lam = solve_factorized(*system.factors, drift - known)
        a = zeros(len(load))
        for k in self.ways:
            pushed = (y[k] + dot(system.Y[:, k], lam)) * self.over[k]
            a[k] = pushed - dot(self.L[k, :k], a[:k])
        return a, lam

    def _by_inverses(
        self, load: Array, pushed: list[int], drift: Array, moved: list[int]
    ) -> tuple[Array, Array]:
        """Solve on the paths to contacts with the inverses P, Q and Y."""
        a = zeros(len(load))
        for k in self.ways:
            a[k] = dot(self.P[k, pushed], load[pushed]) + dot(self.Q[moved, k], drift[moved])
        rows = zip(self.Q, self.Y, strict=True)
        lam = [dot(y[moved], drift[moved]) - dot(q[pushed], load[pushed]) for q, y in rows]
        return a, np.array(lam, dtype=object)

    # -------------------------------------------------------------- limbs

    def _spread(self, load: Array, a: Array) -> None:
        """From the ways to the limbs: a = L^-1 D^-1 L^-T load there."""
        loaded = {k for k in self.limbs if not is_zero(load[k])}
        bare: dict[int, int] = {}  # limbs without load, by where they begin
        for k in self.limbs:
            if k in loaded:
                a[k] = load[k] * self.over[k] - dot(self.L[k, :k], a[:k])
                continue
            bare[k] = bare.get(self.parent[k], k)
            row, above = self._following(bare[k])[k], self.above[bare[k]]
            a[k] = dot(row, a[above])

    def _following(self, start: int) -> dict[int, Array]:
        """Return the response of an unloaded limb from `start` to joints above it."""
        if start not in self._follow:
            above = self.above[start]
            rows: dict[int, Array] = {}
            for k in self.limbs:
                if k != start and self.parent[k] not in rows:
                    continue
                rows[k] = -self.L[k, above]
                for i in self.above[k]:
                    if i in rows:
                        rows[k] = rows[k] - self.L[k, i] * rows[i]
            self._follow[start] = rows
        return self._follow[start]
