"""Replace inertias and drive parameters in a URDF file; all other bytes stay unchanged.

A moving body is a link and all links fixed to it. The fixed links keep their parameters, and the
moving link (or the heaviest one, if it has no mass) gets the difference, so that the body has the
new parameters. If that link would not be physically consistent (as with a heavy tool on a light
flange), the parameters are distributed over all links in proportion to their masses.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import ModelError
from jounce.io import read_bytes, xml, xml_edits
from jounce.io.urdf import MOMENTS, read_origin, read_urdf
from jounce.model import inertia, inverse_pose

if TYPE_CHECKING:
    from jounce.identification.subject import Subject
    from jounce.model import Body, Joint, Model

#: Numbers of friction laws that are not identified.
_LAWS = ("stribeck_velocity", "load_friction", "friction_smoothing", "load_smoothing")


def patch_urdf(
    source: str | os.PathLike[str],
    robot: Subject,
    parameters: np.ndarray,
    *,
    armature: np.ndarray | None = None,
    damping: np.ndarray | None = None,
    friction: np.ndarray | None = None,
    stribeck_friction: np.ndarray | None = None,
) -> bytes:
    """Return the file `source` with other parameters (nb, 10), and drives of all joints.

    Reading it gives a robot with these numbers, to round-off.
    """
    document = xml_edits.Document(read_bytes(source, xml.MAX_BYTES), os.fspath(source))
    model = _read_model(document, robot)
    file = next(x for x in document.root.walk() if x.tag.rpartition(":")[2] == "robot")
    links = {node.attributes["name"]: node for node in file.all("link")}
    joints = {node.attributes["name"]: node for node in file.all("joint")}
    for body, pi in zip(model.bodies, np.asarray(parameters, dtype=float), strict=True):
        if not np.array_equal(body.inertia, pi):
            for link, share in _shares(body, pi, document.source).items():
                T = inverse_pose(model.frames[model.frame_index(link)].placement)
                _set_inertia(document, links[link], inertia.transform(share, T))
    drives = {"damping": damping, "friction": friction, "armature": armature}
    if stribeck_friction is not None:
        drives |= {"stribeck_friction": stribeck_friction, **_of_joints(robot, _LAWS)}
    wanted = {name: np.asarray(x) for name, x in drives.items() if x is not None}
    for joint in model.joints:
        changed, node = _changed_drives(joint, robot, wanted), joints.get(joint.name)
        if node is not None and (node.find("dynamics") is not None or any(changed.values())):
            texts = {name: repr(value) for name, value in changed.items()}
            document.set_child(node, "dynamics", texts)
    return document.apply_edits()


def _of_joints(robot: Subject, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return numbers (nv,) of all joints that follow no other."""
    out = {name: np.zeros(robot.tree.nv) for name in names}
    for view in robot.joints.values():
        if view.joint.mimic is None:
            for name, values in out.items():
                values[view.v] = getattr(view.joint, name)
    return out


def _read_model(document: xml_edits.Document, robot: Subject) -> Model:
    """Return the model of the file, which must have the links of the robot."""
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


def _changed_drives(
    joint: Joint, robot: Subject, wanted: Mapping[str, np.ndarray]
) -> dict[str, float]:
    """Return the drive parameters of a joint that differ from those in the file."""
    out = {}
    for name, values in wanted.items():
        # the value at a leader includes the joints that mimic it
        part = values[robot.joints[joint.name].v]
        value = 0.0 if joint.mimic else float(part.max(initial=0.0))
        if value != float(np.max(getattr(joint, name))):
            out[name] = value
    return out


def _shares(body: Body, pi: np.ndarray, source: str) -> dict[str, np.ndarray]:
    """Return new parameters of the links of a body that change, in the body's frame."""
    masses = {link.name: float(link.inertia[0]) for link in body.links}
    carrier = body.name
    if not masses.get(carrier):
        carrier = max(masses, key=lambda name: masses[name], default=body.name)
    others = [link.inertia for link in body.links if link.name != carrier]
    difference = pi - sum(others, np.zeros(10))
    if not others or not inertia.problem(difference):
        return {carrier: difference}
    if inertia.problem(pi):
        raise ModelError(
            f"{source}: link '{body.name}' cannot be written: {inertia.problem(pi)};"
            " method 'consistent' finds only physically consistent bodies"
        )
    total = sum(masses.values())
    return {name: mass / total * pi for name, mass in masses.items() if mass > 0.0}


def _set_inertia(document: xml_edits.Document, link: xml.Element, pi: np.ndarray) -> None:
    """Set the parameters pi (10,) of a link in its frame; keep the rotation of its origin."""
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
