"""Overlays of a viewer, one row of a table each: frames, axes, masses, forces, ellipsoids.

Most overlays are functions of the state that return meshes: the first call creates these, later
ones send their vertices only. Nodes that move with a body are created once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.errors import legible
from jounce.model.joints import FREE
from jounce.viewer.live.stage import Stage, State
from jounce.viewer.scene import looks as looks_of
from jounce.viewer.scene import overlays as geometry
from jounce.viewer.scene import shapes

#: Colors: red, green and blue from 0 to 1.
TURN, SLIDE, MASS = (0.85, 0.37, 0.01), (0.0, 0.45, 0.70), (0.80, 0.10, 0.15)
FORCE, MOMENT, GIVEN = (0.0, 0.45, 0.70), (0.46, 0.30, 0.62), (0.0, 0.62, 0.45)
SPEED, LIGHT, LOOP = (0.0, 0.62, 0.45), (0.90, 0.62, 0.0), (0.84, 0.15, 0.55)
COLLISION = (0.95, 0.50, 0.10)

#: Vertices, triangles and options of a mesh, such as its color.
Mesh = tuple[np.ndarray, np.ndarray, dict[str, Any]]
Meshes = dict[str, Mesh]


class Layer:
    """An overlay in one viewer: created when first switched on, then moved with the robot.

    on: whether it is shown. frame: the frame that is chosen in the panel.
    """

    def __init__(self, overlay: Overlay, stage: Stage) -> None:
        self.overlay, self.stage, self.subject = overlay, stage, stage.subject
        self.on, self.frame = False, ""
        self._fixed: list[Any] | None = None
        self._moving: dict[str, Any] = {}
        self._memory: dict[str, Any] = {}

    @property
    def is_created(self) -> bool:
        """True after its nodes have been created."""
        return self._fixed is not None

    def has_content(self) -> bool:
        """Return whether there is anything to show."""
        return self.overlay.available(self)

    def switch(self, on: bool, state: State) -> None:
        """Show or hide it."""
        self.on = False  # in case it cannot be created
        if on:
            if self._fixed is None:
                self._fixed = self.overlay.fixed(self)
            self.update(state)
        for node in (*(self._fixed or ()), *self._moving.values()):
            node.visible = on
        self.on = on

    def update(self, state: State) -> None:
        """Update the meshes that are not attached to a body."""
        for name, (vertices, faces, options) in self.overlay.meshes(self, state).items():
            if name in self._moving:
                self._moving[name].vertices = vertices
            elif len(vertices):
                self._moving[name] = self.add_mesh(f"/over/{name}", vertices, faces, **options)

    def add_mesh(self, name: str, vertices: Any, faces: Any, **options: Any) -> Any:
        """Add a mesh to the scene."""
        options = {"opacity": None, "side": "double", "cast_shadow": False, **options}
        return self.stage.scene.add_mesh_simple(name, vertices, faces, **options)

    def remember(self, name: str, compute: Callable[[], Any]) -> Any:
        """Return a value that is computed once, such as a scale."""
        if name not in self._memory:
            self._memory[name] = compute()
        return self._memory[name]

    def arrows(self, starts: np.ndarray, vectors: np.ndarray, width: float, color: Any) -> Mesh:
        """Return arrows from points along vectors; width: as a part of the robot's size."""
        vertices = geometry.arrows(starts, vectors, width * self.stage.size)
        return vertices, geometry.arrow_faces(len(starts)), {"color": color}


@dataclass(frozen=True)
class Overlay:
    """A kind of overlay.

    key: its name for programs. label, hint: for the panel. fixed: creates nodes that move with
    bodies. meshes: computes those that do not. available: whether a robot has such things.
    """

    key: str
    label: str
    hint: str
    fixed: Callable[[Layer], list[Any]] = lambda layer: []
    meshes: Callable[[Layer, State], Meshes] = lambda layer, state: {}
    available: Callable[[Layer], bool] = lambda layer: True


# ------------------------------------------------------------------ kinematics


def _frames(layer: Layer) -> list[Any]:
    length = 0.12 * layer.stage.size
    return [
        layer.stage.scene.add_frame(
            f"{layer.stage.node(frame.body)}/frame{k}",
            axes_length=length,
            axes_radius=length / 25.0,
            wxyz=lie.quaternion.from_rotation(frame.placement[:3, :3]),
            position=frame.placement[:3, 3],
        )
        for k, frame in enumerate(layer.subject.model.frames)
    ]


def _names(layer: Layer) -> list[Any]:
    """Names alternate between both sides; frames that coincide share a label."""
    frames, size = layer.subject.model.frames, layer.stage.size
    samples = layer.subject.samples[:4]
    poses = np.stack([np.concatenate((layer.subject.poses(q), np.eye(4)[None])) for q in samples])
    origins = [
        poses[:, x.body, :3, 3] + poses[:, x.body, :3, :3] @ x.placement[:3, 3] for x in frames
    ]
    groups: list[list[int]] = []
    for k, origin in enumerate(origins):
        near = (g for g in groups if np.abs(origins[g[0]] - origin).max() < 0.01 * size)
        group = next(near, None)
        if group is None:
            groups.append([k])
        else:
            group.append(k)
    return [
        layer.stage.scene.add_label(
            f"{layer.stage.node(frames[group[0]].body)}/name{group[0]}",
            legible(", ".join(frames[k].name for k in group), 60),
            position=frames[group[0]].placement[:3, 3],
            font_screen_scale=0.8,
            anchor=("center-left", "center-right")[k % 2],
        )
        for k, group in enumerate(groups)
    ]


def _joint_axes(layer: Layer, state: State) -> Meshes:
    joints, _, points, directions, turns = state.axes
    free = np.array([FREE in joint.row.motions for joint in layer.subject.model.joints])
    out, length = {}, 0.35 * layer.stage.size
    for turning, color in ((True, TURN), (False, SLIDE)):
        chosen = (turns == turning) & ~free[joints]
        starts = points[chosen] - 0.5 * length * directions[chosen]
        arrows = layer.arrows(starts, length * directions[chosen], 1 / 150, color)
        out[f"axes{int(turning)}"] = arrows
    return out


# ------------------------------------------------------------------ masses


def _centers_of_mass(layer: Layer) -> list[Any]:
    """Small balls at the centers of mass of the bodies, by their share of the mass."""
    vertices, faces = geometry.ball(16)
    total, nodes = layer.subject.model.mass, []
    for i, body in enumerate(layer.subject.model.bodies):
        if body.inertia[0] > 0.0:
            share = 0.25 + 0.6 * np.cbrt(body.inertia[0] / total)
            ball = 0.035 * layer.stage.size * share * vertices + body.inertia[1:4] / body.inertia[0]
            nodes.append(layer.add_mesh(f"{layer.stage.node(i)}/com", ball, faces, color=MASS))
    return nodes


def _center_of_mass(layer: Layer, state: State) -> Meshes:
    vertices, faces = geometry.ball(16)
    center = layer.subject.robot.center_of_mass(state.q)
    return {"com": (0.035 * layer.stage.size * vertices + center, faces, {"color": MASS})}


def _inertias(layer: Layer) -> list[Any]:
    vertices, faces = geometry.ball()
    nodes = []
    for i, body in enumerate(layer.subject.model.bodies):
        ellipsoid = geometry.uniform_ellipsoid(body.inertia)
        if ellipsoid is not None:
            shape = vertices * np.maximum(ellipsoid.radii, 1e-4 * layer.stage.size)
            placed = shape @ ellipsoid.pose[:3, :3].T + ellipsoid.pose[:3, 3]
            name = f"{layer.stage.node(i)}/inertia"
            nodes.append(layer.add_mesh(name, placed, faces, color=SLIDE, opacity=0.4))
    return nodes


# ------------------------------------------------------------------ forces


def _gravity(layer: Layer, state: State) -> Meshes:
    """Arcs about axes and arrows along them, each to a scale from random configurations."""
    subject, size = layer.subject, layer.stage.size
    joints, velocities, points, directions, turns = state.axes

    def torques(q: np.ndarray) -> np.ndarray:
        return np.apply_along_axis(subject.expand_forces, -1, subject.dynamics.gravity_forces(q))

    leading = np.array([joint.mimic is None for joint in subject.model.joints])[joints]
    shown = leading & np.isin(velocities, list(subject.dynamics.velocities))
    largest = layer.remember("largest", lambda: np.abs(torques(subject.samples)).max(axis=0))
    now, out = torques(state.q), {}
    for turning, color in ((True, TURN), (False, SLIDE)):
        indices = np.flatnonzero(shown & (turns == turning))
        scale = float(largest[velocities[indices]].max(initial=0.0)) or 1.0
        share = np.clip(now[velocities[indices]] / scale, -1.2, 1.2)
        if turning:
            arcs = geometry.arcs(
                points[indices], directions[indices], 4.5 * share, 0.2 * size, size / 70.0
            )
            out["torques"] = arcs, geometry.arc_faces(len(indices)), {"color": color}
        else:
            vectors = 0.5 * size * share[:, None] * directions[indices]
            out["forces"] = layer.arrows(points[indices], vectors, 1 / 90, color)
    return out


def wrench_arrows(layer: Layer, state: State) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return starts and vectors (n, 3) of arrows for given and transmitted wrenches.

    The weight of the robot is as long as half of it. Joints of a mechanism share what its loops
    transmit, so there only given wrenches are shown.
    """
    subject, size = layer.subject, layer.stage.size
    T, model = state.poses, subject.model
    applied = np.zeros((model.nb, 6)) if state.wrenches is None else state.wrenches
    acting = {"given": (T[:, :3, 3], applied)}
    if subject.mechanism is None:
        wrenches = subject.robot.joint_wrenches(state.q, state.v, state.a, applied)
        points = np.array([joint.point for joint in model.joints])
        moments = wrenches[:, :3] - np.cross(points, wrenches[:, 3:])
        starts = state.points(range(model.nb), points)
        acting["joint"] = starts, np.concatenate((moments, wrenches[:, 3:]), axis=1)
    out = {}
    for source, (starts, wrenches) in acting.items():
        world = np.einsum("nij,nkj->nki", T[:, :3, :3], wrenches.reshape(-1, 2, 3))
        out[f"{source}_force"] = starts, _cap(world[:, 1] * (size / subject.weight), size)
        out[f"{source}_moment"] = starts, _cap(world[:, 0] * (2.0 / subject.weight), size)
    return out


def _wrenches(layer: Layer, state: State) -> Meshes:
    colors = {"joint_force": FORCE, "joint_moment": MOMENT}
    arrows = wrench_arrows(layer, state).items()
    return {x: layer.arrows(*ends, 1 / 110, colors.get(x, GIVEN)) for x, ends in arrows}


def _cap(vectors: np.ndarray, longest: float) -> np.ndarray:
    """Shorten vectors (n, 3) that are longer than a length."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors * np.minimum(1.0, longest / np.where(length > 0.0, length, longest))


# ------------------------------------------------------------------ ellipsoids of the chosen frame


def _frame_inertia(layer: Layer, state: State) -> Meshes:
    def divide(J: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Return J L^-T for M = L L^T: J M^-1 J^T has its squares as eigenvalues."""
        # never fails, unlike Cholesky's, without inertia
        values, vectors = np.linalg.eigh(layer.subject.dynamics.mass_matrix(q))
        small = values <= 1e-12 * max(float(values[-1]), 1e-300)
        return J @ (vectors / np.sqrt(np.where(small, np.inf, values)))

    return _ellipsoid(layer, state, divide, LIGHT)


def _ellipsoid(
    layer: Layer, state: State, matrix: Callable[[np.ndarray, np.ndarray], np.ndarray], color: Any
) -> Meshes:
    """Return the image of the unit ball by a matrix (3, n), a function of Jacobian and q."""
    subject, frame = layer.subject, layer.frame

    def at(q: np.ndarray) -> np.ndarray:
        return matrix(subject.dynamics.frame(frame).jacobian_mixed(q)[3:], q)

    longest = layer.remember(
        frame, lambda: max(float(np.linalg.norm(at(q), 2)) for q in subject.samples)
    )
    ball, faces = geometry.ball()
    place = subject.robot.frame(frame).pose(state.q)[:3, 3]
    scaled = 0.3 * layer.stage.size / (longest or 1.0) * at(state.q)
    vertices = geometry.image_of_ball(scaled, ball) + place
    return {layer.overlay.key: (vertices, faces, {"color": color, "opacity": 0.45})}


# ------------------------------------------------------------------ constraints and collision


def _constraints(layer: Layer) -> list[Any]:
    """Balls at both ends of each loop, and plates at contacts."""
    vertices, faces = geometry.ball(16)
    radius, nodes = 0.05 * layer.stage.size, []
    for k, loop in enumerate(layer.subject.model.loops):
        ends = (loop.body_a, loop.placement_a, 1.0), (loop.body_b, loop.placement_b, 0.75)
        for side, (body, placement, scale) in enumerate(ends):
            name = f"{layer.stage.node(body)}/loop{k}_{side}"
            ball = scale * radius * vertices + placement[:3, 3]
            opacity = 0.5 if side == 0 else None
            nodes.append(layer.add_mesh(name, ball, faces, color=LOOP, opacity=opacity))
    plate = shapes.solid("cylinder", (1.5 * radius, 0.3 * radius))
    for k, contact in enumerate(layer.subject.model.contacts):
        name = f"{layer.stage.node(contact.body)}/contact{k}"
        placed = plate.place(placement=contact.placement)
        nodes.append(layer.add_mesh(name, placed.vertices, placed.faces, color=GIVEN))
    return nodes


def _gaps(layer: Layer, state: State) -> Meshes:
    """Rods between the ends of loops."""
    loops = layer.subject.model.loops
    if not loops:
        return {}
    a = state.points([x.body_a for x in loops], np.array([x.placement_a[:3, 3] for x in loops]))
    b = state.points([x.body_b for x in loops], np.array([x.placement_b[:3, 3] for x in loops]))
    return {"gaps": layer.arrows(a, b - a, 0.01, LOOP)}


def _collision(layer: Layer) -> list[Any]:
    looks = looks_of(layer.subject.model, "collision", layer.stage.package_dirs, skeleton=False)
    return layer.stage.add_parts("collision", looks.parts, COLLISION, 0.45)


TABLE = (
    Overlay("frames", "frames", "every frame of the model: x red, y green, z blue", _frames),
    Overlay("names", "names of frames", "written where the frames are", _names),
    Overlay(
        "axes",
        "joint axes",
        "what joints turn about (orange) and slide along (blue); not those of free joints",
        meshes=_joint_axes,
    ),
    Overlay(
        "com",
        "center of mass",
        "of all that moves (large) and of each body (small, by its share of the mass)",
        _centers_of_mass,
        _center_of_mass,
    ),
    Overlay(
        "inertias",
        "inertia ellipsoids",
        "for each body the ellipsoid of constant density with its mass and its inertia",
        _inertias,
    ),
    Overlay(
        "gravity",
        "gravity torques",
        "what the joints need to hold still: arcs about axes, arrows along them, to one scale",
        meshes=_gravity,
    ),
    Overlay(
        "wrenches",
        "wrenches",
        "forces (blue) and moments (violet) that joints exert on their bodies, and those given to"
        " the viewer (green); the weight of the robot is as long as half of it",
        meshes=_wrenches,
    ),
    Overlay(
        "manipulability",
        "manipulability ellipsoid",
        "velocities that the chosen frame gets from joint velocities of length one",
        meshes=lambda layer, state: _ellipsoid(layer, state, lambda J, q: J, SPEED),
    ),
    Overlay(
        "frame_inertia",
        "inertia ellipsoid of a frame",
        "u with u' Lambda u = 1 at the chosen frame: long where it is light to push",
        meshes=_frame_inertia,
    ),
    Overlay(
        "constraints",
        "loops and contacts",
        "both ends of each loop (balls; a rod where they are apart), and contacts",
        _constraints,
        _gaps,
        lambda layer: bool(layer.subject.model.loops or layer.subject.model.contacts),
    ),
    Overlay(
        "collision",
        "collision shapes",
        "what the robot collides with, according to its file",
        _collision,
        available=lambda layer: any(
            x.purpose == "collision"
            for body in (layer.subject.model.ground, *layer.subject.model.bodies)
            for x in (*body.meshes, *body.solids)
        ),
    ),
)

#: Names of the overlays.
OVERLAYS: tuple[str, ...] = tuple(overlay.key for overlay in TABLE)
