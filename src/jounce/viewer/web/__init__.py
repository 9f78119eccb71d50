"""Web export: quantities as WebAssembly, and self-contained interactive pages.

`module.py` writes kernels with a JavaScript wrapper, `page.py` combines them with the robot's
shapes in one HTML file, in which `controllers.py` lets a controller drive the robot. Start with
`page.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils import submodules

if TYPE_CHECKING:
    from jounce.viewer.web import meshes
    from jounce.viewer.web.module import WebModule, build_module, export_web
    from jounce.viewer.web.page import write_page

__all__ = [
    "WebModule",
    "build_module",
    "export_web",
    "meshes",
    "write_page",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "WebModule": "jounce.viewer.web.module",
            "build_module": "jounce.viewer.web.module",
            "export_web": "jounce.viewer.web.module",
            "write_page": "jounce.viewer.web.page",
        },
    )
