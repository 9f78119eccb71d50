"""SDF to Model: one model of links and joints, with `relative_to` frames and nested models.

The body frames are the link frames, and the pose the file describes is q = 0. Joints come depth
first, children in file order. Links held by fixed joints are merged into the body that carries them
and stay as frames, as do <frame> elements. A joint to a link that another joint already carries
closes a loop. As in URDF, the world holds the root link unless base="floating".
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import DEFAULT_GRAVITY, TreeBuilder, Vector, base_joint_name, base_kind
from jounce.io.packages import Folders, folders
from jounce.io.sdf.frames import WORLD, Frames, model_pose, read_frames, read_pose
from jounce.io.sdf.joints import JointReader, SdfJoint, read_joints
from jounce.io.sdf.links import LinkReader
from jounce.io.xml import Element, read_xml
from jounce.model.model import Model
from jounce.model.numbers import Floats

__all__ = ["read_sdf"]


@np.errstate(all="ignore")  # numbers that overflow are refused where they are used
def read_sdf(
    path_or_text: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    source: str | None = None,
) -> Model:
    """Return the model of an SDF file.

    The file holds one <model>, or a <world> in which one <model> is not static.

    Parameters
    ----------
    path_or_text : str or path
        The file, or XML text (a string that contains '<').
    base : {"fixed", "floating"}, optional
        "fixed" by default; "floating" adds a free joint "base" under the root link.
    gravity : sequence of float (3,), optional
        Gravitational acceleration in m/s^2; by default that of the file's <world> (the format's
        -9.8 along z if it has none), and (0, 0, -9.81) without one.
    package_dirs : path or sequence of paths
        Folders in which meshes are looked for.
    source : str or path, optional
        File that a text comes from.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    ModelError
        If the file cannot be read or used.
    """
    kind = base_kind(base or "fixed")
    root = read_xml(path_or_text, source)
    if root.tag != "sdf":
        raise root.error("expected <sdf>, the root of an SDF file")
    version = _version(root)
    world, model = _model(root)
    if gravity is None:
        gravity = _gravity(world)
    frames = read_frames(model, version)
    builder = TreeBuilder(model.string("name"), gravity, source=root.source)
    tree = _Tree(
        frames,
        builder,
        LinkReader(frames, folders(package_dirs)),
        JointReader(frames, version),
        _in_world(model, world, frames),
    )
    tree.add("fixed" if model.flag("static") else kind)
    for name, node in frames.of_kind("frame"):
        link = frames.link_of(name, node)
        _at(node, builder.frame, name, link, frames.relative(name, link))
    return _at(model, builder.build)


def _at(node: Element, action: Any, *arguments: Any, **options: Any) -> Any:
    """Do something with the builder; what it refuses becomes an error at the element."""
    try:
        return action(*arguments, **options)
    except ModelError as error:
        raise ModelError(f"{node.source}:{node.line}: {error}") from error


# ------------------------------------------------------------------ which model, and where


def _version(root: Element) -> tuple[int, int]:
    text = root.attributes.get("version", "1.12").strip()
    major, _, minor = text.partition(".")
    if not (text.isascii() and major.isdecimal() and minor.isdecimal() and len(text) < 10):
        raise root.error(f"attribute 'version': expected such as 1.9, found '{text}'")
    return int(major), int(minor)


def _model(root: Element) -> tuple[Element | None, Element]:
    """The world, if there is one, and the model that is meant."""
    worlds, models = root.all("world"), root.all("model")
    if len(worlds) + bool(models) != 1:
        raise root.error(
            f"expected one <model> or one <world>, found {len(models)} and {len(worlds)}"
        )
    world = worlds[0] if worlds else None
    if world is not None:
        for child in world.children:
            if child.tag in ("include", "joint"):
                raise child.error(f"<{child.tag}> in a <world> is not supported")
        models = world.all("model")
        models = [model for model in models if not model.flag("static")] or models
    if len(models) != 1:
        names = ", ".join(model.attributes.get("name", "?") for model in models) or "none"
        raise (world or root).error(f"expected one model that is not static, found: {names}")
    return world, models[0]


def _gravity(world: Element | None) -> Vector:
    """Gravity of a world, or the one taken for a model without."""
    if world is None:
        return DEFAULT_GRAVITY
    node = world.find("gravity")
    return (0.0, 0.0, -9.8) if node is None else node.values(3)  # the format's default


def _in_world(model: Element, world: Element | None, frames: Frames) -> Floats:
    """Pose of the model's frame in the world; frames and other models of the world may place it."""
    T, node, seen = model_pose(frames), model, {model}
    others: dict[str, list[Element]] = {}
    for other in () if world is None else (*world.all("frame"), *world.all("model")):
        others.setdefault(other.attributes.get("name", ""), []).append(other)
    while True:
        pose = node.find("pose")
        name = "" if pose is None else pose.attributes.get("relative_to", "")
        name = name or (node.attributes.get("attached_to", "") if node.tag == "frame" else "")
        if name in ("", WORLD):
            return T
        elements = others.get(name, [])
        if len(elements) != 1 or elements[0] in seen:
            raise (pose or node).error(
                f"attribute 'relative_to': cannot place '{name}' in the world"
            )
        node = elements[0]
        seen.add(node)
        pose = node.find("pose")
        T = T if pose is None else read_pose(pose) @ T


# ------------------------------------------------------------------ the tree


class _Tree:
    """Adds all links and joints to a builder, from the root on."""

    def __init__(
        self,
        frames: Frames,
        builder: TreeBuilder,
        links: LinkReader,
        joints: JointReader,
        T_world: Floats,
    ) -> None:
        self._frames, self._builder = frames, builder
        self._link_reader, self._joint_reader = links, joints
        self._T_world = T_world
        self._links = dict(frames.of_kind("link"))
        self._joints = read_joints(frames)
        self._static = frames.model.flag("static")

    def add(self, kind: str) -> None:
        """Add everything; kind: "fixed" or "free", how the world holds the root link."""
        root = self._root()
        below: dict[str | None, list[SdfJoint]] = {name: [] for name in (None, *self._links)}
        for joint in self._joints:
            below[joint.parent].append(joint)
        if root is not None:
            self._add_root(root, kind)
        elif kind != "fixed":
            raise below[None][0].node.error(
                "holds the model to the world; base='floating' needs a model that is free"
            )
        # a stack, not recursion: chains may be longer than Python's recursion limit
        seen, loops = {root}, []
        stack = below[root][::-1]
        while stack:
            joint = stack.pop()
            if joint.child in seen:
                loops.append(joint)
                continue
            seen.add(joint.child)
            self._add_joint(joint)
            stack.extend(reversed(below[joint.child]))
        for name, node in self._links.items():
            if name not in seen:
                raise node.error("no chain of joints leads from the root link to this link")
        for joint in loops:
            self._add_loop(joint)

    def _root(self) -> str | None:
        """The link that no joint carries; None if joints to the world carry the model."""
        carried = {joint.child for joint in self._joints}
        free = [link for link in self._links if link not in carried]
        held = any(joint.parent is None for joint in self._joints)
        if len(free) + held > 1:
            listed = ", ".join([*["world"] * held, *free])
            raise self._links[free[-1]].error(
                f"expected one link that no joint carries, found {len(free) + held}: {listed};"
                " join them with fixed joints, or swap parent and child of a joint"
            )
        if held:
            return None
        return free[0] if free else self._frames.nodes[""].attached

    def _add_root(self, name: str, kind: str) -> None:
        name_of_joint = base_joint_name(joint.name for joint in self._joints)
        options: dict[str, Any] = {"joint_name": name_of_joint}
        if kind == "fixed":
            options["placement"] = self._T_world @ self._frames.pose(name)
        facts = self._link_reader.facts(name)
        _at(self._links[name], self._builder.add, name, kind, **options, **facts)

    def _add_joint(self, joint: SdfJoint) -> None:
        T = self._frames.pose(joint.child)
        if joint.parent is None:
            T = self._T_world @ T
        else:
            T = self._frames.relative(joint.child, joint.parent)
        kind = self._joint_reader.kind(joint)
        options: dict[str, Any] = {}
        if self._static:
            kind = "fixed"
        elif kind != "fixed":
            options = {"joint_name": joint.name, **self._joint_reader.options(joint, kind)}
        facts = self._link_reader.facts(joint.child)
        where = {"parent": joint.parent, "placement": T}
        _at(joint.node, self._builder.add, joint.child, kind, **where, **options, **facts)

    def _add_loop(self, joint: SdfJoint) -> None:
        if self._static or self._builder.same_body(joint.parent, joint.child):
            return
        kind, A, B = self._joint_reader.loop(joint)
        if joint.parent is None:
            A = self._T_world @ A
        _at(joint.node, self._builder.loop, joint.name, joint.parent, joint.child, kind, A, B)
