"""The operators of a tree and the recursions they encode, most of them without a number.

Section 1.1 of Jain and Rodriguez: phi, E_phi, H, M, and the articulated quantities of Identity 1.1,
which the paper uses but does not define (those of Rodriguez, Kreutz-Delgado and Jain, 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import skew, spatial_inertia
from jounce.model.tree import Tree
from jounce.papers import equation
from jounce.papers.common import block_diagonal, poses, solve
from jounce.papers.jain_rodriguez.operator import Leaf, Operator, Space, diagonal, resolvent, unit
from jounce.utils.lazy import cached_property


def rigid(l: Array) -> Array:
    """Return phi(l) = [[1, l~], [0, 1]]: wrenches from a point o + l to the point o."""
    out = identity(6)
    out[:3, 3:] = skew(l)
    return out


class TreeOperators:
    """The operators of a tree at the configuration q (any scalar type).

    names: of the model's joints, for printing. bodies, hinges: the spaces the operators act on,
    6 per node and the degrees of freedom per node.
    """

    def __init__(self, tree: Tree, q: Array, names: Sequence[str] | None = None) -> None:
        self.tree = tree
        self.q = np.asarray(q, dtype=object)
        if self.q.shape != (tree.nq,):
            raise ValueError(f"q must have shape ({tree.nq},), found {self.q.shape}")
        self._poses = poses(tree, self.q)
        labels = node_labels(tree, names)
        sizes = tuple(node.S.shape[1] for node in tree.nodes)
        self.bodies = Space("bodies", labels, (6,) * len(labels))
        self.hinges = Space("hinges", labels, sizes)
        #: Node and column of each coordinate of the hinges.
        self._coordinates = [(k, c) for k, size in enumerate(sizes) for c in range(size)]
        self._children: list[list[int]] = [[] for _ in labels]
        for k, node in enumerate(tree.nodes):
            if node.parent >= 0:
                self._children[node.parent].append(k)

    def __repr__(self) -> str:
        return f"<spatial operators: {len(self.hinges.sizes)} bodies, {len(self._coordinates)} dof>"

    def inboard(self, i: int, j: int) -> bool:
        """Return whether body i is strictly inboard of body j, on the same path."""
        return i in self.tree.ancestors[j]

    def place(self, i: int) -> tuple[int, int]:
        """Return the body and column of H^T(body) of the coordinate i of the hinges."""
        if not 0 <= i < len(self._coordinates):
            last = len(self._coordinates) - 1
            raise ValueError(f"no coordinate {i} of the hinges; choose one of 0..{last}")
        return self._coordinates[i]

    def _diagonal(
        self, name: str, blocks: Mapping[int, Array], symmetric: bool = False
    ) -> Operator:
        return diagonal(name, self.bodies, self.bodies, blocks, symmetric)

    # -------------------------------------------------------------- 1.1 the operators

    def link(self, i: int, j: int) -> Array:
        """Return phi(i, j) for any two points O_i and O_j (-1: the world's origin)."""
        return rigid(self._origin(j) - self._origin(i))

    def _origin(self, k: int) -> Array:
        return zeros(3) if k < 0 else self._poses[k][1]

    @cached_property
    def I(self) -> Operator:  # noqa: E743
        """The identity of the bodies."""
        return unit(self.bodies)

    @cached_property
    def I_hinges(self) -> Operator:
        """The identity of the hinges."""
        return unit(self.hinges)

    @cached_property
    def H(self) -> Operator:
        """H = diag(H(k)) (hinges x bodies); H^T(k) is the screw of joint k about O_k."""
        blocks = {}
        for k, (node, (R, _)) in enumerate(zip(self.tree.nodes, self._poses, strict=True)):
            blocks[k] = (block_diagonal((R, R)) @ node.S).T
        return diagonal("H", self.hinges, self.bodies, blocks)

    @cached_property
    def M(self) -> Operator:
        """M = diag(M(k)): the inertia of each body about O_k, along the world's axes."""
        blocks = {}
        for k, (node, (R, _)) in enumerate(zip(self.tree.nodes, self._poses, strict=True)):
            turn = block_diagonal((R, R))
            blocks[k] = turn @ spatial_inertia(node.inertia) @ turn.T
        return self._diagonal("M", blocks, symmetric=True)

    @cached_property
    def A(self) -> Operator:
        """A: the armature of each hinge, on the diagonal."""
        blocks = {}
        for k, node in enumerate(self.tree.nodes):
            if not all(is_zero(x) for x in node.armature):
                blocks[k] = block_diagonal([np.reshape(x, (1, 1)) for x in node.armature])
        return diagonal("A", self.hinges, self.hinges, blocks, symmetric=True)

    @cached_property
    def E(self) -> Operator:
        """E (hinges x velocities): the rates of all hinges from the robot's v."""
        nodes = list(enumerate(self.tree.nodes))
        leaders = {node.v: k for k, node in nodes}
        leaders |= {node.v: k for k, node in nodes if node.gain == 1.0 and node.offset == 0.0}
        place = {v: column for column, v in enumerate(sorted(leaders))}
        leading = [leaders[v] for v in sorted(leaders)]
        labels = tuple(self.hinges.labels[k] for k in leading)
        space = Space("velocities", labels, tuple(self.hinges.sizes[k] for k in leading))
        blocks = {
            (k, place[node.v]): node.gain * identity(self.hinges.sizes[k]) for k, node in nodes
        }
        return Leaf("E", self.hinges, space, blocks)

    @cached_property
    @equation("1.3")
    def phi(self) -> Operator:
        """phi: phi(i, j) for i inboard of j, 1 on the diagonal."""

        def blocks() -> dict[tuple[int, int], Array]:
            out = dict(self.I.blocks)
            for j, above in enumerate(self.tree.ancestors):
                out |= {(i, j): self.link(i, j) for i in above}
            return out

        return Leaf("phi", self.bodies, self.bodies, blocks, self.gather, self.scatter)

    @cached_property
    def phi_tilde(self) -> Operator:
        """phi~ = phi - I = E_phi phi = phi E_phi."""

        def blocks() -> dict[tuple[int, int], Array]:
            return {(i, j): block for (i, j), block in self.phi.blocks.items() if i != j}

        def gather(x: Array) -> Array:
            return self.gather(x) - x

        def scatter(x: Array) -> Array:
            return self.scatter(x) - x

        return Leaf("phi~", self.bodies, self.bodies, blocks, gather, scatter)

    @cached_property
    @equation("1.4")
    def E_phi(self) -> Operator:
        """E_phi: phi(parent, k) in the row of the parent and the column of k."""
        blocks = {}
        for k, node in enumerate(self.tree.nodes):
            if node.parent >= 0:
                blocks[node.parent, k] = self.link(node.parent, k)
        return Leaf("E_phi", self.bodies, self.bodies, blocks)

    # -------------------------------------------------------------- recursions

    def gather(self, x: Array) -> Array:
        """phi x, from the tips to the base: y(k) = x(k) + sum over children phi(k, c) y(c)."""
        return self._inward(x, lambda c, y: self.link(self.tree.nodes[c].parent, c) @ y)

    def scatter(self, x: Array) -> Array:
        """Return phi^T x, from the base to the tips: y(k) = x(k) + phi^T(parent, k) y(parent)."""
        return self._outward(x, lambda k, y: self.link(self.tree.nodes[k].parent, k).T @ y)

    def _inward(self, x: Array, step: Callable[[int, Array], Array]) -> Array:
        y, slices = x.copy(), self.bodies.slices
        for k in reversed(range(len(slices))):
            for child in self._children[k]:
                y[slices[k]] = y[slices[k]] + step(child, y[slices[child]])
        return y

    def _outward(self, x: Array, step: Callable[[int, Array], Array]) -> Array:
        y, slices = x.copy(), self.bodies.slices
        for k, node in enumerate(self.tree.nodes):
            if node.parent >= 0:
                y[slices[k]] = y[slices[k]] + step(k, y[slices[node.parent]])
        return y

    # -------------------------------------------------------------- identity 1.1

    @cached_property
    def _articulated_inertias(self) -> tuple[dict[int, Array], ...]:
        """P(k), D(k) and G(k), from the tips to the base.

        P(k) = sum over children phi(k, c) P+(c) phi^T(k, c) + M(k), D(k) = H(k) P(k) H^T(k),
        G(k) = P(k) H^T(k) D^-1(k), P+(k) = (1 - G(k) H(k)) P(k).
        """
        P: dict[int, Array] = {k: self.M[k, k] for k in range(len(self.tree.nodes))}
        D: dict[int, Array] = {}
        G: dict[int, Array] = {}
        for k in reversed(range(len(P))):
            H, parent = self.H[k, k], self.tree.nodes[k].parent
            D[k] = H @ P[k] @ H.T + self.A[k, k]
            try:
                G[k] = solve(D[k], H @ P[k]).T
            except ZeroDivisionError:
                label = self.hinges.labels[k]
                raise ValueError(f"D is singular: joint '{label}' moves no inertia") from None
            if parent >= 0:
                phi = self.link(parent, k)
                P[parent] = P[parent] + phi @ (P[k] - G[k] @ (H @ P[k])) @ phi.T
        return P, D, G

    @cached_property
    def P(self) -> Operator:
        """P = diag(P(k)): articulated body inertias, the error covariances of the filter."""
        return self._diagonal("P", self._articulated_inertias[0], symmetric=True)

    @cached_property
    def D(self) -> Operator:
        """D = H P H^T + A: articulated inertias along the hinges."""
        return diagonal(
            "D", self.hinges, self.hinges, self._articulated_inertias[1], symmetric=True
        )

    @cached_property
    def D_inverse(self) -> Operator:
        """D^-1."""
        return self.D.inverse()

    @cached_property
    def G(self) -> Operator:
        """G = P H^T D^-1."""
        return diagonal("G", self.bodies, self.hinges, self._articulated_inertias[2])

    @cached_property
    def K(self) -> Operator:
        """K = E_phi G: the Kalman gain."""
        return (self.E_phi @ self.G).rename("K")

    @cached_property
    def tau_bar(self) -> Operator:
        """taubar = I - G H: projects forces to those that a free hinge transmits."""
        return (self.I - self.G @ self.H).rename("taubar")

    @cached_property
    def E_psi(self) -> Operator:
        """E_psi = E_phi taubar = E_phi - K H."""
        return (self.E_phi @ self.tau_bar).rename("E_psi")

    @cached_property
    def psi(self) -> Operator:
        """psi = (I - E_psi)^-1."""

        def gather(x: Array) -> Array:
            return self._inward(x, lambda c, y: self.E_psi[self.tree.nodes[c].parent, c] @ y)

        def scatter(x: Array) -> Array:
            return self._outward(x, lambda k, y: self.E_psi[self.tree.nodes[k].parent, k].T @ y)

        def blocks() -> Mapping[tuple[int, int], Array]:
            return resolvent(self.E_psi)

        return Leaf("psi", self.bodies, self.bodies, blocks, gather, scatter)

    def innovations_factor(self) -> Operator:
        """Return I + H phi K, lower triangular from the tips; its inverse is I - H psi K."""
        return self.I_hinges + self.H @ self.phi @ self.K

    @equation("Identity 1.1")
    def innovations_factor_inverse(self) -> Operator:
        """Return I - H psi K."""
        return self.I_hinges - self.H @ self.psi @ self.K

    @equation("Identity 1.1")
    def mass_matrix_factorized(self) -> Operator:
        """(I + H phi K) D (I + H phi K)^T: square factors, the second form of Identity 1.1."""
        factor = self.innovations_factor()
        return factor @ self.D @ factor.T

    @equation("Identity 1.1")
    def mass_matrix_inverse(self) -> Operator:
        """(I - H psi K)^T D^-1 (I - H psi K); on vectors the articulated body algorithm, O(n)."""
        factor = self.innovations_factor_inverse()
        return factor.T @ self.D_inverse @ factor

    # -------------------------------------------------------------- 2.1 shift

    @cached_property
    def S(self) -> Operator:
        """The shift operator: 1 in the row of the parent and the column of k."""
        blocks = {(i, k): identity(6) for i, k in self.E_phi.blocks}
        return Leaf("S", self.bodies, self.bodies, blocks)


def node_labels(tree: Tree, names: Sequence[str] | None) -> tuple[str, ...]:
    """Return one label per node: the joint's name plus one prime per later node."""
    out = [""] * len(tree.nodes)
    for body in range(tree.nb):
        name = str(body) if names is None else names[body]
        first, last = tree.nodes_of_joint(body)
        for k in range(first, last + 1):
            out[k] = name + "'" * (last - k)
    return tuple(out)
