"""Description of a robot for a page: joints, limits, initial configuration, names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.arrays import JointView
from jounce.model import Contact
from jounce.model.joints import SPANS, finite_range
from jounce.solve.mechanism import Mechanism
from jounce.viewer.scene import Part
from jounce.viewer.scene.configurations import (
    Subject,
    coordinate_units,
    leading_joints,
    neutral_configuration,
    poses_at,
    start_of,
)
from jounce.viewer.scene.shapes import up_of

#: Limits above this, rad or m, count as unlimited.
_UNLIMITED = 1e6

#: Robots of which a larger part reaches below their base hang from it.
_HANGING = 0.4

#: Number of random configurations that estimate how low a robot reaches.
_REACH_SAMPLES = 64


def describe_system(system: Subject, parts: Sequence[Part], size: float) -> dict[str, Any]:
    """Return the description as JSON data; None for missing limits."""
    model = system.model
    start, base = start_of(system), floating_base(system)
    return {
        "name": model.name,
        "up": up_of(model.gravity).tolist(),
        "size": size,
        "mass": model.mass,
        "closed": isinstance(system, Mechanism),
        "floating": base is not None,
        "base": base,
        "loops": [loop.name for loop in model.loops] if isinstance(system, Mechanism) else [],
        "start": start.tolist(),
        "neutral": neutral_configuration(system).tolist(),
        "labels": {"q": system.labels("q"), "v": system.labels("v")},
        "units": _velocity_units(system),
        "sliders": sliders(system),
        "bodies": [body.name for body in model.bodies],
        "axes": axes(system),
        "normal": _normal(system, start),
        "frames": _frames(system),
        "mimics": [joint.name for joint in model.joints if joint.mimic is not None],
        "floor": floor_of(system, parts, start),
        **_damping_and_stops(system),
    }


def floating_base(system: Subject) -> int | None:
    """Return the first body with a free joint to the world, or None."""
    joints = enumerate(system.model.joints)
    return next((i for i, x in joints if x.parent < 0 and x.kind == "free"), None)


def _velocity_units(system: Subject) -> list[str]:
    """Return the units of the integrals of v: "rad" or "m"."""
    units = ["rad"] * system.tree.nv
    for view in leading_joints(system):
        turns = [turn for part in view.joint.row.parts for turn in part.motion.turns]
        units[view.v] = ["rad" if turn else "m" for turn in turns]
    return [units[k] for k in system.velocities]


# ------------------------------------------------------------------ sliders


def sliders(system: Subject) -> list[dict[str, Any]]:
    """Return the sliders: one per coordinate, three rotation axes per orientation.

    follows: True if loops determine the joint, so that the slider is read-only.
    """
    low, high = system.limits.bounds(float)
    entry = {k: i for i, k in enumerate(system.velocities)}
    out: list[dict[str, Any]] = []
    for view in leading_joints(system):
        row = view.joint.row
        quaternions = [entries for entries in row.unit_vectors if entries.stop - entries.start == 4]
        quaternion_entries = {
            k for entries in row.unit_vectors for k in range(entries.start, entries.stop)
        }
        for entries in quaternions:
            label = f"{view.name} turn"
            for k, axis in enumerate("xyz"):
                out.append(
                    {
                        "label": f"{label} {axis}",
                        "kind": "turn",
                        "q": view.q.start + entries.start,
                        "axis": k,
                        "unit": "rad",
                        "lower": -np.pi,
                        "upper": np.pi,
                        "limited": False,
                        "wraps": False,
                        "follows": not all(k in entry for k in range(view.v.start, view.v.stop)),
                    }
                )
        several = row.nq - len(quaternion_entries) > 1 or bool(quaternions)
        labels = _coordinate_labels(view)
        for k in range(row.nq):
            if k not in quaternion_entries:
                i = view.q.start + k
                ends, limited = _ends(float(low[i]), float(high[i]), row.units[k])
                own_velocities = {v for j, v in row.limited if j == k} or {*range(row.nv)}
                out.append(
                    {
                        "label": f"{view.name} {labels[k]}" if several else view.name,
                        "kind": "coordinate",
                        "q": i,
                        "unit": row.units[k],
                        "lower": ends[0],
                        "upper": ends[1],
                        "limited": limited,
                        "wraps": row.units[k] == "rad" and bool(np.isinf((low[i], high[i])).all()),
                        "follows": not all(view.v.start + v in entry for v in own_velocities),
                    }
                )
    return out


def _coordinate_labels(view: JointView) -> list[str]:
    """Return labels of the coordinates of a joint."""
    if view.joint.row.unit_vectors:  # the position of a free joint
        letters = iter("xyz")
        units = view.joint.row.units
        return [next(letters, str(k)) if units[k] == "m" else str(k) for k in range(len(units))]
    if view.kind == "planar":
        return ["x", "y", "turn"] if view.joint.row.units[2] == "rad" else ["turn", "x", "y"]
    return [str(k + 1) for k in range(view.joint.row.nq)]


def _ends(low: float, high: float, unit: str) -> tuple[tuple[float, float], bool]:
    """Return the ends of a slider, and whether both are limits of the joint."""
    low, high = (x if abs(x) < _UNLIMITED else np.copysign(np.inf, x) for x in (low, high))
    ends = finite_range(low, high, SPANS[unit])
    return (float(ends[0]), float(ends[1])), bool(np.isfinite(low) and np.isfinite(high))


# ------------------------------------------------------------------ dynamics


def _damping_and_stops(system: Subject) -> dict[str, Any]:
    """Return damping, joints to which the page may add damping, and stops at limits.

    Prismatic joints without limits get stops at the ends of their sliders, so that they cannot
    fall forever.
    """
    damping = np.zeros(len(system.labels("t")))
    for view in system.joints.values():  # mimic joints move with their leaders
        gain = 1.0 if view.joint.mimic is None else view.joint.mimic.multiplier
        damping[view.v] += gain**2 * view.joint.damping
    damped = np.ones(len(damping))
    for view in leading_joints(system):
        if view.kind == "free":
            damped[view.v] = 0.0
    low, high = system.limits.bounds(float)
    units = coordinate_units(system)
    stops, boundless = [], False
    for i, k in zip(*system.limits.bounded, strict=True):
        ends, limited = _ends(float(low[i]), float(high[i]), units[i])
        if (limited or units[i] == "m") and ends[0] < ends[1]:
            stops.append([int(i), int(k), *ends])
            boundless |= not limited
    return {
        "active": [int(k) for k in system.velocities],
        "damping": damping.tolist(),
        "damped": damped.tolist(),
        "stops": stops,
        "boundless": boundless,
    }


# ------------------------------------------------------------------ decorations


def axes(system: Subject) -> list[dict[str, Any]]:
    """Return the axes of the joints, in their bodies' frames."""
    out = []
    for i, joint in enumerate(system.model.joints):
        for part in joint.row.parts:
            direction = part.direction(joint)
            if direction is not None:
                slides = not any(part.motion.turns)
                out.append(
                    {
                        "body": i,
                        "point": np.asarray(joint.point).tolist(),
                        "direction": np.asarray(direction).tolist(),
                        "slides": slides,
                    }
                )
    return out


def _normal(system: Subject, q: np.ndarray) -> list[float] | None:
    """Return the normal of the plane of a planar robot, its best viewing direction, or None."""
    poses = poses_at(system, q[None])[0]
    joint_axes = axes(system)
    directions = [poses[x["body"], :3, :3] @ np.array(x["direction"]) for x in joint_axes]
    turns = [
        direction for direction, x in zip(directions, joint_axes, strict=True) if not x["slides"]
    ]
    all_axial = all("axis" in joint.row.fields for joint in system.model.joints)
    if not turns or not all_axial:
        return None
    flat = all(np.linalg.norm(np.cross(turns[0], direction)) < 1e-6 for direction in turns)
    slides = (direction for direction, x in zip(directions, joint_axes, strict=True) if x["slides"])
    return (
        turns[0].tolist()
        if flat and all(abs(turns[0] @ direction) < 1e-6 for direction in slides)
        else None
    )


def _frames(system: Subject) -> list[dict[str, Any]]:
    """Return frames fixed in bodies (4, 4), except those of the bodies themselves."""
    out = []
    for frame in system.model.frames:
        if not np.array_equal(frame.placement, np.eye(4)):
            out.append(
                {
                    "name": frame.name,
                    "body": frame.body,
                    "placement": np.asarray(frame.placement).reshape(-1).tolist(),
                }
            )
    return out


def floor_of(system: Subject, parts: Sequence[Part], start: np.ndarray) -> dict[str, Any]:
    """Return the height of the floor, the reachable box, and contact points of floating robots.

    The floor is below fixed shapes, unless the robot hangs from them; below a floating robot in its
    initial configuration; else at the lowest reachable point. Bodies with point contacts touch it
    there and at their joints, all others at eight points.
    """
    up = up_of(system.model.gravity)
    corners = [(part.body, _corners(part)) for part in parts]
    feet = point_contacts(system)
    corners += [(foot.body, foot.placement[None, :3, 3]) for foot in feet]
    standing = zip(parts, corners, strict=False)
    world = [points for part, (body, points) in standing if body < 0 and part.origin != "skeleton"]
    floating = floating_base(system) is not None
    reached = _corner_positions(
        system, corners, start[None] if floating else system.random(0, _REACH_SAMPLES)
    )
    low, high = float((reached @ up).min()), float((reached @ up).max())
    height = min((float((x @ up).min()) for x in world), default=low)
    if height - low > _HANGING * (high - low):
        height = low
    return {
        "height": height,
        "points": _floor_points(corners, feet) if floating else [],
        "stands": bool(feet),
        "reach": [reached.min(axis=0).tolist(), reached.max(axis=0).tolist()],
    }


def _corner_positions(
    system: Subject, corners: list[tuple[int, np.ndarray]], q: np.ndarray
) -> np.ndarray:
    """Return positions (n, 3) of the corners of parts, in the world."""
    poses = poses_at(system, q)
    positions = [np.zeros((1, 3))] if not corners else []
    for body, points in corners:
        if body < 0:
            positions.append(points)
        else:
            T = poses[:, body]
            moved = np.einsum("nij,pj->npi", T[:, :3, :3], points) + T[:, None, :3, 3]
            positions.append(moved.reshape(-1, 3))
    return np.concatenate(positions)


def _corners(part: Part) -> np.ndarray:
    """Return the extreme vertices of a part in 26 directions."""
    directions = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)])
    used = part.vertices[np.unique(part.faces)]
    if not len(used):
        return np.zeros((1, 3))
    return used[np.unique(np.argmax(used @ directions.T, axis=0))]


def point_contacts(system: Subject) -> list[Contact]:
    """Return the point contacts of a floating robot, on which it stands."""
    if floating_base(system) is None:
        return []
    return [contact for contact in system.model.contacts if contact.kind == "point"]


def _floor_points(
    corners: list[tuple[int, np.ndarray]], feet: list[Contact]
) -> list[dict[str, Any]]:
    """Return the points of each body that touch the floor."""
    out: list[dict[str, Any]] = []
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    for body in sorted({body for body, _ in corners if body >= 0}):
        contact_points = [foot.placement[:3, 3] for foot in feet if foot.body == body]
        if contact_points:
            points = np.stack([*contact_points, np.zeros(3)])
        else:
            points = np.concatenate([points for b, points in corners if b == body])
            points = points[np.unique(np.argmax(points @ signs.T, axis=0))]
        out += [{"body": body, "point": point.tolist()} for point in points]
    return out
