"""Errors of a motion from a reference motion, on the manifold of configurations.

With the error e = log(T(q)^-1 T(q_d)) of each joint, the reference velocity in the axes of the
moving joint is w = Ad(exp(e)) v_d. Along both motions

    de/dt = J(e)^-1 (w - v)        dw/dt = Ad(exp(e)) a_d - [v, w]

with the left Jacobian J. For joints whose velocities are rates of coordinates these are q_d - q,
v_d - v, v_d and a_d.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jounce.formulas import configurations
from jounce.formulas.kinematics import coordinates
from jounce.formulas.steps import adjoints
from jounce.math import lie
from jounce.math.scalar import Array
from jounce.math.spatial import ad, adjoint
from jounce.model.tree import Tree


class TrackingError(NamedTuple):
    """Error of a motion from a reference motion, each (nv,)."""

    #: Velocity e that leads from q to q_d in unit time.
    e: Array
    #: Time derivative of e.
    e_rate: Array
    #: Reference velocity w, at q.
    v_d: Array
    #: Time derivative of w.
    a_d: Array


def tracking_error(
    tree: Tree, q: Array, v: Array, q_d: Array, v_d: Array, a_d: Array
) -> TrackingError:
    """Return the error of (q, v) from (q_d, v_d, a_d), and the reference motion at q.

    For a mechanism, over the independent joints.
    """
    joints = replace(tree, active=None)
    active = list(range(tree.nv) if tree.active is None else tree.active)
    e = configurations.difference(joints, coordinates(tree, q), coordinates(tree, q_d))
    of_joints = np.ix_(active, active)
    to_q = configurations.joint_blocks(joints, e, lambda x: adjoint(*lie.pose_exp(x)))[of_joints]
    inverse = configurations.joint_blocks(joints, e, lie.pose_jacobian_inverse)[of_joints]
    w = to_q @ v_d
    return TrackingError(e[active], inverse @ (w - v), w, to_q @ a_d - adjoints(tree, v) @ w)


def pose_tracking_error(T: Array, V: Array, T_d: Array, V_d: Array, A_d: Array) -> TrackingError:
    """Return the error of a frame from a reference pose, all as twists in the frame's axes.

    T, T_d: poses (4, 4). V, V_d: body twists (6,), rotation first. A_d: time derivative of V_d.
    """
    R, p = T[:3, :3], T[:3, 3]
    relative = R.T @ T_d[:3, :3], R.T @ (T_d[:3, 3] - p)
    e, to_frame = lie.pose_log(*relative), adjoint(*relative)
    w = to_frame @ V_d
    return TrackingError(e, lie.pose_jacobian_inverse(e) @ (w - V), w, to_frame @ A_d - ad(V) @ w)
