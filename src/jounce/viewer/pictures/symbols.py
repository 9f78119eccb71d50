"""SVG symbols of joint kinds, 18 by 18 units about the origin."""

from __future__ import annotations

from jounce.model.joints import kind_of

#: Colors with contrast to white and to black.
_COLORS = {
    "revolute": "#2f7fd1",
    "prismatic": "#d5761a",
    "helical": "#8a63d2",
    "cylindrical": "#8a63d2",
    "universal": "#1f9e89",
    "spherical": "#1f9e89",
    "planar": "#b07d00",
    "free": "#d6456a",
}
OTHER_COLOR = "#7a7f87"

_CIRCLE = '<circle r="8.5"/>'
_BLOCK = '<rect x="-8.5" y="-8.5" width="17" height="17" rx="2"/>'

#: Shape and strokes of each kind.
_SHAPES = {
    "revolute": (_CIRCLE, '<path d="M-3.6-2.4A4.3 4.3 0 1 1-4 1.6M-4.9-4.6l1.2 2.6 2.6-1"/>'),
    "prismatic": (_BLOCK, '<path d="M-6 0H6M-6 0l2.6-2.6M-6 0l2.6 2.6M6 0 3.4-2.6M6 0 3.4 2.6"/>'),
    "helical": (_CIRCLE, '<path d="M-5 3.5q2.5-9 3.3 0t3.3 0 3.3 0M-5-5H5"/>'),
    "cylindrical": (_BLOCK, '<circle r="3"/><path d="M-7 0h4M3 0h4"/>'),
    "universal": (_CIRCLE, '<path d="M-5.5 0h11M0-5.5v11"/>'),
    "spherical": (_CIRCLE, '<circle r="3.4"/><path d="M-6 3.4A7 7 0 0 0 6 3.4"/>'),
    "planar": ('<path d="M-10 6-4-6H10L4 6Z"/>', '<path d="M-3 2.5V-3M-3 2.5H4"/>'),
    "free": (
        '<circle r="9.5"/>',
        '<path d="M-6 0H6M0-6V6M-6 0l2-2M-6 0l2 2M6 0 4-2M6 0 4 2'
        'M0-6-2-4M0-6 2-4M0 6-2 4M0 6 2 4"/>',
    ),
}


def joint_color(kind: str) -> str:
    """Return the color of a joint kind; user-defined kinds are gray."""
    return _COLORS.get(kind, OTHER_COLOR)


def symbol(kind: str, hollow: bool = False) -> str:
    """Return the SVG of a joint; hollow: for a joint that follows others."""
    shape, strokes = _SHAPES.get(kind) or _unknown(kind)
    color = joint_color(kind)
    fill = f'fill="none" stroke="{color}" stroke-width="1.6" stroke-dasharray="3 2"'
    ink = color if hollow else "#fff"
    if not hollow:
        fill = f'fill="{color}"'
    return (
        f'<g {fill}>{shape}</g><g fill="none" stroke="{ink}" stroke-width="1.4"'
        f' stroke-linecap="round">{strokes}</g>'
    )


def _unknown(kind: str) -> tuple[str, str]:
    """Return a block with a bar per degree of freedom, up to six."""
    count = min(kind_of(kind).nv, 6)
    bars = "".join(f"M{2 * k - count + 1}-5v10" for k in range(count))
    return _BLOCK, f'<path d="{bars}"/>'
