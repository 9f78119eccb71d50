"""Axes, limits and loops of SDF joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ModelWarning, suggest, warn
from jounce.io.sdf.frames import WORLD, Frames
from jounce.io.xml import Element
from jounce.model.joints import KINDS, spellings
from jounce.model.model import Mimic
from jounce.model.numbers import Floats

#: Limits from here on mean that there is none.
_HUGE = 1e16
#: Up to this version axes are in the axes of the model's frame, not of the joint's.
_MODEL_AXES = (1, 4)


@dataclass(frozen=True)
class SdfJoint:
    """A joint: its scoped name, the model it is in, and the links it joins (None: the world)."""

    name: str
    node: Element
    scope: str
    parent: str | None
    child: str


def read_joints(frames: Frames) -> list[SdfJoint]:
    """All joints in file order; each joins two different links."""
    out = []
    for name, node in frames.of_kind("joint"):
        scope, end = frames.nodes[name].scope, node.require("parent")
        parent = None
        if end.word() != WORLD:
            parent = frames.link_of(frames.find(end.word(), scope, end), end)
        child = frames.link_of(name, node)
        if parent == child:
            raise node.error(f"its parent and its child are both fixed to link '{child}'")
        out.append(SdfJoint(name, node, scope, parent, child))
    return out


@dataclass(frozen=True)
class JointReader:
    """Reads joints; axes and points are in the child link's frame, where q = 0."""

    frames: Frames
    version: tuple[int, int]

    def kind(self, joint: SdfJoint) -> str:
        """Kind of the joint, or "fixed"."""
        word = joint.node.string("type")
        types = {**spellings("sdf", word), "fixed": "fixed"}
        if word not in types:
            raise joint.node.error(
                f"attribute 'type': joint type '{word}' is not supported; {suggest(word, types)}"
            )
        return types[word]

    def options(self, joint: SdfJoint, kind: str) -> dict[str, Any]:
        """Axes, point, pitch, limits, damping, friction and mimic of a movable joint."""
        node, child, row = joint.node, joint.child, KINDS[kind]
        out: dict[str, Any] = {}
        if any(row.turns):
            out["point"] = self.frames.relative(joint.name, child)[:3, 3]
        tags = row.fields
        if not tags:
            return out
        for tag in tags:
            out[tag] = self._axis(joint, tag, child)
        if row.pitched:
            out["pitch"] = _pitch(node)
        limits = [
            _limits(node, part.axis if isinstance(part.axis, str) else "")
            for part in row.parts
            for _ in range(part.motion.nv)
        ]
        for name in limits[0]:
            out[name] = [limit[name] for limit in limits]
        axis = node.find("axis")
        mimic = None if axis is None else axis.find("mimic")
        if mimic is not None:
            out["mimic"] = self._mimic(joint, mimic)
        return out

    def _axis(self, joint: SdfJoint, tag: str, frame: str) -> Floats:
        """Direction of an axis in the axes of a frame."""
        node = joint.node.find(tag)
        xyz = None if node is None else node.find("xyz")
        axis = np.array((0.0, 0.0, 1.0)) if xyz is None else xyz.values(3)
        if not np.linalg.norm(axis) > 1e-9:
            raise (xyz or joint.node).error("expected a direction such as '0 0 1', found zero")
        base = joint.name
        named = "" if xyz is None else xyz.attributes.get("expressed_in", "")
        if xyz is not None and named:
            base = self.frames.find(named, joint.scope, xyz)
        elif self.version <= _MODEL_AXES or (
            node is not None and node.flag("use_parent_model_frame")
        ):
            base = joint.scope
        return self.frames.relative(base, frame)[:3, :3] @ axis

    def _mimic(self, joint: SdfJoint, node: Element) -> Mimic:
        if node.attributes.get("axis", "axis") != "axis":
            raise node.error("attribute 'axis': only joints with one axis can lead")
        leader = self.frames.find(node.string("joint"), joint.scope, node)
        if self.frames.nodes[leader].kind != "joint":
            raise node.error(f"attribute 'joint': '{leader}' is not a joint")
        gain = node.value("multiplier", 1.0)
        offset = node.value("offset", 0.0) - gain * node.value("reference", 0.0)
        return Mimic(leader, gain, offset)

    # -------------------------------------------------------------- loops

    def loop(self, joint: SdfJoint) -> tuple[Any, Floats, Floats]:
        """Kind of the loop constraint that a joint is, and its frames in parent and child.

        The frame of a joint on the world is given in the model's frame.
        """
        kind, node = self.kind(joint), joint.node
        row = KINDS.get(kind)  # or it is fixed
        locked = "weld" if row is None else row.loop
        if locked is None:
            raise node.error(f"a {node.string('type')} joint cannot close a loop")
        axes = [self._axis(joint, tag, joint.name) for tag in (() if row is None else row.fields)]
        T = self.frames.relative(joint.name, joint.child)
        A = B = np.eye(4)
        if len(axes) == 1:
            A = B = _z_along(axes[0])
        if len(axes) == 2:
            A, B = _cross(axes[0], axes[1], node)
        limits = _limits(node, "axis")
        if limits["damping"] or limits["friction"] or limits["stiffness"]:
            warn(
                f"{node.where}: damping, friction and spring of a joint that closes a loop are left"
                " out",
                ModelWarning,
            )
        above = self.frames.pose(joint.name)
        if joint.parent is not None:
            above = self.frames.relative(joint.name, joint.parent)
        return locked, above @ A, T @ B


def _z_along(axis: Floats) -> Floats:
    """A pose at the origin whose z axis has the given direction."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    return T


def _cross(first: Floats, second: Floats, node: Element) -> tuple[Floats, Floats]:
    first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)
    if abs(first @ second) > 1e-9:
        raise node.error("a universal joint that closes a loop needs axes at a right angle")
    T = np.eye(4)
    T[:3, :3] = np.column_stack((second, first, np.cross(second, first)))
    return T, T


def _pitch(node: Element) -> float:
    """Meters per radian of a screw joint; either element may give it, in units of its own."""
    if node.find("screw_thread_pitch") is None and node.find("thread_pitch") is not None:
        turns = node.value("thread_pitch", 1.0)  # radians per meter of a left-handed thread
        if turns == 0.0:
            raise node.error("<thread_pitch>: expected a number other than zero")
        return -1.0 / turns
    return node.value("screw_thread_pitch", 1.0) / (2.0 * np.pi)


def _limits(node: Element, tag: str) -> dict[str, float]:
    """Limits, damping, friction and spring of an axis; negative effort or velocity: no limit."""
    out = {"lower": -np.inf, "upper": np.inf, "effort_limit": np.inf, "velocity_limit": np.inf}
    out.update(damping=0.0, friction=0.0, stiffness=0.0, spring_reference=0.0)
    axis = node.find(tag)
    limit = None if axis is None else axis.find("limit")
    if limit is not None:
        if node.attributes["type"] != "continuous":
            for name, none in (("lower", -np.inf), ("upper", np.inf)):
                value = limit.value(name, none, finite=False)
                out[name] = none if abs(value) >= _HUGE else value
        for name in ("effort", "velocity"):
            value = limit.value(name, np.inf, finite=False)
            out[f"{name}_limit"] = np.inf if value < 0.0 or value >= _HUGE else value
    dynamics = None if axis is None else axis.find("dynamics")
    if dynamics is not None:
        out["damping"] = dynamics.value("damping", 0.0)
        out["friction"] = dynamics.value("friction", 0.0)
        out["stiffness"] = dynamics.value("spring_stiffness", 0.0)
        out["spring_reference"] = dynamics.value("spring_reference", 0.0)
    return out
