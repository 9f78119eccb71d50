"""Triangles of boxes, solids of revolution and rods, and frames along directions."""

from __future__ import annotations

import numpy as np

from jounce.errors import ModelError
from jounce.io.surfaces import Surface

#: Number of sides of round shapes.
SIDES = 24


def solid(shape: str, size: tuple[float, ...], sides: int = SIDES) -> Surface:
    """Return the surface of a shape of `jounce.model.Solid`, in its own frame."""
    if shape == "box":
        return box(size)
    if shape == "sphere":
        return surface_of_revolution(_arc(size[0], 0.0, -1.0, 1.0, sides // 2), sides)
    if shape == "cylinder":
        radius, half = size[0], size[1] / 2.0
        outline = [(0.0, -half), (radius, -half), (radius, half), (0.0, half)]
        return surface_of_revolution(np.array(outline), sides)
    if shape == "capsule":
        radius, half = size[0], size[1] / 2.0
        low = _arc(radius, -half, -1.0, 0.0, sides // 4)
        high = _arc(radius, half, 0.0, 1.0, sides // 4)
        return surface_of_revolution(np.concatenate((low, high)), sides)
    if shape == "ellipsoid":
        ball = solid("sphere", (1.0,), sides)
        return Surface(ball.vertices * np.array(size), ball.faces)
    raise ModelError(
        f"unknown shape '{shape}'; choose one of box, sphere, cylinder, capsule, ellipsoid"
    )


def box(size: tuple[float, ...]) -> Surface:
    """Return a box with edges of lengths (3,) along the axes."""
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))]
    return Surface(corners * np.array(size), np.array(faces))


def _arc(radius: float, z: float, start: float, end: float, steps: int) -> np.ndarray:
    """Return points (radius, height) of a circle about (0, z), between two quarter turns."""
    angles = np.linspace(start, end, steps + 1) * (np.pi / 2.0)
    across = np.cos(angles)
    across[np.abs(across) < 1e-12] = 0.0  # the poles are points
    return np.stack((radius * across, z + radius * np.sin(angles)), axis=1)


def surface_of_revolution(outline: np.ndarray, sides: int = SIDES) -> Surface:
    """Return the surface of revolution about z of an outline (n, 2) of (radius, height), upward."""
    angles = np.arange(sides) * (2.0 * np.pi / sides)
    circle = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    rings = outline[:, None, :1] * circle
    heights = np.broadcast_to(outline[:, None, 1:], (*rings.shape[:2], 1))
    vertices = np.concatenate((rings, heights), axis=2).reshape(-1, 3)
    faces = []
    for k in range(len(outline) - 1):
        lower, upper = k * sides + np.arange(sides), (k + 1) * sides + np.arange(sides)
        following = np.roll(lower, -1), np.roll(upper, -1)
        faces += [
            np.stack((lower, following[0], following[1]), 1),
            np.stack((lower, following[1], upper), 1),
        ]
    triangles = np.concatenate(faces)
    corners = vertices[triangles]
    areas = np.linalg.norm(np.cross(*np.moveaxis(corners[:, 1:] - corners[:, :1], 1, 0)), axis=1)
    scale = np.abs(outline).max() ** 2
    return Surface(vertices, triangles[areas > 1e-12 * scale])


def rod(start: np.ndarray, end: np.ndarray, radius: float, sides: int = 12) -> Surface:
    """Return a capsule between two points (3,)."""
    length = float(np.linalg.norm(end - start))
    bar = solid("capsule", (radius, length), sides)
    middle = np.eye(4)
    middle[:3, :3] = along(end - start)
    middle[:3, 3] = (start + end) / 2.0
    return bar.place(placement=middle)


def along(direction: np.ndarray) -> np.ndarray:
    """Return a rotation (3, 3) whose z axis has a direction (3,); any for zero."""
    return np.stack([axis[0] for axis in frames_along(direction[None])], axis=1)


def frames_along(directions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return orthonormal vectors x, y, z (n, 3), z along directions (n, 3); any for zero."""
    length = np.linalg.norm(directions, axis=1, keepdims=True)
    z = np.where(length > 0.0, directions / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0))
    x = np.eye(3)[np.argmin(np.abs(z), axis=1)]
    x = x - np.sum(x * z, axis=1, keepdims=True) * z
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x, np.cross(z, x), z


def up_of(gravity: np.ndarray) -> np.ndarray:
    """Return the upward direction (3,): against gravity, or z without gravity."""
    length = float(np.linalg.norm(gravity))
    return np.array((0.0, 0.0, 1.0)) if length == 0.0 else -np.asarray(gravity) / length + 0.0
