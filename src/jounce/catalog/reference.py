"""The catalog in words: docstrings of the quantities, and the reference page."""

from __future__ import annotations

from jounce.catalog.derivative import derivative_names
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT

_BEGIN = """\
# Quantities

Made by `python -m tools.reference`. Sizes: nq, nv and nb are the lengths of q and v and the number
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
    ("Frames", "frame", "What `robot.frame(name)` has; `robot.model.frame_names` lists the names."),
    (
        "Mechanisms",
        "closed",
        "What `robot.closed(...)` has: closed loops, over independent joints.",
    ),
    ("Contacts", "contacts", "What `robot.contacts(...)` has: a robot while its contacts hold."),
)


def describe(function: AnyQuantity) -> str:
    """What help() shows: arguments, shapes, units, equation."""
    lines = [function.doc, "", "Arguments (leading axes broadcast):"]
    for name in (*function.arguments, *function.optional, *function.base):
        arg = function.argument(name)
        shape = ", ".join(map(str, arg.shape))
        optional = "" if name in function.arguments else ", optional"
        lines.append(f"    {name} (..., {shape}): {arg.doc}{optional}")
    for option in function.options:
        default, *others = map(repr, option.values)
        lines.append(f"    {option.name}={default} (or {', '.join(others)}): {option.doc}")
    if function.drives is not None:
        lines.append(
            "    extended=True: columns of all joints' armature, damping and friction too;"
        )
        lines.append("    smoothing=e: Coulomb friction as v / sqrt(v^2 + e^2) instead of sign(v)")
    shapes = ["(" + ", ".join(("...", *map(str, shape))) + ")" for shape in function.shapes]
    lines += ["", f"Returns: {', '.join(shapes)}, unit {function.unit}."]
    if function.equation:
        lines.append(f"Equation: {function.equation}.")
    return "\n".join(lines)


def reference() -> str:
    """All quantities as a Markdown page."""
    from jounce.catalog.contacts import CONTACTED  # which `describe` does not need
    from jounce.catalog.mechanism import CLOSED

    tables = (ROBOT, FRAME, CLOSED.quantities, CONTACTED.quantities)
    lines = [_BEGIN]
    for (title, owner, sentence), table in zip(_OWNERS, tables, strict=True):
        lines += [f"## {title}", "", sentence, ""]
        if owner == "closed":
            names = ", ".join(f"`{name}`" for name in CLOSED.frames)
            lines += [
                f"Its frames, `closed.frame(name)`, have those of robots' frames: {names}.",
                "",
            ]
        for function in table.values():
            lines += _entry(owner, function)
    return "\n".join(lines).rstrip("\n") + "\n"


def _entry(owner: str, function: AnyQuantity) -> list[str]:
    """A section of the page: what it is, takes, gives, and which derivatives it has."""
    shapes = ", ".join(
        "(" + ", ".join(("...", *map(str, shape))) + ")" for shape in function.shapes
    )
    listed = [name for name in derivative_names(function) if name not in PRODUCTS]
    called = f"`{owner}.{function.name}({call_signature(function)})`"
    lines = [
        f"### `{owner}.{function.name}`",
        "",
        f"{called} → {shapes}, {function.unit}",
        "",
        function.doc,
        "",
    ]
    lines += ["| argument | shape | |", "|---|---|---|"]
    for name in (*function.arguments, *function.optional, *function.base):
        arg = function.argument(name)
        shape = ", ".join(("...", *map(str, arg.shape)))
        optional = "" if name in function.arguments else " (optional)"
        lines.append(f"| `{name}` | ({shape}) | {arg.doc}{optional} |")
    for option in function.options:
        values = ", ".join(f"`{value!r}`" for value in option.values)
        lines.append(f"| `{option.name}` | {values} | {option.doc} |")
    if function.drives is not None:
        columns = "columns of all joints' armature, damping and friction too"
        friction = "Coulomb friction as v / sqrt(v² + e²) instead of sign(v)"
        lines.append(f"| `extended` | `False`, `True` | {columns} |")
        lines.append(f"| `smoothing` | number e | with `extended`: {friction} |")
    lines.append("")
    if function.equation:
        lines += [f"Equation: {function.equation}.", ""]
    names = ", ".join(f"`.{name}`" for name in listed)
    return [*lines, f"Derivatives: {names}, `.rates(k)`.", ""]


def call_signature(function: AnyQuantity) -> str:
    """Return the arguments as a call lists them."""
    named = [f"{x}=None" for x in function.optional]
    named += ["*"] if function.base or function.options else []
    named += [f"{x}=None" for x in function.base]
    named += [f"{x.name}={x.values[0]!r}" for x in function.options]
    return ", ".join((*function.arguments, *named))
