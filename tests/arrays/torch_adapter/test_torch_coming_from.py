"""What the page for those who come from CasADi and JAX says of PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import jounce
from support import PROJECT
from support.docs_pages import blocks

pytestmark = pytest.mark.frameworks

PAGE = PROJECT / "docs" / "coming-from" / "casadi-jax.md"


def test_the_block_on_torch_runs() -> None:
    """The robot is the page's own; the rest of it is executed where the site is built."""
    text = PAGE.read_text("utf-8")
    assert 'arm = jounce.load("kuka_iiwa14")' in text
    session: dict[str, Any] = {"jounce": jounce, "arm": jounce.load("kuka_iiwa14")}
    found = blocks(text, "py")
    assert found
    for block in found:
        exec(compile(block, "casadi-jax.md", "exec"), session)
    assert session["q"].grad is not None
