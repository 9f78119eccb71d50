"""Poses, twists and Jacobians of bodies and frames, by recursion over the tree.

Every function takes the elementary `Tree` of a robot and one sample of its state as object arrays.
Node i's frame has its axis on z; see `model.tree`. Twists are (omega, v).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.math.jets import Jet, same_order
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import Pose, Rotation, bracket, cross, stack
from jounce.model.tree import Tree

#: A frame fixed on a node (-1: the world), with its rotation and origin in the node's frame.
NodeFrame = tuple[int, Array, Array]

# ------------------------------------------------------------------ state of each node


@dataclass(frozen=True)
class Motion:
    """A moving configuration: q at time zero and the velocity v as jets (or zero at rest).

    Formulas read configurations through `joint_poses` only, which takes an array or a `Motion`; for
    a `Motion` the results are jets.
    """

    q: Array
    v: Array

    def __getitem__(self, place: Any) -> Any:
        raise TypeError(
            "entries of q cannot be read along a motion;"
            " call formulas.kinematics.joint_poses(tree, q) instead"
        )

    def __iter__(self) -> Iterator[Any]:
        return self[0]


class SeriesDoNotNestError(ArgumentError):
    """A formula that uses Taylor series internally received Taylor series."""


def refuse_series(tree: Tree, arguments: Iterable[Any]) -> None:
    """Raise SeriesDoNotNestError if any number is a Taylor series already."""
    nodes = (x for node in tree.nodes for x in (*node.R0.flat, *node.p0, *node.S.flat))
    of_tree = (*nodes, *(x for _, R, p in tree.frames for x in (*R.flat, *p)))
    values = (x for a in arguments for x in ([a] if isinstance(a, Motion) else np.ravel(a)))
    if any(isinstance(x, (Jet, Motion)) for x in (*of_tree, *values)):
        raise SeriesDoNotNestError(
            "Taylor series do not nest: a formula that uses series itself (a time derivative, or a"
            " derivative without a closed form) cannot be differentiated by series"
        )


def coordinates(tree: Tree, q: Array | Motion) -> Array:
    """The entries of a configuration, for formulas of coordinates themselves: jets on a motion."""
    if not isinstance(q, Motion):
        return q
    if not any(isinstance(x, Jet) for x in q.v):  # at rest
        return q.q
    return integrate_series(tree, q.q, same_order(q.v))


def integrate_series(tree: Tree, q: Array, v: Array) -> Array:
    """Return Jets of q for those of v, one order higher."""
    coefficients = [[x] for x in q]
    for k in range(v[0].order + 1):
        partial_q, partial_v = zeros(len(q)), zeros(len(v))
        for i, c in enumerate(coefficients):
            partial_q[i] = Jet(c)
        for i, x in enumerate(v):
            partial_v[i] = Jet(x.c[: k + 1])
        for node in tree.nodes:
            rate = node.motion.configuration_rate(partial_q[node.qs], partial_v[node.vs])
            for i, x in zip(range(node.qs.start, node.qs.stop), rate, strict=True):
                if len(coefficients[i]) == k + 1:  # followers repeat their leader's
                    coefficients[i].append(x.c[k] / (k + 1))
    out = zeros(len(q))
    for i, c in enumerate(coefficients):
        out[i] = Jet(c)
    return out


def joint_displacements(tree: Tree, q: Array | Motion) -> list[Pose]:
    """Return the displacement exp(S_i q_i) of each joint."""
    out = []
    moving = isinstance(q, Motion)
    coordinates = q.q if moving else q
    for node in tree.nodes:
        coordinate = coordinates[node.qs]
        if node.gain != 1.0 or node.offset != 0.0:
            coordinate = node.gain * coordinate + node.offset
        turn, p = node.motion.displacement(coordinate, node.pitch)
        out.append(Pose([] if turn is None else [turn], p))
    if moving:
        for i, (node, rates) in enumerate(zip(tree.nodes, joint_rates(tree, q.v), strict=True)):
            if any(isinstance(x, Jet) for x in rates):
                turn, p = node.motion.drift(same_order(rates), node.pitch)
                drift = () if turn is None else (turn,)
                out[i] = Pose((*out[i].factors, *drift), out[i].r + out[i].rotate(p))
    return out


def joint_poses(tree: Tree, q: Array | Motion) -> list[Pose]:
    """Return the pose of each node in its parent, T_pi = T_pi(0) exp(S_i q_i)."""
    return [
        Pose([Rotation(node.R0), *X.factors], node.p0 + node.R0 @ X.r)
        for node, X in zip(tree.nodes, joint_displacements(tree, q), strict=True)
    ]


def joint_rates(tree: Tree, v: Array) -> list[Array]:
    """Return the joint velocities (or accelerations, jerks, ...) of each node."""
    return [node.gain * v[node.vs] for node in tree.nodes]


def collect(tree: Tree, forces: list[Array]) -> Array:
    """Assemble generalized forces from joint forces; mimic joints add to their leader."""
    tau = zeros(tree.nv)
    for node, force in zip(tree.nodes, forces, strict=True):
        tau[node.vs] = tau[node.vs] + node.gain * force
    return tau


def accumulate(tree: Tree, poses: list[Pose], root: int = -1) -> tuple[list[Array], list[Array]]:
    """Return rotation and origin of every node in the world, or in the frame of node `root`."""
    R: list[Array] = []
    p: list[Array] = []
    for i, (node, X) in enumerate(zip(tree.nodes, poses, strict=True)):
        if i == root:
            R.append(identity(3))
            p.append(zeros(3))
        elif node.parent < 0:
            R.append(X.R)
            p.append(X.r)
        else:
            Ri = Rp = R[node.parent]
            for factor in X.factors:
                Ri = Ri @ factor.R
            R.append(Ri)
            p.append(p[node.parent] + Rp @ X.r)
    return R, p


def twists(tree: Tree, poses: list[Pose], v: Array) -> list[Array]:
    """Return body-fixed twists of all nodes: V_i = Ad_pi^-1 V_p + S_i v_i, V_0 of the base."""
    V: list[Array] = []
    for node, X, vi in zip(tree.nodes, poses, joint_rates(tree, v), strict=True):
        V_i = node.S @ vi
        if node.parent >= 0:
            V_i = X.motion_to_child(V[node.parent]) + V_i
        elif tree.base:
            V_i = X.motion_to_child(tree.base[0]) + V_i
        V.append(V_i)
    return V


def base_twist(tree: Tree) -> Array:
    """Return the twist V_0 of the base that the tree is mounted on."""
    return tree.base[0] if tree.base else zeros(6)


def base_acceleration(tree: Tree) -> Array:
    """Return the spatial acceleration V_0' of the base, without gravity."""
    return tree.base[1] if tree.base else zeros(6)


def gravity_compensated_base(tree: Tree) -> Array:
    """Return the spatial acceleration of the base minus gravity."""
    lift = stack(zeros(3), -tree.gravity)
    return tree.base[1] + lift if tree.base else lift


# ------------------------------------------------------------------ frames


def frame_rotation_origin(tree: Tree, q: Array, frame: int) -> tuple[Array, Array]:
    """Return the rotation and origin of a frame in the world."""
    i, R, p = tree.frames[frame]
    poses = joint_poses(tree, q)
    while i >= 0:
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
        i = tree.nodes[i].parent
    return R, p


def frame_pose(tree: Tree, q: Array, frame: int) -> Array:
    """Return the homogeneous matrix T_0f of a frame in the world."""
    R, p = frame_rotation_origin(tree, q, frame)
    T = identity(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def frame_jacobian(tree: Tree, q: Array, frame: int) -> Array:
    """Return the body-fixed Jacobian (6, nv): J_f v is the twist of the frame in its own axes.

    Columns are Ad_if^-1 S_i, walking from the frame to the root.
    """
    return path_twists(tree, joint_poses(tree, q), tree.frames[frame])


def in_node_frame(frame: NodeFrame, V: Array) -> Array:
    """Transform a twist from a node to a frame fixed on it: Ad^-1 V."""
    _, R, p = frame
    return stack(R.T @ V[:3], R.T @ (V[3:] + cross(V[:3], p)))


def path_twists(
    tree: Tree, poses: list[Pose], frame: NodeFrame, columns: list[list[Array]] | None = None
) -> Array:
    """Return twists (6, nv) of joints on the path to a frame (default: their axes), in its axes."""
    i, R, p = frame
    out = zeros(6, tree.nv)
    while i >= 0:
        node = tree.nodes[i]
        for k, X in enumerate(node.S.T if columns is None else columns[i]):
            column = in_node_frame((i, R, p), X)
            out[:, node.v + k] = out[:, node.v + k] + node.gain * column
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
        i = node.parent
    return out


def frame_twist(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return the body-fixed twist of a frame."""
    node_frame = tree.frames[frame]
    if node_frame[0] < 0:
        return in_node_frame(node_frame, base_twist(tree))
    return in_node_frame(node_frame, twists(tree, joint_poses(tree, q), v)[node_frame[0]])


def to_mixed(R: Array, X: Array) -> Array:
    """Rotate a twist or Jacobian of a frame to world axes, about the frame's origin."""
    return stack(R @ X[:3], R @ X[3:])


def to_world(R: Array, p: Array, X: Array) -> Array:
    """Transform a twist or Jacobian of a frame to world axes, about the world's origin."""
    w, u = R @ X[:3], R @ X[3:]
    if X.ndim == 1:
        return stack(w, u + cross(p, w))
    moments = [cross(p, w[:, k]) for k in range(w.shape[1])]
    out = stack(w, u)
    for k, moment in enumerate(moments):
        out[3:, k] = out[3:, k] + moment
    return out


def frame_jacobian_mixed(tree: Tree, q: Array, frame: int) -> Array:
    """Return the mixed Jacobian (6, nv): world axes, about the frame's origin."""
    R, _ = frame_rotation_origin(tree, q, frame)
    return to_mixed(R, frame_jacobian(tree, q, frame))


def frame_jacobian_world(tree: Tree, q: Array, frame: int) -> Array:
    """Return the spatial Jacobian (6, nv): world axes, about the world's origin."""
    R, p = frame_rotation_origin(tree, q, frame)
    return to_world(R, p, frame_jacobian(tree, q, frame))


def frame_twist_mixed(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return the mixed twist: world axes, about the frame's origin."""
    R, _ = frame_rotation_origin(tree, q, frame)
    return to_mixed(R, frame_twist(tree, q, v, frame))


def frame_twist_world(tree: Tree, q: Array, v: Array, frame: int) -> Array:
    """Return the spatial twist: world axes, about the world's origin."""
    R, p = frame_rotation_origin(tree, q, frame)
    return to_world(R, p, frame_twist(tree, q, v, frame))


def mixed_rate(R: Array, V: Array, X: Array, rate: Array) -> Array:
    """Return the rate of `to_mixed` of V if the frame moves by X and V by `rate`."""
    return to_mixed(R, rate + stack(cross(X[:3], V[:3]), cross(X[:3], V[3:])))


def world_rate(R: Array, p: Array, V: Array, X: Array, rate: Array) -> Array:
    """Return the rate of `to_world` of V if the frame moves by X and V by `rate`."""
    return to_world(R, p, rate + bracket(X, V))
