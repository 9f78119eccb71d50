"""Pictures of the results: `python -m benchmarks.plots` draws the tables into docs/performance.

`make bench` ends with it, and a test holds the pictures equal to the tables. The SVG is written
here, so that the same numbers give the same file everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import FIGURES, RESULTS

GPU = RESULTS.with_name("GPU.md")

OURS, THEIRS, THIRD = "#2563b0", "#c25a0c", "#6b7c8f"
STYLE = (
    "text{fill:#222;font:13px sans-serif}.s{fill:#667;font-size:11px}.h{font-weight:bold}"
    ".g{stroke:#dde;stroke-width:1}.l{stroke-width:3;stroke-linecap:round;opacity:.35}"
)


@dataclass(frozen=True)
class Line:
    """Values to compare, all of one unit: (whose, value), in the order of the legend."""

    name: str
    values: Sequence[tuple[str, float]]
    remark: str = ""


@dataclass(frozen=True)
class Group:
    """Lines under a title."""

    title: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Picture:
    """Groups of lines over one logarithmic axis."""

    unit: str
    colors: dict[str, str]
    groups: Sequence[Group]


# ---------------------------------------------------------------- tables


def tables(page: str) -> dict[str, list[dict[str, str]]]:
    """Rows by title of the first table of each section; of two with one title the later counts."""
    out: dict[str, list[dict[str, str]]] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        first = re.search(r"^\|.*(?:\n\|.*)*", body, flags=re.MULTILINE)
        lines = first[0].splitlines() if first else []
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        if len(cells) > 2:
            out[title] = [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]
    return out


def number(cell: str) -> float | None:
    """A cell as a number, or None where nothing was measured."""
    match = re.fullmatch(r"([\d,.]+(?:e[+-]?\d+)?)(?: s)?", cell)
    return float(match[1].replace(",", "")) if match else None


def _lines(
    rows: Sequence[dict[str, str]],
    columns: dict[str, str],
    ratio: tuple[str, str] | None = None,
    label: str = "",
) -> Iterator[Line]:
    """A line per row, of the columns by whose they are; ratio: of whose to whose to speak."""
    for row in rows:
        result = {name: number(row.get(column, "")) for name, column in columns.items()}
        known = {name: value for name, value in result.items() if value is not None}
        if len(known) < len(columns):
            continue
        said = known[ratio[1]] / known[ratio[0]] if ratio else 0.0
        remark = f"{said:.0f}×" if said >= 10 else f"{said:.1f}×" if said else ""
        nv = row.get("nv", "").partition(" ")[0]
        name = f"{row['robot']}, {nv} joints" if nv else row["robot"]
        yield Line(label or name, tuple(known.items()), remark)


# ---------------------------------------------------------------- what is drawn

_ROBOTS = ("ur5", "panda", "g1", "talos")
_PAIR = {"jounce": "jounce", "Pinocchio": "Pinocchio"}
_COLORS = {"jounce": OURS, "Pinocchio": THEIRS}


def _of(rows: Sequence[dict[str, str]], **wanted: Sequence[str]) -> list[dict[str, str]]:
    """Rows whose cells are among those wanted."""
    return [row for row in rows if all(row[key] in values for key, values in wanted.items())]


def batches(found: dict[str, list[dict[str, str]]]) -> Picture:
    """Batches compared with Pinocchio."""
    titles = {
        "inverse_dynamics": "Batch of 4096: inverse_dynamics",
        "forward_dynamics": "Batch of 4096: forward_dynamics",
        "mass_matrix": "Batch of 4096: mass_matrix",
        "coriolis_matrix": "Batch of 4096: coriolis_matrix",
        "inverse_dynamics.derivatives": "State derivatives: inverse_dynamics",
        "forward_dynamics.derivatives": "State derivatives: forward_dynamics",
    }
    groups = [
        Group(name, [*_lines(_of(found[title], robot=_ROBOTS), _PAIR, ("jounce", "Pinocchio"))])
        for name, title in titles.items()
    ]
    return Picture("ns per sample, batches of 4096, one thread", _COLORS, groups)


def calls(found: dict[str, list[dict[str, str]]]) -> Picture:
    """Single calls from Python."""
    rows = _of(found["Single calls"], robot=_ROBOTS)
    groups = [
        Group(name, [*_lines(_of(rows, quantity=[name]), _PAIR, ("jounce", "Pinocchio"))])
        for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix")
    ]
    return Picture("ns for a single call from Python", _COLORS, groups)


def gradients(found: dict[str, list[dict[str, str]]]) -> Picture:
    """Gradients of a weighted result in all arguments."""
    columns = {"value": "value", "gradient": "vjp", "Pinocchio's Jacobians": "Pinocchio"}
    groups = [
        Group(
            f"{name}.vjp",
            [
                *_lines(
                    _of(found[f"Pullbacks: {name}"], robot=_ROBOTS),
                    columns,
                    ("gradient", "Pinocchio's Jacobians"),
                )
            ],
        )
        for name in ("inverse_dynamics", "forward_dynamics")
    ]
    colors = {"value": THIRD, "gradient": OURS, "Pinocchio's Jacobians": THEIRS}
    return Picture("ns per sample, batches of 4096, one thread", colors, groups)


def frameworks(found: dict[str, list[dict[str, str]]]) -> Picture:
    """Inside JAX and PyTorch, compared with the same recursion written in them."""
    groups = []
    for what in ("value", "gradient"):
        for title, beside, table, column in (
            (
                "inside jax.jit",
                "Newton-Euler in the library",
                "JAX: a plain Newton-Euler",
                "theirs",
            ),
            ("inside jax.jit, adam", "adam-robotics", "JAX: adam-robotics", "theirs"),
            ("PyTorch", "Newton-Euler in the library", "PyTorch: a plain Newton-Euler", "plain"),
        ):
            columns = {"jounce": f"{what} ours", beside: f"{what} {column}"}
            lines = [*_lines(found[table], columns, ("jounce", beside))]
            groups.append(Group(f"{what}, {title}", lines))
    colors = {"jounce": OURS, "Newton-Euler in the library": THEIRS, "adam-robotics": THIRD}
    return Picture("ns per sample of inverse dynamics, batches of 4096", colors, groups)


def gpu(found: dict[str, list[dict[str, str]]]) -> Picture:
    """Rates on a GPU."""
    kept: dict[str, dict[str, dict[str, float]]] = {}
    for row in found["Rates on large batches"]:
        robot, _, quantity = row["robot quantity"].partition(" ")
        rate = number(row["evaluations/s"])
        if rate is not None and robot in _ROBOTS:
            kept.setdefault(quantity, {}).setdefault(robot, {})[row["type"]] = rate / 1e9
    groups = [
        Group(name, [Line(robot, tuple(rates.items())) for robot, rates in robots.items()])
        for name, robots in kept.items()
    ]
    colors = {"float64": OURS, "float32": THEIRS}
    return Picture("billion evaluations a second, a million samples, one H200", colors, groups)


# ---------------------------------------------------------------- drawing

_WIDTH, _LEFT, _RIGHT, _STEP = 860, 150, 70, 21


def draw_svg(picture: Picture) -> str:
    """The picture as SVG."""
    values = [x for group in picture.groups for line in group.lines for _, x in line.values]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    height = 56 + sum(34 + _STEP * len(group.lines) for group in picture.groups) + 26

    def at(value: float) -> float:
        share = (math.log10(value) - low) / (high - low)
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}">',
        f"<style>{STYLE}</style>",
        f'<text class="s" x="{_LEFT}" y="18">{picture.unit}</text>',
    ]
    x = _LEFT
    for name, color in picture.colors.items():
        out.append(f'<circle cx="{x + 5}" cy="35" r="5" fill="{color}"/>')
        out.append(f'<text class="s" x="{x + 15}" y="39">{name}</text>')
        x += 32 + 7 * len(name)
    for power in range(low, high + 1):
        x = at(10.0**power)
        out.append(f'<line class="g" x1="{x}" x2="{x}" y1="50" y2="{height - 24}"/>')
        label = f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"
        out.append(f'<text class="s" x="{x}" y="{height - 8}" text-anchor="middle">{label}</text>')
    y = 50
    for group in picture.groups:
        y += 26
        out.append(f'<text class="h" x="8" y="{y}">{group.title}</text>')
        y += 8
        for line in group.lines:
            y += _STEP
            out += _line(line, y - 6, at, picture.colors)
    return "\n".join((*out, "</svg>")) + "\n"


def _line(line: Line, y: float, at: Callable[[float], float], colors: dict[str, str]) -> list[str]:
    """Its name, its values on a bar between them, and what is said of them."""
    places = [at(value) for _, value in line.values]
    first = colors[line.values[0][0]]
    bar = f'x1="{min(places)}" x2="{max(places)}" y1="{y}" y2="{y}"'
    out = [f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{line.name}</text>']
    out.append(f'<line class="l" stroke="{first}" {bar}/>')
    for (name, value), x in zip(line.values, places, strict=True):
        title = f"<title>{name}: {value:g}</title>"
        out.append(f'<circle cx="{x}" cy="{y}" r="5.5" fill="{colors[name]}">{title}</circle>')
    if line.remark:
        out.append(f'<text class="s" x="{max(places) + 12}" y="{y + 4}">{line.remark}</text>')
    return out


def pictures() -> dict[str, str]:
    """All pictures by the name of their file."""
    result = tables(RESULTS.read_text("utf-8"))
    on_card = tables(GPU.read_text("utf-8"))
    return {
        "batches.svg": draw_svg(batches(result)),
        "calls.svg": draw_svg(calls(result)),
        "gradients.svg": draw_svg(gradients(result)),
        "frameworks.svg": draw_svg(frameworks(result)),
        "gpu.svg": draw_svg(gpu(on_card)),
    }


def main(folder: Path = FIGURES) -> None:
    """Write them."""
    for name, text in pictures().items():
        (folder / name).write_text(text, "utf-8")
        print(folder / name)


if __name__ == "__main__":
    main()
