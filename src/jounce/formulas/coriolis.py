"""The Coriolis matrices of the papers, and M, C, g with their rates, from one set of composites.

All Coriolis matrices give the same forces C v. With S_j the axes of a joint in inertial space, Sd_j
= ad_V S_j their rates and sums over the bodies of a subtree (composites) they are, for i an
ancestor of j or j itself,

    C_ij = S_i^T (B_C S_j + G_C Sd_j)    C_ji = S_j^T (B_C S_i + G_C Sd_i)    M_ij = S_i^T G_C S_j

and differ only in what a body with inertia G and twist V puts into B (`Christoffel`, `Garofalo`,
`MuellerKumar`). B is the kernel of Garofalo's sum J_k^T (G Jdot_k + kernel J_k) less G ad_V, which
turns the rate Jdot_k in the body's axes into the one in inertial space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from jounce.formulas.dynamics import (
    composite_bias,
    composite_momentum,
    composites,
    contract,
    expand,
)
from jounce.formulas.kinematics import accumulate, joint_poses, twists
from jounce.formulas.pairs import common_root
from jounce.math.scalar import Array, zeros
from jounce.math.spatial import (
    Pose,
    bracket,
    cross,
    dot,
    force_to_frame,
    inertia_matrix,
    motion_to_frame,
    skew,
    stack,
)
from jounce.model.tree import Node, Tree

#: An array, or a `kinematics.Motion`: what formulas take for q.
Configuration = Any


class Kernel(Protocol):
    """B of a composite body, as an operator on twists."""

    def times(self, X: Array) -> Array:
        """B X."""
        ...

    def transposed_times(self, X: Array) -> Array:
        """B^T X."""
        ...


class Sweep(NamedTuple):
    """What M, C and g share at one state, per node and in its frame.

    R, p: its pose in the common frame. S, Sd: its axes and their rates; `..._common`: the same in
    the common frame, which stands still and is where the root is now.
    """

    poses: list[Pose]
    V: list[Array]
    G: list[tuple[Any, Array, Array]]
    R: list[Array]
    p: list[Array]
    S: list[list[Array]]
    Sd: list[list[Array]]
    S_common: list[list[Array]]
    Sd_common: list[list[Array]]

    def to_common(self, i: int, motions: Sequence[Array]) -> list[Array]:
        """Twists of a node's frame in the common one."""
        return [motion_to_frame(self.R[i], self.p[i], X) for X in motions]

    def forces_to_common(self, i: int, *forces: Array) -> list[Array]:
        """Wrenches of a node's frame in the common one."""
        return [force_to_frame(self.R[i], self.p[i], F) for F in forces]


def sweep(tree: Tree, q: Configuration, v: Array) -> Sweep:
    """Outward and inward pass at the state (q, v)."""
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    R, p = accumulate(tree, poses, common_root(tree))
    S = [list(node.S.T) for node in tree.nodes]
    Sd = [[bracket(Vi, s) for s in own] for Vi, own in zip(V, S, strict=True)]
    bare = Sweep(poses, V, composites(tree, poses), R, p, S, Sd, [], [])
    for i in range(len(S)):
        bare.S_common.append(bare.to_common(i, S[i]))
        bare.Sd_common.append(bare.to_common(i, Sd[i]))
    return bare


def mass_and_coriolis(tree: Tree, at: Sweep, B: Sequence[Kernel]) -> tuple[Array, Array]:
    """M and the Coriolis matrix with the composite kernels B."""
    rows, size = expand(tree)
    M, C = zeros(size, size), zeros(size, size)
    for j, node in enumerate(tree.nodes):
        for k, (s, sd) in enumerate(zip(at.S[j], at.Sd[j], strict=True)):
            here = rows[j].start + k
            momentum = composite_momentum(at.G[j], s)
            down = B[j].times(s) + composite_momentum(at.G[j], sd)
            C[rows[j], here] = node.S.T @ down
            for row in range(k + 1):  # within a joint M is symmetric: keep one triangle
                above = rows[j].start + row
                M[above, here] = M[here, above] = dot(at.S[j][row], momentum)
            M[here, here] = M[here, here] + node.armature[k]
            if not tree.ancestors[j]:
                continue
            up = B[j].transposed_times(s)
            down, up, momentum = at.forces_to_common(j, down, up, momentum)
            for i in tree.ancestors[j]:
                axes = zip(at.S_common[i], at.Sd_common[i], strict=True)
                for above, (axis, rate) in enumerate(axes, rows[i].start):
                    C[above, here] = dot(axis, down)
                    C[here, above] = dot(axis, up) + dot(rate, momentum)
                    M[above, here] = M[here, above] = dot(axis, momentum)
    return contract(tree, M), contract(tree, C)


# ------------------------------------------------------------------ the three matrices


class MuellerKumar(NamedTuple):
    """B = -(G ad_V + ad_V^T G), the rate of G in inertial space: an inertia without mass.

    P: linear momentum, the rate of the first moment. rate: that of the inertia, twice Es.
    """

    P: Array
    rate: Array

    def times(self, X: Array) -> Array:
        """B X."""
        return composite_momentum((0.0, self.P, self.rate), X)

    transposed_times = times


def coriolis_matrix_mueller_kumar(tree: Tree, q: Configuration, v: Array) -> Array:
    """C of Newton and Euler's equations as they stand: the rate of a column's momenta G S_j."""
    at = sweep(tree, q, v)
    Es, LP = composite_bias(tree, at.poses, at.V)
    kernels = [MuellerKumar(F[3:], E + E) for E, F in zip(Es, LP, strict=True)]
    return mass_and_coriolis(tree, at, kernels)[1]


class Garofalo(NamedTuple):
    """B = -ad_V^T G = [[E, D], [-(D - P~)^T, k~]]; of composites sums of such.

    k: mass times w. P: linear momentum. D: w~ h~ + m u~, so that D - P~ is (w~ h~)^T.
    """

    E: Array
    D: Array
    P: Array
    k: Array

    @staticmethod
    def of(node: Node, V: Array) -> Garofalo:
        """B of a node's body with the twist V."""
        m, h, w, u = node.inertia[0], node.inertia[1:4], V[:3], V[3:]
        turned = skew(w) @ skew(h)
        E = skew(w) @ inertia_matrix(node.inertia) - skew(u) @ skew(h)
        return Garofalo(E, turned + skew(m * u), m * u + cross(w, h), m * w)

    @property
    def _left(self) -> Array:
        """The block below E: -(w~ h~)."""
        return -(skew(self.P) + self.D.T)

    def to_parent(self, X: Pose) -> Garofalo:
        """B in the frame of the parent, Ad^-T B Ad^-1."""
        turned = Garofalo(
            X.tensor_to_parent(self.E),
            X.tensor_to_parent(self.D),
            X.rotate(self.P),
            X.rotate(self.k),
        )
        r, D = skew(X.r), turned.D + skew(X.r) @ skew(turned.k)
        return Garofalo(turned.E + r @ turned._left - D @ r, D, turned.P, turned.k)

    def plus(self, other: Garofalo) -> Garofalo:
        """The sum of two."""
        return Garofalo(*(x + y for x, y in zip(self, other, strict=True)))

    def times(self, X: Array) -> Array:
        """B X."""
        w, u = X[:3], X[3:]
        return stack(self.E @ w + self.D @ u, self._left @ w + cross(self.k, u))

    def transposed_times(self, X: Array) -> Array:
        """B^T X."""
        w, u = X[:3], X[3:]
        return stack(self.E.T @ w + self._left.T @ u, self.D.T @ w - cross(self.k, u))


def coriolis_matrix_garofalo(tree: Tree, q: Configuration, v: Array) -> Array:
    """C of Garofalo (6b) and of Mueller-Kumar (54): dM/dt = C + C^T, but not of M alone."""
    at = sweep(tree, q, v)
    kernels = [Garofalo.of(*of) for of in zip(tree.nodes, at.V, strict=True)]
    for i in reversed(range(len(kernels))):
        parent = tree.nodes[i].parent
        if parent >= 0:
            kernels[parent] = kernels[parent].plus(kernels[i].to_parent(at.poses[i]))
    return mass_and_coriolis(tree, at, kernels)[1]
