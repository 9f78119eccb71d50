"""Overlays of a robot: arrows, arcs, axes and ellipsoids, as triangles.

Arrows and arcs have constant triangles, so that a viewer sends only vertices when they change;
those of length zero collapse to a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from jounce.model import inertia
from jounce.viewer.scene import shapes

#: Sides of a shaft, rings along an arc, and radius of a head in radii of the shaft.
SIDES, RINGS, HEAD = 10, 24, 2.4

#: Positions of the rings of a straight arrow, relative to its shaft, and widths, in radii.
_STRAIGHT = np.array((0.0, 0.0, 1.0, 1.0))
_WIDTHS = np.array((0.0, 1.0, 1.0, HEAD, 0.0))


@dataclass(frozen=True)
class Ellipsoid:
    """Half axes (3,) in m along the columns of a pose (4, 4) in the body's frame."""

    radii: np.ndarray
    pose: np.ndarray


def uniform_ellipsoid(pi: np.ndarray) -> Ellipsoid | None:
    """Return the ellipsoid of constant density with a body's ten parameters; None without mass.

    From I_1 = m / 5 (b^2 + c^2) and so on; an axis is zero if the moments are not physical.
    """
    if not pi[0] > 0.0:
        return None
    principal = inertia.principal(pi)
    moments = np.asarray(principal.moments, dtype=float)
    squares = 2.5 / pi[0] * (moments.sum() - 2.0 * moments)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = principal.axes, pi[1:4] / pi[0]
    return Ellipsoid(np.sqrt(np.maximum(squares, 0.0)), pose)


def image_of_ball(A: np.ndarray, ball: np.ndarray) -> np.ndarray:
    """Return the vertices (V, 3) of the image of the unit ball under a matrix A (3, n).

    By the symmetric root of A A^T, which does not rotate: vertices move continuously with A, and
    the half axes are A's singular values.
    """
    squares, axes = np.linalg.eigh(A @ A.T)
    return ball @ (axes * np.sqrt(np.maximum(squares, 0.0))) @ axes.T


def arrows(starts: np.ndarray, vectors: np.ndarray, width: float) -> np.ndarray:
    """Return vertices of arrows from points (n, 3) along vectors (n, 3); see `arrow_faces`.

    width: radius of the shafts; short arrows are thinner.
    """
    length = np.linalg.norm(vectors, axis=1)
    radius = np.minimum(width, length / 8.0)
    x, y, z = shapes.frames_along(vectors)
    shaft = np.maximum(length - 2.0 * HEAD * radius, 0.0)
    along = np.concatenate((shaft[:, None] * _STRAIGHT, length[:, None]), axis=1)
    centers = starts[:, None] + along[:, :, None] * z[:, None]
    wide = np.broadcast_to(x[:, None], centers.shape), np.broadcast_to(y[:, None], centers.shape)
    return _sweep_rings(centers, *wide, radius[:, None] * _WIDTHS)


@cache
def arrow_faces(count: int) -> np.ndarray:
    """Return the triangles of `count` arrows."""
    return _grid(count, len(_WIDTHS))


def arcs(
    centers: np.ndarray, axes: np.ndarray, angles: np.ndarray, radius: float, width: float
) -> np.ndarray:
    """Return vertices of arcs about axes (n, 3) through centers (n, 3), with arrow heads.

    angles (n,) in rad, positive as the right hand turns about the axis; `arc_faces` has the
    triangles. width: radius of the bar, thinner where an arc is short.
    """
    x, y, z = shapes.frames_along(axes)
    length = np.abs(angles) * radius
    thick = np.minimum(width, length / 8.0)
    head = np.sign(angles) * 2.0 * HEAD * thick / radius
    s = np.linspace(0.0, 1.0, RINGS)
    bar = (angles - head)[:, None] * s
    start, end = bar[:, :1], bar[:, -1:]
    theta = np.concatenate((start, bar, end, angles[:, None]), axis=1)
    widths = np.concatenate(([0.0], np.ones(RINGS), [HEAD, 0.0]))
    out = np.cos(theta)[:, :, None] * x[:, None] + np.sin(theta)[:, :, None] * y[:, None]
    points = centers[:, None] + radius * out
    # flipped for negative angles, so that triangles face outward
    up = np.sign(angles + (angles == 0.0))[:, None, None] * np.broadcast_to(z[:, None], out.shape)
    return _sweep_rings(points, up, out, thick[:, None] * widths)


@cache
def arc_faces(count: int) -> np.ndarray:
    """Return the triangles of `count` arcs."""
    return _grid(count, RINGS + 3)


def _sweep_rings(
    centers: np.ndarray, x: np.ndarray, y: np.ndarray, radii: np.ndarray
) -> np.ndarray:
    """Return vertices (n m SIDES, 3) of rings with centers (n, m, 3) in the planes of x and y."""
    angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
    ring = np.cos(angles)[:, None] * x[:, :, None] + np.sin(angles)[:, None] * y[:, :, None]
    return (centers[:, :, None] + radii[:, :, None, None] * ring).reshape(-1, 3)


def _grid(count: int, rings: int) -> np.ndarray:
    """Return the triangles between the rings of `_sweep_rings`."""
    ring = np.arange(SIDES)
    next_in_ring = np.roll(ring, -1)
    strip = np.concatenate(
        (
            np.stack((ring, next_in_ring, next_in_ring + SIDES), axis=1),
            np.stack((ring, next_in_ring + SIDES, ring + SIDES), axis=1),
        )
    )
    single = (np.arange(rings - 1)[:, None, None] * SIDES + strip).reshape(-1, 3)
    return (np.arange(count)[:, None, None] * (rings * SIDES) + single).reshape(-1, 3)


@cache
def ball(sides: int = shapes.SIDES) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and triangles of the unit ball."""
    surface = shapes.solid("sphere", (1.0,), sides)
    return surface.vertices, surface.faces


def axes_of(twists: np.ndarray, poses: np.ndarray, homes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return points, directions (n, 3) and rotation flags (n,) of twists (n, 6) in body frames.

    poses (n, 4, 4) of the bodies; homes (n, 3): points of the bodies where translation axes are
    drawn, and near which rotation axes are drawn.
    """
    w, u = twists[:, :3], twists[:, 3:]
    square = np.sum(w * w, axis=1, keepdims=True)
    turns = square[:, 0] > 1e-16 * np.maximum(np.sum(u * u, axis=1), 1e-30)
    safe = np.where(square > 0.0, square, 1.0)
    foot = np.cross(w, u) / safe
    foot += w * (np.sum(w * (homes - foot), axis=1, keepdims=True) / safe)
    local = np.where(turns[:, None], foot, homes)
    along = np.where(turns[:, None], w, u)
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = along / np.where(length > 0.0, length, 1.0)
    points = np.einsum("nij,nj->ni", poses[:, :3, :3], local) + poses[:, :3, 3]
    return points, np.einsum("nij,nj->ni", poses[:, :3, :3], along), turns
