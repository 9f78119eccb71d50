"""Replace placements of joints and markers in URDF and MJCF files; other bytes stay unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np

from jounce.arrays import lie
from jounce.calibration.kinematics import Kinematics
from jounce.errors import ModelError, ModelWarning, warn
from jounce.io import read_bytes, xml, xml_edits
from jounce.io.urdf import read_origin

#: Displacements (rad, m) below which an element keeps its text.
_MIN_CHANGE = 1e-15

#: Attributes of orientations in MJCF.
_TURNS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")

#: Groups of parameters that files cannot describe.
_UNWRITTEN = ("gears", "joint_compliance", "link_compliance")


def patch_robot(
    source: str | os.PathLike[str],
    kinematics: Kinematics,
    displacements: np.ndarray,
    targets: Mapping[str, np.ndarray],
) -> bytes:
    """Return the file `source` with joints and frames displaced in their own axes.

    displacements (nb, 4, 4): of the joints. targets: poses of markers in frames, by frame.
    """
    if kinematics.block("screws") is not None:
        raise ModelError(
            f"{kinematics.system.name}: screws move axes out of the frames of their links, which"
            " files cannot describe; calibrate with parameters=('offsets', 'placements'), which"
            " describe the same robots"
        )
    lost = [name for name in _UNWRITTEN if kinematics.block(name) is not None]
    if lost:
        warn(
            f"{kinematics.system.name}: files cannot describe {', '.join(lost)}; the file has the"
            " calibrated placements only, the report has the others",
            ModelWarning,
        )
    document = xml_edits.Document(read_bytes(source, xml.MAX_BYTES), os.fspath(source))
    joints = [joint.name for joint in kinematics.model.joints]
    moves = {name: E for name, E in zip(joints, displacements, strict=True) if _is_move(E)}
    frames = {name: X for name, X in targets.items() if _is_move(X)}
    tag = document.root.tag.rpartition(":")[2]
    if tag == "robot" or any(node.tag == "robot" for node in document.root.walk()):
        _patch_urdf(document, moves, frames)
    elif tag == "mujoco":
        _patch_mjcf(document, moves, frames)
    else:
        raise ModelError(f"{document.source}: expected a URDF or MJCF file, found <{tag}>")
    return document.apply_edits()


def _is_move(E: np.ndarray) -> bool:
    return bool(np.abs(E - np.eye(4)).max() > _MIN_CHANGE)


def _numbers(x: np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in x)


def _patch_urdf(
    document: xml_edits.Document, moves: Mapping[str, np.ndarray], frames: Mapping[str, np.ndarray]
) -> None:
    nodes = [node for node in document.root.walk() if node.tag.rpartition(":")[2] == "joint"]
    nodes = [node for node in nodes if "name" in node.attributes and "type" in node.attributes]
    edits = dict(moves)
    for node in nodes:
        child = node.find("child")
        if node.attributes["type"] == "fixed" and child is not None:
            link = child.attributes.get("link", "")
            if link in frames:
                edits[node.attributes["name"]] = frames[link]
    for node in nodes:
        E = edits.pop(node.attributes["name"], None)
        if E is None:
            continue
        T = read_origin(node) @ E
        origin = node.find("origin")
        turn = {"rpy": _numbers(_roll_pitch_yaw(T[:3, :3]))}
        if origin is not None and "quat_xyzw" in origin.attributes:
            turn = {"quat_xyzw": _numbers(np.roll(lie.quaternion.from_rotation(T[:3, :3]), -1))}
        document.set_child(node, "origin", {"xyz": _numbers(T[:3, 3]), **turn})
    _check_done(document, edits)


def _patch_mjcf(
    document: xml_edits.Document, moves: Mapping[str, np.ndarray], frames: Mapping[str, np.ndarray]
) -> None:
    edits = dict(moves)
    for node in _places(document.root):
        names = _joints(node)
        E = None if names else frames.get(node.attributes.get("name", ""))
        for joint in names:
            if joint in edits:
                if len(names) > 1:
                    name = node.attributes.get("name", "")
                    raise ModelError(
                        f"{document.source}: body '{name}' has several joints; their placements"
                        " cannot be written"
                    )
                E = edits.pop(joint)
        if E is None:
            continue
        T, attribute = _read_pose(document, node)
        T = T @ E
        quat = _numbers(np.asarray(lie.quaternion.from_rotation(T[:3, :3])))
        values = {"pos": _numbers(T[:3, 3])}
        if attribute == "quat":
            values["quat"] = quat
        else:
            document.replace_attribute(node, attribute, "quat", quat)
        document.set_attributes(node, values)
    _check_done(document, edits)


def _places(root: xml.Element) -> Iterator[xml.Element]:
    return (node for node in root.walk() if node.tag in ("body", "site"))


def _joints(node: xml.Element) -> list[str]:
    """Return the names of the joints of a body; joints without names have the body's."""
    kinds = ("joint", "freejoint")
    default = f"{node.attributes.get('name', '')}_joint"
    return [x.attributes.get("name", default) for x in node.children if x.tag in kinds]


def _read_pose(document: xml_edits.Document, node: xml.Element) -> tuple[np.ndarray, str]:
    """Return the pose (4, 4) of a body or site of MJCF, and its attribute of the orientation."""
    attribute = next((key for key in _TURNS if key in node.attributes), "quat")
    if node.tag == "site" and not {"pos", attribute} <= node.attributes.keys():
        defaults = [x for x in document.root.walk() if x.tag == "default"]
        if any({"pos", *_TURNS} & site.attributes.keys() for x in defaults
               for site in x.children if site.tag == "site"):  # fmt: skip
            raise ModelError(
                f"{document.source}: <site name='{node.attributes.get('name', '')}'>: expected"
                " 'pos' and 'quat', found those of a default class; write them into the element"
            )
    options: dict[str, str] = {}
    for compiler in document.root.walk():
        options |= compiler.attributes if compiler.tag == "compiler" else {}
    unit = 1.0 if options.get("angle", "degree") == "radian" else np.pi / 180.0
    T = np.eye(4)
    T[:3, 3] = node.vector("pos", 3, (0.0, 0.0, 0.0))
    sequence = options.get("eulerseq", "xyz")
    T[:3, :3] = _read_turn(node, attribute, unit, sequence)
    return T, attribute


def _read_turn(node: xml.Element, attribute: str, unit: float, sequence: str) -> np.ndarray:
    """Return the rotation (3, 3) of an orientation of MJCF; unit: of angles in rad."""
    if attribute == "quat":
        q = np.array(node.vector("quat", 4, (1.0, 0.0, 0.0, 0.0)))
        return np.asarray(lie.quaternion.Ad(q / np.linalg.norm(q)))
    if attribute == "axisangle":
        x = np.array(node.vector("axisangle", 4))
        return np.asarray(lie.so3.exp(x[:3] / np.linalg.norm(x[:3]) * x[3] * unit))
    if attribute == "xyaxes":
        x = np.array(node.vector("xyaxes", 6)).reshape(2, 3)
        first = x[0] / np.linalg.norm(x[0])
        second = x[1] - first * (first @ x[1])
        second /= np.linalg.norm(second)
        return np.stack((first, second, np.cross(first, second)), axis=1)
    if attribute == "zaxis":
        z = np.array(node.vector("zaxis", 3))
        axis = np.cross((0.0, 0.0, 1.0), z)
        size = float(np.linalg.norm(axis))
        axis = axis / size if size > 1e-10 else np.array((1.0, 0.0, 0.0))
        return np.asarray(lie.so3.exp(axis * np.arctan2(size, z[2])))
    R = np.eye(3)
    for letter, angle in zip(sequence, node.vector("euler", 3), strict=True):
        turn = np.asarray(lie.so3.exp(angle * unit * np.eye(3)["xyz".index(letter.lower())]))
        R = R @ turn if letter.islower() else turn @ R  # about axes that move, or are fixed
    return R


def _check_done(document: xml_edits.Document, edits: Mapping[str, np.ndarray]) -> None:
    if edits:
        raise ModelError(
            f"{document.source}: no joint '{next(iter(edits))}', which was calibrated; write the"
            " file that the robot was loaded from"
        )


def _roll_pitch_yaw(R: np.ndarray) -> np.ndarray:
    """Return fixed-axes angles with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-9:  # roll and yaw turn about one axis
        return np.array((np.arctan2(-R[1, 2], R[1, 1]), pitch, 0.0))
    return np.array((np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])))
