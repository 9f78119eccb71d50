"""Motion of one frame seen from another: only the joints between the two take part.

Both frames are followed up to their nearest common ancestor. With the motion of frame f and of the
reference r relative to it, and T = T_rf,

    V = V_f - Ad_T^-1 V_r        A = V' = A_f - Ad_T^-1 A_r + ad_V Ad_T^-1 V_r

in the axes of f; T' = T [V].
"""

from __future__ import annotations

from typing import Any

from jounce.formulas.kinematics import NodeFrame, in_node_frame, joint_poses, joint_rates
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import Pose, bracket, motion_to_frame
from jounce.model.tree import Tree

Configuration = Any


def _chain(tree: Tree, node: int) -> list[int]:
    return [] if node < 0 else [node, *tree.ancestors[node]]


def paths(tree: Tree, i: int, j: int) -> tuple[list[int], list[int]]:
    """Return the nodes from i, and from j, up to below their nearest common ancestor."""
    one, other = _chain(tree, i), _chain(tree, j)
    shared = {*one} & {*other}
    return [k for k in one if k not in shared], [k for k in other if k not in shared]


def _pose(poses: list[Pose], path: list[int], seat: NodeFrame) -> tuple[Array, Array]:
    """Return the rotation and origin of a seat in the node above its path."""
    _, R, p = seat
    for i in path:
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
    return R, p


def _between(tree: Tree, poses: list[Pose], frame: int, reference: int) -> tuple[Array, Array]:
    """Return the rotation and origin of a frame in the reference."""
    seat, base = tree.frames[frame], tree.frames[reference]
    own, other = paths(tree, seat[0], base[0])
    (R, p), (R0, p0) = _pose(poses, own, seat), _pose(poses, other, base)
    return R0.T @ R, R0.T @ (p - p0)


def relative_pose(tree: Tree, q: Configuration, frame: int, reference: int) -> Array:
    """Return the homogeneous matrix of a frame in the reference."""
    T = identity(4)
    T[:3, :3], T[:3, 3] = _between(tree, joint_poses(tree, q), frame, reference)
    return T


def _columns(tree: Tree, poses: list[Pose], path: list[int], seat: NodeFrame) -> Array:
    """Return the body-fixed Jacobian (6, nv) of a seat relative to the node above its path."""
    _, R, p = seat
    out = zeros(6, tree.nv)
    for i in path:
        node = tree.nodes[i]
        for k, S in enumerate(node.S.T):
            column = in_node_frame((i, R, p), S)
            out[:, node.v + k] = out[:, node.v + k] + node.gain * column
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
    return out


def relative_jacobian(tree: Tree, q: Configuration, frame: int, reference: int) -> Array:
    """Return J (6, nv): J v is the twist of a frame relative to the reference, in its own axes."""
    poses, seat, base = joint_poses(tree, q), tree.frames[frame], tree.frames[reference]
    own, other = paths(tree, seat[0], base[0])
    R, p = _between(tree, poses, frame, reference)
    J, moved = _columns(tree, poses, own, seat), _columns(tree, poses, other, base)
    for k in range(tree.nv):
        J[:, k] = J[:, k] - motion_to_own(R, p, moved[:, k])
    return J


def motion_to_own(R: Array, p: Array, V: Array) -> Array:
    """Return Ad_T^-1 V of the pose T = (R, p)."""
    return motion_to_frame(R.T, -(R.T @ p), V)


def _motion(
    tree: Tree, poses: list[Pose], path: list[int], seat: NodeFrame, v: Array, a: Array
) -> tuple[Array, Array]:
    """Return the twist of a seat relative to the node above its path, and its rate."""
    V, A = zeros(6), zeros(6)
    velocities, accelerations = joint_rates(tree, v), joint_rates(tree, a)
    for i in reversed(path):
        node = tree.nodes[i]
        own = node.S @ velocities[i]
        V = poses[i].motion_to_child(V) + own
        A = poses[i].motion_to_child(A) + node.S @ accelerations[i] + bracket(V, own)
    return in_node_frame(seat, V), in_node_frame(seat, A)


def relative_twist(tree: Tree, q: Configuration, v: Array, frame: int, reference: int) -> Array:
    """Return the twist of a frame relative to the reference, in its own axes."""
    return _relative_motion(tree, q, v, zeros(len(v)), frame, reference)[0]


def relative_acceleration(
    tree: Tree, q: Configuration, v: Array, a: Array, frame: int, reference: int
) -> Array:
    """Return the time derivative of the relative twist."""
    return _relative_motion(tree, q, v, a, frame, reference)[1]


def _relative_motion(
    tree: Tree, q: Configuration, v: Array, a: Array, frame: int, reference: int
) -> tuple[Array, Array]:
    poses, seat, base = joint_poses(tree, q), tree.frames[frame], tree.frames[reference]
    own, other = paths(tree, seat[0], base[0])
    T = _between(tree, poses, frame, reference)
    V, A = _motion(tree, poses, own, seat, v, a)
    V_base, A_base = (motion_to_own(*T, x) for x in _motion(tree, poses, other, base, v, a))
    V = V - V_base
    return V, A - A_base + bracket(V, V_base)
