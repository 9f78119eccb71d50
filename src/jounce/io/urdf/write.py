"""Model to URDF, so that `read_urdf` gives back the same dynamics.

Every frame becomes a link, as every link became a frame. A link's place in a URDF is on the axis of
its joint: where a joint's axis does not pass through its body's frame (`Joint.point`), a massless
link on the axis moves, and the body's link is fixed to it. Joints that the format lacks are built
from those it has, one per motion: a universal joint from two revolute ones, a cylindrical one from
a revolute and a prismatic one, a helical one from a revolute joint and a prismatic one that mimics
it. A free base is written as a floating joint on a separate link, so the file reads back with
base="fixed". Gravity, the order of joints that are not numbered depth first, loops and contacts go
into an element <jounce>, which other readers ignore (`io.urdf.extension`).

Numbers are written so that they read back exactly; orientations are converted to roll, pitch and
yaw and read back with round-off errors. Infinite limits are omitted where a missing limit means
infinity to readers, and are "inf" elsewhere.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.io.builder import DEFAULT_GRAVITY, unique_name
from jounce.io.packages import resolve_mesh
from jounce.io.urdf import MOMENTS
from jounce.io.urdf.extension import TAG
from jounce.math.spatial import inertia_matrix, shift_inertia
from jounce.model.joints import (
    HELICAL,
    PRISMATIC,
    REVOLUTE,
    ElementaryMotion,
    alone,
    spellings,
)
from jounce.model.links import link_shares, move_inertia
from jounce.model.model import Frame, Joint, Mesh, Mimic, Model, Solid
from jounce.model.numbers import Floats
from jounce.model.tree import DRIVES, inverse_pose
from jounce.utils.files import write_files

#: What XML 1.0 cannot hold, and what the reader takes for an unevaluated macro.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\\$[{(]")

#: Entries of a rotation smaller than this are rounded zeros, as in `model.tree`.
_SNAP = 1e-15

#: An XML element: its tag, attributes and children.
Node = tuple[str, Mapping[str, str], list["Node"]]

_IDENTITY = np.eye(4)
_UNBOUNDED = (-math.inf, math.inf)


def write_urdf(model: Model, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write the model as a URDF file and return its path.

    Data that a URDF cannot hold, such as limits of free joints, cause a ModelWarning or, if the
    dynamics would change, a ModelError that names the joint. overwrite: replace an existing file;
    otherwise it raises FileExistsError. The file is written completely or not at all.
    """
    target = Path(path)
    data = urdf_text(model, target).encode()
    write_files({target: data}, overwrite=overwrite)
    return target


def urdf_text(model: Model, path: str | os.PathLike[str] = "") -> str:
    """Return the model as URDF. path: of the file, to which paths of meshes are relative."""
    _warn_about_losses(model)
    nodes = _Writer(model, os.fspath(path)).nodes()
    robot: Node = ("robot", {"name": _word(model.name or "robot", "robot")}, nodes)
    return "\n".join(('<?xml version="1.0" encoding="utf-8"?>', *_lines(robot), ""))


# ------------------------------------------------------------------ text


def _lines(node: Node, indent: str = "") -> Iterator[str]:
    tag, attributes, children = node
    words = " ".join((tag, *(f"{key}={quoteattr(value)}" for key, value in attributes.items())))
    if not children:
        yield f"{indent}<{words}/>"
        return
    yield f"{indent}<{words}>"
    for child in children:
        yield from _lines(child, indent + "  ")
    yield f"{indent}</{tag}>"


def _word(name: str, what: str) -> str:
    """Return a name, or raise an error if a URDF cannot hold it."""
    bad = _UNWRITABLE.search(name)
    if bad or not name:
        culprit = f"{bad[0]!r} in it" if bad else "an empty one"
        raise ModelError(f"{what} '{name}': a URDF cannot hold this name; found {culprit}")
    return name


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _origin(T: Floats) -> list[Node]:
    """An <origin>, or nothing for the identity."""
    if np.array_equal(T, _IDENTITY):
        return []
    attributes = {"xyz": _numbers(T[:3, 3])}
    if not np.array_equal(T[:3, :3], np.eye(3)):
        attributes["rpy"] = _numbers(rpy_from_rotation(T[:3, :3]))
    return [("origin", attributes, [])]


def rpy_from_rotation(R: Floats) -> tuple[float, float, float]:
    """Roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll).

    Roll is computed after turning back by yaw, so that near pitch = +-pi/2, where roll and yaw are
    nearly dependent, the error of one compensates that of the other.
    """
    x, y = (0.0 if abs(entry) < _SNAP else entry for entry in R[:2, 0])
    yaw = math.atan2(y, x)
    s, c = math.sin(yaw), math.cos(yaw)
    pitch = math.atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw


def _shift(p: Floats) -> Floats:
    out = np.eye(4)
    out[:3, 3] = p
    return out


# ------------------------------------------------------------------ the robot


class _Writer:
    """Names and nodes of one file."""

    def __init__(self, model: Model, path: str) -> None:
        self.model = model
        self.path = path
        self.links = {frame.name for frame in model.frames}
        self.joints = {joint.name for joint in model.joints}
        self.frames: dict[int, list[Frame]] = {i: [] for i in range(-1, model.nb)}
        for frame in model.frames:
            self.frames[frame.body].append(frame)
        #: the link at each body's own frame, and the world's
        self.anchors = {i: self._anchor(i) for i in range(-1, model.nb)}

    def nodes(self) -> list[Node]:
        """Links and joints, joints with the same parent in the order of the model."""
        out: list[Node] = []
        for i in range(-1, self.model.nb):
            if i >= 0:
                out += self._moving(i)
            out += self._links(i)
            for frame in self.frames[i]:
                if frame.name != self.anchors[i]:
                    out.append(self._fixed(self.anchors[i], frame.name, frame.placement))
        links = [node for node in out if node[0] == "link"]
        joints = [node for node in out if node[0] == "joint"]
        return [*links, *joints, *self._extension(joints)]

    def _extension(self, joints: list[Node]) -> list[Node]:
        """Return the children of <jounce>: data that the format cannot hold."""
        out: list[Node] = []
        if not np.array_equal(self.model.gravity, DEFAULT_GRAVITY):
            out.append(("gravity", {"xyz": _numbers(self.model.gravity)}, []))
        if not _is_depth_first(self.model):
            names = [node[1]["name"] for node in joints if node[1]["type"] != "fixed"]
            out += [("order", {"joint": name}, []) for name in names]
        for loop in self.model.loops:
            sort = {"locked": " ".join(str(int(x)) for x in loop.locked)}
            if isinstance(loop.kind, str):
                sort = {"kind": loop.kind}
            ends = (("a", loop.body_a, loop.placement_a), ("b", loop.body_b, loop.placement_b))
            inside: list[Node] = [
                (role, {"link": self.anchors[body]}, _origin(T)) for role, body, T in ends
            ]
            out.append(("loop", {"name": _word(loop.name, "loop"), **sort}, inside))
        for contact in self.model.contacts:
            name, link = _word(contact.name, "contact"), self.anchors[contact.body]
            said = {"name": name, "kind": contact.kind, "link": link}
            out.append(("contact", said, _origin(contact.placement)))
        return [(TAG, {}, out)] if out else []

    def _anchor(self, body: int) -> str:
        """Return the name of the link at the body's frame, a new one if there is none."""
        names = [f.name for f in self.frames[body] if np.array_equal(f.placement, _IDENTITY)]
        if body < 0:
            return names[0] if names else unique_name("world", self.links)
        name = self.model.bodies[body].name
        return name if name in names else unique_name(name, self.links)

    # -------------------------------------------------------------- joints

    def _moving(self, body: int) -> Iterator[Node]:
        """The joint that moves a body, and the massless links on the way."""
        joint = self.model.joints[body]
        parent, anchor = self.anchors[joint.parent], self.anchors[body]
        # where the axis passes does not matter to a joint that only slides
        point = joint.point if any(joint.row.turns) else np.zeros(3)
        T = joint.placement if not point.any() else joint.placement @ _shift(point)
        motions, name = _motions(joint), joint.name
        for k, motion in enumerate(motions):
            child = anchor
            if k < len(motions) - 1 or point.any():
                child = unique_name(f"{self.model.bodies[body].name}_axis", self.links)
                yield ("link", {"name": _word(child, "link")}, [])
            before, name = name, joint.name
            if motion.suffix:
                name = unique_name(joint.name + motion.suffix, self.joints)
            if motion.along is not None:
                motion.mimic = Mimic(before, motion.along)
            yield motion.node(_word(name, "joint"), parent, child, T)
            parent, T = child, _IDENTITY
        if point.any():
            yield self._fixed(parent, anchor, _shift(-point))

    def _fixed(self, parent: str, child: str, T: Floats) -> Node:
        name = unique_name(f"{child}_fixed", self.joints)
        return ("joint", {"name": name, "type": "fixed"}, [*_ends(parent, child), *_origin(T)])

    # -------------------------------------------------------------- links

    def _links(self, body: int) -> Iterator[Node]:
        """The links that make up a body (-1: the world), each with its share."""
        anchor = self.anchors[body]
        places = {frame.name: frame.placement for frame in self.frames[body]}
        places[anchor] = _IDENTITY
        inside: dict[str, list[Node]] = {name: [] for name in (anchor, *places)}
        carrier = self.model.ground if body < 0 else self.model.bodies[body]
        shares = link_shares(carrier)
        if not shares.keys() <= places.keys():
            shares = {anchor: carrier.inertia}
        for name, share in shares.items():
            inside[name] += _inertial(move_inertia(share, inverse_pose(places[name])), name)
        for shape in (*carrier.meshes, *carrier.solids):
            if isinstance(shape, Solid) and shape.shape == "ellipsoid":
                continue  # the format has none
            name = shape.link if shape.link in places else anchor
            T = inverse_pose(places[name]) @ shape.placement
            inside[name].append(self._shape(shape, T))
        for name, children in inside.items():
            yield ("link", {"name": _word(name, "link")}, children)

    def _shape(self, shape: Mesh | Solid, T: Floats) -> Node:
        if isinstance(shape, Mesh):
            attributes = {"filename": self._mesh_path(shape)}
            if tuple(shape.scale) != (1.0, 1.0, 1.0):
                attributes["scale"] = _numbers(shape.scale)
            node: Node = ("mesh", attributes, [])
        elif shape.shape == "box":
            node = ("box", {"size": _numbers(shape.size)}, [])
        else:
            sizes = zip(("radius", "length"), shape.size, strict=False)
            node = (shape.shape, {key: _numbers((x,)) for key, x in sizes}, [])
        tag = "collision" if shape.purpose == "collision" else "visual"
        parts = [*_origin(T), ("geometry", {}, [node])]
        if shape.color is not None and tag == "visual":
            rgba = _numbers(shape.color)
            named = {"name": f"rgba_{rgba.replace(' ', '_')}"}
            parts.append(("material", named, [("color", {"rgba": rgba}, [])]))
        return (tag, {}, parts)

    def _mesh_path(self, mesh: Mesh) -> str:
        """The path as it was if it leads to the same file from here, else an absolute one."""
        if _UNWRITABLE.search(mesh.path.replace("$(", "")):
            raise ModelError(f"mesh '{mesh.path}': a URDF cannot hold this path")
        if not mesh.file or resolve_mesh(mesh.path, self.path) == Path(mesh.file):
            return mesh.path
        return Path(mesh.file).as_posix()


def _ends(parent: str, child: str) -> list[Node]:
    return [("parent", {"link": parent}, []), ("child", {"link": child}, [])]


def _inertial(pi: Floats, link: str) -> list[Node]:
    """An <inertial>, or nothing for a massless link."""
    if not pi.any():
        return []
    mass, h = float(pi[0]), pi[1:4]
    with np.errstate(all="ignore"):
        com = h / mass if mass > 0.0 else np.zeros(3)
        about, _ = shift_inertia(inertia_matrix(pi).astype(float), h, mass, -com)
    if not (np.isfinite(com).all() and np.isfinite(about).all()):
        raise ModelError(f"link '{link}': its center of mass or the inertia about it overflows")
    entries = {name: repr(float(about[place])) for name, place in MOMENTS.items()}
    parts: list[Node] = [("mass", {"value": repr(mass)}, []), ("inertia", entries, [])]
    return [("inertial", {}, [*_origin(_shift(com)), *parts])]


# ------------------------------------------------------------------ joints the format has


@dataclass
class _Motion:
    """A URDF joint, for some of the velocities of a joint of the model."""

    joint: Joint
    #: What the format calls it: with limits, and without if that is another word.
    words: tuple[str, ...]
    axis: Floats | None
    #: Entries of the joint's vectors that it stands for.
    dofs: slice
    suffix: str = ""
    mimic: Mimic | None = None
    #: How far it follows the joint before it.
    along: float | None = None

    def node(self, name: str, parent: str, child: str, T: Floats) -> Node:
        """Return the <joint>."""
        lower, upper = self.joint.lower[self.dofs], self.joint.upper[self.dofs]
        bounds = (float(lower[0]), float(upper[0])) if len(lower) == 1 else _UNBOUNDED
        parts = {
            "axis": {} if self.axis is None else {"xyz": _numbers(self.axis)},
            "limit": self._limits(bounds, may_be_bounded=len(lower) <= 1),
            "dynamics": self._values(*DRIVES),
            "mimic": {},
        }
        if self.mimic is not None:
            numbers = {"multiplier": self.mimic.multiplier, "offset": self.mimic.offset}
            texts = {key: repr(float(value)) for key, value in numbers.items()}
            parts["mimic"] = {"joint": self.mimic.leader, **texts}
        children = [*_ends(parent, child), *_origin(T)]
        children += [(tag, values, []) for tag, values in parts.items() if values]
        word = self.words[-1 if bounds == _UNBOUNDED else 0]
        return ("joint", {"name": name, "type": word}, children)

    def _value(self, name: str) -> float:
        """The one number of a vector's entries; warns where they differ."""
        values = getattr(self.joint, name)[self.dofs]
        if len(values) == 0:  # the part that only follows
            return math.inf if name in ("velocity_limit", "effort_limit") else 0.0
        if np.any(values != values[0]):
            warn(
                f"joint '{self.joint.name}': a URDF holds one {name} per joint; of"
                f" {values.tolist()} the first is written",
                ModelWarning,
            )
        return float(values[0])

    def _limits(self, bounds: tuple[float, float], may_be_bounded: bool) -> dict[str, str]:
        caps = {name: self._value(f"{name}_limit") for name in ("effort", "velocity")}
        out = {name: repr(cap) for name, cap in caps.items() if cap != math.inf}
        # a joint that has no word for it has bounds in a <limit>, 0 where they are missing
        if bounds != _UNBOUNDED or (out and may_be_bounded and len(self.words) == 1):
            out = {"lower": repr(bounds[0]), "upper": repr(bounds[1]), **out}
        return out

    def _values(self, *names: str) -> dict[str, str]:
        values = {name: self._value(name) for name in names}
        return {name: repr(value) for name, value in values.items() if value != 0.0}


def _motions(joint: Joint) -> list[_Motion]:
    """The URDF joints, one after the other, that move as the joint does."""
    parts, out = joint.row.parts, []
    for part in parts:
        suffix = f"_{part.name}" if len(parts) > 1 else ""
        axis = part.direction(joint)
        if axis is None and part.motion.has_axis:
            axis = np.array((0.0, 0.0, 1.0))
        if part.motion == HELICAL:  # a slide that follows a turn
            out.append(_Motion(joint, _words(REVOLUTE), axis, part.v, suffix, joint.mimic))
            suffix, words = f"{suffix}_slide", _words(PRISMATIC)
            out.append(_Motion(joint, words, axis, slice(0, 0), suffix, along=joint.pitch))
            continue
        words = _words(part.motion)
        if not words or (axis is not None and not part.motion.has_axis):
            raise ModelError(
                f"joint '{joint.name}': URDF has no {joint.kind} joint and no equivalent, only"
                f" {', '.join(spellings('urdf'))}; lock it (robot.edit.lock) or replace it"
            )
        out.append(_Motion(joint, words, axis, part.v, suffix, joint.mimic))
    return out


def _words(motion: ElementaryMotion) -> tuple[str, ...]:
    """Return the URDF types of a motion: with limits and without, if they differ."""
    kind = alone(motion)
    return () if kind is None else kind.aliases.get("urdf", ())


# ------------------------------------------------------------------ what is lost


def _warn_about_losses(model: Model) -> None:
    for joint in model.joints:
        several = [part.v for part in joint.row.parts if part.motion.nv > 1]
        if any(np.isfinite((joint.lower[k], joint.upper[k])).any() for k in several):
            loss = f"the limits of the {joint.kind} joint '{joint.name}'"
            warn(f"robot '{model.name}': a URDF cannot hold {loss}", ModelWarning)


def _is_depth_first(model: Model) -> bool:
    """Return whether joints are in the reader's order: each after its parent or a subtree."""
    path: list[int] = []
    for i, joint in enumerate(model.joints):
        while path and path[-1] != joint.parent:
            path.pop()
        if joint.parent >= 0 and not path:
            return False
        path.append(i)
    return True
