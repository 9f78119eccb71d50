"""The page on named arrays runs."""

from __future__ import annotations

import pytest

from support.docs_pages import DOCS, blocks

pytest.importorskip("xarray", reason="xarray is an extra: pip install 'jounce[xarray]'")

pytestmark = pytest.mark.scale


def test_the_page_runs() -> None:
    text = (DOCS / "guide" / "xarray.md").read_text("utf-8")
    found = blocks(text, "python")
    assert len(found) >= 5
    scope: dict[str, object] = {}
    for block in found:
        exec(compile(block, "xarray.md", "exec"), scope)
