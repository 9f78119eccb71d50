"""The wrenches that joints transmit, F_i of the Newton-Euler recursion.

They depend on every inertial parameter, so nothing here runs on `Tree.lumped`.
"""

from __future__ import annotations

import numpy as np

from jounce.formulas.dynamics import accelerations, body_forces, subtree_wrenches
from jounce.formulas.kinematics import joint_poses
from jounce.formulas.wrt_inertia import user_poses
from jounce.math.scalar import Array
from jounce.model.tree import Tree


def joint_wrenches(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """Return F_i (nb, 6), the wrench that the joint of each body exerts on it, in body frames."""
    poses = joint_poses(tree, q)
    _, B, c = accelerations(tree, poses, v, a)
    return on_bodies(tree, subtree_wrenches(tree, poses, body_forces(tree, B, c, wrenches)))


def on_bodies(tree: Tree, F: list[Array]) -> Array:
    """Return the wrenches (nb, 6) of the joints of all bodies, in the model's frames."""
    bodies = zip(user_poses(tree), tree.node_of_body, strict=True)
    return np.stack([X.force_to_child(F[i]) for X, i in bodies])
