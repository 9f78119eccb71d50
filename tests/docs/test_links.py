"""Links between pages lead somewhere, to a title that is there too."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import PROJECT
from support.docs_pages import anchors, links, name, pages

pytestmark = pytest.mark.shown

PAGES = pages()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files_and_titles(page: Path) -> None:
    for link in links(page.read_text("utf-8")):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        assert not parts.path.startswith("/"), f"{link}: from where?"
        target = Path(os.path.normpath(page.parent / parts.path)) if parts.path else page
        assert target.is_relative_to(PROJECT), f"{link} leaves the project"
        assert target.exists(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".md":
            found = anchors(target.read_text("utf-8"))
            assert parts.fragment in found, f"{link}: choose one of {sorted(found)}"


#: Other sites that pages may lead to: listed here, not fetched.
ELSEWHERE = {
    "arxiv.org",
    "docs.dask.org",
    "docs.ray.io",
    "doi.org",
    "github.com",
    "hypothesis.readthedocs.io",
    "jobqueue.dask.org",
    "keepachangelog.com",
    "kubernetes.dask.org",
    "pypi.org",
    "pytorch.org",
    "scientific-python.org",
    "semver.org",
    "viser.studio",
    "www.sympy.org",
}


def test_links_to_other_sites_are_known() -> None:
    for page in PAGES:
        for link in links(page.read_text("utf-8")):
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme == "https", f"{name(page)}: {link}"
                assert parts.netloc in ELSEWHERE, f"{name(page)}: {link}; one more for ELSEWHERE?"


def test_source_names_pages_that_exist() -> None:
    """Docstrings, messages and the Makefile speak of pages by their path."""
    files = [*PROJECT.glob("src/jounce/**/*.py"), *PROJECT.glob("tests/**/*.py")]
    for file in (*files, PROJECT / "Makefile", *PROJECT.glob("benchmarks/**/*.py")):
        for page in re.findall(r"\bdocs/[\w/-]+\.(?:md|svg|py)\b", file.read_text("utf-8")):
            assert (PROJECT / page).exists(), f"{file}: {page}"


def test_every_example_is_on_the_page() -> None:
    page = (PROJECT / "docs" / "examples.md").read_text("utf-8")
    shown = set(re.findall(r"\{literalinclude\} \.\./examples/(\w+)\.py", page))
    assert shown == {file.stem for file in (PROJECT / "examples").glob("*.py")}
    assert shown <= anchors(page)
