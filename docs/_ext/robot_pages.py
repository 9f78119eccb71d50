"""Pictures of the gallery's robots, pages in which they are computed, and `{robots}`: the cards."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from drawing import picture
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import jounce
from jounce.viewer.web.page import write_page

#: Folder of pictures in `docs`; not kept in the repository.
PICTURES = "_generated/robots"
#: First and last configuration of the arm on the front page.
FRONT = (
    np.array((0.0, 0.9, 0.0, -1.2, 0.0, 1.0, 0.0)),
    np.array((1.6, 0.5, 0.3, -1.7, 0.4, 0.9, 0.0)),
)
#: Configurations in pictures, and view angles, if not the default.
POSES = {
    "kuka_iiwa14": (0.3, 0.6, 0.0, -1.3, 0.0, 1.0, 0.0),
    "iiwa14_mueller_kumar2021": (0.3, 0.6, 0.0, -1.3, 0.0, 1.0, 0.0),
    "franka": (0.3, 0.3, 0.0, -1.8, 0.0, 2.0, 0.0),
    "planar_2r": (0.6, 0.8),
    "two_mass_link": (0.5,),
    "planar_rp": (0.5, 0.4),
    "cartesian_ppp": (0.3, 0.2, 0.4),
}
VIEWS = {
    "five_bar": (40.0, 25.0),
    "planar_2r": (-90.0, 60.0),
    "planar_rp": (-90.0, 60.0),
    "four_bar": (-90.0, 70.0),
}


def digest() -> str:
    """Return a checksum of the library and of these extensions."""
    files = sorted([*Path(jounce.__file__).parent.rglob("*"), *Path(__file__).parent.glob("*.py")])
    kinds = (".py", ".js", ".css", ".html", ".json", ".urdf")
    checksum = hashlib.sha256()
    for file in files:
        if file.suffix in kinds:
            checksum.update(file.read_bytes())
    return checksum.hexdigest()


def robot(name: str) -> Any:
    """Load a robot of the gallery without warnings about its parameters."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        return jounce.load(name)


def pose(name: str, subject: Any) -> np.ndarray:
    """Return the configuration of a robot in its picture, with closed loops."""
    q = np.array(POSES[name]) if name in POSES else subject.neutral()
    return subject.closed().assemble(q).q if subject.model.loops else q


def _pictures(app: Sphinx) -> None:
    folder = Path(app.srcdir) / PICTURES
    if _current(folder, digest()):
        return
    for name in jounce.gallery():
        subject = robot(name)
        picture(
            subject,
            [pose(name, subject)],
            folder / f"{name}.png",
            view=VIEWS.get(name, (-60.0, 18.0)),
        )
    arm, (start, end) = robot("kuka_iiwa14"), FRONT
    path = [start + (end - start) * s for s in (0.0, 0.25, 0.5, 0.75, 1.0)]
    picture(arm, path, folder / "front.png", size=(900, 720))
    (folder / "current").write_text(digest(), "utf-8")


def _pages(app: Sphinx, error: Exception | None) -> None:
    folder = Path(app.outdir) / "robots"
    if error is not None or app.builder.name != "html" or _current(folder, digest()):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in jounce.gallery():
        subject = robot(name)
        system = subject.closed() if subject.model.loops else subject
        stands = "impedance" if subject.model.contacts else None
        write_page(system, folder / f"{name}.html", controller=stands, overwrite=True)
    (folder / "current").write_text(digest(), "utf-8")


def _current(folder: Path, wanted: str) -> bool:
    mark = folder / "current"
    return mark.exists() and mark.read_text("utf-8") == wanted


class Robots(SphinxDirective):
    """A card for each robot of the gallery."""

    def run(self) -> list[nodes.Node]:
        """Return a grid of cards with picture, name and description that link to the pages."""
        lines = ["::::{grid} 1 2 3 3", ":gutter: 3", ""]
        for name, sentence in jounce.gallery().items():
            lines += [f":::{{grid-item-card}} `{name}`", f":img-top: /{PICTURES}/{name}.png"]
            lines += [f":link: robots/{name}.html", ":link-type: url"]
            lines += ["", f"{sentence[0].upper()}{sentence[1:]}.", ":::", ""]
        return self.parse_text_to_nodes("\n".join((*lines, "::::")))


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw before pages are read; write robots' pages when the others are there."""
    app.add_directive("robots", Robots)
    app.connect("builder-inited", _pictures)
    app.connect("build-finished", _pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
