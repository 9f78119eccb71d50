"""The 3D scene of a viewer: a node per body, ghosts, the floor and the camera."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.io import Folders
from jounce.utils import cached_property
from jounce.viewer.live.subject import Subject
from jounce.viewer.scene import Looks, Part
from jounce.viewer.scene.shapes import along, up_of

#: Color and opacity of ghosts.
GHOST_COLOR = (0.35, 0.52, 0.85)
GHOST_OPACITY = 0.22


@dataclass(frozen=True, eq=False)
class State:
    """Configuration, independent velocity and acceleration, and wrenches at one time.

    wrenches: (nb, 6) on the bodies, in their frames, or None.
    """

    subject: Subject
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    wrenches: np.ndarray | None = None

    @cached_property
    def poses(self) -> np.ndarray:
        """Poses (nb, 4, 4) of all bodies."""
        return self.subject.poses(self.q)

    @cached_property
    def axes(self) -> tuple[np.ndarray, ...]:
        """Axes of the joints; see `Subject.axes`."""
        return self.subject.axes(self.q, self.poses)

    def points(self, bodies: Sequence[int], local: np.ndarray) -> np.ndarray:
        """Transform points (n, 3) from bodies (-1: the world) to the world."""
        T = np.concatenate((self.poses, np.eye(4)[None]))[list(bodies)]
        return np.einsum("nij,nj->ni", T[:, :3, :3], local) + T[:, :3, 3]


def split_poses(poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split poses (..., 4, 4) into quaternions (..., 4) and positions (..., 3)."""
    return lie.quaternion.from_rotation(poses[..., :3, :3]), poses[..., :3, 3]


def merge_parts(parts: Iterable[Part]) -> dict[tuple[int, tuple[float, ...]], tuple[Any, Any]]:
    """Merge parts with the same body and color; return vertices and triangles by both."""
    groups: dict[tuple[int, tuple[float, ...]], list[Part]] = {}
    for part in parts:
        groups.setdefault((part.body, tuple(part.color)), []).append(part)
    return {key: _concatenate_meshes(group) for key, group in groups.items()}


def _concatenate_meshes(parts: Sequence[Part]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    faces = [part.faces + start for part, start in zip(parts, starts, strict=True)]
    return np.concatenate([part.vertices for part in parts]), np.concatenate(faces)


class Stage:
    """The scene of one viewer: only poses are sent when the robot moves."""

    def __init__(
        self,
        server: Any,
        subject: Subject,
        looks: Looks,
        extent: np.ndarray,
        package_dirs: Folders = (),
    ) -> None:
        self.package_dirs, self._extent = package_dirs, extent
        self.server, self.scene, self.subject, self.looks = server, server.scene, subject, looks
        self.size = looks.size
        self._ghosts: list[tuple[int, Any]] = []
        self._bodies: list[Any] = []
        low, high = self.bounds
        # Sizes of overlays are relative to the robot's extent.
        self.size = max(float(np.linalg.norm(high - low)) / 2.0, 1e-3)
        with server.atomic():
            for i in range(subject.model.nb):
                self._bodies.append(self.scene.add_frame(self.node(i), show_axes=False))
            self.scene.configure_default_lights(cast_shadow=False)  # slow without a fast GPU
            self.shapes = self.add_parts("look", looks.parts)
            self._add_floor()
        self._set_camera()

    # -------------------------------------------------------------- nodes

    @staticmethod
    def node(body: int) -> str:
        """Return the node name of a body, by number because link names can hold anything."""
        return "/robot/world" if body < 0 else f"/robot/body{body}"

    def add_parts(
        self,
        group: str,
        parts: Iterable[Part],
        color: tuple[float, ...] | None = None,
        opacity: float | None = None,
    ) -> list[Any]:
        """Add meshes below the nodes of their bodies, in their own colors or in one."""
        nodes = []
        for k, ((body, part_color), (vertices, faces)) in enumerate(merge_parts(parts).items()):
            alpha = part_color[3] if opacity is None else opacity
            node = self.scene.add_mesh_simple(
                f"{self.node(body)}/{group}{k}",
                vertices,
                faces,
                color=tuple(part_color[:3] if color is None else color),
                opacity=None if alpha >= 1.0 else float(alpha),
                flat_shading=True,
                side="double",
            )
            nodes.append(node)
        return nodes

    def move(self, state: State) -> None:
        """Move the bodies to their poses at a state."""
        turns, places = split_poses(state.poses)
        for node, turn, place in zip(self._bodies, turns, places, strict=True):
            node.wxyz, node.position = turn, place

    # -------------------------------------------------------------- ghosts

    def add_ghosts(self, count: int) -> None:
        """Add translucent copies of the robot, with one batched node per body."""
        plain = [
            Part(p.body, p.link, p.vertices, p.faces, GHOST_COLOR, "") for p in self.looks.parts
        ]
        identity = np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)), np.zeros((count, 3))
        for (body, _), (vertices, faces) in merge_parts(plain).items():
            if body < 0:
                continue  # The ground does not move and needs no copies.
            node = self.scene.add_batched_meshes_simple(
                f"/ghosts/body{body}",
                vertices,
                faces,
                *identity,
                batched_colors=tuple(GHOST_COLOR),
                opacity=GHOST_OPACITY,
                side="double",
                lod="off",
                cast_shadow=False,
                receive_shadow=False,
            )
            self._ghosts.append((body, node))

    def move_ghosts(self, q: np.ndarray) -> None:
        """Move the ghosts to configurations (count, nq)."""
        turns, places = split_poses(self.subject.poses(q))
        for body, node in self._ghosts:
            node.batched_wxyzs, node.batched_positions = turns[:, body], places[:, body]

    def show_ghosts(self, visible: bool) -> None:
        """Show or hide all ghosts."""
        for _, node in self._ghosts:
            node.visible = visible

    # -------------------------------------------------------------- floor and camera

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounding box of the robot over the configurations given to the constructor."""
        return self._bounds_of(self._extent)

    def _bounds_of(self, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the bounding box of the robot over configurations (n, nq)."""
        points = []
        for q in path:
            poses = np.concatenate((self.subject.poses(q), np.eye(4)[None]))
            points.append(poses[:-1, :3, 3])
            for part in self.looks.parts:
                T = poses[part.body]
                points.append(part.vertices @ T[:3, :3].T + T[:3, 3])
        cloud = np.concatenate(points)
        return cloud.min(axis=0), cloud.max(axis=0)

    @cached_property
    def up(self) -> np.ndarray:
        """Unit vector opposite to gravity; z without gravity."""
        return up_of(self.subject.model.gravity)

    def _add_floor(self) -> None:
        """Add a grid below the robot, normal to gravity."""
        low, high = self.bounds
        corners = np.array(
            [[(low, high)[k][i] for i, k in enumerate(x)] for x in np.ndindex(2, 2, 2)]
        )
        height = min(0.0, float((corners @ self.up).min()))
        cell = 10.0 ** np.floor(np.log10(self.size))
        turn = lie.quaternion.from_rotation(along(self.up))
        width = float(np.ceil(6.0 * self.size / cell) * cell)
        self.scene.set_up_direction(self.up)
        self.scene.add_grid(
            "/floor",
            width,
            width,
            cell_size=cell / 2.0,
            section_size=cell,
            cell_color=(225, 225, 225),
            section_color=(190, 190, 190),
            wxyz=turn,
            position=height * self.up,
        )

    def _set_camera(self) -> None:
        """Set the camera of new browsers."""
        camera = self.server.initial_camera
        camera.position, camera.look_at = self._viewpoint(*self.bounds)
        camera.up = self.up
        camera.fov = np.pi / 4.0
        camera.near, camera.far = self.size / 100.0, self.size * 100.0

    def look(self, camera: Any, q: np.ndarray) -> None:
        """Point a camera at the robot at a configuration (nq,)."""
        camera.position, camera.look_at = self._viewpoint(*self._bounds_of(q[None]))

    def _viewpoint(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return position and target of a camera: the widest side of a box, from slightly above."""
        middle, up = (low + high) / 2.0, self.up
        wide = np.where(np.abs(up) > 0.9, np.inf, high - low)
        front = np.eye(3)[int(np.argmin(wide))]  # across its thinnest side
        front = front - (front @ up) * up
        front /= np.linalg.norm(front)
        aside = np.cross(up, front)
        flat = float(np.abs(up) @ (high - low)) < 0.3 * self.size
        view = 2.4 * front + 1.0 * aside + (2.4 if flat else 0.7) * up
        right = np.cross(up, view) / np.linalg.norm(np.cross(up, view))
        # Shift the robot to the left because the panel is on the right.
        target = middle + 0.45 * self.size * right
        return target + self.size * view, target
