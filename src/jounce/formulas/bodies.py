"""Motion of all bodies, and of frames, up to the acceleration.

Frames are given as a node (-1: the world) with rotation and origin in the node's frame; quantities
of bodies refer to the model's body frames. A is the time derivative of a body-fixed twist V,
without gravity; psid = ad_Vp S and psidd = ad_Ap S + ad_Vp psid with the motion (V_p, A_p) of a
joint's parent, Sd = ad_V S, as in `wrt_state`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from jounce.formulas.cuts import World
from jounce.formulas.kinematics import (
    NodeFrame,
    accumulate,
    base_acceleration,
    base_twist,
    frame_rotation_origin,
    in_node_frame,
    joint_poses,
    joint_rates,
    mixed_rate,
    path_twists,
    to_mixed,
    to_world,
    twists,
    world_rate,
)
from jounce.formulas.wrt_inertia import body_jacobians
from jounce.formulas.wrt_state import parent_twist
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import adjoint, adjoint_inverse, bracket, cross, stack
from jounce.model.tree import Tree

# ------------------------------------------------------------------ motion of the nodes


class Motion:
    """Twists and accelerations of all nodes in a state, and the rates of their joint axes."""

    def __init__(self, tree: Tree, q: Array, v: Array, a: Array | None = None) -> None:
        self.tree, self.poses = tree, joint_poses(tree, q)
        self.V = twists(tree, self.poses, v)
        self.A = [] if a is None else self._accelerations(v, a)

    def _accelerations(self, v: Array, a: Array) -> list[Array]:
        """Return A_i = Ad_pi^-1 A_p + S_i a_i + ad_Vi S_i v_i."""
        A: list[Array] = []
        rates = zip(joint_rates(self.tree, v), joint_rates(self.tree, a), strict=True)
        for i, (node, (vi, ai)) in enumerate(zip(self.tree.nodes, rates, strict=True)):
            relative = node.S @ ai + bracket(self.V[i], node.S @ vi)
            has_parent_motion = node.parent >= 0 or self.tree.base
            A.append(self._parent_acceleration(A, i) + relative if has_parent_motion else relative)
        return A

    def _parent_acceleration(self, A: list[Array], i: int) -> Array:
        """Return the acceleration of the parent of i, in the frame of i."""
        p = self.tree.nodes[i].parent
        return self.poses[i].motion_to_child(base_acceleration(self.tree) if p < 0 else A[p])

    def of(self, frame_on_node: NodeFrame) -> tuple[Array, Array]:
        """Return the twist and acceleration of a frame on a node, in its own axes."""
        if frame_on_node[0] < 0:
            return in_node_frame(frame_on_node, base_twist(self.tree)), in_node_frame(
                frame_on_node, base_acceleration(self.tree)
            )
        return in_node_frame(frame_on_node, self.V[frame_on_node[0]]), in_node_frame(
            frame_on_node, self.A[frame_on_node[0]]
        )

    @property
    def psid(self) -> list[list[Array]]:
        """ad_Vp S of each joint."""
        parent_twists = [parent_twist(self.tree, self.poses, self.V, i) for i in range(len(self.V))]
        return self._axis_rates(parent_twists)

    @property
    def psidd(self) -> list[list[Array]]:
        """ad_Ap S + ad_Vp psid of each joint."""
        out = []
        for i, (node, rates) in enumerate(zip(self.tree.nodes, self.psid, strict=True)):
            Vp = parent_twist(self.tree, self.poses, self.V, i)
            Ap = self._parent_acceleration(self.A, i)
            pairs = zip(node.S.T, rates, strict=True)
            out.append([bracket(Ap, S) + bracket(Vp, rate) for S, rate in pairs])
        return out

    @property
    def psid_and_Sd(self) -> list[list[Array]]:
        """ad_Vp S + ad_V S of each joint."""
        pairs = zip(self.psid, self._axis_rates(self.V), strict=True)
        return [[x + y for x, y in zip(*pair, strict=True)] for pair in pairs]

    def _axis_rates(self, twists: list[Array]) -> list[list[Array]]:
        nodes = zip(self.tree.nodes, twists, strict=True)
        return [[bracket(V, S) for S in node.S.T] for node, V in nodes]


def body_frames(tree: Tree) -> list[NodeFrame]:
    """Return the model's body frames on their nodes."""
    nodes = ((i, tree.nodes[i]) for i in tree.node_of_body)
    return [(i, node.R_user, node.p_user) for i, node in nodes]


# ------------------------------------------------------------------ motion of the bodies


def body_poses(tree: Tree, q: Array) -> Array:
    """Return the homogeneous matrices (nb, 4, 4) of the bodies in the world."""
    R, p = accumulate(tree, joint_poses(tree, q))
    out = []
    for i, R_user, p_user in body_frames(tree):
        T = identity(4)
        T[:3, :3], T[:3, 3] = R[i] @ R_user, p[i] + R[i] @ p_user
        out.append(T)
    return np.stack(out)


def body_poses_dq(tree: Tree, q: Array) -> Array:
    """Return the body-fixed Jacobians (nb, 6, nv) of all bodies."""
    return _dense(tree, body_jacobians(tree, joint_poses(tree, q)))


def body_twists(tree: Tree, q: Array, v: Array) -> Array:
    """Return the twists (nb, 6) of all bodies."""
    V = twists(tree, joint_poses(tree, q), v)
    return np.stack(
        [in_node_frame(frame_on_node, V[frame_on_node[0]]) for frame_on_node in body_frames(tree)]
    )


def body_accelerations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return the accelerations (nb, 6) of all bodies."""
    motion = Motion(tree, q, v, a)
    return np.stack(
        [
            in_node_frame(frame_on_node, motion.A[frame_on_node[0]])
            for frame_on_node in body_frames(tree)
        ]
    )


def _dense(tree: Tree, columns: list[dict[int, Array]]) -> Array:
    out = zeros(tree.nb, 6, tree.nv)
    for b, body_columns in enumerate(columns):
        for k, X in body_columns.items():
            out[b, :, k] = X
    return out


# ------------------------------------------------------------------ accelerations of frames


class AccelerationView(NamedTuple):
    """Representation of the acceleration of a frame (R, p) with twist V and rate A.

    of: the acceleration, a function of (R, p, V, A). rate: its derivative when the frame moves by
    the twist X, and V and A change by dV and dA, all in the frame's axes.
    """

    of: Callable[[Array, Array, Array, Array], Array]
    rate: Callable[[Array, Array, Array, Array, Array, Array, Array], Array]


def _classical(V: Array, A: Array) -> Array:
    """Return the classical acceleration: that of the origin as a point is u' + w x u."""
    return stack(A[:3], A[3:] + cross(V[:3], V[3:]))


def _classical_rate(V: Array, dV: Array, dA: Array) -> Array:
    return stack(dA[:3], dA[3:] + cross(dV[:3], V[3:]) + cross(V[:3], dV[3:]))


LOCAL = AccelerationView(lambda R, p, V, A: A, lambda R, p, V, A, X, dV, dA: dA)
WORLD = AccelerationView(
    lambda R, p, V, A: to_world(R, p, A),
    lambda R, p, V, A, X, dV, dA: world_rate(R, p, A, X, dA),
)
MIXED = AccelerationView(
    lambda R, p, V, A: to_mixed(R, A),
    lambda R, p, V, A, X, dV, dA: mixed_rate(R, A, X, dA),
)
CLASSICAL = AccelerationView(
    lambda R, p, V, A: _classical(V, A),
    lambda R, p, V, A, X, dV, dA: _classical_rate(V, dV, dA),
)
CLASSICAL_MIXED = AccelerationView(
    lambda R, p, V, A: to_mixed(R, _classical(V, A)),
    lambda R, p, V, A, X, dV, dA: mixed_rate(R, _classical(V, A), X, _classical_rate(V, dV, dA)),
)


def frame_acceleration(
    tree: Tree, q: Array, v: Array, a: Array, frame: int, *, view: AccelerationView
) -> Array:
    """Return the acceleration of a frame."""
    R, p = frame_rotation_origin(tree, q, frame)
    return view.of(R, p, *Motion(tree, q, v, a).of(tree.frames[frame]))


def frame_acceleration_dq(
    tree: Tree, q: Array, v: Array, a: Array, frame: int, *, view: AccelerationView
) -> Array:
    """Return d/dq (6, nv), with dV = psid and dA = psidd - ad_V psid per joint."""
    motion, frame_on_node = Motion(tree, q, v, a), tree.frames[frame]
    V, A = motion.of(frame_on_node)
    J, dV, dA = (
        path_twists(tree, motion.poses, frame_on_node, x) for x in (None, motion.psid, motion.psidd)
    )
    R, p = frame_rotation_origin(tree, q, frame)
    columns = zip(J.T, dV.T, dA.T, strict=True)
    out = [view.rate(R, p, V, A, X, x, y - bracket(V, x)) for X, x, y in columns]
    return np.stack(out, axis=1)


def frame_acceleration_dv(
    tree: Tree, q: Array, v: Array, a: Array, frame: int, *, view: AccelerationView
) -> Array:
    """Return d/dv (6, nv), with dV = S and dA = psid + Sd - ad_V S per joint."""
    motion, frame_on_node = Motion(tree, q, v, a), tree.frames[frame]
    V, A = motion.of(frame_on_node)
    J, dA = (path_twists(tree, motion.poses, frame_on_node, x) for x in (None, motion.psid_and_Sd))
    R, p = frame_rotation_origin(tree, q, frame)
    still, columns = zeros(6), zip(J.T, dA.T, strict=True)
    out = [view.rate(R, p, V, A, still, x, y - bracket(V, x)) for x, y in columns]
    return np.stack(out, axis=1)


# ------------------------------------------------------------------ geometry


def body_poses_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return body-fixed twists per displacement of a joint and its subtree (nb, 6, nb, 6)."""
    world = World(tree, q)
    out = zeros(tree.nb, 6, tree.nb, 6)
    for b, (node, R, p) in enumerate(body_frames(tree)):
        to_body = adjoint_inverse(world.R[node] @ R, world.p[node] + world.R[node] @ p)
        path = {node, *tree.ancestors[node]}
        for cut in world.cuts(screw):
            if cut.node in path:
                moved = cut.sign * (to_body @ adjoint(cut.R, cut.p))
                out[b, :, cut.body] = out[b, :, cut.body] + moved
    return out
