"""Readings of sensors on a frame, and inertias of subtrees.

An accelerometer feels the specific force: the acceleration of its origin less gravity, in its own
axes. A force-torque sensor feels the wrench that accelerates and carries what is beyond it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.bodies import Motion
from jounce.formulas.dynamics import accelerations, body_forces, composites, subtree_wrenches
from jounce.formulas.kinematics import accumulate, frame_rotation_origin, joint_poses
from jounce.formulas.wrt_inertia import user_poses
from jounce.math.scalar import Array, is_zero
from jounce.math.spatial import (
    Pose,
    Rotation,
    cross,
    dual_bracket,
    momentum,
    parameters_from,
    shift_inertia,
    stack,
)
from jounce.model.tree import Tree

Configuration = Any


def _specific_force(
    tree: Tree, q: Configuration, v: Array, a: Array, frame: int
) -> tuple[Array, Array]:
    """Return the twist of a frame, and its spatial acceleration less gravity, in its own axes."""
    R, _ = frame_rotation_origin(tree, q, frame)
    V, A = Motion(tree, q, v, a).of(tree.frames[frame])
    return V, stack(A[:3], A[3:] - R.T @ tree.gravity)


def imu(tree: Tree, q: Configuration, v: Array, a: Array, frame: int) -> Array:
    """Return the angular velocity and specific force (6,), in the axes of the frame."""
    V, A = _specific_force(tree, q, v, a, frame)
    return stack(V[:3], A[3:] + cross(V[:3], V[3:]))


def load_wrench(tree: Tree, q: Configuration, v: Array, a: Array, load: Array, frame: int) -> Array:
    """Return the wrench (6,) that carries a load with ten parameters fixed to the frame."""
    V, A = _specific_force(tree, q, v, a, frame)
    return momentum(load, A) - dual_bracket(V, momentum(load, V))


def force_torque(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    *wrenches_and_frame: Any,
) -> Array:
    """Return the wrench (6,) of the joint on the body of a frame, in the axes of the frame."""
    *given, frame = wrenches_and_frame
    wrenches = given[0] if given else None
    poses = joint_poses(tree, q)
    _, B, c = accelerations(tree, poses, v, a)
    F = subtree_wrenches(tree, poses, body_forces(tree, B, c, wrenches))
    node, R, p = tree.frames[frame]
    return Pose([Rotation(R)], p).force_to_child(F[node])


# ------------------------------------------------------------------ subtrees


def subtree_inertias(tree: Tree, q: Configuration) -> Array:
    """Return the parameters (nb, 10) of each body with all that it carries, in its frame."""
    total, out = composites(tree, joint_poses(tree, q)), []
    for X, i in zip(user_poses(tree), tree.node_of_body, strict=True):
        m, h, I = total[i]
        about, moment = shift_inertia(I, h, m, -X.r)
        R = X.R
        out.append(parameters_from(m, R.T @ moment, R.T @ about @ R))
    return np.stack(out)


def subtree_centers(tree: Tree, q: Configuration) -> Array:
    """Return the centers of mass (nb, 3) of each body with all that it carries, in the world."""
    poses = joint_poses(tree, q)
    total = composites(tree, poses)
    R, p = accumulate(tree, poses)
    out = []
    for i in tree.node_of_body:
        m, h, _ = total[i]
        out.append(p[i] if is_zero(m) else p[i] + R[i] @ h * (1.0 / m))
    return np.stack(out)
