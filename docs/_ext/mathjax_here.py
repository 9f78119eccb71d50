"""MathJax from an installed package instead of from a server: pages read without network."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

#: One file with all it needs: glyphs are outlines, not fonts. Only pages with formulas load it.
SCRIPT = "static/mathjax/tex-svg.js"


def _copy(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise ExtensionError("MathJax is missing: pip install --group docs")
    target = Path(app.outdir, "_static", "mathjax")
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(spec.origin).parent / SCRIPT, target / "tex-svg.js")


def setup(app: Sphinx) -> dict[str, Any]:
    """Copy the script to the site, and load it from there."""
    app.connect("build-finished", _copy)
    app.config.mathjax_path = "mathjax/tex-svg.js"
    # the menu would load parts that are not there
    app.config.mathjax3_config = {"options": {"enableMenu": False}}
    return {"parallel_read_safe": True, "parallel_write_safe": True}
