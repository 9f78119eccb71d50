"""A page for each quantity of the catalog, and links to them from the overview and the grid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import synonyms
from sphinx.application import Sphinx

from jounce.catalog.charts import Shape
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.derivative import derivative, derivative_names
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.reference import call_signature
from jounce.catalog.tables import FRAME, ROBOT

#: Folder of generated pages in `docs`; not kept in the repository.
FOLDER = "reference/generated"

#: Name of an owner in examples: its class, its quantities, and how to get one.
OWNERS: dict[str, tuple[str, Mapping[str, AnyQuantity], str]] = {
    "robot": ("jounce.Robot", ROBOT, 'robot = jounce.load("kuka_iiwa14")'),
    "frame": (
        "jounce.arrays.tables.Frame",
        FRAME,
        'robot = jounce.load("kuka_iiwa14")\nframe = robot.frame("tool")',
    ),
    "closed": (
        "jounce.solve.mechanism.robot.Mechanism",
        CLOSED.quantities,
        'closed = jounce.load("five_bar").closed()',
    ),
    "contacts": (
        "jounce.solve.contacts.robot.Contacts",
        CONTACTED.quantities,
        'robot = jounce.load("kuka_iiwa14")\ncontacts = robot.edit.with_contact("tool").contacts()',
    ),
}
#: Quantities of frames of mechanisms have entries too.
_LOOP_FRAMES = "jounce.solve.mechanism.robot.Mechanism.frame"

_SECTIONS = re.compile(r"^### `(\w+)\.\w+`\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"^\| `(?:(frame|closed|contacts)\.)?(\w+)` \|", re.MULTILINE)


def shape(of: AnyQuantity, core: Shape) -> str:
    """Return the shape of an array with the batch; nt: velocities of all joints with loops."""
    sizes = ("nt" if x == "nv" and of.all_joints else str(x) for x in core)
    return f"({', '.join(('...', *sizes))})"


def shapes(function: AnyQuantity) -> str:
    """Return the shapes of the results, with the batch."""
    return ", ".join(shape(function, x) for x in function.shapes)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    for owner, (_, quantities, _) in OWNERS.items():
        for function in quantities.values():
            yield f"{owner}.{function.name}", "\n".join(_page(owner, function))


def _page(owner: str, function: AnyQuantity) -> list[str]:
    class_, _, _ = OWNERS[owner]
    name = f"{owner}.{function.name}"
    names = [f"{class_}.{function.name}"]
    if owner == "frame" and function.name in CLOSED.frames:
        names.append(f"{_LOOP_FRAMES}.{function.name}")
    others = [x for x in OWNERS if x != owner and function.name in OWNERS[x][1]]
    see = [f"[`{x}.{function.name}`]({x}.{function.name}.md)" for x in others]
    lines = ["---", "orphan: true", "---", f"# `{name}`", ""]
    lines += ["```{eval-rst}", *synonyms.index(name), "```", ""]
    for entry in names:
        lines += [f"```{{py:method}} {entry}", ":no-typesetting:", "```", ""]
    lines += [function.doc, "", "```python", f"{name}({call_signature(function)})", "```", ""]
    lines += ["## Parameters", "", *_parameters(function), "## Returns", ""]
    lines += ["| shape | unit |", "|---|---|"]
    units = function.unit.split("; ")
    for k, result in enumerate(function.results):
        lines.append(f"| {shape(function, result.shape)} | {units[k if len(units) > k else -1]} |")
    lines.append("")
    if function.equation:
        lines += [
            "## Equation",
            "",
            f"{function.equation}; see [papers](../../theory/papers.md).",
            "",
        ]
    lines += ["## Derivatives", "", *_derivatives(function)]
    lines += [
        "## Example",
        "",
        "```python",
        *_example(owner, function),
        "```",
        "",
        "## See also",
        "",
    ]
    lines += ["[All quantities](../quantities.md), [all derivatives](../grid.md),"]
    return [*lines, f"[conventions](../conventions.md){''.join(f', {x}' for x in see)}.", ""]


def _parameters(function: AnyQuantity) -> list[str]:
    lines = ["| parameter | shape | meaning, units, frame |", "|---|---|---|"]
    for name in (*function.arguments, *function.optional, *function.base):
        argument = function.argument(name)
        optional = "" if name in function.arguments else " (optional)"
        lines.append(f"| `{name}` | {shape(function, argument.shape)} | {argument.doc}{optional} |")
    for option in function.options:
        values = ", ".join(f"`{value!r}`" for value in option.values)
        lines.append(f"| `{option.name}` | {values} | {option.doc} |")
    return [*lines, ""]


def _derivatives(function: AnyQuantity) -> list[str]:
    lines = ["| name | parameters | result | meaning |", "|---|---|---|---|"]
    for name in derivative_names(function):
        of = derivative(function, name)
        doc = of.doc.removesuffix(f": {function.doc}")
        source = f" ({of.equation})" if of.equation and name not in ("dt", "dtt") else ""
        arguments = ", ".join(of.arguments)
        lines.append(f"| `.{name}` | {arguments} | {shapes(of)} | {doc}{source} |")
    lines.append(
        "| `.rates(k)` | state up to order k | each result k + 1 times | value and time"
        " derivatives up to order k |"
    )
    return [*lines, ""]


def _example(owner: str, function: AnyQuantity) -> list[str]:
    """Return a program that calls the quantity with random arguments."""
    subject = "robot" if owner == "frame" else owner
    lines = ["import jounce", "import numpy as np", "", OWNERS[owner][2]]
    lines.append("rng = np.random.default_rng(0)")
    sample = f"{subject}.robot.random(rng)" if owner == "contacts" else f"{subject}.random(rng)"
    for name in function.arguments:
        core = function.argument(name).shape
        if function.all_joints:
            core = tuple("nt" if x == "nv" else x for x in core)
        if name in ("q", "q0", "q1"):
            value = sample
        elif not core:
            value = "0.01" if name == "h" else "0.5"
        else:
            sizes = ", ".join(_size(subject, x) for x in core)
            value = f"rng.standard_normal({sizes if len(core) == 1 else f'({sizes})'})"
        lines.append(f"{name} = {value}")
    lines.append(f"result = {owner}.{function.name}({', '.join(function.arguments)})")
    return lines


def _size(subject: str, size: int | str) -> str:
    if isinstance(size, int):
        return str(size)
    of_tree = {"nt": "closed.robot.nv", "nb": "closed.robot.nb"} if subject == "closed" else {}
    return of_tree.get(size, f"{subject}.{size}")


def overview(text: str) -> str:
    """Return the page of all quantities with a table of links instead of their sections."""

    def table(match: re.Match[str]) -> str:
        lines = ["| quantity | result | |", "|---|---|---|"]
        for function in OWNERS[match[1]][1].values():
            name = f"{match[1]}.{function.name}"
            call = f"[`{name}`](generated/{name}.md)({', '.join(function.arguments)})"
            lines.append(f"| {call} | {shapes(function)}, {function.unit} | {function.doc} |")
        return "\n".join((*lines, "", ""))

    return _SECTIONS.sub(table, text)


def grid(text: str) -> str:
    """Return the page of the grid with links to the quantities."""

    def cell(match: re.Match[str]) -> str:
        name = f"{match[1] or 'robot'}.{match[2]}"
        shown = f"{match[1]}.{match[2]}" if match[1] else match[2]
        known = match[2] in OWNERS[match[1] or "robot"][1]
        return f"| [`{shown}`](generated/{name}.md) |" if known else match[0]

    return f'{_CELL.sub(cell, text)}\n<span class="wide"></span>\n'


def _link(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == "reference/quantities":
        source[0] = overview(source[0])
    if docname == "reference/grid":
        source[0] = grid(source[0])


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write pages that changed, so that others are not read again."""
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _generate(app: Sphinx) -> None:
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    write(folder, {f"{name}.md": text for name, text in pages()})


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before any is read, and link to them."""
    app.connect("builder-inited", _generate)
    app.connect("source-read", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
