"""Colors of shapes, as files write them."""

from __future__ import annotations

from jounce.io.numbers import number


def parse_color(text: str) -> tuple[float, ...] | None:
    """Red, green, blue and opacity from 0 to 1 of "r g b" or "r g b a".

    None for what makes no sense: dynamics need no colors.
    """
    try:
        values = [number(word) for word in text.split()]
    except ValueError:
        return None
    if len(values) == 3:
        values.append(1.0)
    if len(values) != 4 or not all(0.0 <= x <= 1.0 for x in values):
        return None
    return tuple(values)
