"""M, the Christoffel C, g and their first rates from pseudo-inertias, relative to each joint.

The points x of a subtree move with the velocities v_k as dx = sum_k X_k x v_k, where X_k is the
4x4 matrix of the joint's axis s_k and x = (x, 1). With the inner product <A, B> of the mass
distribution this gives the entries of M and C as moments of points,

    M_ij = int (X_i x) . (X_j x) dm            = <X_i, X_j Sigma>
    C_ij = int (X_i x) . d/dt (X_j x) dm       = <X_i, X_j' Sigma + X_j N>

where Sigma = int x x^T dm is the pseudo-inertia and N = int x' x^T dm its kernel, Sigma' = N + N^T.
A rigid body with twist V has N = V Sigma. Sum over the subtree of j and take all in a frame in
which the axis s_j is fixed: only the part N_rel of N = V Sigma + N_rel that moves relative to that
frame has to be propagated, and with X_j' = [V, X_j] and the kernel K_j = X_j Sigma of the axis

    down_j = X_j' Sigma + X_j N = V K_j + X_j N_rel       C_ij = <X_i, down_j>
    up_j   = X_j N^T            = K_j V^T + X_j N_rel^T   C_ji = <X_i, up_j> + <X_i', K_j>

for every ancestor i of j, in any frame. The kernel of a parent is the sum of N_rel + K_j v_j over
its children; so twists V are multiplied by inertias only through axes, where nearly all factors are
zero or one.

Every matrix <X, A> = w . moment(A) + u . force(A) is a wrench. `dynamics.Bias` has N as (E, P) with
P = int x' dm and E = tr(Z) 1 - Z, Z = int x' x^T dm, since the moment of V N is E w.

For rates, N' in the same frame follows from the same sums, and K_j' = X_j (N + N^T).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import wrt_time
from jounce.formulas.dynamics import (
    Bias,
    contract,
    has_ball_rotor,
    node_rows,
    rotor_coriolis,
)
from jounce.formulas.kinematics import (
    base_twist,
    collect,
    joint_displacements,
    joint_rates,
)
from jounce.formulas.pairs import JointPairs
from jounce.formulas.springs import spring_forces, spring_stiffness
from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import (
    Pose,
    Rotation,
    bracket,
    cross,
    dot,
    dual_bracket,
    inertia_matrix,
    skew,
    stack,
    trace_complement,
)
from jounce.model.tree import Tree

#: Type of q: an array, or a `kinematics.Motion`.
Configuration = Any


class PseudoInertia(NamedTuple):
    """Mass, first moment h = int x dm and second moments J = int x x^T dm."""

    m: Any
    h: Array
    J: Array

    @staticmethod
    def of(parameters: Array) -> PseudoInertia:
        """Build from ten inertial parameters."""
        I = inertia_matrix(parameters)
        half_trace = 0.5 * (I[0, 0] + I[1, 1] + I[2, 2])
        J = -I
        for k in range(3):
            J[k, k] = half_trace - I[k, k]
        return PseudoInertia(parameters[0], parameters[1:4], J)

    def momentum(self, X: Array) -> Array:
        """Return the wrench of X Sigma: momentum with the twist X."""
        w, u = X[:3], X[3:]
        return stack(trace_complement(self.J) @ w + cross(self.h, u), self.m * u + cross(w, self.h))

    def kernel(self, X: Array) -> Bias:
        """Return the kernel X Sigma of a body with the twist X."""
        w, u = X[:3], X[3:]
        E = trace_complement(np.outer(u, self.h)) - skew(w) @ self.J
        return Bias(E, self.m * u + cross(w, self.h))

    def inertial_wrench(self, field: Array, origin: Array) -> Array:
        """Return the wrench on points that accelerate with field x + origin."""
        D = field @ self.J + np.outer(origin, self.h)
        moment = array((D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]))
        return stack(moment, field @ self.h + self.m * origin)

    def weight(self, upward: Array) -> Array:
        """Return the wrench that holds the body against gravity, opposite to `upward`."""
        return stack(cross(self.h, upward), self.m * upward)

    def to_parent(self, X: Pose) -> PseudoInertia:
        """Return the same body in the parent's frame."""
        h, J, r = X.rotate(self.h), X.symmetric_to_parent(self.J), X.r
        y = h + 0.5 * self.m * r
        for i in range(3):
            for j in range(i, 3):
                shift = r[i] * y[j]
                J[i, j] = J[j, i] = J[i, j] + (shift + (shift if i == j else r[j] * y[i]))
        return PseudoInertia(self.m, h + self.m * r, J)

    def plus(self, other: PseudoInertia) -> PseudoInertia:
        """Return the sum of two bodies in one frame."""
        return PseudoInertia(self.m + other.m, self.h + other.h, self.J + other.J)


def inertia_rate(kernel: Bias) -> PseudoInertia:
    """Return Sigma' = N + N^T; with E for Z the second moments change by tr(E) 1 - E - E^T."""
    E = kernel.E
    J, difference = -(E + E.T), E[0, 0] - E[1, 1]
    J[0, 0], J[1, 1] = E[2, 2] - difference, E[2, 2] + difference
    J[2, 2] = E[0, 0] + E[1, 1] - E[2, 2]
    return PseudoInertia(0.0, kernel.P, J)


def kernel_rate(kernel: Bias, X: Array) -> Bias:
    """Return X N + N X^T, the rate of a kernel that moves along with the twist X."""
    W = skew(X[:3])
    E = W @ kernel.E - kernel.E @ W + trace_complement(np.outer(kernel.P, X[3:]))
    return Bias(E, cross(X[:3], kernel.P))


# ------------------------------------------------------------------ frames


class JointFrame(NamedTuple):
    """Frame of a joint in which its axes are fixed, between the parent's frame and the node's.

    The axis of a joint with one velocity is fixed on both sides of the joint; taken before it, the
    frame's pose in the parent is constant. Other joints are taken in the node's frame.

    Attributes
    ----------
    placement : Pose
        Pose of this frame in the parent node's frame.
    motion : Pose or None
        Pose of the node's frame in this one; None where they are the same.
    """

    placement: Pose
    motion: Pose | None

    @property
    def pose(self) -> Pose:
        """Pose of the node's frame in its parent's."""
        if self.motion is None:
            return self.placement
        r = self.placement.r + self.placement.rotate(self.motion.r)
        return Pose([*self.placement.factors, *self.motion.factors], r)

    def to_node(self, X: Array) -> Array:
        """Return a twist of this frame, in the node's frame."""
        return X if self.motion is None else self.motion.motion_to_child(X)

    def from_node(self, F: Array) -> Array:
        """Return a wrench of the node's frame, in this one."""
        return F if self.motion is None else self.motion.force_to_parent(F)


def joint_frames(tree: Tree, q: Configuration) -> list[JointFrame]:
    """Return the frames in which the axes of the joints are fixed."""
    out = []
    for node, X in zip(tree.nodes, joint_displacements(tree, q), strict=True):
        if node.motion.nv == 1:
            out.append(JointFrame(Pose([Rotation(node.R0)], node.p0), X))
        else:
            placement = Pose([Rotation(node.R0), *X.factors], node.p0 + node.R0 @ X.r)
            out.append(JointFrame(placement, None))
    return out


class Twists(NamedTuple):
    """Twists of the bodies and their rates, components in joint frames and in node frames.

    Attributes
    ----------
    frame : list of Array
        Twist of each joint frame itself, in that frame.
    joint : list of Array
        Twist of each body in its joint frame.
    node : list of Array
        Twist of each body in its node frame.
    """

    frame: list[Array]
    joint: list[Array]
    node: list[Array]


def twists(tree: Tree, frames: list[JointFrame], v: Array) -> Twists:
    """Run the outward pass: V_j = V_p + S_j v_j."""
    out = Twists([], [], [])
    for node, frame, vi in zip(tree.nodes, frames, joint_rates(tree, v), strict=True):
        parent = base_twist(tree) if node.parent < 0 else out.node[node.parent]
        carried = frame.placement.motion_to_child(parent)
        V = carried + node.S @ vi
        out.frame.append(V if frame.motion is None else carried)
        out.joint.append(V)
        out.node.append(frame.to_node(V))
    return out


def twist_rates(
    tree: Tree, frames: list[JointFrame], V: Twists, v: Array, a: Array
) -> tuple[list[Array], list[Array]]:
    """Return the rates of the components of the twists, in joint frames and in node frames."""
    joint: list[Array] = []
    node_rates: list[Array] = []
    rates = zip(joint_rates(tree, v), joint_rates(tree, a), strict=True)
    for i, (node, frame, (vi, ai)) in enumerate(zip(tree.nodes, frames, rates, strict=True)):
        A = node.S @ ai
        if node.parent >= 0:
            A = frame.placement.motion_to_child(node_rates[node.parent]) + A
        convective = bracket(V.node[i], node.S @ vi)  # the node's frame moves on with the joint
        joint.append(A + convective if frame.motion is None else A)
        node_rates.append(joint[i] if frame.motion is None else frame.to_node(A) + convective)
    return joint, node_rates


def upward(tree: Tree, frames: list[JointFrame]) -> list[Array]:
    """Return minus the acceleration of gravity, in each joint frame."""
    joint: list[Array] = []
    nodes: list[Array] = []
    for node, frame in zip(tree.nodes, frames, strict=True):
        joint.append(
            frame.placement.unrotate(-tree.gravity if node.parent < 0 else nodes[node.parent])
        )
        nodes.append(joint[-1] if frame.motion is None else frame.motion.unrotate(joint[-1]))
    return joint


# ------------------------------------------------------------------ inward pass


class Subtrees(NamedTuple):
    """Sums over the subtree of each joint, in its joint frame.

    Attributes
    ----------
    bodies : list of PseudoInertia
        Sigma of the subtree.
    relative : list of Bias
        N_rel: kernel of the subtree relative to its first body.
    rates : list of PseudoInertia
        Rate of Sigma in the frame; zero without accelerations.
    relative_rates : list of Bias
        Rate of N_rel in the frame; zero without accelerations.
    """

    bodies: list[PseudoInertia]
    relative: list[Bias]
    rates: list[PseudoInertia]
    relative_rates: list[Bias]


def subtrees(tree: Tree, frames: list[JointFrame], v: Array, a: Array | None = None) -> Subtrees:
    """Sum bodies and kernels over subtrees in joint frames, and their rates if a is passed."""
    count = len(tree.nodes)
    bodies = [PseudoInertia.of(node.inertia) for node in tree.nodes]
    kernels, changes = ([Bias(zeros(3, 3), zeros(3)) for _ in range(count)] for _ in range(2))
    rates = [PseudoInertia(0.0, zeros(3), zeros(3, 3)) for _ in range(count)]
    velocities = joint_rates(tree, v)
    accelerations = None if a is None else joint_rates(tree, a)
    for j in reversed(range(count)):
        node, (placement, motion) = tree.nodes[j], frames[j]
        X = node.S @ velocities[j]
        if motion is not None:
            bodies[j], kernels[j] = bodies[j].to_parent(motion), kernels[j].to_parent(motion)
        passed = kernels[j].plus(bodies[j].kernel(X))  # relative to the parent
        if accelerations is not None:
            if motion is not None:
                moved = kernel_rate(kernels[j], X)
                changes[j] = changes[j].to_parent(motion).plus(moved)
            rates[j] = inertia_rate(kernels[j] if motion is None else passed)
        if node.parent < 0:
            continue
        p = node.parent
        bodies[p] = bodies[p].plus(bodies[j].to_parent(placement))
        kernels[p] = kernels[p].plus(passed.to_parent(placement))
        if accelerations is not None:
            change_a = bodies[j].kernel(node.S @ accelerations[j])
            change = changes[j].plus(change_a).plus(rates[j].kernel(X))
            if motion is None:
                change = change.plus(kernel_rate(passed, X))
            changes[p] = changes[p].plus(change.to_parent(placement))
    return Subtrees(bodies, kernels, rates, changes)


# ------------------------------------------------------------------ matrices


class Column(NamedTuple):
    """Wrenches that a velocity of a joint puts on its subtree, in its joint frame.

    Attributes
    ----------
    momentum : Array
        Momentum of the subtree moving along the axis: wrench of K_j.
    down, up : Array
        Wrenches for the entries of C above and below the diagonal (of a serial chain).
    """

    momentum: Array
    down: Array
    up: Array

    @staticmethod
    def of(body: PseudoInertia, relative: Bias, V: Array, s: Array) -> Column:
        """Build from the axis s, the twist V of the subtree and its kernel `relative` to it."""
        K = body.kernel(s)
        down = K.times(V) + relative.times(s)
        return Column(body.momentum(s), down, relative.transposed_times(s) - K.transposed_times(V))


def _axis_with_rates(s: Array, V: Array, A: Array | None = None) -> tuple[Array, ...]:
    """Return an axis with its rates in inertial space, from the body's twist V and its rate A."""
    sd = bracket(V, s)
    return (s, sd) if A is None else (s, sd, bracket(A, s) + bracket(V, sd))


class Matrices:
    """M and C of a tree, and dC/dt if the acceleration a is passed."""

    def __init__(self, tree: Tree, q: Configuration, v: Array, a: Array | None = None) -> None:
        self.tree, self.q, self.v = tree, q, v
        self.frames = joint_frames(tree, q)
        self.V = twists(tree, self.frames, v)
        self.subtrees = subtrees(tree, self.frames, v, a)
        self.A: list[Array] = []
        node_rates: list[Array] = []
        if a is not None:
            self.A, node_rates = twist_rates(tree, self.frames, self.V, v, a)
        axes = [
            [_axis_with_rates(s, self.V.node[i], *node_rates[i : i + 1]) for s in node.S.T]
            for i, node in enumerate(tree.nodes)
        ]
        poses = [frame.pose for frame in self.frames]
        self.moves = [n.S @ vi for n, vi in zip(tree.nodes, joint_rates(tree, v), strict=True)]
        self.pairs = JointPairs(tree, poses, axes, self.moves)

    def columns(self, j: int) -> list[Column]:
        """Return the wrenches of each velocity of a joint."""
        body, relative = self.subtrees.bodies[j], self.subtrees.relative[j]
        return [Column.of(body, relative, self.V.joint[j], s) for s in self.tree.nodes[j].S.T]

    def column_rates(self, j: int) -> list[list[Array]]:
        """Return the rates of `down` and `up` of each velocity of a joint, in its frame."""
        beyond, V, A = self.subtrees, self.V.joint[j], self.A[j]
        out = []
        for s in self.tree.nodes[j].S.T:
            K, K_rate = beyond.bodies[j].kernel(s), beyond.rates[j].kernel(s)
            N_rate = beyond.relative_rates[j]
            down = K.times(A) + K_rate.times(V) + N_rate.times(s)
            up = N_rate.transposed_times(s) - K.transposed_times(A) - K_rate.transposed_times(V)
            out.append([down, up])
        return out

    def mass_and_coriolis(self) -> tuple[Array, Array]:
        """Return M and C, without the armature terms of spherical joints in C."""
        rows, size = node_rows(self.tree)
        M, C = zeros(size, size), zeros(size, size)
        for j, node in enumerate(self.tree.nodes):
            for k, column in enumerate(self.columns(j)):
                index = rows[j].start + k
                for row in range(k + 1):  # within a joint M is symmetric: keep one triangle
                    above = rows[j].start + row
                    M[above, index] = M[index, above] = dot(node.S[:, row], column.momentum)
                M[index, index] = M[index, index] + node.armature[k]
                C[rows[j], index] = node.S.T @ column.down
                for i, pairs in self.pairs.along(j, self.frames[j].placement, list(column)):
                    for above, pair in enumerate(pairs, rows[i].start):
                        M[above, index] = M[index, above] = pair.mass()
                        C[above, index], C[index, above] = pair.coriolis()
        return contract(self.tree, M), contract(self.tree, C)

    def coriolis_rate(self) -> Array:
        """Return dC/dt without the armature terms of spherical joints."""
        rows, size = node_rows(self.tree)
        out = zeros(size, size)
        for j, node in enumerate(self.tree.nodes):
            changes = zip(self.columns(j), self.column_rates(j), strict=True)
            for index, (column, changed) in enumerate(changes, rows[j].start):
                out[rows[j], index] = node.S.T @ changed[0]
                pairs_of_wrenches = zip(changed, column[1:], strict=True)
                changed = [x - dual_bracket(self._frame_twist(j), F) for x, F in pairs_of_wrenches]
                ancestors = self.pairs.along(j, self.frames[j].placement, list(column), changed)
                for i, pairs in ancestors:
                    for above, pair in enumerate(pairs, rows[i].start):
                        out[above, index], out[index, above] = pair.coriolis_rate()
        return contract(self.tree, out)

    def _frame_twist(self, j: int) -> Array:
        """Return the twist of a joint frame relative to the parent, or in inertial space."""
        if not self.pairs.in_joint_frames:
            return self.V.frame[j]
        return zeros(6) if self.frames[j].motion is not None else self.moves[j]

    def gravity_forces(self) -> Array:
        """Return g: what holds the subtrees against gravity and springs."""
        pulls = zip(
            self.tree.nodes, self.subtrees.bodies, upward(self.tree, self.frames), strict=True
        )
        forces = collect(self.tree, [node.S.T @ body.weight(up) for node, body, up in pulls])
        return forces + spring_forces(self.tree, self.q)

    def gravity_rate(self) -> Array:
        """Return dg/dt, from the motion of subtrees and of gravity in joint frames."""
        forces = []
        for j, (node, up) in enumerate(
            zip(self.tree.nodes, upward(self.tree, self.frames), strict=True)
        ):
            turned = cross(up, self.V.frame[j][:3])
            force = self.subtrees.rates[j].weight(up) + self.subtrees.bodies[j].weight(turned)
            forces.append(node.S.T @ force)
        return collect(self.tree, forces) + spring_stiffness(self.tree, self.q) @ self.v

    def rotors(self, v: Array) -> Array:
        """Return the armature contribution to C at the velocity v."""
        return rotors(self.tree, v)


def rotors(tree: Tree, v: Array) -> Array:
    """Return the armature contribution to the Christoffel Coriolis matrix."""
    rows, size = node_rows(tree)
    out = zeros(size, size)
    for node, node_entries, vi in zip(tree.nodes, rows, joint_rates(tree, v), strict=True):
        if has_ball_rotor(node):
            out[node_entries, node_entries] = rotor_coriolis(node, vi)
    return contract(tree, out)


def coriolis_matrix(tree: Tree, q: Configuration, v: Array) -> Array:
    """Return the Christoffel Coriolis matrix C, which M determines, with dM/dt = C + C^T.

    The armature of spherical joints contributes, see `dynamics.rotor_coriolis`.
    """
    return Matrices(tree, q, v).mass_and_coriolis()[1] + rotors(tree, v)


def equations_of_motion(
    tree: Tree, q: Configuration, v: Array, matrices: type[Matrices] = Matrices
) -> tuple[Array, Array, Array]:
    """Return M, C and g; C is that of `matrices`, the Christoffel one by default."""
    system = matrices(tree, q, v)
    M, C = system.mass_and_coriolis()
    return M, C + system.rotors(v), system.gravity_forces()


def equations_with_rates(
    tree: Tree, q: Configuration, v: Array, a: Array, matrices: type[Matrices] = Matrices
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Return M, C, g and their time derivatives, in this order, if dM/dt = C + C^T."""
    system = matrices(tree, q, v, a)
    M, C = system.mass_and_coriolis()
    C, C_rate = C + system.rotors(v), system.coriolis_rate() + system.rotors(a)
    return M, C, system.gravity_forces(), C + C.T, C_rate, system.gravity_rate()


def rates(
    tree: Tree, order: int, inputs: Mapping[str, Array], matrices: type[Matrices] = Matrices
) -> list[tuple[Array, Array, Array]]:
    """Return (M, C, g) and their time derivatives up to `order`; inputs: q, v, a, ... by name.

    Orders above the first are computed by Taylor series, except those of M: dM/dt = C + C^T.
    """
    q, *motion = inputs.values()
    if order == 0:
        return [equations_of_motion(tree, q, *motion, matrices=matrices)]
    if order == 1:
        M, C, g, *first = equations_with_rates(tree, q, *motion, matrices=matrices)
        return [(M, C, g), (first[0], first[1], first[2])]
    series = {"q": [q, *motion[:order]], "v": motion}
    formula = partial(equations_of_motion, matrices=matrices)
    levels = wrt_time.rates(formula, tree, series, order)
    before = [C + C.T for _, C, _ in levels]
    return [levels[0], *((before[k], *levels[k + 1][1:]) for k in range(order))]
