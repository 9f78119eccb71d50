"""Viewers: live in the browser, self-contained web pages, drawings for notebooks.

`scene` builds colored meshes of bodies, `live` shows them with viser (`robot.view.show()`),
`web` writes self-contained pages with kernels as WebAssembly, `pictures` draws trees and tables.
Imports public names of all other packages except `cli`. Start with `scene/looks.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils import submodules

if TYPE_CHECKING:
    from jounce.viewer import live, pictures, scene, web

__all__ = [
    "live",
    "pictures",
    "scene",
    "web",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
