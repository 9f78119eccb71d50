"""Contact position errors for Baumgarte stabilization, in contact axes.

An anchor is the reference pose (4, 4) of a contact in the world; a matrix of zeros means none. With
the pose E of the contact in its anchor, the error of a surface is the twist log E, that of a point
the position of its origin, and that of a line the position with the shortest rotation from the
anchor's x axis to the contact's. All have the rate J v at the anchor. At half a turn the direction
of the error is undefined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.formulas.contact.geometry import contact_poses, contact_poses_dq, locked_rows
from jounce.math.jets import Jet, stacked_rates
from jounce.math.scalar import Array, array, atan2, identity, sqrt, where, zeros
from jounce.math.spatial import cross, dot, skew, stack
from jounce.model.tree import Tree

#: Squared sine below which ratios of angle and sine are computed by series.
_MAX_SERIES_ARGUMENT = 1e-3


def contact_errors(tree: Tree, q: Array, anchors: Array) -> Array:
    """Return the errors (nc,) of the locked rows of all contacts, zero without an anchor."""
    rows = zip(tree.contacts, contact_poses(tree, q), anchors, strict=True)
    return np.concatenate([_error(locked, T, anchor) for (_, locked), T, anchor in rows])


def contact_errors_dq(tree: Tree, q: Array, anchors: Array) -> Array:
    """Return d/dq (nc, nv): derivatives along twists of the contact frames times Jacobians."""
    rows = zip(
        tree.contacts, contact_poses(tree, q), anchors, contact_poses_dq(tree, q), strict=True
    )
    return np.concatenate([_error_rates(locked, T, A) @ J for (_, locked), T, A, J in rows])


def _error(locked: tuple[bool, ...], T: Array, anchor: Array) -> Array:
    R0, p0, is_set = anchor[:3, :3], anchor[:3, 3], anchor[3, 3]
    E, offset = R0.T @ T[:3, :3], T[:3, 3] - p0
    if all(locked):
        error = _log(E, R0.T @ offset)
    else:
        error = stack(_tilt(E), T[:3, :3].T @ offset)
    return array(where(is_set, x, 0.0) for x in error[locked_rows(locked)])


def _error_rates(locked: tuple[bool, ...], T: Array, anchor: Array) -> Array:
    """Return the derivatives of the error along the six frame twists."""
    columns = []
    for X in identity(6):
        moved = T.copy()
        rate = zeros(3, 4)
        rate[:, :3], rate[:, 3] = T[:3, :3] @ skew(X[:3]), T[:3, :3] @ X[3:]
        for index in np.ndindex(3, 4):
            moved[index] = Jet((T[index], rate[index]))
        columns.append(_error(locked, moved, anchor))
    return stacked_rates(columns, (6,))


def _over_sine(square: Any, cosine: Any) -> Any:
    """Return the angle over its sine, from the sine's square and the cosine."""
    series = 1.0 + square * (1 / 6 + square * (3 / 40 + square * (5 / 112 + square * (35 / 1152))))
    sine = sqrt(where(square, square, 1.0))
    quotient = atan2(sine, cosine) / sine
    return where(square - _MAX_SERIES_ARGUMENT, quotient, where(cosine, series, quotient))


def _log(E: Array, d: Array) -> Array:
    """Return the twist of the displacement with rotation E and translation d."""
    s = 0.5 * array((E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]))
    cosine = 0.5 * (E[0, 0] + E[1, 1] + E[2, 2] - 1.0)
    ratio = _over_sine(dot(s, s), cosine)
    w = ratio * s
    return stack(w, d - 0.5 * cross(w, d) + _bend(dot(w, w), ratio, cosine) * cross(w, cross(w, d)))


def _bend(square: Any, ratio: Any, cosine: Any) -> Any:
    """Return 1/t^2 - (1 + cos t) / (2 t sin t) from square = t^2 and ratio = t / sin t."""
    series = 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square * (1 / 1209600)))
    over = 1.0 / where(square, square, 1.0)
    return where(square - _MAX_SERIES_ARGUMENT, over * (1.0 - 0.5 * (1.0 + cosine) * ratio), series)


def _tilt(E: Array) -> Array:
    """Return the shortest rotation vector from the anchor's x axis to the contact's."""
    x, y, z = E[0]
    ratio = _over_sine(y * y + z * z, x)
    return array((0.0, ratio * z, -(ratio * y)))
