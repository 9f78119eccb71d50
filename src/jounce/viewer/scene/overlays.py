"""What is drawn over a robot: arrows, arcs, axes, ellipsoids, as triangles.

Arrows and arcs have the same triangles whatever they show, so that a viewer sends only vertices
when they change; those of length zero shrink to a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from jounce.model import inertia
from jounce.viewer.scene import shapes

#: Sides of an arrow's shaft, rings along an arc, and how many radii of the shaft a head has.
SIDES, RINGS, HEAD = 10, 24, 2.4

#: Where the rings of a straight arrow are, as parts of its shaft, and how wide, in radii.
_STRAIGHT = np.array((0.0, 0.0, 1.0, 1.0))
_WIDTHS = np.array((0.0, 1.0, 1.0, HEAD, 0.0))


@dataclass(frozen=True)
class Ellipsoid:
    """Half axes (3,) in m along the columns of a pose (4, 4) in the body's frame."""

    radii: np.ndarray
    pose: np.ndarray


def uniform_ellipsoid(pi: np.ndarray) -> Ellipsoid | None:
    """The ellipsoid of constant density with a body's ten parameters; None without mass.

    From I_1 = m / 5 (b^2 + c^2) and so on; where moments belong to no body at all, an axis is zero.
    """
    if not pi[0] > 0.0:
        return None
    found = inertia.principal(pi)
    moments = np.asarray(found.moments, dtype=float)
    squares = 2.5 / pi[0] * (moments.sum() - 2.0 * moments)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = found.axes, pi[1:4] / pi[0]
    return Ellipsoid(np.sqrt(np.maximum(squares, 0.0)), pose)


def image_of_ball(A: np.ndarray, ball: np.ndarray) -> np.ndarray:
    """Where the matrix A (3, n) takes the unit ball: vertices (V, 3) of one, moved.

    By the symmetric root of A A^T, which turns nothing: neighbors stay neighbors however A
    changes, and the half axes are A's singular values.
    """
    squares, axes = np.linalg.eigh(A @ A.T)
    return ball @ (axes * np.sqrt(np.maximum(squares, 0.0))) @ axes.T


def arrows(starts: np.ndarray, vectors: np.ndarray, width: float) -> np.ndarray:
    """Vertices of arrows from points (n, 3) along vectors (n, 3); `arrow_faces` has the triangles.

    width: radius of the shafts; short arrows are thinner.
    """
    length = np.linalg.norm(vectors, axis=1)
    radius = np.minimum(width, length / 8.0)
    x, y, z = shapes.frames_along(vectors)
    shaft = np.maximum(length - 2.0 * HEAD * radius, 0.0)
    along = np.concatenate((shaft[:, None] * _STRAIGHT, length[:, None]), axis=1)
    centers = starts[:, None] + along[:, :, None] * z[:, None]
    wide = np.broadcast_to(x[:, None], centers.shape), np.broadcast_to(y[:, None], centers.shape)
    return _swept(centers, *wide, radius[:, None] * _WIDTHS)


@cache
def arrow_faces(count: int) -> np.ndarray:
    """Triangles of so many arrows."""
    return _grid(count, len(_WIDTHS))


def arcs(
    centers: np.ndarray, axes: np.ndarray, angles: np.ndarray, radius: float, width: float
) -> np.ndarray:
    """Vertices of arcs about axes (n, 3) through centers (n, 3), with a head at their ends.

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
    # seen against the bar's own direction where it turns the other way
    up = np.sign(angles + (angles == 0.0))[:, None, None] * np.broadcast_to(z[:, None], out.shape)
    return _swept(points, up, out, thick[:, None] * widths)


@cache
def arc_faces(count: int) -> np.ndarray:
    """Triangles of so many arcs."""
    return _grid(count, RINGS + 3)


def _swept(centers: np.ndarray, x: np.ndarray, y: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Vertices (n m SIDES, 3) of rings of radii (n, m) about centers (n, m, 3), across x and y."""
    angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
    ring = np.cos(angles)[:, None] * x[:, :, None] + np.sin(angles)[:, None] * y[:, :, None]
    return (centers[:, :, None] + radii[:, :, None, None] * ring).reshape(-1, 3)


def _grid(count: int, rings: int) -> np.ndarray:
    """Triangles between the rings of `_swept`."""
    here = np.arange(SIDES)
    after = np.roll(here, -1)
    strip = np.concatenate(
        (
            np.stack((here, after, after + SIDES), axis=1),
            np.stack((here, after + SIDES, here + SIDES), axis=1),
        )
    )
    one = (np.arange(rings - 1)[:, None, None] * SIDES + strip).reshape(-1, 3)
    return (np.arange(count)[:, None, None] * (rings * SIDES) + one).reshape(-1, 3)


@cache
def ball(sides: int = shapes.SIDES) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of the unit ball."""
    surface = shapes.solid("sphere", (1.0,), sides)
    return surface.vertices, surface.faces


def axes_of(twists: np.ndarray, poses: np.ndarray, homes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Points, directions (n, 3) and whether they turn (n,), of twists (n, 6) in body frames.

    poses (n, 4, 4) of the bodies; homes (n, 3): points of the bodies where what slides is drawn,
    and near which the axis of what turns is.
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
