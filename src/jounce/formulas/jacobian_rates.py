"""Time derivatives of Jacobians, and the velocity map dq/dt = Gamma(q) v.

In a frame's own axes the column of a joint i moves with the frame's twist W_i relative to node i,
the sum of J_k v_k over the joints k beyond i: Jdot_i = [J_i, W_i] (Garofalo 28 in closed form).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.kinematics import coordinates, joint_poses, joint_rates
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket, cross, stack
from jounce.model.tree import Tree

#: Type of q: an array, or a `kinematics.Motion`.
Configuration = Any


def frame_jacobian_rate(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """Return dJ/dt (6, nv) of the body-fixed Jacobian, in the frame's axes."""
    i, R, p = tree.frames[frame]
    poses, rates = joint_poses(tree, q), joint_rates(tree, v)
    out, beyond = zeros(6, tree.nv), zeros(6)
    while i >= 0:
        node = tree.nodes[i]
        columns = [stack(R.T @ s[:3], R.T @ (s[3:] + cross(s[:3], p))) for s in node.S.T]
        for k, column in zip(range(node.vs.start, node.vs.stop), columns, strict=True):
            out[:, k] = out[:, k] + node.gain * bracket(column, beyond)
        beyond = beyond + np.stack(columns, axis=1) @ rates[i]
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
        i = node.parent
    return out


def velocity_map(tree: Tree, q: Configuration) -> Array:
    """Return the velocity map Gamma (nq, nv): dq/dt = Gamma(q) v."""
    q = coordinates(tree, q)
    Gamma = zeros(tree.nq, tree.nv)
    for node in tree.nodes:
        for h, unit in enumerate(identity(node.S.shape[1]), start=node.v):
            Gamma[node.qs, h] = node.motion.configuration_rate(q[node.qs], unit)
    return Gamma
