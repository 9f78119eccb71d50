"""Show a robot: its joints and links as a tree, with axes, limits, masses, and what looks wrong.

Links below one another form a chain; where several joints hang on one link, the tree branches.
Angles are in rad, lengths in m. With --json everything the model holds is printed, with null for
"no limit".
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from jounce.errors import printable

if TYPE_CHECKING:
    from jounce.check import Finding
    from jounce.model.model import Body, Joint, Mimic, Model

#: Findings of one kind shown in full unless --all is given.
_SHOWN = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The robot, and how to read and show it."""
    parser.add_argument("robot", help="robot file, or a name from the gallery")
    parser.add_argument("--base", choices=("fixed", "floating"), help="default: the robot's own")
    parser.add_argument(
        "--gravity", nargs=3, type=float, metavar=("X", "Y", "Z"), help="acceleration in m/s^2"
    )
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="FOLDER", help="holds ROS packages"
    )
    parser.add_argument("--all", action="store_true", help="show every finding")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> None:
    """Print the tree and the findings, or all of it as JSON."""
    import json
    import warnings

    from jounce import check as checks
    from jounce import io
    from jounce.errors import ModelWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ModelWarning)
        model = io.read(
            args.robot, base=args.base, gravity=args.gravity, package_dirs=args.package_dir
        )
    findings = checks.check(model)
    said = {f"{finding.where}: {finding.message}" for finding in findings}
    remarks = dict.fromkeys(str(w.message) for w in caught if str(w.message) not in said)
    if args.json:
        # ASCII, so that any terminal and any reader takes it
        print(json.dumps(as_dict(model, findings, list(remarks)), indent=2, allow_nan=False))
        return
    _print(
        [*_heading(model), "", *_tree(model), *_loops(model)],
        [f"warning: {text}" for text in remarks] + _findings(findings, args.all),
    )


# ------------------------------------------------------------------ JSON


def as_dict(model: Model, findings: list[Finding], remarks: list[str]) -> dict[str, Any]:
    """All that a model holds, in plain lists, numbers and strings; None for "no limit"."""
    from dataclasses import asdict

    from jounce.model.tree import coordinates

    names = [body.name for body in model.bodies]
    places = coordinates(model)
    return {
        "name": model.name,
        "source": model.source,
        "gravity": model.gravity.tolist(),
        "nq": model.nq,
        "nv": model.nv,
        "mass": _finite(_mass(model)),
        "joints": [
            _joint(joint, names, i, places[joint.name][:2]) for i, joint in enumerate(model.joints)
        ],
        "links": [_link(body) for body in model.bodies],
        "frames": [
            {
                "name": frame.name,
                "link": None if frame.body < 0 else names[frame.body],
                "placement": frame.placement.tolist(),
            }
            for frame in model.frames
        ],
        "loops": [
            {
                "name": loop.name,
                "kind": loop.kind if isinstance(loop.kind, str) else None,
                "locked": list(loop.locked),
                "link_a": None if loop.body_a < 0 else names[loop.body_a],
                "link_b": None if loop.body_b < 0 else names[loop.body_b],
                "placement_a": loop.placement_a.tolist(),
                "placement_b": loop.placement_b.tolist(),
            }
            for loop in model.loops
        ],
        "findings": [asdict(finding) for finding in findings],
        "warnings": remarks,
    }


def _joint(joint: Joint, names: list[str], i: int, start: tuple[int, int]) -> dict[str, Any]:
    out: dict[str, Any] = {
        "name": joint.name,
        "kind": joint.kind,
        "parent": None if joint.parent < 0 else names[joint.parent],
        "child": names[i],
        "q": [start[0], start[0] + joint.nq],
        "v": [start[1], start[1] + joint.nv],
        "placement": joint.placement.tolist(),
        "axis": joint.axis.tolist() if "axis" in joint.row.fields else None,
        "axis2": joint.axis2.tolist() if "axis2" in joint.row.fields else None,
        "point": joint.point.tolist(),
        "pitch": joint.pitch if joint.row.pitched else None,
    }
    for name in ("lower", "upper", "velocity_limit", "effort_limit"):
        out[name] = [_finite(x) for x in getattr(joint, name).tolist()]
    for name in ("damping", "friction", "armature"):
        out[name] = getattr(joint, name).tolist()
    rule = joint.mimic
    out["mimic"] = rule and {
        "leader": rule.leader,
        "multiplier": rule.multiplier,
        "offset": rule.offset,
    }
    return out


def _mass(model: Model) -> float:
    return sum(float(body.inertia[0]) for body in model.bodies)


def _finite(x: float) -> float | None:
    return None if x in (float("inf"), float("-inf")) else x


def _link(body: Body) -> dict[str, Any]:
    import numpy as np

    from jounce import inertia

    with np.errstate(all="ignore"):
        mass, com, about = inertia.about_com(body.inertia)
    sane = bool(np.isfinite(about).all())  # else they overflow, and JSON has no word for that
    principal = inertia.principal(body.inertia) if sane else None
    return {
        "name": body.name,
        "mass": float(mass),
        "com": com.tolist() if np.isfinite(com).all() else None,
        "inertia_about_com": about.tolist() if sane else None,
        "principal_moments": principal and principal.moments.tolist(),
        "principal_axes": principal and principal.axes.tolist(),
        "parameters": body.inertia.tolist(),
        "parts": [{"name": x.name, "parameters": x.inertia.tolist()} for x in body.links],
        "meshes": [
            {
                "path": mesh.path,
                "file": mesh.file or None,
                "purpose": mesh.purpose,
                "scale": list(mesh.scale),
                "placement": mesh.placement.tolist(),
                "link": mesh.link,
            }
            for mesh in body.meshes
        ],
        "solids": [
            {
                "shape": solid.shape,
                "purpose": solid.purpose,
                "size": list(solid.size),
                "placement": solid.placement.tolist(),
                "link": solid.link,
            }
            for solid in body.solids
        ],
    }


# ------------------------------------------------------------------ text


def _heading(model: Model) -> list[str]:
    mass = _mass(model)
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
    """A line for every link, with the joint that moves it and the other frames fixed in it."""
    children: dict[int, list[int]] = {i: [] for i in range(-1, model.nb)}
    for i, joint in enumerate(model.joints):
        children[joint.parent].append(i)
    head = ("link", "joint", "kind", "axis", "limits", "velocity", "effort", "mass, kg", "frames")
    rows = [head, ("world", *[""] * 7, _frames(model, -1))]
    # a stack, not recursion: chains may be longer than Python's recursion limit
    stack = _branches(children[-1], "")
    while stack:
        i, lead, rest = stack.pop()
        body = model.bodies[i]
        cells = _cells(model.joints[i], float(body.inertia[0]))
        rows.append((lead + printable(body.name), *cells, _frames(model, i)))
        stack += _branches(children[i], rest)
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _branches(children: list[int], rest: str) -> list[tuple[int, str, str]]:
    """Child, what stands before it, and before what hangs on it; the last one first."""
    if len(children) == 1:  # a chain goes on in the same column
        return [(children[0], rest, rest)]
    out = [(i, f"{rest}├─ ", f"{rest}│  ") for i in children[:-1]]
    out += [(i, f"{rest}└─ ", f"{rest}   ") for i in children[-1:]]
    return out[::-1]


def _frames(model: Model, body: int) -> str:
    """Frames that are fixed in a body, beside its own; at most four by name."""
    own = "" if body < 0 else model.bodies[body].name
    names = [printable(f.name) for f in model.frames if f.body == body and f.name != own]
    return ", ".join(names[:4]) + (f", {len(names) - 4} more" if len(names) > 4 else "")


def _cells(joint: Joint, mass: float) -> tuple[str, ...]:
    axes = [_direction(getattr(joint, name)) for name in joint.row.fields]
    kind = joint.kind + (f" {joint.pitch:.4g} m/rad" if joint.row.pitched else "")
    limits = _limits(joint)
    if joint.mimic is not None:
        limits = _rule(joint.mimic)
    return (
        printable(joint.name),
        kind,
        ", ".join(axes) or "-",
        limits,
        _caps(joint.velocity_limit.tolist()),
        _caps(joint.effort_limit.tolist()),
        f"{mass:.4g}",
    )


def _direction(axis: Any) -> str:
    for k, name in enumerate("xyz"):
        if abs(axis[k]) == 1.0:
            return name if axis[k] > 0 else f"-{name}"
    return "(" + ", ".join(f"{x:.4g}" for x in axis) + ")"


def _limits(joint: Joint) -> str:
    pairs = list(zip(joint.lower.tolist(), joint.upper.tolist(), strict=True))
    shown = [
        "-" if low == -high == float("-inf") else f"{low:.4g} .. {high:.4g}" for low, high in pairs
    ]
    return shown[0] if len(set(shown)) == 1 else ", ".join(shown)


def _rule(rule: Mimic) -> str:
    text = f"= {rule.multiplier:.4g} * {printable(rule.leader)}"
    return (
        text
        if rule.offset == 0.0
        else f"{text} {'+' if rule.offset > 0 else '-'} {abs(rule.offset):.4g}"
    )


def _caps(values: list[float]) -> str:
    shown = ["-" if value == float("inf") else f"{value:.4g}" for value in values]
    return shown[0] if len(set(shown)) == 1 else ", ".join(shown)


def _loops(model: Model) -> list[str]:
    def link(body: int) -> str:
        return "world" if body < 0 else printable(model.bodies[body].name)

    lines = []
    for loop in model.loops:
        sort = (
            loop.kind
            if isinstance(loop.kind, str)
            else "locks "
            + ", ".join(
                name
                for name, held in zip(
                    ("wx", "wy", "wz", "vx", "vy", "vz"), loop.locked, strict=True
                )
                if held
            )
        )
        lines.append(
            f"loop {printable(loop.name)}: {link(loop.body_a)} to {link(loop.body_b)}, {sort}"
        )
    return ["", *lines] if lines else []


def _findings(findings: list[Finding], everything: bool) -> list[str]:
    """A line each; of one kind only the first few."""
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
    """To the terminal, in colour where rich is installed; in ASCII where it must be."""
    import sys

    encoding = sys.stdout.encoding or "ascii"
    text = [*lines, "", *(remarks or ["nothing suspicious"])]
    try:
        "\n".join(text).encode(encoding)
    except UnicodeEncodeError:
        plain = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|"})
        text = [
            line.translate(plain).encode(encoding, "backslashreplace").decode(encoding)
            for line in text
        ]
    console = _console() if sys.stdout.isatty() else None
    for line in text:
        if console is None:
            print(line)
        else:
            styles = {"error": "red", "warning": "yellow", "note": "cyan"}
            style = styles.get(line.partition(":")[0])
            console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def _console() -> Any:
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console()
