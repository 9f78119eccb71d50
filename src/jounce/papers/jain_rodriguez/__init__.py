"""A. Jain, G. Rodriguez (2003): mass matrix sensitivity by the spatial operator algebra.

`SpatialOperators(tree, q)` holds the operators of the paper at one configuration, as objects one
can multiply and print (`jounce.papers.jain_rodriguez.operator`):

    o = SpatialOperators(tree, q)
    print(o.phi)
    print(o.H @ o.phi @ o.M @ o.phi.T @ o.H.T)  # the mass matrix
    o.phi @ x                                   # a recursion from the tips to the base, O(n)

How to read it beside the paper:

* Numbering. The paper counts links from the tip (1) to the base (n), with the ground as n + 1. Here
  links are the nodes of the tree, counted from 0 at the base, parents first, and k + 1 becomes the
  parent of k: "i > j" reads "i is inboard of j" (an ancestor), "i < j" "i is outboard of j". So phi
  is upper, not lower, triangular, and its block (i, j) is zero unless i is j or inboard of it.
* All 6-vectors have the orientation of the world and the origin O_k of the node's frame as point of
  reference, which lies on the joint's axis; (omega, v) and (moment, force). star is `.T`.
* Trees: the paper's proofs use the shift operator of a chain through Lemma 2.1. Where links branch
  that lemma fails, but A S = S A_s and S^T A = A_s S^T hold with A_s = `shifted(A)`, and with them
  all of sections 3 to 5.
* Joints of any kind: the paper has revolute ones. IH(i) of (2.11) is the sum of `turn` and `slide`;
  F_delta^i holds it at body i, IH_delta^i the turn alone, and T_delta^i the slide, which adds terms
  that vanish for revolute joints. Where the paper has H phi IH_delta^i, here stands
  H phi~ F_delta^i: the same for joints with one degree of freedom, where H F_delta^i = 0.
* Sensitivities [.]_i are by the coordinate i of the hinges; of joints with several degrees of
  freedom along that quasi-velocity, as Garofalo's D_h. Christoffel symbols need joints with one.
* Hinges: every joint counts, followers of other joints too. `E` gives the rates of the hinges from
  the robot's v: E v, E^T tau, E^T (matrix over hinges) E. It is the identity unless joints mimic
  others. Functions take and give vectors over hinges.
* Armature is the diagonal operator A: added to the mass matrix, and to D, where it has the part of
  the measurement noise of the Kalman filter.
* Corrected (formulas.md, section 3): signs, stars or cases of (1.2), (2.7), (2.11) to (2.13),
  (3.25), (5.50) and (5.52), and the cases missing in (5.55). P, D, G, K, psi, a and b are not
  defined in the paper.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from jounce.math.scalar import Array, zeros
from jounce.math.spatial import ad, adstar, cross, skew, stack
from jounce.papers import equation
from jounce.papers.common import block_diagonal, minus_gravity
from jounce.papers.jain_rodriguez.base import TreeOperators, rigid
from jounce.papers.jain_rodriguez.operator import Leaf, Operator, Space, resolvent

__all__ = [
    "Operator",
    "Space",
    "SpatialOperators",
    "cross_matrix",
    "cross_product",
    "moved_Q",
    "moved_S",
    "moved_cross",
    "q_matrix",
    "rigid",
    "s_matrix",
    "s_product",
]

# ------------------------------------------------------------------ 2.2 six-vectors


@equation("2.5")
def cross_matrix(z: Array) -> Array:
    """z~ = [[x~, 0], [y~, x~]] for z = (x, y)."""
    return ad(z)


@equation("2.5", "2.6")
def cross_product(z: Array, c: Array) -> Array:
    """z x c = z~ c = -(c x z); z x z = 0."""
    return cross_matrix(z) @ c


@equation("2.7")
def s_matrix(z: Array) -> Array:
    """S[z] = [[x~, y~], [0, x~]] = -(z~)^T."""
    return -cross_matrix(z).T


@equation("2.8")
def q_matrix(z: Array) -> Array:
    """Q[z] = [[x~, y~], [y~, 0]], skew symmetric."""
    return adstar(z)


@equation("2.9")
def s_product(A: Array, B: Array) -> Array:
    """S[A] B = -A~^T B = -Q[B] A."""
    return -(q_matrix(B) @ A)


@equation("2.10")
def moved_Q(l: Array, X: Array) -> Array:
    """Q[phi(l) X] = phi(l) Q[X] phi^T(l)."""
    return rigid(l) @ q_matrix(X) @ rigid(l).T


@equation("2.10")
def moved_S(l: Array, X: Array) -> Array:
    """S[phi^T(l) X] = phi^-1(l) S[X] phi(l)."""
    return rigid(-l) @ s_matrix(X) @ rigid(l)


@equation("2.10")
def moved_cross(l: Array, X: Array) -> Array:
    """The cross product of phi^T(l) X: phi^T(l) X~ phi^-T(l)."""
    return rigid(l).T @ cross_matrix(X) @ rigid(-l).T


class SpatialOperators(TreeOperators):
    """The spatial operators of a tree at the configuration q (any scalar type)."""

    # -------------------------------------------------------------- 1.1 equations of motion

    @equation("1.1")
    def velocities(self, rates: Array) -> Array:
        """V = phi^T H^T theta-dot (6 per body)."""
        return self.phi.T @ (self.H.T @ rates)

    def coriolis_accelerations(self, rates: Array) -> Array:
        """a(k) = (w x h, w x u + w(parent) x (v - v(parent))), (h, u) = H^T(k) theta-dot(k)."""
        V, own = self.velocities(rates), self.H.T @ rates
        out = zeros(len(V))
        for k, node in enumerate(self.tree.nodes):
            at = self.bodies.slices[k]
            before = zeros(6) if node.parent < 0 else V[self.bodies.slices[node.parent]]
            w, h, u = V[at][:3], own[at][:3], own[at][3:]
            carried = cross(before[:3], V[at][3:] - before[3:])
            out[at] = stack(cross(w, h), cross(w, u) + carried)
        return out

    def gyroscopic_forces(self, rates: Array) -> Array:
        """b(k) = (w x J w, w x (w x m p))."""
        V = self.velocities(rates)
        out = zeros(len(V))
        for k, at in enumerate(self.bodies.slices):
            w, M = V[at][:3], self.M[k, k]
            # M(k) (w, 0) = (J w, -m p x w)
            out[at] = stack(cross(w, M[:3, :3] @ w), cross(w, M[3:, :3] @ w))
        return out

    @equation("1.1")
    def accelerations(self, rates: Array, second: Array) -> Array:
        """alpha = phi^T (H^T theta-ddot + a): the derivatives of V, with gravity at the ground."""
        alpha = self.phi.T @ (self.H.T @ second + self.coriolis_accelerations(rates))
        return alpha + np.concatenate([minus_gravity(self.tree)] * len(self.hinges.sizes))

    @equation("1.2")
    def forces(self, rates: Array, second: Array) -> Array:
        """f = phi (M alpha + b): the spatial force across each joint."""
        alpha = self.accelerations(rates, second)
        return self.phi @ (self.M @ alpha + self.gyroscopic_forces(rates))

    @equation("1.2")
    def inverse_dynamics(self, rates: Array, second: Array) -> Array:
        """T = H f, and armature: the recursive Newton-Euler equations."""
        return self.H @ self.forces(rates, second) + self.A @ second

    @equation("1.2")
    def coriolis_forces(self, rates: Array) -> Array:
        """C = H phi (M phi^T a + b)."""
        carried = self.M @ (self.phi.T @ self.coriolis_accelerations(rates))
        return self.H @ (self.phi @ (carried + self.gyroscopic_forces(rates)))

    def forward_dynamics(self, rates: Array, T: Array) -> Array:
        """theta-ddot = M^-1 (T - C - g), by Identity 1.1 in O(n)."""
        bias = self.inverse_dynamics(rates, zeros(self.hinges.dimension))
        return self.mass_matrix_inverse() @ (T - bias)

    @equation("1.2")
    def mass_matrix(self) -> Operator:
        """The Newton-Euler factorisation H phi M phi^T H^T, and armature where there is any."""
        return self._with_armature(self.H @ self.phi @ self.M @ self.phi.T @ self.H.T)

    def _with_armature(self, mass: Operator) -> Operator:
        return mass + self.A if self.A.blocks else mass

    # -------------------------------------------------------------- 2.1 shift

    @equation("2.14", "2.18")
    def shifted(self, X: Operator) -> Operator:
        """X_s with the parent's block of a block diagonal X at k: X S = S X_s, S^T X = X_s S^T.

        For a chain it is S^T X S.
        """
        blocks = {}
        for k, node in enumerate(self.tree.nodes):
            if (node.parent, node.parent) in X.blocks:
                blocks[k] = X[node.parent, node.parent]
        return self._diagonal(f"{X.name}_s", blocks)

    # -------------------------------------------------------------- 2.3 hinges in operators

    def screw(self, i: int) -> Array:
        """H^T(i): the column of H^T of coordinate i (6)."""
        k, column = self.place(i)
        return self.H[k, k][column]

    @equation("2.11")
    def hinge(self, i: int) -> Array:
        """IH(i) = S[H^T(i)] = turn(i) + slide(i) (6 x 6)."""
        return s_matrix(self.screw(i))

    @equation("2.11")
    def turn(self, i: int) -> Array:
        """diag(h~, h~): IH(i) of a revolute joint; how outboard vectors change direction."""
        h = skew(self.screw(i)[:3])
        return block_diagonal((h, h))

    def slide(self, i: int) -> Array:
        """[[0, u~], [0, 0]] for H^T(i) = (h, u): how O_i moves away from its parent."""
        return s_matrix(stack(zeros(3), self.screw(i)[3:]))

    @equation("2.12")
    def IH_s(self, i: int) -> Operator:
        """IH_s^i: the turn of i at every body strictly outboard of it."""
        return self._outboard(f"IH_s({i})", i, self.turn(i), itself=False)

    @equation("2.13")
    def IH(self, i: int) -> Operator:
        """IH^i = IH_s^i + IH_delta^i: the turn of i at its own body and all outboard of it."""
        return self._outboard(f"IH({i})", i, self.turn(i), itself=True)

    @equation("2.13")
    def IH_delta(self, i: int) -> Operator:
        """IH_delta^i: the turn of i at its own body."""
        return self._diagonal(f"IH_d({i})", {self.place(i)[0]: self.turn(i)})

    def T_delta(self, i: int) -> Operator:
        """T_delta^i: the slide of i at its own body, zero for revolute joints."""
        return self._diagonal(f"T_d({i})", {self.place(i)[0]: self.slide(i)})

    def F_delta(self, i: int) -> Operator:
        """F_delta^i = IH_delta^i + T_delta^i: all of IH(i) at its own body."""
        return self._diagonal(f"F_d({i})", {self.place(i)[0]: self.hinge(i)})

    def _outboard(self, name: str, i: int, block: Array, itself: bool) -> Operator:
        node = self.place(i)[0]
        places = [k for k in range(len(self.tree.nodes)) if self.inboard(node, k)]
        return self._diagonal(name, dict.fromkeys([node] * itself + places, block))

    @equation("2.15")
    def picked(self, X: Operator, i: int, Y: Operator, k: int, j: int) -> Array:
        """[X F_delta^i Y](k, j) = X(k, i) IH(i) Y(i, j)."""
        return X[k, self.place(i)[0]] @ self.hinge(i) @ Y[self.place(i)[0], j]

    @equation("2.16", "2.17")
    def Omega(self, rates: Array) -> Operator:
        """Omega~ = diag(w~(k), w~(k)) = sum IH^i theta-dot(i): of the spatial vectors (w(k), 0)."""
        V = self.velocities(rates)
        turns = {k: cross_matrix(stack(V[at][:3], zeros(3))) for k, at in enumerate(self._at)}
        return self._diagonal("Omega", turns)

    @equation("2.18")
    def Omega_s(self, rates: Array) -> Operator:
        """Omega~_s = sum IH_s^i theta-dot(i): the parents' angular velocities."""
        return self.shifted(self.Omega(rates))

    @equation("2.18")
    def Omega_delta(self, rates: Array) -> Operator:
        """Omega~_delta = Omega~ - Omega~_s = sum IH_delta^i theta-dot(i)."""
        return (self.Omega(rates) - self.Omega_s(rates)).named("Omega_d")

    def slides(self, rates: Array) -> Operator:
        """T = sum T_delta^i theta-dot(i)."""
        own = self.H.T @ rates
        slides = {k: s_matrix(stack(zeros(3), own[at][3:])) for k, at in enumerate(self._at)}
        return self._diagonal("T", slides)

    @property
    def _at(self) -> tuple[slice, ...]:
        return self.bodies.slices

    # -------------------------------------------------------------- 3.1 links

    def _parent_turn(self, k: int, rates: Array) -> Array:
        return self.Omega_s(rates)[k, k]

    @equation("3.19")
    def M_link_rate(self, k: int, rates: Array) -> Array:
        """d/dt M(k) = Omega~(k) M(k) - M(k) Omega~(k)."""
        turn = self.Omega(rates)[k, k]
        return turn @ self.M[k, k] - self.M[k, k] @ turn

    @equation("3.20")
    def H_link_rate(self, k: int, rates: Array) -> Array:
        """d/dt H^T(k) = Omega~(k) H^T(k), for one degree of freedom Omega~(parent) H^T(k)."""
        return self.Omega(rates)[k, k] @ self.H[k, k].T

    @equation("3.21")
    def phi_link_rate(self, k: int, rates: Array) -> Array:
        """d/dt phi(parent, k) = Omega~(parent) phi - phi Omega~(parent), and the slide of k."""
        turn, phi = self._parent_turn(k, rates), self.link(self.tree.nodes[k].parent, k)
        return turn @ phi - phi @ turn + self.slides(rates)[k, k]

    @equation("3.22", "3.23", "3.24")
    def link_rates_by_parts(self, k: int, rates: Array) -> tuple[Array, Array, Array]:
        """The same rates of phi(parent, k), H^T(k) and M(k) from l-dot, w x h and w x m p."""
        own, parent = (self.H.T @ rates)[self._at[k]], self.tree.nodes[k].parent
        w, w_parent = self.Omega(rates)[k, k][:3, :3], self._parent_turn(k, rates)[:3, :3]
        phi, H, M = zeros(6, 6), self.H[k, k].T, zeros(6, 6)
        l = self._origin(k) - self._origin(parent)
        phi[:3, 3:] = skew(w_parent @ l + own[3:])
        J, mp = self.M[k, k][:3, :3], self.M[k, k][:3, 3:]
        M[:3, :3] = w @ J - J @ w
        M[:3, 3:] = skew(w @ _vector(mp))
        M[3:, :3] = -M[:3, 3:]
        return phi, stack(w @ H[:3], w @ H[3:]), M

    @equation("3.25")
    def phi_link_sensitivity(self, k: int, i: int) -> Array:
        """[phi(parent, k)]_i = IH(i) phi - phi IH(i) for k outboard of i, its slide for k = i."""
        node, phi = self.place(i)[0], self.link(self.tree.nodes[k].parent, k)
        if k == node:
            return self.slide(i)
        if not self.inboard(node, k):
            return zeros(6, 6)
        return self.turn(i) @ phi - phi @ self.turn(i)

    @equation("3.26")
    def H_link_sensitivity(self, k: int, i: int) -> Array:
        """[H^T(k)]_i = IH(i) H^T(k) for k outboard of i; zero for k = i with one degree."""
        moves = k == self.place(i)[0] or self.inboard(self.place(i)[0], k)
        H = self.H[k, k].T
        return self.turn(i) @ H if moves else zeros(*H.shape)

    @equation("3.27")
    def M_link_sensitivity(self, k: int, i: int) -> Array:
        """[M(k)]_i = IH(i) M(k) - M(k) IH(i) for k = i or outboard of i."""
        if k != self.place(i)[0] and not self.inboard(self.place(i)[0], k):
            return zeros(6, 6)
        return self.turn(i) @ self.M[k, k] - self.M[k, k] @ self.turn(i)

    # -------------------------------------------------------------- 3.2 operators, lemma 3.3

    @cached_property
    @equation("3.28")
    def Delta_phi(self) -> Operator:
        """Delta_phi = diag(phi(parent, k)), from the world's origin for links on the ground."""
        links = {k: self.link(node.parent, k) for k, node in enumerate(self.tree.nodes)}
        return self._diagonal("Delta_phi", links)

    @equation("1.3")
    def phi_by_inverse(self) -> Operator:
        """phi = (I - E_phi)^-1 = I + E_phi + E_phi E_phi + ..."""
        return Leaf("(I - E_phi)^-1", self.bodies, self.bodies, resolvent(self.E_phi))

    @equation("1.4", "3.29")
    def E_phi_by_shift(self) -> Operator:
        """E_phi = S Delta_phi."""
        return self.S @ self.Delta_phi

    @equation("3.30")
    def Delta_phi_rate(self, rates: Array) -> Operator:
        """Omega~_s Delta_phi - Delta_phi Omega~_s + Delta_phi T."""
        Omega_s, Delta = self.Omega_s(rates), self.Delta_phi
        return Omega_s @ Delta - Delta @ Omega_s + Delta @ self.slides(rates)

    @equation("3.31")
    def E_phi_rate(self, rates: Array) -> Operator:
        """Omega~ E_phi - E_phi Omega~_s + E_phi T."""
        Omega, Omega_s = self.Omega(rates), self.Omega_s(rates)
        return Omega @ self.E_phi - self.E_phi @ Omega_s + self.E_phi @ self.slides(rates)

    @equation("3.32")
    def H_rate(self, rates: Array) -> Operator:
        """The rate of H^T: Omega~ H^T, which is Omega~_s H^T for one degree of freedom."""
        return self.Omega(rates) @ self.H.T

    @equation("3.33")
    def M_rate(self, rates: Array) -> Operator:
        """Omega~ M - M Omega~."""
        Omega = self.Omega(rates)
        return Omega @ self.M - self.M @ Omega

    @equation("3.34")
    def phi_rate(self, rates: Array) -> Operator:
        """phi Omega~_delta phi + Omega~_s phi - phi Omega~ + phi~ T phi."""
        phi, Omega_s = self.phi, self.Omega_s(rates)
        turned = phi @ self.Omega_delta(rates) @ phi + Omega_s @ phi - phi @ self.Omega(rates)
        return turned + self.phi_tilde @ self.slides(rates) @ phi

    @equation("3.34")
    def phi_rate_by_tilde(self, rates: Array) -> Operator:
        """phi Omega~ phi~ - phi~ Omega~_s phi + phi~ T phi: the first form of the same."""
        phi, tilde = self.phi, self.phi_tilde
        turned = phi @ self.Omega(rates) @ tilde - tilde @ self.Omega_s(rates) @ phi
        return turned + tilde @ self.slides(rates) @ phi

    # -------------------------------------------------------------- lemmas 3.4 and 3.5

    @equation("3.35")
    def Delta_phi_sensitivity(self, i: int) -> Operator:
        """IH_s^i Delta_phi - Delta_phi IH_s^i + Delta_phi T_delta^i."""
        IH_s, Delta = self.IH_s(i), self.Delta_phi
        return IH_s @ Delta - Delta @ IH_s + Delta @ self.T_delta(i)

    @equation("3.36")
    def E_phi_sensitivity(self, i: int) -> Operator:
        """IH^i E_phi - E_phi IH_s^i + E_phi T_delta^i."""
        E = self.E_phi
        return self.IH(i) @ E - E @ self.IH_s(i) + E @ self.T_delta(i)

    @equation("3.37")
    def phi_sensitivity(self, i: int) -> Operator:
        """phi IH_delta^i phi - phi IH^i + IH_s^i phi + phi~ T_delta^i phi."""
        phi = self.phi
        turned = phi @ self.IH_delta(i) @ phi - phi @ self.IH(i) + self.IH_s(i) @ phi
        return turned + self.phi_tilde @ self.T_delta(i) @ phi

    @equation("3.38")
    def phi_sensitivity_block(self, i: int, k: int, j: int) -> Array:
        """[phi]_i (k, j) = phi(k, i) IH(i) phi(i, j) - phi(k, j) IH(i) for k inboard of i or i,
        IH(i) phi(k, j) - phi(k, j) IH(i) for k outboard of i; zero unless j is outboard of i.

        For j = i the slide of i remains.
        """
        node, phi, turn = self.place(i)[0], self.phi, self.turn(i)
        if j != node and not self.inboard(node, j):
            return zeros(6, 6)
        out = zeros(6, 6) if j == node else -(phi[k, j] @ turn)
        if self.inboard(node, k):
            return out + turn @ phi[k, j]
        out = out + (zeros(6, 6) if j == node else phi[k, node] @ turn @ phi[node, j])
        return out + self.phi_tilde[k, node] @ self.slide(i) @ phi[node, j]

    @equation("3.39")
    def H_sensitivity(self, i: int) -> Operator:
        """[H^T]_i = IH^i H^T, which is IH_s^i H^T for one degree of freedom."""
        return self.IH(i) @ self.H.T

    @equation("3.40")
    def M_sensitivity(self, i: int) -> Operator:
        """[M]_i = IH^i M - M IH^i."""
        return self.IH(i) @ self.M - self.M @ self.IH(i)

    @equation("3.41")
    def H_phi_sensitivity(self, i: int) -> Operator:
        """[H phi]_i = H (phi~ F_delta^i phi - phi IH^i)."""
        inner = self.phi_tilde @ self.F_delta(i) @ self.phi - self.phi @ self.IH(i)
        return self.H @ inner

    @equation("3.41")
    def H_phi_rate(self, rates: Array) -> Operator:
        """H (phi~ (Omega~_delta + T) phi - phi Omega~)."""
        F = self.Omega_delta(rates) + self.slides(rates)
        return self.H @ (self.phi_tilde @ F @ self.phi - self.phi @ self.Omega(rates))

    # -------------------------------------------------------------- 4 the mass matrix

    @equation("4.42")
    def phi_M_phi_sensitivity(self, i: int) -> Operator:
        """[phi M phi^T]_i = (phi IH_delta^i + IH_s^i + phi~ T_delta^i) phi M phi^T + transpose."""
        left = self.phi @ self.IH_delta(i) + self.IH_s(i) + self.phi_tilde @ self.T_delta(i)
        half = left @ self.phi @ self.M @ self.phi.T
        return half + half.T

    @equation("4.43")
    def mass_matrix_sensitivity(self, i: int) -> Operator:
        """H (phi~ F_delta^i phi M phi^T + phi M phi^T F_delta^iT phi~^T) H^T."""
        half = self.phi_tilde @ self.F_delta(i) @ self.phi @ self.M @ self.phi.T
        return self.H @ (half + half.T) @ self.H.T

    def mass_matrix_rate(self, rates: Array) -> Operator:
        """H (phi~ (Omega~_delta + T) phi M phi^T + transpose) H^T: (4.43) summed over i."""
        F = (self.Omega_delta(rates) + self.slides(rates)).named("F")
        half = self.phi_tilde @ F @ self.phi @ self.M @ self.phi.T
        return self.H @ (half + half.T) @ self.H.T

    def mass_matrix_sensitivity_articulated(self, i: int) -> Operator:
        """Lemma 4.3: (4.43) with phi M phi^T H^T = (I + phi K H) P phi^T H^T + phi K A."""
        H, phi = self.H, self.phi
        inner = (self.I + phi @ self.K @ H) @ self.P @ phi.T @ H.T
        if self.A.blocks:
            inner = inner + phi @ self.K @ self.A
        half = H @ self.phi_tilde @ self.F_delta(i) @ inner
        return half + half.T

    def mass_matrix_inverse_sensitivity(self, i: int) -> Operator:
        """[M^-1]_i = -M^-1 M_i M^-1."""
        inverse = self.mass_matrix_inverse()
        return -(inverse @ self.mass_matrix_sensitivity(i) @ inverse)

    # -------------------------------------------------------------- the articulated operators

    def P_sensitivity(self, i: int) -> Operator:
        """[P]_i: outboard inertias turn with i; inboard ones change through taubar P+ of i.

        Not in the paper: at k inboard of i it is psi(k, p) phi(p, i) X phi^T(p, i) psi^T(k, p), p
        the parent of i and X = IH(i) P+(i) + P+(i) IH^T(i), since P+' = taubar P' taubar^T.
        """
        node = self.place(i)[0]
        turned = self.IH(i) @ self.P - self.P @ self.IH(i)
        blocks = {k: block for (k, _), block in turned.blocks.items()}
        change = self.hinge(i) @ (self.tau_bar[node, node] @ self.P[node, node])
        change, step = change + change.T, self.E_phi
        for k in self.tree.ancestors[node]:
            change = step[k, node] @ change @ step[k, node].T
            blocks[k] = change
            node, step = k, self.E_psi
        return self._diagonal(f"[P]_{i}", blocks, symmetric=True)

    def D_sensitivity(self, i: int) -> Operator:
        """[D]_i = H [P]_i H^T + [H]_i P H^T + H P [H^T]_i: not zero inboard of i only."""
        half = self.H @ self.P @ self.H_sensitivity(i)
        return half + half.T + self.H @ self.P_sensitivity(i) @ self.H.T

    def G_sensitivity(self, i: int) -> Operator:
        """[G]_i = ([P]_i H^T + P [H^T]_i - G [D]_i) D^-1."""
        change = self.P_sensitivity(i) @ self.H.T + self.P @ self.H_sensitivity(i)
        return (change - self.G @ self.D_sensitivity(i)) @ self.D_inverse

    def K_sensitivity(self, i: int) -> Operator:
        """[K]_i = [E_phi]_i G + E_phi [G]_i."""
        return self.E_phi_sensitivity(i) @ self.G + self.E_phi @ self.G_sensitivity(i)

    def psi_sensitivity(self, i: int) -> Operator:
        """[psi]_i = psi ([E_phi]_i - [K]_i H - K [H]_i) psi."""
        loss = self.K_sensitivity(i) @ self.H + self.K @ self.H_sensitivity(i).T
        return self.psi @ (self.E_phi_sensitivity(i) - loss) @ self.psi

    # -------------------------------------------------------------- 5 composite bodies

    @cached_property
    @equation("5.44")
    def R(self) -> Operator:
        """R(k) = sum over children phi(k, c) R(c) phi^T(k, c) + M(k): all outboard, frozen."""
        R: dict[int, Array] = {k: self.M[k, k] for k in range(len(self.tree.nodes))}
        for k in reversed(range(len(R))):
            for child in self._children[k]:
                phi = self.link(k, child)
                R[k] = R[k] + phi @ R[child] @ phi.T
        return self._diagonal("R", R, symmetric=True)

    def R_sensitivity(self, i: int) -> Operator:
        """[R]_i: as [M]_i at i and outboard; inboard phi(k, i) (IH R + R IH^T)(i) phi^T(k, i)."""
        node = self.place(i)[0]
        turned = self.IH(i) @ self.R - self.R @ self.IH(i)
        blocks = {k: block for (k, _), block in turned.blocks.items()}
        change = self.hinge(i) @ self.R[node, node]
        for k in self.tree.ancestors[node]:
            blocks[k] = self.link(k, node) @ (change + change.T) @ self.link(k, node).T
        return self._diagonal(f"[R]_{i}", blocks, symmetric=True)

    @equation("5.45")
    def mass_matrix_composite(self) -> Operator:
        """H R H^T + H phi~ R H^T + H R phi~^T H^T, and armature."""
        H, R, tilde = self.H, self.R, self.phi_tilde
        return self._with_armature(H @ R @ H.T + H @ tilde @ R @ H.T + H @ R @ tilde.T @ H.T)

    @equation("5.46")
    def mass_matrix_block(self, i: int, j: int) -> Array:
        """H(i) phi(i, j) R(j) H^T(j) for i inboard of j or i = j, and its transpose."""
        if self.inboard(j, i):
            return self.mass_matrix_block(j, i).T
        block = self.H[i, i] @ self.phi[i, j] @ self.R[j, j] @ self.H[j, j].T
        return block + self.A[i, i] if i == j else block

    @equation("5.47")
    def H_I(self, k: int) -> Array:
        """H_I(k) = H(k) phi(k, world): the screws about the world's origin, as rows."""
        return self.H[k, k] @ self.link(k, -1)

    @equation("5.48")
    def hinge_I(self, i: int) -> Array:
        """IH_I(i) = S[H_I^T(i)] = phi(world, i) IH(i) phi(i, world)."""
        k, column = self.place(i)
        return s_matrix(self.H_I(k)[column])

    @equation("5.49")
    def hinge_I_times(self, i: int, X: Array) -> Array:
        """IH_I(i) X = -Q[X] H_I^T(i)."""
        k, column = self.place(i)
        return -(q_matrix(X) @ self.H_I(k)[column])

    @equation("5.50")
    def R_I(self, k: int) -> Array:
        """R_I(k) = phi(world, k) R(k) phi^T(world, k)."""
        return self.link(-1, k) @ self.R[k, k] @ self.link(-1, k).T

    @equation("5.51")
    def mass_matrix_sensitivity_composite(self, i: int) -> Operator:
        """H (phi~ F_delta^i R phi^T + phi~ F_delta^i phi~ R) H^T + transpose."""
        FR, tilde = self.F_delta(i) @ self.R, self.phi_tilde
        half = tilde @ FR @ self.phi.T + tilde @ self.F_delta(i) @ tilde @ self.R
        return self.H @ (half + half.T) @ self.H.T

    @equation("5.52")
    def mass_matrix_sensitivity_block(self, i: int, j: int, k: int) -> Array:
        """M_i (j, k) about the points O: the first form of (5.52)."""
        node, F, R, phi = self.place(i)[0], self.hinge(i), self.R, self.phi
        H_j, H_k = self.H[j, j], self.H[k, k]
        FR = F @ R[node, node]
        if self.inboard(j, node) and self.inboard(k, node):
            return H_j @ phi[j, node] @ (FR + FR.T) @ phi[k, node].T @ H_k.T
        if self.inboard(j, node) and (k == node or self.inboard(node, k)):
            return H_j @ phi[j, node] @ F @ phi[node, k] @ R[k, k] @ H_k.T
        if self.inboard(k, node) and (j == node or self.inboard(node, j)):
            return H_j @ R[j, j] @ phi[node, j].T @ F.T @ phi[k, node].T @ H_k.T
        return zeros(len(H_j), len(H_k))

    @equation("5.52")
    def mass_matrix_sensitivity_block_I(self, i: int, j: int, k: int) -> Array:
        """M_i (j, k) about the world's origin: the last form of (5.52).

        H_I(j) IH_I(i) R_I(k) H_I^T(k) for j inboard of i and k = i or outboard of it,
        H_I(j) (IH_I(i) R_I(i) + R_I(i) IH_I^T(i)) H_I^T(k) for j and k inboard of i.
        """
        node = self.place(i)[0]
        if self.inboard(k, node) and not self.inboard(j, node):
            return self.mass_matrix_sensitivity_block_I(i, k, j).T
        outboard = k == node or self.inboard(node, k)
        if not self.inboard(j, node) or not (outboard or self.inboard(k, node)):
            return zeros(self.hinges.sizes[j], self.hinges.sizes[k])
        inner = self.hinge_I(i) @ self.R_I(k if outboard else node)
        if not outboard:
            inner = inner + inner.T
        return self.H_I(j) @ inner @ self.H_I(k).T

    # -------------------------------------------------------------- 5.3 Christoffel symbols

    def _need_single(self) -> None:
        for label, node in zip(self.hinges.labels, self.tree.nodes, strict=True):
            if node.S.shape[1] > 1:
                raise ValueError(
                    f"joint '{label}' ({node.motion}) has {node.S.shape[1]} degrees of freedom;"
                    " Christoffel symbols need joints with one"
                )

    @equation("5.53")
    def christoffel_by_definition(self) -> Array:
        """C_i(j, k) = (M_ij,k + M_ik,j - M_jk,i) / 2, as an array with axes (i, j, k)."""
        self._need_single()
        n = len(self.hinges.sizes)
        dM = np.stack([self.mass_matrix_sensitivity(k).dense() for k in range(n)], axis=-1)
        return 0.5 * (dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1))

    def christoffel_about_joints(self, i: int, j: int, k: int) -> Any:
        """Lemma 5.4: C_i(j, k) for j inboard of i and of k."""
        self._need_single()
        if not (self.inboard(j, i) and self.inboard(j, k)):
            raise ValueError(f"lemma 5.4 needs body {j} inboard of bodies {i} and {k}")
        first = self.mass_matrix_sensitivity_block(k, j, i)
        return 0.5 * (first - self.mass_matrix_sensitivity_block(i, j, k))[0, 0]

    @equation("5.54")
    def Y(self, a: int, b: int, c: int) -> Any:
        """H_I(a) (-Q[R_I(c) H_I^T(c)] + IH_I(c) R_I(c) + R_I(c) IH_I^T(c)) H_I^T(b) / 2."""
        return self.H_I(a)[0] @ self._Y_kernels[c] @ self.H_I(b)[0]

    @cached_property
    def _Y_kernels(self) -> list[Array]:
        self._need_single()
        out = []
        for c in range(len(self.hinges.sizes)):
            R, half = self.R_I(c), self.hinge_I(c) @ self.R_I(c)
            out.append(0.5 * (-q_matrix(R @ self.H_I(c)[0]) + half + half.T))
        return out

    @equation("5.55")
    def christoffel_symbol(self, i: int, j: int, k: int) -> Any:
        """C_i(j, k) from composite bodies, with k the outboard one of j and k (or equal):

        -Y(k, j, i) for i outboard of k, Y(i, j, k) for k outboard of i, 0 for i = k and where the
        three are not on one path to a tip. The last line of the print is the case j outboard of k.
        """
        self._need_single()
        if self.inboard(k, j):
            j, k = k, j
        path = [*self.tree.ancestors[k], k]
        if j not in path:
            return 0.0
        if self.inboard(k, i):
            return -self.Y(k, j, i)
        return self.Y(i, j, k) if i in path and i != k else 0.0

    @equation("5.55")
    def christoffel(self) -> Array:
        """All C_i(j, k), as an array with axes (i, j, k)."""
        self._need_single()
        n = len(self.hinges.sizes)
        out = zeros(n, n, n)
        for i in range(n):
            for j in range(n):
                for k in range(j + 1):
                    out[i, j, k] = out[i, k, j] = self.christoffel_symbol(i, j, k)
        return out

    @equation("5.53")
    def coriolis_matrix(self, rates: Array) -> Array:
        """The sum over k of C_i(j, k) theta-dot(k); times theta-dot it is `coriolis_forces`."""
        return self.christoffel() @ np.asarray(rates, dtype=object)


def _vector(x: Array) -> Array:
    """The vector of a skew matrix."""
    return np.array((x[2, 1], x[0, 2], x[1, 0]), dtype=object)
