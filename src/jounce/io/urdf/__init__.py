"""URDF to Model.

Joints come depth first, children in the order in which the file lists the joints. Links held by
fixed joints are merged into the body that carries them and stay as frames: every link is a frame,
the root included. The root link's inertia belongs to the world unless the base is floating.
Unknown elements are ignored, meshes are recorded and never opened. `write.py` writes models, and
`extension.py` what URDF has no elements for.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.errors import ModelError, suggest
from jounce.io.builder import (
    DEFAULT_GRAVITY,
    SOLIDS,
    TreeBuilder,
    Vector,
    base_joint_name,
    base_kind,
    inertia_from_com,
    placement,
)
from jounce.io.colors import parse_color
from jounce.io.packages import Folders, folders, resolve_mesh
from jounce.io.urdf.extension import apply_extension, gravity_of
from jounce.io.xml import Element, read_xml
from jounce.math.lie import rotation_from_quaternion
from jounce.model.joints import KINDS, spellings
from jounce.model.model import Mesh, Mimic, Model, Solid
from jounce.model.numbers import Floats
from jounce.model.tree import DRIVES
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.io.urdf.write import urdf_text

__all__ = ["MOMENTS", "read_origin", "read_urdf", "urdf_text"]

#: Entries of the inertia matrix as the format calls them.
MOMENTS = {
    f"i{a}{b}": ("xyz".index(a), "xyz".index(b)) for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__, {"urdf_text": "jounce.io.urdf.write"})


@np.errstate(all="ignore")  # numbers that overflow are refused where they are used
def read_urdf(
    path_or_text: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    source: str | None = None,
) -> Model:
    """Return the model of a URDF file.

    Parameters
    ----------
    path_or_text : str or path
        The file, or XML text (a string that contains '<').
    base : {"fixed", "floating"}, optional
        "fixed" by default; "floating" adds a free joint "base" before the root link, unless that is
        a bare link with a floating joint already.
    gravity : sequence of float (3,), optional
        Gravitational acceleration in m/s^2; by default the file's own (as `write_urdf` notes it),
        else (0, 0, -9.81).
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
    robot = _robot(read_xml(path_or_text, source))
    links = _by_name(robot, "link")
    joints = _by_name(robot, "joint")
    if not links:
        raise robot.error("expected at least one <link>, found none")
    children = _children(links, joints)
    name = robot.attributes.get("name") or "robot"
    if gravity is None:
        gravity = gravity_of(robot)
    builder = TreeBuilder(
        name, DEFAULT_GRAVITY if gravity is None else gravity, source=robot.source
    )
    context = _ShapeContext(folders(package_dirs), _colors(robot))
    root = _root(links, joints)
    if _floats(links[root], children[root]):
        kind = "fixed"
    name_of_base = base_joint_name(joints)
    _add(builder, links[root], links[root], context, kind=kind, joint_name=name_of_base)
    # a stack, not recursion: chains may be longer than Python's recursion limit
    stack = children[root][::-1]
    seen = {root}
    while stack:
        joint = stack.pop()
        child = joint.require("child").string("link")
        _add(builder, joint, links[child], context, **_joint(joint, joints))
        seen.add(child)
        stack.extend(reversed(children[child]))
    _reject_cycle([link for link in links if link not in seen], joints)
    try:
        model = builder.build()
    except ModelError as error:
        raise robot.error(str(error)) from error
    return apply_extension(model, robot, read_origin)


class _ShapeContext(NamedTuple):
    """Context of shapes: folders with meshes, and colors by name."""

    folders: list[Path]
    colors: dict[str, Element]


# ------------------------------------------------------------------ the tree


def _robot(root: Element) -> Element:
    """The <robot> element, the root or somewhere below it."""
    robots = [node for node in root.walk() if node.tag.rpartition(":")[2] == "robot"]
    if len(robots) != 1:
        hint = "; files with other robots start with <mujoco> or <sdf>" if not robots else ""
        raise root.error(f"expected one <robot> element in a URDF, found {len(robots)}{hint}")
    for child in robots[0].children:
        parts = child.walk() if child.tag in ("link", "joint") else (child,)
        for node in parts:
            _reject_xacro(node)
    return robots[0]


def _reject_xacro(node: Element) -> None:
    advice = "unevaluated xacro; give the file a name ending in .xacro, or expand it first"
    if node.tag.startswith("xacro:"):
        raise node.error(advice)
    for key, value in node.attributes.items():
        # mesh paths are never opened, so whatever stands in them does no harm
        if key != "filename" and ("${" in value or "$(" in value):
            raise node.error(f"attribute '{key}': found '{value}', {advice}")


def _by_name(robot: Element, tag: str) -> dict[str, Element]:
    out: dict[str, Element] = {}
    for node in robot.all(tag):
        name = node.string("name")
        if name in out:
            raise node.error(f"the {tag} of line {out[name].line} has the same name '{name}'")
        out[name] = node
    return out


def _children(links: dict[str, Element], joints: dict[str, Element]) -> dict[str, list[Element]]:
    """The joints that hang on each link, in file order; checks both ends of every joint."""
    out: dict[str, list[Element]] = {link: [] for link in links}
    parent_joint: dict[str, str] = {}
    for name, joint in joints.items():
        ends = []
        for role in ("parent", "child"):
            end = joint.require(role)
            link = end.string("link")
            if link not in links:
                raise end.error(f"there is no link '{link}'; {suggest(link, links)}")
            ends.append(link)
        if ends[1] in parent_joint:
            other = parent_joint[ends[1]]
            raise joint.error(
                f"link '{ends[1]}' already is the child of joint '{other}'; a link has one parent"
            )
        parent_joint[ends[1]] = name
        out[ends[0]].append(joint)
    return out


def _root(links: dict[str, Element], joints: dict[str, Element]) -> str:
    moved = {joint.require("child").string("link") for joint in joints.values()}
    roots = [link for link in links if link not in moved]
    if not roots:
        _reject_cycle(list(links), joints)
    if len(roots) > 1:
        raise links[roots[1]].error(
            f"expected one root link, found {len(roots)}: {', '.join(roots)};"
            " join them with fixed joints"
        )
    return roots[0]


def _floats(root: Element, children: list[Element]) -> bool:
    """Return whether the root is a bare link that a floating joint connects to all of the robot."""
    moving = [joint for joint in children if joint.attributes.get("type") != "fixed"]
    bare = root.find("inertial") is None
    return bare and [joint.attributes.get("type") for joint in moving] == ["floating"]


def _reject_cycle(left: Iterable[str], joints: dict[str, Element]) -> None:
    """Raise an error that names the joints of a cycle; links in `left` are not reached."""
    above = {
        joint.require("child").string("link"): (name, joint.require("parent").string("link"))
        for name, joint in joints.items()
    }
    for link in left:
        trail: dict[str, str] = {}
        current = link
        while current not in trail:
            trail[current], current = above[current]
        # the walk up may enter the cycle from a branch: keep the part that repeats
        names = list(trail.values())[list(trail).index(current) :][::-1]
        raise joints[names[0]].error(f"the joints form a cycle: {' -> '.join(names)}")


# ------------------------------------------------------------------ links and joints


def _add(
    builder: TreeBuilder, at: Element, link: Element, given: _ShapeContext, **joint: Any
) -> None:
    """Add a link; what the builder refuses becomes an error at the element `at`."""
    facts: dict[str, Any] = {"inertia": _inertia(link), **_shapes(link, given)}
    try:
        builder.add(link.attributes["name"], **facts, **joint)
    except ModelError as error:
        raise ModelError(f"{at.source}:{at.line}: {error}") from error


def _joint(joint: Element, joints: dict[str, Element]) -> dict[str, Any]:
    """Return the arguments of `TreeBuilder.add` for a joint."""
    kind = _kind(joint)
    return {
        "kind": kind,
        "parent": joint.require("parent").string("link"),
        "joint_name": joint.attributes["name"],
        "placement": read_origin(joint),
        **({} if kind == "fixed" else _options(joint, joints)),
    }


def _kind(joint: Element) -> str:
    word = joint.string("type")
    types = {**spellings("urdf", word), "fixed": "fixed"}
    if word not in types:
        raise joint.error(f"attribute 'type': unknown joint type '{word}'; {suggest(word, types)}")
    return types[word]


def _options(joint: Element, joints: dict[str, Element]) -> dict[str, Any]:
    """Axis, limits, damping, friction, armature and mimic of a movable joint."""
    out: dict[str, Any] = {}
    kind = KINDS[_kind(joint)]
    if kind.fields:
        out["axis"] = _axis(joint)
    limit = joint.find("limit")
    if limit is not None:
        out["velocity_limit"] = limit.number("velocity", np.inf, finite=False)
        out["effort_limit"] = limit.number("effort", np.inf, finite=False)
        if kind.single and joint.attributes["type"] == kind.aliases["urdf"][0]:
            # the format's default for a missing bound is 0, not "none"
            out["lower"] = limit.number("lower", 0.0, finite=False)
            out["upper"] = limit.number("upper", 0.0, finite=False)
    dynamics = joint.find("dynamics")
    if dynamics is not None:
        for name in DRIVES:  # only damping and friction are in the format
            out[name] = dynamics.number(name, 0.0)
    mimic = joint.find("mimic")
    if mimic is not None:
        out["mimic"] = _mimic(mimic, joints)
    return out


def _axis(joint: Element) -> Floats:
    node = joint.find("axis")
    if node is None:
        return np.array((1.0, 0.0, 0.0))
    axis = node.vector("xyz", 3)
    if not axis.any():
        raise node.error("attribute 'xyz': expected a direction such as '0 0 1', found zero")
    return axis


def _mimic(node: Element, joints: dict[str, Element]) -> Mimic:
    leader = node.string("joint")
    single = [word for word, kind in spellings("urdf").items() if KINDS[kind].single]
    if leader not in joints or joints[leader].attributes.get("type") not in single:
        movable = [name for name, joint in joints.items() if joint.attributes.get("type") in single]
        problem = "cannot lead" if leader in joints else "does not exist"
        raise node.error(
            f"joint '{leader}' {problem}; choose one with one degree of freedom:"
            f" {', '.join(movable)}"
        )
    return Mimic(leader, node.number("multiplier", 1.0), node.number("offset", 0.0))


def read_origin(node: Element) -> Floats:
    """4x4 pose of an element's <origin>; the identity if it has none."""
    origin = node.find("origin")
    if origin is None:
        return np.eye(4)
    zero = (0.0, 0.0, 0.0)
    T = placement(origin.vector("xyz", 3, zero), origin.vector("rpy", 3, zero))
    if "quat_xyzw" in origin.attributes:  # URDF 1.2
        if "rpy" in origin.attributes:
            raise origin.error("expected either 'rpy' or 'quat_xyzw', found both")
        x, y, z, w = origin.vector("quat_xyzw", 4)
        if abs(x * x + y * y + z * z + w * w - 1.0) > 1e-3:
            raise origin.error("attribute 'quat_xyzw': expected a unit quaternion")
        T[:3, :3] = rotation_from_quaternion(np.array((w, x, y, z)))
    return T


def _inertia(link: Element) -> Floats:
    """Ten inertial parameters (10,) in the link's frame; zeros without <inertial>."""
    inertial = link.find("inertial")
    if inertial is None:
        return np.zeros(10)
    node = inertial.require("mass")
    mass = node.number("value")
    if mass < 0.0:
        raise node.error(f"attribute 'value': expected a mass >= 0, found {mass}")
    node, about = inertial.require("inertia"), np.zeros((3, 3))
    for name, (i, j) in MOMENTS.items():
        about[i, j] = about[j, i] = node.number(name)
    T = read_origin(inertial)
    return inertia_from_com(mass, T[:3, 3], T[:3, :3] @ about @ T[:3, :3].T)


def _colors(robot: Element) -> dict[str, Element]:
    """The <color> of each material by its name, wherever the file defines it."""
    out: dict[str, Element] = {}
    for node in robot.walk():
        color = node.find("color") if node.tag == "material" else None
        if color is not None:
            out.setdefault(node.attributes.get("name", ""), color)
    return out


def _color(node: Element, named: dict[str, Element]) -> tuple[float, ...] | None:
    """Return the color of a <visual>, from its <material> or the definition of that name."""
    material = node.find("material")
    if material is None:
        return None
    color = material.find("color") or named.get(material.attributes.get("name", ""))
    return None if color is None else parse_color(color.attributes.get("rgba", ""))


def _shapes(link: Element, given: _ShapeContext) -> dict[str, list[Any]]:
    """Meshes and solids of each <visual> and <collision>; dynamics need none of them."""
    meshes: list[Mesh] = []
    solids: list[Solid] = []
    for node in link.children:
        geometry = node.find("geometry") if node.tag in ("visual", "collision") else None
        if geometry is None:
            continue
        color, mesh = _color(node, given.colors), geometry.find("mesh")
        if mesh is not None:
            x, y, z = mesh.vector("scale", 3, (1.0, 1.0, 1.0)).tolist()
            path = mesh.attributes.get("filename", "").strip()
            if path:
                file, place = resolve_mesh(path, link.source, given.folders), read_origin(node)
                meshes.append(
                    Mesh(path, node.tag, (x, y, z), place, file=str(file or ""), color=color)
                )
        for shape, (names, count) in SOLIDS.items():
            element = geometry.find(shape)
            with contextlib.suppress(ModelError):  # a shape that makes no sense is passed over
                sizes = () if element is None else (element.vector(name, count) for name in names)
                size = tuple(x for part in sizes for x in part.tolist())
                if size and min(size) > 0.0:
                    solids.append(Solid(shape, node.tag, size, read_origin(node), color=color))
    return {"meshes": meshes, "solids": solids}
