"""The page about Dask runs."""

from __future__ import annotations

from typing import Any

import pytest

from support import PROJECT
from support.docs_pages import blocks

dask: Any = pytest.importorskip("dask", reason="Dask is an extra: pip install 'jounce[dask]'")

pytestmark = pytest.mark.scale


def test_the_page() -> None:
    text = (PROJECT / "docs" / "guide" / "dask.md").read_text("utf-8")
    namespace: dict[str, Any] = {}
    with dask.config.set(scheduler="threads"):
        for block in blocks(text, "python"):
            exec(compile(block, "dask.md", "exec"), namespace)
    assert namespace["tau"].shape == (100_000, 7)
