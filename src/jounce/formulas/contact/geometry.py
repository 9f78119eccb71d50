"""Contact kinematics: poses, Jacobians, velocities and accelerations.

A contact locks some motions (wx, wy, wz, vx, vy, vz) of its frame, in the frame's own axes. Stacked
over the contacts these rows are J v, J the contact Jacobian, and J v = 0 while all touch. How they
accelerate is J a + drift: the rate of the twist where the frame is held altogether, and where it
may turn with the acceleration of its origin as that of a point; both are one while J v = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from jounce.formulas.bodies import CLASSICAL, OWN, Motion, View
from jounce.formulas.kinematics import accumulate, carried, in_seat, joint_poses, twists
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket
from jounce.model.tree import Tree

#: What a view of accelerations that stays with its frame needs not know: where the frame is.
_ANYWHERE = (zeros(3, 3), zeros(3))


def held(locked: Iterable[bool]) -> list[int]:
    """Return the rows of a twist that a contact locks."""
    return [k for k, on in enumerate(locked) if on]


def _stacked(tree: Tree, of_contact: Callable[[int, tuple[bool, ...]], Array]) -> Array:
    """Return the locked rows of what each contact's frame has (6, ...)."""
    rows = [of_contact(frame, locked)[held(locked)] for frame, locked in tree.contacts]
    return np.concatenate(rows)


def _view(locked: tuple[bool, ...]) -> View:
    """Return the acceleration representation for a contact."""
    return OWN if all(locked) else CLASSICAL


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
    return np.stack([carried(tree, poses, tree.frames[frame]) for frame, _ in tree.contacts])


def contact_jacobian(tree: Tree, q: Array) -> Array:
    """Return J (nc, nv): locked rows of the body-fixed Jacobians."""
    poses = joint_poses(tree, q)
    return _stacked(tree, lambda frame, _: carried(tree, poses, tree.frames[frame]))


def contact_velocities(tree: Tree, q: Array, v: Array) -> Array:
    """Return J v (nc,), without J."""
    V = twists(tree, joint_poses(tree, q), v)

    def twist(frame: int, _: object) -> Array:
        seat = tree.frames[frame]
        return in_seat(seat, V[seat[0]])

    return _stacked(tree, twist)


def contact_velocities_dq(tree: Tree, q: Array, v: Array) -> Array:
    """Return psid of each joint on the way to each contact (nc, nv)."""
    motion = Motion(tree, q, v)
    psid = motion.psid
    return _stacked(tree, lambda frame, _: carried(tree, motion.poses, tree.frames[frame], psid))


def contact_accelerations(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return J a + drift (nc,)."""
    motion = Motion(tree, q, v, a)
    return _stacked(
        tree,
        lambda frame, locked: _view(locked).of(*_ANYWHERE, *motion.of(tree.frames[frame])),
    )


def contact_drift(tree: Tree, q: Array, v: Array) -> Array:
    """Return dJ/dt v (nc,), the contact acceleration for zero joint accelerations."""
    return contact_accelerations(tree, q, v, zeros(tree.nv))


def contact_accelerations_dq(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return d/dq (nc, nv), with dV = psid and dA = psidd - ad_V psid per joint."""
    motion = Motion(tree, q, v, a)
    return _rates(motion, motion.psid, motion.psidd)


def contact_accelerations_dv(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return d/dv (nc, nv), with dV = S and dA = psid + Sd - ad_V S per joint."""
    motion = Motion(tree, q, v, a)
    return _rates(motion, None, motion.psid_and_Sd)


def _rates(
    motion: Motion, twist: list[list[Array]] | None, acceleration: list[list[Array]]
) -> Array:
    """Return derivatives of contact accelerations from per-joint twist rates."""
    tree, still = motion.tree, zeros(6)

    def rates(frame: int, locked: tuple[bool, ...]) -> Array:
        seat, view = tree.frames[frame], _view(locked)
        V, A = motion.of(seat)
        dV, dA = (carried(tree, motion.poses, seat, x) for x in (twist, acceleration))
        columns = zip(dV.T, dA.T, strict=True)
        out = [view.rate(*_ANYWHERE, V, A, still, x, y - bracket(V, x)) for x, y in columns]
        return np.stack(out, axis=1)

    return _stacked(tree, rates)
