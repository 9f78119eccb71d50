"""Draws docs/architecture.svg: `python docs/architecture.py`. A test holds the two equal."""

from __future__ import annotations

from pathlib import Path

#: Floors from the top down; a room stands on those below it. (name, what lives there)
FLOORS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("cli", "commands"),),
    (("view", "in a browser"), ("web", "a robot as a page"), ("studies", "what is uncertain")),
    (
        ("identification", "from data"),
        ("contacts", "feet on the ground"),
        ("interop", "other libraries"),
    ),
    (
        ("jax", "inside jit, grad, vmap"),
        ("torch", "tensors with gradients"),
        ("dask", "lazy arrays, clusters"),
        ("xarray", "named arrays"),
    ),
    (("mechanism", "closed loops"), ("cuda", "arrays on GPUs"), ("scene", "what it looks like")),
    (
        ("design", "gradients"),
        ("elastic", "elastic drives"),
        ("export", "C, CUDA, MATLAB"),
        ("pictures", "drawings, tables"),
        ("frameworks", "what differentiates"),
    ),
    (("robot", "what users hold"),),
    (("inverse_kinematics", "poses to joints"), ("motion", "steps in time")),
    (("system", "trees and mechanisms"), ("lie", "rotations, poses")),
    (("groups", "export, edit, view"),),
    (
        ("quantities", "rows as callables"),
        ("edit", "models to models"),
        ("check", "what looks wrong"),
        ("meshes", "shapes of links"),
    ),
    (("runtime", "trace, compile, call"), ("io", "files to models"), ("papers", "line by line")),
    (("catalog", "a row per quantity"), ("backends", "tapes to code")),
    (("formulas", "one sample"), ("graph", "expressions to tapes")),
    (("model", "joints, bodies, tree"),),
    (("inertia", "solids, meshes"),),
    (("math", "scalars, jets, Lie groups"), ("process", "cache, threads, forks")),
)

#: The way of a call, and of a file, through the rooms.
CALL = ("robot", "quantities", "runtime", "catalog", "formulas", "graph", "backends")
FILE = ("io", "model")

WIDTH, HEIGHT, GAP = 960, 46, 12
STYLE = (
    ".r{fill:#f4f6f8;stroke:#345;stroke-width:1.5}.c{fill:#ffe9d6;stroke:#d2691e;stroke-width:2}"
    ".f{fill:#e2f0e4;stroke:#2e7d4f;stroke-width:2}text{fill:#222}.s{fill:#556;font-size:11px}"
)


def room(name: str, doc: str, x: float, y: float, width: float) -> list[str]:
    """A box with a name and a line."""
    kind = "c" if name in CALL else "f" if name in FILE else "r"
    middle = x + width / 2
    return [
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}" rx="5"/>',
        f'<text x="{middle:g}" y="{y + 20:g}" text-anchor="middle">{name}</text>',
        f'<text class="s" x="{middle:g}" y="{y + 36:g}" text-anchor="middle">{doc}</text>',
    ]


def picture() -> str:
    """The whole house as SVG."""
    height = len(FLOORS) * (HEIGHT + GAP) + GAP + 40
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="14">',
        f"<style>{STYLE}</style>",
    ]
    for level, rooms in enumerate(FLOORS):
        y = GAP + level * (HEIGHT + GAP)
        width = (WIDTH - 2 * GAP - (len(rooms) - 1) * GAP) / len(rooms)
        for k, (name, doc) in enumerate(rooms):
            lines += room(name, doc, GAP + k * (width + GAP), y, width)
    legend = "orange: the way of a call; green: the way of a file; a room imports from below only"
    lines.append(f'<text class="s" x="{GAP}" y="{height - 18}">{legend}</text>')
    return "\n".join((*lines, "</svg>")) + "\n"


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), "utf-8")
