"""Draws docs/architecture.svg: `python docs/architecture.py`. A test holds the two equal."""

from __future__ import annotations

from pathlib import Path

#: Layers from the top down, each with packages and what they hold; imports go down.
LAYERS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("cli", "commands"),),
    (
        ("identification", "parameters from data"),
        ("calibration", "geometry from poses"),
        ("studies", "uncertain parameters"),
        ("control", "controllers"),
        ("planning", "fastest motion"),
        ("export", "C, MATLAB, SymPy"),
        ("integrations", "other libraries"),
        ("viewer", "browser, pages"),
    ),
    (("trajectories", "smooth reference motions"),),
    (("solve", "inverse kinematics, loops, contacts, elastic joints, rollouts"),),
    (("robot", "the class Robot"),),
    (("arrays", "quantities as callables; adapters of JAX, PyTorch, CuPy, Dask, xarray"),),
    (("runtime", "tracing, kernels, gufuncs, native C, CUDA"),),
    (("catalog", "quantities, derivatives, autodiff"), ("io", "robot files")),
    (
        ("formulas", "one sample, any scalar"),
        ("papers", "seven papers, equation by equation"),
        ("compiler", "graphs, tapes, targets"),
    ),
    (("model", "joints, bodies, tree, inertia"),),
    (("math", "scalars, Lie groups, Taylor series"),),
)

#: Packages that a call, and a file, goes through.
CALL = ("robot", "arrays", "runtime", "catalog", "formulas", "compiler")
FILE = ("io", "model")

WIDTH, HEIGHT, GAP = 960, 46, 12
STYLE = (
    ".r{fill:#f4f6f8;stroke:#345;stroke-width:1.5}.c{fill:#ffe9d6;stroke:#d2691e;stroke-width:2}"
    ".f{fill:#e2f0e4;stroke:#2e7d4f;stroke-width:2}text{fill:#222}.s{fill:#556;font-size:11px}"
)


def box(name: str, doc: str, x: float, y: float, width: float) -> list[str]:
    """Return a box with a name and a line of text."""
    kind = "c" if name in CALL else "f" if name in FILE else "r"
    middle = x + width / 2
    return [
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}" rx="5"/>',
        f'<text x="{middle:g}" y="{y + 20:g}" text-anchor="middle">{name}</text>',
        f'<text class="s" x="{middle:g}" y="{y + 36:g}" text-anchor="middle">{doc}</text>',
    ]


def picture() -> str:
    """Return the diagram as SVG."""
    height = len(LAYERS) * (HEIGHT + GAP) + GAP + 40
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="14">',
        f"<style>{STYLE}</style>",
    ]
    for level, packages in enumerate(LAYERS):
        y = GAP + level * (HEIGHT + GAP)
        width = (WIDTH - 2 * GAP - (len(packages) - 1) * GAP) / len(packages)
        for k, (name, doc) in enumerate(packages):
            lines += box(name, doc, GAP + k * (width + GAP), y, width)
    legend = (
        "orange: path of a call; green: path of a file; imports go down, and to utils and errors"
    )
    lines.append(f'<text class="s" x="{GAP}" y="{height - 18}">{legend}</text>')
    return "\n".join((*lines, "</svg>")) + "\n"


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture(), "utf-8")
