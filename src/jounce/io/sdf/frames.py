"""The frames of an SDF model: links, joints, frames and nested models, and their poses.

Every pose is relative to some frame: a link's and a nested model's to the model frame, a joint's to
its child, a frame's to what it is attached to, unless `relative_to` names another. Names inside
nested models are scoped: "arm::wrist". The frame of the outermost model is called "".

Up to version 1.7 tools wrote nested models out as links called "arm::wrist"; before it, a joint
could be called like a link. There the joint gives way and is called "arm_joint", as in libsdformat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from jounce.errors import suggest
from jounce.io.builder import MAX_FRAMES, placement
from jounce.io.xml import Element, truth
from jounce.math.lie import rotation_from_quaternion
from jounce.model.numbers import Floats
from jounce.model.tree import inverse_pose

WORLD = "world"
#: Elements of a model that are frames.
_KINDS = ("link", "joint", "frame", "model")
#: From these versions on, all frames of a model have names of their own, none with "::" in it.
_UNIQUE, _SCOPED = (1, 7), (1, 8)
#: Names that grow with every scope must not fill the memory.
_LONGEST_NAME = 2000


@dataclass(eq=False)
class Node:
    """A frame: its element, the model it is in, its pose in `base`, and what it is fixed to."""

    element: Element
    scope: str
    base: str
    pose: Floats
    attached: str = ""

    @property
    def kind(self) -> str:
        """Its element's tag."""
        return self.element.tag


@dataclass(eq=False)
class Frames:
    """All frames of a model by scoped name."""

    model: Element
    nodes: dict[str, Node] = field(default_factory=dict)
    _poses: dict[str, Floats] = field(default_factory=dict)
    _links: dict[str, str] = field(default_factory=dict)

    def of_kind(self, kind: str) -> Iterator[tuple[str, Element]]:
        """Scoped names and elements of the links, joints or frames, in file order."""
        return ((name, node.element) for name, node in self.nodes.items() if node.kind == kind)

    def find(self, name: str, scope: str, at: Element) -> str:
        """The scoped name of the frame called `name` inside the model `scope`."""
        if name == "__model__":
            return scope
        full = scope_name(scope, name)
        if full not in self.nodes:
            full = full.removesuffix("::__model__")
        if full not in self.nodes:
            inside = [n for n in self.nodes if not scope or n.startswith(f"{scope}::")]
            valid = ("__model__", *(n.removeprefix(f"{scope}::") for n in inside if n))
            raise at.error(f"there is no frame '{name}'; {suggest(name, valid)}")
        return full

    def pose(self, name: str) -> Floats:
        """Pose (4, 4) of a frame in the outermost model's frame."""
        chain: dict[str, None] = {}  # a set in order
        start = name
        while name not in self._poses:
            if name in chain:
                names = " -> ".join(list(chain)[list(chain).index(name) :])
                raise self.nodes[name].element.error(f"poses are relative in a circle: {names}")
            chain[name] = None
            name = self.nodes[name].base
        for step in reversed(chain):
            node = self.nodes[step]
            self._poses[step] = self._poses[node.base] @ node.pose
        return self._poses[start]

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
        seen: dict[str, None] = {}  # a set in order
        while self.nodes[name].kind != "link" and name not in self._links:
            if name in seen:
                raise at.error(f"frames are attached in a circle: {' -> '.join(seen)}")
            seen[name] = None
            name = self.nodes[name].attached
        link = self._links.get(name, name)
        self._links.update(dict.fromkeys(seen, link))
        return link


def scope_name(scope: str, name: str) -> str:
    """A name inside the model `scope`, as seen from the outermost one."""
    return f"{scope}::{name}" if scope else name


def read_frames(model: Element, version: tuple[int, int]) -> Frames:
    """All frames of a model, its nested models included."""
    frames = Frames(model)
    frames.nodes[""] = Node(model, "", "", np.eye(4))
    frames._poses[""] = np.eye(4)
    todo = [""]
    scopes: dict[str, list[str]] = {}
    while todo:  # a stack, not recursion: models may be nested deeply
        scope = todo.pop()
        scopes[scope] = []
        # what others refer to comes first, and keeps its name
        children = frames.nodes[scope].element.children
        for child in sorted(children, key=lambda node: node.tag in ("joint", "frame")):
            if child.tag == "include":
                raise child.error(
                    "<include> is not supported; expand it first, as with: gz sdf -p model.sdf"
                )
            if child.tag in _KINDS:
                name = _new_name(frames, scope, child, version)
                frames.nodes[name] = Node(child, scope, scope, np.eye(4))
                scopes[scope].append(name)
                if child.tag == "model":
                    todo.append(name)
    first = _first_links(frames)
    for scope, inside in scopes.items():
        _attach_model(frames, scope, first.get(scope))
        for name in inside:
            _place(frames, frames.nodes[name])
    for scope in list(scopes)[:0:-1]:  # inner models first: outer ones are placed by them
        frames.nodes[scope].pose = _model_pose(frames, scope, frames.nodes[scope].pose)
    return frames


def model_pose(frames: Frames) -> Floats:
    """Pose (4, 4) of the outermost model as its <pose> says, in whatever that is relative to."""
    pose = frames.model.find("pose")
    return _model_pose(frames, "", np.eye(4) if pose is None else read_pose(pose))


def _new_name(frames: Frames, scope: str, child: Element, version: tuple[int, int]) -> str:
    name = child.string("name")
    if ("::" in name and version >= _SCOPED) or name in ("__model__", "__root__", WORLD):
        raise child.error(f"attribute 'name': '{name}' is reserved")
    full = scope_name(scope, name)
    while version < _UNIQUE and full in frames.nodes and frames.nodes[full].kind != child.tag:
        full = f"{full}_{child.tag}"
    if len(full) > _LONGEST_NAME:
        raise child.error(f"expected names of at most {_LONGEST_NAME} characters, scopes included")
    if len(frames.nodes) > MAX_FRAMES:
        raise child.error(f"expected at most {MAX_FRAMES} links, joints, frames and models")
    if full in frames.nodes:
        line = frames.nodes[full].element.line
        raise child.error(f"the {frames.nodes[full].kind} of line {line} has the same name")
    return full


def _place(frames: Frames, node: Node) -> None:
    """Find what a frame is relative to; names may point forward."""
    child, scope = node.element, node.scope
    if node.kind == "frame":
        target = child.attributes.get("attached_to", "")
        node.attached = frames.find(target, scope, child) if target else scope
        node.base = node.attached
    elif node.kind == "joint":
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


def _first_links(frames: Frames) -> dict[str, str]:
    """The first link in each model or in a model inside it."""
    out: dict[str, str] = {}
    for name, node in frames.nodes.items():
        if node.kind == "link":
            scope = node.scope
            while scope not in out:
                out[scope] = name
                scope = frames.nodes[scope].scope
    return out


def _attach_model(frames: Frames, scope: str, first: str | None) -> None:
    """A model frame is fixed to the canonical link, by default the first link."""
    model = frames.nodes[scope]
    named = model.element.attributes.get("canonical_link", "")
    if named:
        model.attached = frames.find(named, scope, model.element)
    elif first is None:
        raise model.element.error("expected at least one <link>, found none")
    else:
        model.attached = first


def _model_pose(frames: Frames, scope: str, pose: Floats) -> Floats:
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
    return pose @ inverse_pose(inside)


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
        turns = numbers[3:]
        if truth(pose.attributes.get("degrees", "false"), pose, "attribute 'degrees': "):
            turns = np.radians(turns)
        return placement(numbers[:3], turns)
    numbers = pose.values(7)
    length = np.linalg.norm(numbers[3:])
    if abs(length - 1.0) > 1e-3:
        raise pose.error("expected a unit quaternion (x, y, z, w) after the position")
    T = placement(numbers[:3])
    T[:3, :3] = rotation_from_quaternion(numbers[[6, 3, 4, 5]] / length).astype(float)
    return T
