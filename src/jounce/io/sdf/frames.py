"""The frames of an SDF model: links, joints, frames and nested models, and their poses.

Every pose is relative to some frame: a link's and a nested model's to the model frame, a joint's to
its child, a frame's to what it is attached to, unless `relative_to` names another. Names inside
nested models are scoped: "arm::wrist". The frame of the outermost model is called "".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from jounce.io.builder import placement
from jounce.io.xml import Element
from jounce.math.lie import rotation_from_quaternion
from jounce.model import Floats

WORLD = "world"
#: Elements of a model that are frames.
_KINDS = ("link", "joint", "frame", "model")


@dataclass(eq=False)
class Node:
    """A frame: its element, its pose in the frame `base`, and what it is fixed to (frames only)."""

    element: Element
    kind: str
    base: str
    pose: Floats
    attached: str = ""


@dataclass(eq=False)
class Frames:
    """All frames of a model by scoped name."""

    model: Element
    nodes: dict[str, Node] = field(default_factory=dict)
    _poses: dict[str, Floats] = field(default_factory=dict)

    def of_kind(self, kind: str) -> Iterator[tuple[str, Element]]:
        """Scoped names and elements of the links, joints or frames, in file order."""
        return ((name, node.element) for name, node in self.nodes.items() if node.kind == kind)

    def find(self, name: str, scope: str, at: Element) -> str:
        """The scoped name of the frame called `name` inside the model `scope`."""
        if name == "__model__":
            return scope
        full = scoped(scope, name)
        if full.endswith("::__model__"):
            full = full.removesuffix("::__model__")
        if full not in self.nodes:
            inside = [n for n in self.nodes if not scope or n.startswith(f"{scope}::")]
            choices = ", ".join(n.removeprefix(f"{scope}::") for n in inside if n)
            raise at.error(f"there is no frame '{name}'; choose one of __model__, {choices}")
        return full

    def pose(self, name: str) -> Floats:
        """Pose (4, 4) of a frame in the outermost model's frame."""
        chain: list[str] = []
        while name not in self._poses:
            if name in chain:
                names = " -> ".join(chain[chain.index(name) :])
                raise self.nodes[name].element.error(f"poses are relative in a circle: {names}")
            chain.append(name)
            name = self.nodes[name].base
        for step in reversed(chain):
            node = self.nodes[step]
            self._poses[step] = self._poses[node.base] @ node.pose
        return self._poses[chain[0] if chain else name]

    def relative(self, name: str, other: str) -> Floats:
        """Pose (4, 4) of a frame in another one."""
        T, S = self.pose(other), self.pose(name)
        if name == other:
            return np.eye(4)
        out = np.eye(4)
        out[:3, :3] = T[:3, :3].T @ S[:3, :3]
        out[:3, 3] = T[:3, :3].T @ (S[:3, 3] - T[:3, 3])
        return out

    def link_of(self, name: str, at: Element) -> str:
        """The link that a frame (or link, joint, model) is fixed to."""
        seen: list[str] = []
        while self.nodes[name].kind != "link":
            if name in seen:
                raise at.error(f"frames are attached in a circle: {' -> '.join(seen)}")
            seen.append(name)
            name = self.nodes[name].attached
        return name


def scoped(scope: str, name: str) -> str:
    """A name inside the model `scope`, as seen from the outermost one."""
    return f"{scope}::{name}" if scope else name


def read_frames(model: Element) -> Frames:
    """All frames of a model, its nested models included."""
    frames = Frames(model)
    frames.nodes[""] = Node(model, "model", "", np.eye(4))
    frames._poses[""] = np.eye(4)
    todo: list[tuple[str, Element]] = [("", model)]
    scopes: list[tuple[str, Element]] = []
    while todo:  # a stack, not recursion: models may be nested deeply
        scope, element = todo.pop()
        scopes.append((scope, element))
        for child in element.children:
            if child.tag == "include":
                raise child.error(
                    "<include> is not supported; expand it first, as with: gz sdf -p model.sdf"
                )
            if child.tag in _KINDS:
                name = _new_name(frames, scope, child)
                frames.nodes[name] = Node(child, child.tag, scope, np.eye(4))
                if child.tag == "model":
                    todo.append((name, child))
    for scope, element in scopes:
        _place(frames, scope, element)
    for scope, _ in reversed(scopes[1:]):  # inner models first: outer ones are placed by them
        frames.nodes[scope].pose = _placed(frames, scope, frames.nodes[scope].pose)
    return frames


def model_pose(frames: Frames) -> Floats:
    """Pose (4, 4) of the outermost model as its <pose> says, in whatever that is relative to."""
    pose = frames.model.find("pose")
    return _placed(frames, "", np.eye(4) if pose is None else read_pose(pose))


def _new_name(frames: Frames, scope: str, child: Element) -> str:
    name = child.string("name")
    if "::" in name or name in ("__model__", "__root__", WORLD):
        raise child.error(f"attribute 'name': '{name}' is reserved")
    full = scoped(scope, name)
    if full in frames.nodes:
        line = frames.nodes[full].element.line
        raise child.error(f"the {frames.nodes[full].kind} of line {line} has the same name")
    return full


def _place(frames: Frames, scope: str, model: Element) -> None:
    """Find what each frame of a model is relative to; names may point forward."""
    _attach_model(frames, scope, model)
    for child in model.children:
        if child.tag not in _KINDS:
            continue
        node = frames.nodes[scoped(scope, child.attributes["name"])]
        if child.tag == "frame":
            target = child.attributes.get("attached_to", "")
            node.attached = frames.find(target, scope, child) if target else scope
            node.base = node.attached
        elif child.tag == "joint":
            target = child.require("child").word()
            if target == WORLD:
                raise child.error("the child of a joint cannot be the world; swap the two")
            node.attached = node.base = frames.find(target, scope, child)
        pose = child.find("pose")
        if pose is not None:
            node.pose = read_pose(pose)
            relative = pose.attributes.get("relative_to", "")
            if relative:
                node.base = frames.find(relative, scope, pose)


def _attach_model(frames: Frames, scope: str, model: Element) -> None:
    """A model frame is fixed to the canonical link, by default the first link."""
    named = model.attributes.get("canonical_link", "")
    if named:
        frames.nodes[scope].attached = frames.find(named, scope, model)
        return
    inside = f"{scope}::" if scope else ""
    for name, node in frames.nodes.items():
        if node.kind == "link" and name.startswith(inside):
            frames.nodes[scope].attached = name
            return
    raise model.error("expected at least one <link>, found none")


def _placed(frames: Frames, scope: str, pose: Floats) -> Floats:
    """Pose of a model's frame; if it has a placement frame, `pose` is that one's."""
    element = frames.nodes[scope].element
    target = element.attributes.get("placement_frame", "")
    if not target:
        return pose
    name, inside, steps = frames.find(target, scope, element), np.eye(4), 0
    while name != scope:
        node = frames.nodes[name]
        inside, name, steps = node.pose @ inside, node.base, steps + 1
        if steps > len(frames.nodes):
            raise element.error("the pose of the placement frame is relative to itself")
    back = np.eye(4)
    back[:3, :3], back[:3, 3] = inside[:3, :3].T, -inside[:3, :3].T @ inside[:3, 3]
    return pose @ back


def read_pose(pose: Element) -> Floats:
    """4x4 pose of a <pose> element: x y z roll pitch yaw, or with a quaternion x y z w."""
    form = pose.attributes.get("rotation_format", "euler_rpy")
    if form not in ("euler_rpy", "quat_xyzw"):
        raise pose.error(
            f"attribute 'rotation_format': choose euler_rpy or quat_xyzw, not '{form}'"
        )
    if not pose.text.strip():
        return np.eye(4)
    if form == "euler_rpy":
        numbers = pose.values(6)
        degrees = pose.attributes.get("degrees", "false").lower() in ("true", "1")
        return placement(numbers[:3], np.radians(numbers[3:]) if degrees else numbers[3:])
    numbers = pose.values(7)
    length = np.linalg.norm(numbers[3:])
    if abs(length - 1.0) > 1e-3:
        raise pose.error("expected a unit quaternion (x, y, z, w) after the position")
    T = placement(numbers[:3])
    T[:3, :3] = rotation_from_quaternion(numbers[[6, 3, 4, 5]] / length).astype(float)
    return T
