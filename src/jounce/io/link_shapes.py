"""Solids of the links of a model, made of the shapes that its file describes.

A link's solid is the sum of its shapes of one purpose ("collision" or "visual"): meshes, which must
be watertight surfaces, and boxes, cylinders, spheres, ellipsoids, capsules. Shapes that overlap
count twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jounce.errors import ModelError, suggest
from jounce.io.packages import Folders, folders, resolve_mesh
from jounce.io.surfaces import Color, Surface, read_parts, read_surface
from jounce.model import inertia
from jounce.model.inertia.mesh.integrals import unit_inertia
from jounce.model.model import Body, Link, Mesh, Model, Solid

PURPOSES = ("auto", "collision", "visual")

#: End of error messages about missing meshes.
PACKAGE_ADVICE = (
    "; pass the folder of its package as package_dirs, or as --package-dir on the command line"
)


@dataclass(frozen=True, eq=False)
class LinkFacts:
    """A link as the file describes it: its body, its inertia and its shapes, in the body frame."""

    name: str
    body: str
    file: np.ndarray
    shapes: tuple[Mesh | Solid, ...]

    def of(self, purpose: str) -> list[Mesh | Solid]:
        """Return the shapes of one purpose.

        Parameters
        ----------
        purpose : {"collision", "visual"}
            The purpose.

        Returns
        -------
        list of Mesh or Solid
            The shapes.
        """
        return [shape for shape in self.shapes if shape.purpose == purpose]


@dataclass(frozen=True, eq=False)
class LinkSolid:
    """The solid of a link's shapes: pi (10,) for unit density, and its bounding box (2, 3).

    Both in the body frame; findings: irregularities and repairs, in words.
    """

    unit: np.ndarray
    bounds: np.ndarray
    purpose: str
    shapes: int
    findings: tuple[str, ...]


@dataclass(eq=False)
class LinkShapes:
    """The links of a model that have a body, and the solids of their shapes."""

    model: Model
    purpose: str
    package_dirs: Folders
    repair: bool = False
    hull: bool = False
    _files: dict[Path, Surface] = field(default_factory=dict, init=False)
    _painted: dict[Path, list[tuple[Surface, Color]]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.purpose not in PURPOSES:
            raise ModelError(
                f"purpose: expected one of {', '.join(PURPOSES)}, found {self.purpose!r}"
            )
        self.package_dirs = folders(self.package_dirs)
        self.links = {facts.name: facts for body in self.model.bodies for facts in _facts(body)}

    def solid(self, name: str) -> LinkSolid:
        """Return the solid of a link's shapes.

        Parameters
        ----------
        name : str
            Name of the link.

        Returns
        -------
        LinkSolid
            Its inertial parameters and bounding box.

        Raises
        ------
        ModelError
            If the shapes bound no solid.
        """
        facts = self.links[name]
        wanted = ("collision", "visual") if self.purpose == "auto" else (self.purpose,)
        purposes = [purpose for purpose in wanted if facts.of(purpose)]
        if not purposes:
            kind = "" if self.purpose == "auto" else f"{self.purpose} "
            raise ModelError(f"link '{name}': it has no {kind}shapes to compute an inertia from")
        first: ModelError | None = None
        for purpose in purposes:
            try:
                return self._solid(facts, purpose)
            except ModelError as error:
                first = first or error
        assert first is not None
        raise first

    def _solid(self, facts: LinkFacts, purpose: str) -> LinkSolid:
        parts, boxes, findings = [], [], []
        shapes = facts.of(purpose)
        for shape in shapes:
            if isinstance(shape, Solid):
                parts.append(inertia.transform(_unit_of(shape), shape.placement))
                boxes.append(_box_of(shape))
                continue
            try:
                surface, path = self.surface(shape)
                unit, reference, notes = unit_inertia(*surface, repair=self.repair)
            except ModelError as error:
                text = str(error).removeprefix(f"mesh '{shape.path}': ").removeprefix("mesh: ")
                raise ModelError(
                    f"link '{facts.name}': {purpose} mesh '{shape.path}': {text}"
                ) from error
            parts.append(inertia.translate(unit, reference))
            used = surface.vertices[surface.faces]
            boxes.append(np.stack((used.min(axis=(0, 1)), used.max(axis=(0, 1)))))
            findings += [f"mesh '{path.name}': {text}" for text in notes]
        bounds = np.stack((np.min(boxes, axis=(0, 1)), np.max(boxes, axis=(0, 1))))
        return LinkSolid(inertia.compose(*parts), bounds, purpose, len(shapes), tuple(findings))

    def _find(self, mesh: Mesh) -> Path | None:
        return resolve_mesh(mesh.path, self.model.source, self.package_dirs)

    def surface(self, mesh: Mesh) -> tuple[Surface, Path]:
        """Return the surface of a mesh; files are read once.

        Parameters
        ----------
        mesh : Mesh
            The mesh.

        Returns
        -------
        tuple of Surface and Path
            Surface in the body frame, and the file.
        """
        path = self._path(mesh)
        if path not in self._files:
            self._files[path] = read_surface(path)
        surface = self._files[path].place(mesh.scale, mesh.placement)
        if self.hull:
            used = surface.vertices[np.unique(surface.faces)]
            surface = Surface(used, inertia.hull(used))
        return surface, path

    def surfaces_by_color(self, mesh: Mesh) -> list[tuple[Surface, Color]]:
        """Return the surfaces of a mesh by color.

        Parameters
        ----------
        mesh : Mesh
            The mesh.

        Returns
        -------
        list of tuple of Surface and Color
            Surfaces in the body frame, and colors of the file; None if it has none.
        """
        path = self._path(mesh)
        if path not in self._painted:
            self._painted[path] = read_parts(path)
        parts = self._painted[path]
        return [(surface.place(mesh.scale, mesh.placement), color) for surface, color in parts]

    def _path(self, mesh: Mesh) -> Path:
        """Return the file of a mesh; the error lists the folders that were searched."""
        path = None if mesh.file and not self.package_dirs else self._find(mesh)
        if path is None and not mesh.file:
            raise ModelError(
                f"mesh '{mesh.path}': there is no such file next to '{self.model.source}' or in"
                f" the folders above it{PACKAGE_ADVICE}"
            )
        return path or Path(mesh.file)


def _facts(body: Body) -> Iterable[LinkFacts]:
    """Yield the links of a body; one with its own name if it was not read from a file."""
    shapes: tuple[Mesh | Solid, ...] = (*body.meshes, *body.solids)
    for link in body.links or (Link(body.name, body.inertia),):
        link_shapes = tuple(s for s in shapes if s.link == link.name or not body.links)
        yield LinkFacts(link.name, body.name, link.inertia, link_shapes)


def _unit_of(solid: Solid) -> np.ndarray:
    """Return pi (10,) of a simple shape for unit density, in its own frame."""
    if solid.shape in ("box", "ellipsoid"):
        return getattr(inertia, solid.shape)(solid.size, density=1.0)
    make = {"sphere": inertia.sphere, "cylinder": inertia.cylinder, "capsule": inertia.capsule}
    if solid.shape not in make:
        hint = suggest(solid.shape, ("box", "ellipsoid", *make))
        raise ModelError(f"link '{solid.link}': unknown shape '{solid.shape}'; {hint}")
    return make[solid.shape](*solid.size, density=1.0)


def _box_of(solid: Solid) -> np.ndarray:
    """Return the bounding box (2, 3) of a simple shape, along the axes of the body."""
    if solid.shape == "box":
        half = np.array(solid.size) / 2.0
    elif solid.shape == "ellipsoid":
        half = np.array(solid.size)
    else:
        radius = solid.size[0]
        along = {"sphere": radius, "cylinder": 0.0, "capsule": radius}[solid.shape]
        half = np.array((radius, radius, along + sum(solid.size[1:]) / 2.0))
    corners = np.array(np.meshgrid(*([-x, x] for x in half))).reshape(3, -1)
    points = solid.placement[:3, :3] @ corners + solid.placement[:3, 3:]
    return np.stack((points.min(axis=1), points.max(axis=1)))
