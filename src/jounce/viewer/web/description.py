"""What a page must know of a robot beside its kernels: joints, limits, where it starts, names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.arrays import JointView
from jounce.compiler.targets import interpreter
from jounce.model import manifold
from jounce.model.joints import SPANS, finite_range
from jounce.robot import Robot
from jounce.solve.mechanism import Mechanism
from jounce.viewer.scene import Part
from jounce.viewer.scene.shapes import up_of

#: What a page shows.
Subject = Robot | Mechanism

#: A bend for joints in a row, rad: robots laid out straight show little and fall nowhere.
_BEND = (0.4, 0.6, -0.3, -0.9, 0.3, 0.7, 0.2)

#: Robots with more velocities start as they are: what they hold up is not a chain.
_CHAIN = 12

#: Limits from here on, rad or m, stand for none.
_UNLIMITED = 1e6

#: Poses that are looked at to find how deep a robot reaches.
_POSES = 64


def described(system: Subject, parts: Sequence[Part], size: float) -> dict[str, Any]:
    """All that, as JSON has it; None where something has no limit."""
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
        "neutral": _rest(system).tolist(),
        "labels": {"q": system.labels("q"), "v": system.labels("v")},
        "sliders": sliders(system),
        "bodies": [body.name for body in model.bodies],
        "axes": axes(system),
        "normal": _normal(system, start),
        "frames": _frames(system),
        "mimics": [joint.name for joint in model.joints if joint.mimic is not None],
        "floor": floor_of(system, parts, start),
        **_losses(system),
    }


def poses_at(system: Subject, q: np.ndarray) -> np.ndarray:
    """Where the bodies are (n, nb, 4, 4), without compiling anything for a few configurations."""
    tape = system.quantity("body_poses").kernel.tape
    found = np.broadcast_arrays(*interpreter.run(tape, [*q.T]), q[:, 0])[:-1]
    return np.stack(found, axis=-1).reshape(len(q), -1, 4, 4)


def floating_base(system: Subject) -> int | None:
    """The first body that moves freely in the world, if there is one."""
    joints = enumerate(system.model.joints)
    return next((i for i, x in joints if x.parent < 0 and x.kind == "free"), None)


# ------------------------------------------------------------------ configurations


def _rest(system: Subject) -> np.ndarray:
    """Zero angles and identity quaternions, as near as limits and loops allow."""
    q = np.asarray(manifold.neutral(system.tree), dtype=float)
    low, high = system.limits.bounds(float)
    q = np.clip(q, low, high)
    return system.close_loops(q) if isinstance(system, Mechanism) else q


def start_of(system: Subject) -> np.ndarray:
    """Where the robot of a page is at first: bent a little if it is a chain, else as it rests."""
    if isinstance(system, Mechanism):
        return system.reference
    q = _rest(system)
    if system.nv > _CHAIN:
        return q
    low, high = system.limits.bounds(float)
    leading = [view for view in _leading(system) if view.joint.row.single]
    bent = np.stack((q, q))
    for k, view in enumerate(leading):
        if view.joint.row.units == ("rad",):
            for way, x in zip((1.0, -1.0), bent, strict=True):
                angle = x[view.q] + (way if k else 1.0) * _BEND[k % len(_BEND)]
                x[view.q] = np.clip(angle, low[view.q], high[view.q])
    # the way in which its bodies stay higher
    heights = poses_at(system, bent)[:, :, :3, 3] @ up_of(system.model.gravity)
    lowest = heights.min(axis=1)
    return bent[1 if lowest[1] > lowest[0] + 1e-9 else 0]


def _leading(system: Subject) -> list[JointView]:
    """Joints with coordinates of their own, in order."""
    return [view for view in system.joints.values() if view.joint.mimic is None]


def _units(system: Subject) -> list[str]:
    """Units of q."""
    q = [""] * system.nq
    for view in _leading(system):
        q[view.q] = view.joint.row.units
    return q


# ------------------------------------------------------------------ sliders


def sliders(system: Subject) -> list[dict[str, Any]]:
    """What can be moved: coordinates one by one, orientations about three axes.

    follows: whether loops move it, so that it shows where a joint is and cannot be moved.
    """
    low, high = system.limits.bounds(float)
    entry = {k: i for i, k in enumerate(system.velocities)}
    out: list[dict[str, Any]] = []
    for view in _leading(system):
        row = view.joint.row
        turned = [at for at in row.unit_vectors if at.stop - at.start == 4]
        held = {k for at in row.unit_vectors for k in range(at.start, at.stop)}
        for at in turned:
            label = f"{view.name} turn"
            for k, axis in enumerate("xyz"):
                out.append(
                    {
                        "label": f"{label} {axis}",
                        "kind": "turn",
                        "q": view.q.start + at.start,
                        "axis": k,
                        "unit": "rad",
                        "lower": -np.pi,
                        "upper": np.pi,
                        "limited": False,
                        "wraps": False,
                        "follows": not all(k in entry for k in range(view.v.start, view.v.stop)),
                    }
                )
        several = row.nq - len(held) > 1 or bool(turned)
        words = _words(view)
        for k in range(row.nq):
            if k not in held:
                i = view.q.start + k
                ends, limited = _ends(float(low[i]), float(high[i]), row.units[k])
                own = {v for j, v in row.limited if j == k} or {*range(row.nv)}
                out.append(
                    {
                        "label": f"{view.name} {words[k]}" if several else view.name,
                        "kind": "coordinate",
                        "q": i,
                        "unit": row.units[k],
                        "lower": ends[0],
                        "upper": ends[1],
                        "limited": limited,
                        "wraps": row.units[k] == "rad" and bool(np.isinf((low[i], high[i])).all()),
                        "follows": not all(view.v.start + v in entry for v in own),
                    }
                )
    return out


def _words(view: JointView) -> list[str]:
    """What tells the coordinates of a joint apart."""
    if view.joint.row.unit_vectors:  # of a free joint, its position
        rest = iter("xyz")
        units = view.joint.row.units
        return [next(rest, str(k)) if units[k] == "m" else str(k) for k in range(len(units))]
    if view.kind == "planar":
        return ["x", "y", "turn"] if view.joint.row.units[2] == "rad" else ["turn", "x", "y"]
    return [str(k + 1) for k in range(view.joint.row.nq)]


def _ends(low: float, high: float, unit: str) -> tuple[tuple[float, float], bool]:
    """Return the ends of a slider, and whether both are limits of the joint."""
    low, high = (x if abs(x) < _UNLIMITED else np.copysign(np.inf, x) for x in (low, high))
    ends = finite_range(low, high, SPANS[unit])
    return (float(ends[0]), float(ends[1])), bool(np.isfinite(low) and np.isfinite(high))


# ------------------------------------------------------------------ dynamics


def _losses(system: Subject) -> dict[str, Any]:
    """Damping of all joints, which of them more damping may slow, and stops at their limits.

    Slides without limits have stops where their sliders end, as they would fall without end.
    """
    damping = np.zeros(len(system.labels("t")))
    for view in system.joints.values():  # joints that follow others move with their leaders
        gain = 1.0 if view.joint.mimic is None else view.joint.mimic.multiplier
        damping[view.v] += gain**2 * view.joint.damping
    damped = np.ones(len(damping))
    for view in _leading(system):
        if view.kind == "free":
            damped[view.v] = 0.0
    low, high = system.limits.bounds(float)
    units = _units(system)
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


# ------------------------------------------------------------------ what is drawn besides


def axes(system: Subject) -> list[dict[str, Any]]:
    """Axes of the joints, in their bodies' frames."""
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
    """The direction across which a planar robot moves, from which one sees it best; else None."""
    poses = poses_at(system, q[None])[0]
    found = axes(system)
    ways = [poses[x["body"], :3, :3] @ np.array(x["direction"]) for x in found]
    turns = [way for way, x in zip(ways, found, strict=True) if not x["slides"]]
    every = all("axis" in joint.row.fields for joint in system.model.joints)
    if not turns or not every:
        return None
    flat = all(np.linalg.norm(np.cross(turns[0], way)) < 1e-6 for way in turns)
    slides = (way for way, x in zip(ways, found, strict=True) if x["slides"])
    return turns[0].tolist() if flat and all(abs(turns[0] @ way) < 1e-6 for way in slides) else None


def _frames(system: Subject) -> list[dict[str, Any]]:
    """Frames fixed in bodies (4, 4), those of the bodies themselves left out."""
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
    """How high the floor is, the box that is reached, and what a floating robot stands on.

    Under what stands in the world; under a floating base as it starts; else as deep as it reaches.
    """
    up = up_of(system.model.gravity)
    corners = [(part.body, _corners(part)) for part in parts]
    standing = zip(parts, corners, strict=True)
    world = [points for part, (body, points) in standing if body < 0 and part.origin != "skeleton"]
    floating = floating_base(system) is not None
    reached = _places(system, corners, start[None] if floating else system.random(0, _POSES))
    height = float(min((x @ up).min() for x in world or [reached]))
    return {
        "height": height,
        "points": _feet(corners, len(system.model.bodies)) if floating else [],
        "reach": [reached.min(axis=0).tolist(), reached.max(axis=0).tolist()],
    }


def _places(system: Subject, corners: list[tuple[int, np.ndarray]], q: np.ndarray) -> np.ndarray:
    """Where corners of parts get (n, 3), in the world."""
    poses = poses_at(system, q)
    found = [np.zeros((1, 3))] if not corners else []
    for body, points in corners:
        if body < 0:
            found.append(points)
        else:
            T = poses[:, body]
            there = np.einsum("nij,pj->npi", T[:, :3, :3], points) + T[:, None, :3, 3]
            found.append(there.reshape(-1, 3))
    return np.concatenate(found)


def _corners(part: Part) -> np.ndarray:
    """Vertices of a part that lie outermost in 26 directions."""
    directions = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)])
    used = part.vertices[np.unique(part.faces)]
    if not len(used):
        return np.zeros((1, 3))
    return used[np.unique(np.argmax(used @ directions.T, axis=0))]


def _feet(corners: list[tuple[int, np.ndarray]], bodies: int) -> list[dict[str, Any]]:
    """For each body, the eight points that lie outermost towards the corners of its box."""
    out: list[dict[str, Any]] = []
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    for body in range(bodies):
        own = [points for b, points in corners if b == body]
        if own:
            points = np.concatenate(own)
            chosen = np.unique(np.argmax(points @ signs.T, axis=0))
            out += [{"body": body, "point": points[k].tolist()} for k in chosen]
    return out
