"""Wrenches that the joints and the loops of a mechanism transmit.

With the forces lam of its loops on the bodies, a mechanism is a tree, and the recursion of trees
gives what each joint transmits. lam is what the dependent joints need (`dynamics.multipliers`);
where constraints are redundant it is the shortest, and the wrenches are those that belong to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.dynamics import accelerations, body_forces, inverse_dynamics, subtree_wrenches
from jounce.formulas.joint_wrenches import on_bodies
from jounce.formulas.kinematics import joint_poses
from jounce.formulas.mechanism.loops import Closure, Configuration, loop_pairs
from jounce.math.scalar import Array
from jounce.math.spatial import Pose, Rotation, force_to_frame
from jounce.model.tree import Tree

Given = Array | None


def _pairs(
    closure: Closure, v: Array, a: Array, wrenches: Given, joint_forces: Given
) -> list[tuple[Array, Array]]:
    """Return the wrenches of the loops on their frames; v and a are those of all joints."""
    forces = inverse_dynamics(closure.tree, closure.q, v, a, wrenches)
    if joint_forces is not None:
        forces = forces - joint_forces
    return loop_pairs(closure.tree, closure.q, closure.multipliers(forces[closure.passive]))


def loop_wrenches(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    wrenches: Given = None,
    joint_forces: Given = None,
) -> Array:
    """Return the wrench (loops, 6) of each loop on its frame b, in b's axes, about b's origin."""
    closure = Closure(tree, q)
    v = closure.velocity(v)
    a = closure.acceleration(v, a)
    return np.stack([W for _, W in _pairs(closure, v, a, wrenches, joint_forces)])


def _node_wrenches(
    tree: Tree, q: Configuration, v: Array, a: Array, wrenches: Given, joint_forces: Given
) -> list[Array]:
    """Return what the joint of each node exerts on it, in the node's frame.

    The sum of the inertial wrenches of all that it moves, less those of loops and external ones.
    """
    closure = Closure(tree, q)
    v = closure.velocity(v)
    a = closure.acceleration(v, a)
    poses = joint_poses(tree, closure.q)
    _, B, c = accelerations(tree, poses, v, a)
    F = body_forces(tree, B, c, wrenches)
    pairs = _pairs(closure, v, a, wrenches, joint_forces)
    for (*frames, _), pair in zip(tree.loops, pairs, strict=True):
        for frame, W in zip(frames, pair, strict=True):
            node, R, p = tree.frames[frame]
            if node >= 0:
                F[node] = F[node] - force_to_frame(R, p, W)
    return subtree_wrenches(tree, poses, F)


def joint_wrenches(
    tree: Tree,
    q: Configuration,
    v: Array,
    a: Array,
    wrenches: Given = None,
    joint_forces: Given = None,
) -> Array:
    """Return F_i (nb, 6), the wrench of the joint of each body on it, in the body's frame."""
    return on_bodies(tree, _node_wrenches(tree, q, v, a, wrenches, joint_forces))


def force_torque(
    tree: Tree, q: Configuration, v: Array, a: Array, *wrenches_and_frame: Any
) -> Array:
    """Return the wrench (6,) of the joint on the body of a frame, in the axes of the frame."""
    *given, frame = wrenches_and_frame
    F = _node_wrenches(tree, q, v, a, given[0] if given else None, None)
    node, R, p = tree.frames[frame]
    return Pose([Rotation(R)], p).force_to_child(F[node])
