"""The house keeps its own rules: a picture that tells the truth, short files, short functions."""

from __future__ import annotations

import ast
import runpy

import pytest

from support import PROJECT
from support.layers import BELOW, BY_ALL, MODULES

#: A longer file or function says why, in a sentence of its docstring or in the comment above it.
LONGEST_FILE, LONGEST_FUNCTION = 500, 60
EXCUSE = "Long because"

PICTURE = runpy.run_path(str(PROJECT / "docs" / "architecture.py"))


def test_the_picture_is_current() -> None:
    drawn = (PROJECT / "docs" / "architecture.svg").read_text("utf-8")
    assert drawn == PICTURE["picture"](), "run: python docs/architecture.py"


def test_the_picture_shows_every_room_above_what_it_imports() -> None:
    floors = [{name for name, _ in floor} for floor in PICTURE["FLOORS"]]
    assert set().union(*floors) | BY_ALL == set(BELOW)
    for level, floor in enumerate(floors):
        below = set().union(*floors[level + 1 :])
        for room in floor:
            assert BELOW[room] <= below | {room, ""}, f"{room} imports from its floor or above"


def test_the_way_of_a_call_is_told() -> None:
    page = (PROJECT / "ARCHITECTURE.md").read_text("utf-8")
    for room in (*PICTURE["CALL"], *PICTURE["FILE"]):
        assert f"`{room}" in page or f"**{room}" in page or f"→ {room}" in page, room
    assert len(page.splitlines()) < 80, "one page"


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
