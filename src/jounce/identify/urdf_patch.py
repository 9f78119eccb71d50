"""A URDF file with other inertias: numbers replaced in its text, every other byte as it was.

A moving body is a link and all links fixed to it. The fixed ones keep what the file says and the
link that moves (or the heaviest one, if that has no mass) takes the difference, so that the whole
has the wanted parameters. Where that would leave a link that cannot exist (a heavy tool on a light
flange), each link gets the share of the whole that its mass was: bodies of one shape that add up.
"""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

import numpy as np

from jounce import inertia
from jounce.errors import ModelError
from jounce.io.builder import rotation_from_rpy
from jounce.io.files import read_bytes
from jounce.io.urdf import read_urdf
from jounce.io.xml import MAX_BYTES
from jounce.math.lie import rotation_from_quaternion

if TYPE_CHECKING:
    from jounce.model.model import Body, Model
    from jounce.robot import Robot

_ATTRIBUTE = re.compile(r"""\s([\w:.\-]+)\s*=\s*("[^"]*"|'[^']*')""")
_DECLARED = re.compile(rb"""^<\?xml[^>]*encoding\s*=\s*["']([\w.\-]+)["']""")

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
    robot: Robot,
    parameters: np.ndarray,
    *,
    armature: np.ndarray | None = None,
    damping: np.ndarray | None = None,
    friction: np.ndarray | None = None,
) -> bytes:
    """The file `source` of a robot with other parameters (nb, 10), and drive parameters (nv,).

    Reading it gives a robot with these numbers, to rounding.
    """
    text, encoding, mark = _decoded(Path(source))
    model = _read(text, source, robot)
    document = _Document(text, os.fspath(source))
    for body, pi in zip(model.bodies, np.asarray(parameters, dtype=float), strict=True):
        if np.array_equal(body.inertia, pi):
            continue
        for link, share in _shares(body, pi, os.fspath(source)).items():
            T = model.frames[model.frame_index(link)].placement
            document.set_inertia(link, inertia.transform(share, _inverse(T)))
    drives = {"damping": damping, "friction": friction, "armature": armature}
    for joint in model.joints:
        values = {}
        for name, given in drives.items():
            if given is None:
                continue
            view = robot.joints[joint.name]
            # what is seen at a leader includes its followers
            value = 0.0 if joint.mimic else float(np.asarray(given)[view.v].max(initial=0.0))
            if value != float(np.max(getattr(joint, name))):
                values[name] = value
        if values and joint.name in document.joints:
            document.set_dynamics(joint.name, values)
    return mark + document.text().encode(encoding)


def _decoded(path: Path) -> tuple[str, str, bytes]:
    """Text, encoding and byte order mark of a file."""
    data = read_bytes(path, MAX_BYTES)
    marks = (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    )
    mark, encoding = next((x for x in marks if data.startswith(x[0])), (b"", ""))
    if not mark:
        declared = _DECLARED.match(data)
        encoding = declared[1].decode() if declared else "utf-8"
    try:
        return data[len(mark) :].decode(encoding), encoding, mark
    except (LookupError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: cannot decode the file: {error}") from error


def _read(text: str, source: str | os.PathLike[str], robot: Robot) -> Model:
    """The model of the file; it must be the robot's."""
    tried = []
    for base in ("fixed", "floating"):
        model = read_urdf(text, base=base, gravity=robot.gravity, source=os.fspath(source))
        if [body.name for body in model.bodies] == robot.body_names:
            return model
        tried = [body.name for body in model.bodies]
    raise ModelError(
        f"{source} does not describe {robot.name}: its links are {', '.join(tried)}, expected"
        f" {', '.join(robot.body_names)}"
    )


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


@dataclass
class _Span:
    """An element: where its start tag and the whole of it stand in the text (in bytes)."""

    tag: str
    attributes: dict[str, str]
    start: int
    opened: int = 0
    closing: int = 0
    end: int = 0
    children: list[_Span] = field(default_factory=list)

    def find(self, tag: str) -> _Span | None:
        """The first child called `tag`."""
        return next((child for child in self.children if child.tag == tag), None)


class _Document:
    """A URDF text and edits to it."""

    def __init__(self, text: str, source: str) -> None:
        self.data, self.source = text.encode(), source
        self._edits: list[tuple[int, int, str]] = []
        self._newline = "\r\n" if "\r\n" in text else "\n"
        robot = self._parse()
        self.links = {x.attributes["name"]: x for x in robot.children if x.tag == "link"}
        self.joints = {x.attributes["name"]: x for x in robot.children if x.tag == "joint"}

    def _parse(self) -> _Span:
        # the text is decoded already, whatever its header says
        parser = expat.ParserCreate("utf-8")
        top = _Span("", {}, 0)
        stack = [top]
        found: list[_Span] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            node = _Span(tag, attributes, parser.CurrentByteIndex)
            node.opened = self._tag_end(node.start)
            stack[-1].children.append(node)
            stack.append(node)
            if tag.rpartition(":")[2] == "robot":
                found.append(node)

        def end(_tag: str) -> None:
            node = stack.pop()
            node.closing = parser.CurrentByteIndex
            empty = self.data[node.opened - 2 : node.opened] == b"/>"
            node.end = node.opened if empty else self.data.index(b">", node.closing) + 1
            node.closing = node.opened if empty else node.closing

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.Parse(self.data, True)
        return found[0]

    def _tag_end(self, start: int) -> int:
        """Where a start tag ends: its first > that is not in quotes."""
        quote = 0
        for at in range(start, len(self.data)):
            byte = self.data[at]
            if quote:
                quote = 0 if byte == quote else quote
            elif byte in b"\"'":
                quote = byte
            elif byte == ord(">"):
                return at + 1
        raise ModelError(f"{self.source}: a tag does not end")

    def text(self) -> str:
        """The text with all edits."""
        out, at = [], 0
        for start, stop, new in sorted(self._edits):
            out += [self.data[at:start].decode(), new]
            at = stop
        return "".join((*out, self.data[at:].decode()))

    def set_inertia(self, link: str, pi: np.ndarray) -> None:
        """Give a link the parameters pi (10,) in its own frame."""
        mass, com, about = inertia.about_com(pi)
        node = self.links[link]
        inertial = node.find("inertial")
        if inertial is None:
            self._insert(node, self._inertial(mass, com, about))
            return
        origin = inertial.find("origin")
        R = _rotation(origin)
        about = R.T @ about @ R
        moments = {name: repr(float(about[i])) for name, i in _MOMENTS.items()}
        self._set(inertial.find("mass"), {"value": repr(float(mass))})
        self._set(inertial.find("inertia"), moments)
        xyz = {"xyz": " ".join(repr(float(x)) for x in com)}
        if origin is not None:
            self._set(origin, xyz)
        else:
            self._insert(inertial, [f'<origin xyz="{xyz["xyz"]}"/>'])

    def _inertial(self, mass: np.ndarray, com: np.ndarray, about: np.ndarray) -> list[str]:
        moments = " ".join(f'{name}="{float(about[i])!r}"' for name, i in _MOMENTS.items())
        xyz = " ".join(repr(float(x)) for x in com)
        inside = (f'<origin xyz="{xyz}"/>', f'<mass value="{float(mass)!r}"/>')
        return [
            "<inertial>",
            *(f"  {x}" for x in (*inside, f"<inertia {moments}/>")),
            "</inertial>",
        ]

    def set_dynamics(self, joint: str, values: dict[str, float]) -> None:
        """Give a joint damping, friction or armature."""
        node = self.joints[joint]
        words = {name: repr(value) for name, value in values.items()}
        dynamics = node.find("dynamics")
        if dynamics is not None:
            self._set(dynamics, words)
        elif any(values.values()):
            inside = " ".join(f'{name}="{word}"' for name, word in words.items())
            self._insert(node, [f"<dynamics {inside}/>"])

    def _set(self, node: _Span | None, values: dict[str, str]) -> None:
        """Change attributes of a start tag, or add them at its end."""
        assert node is not None, "the reader has found it"
        tag = self.data[node.start : node.opened].decode()
        places = {m[1]: m.span(2) for m in _ATTRIBUTE.finditer(tag)}
        edits = []
        more = ""
        for name, value in values.items():
            if name in places:
                first, last = places[name]
                edits.append((first + 1, last - 1, value))
            else:
                more += f' {name}="{value}"'
        if more:
            at = len(tag) - (2 if tag.endswith("/>") else 1)
            at = len(tag[:at].rstrip())
            edits.append((at, at, more))
        for first, last, value in sorted(edits, reverse=True):
            tag = tag[:first] + value + tag[last:]
        self._edits.append((node.start, node.opened, tag))

    def _insert(self, node: _Span, lines: list[str]) -> None:
        """Put lines at the start of what an element contains, indented like what it contains."""
        begin = self.data.rfind(b"\n", 0, node.start) + 1
        before = self.data[begin : node.start].decode()
        indent = before if not before.strip() else ""
        inner = indent + "  "
        if node.children:
            first = node.children[0].start
            begin = self.data.rfind(b"\n", 0, first) + 1
            lead = self.data[begin:first].decode()
            inner = lead if not lead.strip() and begin > node.start else inner
        new = "".join(f"{self._newline}{inner}{line}" for line in lines)
        if self.data[node.opened - 2 : node.opened] == b"/>":
            tag = self.data[node.start : node.opened].decode()[:-2].rstrip()
            new = f"{tag}>{new}{self._newline}{indent}</{node.tag}>"
            self._edits.append((node.start, node.opened, new))
        else:
            self._edits.append((node.opened, node.opened, new))


def _rotation(origin: _Span | None) -> np.ndarray:
    """The rotation of an element's <origin>."""
    if origin is None:
        return np.eye(3)
    if "quat_xyzw" in origin.attributes:
        x, y, z, w = map(float, origin.attributes["quat_xyzw"].split())
        return rotation_from_quaternion(np.array((w, x, y, z))).astype(float)
    return rotation_from_rpy([float(x) for x in origin.attributes.get("rpy", "0 0 0").split()])
