"""Contact position errors for Baumgarte stabilization, in contact axes.

An anchor is a pose (4, 4) in the world in which a contact shall stay; zeros stand for none. With E
the pose of the contact in its anchor, the error of a surface is the twist log E, that of a point
the position of its origin, and that of a line likewise with the shortest turn that lays the
anchor's x axis on the contact's. All have the rate J v at the anchor, and none a direction half a
turn from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.contact.geometry import contact_poses, contact_poses_dq, held
from jounce.math.jets import Jet, stacked_rates
from jounce.math.scalar import Array, array, atan2, identity, sqrt, where, zeros
from jounce.math.spatial import cross, dot, skew, stack
from jounce.model.tree import Tree

#: Squares of sines below which quotients of angles and sines are series.
_SMALL = 1e-3


def contact_errors(tree: Tree, q: Array, anchors: Array) -> Array:
    """Return the errors (nc,) of the locked rows of all contacts, zero without an anchor."""
    rows = zip(tree.contacts, contact_poses(tree, q), anchors, strict=True)
    return np.concatenate([_error(locked, T, anchor) for (_, locked), T, anchor in rows])


def contact_errors_dq(tree: Tree, q: Array, anchors: Array) -> Array:
    """Along velocities (nc, nv): along each motion of a contact's frame, times its Jacobian."""
    rows = zip(
        tree.contacts, contact_poses(tree, q), anchors, contact_poses_dq(tree, q), strict=True
    )
    return np.concatenate([_error_rates(locked, T, A) @ J for (_, locked), T, A, J in rows])


def _error(locked: tuple[bool, ...], T: Array, anchor: Array) -> Array:
    R0, p0, there = anchor[:3, :3], anchor[:3, 3], anchor[3, 3]
    E, away = R0.T @ T[:3, :3], T[:3, 3] - p0
    if all(locked):
        error = _log(E, R0.T @ away)
    else:
        error = stack(_tilt(E), T[:3, :3].T @ away)
    return array(where(there, x, 0.0) for x in error[held(locked)])


def _error_rates(locked: tuple[bool, ...], T: Array, anchor: Array) -> Array:
    """Return the derivatives of the error along the six frame twists."""
    columns = []
    for X in identity(6):
        moved = T.copy()
        rate = zeros(3, 4)
        rate[:, :3], rate[:, 3] = T[:3, :3] @ skew(X[:3]), T[:3, :3] @ X[3:]
        for at in np.ndindex(3, 4):
            moved[at] = Jet((T[at], rate[at]))
        columns.append(_error(locked, moved, anchor))
    return stacked_rates(columns, (6,))


def _over_sine(square: Any, cosine: Any) -> Any:
    """Return the angle over its sine, from the sine's square and the cosine."""
    series = 1.0 + square * (1 / 6 + square * (3 / 40 + square * (5 / 112 + square * (35 / 1152))))
    sine = sqrt(where(square, square, 1.0))
    quotient = atan2(sine, cosine) / sine
    return where(square - _SMALL, quotient, where(cosine, series, quotient))


def _log(E: Array, d: Array) -> Array:
    """Return the twist of the displacement with rotation E and translation d."""
    s = 0.5 * array((E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]))
    cosine = 0.5 * (E[0, 0] + E[1, 1] + E[2, 2] - 1.0)
    ratio = _over_sine(dot(s, s), cosine)
    w = ratio * s
    return stack(w, d - 0.5 * cross(w, d) + _bend(dot(w, w), ratio, cosine) * cross(w, cross(w, d)))


def _bend(square: Any, ratio: Any, cosine: Any) -> Any:
    """1/t^2 - (1 + cos t) / (2 t sin t) for the angle t with that square, ratio of t to sin t."""
    series = 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square * (1 / 1209600)))
    over = 1.0 / where(square, square, 1.0)
    return where(square - _SMALL, over * (1.0 - 0.5 * (1.0 + cosine) * ratio), series)


def _tilt(E: Array) -> Array:
    """Return the shortest turn that lays the x axis of the anchor on that of the contact."""
    x, y, z = E[0]
    ratio = _over_sine(y * y + z * z, x)
    return array((0.0, ratio * z, -(ratio * y)))
