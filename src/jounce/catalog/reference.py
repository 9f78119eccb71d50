"""The catalog in words: docstrings of the quantities, and the reference page."""

from __future__ import annotations

from jounce.catalog import pullbacks
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derived import FRAME, ROBOT, derivative_names
from jounce.catalog.row import Row


def describe(row: Row) -> str:
    """A row in words: arguments, shapes, units, equation."""
    lines = [row.doc, "", "Arguments (leading axes broadcast):"]
    for name in (*row.arguments, *row.optional, *row.base):
        given = row.argument(name)
        shape = ", ".join(map(str, given.shape))
        optional = "" if name in row.arguments else ", optional"
        lines.append(f"    {name} (..., {shape}): {given.doc}{optional}")
    for option in row.options:
        default, *others = map(repr, option.values)
        lines.append(f"    {option.name}={default} (or {', '.join(others)}): {option.doc}")
    if row.drives is not None:
        lines.append(
            "    extended=True: columns of all joints' armature, damping and friction too;"
        )
        lines.append("    smoothing=e: Coulomb friction as v / sqrt(v^2 + e^2) instead of sign(v)")
    shapes = ["(" + ", ".join(("...", *map(str, shape))) + ")" for shape in row.shapes]
    lines += ["", f"Returns: {', '.join(shapes)}, unit {row.unit}."]
    if row.equation:
        lines.append(f"Equation: {row.equation}.")
    return "\n".join(lines)


def reference() -> str:
    """All rows as a Markdown page."""
    lines = [
        "# Quantities",
        "",
        "Made by `python -m jounce reference`. nq, nv, nb: lengths of q and v, number of moving",
        "bodies; nk, nc: number of contacts that hold, and of rows that they lock. Leading axes of",
        "all arguments broadcast. Time derivatives (`.dt`, `.dtt`, `.rates(k)`) take the state",
        "(and wrenches, tau) up to the order they need. Time derivatives of wrenches",
        "(`dwrenches=`, `ddwrenches=`) that are not given are taken as zero: the wrenches are then",
        "constant in the axes of their bodies. State derivatives take",
        "the arguments of the quantity and put the axes of differentiation last; those of a pose,",
        "in q or the geometry, are body-fixed twists of the frame (6, ...), its `.dt` is that of",
        "the matrix.",
        "",
        "Every quantity and derivative has `.jvp` (its arguments, then a tangent `dq`, `dv`, ...",
        "of each: the directional derivative), `.vjp` (its arguments, then weights `lam` of the",
        "result: the gradients in all arguments, a tuple), and both in plain numbers,",
        "`.jvp_coordinates` and `.vjp_coordinates`, which `coordinates=True` asks for too.",
    ]
    touching = [*CONTACTED.quantities.values()]
    for row in (*ROBOT.values(), *FRAME.values(), *touching):
        owner = "robot.contacts(...)" if row in touching else "robot"
        owner = "robot.frame(name)" if row.of_frame else owner
        named = [f"{x}=None" for x in row.optional]
        named += ["*"] if row.base or row.options else []
        named += [
            *(f"{x}=None" for x in row.base),
            *(f"{x.name}={x.values[0]!r}" for x in row.options),
        ]
        optional = "".join(f", {x}" for x in named)
        listed = [name for name in derivative_names(row) if name not in pullbacks.NAMES]
        names = ", ".join(f"`.{name}`" for name in listed)
        title = f"{owner}.{row.name}({', '.join(row.arguments)}{optional})"
        lines += ["", f"## `{title}`", "", "```text", describe(row), "```", ""]
        lines.append(f"Derivatives: {names}, `.rates(k)`.")
    return "\n".join(lines) + "\n"
