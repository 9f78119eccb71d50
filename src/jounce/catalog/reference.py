"""The catalog in words: docstrings of the quantities, the reference page, and the grid."""

from __future__ import annotations

from jounce.catalog.arguments import argument
from jounce.catalog.derived import derivative_names
from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM, MECHANISM_FRAME
from jounce.catalog.row import Row
from jounce.catalog.rows import FRAME, ROBOT, ROWS
from jounce.errors import ArgumentError


def describe(row: Row) -> str:
    """A row in words: arguments, shapes, units, equation."""
    lines = [row.doc, "", "Arguments (leading axes broadcast):"]
    for name in (*row.arguments, *row.optional):
        shape = ", ".join(map(str, argument(name).shape))
        by_name = ", by name, optional" if name in row.optional else ""
        lines.append(f"    {name} (..., {shape}): {argument(name).doc}{by_name}")
    if row.drives is not None:
        lines.append(
            "    extended=True: columns of armature, viscous and Coulomb friction too, nv each;"
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
        "bodies. Leading axes of all arguments broadcast. Time derivatives (`.dt`, `.dtt`,",
        "`.rates(k)`) take the state (and wrenches, tau) up to the order they need. Time",
        "derivatives of wrenches (`dwrenches=`, `ddwrenches=`) that are not given are taken as",
        "zero: the wrenches are then constant in the axes of their bodies. State derivatives take",
        "the arguments of the quantity and put the axes of differentiation last; those of a pose,",
        "in q or the geometry, are body-fixed twists of the frame (6, ...), its `.dt` is that of",
        "the matrix.",
    ]
    for row in ROWS:
        owner = "robot.frame(name)" if row.of_frame else "robot"
        optional = "".join(f", {name}=None" for name in row.optional)
        names = ", ".join(f"`.{name}`" for name in derivative_names(row))
        title = f"{owner}.{row.name}({', '.join(row.arguments)}{optional})"
        lines += ["", f"## `{title}`", "", "```text", describe(row), "```", ""]
        lines.append(f"Derivatives: {names}, `.rates(k)`.")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ the grid of the README

_BEGIN = "<!-- grid: made by `python -m jounce reference --grid README.md` -->"
_END = "<!-- end of the grid -->"

_COLUMNS = (
    "quantity",
    "arguments",
    "result",
    "in time",
    "in the state",
    "second order, together",
    "`.dpi`",
    "`.dscrew` `.dplacement`",
    "`closed()`",
)


def grid() -> str:
    """Every quantity with its derivatives, as a Markdown table."""
    closed = MECHANISM | ALL_JOINTS
    only_closed = {name: row for name, row in closed.items() if name not in ROBOT}
    lines = [_COLUMNS, ("---",) * len(_COLUMNS)]
    for owner, table, with_loops in (
        ("", ROBOT, closed),
        ("frame.", FRAME, MECHANISM_FRAME),
        ("closed.", only_closed, closed),
    ):
        for name, row in table.items():
            lines.append((f"`{owner}{name}`", *_cells(row), _mark(name in with_loops)))
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _cells(row: Row) -> tuple[str, ...]:
    """Arguments, result, and derivatives by kind."""
    names = derivative_names(row)
    first = [name for name in names if name.removeprefix("d") in row.arguments]
    time, design = ["dt", "dtt"], ["dpi", "dscrew", "dplacement"]
    more = [name for name in names if name not in (*time, *first, *design)]
    shown = [" ".join(f"`.{name}`" for name in part) for part in (time, first, more)]
    return (
        ", ".join((*row.arguments, *(f"({name})" for name in row.optional))),
        f"({', '.join(map(str, row.shape))})",
        f"{shown[0]} `.rates(k)`",
        *shown[1:],
        _mark("dpi" in names),
        _mark({"dscrew", "dplacement"} <= {*names}),
    )


def _mark(there: bool) -> str:
    return "●" if there else "–"


def with_grid(page: str) -> str:
    """A Markdown page with the grid between its markers."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ArgumentError(f"no place for the grid; expected a line {_BEGIN} and a line {_END}")
    return f"{before}{begin}\n\n{grid()}\n\n{end}{after}"
