"""Shapes of a robot's bodies: from its file where there are any to read, else a skeleton."""

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

#: The color of what has none, red, green, blue and opacity; and of a skeleton's joints.
PLAIN = (0.72, 0.74, 0.78, 1.0)
JOINT = (0.20, 0.24, 0.30, 1.0)


@renamed_field("colour", "color")
@dataclass(frozen=True, eq=False)
class Part:
    """Triangles of one color that move with a body (-1: the world), in its frame.

    vertices (V, 3) in m, faces (F, 3), color (4,) from 0 to 1. link: whose it is. origin:
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
    """Parts of a robot, and a sentence about each shape of the file that could not be had."""

    parts: tuple[Part, ...]
    missing: tuple[str, ...] = ()
    size: float = field(default=1.0)  #: of the robot at rest, about, in m


def looks(
    model: Model, purpose: str = "visual", package_dirs: Folders = (), *, skeleton: bool = True
) -> Looks:
    """What to draw for a model.

    purpose: "visual" or "collision"; a body without visual shapes shows its collision shapes.
    skeleton: whether bodies without any shape that can be read get rods between their joints.
    """
    if purpose not in ("visual", "collision"):
        raise ModelError(f"purpose: expected 'visual' or 'collision', found {purpose!r}")
    reader = mesh_inertia.LinkShapes(model, purpose, package_dirs)
    size = _extent(model)
    parts: list[Part] = []
    missing: list[str] = []
    everything = [(-1, model.ground), *enumerate(model.bodies)]
    for i, body in everything:
        # many files draw with what they collide with
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
    found: Iterable[Mesh | Solid] = (*body.meshes, *body.solids)
    return [shape for shape in found if shape.purpose == purpose]


def _parts(body: int, shape: Mesh | Solid, reader: mesh_inertia.LinkShapes) -> list[Part]:
    """A shape as parts; colors of a mesh's own file come before that of the robot's."""
    own = shape.color or PLAIN
    if isinstance(shape, Solid):
        surface = shapes.solid(shape.shape, shape.size).placed(placement=shape.placement)
        return [_made(body, shape.link, surface, own, "solid")]
    return [
        _made(body, shape.link, surface, color or own, "mesh")
        for surface, color in reader.painted(shape)
    ]


def _made(body: int, link: str, surface: Surface, color: tuple[float, ...], origin: str) -> Part:
    return Part(body, link, surface.vertices, surface.faces, color, origin)


# ------------------------------------------------------------------ skeletons


def _extent(model: Model) -> float:
    """How large a robot is: its longest way from the world to a body, or what its mass says."""
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
    """Rods from a body's joint to those it carries, its center of mass if none, and to frames."""
    radius = size / (120.0 if thin else 60.0)
    name = model.ground.name if body < 0 else model.bodies[body].name
    color = _hue(body, len(model.bodies))
    start = np.zeros(3) if body < 0 else model.joints[body].point
    parts = []
    for point in _ends(model, body, start):
        if np.linalg.norm(point - start) > 1e-3 * size:
            rod = shapes.rod(start, point, radius)
            parts.append(_made(body, name, rod, color, "skeleton"))
    for start, end in _rails(model, body, size):
        parts.append(_made(body, name, shapes.rod(start, end, 0.5 * radius), color, "skeleton"))
    if body >= 0:
        parts.append(_made(body, name, _knuckle(model, body, radius), JOINT, "skeleton"))
    return parts


def _rails(model: Model, body: int, size: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """What slides on a body slides along these, from limit to limit, or over half the robot."""
    out = []
    for joint in model.joints:
        if joint.parent != body or joint.kind != "prismatic":
            continue
        ways = [
            float(np.clip(x, -size / 2.0, size / 2.0)) for x in (joint.lower[0], joint.upper[0])
        ]
        T = joint.placement
        low, high = (T[:3, :3] @ (joint.point + way * joint.axis) + T[:3, 3] for way in ways)
        out.append((low, high))
    return out


def _ends(model: Model, body: int, start: np.ndarray) -> list[np.ndarray]:
    """Where a body reaches: its children's joints, loops, else its mass and the frames on it."""
    own = [joint for joint in model.joints if joint.parent == body]
    ends = [j.placement[:3, :3] @ j.point + j.placement[:3, 3] for j in own]
    if body < 0:
        return ends
    for loop in model.loops:
        for side, place in ((loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)):
            if side == body:
                ends.append(place[:3, 3])
    if not ends:
        ends = [frame.placement[:3, 3] for frame in model.frames if frame.body == body]
    inertia = model.bodies[body].inertia
    if inertia[0] > 0.0 and not any(np.any(point != start) for point in ends):
        ends.append(inertia[1:4] / inertia[0])
    return ends


def _knuckle(model: Model, body: int, radius: float) -> Surface:
    """What shows a joint: a barrel along its axis, a block if it slides, a ball if it has none."""
    joint = model.joints[body]
    place = np.eye(4)
    place[:3, 3] = joint.point
    if "axis" not in joint.row.fields:
        return shapes.solid("sphere", (2.0 * radius,)).placed(placement=place)
    place[:3, :3] = shapes.along(joint.axis)
    if joint.kind == "prismatic":
        return shapes.box((3.0 * radius, 3.0 * radius, 5.0 * radius)).placed(placement=place)
    return shapes.solid("cylinder", (1.8 * radius, 5.0 * radius)).placed(placement=place)


def _hue(body: int, count: int) -> tuple[float, ...]:
    """A color of its own for each body, from blue to orange."""
    if body < 0:
        return PLAIN
    return (*colorsys.hsv_to_rgb(0.58 - 0.5 * body / max(count, 1), 0.55, 0.85), 1.0)
