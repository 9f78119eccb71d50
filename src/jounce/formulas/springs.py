"""Springs in joints: a potential energy k |x|^2 / 2 of the displacement x from rest.

x is the difference of the coordinate and `spring_reference`; for a spherical joint it is the
rotation vector of the turn from rest, so that the generalized force is k x in both cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.kinematics import Motion, collect, coordinates
from jounce.math import lie
from jounce.math.scalar import Array, is_zero, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Node, Tree


def has_spring(node: Node) -> bool:
    """Return whether a node has a spring."""
    return any(not is_zero(k) for k in node.stiffness)


def displacements(tree: Tree, q: Array | Motion) -> list[Array | None]:
    """Return the displacement (nv,) of each spring from rest; None for nodes without a spring."""
    if not tree.has_springs:
        return [None] * len(tree.nodes)
    q = coordinates(tree, q)
    out: list[Array | None] = []
    for node in tree.nodes:
        local, rest = q[node.qs], node.spring_reference
        if not has_spring(node):
            out.append(None)
        elif node.motion.flat:
            out.append(node.gain * local + node.offset - rest)
        else:  # spherical
            out.append(lie.quaternion_difference(lie.quaternion_exp(rest), local))
    return out


def spring_energy(tree: Tree, q: Array) -> Any:
    """Return the potential energy of all springs."""
    total: Any = 0.0
    for node, x in zip(tree.nodes, displacements(tree, q), strict=True):
        if x is not None:
            total = total + 0.5 * dot(node.stiffness * x, x)
    return total


def spring_forces(tree: Tree, q: Array | Motion) -> Array:
    """Return the generalized forces (nv,) that hold the springs: the gradient of their energy."""
    forces = [
        zeros(node.motion.nv) if x is None else node.stiffness * x
        for node, x in zip(tree.nodes, displacements(tree, q), strict=True)
    ]
    return collect(tree, forces)


def spring_stiffness(tree: Tree, q: Array | Motion) -> Array:
    """Return the derivative (nv, nv) of the spring forces in q."""
    out = zeros(tree.nv, tree.nv)
    for node, x in zip(tree.nodes, displacements(tree, q), strict=True):
        if x is None:
            continue
        K = np.diag(node.gain * node.gain * node.stiffness)
        if not node.motion.flat:
            K = K @ lie.rotation_jacobian_inverse(-x)
        out[node.vs, node.vs] = out[node.vs, node.vs] + K
    return out
