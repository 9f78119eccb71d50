"""How Jacobians and coordinates move: dJ/dt with its derivatives in q, and dq/dt = Gamma(q) v.

In a frame's own axes the column of a joint i moves with the frame's twist W_i relative to node i,
the sum of J_k v_k over the joints k beyond i: Jdot_i = [J_i, W_i] (Garofalo 28 in closed form).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.kinematics import joint_poses, joint_rates
from jounce.formulas.motions import coordinates
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket, cross, stack
from jounce.model.tree import Tree

#: An array, or a `kinematics.Motion`: what formulas take for q.
Configuration = Any


class Link(NamedTuple):
    """A joint between frame and root: columns of J, the twists W and J v beyond it and of it.

    at: places of its columns in v, with the gain of a follower in both J and v.
    """

    at: range
    gain: float
    J: Array
    beyond: Array
    own: Array


def _links(tree: Tree, q: Configuration, v: Array, frame: int) -> list[Link]:
    """The joints from the frame to the root, in the frame's axes."""
    i, R, p = tree.frames[frame]
    poses, rates = joint_poses(tree, q), joint_rates(tree, v)
    out: list[Link] = []
    beyond = zeros(6)
    while i >= 0:
        node = tree.nodes[i]
        columns = [stack(R.T @ s[:3], R.T @ (s[3:] + cross(s[:3], p))) for s in node.S.T]
        J = np.stack(columns, axis=1)
        own = J @ rates[i]
        out.append(Link(range(node.vs.start, node.vs.stop), node.gain, J, beyond, own))
        beyond = beyond + own
        R, p = poses[i].rotate(R), poses[i].rotate(p) + poses[i].r
        i = node.parent
    return out


def frame_jacobian_rate(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """dJ/dt (6, nv) of the body-fixed Jacobian."""
    out = zeros(6, tree.nv)
    for link in _links(tree, q, v, frame):
        for k, column in zip(link.at, link.J.T, strict=True):
            out[:, k] = out[:, k] + link.gain * bracket(column, link.beyond)
    return out


def frame_jacobian_rate_dq(tree: Tree, q: Configuration, v: Array, frame: int) -> Array:
    """The derivative of dJ/dt in q, v held fixed (6, nv, nv): Garofalo (32) in closed form.

    Moving joint h turns the columns J_k of the joints before it by [J_k, J_h]. So for i before h
    W_i changes by [U, J_h], U = W_i - W_h - J_h v_h what lies between, and Jdot_i by

        [[J_i, J_h], W_i] + [J_i, [U, J_h]].
    """
    out = zeros(6, tree.nv, tree.nv)
    links = _links(tree, q, v, frame)
    for n, inner in enumerate(links):
        for outer in links[:n]:
            between = inner.beyond - outer.beyond - outer.own
            for h, moved in zip(outer.at, outer.J.T, strict=True):
                pushed = bracket(between, moved)
                for k, column in zip(inner.at, inner.J.T, strict=True):
                    turned = bracket(bracket(column, moved), inner.beyond)
                    change = turned + bracket(column, pushed)
                    out[:, k, h] = out[:, k, h] + (inner.gain * outer.gain) * change
    return out


def velocity_map(tree: Tree, q: Configuration) -> Array:
    """Gamma (nq, nv): dq/dt = Gamma(q) v."""
    q = coordinates(tree, q)
    Gamma = zeros(tree.nq, tree.nv)
    for node in tree.nodes:
        for h, unit in enumerate(identity(node.S.shape[1]), start=node.v):
            Gamma[node.qs, h] = node.motion.configuration_rate(q[node.qs], unit)
    return Gamma
