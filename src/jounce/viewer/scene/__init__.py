"""What a robot looks like: colored triangles of each body, from its file or from its joints.

No library draws here: the viewer, pages and pictures take what `looks` gives. Start with
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
