"""Inertias of a robot from the shapes its file describes, and how far the file's own are off.

A link's solid is the sum of its shapes of one purpose ("collision" or "visual"): meshes, which must
be watertight surfaces, and boxes, cylinders, spheres, ellipsoids, capsules. Shapes
that overlap count twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from jounce.errors import ModelError, ModelWarning, suggest, warn
from jounce.io.packages import Folders, folders, resolve_mesh
from jounce.io.surfaces import Color, Surface, read_parts, read_surface
from jounce.model import inertia
from jounce.model.inertia.mesh.integrals import unit_inertia
from jounce.model.model import Body, Link, Mesh, Model, Solid
from jounce.utils.progress import track

PURPOSES = ("auto", "collision", "visual")

#: How errors about meshes that were not found end.
PACKAGE_ADVICE = (
    "; pass the folder of its package as package_dirs, or as --package-dir on the command line"
)

#: What a mass may be: of all links together, per link, or the file's.
Mass = float | Mapping[str, float] | Literal["file"]

#: The file's moments or mass beyond this factor of the shape's are worth a word.
FACTOR = 10.0

#: Densities (kg/m^3) a robot's link may have as a whole: from hollow shells to tungsten.
DENSITIES = (50.0, 20000.0)


class Modeled(Protocol):
    """What has a model: a robot."""

    @property
    def model(self) -> Model:
        """What it is made of."""
        ...


def with_meshes(
    model: Model,
    *,
    density: float | Mapping[str, float] | None = None,
    mass: Mass | None = None,
    purpose: str = "auto",
    links: Iterable[str] | None = None,
    package_dirs: Folders = (),
    repair: bool = False,
    hull: bool = False,
) -> Model:
    """The model with inertias of homogeneous links, computed from the shapes of its file.

    density: in kg/m^3, one for all or by link. mass: in kg, by link, or one number for all of them
    together (one density), or "file": each link keeps its mass and only its shape decides. purpose:
    which shapes; "auto" takes a link's collision shapes if they are solids, else its visual ones.
    links: which (by default all that have shapes, or those that `density` or `mass` name); all
    others, and massless links with mass="file", keep what they have. package_dirs: where
    package://... is looked for first. repair: mend meshes that are not watertight
    (`jounce.inertia.repair`), with a warning. hull: take convex hulls instead of the meshes.
    Links held by fixed joints are named as in the file; a fixed base has no inertia.
    """
    shapes = LinkShapes(model, purpose, package_dirs, repair=repair, hull=hull)
    chosen = _chosen(shapes, links, density, mass)
    if mass == "file":
        chosen = [name for name in chosen if shapes.links[name].file[0] > 0.0]
    solids = {}
    for name in track(chosen, "meshes", quiet=True):
        solids[name] = shapes.solid(name)
        if solids[name].findings and repair:
            text = "; ".join(solids[name].findings)
            warn(f"link '{name}': {text}", ModelWarning)
    scaled = _scaled(solids, shapes, density, mass)
    bodies = tuple(_rebuilt(body, scaled) for body in model.bodies)
    return replace(model, bodies=bodies)


# ------------------------------------------------------------------ links and their shapes


@dataclass(frozen=True, eq=False)
class LinkFacts:
    """A link as the file describes it: its body, its inertia and its shapes, in the body frame."""

    name: str
    body: str
    file: np.ndarray
    shapes: tuple[Mesh | Solid, ...]

    def of(self, purpose: str) -> list[Mesh | Solid]:
        """Its shapes of one purpose."""
        return [shape for shape in self.shapes if shape.purpose == purpose]


@dataclass(frozen=True, eq=False)
class LinkSolid:
    """The solid a link's shapes make: pi (10,) for unit density, and the box (2, 3) around it.

    Both in the body frame; findings: what was odd or mended, in words.
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
        """The solid of a link's shapes; ModelError if they make none."""
        facts = self.links[name]
        wanted = ("collision", "visual") if self.purpose == "auto" else (self.purpose,)
        there = [purpose for purpose in wanted if facts.of(purpose)]
        if not there:
            kind = "" if self.purpose == "auto" else f"{self.purpose} "
            raise ModelError(f"link '{name}': it has no {kind}shapes to compute an inertia from")
        first: ModelError | None = None
        for purpose in there:
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
                unit, reference, found = unit_inertia(*surface, repair=self.repair)
            except ModelError as error:
                text = str(error).removeprefix(f"mesh '{shape.path}': ").removeprefix("mesh: ")
                raise ModelError(
                    f"link '{facts.name}': {purpose} mesh '{shape.path}': {text}"
                ) from error
            parts.append(inertia.translate(unit, reference))
            used = surface.vertices[surface.faces]
            boxes.append(np.stack((used.min(axis=(0, 1)), used.max(axis=(0, 1)))))
            findings += [f"mesh '{path.name}': {text}" for text in found]
        bounds = np.stack((np.min(boxes, axis=(0, 1)), np.max(boxes, axis=(0, 1))))
        return LinkSolid(inertia.compose(*parts), bounds, purpose, len(shapes), tuple(findings))

    def _found(self, mesh: Mesh) -> Path | None:
        return resolve_mesh(mesh.path, self.model.source, self.package_dirs)

    def surface(self, mesh: Mesh) -> tuple[Surface, Path]:
        """A mesh's surface in the body frame; files are read once."""
        path = self._path(mesh)
        if path not in self._files:
            self._files[path] = read_surface(path)
        surface = self._files[path].placed(mesh.scale, mesh.placement)
        if self.hull:
            used = surface.vertices[np.unique(surface.faces)]
            surface = Surface(used, inertia.hull(used))
        return surface, path

    def painted(self, mesh: Mesh) -> list[tuple[Surface, Color]]:
        """A mesh's surfaces in the body frame by their colours in its file (None: not said)."""
        path = self._path(mesh)
        if path not in self._painted:
            self._painted[path] = read_parts(path)
        parts = self._painted[path]
        return [(surface.placed(mesh.scale, mesh.placement), color) for surface, color in parts]

    def _path(self, mesh: Mesh) -> Path:
        """The file of a mesh, or an error that says where it was looked for."""
        path = None if mesh.file and not self.package_dirs else self._found(mesh)
        if path is None and not mesh.file:
            raise ModelError(
                f"mesh '{mesh.path}': there is no such file beside '{self.model.source}' or in"
                f" the folders above it{PACKAGE_ADVICE}"
            )
        return path or Path(mesh.file)


def _facts(body: Body) -> Iterable[LinkFacts]:
    """The links of a body; one of its own name if it was not read from a file."""
    shapes: tuple[Mesh | Solid, ...] = (*body.meshes, *body.solids)
    for link in body.links or (Link(body.name, body.inertia),):
        own = tuple(s for s in shapes if s.link == link.name or not body.links)
        yield LinkFacts(link.name, body.name, link.inertia, own)


def _unit_of(solid: Solid) -> np.ndarray:
    """pi (10,) of a simple shape for unit density, in its own frame."""
    if solid.shape in ("box", "ellipsoid"):
        return getattr(inertia, solid.shape)(solid.size, density=1.0)
    make = {"sphere": inertia.sphere, "cylinder": inertia.cylinder, "capsule": inertia.capsule}
    if solid.shape not in make:
        hint = suggest(solid.shape, ("box", "ellipsoid", *make))
        raise ModelError(f"link '{solid.link}': unknown shape '{solid.shape}'; {hint}")
    return make[solid.shape](*solid.size, density=1.0)


def _box_of(solid: Solid) -> np.ndarray:
    """The box (2, 3) around a simple shape, along the axes of the body."""
    if solid.shape == "box":
        half = np.array(solid.size) / 2.0
    elif solid.shape == "ellipsoid":
        half = np.array(solid.size)
    else:
        radius = solid.size[0]
        along = {"sphere": radius, "cylinder": 0.0, "capsule": radius}[solid.shape]
        half = np.array((radius, radius, along + sum(solid.size[1:]) / 2.0))
    corners = np.array(np.meshgrid(*([-x, x] for x in half))).reshape(3, -1)
    at = solid.placement[:3, :3] @ corners + solid.placement[:3, 3:]
    return np.stack((at.min(axis=1), at.max(axis=1)))


# ------------------------------------------------------------------ which links, how heavy


def _chosen(
    shapes: LinkShapes, links: Iterable[str] | None, density: object, mass: object
) -> list[str]:
    """The links to compute, checked; see `with_meshes`."""
    if (density is None) == (mass is None):
        found = "neither" if mass is None else "both"
        raise ModelError(f"expected either density (kg/m^3) or mass (kg, or 'file'), found {found}")
    if isinstance(mass, str) and mass != "file":
        raise ModelError(f"mass: expected numbers or 'file', found {mass!r}")
    given = density if mass is None else mass
    named = given if isinstance(given, Mapping) else None
    if links is not None:
        chosen = [links] if isinstance(links, str) else list(links)
    elif named is not None:
        chosen = list(named)
    else:
        wanted = PURPOSES[1:] if shapes.purpose == "auto" else (shapes.purpose,)
        chosen = [name for name, f in shapes.links.items() if any(map(f.of, wanted))]
        if not chosen:
            kind = "" if shapes.purpose == "auto" else f"{shapes.purpose} "
            raise ModelError(f"robot '{shapes.model.name}': no moving link has {kind}shapes")
    for name in chosen:
        if name not in shapes.links:
            raise ModelError(_unknown(shapes, name))
        if named is not None and name not in named:
            what = "density" if mass is None else "mass"
            raise ModelError(f"{what}: there is none for link '{name}', only for {[*named]}")
    return list(dict.fromkeys(chosen))


def _unknown(shapes: LinkShapes, name: str) -> str:
    if any(frame.name == name and frame.body < 0 for frame in shapes.model.frames):
        return (
            f"link '{name}' is part of the fixed base, which has no inertia; with base='floating'"
            " it has one"
        )
    return f"there is no link '{name}'; {suggest(name, shapes.links)}"


def _scaled(
    solids: Mapping[str, LinkSolid],
    shapes: LinkShapes,
    density: float | Mapping[str, float] | None,
    mass: Mass | None,
) -> dict[str, np.ndarray]:
    """pi (10,) by link, in the body frame."""
    volume = sum(solid.unit[0] for solid in solids.values())
    out = {}
    for name, solid in solids.items():
        if mass is None:
            assert density is not None
            each = density[name] if isinstance(density, Mapping) else density
            factor = _positive(each, f"density of link '{name}'")
        elif mass == "file":
            factor = shapes.links[name].file[0] / solid.unit[0]
        elif isinstance(mass, Mapping):
            factor = _positive(mass[name], f"mass of link '{name}'") / solid.unit[0]
        else:
            factor = _positive(mass, "mass") / volume
        out[name] = factor * solid.unit
    return out


def _positive(value: object, what: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected a number > 0, found {value!r}") from None
    if not 0.0 < number < np.inf:
        raise ModelError(f"{what}: expected a finite number > 0, found {value!r}")
    return number


def _rebuilt(body: Body, scaled: Mapping[str, np.ndarray]) -> Body:
    """A body whose links have their new inertias; as it is if none has."""
    links = body.links or (Link(body.name, body.inertia),)
    if not any(link.name in scaled for link in links):
        return body
    new = tuple(replace(link, inertia=scaled.get(link.name, link.inertia)) for link in links)
    return replace(body, inertia=inertia.compose(*(link.inertia for link in new)), links=new)


# ------------------------------------------------------------------ the file beside its shapes


@dataclass(frozen=True, eq=False)
class Comparison:
    """A link's inertia in the file beside that of its shapes; pi (10,) in the body frame.

    shape: None if its shapes make no solid (`error` says why) or it has none. volume in m^3.
    remarks: what looks wrong with the file; findings: with the meshes.
    """

    link: str
    body: str
    file: np.ndarray
    shape: np.ndarray | None = None
    volume: float = 0.0
    purpose: str = ""
    shapes: int = 0
    bounds: np.ndarray | None = None
    error: str = ""
    remarks: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()

    @property
    def density(self) -> float:
        """The file's mass over the shapes' volume, kg/m^3; NaN without shapes."""
        return float(self.file[0] / self.volume) if self.volume else np.nan

    @property
    def com_offset(self) -> np.ndarray:
        """The file's centre of mass, seen from the shapes', (3,) in m; NaN if one has none."""
        if self.shape is None or self.file[0] == 0.0:
            return np.full(3, np.nan)
        return inertia.com(self.file) - inertia.com(self.shape)

    @property
    def ratios(self) -> np.ndarray:
        """Principal moments of the file over those of the shapes, (3,), each in rising order."""
        if self.shape is None:
            return np.full(3, np.nan)
        return inertia.principal(self.file).moments / inertia.principal(self.shape).moments


def compare(
    robot: Modeled | Model,
    *,
    density: float | None = None,
    mass: Literal["file"] | None = None,
    purpose: str = "auto",
    links: Iterable[str] | None = None,
    package_dirs: Folders = (),
    repair: bool = False,
    hull: bool = False,
) -> list[Comparison]:
    """The inertias of links in the file beside those of their shapes; arguments as `with_meshes`.

    By default of all links that have either, and the shapes have the file's mass, so that only
    their form is compared. Meshes that are missing or no solids are told in `error`, not raised.
    """
    model = robot if isinstance(robot, Model) else robot.model
    if density is None and mass is None:
        mass = "file"
    shapes = LinkShapes(model, purpose, package_dirs, repair=repair, hull=hull)
    if links is None:
        names = [name for name, f in shapes.links.items() if f.shapes or f.file.any()]
    else:
        names = _chosen(shapes, links, density, mass)
    if density is not None:
        _positive(density, "density")
    return [_compare(shapes, name, density) for name in track(names, "meshes", quiet=True)]


def _compare(shapes: LinkShapes, name: str, density: float | None) -> Comparison:
    facts = shapes.links[name]
    base = Comparison(name, facts.body, facts.file)
    if not facts.shapes:
        return replace(base, error="it has no shapes", remarks=_file_remarks(base))
    try:
        solid = shapes.solid(name)
    except ModelError as error:
        text = str(error).removeprefix(f"link '{name}': ")
        return replace(base, error=text, remarks=_file_remarks(base))
    volume = float(solid.unit[0])
    scale = facts.file[0] / volume if density is None else density
    found = replace(
        base,
        shape=scale * solid.unit if scale > 0.0 else None,
        volume=volume,
        purpose=solid.purpose,
        shapes=solid.shapes,
        bounds=solid.bounds,
        findings=solid.findings,
    )
    return replace(found, remarks=(*_file_remarks(found), *_shape_remarks(found, density)))


def _file_remarks(link: Comparison) -> tuple[str, ...]:
    """What is wrong with the file's inertia on its own."""
    if not link.file.any():
        return ("no inertia in the file",) if link.shapes else ()
    problem = inertia.problem(link.file)
    return (problem,) if problem else ()


def _shape_remarks(link: Comparison, density: float | None) -> tuple[str, ...]:
    """What is wrong with the file's inertia beside the shapes."""
    if link.file[0] == 0.0 or link.shape is None or link.bounds is None:
        return ()
    out = []
    heavier = link.file[0] / link.shape[0]
    if density is not None and not 1.0 / FACTOR <= heavier <= FACTOR:
        out.append(f"mass {heavier:.3g} x the shape's")
    elif density is None and not DENSITIES[0] <= link.density <= DENSITIES[1]:
        out.append(f"density {link.density:.3g} kg/m^3 if it fills its shape")
    com = inertia.com(link.file)
    outside = np.linalg.norm(com - np.clip(com, *link.bounds))
    if outside > 1e-6:
        out.append(f"centre of mass {1e3 * outside:.3g} mm outside the shape's box")
    ratios = link.ratios / heavier  # of bodies equally heavy
    worst = ratios[np.argmax(np.abs(np.log(np.maximum(ratios, 1e-300))))]
    if not 1.0 / FACTOR <= worst <= FACTOR:
        out.append(f"moments {worst:.3g} x the shape's at equal mass")
    return tuple(out)
