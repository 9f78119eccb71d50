"""Appearance of robots: colored triangles of each body, from files or from the joints.

Nothing is rendered here: the viewer, pages and pictures use the result of `looks`. Start with
`looks.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils import submodules
from jounce.viewer.scene.looks import Looks as Looks
from jounce.viewer.scene.looks import Part as Part
from jounce.viewer.scene.looks import looks as looks

__all__ = ["Looks", "Part", "looks"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
