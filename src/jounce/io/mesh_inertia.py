"""Inertias of a robot computed from its shapes, and compared with those of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from jounce.errors import ModelError, ModelWarning, suggest, warn
from jounce.io.link_shapes import PACKAGE_ADVICE, PURPOSES, LinkFacts, LinkShapes, LinkSolid
from jounce.io.packages import Folders
from jounce.model import inertia
from jounce.model.model import Body, Link, Model
from jounce.utils.progress import track

__all__ = [
    "DENSITIES",
    "FACTOR",
    "PACKAGE_ADVICE",
    "PURPOSES",
    "Comparison",
    "LinkFacts",
    "LinkShapes",
    "LinkSolid",
    "Mass",
    "Modeled",
    "compare",
    "with_meshes",
]

#: Mass in kg of all links together, by link, or that of the file.
Mass = float | Mapping[str, float] | Literal["file"]

#: Ratios of moments or masses beyond this factor are reported.
FACTOR = 10.0

#: Plausible mean densities of links in kg/m^3: from hollow shells to tungsten.
DENSITIES = (50.0, 20000.0)


class Modeled(Protocol):
    """Protocol of objects with a model, such as a robot."""

    @property
    def model(self) -> Model:
        """The model."""
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
    """Return the model with inertias of homogeneous links, computed from the shapes of its file.

    Links held by fixed joints are named as in the file; a fixed base has no inertia.

    Parameters
    ----------
    model : Model
        The model.
    density : float, or mapping of str to float
        Density in kg/m^3 of all links, or by link.
    mass : float, mapping of str to float, or "file"
        Mass in kg of all links together (one density), by link, or the file's mass of each link.
    purpose : {"auto", "collision", "visual"}
        Shapes to use; "auto" takes collision shapes if they are solids, else visual ones.
    links : iterable of str
        Links to change; by default those with shapes, or those that `density` or `mass` name.
        Massless links keep their inertia with mass="file".
    package_dirs : path or sequence of paths
        Folders in which package://... is looked for first.
    repair : bool
        Repair meshes that are not watertight (`jounce.inertia.repair`), with a warning.
    hull : bool
        Use convex hulls of the meshes.

    Returns
    -------
    Model
        The changed model.
    """
    shapes = LinkShapes(model, purpose, package_dirs, repair=repair, hull=hull)
    chosen = _choose_links(shapes, links, density, mass)
    if mass == "file":
        chosen = [name for name in chosen if shapes.links[name].file[0] > 0.0]
    solids = {}
    for name in track(chosen, "meshes", quiet=True):
        solids[name] = shapes.solid(name)
        if solids[name].findings and repair:
            text = "; ".join(solids[name].findings)
            warn(f"link '{name}': {text}", ModelWarning)
    scaled = _scale_inertias(solids, shapes, density, mass)
    bodies = tuple(_rebuilt(body, scaled) for body in model.bodies)
    return replace(model, bodies=bodies)


# ------------------------------------------------------------------ links and masses


def _choose_links(
    shapes: LinkShapes, links: Iterable[str] | None, density: object, mass: object
) -> list[str]:
    """The links to compute, checked; see `with_meshes`."""
    if (density is None) == (mass is None):
        count = "neither" if mass is None else "both"
        raise ModelError(f"expected either density (kg/m^3) or mass (kg, or 'file'), found {count}")
    if isinstance(mass, str) and mass != "file":
        raise ModelError(f"mass: expected numbers or 'file', found {mass!r}")
    amounts = density if mass is None else mass
    named = amounts if isinstance(amounts, Mapping) else None
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
            raise ModelError(f"{what}: expected an entry for link '{name}', found {[*named]}")
    return list(dict.fromkeys(chosen))


def _unknown(shapes: LinkShapes, name: str) -> str:
    if any(frame.name == name and frame.body < 0 for frame in shapes.model.frames):
        return (
            f"link '{name}' is part of the fixed base, which has no inertia; with base='floating'"
            " it has one"
        )
    return f"there is no link '{name}'; {suggest(name, shapes.links)}"


def _scale_inertias(
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


# ------------------------------------------------------------------ comparison with the file


@dataclass(frozen=True, eq=False)
class Comparison:
    """A link's inertia in the file, compared with that of its shapes; pi (10,) in the body frame.

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
        """The file's center of mass, seen from the shapes', (3,) in m; NaN if one has none."""
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
    """Compare the inertias of links in the file with those of their shapes.

    By default the shapes have the file's mass, so that only their form is compared.

    Parameters
    ----------
    robot : Robot or Model
        The robot.
    density : float, optional
        Density of the shapes in kg/m^3.
    mass : "file", optional
        Masses of the shapes: those of the file (default).
    links : iterable of str, optional
        By default all links with an inertia or with shapes.
    purpose, package_dirs, repair, hull
        As `with_meshes` takes them.

    Returns
    -------
    list of Comparison
        One per link; missing meshes and surfaces that bound no solid are reported in `error`.
    """
    model = robot if isinstance(robot, Model) else robot.model
    if density is None and mass is None:
        mass = "file"
    shapes = LinkShapes(model, purpose, package_dirs, repair=repair, hull=hull)
    if links is None:
        names = [name for name, f in shapes.links.items() if f.shapes or f.file.any()]
    else:
        names = _choose_links(shapes, links, density, mass)
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
    result = replace(
        base,
        shape=scale * solid.unit if scale > 0.0 else None,
        volume=volume,
        purpose=solid.purpose,
        shapes=solid.shapes,
        bounds=solid.bounds,
        findings=solid.findings,
    )
    return replace(result, remarks=(*_file_remarks(result), *_shape_remarks(result, density)))


def _file_remarks(link: Comparison) -> tuple[str, ...]:
    """Return problems of the file's inertia alone."""
    if not link.file.any():
        return ("no inertia in the file",) if link.shapes else ()
    problem = inertia.problem(link.file)
    return (problem,) if problem else ()


def _shape_remarks(link: Comparison, density: float | None) -> tuple[str, ...]:
    """Return differences between the file's inertia and that of the shapes."""
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
        out.append(f"center of mass {1e3 * outside:.3g} mm outside the shape's box")
    ratios = link.ratios / heavier  # of bodies equally heavy
    worst = ratios[np.argmax(np.abs(np.log(np.maximum(ratios, 1e-300))))]
    if not 1.0 / FACTOR <= worst <= FACTOR:
        out.append(f"moments {worst:.3g} x the shape's at equal mass")
    return tuple(out)
