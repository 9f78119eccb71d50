"""Energies, center of mass, momenta and their matrices.

As in `dynamics`, functions take the elementary `Tree` of a robot and one sample of its state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jounce.errors import ModelError
from jounce.formulas.dynamics import (
    Bias,
    accelerations,
    body_bias,
    body_forces,
    composite_momentum,
    composites,
    gravity_forces,
    subtree_wrenches,
)
from jounce.formulas.kinematics import accumulate, collect, joint_poses, joint_rates, twists
from jounce.formulas.springs import spring_energy
from jounce.math.scalar import Array, array, is_zero, zeros
from jounce.math.spatial import Pose, bracket, cross, dot, force_to_frame, stack
from jounce.math.spatial import momentum as body_momentum
from jounce.model.tree import Tree


def kinetic_energy(tree: Tree, q: Array, v: Array) -> Any:
    """Return the kinetic energy v^T M v / 2, as the sum over bodies and rotors of V^T G V / 2."""
    V = twists(tree, joint_poses(tree, q), v)
    total: Any = 0.0
    for node, Vi, vi in zip(tree.nodes, V, joint_rates(tree, v), strict=True):
        total = total + dot(Vi, body_momentum(node.inertia, Vi))
        total = total + dot(node.armature * vi, vi)
    return 0.5 * total


def body_momenta(tree: Tree, V: list[Array]) -> list[Array]:
    """Return the momentum of each single body, in its node's frame."""
    return [body_momentum(node.inertia, Vi) for node, Vi in zip(tree.nodes, V, strict=True)]


def generalized_momentum(tree: Tree, q: Array, v: Array) -> Array:
    """Return the generalized momentum M v in time linear in the number of joints."""
    poses = joint_poses(tree, q)
    F = subtree_wrenches(tree, poses, body_momenta(tree, twists(tree, poses, v)))
    bodies = zip(tree.nodes, F, joint_rates(tree, v), strict=True)
    return collect(tree, [node.S.T @ f + node.armature * vi for node, f, vi in bodies])


def momentum_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Return C^T v - g, the rate of M v without tau, in time linear in the number of joints.

    With the momentum H and Z = sum of B^T V of each joint's subtree, C^T v = Sd . H + S . Z.
    """
    poses = joint_poses(tree, q)
    V = twists(tree, poses, v)
    H = subtree_wrenches(tree, poses, body_momenta(tree, V))
    body_forces = [
        Bias.of(*body_bias(n, Vi)).transposed_times(Vi) for n, Vi in zip(tree.nodes, V, strict=True)
    ]
    Z = subtree_wrenches(tree, poses, body_forces)
    forces = []
    for node, Vi, h, z in zip(tree.nodes, V, H, Z, strict=True):
        forces.append(array(dot(bracket(Vi, s), h) + dot(s, z) for s in node.S.T))
    return collect(tree, forces) - gravity_forces(tree, q)


def first_moment(tree: Tree, poses: list[Pose]) -> tuple[Any, Array]:
    """Return the mass of all moving bodies, and mass times center of mass in the world."""
    m = [node.inertia[0] for node in tree.nodes]
    h = [node.inertia[1:4] for node in tree.nodes]
    mass: Any = 0.0
    total = zeros(3)
    for i in reversed(range(len(m))):
        p = tree.nodes[i].parent
        moved = poses[i].rotate(h[i]) + m[i] * poses[i].r
        if p >= 0:
            m[p], h[p] = m[p] + m[i], h[p] + moved
        else:
            mass, total = mass + m[i], total + moved
    return mass, total


def potential_energy(tree: Tree, q: Array) -> Any:
    """Return the energy of joint springs minus gravity . mass . center of mass."""
    _, h = first_moment(tree, joint_poses(tree, q))
    return spring_energy(tree, q) - dot(tree.gravity, h)


def per_mass(mass: Any) -> Any:
    """Return 1 / mass; raise ModelError if the total mass is structurally zero."""
    if is_zero(mass):
        raise ModelError("the moving bodies have no mass, so the center of mass is undefined")
    return 1.0 / mass


def center_of_mass(tree: Tree, q: Array) -> Array:
    """Return the center of mass of the moving bodies, in the world."""
    mass, h = first_moment(tree, joint_poses(tree, q))
    return h * per_mass(mass)


def _momentum_columns(tree: Tree, q: Array) -> tuple[Array, Any, Array]:
    """Return the momentum matrix about the world's origin, mass, and mass times center of mass."""
    poses = joint_poses(tree, q)
    bodies = composites(tree, poses)
    R, p = accumulate(tree, poses)
    A = zeros(6, tree.nv)
    mass: Any = 0.0
    h = zeros(3)
    for j, node in enumerate(tree.nodes):
        for k, s in enumerate(node.S.T):
            F = force_to_frame(R[j], p[j], composite_momentum(bodies[j], s))
            A[:, node.v + k] = A[:, node.v + k] + node.gain * F
        if node.parent < 0:
            mass, h = mass + bodies[j][0], h + R[j] @ bodies[j][1] + bodies[j][0] * p[j]
    return A, mass, h


def momentum_matrix(tree: Tree, q: Array) -> Array:
    """Return A with momentum = A v (6, nv): world axes, about the world's origin."""
    return _momentum_columns(tree, q)[0]


def com_jacobian(tree: Tree, q: Array) -> Array:
    """Return the Jacobian (3, nv) of the center of mass: linear momentum per unit mass."""
    A, mass, _ = _momentum_columns(tree, q)
    return A[3:] * per_mass(mass)


def centroidal_momentum_matrix(tree: Tree, q: Array) -> Array:
    """Return A with centroidal momentum = A v (6, nv): world axes, about the center of mass."""
    A, mass, h = _momentum_columns(tree, q)
    com = h * per_mass(mass)
    for k in range(A.shape[1]):
        A[:3, k] = A[:3, k] - cross(com, A[3:, k])
    return A


def momentum(tree: Tree, q: Array, v: Array) -> Array:
    """Return the spatial momentum (L, P): world axes, about the world's origin."""
    poses = joint_poses(tree, q)
    F = body_momenta(tree, twists(tree, poses, v))
    total = zeros(6)
    for i in reversed(range(len(F))):
        p = tree.nodes[i].parent
        moved = poses[i].force_to_parent(F[i])
        if p >= 0:
            F[p] = F[p] + moved
        else:
            total = total + moved
    return total


def shaking_wrench(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return minus the time derivative of `momentum`: what the motion exerts on the base."""
    poses = joint_poses(tree, q)
    _, B, c = accelerations(replace(tree, gravity=zeros(3)), poses, v, a)
    F = subtree_wrenches(tree, poses, body_forces(tree, B, c, None))
    total = zeros(6)
    for node, X, f in zip(tree.nodes, poses, F, strict=True):
        if node.parent < 0:
            total = total - X.force_to_parent(f)
    return total


def centroidal_momentum(tree: Tree, q: Array, v: Array) -> Array:
    """Return the momentum (L, P): world axes, about the center of mass."""
    F = momentum(tree, q, v)
    com = center_of_mass(tree, q)
    return stack(F[:3] - cross(com, F[3:]), F[3:])
