"""The grid of docs/reference/grid.md: every quantity of robots, frames, mechanisms and contacts."""

from __future__ import annotations

from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative_names
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.names import PRODUCTS
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.errors import ArgumentError

_BEGIN = "<!-- grid: made by `python -m tools.reference` -->"
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
    """Return a Markdown table of all quantities with their derivatives."""
    closed = CLOSED.quantities
    only_closed = {name: x for name, x in closed.items() if name not in ROBOT}
    lines = [_COLUMNS, ("---",) * len(_COLUMNS)]
    for owner, table, with_loops in (
        ("", ROBOT, closed),
        ("frame.", FRAME, CLOSED.frames),
        ("closed.", only_closed, closed),
        ("contacts.", CONTACTED.quantities, {}),
    ):
        for name, function in table.items():
            lines.append((f"`{owner}{name}`", *_cells(function), _mark(name in with_loops)))
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _cells(function: AnyQuantity) -> tuple[str, ...]:
    """Return the cells of a quantity: arguments, result, and derivatives by kind."""
    names = derivative_names(function)
    first = [name for name in names if name.removeprefix("d") in function.arguments]
    time, design = ["dt", "dtt"], ["dpi", "dscrew", "dplacement", "dframe", "dloop", "dcontact"]
    further = [name for name in names if name not in (*time, *first, *design, *PRODUCTS)]
    shown = [" ".join(f"`.{name}`" for name in part) for part in (time, first, further)]
    return (
        ", ".join((*function.arguments, *(f"({name})" for name in function.optional))),
        ", ".join(f"({', '.join(map(str, shape))})" for shape in function.shapes),
        f"{shown[0]} `.rates(k)`",
        *shown[1:],
        _mark("dpi" in names),
        _mark({"dscrew", "dplacement"} <= {*names}),
    )


def _mark(there: bool) -> str:
    return "●" if there else "–"


def with_grid(page: str) -> str:
    """Return a Markdown page with the grid inserted between its markers."""
    before, begin, following = page.partition(_BEGIN)
    _, end, after = following.partition(_END)
    if not begin or not end:
        raise ArgumentError(f"no place for the grid; expected a line {_BEGIN} and a line {_END}")
    return f"{before}{begin}\n\n{grid()}\n\n{end}{after}"
