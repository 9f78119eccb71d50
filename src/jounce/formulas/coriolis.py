"""Coriolis matrices of the papers, by the recursion for the Christoffel matrix (`equations`).

All Coriolis matrices give the same forces C v. With the axes S_j of a joint in inertial space,
their rates Sd_j = ad_V S_j and sums B_C, G_C over the bodies of a subtree (composites) their
entries are, for i an ancestor of j or j itself,

    C_ij = S_i^T (B_C S_j + G_C Sd_j)    C_ji = S_j^T (B_C S_i + G_C Sd_i)    M_ij = S_i^T G_C S_j

and they differ only in the contribution of a body with inertia G and twist V to B:

    Christoffel     -(G ad_V + ad_V^T G + adstar_GV) / 2
    Garofalo        -ad_V^T G
    Mueller-Kumar   -(G ad_V + ad_V^T G), the rate of G in inertial space

B is the kernel of Garofalo's sum J_k^T (G Jdot_k + kernel J_k) less G ad_V, which turns the rate
Jdot_k in the body's axes into the one in inertial space.

Garofalo's B is the Christoffel one plus a skew-symmetric matrix, linear in the inertia and in the
twist V = (w, u). With J = int x x^T dm

    D = [[a~, Y], [-Y^T, k~]]    a = tr(J) w + h x u    k = m w
    Y = Q - tr(Q) 1              Q = h w^T + m u~

So the matrices C differ by a skew-symmetric one as well, with entries S_i^T D_C S_j: D_C S_j is
added to the wrench `down` of a column and subtracted from `up`. Like the kernel N, D is propagated
relative to the first body of a subtree, so that only the D of an axis is computed at each joint,
from the subtree's inertia.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jounce.formulas.equations import Column, Configuration, Matrices, PseudoInertia
from jounce.formulas.kinematics import joint_rates
from jounce.math.scalar import Array, zeros
from jounce.math.spatial import Pose, bracket, cross, skew, stack, trace_complement
from jounce.model.tree import Tree


class Difference(NamedTuple):
    """D = [[a~, Y], [-Y^T, k~]] of a body or of a subtree, with Y = Q - tr(Q) 1."""

    a: Array
    Q: Array
    k: Array

    @staticmethod
    def of(body: PseudoInertia, V: Array) -> Difference:
        """Return D of a body with the twist V."""
        w, u = V[:3], V[3:]
        second = body.J[0, 0] + body.J[1, 1] + body.J[2, 2]
        return Difference(
            second * w + cross(body.h, u), np.outer(body.h, w) + skew(body.m * u), body.m * w
        )

    @staticmethod
    def zero() -> Difference:
        """Return D of an empty subtree."""
        return Difference(zeros(3), zeros(3, 3), zeros(3))

    def times(self, X: Array) -> Array:
        """Return D X."""
        w, u = X[:3], X[3:]
        Y = -trace_complement(self.Q)
        return stack(cross(self.a, w) + Y @ u, cross(self.k, u) - Y.T @ w)

    def to_parent(self, X: Pose) -> Difference:
        """Transform D to the parent's frame, Ad^-T D Ad^-1."""
        k, Q, r = X.rotate(self.k), X.tensor_to_parent(self.Q), X.r
        moved = Q + np.outer(k, r)
        trace = moved[0, 0] + moved[1, 1] + moved[2, 2]
        return Difference(X.rotate(self.a) + Q.T @ r + trace * r, moved, k)

    def plus(self, other: Difference) -> Difference:
        """Return the sum of two differences."""
        return Difference(self.a + other.a, self.Q + other.Q, self.k + other.k)

    def rate(self, X: Array) -> Difference:
        """Return -(ad_X^T D + D ad_X), the rate of D that moves along with the twist X."""
        w, u = X[:3], X[3:]
        W = skew(w)
        moved = W @ self.Q - self.Q @ W + np.outer(self.k, u)
        trace = self.Q[0, 0] + self.Q[1, 1] + self.Q[2, 2]
        return Difference(cross(w, self.a) + self.Q.T @ u + trace * u, moved, cross(w, self.k))


class Garofalo(Matrices):
    """M and Garofalo's C of a tree, and dC/dt if the acceleration a is given."""

    def __init__(self, tree: Tree, q: Configuration, v: Array, a: Array | None = None) -> None:
        super().__init__(tree, q, v, a)
        self.relative = [Difference.zero() for _ in tree.nodes]
        self.relative_rates = [Difference.zero() for _ in tree.nodes]
        self._sum(None if a is None else joint_rates(tree, a))

    def _sum(self, accelerations: list[Array] | None) -> None:
        """Sum D of the subtrees inwards, relative to their first bodies, in joint frames."""
        D, D_rate = self.relative, self.relative_rates
        for j in reversed(range(len(self.tree.nodes))):
            node, (placement, motion), X = self.tree.nodes[j], self.frames[j], self.moves[j]
            body, p = self.subtrees.bodies[j], node.parent
            if motion is not None:
                D[j] = D[j].to_parent(motion)
            passed = D[j].plus(Difference.of(body, X))
            if p >= 0:
                D[p] = D[p].plus(passed.to_parent(placement))
            if accelerations is None:
                continue
            if motion is not None:
                D_rate[j] = D_rate[j].to_parent(motion).plus(D[j].rate(X))
            if p >= 0:
                change = D_rate[j].plus(Difference.of(body, node.S @ accelerations[j]))
                change = change.plus(Difference.of(self.subtrees.rates[j], X))
                if motion is None:
                    change = change.plus(passed.rate(X))
                D_rate[p] = D_rate[p].plus(change.to_parent(placement))

    def columns(self, j: int) -> list[Column]:
        """Return the wrenches of each velocity of a joint."""
        D = self.relative[j].plus(Difference.of(self.subtrees.bodies[j], self.V.joint[j]))
        forces = [D.times(s) for s in self.tree.nodes[j].S.T]
        columns = zip(super().columns(j), forces, strict=True)
        return [Column(momentum, down + F, up - F) for (momentum, down, up), F in columns]

    def column_rates(self, j: int) -> list[list[Array]]:
        """Return the rates of `down` and `up` of each velocity of a joint, in its frame."""
        D_rate = self.relative_rates[j].plus(Difference.of(self.subtrees.bodies[j], self.A[j]))
        D_rate = D_rate.plus(Difference.of(self.subtrees.rates[j], self.V.joint[j]))
        forces = [D_rate.times(s) for s in self.tree.nodes[j].S.T]
        rates = zip(super().column_rates(j), forces, strict=True)
        return [[down + F, up - F] for (down, up), F in rates]

    def rotors(self, v: Array) -> Array:
        """Return zero: the armature of spherical joints does not contribute to this C."""
        return zeros(len(v), len(v))


class MuellerKumar(Matrices):
    """M and Mueller and Kumar's C of a tree, whose columns are rates of momenta G S_j."""

    def columns(self, j: int) -> list[Column]:
        """Return the wrenches of each velocity of a joint; down + up is its momentum rate."""
        body, V = self.subtrees.bodies[j], self.V.joint[j]
        out = []
        for s, (momentum, down, up) in zip(self.tree.nodes[j].S.T, super().columns(j), strict=True):
            rate = down + up
            out.append(Column(momentum, rate, rate - body.momentum(bracket(V, s))))
        return out


def coriolis_matrix_garofalo(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return C of Garofalo (6b), Mueller-Kumar (54): dM/dt = C + C^T; not unique for given M."""
    return Garofalo(tree, q, v).mass_and_coriolis()[1]


def coriolis_matrix_mueller_kumar(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return C of the Newton-Euler equations: column j is the rate of the momenta G S_j."""
    return MuellerKumar(tree, q, v).mass_and_coriolis()[1]
