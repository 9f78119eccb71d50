"""Robots as pictures: a small renderer with a depth buffer and smooth shading, on NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jounce.viewer.scene import looks

#: Faces that meet at less than this angle (its cosine) are shaded as one smooth surface.
SMOOTH = 0.8
#: Brightness of faces in the shade.
SHADE = 0.45
#: Samples per pixel, along each side.
FINE = 3


def picture(
    robot: Any,
    poses: Sequence[np.ndarray],
    path: Path,
    *,
    size: tuple[int, int] = (640, 480),
    view: tuple[float, float] = (-60.0, 18.0),
    ghost: float = 0.25,
) -> None:
    """Write a picture of the robot at the last pose, with the others as ghosts."""
    from PIL import Image

    shapes = [_shape(part) for part in looks(robot.model).parts]
    scenes = [_project(robot, q, shapes, view) for q in poses]
    every = np.concatenate([corners[..., :2].reshape(-1, 2) for corners, _, _ in scenes])
    low, high = every.min(0), every.max(0)
    scale = 0.94 * min(np.array(size) / np.maximum(high - low, 1e-9))
    offset = np.array(size) / 2 - scale * (low + high) / 2
    image = np.zeros((size[1], size[0], 4))
    for k, scene in enumerate(scenes):
        layer = _rasterize(scene, scale, offset, size)
        if k < len(scenes) - 1:
            layer[..., 3] *= ghost * (1 + k) / len(scenes) * 2
        image = _over(layer, image)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray((255 * np.clip(image, 0, 1)).round().astype(np.uint8)).save(path, optimize=True)


def _shape(part: Any) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Body, corners (n, 3, 3), normals at them (n, 3, 3) and color of a part, in its own axes."""
    corners = np.asarray(part.vertices)[part.faces]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    rounded = np.round(corners.reshape(-1, 3), 6)
    _, vertex = np.unique(rounded, axis=0, return_inverse=True)
    order = np.argsort(vertex.ravel(), kind="stable")
    normals = np.repeat(unit, 3, axis=0)
    smooth = normals.copy()
    for group in np.split(order, np.flatnonzero(np.diff(vertex.ravel()[order])) + 1):
        near = normals[group] @ normals[group].T > SMOOTH
        smooth[group] = near @ flat.repeat(3, axis=0)[group] if len(group) < 64 else normals[group]
    smooth /= np.maximum(np.linalg.norm(smooth, axis=1, keepdims=True), 1e-30)
    return part.body, corners, smooth.reshape(-1, 3, 3), np.asarray(part.color, dtype=float)


def _project(robot: Any, q: np.ndarray, shapes: Any, view: tuple[float, float]) -> Any:
    """Corners in the axes of the picture (right, up, toward the viewer), brightness, colors."""
    a, e = np.radians(view)
    toward = np.array((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)))
    right = np.array((-np.sin(a), np.cos(a), 0.0))
    axes = np.stack((right, np.cross(toward, right), toward), axis=-1)
    light = np.array((-0.45, 0.65, 0.6)) / np.linalg.norm((-0.45, 0.65, 0.6))
    where = np.concatenate((robot.body_poses(q), np.eye(4)[None]))  # the world is body -1
    out: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for body, corners, normals, color in shapes:
        R, p = where[body, :3, :3], where[body, :3, 3]
        facing = normals @ R.T @ axes
        bright = SHADE + (1 - SHADE) * np.clip(facing @ light, 0, 1)
        shine = 0.25 * np.clip(facing @ _half(light), 0, 1) ** 24
        lit = np.clip(bright[..., None] * color[:3] + shine[..., None], 0, 1)
        out.append(((corners @ R.T + p) @ axes, lit, np.full(len(corners), color[3])))
    return tuple(np.concatenate(x) for x in zip(*out, strict=True))


def _half(light: np.ndarray) -> np.ndarray:
    middle = light + np.array((0.0, 0.0, 1.0))
    return middle / np.linalg.norm(middle)


def _rasterize(scene: Any, scale: float, offset: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The scene as an image (height, width, 4), each pixel the mean of its samples."""
    corners, lit, _ = scene
    width, height = size[0] * FINE, size[1] * FINE
    pixels = (corners[..., :2] * scale + offset) * FINE
    pixels[..., 1] = height - pixels[..., 1]
    depth = np.full((height, width), -np.inf)
    image = np.zeros((height, width, 4))
    for points, z, colors in zip(pixels, corners[..., 2], lit, strict=True):
        x0, y0 = np.maximum(np.floor(points.min(0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(points.max(0)).astype(int) + 1, (width, height))
        (ax, ay), (bx, by), (cx, cy) = points
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area >= 0 or x1 <= x0 or y1 <= y0:  # seen from behind
            continue
        x, y = np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]
        u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
        v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
        weights = np.stack((u, v, 1 - u - v), axis=-1)
        z_here = weights @ z
        near = depth[y0:y1, x0:x1]
        hit = (weights >= -1e-9).all(-1) & (z_here > near)
        near[hit] = z_here[hit]
        image[y0:y1, x0:x1][hit] = weights[hit] @ np.append(colors, np.ones((3, 1)), axis=1)
    parts = image.reshape(size[1], FINE, size[0], FINE, 4)
    cover = parts[..., 3].mean((1, 3))
    color = parts[..., :3].sum((1, 3)) / np.maximum(parts[..., 3].sum((1, 3)), 1)[..., None]
    return np.concatenate((color, cover[..., None]), axis=-1)


def _over(top: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Composite an image over another."""
    a, b = top[..., 3:], below[..., 3:]
    alpha = a + b * (1 - a)
    color = (top[..., :3] * a + below[..., :3] * b * (1 - a)) / np.maximum(alpha, 1e-9)
    return np.concatenate((color, alpha), axis=-1)
