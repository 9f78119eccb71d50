"""Replace placements of joints and markers in URDF and MJCF files; other bytes stay unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np

from jounce.arrays import lie
from jounce.calibration.kinematics import Kinematics
from jounce.errors import ModelError
from jounce.io import read_bytes, xml, xml_edits
from jounce.io.urdf import read_origin

#: Displacements (rad, m) below which an element keeps its text.
_MIN_CHANGE = 1e-15

#: Attributes of orientations in MJCF that are not quaternions.
_OTHER_TURNS = ("euler", "axisangle", "xyaxes", "zaxis")


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
        name = node.attributes.get("name", "")
        E = frames.get(name) if node.tag == "site" or not _joints(node) else None
        names = _joints(node)
        for joint in names:
            if joint in edits:
                if len(names) > 1:
                    raise ModelError(
                        f"{document.source}: body '{name}' has several joints; their placements"
                        " cannot be written"
                    )
                E = edits.pop(joint)
        if E is None:
            continue
        if other := [key for key in _OTHER_TURNS if key in node.attributes]:
            raise ModelError(
                f"{document.source}: <{node.tag} name='{name}'>: expected 'quat', found"
                f" '{other[0]}'; replace it by the quaternion"
            )
        T = np.eye(4)
        T[:3, 3] = node.vector("pos", 3, (0.0, 0.0, 0.0))
        q = np.array(node.vector("quat", 4, (1.0, 0.0, 0.0, 0.0)))
        T[:3, :3] = lie.quaternion.Ad(q / np.linalg.norm(q))
        T = T @ E
        quat = _numbers(np.asarray(lie.quaternion.from_rotation(T[:3, :3])))
        document.set_attributes(node, {"pos": _numbers(T[:3, 3]), "quat": quat})
    _check_done(document, edits)


def _places(root: xml.Element) -> Iterator[xml.Element]:
    return (node for node in root.walk() if node.tag in ("body", "site"))


def _joints(node: xml.Element) -> list[str]:
    """Return the names of the joints of a body."""
    kinds = ("joint", "freejoint")
    return [x.attributes.get("name", "") for x in node.children if x.tag in kinds]


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
