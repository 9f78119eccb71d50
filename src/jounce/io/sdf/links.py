"""Inertia and shapes of SDF links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.io.builder import SOLIDS, inertia_from_com
from jounce.io.colors import parse_color
from jounce.io.packages import resolve_mesh
from jounce.io.sdf.frames import Frames, read_pose
from jounce.io.xml import Element, truth
from jounce.model.model import Mesh, Solid
from jounce.model.numbers import Floats


@dataclass(frozen=True)
class LinkReader:
    """Reads what a link is made of, in the link's frame."""

    frames: Frames
    package_dirs: list[Path]

    def facts(self, name: str) -> dict[str, Any]:
        """Inertia (10,), meshes and solids of the link called `name`."""
        link = self.frames.nodes[name].element
        _warn_about_forces(link)
        return {
            "inertia": _inertia(link),
            "meshes": list(self._meshes(name, link)),
            "solids": list(self._solids(name, link)),
        }

    def _shapes(self, name: str, link: Element) -> Iterator[tuple[Element, Element, Floats]]:
        """Each <visual> and <collision>, its geometry, and its pose in the link."""
        for node in link.children:
            geometry = node.find("geometry") if node.tag in ("visual", "collision") else None
            if geometry is None:
                continue
            pose = node.find("pose")
            T = np.eye(4) if pose is None else read_pose(pose)
            base = "" if pose is None else pose.attributes.get("relative_to", "")
            if pose is not None and base:
                other = self.frames.find(base, self.frames.nodes[name].scope, pose)
                T = self.frames.relative(other, name) @ T
            yield node, geometry, T

    def _meshes(self, name: str, link: Element) -> Iterator[Mesh]:
        for node, geometry, T in self._shapes(name, link):
            mesh = geometry.find("mesh")
            if mesh is None:
                continue
            uri = mesh.find("uri")
            path = "" if uri is None else uri.text.strip()
            if not path:  # dynamics need no meshes
                continue
            size = mesh.find("scale")
            x, y, z = (1.0, 1.0, 1.0) if size is None else size.values(3).tolist()
            file = resolve_mesh(path, link.source, self.package_dirs)
            yield Mesh(path, node.tag, (x, y, z), T, file=str(file or ""), color=_color(node))

    def _solids(self, name: str, link: Element) -> Iterator[Solid]:
        for node, geometry, T in self._shapes(name, link):
            for shape, (parts, count) in SOLIDS.items():
                element = geometry.find(shape)
                if element is None:
                    continue
                try:
                    size = [x for p in parts for x in element.require(p).values(count).tolist()]
                except ModelError:  # dynamics need no shapes: one without sense is passed over
                    continue
                if min(size) > 0.0:
                    yield Solid(shape, node.tag, tuple(size), T, color=_color(node))


def _color(node: Element) -> tuple[float, ...] | None:
    """The diffuse color of a <visual>, else its ambient one."""
    material = node.find("material")
    for tag in ("diffuse", "ambient"):
        color = None if material is None else material.find(tag)
        if color is not None:
            return parse_color(color.text)
    return None


def _inertia(link: Element) -> Floats:
    """Ten inertial parameters (10,) in the link's frame.

    The format's defaults are a mass of 1 kg and the identity as the inertia about the center.
    """
    inertial = link.find("inertial")
    if inertial is None:
        return inertia_from_com(1.0, np.zeros(3), np.eye(3))
    if truth(inertial.attributes.get("auto", "false"), inertial, "attribute 'auto': "):
        raise inertial.error("attribute 'auto': inertia from shapes is not supported; write it out")
    mass = inertial.value("mass", 1.0)
    if mass < 0.0:
        raise inertial.error(f"<mass>: expected a mass >= 0, found {mass}")
    node = inertial.find("inertia")
    about = np.eye(3)
    if node is not None:
        xx, yy, zz = (node.value(f"i{e}{e}", 1.0) for e in "xyz")
        xy, xz, yz = (node.value(f"i{e}", 0.0) for e in ("xy", "xz", "yz"))
        about = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    pose = inertial.find("pose")
    T = np.eye(4) if pose is None else read_pose(pose)
    if pose is not None and pose.attributes.get("relative_to", ""):
        raise pose.error("the pose of an <inertial> is always relative to its link")
    about = T[:3, :3] @ about @ T[:3, :3].T
    return inertia_from_com(mass, T[:3, 3], (about + about.T) / 2.0)


def _warn_about_forces(link: Element) -> None:
    inertial = link.find("inertial")
    decay = link.find("velocity_decay")
    left_out = {
        "its weight is not left out, though <gravity> is false": not link.flag("gravity", True),
        "its <fluid_added_mass> is left out": inertial is not None
        and inertial.find("fluid_added_mass") is not None,
        "its <velocity_decay> is left out": decay is not None
        and any(decay.value(part, 0.0) for part in ("linear", "angular")),
    }
    for text, links in left_out.items():
        if links:
            warn(f"{link.where}: {text}", ModelWarning)
