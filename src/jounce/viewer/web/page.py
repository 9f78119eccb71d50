"""Interactive HTML files of robots: `jounce page robot.urdf -o robot.html`.

The file opens from disk and loads nothing else: it contains the kernels as WebAssembly, the meshes
and the rendering library.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.catalog import parse_name
from jounce.control import Controller
from jounce.errors import legible
from jounce.export import source
from jounce.io import Folders
from jounce.robot import Robot, System
from jounce.solve.mechanism import Mechanism
from jounce.utils import VERSION, check_target, format_count
from jounce.viewer.scene import Looks, looks
from jounce.viewer.scene.configurations import Subject
from jounce.viewer.web import meshes
from jounce.viewer.web.controllers import controller_of_page
from jounce.viewer.web.description import describe_system, floating_base
from jounce.viewer.web.functions import explain_undefined, literal
from jounce.viewer.web.measure import machine, seconds_per_call
from jounce.viewer.web.module import WebModule, asset, build_module

#: Quantities that every page needs.
REQUIRED = (
    "body_poses",
    "body_twists",
    "mass_matrix",
    "gravity_forces",
    "inverse_dynamics",
    "kinetic_energy",
    "potential_energy",
)

#: Quantities that need a mass.
WITH_MASS = ("center_of_mass",)

#: Quantities of the simulation, which need a regular mass matrix.
SIMULATION = ("forward_dynamics",)

#: Quantities of robots whose velocities are not the time derivatives of their coordinates.
MANIFOLD = ("rates_from_velocity", "normalize")

#: Quantities that close loops, and that simulate mechanisms with loop forces.
LOOPS = ("integrate", "loop_residual", "loop_jacobian")
SIMULATION_LOOPS = (*SIMULATION, "constrained_dynamics")

#: Quantities of the tree without the loops.
TREE = (
    "body_poses",
    "body_twists",
    "mass_matrix",
    "gravity_forces",
    "kinetic_energy",
    "potential_energy",
    "integrate",
)

#: Further quantities that a page shows by default.
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

#: Maximum operations of a quantity that is shown by default.
MAX_OPERATIONS = 80_000

#: Maximum operations of a quantity whose calls from Python are timed, as compiling takes long.
MAX_TIMED_OPERATIONS = 20_000

#: Scripts of a page, in order.
SCRIPTS = ("unpack.js", "simulator.js", "control.js", "stage.js", "panel.js", "main.js")


def write_page(
    system: System,
    path: str | os.PathLike[str],
    quantities: str | Iterable[str] | None = None,
    *,
    controller: Controller | str | None = None,
    frame: str | None = None,
    reference: Mapping[str, ArrayLike | str] | None = None,
    package_dirs: Folders = (),
    title: str | None = None,
    triangles: int = meshes.BUDGET,
    timings: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write an interactive page of a robot or mechanism.

    Parameters
    ----------
    system : Robot, Mechanism, Contacts or Controller
        Robots with a floating base stand on a floor with springs and friction, at their point
        contacts if they have any. A controller drives its robot.
    path : path
        The HTML file.
    quantities : str or iterable of str
        Quantities to offer beside those that the page needs, by name as `robot.quantity` takes
        them; by default a selection, without large ones.
    controller : Controller or str
        Controller that drives the robot in the page: "gravity" for gravity compensation,
        "impedance" for springs and dampers at the joints, or, with `frame`, at a frame. Other
        controllers have the measurement (q, v). Those without a state act continuously, others
        every millisecond.
    frame : str
        Name of the frame under impedance control.
    reference : mapping of str to array_like or str
        Values of the controller's reference by name, or quantities of the target configuration,
        such as "frame(tool).pose". By default q_d is the target, and v_d, a_d, j_d, s_d are zero.
    package_dirs : path or sequence of paths
        Folders in which meshes are searched first.
    title : str
        Title of the page, by default the robot's name.
    triangles : int
        Approximate maximum number of triangles of all meshes; larger ones are decimated.
    timings : bool
        Time single calls from Python, for comparison with those of the page. Without, the same
        robot gives the same file byte for byte.
    overwrite : bool
        Replace a file that exists.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileExistsError
        If the file exists and `overwrite` is false.
    """
    file = Path(path)
    check_target(file, overwrite)  # before anything is computed
    text = page_text(
        system,
        quantities,
        controller=controller,
        frame=frame,
        reference=reference,
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
    controller: Controller | str | None = None,
    frame: str | None = None,
    reference: Mapping[str, ArrayLike | str] | None = None,
    package_dirs: Folders = (),
    title: str | None = None,
    triangles: int = meshes.BUDGET,
    timings: bool = True,
) -> str:
    """Return the text of a page.

    Parameters
    ----------
    system, quantities, controller, frame, reference, package_dirs, title, triangles, timings
        As for `write_page`.

    Returns
    -------
    str
        HTML.
    """
    original, name = system, _title_of(system, title)
    system, free = _system_to_show(original)
    control, notes = controller_of_page(original, system, controller, frame, reference)
    if isinstance(original, Controller) and quantities is not None:  # the law is in the page anyway
        quantities = [x for x in _names(quantities) if parse_name(x).quantity != original.call]
    if free and quantities is not None:
        quantities, omitted = _without_contacts(original, system, quantities)
        free += omitted
    shapes = looks(system.model, "visual", package_dirs)
    pack = meshes.pack(meshes.decimate(shapes.parts, triangles))
    chosen, remarks = _select_quantities(system, quantities)
    remarks += [*free, *notes]
    chosen += control.sources.values() if control else ()
    module = build_module(system, chosen)
    tree = _tree(system)
    data = describe_system(system, shapes.parts, shapes.size)
    data["meshes"] = {
        "parts": pack.parts,
        "vertices": pack.vertices,
        "triangles": pack.triangles,
    }
    data["controller"] = control.describe(system, module) if control else None
    data["remarks"] = [*remarks, *_sentences(shapes)]
    data["timings"] = _timings(system, module) if timings else None
    data["machine"] = machine() if timings else ""
    parts = _parts(data, {"": module, "TREE": tree, "CONTROLLER": control and control.module})
    return _fill_template(
        asset("page.html"),
        {
            **parts,
            "TITLE": html.escape(name),
            "ABOUT": html.escape(_about(system)),
            "MESHES": pack.data,
        },
    )


def _parts(data: dict[str, Any], modules: dict[str, WebModule | None]) -> dict[str, str]:
    """Return parts of a page: its data, scripts, and modules by the prefix of their names."""
    parts = {
        "GENERATOR": html.escape(f"jounce {VERSION}"),
        "FOOTER": html.escape(f"computed in this page by WebAssembly, written by jounce {VERSION}"),
        "STYLE": asset("page.css"),
        "DATA": literal(data, allow_nan=False, default=_plain),
        "THREE": f"/*\n{asset('three.LICENSE').strip()}\n*/\n{asset('three.min.js')}",
        "SCRIPT": "\n".join(asset(name) for name in SCRIPTS),
    }
    for prefix, module in modules.items():
        parts[prefix or "WASM"] = meshes.compress(module.wasm) if module else ""
        parts[f"{prefix}FACTORY"] = module.factory if module else "null"
    return parts


def _system_to_show(system: System) -> tuple[Subject, list[str]]:
    """Return the system to show, the robot itself if it is in contact, and remarks."""
    if isinstance(system, (Robot, Mechanism)):
        return system, []
    if isinstance(system, Controller):
        return system.robot, []
    robot = getattr(system, "robot", None)
    if isinstance(robot, Robot) and floating_base(robot) is not None:
        return robot, ["Contacts are springs and friction of the floor, so feet can slip and lift."]
    if isinstance(robot, Robot):
        return robot, ["Contacts do not hold in this page: the robot moves freely."]
    raise TypeError(
        f"a page shows a robot or a mechanism, robot.closed(); found {type(system).__name__}"
    )


def _without_contacts(
    original: System, robot: Subject, quantities: str | Iterable[str]
) -> tuple[list[str], list[str]]:
    """Return the quantities that do not need contacts, and remarks about others."""
    names, omitted = [], []
    for name in _names(quantities):
        base = parse_name(name)
        of_system = base.frame is None and base.quantity not in robot.definitions
        if of_system and base.quantity in original.definitions:
            omitted.append(f"{name} is left out: it needs active contacts.")
        else:  # unknown names raise an error later
            names.append(name)
    return names, omitted


def _title_of(system: System, title: Any) -> str:
    """Return the title of a page."""
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a string, found {type(title).__name__}")
    return legible(getattr(getattr(system, "model", None), "name", "") if title is None else title)


# ------------------------------------------------------------------ quantities


def required_quantities(system: System) -> tuple[str, ...]:
    """Return the quantities that a page of a system needs.

    Parameters
    ----------
    system : Robot or Mechanism

    Returns
    -------
    tuple of str
    """
    if isinstance(system, Mechanism):
        return (*REQUIRED, *LOOPS)
    return (*REQUIRED, *_manifold_quantities(system))


def _manifold_quantities(system: System) -> tuple[str, ...]:
    flat = all(len(x.joint.row.rates) == x.joint.nv for x in system.joints.values())
    return () if flat else MANIFOLD


def _tree(system: System) -> WebModule | None:
    """Return the kernels of a mechanism's tree, in which all joints move."""
    if not isinstance(system, Mechanism):
        return None
    return build_module(system.robot, (*TREE, *_manifold_quantities(system)))


def _select_quantities(
    system: System, quantities: str | Iterable[str] | None
) -> tuple[list[str], list[str]]:
    """Return names of quantities without duplicates, and remarks about omitted ones."""
    names = [*required_quantities(system)]
    simulation = SIMULATION_LOOPS if isinstance(system, Mechanism) else SIMULATION
    omissions: dict[str, str] = {}
    for group in (WITH_MASS, simulation):
        group_omissions = {name: _explain_omission(system, name, np.inf) for name in group}
        omissions |= group_omissions
        names += [] if any(group_omissions.values()) else group
    remarks = [*dict.fromkeys(filter(None, omissions.values()))]
    if quantities is not None:
        return [*dict.fromkeys([*names, *_names(quantities)])], remarks
    for name in SHOWN:
        if parse_name(name).quantity in system.definitions:
            omissions[name] = _explain_omission(system, name, MAX_OPERATIONS)
            if not omissions[name]:
                names.append(name)
    return names, [*dict.fromkeys(filter(None, omissions.values()))]


def _names(quantities: str | Iterable[str]) -> list[str]:
    if not isinstance(quantities, Iterable):
        raise TypeError(
            f"quantities: expected names such as 'mass_matrix', found {type(quantities).__name__}"
        )
    return [quantities] if isinstance(quantities, str) else [*quantities]


def _explain_omission(system: System, name: str, largest: float) -> str:
    """Return why a quantity is omitted, as a sentence, or ''."""
    problem = explain_undefined(system, name)
    if problem:
        return f"{name} is left out: {legible(problem)}."
    size = len(system.quantity(name).kernel.tape)
    if size <= largest:
        return ""
    return (
        f"{name} is left out: its {size} operations would make this page slow to open. Request it"
        " by name to include it."
    )


def _timings(system: Subject, module: WebModule) -> dict[str, float]:
    """Return the time of a single call from Python in s, by quantity, without large ones."""
    return {
        function.quantity: seconds_per_call(system, system.quantity(function.quantity))
        for function in module.functions
        if function.operations <= MAX_TIMED_OPERATIONS
    }


# ------------------------------------------------------------------ text


def _about(system: System) -> str:
    """Return a summary of the robot in one line."""
    model = system.model
    freedom = f"{format_count(system.nv, 'degree')} of freedom"
    closed = (
        [format_count(len(model.loops), "closed loop")] if isinstance(system, Mechanism) else []
    )
    return " · ".join(
        (format_count(model.nb, "joint"), freedom, *closed, f"{system.model.mass:.4g} kg")
    )


def _sentences(shapes: Looks) -> list[str]:
    """Return sentences about missing shapes."""
    if not shapes.missing:
        return []
    sentences = [legible(sentence) for sentence in shapes.missing[:3]]
    omitted = len(shapes.missing) - len(sentences)
    return [*sentences, f"{omitted} more shapes could not be read."] if omitted else sentences


def _plain(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    raise TypeError(f"{type(x).__name__} cannot be written as JSON")


def _fill_template(template: str, parts: dict[str, str]) -> str:
    """Replace all @NAMES@ of a template in one pass, so that inserted text is not scanned."""
    for name in ("THREE", "FACTORY", "TREEFACTORY", "CONTROLLERFACTORY", "SCRIPT"):
        # a script must not contain its end tag
        parts[name] = re.sub(r"</(?=script)", r"<\\/", parts[name], flags=re.IGNORECASE)
    return re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], template)
