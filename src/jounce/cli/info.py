"""Show a robot: its joints and links as a tree, with axes, limits, masses, and what looks wrong.

Links below one another form a chain; where several joints hang on one link, the tree branches.
Angles are in rad, lengths in m. With --json everything the model holds is printed, with null for
"no limit".

With --inertia the inertias in the file are compared with those of its meshes and other shapes. For
each link: the mass in the file, the density if that mass fills the shapes, how far the centers of
mass are apart, and the principal moments of the file over those of the shapes. Meshes that are not
watertight are reported; try --repair or --hull.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from jounce.cli import shared_arguments
from jounce.errors import printable

if TYPE_CHECKING:
    from jounce.model import Body, Joint, Model
    from jounce.robot import check

#: Findings of one kind shown in full unless --all is given.
_SHOWN = 3

EXAMPLES = (
    "jounce info kuka_iiwa14",
    "jounce info robot.urdf --base floating --json",
    "jounce info robot.urdf --inertia --package-dir ~/ros/src --hull",
    "jounce info --quantities | grep energy",
    "jounce info --papers",
)


class _Print(argparse.Action):
    """Print the text that a function returns, and exit."""

    def __init__(
        self, option_strings: list[str], dest: str, text: Callable[[], str], help: str
    ) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)
        self.text = text

    def __call__(self, parser: argparse.ArgumentParser, *args: Any) -> None:
        print(self.text())
        parser.exit()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the robot, and how to read and show it."""
    shared_arguments.add_file(parser)
    parser.add_argument(
        "--gravity", nargs=3, type=float, metavar=("X", "Y", "Z"), help="acceleration in m/s^2"
    )
    parser.add_argument("--all", action="store_true", help="show every finding")
    parser.add_argument("--json", action="store_true", help="print JSON")
    group = parser.add_argument_group("inertias of shapes")
    group.add_argument(
        "--inertia", action="store_true", help="compare inertias with those of the shapes"
    )
    weight = group.add_mutually_exclusive_group()
    weight.add_argument("--density", type=float, metavar="KG_M3", help="density of all shapes")
    weight.add_argument("--mass", choices=("file",), help="use the masses of the file (default)")
    group.add_argument(
        "--purpose",
        choices=("auto", "collision", "visual"),
        default="auto",
        help="shapes to use; auto: collision shapes if they are solids, otherwise visual ones",
    )
    group.add_argument("--links", nargs="+", metavar="NAME", help="compare only these links")
    group.add_argument("--repair", action="store_true", help="repair meshes that have holes")
    group.add_argument("--hull", action="store_true", help="use convex hulls of the meshes")
    group = parser.add_argument_group("instead of a robot")
    group.add_argument(
        "--quantities", action=_Print, text=list_quantities, help="list what robots can compute"
    )
    group.add_argument(
        "--papers", action=_Print, text=_list_papers, help="list the implemented equations"
    )
    group.add_argument("--reference", action=_Print, text=_reference, help=argparse.SUPPRESS)


def list_quantities() -> str:
    """Return a line for each quantity of robots, frames, mechanisms and contacts."""
    from jounce.catalog import CLOSED, CONTACTED, FRAME, ROBOT

    closed = {name: row for name, row in CLOSED.quantities.items() if name not in ROBOT}
    owners = {"": ROBOT, "frame.": FRAME, "closed.": closed, "contacts.": CONTACTED.quantities}
    lines = []
    for owner, quantities in owners.items():
        for name, row in quantities.items():
            arguments = ", ".join((*row.arguments, *(f"{x}=" for x in row.optional)))
            shape = "(" + ", ".join(map(str, row.shape)) + ")"
            lines.append(f"{f'{owner}{name}({arguments})':<44} {shape:<10} {row.doc}")
    note = "A mechanism, robot.closed(), has all of them except those of robot.contacts(...)."
    return "\n".join([*lines, "", note])


def _list_papers() -> str:
    from jounce import papers

    return papers.report()


def _reference() -> str:
    from jounce.catalog import reference

    return reference.reference().rstrip("\n")


def run(args: argparse.Namespace) -> None:
    """Print the tree and the findings, or all of it as JSON."""
    import json
    import warnings

    from jounce import io
    from jounce.errors import ArgumentError, ModelWarning
    from jounce.robot import check as checks

    if args.inertia:
        from jounce.cli.inertia_table import print_comparison

        print_comparison(args)
        return
    for name in ("density", "mass", "links", "repair", "hull"):
        if getattr(args, name):
            raise ArgumentError(f"--{name} is for --inertia")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ModelWarning)
        model = io.read(
            args.robot, base=args.base, gravity=args.gravity, package_dirs=args.package_dir
        )
    findings = checks.check(model)
    said = {f"{finding.where}: {finding.message}" for finding in findings}
    texts = [str(w.message).removeprefix(f"{printable(model.source)}: ") for w in caught]
    remarks = dict.fromkeys(text for text in texts if text not in said)
    if args.json:
        facts = as_dict(model, findings, list(remarks))
        # ASCII, so that any terminal and any reader takes it
        print(json.dumps(facts, indent=2, allow_nan=False, default=plain))
        return
    _print(
        [*_heading(model), "", *_tree(model), *_constraints(model)],
        [f"warning: {text}" for text in remarks] + _findings(findings, args.all),
    )


# ------------------------------------------------------------------ JSON


def as_dict(model: Model, findings: list[check.Finding], remarks: list[str]) -> dict[str, Any]:
    """Return all that a model holds; `plain` converts the arrays in it for JSON."""
    from jounce.model import coordinates

    places = coordinates(model)
    links = {-1: None, **{i: body.name for i, body in enumerate(model.bodies)}}
    return {
        "name": model.name,
        "source": model.source,
        "gravity": model.gravity,
        "nq": model.nq,
        "nv": model.nv,
        "mass": plain(model.mass),
        "joints": [
            _joint(joint, links[joint.parent], links[i], places[joint.name])
            for i, joint in enumerate(model.joints)
        ],
        "links": [_link(body) for body in model.bodies],
        "frames": [_fields(x, "name link placement", link=links[x.body]) for x in model.frames],
        "loops": [
            _fields(
                loop,
                "name kind locked link_a link_b placement_a placement_b",
                kind=loop.kind if isinstance(loop.kind, str) else None,
                locked=loop.locked,
                link_a=links[loop.body_a],
                link_b=links[loop.body_b],
            )
            for loop in model.loops
        ],
        "contacts": [
            _fields(x, "name kind link placement", link=links[x.body]) for x in model.contacts
        ],
        "findings": [asdict(finding) for finding in findings],
        "warnings": remarks,
    }


def plain(x: Any) -> Any:
    """Convert a number or an array to lists, with None for what is not finite ("no limit")."""
    import numpy as np

    return np.asarray(np.where(np.isfinite(x), x, None)).tolist()


def _fields(item: Any, names: str, **replaced: Any) -> dict[str, Any]:
    """Return fields of a dataclass by their names, some of them replaced."""
    values = {**asdict(item), **replaced}
    return {name: values[name] for name in names.split()}


def _joint(joint: Joint, parent: str | None, child: str | None, place: Any) -> dict[str, Any]:
    q, v = place[:2]
    return _fields(
        joint,
        "name kind parent child q v placement axis axis2 point pitch lower upper velocity_limit"
        " effort_limit damping friction stribeck_friction stribeck_velocity load_friction"
        " friction_smoothing load_smoothing armature stiffness spring_reference mimic",
        parent=parent,
        child=child,
        q=(q, q + joint.nq),
        v=(v, v + joint.nv),
        axis=joint.axis if "axis" in joint.row.fields else None,
        axis2=joint.axis2 if "axis2" in joint.row.fields else None,
        pitch=joint.pitch if joint.row.pitched else None,
    )


def _link(body: Body) -> dict[str, Any]:
    import numpy as np

    from jounce.model import inertia

    with np.errstate(all="ignore"):
        mass, com, about = inertia.about_com(body.inertia)
    sane = bool(np.isfinite(about).all())  # else they overflowed, which JSON cannot represent
    principal = inertia.principal(body.inertia) if sane else None
    return {
        "name": body.name,
        "mass": mass,
        "com": com if np.isfinite(com).all() else None,
        "inertia_about_com": about if sane else None,
        "principal_moments": principal and principal.moments,
        "principal_axes": principal and principal.axes,
        "parameters": body.inertia,
        "parts": [{"name": link.name, "parameters": link.inertia} for link in body.links],
        "meshes": [
            _fields(mesh, "path file purpose scale placement link", file=mesh.file or None)
            for mesh in body.meshes
        ],
        "solids": [asdict(solid) for solid in body.solids],
    }


# ------------------------------------------------------------------ text


def _heading(model: Model) -> list[str]:
    mass = model.mass
    gravity = ", ".join(f"{x:g}" for x in model.gravity)
    joints = f"{model.nb} joint{'' if model.nb == 1 else 's'}"
    followers = sum(joint.mimic is not None for joint in model.joints)
    if followers:
        joints += f" ({followers} of them follow{'s' * (followers == 1)} another)"
    return [
        f"{printable(model.name)}: {joints}, nq = {model.nq}, nv = {model.nv},"
        f" {mass:.6g} kg, gravity ({gravity}) m/s^2",
        f"from {printable(model.source)}",
    ]


def _tree(model: Model) -> list[str]:
    """Return a line for every link, with the joint that moves it and other frames fixed in it."""
    children: dict[int, list[int]] = {i: [] for i in range(-1, model.nb)}
    for i, joint in enumerate(model.joints):
        children[joint.parent].append(i)
    head = ("link", "joint", "kind", "axis", "limits", "velocity", "effort", "mass, kg", "frames")
    rows = [head, ("world", *[""] * 7, _frames(model, -1))]
    # a stack, not recursion: chains may be longer than Python's recursion limit
    stack = _branches(children[-1], "")
    while stack:
        i, lead, indent = stack.pop()
        body = model.bodies[i]
        cells = _cells(model.joints[i], float(body.inertia[0]))
        rows.append((lead + printable(body.name), *cells, _frames(model, i)))
        stack += _branches(children[i], indent)
    return shared_arguments.align_columns(rows, left=len(head))


def _branches(children: list[int], indent: str) -> list[tuple[int, str, str]]:
    """Return child, its indentation, and that of its own children; the last child first."""
    if len(children) == 1:  # a chain continues in the same column
        return [(children[0], indent, indent)]
    out = [(i, f"{indent}├─ ", f"{indent}│  ") for i in children[:-1]]
    out += [(i, f"{indent}└─ ", f"{indent}   ") for i in children[-1:]]
    return out[::-1]


def _frames(model: Model, body: int) -> str:
    """Return the frames that are fixed in a body, except its own; at most four by name."""
    body_name = "" if body < 0 else model.bodies[body].name
    names = [printable(f.name) for f in model.frames if f.body == body and f.name != body_name]
    return ", ".join(names[:4]) + (f", {len(names) - 4} more" if len(names) > 4 else "")


def _cells(joint: Joint, mass: float) -> tuple[str, ...]:
    from jounce.viewer.pictures import words

    axes = [_direction(getattr(joint, name)) for name in joint.row.fields]
    return (
        printable(joint.name),
        words.kind(joint),
        ", ".join(axes) or "-",
        words.limits(joint),
        words.caps(joint.velocity_limit.tolist()),
        words.caps(joint.effort_limit.tolist()),
        f"{mass:.4g}",
    )


def _direction(axis: Any) -> str:
    for k, name in enumerate("xyz"):
        if abs(axis[k]) == 1.0:
            return name if axis[k] > 0 else f"-{name}"
    return "(" + ", ".join(f"{x:.4g}" for x in axis) + ")"


def _constraints(model: Model) -> list[str]:
    def link(body: int) -> str:
        return "world" if body < 0 else printable(model.bodies[body].name)

    lines = []
    for loop in model.loops:
        held = zip(("wx", "wy", "wz", "vx", "vy", "vz"), loop.locked, strict=True)
        locks = "locks " + ", ".join(name for name, locked in held if locked)
        kind = loop.kind if isinstance(loop.kind, str) else locks
        ends = f"{link(loop.body_a)} to {link(loop.body_b)}"
        lines.append(f"loop {printable(loop.name)}: {ends}, {kind}")
    for contact in model.contacts:
        lines.append(f"contact {printable(contact.name)}: {link(contact.body)}, {contact.kind}")
    return ["", *lines] if lines else []


def _findings(findings: list[check.Finding], everything: bool) -> list[str]:
    """Return a line for each finding; unless `everything`, only the first few of one kind."""
    from collections import Counter

    total = Counter((finding.severity, finding.code) for finding in findings)
    seen: Counter[tuple[str, str]] = Counter()
    lines = []
    for finding in findings:
        kind = (finding.severity, finding.code)
        seen[kind] += 1
        if everything or seen[kind] <= _SHOWN:
            lines.append(printable(str(finding)))
        if not everything and seen[kind] == _SHOWN and total[kind] > _SHOWN:
            lines.append(f"{kind[0]}: {total[kind] - _SHOWN} more of these, see --all")
    return lines


def _print(lines: list[str], remarks: list[str]) -> None:
    """Print to the terminal, in color where rich is installed, in ASCII where it must be."""
    import sys

    if sys.stdout is None:  # it was closed
        return
    text = "\n".join([*lines, "", *(remarks or ["nothing suspicious"])])
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:  # in names, standard output escapes what it lacks
        text = text.translate(str.maketrans("├└─│", "|`-|"))
    try:
        from rich.console import Console
    except ImportError:
        Console = None
    if Console is None or not sys.stdout.isatty():
        print(text)
        return
    console, styles = Console(), {"error": "red", "warning": "yellow", "note": "cyan"}
    for line in text.splitlines():
        style = styles.get(line.partition(":")[0])
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)
