"""Draws docs/pictures/frames.svg and docs/pictures/joint.svg: `python docs/frames.py`."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

FOLDER = Path(__file__).parent / "pictures"

STYLE = (
    ".l{stroke:#9aa5b1;stroke-width:9;stroke-linecap:round;fill:none}.j{fill:#fff;stroke:#5b6770;"
    "stroke-width:2}.a{stroke-width:2.5;fill:none}.s{font-size:12px;fill:#556}"
    ".d{stroke:#7a3fb0;stroke-width:2;stroke-dasharray:7 4;fill:none}.h{font-weight:bold}"
    "text{fill:#222;font-family:sans-serif;font-size:14px}"
)
#: Axes of a frame that is shown, and of the one that counts.
QUIET, CHOSEN = "#5b6770", "#d2561e"

#: World, elbow and end of the arm in a panel, and the angle of the frame at its end (degrees).
WORLD, ELBOW, END, ANGLE = (46.0, 214.0), (86.0, 124.0), (186.0, 118.0), 35.0


def axes(x: float, y: float, angle: float, name: str, color: str, length: float = 42) -> list[str]:
    """Return two axes of a frame at a point, and its name."""
    out = []
    for letter, turn in (("x", 0.0), ("z", 90.0)):
        c, s = cos(radians(angle + turn)), -sin(radians(angle + turn))
        tip = (x + length * c, y + length * s)
        left = (tip[0] - 9 * c - 4 * s, tip[1] - 9 * s + 4 * c)
        right = (tip[0] - 9 * c + 4 * s, tip[1] - 9 * s - 4 * c)
        corners = " ".join(f"{px:.1f},{py:.1f}" for px, py in (tip, left, right))
        place = f'x="{x + (length + 9) * c - 4:.1f}" y="{y + (length + 9) * s + 4:.1f}"'
        out += [
            f'<path class="a" stroke="{color}" d="M{x:g} {y:g}L{tip[0]:.1f} {tip[1]:.1f}"/>',
            f'<polygon fill="{color}" points="{corners}"/>',
            f'<text class="s" {place}>{letter}</text>',
        ]
    out.append(f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="{color}"/>')
    return [*out, f'<text class="s" x="{x - 10:g}" y="{y + 18:g}">{name}</text>']


def svg(width: int, height: int, lines: list[str]) -> str:
    """Return a document with a light ground."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    ground = f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>'
    return "\n".join((head, f"<style>{STYLE}</style>", ground, *lines, "</svg>")) + "\n"


def frames() -> str:
    """Return the axes and origins of twists, Jacobians and wrenches, by suffix."""
    panels = (
        ("tool.twist", "axes and origin of the frame", END, ANGLE),
        ("tool.twist_mixed", "axes of the world, origin of the frame", END, 0.0),
        ("tool.twist_world", "axes and origin of the world", WORLD, 0.0),
    )
    lines = []
    for k, (title, text, place, angle) in enumerate(panels):
        lines += [
            f'<g transform="translate({20 + 290 * k} 0)">',
            f'<text class="h" x="16" y="24">{title}</text>',
            f'<text class="s" x="16" y="42">{text}</text>',
            f'<path class="l" d="M{WORLD[0]} {WORLD[1]}L{ELBOW[0]} {ELBOW[1]}L{END[0]} {END[1]}"/>',
            *(f'<circle class="j" cx="{x}" cy="{y}" r="8"/>' for x, y in (WORLD, ELBOW)),
            *axes(*WORLD, 0.0, "world", QUIET),
            *axes(*END, ANGLE, "tool", QUIET),
            *axes(*place, angle, "", CHOSEN),
            "</g>",
        ]
    return svg(890, 248, lines)


def joint() -> str:
    """Return the placement and the screw of a joint between two bodies."""
    lines = [
        '<path class="l" d="M60 170L250 110"/><path class="l" d="M250 110L400 60"/>',
        '<circle class="j" cx="250" cy="110" r="11"/>',
        '<path class="d" d="M250 205V28"/>',
        '<path class="a" stroke="#7a3fb0" d="M230 45A20 7 0 1 0 270 45"/>',
        '<polygon fill="#7a3fb0" points="270,38 274,48 265,47"/>',
        '<text x="4" y="36" fill="#7a3fb0">screw S: unit twist of the axis</text>',
        '<text class="s" x="4" y="53">.dscrew moves the axis in the body</text>',
        *axes(60, 170, 0, "frame of the parent", QUIET),
        *axes(250, 110, 0, "", CHOSEN),
        *axes(400, 60, 18, "frame at a link, robot.frame(name)", QUIET),
        f'<path class="a" stroke="{CHOSEN}" stroke-dasharray="2 4" d="M66 164Q150 92 240 106"/>',
        f'<text x="290" y="172" fill="{CHOSEN}">placement: pose of the joint in the parent</text>',
        '<text class="s" x="290" y="189">.dplacement moves it with all beyond</text>',
        '<text class="s" x="290" y="132">frame of the joint and its body</text>',
    ]
    return svg(640, 225, lines)


PICTURES = {"frames.svg": frames, "joint.svg": joint}

if __name__ == "__main__":
    for file, draw in PICTURES.items():
        (FOLDER / file).write_text(draw(), "utf-8")
