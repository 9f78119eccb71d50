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
from jounce.io import read_bytes, xml, xml_edits
from jounce.io.urdf import MOMENTS, read_origin, read_urdf
from jounce.model import inertia, inverse_pose

if TYPE_CHECKING:
    from jounce.identification.subject import Subject
    from jounce.model import Body, Joint, Model


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
    document = xml_edits.Document(read_bytes(source, xml.MAX_BYTES), os.fspath(source))
    model = _read(document, robot)
    file = next(x for x in document.root.walk() if x.tag.rpartition(":")[2] == "robot")
    links = {node.attributes["name"]: node for node in file.all("link")}
    joints = {node.attributes["name"]: node for node in file.all("joint")}
    for body, pi in zip(model.bodies, np.asarray(parameters, dtype=float), strict=True):
        if not np.array_equal(body.inertia, pi):
            for link, share in _shares(body, pi, document.source).items():
                T = inverse_pose(model.frames[model.frame_index(link)].placement)
                _set_inertia(document, links[link], inertia.transform(share, T))
    drives = {"damping": damping, "friction": friction, "armature": armature}
    wanted = {name: np.asarray(x) for name, x in drives.items() if x is not None}
    for joint in model.joints:
        changed, node = _changed(joint, robot, wanted), joints.get(joint.name)
        if node is not None and (node.find("dynamics") is not None or any(changed.values())):
            texts = {name: repr(value) for name, value in changed.items()}
            document.set_child(node, "dynamics", texts)
    return document.edited()


def _read(document: xml_edits.Document, robot: Subject) -> Model:
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


def _set_inertia(document: xml_edits.Document, link: xml.Element, pi: np.ndarray) -> None:
    """Give a link the parameters pi (10,) in its own frame; the rotation of its origin stays."""
    mass, com, about = inertia.about_com(pi)
    inertial = link.find("inertial")
    R = np.eye(3) if inertial is None else read_origin(inertial)[:3, :3]
    about = R.T @ about @ R
    values = {
        "origin": {"xyz": " ".join(repr(float(x)) for x in com)},
        "mass": {"value": repr(float(mass))},
        "inertia": {name: repr(float(about[i])) for name, i in MOMENTS.items()},
    }
    if inertial is None:
        lines = (f"  {xml_edits.empty_element(tag, texts)}" for tag, texts in values.items())
        document.insert(link, ["<inertial>", *lines, "</inertial>"])
        return
    for tag, texts in values.items():
        document.set_child(inertial, tag, texts)
