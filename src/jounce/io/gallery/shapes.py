"""Shapes of the gallery's robots: solids along their joints and links, and meshes of a humanoid.

Shapes are for viewers only. `python -m tools.humanoid_meshes` makes the meshes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from jounce.io.builder import placement
from jounce.model.model import Mesh, Model, Solid

#: Shapes by name of the body; "" is the base.
Shapes = dict[str, list[Any]]

#: Colors (red, green, blue, opacity) of links, joints, and what stands out.
LINK, JOINT = (0.87, 0.88, 0.91, 1.0), (0.20, 0.24, 0.30, 1.0)
ORANGE, BLUE = (0.92, 0.48, 0.18, 1.0), (0.24, 0.45, 0.80, 1.0)


def with_shapes(model: Model, shapes: Mapping[str, Sequence[Any]]) -> Model:
    """Return a model with shapes; those of the base move with a floating base."""
    floating = model.joints[0].kind == "free"
    root = model.bodies[0].name if floating else ""
    by_body: Shapes = {}
    for name, items in shapes.items():
        by_body.setdefault(name or root, []).extend(items)

    def add_shapes(body: Any, name: str) -> Any:
        items = [replace(x, link=body.name) for x in by_body.get(name, ())]
        meshes = tuple(x for x in items if isinstance(x, Mesh))
        shaped = copy(body)  # a new one would be warned of again
        object.__setattr__(shaped, "meshes", meshes)
        object.__setattr__(shaped, "solids", tuple(x for x in items if x not in meshes))
        return shaped

    bodies = tuple(add_shapes(body, body.name) for body in model.bodies)
    return replace(model, ground=add_shapes(model.ground, ""), bodies=bodies)


def shapes_of(name: str, model: Model, data: Mapping[str, Any]) -> Shapes:
    """Return the shapes of a robot of the gallery."""
    return SHAPES[name](model, data) if name in SHAPES else {}


# ------------------------------------------------------------------ solids


def along(direction: Any) -> np.ndarray:
    """Return a rotation (3, 3) with its z axis along a direction (3,)."""
    z = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    x = np.eye(3)[np.argmin(np.abs(z))]
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    return np.stack((x, np.cross(z, x), z), axis=1)


def solid(shape: str, size: Sequence[float], at: Any, color: Any, axis: Any = (0, 0, 1)) -> Solid:
    """Return a solid centered at a point (3,) with its z axis along a direction (3,)."""
    T = placement(at)
    T[:3, :3] = along(axis)
    return Solid(shape, "visual", tuple(map(float, size)), T, color=color)


def box(size: Sequence[float], at: Any, color: Any, T: Any = None) -> Solid:
    """Return a box with edges (3,), in a frame (4, 4)."""
    pose = (np.eye(4) if T is None else np.asarray(T)) @ placement(at)
    return Solid("box", "visual", tuple(map(float, size)), pose, color=color)


def ball(radius: float, at: Any, color: Any) -> Solid:
    """Return a ball at a point (3,)."""
    return solid("sphere", (radius,), at, color)


def bar(start: Any, end: Any, radius: float, color: Any, shape: str = "capsule") -> Solid:
    """Return a capsule or a cylinder between two points (3,)."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    size = (radius, float(np.linalg.norm(end - start)))
    return solid(shape, size, (start + end) / 2.0, color, end - start)


def disc(axis: Any, radius: float, length: float, color: Any, at: Any = (0, 0, 0)) -> Solid:
    """Return a cylinder about an axis (3,) through a point (3,)."""
    return solid("cylinder", (radius, length), at, color, axis)


def arc(start: Any, end: Any, radius: float, width: float, color: Any) -> list[Solid]:
    """Return bars along the arc about the origin between two directions (3,)."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    angle = np.arccos(start @ end)
    s = np.linspace(0.0, 1.0, 9)[:, None]
    points = radius * (np.sin((1 - s) * angle) * start + np.sin(s * angle) * end) / np.sin(angle)
    return [bar(a, b, width, color) for a, b in pairwise(points)]


# ------------------------------------------------------------------ arms and textbook robots


def _arm(model: Model, base: float, flange: float, widest: float = 0.065) -> Shapes:
    """Return cylinders about the joints, and bars between them that taper toward the tool.

    base, flange: coordinates along the first and last axis where the arm begins and ends, m.
    """
    out: Shapes = {}
    fixed = [joint for joint in model.joints if joint.kind != "free"]
    first, last = fixed[0].placement, fixed[-1]
    start = first[:3, 3] + first[:3, 2] * base
    out[""] = [bar(start, start + 0.04 * first[:3, 2], 1.6 * widest, JOINT, "cylinder")]
    out[""] += [bar(start, first[:3, 3], widest, LINK, "cylinder")]
    for k, joint in enumerate(fixed):
        width = widest * (1.0 - 0.07 * k)
        name = model.bodies[model.joints.index(joint)].name
        items = [disc(joint.axis, 1.02 * width, 2.3 * width, ORANGE if k % 2 else LINK)]
        for child in fixed[k + 1 : k + 2]:
            end = child.placement[:3, 3]
            if np.linalg.norm(end) > 1e-6:
                items.append(bar((0, 0, 0), end, 0.93 * width, LINK))
        out[name] = items
    tip = flange * last.axis
    out[model.bodies[-1].name] += [bar(0.5 * tip, tip, 0.35 * widest, JOINT, "cylinder")]
    return out


def _planar_2r(model: Model, data: Any) -> Shapes:
    ends = [model.joints[-1].placement[:3, 3], model.frames[-1].placement[:3, 3]]
    out: Shapes = {"": [disc((0, 0, 1), 0.09, 0.22, JOINT)]}
    for body, end, color in zip(model.bodies[-2:], ends, (BLUE, ORANGE), strict=True):
        out[body.name] = [bar((0, 0, 0), end, 0.045, color), ball(0.1, end, JOINT)]
    return out


def _two_mass_link(model: Model, data: Any) -> Shapes:
    tip = model.frames[-1].placement[:3, 3]
    # two equal masses: the center is in the middle
    elbow = 2.0 * model.bodies[-1].inertia[1:4] / model.bodies[-1].inertia[0] - tip
    bars = [bar((0, 0, 0), elbow, 0.04, BLUE), bar(elbow, tip, 0.04, BLUE)]
    masses = [ball(0.1, x, ORANGE) for x in (elbow, tip)]
    post = [
        disc((0, 0, 1), 0.07, 0.5, JOINT, (0, 0, -0.2)),
        disc((0, 0, 1), 0.2, 0.05, JOINT, (0, 0, -0.45)),
    ]
    return {"": post, model.bodies[-1].name: [*bars, *masses]}


def _planar_rp(model: Model, data: Any) -> Shapes:
    turning, sliding = (body.name for body in model.bodies[-2:])
    rail = [box((1.0, 0.05, 0.08), (0.5, 0, 0), BLUE), disc((0, 0, 1), 0.1, 0.2, JOINT)]
    slider = [
        box((0.5, 0.03, 0.06), (0, 0.05, 0), ORANGE),
        box((0.2, 0.13, 0.15), (0, 0, 0), ORANGE),
    ]
    return {"": [disc((0, 0, 1), 0.07, 0.3, JOINT)], turning: rail, sliding: slider}


def _cartesian_ppp(model: Model, data: Any) -> Shapes:
    lift, cross, head = (body.name for body in model.bodies[-3:])
    column = [
        box((0.1, 0.1, 1.8), (-0.12, 0, 0.4), LINK),
        box((0.5, 0.5, 0.06), (-0.12, 0, -0.53), JOINT),
    ]
    rail_x = [
        box((0.16, 0.18, 0.16), (-0.06, 0, 0), BLUE),
        box((1.2, 0.06, 0.06), (0.5, 0, 0), BLUE),
    ]
    rail_y = [
        box((0.14, 0.16, 0.14), (0, 0, 0), ORANGE),
        box((0.06, 1.0, 0.05), (0, 0.1, 0.08), ORANGE),
    ]
    tool = [
        box((0.12, 0.14, 0.12), (0, 0, 0.16), JOINT),
        bar((0, 0, 0.1), (0, 0, -0.25), 0.025, JOINT),
    ]
    return {"": column, lift: rail_x, cross: rail_y, head: tool}


def _four_bar(model: Model, data: Any) -> Shapes:
    z, x = (0, 0, 1), float(model.joints[-1].placement[0, 3])
    out: Shapes = {"": [bar((0, 0, -0.03), (x, 0, -0.03), 0.012, JOINT)]}
    out[""] += [disc(z, 0.02, 0.05, JOINT, at) for at in ((0, 0, -0.01), (x, 0, -0.01))]
    tips = {loop.body_a: loop.placement_a for loop in model.loops}
    tips |= {loop.body_b: loop.placement_b for loop in model.loops}
    tips |= {x.parent: x.placement for x in model.joints if x.name == "pin"}
    heights = {"crank": (0.0, BLUE), "coupler": (0.026, ORANGE), "rocker": (0.0, LINK)}
    for i, T in tips.items():
        h, color = heights[model.bodies[i].name]
        end = T[:3, 3]
        length = float(np.linalg.norm(end))
        plate = box((length, 0.026, 0.014), (length / 2, 0, h), color)
        ends = [
            disc(z, 0.018, 0.016, color, (0, 0, h)),
            disc(z, 0.018, 0.016, color, (length, 0, h)),
        ]
        pin = [disc(z, 0.008, 0.05, JOINT, (x, 0, 0.012)) for x in (0.0, length)]
        out[model.bodies[i].name] = [plate, *ends, *pin]
    return out


def _five_bar(model: Model, data: Any) -> Shapes:
    w, radius = np.array(data["axes"]), data["geometry"]["radius"]
    ends = {"link1": (0, 1), "link2": (1, 2), "link3": (2, 4), "link4": (3, 4)}
    colors = (BLUE, LINK, ORANGE, BLUE)
    out: Shapes = {"": [bar(0.1 * w[k], 0.15 * w[k], 0.02, JOINT, "cylinder") for k in (0, 3)]}
    out[""] += [ball(0.006, (0, 0, 0), JOINT)]
    pins = {"link1": (1, 0.12), "link2": (2, 0.14), "link4": (4, 0.14)}
    for (name, (a, b)), r, color in zip(ends.items(), radius, colors, strict=True):
        out[name] = arc(w[a], w[b], r, 0.008, color)
        if name in pins:
            k, far = pins[name]
            out[name].append(bar((r - 0.01) * w[k], (far + 0.01) * w[k], 0.011, JOINT, "cylinder"))
    out["link3"] += [bar(0.14 * w[2], 0.22 * w[2], 0.007, ORANGE), ball(0.022, 0.22 * w[2], JOINT)]
    return out


# ------------------------------------------------------------------ the humanoid


def _mesh(name: str) -> Mesh:
    path = files("jounce.io.gallery") / "toro25" / f"{name}.obj"
    return Mesh(f"toro25/{name}.obj", "visual", file=str(path), color=LINK)


def _toro25(model: Model, data: Any) -> Shapes:
    x, y, z = np.eye(3)
    visor = Solid(
        "ellipsoid", "visual", (0.04, 0.062, 0.03), placement((0.06, 0, 0.62)), color=JOINT
    )
    out: Shapes = {"": [_mesh("pelvis"), disc(z, 0.07, 0.06, JOINT, (0, 0, 0.12))]}
    out["torso"] = [_mesh("torso"), _mesh("head"), disc(z, 0.045, 0.08, JOINT, (0, 0, 0.49)), visor]
    for side, sign in (("left_", 1.0), ("right_", -1.0)):
        parts: Shapes = {
            "hip_yaw_link": [ball(0.062, (0, 0, 0), JOINT)],
            "hip_roll_link": [disc(x, 0.05, 0.15, JOINT)],
            "thigh": [_mesh("thigh"), disc(y, 0.052, 0.13, ORANGE)],
            "shank": [_mesh("shank"), disc(y, 0.05, 0.115, ORANGE)],
            "ankle": [ball(0.04, (0, 0, 0), JOINT)],
            "foot": [_mesh("foot"), disc(x, 0.03, 0.09, JOINT)],
            "shoulder_pitch_link": [bar((0, -0.03 * sign, 0), (0, 0.07 * sign, 0), 0.055, JOINT)],
            "shoulder_roll_link": [
                ball(0.066, (0, 0, 0), ORANGE),
                bar((0, 0, 0), -0.07 * z, 0.05, LINK),
            ],
            "upper_arm": [_mesh("upper_arm")],
            "elbow": [disc(y, 0.046, 0.1, ORANGE), bar((0, 0, 0), -0.1 * z, 0.037, LINK)],
            "forearm": [_mesh("forearm")],
            "hand": [_mesh("hand"), ball(0.032, (0, 0, 0), JOINT)],
        }
        out |= {side + name: items for name, items in parts.items()}
    return out


SHAPES: dict[str, Callable[[Model, Any], Shapes]] = {
    "iiwa14_mueller_kumar2021": lambda model, data: _arm(model, -0.36, 0.126),
    "franka": lambda model, data: _arm(model, -0.333, 0.107),
    "planar_2r": _planar_2r,
    "two_mass_link": _two_mass_link,
    "planar_rp": _planar_rp,
    "cartesian_ppp": _cartesian_ppp,
    "four_bar": _four_bar,
    "five_bar": _five_bar,
    "toro25": _toro25,
}
