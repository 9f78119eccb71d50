"""5: the mass matrix from composite bodies, and the Christoffel symbols."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.math.scalar import Array, zeros
from jounce.papers import equation
from jounce.papers.jain_rodriguez.mass_matrix import SpatialOperators as MassMatrix
from jounce.papers.jain_rodriguez.operator import Operator
from jounce.papers.jain_rodriguez.vectors import q_matrix, s_matrix
from jounce.utils.lazy import cached_property


class SpatialOperators(MassMatrix):
    """The mass matrix, its sensitivities and Christoffel symbols (5.44 to 5.55)."""

    # -------------------------------------------------------------- 5 composite bodies

    @cached_property
    @equation("5.44")
    def R(self) -> Operator:
        """R(k) = sum over children phi(k, c) R(c) phi^T(k, c) + M(k): composite inertias."""
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
        """Return H R H^T + H phi~ R H^T + H R phi~^T H^T plus armature."""
        H, R, tilde = self.H, self.R, self.phi_tilde
        return self._with_armature(H @ R @ H.T + H @ tilde @ R @ H.T + H @ R @ tilde.T @ H.T)

    @equation("5.46")
    def mass_matrix_block(self, i: int, j: int) -> Array:
        """Return H(i) phi(i, j) R(j) H^T(j) for i inboard of j or i = j, and its transpose."""
        if self.inboard(j, i):
            return self.mass_matrix_block(j, i).T
        block = self.H[i, i] @ self.phi[i, j] @ self.R[j, j] @ self.H[j, j].T
        return block + self.A[i, i] if i == j else block

    @equation("5.47")
    def H_I(self, k: int) -> Array:
        """Return H_I(k) = H(k) phi(k, world): the screws about the world's origin, as rows."""
        return self.H[k, k] @ self.link(k, -1)

    @equation("5.48")
    def hinge_I(self, i: int) -> Array:
        """Return IH_I(i) = S[H_I^T(i)] = phi(world, i) IH(i) phi(i, world)."""
        k, column = self.place(i)
        return s_matrix(self.H_I(k)[column])

    @equation("5.49")
    def hinge_I_times(self, i: int, X: Array) -> Array:
        """Return IH_I(i) X = -Q[X] H_I^T(i)."""
        k, column = self.place(i)
        return -(q_matrix(X) @ self.H_I(k)[column])

    @equation("5.50")
    def R_I(self, k: int) -> Array:
        """Return R_I(k) = phi(world, k) R(k) phi^T(world, k)."""
        return self.link(-1, k) @ self.R[k, k] @ self.link(-1, k).T

    @equation("5.51")
    def mass_matrix_sensitivity_composite(self, i: int) -> Operator:
        """Return H (phi~ F_delta^i R phi^T + phi~ F_delta^i phi~ R) H^T + transpose."""
        FR, tilde = self.F_delta(i) @ self.R, self.phi_tilde
        half = tilde @ FR @ self.phi.T + tilde @ self.F_delta(i) @ tilde @ self.R
        return self.H @ (half + half.T) @ self.H.T

    @equation("5.52")
    def mass_matrix_sensitivity_block(self, i: int, j: int, k: int) -> Array:
        """Return M_i (j, k) about the points O: the first form of (5.52)."""
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
        """Return M_i (j, k) about the world's origin: the last form of (5.52).

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
        """Return C_i(j, k) = (M_ij,k + M_ik,j - M_jk,i) / 2, as an array with axes (i, j, k)."""
        self._need_single()
        n = len(self.hinges.sizes)
        dM = np.stack([self.mass_matrix_sensitivity(k).dense() for k in range(n)], axis=-1)
        return 0.5 * (dM + dM.transpose(0, 2, 1) - dM.transpose(2, 0, 1))

    def christoffel_about_joints(self, i: int, j: int, k: int) -> Any:
        """Evaluate Lemma 5.4: C_i(j, k) for j inboard of i and of k."""
        self._need_single()
        if not (self.inboard(j, i) and self.inboard(j, k)):
            raise ValueError(f"lemma 5.4 needs body {j} inboard of bodies {i} and {k}")
        first = self.mass_matrix_sensitivity_block(k, j, i)
        return 0.5 * (first - self.mass_matrix_sensitivity_block(i, j, k))[0, 0]

    @equation("5.54")
    def Y(self, a: int, b: int, c: int) -> Any:
        """Return H_I(a) (-Q[R_I(c) H_I^T(c)] + IH_I(c) R_I(c) + R_I(c) IH_I^T(c)) H_I^T(b) / 2."""
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
        """C_i(j, k) from composite bodies, with k the outboard one of j and k (or equal).

        It is -Y(k, j, i) for i outboard of k, Y(i, j, k) for k outboard of i, 0 for i = k and where
        they are not on one path to a tip. The last line of the print is the case j outboard of k.
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
        """Return all C_i(j, k), as an array with axes (i, j, k)."""
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
