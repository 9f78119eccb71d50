"""The site as it was built: every public name has an entry, and nothing comes from elsewhere.

`make docs` builds it and then runs these.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import jounce
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.mechanism import CLOSED
from jounce.catalog.tables import FRAME, ROBOT
from support import PROJECT
from support.layers import BELOW

SITE = PROJECT / "build" / "site"

pytestmark = [
    pytest.mark.docs,
    pytest.mark.skipif(not SITE.exists(), reason="there is no site yet: make docs builds it"),
]

#: Packages for internal use.
WITHIN = {"utils", "runtime"}


@pytest.fixture(scope="module")
def inventory() -> dict[str, str]:
    """Names that other sites can refer to, with the page of each."""
    from sphinx.util.inventory import InventoryFile

    with (SITE / "objects.inv").open("rb") as file:
        found = InventoryFile.load(file, "", lambda base, path: path)
    items = getattr(found, "data", found)
    return {
        name: item.uri if hasattr(item, "uri") else item[2]
        for kind, names in items.items()
        if kind.startswith("py:")
        for name, item in names.items()
    }


def entries(package: str) -> dict[str, Any]:
    """What a package offers: names of its `__all__`, those it gives out, or those it defines."""
    try:
        module = import_module(f"jounce.{package}" if package else "jounce")
    except ModuleNotFoundError:  # of a library that the site does without: what the source lists
        source = (Path(jounce.__file__).parent / package / "__init__.py").read_text("utf-8")
        listed = re.search(r"^__all__ = (\[.*?\])$", source, re.MULTILINE | re.DOTALL)
        assert listed is not None
        return dict.fromkeys(ast.literal_eval(listed[1]))
    listed = getattr(module, "__all__", None)
    out = {}
    for name in listed or vars(module):
        value = getattr(module, name)
        home = getattr(value, "__module__", None) or ""
        own = home == module.__name__ or home.startswith(f"{module.__name__}.")
        callable_ = inspect.isclass(value) or inspect.isroutine(value)
        if callable_ and not name.startswith("_") and (own or listed):
            out[name] = value
    return out


@pytest.mark.parametrize("package", ["", *sorted({*BELOW} - WITHIN)])
def test_every_public_name_has_an_entry(package: str, inventory: dict[str, str]) -> None:
    found = entries(package)
    for name, value in found.items():
        here = f"jounce.{package}.{name}" if package else f"jounce.{name}"
        known = {here}
        if value is not None:
            known.add(f"{value.__module__}.{value.__qualname__}")
            known |= {f"jounce.{name}"} if getattr(jounce, name, None) is value else set()
        assert known & {*inventory}, (
            f"{here} has no entry; a page of docs/reference/api has its package"
        )
    if not package:
        assert len(found) >= 28
        assert {*found} <= {name.removeprefix("jounce.") for name in inventory}


OWNERS = {
    "jounce.Robot": ROBOT,
    "jounce.arrays.tables.Frame": {**FRAME, **CLOSED.frames},
    "jounce.solve.mechanism.robot.Mechanism": CLOSED.quantities,
    "jounce.solve.contacts.robot.Contacts": CONTACTED.quantities,
}


@pytest.mark.parametrize("owner", [*OWNERS])
def test_every_row_of_the_catalog_has_an_entry(owner: str, inventory: dict[str, str]) -> None:
    missing = [name for name in OWNERS[owner] if f"{owner}.{name}" not in inventory]
    assert not missing
    assert len(OWNERS[owner]) >= 8


@pytest.mark.parametrize("owner", ["jounce.Robot", "jounce.solve.mechanism.robot.Mechanism"])
def test_members_of_what_users_hold_have_entries(owner: str, inventory: dict[str, str]) -> None:
    module, _, name = owner.rpartition(".")
    kind = getattr(import_module(module), name)
    members = {
        name
        for name, value in inspect.getmembers(kind)
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    missing = {name for name in members if f"{owner}.{name}" not in inventory}
    assert not missing


# ---------------------------------------------------------------- pages


class Reader(HTMLParser):
    """What a page loads, leads to, and can be led to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        self.names |= {found[key] for key in ("id", "name") if key in found}
        if tag == "a" and "href" in found:
            self.leads.append(found["href"])
        if tag in ("script", "img", "iframe", "source", "object", "video"):
            self.loads += [found[key] for key in ("src", "data") if key in found]
        if tag == "link" and "href" in found and found.get("rel") not in ("canonical", "search"):
            self.loads.append(found["href"])


def read(page: Path) -> Reader:
    reader = Reader()
    reader.feed(page.read_text("utf-8"))
    return reader


@pytest.fixture(scope="module")
def site() -> dict[Path, Reader]:
    """The pages; those of robots are programs, with tests of their own."""
    pages = [page for page in sorted(SITE.rglob("*.html")) if page.parent.name != "robots"]
    assert len(pages) > 60
    return {page: read(page) for page in pages if "_static" not in page.parts}


def test_nothing_is_loaded_from_elsewhere(site: dict[Path, Reader]) -> None:
    for page, reader in site.items():
        for address in reader.loads:
            parts = urlsplit(address)
            assert parts.scheme in ("", "data"), f"{page}: {address}"
            assert not parts.netloc, f"{page}: {address}"
            if parts.path and not parts.scheme:
                assert (page.parent / unquote(parts.path)).exists(), f"{page}: {address}"


def test_links_lead_to_pages_and_places(site: dict[Path, Reader]) -> None:
    for page, reader in site.items():
        for address in reader.leads:
            parts = urlsplit(address)
            if parts.scheme or not address or address == "#":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.exists(), f"{page}: {address}"
            if parts.fragment and target in site and page.name != "search.html":
                assert unquote(parts.fragment) in site[target].names, f"{page}: {address}"


def test_pages_with_formulas_have_their_own_mathjax(site: dict[Path, Reader]) -> None:
    with_math = [page for page in site if 'class="math' in page.read_text("utf-8")]
    assert with_math
    for page in with_math:
        assert any(x.partition("?")[0].endswith("mathjax/tex-svg.js") for x in site[page].loads), (
            page
        )


@pytest.mark.parametrize("name", [*jounce.gallery()])
def test_every_robot_of_the_gallery_has_a_page(name: str) -> None:
    text = (SITE / "robots" / f"{name}.html").read_text("utf-8")
    assert name in text
    assert "WebAssembly" in text
    gallery = (SITE / "gallery.html").read_text("utf-8")
    assert f'href="robots/{name}.html"' in gallery
    assert re.search(rf'src="_images/{name}\.png"', gallery)


def test_executed_pages_show_what_they_computed() -> None:
    """Cells have outputs, none of which is a traceback."""
    sources = [p for p in (PROJECT / "docs").rglob("*.md") if "{code-cell}" in p.read_text("utf-8")]
    assert len(sources) >= 15
    for source in sources:
        built = SITE / source.relative_to(PROJECT / "docs").with_suffix(".html")
        text = built.read_text("utf-8")
        assert 'class="cell_output' in text, built
        assert "Traceback (most recent call last)" not in text, built
