"""3: rates and sensitivities of single links and of the operators made of them."""

from __future__ import annotations

import numpy as np

from jounce.math.scalar import Array, zeros
from jounce.math.spatial import skew, stack
from jounce.papers import equation
from jounce.papers.jain_rodriguez.dynamics import SpatialOperators as Dynamics
from jounce.papers.jain_rodriguez.operator import Leaf, Operator, resolvent
from jounce.utils.lazy import cached_property


class SpatialOperators(Dynamics):
    """Rates and sensitivities of phi, H and M (3.19 to 3.41)."""

    # -------------------------------------------------------------- 3.1 links

    def _parent_turn(self, k: int, rates: Array) -> Array:
        return self.Omega_s(rates)[k, k]

    @equation("3.19")
    def M_link_rate(self, k: int, rates: Array) -> Array:
        """Return d/dt M(k) = Omega~(k) M(k) - M(k) Omega~(k)."""
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
        joint_twist, parent = (self.H.T @ rates)[self._rows[k]], self.tree.nodes[k].parent
        w, w_parent = self.Omega(rates)[k, k][:3, :3], self._parent_turn(k, rates)[:3, :3]
        phi, H, M = zeros(6, 6), self.H[k, k].T, zeros(6, 6)
        l = self._origin(k) - self._origin(parent)
        phi[:3, 3:] = skew(w_parent @ l + joint_twist[3:])
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
        """Return [H^T(k)]_i = IH(i) H^T(k) for k outboard of i; zero for k = i with one degree."""
        moves = k == self.place(i)[0] or self.inboard(self.place(i)[0], k)
        H = self.H[k, k].T
        return self.turn(i) @ H if moves else zeros(*H.shape)

    @equation("3.27")
    def M_link_sensitivity(self, k: int, i: int) -> Array:
        """Return [M(k)]_i = IH(i) M(k) - M(k) IH(i) for k = i or outboard of i."""
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
        """Return phi = (I - E_phi)^-1 = I + E_phi + E_phi E_phi + ..."""
        return Leaf("(I - E_phi)^-1", self.bodies, self.bodies, resolvent(self.E_phi))

    @equation("3.29")
    def E_phi_by_shift(self) -> Operator:
        """Return E_phi = S Delta_phi."""
        return self.S @ self.Delta_phi

    @equation("3.30")
    def Delta_phi_rate(self, rates: Array) -> Operator:
        """Return Omega~_s Delta_phi - Delta_phi Omega~_s + Delta_phi T."""
        Omega_s, Delta = self.Omega_s(rates), self.Delta_phi
        return Omega_s @ Delta - Delta @ Omega_s + Delta @ self.slides(rates)

    @equation("3.31")
    def E_phi_rate(self, rates: Array) -> Operator:
        """Return Omega~ E_phi - E_phi Omega~_s + E_phi T."""
        Omega, Omega_s = self.Omega(rates), self.Omega_s(rates)
        return Omega @ self.E_phi - self.E_phi @ Omega_s + self.E_phi @ self.slides(rates)

    @equation("3.32")
    def H_rate(self, rates: Array) -> Operator:
        """Return the rate of H^T: Omega~ H^T, which is Omega~_s H^T for one degree of freedom."""
        return self.Omega(rates) @ self.H.T

    @equation("3.33")
    def M_rate(self, rates: Array) -> Operator:
        """Return Omega~ M - M Omega~."""
        Omega = self.Omega(rates)
        return Omega @ self.M - self.M @ Omega

    @equation("3.34")
    def phi_rate(self, rates: Array) -> Operator:
        """Return phi Omega~_delta phi + Omega~_s phi - phi Omega~ + phi~ T phi."""
        phi, Omega_s = self.phi, self.Omega_s(rates)
        turned = phi @ self.Omega_delta(rates) @ phi + Omega_s @ phi - phi @ self.Omega(rates)
        return turned + self.phi_tilde @ self.slides(rates) @ phi

    @equation("3.34")
    def phi_rate_by_tilde(self, rates: Array) -> Operator:
        """Return phi Omega~ phi~ - phi~ Omega~_s phi + phi~ T phi: the first form of the same."""
        phi, tilde = self.phi, self.phi_tilde
        turned = phi @ self.Omega(rates) @ tilde - tilde @ self.Omega_s(rates) @ phi
        return turned + tilde @ self.slides(rates) @ phi

    # -------------------------------------------------------------- lemmas 3.4 and 3.5

    @equation("3.35")
    def Delta_phi_sensitivity(self, i: int) -> Operator:
        """Return IH_s^i Delta_phi - Delta_phi IH_s^i + Delta_phi T_delta^i."""
        IH_s, Delta = self.IH_s(i), self.Delta_phi
        return IH_s @ Delta - Delta @ IH_s + Delta @ self.T_delta(i)

    @equation("3.36")
    def E_phi_sensitivity(self, i: int) -> Operator:
        """Return IH^i E_phi - E_phi IH_s^i + E_phi T_delta^i."""
        E = self.E_phi
        return self.IH(i) @ E - E @ self.IH_s(i) + E @ self.T_delta(i)

    @equation("3.37")
    def phi_sensitivity(self, i: int) -> Operator:
        """Return phi IH_delta^i phi - phi IH^i + IH_s^i phi + phi~ T_delta^i phi."""
        phi = self.phi
        turned = phi @ self.IH_delta(i) @ phi - phi @ self.IH(i) + self.IH_s(i) @ phi
        return turned + self.phi_tilde @ self.T_delta(i) @ phi

    @equation("3.38")
    def phi_sensitivity_block(self, i: int, k: int, j: int) -> Array:
        """Sensitivity of phi.

        [phi]_i (k, j) = phi(k, i) IH(i) phi(i, j) - phi(k, j) IH(i) for k inboard of i or i,
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
        """Return [H^T]_i = IH^i H^T, which is IH_s^i H^T for one degree of freedom."""
        return self.IH(i) @ self.H.T

    @equation("3.40")
    def M_sensitivity(self, i: int) -> Operator:
        """Return [M]_i = IH^i M - M IH^i."""
        return self.IH(i) @ self.M - self.M @ self.IH(i)

    @equation("3.41")
    def H_phi_sensitivity(self, i: int) -> Operator:
        """Return [H phi]_i = H (phi~ F_delta^i phi - phi IH^i)."""
        inner = self.phi_tilde @ self.F_delta(i) @ self.phi - self.phi @ self.IH(i)
        return self.H @ inner

    @equation("3.41")
    def H_phi_rate(self, rates: Array) -> Operator:
        """Return H (phi~ (Omega~_delta + T) phi - phi Omega~)."""
        F = self.Omega_delta(rates) + self.slides(rates)
        return self.H @ (self.phi_tilde @ F @ self.phi - self.phi @ self.Omega(rates))


def _vector(x: Array) -> Array:
    """Return the vector of a skew matrix."""
    return np.array((x[2, 1], x[0, 2], x[1, 0]), dtype=object)
