"""A button on each tutorial to download it as an executed Jupyter notebook."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: Pages with a button are those in this folder that have cells.
FOLDER = "tutorials"


def button(text: str, file: str) -> str:
    """Return a page with a button after its title."""
    title, _, body = text.partition("\n# ")
    heading, _, rest = body.partition("\n")
    link = (
        f'<a class="sd-btn sd-btn-outline-primary notebook" href="{file}" download>'
        "Download as notebook</a>"
    )
    return f"{title}\n# {heading}\n\n{link}\n{rest}"


def _add(_app: Sphinx, docname: str, source: list[str]) -> None:
    folder, _, page = docname.rpartition("/")
    if folder == FOLDER and "{code-cell}" in source[0]:
        source[0] = button(source[0], f"{page}.ipynb")


def _copy(app: Sphinx, error: Exception | None) -> None:
    """Copy the executed notebooks to the site."""
    if error is None and app.builder.format == "html":
        for file in Path(app.outdir).parent.glob(f"jupyter_execute/{FOLDER}/*.ipynb"):
            shutil.copy(file, Path(app.outdir) / FOLDER)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the buttons as pages are read, and the files when all pages are written."""
    app.connect("source-read", _add)
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
