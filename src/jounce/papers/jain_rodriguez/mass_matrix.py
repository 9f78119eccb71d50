"""4: sensitivities of the mass matrix, of its inverse, and of the articulated operators."""

from __future__ import annotations

from jounce.math.scalar import Array
from jounce.papers import equation
from jounce.papers.jain_rodriguez.operator import Operator
from jounce.papers.jain_rodriguez.sensitivities import SpatialOperators as Sensitivities


class SpatialOperators(Sensitivities):
    """The mass matrix through phi and through articulated bodies (4.42, 4.43)."""

    # -------------------------------------------------------------- 4 the mass matrix

    @equation("4.42")
    def phi_M_phi_sensitivity(self, i: int) -> Operator:
        """[phi M phi^T]_i = (phi IH_delta^i + IH_s^i + phi~ T_delta^i) phi M phi^T + transpose."""
        left = self.phi @ self.IH_delta(i) + self.IH_s(i) + self.phi_tilde @ self.T_delta(i)
        half = left @ self.phi @ self.M @ self.phi.T
        return half + half.T

    @equation("4.43")
    def mass_matrix_sensitivity(self, i: int) -> Operator:
        """Return H (phi~ F_delta^i phi M phi^T + phi M phi^T F_delta^iT phi~^T) H^T."""
        half = self.phi_tilde @ self.F_delta(i) @ self.phi @ self.M @ self.phi.T
        return self.H @ (half + half.T) @ self.H.T

    def mass_matrix_rate(self, rates: Array) -> Operator:
        """Return H (phi~ (Omega~_delta + T) phi M phi^T + transpose) H^T: (4.43) summed over i."""
        F = (self.Omega_delta(rates) + self.slides(rates)).rename("F")
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
        """Return [M^-1]_i = -M^-1 M_i M^-1."""
        inverse = self.mass_matrix_inverse()
        return -(inverse @ self.mass_matrix_sensitivity(i) @ inverse)

    # -------------------------------------------------------------- the articulated operators

    def P_sensitivity(self, i: int) -> Operator:
        """Return [P]_i: rotation of outboard inertias; inboard ones change through P+ of i.

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
        """Return [D]_i = H [P]_i H^T + [H]_i P H^T + H P [H^T]_i: not zero inboard of i only."""
        half = self.H @ self.P @ self.H_sensitivity(i)
        return half + half.T + self.H @ self.P_sensitivity(i) @ self.H.T

    def G_sensitivity(self, i: int) -> Operator:
        """Return [G]_i = ([P]_i H^T + P [H^T]_i - G [D]_i) D^-1."""
        change = self.P_sensitivity(i) @ self.H.T + self.P @ self.H_sensitivity(i)
        return (change - self.G @ self.D_sensitivity(i)) @ self.D_inverse

    def K_sensitivity(self, i: int) -> Operator:
        """Return [K]_i = [E_phi]_i G + E_phi [G]_i."""
        return self.E_phi_sensitivity(i) @ self.G + self.E_phi @ self.G_sensitivity(i)

    def psi_sensitivity(self, i: int) -> Operator:
        """Return [psi]_i = psi ([E_phi]_i - [K]_i H - K [H]_i) psi."""
        loss = self.K_sensitivity(i) @ self.H + self.K @ self.H_sensitivity(i).T
        return self.psi @ (self.E_phi_sensitivity(i) - loss) @ self.psi
