"""The catalog in words: docstrings of the quantities, and the reference page."""

from __future__ import annotations

from jounce.catalog import pullbacks
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derived import FRAME, ROBOT, derivative_names
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.row import Row

_BEGIN = """\
# Quantities

Made by `python -m jounce reference`. Sizes: nq, nv and nb are the lengths of q and v and the number
of moving bodies; of mechanisms, nl is the number of rows of all loops, np and nt those of the
velocities of dependent and of all joints; nk and nc those of contacts that hold, and of rows that
they lock. Leading axes of all arguments broadcast.

Time derivatives (`.dt`, `.dtt`, `.rates(k)`) take the state (and wrenches, tau) up to the order
they need. Time derivatives of wrenches (`dwrenches=`, `ddwrenches=`) that are not given are taken
as zero: the wrenches are then constant in the axes of their bodies. State derivatives take the
arguments of the quantity and put the axes of differentiation last; those of a pose, in q or the
geometry, are body-fixed twists of the frame (6, ...), its `.dt` is that of the matrix.

Every quantity and derivative has `.jvp` (its arguments, then a tangent `dq`, `dv`, ... of each: the
directional derivative), `.vjp` (its arguments, then weights `lam` of the result: the gradients in
all arguments, a tuple), and both in plain numbers, `.jvp_coordinates` and `.vjp_coordinates`, which
`coordinates=True` asks for too. [The grid](grid.md) has all of
them as one table.
"""

#: Whose quantities there are: a title, the name they have in examples, and a sentence.
_OWNERS = (
    ("Robots", "robot", "What `jounce.load(...)` and `jounce.Robot(model)` have."),
    ("Frames", "frame", "What `robot.frame(name)` has; `robot.frame_names` lists the names."),
    (
        "Mechanisms",
        "closed",
        "What `robot.closed(...)` has: closed loops, over independent joints.",
    ),
    ("Contacts", "contacts", "What `robot.contacts(...)` has: a robot while its contacts hold."),
)


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
    tables = (ROBOT, FRAME, CLOSED.quantities, CONTACTED.quantities)
    lines = [_BEGIN]
    for (title, owner, sentence), rows in zip(_OWNERS, tables, strict=True):
        lines += [f"## {title}", "", sentence, ""]
        if owner == "closed":
            names = ", ".join(f"`{name}`" for name in CLOSED.frames)
            lines += [
                f"Its frames, `closed.frame(name)`, have those of robots' frames: {names}.",
                "",
            ]
        for row in rows.values():
            lines += _entry(owner, row)
    return "\n".join(lines).rstrip("\n") + "\n"


def _entry(owner: str, row: Row) -> list[str]:
    """A row under a title of its own: what it is, takes, gives, and which derivatives it has."""
    shapes = ", ".join("(" + ", ".join(("...", *map(str, shape))) + ")" for shape in row.shapes)
    listed = [name for name in derivative_names(row) if name not in pullbacks.NAMES]
    called = f"`{owner}.{row.name}({_signature(row)})`"
    lines = [f"### `{owner}.{row.name}`", "", f"{called} → {shapes}, {row.unit}", "", row.doc, ""]
    lines += ["| argument | shape | |", "|---|---|---|"]
    for name in (*row.arguments, *row.optional, *row.base):
        given = row.argument(name)
        shape = ", ".join(("...", *map(str, given.shape)))
        optional = "" if name in row.arguments else " (optional)"
        lines.append(f"| `{name}` | ({shape}) | {given.doc}{optional} |")
    for option in row.options:
        values = ", ".join(f"`{value!r}`" for value in option.values)
        lines.append(f"| `{option.name}` | {values} | {option.doc} |")
    if row.drives is not None:
        columns = "columns of all joints' armature, damping and friction too"
        friction = "Coulomb friction as v / sqrt(v² + e²) instead of sign(v)"
        lines.append(f"| `extended` | `False`, `True` | {columns} |")
        lines.append(f"| `smoothing` | number e | with `extended`: {friction} |")
    lines.append("")
    if row.equation:
        lines += [f"Equation: {row.equation}.", ""]
    names = ", ".join(f"`.{name}`" for name in listed)
    return [*lines, f"Derivatives: {names}, `.rates(k)`.", ""]


def _signature(row: Row) -> str:
    """Its arguments as they are called."""
    named = [f"{x}=None" for x in row.optional]
    named += ["*"] if row.base or row.options else []
    named += [f"{x}=None" for x in row.base]
    named += [f"{x.name}={x.values[0]!r}" for x in row.options]
    return ", ".join((*row.arguments, *named))
