"""ARCHITECTURE.md and its diagram are current; files and functions are short."""

from __future__ import annotations

import ast
import runpy

import pytest

from support import PROJECT
from support.layers import BELOW, MODULES, ORDER

#: A longer file or function says why, in a sentence of its docstring or in the comment above it.
LONGEST_FILE, LONGEST_FUNCTION = 500, 60
EXCUSE = "Long because"

DIAGRAM = runpy.run_path(str(PROJECT / "docs" / "architecture.py"))

#: Packages that all others may import; they are not drawn.
EVERYWHERE = {"errors", "utils"}


def test_the_diagram_is_current() -> None:
    drawn = (PROJECT / "docs" / "architecture.svg").read_text("utf-8")
    assert drawn == DIAGRAM["picture"](), "run: python docs/architecture.py"


def test_the_pictures_of_frames_are_current() -> None:
    script = runpy.run_path(str(PROJECT / "docs" / "frames.py"))
    for file, draw in script["PICTURES"].items():
        drawn = (PROJECT / "docs" / "pictures" / file).read_text("utf-8")
        assert drawn == draw(), "run: python docs/frames.py"


def test_the_diagram_shows_every_package_above_what_it_imports() -> None:
    layers = [{name for name, _ in layer} for layer in DIAGRAM["LAYERS"]]
    assert set().union(*layers) | EVERYWHERE == set(ORDER)
    assert sum(map(len, layers)) <= 21
    for level, layer in enumerate(layers):
        for name in layer:
            beside = layer & BELOW[name]  # applications may use each other
            below = set().union(*layers[level + 1 :])
            assert BELOW[name] - EVERYWHERE - {""} - beside <= below, name


def test_the_page_names_what_a_call_and_a_file_go_through() -> None:
    page = (PROJECT / "ARCHITECTURE.md").read_text("utf-8")
    for name in (*DIAGRAM["CALL"], *DIAGRAM["FILE"]):
        assert f"`{name}/" in page, name
    assert len(page.splitlines()) < 90, "one page"


@pytest.mark.parametrize("module", list(MODULES))
def test_files_and_functions_are_short(module: str) -> None:
    text = MODULES[module].read_text("utf-8")
    tree = ast.parse(text)
    lines = text.splitlines()
    if len(lines) > LONGEST_FILE:
        assert EXCUSE in (ast.get_docstring(tree) or ""), f"{module}: {len(lines)} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            if ast.get_docstring(node) is not None:  # parameters may take what lines they need
                length -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
            head = " ".join(lines[max(node.lineno - 4, 0) : node.lineno])
            if length > LONGEST_FUNCTION:
                said = EXCUSE in (ast.get_docstring(node) or "") or EXCUSE in head
                assert said, f"{module}.{node.name}: {length} lines"
