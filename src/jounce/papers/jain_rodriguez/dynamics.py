"""1.1 and 2: the equations of motion, and the operators that turn with the hinges."""

from __future__ import annotations

import numpy as np

from jounce.math.scalar import Array, zeros
from jounce.math.spatial import cross, skew, stack
from jounce.papers import equation
from jounce.papers.common import block_diagonal, minus_gravity
from jounce.papers.jain_rodriguez.base import TreeOperators
from jounce.papers.jain_rodriguez.operator import Operator
from jounce.papers.jain_rodriguez.vectors import cross_matrix, s_matrix


class SpatialOperators(TreeOperators):
    """Equations of motion (1.1, 1.2); shifted operators and hinges (2.11 to 2.18)."""

    # -------------------------------------------------------------- 1.1 equations of motion

    @equation("1.1")
    def velocities(self, rates: Array) -> Array:
        """Return V = phi^T H^T theta-dot (6 per body)."""
        return self.phi.T @ (self.H.T @ rates)

    def coriolis_accelerations(self, rates: Array) -> Array:
        """a(k) = (w x h, w x u + w(parent) x (v - v(parent))), (h, u) = H^T(k) theta-dot(k)."""
        V, joint_twists = self.velocities(rates), self.H.T @ rates
        out = zeros(len(V))
        for k, node in enumerate(self.tree.nodes):
            rows = self.bodies.slices[k]
            before = zeros(6) if node.parent < 0 else V[self.bodies.slices[node.parent]]
            w, h, u = V[rows][:3], joint_twists[rows][:3], joint_twists[rows][3:]
            carried = cross(before[:3], V[rows][3:] - before[3:])
            out[rows] = stack(cross(w, h), cross(w, u) + carried)
        return out

    def gyroscopic_forces(self, rates: Array) -> Array:
        """Return b(k) = (w x J w, w x (w x m p))."""
        V = self.velocities(rates)
        out = zeros(len(V))
        for k, rows in enumerate(self.bodies.slices):
            w, M = V[rows][:3], self.M[k, k]
            # M(k) (w, 0) = (J w, -m p x w)
            out[rows] = stack(cross(w, M[:3, :3] @ w), cross(w, M[3:, :3] @ w))
        return out

    @equation("1.1")
    def accelerations(self, rates: Array, second: Array) -> Array:
        """alpha = phi^T (H^T theta-ddot + a): the derivatives of V, with gravity at the ground."""
        alpha = self.phi.T @ (self.H.T @ second + self.coriolis_accelerations(rates))
        return alpha + np.concatenate([minus_gravity(self.tree)] * len(self.hinges.sizes))

    @equation("1.2")
    def forces(self, rates: Array, second: Array) -> Array:
        """Return f = phi (M alpha + b): the spatial force across each joint."""
        alpha = self.accelerations(rates, second)
        return self.phi @ (self.M @ alpha + self.gyroscopic_forces(rates))

    @equation("1.2")
    def inverse_dynamics(self, rates: Array, second: Array) -> Array:
        """Return T = H f plus armature: the recursive Newton-Euler equations."""
        return self.H @ self.forces(rates, second) + self.A @ second

    @equation("1.2")
    def coriolis_forces(self, rates: Array) -> Array:
        """Return C = H phi (M phi^T a + b)."""
        carried = self.M @ (self.phi.T @ self.coriolis_accelerations(rates))
        return self.H @ (self.phi @ (carried + self.gyroscopic_forces(rates)))

    @equation("Identity 1.1")
    def forward_dynamics(self, rates: Array, T: Array) -> Array:
        """Return theta-ddot = M^-1 (T - C - g), by Identity 1.1 in O(n)."""
        bias = self.inverse_dynamics(rates, zeros(self.hinges.dimension))
        return self.mass_matrix_inverse() @ (T - bias)

    @equation("1.2")
    def mass_matrix(self) -> Operator:
        """Return the Newton-Euler factorization H phi M phi^T H^T plus armature."""
        return self._with_armature(self.H @ self.phi @ self.M @ self.phi.T @ self.H.T)

    def _with_armature(self, mass: Operator) -> Operator:
        return mass + self.A if self.A.blocks else mass

    # -------------------------------------------------------------- 2.1 shift

    @equation("2.14", "2.18")
    def shift(self, X: Operator) -> Operator:
        """Return X_s with the block of the parent of k at k: X S = S X_s, S^T X = X_s S^T.

        For a chain it is S^T X S.
        """
        blocks = {}
        for k, node in enumerate(self.tree.nodes):
            if (node.parent, node.parent) in X.blocks:
                blocks[k] = X[node.parent, node.parent]
        return self._diagonal(f"{X.name}_s", blocks)

    # -------------------------------------------------------------- 2.3 hinges in operators

    def screw(self, i: int) -> Array:
        """Return H^T(i): the column of H^T of coordinate i (6)."""
        k, column = self.place(i)
        return self.H[k, k][column]

    @equation("2.11")
    def hinge(self, i: int) -> Array:
        """Return IH(i) = S[H^T(i)] = turn(i) + slide(i) (6 x 6)."""
        return s_matrix(self.screw(i))

    @equation("2.11")
    def turn(self, i: int) -> Array:
        """Return diag(h~, h~): IH(i) of a revolute joint, the rotation of outboard vectors."""
        h = skew(self.screw(i)[:3])
        return block_diagonal((h, h))

    def slide(self, i: int) -> Array:
        """Return [[0, u~], [0, 0]] for H^T(i) = (h, u): the translation of O_i."""
        return s_matrix(stack(zeros(3), self.screw(i)[3:]))

    @equation("2.12")
    def IH_s(self, i: int) -> Operator:
        """Return IH_s^i: the turn of i at every body strictly outboard of it."""
        return self._outboard(f"IH_s({i})", i, self.turn(i), itself=False)

    @equation("2.13")
    def IH(self, i: int) -> Operator:
        """IH^i = IH_s^i + IH_delta^i: the turn of i at its own body and all outboard of it."""
        return self._outboard(f"IH({i})", i, self.turn(i), itself=True)

    @equation("2.13")
    def IH_delta(self, i: int) -> Operator:
        """Return IH_delta^i: the turn of i at its own body."""
        return self._diagonal(f"IH_d({i})", {self.place(i)[0]: self.turn(i)})

    def T_delta(self, i: int) -> Operator:
        """Return T_delta^i: the slide of i at its own body, zero for revolute joints."""
        return self._diagonal(f"T_d({i})", {self.place(i)[0]: self.slide(i)})

    def F_delta(self, i: int) -> Operator:
        """Return F_delta^i = IH_delta^i + T_delta^i: all of IH(i) at its own body."""
        return self._diagonal(f"F_d({i})", {self.place(i)[0]: self.hinge(i)})

    def _outboard(self, name: str, i: int, block: Array, itself: bool) -> Operator:
        node = self.place(i)[0]
        places = [k for k in range(len(self.tree.nodes)) if self.inboard(node, k)]
        return self._diagonal(name, dict.fromkeys([node] * itself + places, block))

    def selects(self, i: int, k: int, which: str) -> bool:
        """Return whether IH_s^i (which = "s"), IH_delta^i ("delta") or IH^i ("") holds IH(i) at k.

        That is, whether body k is strictly outboard of joint i, its own body, or either of them.
        """
        body = self.place(i)[0]
        where = {"s": self.inboard(body, k), "delta": body == k}
        return where["s"] or where["delta"] if which == "" else where[which]

    @equation("2.15")
    def selected_rows(self, i: int, X: Operator, k: int, j: int, which: str = "") -> Array:
        """Return [IH^i X](k, j) = IH(i) X(k, j) if `selects` k, also for IH_s^i and IH_delta^i."""
        return self.turn(i) @ X[k, j] if self.selects(i, k, which) else 0.0 * X[k, j]

    @equation("2.15")
    def selected_columns(self, X: Operator, i: int, k: int, j: int, which: str = "") -> Array:
        """Return [X IH^i](k, j) = X(k, j) IH(i) if `selects` j, also for IH_s^i and IH_delta^i."""
        return X[k, j] @ self.turn(i) if self.selects(i, j, which) else 0.0 * X[k, j]

    @equation("2.15")
    def product_block(self, X: Operator, i: int, Y: Operator, k: int, j: int) -> Array:
        """Return [X IH_delta^i Y](k, j) = X(k, i) IH(i) Y(i, j)."""
        body = self.place(i)[0]
        return X[k, body] @ self.turn(i) @ Y[body, j]

    @equation("2.17")
    def turning(self, rates: Array) -> Array:
        """Return Omega(k) = (w(k), 0), the angular velocities as spatial vectors (6 per body)."""
        V = self.velocities(rates)
        return np.concatenate([stack(V[rows][:3], zeros(3)) for rows in self._rows])

    @equation("2.16")
    def Omega(self, rates: Array) -> Operator:
        """Omega~ = diag(w~(k), w~(k)) = sum IH^i theta-dot(i): the cross products of Omega(k)."""
        turning = self.turning(rates)
        turns = {k: cross_matrix(turning[rows]) for k, rows in enumerate(self._rows)}
        return self._diagonal("Omega", turns)

    @equation("2.18")
    def Omega_s(self, rates: Array) -> Operator:
        """Return Omega~_s = sum IH_s^i theta-dot(i): the parents' angular velocities."""
        return self.shift(self.Omega(rates))

    @equation("2.18")
    def Omega_delta(self, rates: Array) -> Operator:
        """Return Omega~_delta = Omega~ - Omega~_s = sum IH_delta^i theta-dot(i)."""
        return (self.Omega(rates) - self.Omega_s(rates)).rename("Omega_d")

    def slides(self, rates: Array) -> Operator:
        """Return T = sum T_delta^i theta-dot(i)."""
        joint_twists = self.H.T @ rates
        slides = {
            k: s_matrix(stack(zeros(3), joint_twists[rows][3:]))
            for k, rows in enumerate(self._rows)
        }
        return self._diagonal("T", slides)

    @property
    def _rows(self) -> tuple[slice, ...]:
        return self.bodies.slices
