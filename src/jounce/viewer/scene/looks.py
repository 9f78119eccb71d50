"""Shapes of a robot's bodies: those of its files, or a skeleton."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from jounce.errors import ModelError
from jounce.io import Folders, mesh_inertia
from jounce.io.surfaces import Surface
from jounce.model import Body, Mesh, Model, Solid
from jounce.utils import renamed_field
from jounce.viewer.scene import shapes

#: Default color (red, green, blue, opacity), and color of a skeleton's joints.
PLAIN = (0.72, 0.74, 0.78, 1.0)
JOINT = (0.20, 0.24, 0.30, 1.0)


@renamed_field("colour", "color")
@dataclass(frozen=True, eq=False)
class Part:
    """Triangles of one color that move with a body (-1: the world), in its frame.

    vertices (V, 3) in m, faces (F, 3), color (4,) from 0 to 1. link: name of the link. origin:
    "mesh", "solid" or "skeleton".
    """

    body: int
    link: str
    vertices: np.ndarray
    faces: np.ndarray
    color: tuple[float, ...]
    origin: str


@dataclass(frozen=True, eq=False)
class Looks:
    """Parts of a robot, and a sentence about each shape that could not be read."""

    parts: tuple[Part, ...]
    missing: tuple[str, ...] = ()
    size: float = field(default=1.0)  #: approximate size of the robot, in m


def looks(
    model: Model, purpose: str = "visual", package_dirs: Folders = (), *, skeleton: bool = True
) -> Looks:
    """Return the shapes of a model.

    Parameters
    ----------
    model : Model
    purpose : {"visual", "collision"}
        Kind of shapes; a body without visual shapes gets its collision shapes.
    package_dirs : path or sequence of paths
        Folders in which meshes are searched first.
    skeleton : bool
        Draw rods between the joints of bodies without readable shapes.

    Returns
    -------
    Looks
    """
    if purpose not in ("visual", "collision"):
        raise ModelError(f"purpose: expected 'visual' or 'collision', found {purpose!r}")
    reader = mesh_inertia.LinkShapes(model, purpose, package_dirs)
    size = _extent(model)
    parts: list[Part] = []
    missing: list[str] = []
    everything = [(-1, model.ground), *enumerate(model.bodies)]
    for i, body in everything:
        # many files have only collision shapes
        for shape in _shapes(body, purpose) or _shapes(body, "collision"):
            try:
                parts += _parts(i, shape, reader)
            except ModelError as error:
                missing.append(f"link '{shape.link or body.name}': {error}")
    drawn = {part.body for part in parts}
    if skeleton:
        for i, _ in everything:
            if i not in drawn:
                parts += _skeleton(model, i, size, bool(drawn))
    return Looks(tuple(parts), tuple(missing), size)


def _shapes(body: Body, purpose: str) -> list[Mesh | Solid]:
    all_shapes: Iterable[Mesh | Solid] = (*body.meshes, *body.solids)
    return [shape for shape in all_shapes if shape.purpose == purpose]


def _parts(body: int, shape: Mesh | Solid, reader: mesh_inertia.LinkShapes) -> list[Part]:
    """Convert a shape to parts; colors of a mesh file override those of the robot's file."""
    default_color = shape.color or PLAIN
    if isinstance(shape, Solid):
        surface = shapes.solid(shape.shape, shape.size).place(placement=shape.placement)
        return [_make_part(body, shape.link, surface, default_color, "solid")]
    return [
        _make_part(body, shape.link, surface, color or default_color, "mesh")
        for surface, color in reader.surfaces_by_color(shape)
    ]


def _make_part(
    body: int, link: str, surface: Surface, color: tuple[float, ...], origin: str
) -> Part:
    return Part(body, link, surface.vertices, surface.faces, color, origin)


# ------------------------------------------------------------------ skeletons


def _extent(model: Model) -> float:
    """Return the size of a robot: its longest chain, else the extent of its masses."""
    reach = np.zeros(len(model.joints) + 1)
    for i, joint in enumerate(model.joints):
        reach[i] = reach[joint.parent] + np.linalg.norm(joint.placement[:3, 3])
    size = float(reach.max())
    if size > 0.0:
        return size
    masses = [body.inertia for body in model.bodies if body.inertia[0] > 0.0]
    arms = [np.sqrt(max(x[4:7].max(), 0.0) / x[0]) for x in masses]
    return float(max([*arms, *(np.linalg.norm(x[1:4]) / x[0] for x in masses)], default=0.0)) or 1.0


def _skeleton(model: Model, body: int, size: float, thin: bool) -> list[Part]:
    """Return rods from a body's joint to its children, frames or center of mass."""
    radius = size / (120.0 if thin else 60.0)
    name = model.ground.name if body < 0 else model.bodies[body].name
    color = _body_color(body, len(model.bodies))
    start = np.zeros(3) if body < 0 else model.joints[body].point
    parts = []
    for point in _ends(model, body, start):
        if np.linalg.norm(point - start) > 1e-3 * size:
            rod = shapes.rod(start, point, radius)
            parts.append(_make_part(body, name, rod, color, "skeleton"))
    for start, end in _rails(model, body, size):
        parts.append(
            _make_part(body, name, shapes.rod(start, end, 0.5 * radius), color, "skeleton")
        )
    if body >= 0:
        parts.append(_make_part(body, name, _joint_shape(model, body, radius), JOINT, "skeleton"))
    return parts


def _rails(model: Model, body: int, size: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the rails of prismatic joints on a body, between limits or half the robot's size."""
    out = []
    for joint in model.joints:
        if joint.parent != body or joint.kind != "prismatic":
            continue
        ends = [
            float(np.clip(x, -size / 2.0, size / 2.0)) for x in (joint.lower[0], joint.upper[0])
        ]
        T = joint.placement
        low, high = (T[:3, :3] @ (joint.point + end * joint.axis) + T[:3, 3] for end in ends)
        out.append((low, high))
    return out


def _ends(model: Model, body: int, start: np.ndarray) -> list[np.ndarray]:
    """Return end points of a body: joints of children and loops, else frames and center of mass."""
    children = [joint for joint in model.joints if joint.parent == body]
    ends = [j.placement[:3, :3] @ j.point + j.placement[:3, 3] for j in children]
    if body < 0:
        return ends
    for loop in model.loops:
        for side, placement in ((loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)):
            if side == body:
                ends.append(placement[:3, 3])
    if not ends:
        ends = [frame.placement[:3, 3] for frame in model.frames if frame.body == body]
    inertia = model.bodies[body].inertia
    if inertia[0] > 0.0 and not any(np.any(point != start) for point in ends):
        ends.append(inertia[1:4] / inertia[0])
    return ends


def _joint_shape(model: Model, body: int, radius: float) -> Surface:
    """Return the shape of a joint: a cylinder along its axis, a box if prismatic, else a ball."""
    joint = model.joints[body]
    place = np.eye(4)
    place[:3, 3] = joint.point
    if "axis" not in joint.row.fields:
        return shapes.solid("sphere", (2.0 * radius,)).place(placement=place)
    place[:3, :3] = shapes.along(joint.axis)
    if joint.kind == "prismatic":
        return shapes.box((3.0 * radius, 3.0 * radius, 5.0 * radius)).place(placement=place)
    return shapes.solid("cylinder", (1.8 * radius, 5.0 * radius)).place(placement=place)


def _body_color(body: int, count: int) -> tuple[float, ...]:
    """Return a distinct color for each body, from blue to orange."""
    if body < 0:
        return PLAIN
    return (*colorsys.hsv_to_rgb(0.58 - 0.5 * body / max(count, 1), 0.55, 0.85), 1.0)
