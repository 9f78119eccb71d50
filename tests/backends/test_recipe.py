"""The backend of docs/guide/backends.md, as it stands there, on every row of the catalog."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from jounce import backends
from jounce.backends import interpreter
from jounce.backends.function import Function
from jounce.robot import Robot
from support.functions import function_of, tiny_model
from support.helpers import assert_close, named_kernels, random_arguments

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "backends.md"

ROBOT = Robot(tiny_model())
KERNELS = named_kernels(ROBOT)


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[backends.Backend]:
    """The toy backend: the page's file, and its line of the table."""
    file, line = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "toy_backend.py").write_text(file)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(backends, "BACKENDS", dict(backends.BACKENDS))
    exec(line.replace("jounce.backends.python", "toy_backend"), {"BACKENDS": backends.BACKENDS})
    yield backends.backend("python")
    sys.modules.pop("toy_backend")


@pytest.mark.parametrize("row", list(KERNELS))
def test_the_recipe_gives_the_interpreters_numbers(row: str, python: backends.Backend) -> None:
    kernel = KERNELS[row]
    function = function_of(kernel)
    given = random_arguments(kernel, ROBOT, np.random.default_rng(0), (4,))
    found, expected = python.build(function), interpreter.build(function)
    assert callable(found)
    for result, right in zip(found(*given), expected(*given), strict=True):
        assert_close(result, right, 1e-14, row)


def test_the_page_names_what_there_is() -> None:
    text = PAGE.read_text("utf-8")
    table = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert table == list(backends.BACKENDS)
    for name in (*Function.__dataclass_fields__, "samples", "results"):
        assert f"`{name}`" in text or f"`{name}" in text or f"Function.{name}" in text, name
