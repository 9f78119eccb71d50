"""Contact kinematics: poses, Jacobians, velocities and accelerations.

A contact locks some motions (wx, wy, wz, vx, vy, vz) of its frame, in the frame's axes. Stacked
over the contacts these rows are J v with the contact Jacobian J, and J v = 0 in contact. Their rate
is J a + drift: the rate of the twist if all motions are locked, otherwise the classical
acceleration of the origin; both agree if J v = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from jounce.formulas.bodies import CLASSICAL, LOCAL, AccelerationView, Motion
from jounce.formulas.kinematics import accumulate, in_node_frame, joint_poses, path_twists, twists
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket
from jounce.model.tree import Tree

#: Placeholder for the frame pose, which accelerations in the frame's own axes do not use.
_UNUSED_POSE = (zeros(3, 3), zeros(3))


def locked_rows(locked: Iterable[bool]) -> list[int]:
    """Return the indices of the twist entries that a contact locks."""
    return [k for k, on in enumerate(locked) if on]


def _stack_rows(tree: Tree, of_contact: Callable[[int, tuple[bool, ...]], Array]) -> Array:
    """Stack the locked rows of a function (6, ...) of each contact."""
    rows = [of_contact(frame, locked)[locked_rows(locked)] for frame, locked in tree.contacts]
    return np.concatenate(rows)


def _view(locked: tuple[bool, ...]) -> AccelerationView:
    """Return the acceleration representation for a contact."""
    return LOCAL if all(locked) else CLASSICAL


def contact_poses(tree: Tree, q: Array) -> Array:
    """Return the homogeneous matrices (nk, 4, 4) of the contacts' frames in the world."""
    R, p = accumulate(tree, joint_poses(tree, q))
    out = []
    for frame, _ in tree.contacts:
        i, R_own, p_own = tree.frames[frame]
        T = identity(4)
        T[:3, :3], T[:3, 3] = R[i] @ R_own, p[i] + R[i] @ p_own
        out.append(T)
    return np.stack(out)


def contact_poses_dq(tree: Tree, q: Array) -> Array:
    """Return the body-fixed Jacobians (nk, 6, nv) of the contacts' frames."""
    poses = joint_poses(tree, q)
    return np.stack([path_twists(tree, poses, tree.frames[frame]) for frame, _ in tree.contacts])


def contact_jacobian(tree: Tree, q: Array) -> Array:
    """Return J (nc, nv): locked rows of the body-fixed Jacobians."""
    poses = joint_poses(tree, q)
    return _stack_rows(tree, lambda frame, _: path_twists(tree, poses, tree.frames[frame]))


def contact_velocities(tree: Tree, q: Array, v: Array) -> Array:
    """Return the contact velocities J v (nc,), without forming J."""
    V = twists(tree, joint_poses(tree, q), v)

    def twist(frame: int, _: object) -> Array:
        node_frame = tree.frames[frame]
        return in_node_frame(node_frame, V[node_frame[0]])

    return _stack_rows(tree, twist)


def contact_velocities_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return d(J v)/dq (nc, nv): psid of each joint on the path to each contact."""
    motion = Motion(tree, q, v)
    psid = motion.psid
    return _stack_rows(
        tree, lambda frame, _: path_twists(tree, motion.poses, tree.frames[frame], psid)
    )


def contact_accelerations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return the contact accelerations J a + drift (nc,)."""
    motion = Motion(tree, q, v, a)
    return _stack_rows(
        tree,
        lambda frame, locked: _view(locked).of(*_UNUSED_POSE, *motion.of(tree.frames[frame])),
    )


def contact_drift(tree: Tree, q: Array, v: Array) -> Array:
    """Return dJ/dt v (nc,), the contact acceleration for zero joint accelerations."""
    return contact_accelerations(tree, q, v, zeros(tree.nv))


def contact_accelerations_dq(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return d(J a + drift)/dq (nc, nv), with dV = psid and dA = psidd - ad_V psid per joint."""
    motion = Motion(tree, q, v, a)
    return _rates(motion, motion.psid, motion.psidd)


def contact_accelerations_dv(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return d(J a + drift)/dv (nc, nv), with dV = S and dA = psid + Sd - ad_V S per joint."""
    motion = Motion(tree, q, v, a)
    return _rates(motion, None, motion.psid_and_Sd)


def _rates(
    motion: Motion, twist: list[list[Array]] | None, acceleration: list[list[Array]]
) -> Array:
    """Return derivatives of contact accelerations from per-joint twist rates."""
    tree, still = motion.tree, zeros(6)

    def rates(frame: int, locked: tuple[bool, ...]) -> Array:
        node_frame, view = tree.frames[frame], _view(locked)
        V, A = motion.of(node_frame)
        dV, dA = (path_twists(tree, motion.poses, node_frame, x) for x in (twist, acceleration))
        columns = zip(dV.T, dA.T, strict=True)
        out = [view.rate(*_UNUSED_POSE, V, A, still, x, y - bracket(V, x)) for x, y in columns]
        return np.stack(out, axis=1)

    return _stack_rows(tree, rates)
