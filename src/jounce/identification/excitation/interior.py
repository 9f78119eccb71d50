"""Primal-dual interior-point method with a quasi-Newton Hessian, for small smooth problems.

Minimize f(z) subject to low < u(z) < high, from a strictly feasible point; all iterates stay
feasible. With the distances c of u from its bounds and multipliers l, a step solves

    (B + J^T (l / c) J) dz = -grad f + mu J^T (1 / c),    dl = (mu - l dc) / c - l

where B approximates the Hessian of the Lagrangian by damped BFGS updates. With thousands of bounds
and tens of unknowns, an iteration takes a fifth of the time of one of SLSQP. Mechanisms need
feasible iterates, since their loops may not close outside the bounds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]
Smooth = Callable[[np.ndarray], tuple[float, np.ndarray]]

#: Largest fraction of the way to the nearest bound per step.
_STEP_FRACTION = 0.995


class InteriorPoint:
    """State of the method: a point z with low < u(z) < high, approximate Hessian and multipliers.

    uses, jacobian: u (k,) and its derivative (k, n). bounds (2, k): low and high, possibly
    infinite. tick: called in every iteration; if it returns False the iteration stops.
    """

    def __init__(
        self,
        uses: Function,
        jacobian: Function,
        bounds: np.ndarray,
        z: np.ndarray,
        tick: Callable[[], bool],
    ) -> None:
        self.uses, self.jacobian, self.bounds, self.tick = uses, jacobian, bounds, tick
        self.z = z
        self.finite = np.isfinite(bounds)
        self.B: np.ndarray | None = None
        self.multipliers: np.ndarray | None = None

    def distances(self, z: np.ndarray) -> np.ndarray:
        """Return the distances (2, k) of u from its bounds."""
        u = self.uses(z)
        return np.stack((u - self.bounds[0], self.bounds[1] - u))

    def minimize(self, cost: Smooth, gap: float, iterations: int, tolerance: float = 1e-4) -> None:
        """Move z until the cost is within about `gap` of its local minimum.

        cost: f and its gradient (n,). tolerance: predicted decrease at which the iteration stops.
        """
        mu = gap / max(np.count_nonzero(self.finite), 1)
        f, g = cost(self.z)
        c, J = self.distances(self.z), self.jacobian(self.z)
        for _ in range(iterations):
            l = mu / c if self.multipliers is None else self.multipliers
            l = np.clip(l, 1e-10 * mu / c, 1e10 * mu / c)
            B = np.eye(len(g)) if self.B is None else self.B
            push = mu / c
            slope = g - (push[0] - push[1]) @ J
            dz = np.linalg.solve(B + (J.T * (l / c).sum(axis=0)) @ J, -slope)
            predicted = float(slope @ dz)
            if predicted > -tolerance or not self.tick():
                return
            du = J @ dz
            dc = np.stack((du, -du))
            result = self._line_search(cost, dz, _longest(c, dc), (f, c, mu, predicted))
            if result is None:
                return
            dl = (mu - l * dc) / c - l
            z, f, gradient, c = result
            self.multipliers = l + _longest(l, dl) * dl
            jacobian = self.jacobian(z)
            y = gradient - g - (self.multipliers[0] - self.multipliers[1]) @ (jacobian - J)
            self._update(z - self.z, y)
            self.z, g, J = z, gradient, jacobian

    def _line_search(
        self,
        cost: Smooth,
        dz: np.ndarray,
        longest: float,
        current: tuple[float, np.ndarray, float, float],
    ) -> tuple[np.ndarray, float, np.ndarray, np.ndarray] | None:
        """Return a feasible point along a step that sufficiently decreases cost plus barrier."""
        f, c, mu, predicted = current
        before = f - mu * np.log(c[self.finite]).sum()
        for step in longest * 0.5 ** np.arange(25):
            z = self.z + step * dz
            inside = self.distances(z)
            if not np.all(inside > 0.0):
                continue
            value, gradient = cost(z)
            after = value - mu * np.log(inside[self.finite]).sum()
            if after <= before + 1e-4 * step * predicted:
                return z, value, gradient, inside
        return None

    def _update(self, s: np.ndarray, y: np.ndarray) -> None:
        """Damped BFGS: B stays positive definite (Powell 1978)."""
        B = np.eye(len(s)) if self.B is None else self.B
        Bs = B @ s
        if s @ y < 0.2 * s @ Bs:
            share = 0.8 * (s @ Bs) / (s @ Bs - s @ y)
            y = share * y + (1.0 - share) * Bs
        if self.B is None:  # the first step determines the scale
            B = B * (y @ y) / (s @ y)
            Bs = B @ s
        self.B = B - np.outer(Bs, Bs) / (s @ Bs) + np.outer(y, y) / (s @ y)


def _longest(x: np.ndarray, dx: np.ndarray) -> float:
    """Return the longest step, at most 1, that keeps all x > 0 at a distance from zero."""
    falling = dx < 0.0
    return min(1.0, _STEP_FRACTION * float(np.min(-x[falling] / dx[falling], initial=np.inf)))
