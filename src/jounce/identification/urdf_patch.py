"""A URDF file with other inertias: numbers replaced in its bytes, every other one as it was.

A moving body is a link and all links fixed to it. The fixed ones keep what the file says and the
link that moves (or the heaviest one, if that has no mass) takes the difference, so that the whole
has the wanted parameters. Where that would leave a link that cannot exist (a heavy tool on a light
flange), each link gets the share of the whole that its mass was: bodies of one shape that add up.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import rotation_from_rpy
from jounce.io.files import read_bytes
from jounce.io.spans import Document, span_of
from jounce.io.urdf import read_urdf
from jounce.io.xml import MAX_BYTES, Element
from jounce.math.lie import rotation_from_quaternion
from jounce.model import inertia

if TYPE_CHECKING:
    from jounce.identification.subject import Subject
    from jounce.model.model import Body, Joint, Model

#: Entries of the inertia matrix as the format calls them.
_MOMENTS = {
    "ixx": (0, 0),
    "ixy": (0, 1),
    "ixz": (0, 2),
    "iyy": (1, 1),
    "iyz": (1, 2),
    "izz": (2, 2),
}


def patch_urdf(
    source: str | os.PathLike[str],
    robot: Subject,
    parameters: np.ndarray,
    *,
    armature: np.ndarray | None = None,
    damping: np.ndarray | None = None,
    friction: np.ndarray | None = None,
) -> bytes:
    """The file `source` of a robot with other parameters (nb, 10), and drives of all joints.

    Reading it gives a robot with these numbers, to rounding.
    """
    document = Document(read_bytes(source, MAX_BYTES), os.fspath(source))
    model = _read(document, robot)
    patch = _Patch(document)
    for body, pi in zip(model.bodies, np.asarray(parameters, dtype=float), strict=True):
        if not np.array_equal(body.inertia, pi):
            for link, share in _shares(body, pi, document.source).items():
                T = model.frames[model.frame_index(link)].placement
                patch.set_inertia(link, inertia.transform(share, _inverse(T)))
    drives = {"damping": damping, "friction": friction, "armature": armature}
    wanted = {name: np.asarray(x) for name, x in drives.items() if x is not None}
    for joint in model.joints:
        changed = _changed(joint, robot, wanted)
        if changed and joint.name in patch.joints:
            patch.set_dynamics(joint.name, changed)
    return document.edited()


def _read(document: Document, robot: Subject) -> Model:
    """The model of the file; it must be the robot's."""
    tried = []
    for base in ("fixed", "floating"):
        model = read_urdf(
            document.text, base=base, gravity=robot.model.gravity, source=document.source
        )
        if [body.name for body in model.bodies] == robot.model.body_names:
            return model
        tried = [body.name for body in model.bodies]
    raise ModelError(
        f"{document.source} does not describe {robot.name}: its links are {', '.join(tried)},"
        f" expected {', '.join(robot.model.body_names)}"
    )


def _changed(joint: Joint, robot: Subject, wanted: Mapping[str, np.ndarray]) -> dict[str, float]:
    """The drive parameters of a joint that differ from those of its file."""
    out = {}
    for name, given in wanted.items():
        # what is seen at a leader includes its followers
        own = given[robot.joints[joint.name].v]
        value = 0.0 if joint.mimic else float(own.max(initial=0.0))
        if value != float(np.max(getattr(joint, name))):
            out[name] = value
    return out


def _shares(body: Body, pi: np.ndarray, source: str) -> dict[str, np.ndarray]:
    """New parameters of the links of a body that change, in the body's frame."""
    masses = {link.name: float(link.inertia[0]) for link in body.links}
    carrier = body.name
    if not masses.get(carrier):
        carrier = max(masses, key=lambda name: masses[name], default=body.name)
    others = [link.inertia for link in body.links if link.name != carrier]
    rest = pi - sum(others, np.zeros(10))
    if not others or not inertia.problem(rest):
        return {carrier: rest}
    if inertia.problem(pi):
        raise ModelError(
            f"{source}: link '{body.name}' cannot be written: {inertia.problem(pi)};"
            " method 'consistent' finds only bodies that exist"
        )
    whole = sum(masses.values())
    return {name: mass / whole * pi for name, mass in masses.items() if mass > 0.0}


def _inverse(T: np.ndarray) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = T[:3, :3].T, -T[:3, :3].T @ T[:3, 3]
    return out


# ------------------------------------------------------------------ the text


class _Patch:
    """Edits to a document that is a URDF file."""

    def __init__(self, document: Document) -> None:
        self.document = document
        robot = next(x for x in document.root.walk() if x.tag.rpartition(":")[2] == "robot")
        self.links = {node.attributes["name"]: node for node in robot.all("link")}
        self.joints = {node.attributes["name"]: node for node in robot.all("joint")}
        self._newline = "\r\n" if "\r\n" in document.text else "\n"

    def set_inertia(self, link: str, pi: np.ndarray) -> None:
        """Give a link the parameters pi (10,) in its own frame."""
        mass, com, about = inertia.about_com(pi)
        node = self.links[link]
        inertial = node.find("inertial")
        origin = None if inertial is None else inertial.find("origin")
        R = _rotation(origin)
        about = R.T @ about @ R
        moments = {name: repr(float(about[i])) for name, i in _MOMENTS.items()}
        wanted = {
            "origin": {"xyz": " ".join(repr(float(x)) for x in com)},
            "mass": {"value": repr(float(mass))},
            "inertia": moments,
        }
        if inertial is None:
            lines = (f"  {_written(tag, values)}" for tag, values in wanted.items())
            self._insert(node, ["<inertial>", *lines, "</inertial>"])
            return
        for tag, values in wanted.items():
            self._set(inertial, tag, values)

    def set_dynamics(self, joint: str, values: Mapping[str, float]) -> None:
        """Give a joint damping, friction or armature."""
        node = self.joints[joint]
        if node.find("dynamics") is not None or any(values.values()):
            self._set(node, "dynamics", {name: repr(value) for name, value in values.items()})

    def _set(self, parent: Element, tag: str, values: Mapping[str, str]) -> None:
        """Change attributes of a child or add them at its end; add the child if there is none."""
        node, document = parent.find(tag), self.document
        if node is None:
            self._insert(parent, [_written(tag, values)])
            return
        places = document.values(node, *values)
        for name, place in places.items():
            document.replace(*place, values[name])
        missing = {name: value for name, value in values.items() if name not in places}
        if missing:
            opening = document.tag(node).removesuffix(">").removesuffix("/").rstrip()
            at = span_of(node).start + document.size(opening)
            document.replace(at, at, _attributes(missing))

    def _insert(self, node: Element, lines: list[str]) -> None:
        """Put lines at the start of what an element contains, indented like what it contains."""
        document, span = self.document, span_of(node)
        before = document.before(node)
        indent = before if not before.strip() else ""
        inner = indent + "  "
        if node.children:
            lead = document.before(node.children[0])
            inner = lead if not lead.strip() else inner
        new = "".join(f"{self._newline}{inner}{line}" for line in lines)
        opening = document.tag(node)
        if opening.endswith("/>"):
            opening = opening.removesuffix("/>").rstrip()
            at = span.start + document.size(opening)
            new = f">{new}{self._newline}{indent}</{node.tag}>"
            document.replace(at, span.inside, new)
        else:
            document.replace(span.inside, span.inside, new)


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{value}"' for name, value in values.items())


def _written(tag: str, values: Mapping[str, str]) -> str:
    return f"<{tag}{_attributes(values)}/>"


def _rotation(origin: Element | None) -> np.ndarray:
    """The rotation of an element's <origin>."""
    if origin is None:
        return np.eye(3)
    if "quat_xyzw" in origin.attributes:
        x, y, z, w = map(float, origin.attributes["quat_xyzw"].split())
        return rotation_from_quaternion(np.array((w, x, y, z))).astype(float)
    return rotation_from_rpy([float(x) for x in origin.attributes.get("rpy", "0 0 0").split()])
