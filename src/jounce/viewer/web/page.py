"""A robot as one HTML file that computes: `jounce page robot.urdf -o robot.html`.

The file opens from disk and reaches for nothing: its kernels are WebAssembly, its meshes and the
library that draws them are inside.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from jounce.catalog import parse_name
from jounce.errors import counted, legible
from jounce.export import source
from jounce.io import Folders
from jounce.robot import Robot, System
from jounce.solve.mechanism import Mechanism
from jounce.utils import VERSION, check_target
from jounce.viewer.scene import Looks, looks
from jounce.viewer.web import meshes
from jounce.viewer.web.description import Subject, described
from jounce.viewer.web.functions import hindrance, literal
from jounce.viewer.web.measure import machine, seconds_per_call
from jounce.viewer.web.module import WebModule, asset, build_module

#: What a page computes in any case.
NEEDED = (
    "body_poses",
    "body_twists",
    "mass_matrix",
    "gravity_forces",
    "inverse_dynamics",
    "kinetic_energy",
    "potential_energy",
)

#: What it shows, unless nothing has mass.
HEAVY = ("center_of_mass",)

#: What it moves by, unless nothing resists a motion.
MOVED = ("forward_dynamics",)

#: What it computes of robots whose velocities are not the rates of their coordinates.
CURVED = ("rates_from_velocity", "normalize")

#: What closes loops, and moves all joints with their forces.
LOOPS = ("integrate", "loop_residual", "loop_jacobian")
MOVED_LOOPS = (*MOVED, "constrained_dynamics")

#: What is computed of the tree under the loops.
TREE = (
    "body_poses",
    "body_twists",
    "mass_matrix",
    "gravity_forces",
    "kinetic_energy",
    "potential_energy",
    "integrate",
)

#: What it shows besides, unless asked for something else.
SHOWN = (
    "coriolis_matrix",
    "christoffel",
    "mass_matrix_inverse",
    "centroidal_momentum",
    "com_jacobian",
    "inverse_dynamics.derivatives",
    "inverse_dynamics.dpi",
    "inverse_dynamics.rates(2)",
    "forward_dynamics.derivatives",
)

#: Operations of a quantity beyond which it is shown only if someone asks for it.
LARGE = 80_000

#: Operations of a quantity beyond which NumPy's call is not measured: compiling it would take long.
TIMED = 20_000

#: Scripts of a page, in order.
SCRIPTS = ("unpack.js", "simulator.js", "stage.js", "panel.js", "main.js")


def write_page(
    system: System,
    path: str | os.PathLike[str],
    quantities: str | Iterable[str] | None = None,
    *,
    package_dirs: Folders = (),
    title: str | None = None,
    triangles: int = meshes.BUDGET,
    timings: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write a robot, or a mechanism with closed loops, as a page; returns the file.

    quantities: what to offer beside what the page needs anyway, by name as `robot.quantity` takes
    them; by default a selection, of large robots without what would be large. package_dirs:
    folders in which meshes are searched first. title: of the page, by default the robot's name.
    triangles: about how many all meshes together may have; those with more are thinned. timings:
    whether to measure NumPy's single calls, to show them beside those of the page; without, the
    same robot gives the same file byte for byte. overwrite: replace a file that exists;
    FileExistsError otherwise.
    """
    file = Path(path)
    check_target(file, overwrite)  # before anything is computed
    text = page_text(
        system,
        quantities,
        package_dirs=package_dirs,
        title=title,
        triangles=triangles,
        timings=timings,
    )
    source.write(file.parent, {file.name: text.encode("utf-8")}, overwrite=overwrite)
    return file


def page_text(
    system: System,
    quantities: str | Iterable[str] | None = None,
    *,
    package_dirs: Folders = (),
    title: str | None = None,
    triangles: int = meshes.BUDGET,
    timings: bool = True,
) -> str:
    """The text of the file that `write_page` writes."""
    given, name = system, _titled(system, title)
    system, free = _shown(given)
    if free and quantities is not None:
        quantities, left = _of_robot(given, system, quantities)
        free += left
    seen = looks(system.model, "visual", package_dirs)
    pack = meshes.packed(meshes.thinned(seen.parts, triangles))
    chosen, remarks = _chosen(system, quantities)
    remarks += free
    module = build_module(system, chosen)
    tree = _tree(system)
    data = described(system, seen.parts, seen.size)
    data["meshes"] = {
        "parts": pack.parts,
        "vertices": pack.vertices,
        "triangles": pack.triangles,
    }
    data["remarks"] = [*remarks, *_sentences(seen)]
    data["timings"] = _timings(system, module) if timings else None
    data["machine"] = machine() if timings else ""
    return _filled(
        asset("page.html"),
        {
            "TITLE": html.escape(name),
            "ABOUT": html.escape(_about(system)),
            "GENERATOR": html.escape(f"jounce {VERSION}"),
            "FOOTER": html.escape(
                f"computed in this page by WebAssembly, written by jounce {VERSION}"
            ),
            "STYLE": asset("page.css"),
            "DATA": literal(data, allow_nan=False, default=_plain),
            "WASM": meshes.deflated(module.wasm),
            "TREE": meshes.deflated(tree.wasm) if tree else "",
            "MESHES": pack.data,
            "THREE": f"/*\n{asset('three.LICENSE').strip()}\n*/\n{asset('three.min.js')}",
            "FACTORY": module.factory,
            "TREEFACTORY": tree.factory if tree else "null",
            "SCRIPT": "\n".join(asset(name) for name in SCRIPTS),
        },
    )


def _shown(system: System) -> tuple[Subject, list[str]]:
    """What a page shows: the system, or the robot that is in contact, and a sentence about that."""
    if isinstance(system, (Robot, Mechanism)):
        return system, []
    robot = getattr(system, "robot", None)
    if isinstance(robot, Robot):
        return robot, ["Contacts do not hold in this page: the robot moves freely."]
    raise TypeError(
        f"a page shows a robot or a mechanism, robot.closed(); found {type(system).__name__}"
    )


def _of_robot(
    given: System, robot: Subject, quantities: str | Iterable[str]
) -> tuple[list[str], list[str]]:
    """Quantities that a robot has without its contacts, and sentences about others."""
    names, left = [], []
    for name in _names(quantities):
        base = parse_name(name)
        own = base.frame is None and base.quantity not in robot.definitions
        if own and base.quantity in given.definitions:
            left.append(f"{name} is left out: it is of contacts that hold.")
        else:  # what is unknown altogether is an error later
            names.append(name)
    return names, left


def _titled(system: System, title: Any) -> str:
    """What a page is called."""
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a string, found {type(title).__name__}")
    return legible(getattr(getattr(system, "model", None), "name", "") if title is None else title)


# ------------------------------------------------------------------ what it computes


def needed(system: System) -> tuple[str, ...]:
    """Quantities without which a page of this robot would not move."""
    if isinstance(system, Mechanism):
        return (*NEEDED, *LOOPS)
    return (*NEEDED, *_curved(system))


def _curved(system: System) -> tuple[str, ...]:
    flat = all(len(x.joint.row.rates) == x.joint.nv for x in system.joints.values())
    return () if flat else CURVED


def _tree(system: System) -> WebModule | None:
    """Kernels of a mechanism's tree, in which all joints move."""
    if not isinstance(system, Mechanism):
        return None
    return build_module(system.robot, (*TREE, *_curved(system)))


def _chosen(system: System, quantities: str | Iterable[str] | None) -> tuple[list[str], list[str]]:
    """Names of quantities, each once, and sentences about those that were left out."""
    names = [*needed(system)]
    moved = MOVED_LOOPS if isinstance(system, Mechanism) else MOVED
    found: dict[str, str] = {}
    for group in (HEAVY, moved):
        judged = {name: _judged(system, name, np.inf) for name in group}
        found |= judged
        names += [] if any(judged.values()) else group
    remarks = [*dict.fromkeys(filter(None, found.values()))]
    if quantities is not None:
        return [*dict.fromkeys([*names, *_names(quantities)])], remarks
    for name in SHOWN:
        if parse_name(name).quantity in system.definitions:
            found[name] = _judged(system, name, LARGE)
            if not found[name]:
                names.append(name)
    return names, [*dict.fromkeys(filter(None, found.values()))]


def _names(quantities: str | Iterable[str]) -> list[str]:
    if not isinstance(quantities, Iterable):
        raise TypeError(
            f"quantities: expected names such as 'mass_matrix', found {type(quantities).__name__}"
        )
    return [quantities] if isinstance(quantities, str) else [*quantities]


def _judged(system: System, name: str, largest: float) -> str:
    """Why a quantity is left out, as a sentence; empty if it is not."""
    problem = hindrance(system, name)
    if problem:
        return f"{name} is left out: {legible(problem)}."
    size = len(system.quantity(name).kernel.tape)
    if size <= largest:
        return ""
    return (
        f"{name} is left out: its {size} operations would make this page slow to open. Asked for by"
        " name, it is there."
    )


def _timings(system: Subject, module: WebModule) -> dict[str, float]:
    """Seconds that a single call takes from Python, by quantity; of large ones none."""
    return {
        function.quantity: seconds_per_call(system, system.quantity(function.quantity))
        for function in module.functions
        if function.operations <= TIMED
    }


# ------------------------------------------------------------------ what it says


def _about(system: System) -> str:
    """One line about the robot."""
    model = system.model
    freedom = f"{counted(system.nv, 'degree')} of freedom"
    closed = [counted(len(model.loops), "closed loop")] if isinstance(system, Mechanism) else []
    return " · ".join((counted(model.nb, "joint"), freedom, *closed, f"{system.model.mass:.4g} kg"))


def _sentences(seen: Looks) -> list[str]:
    """About shapes that are not there."""
    if not seen.missing:
        return []
    few = [legible(sentence) for sentence in seen.missing[:3]]
    more = len(seen.missing) - len(few)
    return [*few, f"{more} more shapes could not be read."] if more else few


def _plain(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    raise TypeError(f"{type(x).__name__} cannot be written as JSON")


def _filled(template: str, parts: dict[str, str]) -> str:
    """A template with @NAMES@ replaced, all at once: what is put in is not looked at again."""
    for name in ("THREE", "FACTORY", "TREEFACTORY", "SCRIPT"):
        # nothing in a script may look like the end of one
        parts[name] = re.sub(r"</(?=script)", r"<\\/", parts[name], flags=re.IGNORECASE)
    return re.sub(r"@([A-Z]+)@", lambda found: parts[found[1]], template)
