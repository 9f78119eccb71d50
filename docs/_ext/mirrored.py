"""Links from pages to files outside `docs` lead to the pages of the site that show those files.

On disk and where the repository is read, `[results](../../benchmarks/RESULTS.md)` is a link to that
file; here the file has a page of its own. A link to a file that has none is an error.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)

#: Files of the repository, and the pages that show them.
PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "performance/results.md",
    "benchmarks/GPU.md": "performance/gpu.md",
    "tests/gpu/RESULTS.md": "performance/gpu-checks.md",
}
#: All examples are on one page, each in a section of its name.
EXAMPLES = re.compile(r"examples/(\w+)\.py")

_LINK = re.compile(r"(\]\()([^)\s#:]*)(#[^)\s]*)?(\))")
_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1`*\s*$", re.MULTILINE | re.DOTALL)


def rewrite_links(text: str, file: Path, docs: Path) -> str:
    """Return a page with links that leave `docs` replaced by pages of the site."""
    root = docs.parent

    def page(match: re.Match[str]) -> str:
        begin, target, anchor, end = match.groups(default="")
        if not target or target.startswith("/"):
            return match[0]
        path = Path(os.path.normpath(file.parent / target))
        if path.is_relative_to(docs):
            # links of an included file begin with docs/
            return (
                match[0] if file.is_relative_to(docs) else f"{begin}/{_in(path, docs)}{anchor}{end}"
            )
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
        if name in PAGES:
            return f"{begin}/{PAGES[name]}{anchor}{end}"
        if example := EXAMPLES.fullmatch(name):
            return f"{begin}/examples.md#{example[1]}{end}"
        LOG.warning("a link to %s, which is no page of the site", name, location=str(file))
        return match[0]

    kept, last = [], 0
    for block in (*_CODE.finditer(text), None):
        stop = len(text) if block is None else block.start()
        kept.append(_LINK.sub(page, text[last:stop]))
        if block is not None:
            kept.append(block[0])
            last = block.end()
    return "".join(kept)


def _in(path: Path, docs: Path) -> str:
    return path.relative_to(docs).as_posix()


def _rewrite_page(app: Sphinx, docname: str, source: list[str]) -> None:
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".md":
        source[0] = rewrite_links(source[0], path, Path(app.srcdir))


def _rewrite_include(app: Sphinx, path: Path, _parent: str, content: list[str]) -> None:
    file = Path(os.path.normpath(Path(app.srcdir) / path))
    if file.suffix == ".md":
        content[0] = rewrite_links(content[0], file, Path(app.srcdir))


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite pages, and the files that they include, as they are read."""
    app.connect("source-read", _rewrite_page)
    app.connect("include-read", _rewrite_include)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
