"""Robots, quantities and results as notebooks show them: drawings and tables, no dependency.

`tree.py` draws the kinematic tree, `robots.py` and `quantities.py` make what notebooks display,
`words.py` says what joints do. Start with `tree.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils import submodules

if TYPE_CHECKING:
    from jounce.viewer.pictures import words
    from jounce.viewer.pictures.tree import TreeDrawing, draw

__all__ = [
    "TreeDrawing",
    "draw",
    "words",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(
        __name__,
        {"TreeDrawing": "jounce.viewer.pictures.tree", "draw": "jounce.viewer.pictures.tree"},
    )
